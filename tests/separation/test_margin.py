"""The largest margin: against brute force in fractions, against scikit-learn, and on data of every shape and size."""

import copy
import itertools
import math
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import separated
from scipy.sparse import csr_array

from rosenblatt import Examples, Hyperplane, InputError, MaxMargin, Proof, datasets, learn, max_margin, verify
from rosenblatt.separation.margin import corral, nearest, rational

TIME_BUDGET = 60

F = Fraction


# --- What is true, by definition and in fractions. Nothing of the library is used here. ---


def solved(A: list[list[Fraction]], b: list[Fraction]) -> list[Fraction] | None:
    """A⁻¹·b by elimination; None if A is singular."""
    n = len(A)
    work = [[*row, side] for row, side in zip(A, b, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if work[i][k]), None)
        if pivot is None:
            return None
        work[k], work[pivot] = work[pivot], work[k]
        work[k] = [v / work[k][k] for v in work[k]]
        for i in range(n):
            if i != k and work[i][k]:
                work[i] = [v - work[i][k] * p for v, p in zip(work[i], work[k], strict=True)]
    return [row[-1] for row in work]


def largest_margin2(X: Any, y: Any, rho2: Fraction | None) -> Fraction | None:
    """The square of the largest margin: of every set of rows that could hold the hyperplane, by its conditions.

    Convexity makes a hyperplane that meets them the only one. None if there is none: the rows are not separable.
    """
    rows = [[F(float(v)) for v in x] for x in X]
    signs = [int(v) for v in y]
    n, d = len(rows), len(rows[0])

    def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
        return sum((p * q for p, q in zip(a, b, strict=True)), F(0))

    for size in range(1, min(n, d + 2) + 1):
        for S in itertools.combinations(range(n), size):
            K = [[signs[i] * signs[j] * (dot(rows[i], rows[j]) + (rho2 or 0)) for j in S] for i in S]
            side = [F(1)] * size
            if rho2 is None:
                K = [[*row, F(signs[i])] for row, i in zip(K, S, strict=True)] + [[F(signs[i]) for i in S] + [F(0)]]
                side = [*side, F(0)]
            x = solved(K, side)
            if x is None or min(x[:size]) < 0:
                continue
            w = [sum((b * signs[i] * rows[i][j] for b, i in zip(x, S, strict=False)), F(0)) for j in range(d)]
            offset = x[size] if rho2 is None else rho2 * sum((b * signs[i] for b, i in zip(x, S, strict=True)), F(0))
            if all(s * (dot(w, row) + offset) >= 1 for s, row in zip(signs, rows, strict=True)):
                return 1 / sum(x[:size], F(0))
    return None


def small(rng: random.Random) -> tuple[list[list[float]], list[int]]:
    """Few rows on a coarse grid, so that ties, equal rows and rows on one line are common."""
    d, n = rng.choice([1, 2, 2, 3]), rng.randint(2, 8)
    unit = rng.choice([1.0, 1.0, 0.1, 3.0, 2.0**-600, 2.0**600, 1e-308])
    X = [[rng.randint(-3, 3) * unit for _ in range(d)] for _ in range(n)]
    w, b = [rng.uniform(-1, 1) for _ in range(d)], rng.uniform(-1, 1) * unit
    y = [1 if sum(p * q for p, q in zip(w, x, strict=True)) + b > 0 else -1 for x in X]
    if rng.random() < 0.25:
        y[rng.randrange(n)] *= -1
    y[0], y[-1] = rng.choice([(1, -1), (-1, 1), (y[0], y[-1])])
    return X, y


