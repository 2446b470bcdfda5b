"""Nearly dependent columns: those that rounding alone keeps from being combinations of earlier ones.

Shares that add up to 1, or a total beside its parts, are dependent as they are meant; as decimals are stored they miss
it by the last digit, and exact arithmetic takes that digit for a fact. R's `glm` drops a column if what is left of it,
after the earlier ones are taken out, is shorter than 1e-11 of it (`lm` has 1e-7). So it is here: Gram and Schmidt over
the columns in order, the offset first, each taken out twice for the sake of rounding.
"""

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray

from ..data.examples import Examples

TOLERANCE = 1e-11
_MOST_COLUMNS, _MOST_WORK, _MOST_NUMBERS = 500, 2_000_000_000, 20_000_000
_NOTHING = 1e-9  # the share of a column below which a term of its combination is rounding

NearSum = Mapping[int, float]
"""Columns, by number, and about how much of each."""


def nearly_dependent(examples: Examples, origin: bool, dropped: Collection[int] = ()) -> dict[int, NearSum]:
    """Of each column that R would drop, though it is not exactly dependent, the combination that it nearly equals.

    `dropped` are the columns that are dependent exactly; the offset, if there is one, is the last number. Empty also
    where the rows are too many to look at along the way.
    """
    n, d = examples.n_rows, examples.n_columns
    if d > _MOST_COLUMNS or n * d * d > _MOST_WORK or n * d > _MOST_NUMBERS:
        return {}
    table = _dense(examples)
    order = [j for j in ([] if origin else [d]) + [*range(d)] if j not in dropped]
    Q, R = np.empty((len(order), n)), np.zeros((len(order), len(order)))
    kept: list[int] = []
    scale: dict[int, float] = {}
    found: dict[int, NearSum] = {}
    for j in order:
        x = np.ones(n) if j == d else table[:, j].astype(np.float64)
        size = float(np.abs(x).max(initial=0.0))
        if not 0 < size < np.inf:
            continue
        x /= size  # so that no square leaves the range of float64
        length, many = float(np.linalg.norm(x)), len(kept)
        basis, rest, shares = Q[:many], x, np.zeros(many)
        for _ in range(2):
            part = basis @ rest
            rest, shares = rest - part @ basis, shares + part
        left = float(np.linalg.norm(rest))
        if left >= TOLERANCE * length:
            Q[many], R[:many, many], R[many, many] = rest / left, shares, left
            kept.append(j)
            scale[j] = size
        else:
            found[j] = _combination(R[:many, :many], shares, kept, scale, size)
    return found


def _combination(
    R: NDArray[np.float64], shares: NDArray[np.float64], kept: list[int], scale: Mapping[int, float], size: float
) -> NearSum:
    """How much of each column kept there is in one that was taken apart; what is rounding is left out."""
    amounts = np.linalg.solve(R, shares) if kept else np.zeros(0)
    lengths = np.linalg.norm(R, axis=0)
    small = _NOTHING * float(np.abs(amounts * lengths).max(initial=0.0))
    return {
        j: float(f"{amount * size / scale[j]:.9g}")
        for j, amount, length in zip(kept, amounts.tolist(), lengths.tolist(), strict=True)
        if abs(amount) * length > small
    }


def _dense(examples: Examples) -> NDArray[np.float64] | NDArray[np.float32]:
    rows = examples.rows
    if not rows.is_sparse:
        return np.asarray(rows.arrays[0])
    values, columns, starts = (np.asarray(part) for part in rows.arrays)
    used = int(starts[-1])
    table = np.zeros((rows.n, rows.d))
    table[np.repeat(np.arange(rows.n), np.diff(starts)), columns[:used]] = values[:used]
    return table
