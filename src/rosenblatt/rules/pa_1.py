"""PA-I: passive-aggressive with its step capped at C, so that one wrong label cannot throw w′ far.

On separable data from zero: at most max(R′², 1/C)/γ′² mistakes.

Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006, JMLR 7, theorem 4.
"""

from dataclasses import replace

from . import Setting, Update
from .passive_aggressive import RULE as PASSIVE_AGGRESSIVE


def update(C: float = 1.0) -> Update:
    """θ = 1, strictly; τ = min(C, (1 − m)/‖x′‖²)."""
    return Update(theta0=1.0, strict=True, g=-1.0, p=1.0, q=0.0, cap=C)


def bound(s: Setting) -> float | None:
    """On the number of mistakes, from zero."""
    return None if s.start_norm else max(s.radius**2, 1 / s.C) / s.margin**2


RULE = replace(
    PASSIVE_AGGRESSIVE,
    name="pa-1",
    formula="if m < 1: w′ += min(C, (1 − m)/‖x′‖²)·y·x′",
    guarantee="separable data: at most max(R′², 1/C)/γ′² mistakes",
    update=update,
    bound=bound,
)