def compare(rng: random.Random, trials: int) -> dict[str, int]:
    met: dict[str, int] = {}
    while sum(met.values()) < trials:
        X, y = small(rng)
        rho = rng.choice(["free", "free", 0, 1.0, 0.25, 7.0])
        if rho != 0 and len(set(y)) < 2:
            continue
        rho2 = None if rho == "free" else F(float(rho)) ** 2
        best, truth = max_margin(X, y, offset=rho), largest_margin2(X, y, rho2)
        met[best.status.name] = met.get(best.status.name, 0) + 1
        assert best.check(), (X, y, rho)
        if truth is None:
            known = separated.circuits(X, rho == 0)
            assert best.status.name == "inseparable"
            assert best.verdict is not None
            assert best.verdict.kind == separated.kind(known, y) != "separable"
            assert (best.margin, best.margin_upper, best.hyperplane) == (0.0, 0.0, None)
            continue
        assert best.status.name == "exact"
        assert best.gap == 0
        assert best.margin2 == best.upper2 == truth, (X, y, rho)
        assert F(best.margin) ** 2 <= truth <= F(best.margin_upper) ** 2
        if best.margin > 1e-300:
            assert best.margin_upper <= best.margin * (1 + 1e-9)
    return met


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_bracket_is_wrong(seed: int) -> None:
    met = compare(random.Random(seed), 80)
    assert met["exact"] > 30, met
    assert met["inseparable"] > 10, met


@pytest.mark.long
def test_no_bracket_is_wrong_in_two_thousand() -> None:
    assert sum(compare(random.Random(99), 2000).values()) == 2000


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_rationals_alone_find_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the enclosure, and from rows that are not the right ones."""
    monkeypatch.setattr(nearest, "enclose", lambda *_: None)
    exact_optimum, rng = rational.exact_optimum, random.Random(seed)

    def misled(q: corral.MarginProblem, hint: Any) -> Any:
        return exact_optimum(q, rng.sample(range(q.s.n), rng.randint(0, min(3, q.s.n))))

    monkeypatch.setattr(nearest, "exact_optimum", misled)
    assert compare(rng, 60)["exact"] > 25


@pytest.mark.slow
@pytest.mark.parametrize("way", ["Gram matrix", "descent"])
def test_the_other_ways_bracket_the_same(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "_WIDE", 0)
    monkeypatch.setattr(nearest, "_FEW", 400 if way == "Gram matrix" else 0)
    monkeypatch.setattr(nearest, "MOST_ROWS", 0)  # so that the bounds are asked for
    rng, met = random.Random(5), 0
    while met < 40:
        X, y = small(rng)
        rho = rng.choice(["free", 0, 1.0, 7.0])
        if len(set(y)) < 2:
            continue
        best = max_margin(X, y, offset=rho)
        truth = largest_margin2(X, y, None if rho == "free" else F(float(rho)) ** 2)
        assert (truth is None) == (best.status.name == "inseparable")
        assert best.check()
        if truth is not None:
            met += 1
            assert best.margin2 <= truth <= best.upper2
            assert F(best.margin) ** 2 <= best.margin2
            assert F(best.margin_upper) ** 2 >= best.upper2
            if best.status.name == "gap":
                assert best.gap <= 1e-6
            else:
                assert best.status.name in ("exact", "stalled")


# --- Numbers that are known. ---


def test_four_points_on_a_line() -> None:
    best = max_margin([[1], [2], [3], [4]], [1, 1, -1, -1])
    assert (best.margin2, best.upper2, best.support_rows.tolist()) == (F(1, 4), F(1, 4), [1, 2])
    assert best.exact_hyperplane == ((F(-2),), F(5))
    assert max_margin([[1], [2], [3], [4]], [1, 1, -1, -1], offset=0).status.name == "inseparable"


def test_equality_is_reached_by_the_unit_vectors() -> None:
    for n in (1, 2, 7, 40):
        X, y = datasets.tight(n)
        best = max_margin(X, y, offset=0)
        assert best.margin2 == F(1, n)
        assert learn(X, y, offset=0).updates == n == round(best.difficulty**2)


def test_augmented_and_plain_margins_are_told_apart() -> None:
    """γ*/√(1 + R²/ρ²) ≤ γ′* ≤ γ* when both classes occur."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        X, y, *_ = datasets.separable(30, 3, margin=0.05, seed=int(rng.integers(1000)))
        free = max_margin(X, y)
        assert free.plain_margin == free.margin
        R2 = F(free.radius) ** 2
        for rho in (0.5, 2.0, "radius"):
            best = max_margin(X, y, offset=rho)
            assert best.rho2 is not None
            assert best.margin2 <= free.margin2 <= best.margin2 * (1 + R2 / best.rho2) * (1 + F(1, 10**12))
            assert best.margin < best.plain_margin <= free.margin_upper
            assert best.plain_margin == pytest.approx(best.hyperplane.margin(X, y))  # type: ignore[union-attr]
            w, b = best.exact_hyperplane
            length = math.sqrt(float(sum(x * x for x in w) + b * b / best.rho2))
            m = min(
                s * (sum(p * F(float(q)) for p, q in zip(w, x, strict=True)) + b) for x, s in zip(X, y, strict=True)
            )
            assert float(m) / length == pytest.approx(best.margin, rel=1e-12)


