"""Rows in CSR form, and the few things that are asked of them; names mean what they mean in SciPy, which is not needed.

Whoever has SciPy gives its sparse matrices, and `rows.rows_of` checks their parts. What is made of them here is a
`Csr`: rows and columns can be chosen, and products are the plain sums of src/core/products.hpp.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError

if TYPE_CHECKING:
    from .. import _core

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Csr:
    """Row i has the values data[a:b] in the columns indices[a:b], rising, for a, b = indptr[i], indptr[i + 1].

    `scipy.sparse.csr_array((X.data, X.indices, X.indptr), shape=X.shape)` is the same for SciPy.

    >>> X = Csr(np.array([5.0, 6.0]), np.array([2, 0]), np.array([0, 1, 2]), (2, 3))
    >>> X[[1, 0]].toarray().tolist(), (X @ np.array([1.0, 1.0, 2.0])).tolist()
    ([[6.0, 0.0, 0.0], [0.0, 0.0, 5.0]], [10.0, 6.0])
    """

    data: NDArray[Any]
    indices: NDArray[Any]
    indptr: NDArray[Any]
    shape: tuple[int, int]
    format = "csr"

    @classmethod
    def of_entries(cls, values: NDArray[Any], row: NDArray[Any], column: NDArray[Any], shape: tuple[int, int]) -> "Csr":
        """From entries in any order; those in the same place are added up."""
        order = np.lexsort((column, row))
        values, row, column = values[order], row[order].astype(np.int64), column[order]
        first = np.ones(row.size, dtype=bool)
        first[1:] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
        if not first.all() and values.dtype.kind in "fiub":
            wide = values if values.dtype.kind == "f" else values.astype(np.int64)
            values = np.add.reduceat(wide, np.flatnonzero(first))
            row, column = row[first], column[first]
        return cls(values, column, _starts(np.bincount(row, minlength=shape[0])), shape)

    @classmethod
    def of(cls, table: NDArray[Any]) -> "Csr":
        """What is not 0 in a table."""
        row, column = np.nonzero(table)
        return cls.of_entries(table[row, column], row, column, table.shape)

    def __reduce__(self) -> tuple[Any, ...]:
        return Csr, (self.data, self.indices, self.indptr, self.shape)

    def tocsr(self) -> "Csr":
        """It is."""
        return self

    def toarray(self) -> NDArray[Any]:
        """The same numbers in a table."""
        table = np.zeros(self.shape, dtype=self.data.dtype)
        table[self._owners, self.indices] = self.data
        return table

    def astype(self, dtype: Any) -> "Csr":
        """The same with values of another type."""
        return replace(self, data=self.data.astype(dtype, copy=False))

    def __abs__(self) -> "Csr":
        return replace(self, data=np.abs(self.data))

    def max(self) -> float:
        """The largest entry, be it a 0 that is not stored."""
        full = self.data.size == self.shape[0] * self.shape[1]
        return float(self.data.max() if full else self.data.max(initial=0))

    def __getitem__(self, key: Any) -> "Csr":
        """Rows by number, `X[rows]`, or columns, `X[:, columns]`, these in rising order."""
        if isinstance(key, tuple):
            assert key[0] == slice(None)
            return self._columns(np.asarray(key[1], dtype=np.int64))
        if isinstance(key, slice):
            first, last, step = key.indices(self.shape[0])
            assert step == 1
            starts = self.indptr[first : max(first, last) + 1].astype(np.int64)
            which: Any = slice(int(starts[0]), int(starts[-1]))
            starts = starts - starts[0]
        else:
            rows = np.asarray(key)
            rows = np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.int64)
            begin = self.indptr[rows].astype(np.int64)
            lengths = self.indptr[rows + 1] - begin
            starts = _starts(lengths)
            which = np.repeat(begin - starts[:-1], lengths) + np.arange(starts[-1])
        return Csr(self.data[which], self.indices[which], starts, (starts.size - 1, self.shape[1]))

    def _columns(self, columns: NDArray[np.int64]) -> "Csr":
        if not columns.size:
            return Csr(self.data[:0], self.indices[:0], np.zeros_like(self.indptr), (self.shape[0], 0))
        at = np.minimum(np.searchsorted(columns, self.indices), columns.size - 1)
        kept = columns[at] == self.indices
        starts = _starts(np.bincount(self._owners[kept], minlength=self.shape[0]))
        return Csr(self.data[kept], at[kept], starts, (self.shape[0], columns.size))

    def __matmul__(self, v: Any) -> Floats:
        from .. import _core

        return _shaped(_core.product(self._view, _table(v)), v)

    @property
    def T(self) -> "Transposed":  # noqa: N802  # as SciPy and NumPy call it
        """The transpose, for products."""
        return Transposed(self)

    @cached_property
    def _owners(self) -> NDArray[np.int64]:
        """The row of each value."""
        return np.repeat(np.arange(self.shape[0]), np.diff(self.indptr))

    @cached_property
    def _view(self) -> "_core.Rows":
        from .. import _core

        rows, flaw, *_ = _core.Rows.sparse(self.data, self.indices, self.indptr, *self.shape)
        if rows is None:
            raise InputError(f"sparse matrix: {flaw}; expected what it was when it was first looked at")
        return rows


@dataclass(frozen=True)
class Transposed:
    """The transpose of rows in CSR form."""

    rows: Csr

    def __matmul__(self, a: Any) -> Floats:
        from .. import _core

        return _shaped(_core.combination(self.rows._view, _table(a)), a)


def gram(X: Any) -> Floats:
    """X·Xᵀ of an array, or of rows in CSR form."""
    if not isinstance(X, Csr):
        return np.asarray(X @ X.T, dtype=np.float64)
    from .. import _core

    return np.asarray(_core.gram(X._view))


def squared_lengths(X: Any) -> Floats:
    """‖x‖² of each row of an array, or of rows in CSR form."""
    if not isinstance(X, Csr):
        return np.asarray((X * X).sum(axis=1))
    found = np.zeros(X.shape[0])
    filled = np.flatnonzero(np.diff(X.indptr))
    if filled.size:
        found[filled] = np.add.reduceat(X.data * X.data, X.indptr[filled])
    return found


def stacked(parts: Sequence[Csr]) -> Csr:
    """The rows of one after those of the other."""
    starts = _starts(np.concatenate([np.diff(part.indptr) for part in parts]))
    data, indices = (np.concatenate([getattr(part, name) for part in parts]) for name in ("data", "indices"))
    return Csr(data, indices, starts, (starts.size - 1, parts[0].shape[1]))


def _starts(lengths: NDArray[Any]) -> NDArray[np.int64]:
    starts = np.zeros(lengths.size + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def _table(v: Any) -> Floats:
    table = np.asarray(v, dtype=np.float64)
    return np.ascontiguousarray(table[:, None] if table.ndim == 1 else table)


def _shaped(found: Floats, v: Any) -> Floats:
    return found[:, 0] if np.ndim(v) == 1 else found
