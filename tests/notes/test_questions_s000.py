"""The questions of S000 (linear classification with a perceptron); see questions.py."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from questions import EIGHT, FOUR, LINE, bound, dot, longest2, signed, weights

from rosenblatt import Hyperplane, learn


def test_does_a_positive_margin_mean_that_the_example_is_right() -> None:
    """Yes: y·(w·x + b) > 0 says that the score has the sign of the label. And an example that is predicted wrong has a
    margin of at most 0."""
    plane, points = Hyperplane([1, -1], 1), [(a, b) for a in range(-3, 4) for b in range(-3, 4)]
    for y in (1, -1):
        margins = plane.functional_margins(points, [y] * len(points))
        predicted = plane.predict(points)
        assert (predicted[margins > 0] == y).all()
        assert (margins[predicted != y] <= 0).all()


def test_does_it_matter_which_class_a_score_of_zero_gets() -> None:
    """Hardly. S000 gives it to +1, S001 (and we) to −1. Predictions differ on the hyperplane alone, and learning not at
    all: there a margin of 0 is a mistake, whatever the label."""
    plane, points = Hyperplane([1, -1], 1), [(a, b) for a in range(-3, 4) for b in range(-3, 4)]
    other = np.where(plane.scores(points) >= 0, 1, -1)
    differ = plane.predict(points) != other
    assert differ.any()
    assert (differ == (plane.scores(points) == 0)).all()
    for y in (1, -1):
        assert learn([[2.0, 3.0]], [y], start=plane, max_epochs=1).updates == 1


def test_is_the_functional_margin_a_distance() -> None:
    """No: it doubles when (w, b) is doubled, though the hyperplane stays where it is. The geometric margin, the same
    divided by ‖w‖, is a distance, and does not change."""
    X, y = FOUR
    plane, twice = Hyperplane([3, 4], 5), Hyperplane([6, 8], 10)  # of length 5 and 10
    assert twice.functional_margins(X, y).tolist() == (2 * plane.functional_margins(X, y)).tolist()
    assert twice.geometric_margins(X, y).tolist() == plane.geometric_margins(X, y).tolist()
    assert twice.predict(X).tolist() == plane.predict(X).tolist()
    assert plane.margin(X, y) == min(plane.geometric_margins(X, y))


def test_which_hyperplane_has_the_largest_margin() -> None:
    """Of the points 1, 2, 3, 4 with + + − −: the one half-way between the classes, at 2.5. No other threshold reaches
    its margin of ½, and none can: 2 and 3 are 1 apart and lie on different sides."""
    best = {t: max(Hyperplane([side], -side * t).margin(*LINE) for side in (-1, 1)) for t in np.arange(0, 6, 1 / 8)}
    assert max(best.values()) == 0.5
    assert [t for t, margin in best.items() if margin == 0.5] == [2.5]


def test_why_does_the_offset_grow_by_the_squared_radius() -> None:
    """Because b is R times the weight of a coordinate that is R in every row, and that weight grows by y·R. Learning
    through the origin with the column R appended makes the same mistakes, row by row, and ends with the same w and
    b."""
    for X, y in (LINE, FOUR):
        longest = 4.0
        run = learn(X, y, offset="radius", log=True)
        folded = learn(np.column_stack([X, np.full(len(y), longest)]), y, offset=0, log=True)
        assert folded.log.row.tolist() == run.log.row.tolist()
        assert folded.hyperplane.w[:-1].tolist() == run.hyperplane.w.tolist()
        assert folded.hyperplane.w[-1] * longest == run.hyperplane.b


def test_may_all_examples_have_one_label() -> None:
    """No: S000 asks for a non-trivial training set, and needs it. With one label alone a hyperplane far away has any
    margin, so (2R/γ)² falls below the one mistake that a run from zero makes: x = 1 alone, positive, and the hyperplane
    x + 99 = 0, whose γ is 100. The bound in the augmented space, (R′/γ′)², still holds."""
    run = learn([[1.0]], [1], offset="radius")
    assert run.updates == 1
    far = Hyperplane([1], 99)
    assert (2 * 1 / far.margin([[1.0]], [1])) ** 2 < 1
    assert bound([1, 99], signed([[1]], [1], 1)) >= 1


def test_does_every_mistake_gain_gamma_along_the_best_w_alone() -> None:
    """No; S000 says so on the way, and that step is a slip: the offset must come along. On the line 1, 2, 3, 4 the
    first mistake takes w·w_opt to −1, below 0, let alone above γ. With the offset, k mistakes gain at least k·γ."""
    run = learn(*LINE, offset="radius", log=True)
    found, best, gamma = weights(run, 4), [Fraction(-1), Fraction(5, 2) / 4], Fraction(1, 2)
    assert best[0] * found[1][0] == -1  # after one mistake: below 0, let alone above γ
    for k, w in enumerate(found):
        assert dot(best, w) >= k * gamma


def test_is_the_offset_of_a_separator_at_most_the_radius() -> None:
    """Yes if both labels occur: then |b| ≤ (R − γ)·‖w‖, so with ρ = R the longer vector has ‖w′‖² ≤ 2‖w‖². Not if only
    one label does: x + 1000 = 0 has the single point x = 1 on its positive side."""
    rng, both = np.random.default_rng(0), 0
    for _ in range(300):
        X, w, b = rng.integers(-4, 5, size=(4, 2)), rng.integers(-3, 4, size=2), int(rng.integers(-12, 13))
        scores = X @ w + b
        if not scores.all() or not w.any() or len(set(np.sign(scores))) == 1:
            continue
        both += 1
        rows = signed(X, np.ones(4))
        radius2, gamma, length2 = longest2(rows), Fraction(int(abs(scores).min())), Fraction(int(w @ w))
        # |b| + γ ≤ R·‖w‖, squared to be rid of the root.
        assert (abs(b) + gamma) ** 2 <= radius2 * length2
    assert both > 50
    assert Hyperplane([1], 1000).margin([[1.0]], [1]) == 1001


def test_do_the_mistakes_keep_to_the_bound() -> None:
    """Yes, to (2R/γ)², in every order. On the line 1, 2, 3, 4 that allows (2·4/½)² = 256 mistakes; the sharper
    2(R² + (R − γ)²)/γ² allows 226, and none of the 24 orders makes more."""
    for order in permutations(range(4)):
        X, y = LINE[0][list(order)], LINE[1][list(order)]
        run = learn(X, y, offset="radius", log=True)
        law = next(s for s in run.audit(Hyperplane([-1], 2.5)).checks if s.law == "2")
        assert law.bound == pytest.approx(256, rel=1e-12)
        assert run.status.name == "clean"
        assert law.value == run.updates <= 226


def test_how_many_epochs_are_enough() -> None:
    """One more than the bound on updates, since every epoch but the last makes at least one. S000 takes a number as
    given, S001 one that is large enough. It can be needed: one row alone may make one update, makes it, and the second
    epoch is clean."""
    for X, y, offset, u in ((*LINE, 1, [-2, 5]), (*FOUR, None, [1, -5]), (*EIGHT, None, [1, 1])):
        allowed = bound(u, signed(X, y, offset))
        run = learn(X, y, offset=offset or 0, max_epochs=int(allowed) + 1)
        assert run.status.name == "clean"
        assert (run.history.mistakes[:-1] >= 1).all()
        assert run.epochs <= run.updates + 1 <= allowed + 1
    assert bound([1], signed([[1]], [1])) + 1 == 2 == learn([[1.0]], [1], offset=0).epochs