def test_a_planted_margin_is_found() -> None:
    X, y, *_ = datasets.separable(3_000, 20, margin=0.125, radius=1)
    best = max_margin(X, y)
    assert best.gap == 0
    assert best.margin >= 0.125 * (1 - 1e-12)


def classics() -> list[tuple[str, Any, Any]]:
    from sklearn.datasets import load_breast_cancer, load_iris, load_wine

    X, t = load_iris(return_X_y=True)
    found = [(f"iris {a} {b}", X[np.isin(t, (a, b))], t[np.isin(t, (a, b))]) for a, b in ((0, 1), (0, 2))]
    X, t = load_wine(return_X_y=True)
    found += [(f"wine {a} {b}", X[np.isin(t, (a, b))], t[np.isin(t, (a, b))]) for a, b in ((0, 1), (0, 2), (1, 2))]
    found += [("breast cancer", *load_breast_cancer(return_X_y=True))]
    rng = np.random.default_rng(0)
    X = rng.random((208, 60))
    s = X @ rng.standard_normal(60)
    return [*found, ("like sonar", X, s > np.median(s))]


@pytest.mark.parametrize(("name", "X", "t"), [pytest.param(*c, id=c[0]) for c in classics()])
def test_the_gap_is_zero_and_scikit_learn_is_below(name: str, X: Any, t: Any) -> None:
    from sklearn.svm import SVC

    y = np.where(t == np.unique(t)[1], 1, -1)
    best = max_margin(X, y)
    assert (best.status.name, best.gap) == ("exact", 0.0)
    assert best.check()
    if name != "breast cancer":  # where it does not converge
        peer = SVC(kernel="linear", C=1e10).fit(X, y)
        plane = Hyperplane(peer.coef_, peer.intercept_)
        assert 0.7 * best.margin < plane.margin(X, y) <= best.margin_upper
    for rho in (1.0, 0, "radius"):
        other = max_margin(X, y, offset=rho)
        assert other.separable is False or other.gap == 0
        assert other.check()


# --- Shapes and sizes. ---


def test_dense_sparse_and_single_precision_agree() -> None:
    X, y, *_ = datasets.separable(400, 12, margin=0.02)
    X = np.round(X * 64) / 64  # exact in float32
    kinds = [max_margin(kind(X), y) for kind in (np.asarray, csr_array, np.float32, np.asfortranarray)]
    assert len({(best.margin2, best.upper2) for best in kinds}) == 1
    assert {best.proof.dumps() for best in kinds} == {kinds[0].proof.dumps()}


def test_powers_of_two_scale_the_margin_and_nothing_else() -> None:
    X, y, *_ = datasets.separable(60, 3, margin=0.1)
    base = max_margin(X, y)
    for k in (-900, -400, 300, 900):
        best = max_margin(np.ldexp(X, k), y)
        assert best.margin2 == base.margin2 * F(4) ** k
        assert best.support_rows.tolist() == base.support_rows.tolist()


def test_a_margin_too_small_for_floats_is_found() -> None:
    """Two rows a last bit apart."""
    X = [[1.0, 1.0], [1.0, 1.0 + 2.0**-52], [-3.0, 0.5], [5.0, 7.0]]
    best = max_margin(X, [1, -1, 1, -1])
    assert best.margin2 == largest_margin2(X, [1, -1, 1, -1], None)
    assert best.check()


