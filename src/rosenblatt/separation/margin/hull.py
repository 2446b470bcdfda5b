"""A point of the hull, and how near to the origin it is at least: an upper bound on every hyperplane's margin.

With z_i = y_i·(x_i, ρ) and any α ≥ 0, p = Σ α_i·z_i/Σ α_i is a point of the hull of the z, and every unit u has
min_i z_i·u ≤ p·u ≤ ‖p‖. With a free offset the same holds of z_i = y_i·x_i if Σ α_i·y_i = 0: p is then half of the
difference of a point in the hull of either class. Any α will do, so they are rounded to few bits; what is computed from
them is rounded outward.
"""

import math
from fractions import Fraction

import numpy as np

from ...runs.bracket import length_between, sum_at_most
from ..signed_rows import Floats, Ints
from .corral import MarginProblem

_BITS = 40


def hull_point(q: MarginProblem, rows: Ints, beta: Floats) -> tuple[Ints, Ints, Fraction]:
    """Rows, whole multipliers α near to these β, and the square of a number that no margin exceeds."""
    s = q.s
    assert rows.size < 2**22, "whole numbers of 40 bits must add up in 63"
    alpha = np.floor(np.ldexp(beta / beta.max(), _BITS)).astype(np.int64)
    if q.free:
        alpha = _balanced(alpha, s.y[rows])
    rows, alpha = rows[alpha > 0], alpha[alpha > 0]
    order = np.argsort(rows)
    rows, alpha = rows[order], alpha[order]
    X, signed = s.matrix[rows], np.ldexp(alpha.astype(np.float64), -_BITS) * s.y[rows]
    point, size = np.asarray(X.T @ signed), np.asarray(abs(X).T @ np.abs(signed))
    point = sum_at_most(point, size, rows.size)
    offset = Fraction(int((alpha * s.y[rows]).sum()), 2**_BITS) ** 2 * (q.rho2 or 0)
    long = length_between(point, np.array([math.nextafter(math.sqrt(offset), math.inf) if offset else 0.0]))[1]
    upper = Fraction(math.nextafter(long, math.inf)) * 2**_BITS / int(alpha.sum())
    return rows, alpha, upper * upper


def _balanced(alpha: Ints, y: np.ndarray) -> Ints:
    """The same, with what one class has more than the other taken from its largest."""
    more = int((alpha * y).sum())
    side = np.flatnonzero(y == (1 if more > 0 else -1))
    for i in side[np.argsort(-alpha[side], kind="stable")]:
        taken = min(abs(more), int(alpha[i]))
        alpha[i] -= taken
        more -= taken if more > 0 else -taken
        if more == 0:
            break
    return alpha
