"""The questions of S003 (C. V. Jawahar, *Linear Perceptrons*, 11.62 to 11.70); see questions.py."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, isqrt, sqrt

import numpy as np
import pytest
from questions import (
    EIGHT,
    FOUR,
    LINE,
    XOR,
    Vector,
    bound,
    conflicts,
    criterion,
    data,
    dependency,
    dot,
    exact,
    final,
    gradient,
    least,
    longest2,
    right,
    separable,
    separable_labelings,
    signed,
    weights,
)

from rosenblatt import Hyperplane, learn, network
from rosenblatt.runs import visits


def test_must_the_loss_be_halved_to_count_one_for_a_mistake() -> None:
    """Yes: 1 − y·o is 2 where o = −y. And a score of 0 must count as a wrong output: with sign(0) = 0 it would cost
    half a mistake."""
    run, rows = learn(*LINE, log=True), signed(*LINE, 1)
    for change, w in enumerate(weights(run, 1)):
        losses = [1 - (1 if dot(w, z) > 0 else -1) for z in rows]
        assert Fraction(sum(losses), 4) / 2 == Fraction(run.trajectory().losses(change).error_rate)
    halves = [1 - 0 for _ in rows]  # at the start every score is 0
    assert Fraction(sum(halves), 4) / 2 == Fraction(1, 2)
    assert run.trajectory().losses(0).error_rate == 1


def test_what_makes_the_error_rate_not_differentiable() -> None:
    """It is a step function of w. Wherever it has a gradient, that is 0 and points nowhere; and where a row lies on the
    hyperplane it jumps by 1/n, however small the change of w."""
    X, y = LINE
    rows = signed(X, y, 1)

    def error_rate(w: Vector) -> Fraction:
        return Fraction(sum(dot(w, z) <= 0 for z in rows), 4)

    for w in (exact([-3, 7]), exact([2, -1]), exact([-1, 1.5])):
        assert all(dot(w, z) for z in rows)
        assert gradient(error_rate, w) == [0, 0]
    for k in (1, 10, 40):
        below, above = (Hyperplane([-1], 2 + h) for h in (-(2.0**-k), 2.0**-k))
        assert (below.functional_margins(X, y) <= 0).mean() - (above.functional_margins(X, y) <= 0).mean() == 1 / 4


PLANE_POINTS = [(a, b) for a in range(3) for b in range(3)]


def in_general_position(points: Sequence[Sequence[int]]) -> bool:
    """No three in a line."""
    return all(dependency([(*x, 1) for x in three]) is None for three in combinations(points, 3))


def test_can_every_labelled_set_of_two_three_or_four_points_in_the_plane_be_separated() -> None:
    """Two (different) points always; three and four not: + − + in a line, and the diagonals of a square."""
    for points in combinations(PLANE_POINTS, 2):
        for y in product((1, -1), repeat=2):
            assert right(learn(points, y), points, y)
    for points, y in (([(0, 0), (1, 1), (2, 2)], [1, -1, 1]), (XOR[0].tolist(), XOR[1].tolist())):
        assert not separable(conflicts(points), y)
        assert learn(points, y).status.name == "loop"


def test_is_there_a_set_of_two_three_or_four_points_with_all_its_labelings_separable() -> None:
    """Of two, and of three (a triangle), yes; of four, none. Of four points with no three in a line exactly 14
    labelings of 16 are separable, of others fewer."""
    assert separable_labelings([(0, 0), (1, 0)]) == 4
    assert separable_labelings([(0, 0), (1, 0), (0, 1)]) == 8
    for number, points in enumerate(combinations(PLANE_POINTS, 4)):
        known = conflicts(points)
        labelings = [y for y in product((1, -1), repeat=4) if separable(known, y)]
        assert (len(labelings) == 14) == in_general_position(points)
        assert len(labelings) <= 14
        if number % 9 == 0:
            clean = [y for y in product((1, -1), repeat=4) if learn(points, y).status.name == "clean"]
            assert clean == labelings


def test_are_all_labelings_of_every_set_of_two_three_or_four_points_separable() -> None:
    """Of two, yes; of three, exactly if they are not in a line; of four, never."""
    for size in (2, 3, 4):
        for points in combinations(PLANE_POINTS, size):
            everything = separable_labelings(points) == 2**size
            assert everything == (size < 4 and in_general_position(points))
            if size < 4:
                ends = {learn(points, (1, *y)).status.name for y in product((1, -1), repeat=size - 1)}
                assert ends == ({"clean"} if everything else {"clean", "loop"})


def test_why_are_these_counts_important() -> None:
    """They lead to the VC dimension: the size of the largest set with all 2ⁿ labelings separable, d + 1 for hyperplanes
    in d dimensions. It measures how much a classifier can fit, and so how many examples it takes to trust one. Of n
    points in general position 2·Σ C(n−1, i), i ≤ d, labelings are separable (Cover)."""
    for d in (1, 2, 3):
        for n in range(1, 7):
            points = [[(t - 2) ** power for power in range(1, d + 1)] for t in range(n)]  # on the moment curve
            found = separable_labelings(points)
            assert found == 2 * sum(comb(n - 1, i) for i in range(d + 1))
            assert (found == 2**n) == (n <= d + 1)
            if n <= 4:
                labelings = product((1, -1), repeat=n)
                assert found == sum(learn(points, y, max_epochs=10_000).status.name == "clean" for y in labelings)


def test_is_the_criterion_never_negative() -> None:
    """So it is, summed over the rows with y·w·x ≤ 0. Summed over those with w·x < 0, as S003 writes and so leaves out
    the label, it is not: negative rows that are right would count against, and at (1, 1) the eight points give −13."""
    rows = signed(*EIGHT)
    for w in product(range(-3, 4), repeat=2):
        assert criterion(w, rows) >= 0
    run = learn(*EIGHT, offset=0, log=True)
    assert run.trajectory().losses(run.trajectory().n_changes).perceptron_loss == criterion([1, 1], rows) == 0
    without_label = [z for x, z in zip(EIGHT[0], rows, strict=True) if dot([1, 1], exact(x)) < 0]
    assert sum(-dot([1, 1], z) for z in without_label) == -13


def test_does_a_criterion_of_zero_mean_that_all_rows_are_right() -> None:
    """No. It is zero when they are; but it is zero at w = 0, too, where every row is a mistake."""
    losses = learn(*EIGHT, offset=0, log=True).trajectory().losses(0)
    assert (losses.perceptron_loss, losses.mistakes) == (0, 8)


def test_would_a_strict_inequality_ever_leave_zero() -> None:
    """No. S003 writes w·x < 0; at w = 0 no score is below 0, so nothing would be wrong and nothing learnt. With ≤ it
    starts."""
    for X, y in (LINE, FOUR, EIGHT, XOR):
        start = Hyperplane(np.zeros(X.shape[1]))
        assert not (start.functional_margins(X, y) < 0).any()
        assert learn(X, y, start=start, log=True).log.visit[0] == 1


def test_how_is_the_criterion_different_from_the_error_rate() -> None:
    """A mistake costs as much as it is far from the hyperplane, not one. Twice as far is twice the cost and the same
    error rate; so is a w twice as long."""
    w = [-3, 2]
    for x in ([1, 1], [2, 2], [7, 7]):
        rows, twice = signed([x], [1]), signed([[2 * v for v in x]], [1])
        assert criterion(w, twice) == 2 * criterion(w, rows) == criterion([2 * v for v in w], rows) > 0
    one, other = (learn([x], [1], offset=0, start=(w, 0), log=True, max_epochs=1) for x in ([1, 1], [2, 2]))
    assert other.trajectory().losses(0).perceptron_loss == 2 * one.trajectory().losses(0).perceptron_loss == 2
    assert other.trajectory().losses(0).error_rate == one.trajectory().losses(0).error_rate == 1


def test_why_not_the_criterion_over_all_rows() -> None:
    """It is linear in w, so it has no minimum, only a direction Σ y·x to run off in. And that direction may be wrong:
    with (10, 1) and (−1, 1), both positive, it is (9, 2), which leaves (−1, 1) wrong for ever, though (0, 1) separates,
    and the perceptron finds a separator."""
    rows = signed([(10, 1), (-1, 1)], [1, 1])

    def over_all(w: Sequence[int]) -> Fraction:
        return sum((-dot(w, z) for z in rows), Fraction(0)) / 2

    for c in (1, 10, 1000):
        assert over_all([0, c]) == c * over_all([0, 1]) < 0
    down = [-g for g in gradient(over_all, exact([0, 0]))]
    assert [2 * g for g in down] == [9, 2]
    for steps in (1, 10, 1000):
        w = [steps * g for g in down]
        assert dot(w, rows[1]) < 0
    assert over_all([9, 2]) < over_all([0, 9])  # of shorter separators, too, it thinks less
    run = learn([(10, 1), (-1, 1)], [1, 1], offset=0)
    assert right(run, [(10, 1), (-1, 1)], [1, 1])


def test_is_it_bad_that_a_far_mistake_costs_more() -> None:
    """For inseparable rows, yes: one far outlier outweighs three near mistakes (1, 1, 1 positive and 10 negative: w =
    −1 costs 3, w = 1 costs 10). Summed over mistakes alone it does no other harm: a far row that is right has no say,
    whereas least squares gives it more the farther it is."""
    outlier = signed([[1], [1], [1], [10]], [1, 1, 1, -1])
    assert criterion([1], outlier) == 10 > criterion([-1], outlier) == 3
    X, y = EIGHT
    far = X.copy()
    far[[3, 7]] *= 1000
    assert final(learn(far, y, offset=0)) == final(learn(X, y, offset=0))
    plan = {"rule": "delta", "eta": 0.05, "batch_size": "all", "max_epochs": 2000}
    near, farther = ([[-1], [-1], [0], [last]] for last in (1, 3))
    assert learn(near, [-1, -1, 1, 1], **plan).predict(near).tolist() == [-1, -1, 1, 1]
    assert learn(farther, [-1, -1, 1, 1], **plan).predict(farther).tolist() == [-1, -1, -1, 1]


def test_is_the_criterion_differentiable() -> None:
    """Almost everywhere. Where a row lies on the hyperplane it has a kink: the slopes on both sides differ. It is
    convex, and −Σ y·x over the rows with m ≤ 0 is a subgradient there: all that a descent step needs."""
    rows = signed(*EIGHT)
    w = exact([1, -1])
    assert dot(w, rows[0]) == 0
    h = [Fraction(1, 1000), Fraction(1, 1000)]
    forth = criterion([a + b for a, b in zip(w, h, strict=True)], rows) - criterion(w, rows)
    back = criterion(w, rows) - criterion([a - b for a, b in zip(w, h, strict=True)], rows)
    assert back < forth
    slope = [-sum(column) for column in zip(*(z for z in rows if dot(w, z) <= 0), strict=True)]
    for other in product(range(-3, 4), repeat=2):
        step = [a - b for a, b in zip(other, w, strict=True)]
        assert criterion(other, rows) >= criterion(w, rows) + dot(slope, step)
    run = learn(*EIGHT, offset=0, batch_size="all", start=([1, -1], 0), max_epochs=1)
    assert exact(run.hyperplane.w) == [a - b for a, b in zip(w, slope, strict=True)]


def test_do_far_rows_make_it_converge_faster() -> None:
    """Sometimes. A far row that is wrong does turn w faster: from −10, the row 10 takes 2 updates where the row 1 takes
    11. But a turn that was too much must be taken back, and the bound grows with R²: (N, 0) and (−1, 1), both positive,
    take about N/2 updates, 4 for N = 4 and 202 for N = 400."""
    slow, fast = (learn([[x, 0]], [1], offset=0, start=([-10, 0], 0)).updates for x in (1, 10))
    assert (slow, fast) == (11, 2)
    near, far = (learn([[N, 0], [-1, 1]], [1, 1], offset=0).updates for N in (4, 400))
    assert (near, far) == (4, 202)


def test_is_the_batch_step_minus_eta_times_the_gradient() -> None:
    """Exactly, wherever there is a gradient: that of J is −Σ y·x over the mistakes."""
    rows = signed(*EIGHT, 1)
    for w0, b0, eta in (([-1, 0.5], 0.25, 1), ([-3, 1], 0.5, 0.5), ([2, -3], -0.25, 2)):
        start = [*exact(w0), Fraction(b0)]
        assert all(dot(start, z) for z in rows)
        slope = gradient(lambda w: criterion(w, rows), start)
        run = learn(*EIGHT, batch_size="all", eta=eta, start=(w0, b0), max_epochs=1)
        assert [*exact(run.hyperplane.w), Fraction(run.hyperplane.b)] == [
            v - Fraction(eta) * g for v, g in zip(start, slope, strict=True)
        ]
        assert any(slope)


def test_does_it_matter_which_mistake_is_picked() -> None:
    """Not for the theorem: any choice ends within the bound, be it the worst mistake, the slightest, the first, or one
    at random. The number of updates and the answer do depend on it."""
    choices: list[Callable[[np.ndarray, np.random.Generator], int]] = [
        lambda m, _: int(m.argmin()),
        lambda m, _: int(np.where(m <= 0, m, -np.inf).argmax()),
        lambda m, _: int(np.flatnonzero(m <= 0)[0]),
        lambda m, rng: int(rng.choice(np.flatnonzero(m <= 0))),
    ]
    for X, y, offset, u in ((*LINE, 1, [-2, 5]), (*FOUR, None, [1, -5])):
        allowed, ends = bound(u, signed(X, y, offset)), set()
        for choose in choices:
            plane, k, rng = Hyperplane(np.zeros(X.shape[1])), 0, np.random.default_rng(0)
            while (margins := plane.functional_margins(X, y)).min() <= 0:
                row = [choose(margins, rng)]
                assert margins[row] <= 0
                plane = learn(X[row], y[row], offset=offset or 0, start=plane, max_epochs=1).hyperplane
                k += 1
                assert k <= allowed
            ends.add((k, *plane.w, plane.b))
        assert len(ends) > 1


def test_are_target_minus_output_and_the_perceptron_one_rule() -> None:
    """Yes, with 2η for η, since t − o is 0 for a row that is right and 2y for one that is wrong."""
    for X, y in (LINE, FOUR, EIGHT, XOR):
        for batch in (1, "all"):
            plan = {"batch_size": batch, "log": True, "max_epochs": 50, "start": ([1] * X.shape[1], -1)}
            one, other = learn(X, y, rule="target-output", eta=0.5, **plan), learn(X, y, **plan)
            assert weights(one, 1) == weights(other, 1)
            assert one.log.row.tolist() == other.log.row.tolist()


def test_is_a_small_step_a_sign_that_it_is_done() -> None:
    """Not by itself: steps of 1/k get small while rows stay inseparable (XOR), and η may be small itself. A run that
    stops there says so, and how many mistakes are left."""
    for X, y, plan in ((*XOR, {"schedule": "1/k", "step_tol": 0.05}), (*LINE, {"eta": 2.0**-10, "step_tol": 0.01})):
        run = learn(X, y, **plan)
        assert run.status.name == "step"
        assert run.history.mistakes[-1] > 0
        assert not right(run, X, y)


def test_is_the_delta_rule_the_perceptron() -> None:
    """No; it only looks the same. It steps on rows that are right, too, and goes to the least squares. Of −1, −1, 0, 3
    with − − + + these are 20x/43 − 5/43, which are wrong at x = 0 though the rows are separable."""
    X, y = data([[-1], [-1], [0], [3]], [-1, -1, 1, 1])
    perceptron = learn(X, y, log=True)
    assert right(perceptron, X, y)
    delta = learn(X, y, rule="delta", eta=0.05, batch_size="all", max_epochs=2000, log=True)
    assert delta.predict(X).tolist() == [-1, -1, -1, 1]
    w, b = Fraction(20, 43), Fraction(-5, 43)
    residuals = [int(s) - (w * x + b) for x, s in zip(exact(X[:, 0]), y, strict=True)]
    assert sum(residuals) == dot(residuals, exact(X[:, 0])) == 0  # the normal equations
    assert delta.hyperplane.w[0] == pytest.approx(float(w), rel=1e-12)
    assert delta.hyperplane.b == pytest.approx(float(b), rel=1e-12)
    assert (perceptron.trajectory().replay.margin <= 0).all()
    assert (delta.trajectory().replay.margin > 0).any()


def test_can_the_rule_come_from_the_squared_error_of_the_outputs() -> None:
    """Not from Σ(t − o)², which does not change with w; nor from Σ(t − o)²·(−w·x), as S003 mends it: that pushes
    negative rows the wrong way, and on the eight points all pushes cancel. With −t·w·x it is four times the criterion,
    and it can."""
    X, y = EIGHT
    points, start = [exact(x) for x in X], exact([-1, 0.5])

    def errors(w: Vector) -> list[Fraction]:
        return [Fraction(int(t) - (1 if dot(w, x) > 0 else -1)) for x, t in zip(points, y, strict=True)]

    def squared(w: Vector) -> Fraction:
        return sum((e * e for e in errors(w)), Fraction(0))

    def unlabelled(w: Vector) -> Fraction:
        return sum((e * e * -dot(w, x) for e, x in zip(errors(w), points, strict=True)), Fraction(0))

    def labelled(w: Vector) -> Fraction:
        return sum((e * e * -dot(w, z) for e, z in zip(errors(w), signed(X, y), strict=True)), Fraction(0))

    assert squared(start) > 0
    assert gradient(squared, start) == [0, 0]
    assert gradient(unlabelled, start) == [0, 0]
    assert labelled(start) == 4 * criterion(start, signed(X, y))
    slope = gradient(labelled, start)
    assert slope == [-2 * dot(errors(start), column) for column in zip(*points, strict=True)] != [0, 0]
    run = learn(X, y, rule="target-output", offset=0, batch_size="all", start=([-1, 0.5], 0), max_epochs=1)
    assert exact(run.hyperplane.w) == [v - g / 2 for v, g in zip(start, slope, strict=True)]


def test_does_a_single_number_move_the_right_way_in_all_cases() -> None:
    """Always. Of one sample x with target t and output o: if o = t nothing moves; else w·x moves by 2x² towards t,
    whatever the signs of x and t."""
    cases = set()
    for x, t, w in product((3, -3), (1, -1), (2, -2)):
        o = 1 if w * x > 0 else -1
        run = learn([[x]], [t], rule="target-output", offset=0, start=([w], 0), max_epochs=1)
        moved = run.hyperplane.w[0] - w
        assert moved == (t - o) * x
        assert t * moved * x == (0 if o == t else 2 * x * x)
        cases.add((x > 0, t, o))
    assert len(cases) == 8


def test_are_the_eight_points_separable() -> None:
    """Yes, by (1, 1) through the origin; from zero the first row alone finds it."""
    rows = signed(*EIGHT)
    assert least([1, 1], rows) == 2
    run = learn(*EIGHT, offset=0)
    assert (final(run), run.updates) == (([1, 1], 0), 1)


def test_does_it_converge_from_random_starts_for_different_eta() -> None:
    """From every one, within (R/γ)² + 2‖w₀‖/(ηγ) updates. (A random start is drawn until it makes a mistake, as
    S003 asks.)"""
    for seed, eta in product(range(12), (0.1, 0.5, 1, 3)):
        run = learn(*EIGHT, offset=0, start="random", seed=seed, eta=eta, log=True)
        assert run.status.name == "clean"
        assert right(run, *EIGHT)
        law = run.audit(Hyperplane([1, 1])).checks[0]
        assert law.law == "4"
        assert 0 < law.value == run.updates <= law.bound


def test_why_are_the_final_answers_different() -> None:
    """Each is w₀ + η·(a sum of mistaken rows), and which rows are mistaken depends on w₀/η, and on that alone. From
    zero η merely scales the answer; a start and an η twice as long give an answer twice as long."""
    runs = {eta: learn(*EIGHT, offset=0, eta=eta, start=([-1, 0], 0), log=True) for eta in (0.25, 0.5, 1.0)}
    assert [run.hyperplane.w.tolist() for run in runs.values()] == [[0, 1.25], [0.5, 1], [0, 1]]
    for eta, run in runs.items():
        times = np.bincount(run.log.row, minlength=8)
        total = [dot(times.tolist(), column) for column in zip(*signed(*EIGHT), strict=True)]
        assert exact(run.hyperplane.w) == [a + Fraction(eta) * b for a, b in zip((-1, 0), total, strict=True)]
        twice = learn(*EIGHT, offset=0, eta=2 * eta, start=([-2, 0], 0))
        assert twice.hyperplane.w.tolist() == (2 * run.hyperplane.w).tolist()
        from_zero = learn(*EIGHT, offset=0, eta=eta)
        assert from_zero.hyperplane.w.tolist() == [eta, eta]


def test_which_of_the_answers_is_the_best() -> None:
    """By the margin, (1, 1). None can do better than its √2: (1, 1) and (−1, −1) are 2√2 apart and have different
    labels. The others found are worse, if not by much."""
    rows = signed(*EIGHT)

    def margin2(w: Vector) -> Fraction:
        return least(w, rows) ** 2 / dot(w, w)

    starts = [(None, 1.0), (([-1, 0], 0), 1.0), (([-1, 0], 0), 0.5), (([1, -3], 0), 1.0), (([3, -1], 0), 0.25)]
    answers = [exact(learn(*EIGHT, offset=0, start=start, eta=eta).hyperplane.w) for start, eta in starts]
    assert all(least(w, rows) > 0 for w in answers)
    assert answers[:3] == [[1, 1], [0, 1], [Fraction(1, 2), 1]]
    assert [margin2(w) for w in answers[:3]] == [2, 1, Fraction(9, 5)]
    assert max(map(margin2, answers)) == 2
    for u in product(range(-5, 6), repeat=2):
        if any(u):
            assert min(dot(u, rows[0]), dot(u, rows[4])) ** 2 <= 2 * dot(u, u) or least(u, rows) <= 0


def test_do_the_weights_repeat_on_inseparable_data() -> None:
    """On rational rows yes, as w stays bounded and moves on a grid. In a fixed order the run then loops for ever; in a
    random order the weights come back as well, but nothing repeats for ever."""
    for X, y, offset in ((*XOR, 0), (*XOR, 1), (*LINE, 0), (*data([[1], [1.5]], [1, -1]), 0)):
        assert learn(X, y, offset=offset).status.name == "loop"
        run = learn(X, y, offset=offset, order="shuffled", max_epochs=100, log=True)
        met = weights(run, offset or None)
        assert run.status.name == "budget"
        assert len({tuple(w) for w in met}) < len(met) / 3


def test_do_the_weights_repeat_for_irrational_data() -> None:
    """No. On 1 (positive) and √2 (negative), through the origin, w is i − j·√2 after i and j updates, and no two of
    these are equal; all the same w stays within ±√2."""

    def sign(i: int, j: int) -> int:
        """Of i − j·√2, for i, j ≥ 0."""
        return (i * i > 2 * j * j) - (i * i < 2 * j * j)

    i, j, rows, epochs = 0, 0, [], 1000
    for _ in range(epochs):
        if sign(i, j) <= 0:
            i += 1
            rows.append(0)
        if sign(i, j) >= 0:
            j += 1
            rows.append(1)
        assert sign(i, j + 1) <= 0 <= sign(i, j - 1)  # −√2 ≤ w ≤ √2
    # Equal weights at two moments would be i = j·√2 for the updates in between.
    assert all(isqrt(2 * between**2) ** 2 != 2 * between**2 for between in range(1, j + 1))
    run = learn([[1], [sqrt(2)]], [1, -1], offset=0, max_epochs=epochs, log=True)
    assert run.status.name == "budget"
    assert run.log.row.tolist() == rows


def test_can_two_levels_of_perceptrons_compute_every_boolean_function() -> None:
    """Yes: all 4 + 16 + 256 functions of one to three inputs are built and tried. One perceptron alone computes 4, 14
    and 104 of them."""
    for n, alone in ((1, 4), (2, 14), (3, 104)):
        corners = list(product((0, 1), repeat=n))
        known = conflicts(corners)
        count = 0
        for table in product((0, 1), repeat=2**n):
            assert network.from_truth_table(table).predict(corners).tolist() == list(table)
            y = [2 * v - 1 for v in table]
            count += separable(known, y)
            if n == 2:
                assert separable(known, y) == (learn(corners, y).status.name == "clean")
        assert count == alone


def test_must_the_rows_be_bounded() -> None:
    """Of finitely many rows it is no assumption at all. Without end it is needed: rows (1, v) have a margin of 1 to (1,
    0), and a growing v can make every single one a mistake. With |v| ≤ 3 ten are the most."""
    w, rows = (1, 1), [(1, 1)]
    while len(rows) < 300:
        k, s = w
        v = k // abs(s) + 1  # so that k − |s|·v < 0
        v += v == abs(s)  # and the second weight does not vanish
        rows.append((1, -v if s > 0 else v))
        w = (k + 1, s + rows[-1][1])
    run = learn(rows, np.ones(300), offset=0, max_epochs=1)
    assert run.updates == 300 <= longest2(signed(rows, np.ones(300)))
    assert Hyperplane([1, 0]).margin(rows, np.ones(300)) == 1
    values = np.random.default_rng(0).integers(-3, 4, size=3000)
    run = learn(np.column_stack([np.ones(3000), values]), np.ones(3000), offset=0)
    assert run.status.name == "clean"
    assert run.updates <= 10


def test_is_the_bound_strict() -> None:
    """With a γ below every margin, as S003 has it, yes: k < R²/γ². With γ the margin itself, as in the other notes, no:
    one row makes one mistake, and R²/γ² is 1."""
    run = learn([[1.0, 0.0]], [1], offset=0)
    rows = signed([[1, 0]], [1])
    assert run.updates == 1 == bound([1, 0], rows)
    for below in (Fraction(1, 2), Fraction(99, 100)):
        assert run.updates < longest2(rows) / below**2


def test_what_does_a_start_other_than_zero_cost() -> None:
    """At most 2‖w₀‖/(ηγ) updates more. S003 starts at random and proves its bound from zero: from −10 the row 1 takes
    11 updates, where R²/γ² is 1 and 1 + 20 are allowed."""
    run = learn([[1.0]], [1], offset=0, start=([-10], 0), log=True)
    assert run.updates == 11 > bound([1], signed([[1]], [1]))
    law = run.audit(Hyperplane([1])).checks[0]
    assert (law.law, law.value, law.bound) == ("4", 11, pytest.approx(21))


def test_what_do_the_variations_of_descent_compute() -> None:
    """One and the same step, at different times. Online, mini-batch and batch differ in how many rows are met before
    the weights change; stochastic is the order in which the rows come. One loop in exact fractions is all four, and
    agrees with the runs."""

    def descend(rows: list[Vector], orders: list[list[int]], batch: int) -> Vector:
        w = [Fraction(0)] * len(rows[0])
        for order in orders:
            for first in range(0, len(order), batch):
                wrong = [rows[i] for i in order[first : first + batch] if dot(w, rows[i]) <= 0]
                w = [sum(column) for column in zip(w, *wrong, strict=True)]
        return w

    X, y = np.vstack([LINE[0], 3 - LINE[0], 2 * LINE[0]]), np.concatenate([LINE[1], -LINE[1], LINE[1]])
    rows = signed(X, y, 1)
    for order, batch in product(("cyclic", "shuffled"), (1, 5, 12)):
        orders = [visits.row_order(order, 7, epoch, 12).tolist() for epoch in (1, 2, 3)]
        run = learn(X, y, order=order, batch_size="all" if batch == 12 else batch, seed=7, max_epochs=3)
        assert run.epochs == 3
        assert [*exact(run.hyperplane.w), Fraction(run.hyperplane.b)] == descend(rows, orders, batch)
