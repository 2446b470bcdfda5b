"""The fixed-margin perceptron: update while the functional margin is at most β.

From zero and row by row, k ≤ (R′² + 2β/η)/γ′² on separable data, and the margin reached is at least βγ′/(ηR′² + 2β):
the larger β, the closer to half of the best.

Krauth and Mézard 1987, Journal of Physics A 20 (whose minover picks the worst row; any row will do for the bound).
"""

from . import Rule, Setting, Update


def update(beta: float = 1.0) -> Update:
    """θ = β, τ = η."""
    return Update(theta0=beta)


def bound(s: Setting) -> float | None:
    """On the number of row updates, from zero, row by row."""
    if s.batch_size != 1 or s.start_norm:
        return None
    return (s.radius**2 + 2 * s.beta / s.eta) / s.margin**2


def reached(s: Setting) -> float | None:
    """ηkγ′ ≤ w′·u and ‖w′‖² ≤ k(η²R′² + 2ηβ) bound ‖w′‖ from above once every m exceeds β."""
    if s.batch_size != 1 or s.start_norm:
        return None
    return s.beta * s.margin / (s.eta * s.radius**2 + 2 * s.beta)


RULE = Rule(
    name="fixed-margin",
    formula="if m ≤ β: w′ += η·y·x′",
    guarantee="separable data: at most (R′² + 2β/η)/γ′² updates; margin reached ≥ βγ′/(ηR′² + 2β)",
    paper="Krauth and Mézard 1987",
    update=update,
    bound=bound,
    reached=reached,
)
