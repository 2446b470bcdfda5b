"""Small random tables that lead a search down every path: each family is a function of a random generator.

Sparse ones can be peeled: in some column one class has nothing above what the other has nothing below, so the rows off
that threshold can be set aside, and then perhaps others (`levels` counts how often, and what is left, in plain loops).
Dense ones are hard for floats: long numbers, columns that nearly depend on others, slim gaps, many rows on one plane.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

Rng = np.random.Generator
Made = tuple[np.ndarray, np.ndarray, bool]  # X, y, through the origin
SPARSE_STORAGES = ["csr", "csr with zeros", "csr", "array"]
DENSE_STORAGES = ["array", "array", "csr", "by column"]
CORES = ("empty", "one class", "separable", "quasi-separable", "overlapping")


@dataclass(frozen=True)
class Table:
    """A table as it is given (X, y), and the same numbers as float64 (`values`)."""

    name: str
    X: Any
    values: np.ndarray
    y: np.ndarray
    origin: bool
    storage: str


def _signs(rng: Rng, n: int) -> np.ndarray:
    return rng.choice([-1, 1], n)


def words(rng: Rng) -> Made:
    """Counts of words, few in a row: many columns occur in one class only. Some columns are turned round."""
    n, d = int(rng.integers(2, 11)), int(rng.integers(1, 13))
    X = rng.integers(1, 4, (n, d)) * (rng.random((n, d)) < rng.choice([0.1, 0.25, 0.5]))
    return X * rng.choice([1, 1, 1, -1], d), _signs(rng, n), bool(rng.integers(2))


def wide(rng: Rng) -> Made:
    """Many more columns than rows; most never occur."""
    n, d = int(rng.integers(2, 9)), int(rng.integers(60, 240))
    X = rng.integers(-1, 4, (n, d)) * (rng.random((n, d)) < 3 / d)
    return X, _signs(rng, n), bool(rng.integers(2))


def one_column(rng: Rng) -> Made:
    n = int(rng.integers(2, 9))
    X = rng.integers(-3, 4, (n, 1)) * 0.5
    y = _signs(rng, n) if rng.random() < 0.3 else np.where(X[:, 0] + rng.choice([0.0, 0.0, 0.25, 0.5], n) > 0.5, 1, -1)
    return X, y, bool(rng.integers(2))


def core(rng: Rng, which: str) -> tuple[np.ndarray, np.ndarray]:
    """Rows of two columns that no threshold sets aside at once, of the kind that is asked for."""
    square = np.array([[-1, -2], [1, 2], [-2, -1], [2, 1], [2, -3], [-2, 3]])  # on both sides of x₀ + x₁ = 0, or off it
    if which == "empty":
        return np.empty((0, 2)), np.empty(0, dtype=int)
    if which == "one class":
        return square[: rng.integers(1, 5)], np.ones(0, dtype=int)
    if which == "overlapping":
        return np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]]), np.array([1, 1, -1, -1])
    if which == "separable":  # across the diagonal: 2·x₀ − x₁ and so on have both signs in each class
        return np.array([[3, -2], [-2, 3], [-3, 2], [2, -3]]), np.array([1, 1, -1, -1])
    off = np.array([[3, -2], [-3, 2], [-2, 3], [2, -3]])
    on = np.array([[1, -1], [2, -2], [-1, 1], [-2, 2]])
    return np.vstack([off, on]), np.array([1, -1, 1, -1, 1, -1, 1, -1])


def chain(rng: Rng) -> Made:
    """Rows that are set aside one level after the other, and a core below them.

    Column l decides level l: rows below lie on its threshold, those of the level on their sides of it, those above it
    anywhere, so that nothing can be said before they are gone.
    """
    origin = bool(rng.integers(2))
    many = int(rng.integers(1, 5))
    rows, y_core = core(rng, str(rng.choice(CORES)))
    if len(y_core) < len(rows):
        y_core = np.full(len(rows), rng.choice([-1, 1]))
    sizes = rng.integers(1, 4, many)
    level = np.concatenate([np.repeat(np.arange(many), sizes), np.full(len(rows), many)])
    n = len(level)
    y = np.concatenate([_signs(rng, int(sizes.sum())), y_core]).astype(int)
    X = np.zeros((n, many + 2))
    X[level == many, many:] = rows
    X[level < many, many:] = rng.integers(-3, 4, (int(sizes.sum()), 2))
    for k in range(many):
        threshold = 0.0 if origin or rng.random() < 0.4 else float(rng.choice([-3.5, 2.0, 7.0]))
        turn = rng.choice([1, 1, -1])
        X[:, k] = threshold
        on = level == k
        X[on, k] += turn * y[on] * rng.integers(1, 4, int(on.sum()))
        above = level < k
        X[above, k] += rng.integers(-3, 4, int(above.sum()))
    order, columns = rng.permutation(n), rng.permutation(X.shape[1])
    return X[order][:, columns], y[order], origin


def extremes(rng: Rng) -> Made:
    """A chain, or words, whose columns have every exponent there is."""
    X, y, origin = (chain if rng.random() < 0.6 else words)(rng)
    factors = np.array([1e300, 2.0**1000, 1.0, 1 / 3, 1e-300, 5e-324, 2.0**-1050])
    return X * rng.choice(factors, X.shape[1]), y, origin


def gaussian(rng: Rng) -> Made:
    """Numbers of 53 bits, the labels at random or those of a plane."""
    n, d = int(rng.integers(4, 21)), int(rng.integers(2, 9))
    X = rng.standard_normal((n, d))
    y = _signs(rng, n) if rng.random() < 0.4 else np.where(X @ rng.standard_normal(d) + rng.normal(0, 0.3) > 0, 1, -1)
    return X, y, bool(rng.integers(2))


def dependent(rng: Rng) -> Made:
    """Columns that are combinations of others, exactly or but for rounding or a little noise."""
    X, y, origin = gaussian(rng)
    d = X.shape[1]
    noise = rng.choice([0.0, 1e-15, 1e-12, 1e-9])
    mix = rng.integers(-2, 3, (d, 2)) * (0.1 if rng.random() < 0.5 else 1)
    more = X @ mix + noise * rng.standard_normal((len(y), 2))
    X = np.hstack([X, more, X[:, :1]])[:, rng.permutation(d + 3)]
    return X[:, : int(rng.integers(2, 9))], y, origin


def slim(rng: Rng) -> Made:
    """Two classes a gap of 1e-9 … 1e-15 apart, or as much into each other; some rows as near as doubles get."""
    n, d = int(rng.integers(4, 17)), int(rng.integers(2, 6))
    X = rng.standard_normal((n, d))
    w = rng.standard_normal(d)
    w /= np.linalg.norm(w)
    y = _signs(rng, n)
    gap = 10.0 ** -rng.integers(9, 16) * rng.choice([1, 1, 0, -1])
    near = rng.random(n) < 0.7
    X -= np.outer(np.where(near, X @ w - gap * y, 0), w)
    far = ~near
    X[far] += np.outer(np.where((X[far] @ w) * y[far] > 0, 0, -2 * (X[far] @ w)), w)
    return X, y, bool(rng.integers(2))


def large_integers(rng: Rng) -> Made:
    """Whole numbers of up to 50 bits; some rows are sums of others, so that exact ties occur."""
    n, d = int(rng.integers(4, 13)), int(rng.integers(2, 6))
    X = rng.integers(-(2**49), 2**49, (n, d)) // 2 ** int(rng.integers(0, 40))
    w = rng.integers(-3, 4, d)
    y = np.where(X @ w > 0, 1, -1) if rng.random() < 0.6 else _signs(rng, n)
    if n > 5 and rng.random() < 0.5:
        X[0], y[0] = X[1] + X[2], y[1]
        X[3], y[3] = X[1] * 2 - X[2], -y[1]
    return X.astype(np.float64), y, bool(rng.integers(2))


def degenerate(rng: Rng) -> Made:
    """Many rows exactly on one plane, on a grid, with labels at random; the others on their sides, or nearly all."""
    n, d = int(rng.integers(6, 21)), int(rng.integers(2, 6))
    X = rng.integers(-2, 3, (n, d))
    w = rng.integers(-1, 2, d)
    side = X @ w
    y = np.where(side > 0, 1, np.where(side < 0, -1, _signs(rng, n)))
    if rng.random() < 0.2:
        y[0] = -y[0]
    unit = rng.choice([1.0, 0.1, 1 / 3, 1e9])
    return X * unit, y, bool(rng.integers(2))


PEELED: tuple[Callable[[Rng], Made], ...] = (words, wide, one_column, chain, chain, extremes)
DENSE: tuple[Callable[[Rng], Made], ...] = (gaussian, dependent, slim, large_integers, degenerate)


def table(made_by: Callable[[Rng], Made], seed: int) -> Table:
    """The table of a family and a seed, with a few things that occur in any table, in one of several storages."""
    rng = np.random.default_rng([seed, *made_by.__name__.encode()])
    X, y, origin = made_by(rng)
    X = np.asarray(X, dtype=np.float64)
    if rng.random() < 0.1:
        X = np.hstack([X, np.full((len(y), 1), rng.choice([0.0, 1.0, -2.5]))])  # constant, or empty
    if rng.random() < 0.1:
        X, y = np.vstack([X, np.zeros(X.shape[1])]), np.append(y, rng.choice([-1, 1]))
    if rng.random() < 0.15:
        again = rng.integers(0, len(y), 2)
        X, y = np.vstack([X, X[again]]), np.append(y, y[again] * rng.choice([1, 1, 1, -1], 2))
    if abs(y.sum()) == len(y):  # both classes have to be there
        X, y = np.vstack([X, X[:1]]), np.append(y, -y[0])
    storages = (
        ["csr", "csr with zeros", "csr", "array"] if made_by in PEELED else ["array", "array", "csr", "by column"]
    )
    storage = str(rng.choice(storages))
    if rng.random() < 0.1 and np.abs(X).max() < 1e30:
        X, storage = X.astype(np.float32), f"{storage}, float32"
    return Table(made_by.__name__, _stored(X, storage), X.astype(np.float64), y, origin, storage)


def _stored(X: np.ndarray, storage: str) -> Any:
    if storage.startswith("csr with zeros"):
        n, d = X.shape
        return sp.csr_array((X.ravel().copy(), np.tile(np.arange(d), n), np.arange(0, n * d + 1, d)), shape=(n, d))
    if storage.startswith("csr"):
        return sp.csr_array(X)
    return np.asfortranarray(X) if storage.startswith("by column") else X


def levels(X: np.ndarray, y: np.ndarray, origin: bool) -> tuple[int, np.ndarray]:
    """How many times rows can be set aside by the thresholds of single columns, and the rows that are left."""
    left, count = np.arange(len(y)), 0
    while True:
        gone: set[int] = set()
        for column in X[left].T:
            up, down = column[y[left] > 0], column[y[left] < 0]
            for above, below in ((up, down), (down, up)):
                low = max(below, default=-np.inf)
                high = min(above, default=np.inf)
                if origin:
                    low, high = max(low, 0.0), min(high, 0.0)
                if low < high:
                    return count + 1, left[:0]
                if low == high:
                    gone.update(left[column != low].tolist())
        left, count = np.array([i for i in left if i not in gone], dtype=int), count + bool(gone)
        if not gone or not left.size:
            return count, left
