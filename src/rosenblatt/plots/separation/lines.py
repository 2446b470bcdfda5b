"""A hyperplane as a line: its normal vector, the band of its margin, the projections of points on it."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..canvas import ACCENT, FAINT, INK, figure_of
from ..view import View
from .plane import Line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

WIDTH = 1.8  # of a hyperplane, in points of print
_ARROW = 0.17  # the normal's length, as a share of the view


def ends(line: Line, view: View, distance: float = 0.0) -> Floats:
    """Two points of the line at this signed distance from it, beyond either side of the view."""
    scaled = line.a * view.span  # in shares of the view
    size = float(np.hypot(*scaled))
    across = scaled / size
    foot = -(float(line.a @ view.centre) + line.c - distance) / size * across
    along = np.array([-across[1], across[0]])
    return np.asarray(view.centre + view.span * (foot + np.array([[-3.0], [3.0]]) * along))


def crosses(line: Line, view: View) -> bool:
    """Whether the line is to be seen in the view."""
    corners = np.array([[x, y] for x in (view.low[0], view.high[0]) for y in (view.low[1], view.high[1])])
    sides = line.distances(corners)
    return bool(np.isfinite(sides).all() and sides.min() <= 0 <= sides.max())


def draw_line(ax: "Axes", line: Line, view: View, **look: Any) -> Any:
    """The hyperplane itself."""
    points = ends(line, view)
    (artist,) = ax.plot(*points.T, **{"color": INK, "linewidth": WIDTH, "zorder": 2, **look})
    return artist


def draw_band(ax: "Axes", line: Line, view: View, margin: float) -> Any:
    """The band between the two parallels at ± the margin (in the units of the line)."""
    low, high = ends(line, view, -margin), ends(line, view, margin)
    band = ax.fill(*np.concatenate([low, high[::-1]]).T, color=ACCENT, alpha=0.13, linewidth=0, zorder=0.5)[0]
    for points in (low, high):
        ax.plot(*points.T, color=ACCENT, linewidth=1.0, linestyle=(0, (5, 3)), zorder=1.8)
    return band


def thickness(ax: "Axes", line: Line, view: View, margin: float) -> float:
    """How thick the band of a margin (in the units of the line) is on paper, in points of print."""
    box = ax.get_position().transformed(figure_of(ax).transSubfigure)
    size = np.array([box.width, box.height]) * 72 / ax.figure.dpi
    return 2 * margin / max(float(np.hypot(*(line.a * view.span / size))), 1e-300)


def draw_normal(ax: "Axes", line: Line, view: View, points: Floats) -> Any:
    """The normal vector w as an arrow from the line, where it is least in the way; None if there is no room for it."""
    step = line.n / view.span
    arrow = line.n * (_ARROW / float(np.hypot(*step)))
    foot = _free_place(line, view, points, arrow)
    if foot is None:
        return None
    tips = foot + arrow
    artist = ax.annotate(
        "", xy=tuple(tips), xytext=tuple(foot), zorder=4,
        arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0,
                    "mutation_scale": 14},
    )  # fmt: skip
    beyond = foot + arrow * 1.22
    ax.text(
        beyond[0], beyond[1], "w", color=INK, ha="center", va="center", fontstyle="italic", fontweight="bold", zorder=4
    )
    if view.equal:
        _right_angle(ax, view, foot, arrow)
    return artist


def _right_angle(ax: "Axes", view: View, foot: Floats, arrow: Floats) -> None:
    up = arrow * 0.16
    along = np.array([-up[1], up[0]])  # one scale for both axes, so this is a right angle on paper
    corner = np.array([foot + along, foot + along + up, foot + up])
    ax.plot(*corner.T, color=INK, linewidth=0.9, zorder=2)


def _free_place(line: Line, view: View, points: Floats, arrow: Floats) -> Floats | None:
    """Where on the line an arrow and its letter have the most room: its foot; None if they would leave the view."""
    low, high = ends(line, view)
    shares = np.linspace(0.2, 0.8, 401)[:, None]
    feet = low + shares * (high - low)
    inner = View(view.low + 0.07 * view.span, view.high - 0.07 * view.span, view.equal)
    seen = feet[inner.within(feet) & inner.within(feet + 1.3 * arrow)]
    if not len(seen):
        return None
    near = points[view.within(points)][:500] if len(points) else points
    if not len(near):
        return np.asarray(seen[len(seen) // 2])
    room = np.full(len(seen), np.inf)
    for share in (0.0, 0.5, 1.0, 1.25):
        gaps = ((seen + share * arrow)[:, None, :] - near[None, :, :]) / view.span
        room = np.minimum(room, np.hypot(gaps[..., 0], gaps[..., 1]).min(axis=1))
    return np.asarray(seen[int(np.minimum(room, 0.12).argmax())])


def draw_projections(ax: "Axes", line: Line, points: Floats) -> Any:
    """From each point a dotted line to the nearest point of the hyperplane."""
    from matplotlib.collections import LineCollection

    pairs = np.stack([points, line.feet(points)], axis=1)
    artist = LineCollection(list(pairs), colors=FAINT, linewidths=1.0, linestyles=":", zorder=1.5)
    ax.add_collection(artist, autolim=False)
    return artist
