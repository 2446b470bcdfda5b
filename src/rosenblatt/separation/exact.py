"""Exact linear algebra on a few rows, in rationals (python-flint).

A double is an integer times a power of two, so a row of doubles is an integer row times one. What is decided here is
decided for good: every function either gives exact numbers or says that there are none.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpz, fmpz_mat, nmod_mat
from numpy.typing import NDArray

from .combinations import null_vector as null_vector
from .lifting import solve
from .whole_table import Tick, WholeTable, never
from .whole_table import odd_parts as odd_parts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_FEW = 64  # rows up to which python-flint solves at once
# Not near a power of two: the numbers are whole multiples of those, and must not look alike.
_PRIME = 6_700_417_290_517_648_933


def integers(rows: Floats) -> tuple[list[list[int]], list[int]]:
    """Whole numbers N and exponents e with row i = N_i·2^e_i."""
    odd, powers = odd_parts(rows)
    table, shifts = [], []
    for row, power in zip(odd.tolist(), powers.tolist(), strict=True):
        low = min((p for m, p in zip(row, power, strict=True) if m), default=0)
        table.append([m << p - low if m else 0 for m, p in zip(row, power, strict=True)])
        shifts.append(low)
    return table, shifts


def fraction(value: fmpq | fmpz) -> Fraction:
    """The same number of the standard library."""
    value = fmpq(value)
    return Fraction(int(value.p), int(value.q))


def rounded(v: Sequence[Fraction]) -> Floats:
    """A positive multiple of v in float64, its largest entry about 1: nothing overflows, and what is lost is tiny."""
    ratios = [x.as_integer_ratio() for x in v]
    try:
        near = np.array([p / q for p, q in ratios], dtype=np.float64)
    except OverflowError:
        near = np.full(len(v), np.inf)
    sizes = np.abs(near)
    top = float(sizes.max(initial=0.0))
    if 2.0**-500 < top < 2.0**500 and all(
        size > 2.0**-500 or not p for size, (p, _) in zip(sizes, ratios, strict=True)
    ):
        # Floats hold them, before and after they are scaled: of those as large as the largest one is.
        largest = max(abs(v[i]) for i in np.flatnonzero(sizes == top).tolist())
        return np.ldexp(near, -_exponent(largest))
    largest = max((abs(x) for x in v), default=Fraction(0))
    power = _exponent(largest)
    up, down = max(-power, 0), max(power, 0)
    return np.array([(p << up) / (q << down) for p, q in ratios], dtype=np.float64)


def root(value: Fraction) -> float:
    """√value, rounded, though the square itself may lie beyond float64."""
    half = _exponent(value) // 2
    try:
        return math.ldexp(math.sqrt(value / Fraction(4) ** half), half)
    except OverflowError:
        return math.inf


def _exponent(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length() if value else 0


def independent(rows: Sequence[Sequence[int]]) -> list[int]:
    """Numbers of rows that are linearly independent, as many as modulo a large prime; nearly always a basis."""
    if not rows or not rows[0]:
        return []
    d = len(rows[0])
    table = nmod_mat(d, len(rows), [int(row[j]) % _PRIME for j in range(d) for row in rows], _PRIME)
    return pivots(*table.rref())


def pivots(echelon: Any, rank: int) -> list[int]:
    """The columns in which the rows of an echelon form begin."""
    found, at = [], 0
    for i in range(rank):
        while int(echelon[i, at]) == 0:
            at += 1
        found.append(at)
    return found


def dependency(rows: Floats, tick: Tick = never) -> list[Fraction] | None:
    """α > 0 with Σ α_i·row_i = 0, if that is the one dependency the rows have, up to scale; else None."""
    whole = multipliers(rows, tick)
    return None if whole is None else [Fraction(a, whole[-1]) for a in whole]


def multipliers(rows: Floats, tick: Tick = never) -> tuple[int, ...] | None:
    """Whole numbers α > 0 with Σ α_i·row_i = 0, if that is the one dependency the rows have, up to scale; else None."""
    table, k = WholeTable(rows[:, rows.any(axis=0)]), len(rows)
    if table.odd.shape[1] == 0:
        return (1,) if k == 1 else None
    keep = table.independent_columns(k - 1)
    if len(keep) != k - 1:
        return None
    if k == 1:
        return None
    whole = _last_of_few(table, keep, tick) if k <= _FEW else _last_of_many(table, keep, tick)
    if whole is None or min(whole) <= 0:
        return None
    rest = np.setdiff1d(np.arange(table.odd.shape[1]), keep)
    if any(table.sums(whole, rest, tick)):
        return None
    top = int(table.row_powers.max())
    return coprime(a << top - power for a, power in zip(whole, table.row_powers.tolist(), strict=True))


def _last_of_few(table: WholeTable, keep: Ints, tick: Tick) -> list[int] | None:
    """Whole numbers with which the rows cancel in these columns, one fewer than rows: the last row by the others."""
    tick()
    k = len(keep)
    square = fmpz_mat(k, k, [a for i in range(k) for a in table.numbers(i, keep)]).transpose()
    try:
        found: Any = square.solve(fmpz_mat(k, 1, [-a for a in table.numbers(k, keep)]))
    except ZeroDivisionError:
        return None
    numerators, denominator = found.numer_denom()
    return [*map(int, numerators.entries()), int(denominator)]


def _last_of_many(table: WholeTable, keep: Ints, tick: Tick) -> list[int] | None:
    """The same digit by digit, which many rows repay."""
    k = len(keep)
    square = table.part(np.arange(k), keep)
    solved = solve(square.odd.T, square.shifts.T, [[-a for a in table.numbers(k, keep)]], tick)
    return None if solved is None else [*solved[0].numerators, solved[0].denominator]


def coprime(whole: Iterable[int]) -> tuple[int, ...]:
    """The same numbers without their common factor."""
    numbers = list(whole)
    common = math.gcd(*numbers)
    return tuple(a // common for a in numbers)


class Cone:
    """Is b in the cone of the columns? Farkas: either b = Σ x_j·a_j with x ≥ 0, or some v has v·a_j ≥ 0 and v·b < 0.

    Phase one of the simplex method (Dantzig 1951) in rationals: artificial columns ±e_i carry what the basis misses,
    and their sum is driven down. `hint` names columns that a solver in floats had in its basis; with a good one
    nothing is left to do but to solve two linear systems. Bland's rule (1977) keeps it from cycling.
    """

    def __init__(
        self, columns: Sequence[Sequence[int]], b: Sequence[int], hint: Sequence[int], tick: Callable[[], object]
    ) -> None:
        self.columns, self.b, self.d, self.tick = columns, b, len(b), tick
        self.table = fmpz_mat(len(columns), len(b), [v for column in columns for v in column])
        self.multipliers: dict[int, Fraction] = {}
        self.normal: list[Fraction] | None = None
        self._run(list(hint))

    def _unit(self, i: int) -> list[int]:
        return [self.signs[i] if j == i else 0 for j in range(self.d)]

    def _column(self, j: int) -> Sequence[int]:
        return self.columns[j] if j >= 0 else self._unit(-1 - j)

    def _matrix(self) -> fmpz_mat:
        return fmpz_mat(self.d, self.d, [v for j in self.basis for v in self._column(j)]).transpose()

    def _start(self, hint: list[int]) -> Any:
        """A basis of hinted columns with weights ≥ 0, filled up with artificial ones; its solution."""
        side = fmpz_mat(self.d, 1, list(self.b))
        while True:
            self.tick()
            self.signs = [1] * self.d
            rows = [self.columns[j] for j in hint] + [self._unit(i) for i in range(self.d)]
            chosen = independent(rows)
            self.basis = [hint[r] if r < len(hint) else -1 - (r - len(hint)) for r in chosen]
            x = self._matrix().solve(side)
            negative = [j for at, j in enumerate(self.basis) if j >= 0 and x[at, 0] < 0]
            if not negative:
                break
            hint = [j for j in hint if j not in set(negative)]
        for at, j in enumerate(self.basis):
            if j < 0 and x[at, 0] < 0:
                self.signs[-1 - j] = -1
        return self._matrix().solve(side)

    def _run(self, hint: list[int]) -> None:
        x = self._start(hint)
        stuck = 0
        while True:
            self.tick()  # raises when time is up
            artificial = [at for at, j in enumerate(self.basis) if j < 0]
            missing = sum((x[at, 0] for at in artificial), fmpq(0))
            if missing == 0:
                self.multipliers = {j: fraction(x[at, 0]) for at, j in enumerate(self.basis) if j >= 0 and x[at, 0] > 0}
                return
            matrix = self._matrix()
            costs = fmpz_mat(self.d, 1, [int(j < 0) for j in self.basis])
            prices = matrix.transpose().solve(costs)
            entering = self._entering([prices[i, 0] for i in range(self.d)], bland=stuck > 20)
            if entering is None:
                self.normal = [-fraction(prices[i, 0]) for i in range(self.d)]
                return
            column = fmpz_mat(self.d, 1, list(self.columns[entering]))
            step = matrix.solve(column)
            ratios = [(x[at, 0] / step[at, 0], self.basis[at], at) for at in range(self.d) if step[at, 0] > 0]
            ratio, _, leaving = min(ratios)
            stuck = stuck + 1 if ratio == 0 else 0
            self.basis[leaving] = entering
            x = self._matrix().solve(fmpz_mat(self.d, 1, list(self.b)))

    def _entering(self, prices: list[fmpq], bland: bool) -> int | None:
        scale = fmpz(1)
        for p in prices:
            scale = scale.lcm(p.q)
        product = self.table * fmpz_mat(self.d, 1, [(p * scale).p for p in prices])
        gains = [product[j, 0] for j in range(len(self.columns))]
        best = None
        for j, gain in enumerate(gains):
            if gain > 0 and (best is None or gain > gains[best]):
                best = j
                if bland:
                    break
        return best
