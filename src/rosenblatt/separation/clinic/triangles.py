"""Triangles: R with RᵀR = AᵀA for a table A, by Householder's reflections, or faster for very many rows.

AᵀA is one product, and its Cholesky factor is R but for rounding that grows with the square of A's condition. Where the
condition is small that costs few digits, and none once the columns are orthonormal and it is done again (CholeskyQR2:
Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015).

All of a large table is done some rows at a time, and `tick` is called in between: it may raise to end it.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LARGE = 2**20  # numbers in a table from which on products are worth it
_ROWS = 2048  # rows at a time, so that they stay at hand
_ALONE = 2**18  # multiplications up to which a library does a product by itself: on a busy machine threads wait long
_ILL = 1e5  # a condition beyond which too many digits would be lost

Tick = Callable[[], object]


def orthonormal(A: Floats, tick: Tick = lambda: None) -> tuple[Floats, Floats]:
    """Q with orthonormal columns and R, an upper triangle, with Q·R = A.

    >>> Q, R = orthonormal(np.array([[3.0, 1.0], [4.0, 2.0], [0.0, 5.0]]))
    >>> bool(np.allclose(Q @ R, [[3, 1], [4, 2], [0, 5]])), bool(np.allclose(Q.T @ Q, np.eye(2)))
    (True, True)
    """
    if A.size < _LARGE:
        found = np.linalg.qr(A)
        return found.Q, found.R
    if (first := _of_products(A, tick)) is not None:
        Q = _times(A, np.asarray(np.linalg.inv(first), dtype=np.float64), tick)
        if (second := _of_products(Q, tick)) is not None:
            return _times(Q, np.asarray(np.linalg.inv(second), dtype=np.float64), tick), np.triu(second @ first)
    return _reflected_parts(A, tick)


def weighted(A: Floats, weights: Floats, squares: Floats, tick: Tick) -> tuple[Floats, Floats, Floats]:
    """The sums of the rows times their weights, and of their sizes; and R of the rows times the roots of `squares`."""
    if A.size < _LARGE:
        terms = weights[:, None] * A
        return terms.sum(axis=0), np.abs(terms).sum(axis=0), _reflected(np.sqrt(squares)[:, None] * A)
    total, size, products = np.zeros(A.shape[1]), np.zeros(A.shape[1]), np.zeros((A.shape[1], A.shape[1]))
    for part in _parts(A):
        tick()
        terms = weights[part, None] * A[part]
        total += terms.sum(axis=0)
        size += np.abs(terms, out=terms).sum(axis=0)
        products += np.multiply(squares[part, None], A[part], out=terms).T @ A[part]
    root = _factor(products)
    if root is None:
        root = np.empty((0, A.shape[1]))
        for part in _parts(A, 4 * A.shape[1]):
            tick()
            root = _reflected(np.concatenate([root, np.sqrt(squares[part])[:, None] * A[part]]))
    return total, size, root


def _parts(A: Floats, least: int = 0) -> Iterator[slice]:
    """Some rows after others: few enough for a product of theirs to need no threads, or many; `least` at least."""
    alone = _ALONE // max(1, A.shape[1] ** 2)
    rows = max(_ROWS, least) if least or alone < 16 else min(alone, _ROWS)
    return (slice(first, first + rows) for first in range(0, A.shape[0], rows))


def _times(A: Floats, B: Floats, tick: Tick) -> Floats:
    product = np.empty_like(A)
    for part in _parts(A):
        tick()
        np.matmul(A[part], B, out=product[part])
    return product


def _reflected(A: Floats) -> Floats:
    return np.asarray(np.linalg.qr(A, mode="r"))


def _reflected_parts(A: Floats, tick: Tick) -> tuple[Floats, Floats]:
    """Q and R by reflections: of some rows after others, then of their triangles, one upon the other."""
    Q, triangles, parts = np.empty_like(A), [], list(_parts(A, 4 * A.shape[1]))
    for part in parts:
        tick()
        found = np.linalg.qr(A[part])
        Q[part] = 0
        Q[part, : found.Q.shape[1]] = found.Q
        triangles.append(found.R)
    tick()
    joined, first = np.linalg.qr(np.concatenate(triangles)), 0
    for part, triangle in zip(parts, triangles, strict=True):
        tick()
        Q[part] = Q[part, : len(triangle)] @ joined.Q[first : first + len(triangle)]
        first += len(triangle)
    return Q, joined.R


def _of_products(A: Floats, tick: Tick) -> Floats | None:
    """R from AᵀA; None where rounding might tell."""
    products = np.zeros((A.shape[1], A.shape[1]))
    for part in _parts(A):
        tick()
        products += A[part].T @ A[part]
    return _factor(products)


def _factor(products: Floats) -> Floats | None:
    try:
        R: Floats = np.asarray(np.linalg.cholesky(products).T, dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    return R if float(np.linalg.cond(R)) < _ILL else None
