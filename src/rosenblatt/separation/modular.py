"""Elimination modulo a prime, in blocks of floats: which columns depend on earlier ones, up to a proof.

Whole numbers below 2^53 are exact in float64, and so are sums of 256 products of residues of 23 bits: matrix products
do the work, and the watch is looked at between them. Rows come in blocks. Each is reduced by the rows so far, what is
left of it is eliminated within itself, and the rows so far are cleared in its new pivots: the reduced echelon form of
all rows that came, its columns in the order given.

Modulo a prime the rank may be too small, never too large: columns that are independent here are so exactly.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from .exact import odd_parts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_INNER = 256  # products that are summed before the sum is reduced
_PIECE = 4_000_000  # numbers that are worked on between two looks at the watch


@cache
def primes_below(top: int = 2**23) -> list[int]:
    """Some hundreds of primes, the largest first.

    >>> primes_below(30)[:4]
    [29, 23, 19, 17]
    """
    least = max(2, top - 2**16)
    sieve = np.ones(top - least, dtype=bool)
    for k in range(2, int(top**0.5) + 1):
        sieve[max(k * k, -(-least // k) * k) - least :: k] = False
    return [int(k) + least for k in np.flatnonzero(sieve)[::-1]]


def residues(table: Floats, p: int) -> Floats:
    """The numbers modulo p, between −p/2 and p/2; a power of two has an inverse there."""
    odd, powers = odd_parts(table)
    if powers.any():
        least, most = int(powers.min()), int(powers.max())
        twos = np.array([pow(2, e, p) for e in range(least, most + 1)], dtype=np.int64)
        odd = (odd % p) * twos[powers - least]
    found = odd % p
    return np.where(found > p // 2, found - p, found).astype(np.float64)


def reduce(x: Floats, p: int) -> Floats:
    """Whole numbers below 2^52 in size modulo p, in place."""
    flat = x.reshape(-1)
    for at in range(0, flat.size, _PIECE):
        part = flat[at : at + _PIECE]
        part -= p * np.rint(part * (1.0 / p))
    return x


class Echelon:
    """The reduced echelon form of the rows that came so far, modulo p."""

    def __init__(self, columns: int, p: int, look: Callable[[], object]) -> None:
        self.p, self.look = p, look
        self.rows = np.empty((0, columns))
        self.pivots: list[int] = []
        self.sources: list[int] = []
        """Of each row of the form, the number of the row that brought its pivot."""

    @property
    def rank(self) -> int:
        """How many rows are independent."""
        return len(self.pivots)

    def add(self, block: Floats, numbers: Ints) -> int:
        """Rows, as residues, and what they are called: by how much the rank grows."""
        self._subtract(block, np.array(self.pivots, dtype=np.int64), self.rows)
        pivots, own, used = self._within(block)
        if pivots:
            self._subtract(self.rows, np.array(pivots, dtype=np.int64), own)
            self.rows = np.vstack([self.rows, own])
            self.pivots += pivots
            self.sources += numbers[used].tolist()
        return len(pivots)

    def _subtract(self, block: Floats, at: Ints, rows: Floats) -> None:
        """Clear what a block has in the pivots of these rows, in place: block − block[:, at]·rows."""
        factors = block[:, at]
        for first in range(0, at.size, _INNER):
            some = slice(first, first + _INNER)
            width = max(1, _PIECE // (8 * max(1, block.shape[0])))
            for left in range(0, block.shape[1], width):
                self.look()
                part = slice(left, left + width)
                block[:, part] = reduce(block[:, part] - factors[:, some] @ rows[some, part], self.p)

    def _within(self, block: Floats) -> tuple[list[int], Floats, list[int]]:
        """The reduced echelon form of a block: its pivots, its rows, and which of the block's they came from."""
        pivots: list[int] = []
        used: list[int] = []
        for i in range(block.shape[0]):
            self.look()
            row = block[i]
            if not row.any():
                continue
            j = int((row != 0).argmax())
            block[i] = reduce(row * pow(int(row[j]) % self.p, -1, self.p), self.p)
            others = np.flatnonzero(block[:, j])
            others = others[others != i]
            # A row is 0 up to its pivot, so that nothing changes on the left of it.
            block[others, j:] = reduce(block[others, j:] - np.outer(block[others, j], block[i, j:]), self.p)
            pivots.append(j)
            used.append(i)
        return pivots, block[used], used
