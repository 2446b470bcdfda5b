"""Triangles: R with RᵀR = AᵀA for a table A, by Householder's reflections, or faster for very many rows.

AᵀA is one product, and its Cholesky factor is R but for rounding that grows with the square of A's condition. Where the
condition is small that costs few digits, and none once the columns are orthonormal and it is done again (CholeskyQR2:
Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LARGE = 2**20  # numbers in a table from which on products are worth it
_ROWS = 2048  # rows at a time, so that they stay at hand
_ILL = 1e5  # a condition beyond which too many digits would be lost


def orthonormal(A: Floats) -> tuple[Floats, Floats]:
    """Q with orthonormal columns and R, an upper triangle, with Q·R = A.

    >>> Q, R = orthonormal(np.array([[3.0, 1.0], [4.0, 2.0], [0.0, 5.0]]))
    >>> bool(np.allclose(Q @ R, [[3, 1], [4, 2], [0, 5]])), bool(np.allclose(Q.T @ Q, np.eye(2)))
    (True, True)
    """
    if (first := _of_products(A)) is not None:
        Q = A @ np.linalg.inv(first)
        if (second := _of_products(Q)) is not None:
            return Q @ np.linalg.inv(second), np.triu(second @ first)
    found = np.linalg.qr(A)
    return found.Q, found.R


def weighted(A: Floats, weights: Floats, squares: Floats, tick: Callable[[], object]) -> tuple[Floats, Floats, Floats]:
    """The sums of the rows times their weights, and of their sizes; and R of the rows times the roots of `squares`."""
    if A.size < _LARGE:
        terms = weights[:, None] * A
        return terms.sum(axis=0), np.abs(terms).sum(axis=0), _reflected(np.sqrt(squares)[:, None] * A)
    total, size, products = np.zeros(A.shape[1]), np.zeros(A.shape[1]), np.zeros((A.shape[1], A.shape[1]))
    for first in range(0, A.shape[0], _ROWS):
        tick()
        part = slice(first, first + _ROWS)
        terms = weights[part, None] * A[part]
        total += terms.sum(axis=0)
        size += np.abs(terms, out=terms).sum(axis=0)
        products += np.multiply(squares[part, None], A[part], out=terms).T @ A[part]
    root = _factor(products)
    return total, size, _reflected(np.sqrt(squares)[:, None] * A) if root is None else root


def _reflected(A: Floats) -> Floats:
    return np.asarray(np.linalg.qr(A, mode="r"))


def _of_products(A: Floats) -> Floats | None:
    """R from AᵀA; None where the table is small, or rounding might tell."""
    return None if A.size < _LARGE else _factor(A.T @ A)


def _factor(products: Floats) -> Floats | None:
    try:
        R: Floats = np.asarray(np.linalg.cholesky(products).T, dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    return R if float(np.linalg.cond(R)) < _ILL else None
