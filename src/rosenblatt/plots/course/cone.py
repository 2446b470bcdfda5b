"""The cone of solutions in a plane of weights: all points at which every row is right, as a polygon, exactly.

Along the plane a row is right where a + s·b + t·c > 0, a half-plane. The frame that is drawn is cut by one after the
other: always by the row that cuts deepest, until no row cuts any more. So a cone is found however thin it is, and of
a million rows only the few that bound it are ever cut with.
"""

import numpy as np

from ..curves import Floats

_SMALL = 1e-13  # of the frame's size: what rounding leaves of a line


class Cone:
    """What rows seen so far leave of a frame.

    >>> cone = Cone(np.array([-1.0, -1.0]), np.array([1.0, 1.0]))
    >>> cone.cut(np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))  # s > 0 and t > 0
    >>> sorted(cone.corners.tolist())
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """

    def __init__(self, low: Floats, high: Floats) -> None:
        self._middle, self._half = low / 2 + high / 2, high / 2 - low / 2
        self._corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])  # in a frame of ±1

    @property
    def corners(self) -> Floats:
        """The corners in turn, (k, 2); none where no point of the frame has every row right."""
        return np.asarray(self._middle + self._half * self._corners)

    def cut(self, rows: Floats) -> None:
        """Keep where a + s·b + t·c > 0 for every row (a, b, c)."""
        lines = np.column_stack([rows[:, 0] + rows[:, 1:] @ self._middle, rows[:, 1:] * self._half])
        size = np.abs(lines).max(axis=1, initial=0.0)
        if not (size > 0).all() or not np.isfinite(size).all():  # a row of zeros is right nowhere
            self._corners = np.empty((0, 2))
            return
        lines = lines / size[:, None]
        while len(lines) and len(self._corners):
            deepest = (lines[:, :1] + lines[:, 1:] @ self._corners.T).min(axis=1)
            cutting = deepest < -_SMALL
            if not cutting.any():
                return
            self._corners = _tidy(_cut(self._corners, lines[int(deepest.argmin())]))
            cutting[int(deepest.argmin())] = False
            lines = lines[cutting]


def _cut(corners: Floats, line: Floats) -> Floats:
    """The part of a convex polygon on the positive side of a line."""
    height = line[0] + corners @ line[1:]
    kept: list[Floats] = []
    for k in range(len(corners)):
        here, there = float(height[k - 1]), float(height[k])
        if (here > 0) != (there > 0):
            kept.append(corners[k - 1] + here / (here - there) * (corners[k] - corners[k - 1]))
        if there > 0:
            kept.append(corners[k])
    return np.array(kept).reshape(-1, 2)


def _tidy(corners: Floats) -> Floats:
    """The polygon, or nothing if it has no inside."""
    x, y = corners.T
    area = abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2 if len(corners) > 2 else 0.0
    return corners if area > _SMALL else np.empty((0, 2))