def test_many_rows_by_a_working_set() -> None:
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40_000, 10))
    w = rng.standard_normal(10)
    s = X @ w / np.linalg.norm(w)
    X += np.outer(0.1 * np.sign(s), w / np.linalg.norm(w))
    best = max_margin(X, np.where(s > 0, 1, -1))
    assert best.gap == 0
    assert best.margin > 0.1
    assert best.check()


def wide(n: int, d: int, seed: int = 0) -> tuple[csr_array, np.ndarray]:
    """Sparse rows of counts, like text, that more columns than rows make separable."""
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(n), 30)
    columns = (d * rng.random(rows.size) ** 2).astype(np.int64)
    X = csr_array((rng.integers(1, 5, rows.size).astype(float), (rows, columns)), shape=(n, d))
    X.sum_duplicates()
    return X, np.where(rng.random(n) < 0.4, 1, -1)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(300, 5_000), (900, 6_000)])
@pytest.mark.parametrize("offset", ["free", 1.0, 0])
def test_many_columns(shape: tuple[int, int], offset: Any) -> None:
    X, y = wide(*shape)
    best = max_margin(X, y, offset=offset)
    assert best.separable
    assert best.gap <= 1e-6
    assert best.check()
    assert best.margin2 <= best.upper2 <= best.margin2 * (1 + F(1, 10**5))


@pytest.mark.slow
def test_no_gap_is_left_if_none_is_allowed() -> None:
    X, y = wide(220, 4_000)
    best = max_margin(X, y, rel_gap=0)
    assert (best.gap, best.status.name) == (0.0, "exact")
    assert best.support_rows.size > rational.MOST_ROWS
    assert best.margin == pytest.approx(max_margin(X, y).margin, rel=1e-9)


# --- Results, and what they are made of. ---


def test_the_proof_claims_no_more_than_is_so() -> None:
    X, y, *_ = datasets.separable(50, 3, margin=0.125)
    X = X + 0.25
    best = max_margin(X, y)
    proof = Proof.loads(best.proof.dumps())
    assert verify(proof, X, y).reason.startswith("largest-margin: the margin is 0.125")
    hull = proof.hull
    assert hull is not None
    assert proof.margin2 is not None
    for wrong in (
        replace(proof, margin2=proof.margin2 * (1 + F(1, 10**30))),
        replace(proof, hull=replace(hull, upper2=hull.upper2 * (1 - F(1, 10**30)))),
        replace(proof, hull=replace(hull, multipliers=(hull.multipliers[0] * 2, *hull.multipliers[1:]))),
        replace(proof, hull=replace(hull, rho2=F(1))),
    ):
        assert not verify(wrong, X, y)
    assert not verify(proof, X, -y)


def test_labels_and_names_come_back() -> None:
    X = [[0.0, 1.0], [1.0, 0.0], [2.0, 3.0], [3.0, 2.0]]
    best = max_margin(Examples.of(X, ["cat", "dog", "cat", "dog"]))
    assert best.hyperplane is not None
    assert best.hyperplane.predict(X).tolist() == ["cat", "dog", "cat", "dog"]
    assert best.hyperplane.margin(X, ["cat", "dog", "cat", "dog"]) == pytest.approx(best.margin)


def test_texts_fit_a_terminal() -> None:
    X, y, *_ = datasets.separable(50, 3, margin=0.1)
    flipped = y.copy()
    flipped[::3] *= -1
    for best in (max_margin(X, y), max_margin(X, y, offset=2), max_margin(X, flipped), max_margin(*wide(900, 6_000))):
        assert max(map(len, best.summary().splitlines())) <= 80
        assert "\n" not in repr(best)
        assert best.summary().startswith("Largest" if best.separable else "No margin")
        assert best.to_dict()["status"] == best.status.name


