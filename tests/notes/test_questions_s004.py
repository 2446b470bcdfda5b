"""The questions of S004 (the convergence theorem and the geometric margin); see questions.py."""

from fractions import Fraction
from itertools import pairwise, permutations, product
from math import sqrt

import numpy as np
import pytest
from questions import FOUR, LINE, XOR, bound, data, dot, exact, final, least, longest2, right, signed, weights

from rosenblatt import Hyperplane, Run, datasets, learn


def test_do_new_rows_need_a_pass_over_the_old_ones() -> None:
    """To go on learning, no: going on with the new rows alone is the very run over all of them. To be right on the old
    ones they may: what is learnt from a new row can undo them, as 3 and 4 do on the line 1, 2, 3, 4."""
    old, new = [0, 1], [2, 3]
    for X, y in (LINE, FOUR, XOR):
        whole = learn(X, y, max_epochs=1)
        first = learn(X[old], y[old], max_epochs=1)
        assert final(learn(X[new], y[new], start=first.hyperplane, max_epochs=1)) == final(whole)
    X, y = LINE
    clean = learn(X[old], y[old])
    later = learn(X[new], y[new], start=clean.hyperplane)
    assert right(clean, X[old], y[old])
    assert right(later, X[new], y[new])
    assert not right(later, X[old], y[old])


def test_does_the_answer_depend_on_the_order_of_the_rows() -> None:
    """Yes, and so does the number of updates; that every order ends within the bound does not. The 24 orders of S002's
    first example give four lines, with 3 to 6 updates where 26 are allowed."""
    X, y = FOUR
    runs = [learn(X[list(order)], y[list(order)], offset=0) for order in permutations(range(4))]
    assert {tuple(run.hyperplane.w) for run in runs} == {(1, -3), (1, -4), (2, -3), (2, -6), (3, -5)}
    assert {run.updates for run in runs} == {3, 4, 5, 6}
    for run in runs:
        assert run.status.name == "clean"
        assert right(run, X, y)
        assert run.updates <= bound([1, -5], signed(X, y)) == 26


def test_is_the_line_found_a_good_one() -> None:
    """Any line that separates, good or bad. Of the orders of S002's first example none finds the best, (1, −5) with γ²
    = 8/13; the worst has an eighth of that."""
    X, y = FOUR
    rows = signed(X, y)
    orders = permutations(range(4))
    found = {tuple(learn(X[list(order)], y[list(order)], offset=0).hyperplane.w) for order in orders}
    margins2 = sorted(least(exact(w), rows) ** 2 / dot(w, w) for w in found)
    best = least([1, -5], rows) ** 2 / dot([1, -5], [1, -5])
    assert best == Fraction(8, 13)
    assert margins2[0] == best / 8
    assert margins2[-1] == Fraction(9, 17) < best


def test_does_the_theorem_hold_for_endless_data() -> None:
    """Yes, if sup ‖x‖ is finite and the margins stay away from 0: however long the stream, it makes no more mistakes
    than the bound. If they come arbitrarily near to 0 it does not: every row of such a stream can be a mistake, as when
    each is at right angles to the weights it meets."""
    rng, plane, mistakes = np.random.default_rng(4), Hyperplane([0, 0]), 0
    u, allowed = np.array([2, 1]), 72 * 5 / 3**2  # R² = 72, and |u·x| ≥ 3
    for _ in range(40):
        X = rng.integers(-6, 7, size=(500, 2))
        X = X[abs(X @ u) >= 3]
        run = learn(X, np.sign(X @ u), offset=0, start=plane, max_epochs=1)
        plane, mistakes = run.hyperplane, mistakes + run.updates
    assert 1 < mistakes <= allowed
    # Each row at right angles to the weights it meets, no longer than 1, on the side of (1, 0).
    w = [Fraction(3, 4), Fraction(1, 2)]
    rows = [w]
    while len(rows) < 25:
        row = [abs(w[1]), -w[0] if w[1] > 0 else w[0]]
        while dot(row, row) > 1:
            row = [v / 2 for v in row]
        rows.append(row)
        w = [a + b for a, b in zip(w, row, strict=True)]
    X = np.array([[float(v) for v in row] for row in rows])
    assert [exact(x) for x in X] == rows  # float64 holds them all
    run = learn(X, np.ones(len(rows)), offset=0, max_epochs=1)
    assert exact(run.hyperplane.w) == w
    assert run.updates == len(rows)
    assert longest2(rows) <= 1
    assert 0 < least([1, 0], rows) < Fraction(1, 50)


