"""The delta rule (LMS, Adaline): a step down the squared error Σ(y − s)², on every row.

y − s = y·(1 − m), so τ = η·(1 − m), of either sign. It fits the labels as numbers; it need not separate data that can
be separated (x = −1, −1, 0, 3 with y = −, −, +, + ends with x = 0 on the wrong side).

A step multiplies its own row's error 1 − m by 1 − η‖x′‖²: for η < 2/‖x′‖² the error shrinks, beyond it overshoots.
So row by row η < 2/R′² is safe, and with a larger η the weights may diverge, but need not: the rows 1 (+) and −2 (−)
through the origin stay bounded with η = 1, too. Of all rows in one batch, they diverge for η > 2/λmax of Σx′x′ᵀ.

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
    guarantee="none on mistakes; near least squares for small η; row by row η < 2/R′² is safe, a larger η may diverge",
    paper="Widrow and Hoff 1960",
    update=update,
    bound=bound,
    direct=False,
    loss="squared",
    diverges=True,
)
