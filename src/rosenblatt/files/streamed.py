"""StreamedSource: the rows of an input larger than memory, out of its cache.

Rows come by pread, some chunks at a time, into buffers that are let go again: memory stays bounded whatever the size
of the file. A block whose checksum is wrong is not believed: the cache is written again from the input, once.
"""

import math
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.ahead import ahead
from ..data.classes import AgainstRest, one_against_rest
from ..data.source import CHUNK, Answer, Ints, Labels, Source, TakenRows, Visit
from ..errors import InputError
from ..report.plain import plain
from .cache.form import Index, StaleError, opened, reader_of
from .parts.input import Input
from .reading import Reading

MEMORY = 256 * 10**6
"""Bytes that a process may take, beside the weights, unless somebody says otherwise."""
_ITSELF = 80 * 10**6
"""What the program takes by itself, about."""
_TOGETHER = 6
"""Chunks that are in memory at a time, in one form or another: read, put in order, scaled, and the next ones."""
_SHARE = 64
"""A piece of rows takes one part in so many of that: several are there at a time, in several forms."""
_LABELS = 2**20  # labels that are looked at together


class Blocks:
    """An open cache, and how to make it anew, once. Any number of threads may ask it."""

    def __init__(self, path: str, given: Input, rebuild: Callable[[], str] | None) -> None:
        self.given, self.rebuild, self.rebuilding, self.files = given, rebuild, Lock(), list[int]()
        self.whole: Callable[[dict[str, Any]], Mapping[str, Any]] = lambda _: {}
        self.facts, self.reader = self._open(path)

    def within(self, whole: Callable[[dict[str, Any]], Mapping[str, Any]]) -> None:
        """Be a part of a whole: `whole` says, of the facts of the cache, which are others there. No row is copied."""
        self.whole = whole
        self.facts, self.reader = self._made(*self.opened)

    def _open(self, path: str) -> tuple[dict[str, Any], _core.BlockReader]:
        file, index, facts = opened(path)
        self.files.append(file)  # open for as long as anybody may read it
        self.opened = file, index, facts
        return self._made(file, index, facts)

    def _made(self, file: int, index: Index, facts: dict[str, Any]) -> tuple[dict[str, Any], _core.BlockReader]:
        rows = [count for _, count in facts["files"]]
        if facts["format"] != self.given.format or (self.given.paths and len(rows) != len(self.given.paths)):
            raise StaleError("of other files")
        # The same files may have been called otherwise when it was written.
        facts = {**facts, **self.whole(facts)}
        called = [list(one) for one in zip(self.given.paths, rows, strict=True)] if self.given.paths else facts["files"]
        return {**facts, "name": self.given.name, "files": called}, reader_of(file, index, facts)

    def close(self) -> None:
        """Close it."""
        files, self.files = getattr(self, "files", []), []
        for file in files:
            os.close(file)

    __del__ = close

    def ask(self, question: Callable[[_core.BlockReader], tuple[Any, ...]]) -> tuple[Any, ...]:
        """Rows, codes, lines and weights. Raises `InputError` if they cannot be read."""
        while True:
            if not self.files:
                raise InputError(f"{self.facts['name']}: it was closed; open it again")
            reader = self.reader
            what, error, block, *found = question(reader)
            if not what:
                return tuple(found)
            self._mend(reader, f"{os.strerror(error) if error else f'block {block} of its cache is {what}'}", not error)

    def _mend(self, reader: _core.BlockReader, what: str, rebuild: bool) -> None:
        """Make the cache anew, unless another thread has done so since the reader was asked."""
        with self.rebuilding:
            if reader is not self.reader:
                return
            if self.rebuild is None or not rebuild:
                raise InputError(f"{self.facts['name']}: {what}; expected a cache that can be read: run it again")
            again, self.rebuild = self.rebuild, None
            facts, reader = self._open(again())
            if facts != self.facts:
                raise InputError(
                    f"{self.facts['name']}: it has changed since it was first read; expected one that stays"
                )
            self.reader = reader


