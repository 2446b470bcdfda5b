"""The same rows without the columns that are zero throughout (narrow.py), and relations between columns there and here.

Of wide sparse rows the columns that are not in use are dropped by definition. What is asked of the others costs in
proportion to those alone.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from .narrow import Narrow, narrowed
from .partition import SearchResult
from .relations import ColumnSum
from .signed_rows import Ints, SignedRows

Sums = Mapping[int, ColumnSum]


class InUse:
    """Rows in the columns in use, and the numbers of these."""

    def __init__(self, s: SignedRows, narrow: Narrow) -> None:
        self.rows, self.narrow = SignedRows(narrow.examples, s.origin, s.watch, s.threads), narrow
        self.names = narrow.columns.tolist() + ([] if s.origin else [s.d - 1])
        self._place = {j: at for at, j in enumerate(self.names)}

    @property
    def unused(self) -> Ints:
        """The columns that are zero throughout."""
        return np.setdiff1d(np.arange(self.narrow.width), self.narrow.columns)

    def wide(self, sums: Sums) -> dict[int, ColumnSum]:
        """Relations by the numbers of all columns."""
        return {self.names[j]: {self.names[i]: x for i, x in one.items()} for j, one in sums.items()}

    def of(self, sums: Sums) -> dict[int, ColumnSum]:
        """The other way round, without those of columns that are not in use."""
        return {
            self._place[j]: {self._place[i]: x for i, x in one.items()} for j, one in sums.items() if j in self._place
        }

    def result(self, found: SearchResult) -> SearchResult:
        """What a search found, of the columns in use."""
        return found if found.v is None else replace(found, v=self.narrow.of(found.v), columns=None)


def in_use(s: SignedRows) -> InUse | None:
    """Wide sparse rows in the columns in use; None where most are."""
    narrow = narrowed(s.examples)
    return None if narrow is None else InUse(s, narrow)