def test_changed_rows_are_noticed() -> None:
    X, y, *_ = datasets.separable(50, 3, margin=0.1)
    best = max_margin(X, y)
    X[0, 0] += 1
    with pytest.raises(InputError, match="changed since"):
        _ = best.proof


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [1e-9, 1e-3, 0.05])
def test_a_time_limit_leaves_bounds_that_hold(seconds: float) -> None:
    X, y = wide(1_500, 9_000)
    best = max_margin(X, y, time_limit=seconds)
    truth = max_margin(X, y)
    assert best.status.name in ("time", "gap", "undecided")
    assert best.margin <= truth.margin_upper
    assert best.margin_upper >= truth.margin
    if best.separable:
        assert best.check()
    else:
        assert "raise time_limit" in best.status.advice


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"offset": "fixed"}, "offset"),
        ({"offset": -1}, "offset"),
        ({"offset": math.nan}, "offset"),
        ({"rel_gap": -1e-3}, "rel_gap"),
        ({"rel_gap": "small"}, "rel_gap"),
        ({"time_limit": 0}, "time_limit"),
        ({"threads": 0}, "threads"),
    ],
)
def test_bad_input_is_named_in_one_line(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        max_margin([[1.0], [2.0]], [1, -1], **given)
    assert "\n" not in str(caught.value)


def test_what_is_no_question_of_two_classes_is_refused() -> None:
    with pytest.raises(InputError, match="one label"):
        max_margin([[1.0], [2.0]], [1, 1])
    with pytest.raises(InputError, match="3 classes"):
        max_margin([[1.0], [2.0], [3.0]], [1, 2, 3])
    with pytest.raises(InputError, match="labels are missing"):
        max_margin([[1.0], [2.0]])
    with pytest.raises(InputError, match="not a finite number"):
        max_margin([[1.0], [math.inf]], [1, -1])


def test_the_margin_of_one_row_is_its_length() -> None:
    for x in ([2.0], [3.0, 4.0], [0.1, 0.2, 0.3], [1e-5, 7.0]):
        best = max_margin([x], [1], offset=0)
        length = math.sqrt(sum(Fraction(value) ** 2 for value in x))
        assert best.margin <= length <= best.margin_upper
        assert best.margin == pytest.approx(length, rel=1e-14)
        assert best.margin_upper == pytest.approx(length, rel=1e-14)
        assert best.margin2 == sum(Fraction(value) ** 2 for value in x)


# --- A run beside the bounds. ---


@pytest.mark.parametrize("offset", [0, 0.5, 1.0, "radius"])
@pytest.mark.parametrize(
    "rule", ["perceptron", "target-output", "margin", "fixed-margin", "passive-aggressive", "pa-2"]
)
def test_a_run_stands_within_every_bound(rule: str, offset: Any) -> None:
    sample = datasets.separable(200, 5, margin=0.05, radius=1)
    best: MaxMargin = max_margin(*sample, offset=offset)
    more = {"beta": 0.01} if "margin" in rule else {}
    run = learn(*sample, rule=rule, offset=offset, log=True, max_epochs=300, **more)
    seen = run.against(best)
    assert seen.margin == pytest.approx(best.margin, rel=1e-9)
    assert seen.difficulty == pytest.approx(best.difficulty, rel=1e-9)
    bounded = [s for s in seen.checks if s.bound is not None]
    plain = rule in ("perceptron", "target-output")
    laws = ({"1", "3", "6", "9"} | ({"2"} if offset == "radius" else set())) if plain else {"5", "9"}
    assert {s.law for s in bounded} == laws
    assert best.hyperplane is not None
    for mine, audited in zip(seen.checks, run.audit(best.hyperplane).checks, strict=True):
        assert (mine.law, mine.quantity, mine.why) == (audited.law, audited.quantity, audited.why)
        assert mine.value == pytest.approx(audited.value, nan_ok=True)
        assert mine.bound == (None if audited.bound is None else pytest.approx(audited.bound))


def test_a_run_is_set_against_hyperplanes_only() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], [1, 1, -1, -1]
    run = learn(X, y)
    assert run.against(Hyperplane([-1.0], 2.5)).updates == 25
    with pytest.raises(InputError, match="inseparable"):
        run.against(max_margin(X, y, offset=0))
    with pytest.raises(InputError, match="separating hyperplane"):
        run.against(0.5)


