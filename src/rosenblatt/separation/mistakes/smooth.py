"""Few mistakes by a smooth count of them, made steeper and steeper.

A row counts 1/(1 + e^{β·m}), m = z·v: about 1 where it is wrong, about 0 where it is right, and in between close to the
hyperplane. With a small β that sum is nearly as tame as logistic regression; with a large one it is the number of
mistakes. So v slides downhill while β grows thirtyfold (graduated non-convexity, Blake and Zisserman 1987), with
momentum. Rows far away weigh nothing, unlike in any convex loss.

What counts as a short way is told by the rows close to the hyperplane: G is the inverse of their mean z·zᵀ, as in
Newton's method. Other attempts begin a little beside the best v, and some weigh the rows at random.

In floats: a hint where to look. Whoever uses it counts again.
"""

import time
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from ..signed_rows import Floats

_LEVELS, _TIMES = 12, 30.0  # of β, and how much the last exceeds the first
_STEPS, _LEAST = 15, 3  # on each level, if there is time
_MOMENTUM = 0.9
_NUMBERS = 2_000_000  # of the table that say what is close
_RIDGE = 1e-6
_TRUST = 5.0  # longest step, beside v


class Metric(NamedTuple):
    """What a short way is: `inverse` measures, and `of` turns slopes into steps."""

    of: Floats
    inverse: Floats
    root: Floats
    """Its product with noise has about the same size in every direction."""
    mass: float
    """How many rows are close."""

    def unit(self, v: Floats) -> Floats:
        """V with size 1."""
        return v / max(float(np.sqrt(max(0.0, float(v @ self.inverse @ v)))), 1e-300)


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def metric_of(Z: Floats, v: Floats, steepness: float) -> Metric | None:
    """The metric of the rows close to v; None where they say too little."""
    skip = 1 + Z.size // _NUMBERS
    Z = Z[::skip]
    chance = _falling(steepness * (Z @ v))
    close = chance * (1 - chance)
    mass = float(close.sum())
    if not mass > 0:
        return None
    inverse = (Z * (close / mass)[:, None]).T @ Z
    inverse[np.diag_indices_from(inverse)] += _RIDGE * float(np.trace(inverse)) / len(inverse) + 1e-300
    try:
        of = np.asarray(np.linalg.inv(inverse), dtype=np.float64)
        metric = Metric(of, inverse, np.asarray(np.linalg.cholesky(of), dtype=np.float64), mass * skip)
    except np.linalg.LinAlgError:
        return None
    return metric if np.isfinite(metric.root).all() else None


class Slide(NamedTuple):
    """How to go downhill: the first β, the length of the steps, and what rows weigh, if not the same."""

    first: float = 1.0
    rate: float = 1.0
    weights: Floats | None = None

    @staticmethod
    def at_random(random: Generator, rows: int) -> "Slide":
        """One of many ways, half of them with random weights."""
        first, rate = 10.0 ** random.uniform(-0.5, 1), 10.0 ** random.uniform(-1, 0.5)
        if random.random() < 0.5:
            return Slide(first, rate)
        return Slide(first, rate, 1 + (random.exponential(size=rows) - 1) * random.random())


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def slide(columns: Floats, v: Floats, metric: Metric, how: Slide, end: float) -> tuple[Floats, int]:
    """The best v on the way downhill, and its mistakes; `columns` is the table by columns.

    If there is little time, of fewer steps.
    """
    best, fewest, speed = v, columns.shape[1] + 1, np.zeros(v.size)
    steps, began, done = _STEPS, time.monotonic(), 0
    for beta in np.geomspace(how.first, how.first * _TIMES, _LEVELS).tolist():
        for _ in range(steps):
            v = metric.unit(v)
            if not np.isfinite(v).all():
                return best, fewest
            m = np.einsum("d,dn->n", v, columns)
            count = int(m.size - np.count_nonzero(m > 0))
            if count < fewest:
                best, fewest = v, count
            pull = _falling(beta * m)
            pull *= 1 - pull
            if how.weights is not None:
                pull *= how.weights
            speed = _MOMENTUM * speed + metric.of @ (np.einsum("n,dn->d", pull, columns) * (how.rate / metric.mass))
            length = float(np.sqrt(max(0.0, float(speed @ metric.inverse @ speed))))
            v = v + speed / max(1.0, length / _TRUST)
            now, done = time.monotonic(), done + 1
            if now > end:
                return best, fewest
            if done == 2:
                steps = int(np.clip((end - now) / ((now - began) / 2 + 1e-9) / _LEVELS, _LEAST, _STEPS))
    return best, fewest


def _falling(m: Floats) -> Floats:
    """1/(1 + eᵐ)."""
    return np.asarray(1 / (1 + np.exp(np.clip(m, -50, 50))))
