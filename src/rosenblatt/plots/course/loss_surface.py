"""Loss surfaces: what all weights of a plane lose on all rows.

Along a plane of weight space each margin is m = a + s·b + t·c, so a row is three numbers however many columns it has.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...data.classes import one_against_rest
from ...data.scans import chunk_matrices
from ...data.source import Source
from ..curves import Floats
from .cone import Cone
from .weight_path import WeightPlane

MOST_MARGINS = 60_000_000  # rows times grid points: a second or two
FINEST, COARSEST = 161, 31  # grid points a side
_AT_ONCE = 2_000_000


@dataclass(frozen=True, eq=False)
class LossSurface:
    """Losses at points of a plane, each as `Losses` has it: m ≤ 0 is a mistake."""

    coordinates: tuple[Floats, ...]
    mistakes: Floats
    perceptron_loss: Floats
    """Σ −m over the mistakes."""
    squared_loss: Floats
    """Σ (1 − m)²."""
    margin: Floats
    """The least m: > 0 inside the cone of all solutions."""
    cone: Floats
    """(k, 2): the corners of the cone of solutions, within the frame of two coordinates; of one coordinate none."""
    least_squares: Floats | None
    """Where Σ (1 − m)² is least; None if that is no single point."""


def side_of(n_rows: int, two: bool = True) -> int:
    """Grid points a side that keep the work bounded."""
    fits = MOST_MARGINS / n_rows
    return int(np.clip(fits**0.5 if two else fits, COARSEST, FINEST if two else 4 * FINEST))


@np.errstate(over="ignore", invalid="ignore", under="ignore")
def loss_surface(source: Source, output: int | None, plane: WeightPlane, *coordinates: Any) -> LossSurface:
    """The losses at these coordinates, all of one shape."""
    places = tuple(np.asarray(c, dtype=np.float64) for c in coordinates)
    shape, points = places[0].shape, np.stack([c.ravel() for c in places])
    size = points.shape[1]
    mistakes, perceptron, squared, least = np.zeros(size), np.zeros(size), np.zeros(size), np.full(size, np.inf)
    cone = Cone(points.min(axis=1), points.max(axis=1)) if len(places) == 2 else None
    normal = np.zeros((len(places), len(places)))
    pull = np.zeros(len(places))
    W = np.column_stack([plane.origin[:-1], plane.directions[:, :-1].T])
    b = np.append(plane.origin[-1], plane.directions[:, -1])
    for _, X, labels in chunk_matrices(source):
        sign = labels if output is None else one_against_rest(labels, output)
        a, *slopes = (np.asarray(X @ W, dtype=np.float64) + b).T * sign
        slope = np.stack(slopes)
        normal += slope @ slope.T
        pull += slope @ (1 - a)
        if cone is not None:
            cone.cut(np.column_stack([a, slope.T]))
        step = max(1, _AT_ONCE // a.size)
        for first in range(0, size, step):
            part = slice(first, first + step)
            m = a[:, None] + slope.T @ points[:, part]
            wrong = m <= 0
            mistakes[part] += wrong.sum(axis=0)
            perceptron[part] -= np.where(wrong, m, 0.0).sum(axis=0)
            squared[part] += np.square(1 - m).sum(axis=0)
            least[part] = np.minimum(least[part], m.min(axis=0))
    return LossSurface(
        coordinates=places, mistakes=mistakes.reshape(shape), perceptron_loss=perceptron.reshape(shape),
        squared_loss=squared.reshape(shape), margin=least.reshape(shape),
        cone=np.empty((0, 2)) if cone is None else cone.corners, least_squares=_solved(normal, pull),
    )  # fmt: skip


def _solved(normal: Floats, pull: Floats) -> Floats | None:
    """The solution of the normal equations, if they have just one."""
    size = np.sqrt(np.diag(normal))
    if not (np.isfinite(normal).all() and (size > 0).all()):
        return None
    scaled = normal / np.outer(size, size)
    if np.linalg.cond(scaled) > 1e10:
        return None
    found = np.linalg.solve(scaled, pull / size) / size
    return found if np.isfinite(found).all() else None
