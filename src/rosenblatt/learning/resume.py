"""How a run begins: from zero, from given or random weights, or from the state of an earlier run.

A run may go on only under the conditions it was learnt under: they are kept in its state, and compared here.
"""

import math
from typing import Any

import numpy as np

from .. import _core
from ..data.hyperplane import Hyperplane
from ..data.scans import survey, weight_digest
from ..data.source import Source
from ..errors import InputError, ParameterError, shown
from ..report.words import PARAMETERS
from ..rules import Rule
from ..runs.plan import Plan
from ..runs.state import Pair, State
from ..runs.visits import name_of

DRAWS = 64  # of a random start that makes a mistake
_DATA = {"digest": "rows or labels", "weights_digest": "sample weights"}


def takes_any_rows(start: Any) -> bool:
    """Whether it is a state that may go on with any rows: transfer.with_other_rows."""
    return isinstance(start, State) and isinstance(start.conditions, dict) and start.conditions.get("digest", 0) is None


def unit_of(state: State) -> float:
    """What β was given in."""
    if not isinstance(state.unit, float) or not 0 <= state.unit < math.inf:
        raise InputError(f"the state is damaged: its unit is {shown(state.unit)}")
    return state.unit


def conditions_of(
    source: Source, rule: Rule, parameters: dict[str, float], plan: Plan, largest: str | None
) -> dict[str, Any]:
    """What must not change when a run is resumed. The parameters are those of `Rule.absolute`."""
    return {
        "rule": rule.name,
        "update": tuple(rule.update(**parameters)),
        "order": name_of(plan.visit_order),
        "seed": plan.seed if plan.order == "shuffled" else None,
        "batch_size": plan.batch_size,
        "eta": plan.eta,
        "schedule": None if callable(plan.schedule) else plan.schedule,
        "readouts": tuple(name for name in ("averaged", "pocket") if name in plan.kept),
        "step_tol": plan.step_tol is not None,
        "scale": plan.scale,
        "largest": largest,
        "digest": source.digest(),
        "weights_digest": weight_digest(source),
    }


def given_weights(start: Any, d: int, K: int, rho2: float) -> Pair:
    """The caller's own weights, checked."""
    if isinstance(start, Hyperplane):
        start = (start.w, start.b)
    try:
        w, b = (np.asarray(part) for part in start)
        if {w.dtype.kind, b.dtype.kind} - set("fiu") or w.shape not in ((d, K), (d,) * (K == 1)) or b.size != K:
            raise ValueError
        w, b = np.array(w, np.float64).reshape(d, K), np.array(b, np.float64).reshape(K)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"start must be (w, b) with {d} weight(s) and 1 offset for each of {K} output(s)") from None
    if not (np.isfinite(w).all() and np.isfinite(b).all()):
        raise InputError("start must be finite")
    if rho2 == 0 and b.any():
        raise InputError("start has an offset b, but offset=0 keeps the hyperplane through the origin")
    return w, b


def random_weights(source: Source, plan: Plan, decision: str, rho2: float) -> tuple[Pair, int]:
    """Random weights with a mistake to learn from: of w and −w one has it, so that every other draw will do.

    And 0; or, if none was drawn that makes a mistake, how many were drawn.
    """
    d, K = source.n_columns, source.n_outputs
    for draw in range(DRAWS):
        drawn = _core.uniform(plan.seed, draw, (d + 1) * K)
        # b/ρ is the weight of the constant feature, so it is drawn like the others.
        W, b = drawn[: d * K].reshape(d, K), drawn[d * K :] * math.sqrt(rho2)
        least, *_ = survey(source, W, b, decision == "direct", plan.threads)
        if not min(least) > 0:
            return (W, b), 0
    return (W, b), DRAWS


def resume(
    core: _core.Learner, state: State, source: Source, plan: Plan, decision: str, rho2: float, now: dict[str, Any]
) -> None:
    """Set the core to a state, if it was learnt under the conditions of `now`. Raises `InputError` if it was not."""
    shape = (source.n_columns, source.n_outputs)
    # A dataclass checks no types; what is asked before the core checks the rest must be there to be asked.
    for name, kind in {"weights": np.ndarray, "offsets": np.ndarray, "epoch_rows": int, "conditions": dict}.items():
        if not isinstance(getattr(state, name), kind):
            raise InputError(f"the state is damaged: its {name} is {shown(getattr(state, name))}")
    if state.weights.shape != shape or state.decision != decision:
        raise InputError(
            f"the state has {state.weights.shape[0]} feature(s), {state.n_outputs} output(s) ({state.decision}); "
            f"the examples {shape[0]} and {shape[1]} ({decision})"
        )
    if callable(plan.schedule):
        raise InputError("a run with a schedule of your own cannot be resumed: no state can hold a function")
    for name, value in {**now, "offset²": rho2}.items():
        if name not in state.conditions and name != "offset²":
            raise InputError(f"the state is damaged: it does not say the {name} it was learnt with")
        then = state.rho2 if name == "offset²" else state.conditions[name]
        if then != value and name == "readouts" and isinstance(then, tuple):
            raise ParameterError(
                "cannot resume: the run kept {then}; give the same {readout} again, not {now}",
                then=_listed(then),
                now=_listed(value),
            )
        if name in _DATA and takes_any_rows(state):
            continue
        if then != value and name in _DATA:
            raise InputError(f"cannot resume: the {_DATA[name]} are not those the state was learnt on")
        if then != value:
            called = f"{{{name}}}" if name in PARAMETERS else name
            changed = f"cannot resume with another plan: {called} was {{then}}, and now is {{now}}"
            raise ParameterError(changed, then=shown(then), now=shown(value))
    if (state.scaling is None) != (plan.scale == "none"):
        raise InputError("the state is damaged: its scale and its centres and factors do not go together")
    if state.epoch_rows > source.n_rows:
        raise InputError(f"the state is {state.epoch_rows} rows into an epoch, the examples have {source.n_rows}")
    try:
        core.restore(state.to_core())
    except (ValueError, KeyError, TypeError, RuntimeError) as error:
        raise InputError(f"the state is damaged: {error}") from None


def _listed(names: tuple[str, ...]) -> str:
    return repr(("last", *names)) if names else "'last'"
