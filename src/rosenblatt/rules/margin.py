"""The margin perceptron: update until every row is further than β from the hyperplane of w′.

The test m ≤ β·‖w′‖ asks for a geometric margin of β in the augmented space. If β < γ′ the run stops, after
k ≤ 2R′²/(γ′−β)² + 2(R′+β)/(γ′−β) updates from zero (row by row; η only scales w′), and the margin reached exceeds β.
If β ≥ γ′ it never stops: γ′ is not known beforehand, so β is a choice.

The bound follows from two facts about N = ‖w′‖ after k updates: N ≥ w′·u ≥ ηkγ′, and an update raises N² by at most
2ηβN + η²R′². It is derived, and tried on random data; we know of no paper that states it.

For a fixed threshold the rule is in Duda and Hart 1973, section 5.5.
"""

from . import Rule, Setting, Update


def update(beta: float) -> Update:
    """θ = β‖w′‖, τ = η."""
    return Update(beta=beta)


def bound(s: Setting) -> float | None:
    """On the number of row updates, from zero, row by row."""
    if s.batch_size != 1 or s.start_norm or s.beta >= s.margin:
        return None
    room = s.margin - s.beta
    return 2 * (s.radius / room) ** 2 + 2 * (s.radius + s.beta) / room


def reached(s: Setting) -> float:
    """What the rule asks of every row."""
    return s.beta


RULE = Rule(
    name="margin",
    formula="if m ≤ β·‖w′‖: w′ += η·y·x′",
    guarantee="if β < γ′: at most 2R′²/(γ′−β)² + 2(R′+β)/(γ′−β) updates, then every margin exceeds β",
    paper="after Duda and Hart 1973",
    update=update,
    bound=bound,
    reached=reached,
)
