"""The path of the weights, and the plane it is drawn in.

With two weights in all, (w0, w1) or (w, b), that plane is everything there is. With more, it is the plane through the
first and the last weights of the run and along the direction in which the path strays most from the line between them:
the path is projected on it, and how much of the way lies in it can be said.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import InputError
from ...runs.trajectory import Trajectory
from ..curves import Floats

MOST_NUMBERS = 4_000_000  # of the weights of a path that are in memory at a time

ACROSS = ("from start to end", "leading direction across")


@dataclass(frozen=True, eq=False)
class WeightPlane:
    """Points of weight space: origin + s·(first direction) + t·(second); each is (w, b), of d + 1 numbers."""

    origin: Floats
    directions: Floats
    """(2, d + 1); (1, d + 1) where there is one weight alone."""
    names: tuple[str, ...]
    """What to write along each."""
    path: Floats
    """(points, 2) or (points, 1): the path in it."""
    changes: Any
    """After how many changes each point of the path was reached."""
    share: float
    """The part of the path's squared distances from its start that the plane shows; 1: all."""

    @property
    def exact(self) -> bool:
        """Whether the weights have no other coordinates than these."""
        return self.names != ACROSS

    def weights(self, *coordinates: Any) -> Floats:
        """(w, b) at these coordinates."""
        at = np.stack(np.broadcast_arrays(*coordinates), axis=-1)
        return np.asarray(self.origin + at @ self.directions)


def weight_path(path: Trajectory, most: int | None = None) -> tuple[Floats, Any]:
    """(w, b) at the start and after each change, in the run's own bits if it went row by row; and which changes.

    Of a path too long for memory, or for `most` points, changes evenly spread, the first and the last among them.
    """
    W, b = path.start
    if b.size > 1:
        raise InputError("the weights of a direct multiclass run move together: draw one output of one-vs-rest")
    d, n = W.shape[0], path.n_changes
    room = min(most or n + 1, max(3, MOST_NUMBERS // (d + 1)))
    kept = np.unique(np.linspace(0, n, min(n + 1, room)).astype(np.int64))
    found, last = [np.append(W[:, 0], b)[None, :]], np.append(W[:, 0], b)
    ends = np.searchsorted(path.change, kept[1:], side="right") - 1  # the update that completes each
    together = max(1, MOST_NUMBERS // (d + 1))
    for first in range(0, path.row.size, together):
        block = slice(first, min(path.row.size, first + together))
        rows = path.rows_at(path.row[block])
        rows = rows.toarray() if hasattr(rows, "toarray") else rows
        a = path.step[block] * path.sign[block]
        moves = np.column_stack([a[:, None] * rows, a * path.rho2])
        sums = np.add.accumulate(np.vstack([last, moves]), axis=0)[1:]  # in turn, as the run made them
        found.append(sums[ends[(ends >= block.start) & (ends < block.stop)] - block.start])
        last = sums[-1]
    return np.concatenate(found), kept


def plane_of(path: Trajectory, names: tuple[str, ...] | None = None) -> WeightPlane:
    """The plane to draw a trajectory in. `names` are those of the columns."""
    points, changes = weight_path(path)
    d, offset = points.shape[1] - 1, path.rho2 > 0
    free = [*range(d), d] if offset else list(range(d))
    if len(free) <= 2:
        known = [*(names or [f"w{j}" if d > 1 else "w" for j in range(d)]), "b"]
        directions = np.eye(d + 1)[free]
        return WeightPlane(
            np.zeros(d + 1), directions, tuple(known[j] for j in free), points[:, free], changes, 1.0
        )  # fmt: skip
    scale = np.append(np.ones(d), np.sqrt(path.rho2) if offset else 1.0)  # b′ = b/ρ, so that lengths mean something
    moved = (points - points[0]) / scale
    size = float(np.abs(moved).max(initial=0.0)) or 1.0
    first, second = _axes(moved / size)
    primed = np.stack([first, second])
    shown = moved @ primed.T
    shown[np.abs(shown) < 1e-12 * size] = 0.0
    total = float(np.square(moved / size).sum())
    share = float(np.square(shown / size).sum()) / total if total else 1.0
    return WeightPlane(points[0], primed * scale, ACROSS, shown, changes, min(1.0, share))


def _axes(moved: Floats) -> tuple[Floats, Floats]:
    """Two orthonormal directions: from start to end, and where the path strays most from there."""
    first = _unit(moved[-1])
    if not first.any():
        first = _leading(moved)
    second = _leading(moved - np.outer(moved @ first, first))
    if not second.any():  # a straight path: any direction across it will do
        at = int(np.abs(first).argmin())
        unit = np.zeros_like(first)
        unit[at] = 1.0
        second = _unit(unit - (unit @ first) * first)
    return first if first.any() else np.eye(first.size)[0], second


def _leading(rows: Floats) -> Floats:
    """The direction of the largest sum of squares, by power iteration; 0 where there is none."""
    size = np.square(rows).sum(axis=1)
    if not size.size or size.max() <= 1e-24:
        return np.zeros(rows.shape[1])
    found = _unit(rows[int(size.argmax())])
    for _ in range(100):
        found = _unit(rows.T @ (rows @ found))
    return found


def _unit(v: Floats) -> Floats:
    size = float(np.linalg.norm(v))
    return v / size if size > 0 else np.zeros_like(v)
