"""The delta rule (LMS, Adaline): a step down the squared error Σ(y − s)², on every row.

y − s = y·(1 − m), so τ = η·(1 − m), of either sign. It fits the labels as numbers; it need not separate data that can
be separated (x = −1, −1, 0, 3 with y = −, −, +, + ends with x = 0 on the wrong side), and it diverges for
η ≥ 2/R′² row by row, or 2/λmax of Σx′x′ᵀ in batches.

Widrow and Hoff 1960, IRE WESCON Convention Record 4.
"""

import math

from . import Rule, Setting, Update


def update() -> Update:
    """θ = ∞: every row; τ = η(1 − m)."""
    return Update(theta0=math.inf, g=-1.0)


def bound(s: Setting) -> None:
    """None is known: the rule does not count mistakes."""
    return None


RULE = Rule(
    name="delta",
    formula="always: w′ += η·(1 − m)·y·x′",
    guarantee="none on mistakes; converges in mean to least squares for small η, diverges for η ≥ 2/R′²",
    paper="Widrow and Hoff 1960",
    update=update,
    bound=bound,
    direct=False,
    loss="squared",
    diverges=True,
)
