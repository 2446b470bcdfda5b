"""Cut: which shard each row is in. Rows keep the numbers that they have among all; a shard counts its own from 0.

`Ranges`: each shard has the rows behind those of the shard before. `Dealt`: blocks of 16 rows go to the shards in turn,
so that every shard has rows from everywhere, whatever a file is sorted by. (Ranges of a sorted file are shards unlike
each other, and mixing what they learn costs accuracy: benchmarks/CLUSTER.md has how much, on real files.)
"""

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from ..data.source import CHUNK, Ints

BLOCK = 16
"""Rows that are dealt together: those that lie together on the disk, as the shuffled order has them."""


class Cut(ABC):
    """How rows are shared out."""

    aligned: bool
    """Whether every shard begins with a chunk of all rows, and has the rows behind it."""

    @abstractmethod
    def sizes(self) -> list[int]:
        """How many rows each shard has."""

    @abstractmethod
    def numbers(self, shard: int, own: Ints) -> Ints:
        """The numbers among all rows of rows that a shard numbers so."""

    @abstractmethod
    def places(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Of rows by their numbers: the shard, and the number there."""

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return sum(self.sizes())


class Ranges(Cut):
    """Shards one behind the other, which begin with these rows; and the number of all."""

    def __init__(self, firsts: list[int], n: int) -> None:
        self.firsts, self.n = np.array(firsts, dtype=np.int64), n
        self.aligned = not (self.firsts % CHUNK).any()

    @classmethod
    def of(cls, sizes: list[int]) -> "Ranges":
        """Of shards of these sizes."""
        ends = np.cumsum([0, *sizes]).tolist()
        return cls(ends[:-1], ends[-1])

    @classmethod
    def even(cls, n: int, shards: int) -> "Ranges":
        """So many shards of whole chunks, about as large as each other; fewer if there are fewer chunks.

        >>> Ranges.even(20_000, 2).firsts.tolist()
        [0, 8192]
        """
        chunks = -(-n // CHUNK)
        firsts = np.unique(np.linspace(0, chunks, min(shards, chunks), endpoint=False).astype(np.int64))
        return cls((firsts * CHUNK).tolist(), n)

    def sizes(self) -> list[int]:
        """How many rows each shard has."""
        found: list[int] = np.diff([*self.firsts.tolist(), self.n]).tolist()
        return found

    def numbers(self, shard: int, own: Ints) -> Ints:
        """The numbers among all rows."""
        return np.asarray(own + self.firsts[shard])

    def places(self, numbers: Ints) -> tuple[Ints, Ints]:
        """The shard of each row, and its number there."""
        shard = np.searchsorted(self.firsts, numbers, side="right") - 1
        return shard, numbers - self.firsts[shard]


class Dealt(Cut):
    """n rows dealt to so many shards, block by block.

    >>> cut = Dealt(50, 2)
    >>> cut.sizes(), cut.numbers(1, np.arange(15, 18)).tolist(), cut.places(np.array([16, 49]))[1].tolist()
    ([32, 18], [31, 48, 49], [0, 17])
    """

    aligned = False

    def __init__(self, n: int, shards: int) -> None:
        self.n, self.shards = n, min(shards, max(1, -(-n // BLOCK)))

    def sizes(self) -> list[int]:
        """How many rows each shard has."""
        whole, rest = divmod(self.n, BLOCK)
        sizes = [BLOCK * (whole // self.shards + (s < whole % self.shards)) for s in range(self.shards)]
        sizes[whole % self.shards] += rest
        return sizes

    def numbers(self, shard: int, own: Ints) -> Ints:
        """The numbers among all rows."""
        block, place = np.divmod(own, BLOCK)
        return (block * self.shards + shard) * BLOCK + place

    def places(self, numbers: Ints) -> tuple[Ints, Ints]:
        """The shard of each row, and its number there."""
        block, place = np.divmod(numbers, BLOCK)
        return block % self.shards, block // self.shards * BLOCK + place


class ShardFacts(NamedTuple):
    """What the caller knows of a shard: which of those given it is, empty ones too, and what it is called."""

    place: int
    name: str
    rows: int
    made_of: str = ""
    """Of rows that were cut anew: what errors call those that they come from."""

    @property
    def called(self) -> str:
        """As errors name it."""
        return self.made_of or f"shard {self.place}" + (f" ({self.name})" if self.name else "")
