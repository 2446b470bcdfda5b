"""Why no hyperplane separates: the witness rows of the two classes, and the point that their hulls share.

With a free offset Σ α·y·(x, 1) = 0 says that both classes weigh the same and that their weighted means are one point,
Σα⁺x/Σα⁺ = Σα⁻x/Σα⁻: it lies in the hulls of both. Through the origin there is only Σ α·y·x = 0: the cones of the two
classes share the vector Σα⁺x = Σα⁻x, or if that is 0, the origin is in the hull of a class.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..canvas import ACCENT, INK
from ..points import colour
from ..table import Table
from ..view import View
from .plane import Plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class WitnessPicture:
    """Witness rows with their multipliers, and the exact vector that both classes make of them."""

    rows: Ints
    multipliers: tuple[Fraction, ...]
    through_origin: bool
    shared: tuple[Fraction, ...]
    """Free offset: the common point of both hulls. Through the origin: Σα⁺x = Σα⁻x."""
    positive: NDArray[np.bool_]

    @classmethod
    def of(cls, table: Table, rows: Any, multipliers: Any, through_origin: bool) -> "WitnessPicture":
        """From the rows of the table that a verdict or a proof names."""
        numbers = np.asarray(rows, dtype=np.int64)
        found = table.some(numbers)
        dense = found.toarray() if hasattr(found, "toarray") else found
        positive = table.codes[numbers] > 0
        side = positive if positive.any() else ~positive
        total = sum((a for a, own in zip(multipliers, side, strict=True) if own), Fraction(0))
        sums = [Fraction(0)] * table.n_columns
        for row, a, own in zip(dense, multipliers, side, strict=True):
            if own:
                for j in np.flatnonzero(row).tolist():
                    sums[j] += a * Fraction(float(row[j]))
        shared = tuple(s if through_origin else s / total for s in sums)
        return cls(numbers, tuple(multipliers), through_origin, shared, positive)

    @property
    def has_cones(self) -> bool:
        """Whether cones are shown, and not hulls."""
        return self.through_origin and any(self.shared)

    @property
    def point(self) -> Floats:
        """The shared vector, rounded."""
        return np.array([[float(value) for value in self.shared]])


def hull_of(points: Floats) -> Floats:
    """The corners of the convex hull, in turn (Andrew's monotone chain).

    >>> hull_of(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [1.0, 1.0]])).tolist()
    [[0.0, 0.0], [2.0, 0.0], [1.0, 1.0]]
    """
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) < 3:
        return np.array(ordered)

    def half(walk: list[Any]) -> list[Any]:
        kept: list[Any] = []
        for p in walk:
            while len(kept) > 1 and _turn(kept[-2], kept[-1], p) <= 0:
                kept.pop()
            kept.append(p)
        return kept[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def _turn(o: Any, a: Any, b: Any) -> float:
    found: float = (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])
    return found


def draw_witness(ax: "Axes", witness: WitnessPicture, points: Floats, plane: Plane, view: View) -> dict[str, Any]:
    """Draw the hulls (or, through the origin, the cones) and what they share; the artists by name."""
    origin = plane.points(np.zeros((1, plane.columns)))[0]
    own = points[witness.rows]
    artists: dict[str, Any] = {}
    for code, side in ((0, ~witness.positive), (1, witness.positive)):
        if side.any():
            artists[f"hull {code}"] = (
                _cone(ax, own[side], origin, view, code)
                if witness.has_cones
                else _hull(ax, own[side], code, plane.columns == 1)
            )
    place = plane.points(witness.point)[0]
    if witness.has_cones:
        far = _far(place[None, :] - origin, view)[0]
        ray = np.array([origin, origin + far])
        (artists["ray"],) = ax.plot(*ray.T, color=INK, linewidth=1.4, linestyle="--", zorder=2)
        ax.scatter(origin[0], origin[1], marker="+", s=60, color=INK, linewidths=1.2, zorder=4)
    else:
        look: dict[str, Any] = {"s": 170, "color": ACCENT, "edgecolors": INK, "linewidths": 0.8, "zorder": 5}
        artists["shared"] = ax.scatter(place[0], place[1], marker="*", **look)
    return artists


def witness_handle(witness: WitnessPicture) -> Any:
    """What a legend says of what the classes share."""
    from matplotlib.lines import Line2D

    if witness.has_cones:
        return Line2D([], [], color=INK, linestyle="--", label="direction in both cones\n(Σα⁺x = Σα⁻x)")
    label = "the origin, in the\nhull of one class" if witness.through_origin else "point that both\nhulls share"
    return Line2D(
        [], [], linestyle="none", marker="*", markersize=12, color=ACCENT, markeredgecolor=INK, label=label
    )  # fmt: skip


def _hull(ax: "Axes", points: Floats, code: int, on_a_line: bool) -> Any:
    shade = colour(code, 2)
    if on_a_line:
        height = 0.06 if code else -0.06
        low, high = points[:, 0].min(), points[:, 0].max()
        (bar,) = ax.plot([low, high], [height, height], color=shade, alpha=0.5, linewidth=6, solid_capstyle="butt")
        return bar
    corners = hull_of(points)
    if len(corners) < 3:
        (edge,) = ax.plot(*corners.T, color=shade, alpha=0.6, linewidth=2.5, zorder=1.2)
        return edge
    return ax.fill(*corners.T, facecolor=shade, alpha=0.14, edgecolor=shade, linewidth=1.5, zorder=1.2)[0]


def _cone(ax: "Axes", points: Floats, origin: Floats, view: View, code: int) -> Any:
    from matplotlib.collections import LineCollection

    rays = [np.array([origin, origin + way]) for way in _far(points - origin, view)]
    artist = LineCollection(rays, colors=colour(code, 2), linewidths=1.5, alpha=0.6, zorder=1.2)
    ax.add_collection(artist, autolim=False)
    return artist


def _far(ways: Floats, view: View) -> Floats:
    """Ways as long as is needed to leave the view."""
    return np.asarray(2 * ways / np.maximum(np.abs(ways / view.span).max(axis=1), 1e-300)[:, None])
