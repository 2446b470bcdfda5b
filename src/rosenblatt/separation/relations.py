"""Relations between columns, exactly: which are combinations of earlier ones, and of which.

Elimination modulo a prime (modular.py) proposes. Columns that are independent modulo a prime are so exactly; each of
the others is a combination of them on the rows that brought the pivots: of small numbers, which their residues tell
(Wang 1981), or of long ones, which lifting does (lifting.py). It is checked on every row, exactly. Where it fails,
the elimination has not seen that row. Where it takes later columns, or where rows in which it fails add nothing, the
prime divides something that is not 0, and the next one is taken. So primes decide how long it takes, and never what
comes out.
"""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from .lifting import Solved, solve
from .modular import Echelon, primes_below, residues
from .orthogonal import rows_off
from .signed_rows import Floats, Ints, SignedRows
from .watch import OutOfTimeError
from .whole_table import Tick, WholeTable

ColumnSum = Mapping[int, Fraction]
"""Columns, by number, and how much of each."""

_BLOCK = 128  # rows that are eliminated at a time, at most
_NUMBERS = 2**19  # of such a block
_HOPELESS = 10  # times the time that is left, in which it will surely not be done
_WORK = 6_000_000  # products of a step of lifting
_INVERSE = 2e-9  # seconds, times the cube of the rank: less than lifting takes before it can look at the watch
_TOLD = 256  # relations that are checked at a time


class UnluckyPrimeError(Exception):
    """A prime divides something that is not 0: modulo it the pivots are not those of the exact numbers."""


