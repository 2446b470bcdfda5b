"""Rows that cancel each other, z_i = −z_j (one point with both labels), and rows z_i = 0: the shortest witnesses.

Equal rows have equal scores under random weights, so only neighbours in the sorted scores are compared. Through the
origin a row and its negative are the same point with the other label.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from .signed_rows import Ints, SignedRows

_LIST = 1_000_000  # numbers of pairs of rows that are compared at a time
_TRIES = 1000  # neighbours that are compared for one pair


class _SortedRows(NamedTuple):
    """The rows by their scores, but for those that are zero."""

    zeros: Ints
    order: Ints
    sides: Ints
    """Of each row, ±1: equal rows on different sides cancel each other."""
    candidates: Ints
    """Places in `order` whose row has the score of the next."""


def first_cancelling(s: SignedRows) -> tuple[int, ...] | None:
    """A row z_i = 0, or a pair z_i = −z_j, for the price of one pass; None if none of the first neighbours is one."""
    zeros, order, sides, candidates = _sorted_rows(s)
    if zeros.size:
        return (int(zeros[0]),)
    opposite = candidates[sides[order[candidates]] != sides[order[candidates + 1]]]
    for at in opposite[:_TRIES]:
        i, j = sorted((int(order[at]), int(order[at + 1])))
        if (s.z([i]) == -s.z([j])).all():
            return i, j
    return None


def cancelling_rows(s: SignedRows) -> Iterator[tuple[int, ...]]:
    """All rows z_i = 0, and as many pairs z_i = −z_j with no row in common as there are."""
    zeros, order, sides, candidates = _sorted_rows(s)
    yield from ((i,) for i in zeros.tolist())
    joined = np.zeros(order.size, dtype=bool)
    step = max(1, _LIST // s.d)
    for first in range(0, candidates.size, step):
        s.seconds_left()
        at = candidates[first : first + step]
        a, b = (s.z(order[where]) * sides[order[where], None] for where in (at, at + 1))
        joined[at + 1] = (a == b).all(axis=1)
    yield from _pairs(np.cumsum(~joined), sides[order], order)


def _sorted_rows(s: SignedRows) -> _SortedRows:
    keys = s.random_scores()
    sides, zeros = s.y.astype(np.int64), np.empty(0, dtype=np.int64)
    if s.origin:
        sides, keys = sides * np.where(keys < 0, -1, 1), np.abs(keys)
        zeros = _zero_rows(s, np.flatnonzero(keys == 0))
        keys[zeros] = np.nan
    order = np.argsort(keys, kind="stable")
    order = order[np.isfinite(keys[order])]  # but for the zeros
    return _SortedRows(zeros, order, sides, np.flatnonzero(keys[order[1:]] == keys[order[:-1]]))


def _zero_rows(s: SignedRows, among: Ints) -> Ints:
    step = max(1, _LIST // s.d)
    parts = [among[first : first + step] for first in range(0, among.size, step)]
    return np.concatenate([among[:0], *(part[~s.z(part).any(axis=1)] for part in parts)])


def _pairs(group: Ints, sides: Ints, rows: Ints) -> Iterator[tuple[int, int]]:
    """In each group the first of one side with the first of the other, and so on."""
    positive, negative = (np.flatnonzero(sides == side) for side in (1, -1))
    ranks = [_rank(group[which]) for which in (positive, negative)]
    span = int(max(positive.size, negative.size)) + 1
    names = [group[which] * span + rank for which, rank in zip((positive, negative), ranks, strict=True)]
    _, p, q = np.intersect1d(names[0], names[1], assume_unique=True, return_indices=True)
    for i, j in zip(rows[positive[p]].tolist(), rows[negative[q]].tolist(), strict=True):
        yield (i, j) if i < j else (j, i)


def _rank(group: Ints) -> Ints:
    """How many of the same group come before, of a sorted list of groups."""
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    return np.arange(group.size) - np.repeat(starts, np.diff(starts, append=group.size))
