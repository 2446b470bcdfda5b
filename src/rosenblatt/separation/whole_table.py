"""A table of doubles as whole numbers, without rounding: entry (i, j) = odd·2^(shift + row power + column power).

Powers of two are taken out of rows and columns, since trailing zeros cost time in every later step.
"""

from collections.abc import Callable, Sequence

import numpy as np
from flint import fmpz_mat, nmod_mat
from numpy.typing import NDArray

from .. import _core
from .lifting import PRIME, bits_of, words_of

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Tick = Callable[[], object]
"""Asks the watch, which raises when time is up."""

_FEW = 64  # columns beyond as many as there are rows that are looked at first
_PIECE = 2_000_000  # numbers between two looks at the watch


def never() -> None:
    """A watch that never ends anything."""


def odd_parts(values: Floats) -> tuple[Ints, Ints]:
    """Odd numbers N and exponents e with N·2^e = value, exactly; of 0 both are 0.

    Odd, because trailing zeros cost time in every later step.

    >>> odd_parts(np.array([0.75, -12.0, 0.0]))
    (array([ 3, -3,  0]), array([-2,  2,  0]))
    """
    mantissas, exponents = np.frexp(values)
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    twos = np.where(whole != 0, np.frexp((whole & -whole).astype(np.float64))[1] - 1, 0)
    return whole >> twos, np.where(whole != 0, exponents.astype(np.int64) - 53 + twos, 0)


class WholeTable:
    """Rows of doubles as whole numbers."""

    def __init__(self, rows: Floats) -> None:
        self.odd, powers = odd_parts(rows)
        used, far = self.odd != 0, np.iinfo(np.int64).max
        self.column_powers = _least(powers, used, 0, far)
        powers = powers - self.column_powers
        self.row_powers = _least(powers, used, 1, far)
        self.shifts = np.where(used, powers - self.row_powers[:, None], 0)

    def part(self, rows: Ints, columns: Ints) -> "WholeTable":
        """Some rows and columns of it, with the same powers."""
        some = object.__new__(WholeTable)
        at = np.ix_(rows, columns)
        some.odd, some.shifts = self.odd[at], self.shifts[at]
        some.row_powers, some.column_powers = self.row_powers[rows], self.column_powers[columns]
        return some

    def numbers(self, row: int, columns: Ints) -> list[int]:
        """odd·2^shift of one row."""
        pairs = zip(self.odd[row, columns].tolist(), self.shifts[row, columns].tolist(), strict=True)
        return [a << shift for a, shift in pairs]

    def independent_columns(self, enough: int) -> Ints:
        """Columns that are linearly independent modulo a large prime, hence in truth; nearly always a basis.

        Of many columns some are looked at first: mostly they have the rank of all.
        """
        n, d = self.odd.shape
        if not n or not d:
            return np.empty(0, dtype=np.int64)
        some = min(n, enough) + _FEW
        if d > 2 * some:
            columns = np.sort(np.random.default_rng(0).choice(d, some, False))
            keep = columns[self._pivots(columns)]
            if len(keep) >= min(n, enough) - 1:
                return keep
        return self._pivots(np.arange(d))

    def _pivots(self, columns: Ints) -> Ints:
        odd, shifts = self.odd[:, columns], self.shifts[:, columns]
        table = _core.residues(words_of(odd, shifts, bits_of(odd, shifts) // 64 + 1), PRIME)
        echelon, rank = nmod_mat(table.shape[0], table.shape[1], table.ravel().tolist(), PRIME).rref()
        found, at = [], 0
        for i in range(rank):
            while int(echelon[i, at]) == 0:
                at += 1
            found.append(at)
        return np.array(found, dtype=np.int64)

    def sums(self, weights: Sequence[int], columns: Ints, tick: Tick = never) -> list[int]:
        """Σ_i weight_i·whole_ij for these columns j."""
        step, found = max(1, _PIECE // len(weights)), []
        for first in range(0, columns.size, step):
            tick()
            some = columns[first : first + step]
            table = [value for row in range(len(weights)) for value in self.numbers(row, some)]
            product = fmpz_mat(1, len(weights), list(weights)) * fmpz_mat(len(weights), some.size, table)
            found += [int(x) for x in product.entries()]
        return found

    def products(self, weights: Sequence[int], columns: Ints, tick: Tick = never) -> list[int]:
        """Σ_j whole_ij·weight_j over these columns, for every row i."""
        step, found = max(1, _PIECE // len(weights)), []
        column = fmpz_mat(len(weights), 1, list(weights))
        for first in range(0, self.odd.shape[0], step):
            tick()
            rows = range(first, min(first + step, self.odd.shape[0]))
            table = [value for row in rows for value in self.numbers(row, columns)]
            found += [int(x) for x in (fmpz_mat(len(rows), len(weights), table) * column).entries()]
        return found


def _least(powers: Ints, used: NDArray[np.bool_], axis: int, far: int) -> Ints:
    """The least power of each column or row; 0 where there is none."""
    least = np.where(used, powers, far).min(axis=axis, initial=far)
    return np.where(least == far, 0, least)
