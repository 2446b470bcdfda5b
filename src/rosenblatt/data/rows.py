"""Rows: views of arrays and of sparse matrices, and the same numbers back.

Rows stay where they are. A C-ordered float32 or float64 array and a CSR matrix with 32- or 64-bit indices are used in
place; anything else (other number types, another memory order or byte order, unsorted or repeated column indices) is
copied once, here. Whether every value is finite is asked by the core as it reads them.
"""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..choices import LARGEST_EXACT
from ..errors import InputError, shown
from .csr import Csr
from .frames import is_frame, names_of, numbers_of


def rows_of(X: Any) -> _core.Rows:
    """A view of X for the core. Raises `InputError` for what is not a table of numbers."""
    if isinstance(X, _core.Rows):
        return X
    if isinstance(own := getattr(X, "rows", None), _core.Rows):  # Examples, or a sheet
        return own
    if hasattr(X, "tocsr"):
        return _sparse(X)
    if hasattr(X, "__dask_graph__"):  # NumPy would gather them all, without a word
        raise InputError(
            "rows of a Dask collection, which may not fit here: cluster.sharded(client, X, y) leaves them where they"
            " are, and X.compute() brings them"
        )
    if is_masked(X):
        row, column = np.argwhere(np.ma.getmaskarray(X))[0][:2]
        raise InputError(f"row {row}, column {column}: masked; fill missing values first")
    try:
        numbers = numbers_of(X) if is_frame(X) else None
        table = np.asarray(X) if numbers is None else numbers
    except ValueError as error:
        raise InputError(f"rows must form a table of numbers: {error}") from None
    if table.ndim == 0:
        raise InputError(f"rows must form a table (n, d) of numbers, not {shown(X)}")
    if table.ndim != 2:
        hint = "; reshape(-1, 1) makes a column of one feature" if table.ndim == 1 else ""
        raise InputError(f"rows must form a table (n, d), not an array of {table.ndim} dimension(s){hint}")
    _check_shape(*table.shape)
    return _core.Rows.dense(_numbers(table, names_of(X)))


def matrix_of(rows: _core.Rows) -> Any:
    """The rows again as an array or in CSR form, on the same memory."""
    if not rows.is_sparse:
        return rows.arrays[0]
    values, columns, starts = (np.asarray(part) for part in rows.arrays)
    used = int(starts[-1])  # it may end before the values do
    return Csr(values[:used], columns[:used], starts, (rows.n, rows.d))


def is_masked(values: Any) -> bool:
    """Whether it is a masked array with something masked; numpy.ma is not imported to find out."""
    asked = getattr(sys.modules.get("numpy.ma"), "is_masked", None)  # another thread may be importing it
    return asked is not None and bool(asked(values))


def _check_shape(n: int, d: int) -> None:
    if n == 0:
        raise InputError("no rows: at least one is needed")
    if d == 0:
        raise InputError("no features: at least one column is needed")


def _numbers(values: NDArray[Any], names: Any = None) -> NDArray[Any]:
    """The same numbers as aligned, C-ordered, native float32 or float64; the same array where it is that already."""
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind not in "fiub":
        raise InputError(f"values of type {values.dtype}: expected real numbers{_first_not_a_number(values, names)}")
    check_exact(values)
    if kind == "f" and size > 8 and not (values.astype(np.float64).astype(values.dtype) == values).all():
        raise InputError(f"values of type {values.dtype} that float64 does not hold: convert them yourself")
    keep = kind == "f" and size in (4, 8)
    dtype = values.dtype.newbyteorder("=") if keep else np.dtype(np.float64)
    return np.require(values, dtype, ["C_CONTIGUOUS", "ALIGNED"])


def check_exact(values: NDArray[Any]) -> None:
    """Raise `InputError` for whole numbers that float64 would round."""
    wide = values.dtype.kind in "iu" and values.dtype.itemsize == 8 and values.size
    if wide and max(-int(values.min()), int(values.max())) > LARGEST_EXACT:
        raise InputError("integers beyond 2**53 are not exact as float64: scale them, or convert them yourself")


def _first_not_a_number(values: NDArray[Any], names: Any) -> str:
    """Where the trouble is, in words: the first column that does not convert, or how to convert them all."""
    for j in range(values.shape[1] if values.ndim == 2 and values.dtype.kind == "O" else 0):
        try:
            values[:, j].astype(np.float64)
        except (TypeError, ValueError):
            return f"; column {j if names is None else repr(str(names[j]))} holds something else"
    return "; astype(float) converts those that are" if values.dtype.kind == "O" else ""


def _sparse(X: Any) -> _core.Rows:
    if getattr(X, "ndim", 2) != 2:
        raise InputError(f"rows must form a table (n, d), not a sparse array of {X.ndim} dimension(s)")
    _check_shape(*X.shape)
    X = _as_csr(X)
    parts = [np.asarray(part) for part in (X.data, X.indices, X.indptr)]
    if any(part.ndim != 1 for part in parts):
        raise InputError("sparse matrix: data, indices and indptr must be one-dimensional")
    if any(part.dtype.kind not in "iu" for part in parts[1:]):
        raise InputError("sparse matrix: indices and indptr must be integers")
    values, (columns, starts) = _numbers(parts[0]), (_indices(part) for part in parts[1:])
    if values.size != columns.size:
        raise InputError(f"sparse matrix: {values.size} values but {columns.size} indices")
    rows, flaw, row, value = _core.Rows.sparse(values, columns, starts, *X.shape)
    if flaw == "unsorted":
        # Lengths and norms need each feature once; the copy below has them sorted and summed.
        owners = np.repeat(np.arange(X.shape[0]), np.diff(starts))
        clean = Csr.of_entries(values[: starts[-1]], owners, columns[: starts[-1]], X.shape)
        rows, flaw, row, value = _core.Rows.sparse(clean.data, clean.indices, clean.indptr, *X.shape)
    if rows is None:
        n, d = X.shape
        raise InputError(
            "sparse matrix: "
            + {
                "length of indptr": f"indptr has {value} entries, expected {n + 1} for {n} rows",
                "first indptr": f"indptr starts at {value}, expected 0",
                "falling indptr": f"indptr falls to {value} after row {row}; it must never fall",
                "last indptr": f"indptr ends at {value}, but only {values.size} values are stored",
                "column": f"row {row} names column {value}, expected 0 to {d - 1}",
            }.get(flaw, "its indices were changed while they were read")
        )
    return rows


def _as_csr(X: Any) -> Any:
    """X in CSR form. SciPy converts without looking at the indices, so those of other forms are looked at first."""
    if X.format == "csr":
        return X
    try:
        if hasattr(X, "check_format"):
            X.check_format(full_check=True)
        if X.format == "coo":
            for indices, size in zip(X.coords, X.shape, strict=True):
                if indices.size and not 0 <= int(indices.min()) <= int(indices.max()) < size:
                    raise ValueError(f"an index is not within 0 to {size - 1}")
    except ValueError as error:
        raise InputError(f"sparse matrix: {error}") from None
    return X.tocsr()


def _indices(part: NDArray[Any]) -> NDArray[Any]:
    dtype = np.int32 if part.dtype.itemsize <= 4 and part.dtype != np.uint32 else np.int64
    return np.require(part, dtype, ["C_CONTIGUOUS", "ALIGNED"])


def not_finite(row: int, column: int, names: Sequence[str] | None = None) -> InputError:
    """The error for a value that the core found to be NaN or infinite."""
    named = f" ({names[column]})" if names is not None else ""
    return InputError(f"row {row}, column {column}{named}: not a finite number; remove or fill NaN and infinity first")
