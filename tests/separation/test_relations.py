"""Relations between columns: unlucky primes, numbers longer than any prime, and wide rows within the time."""

import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Examples, separability
from rosenblatt.separation.dependent import dependences
from rosenblatt.separation.modular import primes_below
from rosenblatt.separation.relations import Relations
from rosenblatt.separation.signed_rows import SignedRows

P, Q = primes_below()[:2]


def relations(X: Any, order: Any = None) -> dict[int, Any]:
    examples = Examples.of(np.array(X, dtype=float), np.where(np.arange(len(X)) % 2, 1, -1))
    found = Relations(SignedRows(examples, True, 10.0, 1), np.arange(len(X)), order or range(len(X[0]))).find()
    assert sorted([*found.kept, *found.sums]) == [*range(len(X[0]))]
    return dict(found.sums)


def test_pivots_that_a_prime_divides_are_found_with_another() -> None:
    a, b = np.array([1, 2, 3, 5, 7, 8]), np.array([3, -1, 4, 1, -5, 9])
    assert relations(np.c_[P * a, b, P * a + b]) == {2: {0: 1, 1: 1}}
    assert relations(np.c_[P * a, b, P * a + b, Q * b, Q * b + P * a]) == {
        2: {0: 1, 1: 1},
        3: {1: Q},
        4: {0: 1, 1: Q},
    }
    assert relations(np.c_[a, b, a + P * b], [2, 1, 0]) == {0: {2: 1, 1: -P}}
    # Modulo P the first two columns are equal, and the third is not 0.
    assert relations(np.c_[a, a + P * b, b]) == {2: {0: Fraction(-1, P), 1: Fraction(1, P)}}


def test_rank_that_a_prime_lowers_ends() -> None:
    assert relations([[P], [2 * P], [3 * P], [4 * P]]) == {}
    assert relations([[1, 1], [1, 1 + P], [2, 2]]) == {}
    assert relations([[P * Q, 0], [0, P], [P, P]]) == {}
    verdict = separability([[P], [2 * P], [3 * P], [4 * P]], [-1, 1, -1, 1], time_limit=5)
    assert verdict.coefficients == {"x0": "finite", "(offset)": "finite"}
    assert verdict.aliased == ()


def test_columns_that_depend_are_never_called_finite() -> None:
    a, b = np.array([1, 2, 3, 5, 7, 8]), np.array([3, -1, 4, 1, -5, 9])
    X = np.c_[P * a, b, P * a + b].astype(float)
    verdict = separability(np.vstack([X, X]), [1] * 6 + [0] * 6, through_origin=True)
    assert verdict.coefficients == {"x0": "finite", "x1": "finite", "x2": "dropped"}
    assert verdict.dependences == {"x2": {"x0": 1, "x1": 1}}


@pytest.mark.parametrize("k", [6, 16])
def test_numbers_of_any_length(k: int) -> None:
    rng = np.random.default_rng(k)
    X = np.ldexp(rng.standard_normal((k, k + 2)), rng.integers(-900, 901, (k, k + 2)))
    found = relations(np.vstack([X, X[::-1]]))
    assert sorted(found) == [k, k + 1]
    for j, combination in found.items():
        for row in X:
            assert sum(x * Fraction(row[i]) for i, x in combination.items()) == Fraction(row[j])


@pytest.mark.serial
@pytest.mark.parametrize("rank", [60, 200])
def test_wide_rows_keep_the_time(rank: int) -> None:
    rng = np.random.default_rng(1)
    X = sp.random(rank, 15_000, 60 / 15_000, format="csr", random_state=rng)
    X.data[:] = rng.integers(1, 4, X.data.size)
    X = sp.csr_array(sp.vstack([X, X]))
    y = np.repeat([1, -1], rank)
    verdict = separability(X, y, time_limit=60)
    assert verdict.kind == "overlapping"
    begin = time.monotonic()
    known = verdict.dropped(1.0)
    assert time.monotonic() - begin < 2 * 1.0 + 2
    empty = np.flatnonzero(np.diff(X.tocsc().indptr) == 0).tolist()
    assert set(empty) <= set(known.sums)
    assert known.least >= 15_001 - 2 * rank
    for j, combination in list(known.sums.items())[::500]:
        for row in X[:rank:7].toarray():
            z = [*map(int, row), 1]
            assert sum(x * z[i] for i, x in combination.items()) == z[j]


def test_copies_are_known_when_time_runs_out() -> None:
    rng = np.random.default_rng(2)
    X = np.zeros((400, 3000))
    X[rng.integers(0, 400, 1000), np.arange(1000)] = 1.0  # words that occur once: copies of one another
    X[:, 1000:1100] = rng.integers(0, 3, (400, 100))
    seen, expected = dict[bytes, int](), set[int]()
    for j, column in enumerate(X.T):
        if not column.any() or column.tobytes() in seen:
            expected.add(j)
        seen.setdefault(column.tobytes(), j)
    y = np.where(np.arange(400) % 2, 1, -1)
    for form in (np.asarray, sp.csr_array):
        found = dependences(SignedRows(Examples.of(form(X), y), False, 60.0, 1))
        assert found.settled
        assert expected <= set(found.sums)


def by_fractions(X: Any) -> dict[int, dict[int, Fraction]]:
    """Each column as a combination of the earlier ones that are kept, if it is one: Gauss and Jordan."""
    rows, pivots = [[Fraction(x) for x in row] for row in X.tolist()], list[int]()
    for j in range(len(rows[0])):
        k = len(pivots)
        at = next((i for i in range(k, len(rows)) if rows[i][j]), None)
        if at is None:
            continue
        rows[k], rows[at] = rows[at], rows[k]
        rows[k] = [x / rows[k][j] for x in rows[k]]
        for i in range(len(rows)):
            if i != k:
                rows[i] = [a - rows[i][j] * b for a, b in zip(rows[i], rows[k], strict=True)]
        pivots.append(j)
    others = [j for j in range(len(rows[0])) if j not in pivots]
    return {j: {p: rows[i][j] for i, p in enumerate(pivots) if rows[i][j]} for j in others}


def test_primes_that_are_mostly_unlucky_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    # Modulo 3, 5 and 7 a determinant is often 0.
    monkeypatch.setattr("rosenblatt.separation.relations.primes_below", lambda: [3, 5, 7, P, Q])
    rng = np.random.default_rng(3)
    for _ in range(150):
        n, d, rank = (int(k) for k in rng.integers([2, 1, 1], 8))
        X = rng.integers(-4, 5, (n, rank)) @ (rng.integers(-4, 5, (rank, d)) * rng.choice([1, 3, 15, 105], d))
        X = X * (rng.random((n, d)) < rng.choice([0.5, 1.0]))
        X = X * 2.0 ** rng.integers(-3, 4, d)
        assert relations(X) == by_fractions(X)
