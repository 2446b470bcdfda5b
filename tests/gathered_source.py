"""A source that is not in memory at once, as far as anybody can tell: rows in pieces, never the whole matrix."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt.data.rows import rows_of
from rosenblatt.data.source import CHUNK, Source, TakenRows, Visit
from rosenblatt.data.two_classes import labelled

BLOCK = 16  # rows of a piece, as the shuffled order deals them


class GatheredSource(Source):
    """Blocks of 16 rows apart from each other; what is taken is a copy of some, and at most one chunk of them."""

    def __init__(self, X: Any, y: Any, feature_names: tuple[str, ...] | None = None) -> None:
        examples = labelled(X, y, feature_names)
        self.classes, self.feature_names = examples.classes, examples.feature_names
        self.shape, self.sparse = (examples.n_rows, examples.n_columns), examples.is_sparse
        spans = [slice(i, i + BLOCK) for i in range(0, examples.n_rows, BLOCK)]
        self.blocks = [X[span].copy() for span in spans]
        self.labels = [examples.labels[span].copy() for span in spans]
        self.takes = 0

    @property
    def n_rows(self) -> int:
        return self.shape[0]

    @property
    def n_columns(self) -> int:
        return self.shape[1]

    @property
    def is_sparse(self) -> bool:
        return self.sparse

    def gather(self, numbers: np.ndarray) -> TakenRows:
        self.takes += 1
        assert len(numbers) < self.n_rows
        needed, at = np.unique(numbers // BLOCK, return_inverse=True)
        places = at.reshape(-1) * BLOCK + numbers % BLOCK
        rows = self._stack([self.blocks[block] for block in needed])[places]
        labels = np.concatenate([self.labels[block] for block in needed])[places]
        return TakenRows(rows_of(rows), labels, numbers=np.ascontiguousarray(numbers))

    def take(self, visit: Visit) -> TakenRows:
        """As the rows come, a copy of the chunk; in another order, gathered."""
        assert visit.chunks.size == 1
        if visit.order is not None:
            return self.gather(visit.order)
        first = int(visit.chunks[0]) * CHUNK
        some = slice(first // BLOCK, (first + CHUNK) // BLOCK)
        rows = rows_of(self._stack(self.blocks[some]))
        return TakenRows(rows, np.concatenate(self.labels[some]), first_row=first)

    def _stack(self, blocks: list[Any]) -> Any:
        return sp.vstack(blocks, format="csr") if self.sparse else np.concatenate(blocks)
