"""The fewest mistakes in the plane, exactly, by a sweep.

Given points of the plane with labels ±1, find a line with as many points as possible strictly on the side of their
label. A point on the line is a mistake, so a small shift never makes it worse, and the best line lies in an open cell:
the lines with the same points on the same sides. Every cell has a facet, that is, its line can be moved until it
touches one point (and those that coincide with it) and no other. So it is enough to turn a line about each point in
turn, to count between the directions in which it meets another, and to leave the pivot on its better side: O(n² log n)
in all, the angular sweep (Edelsbrunner 1987, *Algorithms in Combinatorial Geometry*).

One turn about the origin answers the same question of lines through the origin, and of points on a line with an
offset: x becomes (x, 1).

Exact for every input. The directions to the others are sorted by their slopes in floats; slopes that are fewer than
`_DOUBT` floats apart are compared by the sign of a determinant, the orientation test (Shewchuk 1997), in integers:
coordinates are cut into pieces of 26 bits, so that int64 holds every sum of their products.
"""

import math
import time
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..exact import integers, odd_parts, rounded
from ..signed_rows import Floats, Ints, SignedRows, Vector
from ..watch import OutOfTimeError

Bools = NDArray[np.bool_]

_BITS = 26
_DOUBT = 16  # a slope is rounded three times: dx, dy and their quotient
_ONE = int(np.float64(1.0).view(np.int64))
_CELLS = 200_000  # pivots × points at a time
_FASTEST = 2e7  # pairs of points a second, at the very most
_SAMPLE = 50_000  # rows of which it is asked how many points they are
_HUGE = 2.0**1021  # beyond which a difference may overflow


class Points(NamedTuple):
    """Distinct points of the plane, and how many rows of each label lie there."""

    xy: Floats
    positive: Ints
    negative: Ints
    pieces: Ints
    """(2, L, N): a column's coordinates are Σ pieces[k]·2^(26k), times one power of two; exactly."""


class Cell(NamedTuple):
    """Where the most points are right: lines about the pivot (None: the origin) between two directions."""

    right: int
    pivot: int | None
    between: tuple[tuple[int, int], tuple[int, int]]
    """Two points, each with 1 for the direction to it or −1 for the one from it; counterclockwise."""
    flipped: bool
    """Whether the positive side is on the right of the line, not on its left."""


def sweep(s: SignedRows, seconds: float) -> Vector | None:
    """A v with the fewest z_i·v ≤ 0 there can be; None if finding it would take longer. For at most two columns."""
    end = time.monotonic() + seconds
    about_points = not s.origin and s.examples.n_columns == 2
    if about_points and _distinct(s) ** 2 > _FASTEST * seconds:
        return None
    points = _points(s)
    N = len(points.xy)
    cell: Cell | None = None
    try:
        if about_points and N > 1:
            cell = _about_each(points, end)
        else:
            away = np.flatnonzero(points.xy.any(axis=1))
            if away.size and not about_points:
                cell = _best(points, None, away[None, :], end)
    except OutOfTimeError:
        return None
    v = s.tilted(_between(s, points, cell))
    near = [Fraction(x) for x in rounded(v).tolist()]
    mistakes, of_near = (s.mistakes(u).size for u in (v, near))
    if cell is not None and mistakes != s.n - cell.right:
        raise AssertionError("a sweep that miscounts")
    return near if of_near == mistakes and any(near[: s.examples.n_columns]) else v