@pytest.mark.parametrize(
    ("X", "y", "how", "plane"),
    [
        (
            [[6.5e-244], [-9.9e-244]],
            [1, -1],
            {"offset": 0, "batch_size": 2, "eta": 1e5, "max_epochs": 10},
            ([1.0], 0.0),
        ),
        ([[5e-181], [-5e-181]], [-1, 1], {"rule": "delta", "offset": 0, "eta": 0.1, "max_epochs": 10}, ([-1.0], 0.0)),
        ([[-4.9e-166], [6.7e-166], [1e-165]], [-1, -1, 1], {"offset": 1e-11, "max_epochs": 5}, ([1.0], -8e-166)),
        ([[-1e-260], [2e-260]], [-1, 1], {"rule": "fixed-margin", "offset": 1e-7, "max_epochs": 5}, ([1.0], 0.0)),
    ],
)
def test_what_float64_cannot_square_is_refused_and_no_law_called_broken(X: Any, y: Any, how: Any, plane: Any) -> None:
    with pytest.raises(InputError, match="rescale the data"):
        learn(X, y, **how).against(Hyperplane(*plane))


def test_rows_of_very_different_lengths_break_no_law() -> None:
    X = [[-0.66, -0.7], [-4.9e38, 4.4e38], [-4.5438e33, 4.5233e33]]
    run = learn(X, [-1, 1, -1], rule="fixed-margin", offset="radius", order="shuffled", eta=1e5, max_epochs=124)
    assert repr(run.against(max_margin(X, [-1, 1, -1], offset="radius"))).startswith("<")


def test_a_run_is_set_against_its_own_data_only() -> None:
    run = learn([[1.0], [2.0], [3.0], [4.0]], [1, 1, -1, -1])
    with pytest.raises(InputError, match="other data"):
        run.against(max_margin([[1.0], [2.0], [5.0], [6.0]], [1, 1, -1, -1], offset=1))


# --- Numbers at the ends of float64. ---


def test_the_largest_and_the_smallest_numbers() -> None:
    for big in (1.7e308, 5e-324, 1e-310):
        for offset in ("free", 0):
            best = max_margin([[big, big], [-big, -big]], [1, -1], offset=offset)
            assert best.margin2 == 2 * F(big) ** 2
            assert best.check()
            assert F(best.margin) ** 2 <= best.margin2
    with pytest.raises(InputError, match="rescale"):
        max_margin([[1e-200], [2e-200]], [1, -1], offset="radius")


def test_difficulty_does_not_depend_on_the_scale() -> None:
    X, y, *_ = datasets.separable(60, 3, margin=0.125)
    found = [max_margin(np.ldexp(X, k), y).difficulty for k in (-1000, -600, 0, 600, 1000)]
    assert found == pytest.approx([found[2]] * 5, rel=1e-12)
    assert found[2] >= 8


@pytest.mark.slow
def test_wide_rows_of_single_precision() -> None:
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(20, 2100)) * 1e25).astype(np.float32)
    best = max_margin(X, np.where(np.arange(20) % 2, 1, -1))
    assert best.gap == 0
    assert best.check()


def test_results_can_be_copied() -> None:
    X, y, *_ = datasets.separable(60, 3, margin=0.1)
    again = copy.deepcopy(max_margin(X, y))
    assert again.margin2 == max_margin(X, y).margin2
    assert again.check()


@pytest.mark.slow
def test_threads_change_nothing() -> None:
    X, y = wide(900, 6_000)
    one, two = (max_margin(X, y, threads=threads) for threads in (1, 2))
    assert one.proof.dumps() == two.proof.dumps()


def test_a_radius_beyond_float64_claims_no_bound() -> None:
    X = np.array([[1.7e308, 1.7e308], [-1.7e308, 1.7e308]])
    best = max_margin(X, [1, -1], offset=1)
    assert best.difficulty == math.inf
    assert best.to_dict()["most_updates"] is None
    near = max_margin(X * 1e-300, [1, -1], offset=1)
    assert near.to_dict()["most_updates"] == 2 == learn(X * 1e-300, [1, -1]).updates
