"""The convergence theorem at the end of a run: its updates beside the bound that its own last weights give."""

import math
from typing import TYPE_CHECKING, Any

from ..errors import LostClusterError
from ..report.plain import finite
from ..rules import Setting
from .bounds import length

if TYPE_CHECKING:
    from .run import Run


def against_theorem(run: "Run") -> dict[str, Any] | None:
    """Novikoff's bound for the perceptron from w = 0: at most (R′/γ′)² updates, γ′ any margin that is reached.

    None for another rule, more than two classes, rows with weights or rows that have gone, and if numbers leave
    float64.

    updates
        How many there were.
    radius, margin
        R′, and the γ′ that the last weights reach; None if they do not separate the rows.
    most_updates
        (R′/γ′)², rounded down; None without a margin.
    margin_upper, least_bound
        What no γ′ exceeds, and (R′/γ′)² for that: the bound that the best margin gives is no less.
    scaled
        Whether all this is in the space of the scaled rows, which the run learnt from.
    mixed
        Of a run over shards: how many they are, how they were mixed, and the mixed updates Σ μ_s·k_s = Στ/η. Those are
        what the bound speaks of (McDonald, Hall and Mann 2010, theorem 3), not all updates of all shards.
    """
    state, plan = run.state, run.plan
    perceptron = run.rule.name == "perceptron" and plan.batch_size == 1 and plan.schedule == "constant"
    weighted = state.conditions["weights_digest"] is not None
    if not perceptron or weighted or state.n_outputs > 1 or state.start is not None:
        return None
    if (found := survey_if_there(run, "last", learnt=True)) is None:
        return None
    (least,), _, R2 = found
    size, radius = length(state.read("last"), state.rho2), math.sqrt(R2 + state.rho2)
    if not 0 < size < math.inf or not 0 < radius < math.inf:
        return None
    margin, upper = float(least) / size, finite(state.margin_upper)
    known = margin > 1e-150
    mixing = state.conditions.get("mixing")
    mixed = {} if mixing is None else {"mixed": {
        "shards": state.conditions["shards"], "by": mixing, "updates": _plainly(state.sum_tau[0] / plan.eta),
    }}  # fmt: skip
    return {
        "updates": run.updates,
        "radius": radius,
        "margin": finite(margin) if margin > 0 else None,
        "most_updates": math.floor(_bound(run, radius, margin) * (1 + 1e-12)) if known else None,
        "margin_upper": upper,
        "least_bound": finite(_bound(run, radius, upper)) if upper else None,
        "scaled": run.scaled,
        **mixed,
    }


def _plainly(count: float) -> float:
    """Ten digits of a number that was rounded down to be sure: 16864.5, not 16864.499999999673."""
    return float(f"{count:.10g}")


def survey_if_there(run: "Run", readout: str, learnt: bool = False) -> tuple[Any, int, float] | None:
    """`run.survey`; None of rows that have gone, or that nobody is there to be asked of."""
    if run.source.gone:
        return None
    try:
        return run.survey(readout, learnt)
    except LostClusterError:
        return None


def _bound(run: "Run", radius: float, margin: float) -> float:
    found = run.rule.bound(Setting(radius=radius, margin=margin, eta=run.plan.eta))
    assert found is not None  # of the perceptron it is known
    return found
