"""The fewest mistakes: every bracket against a brute force in exact fractions, every proof before the checker."""

import dataclasses
import itertools
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import separated

from rosenblatt import Examples, InputError, Proof, verify
from rosenblatt.proof.parts import Packing
from rosenblatt.separation.cancelling import cancelling_rows
from rosenblatt.separation.mistakes import sweep as sweeping
from rosenblatt.separation.mistakes.bracketing import bracket_mistakes
from rosenblatt.separation.mistakes.least_mistakes import least_mistakes
from rosenblatt.separation.mistakes.neighbours import Neighbourhoods
from rosenblatt.separation.mistakes.packing import WitnessPool
from rosenblatt.separation.mistakes.result import LeastMistakes, Suspect
from rosenblatt.separation.mistakes.sweep import sweep
from rosenblatt.separation.mistakes.witnesses import IntegerWitness, multipliers
from rosenblatt.separation.mistakes.zero_one import ZeroOneDescent
from rosenblatt.separation.signed_rows import SignedRows
from rosenblatt.separation.watch import SearchProgress, Watch

TIME_BUDGET = 60.0


def fewest(X: np.ndarray, y: np.ndarray, through_origin: bool) -> int:
    """The fewest rows to leave out so that no minimal positive dependency is left, by trying."""
    witnesses = [
        set(rows)
        for rows, signs in separated.circuits(X.tolist(), through_origin)
        if len({int(y[i]) * sign for i, sign in zip(rows, signs, strict=True)}) == 1
    ]
    best = len(y)

    def without(left: list[set[int]], removed: int) -> None:
        nonlocal best
        if removed >= best:
            return
        if not left:
            best = removed
            return
        for i in min(left, key=len):
            without([witness for witness in left if i not in witness], removed + 1)

    without(witnesses, 0)
    return best


def margins(result: LeastMistakes, X: Any, y: Any) -> list[Fraction]:
    w, b = result.exact_hyperplane
    table = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=float).tolist()
    return [
        int(label) * (sum((Fraction(a) * c for a, c in zip(x, w, strict=True)), Fraction(0)) + b)
        for x, label in zip(table, np.asarray(y).tolist(), strict=True)
    ]


def check(result: LeastMistakes, X: Any, y: Any) -> None:
    """Every claim of a result, in fractions, and its proof before the checker."""
    w, b = result.exact_hyperplane
    assert any(w)
    assert not (result.through_origin and b)
    assert np.flatnonzero([m <= 0 for m in margins(result, X, y)]).tolist() == result.rescue.tolist()
    assert result.rescue.size == result.upper
    assert 0 <= result.proved <= result.lower <= result.upper
    assert result.exact == (result.lower == result.upper) == (result.status.name == "exact")
    assert result.by == "sweep" or result.by == "hitting sets" or result.proved == result.lower
    assert result.proof.packing is not None
    assert result.proof.packing.lower == result.proved
    found = result.check()
    assert found, found.reason
    assert verify(Proof.loads(result.proof.dumps()), X, y)
    suspects = result.suspects
    assert {s.row for s in suspects[: result.upper]} == set(result.rescue.tolist())
    assert len({s.row for s in suspects}) == len(suspects)
    assert all(0 <= s.cost <= 1 + 1e-6 for s in suspects)
    assert all(s.cost > 0 for s in suspects[result.upper :])
    assert all(len(line) <= 80 for line in result.summary().splitlines())


def instance(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, bool]:
    """Points on a coarse grid, so that many coincide or lie in a line or a plane; random labels, or some flipped."""
    d, origin = int(rng.integers(1, 5)), bool(rng.integers(2))
    n, size = int(rng.integers(1, 15 - d)), int(rng.integers(1, 4))
    X = rng.integers(-size, size + 1, size=(n, d)).astype(float)
    if rng.random() < 0.2 and d > 1:
        X[:, -1] = X[:, 0]
    y = rng.choice([-1, 1], n)
    if rng.random() < 0.3:
        y = np.where(X @ rng.integers(-2, 3, size=d) + rng.integers(-1, 2) > 0, 1, -1) * rng.choice([-1, 1, 1, 1], n)
    return X, y, origin


def bracketed(count: int, seed: int) -> int:
    rng = np.random.default_rng(seed)
    exact = 0
    for _ in range(count):
        X, y, origin = instance(rng)
        result = least_mistakes(X, y, through_origin=origin, time_limit=2)
        truth = fewest(X, y, origin)
        assert result.lower <= truth <= result.upper, (X.tolist(), y.tolist(), origin)
        if X.shape[1] <= 2:
            assert result.exact
            assert result.by == "sweep" or truth == 0
        check(result, X, y)
        exact += result.exact
    return exact