@dataclass(frozen=True)
class Coded:
    """Which class each label is: the classes, and the label of each code as rows have it, ±1 or 0 … K − 1."""

    classes: NDArray[Any]
    labels: NDArray[np.int8] | NDArray[np.int32]

    @classmethod
    def of(cls, values: NDArray[Any], name: str, order: tuple[str, ...] = ()) -> "Coded":
        """Of labels by code; of two, `order` may say which is the negative one."""
        if values.size < 2:
            only = values.tolist()[0]
            raise InputError(f"{name}: one class only: all rows carry the label {only!r}, and two classes are needed")
        classes, codes = np.unique(values, return_inverse=True)
        codes = codes.reshape(-1)
        if order and classes.tolist() != list(order):
            classes, codes = classes[::-1], 1 - codes
        return cls(classes, 2 * codes.astype(np.int8) - 1 if classes.size == 2 else codes.astype(np.int32))

    @classmethod
    def within(cls, values: NDArray[Any], whole: NDArray[Any], name: str, order: tuple[str, ...] = ()) -> "Coded":
        """Of labels by code, where the classes are those of a whole that has more of them, maybe."""
        all_ = cls.of(whole, name, order)
        label_of = dict(zip(whole.tolist(), all_.labels.tolist(), strict=True))
        labels: Any = np.array([label_of[value] for value in values.tolist()], dtype=all_.labels.dtype)
        return cls(all_.classes, labels)

    @classmethod
    def alone(cls, values: NDArray[Any]) -> "Coded":
        """Of labels by code, of which there may be one only: as long as nobody knows the others."""
        return cls(values, -np.ones(1, dtype=np.int8)) if values.size < 2 else cls.of(values, "")

    @classmethod
    def against_rest(cls, values: NDArray[Any], one: AgainstRest) -> "Coded":
        """One label against all the others."""
        return cls(one.classes, one_against_rest(values, one.positive))


def label_values(facts: Mapping[str, Any]) -> NDArray[Any]:
    """The labels that the facts of a cache tell of, by code."""
    labels = facts["labels"]
    return np.array(labels["values"], dtype=object if labels["kind"] in "OU" else None)


