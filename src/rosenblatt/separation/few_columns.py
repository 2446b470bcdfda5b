"""Rows that live in few columns: where a wide table has its shortest witnesses.

Whatever no hyperplane separates among some of the rows, none separates among all. With the columns in the order of how
many rows they occur in, some rows are 0 beyond the first D: among texts, those of frequent words alone. If they are
more than about 2·D, they can hardly be separated (Cover 1965), unless there is a reason; and a linear program of D
columns is a small one.
"""

from collections.abc import Iterator

import numpy as np

from .signed_rows import Ints, SignedRows

_FIRST = 32  # columns to begin with
_SOME = 1000  # dense rows that tell whether many of the numbers are 0
_DENSE = 2**22  # numbers of dense rows that are looked at at a time


def in_few_columns(s: SignedRows) -> Iterator[tuple[int, Ints]]:
    """D = 32, 64, … below all columns, and the rows that are 0 beyond the first D, where they are more than twice D."""
    if not s.rows.is_sparse and np.count_nonzero(s.matrix[:_SOME]) > s.matrix[:_SOME].size / 2:
        return
    last = _last_places(s)
    D = _FIRST
    while s.d >= 2 * D:
        rows = np.flatnonzero(last < D)
        if rows.size > 2 * D and np.unique(s.y[rows]).size == 2:
            yield D, rows
        D *= 2


def _last_places(s: SignedRows) -> Ints:
    """Of each row the last place of a column in use, counted from the most frequent; −1 of a row of zeros."""
    d = s.examples.n_columns
    often = np.zeros(d, dtype=np.int64)
    for _, columns in _entries(s):
        often += np.bincount(columns, minlength=d)
    place = np.empty(d, dtype=np.int64)
    place[np.argsort(-often, kind="stable")] = np.arange(d)
    last = np.full(s.n, -1, dtype=np.int64)
    for rows, columns in _entries(s):
        np.maximum.at(last, rows, place[columns])
    return last


def _entries(s: SignedRows) -> Iterator[tuple[Ints, Ints]]:
    """Rows and columns of the entries that are not 0, some at a time."""
    if s.rows.is_sparse:
        values, columns, starts = (np.asarray(part) for part in s.rows.arrays)
        used = int(starts[-1])
        rows, keep = np.repeat(np.arange(s.n), np.diff(starts)), values[:used] != 0
        yield rows[keep], columns[:used][keep].astype(np.int64)
        return
    step = max(1, _DENSE // s.d)
    for first in range(0, s.n, step):
        s.seconds_left()
        rows, columns = np.nonzero(s.matrix[first : first + step])
        yield rows + first, columns