def test_which_separator_gives_the_best_bound() -> None:
    """The one of the largest margin; every other gives one as well, at any length. That (1, −5) is that one in S002's
    first example is proven by a point p of the hull of the rows y·x with ‖p‖ = γ."""
    rows, run = signed(*FOUR), learn(*FOUR, offset=0, log=True)
    bounds = {}
    for u in ([1, -5], [1, -4], [1, -3], [2, -3], [3, -5]):
        bounds[tuple(u)] = bound(u, rows)
        assert bound([7 * v for v in u], rows) == bound(u, rows)
        law = run.audit(Hyperplane(u)).checks[0]
        assert law.value == 3 <= law.bound == pytest.approx(float(bound(u, rows)), rel=1e-12)
    assert min(bounds, key=lambda u: bounds[u]) == (1, -5)
    p = [Fraction(6, 26) * a + Fraction(20, 26) * b for a, b in zip(rows[0], rows[1], strict=True)]
    assert dot(p, p) == least([1, -5], rows) ** 2 / 26  # so every unit u has least(u) ≤ u·p ≤ ‖p‖ = γ


def test_can_the_bound_be_reached() -> None:
    """Yes. The unit vectors e₁ … eₙ, all positive and through the origin, have R = 1 and γ* = 1/√n, and all n are
    mistakes; so are they if some are negated with their labels."""
    for n in (1, 2, 5, 30):
        rows = signed(np.eye(n), np.ones(n))
        assert bound([1] * n, rows) == n
        for y in (np.ones(n), np.where(np.arange(n) % 2, -1, 1)):
            run = learn(np.eye(n) * y[:, None], y, offset=0)
            assert run.updates == n
            assert run.hyperplane.w.tolist() == [1] * n
        mean = [sum(column) / n for column in zip(*rows, strict=True)]
        assert dot(mean, mean) == Fraction(1, n)  # a point of the hull, so no margin is above 1/√n


def test_why_can_there_not_be_many_updates() -> None:
    """⟨θ*, θ⟩ grows by at least γ with each, ‖θ‖² by at most R², and the first cannot overtake the second: kγ ≤ ⟨θ*, θ⟩
    ≤ ‖θ*‖·‖θ‖ ≤ ‖θ*‖·√k·R. Checked update by update on the line 1, 2, 3, 4."""
    rows, u = signed(*LINE, 1), [-2, 5]
    run = learn(*LINE, log=True)
    audit = run.audit(Hyperplane([-1], 2.5))
    for k, (before, after) in enumerate(pairwise(weights(run, 1)), 1):
        assert dot(u, after) - dot(u, before) >= least(u, rows)
        assert dot(after, after) - dot(before, before) <= longest2(rows)
        assert (k * least(u, rows)) ** 2 <= dot(u, after) ** 2 <= dot(u, u) * dot(after, after)
        assert dot(after, after) <= k * longest2(rows)
        assert audit.norm2[k] == pytest.approx(float(dot(after, after)), rel=1e-12)
        assert audit.progress[k] == pytest.approx(float(dot(u, after)) / sqrt(29), rel=1e-12)


