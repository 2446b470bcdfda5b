"""Combinations of rows, and vectors orthogonal to rows: exact, by one square system each (lifting.py).

Which rows or columns are independent is asked modulo a prime; what comes out is checked in all the others.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .lifting import solve
from .whole_table import Floats, Tick, WholeTable, never


def combination(rows: Floats, target: Sequence[Fraction], tick: Tick = never) -> list[Fraction] | None:
    """X with Σ x_i·row_i = target, of independent rows; None if there is none, or if they are dependent.

    >>> combination(np.array([[1.0, 0.0], [1.0, 2.0]]), [Fraction(1), Fraction(1)])
    [Fraction(1, 2), Fraction(1, 2)]
    """
    k, d = rows.shape
    if not any(target):
        return [Fraction(0)] * k
    table = WholeTable(np.ascontiguousarray(rows))
    keep = table.independent_columns(k + 1)
    if not k or len(keep) != k:
        return None
    # Σ (x_i·2^row power)·whole_ij = target_j·2^-column power, times a unit that makes the right side whole.
    side = [x / Fraction(2) ** e for x, e in zip(target, table.column_powers.tolist(), strict=True)]
    unit = math.lcm(*(x.denominator for x in side))
    square, whole = table.part(np.arange(k), keep), [int(x * unit) for x in side]
    found = solve(square.odd.T, square.shifts.T, [[whole[j] for j in keep]], tick)
    if found is None:
        return None
    numerators, denominator = found[0]
    rest = np.setdiff1d(np.arange(d), keep)
    if table.sums(numerators, rest, tick) != [denominator * whole[j] for j in rest]:
        return None
    powers = table.row_powers.tolist()
    down = max(0, -min(powers))  # so that no power is negative
    return [Fraction(n << down, (denominator * unit) << down + p) for n, p in zip(numerators, powers, strict=True)]


def null_vector(rows: Floats, near: Floats, bits: int, tick: Tick = never) -> list[Fraction]:
    """A vector that is orthogonal to all rows exactly, close to `near`: its free coordinates keep so many bits.

    0 where there is no other, and where the prime is an unlucky one.
    """
    kept = independent_rows(rows)
    if len(kept) < len(rows):
        vector = null_vector(rows[kept], near, bits, tick)
        return vector if _orthogonal(np.delete(rows, kept, axis=0), vector, tick) else [Fraction(0)] * len(vector)
    k, d = rows.shape
    table = WholeTable(np.ascontiguousarray(rows))
    first = table.independent_columns(k + 1)
    free = np.setdiff1d(np.arange(d), first)
    size = float(np.abs(near[free]).max(initial=0.0)) or 1.0
    unit = Fraction(2) ** (math.frexp(size)[1] - bits)
    vector = [Fraction(0)] * d
    for j in free.tolist():
        vector[j] = round(Fraction(float(near[j])) / unit) * unit
    if not k or not any(vector):
        return vector
    # In the columns' own units: Σ_j whole_ij·(v_j·2^column power) = 0 for every row.
    powers = [Fraction(2) ** e for e in table.column_powers.tolist()]
    own = [vector[j] * powers[j] for j in free.tolist()]
    scale = math.lcm(*(x.denominator for x in own))
    whole = [int(x * scale) for x in own]
    sides = [-x for x in table.products(whole, free, tick)]
    square = table.part(np.arange(k), first)
    found = solve(square.odd, square.shifts, [sides], tick)
    if found is None:
        return [Fraction(0)] * d
    numerators, denominator = found[0]
    for j, n in zip(first.tolist(), numerators, strict=True):
        vector[j] = Fraction(n, denominator * scale) / powers[j]
    return vector


def independent_rows(rows: Floats) -> NDArray[np.int64]:
    """Numbers of rows that are linearly independent, as many as modulo a large prime; nearly always a basis."""
    if not rows.size:
        return np.empty(0, dtype=np.int64)
    return WholeTable(np.ascontiguousarray(rows.T)).independent_columns(rows.shape[1] + 1)


def _orthogonal(rows: Floats, v: Sequence[Fraction], tick: Tick) -> bool:
    table = WholeTable(np.ascontiguousarray(rows))
    own = [x * Fraction(2) ** e for x, e in zip(v, table.column_powers.tolist(), strict=True)]
    scale = math.lcm(*(x.denominator for x in own))
    return not any(table.products([int(x * scale) for x in own], np.arange(rows.shape[1]), tick))
