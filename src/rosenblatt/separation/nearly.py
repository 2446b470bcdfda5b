"""Nearly dependent columns: those that rounding alone keeps from being combinations of earlier ones.

Shares that add up to 1, or a total beside its parts, are dependent as they are meant; as decimals are stored they miss
it by the last digit, and exact arithmetic takes that digit for a fact. R's `glm` drops a column if what is left of it,
after the earlier ones are taken out, is shorter than 1e-11 of it (`lm` has 1e-7). So it is here: Gram and Schmidt over
the columns in order, the offset first, each taken out twice for the sake of rounding; and not over the rows
themselves, but over the triangle R of their QR decomposition, some rows at a time, which has the same inner products.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.examples import Examples
from ..data.rows import matrix_of
from .watch import OutOfTimeError

Floats = NDArray[np.float64]

TOLERANCE = 1e-11
_SPEED = 1e9  # operations a second, at least
_NOTHING = 1e-9  # the share of a column below which a term of its combination is rounding

NearSum = Mapping[int, float]
"""Columns, by number, and about how much of each."""


def nearly_dependent(
    examples: Examples,
    origin: bool,
    dropped: Collection[int] = (),
    look: Callable[[], float] = lambda: np.inf,
) -> dict[int, NearSum]:
    """Of each column that R would drop, though it is not exactly dependent, the combination that it nearly equals.

    `dropped` are the columns that are dependent exactly; the offset, if there is one, is the last number. `look`
    says how many seconds are left: where that is not enough, it raises `OutOfTimeError`.
    """
    d = examples.n_columns
    order = [j for j in ([] if origin else [d]) + [*range(d)] if j not in dropped]
    sizes = _largest(examples)
    order = [j for j in order if 0 < sizes[j] < np.inf]
    table = _triangle(examples, order, sizes, look)
    Q, R = np.empty((len(order), table.shape[0])), np.zeros((len(order), len(order)))
    kept: list[int] = []
    found: dict[int, NearSum] = {}
    for x, j in zip(table.T, order, strict=True):
        look()
        length, many = float(np.linalg.norm(x)), len(kept)
        basis, rest, shares = Q[:many], x, np.zeros(many)
        for _ in range(2):
            part = basis @ rest
            rest, shares = rest - part @ basis, shares + part
        left = float(np.linalg.norm(rest))
        if left >= TOLERANCE * length:
            Q[many], R[:many, many], R[many, many] = rest / left, shares, left
            kept.append(j)
        else:
            found[j] = _combination(R[:many, :many], shares, kept, sizes, float(sizes[j]))
    return found


def _triangle(examples: Examples, order: list[int], sizes: Floats, look: Callable[[], float]) -> Floats:
    """R of the columns' QR decomposition, each divided by its size: a small table with the same inner products."""
    n, width = examples.n_rows, len(order)
    if 4 * n * width * width > _SPEED * look():
        raise OutOfTimeError
    matrix = matrix_of(examples.rows)
    R, own = np.empty((0, width)), [j for j in order if j < examples.n_columns]  # the offset, if any, is the first
    step = max(width, min(n, 2**20 // max(1, width)), 1)
    for first in range(0, n, step):
        look()
        X: Any = matrix[first : first + step][:, own]  # of very many columns few may be kept
        part = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
        offset = np.ones((part.shape[0], width - len(own)))
        part = np.hstack([offset, part]) / sizes[order]
        R = np.asarray(np.linalg.qr(np.vstack([R, part]), mode="r"))
    return R


def _largest(examples: Examples) -> Floats:
    """The largest size of each column, and 1 for the offset: divided by it no square leaves the range of float64."""
    rows = examples.rows
    sizes = np.zeros(examples.n_columns + 1)
    sizes[-1] = 1.0
    if not rows.is_sparse:
        sizes[:-1] = np.abs(np.asarray(rows.arrays[0])).max(axis=0, initial=0.0)
        return sizes
    values, columns, starts = (np.asarray(part) for part in rows.arrays)
    used = int(starts[-1])
    np.maximum.at(sizes, columns[:used], np.abs(values[:used]))
    return sizes


def _combination(R: Floats, shares: Floats, kept: list[int], scale: Floats, size: float) -> NearSum:
    """How much of each column kept there is in one that was taken apart; what is rounding is left out."""
    amounts = np.linalg.solve(R, shares) if kept else np.zeros(0)
    lengths = np.linalg.norm(R, axis=0)
    small = _NOTHING * float(np.abs(amounts * lengths).max(initial=0.0))
    return {
        j: float(f"{amount * size / scale[j]:.9g}")
        for j, amount, length in zip(kept, amounts.tolist(), lengths.tolist(), strict=True)
        if abs(amount) * length > small
    }
