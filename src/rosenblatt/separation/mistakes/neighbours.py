"""Small witnesses: around a mistake, of rows that are like it.

A witness has at most one row more than the columns in which its rows differ, so rows that agree in many columns make
small ones; and of small witnesses more fit beside each other (packing.py). So a linear program is asked for −z_k as a
combination of rows close to k (columns.py), where each costs the more the farther it is from k: its distance to some
power. Distance is for the greater part the number of columns in which two rows differ, for the lesser how far they are
apart. A large power gives small witnesses; a small one, others. Which does better is learnt by trying.
"""

import heapq
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from ..exact import multipliers
from ..signed_rows import Floats, Ints
from .columns import Columns
from .witnesses import IntegerWitness, seconds_for
from .zero_one import ZeroOneDescent

Bools = NDArray[np.bool_]

POWERS = (0.0, 3.0, 6.0, 12.0)
_CLOSEST = 400  # rows to begin with
_MORE = 150  # rows that join them at a time
_ROUNDS = 20  # how often some join
_AGAIN = 2  # times that fewer rows are asked for
_SMALL = 0.01  # an α, beside the largest
_UNSURE = 1e-9
_KEPT = 10_000_000  # distances that are kept
_NONE = 0.02  # what a distance of 0 counts
_DEAREST = 1e6  # how much dearer a row may be than one of a usual price, and how much cheaper
_FIRST, _CHUNK = 3, 24  # mistakes of which the one with the smallest witness comes first: few, then more
_SUSPECT = 20.0  # how much dearer a second mistake is: a witness of one leaves the others for more witnesses


class Neighbourhoods:
    """The rows in the table of a descent, by their places there; and witnesses of rows close to each other."""

    def __init__(self, descent: ZeroOneDescent) -> None:
        self.descent, self.s = descent, descent.s
        columns = self.s.examples.n_columns
        table = np.ldexp(self.s.z(descent.which)[:, :columns], -descent.scale[:columns].astype(np.int32))
        table *= self.s.y[descent.which, None]
        spread = table.std(axis=0)
        self.points = np.asarray(table / np.where(spread > 0, spread, 1.0), dtype=np.float32)
        self.size = len(self.points)
        self.kept: dict[int, Floats] = {}
        self.gains, self.tries = np.ones(len(POWERS)), np.ones(len(POWERS))

    @property
    def wrong(self) -> Ints:
        """The places of the mistakes of the best hyperplane."""
        which, wrong = self.descent.which, self.descent.wrong
        return np.searchsorted(which, wrong[np.isin(wrong, which, assume_unique=True)])

    def distances(self, at: int) -> Floats:
        """From the row at this place, of all in the table."""
        if at in self.kept:
            return self.kept[at]
        apart = self.points - self.points[at]
        differ = np.count_nonzero(apart, axis=1) / max(1, apart.shape[1])
        lengths = np.sqrt(np.einsum("nd,nd->n", apart, apart) / max(1, apart.shape[1]))
        found: Floats = (_NONE + differ) ** 0.75 * (_NONE + lengths) ** 0.25
        if (len(self.kept) + 1) * self.size <= _KEPT:
            self.kept[at] = found
        return found

    def power(self) -> int:
        """Which of `POWERS` to try next: at random, those more often that did well."""
        chances = self.gains / self.tries
        return int(self.s.random.choice(len(POWERS), p=chances / chances.sum()))

    def support(self, at: int, prices: Floats, allowed: Bools, power: float) -> Ints | None:
        """The places of a witness around this one, in floats; if there is none and v can be bettered, it is.

        If there is none of the closest rows, some direction has them all on their side (Farkas 1902): the closest of
        the rows that are not join them.
        """
        costs = prices * self.distances(at) ** power
        out = ~allowed  # of the program
        out[at] = True
        rows = np.flatnonzero(~out)
        if not rows.size:
            return None
        if rows.size > _CLOSEST:
            rows = rows[np.argpartition(costs[rows], _CLOSEST)[:_CLOSEST]]
        usual = float(np.median(costs[rows])) or 1.0
        costs = np.clip(costs / usual, 1 / _DEAREST, _DEAREST)
        table, target = self.descent.table, self.descent.table[at]
        columns = Columns(table[rows])
        columns.costs(costs[rows])
        for _ in range(_ROUNDS):
            found, ray = columns.cone(target, self.s.seconds_left())
            if found is not None:
                return np.sort(np.append(rows[self._fewer(columns, found, target, costs[rows], prices[rows])], at))
            if ray is None:
                return None
            out[rows] = True
            more = np.flatnonzero((self.descent.margins(ray) < -_UNSURE * float(np.abs(ray).max())) & ~out)
            if not more.size:
                self.descent.try_line(ray)
                return None
            if more.size > _MORE:
                more = more[np.argpartition(costs[more], _MORE)[:_MORE]]
            columns.add(table[more], costs[more])
            rows = np.concatenate([rows, more])
        return None

    def _fewer(self, columns: Columns, found: Ints, target: Floats, costs: Floats, prices: Floats) -> Ints:
        """The rows found, or others with lower prices: those with a small α are made dear, and it is solved again.

        That is the reweighting of Candès, Wakin and Boyd 2008, since few rows are wanted and not little Σ α.
        """
        for _ in range(_AGAIN):
            columns.costs(np.clip(costs * _SMALL / (columns.alpha + _SMALL), 1 / _DEAREST, _DEAREST))
            other, _ = columns.cone(target, self.s.seconds_left())
            if other is None:
                break
            if prices[other].sum() < prices[found].sum():
                found = other
        return found

    def witness(self, places: Ints) -> IntegerWitness | None:
        """The same in whole numbers, if it is one."""
        if seconds_for(places.size) > self.s.seconds_left():
            return None
        rows = self.descent.which[places]
        alpha = multipliers(self.s.z(rows))
        return None if alpha is None else IntegerWitness(tuple(rows.tolist()), alpha)

    def disjoint(self, used: Bools) -> Iterator[IntegerWitness]:
        """Witnesses with no row in common, nor with `used` (of all rows), one around each mistake that has one left.

        Of a few mistakes at a time the one with the smallest witness comes first.
        """
        free = ~used[self.descent.which]
        queue = self.s.random.permutation(self.wrong)
        first, size = 0, _FIRST
        while first < queue.size:
            yield from self._disjoint_of(queue[first : first + size].tolist(), free)
            first, size = first + size, min(2 * size, _CHUNK)

    def _disjoint_of(self, some: Iterable[int], free: Bools) -> Iterator[IntegerWitness]:
        prices = np.ones(self.size)
        prices[self.wrong] = _SUSPECT
        heap: list[tuple[int, int, Ints]] = []

        def look(at: int) -> None:
            if free[at] and (found := self.support(at, prices, free, POWERS[-1])) is not None:
                heapq.heappush(heap, (found.size, at, found))

        for at in some:
            look(at)
        while heap:
            _, at, found = heapq.heappop(heap)
            if not free[found].all():
                look(at)
            elif (witness := self.witness(found)) is not None:
                free[found] = False
                yield witness
