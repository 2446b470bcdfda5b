"""Build: a `Model` from a finished run, or from the largest margin.

What is known of a run speaks of rows, which a model does not keep: so it is written down here, while they are there.
"""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..data.float64 import UNIT_ROUNDOFF
from ..data.hyperplane import distances, lengths_of
from ..data.scaling import Scaling
from ..data.source import Source
from ..errors import InputError
from ..learning.transfer import history_for
from ..runs.advice import with_wrong
from ..runs.choice import Choice
from ..runs.history import History
from ..runs.run import Run
from ..runs.state import State
from ..runs.status import Status
from ..runs.trajectory import Floats
from .model import Model

if TYPE_CHECKING:  # the search and its packages are not needed to make a model
    from ..separation.margin.result import MaxMargin


def model_of_run(
    run: Run,
    state: State,
    end: Status,
    *,
    facts: bool = False,
    earlier: Model | None = None,
    origin: State | None = None,
) -> Model:
    """The model of a run, or of an earlier `state` of it; behind `earlier`, from whose state it went on at `origin`.

    `facts`: look at all rows once more, for the margin.
    """
    source, vote = run.source, None
    if run.plan.readout == "voted":
        vote = run.vote_from(origin)
        vote = vote if earlier is None or earlier.vote is None else earlier.vote.then(vote)
    W, b = state.folded("last" if vote is not None else run.plan.readout)
    found: dict[str, Any] = {}
    if facts and vote is None:
        found, mistakes = _facts(run, state, W, run.history.after(_before(run, earlier)))
        end = with_wrong(end, mistakes, run)
        settled = end.name == "clean" and int(run.history.mistakes[-1]) == 0 and state is run.state
        if mistakes and settled and run.plan.readout != "last":
            end = end.advising("last-is-clean", kept=run.plan.readout, mistakes=mistakes)
    elif facts:
        end = with_wrong(end, None, run)
    return Model(
        kind="Perceptron",
        parameters={},
        classes=source.classes,
        feature_names=source.feature_names,
        weights=W,
        offsets=b,
        status=end,
        vote=vote,
        facts=found,
        history=_history(run, state, earlier),
        state=state,
        reading=getattr(source.original, "reading", None),
        provenance=_provenance(source),
    )


def _history(run: Run, state: State, earlier: Model | None) -> History:
    """Up to the state that is kept, behind the earlier one."""
    own = History(**{name: column[run.history.epoch <= state.epoch] for name, column in vars(run.history).items()})
    return own.after(_before(run, earlier))


def _before(run: Run, earlier: Model | None) -> History | None:
    return None if earlier is None else history_for(earlier.history, run.history)


def _facts(run: Run, state: State, W: Floats, history: History) -> tuple[dict[str, Any], int]:
    """The margin of these weights on all rows, the bound on every margin, and how many rows they get wrong.

    `history` is that of the whole run on these rows, where it was resumed, too.
    """
    source, ovr = run.source, state.decision == "ovr"
    own = run if state is run.state else replace(run, state=state)
    least, mistakes, R2 = own.survey(run.plan.readout)
    each = lengths_of(W)
    lengths = each if ovr else lengths_of(each[:, None]) if np.isfinite(each).all() else np.array([math.inf])
    known = (lengths > 0) & np.isfinite(lengths)
    margin = np.full(lengths.size, math.nan)
    margin[known] = distances(np.asarray(least)[known], lengths[known])
    upper = history.margin_upper.min(axis=0, initial=math.inf)
    if state.scaling is None:
        upper = upper * _unaugmented(R2, run.state.rho2, source.n_columns)
    else:
        scaled_R2 = own.survey(run.plan.readout, learnt=True)[2]
        upper = _unscaled(upper * _unaugmented(scaled_R2, run.state.rho2, source.n_columns), scaled_R2, state.scaling)
    plain = {"margin": margin if ovr else margin[0], "margin_upper_bound": upper}
    return {name: value if ovr else float(value) for name, value in plain.items()}, mistakes


def _unaugmented(R2: float, rho2: float, d: int) -> float:
    """√(1 + R²/ρ²), rounded up: γ* ≤ this·γ′*, because a separator of length 1 has |b| ≤ R where both classes occur.

    Of K outputs that move together: for two classes y and k, rows of both give |b_y − b_k| ≤ ‖w_y − w_k‖·R. Summed over
    all pairs, with the mean of the b taken off all (which changes no lead), that is ‖b‖ ≤ ‖W‖·R.
    """
    if not rho2:
        return 1.0
    # Squares as small as this may have lost all their digits.
    return math.sqrt(1 + max(R2, 1e-280) / rho2) * (1 + (d + 16) * 2.0**-52)


def _unscaled(upper: Floats, R2: float, scaling: Scaling) -> Floats:
    """A bound on the margins of scaled rows as one of the rows: γ* ≤ max f·γ̃*, because w̃ = f·w is no longer than that.

    The scaled rows are rounded, each number twice: that is 2·2⁻⁵³·R̃ of a margin, and a little more. Rounded up.
    """
    slack = 4 * UNIT_ROUNDOFF * math.sqrt(max(R2, 1e-280))
    with np.errstate(over="ignore"):
        return np.asarray((upper + slack) * float(scaling.factor.max()) * (1 + 8 * UNIT_ROUNDOFF))


def as_chosen(model: Model, choice: Choice, offset: float) -> Model:
    """The model of a run that was chosen, as `LinearClassifier` has it."""
    parameters = {"fit_intercept": offset != 0, "class_weight": None, "random_state": choice.seed, "n_jobs": None}
    return replace(model, kind="LinearClassifier", choice=choice, parameters=parameters)


def model_of_margin(best: "MaxMargin") -> Model:
    """The model of the largest margin, scaled so that the nearest rows score ±1."""
    plane = best.hyperplane
    assert plane is not None
    scale = best.margin * plane.norm
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        w, b = plane.w / scale, np.array([plane.b / scale if scale else np.nan])
    if not (np.isfinite(w).all() and np.isfinite(b).all()):
        raise InputError("the classes are so near to each other that the weights leave float64: scale the rows up")
    return Model(
        kind="MaxMarginClassifier",
        parameters={},
        classes=best.examples.classes,
        feature_names=best.examples.feature_names,
        weights=w[:, None],
        offsets=b,
        status=best.status,
        facts={
            "margin": best.margin,
            "margin_upper_bound": best.margin_upper,
            "gap": best.gap,
            "support": best.support_rows.astype(np.float64),
        },
        reading=best.examples.reading,
        provenance=_provenance(best.examples),
    )


def _provenance(source: Source) -> dict[str, Any]:
    return {"rows": source.n_rows, "digest": source.digest()}
