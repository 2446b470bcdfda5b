"""Wide sparse rows: what is found, and what it costs, goes with the columns in use."""

import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Examples, separability
from rosenblatt.data.rows import matrix_of
from rosenblatt.separation.exact import rounded
from rosenblatt.separation.narrow import narrowed

F = Fraction


def wide_rows(table: np.ndarray, columns: list[int], d: int) -> sp.csr_array:
    n, k = table.shape
    starts = np.arange(n + 1) * k
    return sp.csr_array((table.ravel(), np.tile(columns, n), starts), shape=(n, d))


@pytest.mark.parametrize("origin", [False, True])
@pytest.mark.parametrize("labels", [[1, 1, -1, -1], [1, -1, -1, 1]])
def test_wide_rows_have_the_verdict_and_the_margin_of_the_columns_in_use(labels: list[int], origin: bool) -> None:
    table = np.array([[1.0, 2.0, 0.5], [2.0, -0.25, 0.0], [-1.0, 0.125, 3.0], [0.5, -2.0, 0.0]])
    columns, d = [3, 500, 999_999], 1_000_000
    X = wide_rows(table, columns, d)  # with explicit zeros
    wide, plain = (separability(rows, labels, through_origin=origin) for rows in (X, table))
    assert wide.kind == plain.kind
    assert wide.check()
    if wide.exact_hyperplane is not None and wide.hyperplane is not None:
        w, b = wide.exact_hyperplane
        z = [[y * F(x) for x in row] + [F(y)] for row, y in zip(table.tolist(), labels, strict=True)]
        m = [sum(a * v for a, v in zip(row, [*(w[j] for j in columns), b], strict=True)) for row in z]
        assert min(m) >= 0
        assert len(w) == wide.hyperplane.w.size == d
        assert sum(x != 0 for x in w) <= 3
        if wide.kind == "separable":
            assert wide.margin2 == min(m) ** 2 / sum(w[j] ** 2 for j in columns)
        assert np.flatnonzero(wide.hyperplane.w).tolist() == [j for j in columns if w[j]]


def test_columns_that_hold_nothing_but_explicit_zeros_are_not_in_use() -> None:
    X = wide_rows(np.array([[0.0, 1.0, 0.0], [0.0, -2.0, 7.0]]), [5, 6, 800], 1000)
    found = narrowed(Examples.of(X, [1, -1]))
    assert found is not None
    assert found.columns.tolist() == [6, 800]
    assert matrix_of(found.examples.rows).toarray().tolist() == [[1.0, 0.0], [-2.0, 7.0]]
    wide = found.widened([F(1), F(2), F(3)])
    assert (wide[6], wide[800], wide[1000], sum(map(abs, wide))) == (1, 2, 3, 6)
    assert found.of(wide) == [1, 2, 3]
    assert found.of(found.widened([F(1), F(2)])) == [1, 2]  # through the origin


@pytest.mark.parametrize("X", [np.eye(2, 1000), sp.csr_array(np.ones((2, 1000))), sp.csr_array((2, 1000)), np.eye(2)])
def test_rows_that_are_dense_or_zero_stay_as_they_are(X: Any) -> None:
    assert narrowed(Examples.of(X, [1, -1])) is None


@pytest.mark.serial
def test_a_proof_of_ten_million_columns_costs_what_its_numbers_cost() -> None:
    rng = np.random.default_rng(0)
    n, d = 20, 10_000_000
    columns = [np.unique(rng.integers(0, d, 100)) for _ in range(n)]
    starts = np.cumsum([0, *(some.size for some in columns)])
    X = sp.csr_array((rng.random(starts[-1]) + 0.1, np.concatenate(columns), starts), shape=(n, d))
    verdict = separability(X, [1, -1] * (n // 2))
    start = time.process_time()
    proof = verdict.proof
    assert time.process_time() - start < 2
    assert proof.hyperplane is not None
    assert len(proof.hyperplane.columns) <= starts[-1]
    assert verdict.check()


@pytest.mark.parametrize(
    ("v", "near"),
    [
        ([F(0), F(0)], [0.0, 0.0]),
        ([F(3), F(-1, 3)], [0.75, -1 / 12]),
        ([F(1, 3), F(1, 3) + F(1, 10**40)], [1 / 3, 1 / 3]),
        ([F(10) ** 400, F(-(10**400), 3)], [float(F(10**400, 2**1329)), float(F(-(10**400), 3 * 2**1329))]),
        ([F(1, 10**400), F(0)], [float(F(2**1329, 10**400)), 0.0]),
        ([F(1), F(1, 10**320)], [0.5 * 2, float(F(1, 10**320))]),
    ],
)
def test_vectors_are_rounded_once(v: list[Fraction], near: list[float]) -> None:
    found = rounded(v)
    size = max(map(abs, v))
    if not size:
        assert found.tolist() == near
        return
    unit = F(2) ** (size.numerator.bit_length() - size.denominator.bit_length())
    assert found.tolist() == [float(x / unit) for x in v]
    assert np.allclose(found / np.abs(found).max(), np.array(near) / np.abs(near).max())
