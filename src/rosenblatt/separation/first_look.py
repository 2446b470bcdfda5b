"""What a few passes over the rows show of the coefficients at once, however many columns there are.

Given a direction v of C = {v : z_i·v ≥ 0 for all rows}:

- A column that is constant, say t, on the rows on the boundary of v may be moved a little either way, the offset with
  it: v ± ε·(e_j − t·e_offset) stays in C. So its coefficient is not finite, in any model that keeps the column; and it
  is indeterminate if v_j = 0.
- If v_j may be taken out of v, and no row then comes to the boundary of which it was a part, then a little more may be
  taken out, and coefficient j runs to either side. (This and the next where it is known which columns are dropped.)
- A column of which all values of one class are ≥ all of the other's is a direction of C by itself.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .evidence import Evidence
from .exact import rounded
from .signed_rows import Floats, Ints, SignedRows, Vector

_NUMBERS = 4_000_000  # entries at a time


class _Entries(NamedTuple):
    """Entries that are stored: the row and column of each."""

    row: Ints
    column: Ints
    value: Floats


def first_look(s: SignedRows, v: Vector, known: Evidence, dropped: Collection[int] | None) -> None:
    """Note what this direction of C shows; it has 0 in the columns dropped. None: which those are is not known."""
    near = rounded(v)
    m = s.margins(near)
    zero = s.signs(v, m) == 0
    low, high = column_ranges(s, zero)
    free = (low == high) if not s.origin else (low == 0) & (high == 0)
    if not zero.any():
        free[:] = True
    columns = s.examples.n_columns
    known.moves[:columns] |= free
    if dropped is None:
        return
    kept = np.ones(columns, dtype=bool)
    kept[[j for j in dropped if j < columns]] = False
    flat = np.array([x == 0 for x in v])
    known.up[:columns] |= free & flat[:columns]
    known.down[:columns] |= free & flat[:columns]
    if not s.origin and (not zero.any() or (free & kept & (low != 0)).any()):
        known.moves[-1] = True
        if flat[-1]:
            known.up[-1] = known.down[-1] = True
    known.see(v)
    out = _may_go(s, near, m) & ~flat & (near != 0)
    known.up |= out
    known.down |= out


def single_columns(s: SignedRows, known: Evidence) -> None:
    """Columns that are directions of C by themselves, with a threshold where there is an offset."""
    (low_p, high_p), (low_n, high_n) = (column_ranges(s, s.y == y) for y in (1, -1))
    if s.origin:
        rising, falling = (low_p >= 0) & (high_n <= 0), (high_p <= 0) & (low_n >= 0)
        moving = (low_p != 0) | (high_p != 0) | (low_n != 0) | (high_n != 0)
    else:
        rising, falling = low_p >= high_n, high_p <= low_n
        moving = np.minimum(low_p, low_n) < np.maximum(high_p, high_n)
    columns = s.examples.n_columns
    known.up[:columns] |= rising & moving
    known.down[:columns] |= falling & moving


def column_ranges(s: SignedRows, which: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """The least and the largest value of each column over some rows; of none, ∞ and −∞."""
    if not which.any():
        return np.full(s.examples.n_columns, np.inf), np.full(s.examples.n_columns, -np.inf)
    _, _, low, high = _core.column_ranges(s.rows, which.astype(np.int8), s.threads)
    return low, high


def _may_go(s: SignedRows, near: Floats, m: Floats) -> NDArray[np.bool_]:
    """Of each coefficient: whether every row that it pulls to its side stays strictly there without it.

    Margins are off by the slack at most, and so is what is left of them; one that overflows is no margin.
    """
    slack = 4 * s.slack(near)
    left = np.where(np.abs(m) < 1e300, m, -np.inf)
    held, side = np.ones(s.d, dtype=bool), np.sign(near)
    for rows, part in _parts(s):
        if isinstance(part, np.ndarray):
            d = part.shape[1]
            held[:d] &= ~_tied(part * s.y[rows, None], near[:d], side[:d], left[rows, None], slack).any(axis=0)
        else:
            at = part.column
            held[at[_tied(part.value * s.y[part.row], near[at], side[at], left[part.row], slack)]] = False
    if not s.origin:
        held[-1] = not _tied(s.y.astype(np.float64), near[-1:], side[-1:], left, slack).any()
    return held


def _tied(z: Floats, weight: Floats, side: Floats, left: Floats, slack: float) -> NDArray[np.bool_]:
    """Which entries pull their row to its side, so that it is not surely there without them."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        return np.asarray((np.sign(z) * side > 0) & ~(left - z * weight > slack))


def _parts(s: SignedRows) -> Iterator[tuple[slice, Floats | _Entries]]:
    """Some rows after the other: a table, or what sparse rows store."""
    X, first = s.matrix, 0
    if not s.rows.is_sparse:
        step = max(1, _NUMBERS // max(1, X.shape[1]))
        for first in range(0, s.n, step):
            yield slice(first, first + step), np.asarray(X[first : first + step], dtype=np.float64)
        return
    starts = np.asarray(X.indptr, dtype=np.int64)
    while first < s.n:
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + _NUMBERS, side="right")) - 1)
        part = slice(int(starts[first]), int(starts[last]))
        row = np.repeat(np.arange(first, last), np.diff(starts[first : last + 1]))
        column, value = np.asarray(X.indices[part], dtype=np.int64), np.asarray(X.data[part], dtype=np.float64)
        yield slice(first, last), _Entries(row, column, value)
        first = last