def _distinct(s: SignedRows) -> int:
    """At least so many points are distinct: those of some rows."""
    some = s.z(np.arange(0, s.n, 1 + s.n // _SAMPLE)) * s.y[:: 1 + s.n // _SAMPLE, None]
    return len(np.unique(some, axis=0))


def _points(s: SignedRows) -> Points:
    """The rows as points: x itself; (x, 1) of one column with an offset, (x, 0) of one through the origin."""
    X = np.asarray(s.matrix.toarray() if hasattr(s.matrix, "toarray") else s.matrix, dtype=np.float64) + 0.0
    if X.shape[1] == 1:
        X = np.hstack([X, np.full((s.n, 1), 0.0 if s.origin else 1.0)])
    order = np.lexsort((X[:, 1], X[:, 0]))
    new = np.ones(s.n, dtype=bool)
    new[1:] = (X[order[1:]] != X[order[:-1]]).any(axis=1)
    at, y = np.cumsum(new) - 1, s.y[order]
    positive, negative = (np.bincount(at[y == label], minlength=at[-1] + 1) for label in (1, -1))
    xy = X[order[new]]
    return Points(xy, positive, negative, _pieces(xy))


def _pieces(xy: Floats) -> Ints:
    """Each coordinate in pieces of 26 bits, all with its sign, the lowest first."""
    odd, powers = odd_parts(np.abs(xy))
    some = odd > 0
    low = np.where(some, powers, 1 << 20).min(axis=0)  # the lowest bit of each column, which is to count 1
    shifts = np.where(some, powers - low, 0)
    lengths = np.frexp(odd.astype(np.float64))[1]
    pieces = []
    for k in range(max(1, math.ceil(int((shifts + lengths).max()) / _BITS))):
        move = _BITS * k - shifts  # bits to the right
        part = np.where(move >= 0, odd >> np.clip(move, 0, 63), (odd << np.clip(-move, 0, _BITS)))
        pieces.append(np.where(move > -_BITS, part & ((1 << _BITS) - 1), 0) * np.sign(xy).astype(np.int64))
    return np.ascontiguousarray(np.array(pieces).transpose(2, 0, 1))


def _about_each(points: Points, end: float) -> Cell:
    """The best cell there is, by turning a line about each point."""
    N = len(points.xy)
    step, begin = max(1, _CELLS // N), time.monotonic()
    best: Cell | None = None
    for first in range(0, N, step):
        pivots = np.arange(first, min(first + step, N))
        others = np.arange(N - 1)[None, :]
        found = _best(points, pivots, others + (others >= pivots[:, None]), end)
        best = found if best is None or found.right > best.right else best
        now, done = time.monotonic(), int(pivots[-1]) + 1
        if now + (now - begin) * (N - done) / done > end:
            raise OutOfTimeError
    assert best is not None
    return best


def _best(points: Points, pivots: Ints | None, others: Ints, end: float) -> Cell:
    """The best cell met by lines about these pivots (or the origin), a row of `others` for each."""
    order, upper, same = _sorted(points, pivots, others, end)
    gain = points.positive[order] - points.negative[order]  # of a point on the left of the line
    change = np.where(upper, -gain, gain)  # as the line, turning counterclockwise, passes it
    first = np.where(upper, gain, 0).sum(axis=1) + points.negative[order].sum(axis=1)
    right = first[:, None] + np.cumsum(change, axis=1)
    total = (points.positive[order] + points.negative[order]).sum(axis=1)
    own = 0 if pivots is None else np.maximum(points.positive[pivots], points.negative[pivots])[:, None]
    closed = np.zeros(order.shape, dtype=bool)  # parallel to the next: no room for a line
    closed[:, :-1] = same
    both = np.array([np.where(closed, -1, values + own) for values in (right, total[:, None] - right)])
    flip, row, at = (int(x) for x in np.unravel_index(int(both.argmax()), both.shape))
    sides = np.where(upper[row], 1, -1)
    if at + 1 < order.shape[1]:
        following = int(order[row, at + 1]), int(sides[at + 1])
    else:  # after the last comes the first again, from behind
        following = int(order[row, 0]), -int(sides[0])
    pivot = None if pivots is None else int(pivots[row])
    return Cell(int(both[flip, row, at]), pivot, ((int(order[row, at]), int(sides[at])), following), bool(flip))


def _sorted(points: Points, pivots: Ints | None, others: Ints, end: float) -> tuple[Ints, Bools, Bools]:
    """The others by their directions, turned into the upper half plane.

    Also which were there already, and which are parallel to their next. Odd-even transpositions mend what floats
    leave open: all are in order when neither the even nor the odd neighbours ask to be swapped.
    """
    key, upper = _slopes(points, pivots, others)
    by = np.argsort(key, axis=1, kind="stable")
    key, order = np.take_along_axis(key, by, axis=1), np.take_along_axis(others, by, axis=1)
    upper = np.take_along_axis(upper, by, axis=1)
    same = np.zeros((order.shape[0], order.shape[1] - 1), dtype=bool)
    close = np.nonzero(key[:, 1:] - _DOUBT <= key[:, :-1])
    halves = [tuple(index[close[1] % 2 == parity] for index in close) for parity in (0, 1)]
    quiet, parity = (0 if close[0].size else 2), 0
    while quiet < 2:
        if time.monotonic() > end:
            raise OutOfTimeError
        r, c = halves[parity]
        signs = _orientation(points, None if pivots is None else pivots[r], order[r, c], order[r, c + 1])
        signs = np.where(upper[r, c] == upper[r, c + 1], signs, -signs)
        same[r, c] = signs == 0
        r, c = r[signs < 0], c[signs < 0]
        for table in (order, upper):
            table[r, c], table[r, c + 1] = table[r, c + 1], table[r, c]
        quiet = quiet + 1 if r.size == 0 else 0
        parity = 1 - parity
    return order, upper, same


def _slopes(points: Points, pivots: Ints | None, others: Ints) -> tuple[Ints, Bools]:
    """A whole number for each direction, growing from angle 0 to π and off by few; and whether dy > 0 or dx > dy = 0.

    The bits of a float ≥ 0 count the floats below it. Close to the vertical the number is that of |dx/dy| or its
    negative; beyond 45° that of |dy/dx|, counted from the ends.
    """
    if not (np.abs(points.xy) < _HUGE).all():  # nothing is known of the slopes
        sx, sy = (_digits_sign(_difference(points, axis, pivots, others)) for axis in (0, 1))
        return np.zeros(others.shape, dtype=np.int64), (sy > 0) | ((sy == 0) & (sx > 0))
    d = points.xy[others] - (0.0 if pivots is None else points.xy[pivots][:, None, :])
    dx, dy = d[..., 0], d[..., 1]
    upper = (dy > 0) | ((dy == 0) & (dx > 0))
    side = np.where(upper, np.sign(dx), -np.sign(dx)).astype(np.int64)
    x, y = np.abs(dx), np.abs(dy)
    bits = (np.minimum(x, y) / np.maximum(x, y)).view(np.int64)
    return -side * np.where(x <= y, bits, 2 * _ONE - bits), upper


def _difference(points: Points, axis: int, pivots: Ints | None, others: Ints) -> Ints:
    """The pieces of the coordinates of these points, from their pivots."""
    found: Ints = points.pieces[axis][:, others]
    if pivots is not None:
        base = points.pieces[axis][:, pivots]
        found = found - base.reshape(base.shape + (1,) * (others.ndim - pivots.ndim))
    return found


def _orientation(points: Points, pivots: Ints | None, i: Ints, j: Ints) -> Ints:
    """The sign of dx_i·dy_j − dy_i·dx_j, exactly: positive if j is counterclockwise of i."""
    (xi, xj), (yi, yj) = ([_difference(points, axis, pivots, k) for k in (i, j)] for axis in (0, 1))
    L = len(xi)
    total = np.zeros((2 * L, i.size), dtype=np.int64)
    for a in range(L):
        total[a : a + L] += xi[a] * yj - yi[a] * xj
    return _digits_sign(total)


def _digits_sign(digits: Ints) -> Ints:
    """The sign of Σ digits[k]·2^(26k)."""
    rest = np.zeros(digits.shape[1:], dtype=bool)
    carry = np.zeros(digits.shape[1:], dtype=np.int64)
    for digit in digits:
        digit = digit + carry
        carry = digit >> _BITS
        rest |= (digit & ((1 << _BITS) - 1)) != 0
    return np.where(carry < 0, -1, ((carry > 0) | rest).astype(np.int64))


def _between(s: SignedRows, points: Points, cell: Cell | None) -> Vector:
    """A line of the cell, exactly, as v: half way between the two directions, and beside the pivot, not through it."""
    one_column, origin = s.examples.n_columns == 1, s.origin
    if cell is None:  # all rows at one point, so that an offset decides; or all of them 0
        return [Fraction(0)] * (s.d - 1) + [Fraction(1 if points.positive[0] >= points.negative[0] else -1)]
    xy = [[Fraction(x) for x in points.xy[k].tolist()] for k in (cell.between[0][0], cell.between[1][0])]
    p = [Fraction(0), Fraction(0)] if cell.pivot is None else [Fraction(x) for x in points.xy[cell.pivot].tolist()]
    first, second = (
        [side * (a - c) for a, c in zip(point, p, strict=True)]
        for point, (_, side) in zip(xy, cell.between, strict=True)
    )
    along = [a + b for a, b in zip(first, second, strict=True)]
    if first[0] * second[1] == first[1] * second[0]:  # all directions are parallel: across them
        along = [-first[1], first[0]]
    w = [-along[1], along[0]]
    if cell.flipped:
        w = [-a for a in w]
    if cell.pivot is None:
        return [w[0]] if one_column and origin else w  # of (x, 1) the second weight is the offset
    b = -(w[0] * p[0] + w[1] * p[1])
    table, shifts = integers(np.column_stack([points.xy, np.ones(len(points.xy))]))
    scores = [
        abs(w[0] * row[0] + w[1] * row[1] + b * row[2]) * Fraction(2) ** e for row, e in zip(table, shifts, strict=True)
    ]
    shift = min(score for score in scores if score) / 2
    return [*w, b + (shift if points.positive[cell.pivot] >= points.negative[cell.pivot] else -shift)]
