"""Target minus output: w += η·(t − o)·x with o = sign(s), as textbooks on neurons write it.

When the output is wrong t − o = 2t, so this is the perceptron with 2η. At s = 0 the output counts as wrong (o = −t):
with sign(0) = 0 it would be another rule.

A textbook form of Rosenblatt 1958; the guarantee is the perceptron's.
"""

from dataclasses import replace

from . import Rule, Setting, Update, perceptron


def update() -> Update:
    """θ = 0, τ = 2η."""
    return Update(e=2.0)


def bound(s: Setting) -> float:
    """On the number of row updates."""
    return perceptron.bound(replace(s, eta=2 * s.eta))


RULE = Rule(
    name="target-output",
    formula="w′ += η·(t − o)·x′, o = sign(s)",
    guarantee="the perceptron with 2η: separable data, at most (R′/γ′)² updates",
    paper="Rosenblatt 1958",
    update=update,
    bound=bound,
)