@pytest.mark.slow
def test_no_small_instance_is_bracketed_wrong() -> None:
    assert bracketed(90, seed=1) >= 87


@pytest.mark.long
def test_none_of_two_thousand_small_instances_is_bracketed_wrong() -> None:
    assert bracketed(2000, seed=2) >= 1950


def awkward(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, bool]:
    """One or two columns: decimals that are no doubles, offsets that swallow digits, all sizes there are."""
    d, origin, n = int(rng.integers(1, 3)), bool(rng.integers(2)), int(rng.integers(1, 11))
    X = rng.integers(-2, 3, size=(n, d)).astype(float)
    kind = rng.integers(6)
    if kind == 0:
        X = X * 0.1 + rng.choice([0.0, 0.3])
    elif kind == 1:
        X = X * rng.choice([1e300, 1e-300, 4e307, 5e-324, 1.0], d)
    elif kind == 2:
        X = X + rng.choice([1e16, 2.0**52, 0.1], d)
    elif kind == 3:
        X[rng.integers(n)] = 1.7e308
        X[rng.integers(n)] = 5e-324
    return X, rng.choice([-1, 1], n), origin


@pytest.mark.slow
@pytest.mark.filterwarnings("error")
def test_the_sweep_is_exact_whatever_the_numbers() -> None:
    rng = np.random.default_rng(3)
    for _ in range(400):
        X, y, origin = awkward(rng)
        s = SignedRows(Examples.signed(X, y), origin, 60, 1)
        v = sweep(s, 60)
        assert v is not None
        assert any(v[: X.shape[1]])
        assert s.mistakes(v).size == fewest(X, y, origin), (X.tolist(), y.tolist(), origin)


