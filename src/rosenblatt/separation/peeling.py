"""Peeling: directions along single columns, and the rows that they set aside, for a pass each.

If no row of one class is above a threshold t in column j, and none of the other below it, then ±(x_j − t) puts no row
on the wrong side, and strictly on their own all rows with x_j ≠ t. A word that occurs in one class only is such a
column, with t = 0. (Through the origin t = 0 is the only threshold there is.) All such columns together are one
direction; the rows that it frees are set aside, and the rest is asked again, where more columns qualify: level by
level. Columns are constant on the rows that their level leaves, so each is used once.

The directions join into one hyperplane: an earlier level weighs so much more than all later ones that those cannot turn
a row it has freed. What is left is for the linear programs. Weights are powers of two, so they round nothing.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .signed_rows import Floats, SignedRows, Vector

_LEVELS = 50  # from which on a level must free a thousandth of the rows that are left
_MOST_POWER = 500  # of two, that float64 holds beside the sizes of columns
_ROOM = 2  # an earlier level weighs 2^2 times more than is needed


class Peeled(NamedTuple):
    """What the columns decide alone."""

    v: Vector | None
    """No row on the wrong side, those set aside strictly on their own; None if there are none."""
    left: NDArray[np.bool_]
    """The rows that are not."""
    levels: int
    columns: int
    """That have a weight."""


class _Level(NamedTuple):
    """One direction: Σ sign_j·size_j·(x_j − t_j), or the offset alone, where no column has a size."""

    columns: NDArray[np.int64]
    signs: Floats
    sizes: Floats
    thresholds: Floats
    freed: NDArray[np.bool_]
    offset: int = 0
    """±1: what is left is of one class, and the offset frees it."""


def peel(s: SignedRows) -> Peeled:
    """Set rows aside level by level, until no column frees any."""
    left, levels = np.ones(s.n, dtype=bool), list[_Level]()
    while left.any():
        s.seconds_left()
        level = _level(s, left)
        if level is None:
            break
        levels.append(level)
        rows = int(left.sum())
        left &= ~level.freed
        s.tell("setting aside rows that single columns decide", rows_left=int(left.sum()))
        if len(levels) > _LEVELS and 1000 * int(level.freed.sum()) < rows:
            break
    if not levels:
        return Peeled(None, left, 0, 0)
    v = _joined(s, levels, left)
    return Peeled(v, left, len(levels), sum(level.columns.size for level in levels))


def _level(s: SignedRows, left: NDArray[np.bool_]) -> _Level | None:
    """All columns that have no row of these on the wrong side of a threshold, and the rows they free; None if none."""
    sides = np.unique(s.y[left])
    if not s.origin and sides.size == 1:
        none = np.empty(0)
        return _Level(none.astype(np.int64), none, none, none, left.copy(), int(sides[0]))
    low0, high0, low1, high1 = _core.column_ranges(s.rows, np.where(left, s.y, 0).astype(np.int8), s.threads)
    if s.origin:
        up, down = (low1 >= 0) & (high0 <= 0), (low0 >= 0) & (high1 <= 0)
    else:
        up, down = high0 <= low1, high1 <= low0
    columns = np.flatnonzero(up != down)  # a column that is both is constant
    if not columns.size:
        return None
    signs = np.where(up[columns], 1.0, -1.0)
    below, above = (np.where(up, a, b)[columns] for a, b in ((high0, high1), (low1, low0)))
    thresholds = np.zeros(columns.size) if s.origin else _between(below, above)
    ends = np.abs(np.array([low0, high0, low1, high1])[:, columns])
    largest = np.where(np.isfinite(ends), ends, 0.0).max(axis=0)  # a class that is gone has none
    sizes = np.ldexp(1.0, np.clip(-np.frexp(largest)[1], -1000, 1000))
    freed = left & (_distances(s, columns, sizes, thresholds) > 0)
    return _Level(columns, signs, sizes, thresholds, freed) if freed.any() else None


def _between(below: Floats, above: Floats) -> Floats:
    """A threshold strictly between, where there is one; else `below`, which is on it, and as good."""
    middle = below / 2 + above / 2
    return np.where((below < middle) & (middle < above), middle, below)


def _distances(s: SignedRows, columns: NDArray[np.int64], sizes: Floats, thresholds: Floats) -> Floats:
    c, t = np.zeros(s.examples.n_columns), np.zeros(s.examples.n_columns)
    c[columns], t[columns] = sizes, thresholds
    with np.errstate(over="ignore"):
        return np.asarray(_core.distances_along(s.rows, c, t, s.threads))


def _joined(s: SignedRows, levels: list[_Level], left: NDArray[np.bool_]) -> Vector:
    """One hyperplane of all levels: strict on the rows they freed, 0 on those that are left. Exact, and looked at."""
    room = _ROOM
    while True:
        s.seconds_left()
        powers = _powers(s, levels, room)
        v = _vector(s, levels, powers)
        signs = _signs(s, levels, powers, v)
        if (signs[left] == 0).all() and (signs[~left] > 0).all():
            return v
        room *= 8  # of numbers of very different sizes


def _vector(s: SignedRows, levels: list[_Level], powers: list[int]) -> Vector:
    v = [Fraction(0)] * s.d
    for level, power in zip(levels, powers, strict=True):
        unit = Fraction(2) ** power
        weights = level.signs * level.sizes
        exact = {weight: Fraction(weight) * unit for weight in np.unique(weights).tolist()}  # few: powers of two
        for j, weight, t in zip(level.columns.tolist(), weights.tolist(), level.thresholds.tolist(), strict=True):
            v[j] = exact[weight]
            if t:
                v[-1] -= v[j] * Fraction(t)
        if level.offset:
            v[-1] += unit * level.offset
    return v


def _signs(s: SignedRows, levels: list[_Level], powers: list[int], v: Vector) -> NDArray[np.int8]:
    """The signs of all rows under v, exactly: by the core at once where float64 holds the weights, as mostly."""
    if max(powers) > _MOST_POWER:
        return s.signs(v)
    w, b = np.zeros(s.examples.n_columns), [0.0]
    for level, power in zip(levels, powers, strict=True):
        w[level.columns] = np.ldexp(level.signs * level.sizes, power - _MOST_POWER)
    offset = Fraction(0) if s.origin else v[-1] / 2**_MOST_POWER
    while offset:  # in parts that float64 holds
        b.append(float(offset))
        if not b[-1]:
            return s.signs(v)
        offset -= Fraction(b[-1])
    if not np.isfinite(w).all() or (w[np.concatenate([level.columns for level in levels])] == 0).any():
        return s.signs(v)
    limbs = np.zeros((len(b), w.size))
    limbs[0] = w
    return np.asarray(_core.exact_signs(s.rows, np.arange(s.n), limbs, np.array(b), s.threads) * s.y, dtype=np.int8)


def _powers(s: SignedRows, levels: list[_Level], room: int) -> list[int]:
    """Of each level the power of two it weighs: for a row that it frees more than all later ones can weigh against."""
    powers, harm = [0], np.zeros(s.n)
    for level, after in zip(levels[-2::-1], levels[:0:-1], strict=True):
        s.seconds_left()
        # In units of the level after: what that one and those behind it weigh, at most.
        harm = harm + (1.0 if after.offset else _distances(s, after.columns, after.sizes, after.thresholds))
        gain = _distances(s, level.columns, level.sizes, level.thresholds)[level.freed]
        with np.errstate(over="ignore", invalid="ignore"):
            ratio = float(np.nan_to_num(harm[level.freed] / gain, nan=1e300).max())
        step = max(0, math.frexp(min(ratio, 1e300))[1] + room)
        powers.append(powers[-1] + step)
        harm = np.ldexp(harm, -min(step, 2000))
    return powers[::-1]
