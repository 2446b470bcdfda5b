"""Source: whatever can be asked for rows. Learning asks a source, and nobody else.

A source knows its rows, columns and classes. It gives the rows of a visit (`take`), rows by number (`gather`), and runs
a read-only question over all rows, chunk after chunk (`scan`). `Examples` is the one in memory: it gives views, and a
scan is one question about everything at once. A source elsewhere gives buffers, one chunk at a time: the shuffled order
deals blocks of 16 rows from all over, so such a buffer comes with the number of each of its rows.

A chunk is CHUNK rows, whatever the source, so every sum is made in the same order: not a bit depends on where the rows
are. Sample weights belong to the source of a run: `Weighted` adds them to any, as `Scaled` (scaled.py) adds a scale.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..errors import InputError
from .ahead import ahead
from .rows import matrix_of

CHUNK: int = _core.CHUNK
"""Rows of a chunk."""

Ints = NDArray[np.int64]
Labels = NDArray[np.int8] | NDArray[np.int32]
Answer = TypeVar("Answer")


class Visit(NamedTuple):
    """Chunks in the order to be met, and the numbers of their rows, chunk after chunk (None: as they come)."""

    chunks: Ints
    order: Ints | None

    def after(self, done: int, n_rows: int) -> "Visit":
        """What is left once the first `done` chunks are finished."""
        if self.order is None:
            return Visit(self.chunks[done:], None)
        met = int(chunk_sizes(self.chunks[:done], n_rows).sum())
        return Visit(self.chunks[done:], self.order[met:])

    def pieces(self, most: int | None, n_rows: int) -> Iterator["Visit"]:
        """The visit cut into visits of at most so many chunks (None: whole)."""
        if most is None:
            yield self
            return
        for first in range(0, self.chunks.size, most):
            rest = self.after(first, n_rows)
            size = int(chunk_sizes(rest.chunks[:most], n_rows).sum())
            yield Visit(rest.chunks[:most], None if rest.order is None else rest.order[:size])

    def numbers(self, n_rows: int) -> Ints:
        """The numbers of all its rows, in order."""
        if self.order is not None:
            return self.order
        sizes = chunk_sizes(self.chunks, n_rows)
        spans = [np.arange(c * CHUNK, c * CHUNK + size) for c, size in zip(self.chunks, sizes, strict=True)]
        return np.concatenate([np.empty(0, np.int64), *spans])


def chunk_sizes(chunks: Ints, n_rows: int) -> Ints:
    """How many rows each of these chunks has."""
    return np.minimum(CHUNK, n_rows - chunks * CHUNK)


def spread_chunks(n_rows: int, most: int) -> Ints:
    """So many chunks at most, evenly spread.

    >>> spread_chunks(100 * CHUNK, 4).tolist()
    [0, 33, 66, 99]
    """
    chunks = -(-n_rows // CHUNK)
    return np.unique(np.linspace(0, chunks - 1, min(chunks, most)).astype(np.int64))


@dataclass(frozen=True, eq=False)
class TakenRows:
    """Rows with their labels, sample weights and numbers.

    Without `numbers` they lie in the order of their numbers, from `first_row` on; with them they lie in the order in
    which they were asked for.
    """

    rows: _core.Rows
    labels: Labels
    weight: NDArray[np.float64] | None = None
    first_row: int = 0
    numbers: Ints | None = None

    @cached_property
    def core(self) -> _core.TakenRows:
        """The same for the core."""
        return _core.TakenRows(self.rows, self.labels, self.weight, self.first_row, self.numbers)

    def row_numbers(self) -> Ints:
        """The number of each row."""
        return np.arange(self.first_row, self.first_row + self.rows.n) if self.numbers is None else self.numbers

    def number(self, place: int) -> int:
        """The number of the row at this place."""
        return self.first_row + place if self.numbers is None else int(self.numbers[place])

    def weighted(self, weight: NDArray[np.float64]) -> "TakenRows":
        """With the sample weights of these rows out of those of all."""
        span = slice(self.first_row, self.first_row + self.rows.n)
        return replace(self, weight=np.ascontiguousarray(weight[span if self.numbers is None else self.numbers]))


class Question(ABC):
    """What is to be found out about all rows: it sees some of them after the others, and keeps what it found.

    Rows may lie in several places, each of which has a question of its own: then those join, in the order of the rows.
    Such a question is sent there and its answer back, so it holds what it needs and little else; no rows.
    """

    in_order: bool = False
    """Whether its answer hangs on where rows were split, as sums of floats do, in their last bits."""
    chunks: int = 0
    """Of rows in several places: how many chunks of each it asks, evenly spread; 0: all."""

    @abstractmethod
    def see(self, taken: TakenRows) -> None:
        """Some rows, which come behind those seen before."""

    @abstractmethod
    def join(self, later: Any) -> None:
        """What the same question found of the rows behind."""


Asked = TypeVar("Asked", bound=Question)


class Source(ABC):
    """Rows and labels, wherever they are."""

    classes: NDArray[Any]
    """The labels, sorted; of two, the second is the positive one."""
    feature_names: tuple[str, ...] | None
    has_weights: bool = False
    """Whether its rows have sample weights."""
    in_memory: bool = False
    """Whether all rows are in memory: then `take` may be asked for any number of chunks, and `scan` need not split."""
    chunks_together: int = 1
    """How many chunks `take` is asked for at a time, of a source that is not in memory."""
    scaling: Any = None
    """The scale that its rows have been brought to, if any (scaling.py)."""
    driver: Any = None
    """Who runs over its rows, where they cannot be had one after the other: in place of learning's own driver."""

    @property
    def gone(self) -> bool:
        """Whether its rows were there once and cannot be had again."""
        return False

    @property
    @abstractmethod
    def n_rows(self) -> int:
        """How many rows."""

    @property
    @abstractmethod
    def n_columns(self) -> int:
        """How many features."""

    @property
    @abstractmethod
    def is_sparse(self) -> bool:
        """Whether rows come in CSR form."""

    @abstractmethod
    def gather(self, numbers: Ints) -> TakenRows:
        """The rows of these numbers, in this order."""

    def take(self, visit: Visit) -> TakenRows:
        """The rows of a visit: gathered in its order, or a view in which their numbers tell their places.

        What was given stays as it is as long as it is held: the pocket counts mistakes on all rows while the rows of a
        visit are still being met, so that a source may not fill one buffer again and again.
        """
        return self.gather(visit.numbers(self.n_rows))

    def scan(self, question: Callable[[TakenRows], Answer]) -> Iterator[Answer]:
        """What the question finds of each chunk, in order; or of several chunks together, or of all rows at once.

        The source chooses, so whoever joins the answers must not depend on where rows were split: the largest, the
        least, sums of whole numbers, and what is fed row after row are safe. A sum of floats is not, for it rounds
        differently: ask chunk after chunk for that (`scans.chunk_matrices`).
        """
        for chunk in range(-(-self.n_rows // CHUNK)):
            yield question(take_checked(self, Visit(np.array([chunk]), None)))

    def ask(self, question: Asked) -> Asked:
        """The question once it has seen all rows: wherever they are, and where they are."""
        for taken in self.scan(lambda taken: taken):
            question.see(taken)
        return question

    def viewed(self, view: "Callable[[Source], Source]") -> "Source":
        """The rows as a view of them shows them (`Scaled`, `WeightedByClass`); the view goes where the rows are."""
        return view(self)

    def labels_of(self, numbers: Ints) -> Labels:
        """The labels of the rows of these numbers."""
        labels: Labels = np.concatenate([part.copy() for part in self.label_parts()])[numbers]
        return labels

    def label_parts(self) -> Iterator[Labels]:
        """All labels in order, some at a time."""
        return self.scan(lambda taken: taken.labels)

    def rows_and_labels(self) -> Iterator[tuple[Any, Labels]]:
        """The rows from the beginning, some at a time, as arrays or in CSR form: the checker knows no source."""
        for taken in self.scan(lambda taken: taken):
            yield matrix_of(taken.rows), taken.labels

    def unchanged(self) -> bool:
        """Whether rows can still be read as they were checked: arrays are the caller's, who may change them."""
        return True

    @property
    def unweighted(self) -> "Source":
        """The same rows without sample weights that were added to them."""
        return self

    @property
    def original(self) -> "Source":
        """The rows as they were given, without sample weights or a scale that were added to them."""
        return self

    @property
    def n_outputs(self) -> int:
        """How many hyperplanes: one for two classes, K for K > 2."""
        return 1 if self.classes.size == 2 else int(self.classes.size)

    def digest(self, *, every_row: bool = False) -> int:
        """A number that tells data apart: all labels, and the entries of some rows, evenly spread, or of every row."""
        made = _core.Digest(self.n_rows, self.n_columns)
        for labels in self.label_parts():
            made.add_labels(labels)
        if every_row or self.in_memory:
            for _ in self.scan(lambda taken: made.add_rows(taken.core, every_row)):
                pass
        else:
            made.add_rows(self.gather(np.arange(0, self.n_rows, made.every(every_row))).core, every_row)
        return made.value


def take_checked(source: Source, visit: Visit) -> TakenRows:
    """The rows of a visit. Raises `InputError` if a source elsewhere gives others than it was asked for.

    Anybody may write such a source, and a row too few or out of place would be learnt from without a word.
    """
    taken = source.take(visit)
    if source.in_memory:
        return taken
    asked, n = visit.numbers(source.n_rows), taken.rows.n
    name = type(source.original).__name__
    if taken.labels.shape != (n,):
        raise InputError(f"{name}.take gave {n} rows and {taken.labels.size} labels; expected as many")
    if taken.numbers is None:
        first, end = taken.first_row, taken.first_row + n
        if not (first <= asked.min(initial=first) and asked.max(initial=-1) < end <= source.n_rows):
            raise InputError(f"{name}.take gave rows {first} to {end - 1}; expected {_listed(asked)}")
    elif n != asked.size or not np.array_equal(taken.numbers, asked):
        raise InputError(
            f"{name}.take gave {_listed(np.asarray(taken.numbers))}, in all {n}; expected {_listed(asked)}"
        )
    return taken


def taken_ahead(source: Source, visits: Iterable[Visit]) -> Iterator[tuple[Visit, TakenRows]]:
    """Visits with their rows. Of a source elsewhere the next are read while those before are learnt from."""
    if source.in_memory:
        yield from ((visit, take_checked(source, visit)) for visit in visits)
    else:
        yield from ahead(visits, lambda visit: take_checked(source, visit))


def _listed(numbers: Ints) -> str:
    some = ", ".join(map(str, numbers[:3].tolist()))
    return f"rows {some}{', …' if numbers.size > 3 else ''} ({numbers.size} numbers)"


class Wrapped(Source):
    """A source that gives the rows of another, changed: what it says of them is the other's."""

    def __init__(self, source: Source) -> None:
        self.source, self.has_weights = source, source.has_weights
        self.classes, self.feature_names = source.classes, source.feature_names
        self.chunks_together = source.chunks_together

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return self.source.n_rows

    @property
    def n_columns(self) -> int:
        """How many features."""
        return self.source.n_columns

    @property
    def is_sparse(self) -> bool:
        """Whether rows come in CSR form."""
        return self.source.is_sparse

    @property
    def original(self) -> Source:
        """The rows as they were given."""
        return self.source.original

    def labels_of(self, numbers: Ints) -> Labels:
        """The labels of the rows of these numbers."""
        return self.source.labels_of(numbers)

    def label_parts(self) -> Iterator[Labels]:
        """As of the source."""
        return self.source.label_parts()

    def unchanged(self) -> bool:
        """As of the source."""
        return self.source.unchanged()

    def digest(self, *, every_row: bool = False) -> int:
        """Of the rows as they were given, and their labels."""
        return self.source.digest(every_row=every_row)


class Weighing(Wrapped):
    """A source whose rows have sample weights of somebody else's: what they are, a subclass says."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.has_weights, self.in_memory = True, source.in_memory

    @abstractmethod
    def weighed(self, taken: TakenRows) -> TakenRows:
        """Rows of the source with their weights."""

    def gather(self, numbers: Ints) -> TakenRows:
        """The rows of these numbers, with their weights."""
        return self.weighed(self.source.gather(numbers))

    def take(self, visit: Visit) -> TakenRows:
        """The rows of a visit, with their weights."""
        return self.weighed(self.source.take(visit))

    def scan(self, question: Callable[[TakenRows], Answer]) -> Iterator[Answer]:
        """As of the source, of rows with their weights."""
        return self.source.scan(lambda taken: question(self.weighed(taken)))


class Weighted(Weighing):
    """A source whose rows have these sample weights, an array of all."""

    def __init__(self, source: Source, weight: NDArray[np.float64]) -> None:
        super().__init__(source)
        self.weight = weight

    @property
    def unweighted(self) -> Source:
        """The source without these weights."""
        return self.source

    def weighed(self, taken: TakenRows) -> TakenRows:
        """Rows of the source with their weights."""
        return taken.weighted(self.weight)


class WeightedByClass(Weighing):
    """A source whose rows weigh by their class, times what they weigh by themselves."""

    def __init__(self, source: Source, each: NDArray[np.float64]) -> None:
        super().__init__(source)
        self.each = each

    def weighed(self, taken: TakenRows) -> TakenRows:
        """Rows of the source with their weights."""
        codes = taken.labels > 0 if self.each.size == 2 else taken.labels
        weight = self.each[codes.astype(np.int64)]
        return replace(taken, weight=weight if taken.weight is None else taken.weight * weight)
