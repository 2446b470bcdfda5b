"""The convergence theorem at the end of a run: its updates beside the bound that its own last weights give."""

import math
from typing import TYPE_CHECKING, Any

from ..report.plain import finite

if TYPE_CHECKING:
    from .run import Run


def against_theorem(run: "Run") -> dict[str, Any] | None:
    """Novikoff's bound for the perceptron from w = 0: at most (R′/γ′)² updates, γ′ any margin that is reached.

    None for another rule, more than two classes or rows with weights, and if numbers leave float64.
    """
    state = run.state
    perceptron = run.rule.name == "perceptron" and run.plan.batch_size == 1 and run.plan.schedule == "constant"
    if not perceptron or state.n_outputs > 1 or state.start is not None:
        return None
    W, b = state.read("last")
    (least,), _, R2 = run.survey("last")
    length2 = float((W * W).sum()) + (float(b[0]) ** 2 / state.rho2 if state.rho2 else 0.0)
    radius2 = R2 + state.rho2
    if not 0 < length2 < math.inf or not 0 < radius2 < math.inf:
        return None
    margin = float(least) / math.sqrt(length2)
    return {
        "updates": run.updates,
        "radius": math.sqrt(radius2),
        "margin": finite(margin) if margin > 0 else None,
        "most_updates": math.floor(radius2 / margin**2 * (1 + 1e-12)) if margin > 1e-150 else None,
        "margin_upper": finite(state.margin_upper),
    }
