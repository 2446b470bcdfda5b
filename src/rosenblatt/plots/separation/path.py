"""The path of the weights: the lines of successive weight vectors, and the vectors themselves in a plane of their own.

Weights are not points among the rows, so they have axes of their own: of two columns (w₁, w₂), of one (w, b).
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data.hyperplane import Hyperplane
from ...errors import InputError, plural
from ..canvas import FAINT, INK
from ..lettering import head
from .frame import Frame, frame_of, ratio_of
from .lines import crosses, draw_line
from .plane import Plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...runs.run import Run

Floats = NDArray[np.float64]

_LINES = 24  # weight vectors whose lines are drawn
_ARROWS = 400  # weight vectors whose arrows are drawn


def weights_of(run: "Run") -> tuple[Floats, NDArray[np.int64], int]:
    """(w, b) after changes of a run of two classes and one or two columns, which changes these are, and how many all.

    All of them, or of a long run some, evenly spread, the first and the last among them.
    """
    if run.source.n_columns > 2 or len(run.classes) > 2:
        raise InputError("path=True draws the weights of two classes and at most two columns; leave it out here")
    path = run.trajectory()
    which = np.unique(np.linspace(0, path.n_changes, min(path.n_changes + 1, _ARROWS)).astype(np.int64))
    pairs = [path.weights(int(change)) for change in which]
    return np.array([[*W[:, 0], b[0]] for W, b in pairs]), which, path.n_changes


def draw_lines(ax: "Axes", weights: Floats, plane: Plane, frame: Frame) -> list[Any]:
    """The lines of the weights before the last, the earlier the lighter."""
    some = np.unique(np.linspace(0, len(weights) - 2, min(len(weights) - 1, _LINES)).astype(np.int64))
    artists = []
    for at in some.tolist():
        line = plane.line(Hyperplane(weights[at, :-1], weights[at, -1]))
        if line is not None and crosses(line, frame):
            depth = 0.2 + 0.5 * (at + 1) / len(weights)
            artists.append(draw_line(ax, line, frame, linewidth=1.0, alpha=depth, zorder=1.6, color=INK))
    return artists


def draw_path(ax: "Axes", weights: Floats, changes: int, has_offset: bool) -> Any:
    """The weight vectors one after the other, as arrows from each to the next, from light to dark."""
    two = weights.shape[1] == 3
    points = weights[:, :2]
    scale = float(np.abs(points).max()) or 1.0
    exponent = int(np.floor(np.log10(scale)))
    unit = 10.0**exponent if abs(exponent) > 20 else 1.0
    points = points / unit
    frame = frame_of(np.vstack([points, [[0.0, 0.0]]]), ratio_of(ax)).wider(1.12)  # room for the names
    depths = np.linspace(0.25, 1.0, max(len(points) - 1, 1))
    numbered = len(points) <= 8
    for a, b, depth in zip(points[:-1], points[1:], depths, strict=False):
        look = {"arrowstyle": "-|>", "color": INK, "alpha": float(depth), "linewidth": 1.4, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", xy=tuple(b), xytext=tuple(a), arrowprops={**look, "mutation_scale": 11 if numbered else 7})
    ax.axhline(0, color=FAINT, linewidth=0.6, zorder=0)
    ax.axvline(0, color=FAINT, linewidth=0.6, zorder=0)
    if numbered:
        for at, point in enumerate(points):
            place = _beside(points, at)
            ax.annotate(
                f"$w_{{{at}}}$", point, xytext=tuple(place), textcoords="offset points", ha="center", va="center"
            )
    artist = ax.scatter(points[-1:, 0], points[-1:, 1], color=INK, s=28, zorder=4)
    said = "" if unit == 1.0 else f" (in units of 1e{exponent})"
    ax.set_xlabel(("first weight" if two else "w") + said)
    ax.set_ylabel(("second weight" if two else "b") + said)
    head(ax, "The weights", plural(changes, "change") + (", offset not shown" if two and has_offset else ""))
    frame.apply(ax)
    return artist


def _beside(points: Floats, at: int) -> Floats:
    """Where the name of a point stands: to the left of the way through it, in points of print."""
    ways = [b - a for a, b in zip(points[max(at - 1, 0) : at + 1], points[max(at, 1) : at + 2], strict=False)]
    units = [way / length for way in ways if (length := float(np.hypot(*way)))]
    way = np.sum(units, axis=0) if units else np.array([1.0, 0.0])
    length = float(np.hypot(*way))
    left = np.array([-way[1], way[0]]) / length if length > 1e-6 else np.array([0.0, 1.0])
    return np.asarray(12 * left)
