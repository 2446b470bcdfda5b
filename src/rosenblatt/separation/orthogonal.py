"""Which rows are not orthogonal to some vectors, exactly: all vectors at once where the numbers are whole and small."""

import math
from collections.abc import Sequence

import numpy as np

from .signed_rows import Floats, Ints, SignedRows, Vector

_EXACT = 2.0**53  # below which float64 has every whole number
_NUMBERS = 4_000_000  # of products between two looks at the watch


def rows_off(s: SignedRows, rows: Ints, vectors: Sequence[Vector]) -> list[Ints]:
    """Of each vector the rows, among these, that are not orthogonal to it."""
    whole = [_whole(v) for v in vectors]
    found: list[list[Ints]] = [[] for _ in vectors]
    small = [k for k, v in enumerate(whole) if v is not None]
    step = max(1, _NUMBERS // (s.d + len(vectors)))
    quick = np.zeros(len(vectors), dtype=bool)
    if small:
        V = np.column_stack([np.asarray(whole[k]) for k in small])
        quick[small] = True
        for first in range(0, rows.size, step):
            s.seconds_left()
            some = rows[first : first + step]
            size = _largest_whole(s, some)
            quick[small] &= np.abs(V).sum(axis=0) * size < _EXACT
            off = _products(s, some, V) != 0
            for at, k in enumerate(small):
                found[k].append(some[off[:, at]])
    for k in np.flatnonzero(~quick).tolist():
        s.seconds_left()
        found[k] = [rows[s.signs(vectors[k], None, rows) != 0]]
    return [np.concatenate([rows[:0], *parts]) for parts in found]


def _whole(v: Vector) -> Floats | None:
    scale = math.lcm(*(x.denominator for x in v))
    if scale >= _EXACT or max((abs(x) for x in v), default=0) * scale >= _EXACT:
        return None
    return np.array([float(x * scale) for x in v])


def _largest_whole(s: SignedRows, rows: Ints) -> float:
    """The largest entry of these rows, or the offset's 1; infinite if they are not all whole numbers."""
    X = s.matrix[rows]
    values = np.asarray(X.data if hasattr(X, "indptr") else X)
    largest = float(np.abs(values).max(initial=1.0))
    return largest if largest < _EXACT and bool((np.rint(values) == values).all()) else math.inf


def _products(s: SignedRows, rows: Ints, V: Floats) -> Floats:
    X = s.matrix[rows].astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(X @ V) if s.origin else np.asarray(X @ V[:-1]) + V[-1]
