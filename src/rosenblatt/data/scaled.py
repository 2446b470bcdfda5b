"""Scaled: a source whose rows come scaled. Some chunks of them at a time; the whole is never copied."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from .. import _core
from .scaling import Scaling
from .source import CHUNK, Answer, Ints, Source, TakenRows, Visit, Wrapped, take_checked

_ENTRIES = 2**17
"""Entries that are scaled at a time, if a chunk has fewer: a megabyte stays in the cache until it is learnt from."""


def scaled_rows(source: Source, scaling: Scaling) -> Source:
    """The rows of a source under a scale, wherever they are."""
    return source.viewed(partial(Scaled, scaling=scaling))


class Scaled(Wrapped):
    """The rows of a source under a scale, in float64. Labels, weights and the digest are the source's own."""

    def __init__(self, source: Source, scaling: Scaling) -> None:
        super().__init__(source)
        self.scaling: Scaling = scaling
        if source.in_memory:
            self.chunks_together = _together(source)

    @property
    def unweighted(self) -> Source:
        """The same rows, scaled, without sample weights."""
        return Scaled(self.source.unweighted, self.scaling)

    def gather(self, numbers: Ints) -> TakenRows:
        """The rows of these numbers, scaled."""
        taken = self.source.gather(numbers)
        return replace(taken, rows=self._scaled(taken.rows, 0, taken.rows.n))

    def take(self, visit: Visit) -> TakenRows:
        """The rows of a visit, scaled: of a view of all rows, those alone."""
        taken = take_checked(self.source, visit)
        if not self.source.in_memory or taken.numbers is not None:
            return replace(taken, rows=self._scaled(taken.rows, 0, taken.rows.n))
        chunks = visit.chunks
        if visit.order is None and chunks.size and (np.diff(chunks) == 1).all():
            first = int(chunks[0]) * CHUNK
            end = min(self.n_rows, (int(chunks[-1]) + 1) * CHUNK)
            part = slice(first - taken.first_row, end - taken.first_row)
            rows = self._scaled(taken.rows, part.start, end - first)
            weight = None if taken.weight is None else taken.weight[part]
            return TakenRows(rows, taken.labels[part], weight, first)
        numbers = np.ascontiguousarray(visit.numbers(self.n_rows))
        places = numbers - taken.first_row
        weight = None if taken.weight is None else taken.weight[places]
        return TakenRows(self._scaled(taken.rows, 0, 0, places), taken.labels[places], weight, numbers=numbers)

    def _scaled(self, rows: _core.Rows, first: int, n: int, places: Ints | None = None) -> _core.Rows:
        return self.scaling.scaled(rows, first, n, places)

    def scan(self, question: Callable[[TakenRows], Answer]) -> Iterator[Answer]:
        """Some chunks after the other."""
        chunks, some = -(-self.n_rows // CHUNK), self.chunks_together
        for first in range(0, chunks, some):
            yield question(take_checked(self, Visit(np.arange(first, min(chunks, first + some)), None)))


def _together(source: Source) -> int:
    """How many chunks of a source in memory are scaled together: many, if its rows are short."""
    taken = source.take(Visit(np.array([0]), None)).rows
    width = taken.arrays[0].size / max(1, taken.n)
    return max(1, min(64, int(_ENTRIES / (CHUNK * max(1.0, width)))))
