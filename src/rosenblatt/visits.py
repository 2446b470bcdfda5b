"""Visits: in which order an epoch meets the rows.

Rows are met in chunks of 4,096. `cyclic` takes them as they come. `shuffled` deals them anew for every epoch: blocks of
16 rows are permuted, 256 of them make a chunk, and the rows within each chunk are permuted. It is a pure function of
(seed, epoch): nothing to save, and the same bytes on every machine. (Whole chunks in random order would be faster still
by a little, but rows often come sorted by their class, and then every chunk would be of one class.)

A third order, `active` (any misclassified row next, chosen well), would not be a permutation known beforehand: it is a
driver of its own around the core's `advance`, handing it visits of its choosing (some rows of a chunk, in any order,
more than once) in place of those below.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core

CHUNK: int = _core.CHUNK
_TOGETHER = 64  # chunks shuffled in one go: a megabyte of row numbers


class Visit(NamedTuple):
    """Chunks in the order to be met, and the numbers of their rows, chunk after chunk (None: as they come)."""

    chunks: NDArray[np.int64]
    order: NDArray[np.int64] | None

    def after(self, done: int, n_rows: int) -> "Visit":
        """What is left once the first `done` chunks are finished."""
        met = int(_sizes(self.chunks[:done], n_rows).sum())
        return Visit(self.chunks[done:], None if self.order is None else self.order[met:])


def visits(order: str, seed: int, epoch: int, n_rows: int, met: int = 0) -> Iterator[Visit]:
    """The visits of one epoch (counted from 1), without the chunks that its first `met` rows have finished."""
    chunks = np.arange(met // CHUNK if met < n_rows else -(-n_rows // CHUNK), -(-n_rows // CHUNK))
    if order == "cyclic":
        yield Visit(chunks, None)
        return
    blocks = _core.block_order(seed, epoch, n_rows)
    for first in range(0, chunks.size, _TOGETHER):
        some = chunks[first : first + _TOGETHER]
        yield Visit(some, _core.row_orders(seed, epoch, some, blocks, n_rows))


def row_order(order: str, seed: int, epoch: int, n_rows: int) -> NDArray[np.int64]:
    """The numbers of the rows in the order that an epoch meets them.

    >>> row_order("cyclic", 0, 1, 4).tolist()
    [0, 1, 2, 3]
    >>> sorted(row_order("shuffled", 0, 1, 10_000).tolist()) == list(range(10_000))
    True
    """
    met = []
    for visit in visits(order, seed, epoch, n_rows):
        for place in range(visit.chunks.size):
            chunk = visit.after(place, n_rows)
            size = int(_sizes(chunk.chunks[:1], n_rows)[0])
            met.append(chunk.chunks[0] * CHUNK + np.arange(size) if chunk.order is None else chunk.order[:size])
    return np.concatenate(met)


def _sizes(chunks: NDArray[np.int64], n_rows: int) -> NDArray[np.int64]:
    return np.minimum(CHUNK, n_rows - chunks * CHUNK)
