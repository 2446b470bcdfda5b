"""Relations between columns, exactly: which are combinations of earlier ones, and of which.

Elimination modulo a prime (modular.py) proposes. Columns that are independent modulo a prime are so exactly; each of
the others is a combination of earlier ones there, whose rational numbers are told by their residues modulo enough
primes (Wang 1981), and it is checked on every row, exactly. Where it fails, either more primes are needed, or the
elimination has not seen that row. So primes decide how long it takes, and never what comes out.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from .modular import Echelon, primes_below, residues
from .orthogonal import rows_off
from .signed_rows import Floats, Ints, SignedRows

ColumnSum = Mapping[int, Fraction]
"""Columns, by number, and how much of each."""

_BLOCK = 128  # rows that are eliminated at a time


class Relations:
    """Of some columns, in an order, over some rows: those that are kept, and what each of the others equals."""

    def __init__(self, s: SignedRows, rows: Ints, order: Sequence[int]) -> None:
        self.s, self.rows, self.order = s, rows, np.array(order, dtype=np.int64)
        self.kept: list[int] = []
        self.sums: dict[int, ColumnSum] = {}

    def find(self) -> "Relations":
        """Find them all. Raises `OutOfTimeError`."""
        s, size, primes = self.s, self.order.size, primes_below()
        echelon = Echelon(size, primes[0], s.seconds_left)
        waiting = s.random.permutation(self.rows)
        while True:
            grown = 1
            while echelon.rank < size and waiting.size and grown:
                some, waiting = waiting[:_BLOCK], waiting[_BLOCK:]
                grown = echelon.add(residues(self._table(some), echelon.p), some)
            if echelon.rank == size:
                self.kept = self.order.tolist()
                return self
            unseen = self._solve(echelon, primes[1:])
            if not unseen.size:
                self.kept = self.order[sorted(echelon.pivots)].tolist()
                return self
            waiting = np.concatenate([unseen, waiting[~np.isin(waiting, unseen)]])

    def _table(self, rows: Ints) -> Floats:
        return np.ascontiguousarray(self.s.z(rows)[:, self.order])

    def _solve(self, echelon: Echelon, primes: list[int]) -> Ints:
        """What the other columns equal, on the rows of the elimination; the rows in which it does not hold."""
        s, pivots = self.s, np.array(echelon.pivots, dtype=np.int64)
        others = np.setdiff1d(np.arange(self.order.size), pivots)
        names, sources = self.order[pivots].tolist(), np.array(echelon.sources, dtype=np.int64)
        in_order = np.argsort(pivots).tolist()
        found, modulus = _whole(echelon.rows[:, others]), echelon.p
        self.sums, used, enough = {}, 1, 1
        for p in primes:
            if used == enough:
                enough *= 2
                fresh: dict[int, ColumnSum] = {}
                for k, j in enumerate(self.order[others].tolist()):
                    s.seconds_left()
                    if j not in self.sums and (told := rationals(found[:, k], modulus)) is not None:
                        fresh[j] = {names[i]: told[i] for i in in_order if told[i]}
                off = rows_off(s, sources, [_vector(s.d, j, one) for j, one in fresh.items()])
                self.sums |= {j: one for (j, one), bad in zip(fresh.items(), off, strict=True) if not bad.size}
                if len(self.sums) == others.size:
                    break
            again = Echelon(self.order.size, p, s.seconds_left)
            again.add(residues(self._table(sources), p), sources)
            if sorted(again.pivots) == sorted(echelon.pivots):  # else the prime divides something
                place = {j: i for i, j in enumerate(again.pivots)}
                more = _whole(again.rows[[place[j] for j in echelon.pivots]][:, others])
                found = found + modulus * ((more - found) * pow(modulus, -1, p) % p)
                modulus, used = modulus * p, used + 1
        off = rows_off(s, self.rows, [_vector(s.d, j, one) for j, one in self.sums.items()])
        return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *(some[:_BLOCK] for some in off)]))


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


def _whole(table: Floats) -> Any:
    return np.rint(table).astype(np.int64).astype(object)


def _vector(d: int, j: int, combination: ColumnSum) -> list[Fraction]:
    v = [Fraction(0)] * d
    v[j] = Fraction(-1)
    for i, x in combination.items():
        v[i] = x
    return v
