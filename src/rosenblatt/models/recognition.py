"""Recognition: whether rows are those that a model learnt from; being right on them is no feat.

They are known by their number and a digest of all labels and of some rows (src/core/digest.hpp), which wants the labels
before the rows. So of rows that come in parts those that it looks at are kept, a few hundred, spread evenly, until all
labels have come; if they are more than 32 MB, nothing is recognised.
"""

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.rows import matrix_of, rows_of
from ..data.source import TakenRows
from .model import Model

_MOST_BYTES = 2**25


class Recognition:
    """Rows are added part by part, in their order."""

    def __init__(self, model: Model) -> None:
        known = model.provenance
        self._wanted, self._rows, self._classes = known.get("digest"), int(known.get("rows", 0)), model.classes.size
        self._possible = self._rows > 0 and self._wanted is not None
        self._digest = _core.Digest(self._rows, model.n_features_in_)
        self._kept: list[TakenRows] = []
        self._seen, self._bytes = 0, 0

    def add(self, rows: _core.Rows, codes: NDArray[np.int64]) -> None:
        """More rows, and which class of the model each has; a number beyond them means that it has none."""
        first, self._seen = self._seen, self._seen + int(rows.n)
        self._possible = self._possible and self._seen <= self._rows and bool((codes < self._classes).all())
        if not self._possible:
            self._kept = []
            return
        two = self._classes == 2
        self._digest.add_labels((2 * codes - 1).astype(np.int8) if two else codes.astype(np.int32))
        every = self._digest.every(False)
        places = np.arange(-first % every, rows.n, every)
        if places.size:
            some = rows_of(matrix_of(rows)[places])
            self._bytes += sum(np.asarray(part).nbytes for part in some.arrays)
            self._possible = self._bytes <= _MOST_BYTES
            self._kept.append(TakenRows(some, np.zeros(places.size, np.int8), numbers=first + places))

    def recognised(self) -> bool:
        """Whether these were all of the rows that the model learnt from, and no others."""
        if not self._possible or self._seen != self._rows:
            return False
        kept, self._kept = self._kept, []
        for taken in kept:
            self._digest.add_rows(taken.core, False)
        return bool(self._digest.value == self._wanted)
