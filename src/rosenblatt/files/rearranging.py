"""Rearranging: rows with their columns in another order, some of them left out, dense or in CSR form."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core


def resized(rows: _core.Rows, d: int) -> tuple[_core.Rows, int]:
    """Rows of the first d columns, and how many values not 0 were beyond; sparse rows may have had fewer columns.

    Nothing here is as long as the columns are many: one index in a file may say that they are a billion.
    """
    if not rows.is_sparse:
        table = np.asarray(rows.arrays[0])
        return _core.Rows.dense(np.ascontiguousarray(table[:, :d])), int(np.count_nonzero(table[:, d:]))
    values, columns, starts = (np.asarray(part) for part in rows.arrays)
    used = int(starts[-1])  # the values may go on
    values, columns, beyond = values[:used], columns[:used], 0
    if rows.d > d and not (keep := columns < d).all():
        beyond = int(np.count_nonzero(values[~keep]))
        values, columns = values[keep], columns[keep]
        starts = np.concatenate([[0], np.cumsum(keep)])[starts]
    return _sparse(values, columns, starts, rows.n, d), beyond


def rearranged(rows: _core.Rows, to: NDArray[np.int64], d: int) -> _core.Rows:
    """Rows of d columns: column j goes to column to[j], or nowhere if that is −1."""
    if not rows.is_sparse:
        table = np.asarray(rows.arrays[0])
        from_ = np.flatnonzero(to >= 0)
        if d <= 2 * table.shape[1]:
            if from_.size == d:
                order = np.empty(d, dtype=np.int64)
                order[to[from_]] = from_
                return _core.Rows.dense(np.ascontiguousarray(np.take(table, order, axis=1)))
            wide = np.zeros((rows.n, d), dtype=table.dtype)
            wide[:, to[from_]] = table[:, from_]
            return _core.Rows.dense(wide)
        # Mostly zeros: better in CSR form.
        row, column = np.nonzero(table)
        values, starts = table[row, column], np.searchsorted(row, np.arange(rows.n + 1))
    else:
        values, column, starts = (np.asarray(part) for part in rows.arrays)
        used = int(starts[-1])  # the values may go on
        values, column = values[:used], column[:used]
    goal = to.astype(np.int32)[column]
    keep = goal >= 0
    if not keep.all():
        values, goal = values[keep], goal[keep]
        starts = np.concatenate([[0], np.cumsum(keep)])[starts]
    kept = to[to >= 0]
    if (kept[1:] < kept[:-1]).any():
        row = np.repeat(np.arange(rows.n), np.diff(starts))
        order = np.argsort(row * d + goal) if rows.n * d < 2**63 else np.lexsort((goal, row))
        values, goal = values[order], goal[order]
    return _sparse(values, goal, starts, rows.n, d)


def _sparse(values: NDArray[Any], columns: NDArray[Any], starts: NDArray[Any], n: int, d: int) -> _core.Rows:
    made, flaw, at, value = _core.Rows.sparse(
        np.ascontiguousarray(values), np.ascontiguousarray(columns), np.ascontiguousarray(starts), n, d
    )
    if made is None:
        raise AssertionError(f"{flaw} at row {at}: {value}")
    return made
