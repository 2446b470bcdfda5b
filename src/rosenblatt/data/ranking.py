"""Ranking: how often scores put two rows, one of each class, in the right order; of rows that come in parts.

The area under the ROC curve is the share of such pairs, ties counted half (Hanley and McNeil 1982). Of few scores it is
exact: all are kept. Of more it is counted by bins that are fixed beforehand, by the first 21 bits of a float64 (its
sign, its exponent, and 9 bits of its fraction: a width of 1/512 or less of the score), so that no range need be known.
A bin that holds one value only holds true ties. In any other the order is not known: of its p positive and q negative
scores the p·q pairs are counted half, and are so wrong by p·q/2 at most. The sum of these is the error that is stated.
"""

from operator import mul
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

EXACT = 2_000_000
"""Scores that are kept: 16 MB."""

_BITS = 21
_BINS = 2**_BITS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Pairs(NamedTuple):
    """Pairs of rows, one of each class: how many, twice those in the right order, those whose order is not known."""

    both: int
    twice_right: int
    unsure: int


class Ranking:
    """Scores of two classes, added part by part; all of them are kept up to `exact` (None: however many).

    >>> ranking = Ranking()
    >>> ranking.add(np.array([0.0, 2.0, 2.0]), np.array([False, False, True]))
    >>> ranking.pairs()
    Pairs(both=2, twice_right=3, unsure=0)
    """

    def __init__(self, exact: int | None = EXACT) -> None:
        self._exact, self._count = exact, 0
        self._kept: tuple[list[Floats], list[Floats]] = ([], [])
        self._bins: _Bins | None = None

    def add(self, scores: Floats, positive: NDArray[np.bool_]) -> None:
        """Finite scores, and which of them are of the positive class."""
        self._count += scores.size
        sides = (scores[~positive], scores[positive])
        if self._bins is None and self._exact is not None and self._count > self._exact:
            self._bins = _Bins()
            for side, kept in enumerate(self._kept):
                for part in kept:
                    self._bins.add(side, part)
                kept.clear()
        for side, part in enumerate(sides):
            if self._bins is not None:
                self._bins.add(side, part)
            elif part.size:
                self._kept[side].append(part)

    def pairs(self) -> Pairs:
        """What the scores say, so far."""
        if self._bins is not None:
            return self._bins.pairs()
        negative, positive = (np.sort(np.concatenate([np.empty(0), *part])) for part in self._kept)
        below, not_above = (int(np.searchsorted(negative, positive, side).sum()) for side in ("left", "right"))
        return Pairs(negative.size * positive.size, below + not_above, 0)


class _Bins:
    """How many scores of either class are in each bin, and the value of a bin that holds one only."""

    def __init__(self) -> None:
        # Pages of zeros take no memory before they are written to: the bins of usual scores are few.
        self.counts = np.zeros((2, _BINS), np.int64)
        self.value = np.zeros(_BINS)
        self.several = np.zeros(_BINS, np.bool_)

    def add(self, side: int, scores: Floats) -> None:
        if not scores.size:
            return
        scores = np.sort(scores) + 0.0  # no −0.0, which has other bits than 0.0
        bins = _bin_of(scores)
        starts = np.concatenate([[0], np.flatnonzero(bins[1:] != bins[:-1]) + 1])
        ends = np.append(starts[1:], scores.size)
        at, first, last = bins[starts], scores[starts], scores[ends - 1]
        empty = (self.counts[0, at] | self.counts[1, at]) == 0
        self.several[at] |= (first != last) | (~empty & (self.value[at] != first))
        self.value[at] = np.where(empty, first, self.value[at])
        self.counts[side, at] += ends - starts

    def pairs(self) -> Pairs:
        used = np.flatnonzero(self.counts[0] | self.counts[1])
        below, above = self.counts[0, used], self.counts[1, used]
        lower, several = np.cumsum(below) * 2 - below, self.several[used]
        # Whole numbers of any size: so many rows have more pairs than 64 bits count.
        right = sum(map(mul, above.tolist(), lower.tolist()))
        unsure = sum(map(mul, above[several].tolist(), below[several].tolist()))
        return Pairs(int(below.sum()) * int(above.sum()), right, unsure)


def _bin_of(scores: Floats) -> Ints:
    """The bin of each score: the larger the score, the higher the bin, or the same one."""
    bits = scores.view(np.int64)
    ordered = np.where(bits < 0, ~bits.view(np.uint64), bits.view(np.uint64) | np.uint64(2**63))
    return (ordered >> np.uint64(64 - _BITS)).astype(np.int64)