@pytest.mark.slow
def test_the_sweep_does_not_trust_floats(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every neighbour in doubt and in the wrong order, it comes out the same."""
    rng = np.random.default_rng(4)
    slopes = sweeping._slopes
    for _ in range(100):
        X, y, origin = awkward(rng)
        s = SignedRows(Examples.signed(X, y), origin, 60, 1)
        with monkeypatch.context() as patch:
            patch.setattr(sweeping, "_slopes", lambda p, q, o: (np.zeros(o.shape, np.int64), slopes(p, q, o)[1]))
            v = sweep(s, 60)
        assert v is not None
        assert s.mistakes(v).size == fewest(X, y, origin)


@pytest.mark.serial
@pytest.mark.long
def test_two_thousand_points_of_the_plane_in_seconds_or_not_at_all() -> None:
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(2000, 2)), 1)
    y = np.where(X.sum(axis=1) + rng.normal(size=2000) > 0, 1, -1)
    s = SignedRows(Examples.signed(X, y), False, 60, 1)
    begin = time.monotonic()
    v = sweep(s, 60)
    assert time.monotonic() - begin < 40
    assert v is not None
    assert sweep(s, 0.05) is None
    result = least_mistakes(X, y)
    assert result.exact
    assert result.by == "sweep"
    assert result.upper == s.mistakes(v).size
    assert result.proved > result.upper / 2
    check(result, X, y)


def flipped(margin: float, seed: int) -> tuple[np.ndarray, np.ndarray, set[int]]:
    """2,000 × 20, separable by a clear margin but for 20 labels."""
    rng = np.random.default_rng(seed)
    w = rng.normal(size=20)
    X = rng.normal(size=(20_000, 20))
    s = X @ w / np.linalg.norm(w)
    rows = np.flatnonzero(np.abs(s) > margin)[:2000]
    X, y = X[rows], np.sign(s[rows]).astype(int)
    flips = rng.choice(2000, 20, False)
    y[flips] *= -1
    return X, y, set(flips.tolist())


@pytest.mark.serial
@pytest.mark.long
def test_flipped_labels_are_bracketed_and_suspected() -> None:
    X, y, flips = flipped(0.3, 0)
    result = least_mistakes(X, y)
    assert result.upper <= 20
    assert result.lower >= 10
    assert len(flips & {suspect.row for suspect in result.suspects[:25]}) >= 18
    for suspect in result.suspects:
        assert suspect.witnesses == tuple(k for k, rows in enumerate(result.witnesses) if suspect.row in rows)
    assert result.seconds < 20
    check(result, X, y)


@pytest.mark.serial
@pytest.mark.parametrize("shape", [(30, 3), (3000, 2), (20_000, 10)])
def test_a_bracket_whatever_the_time(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=shape), rng.choice([-1, 1], shape[0])
    result = least_mistakes(X, y, time_limit=0.01)
    assert result.seconds < 10
    assert result.upper <= shape[0] / 2
    check(result, X, y)


@pytest.mark.serial
@pytest.mark.long
def test_more_time_narrows_it() -> None:
    rng = np.random.default_rng(7)
    X = rng.normal(size=(300, 6))
    y = np.where(X[:, 0] + rng.normal(size=300) > 0, 1, -1)
    short, long = (least_mistakes(X, y, time_limit=limit) for limit in (0.02, 2))
    assert short.lower <= long.lower <= long.upper <= short.upper
    assert long.upper - long.lower < short.upper - short.lower
    check(long, X, y)


@pytest.mark.slow
def test_witnesses_of_close_rows_are_exact_disjoint_and_small() -> None:
    """Rows that differ in few columns: each witness sums to 0 in fractions, and has few rows."""
    rng = np.random.default_rng(12)
    X = rng.integers(0, 2, size=(300, 12)).astype(float)
    y = np.where(X[:, 0] + X[:, 1] + rng.normal(size=300) > 1, 1, -1)
    s = SignedRows(Examples.signed(X, y), False, 20, 1)
    descent = ZeroOneDescent(s)
    found = list(Neighbourhoods(descent).disjoint(np.zeros(300, dtype=bool)))
    rows = [row for witness in found for row in witness.rows]
    assert len(found) >= 10
    assert len(set(rows)) == len(rows)
    for witness in found:
        assert 2 <= len(witness.rows) <= 14
        for column in s.z(np.array(witness.rows)).T.tolist():
            assert sum(Fraction(a) * m for a, m in zip(column, witness.multipliers, strict=True)) == 0
    assert np.mean([len(witness.rows) for witness in found]) < 11


def test_no_bracket_is_worse_than_the_majority_and_one_mistake() -> None:
    """However short the time: a verdict that is not separable says as much, and the bounds are told as they move."""
    rng = np.random.default_rng(13)
    X = rng.normal(size=(400, 5))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=400) > 0, 1, -1)
    told: list[tuple[int, int]] = []

    def hear(progress: SearchProgress) -> None:
        told.append((progress.known["lower"], progress.known["upper"]))  # type: ignore[arg-type]

    b = bracket_mistakes(SignedRows(Examples.signed(X, y), False, Watch(3, hear), 1))
    assert 1 <= b.lower <= b.upper <= 100
    assert told[0] == (0, min((y > 0).sum(), (y < 0).sum()))
    assert all(before[0] <= now[0] <= now[1] <= before[1] for before, now in itertools.pairwise(told))
    assert len(set(told)) > 3


def test_without_a_time_limit_it_ends_when_the_bounds_meet() -> None:
    X = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 1, 1]])
    result = least_mistakes(X, [1, -1, -1, 1, 1, 1], time_limit=None)
    assert (result.lower, result.upper) == (1, 1)
    check(result, X, [1, -1, -1, 1, 1, 1])


def test_a_million_columns_cost_what_their_numbers_do() -> None:
    rng = np.random.default_rng(14)
    columns = np.sort(rng.choice(10**6, 12, False))
    few = rng.integers(-1, 2, size=(30, 12)).astype(float)
    y = rng.choice([-1, 1], 30)
    few[20:] = few[:10]
    wide = sp.csr_array((few.ravel(), np.tile(columns, 30), np.arange(0, 361, 12)), shape=(30, 10**6))
    result = least_mistakes(wide, y, time_limit=5)
    assert result.columns is not None
    assert set(result.columns.tolist()) <= set(columns.tolist())
    w, b = result.exact_hyperplane
    assert len(w) == 10**6
    assert least_mistakes(few, y, time_limit=5).upper == result.upper
    assert sum(int(label) * (wide[[i]] @ result.hyperplane.w + float(b))[0] <= 0 for i, label in enumerate(y)) <= 30
    scores = [sum(Fraction(x) * w[j] for x, j in zip(row, columns, strict=True)) + b for row in few.tolist()]
    wrong = [i for i, score in enumerate(scores) if score * int(y[i]) <= 0]
    assert wrong == result.rescue.tolist()
    assert result.check()


def test_cover_says_how_many_labels_are_separable() -> None:
    """Of 4 points in the plane 14 of 16; of at most d + 1 points all; of many, hardly any."""
    four = least_mistakes([[0.0, 0], [1, 0], [0, 1], [1, 1]], [-1, -1, -1, 1])
    assert four.separable_by_chance == 14 / 16
    assert least_mistakes(np.eye(3), [1, -1, 1]).separable_by_chance == 1
    assert "whatever their labels" in least_mistakes(np.eye(3), [1, -1, 1]).summary().replace("\n", " ")
    many = least_mistakes(np.arange(3000.0)[:, None], [-1] * 1000 + [1] * 2000)
    assert many.separable_by_chance < 1e-9
    assert "labels" not in many.summary()


def test_suspects_without_witnesses_have_no_empty_columns() -> None:
    result = least_mistakes([[1.0], [2.0], [3.0], [4.0]], [-1, 1, -1, 1])
    bare = dataclasses.replace(result, shares={}, counts={}, known=0, packing=())
    text = bare.summary().replace("\n", " ")
    assert "in witnesses" not in text
    assert "No witnesses are known: the order is by how far" in text
    assert "in witnesses" in result.summary()


def test_stronger_claims_do_not_hold() -> None:
    rng = np.random.default_rng(8)
    X = rng.integers(-2, 3, size=(14, 3)).astype(float)
    y = rng.choice([-1, 1], 14)
    result = least_mistakes(X, y)
    proof = result.proof
    assert result.upper > 1
    assert proof.packing is not None
    assert not verify(dataclasses.replace(proof, mistakes=result.upper - 1), X, y)
    twice = Packing(proof.packing.witnesses, tuple(2 * weight for weight in proof.packing.weights))
    assert not verify(dataclasses.replace(proof, packing=twice), X, y)
    y[result.witnesses[0][0]] *= -1
    assert not verify(proof, X, y)


@pytest.mark.long
def test_one_point_with_both_labels_many_times() -> None:
    """More pairs than a linear program is asked to weigh; zeros and opposites through the origin."""
    rng = np.random.default_rng(9)
    X = np.repeat(rng.normal(size=(40, 3)), 50, axis=0)
    y = rng.choice([-1, 1], 2000)
    per_point = [min((part > 0).sum(), (part < 0).sum()) for part in y.reshape(40, 50)]
    result = least_mistakes(X, y, time_limit=2)
    assert result.lower >= sum(per_point) > 500
    check(result, X, y)
    s = SignedRows(Examples.signed([[1, 2], [-1, -2], [0, 0], [2, 4], [1, 2]], [1, 1, -1, -1, 1]), True, 10, 1)
    assert sorted(cancelling_rows(s)) == [(0, 1), (2,)]


@pytest.mark.slow
def test_a_wide_table_is_bracketed_without_linear_programs() -> None:
    X = sp.random(80, 2000, density=0.02, format="csr", random_state=0)
    y = np.random.default_rng(0).choice([-1, 1], 80)
    assert least_mistakes(X, y, time_limit=5).upper == 0
    twice, labels = sp.vstack([X, X[:7]]).tocsr(), np.append(y, -y[:7])
    result = least_mistakes(twice, labels, time_limit=5)
    assert (result.lower, result.upper) == (7, 7)
    check(result, twice, labels)


def test_dense_and_sparse_rows_have_the_same_answer_and_a_seed_repeats_it() -> None:
    rng = np.random.default_rng(10)
    X = rng.integers(-3, 4, size=(25, 3)).astype(float)
    y = np.where(X[:, 0] > 0, "yes", "no")
    y[:3] = np.where(y[:3] == "yes", "no", "yes")
    first, again, sparse = (least_mistakes(rows, y, seed=5) for rows in (X, X, sp.csr_array(X)))
    assert first.exact
    assert sparse.upper == first.upper
    assert first.rescue.tolist() == again.rescue.tolist()
    assert first.suspects == again.suspects
    assert first.proof == again.proof
    assert first.hyperplane.classes == ("no", "yes")
    assert (first.hyperplane.predict(X) != y).sum() <= first.upper
    assert least_mistakes(Examples.of(X, y), seed=5).upper == first.upper


@pytest.mark.parametrize(
    ("X", "y", "origin", "mistakes"),
    [
        ([[1.0], [2.0]], [1, 1], False, 0),
        ([[0.0], [0.0]], [-1, -1], False, 0),
        ([[0.0], [0.0]], [-1, -1], True, 2),
        ([[0.0, 0.0, 0.0]], [1], True, 1),
        ([[1.0, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1], False, 1),
        ([[1.0, 1, 0], [1, -1, 0], [-1, 1, 0], [-1, -1, 0]], [1, -1, -1, 1], False, 1),
        ([[1.0, 1, 0], [1, -1, 0], [-1, 1, 0], [-1, -1, 0]], [1, -1, -1, 1], True, 2),
        ([[1e300, 1e-300, 1], [1e300, 1e-300, 1], [5e-324, 0, 1.7e308]], [1, -1, 1], False, 1),
        ([[2.0, 3.0, 4.0]] * 5, [1, 1, -1, -1, -1], False, 2),
    ],
)
def test_named_cases(X: Any, y: list[int], origin: bool, mistakes: int) -> None:
    result = least_mistakes(X, y, through_origin=origin)
    assert (result.lower, result.upper, result.proved) == (mistakes, mistakes, mistakes)
    assert result.status.name == "exact"
    check(result, np.array(X), y)


def test_irises_need_one_mistake() -> None:
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    result = least_mistakes(X[50:], y[50:])
    assert (result.lower, result.upper, result.proved) == (1, 1, 1)
    assert repr(result) == "<LeastMistakes: 1, 100 × 4>"
    assert isinstance(result.suspects[0], Suspect)
    assert result.suspects[0].row == result.rescue[0]
    assert "on the wrong side of the best hyperplane" in result.suspects[0].reason


def test_weights_are_fractional_and_exact() -> None:
    """Three witnesses, each two of three rows: half of each is the best, and the shares are halves as well."""
    pool = WitnessPool(3)
    assert pool.add_disjoint(IntegerWitness(rows, (1, 1)) for rows in ((0, 1), (1, 2), (0, 2))) == 3
    assert pool.lower == 1
    assert pool.solve(10)
    assert pool.lower == 2
    assert pool.packing()[0][1] == Fraction(1, 2)
    assert pool.shares == pytest.approx({0: 0.5, 1: 0.5, 2: 0.5})


def test_multipliers_are_whole_positive_and_unique() -> None:
    assert multipliers(np.array([[1.0, 2], [-0.5, -1]])) == (1, 2)
    assert multipliers(np.array([[1.0, 2], [0.5, 1]])) is None
    assert multipliers(np.array([[1.0, 0], [-1, 0], [2, 0]])) is None
    assert multipliers(np.array([[0.0, 0]])) == (1,)
    assert multipliers(np.array([[1e300, 1], [-1e300, 1], [0.0, -5e-324]])) == (1, 1, 2**1075)


def test_changed_rows_are_noticed() -> None:
    X = np.array([[1.0], [2.0], [3.0]])
    result = least_mistakes(X, [1, -1, 1])
    X[0, 0] = 7
    with pytest.raises(InputError, match="changed"):
        _ = result.proof


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [[1.0], [2.0]]}, "labels are missing"),
        ({"X": [[1.0], [2.0], [3.0]], "y": [1, 2, 3]}, "3 classes"),
        ({"X": [[1.0], [2.0]], "y": [1, -1], "time_limit": 0}, "time_limit must be"),
        ({"X": [[1.0], [2.0]], "y": [1, -1], "time_limit": "long"}, "time_limit must be"),
        ({"X": [[1.0], [2.0]], "y": [1, -1], "seed": -1}, "seed must be"),
        ({"X": [[1.0], [float("nan")]], "y": [1, -1]}, "row 1, column 0"),
        ({"X": [[1.0], [2.0]], "y": [1]}, "label"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        least_mistakes(**arguments)
    assert "\n" not in str(error.value)


def test_rows_that_single_columns_decide_cost_no_mistake() -> None:
    rng = np.random.default_rng(5)
    for _ in range(5):
        # Some rows in two columns, of which the fewest mistakes are known by brute force; and among them many rows with
        # a word that occurs in one class only, so that numbers must be mapped.
        core, signs = rng.integers(-2, 3, (9, 2)).astype(float), rng.choice([-1, 1], 9)
        known = fewest(core, signs, False)
        X = np.zeros((60, 1200))
        X[:, :2] = rng.integers(-2, 3, (60, 2))
        y = rng.choice([-1, 1], 60)
        X[np.arange(60), 2 + 2 * np.arange(60) + (y > 0)] = 1.0
        at = np.sort(rng.choice(60, 9, False))
        X[at], y[at] = 0.0, signs
        X[at, :2] = core
        for form in (sp.csr_array, np.asarray):
            found = least_mistakes(form(X), y)
            assert (found.lower, found.upper) == (known, known)
            assert set(found.rescue.tolist()) <= set(at.tolist())
            assert found.check()
