"""The path of the weights: the lines of successive weight vectors, and the vectors themselves in a plane of their own.

Weights are not points among the rows, so they have axes of their own: of two columns (w₁, w₂), of one (w, b).
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data.hyperplane import Hyperplane
from ...errors import InputError
from ..canvas import FAINT, INK
from ..course.weight_path import weight_path
from ..curves import divided, power_of, unit_of
from ..lettering import count, head, short
from ..view import View, ratio_of, view_of
from .lines import crosses, draw_line
from .plane import Plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...runs.run import Run

Floats = NDArray[np.float64]

_LINES = 12  # earlier weight vectors whose lines are drawn
_CHANGES = 400  # changes of the weights that are shown
_ARROWS = 25  # changes that are shown as arrows
_NAMED = 8  # weight vectors that are named


def weights_of(run: "Run") -> tuple[Floats, NDArray[np.int64], int]:
    """(w, b) after changes of a run of two classes and one or two columns, which changes these are, and how many all.

    All of them, or of a long run some, evenly spread, the first and the last among them.
    """
    if run.source.n_columns > 2 or len(run.classes) > 2:
        raise InputError("path=True draws the weights of two classes and at most two columns; leave it out here")
    path = run.trajectory()
    points, changes = weight_path(path, _CHANGES + 1)
    if run.state.scaling is not None:  # the lines are drawn among the rows as they are
        W, b = run.state.scaling.fold(points[:, :-1].T, points[:, -1])
        points = np.column_stack([W.T, b])
    return points, changes, path.n_changes


def draw_lines(ax: "Axes", weights: Floats, plane: Plane, view: View) -> list[Any]:
    """The lines of the weights before the last, the earlier the lighter."""
    some = np.unique(np.linspace(0, len(weights) - 2, min(len(weights) - 1, _LINES)).astype(np.int64))
    artists = []
    for at in some.tolist():
        line = plane.line(Hyperplane(weights[at, :-1], weights[at, -1]))
        if line is not None and crosses(line, view):
            depth = 0.12 + 0.38 * (at + 1) / len(weights)
            artists.append(draw_line(ax, line, view, linewidth=1.0, alpha=depth, zorder=1.6, color=INK))
    return artists


def draw_path(ax: "Axes", weights: Floats, changes: int, has_offset: bool) -> Any:
    """The weight vectors one after the other: few as arrows from each to the next, many as a line; from light to dark.

    A line, because between two that are shown others may be left out, and then no single change joins them.
    """
    two, shown = weights.shape[1] == 3, len(weights) - 1
    power = power_of(weights[:, :2])
    points = divided(weights[:, :2], power)
    view = view_of(np.vstack([points, [[0.0, 0.0]]]), ratio_of(ax)).wider(1.12)  # room for the names
    (_draw_arrows if shown <= _ARROWS else _draw_way)(ax, points)
    ax.axhline(0, color=FAINT, linewidth=0.6, zorder=0)
    ax.axvline(0, color=FAINT, linewidth=0.6, zorder=0)
    artist = ax.scatter(points[-1:, 0], points[-1:, 1], color=INK, s=40, edgecolors="white", zorder=4)
    ax.set_xlabel(("first weight" if two else "w") + unit_of(power))
    ax.set_ylabel(("second weight" if two else "b") + unit_of(power))
    said = count(changes, "change") if shown == changes else f"{short(shown)} of {count(changes, 'change')}"
    head(ax, "The weights", said + (", offset not shown" if two and has_offset else ""))
    view.apply(ax)
    return artist


def _draw_arrows(ax: "Axes", points: Floats) -> None:
    numbered = len(points) <= _NAMED
    look = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0}
    for a, b, depth in zip(points[:-1], points[1:], _depths(points), strict=True):
        props = {**look, "alpha": float(depth), "mutation_scale": 11 if numbered else 7}
        ax.annotate("", xy=tuple(b), xytext=tuple(a), arrowprops=props)
    for at, point in enumerate(points if numbered else ()):
        place = tuple(_beside(points, at))
        ax.annotate(f"$w_{{{at}}}$", point, xytext=place, textcoords="offset points", ha="center", va="center")


def _draw_way(ax: "Axes", points: Floats) -> None:
    from matplotlib.collections import LineCollection

    steps = list(np.stack([points[:-1], points[1:]], axis=1))
    ax.add_collection(LineCollection(steps, colors=INK, alpha=_depths(points), linewidths=0.6, zorder=2), autolim=False)


def _depths(points: Floats) -> Floats:
    return np.linspace(0.25, 1.0, len(points) - 1)


def _beside(points: Floats, at: int) -> Floats:
    """Where the name of a point stands: to the left of the way through it, in points of print."""
    ways = [b - a for a, b in zip(points[max(at - 1, 0) : at + 1], points[max(at, 1) : at + 2], strict=False)]
    units = [way / length for way in ways if (length := float(np.hypot(*way)))]
    way = np.sum(units, axis=0) if units else np.array([1.0, 0.0])
    length = float(np.hypot(*way))
    left = np.array([-way[1], way[0]]) / length if length > 1e-6 else np.array([0.0, 1.0])
    return np.asarray(12 * left)
