"""Rows z of wide tables: in CSR form where the data are sparse, and narrowed to the columns in which they are not 0.

Some hundred rows of a sparse table with tens of thousands of columns are mostly zeros: nothing here makes a table of
them in full.
"""

import numpy as np
from numpy.typing import NDArray

from ..data.csr import Csr
from .lp import column_scale, scaled
from .signed_rows import Floats, Ints, SignedRows


def signed_rows(s: SignedRows, which: Ints) -> Floats | Csr:
    """The rows z of these numbers; of sparse data in CSR form, without zeros that are stored."""
    if not s.rows.is_sparse:
        return s.z(which)
    X = s.matrix[which]
    row = np.repeat(np.arange(which.size), np.diff(X.indptr))
    used = X.data != 0
    values, row, column = X.data[used].astype(np.float64), row[used], X.indices[used].astype(np.int64)
    if not s.origin:
        values = np.append(values, np.ones(which.size))
        row, column = np.append(row, np.arange(which.size)), np.append(column, np.full(which.size, s.d - 1))
    return Csr.of_entries(values * s.y[which][row], row, column, (which.size, s.d))


def in_columns_used(s: SignedRows, which: Ints) -> tuple[Floats, Ints]:
    """The rows z in the columns where one of them is not 0, and these columns."""
    rows = signed_rows(s, which)
    columns = np.unique(rows.indices) if isinstance(rows, Csr) else np.flatnonzero(rows.any(axis=0))
    part = rows[:, columns]
    return (part.toarray() if isinstance(part, Csr) else part), columns.astype(np.int64)


def scale_of(rows: Floats | Csr) -> NDArray[np.int64]:
    """The power of two of each column's largest entry."""
    if not isinstance(rows, Csr):
        return column_scale(rows)
    found = np.full(rows.shape[1], np.iinfo(np.int64).min)
    np.maximum.at(found, rows.indices, np.frexp(rows.data)[1].astype(np.int64))
    return np.where(found == np.iinfo(np.int64).min, 0, found)


def scaled_rows(rows: Floats | Csr, scale: NDArray[np.int64]) -> Floats | Csr:
    """Columns times 2^-scale, then each row times the power of two that makes its largest entry about 1."""
    if not isinstance(rows, Csr):
        return scaled(rows, scale)
    mantissas, exponents = np.frexp(rows.data)
    powers = exponents - scale[rows.indices]
    filled = np.flatnonzero(np.diff(rows.indptr))
    largest = np.zeros(rows.shape[0], dtype=np.int64)
    if filled.size:
        largest[filled] = np.maximum.reduceat(powers, rows.indptr[filled])
    powers = powers - np.repeat(largest, np.diff(rows.indptr))
    values = np.ldexp(mantissas, np.maximum(powers, -2000).astype(np.int32))
    return Csr(values, rows.indices, rows.indptr, rows.shape)
