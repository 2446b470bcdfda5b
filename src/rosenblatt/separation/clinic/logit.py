"""The finite part of a logistic regression: maximum likelihood where a maximum exists.

With signed rows z_i = y_i·(x_i, 1) and counts c_i the log-likelihood is l(β) = −Σ c_i·log(1 + exp(−z_i·β)). It is
concave, and strictly so where the columns are independent; it has a maximum exactly if no direction has z_i·v ≥ 0 on
all rows and > 0 on some (Albert and Anderson 1984). Of data that have such a direction, the rows strictly inside are
fitted without error in the limit, and what remains is the likelihood of the others, the rows on the boundary: the
limiting conditional model (Geyer 2009, "Likelihood inference in exponential families and directions of recession").
So one maximiser serves both: give it all rows of overlapping data, or the boundary rows of the others, and columns
that are independent on them.

Newton's method with step halving, in float64. The columns are scaled by powers of two and made orthonormal first (QR),
so that neither units nor correlated columns spoil the steps. The decrement λ = √(gᵀH⁻¹g) says how far the maximum
still is, in standard errors; the status tells it, and the gradient relative to the terms it is a sum of.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..lp import column_scale
from .triangles import orthonormal, weighted

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_STEPS = 200
_NEAR = 1e-9  # standard errors from the maximum at which to stop
_ILL = 1e10  # a condition number beyond which digits are lost that a reader would count on
_SINGULAR = 1e14


@dataclass(frozen=True, eq=False)
class Fit:
    """Where the maximum is, and whether it was reached."""

    estimate: Floats
    """β, one for each column; empty if there is none."""
    error: Floats
    """Standard errors: roots of the diagonal of H⁻¹."""
    log_likelihood: float | None
    converged: bool
    status: str
    """In words: how many steps, how near, and what casts doubt on it."""
    steps: int = 0
    gradient: float = 0.0
    """The largest |Σ t_i|/Σ|t_i| over the sums t that make up the gradient."""
    distance: float = 0.0
    """λ: standard errors still to go."""
    late: bool = False
    """Whether time ran out, or somebody stopped it, before it was done."""


def fit(Z: Floats, counts: Ints, tick: Callable[[], object] = lambda: None) -> Fit:
    """Maximise the likelihood of signed rows with independent columns; `tick` may raise to end it early.

    >>> found = fit(np.array([[1.0], [1.0], [1.0], [-1.0]]), np.ones(4, dtype=np.int64))
    >>> found.converged, round(float(found.estimate[0]), 6) == round(float(np.log(3)), 6)
    (True, True)
    """
    if Z.shape[1] == 0:  # every row fitted without error, or no row says anything
        return Fit(np.empty(0), np.empty(0), 0.0 - float(counts.sum() * np.log(2)), True, "nothing to estimate")
    scale = column_scale(Z).astype(np.int32)
    Q, R = orthonormal(_scaled(Z, -scale, tick), tick)
    condition = float(np.linalg.cond(R))
    if not condition < _SINGULAR:
        status = "not estimated: in floating point the columns look dependent, though they are not"
        return Fit(np.empty(0), np.empty(0), None, False, status)
    c = counts.astype(np.float64)
    at = np.zeros(Q.shape[1])
    m = Q @ at
    value = _likelihood(c, m)
    steps, last = 0, False
    while True:
        tick()
        wrong = _logistic(-m)
        g, size, root = weighted(Q, c * wrong, c * wrong * _logistic(m), tick)
        gradient = float((np.abs(g) / np.maximum(size, 1e-300)).max())
        if not np.abs(np.diag(root)).min() > 1e-150:
            return Fit(np.empty(0), np.empty(0), value, False, f"not converged: no curvature left after {steps} steps")
        half = _solved(root.T[::-1, ::-1], g[::-1])[::-1]  # its transpose, upside down
        distance = float(np.linalg.norm(half))
        if distance <= _NEAR or last or steps == _STEPS:
            break
        step = _solved(root, half)
        steps, ahead, t = steps + 1, Q @ step, 1.0
        # Close to the maximum rounding hides what a step gains, and one full step is all that can be had.
        last = distance < 1e-5
        while not last and _likelihood(c, m + t * ahead) < value + 1e-4 * t * distance * distance:
            t, last = t / 2, t < 1e-15
        at, m = at + t * step, m + t * ahead
        value = _likelihood(c, m)
    converged = distance <= 1e-5 and gradient <= 1e-6
    spread = _solved(R, _solved(root, np.eye(at.size)))
    with np.errstate(over="ignore"):  # an estimate beyond float64 is none
        estimate = np.ldexp(_solved(R, at), -scale)
        error = np.ldexp(np.sqrt(np.square(spread).sum(axis=1)), -scale)
    status = f"{'converged' if converged else 'not converged'} after {steps} Newton steps"
    status += f": relative gradient {gradient:.0e}, {distance:.0e} standard errors from the maximum"
    if condition > _ILL:
        status += f"; nearly dependent columns (condition {condition:.0e}): few digits hold"
    return Fit(estimate, error, value, converged, status, steps, gradient, distance)


def _scaled(Z: Floats, scale: NDArray[np.int32], tick: Callable[[], object]) -> Floats:
    scaled = np.empty_like(Z)
    for first in range(0, len(Z), 4096):
        tick()
        np.ldexp(Z[first : first + 4096], scale, out=scaled[first : first + 4096])
    return scaled


def _likelihood(c: Floats, m: Floats) -> float:
    return -float(c @ np.logaddexp(0.0, -m))


def _logistic(x: Floats) -> Floats:
    """1/(1 + exp(−x)), of which nothing overflows and small values keep their digits."""
    small = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1.0, small) / (1 + small))


def _solved(R: Floats, side: Floats) -> Floats:
    """R⁻¹·side for an upper triangle R, by back substitution."""
    x = side.copy()
    for i in range(len(R) - 1, -1, -1):
        x[i] = (x[i] - R[i, i + 1 :] @ x[i + 1 :]) / R[i, i]
    return x
