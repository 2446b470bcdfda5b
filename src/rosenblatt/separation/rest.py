"""The rest: rows that a direction leaves on its hyperplane, in the columns that still tell them apart.

A hyperplane of the rest makes one of all rows: a direction that is 0 on the rest, and strict on all other rows, can
weigh so much that those stay on their side (`join` in partition.py).
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.examples import Examples
from ..data.rows import matrix_of, rows_of
from .signed_rows import Ints, SignedRows, Vector


class Rest(NamedTuple):
    """Some of the rows, with what they and their columns were called."""

    s: SignedRows
    rows: Ints
    columns: Ints
    width: int
    """How many numbers a vector of all columns has."""

    def widened(self, v: Vector) -> Vector:
        """A vector of the rest, as one of all columns: 0 elsewhere."""
        wide = [Fraction(0)] * self.width
        for j, x in zip([*self.columns.tolist(), -1], v, strict=False):  # the offset is last, if there is one
            wide[j] = x
        return wide


def rest_of(s: SignedRows, left: NDArray[np.bool_], seed: int = 0) -> Rest:
    """These rows. Columns that are constant there say no more than the offset, and those that are 0 nothing."""
    rows = np.flatnonzero(left)
    low0, high0, low1, high1 = _core.column_ranges(s.rows, np.where(left, s.y, 0).astype(np.int8), s.threads)
    low, high = np.minimum(low0, low1), np.maximum(high0, high1)
    columns = np.flatnonzero((low != 0) | (high != 0) if s.origin else low != high)
    if not columns.size:
        columns = np.zeros(1, dtype=np.int64)
    part = Examples(rows_of(matrix_of(s.rows)[rows][:, columns]), s.y[rows], s.examples.classes)
    return Rest(SignedRows(part, s.origin, s.watch, s.threads, seed), rows, columns, s.d)
