"""Wide sparse rows without the columns that are zero throughout: those change nothing, and there may be millions.

What is searched, and what is worked out of a hyperplane in exact numbers, costs in proportion to the columns in use. A
vector of the search has a place for every column all the same, so that nobody need know; `SearchResult.columns` names
those that may hold a weight.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..data.csr import Csr
from ..data.examples import Examples
from ..data.rows import matrix_of, rows_of
from .signed_rows import Ints, Vector

_MANY = 200  # columns from which on it is worth a pass


class Narrow(NamedTuple):
    """The same rows in the columns in use."""

    examples: Examples
    columns: Ints
    """Of these, what they were called."""
    width: int
    """How many there were."""

    def widened(self, v: Sequence[Fraction]) -> Vector:
        """A vector of the narrow rows, (w, b) or w alone, as one of the wide ones: 0 elsewhere."""
        wide = [Fraction(0)] * self.width  # one and the same zero
        for j, x in zip(self.columns.tolist(), v, strict=False):
            wide[j] = x
        return wide + list(v[self.columns.size :])

    def of(self, wide: Sequence[Fraction]) -> Vector:
        """The other way round."""
        return [wide[j] for j in self.columns.tolist()] + list(wide[self.width :])


def narrowed(examples: Examples) -> Narrow | None:
    """Sparse rows of many columns, if most of them are zero throughout; else None.

    >>> import scipy.sparse as sp
    >>> wide = Examples.of(sp.csr_array(([1.0, 2.0], [7, 900], [0, 1, 2]), shape=(2, 1000)), [1, -1])
    >>> found = narrowed(wide)
    >>> found.columns.tolist(), matrix_of(found.examples.rows).toarray().tolist(), len(found.widened([1, 2, 5]))
    ([7, 900], [[1.0, 0.0], [0.0, 2.0]], 1001)
    """
    d = examples.n_columns
    if not examples.rows.is_sparse or d < _MANY:
        return None
    matrix = matrix_of(examples.rows)
    values, columns, starts = matrix.data, matrix.indices, matrix.indptr
    if not (filled := values != 0).all():
        starts = np.concatenate([[0], np.cumsum(filled)])[starts]
        values, columns = values[filled], columns[filled]
    in_use = np.zeros(d, dtype=bool)
    in_use[columns] = True
    used = np.flatnonzero(in_use)
    if not 0 < used.size < d / 2:
        return None
    place = np.empty(d, dtype=columns.dtype)
    place[used] = np.arange(used.size)
    narrow = Csr(values, place[columns], starts.astype(matrix.indptr.dtype), (examples.n_rows, used.size))
    return Narrow(Examples(rows_of(narrow), examples.labels, examples.classes), used, d)
