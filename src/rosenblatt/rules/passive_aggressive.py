"""Passive-aggressive: the smallest change of w′ that gives the row a functional margin of 1.

τ = (1 − m)/‖x′‖² whenever m < 1. On separable data from zero it makes at most (R′/γ′)² mistakes (m ≤ 0); it may update
more often than that. The step is solved for one row, so there are no batches and no η.

Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006, JMLR 7, theorem 2.
"""

from . import Rule, Setting, Update


def update() -> Update:
    """θ = 1, strictly; τ = (1 − m)/‖x′‖²."""
    return Update(theta0=1.0, strict=True, g=-1.0, p=1.0, q=0.0)


def bound(s: Setting) -> float | None:
    """On the number of mistakes, from zero."""
    return None if s.start_norm else (s.radius / s.margin) ** 2


RULE = Rule(
    name="passive-aggressive",
    formula="if m < 1: w′ += (1 − m)/‖x′‖²·y·x′",
    guarantee="separable data: at most (R′/γ′)² mistakes",
    paper="Crammer et al. 2006",
    update=update,
    bound=bound,
    counts="mistakes",
    uses_eta=False,
    batches=False,
)
