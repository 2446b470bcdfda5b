"""Rows in CSR form against SciPy's, which they must not need; sums against exact fractions."""

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.data.csr import Csr, gram, squared_lengths, stacked
from rosenblatt.data.examples import InputError
from rosenblatt.data.rows import matrix_of, rows_of


@st.composite
def matrices(draw: st.DrawFn) -> sp.csr_array:
    n, d = draw(st.integers(1, 12)), draw(st.integers(1, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    table = rng.standard_normal((n, d)) * (rng.random((n, d)) < draw(st.sampled_from([0.0, 0.2, 0.7, 1.0])))
    matrix = sp.csr_array(table.astype(draw(st.sampled_from([np.float32, np.float64]))))
    index = draw(st.sampled_from([np.int32, np.int64]))
    matrix.indices, matrix.indptr = matrix.indices.astype(index), matrix.indptr.astype(index)
    return matrix


def ours(matrix: sp.csr_array) -> Csr:
    made = matrix_of(rows_of(matrix))
    assert isinstance(made, Csr)
    return made


def same(found: Csr, expected: Any) -> None:
    expected = sp.csr_array(expected)
    assert found.shape == expected.shape
    assert found.data.dtype == expected.dtype
    for part in ("data", "indices", "indptr"):
        assert getattr(found, part).tolist() == getattr(expected, part).tolist()
    assert (found.toarray() == expected.toarray()).all()


@given(matrices(), st.data())
def test_rows_and_columns_are_those_of_scipy(matrix: sp.csr_array, data: st.DataObject) -> None:
    n, d = matrix.shape
    some = data.draw(st.lists(st.integers(0, n - 1), max_size=2 * n))
    low, high = sorted(data.draw(st.tuples(st.integers(0, n), st.integers(0, n))))
    columns = sorted(data.draw(st.sets(st.integers(0, d - 1), min_size=1)))
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    for key in (np.array(some, dtype=np.int64), some or [0], slice(low, high), slice(None), mask):
        same(ours(matrix)[key], matrix[key])
    same(ours(matrix)[:, columns], matrix[:, columns])
    same(abs(ours(matrix)), abs(matrix))
    same(ours(matrix).astype(np.float64), matrix.astype(np.float64))
    same(stacked([ours(matrix), ours(matrix)[some]]), sp.vstack([matrix, matrix[some]]))
    same(Csr.of(matrix.toarray()), matrix)
    same(pickle.loads(pickle.dumps(ours(matrix))), matrix)  # noqa: S301
    assert ours(matrix).max() == matrix.max()
    assert abs(ours(matrix)).max() == abs(matrix).max()


@given(matrices(), st.integers(1, 3), st.integers(0, 2**32))
def test_products_are_scipys_bit_for_bit(matrix: sp.csr_array, k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    V, A = rng.standard_normal((matrix.shape[1], k)), rng.standard_normal((matrix.shape[0], k))
    X, wide = ours(matrix), matrix.astype(np.float64)
    for found, expected in (
        (X @ V, matrix @ V),
        (X @ V[:, 0], matrix @ V[:, 0]),
        (X.T @ A, matrix.T @ A),
        (X.T @ A[:, 0], matrix.T @ A[:, 0]),
        (gram(X.astype(np.float64)), (wide @ wide.T).toarray()),
        (squared_lengths(X.astype(np.float64)), (wide * wide).sum(axis=1)),
    ):
        assert found.shape == expected.shape
        assert (found == expected).all()


def test_products_are_sums_in_order_rounded_once_a_term() -> None:
    rng = np.random.default_rng(0)
    table = rng.standard_normal((6, 50)) * 10.0 ** rng.integers(-8, 8, (6, 50))
    v = rng.standard_normal(50)
    found = Csr.of(table) @ v
    for i in range(6):
        total = 0.0
        for x, w in zip(table[i].tolist(), v.tolist(), strict=True):
            total = float(Fraction(total) + Fraction(float(Fraction(x) * Fraction(w))))
        assert found[i] == total


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.integers(-9, 9)), max_size=30))
def test_entries_in_any_order_are_sorted_and_added_up(entries: list[tuple[int, int, int]]) -> None:
    row, column, value = np.array(entries, dtype=np.int64).reshape(-1, 3).T
    found = Csr.of_entries(value.astype(np.float64), row, column, (4, 5))
    expected = np.zeros((4, 5))
    np.add.at(expected, (row, column), value)
    assert (found.toarray() == expected).all()
    assert len(set(zip(row.tolist(), column.tolist(), strict=True))) == found.data.size
    rows_of(found)  # the core finds nothing wrong with it


def test_what_was_changed_since_is_refused() -> None:
    matrix = sp.csr_array(np.eye(3))
    X = ours(matrix)
    matrix.indices[1] = 7
    with pytest.raises(InputError, match="sparse matrix: column; expected what it was"):
        X @ np.ones(3)


def test_what_lies_behind_the_last_row_is_passed_over() -> None:
    X = matrix_of(rows_of(Csr(np.array([1.0, 2.0, 9.0]), np.array([0, 1, 0]), np.array([0, 1, 2]), (2, 2))))
    assert X.toarray().tolist() == [[1, 0], [0, 2]]
    assert X.data.size == 2