def test_is_the_smallest_margin_the_distance_of_the_closest_row() -> None:
    """Yes, if all rows are right. Going s = γ/‖θ‖ from the row against y·θ ends on the boundary, and no point there is
    nearer. The sign y is what makes s positive."""
    theta, points = [3, 4], [([2, 1], 1), ([-3, 1], -1), ([-1, -2], -1), ([5, 0], 1)]
    X, y = data([x for x, _ in points], [s for _, s in points])
    plane = Hyperplane(theta)
    distances = []
    for x, s in points:
        length = s * dot(theta, x) / 5  # ‖θ‖ = 5
        assert length > 0
        foot = [a - s * length * Fraction(v, 5) for a, v in zip(x, theta, strict=True)]
        assert dot(theta, foot) == 0
        for t in range(-20, 21):  # other points of the boundary
            other = [Fraction(4 * t, 5), Fraction(-3 * t, 5)]
            assert sum((a - b) ** 2 for a, b in zip(x, other, strict=True)) >= length**2
        assert plane.project([x])[0] == pytest.approx([float(v) for v in foot], abs=1e-15)
        distances.append(length)
    assert min(distances) == 1
    assert plane.margin(X, y) == plane.unsigned_margin(X) == 1


def test_is_radius_over_margin_a_measure_of_difficulty() -> None:
    """As far as it goes. It does not change when all rows are scaled or turned, and nor does the run. But it only
    bounds the work: (1, ε) and (−1, ε), both positive, are easy at any R/γ."""
    turn = np.array([[0, -1], [1, 0]])
    run = learn(*FOUR, offset=0, log=True)
    for X, u in ((8 * FOUR[0], [1, -5]), (FOUR[0] @ turn.T, [5, 1])):
        again = learn(X, FOUR[1], offset=0, log=True)
        assert again.log.row.tolist() == run.log.row.tolist()
        assert bound(u, signed(X, FOUR[1])) == bound([1, -5], signed(*FOUR)) == 26
    hard = np.array([[1, 2.0**-20], [-1, 2.0**-20]])
    assert bound([0, 1], signed(hard, [1, 1])) > 10**12
    assert learn(hard, [1, 1], offset=0).updates == 2


def test_what_has_the_difficulty_to_do_with_the_vc_dimension() -> None:
    """At most (R/γ)² rows can have all their labelings separated with margin γ through the origin, whatever d. For of
    all signs some have ‖Σ ±x‖² ≤ n·R², and u·Σ y·x ≥ n·γ for the separator u of those labels. The n unit vectors reach
    it: each labeling y has w = y with γ = 1/√n."""
    n = 5
    for y in product((1, -1), repeat=n):
        assert bound(y, signed(np.eye(n), y)) == n
        assert final(learn(np.eye(n), y, offset=0)) == (list(y), 0)
    rng = np.random.default_rng(5)
    for _ in range(20):
        rows = signed(rng.integers(-5, 6, size=(n, 3)), np.ones(n))
        sums = [[dot(y, column) for column in zip(*rows, strict=True)] for y in product((1, -1), repeat=n)]
        assert min(dot(total, total) for total in sums) <= sum(dot(z, z) for z in rows) <= n * longest2(rows)


def test_does_the_bound_depend_on_the_dimension() -> None:
    """Not by itself: columns of zeros change nothing, not even the run. Almost, as R grows with d: each column of ±1
    adds 1 to R², and leaves the margin of the old separator as it is."""
    X, y = FOUR
    run = learn(X, y, offset=0, log=True)
    padded = learn(np.hstack([X, np.zeros((4, 50))]), y, offset=0, log=True)
    assert padded.log.row.tolist() == run.log.row.tolist()
    rng = np.random.default_rng(6)
    for more in (1, 10, 100):
        wide = np.hstack([X, rng.choice([-1, 1], size=(4, more))])
        assert bound([1, -5] + [0] * more, signed(wide, y)) == 26 + more * Fraction(26, 16)
        assert learn(wide, y, offset=0).updates <= 26 + more * Fraction(26, 16)


