"""Portion: the rows of one shard out of a source that holds all of them, such as a file that every worker can open."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from ..data.ahead import ahead
from ..data.source import CHUNK, Answer, Ints, Labels, Source, TakenRows, Visit, Wrapped
from .cut import Cut


class Portion(Wrapped):
    """The rows of a shard, numbered from 0."""

    def __init__(self, source: Source, cut: Cut, shard: int) -> None:
        super().__init__(source)
        self.cut, self.shard, self.size = cut, shard, cut.sizes()[shard]
        self._digests = dict[bool, int]()
        self.first = int(cut.numbers(shard, np.zeros(1, np.int64))[0])

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return self.size

    @property
    def original(self) -> "Portion":
        """Itself: the source has other rows, too."""
        return self

    def gather(self, numbers: Ints) -> TakenRows:
        """The rows of these numbers, in this order."""
        found = self.source.gather(np.ascontiguousarray(self.cut.numbers(self.shard, numbers)))
        return replace(found, numbers=numbers)

    def take(self, visit: Visit) -> TakenRows:
        """The rows of a visit: chunks that lie behind each other in the source as they lie there."""
        chunks = visit.chunks
        if visit.order is not None or not self.cut.aligned or not chunks.size or not (np.diff(chunks) == 1).all():
            return self.gather(np.ascontiguousarray(visit.numbers(self.n_rows)))
        found = self.source.take(Visit(chunks + self.first // CHUNK, None))
        if found.numbers is not None:
            return replace(found, numbers=found.numbers - self.first)
        return replace(found, first_row=found.first_row - self.first)

    def scan(self, question: Callable[[TakenRows], Answer]) -> Iterator[Answer]:
        """Some chunks after the other; the next ones are read meanwhile."""
        chunks, some = -(-self.n_rows // CHUNK), self.chunks_together
        visits = (Visit(np.arange(first, min(chunks, first + some)), None) for first in range(0, chunks, some))
        for _, taken in ahead(visits, self.take):
            yield question(taken)

    def labels_of(self, numbers: Ints) -> Labels:
        """The labels of the rows of these numbers."""
        return self.source.labels_of(np.ascontiguousarray(self.cut.numbers(self.shard, numbers)))

    def lines_of(self, numbers: Ints) -> Ints | None:
        """The lines of rows in their file, if they have some."""
        lines_of = getattr(self.source, "lines_of", None)
        found: Ints | None = None
        if lines_of is not None:
            found = lines_of(np.ascontiguousarray(self.cut.numbers(self.shard, numbers)))
        return found

    def against_rest(self, *given: Any) -> "Portion":
        """One class against all others."""
        source: Any = self.source
        return Portion(source.against_rest(*given), self.cut, self.shard)

    def label_parts(self) -> Iterator[Labels]:
        """All labels in order, some at a time."""
        for first in range(0, self.n_rows, 16 * CHUNK):
            yield self.labels_of(np.arange(first, min(self.n_rows, first + 16 * CHUNK)))

    def digest(self, *, every_row: bool = False) -> int:
        """Of these rows alone. Asked for once: they are those of a file, which does not change."""
        if every_row not in self._digests:
            self._digests[every_row] = Source.digest(self, every_row=every_row)
        return self._digests[every_row]