class Relations:
    """Of some columns, in an order, over some rows: those that are kept, and what each of the others equals."""

    def __init__(self, s: SignedRows, rows: Ints, order: Sequence[int]) -> None:
        self.s, self.rows, self.order = s, rows, np.array(order, dtype=np.int64)
        self.kept: list[int] = []
        self.sums: dict[int, ColumnSum] = {}

    def find(self) -> "Relations":
        """Find them all. Raises `OutOfTimeError`."""
        if not self.rows.size:
            self.sums = {int(j): {} for j in self.order}
            return self
        for p in primes_below():
            try:
                self._find(p)
            except UnluckyPrimeError:
                continue
            return self
        raise OutOfTimeError

    def _find(self, p: int) -> None:
        s, size = self.s, self.order.size
        echelon = Echelon(size, p, s.seconds_left)
        waiting, block, begin, done = s.random.permutation(self.rows), _block(size), time.monotonic(), 0
        unseen = waiting[:0]
        while True:
            grown = 1
            while echelon.rank < size and waiting.size and grown:
                some, waiting = waiting[:block], waiting[block:]
                grown = echelon.add(residues(self._table(some), p), some)
                if not grown and unseen.size:
                    raise UnluckyPrimeError  # exactly, none of these is a combination of the rows so far
                unseen = unseen[:0]
                done, missing = done + some.size, min(size - echelon.rank, waiting.size)
                if (time.monotonic() - begin) * missing > _HOPELESS * done * s.seconds_left():
                    raise OutOfTimeError  # as many rows more, each of which takes as long at least
            self.sums = {}
            unseen = self._solve(echelon)
            if not unseen.size:
                self.kept = self.order[sorted(echelon.pivots)].tolist()
                return
            waiting = np.concatenate([unseen, waiting[~np.isin(waiting, unseen)]])

    def _table(self, rows: Ints) -> Floats:
        return np.ascontiguousarray(self.s.z(rows)[:, self.order])

    def _solve(self, echelon: Echelon) -> Ints:
        """What the other columns equal, on the rows of the elimination; some rows in which it does not hold, if any."""
        others = np.setdiff1d(np.arange(self.order.size), np.array(echelon.pivots, dtype=np.int64))
        sources = np.array(echelon.sources, dtype=np.int64)
        for first in range(0, others.size, _TOLD):
            told = dict(self._told(echelon, others[first : first + _TOLD]))
            off = self._off(sources, told)
            right = {j: one for (j, one), bad in zip(told.items(), off, strict=True) if not bad.size}
            if (unseen := self._keep(right)).size:
                return unseen
        rest = np.array([k for k in others.tolist() if int(self.order[k]) not in self.sums], dtype=np.int64)
        for some in self._lifted(echelon, sources, rest):
            if (unseen := self._keep(some)).size:
                return unseen
        return rest[:0]

    def _keep(self, fresh: Mapping[int, ColumnSum]) -> Ints:
        """Note relations that hold on all rows; the rows in which some do not."""
        off = self._off(self.rows, fresh)
        self.sums |= fresh
        return np.unique(np.concatenate([self.rows[:0], *(some[:_BLOCK] for some in off)]))

    def _off(self, rows: Ints, sums: Mapping[int, ColumnSum]) -> list[Ints]:
        return rows_off(self.s, rows, [_whole(j, one, self.s.seconds_left) for j, one in sums.items()])

    def _told(self, echelon: Echelon, others: Ints) -> Iterator[tuple[int, ColumnSum]]:
        """Relations whose numbers are small enough for their residues to tell, though these may be wrong."""
        in_order = np.argsort(echelon.pivots)
        names = self.order[np.array(echelon.pivots, dtype=np.int64)[in_order]]
        found = np.rint(echelon.rows[in_order][:, others]).astype(np.int64)
        for k, j in enumerate(self.order[others].tolist()):
            self.s.seconds_left()
            at = np.flatnonzero(found[:, k])
            if (told := rationals(found[at, k].tolist(), echelon.p)) is not None:
                yield j, dict(zip(names[at].tolist(), told, strict=True))

    def _lifted(self, echelon: Echelon, sources: Ints, others: Ints) -> Iterator[dict[int, ColumnSum]]:
        """Relations with numbers of any length, that hold on the sources: some at a time."""
        if not others.size:
            return
        s, k, pivots = self.s, len(sources), np.sort(np.array(echelon.pivots, dtype=np.int64))
        names = self.order[pivots].tolist()
        if k**3 * _INVERSE > s.seconds_left():
            raise OutOfTimeError
        table, step = self._table(sources), max(1, _WORK // (k * k), k // 16)
        for first in range(0, others.size, step):
            s.seconds_left()
            some = others[first : first + step]
            part = WholeTable(np.ascontiguousarray(table[:, np.concatenate([pivots, some])]))
            rows = [part.numbers(i, np.arange(k, k + some.size)) for i in range(k)]
            sides = [list(side) for side in zip(*rows, strict=True)]
            square, powers = part.part(np.arange(k), np.arange(k)), part.column_powers.tolist()
            solved = solve(square.odd, square.shifts, sides, s.seconds_left)
            if solved is None:
                raise OutOfTimeError  # singular modulo the prime of lifting: not settled
            yield {
                int(self.order[j]): self._sum(one, int(np.searchsorted(pivots, j)), names, powers[:k], powers[k + at])
                for at, (j, one) in enumerate(zip(some.tolist(), solved, strict=True))
            }

    def _sum(self, one: Solved, earlier: int, names: list[int], powers: list[int], power: int) -> ColumnSum:
        """A column as a combination of the earlier ones, out of what was solved in the columns' own units."""
        if any(one.numerators[earlier:]):
            raise UnluckyPrimeError
        found = {}
        for name, x, own in zip(names, one.numerators[:earlier], powers, strict=False):
            if x:
                self.s.seconds_left()
                up = power - own
                found[name] = Fraction(x << max(0, up), one.denominator << max(0, -up))
        return found


def _block(size: int) -> int:
    return max(8, min(_BLOCK, _NUMBERS // max(1, size)))


def rationals(residues: Sequence[int], modulus: int) -> list[Fraction] | None:
    """Fractions with small numerators and one small denominator that have these residues; None if there are none.

    >>> rationals([pow(3, -1, 8388593) * 2, -5], 8388593)
    [Fraction(2, 3), Fraction(-5, 1)]
    """
    common, bound = 1, math.isqrt(modulus // 2)
    whole: list[tuple[int, int]] = []
    for residue in residues:
        x = residue * common % modulus
        x = x - modulus if x > modulus // 2 else x
        if abs(x) > bound:
            # The remainders of Euclid's algorithm: the first that is small enough, and the factor that makes it.
            (a, b), (r, t) = (modulus, 0), (x % modulus, 1)
            while r > bound:
                quotient = a // r
                (a, b), (r, t) = (r, t), (a - quotient * r, b - quotient * t)
            x, common = (r, common * t) if t > 0 else (-r, common * -t)
            if common > bound:
                return None
        whole.append((x, common))
    return [Fraction(x, denominator) for x, denominator in whole]


def _whole(j: int, combination: ColumnSum, tick: Tick) -> dict[int, int]:
    """Σ x_i·column i − column j, in whole numbers."""
    scale, found = 1, {}
    for x in combination.values():
        if scale % x.denominator:
            tick()
            scale = math.lcm(scale, x.denominator)
    for i, x in combination.items():
        found[i] = x.numerator * (scale // x.denominator)
    return {**found, j: -scale}