def test_does_the_bound_depend_on_the_number_of_rows() -> None:
    """Not by itself: copies of rows leave R and γ as they are, and the bound holds for any number. Almost, as γ shrinks
    with n: one row more can only come nearer to the hyperplane, and lower the best margin."""
    X, y = LINE
    allowed = bound([-2, 5], signed(X, y, 1))
    for copies in (1, 10, 1000):
        run = learn(np.repeat(X, copies, axis=0), np.repeat(y, copies), max_epochs=1000)
        assert run.status.name == "clean"
        assert run.updates <= allowed == 493
    nearer = np.vstack([X, [[2.5]]]), np.append(y, 1)
    assert Hyperplane([-1], 2.75).margin(*nearer) == 0.25 < Hyperplane([-1], 2.5).margin(X, y)
    bracket = learn(*nearer, rule="margin", beta=0.08, log=True).margin_bracket()
    assert bracket.upper < 1 / sqrt(29)  # below γ′* of the four rows


def test_which_beta_may_one_ask_for() -> None:
    """Any β below the largest margin γ′*, which is unknown: then the run stops, and has a margin above β. With β ≥ γ′*
    it never stops, as no hyperplane has a margin above γ′*, and ‖w′ − w′₀‖/Στ says so in the end."""
    best = 1 / sqrt(29)  # γ′* of the line, with ρ = 1
    for beta in (0.05, 0.15, 0.18):
        run = learn(*LINE, rule="margin", beta=beta, log=True)
        assert run.status.name == "clean"
        w = [*exact(run.hyperplane.w), Fraction(run.hyperplane.b)]
        assert least(w, signed(*LINE, 1)) ** 2 > Fraction(beta) ** 2 * dot(w, w)
        law, room = run.audit(Hyperplane([-1], 2.5)).checks[0], best - beta
        assert law.bound == pytest.approx(2 * 17 / room**2 + 2 * (sqrt(17) + beta) / room)
        assert law.value == run.updates <= law.bound
    run = learn(*LINE, rule="margin", beta=0.2, max_epochs=500)
    assert run.status.name == "budget"
    assert best <= run.history.margin_upper.min() < 0.2
    assert "no epoch will ever be clean" in run.status.advice


def test_how_can_one_choose_beta_when_gamma_is_not_known() -> None:
    """By bisection, with each run as the judge: every run brackets γ′*. Up to what it reached is safe to ask for, from
    the upper end on hopeless; and each run of the margin rule narrows the bracket."""
    first = learn(*LINE, log=True).margin_bracket()
    lower, upper = first.lower, first.upper
    assert learn(*LINE, rule="margin", beta=lower).status.name == "clean"
    assert learn(*LINE, rule="margin", beta=upper).status.name == "budget"
    for _ in range(4):
        found = learn(*LINE, rule="margin", beta=(lower + upper) / 2, log=True).margin_bracket()
        lower, upper = max(lower, found.lower), min(upper, found.upper)
        assert 0 < Fraction(lower) ** 2 <= Fraction(1, 29) <= Fraction(upper) ** 2
    assert upper - lower < (first.upper - first.lower) / 50


def roughness(run: Run) -> tuple[float, float, float]:
    """How much the path of the weights turns in all, and at each change; and how long it is for where it ends."""
    path = run.trajectory()
    return path.turning, float(path.turns.mean()), path.length / float(run.history.norm[-1])