class StreamedSource(Source):
    """Rows in a cache.

    name, format, reading, notes, details, levels
        Those of `Sheet`.
    counted
        Each label, and how many rows have it.
    """

    def __init__(self, blocks: Blocks, memory: int | None = None, coded: Coded | None = None) -> None:
        """`memory`: bytes that may be taken beside the weights; None: MEMORY, or what it takes if that is more."""
        facts = blocks.facts
        self.blocks, self.name, self.format = blocks, str(facts["name"]), str(facts["format"])
        needed = _ITSELF + _TOGETHER * blocks.reader.longest_chunk
        if memory is not None and memory < needed:
            raise InputError(
                f"{self.name}: {CHUNK} rows take {blocks.reader.longest_chunk / 1e6:.0f} MB, and several such pieces"
                f" are in memory at a time; expected memory of {math.ceil(needed / 1e6)}MB or more (--memory)"
            )
        self.memory = max(MEMORY, needed) if memory is None else memory
        self.reading = Reading.of_dict(facts["reading"])
        self.values = label_values(facts)
        self.counted = dict(zip(map(plain, self.values), facts["labels"]["counts"], strict=True))
        counts = self.reading.counts or ()
        self.coded = coded or Coded.of(self.values, self.name, (counts[1], counts[0]) if len(counts) == 2 else ())
        self.classes = self.coded.classes
        self.notes, self.details, self.levels = tuple(facts["notes"]), tuple(facts["details"]), facts["levels"]
        names = facts["feature_names"]
        self.feature_names = None if names is None else tuple(names)
        self.has_weights = bool(facts["weighted"])
        self.has_lines = bool(facts["form"]["lines"])
        self.chunks_together = max(1, min(64, self.memory // _SHARE // max(1, blocks.reader.longest_chunk)))
        self._digests: dict[bool, int] = {}

    @property
    def hashed(self) -> tuple[str, ...]:
        """The names of hashed features, if they are kept."""
        return tuple(self.blocks.facts["hashed"])

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return int(self.blocks.facts["rows"])

    @property
    def n_columns(self) -> int:
        """How many features."""
        return int(self.blocks.facts["columns"])

    @property
    def is_sparse(self) -> bool:
        """Whether rows come in CSR form."""
        return bool(self.blocks.facts["form"]["sparse"])

    @property
    def n_entries(self) -> int:
        """How many entries are stored."""
        return int(self.blocks.facts["entries"])

    def against_rest(self, one: AgainstRest, names: tuple[str, ...] | None) -> "StreamedSource":
        """The same rows, of two classes: one label against all others; and with these names of their columns."""
        found = StreamedSource(self.blocks, self.memory, Coded.against_rest(self.values, one))
        found.feature_names, found.has_weights = names, self.has_weights
        return found

    def gather(self, numbers: Ints) -> TakenRows:
        """The rows of these numbers, in this order."""
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        rows, codes, _, weights = self.blocks.ask(lambda reader: reader.gather(numbers))
        return TakenRows(rows, self.coded.labels[codes], weights if self.has_weights else None, numbers=numbers)

    def take(self, visit: Visit) -> TakenRows:
        """The rows of a visit: chunks that follow each other as they lie there, others gathered."""
        chunks = visit.chunks
        if visit.order is not None or not chunks.size or not (np.diff(chunks) == 1).all():
            return self.gather(visit.numbers(self.n_rows))
        first = int(chunks[0]) * CHUNK
        return self._span(first, min(self.n_rows, (int(chunks[-1]) + 1) * CHUNK) - first)

    def _span(self, first: int, count: int) -> TakenRows:
        rows, codes, _, weights = self.blocks.ask(lambda reader: reader.span(first, count))
        return TakenRows(rows, self.coded.labels[codes], weights if self.has_weights else None, first)

    def scan(self, question: Callable[[TakenRows], Answer]) -> Iterator[Answer]:
        """Some chunks after the other; the next ones are read meanwhile."""
        size = self.chunks_together * CHUNK
        spans = ((first, min(size, self.n_rows - first)) for first in range(0, self.n_rows, size))
        for _, taken in ahead(spans, lambda span: self._span(*span)):
            yield question(taken)

    def labels_of(self, numbers: Ints) -> Labels:
        """The labels of the rows of these numbers."""
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        labels: Labels = self.coded.labels[self._heads(numbers)[1]]
        return labels

    def _heads(self, numbers: Ints | None, first: int = 0, count: int = 0) -> tuple[Any, ...]:
        """What stands beside rows: nothing, codes of labels, lines and weights."""
        return self.blocks.ask(lambda reader: reader.heads(numbers, first, count))

    def lines_of(self, numbers: Ints) -> NDArray[np.int64] | None:
        """The line of each of these rows in its file, from 1; None if rows have no lines."""
        if not self.has_lines:
            return None
        numbers = np.ascontiguousarray(numbers, dtype=np.int64)
        lines: NDArray[np.int64] = self._heads(numbers)[2]
        return lines

    def file_of(self, row: int) -> str:
        """The file that a row is in."""
        for path, count in self.blocks.facts["files"]:
            if row < count:
                return str(path)
            row -= count
        return self.name

    def files_of(self, numbers: Ints) -> list[str] | None:
        """The file that each of these rows is in; None if all are in one."""
        return None if len(self.blocks.facts["files"]) < 2 else [self.file_of(row) for row in numbers.tolist()]

    def place_of(self, row: int) -> str:
        """The file and the line of a row, as errors name it."""
        lines = self.lines_of(np.array([row]))
        return f"{self.file_of(row)}: row {row}" if lines is None else f"{self.file_of(row)}:{lines[0]}"

    def label_parts(self) -> Iterator[Labels]:
        """All labels, some at a time: their blocks' heads are read and nothing else."""
        for first in range(0, self.n_rows, _LABELS):
            yield self.coded.labels[self._heads(None, first, min(_LABELS, self.n_rows - first))[1]]

    def digest(self, *, every_row: bool = False) -> int:
        """A number that tells data apart: the same as of the same rows in memory. Asked for once."""
        if every_row not in self._digests:
            self._digests[every_row] = super().digest(every_row=every_row)
        return self._digests[every_row]

    def listed(self, rows: Any) -> list[dict[str, Any]]:
        """Some rows for a report: number (from 0), line (from 1; None if there are none) and label as it was read."""
        numbers = np.array([int(row) for row in rows], dtype=np.int64)
        lines = self.lines_of(numbers)
        codes = self._heads(numbers)[1]
        return [
            {"row": row, "line": None if lines is None else int(lines[i]), "label": plain(self.values[codes[i]])}
            for i, row in enumerate(numbers.tolist())
        ]

    def close(self) -> None:
        """Close its cache: nothing can be asked any more."""
        self.blocks.close()

    def __enter__(self) -> "StreamedSource":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise InputError(f"{self.name}: a stream cannot be copied or sent; open it there: rosenblatt.stream")

    def __repr__(self) -> str:
        kind = "sparse" if self.is_sparse else "dense"
        return f"<StreamedSource: {self.name}, {self.n_rows} × {self.n_columns}, {kind}, {self.classes.size} classes>"
