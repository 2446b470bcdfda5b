"""PA-II: passive-aggressive with a softer step, (1 − m)/(‖x′‖² + 1/(2C)).

On separable data from zero: at most (R′² + 1/(2C))/γ′² mistakes.

Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006, JMLR 7, theorem 5.
"""

from dataclasses import replace

from . import Setting, Update
from .passive_aggressive import RULE as PASSIVE_AGGRESSIVE


def update(C: float = 1.0) -> Update:
    """θ = 1, strictly; τ = (1 − m)/(‖x′‖² + 1/(2C))."""
    return Update(theta0=1.0, strict=True, g=-1.0, p=1.0, q=1 / (2 * C))


def bound(s: Setting) -> float | None:
    """On the number of mistakes, from zero."""
    return None if s.start_norm else (s.radius**2 + 1 / (2 * s.C)) / s.margin**2


RULE = replace(
    PASSIVE_AGGRESSIVE,
    name="pa-2",
    formula="if m < 1: w′ += (1 − m)/(‖x′‖² + 1/(2C))·y·x′",
    guarantee="separable data: at most (R′² + 1/(2C))/γ′² mistakes",
    update=update,
    bound=bound,
)
