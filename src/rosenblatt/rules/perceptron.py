"""The perceptron: add a misclassified row to the weights.

On separable data from a start w′₀, in any order, k row updates obey k ≤ B·(R′/γ′)² + 2‖w′₀‖/(ηγ′) for batches of B
rows: each adds at least ηγ′ to w′·u for the separator u, while a batch adds at most B·Σ‖ηx′‖² to ‖w′‖². From zero and
row by row that is Novikoff's (R′/γ′)².

Rosenblatt 1958, Psychological Review 65; Novikoff 1962, Symposium on the Mathematical Theory of Automata 12.
"""

from . import Rule, Setting, Update


def update() -> Update:
    """θ = 0, τ = η."""
    return Update()


def bound(s: Setting) -> float:
    """On the number of row updates."""
    return s.batch_size * (s.radius / s.margin) ** 2 + 2 * s.start_norm / (s.eta * s.margin)


RULE = Rule(
    name="perceptron",
    formula="if m ≤ 0: w′ += η·y·x′",
    guarantee="separable data: at most (R′/γ′)² updates, in any order",
    paper="Rosenblatt 1958; Novikoff 1962",
    update=update,
    bound=bound,
)
