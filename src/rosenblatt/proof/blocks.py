"""Rows that are gone through some at a time, as often as it takes: a table in memory, or what opens them anew.

Of rows that are not in memory a check keeps a block of them, the few that a proof names, and sums: nothing that grows
with their number. Whoever gives them says how to begin again; blocks may have any sizes, and are cut into chunks.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import InputError
from .fingerprint import CHUNK, Ints, LabelledRows, joined, sha_of_chunks
from .telling import Teller

Opened = Callable[[], Iterable[tuple[Any, Any]]]
"""Gives the rows from the beginning: blocks (rows, labels ±1)."""


@dataclass(frozen=True, eq=False)
class Survey:
    """What one look at all rows says: how many there are, their fingerprint, and those that were asked for."""

    n: int
    d: int
    sha256: str
    numbers: Ints
    named: LabelledRows | None
    """The rows of these numbers; None if there are none."""


class RowBlocks:
    """Rows and labels, block after block.

    >>> data = RowBlocks.of(lambda: [([[1.0], [2.0]], [1, -1]), ([[3.0]], [1])])
    >>> found = data.survey(np.array([2]))
    >>> found.n, found.d, found.named.values.tolist()
    (3, 1, [[3.0]])
    """

    def __init__(self, opened: Callable[[], Iterable[LabelledRows]], teller: Teller, in_memory: bool = False) -> None:
        self.opened, self.teller, self.in_memory = opened, teller, in_memory
        self.expected = 0
        """Rows, for whoever is told how far a look at them is."""
        self.digests = b""
        """Of the chunks, as they were surveyed: rows elsewhere might change before they are looked at again."""

    @classmethod
    def of(cls, X: Any, y: Any = None, teller: Teller | None = None) -> "RowBlocks":
        """Of rows X and labels y; or, without y, of a function that opens blocks (rows, labels), or of a source.

        A source has that function as `rows_and_labels`.
        """
        teller = teller or Teller()
        if y is not None:
            table = LabelledRows.of(X, y, teller)
            return cls(lambda: (table,), teller, in_memory=True)
        opened = getattr(X, "rows_and_labels", X)
        if not callable(opened):
            raise InputError("labels are missing: give X and y, or a function that opens blocks of rows and labels")
        return cls(lambda: _chunks(_checked(opened)), teller)

    def __iter__(self) -> Iterator[tuple[int, LabelledRows]]:
        first, d = 0, 0
        for block in self.opened():
            d = d or block.d
            if block.d != d:
                raise InputError(f"row {first}: {block.d} columns after {d}; expected blocks of one width")
            if not self.in_memory:
                self.teller.at(first, max(self.expected, first + block.n))
                at = first // CHUNK * 32
                if self.digests and block.digests(first) != self.digests[at : at + 32]:
                    raise InputError(f"row {first} and those after it changed while they were checked; check again")
            yield first, block
            first += block.n
        if self.digests and not self.in_memory and first != self.expected:
            raise InputError(f"{first} rows, and {self.expected} before: they changed while they were checked")

    def survey(self, numbers: Ints, most: int | None = None) -> Survey:
        """One look at all rows, but not beyond so many; and a copy of these, which rise."""
        self.expected, n, d = most or 0, 0, 0
        digests, named = bytearray(), list[LabelledRows]()
        for first, block in self:
            n, d = first + block.n, block.d
            digests += block.digests(first)
            if (some := numbers[(numbers >= first) & (numbers < n)]).size:
                named.append(block.part(some - first))
            if most is not None and n > most:
                break
        if not n:
            raise InputError("no rows: at least one is needed")
        self.digests, self.expected = bytes(digests), n
        return Survey(n, d, sha_of_chunks(n, d, self.digests), numbers, joined(named) if named else None)


def fingerprint_of_blocks(X: Any) -> str:
    """The fingerprint of rows that come in blocks: that of the same rows in memory.

    >>> from rosenblatt.proof.fingerprint import fingerprint
    >>> X, y = np.arange(6.0).reshape(3, 2), np.array([1, -1, 1])
    >>> fingerprint_of_blocks(lambda: [(X[:1], y[:1]), (X[1:], y[1:])]) == fingerprint(X, y)
    True
    """
    return RowBlocks.of(X).survey(np.empty(0, np.int64)).sha256


def _checked(opened: Opened) -> Iterator[LabelledRows]:
    """The blocks as they come; their labels are ±1 already, for a block may hold one class alone."""
    for X, y in opened():
        labels = np.asarray(y)
        if not labels.size:
            continue
        if labels.dtype.kind not in "fiu" or not bool(((labels == 1) | (labels == -1)).all()):
            raise InputError("labels of blocks must be -1 and +1")
        yield LabelledRows.of(X, labels)


def _chunks(blocks: Iterable[LabelledRows]) -> Iterator[LabelledRows]:
    """The same rows in blocks of CHUNK, the last of what is left."""
    waiting, have = list[LabelledRows](), 0
    for block in blocks:
        first = 0
        while have + block.n - first >= CHUNK:
            last = first + CHUNK - have
            yield joined([*waiting, block.between(first, last)])
            waiting, have, first = [], 0, last
        if first < block.n:
            waiting.append(block.between(first, block.n))
            have += block.n - first
    if waiting:
        yield joined(waiting)