def test_is_the_batch_path_smoother() -> None:
    """Usually, by each of three measures that no scale changes: how much the path turns at each change, how much in
    all, and how long it is for where it ends. Not always: on (1, −2), (−2, 1), (−2, 2), all positive, it is worse by
    all three."""
    smoother = []
    for seed in range(20):
        sample = datasets.separable(60, 4, margin=0.0625, seed=seed)
        one, batch = (learn(*sample, offset=0, batch_size=size, log=True) for size in (1, "all"))
        assert one.status.name == batch.status.name == "clean"
        if min(one.trajectory().n_changes, batch.trajectory().n_changes) > 2:
            smoother.append(all(b < a for a, b in zip(roughness(one), roughness(batch), strict=True)))
    assert len(smoother) > 5
    assert sum(smoother) >= 0.8 * len(smoother)
    rows = [(1, -2), (-2, 1), (-2, 2)]
    one, batch = (learn(rows, [1, 1, 1], offset=0, batch_size=size, log=True) for size in (1, "all"))
    assert all(b > a for a, b in zip(roughness(one), roughness(batch), strict=True))


def test_does_the_batch_version_keep_to_the_same_bound() -> None:
    """No. It need not keep to (R/γ)², not even in its changes: copies of a row push together, and one alone must make
    up for it, as a hundred of (1, 0) and one (−1, 1), all positive. B·(R/γ)² updates, for batches of B, do hold."""
    for copies in (10, 100):
        X = np.array([(1, 0)] * copies + [(-1, 1)])
        y = np.ones(copies + 1)
        run = learn(X, y, offset=0, batch_size="all")
        allowed = bound([1, 2], signed(X, y))
        assert allowed == 10
        assert run.status.name == "clean"
        assert run.updates <= (copies + 1) * allowed
        assert (run.state.changes > allowed) == (copies == 100)
        assert run.updates > allowed
        assert learn(X, y, offset=0).updates <= allowed


def test_which_step_sizes_make_the_batch_perceptron_converge() -> None:
    """Those with Ση = ∞ and Ση²/(Ση)² → 0: constant ones, 1/√k and 1/k do. With 2⁻ᵏ the sum is finite and the run gets
    stuck on the way; with 2ᵏ the last step outweighs all before, and goes to and fro for ever."""
    X, y = np.array([(1, 0)] * 10 + [(-1, 1)]), np.ones(11)
    for schedule in ("constant", "1/sqrt(k)", "1/k"):
        run = learn(X, y, offset=0, batch_size="all", schedule=schedule)
        assert run.status.name == "clean"
        assert right(run, X, y)
    run = learn(X, y, offset=0, batch_size="all", schedule=lambda k: 2.0**-k, max_epochs=500, log=True)
    assert run.status.name == "budget"
    w = weights(run)[1]
    assert w == [Fraction(9, 2), Fraction(1, 2)]  # all steps left add up to ½ of (−1, 1): (4, 1) at best, still wrong
    assert dot([w[0] - Fraction(1, 2), w[1] + Fraction(1, 2)], [-1, 1]) < 0
    X, y = np.array([(1, 0.5), (-1, 0.5)]), [1, 1]
    assert learn(X, y, offset=0, batch_size="all", start=([1, 0], 0)).status.name == "clean"
    run = learn(X, y, offset=0, batch_size="all", start=([1, 0], 0), schedule=lambda k: 2.0**k, max_epochs=45, log=True)
    assert run.status.name == "budget"
    assert run.log.row.tolist() == [1, 0] * 22 + [1]


def test_how_long_can_steps_of_one_over_k_take() -> None:
    """Ages. They converge, as S004 says, but may be exponentially slow in the number of rows that made the first step:
    of N copies of (1, 0) and one (−1, 1), all positive, 83 changes for N = 10, and more than ten times that for N = 15.
    Constant steps take about N/2."""
    changes = {}
    for copies in (5, 10, 15):
        X, y = np.array([(1, 0)] * copies + [(-1, 1)]), np.ones(copies + 1)
        run = learn(X, y, offset=0, batch_size="all", schedule="1/k", max_epochs=3000)
        assert run.status.name == "clean"
        constant = learn(X, y, offset=0, batch_size="all").state.changes
        assert constant <= copies / 2 + 1
        changes[copies] = run.state.changes
    assert changes[10] == 83
    assert changes[15] / changes[10] > 10
    assert changes[10] / changes[5] > 10
