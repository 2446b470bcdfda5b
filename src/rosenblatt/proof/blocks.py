"""Rows that are gone through some at a time, as often as it takes: a table in memory, or what opens them anew.

Of rows that are not in memory a check keeps a block of them, the few that a proof names, and sums: nothing that grows
with their number. Whoever gives them says how to begin again; blocks may have any sizes, and are cut into chunks.

Whatever is asked of the rows is a function of one block, which knows nothing of the others. So rows that lie in many
places need not be brought together: a source may have `each_block(function)`, which runs `function(first, rows,
labels)` of blocks where they are, and gives what it returned, in order. They hold all rows, `first` is how many there
are before a block, and each begins at a multiple of CHUNK. The functions are of this package, and they and what they
return can be pickled; who runs them elsewhere is trusted to do just that.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from ..errors import InputError
from .fingerprint import CHUNK, Ints, LabelledRows, joined, sha_of_chunks
from .sums import check_arithmetic
from .telling import Teller

Opened = Callable[[], Iterable[tuple[Any, Any]]]
"""Gives the rows from the beginning: blocks (rows, labels ±1)."""
Found = TypeVar("Found")


class Seen(NamedTuple, Generic[Found]):
    """A block: how many rows there are before it, and in it, how many columns, and what was found there."""

    first: int
    n: int
    d: int
    found: Found


@dataclass(frozen=True)
class Look(Generic[Found]):
    """A look at a block: what a function finds in it, if it is what it was when its chunks had these digests."""

    function: Callable[[int, LabelledRows], Found]
    digests: bytes

    def __call__(self, first: int, block: LabelledRows) -> Seen[Found]:
        """Of so many rows before it, a block."""
        if self.digests:
            own, at = block.digests(first), first // CHUNK * 32
            if own != self.digests[at : at + len(own)]:
                raise InputError(f"row {first} and those after it changed while they were checked; check again")
        return Seen(first, block.n, block.d, self.function(first, block))

    def elsewhere(self, first: int, X: Any, y: Any) -> Seen[Found]:
        """The same in another process, at rows and labels as a source has them."""
        check_arithmetic()
        return self(first, _labelled(X, y))


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

    def __init__(
        self, looked: Callable[[Look[Any]], Iterable[Seen[Any]]], teller: Teller, in_memory: bool = False
    ) -> None:
        self.looked, self.teller, self.in_memory = looked, teller, in_memory
        """Looks at each block."""
        self.expected = 0
        """Rows, for whoever is told how far a look at them is."""
        self.digests = b""
        """Of the chunks, as they were surveyed: rows elsewhere might change before they are looked at again."""

    @classmethod
    def of(cls, X: Any, y: Any = None, teller: Teller | None = None) -> "RowBlocks":
        """Of rows X and labels y; or, without y, of a function that opens blocks (rows, labels), or of a source.

        A source has that function as `rows_and_labels`; or `each_block`, if its rows lie in many places.
        """
        teller = teller or Teller()
        if y is not None:
            table = LabelledRows.of(X, y, teller)
            return cls(lambda look: _in_turn(look, (table,)), teller, in_memory=True)
        if (each_block := getattr(X, "each_block", None)) is not None:
            return cls(lambda look: each_block(look.elsewhere), teller)
        opened = getattr(X, "rows_and_labels", X)
        if not callable(opened):
            raise InputError("labels are missing: give X and y, or a function that opens blocks of rows and labels")
        return cls(lambda look: _in_turn(look, _chunks(_checked(opened))), teller)

    def each(self, function: Callable[[int, LabelledRows], Found]) -> Iterator[Found]:
        """What a function finds of each block, in order: of the number of rows before it, and itself."""
        n = d = 0
        for first, rows, columns, found in self.looked(Look(function, b"" if self.in_memory else self.digests)):
            d = d or columns
            if columns != d:
                raise InputError(f"row {first}: {columns} columns after {d}; expected blocks of one width")
            if first != n or n % CHUNK:
                raise InputError(f"a block begins at row {first} after {n} rows; expected blocks of {CHUNK}, in order")
            n += rows
            if not self.in_memory:
                self.teller.at(n, max(self.expected, n))
            yield found
        if self.digests and not self.in_memory and n != self.expected:
            raise InputError(f"{n} rows, and {self.expected} before: they changed while they were checked")

    def survey(self, numbers: Ints, most: int | None = None) -> Survey:
        """One look at all rows, but not beyond so many; and a copy of these, which rise."""
        self.expected, n, d = most or 0, 0, 0
        digests, named = bytearray(), list[LabelledRows]()
        for rows, columns, own, some in self.each(partial(_surveyed, numbers)):
            n, d = n + rows, columns
            digests += own
            if some is not None:
                named.append(some)
            if most is not None and n > most:
                break
        if not n:
            raise InputError("no rows: at least one is needed")
        self.digests, self.expected = bytes(digests), n
        return Survey(n, d, sha_of_chunks(n, d, self.digests), numbers, joined(named) if named else None)


def _surveyed(numbers: Ints, first: int, block: LabelledRows) -> tuple[int, int, bytes, LabelledRows | None]:
    """How many rows and columns a block has, the digests of its chunks, and its rows of these numbers."""
    some = numbers[(numbers >= first) & (numbers < first + block.n)]
    return block.n, block.d, block.digests(first), block.part(some - first) if some.size else None


def fingerprint_of_blocks(X: Any) -> str:
    """The fingerprint of rows that come in blocks: that of the same rows in memory.

    >>> from rosenblatt.proof.fingerprint import fingerprint
    >>> X, y = np.arange(6.0).reshape(3, 2), np.array([1, -1, 1])
    >>> fingerprint_of_blocks(lambda: [(X[:1], y[:1]), (X[1:], y[1:])]) == fingerprint(X, y)
    True
    """
    return RowBlocks.of(X).survey(np.empty(0, np.int64)).sha256


def _in_turn(look: Look[Found], blocks: Iterable[LabelledRows]) -> Iterator[Seen[Found]]:
    """A look at each block, one after the other."""
    first = 0
    for block in blocks:
        yield look(first, block)
        first += block.n


def _checked(opened: Opened) -> Iterator[LabelledRows]:
    """The blocks as they come, but those without rows."""
    return (_labelled(X, y) for X, y in opened() if np.asarray(y).size)


def _labelled(X: Any, y: Any) -> LabelledRows:
    """A block; its labels are ±1 already, for it may hold one class alone."""
    labels = np.asarray(y)
    if labels.dtype.kind not in "fiu" or not bool(((labels == 1) | (labels == -1)).all()):
        raise InputError("labels of blocks must be -1 and +1")
    return LabelledRows.of(X, labels)


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
