"""Directions to look along: the leading one of the rows at right angles to some others, and that between two classes.

The leading direction is the first principal component of the rows once the others are taken out of them, found by the
power method on a sample; rows are only multiplied, so that sparse ones stay sparse. The start is fixed, and so is the
answer.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.csr import Csr
from ...data.hyperplane import length_of

Floats = NDArray[np.float64]

SAMPLE = 4_000  # rows, and
_STEPS = 60  # rounds of the power method, by which the figure is settled


def sampled(matrix: Any) -> Any:
    """Some thousand rows, evenly spread, in float64 and scaled to at most 1; and what they were divided by."""
    n = matrix.shape[0]
    part = matrix[np.unique(np.linspace(0, n - 1, min(n, SAMPLE)).astype(np.int64))].astype(np.float64)
    values = part.data if isinstance(part, Csr) else part
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    if isinstance(part, Csr):
        return Csr(part.data / scale, part.indices, part.indptr, part.shape), scale
    return part / scale, scale


def leading(matrix: Any, taken: Floats) -> tuple[Floats, float]:
    """The leading direction at right angles to the columns of `taken`, and its share of the rows' whole spread."""
    X, _ = sampled(matrix)
    n, d = X.shape
    mean = np.asarray(X.T @ np.full(n, 1.0 / n))
    values = X.data if isinstance(X, Csr) else X
    spread = max(float(np.square(values).sum() - n * np.square(mean).sum()), 0.0)
    u = _unit(_across(np.random.default_rng(0).standard_normal(d), taken), taken)
    found = 0.0
    for _ in range(_STEPS):
        along = np.asarray(X @ u) - float(mean @ u)
        found = float(along @ along)
        step = _across(np.asarray(X.T @ along) - mean * along.sum(), taken)
        if length_of(step) <= 1e-14 * max(spread, 1e-300):
            break
        u = _unit(step, taken)
    # Its sign is that of its largest entry, so that a figure does not turn over.
    u = u if u[np.abs(u).argmax()] >= 0 else -u
    return u, min(found / spread, 1.0) if spread > 0 else 0.0


def between_means(matrix: Any, positive: NDArray[np.bool_]) -> tuple[Floats, float] | None:
    """The unit vector from one class's mean to the other's, and the offset that puts 0 midway; None if they are one."""
    n = matrix.shape[0]
    values = matrix.data if isinstance(matrix, Csr) else matrix
    scale = float(np.abs(values).max(initial=0.0)) or 1.0
    shares = [np.where(side, 1.0, 0.0) / (max(int(side.sum()), 1) * scale) for side in (positive, ~positive)]
    high, low = (np.asarray(matrix.T @ share) for share in shares)
    way = high - low
    if n == 0 or length_of(way) <= 1e-12 * max(length_of(high), length_of(low)):
        return None
    unit = way / length_of(way)
    return unit, -float(unit @ (high + low)) / 2 * scale


def _across(vector: Floats, taken: Floats) -> Floats:
    for column in taken.T:
        vector = vector - float(column @ vector) * column
    return vector


def _unit(vector: Floats, taken: Floats) -> Floats:
    """Of length 1, and once more at right angles to the others; any such if nothing is left of it."""
    length = length_of(vector)
    if length > 0:
        vector = _across(vector / length, taken)
    if length == 0 or length_of(vector) < 1e-6:
        axis = np.zeros(vector.size)
        axis[int(np.abs(taken).sum(axis=1).argmin()) if taken.size else 0] = 1.0
        vector = _across(axis, taken)
    return np.asarray(vector / (length_of(vector) or 1.0))
