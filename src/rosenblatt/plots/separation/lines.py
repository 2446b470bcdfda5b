"""A hyperplane as a line: its normal vector, the band of its margin, the projections of points on it."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..canvas import ACCENT, FAINT, INK
from .frame import Frame
from .plane import Line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

_ARROW = 0.17  # the normal's length, as a share of the frame


def ends(line: Line, frame: Frame, distance: float = 0.0) -> Floats:
    """Two points of the line at this signed distance from it, beyond either side of the frame."""
    scaled = line.a * frame.span  # in shares of the frame
    size = float(np.hypot(*scaled))
    across = scaled / size
    foot = -(float(line.a @ frame.centre) + line.c - distance) / size * across
    along = np.array([-across[1], across[0]])
    return np.asarray(frame.centre + frame.span * (foot + np.array([[-3.0], [3.0]]) * along))


def crosses(line: Line, frame: Frame) -> bool:
    """Whether the line is to be seen in the frame."""
    corners = np.array([[x, y] for x in (frame.low[0], frame.high[0]) for y in (frame.low[1], frame.high[1])])
    sides = line.distances(corners)
    return bool(np.isfinite(sides).all() and sides.min() <= 0 <= sides.max())


def draw_line(ax: "Axes", line: Line, frame: Frame, **look: Any) -> Any:
    """The hyperplane itself."""
    points = ends(line, frame)
    (artist,) = ax.plot(*points.T, **{"color": INK, "linewidth": 1.8, "zorder": 2, **look})
    return artist


def draw_band(ax: "Axes", line: Line, frame: Frame, margin: float) -> Any:
    """The band between the two parallels at ± the margin (in the units of the line)."""
    low, high = ends(line, frame, -margin), ends(line, frame, margin)
    band = ax.fill(*np.concatenate([low, high[::-1]]).T, color=ACCENT, alpha=0.13, linewidth=0, zorder=0.5)[0]
    for points in (low, high):
        ax.plot(*points.T, color=ACCENT, linewidth=1.0, linestyle=(0, (5, 3)), zorder=1.8)
    return band


def draw_normal(ax: "Axes", line: Line, frame: Frame, points: Floats) -> Any:
    """The normal vector w as an arrow from the line, where it is least in the way of the points."""
    step = line.n / frame.span
    arrow = line.n * (_ARROW / float(np.hypot(*step)))
    foot, tips = _free_place(line, frame, points, arrow)
    artist = ax.annotate(
        "", xy=tuple(tips), xytext=tuple(foot), zorder=4,
        arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 1.6, "shrinkA": 0, "shrinkB": 0,
                    "mutation_scale": 14},
    )  # fmt: skip
    beyond = foot + arrow * 1.22
    ax.text(
        beyond[0], beyond[1], "w", color=INK, ha="center", va="center", fontstyle="italic", fontweight="bold", zorder=4
    )
    if frame.equal:
        _right_angle(ax, frame, foot, arrow)
    return artist


def _right_angle(ax: "Axes", frame: Frame, foot: Floats, arrow: Floats) -> None:
    up = arrow * 0.16
    along = np.array([-up[1], up[0]])  # one scale for both axes, so this is a right angle on paper
    corner = np.array([foot + along, foot + along + up, foot + up])
    ax.plot(*corner.T, color=INK, linewidth=0.9, zorder=2)


def _free_place(line: Line, frame: Frame, points: Floats, arrow: Floats) -> tuple[Floats, Floats]:
    """Where on the line an arrow has the most room: its foot and its tip."""
    low, high = ends(line, frame)
    shares = np.linspace(0.2, 0.8, 401)[:, None]
    feet = low + shares * (high - low)
    inner = Frame(frame.low + 0.07 * frame.span, frame.high - 0.07 * frame.span, frame.equal)
    seen = feet[inner.within(feet) & inner.within(feet + 1.3 * arrow)]
    if not len(seen):
        seen = line.feet(frame.centre[None, :])
    near = points[frame.within(points)][:500] if len(points) else points
    if not len(near):
        return seen[len(seen) // 2], seen[len(seen) // 2] + arrow
    room = np.full(len(seen), np.inf)
    for share in (0.0, 0.5, 1.0, 1.25):
        gaps = ((seen + share * arrow)[:, None, :] - near[None, :, :]) / frame.span
        room = np.minimum(room, np.hypot(gaps[..., 0], gaps[..., 1]).min(axis=1))
    best = seen[int(np.minimum(room, 0.12).argmax())]
    return best, best + arrow


def draw_projections(ax: "Axes", line: Line, points: Floats) -> Any:
    """From each point a dotted line to the nearest point of the hyperplane."""
    from matplotlib.collections import LineCollection

    pairs = np.stack([points, line.feet(points)], axis=1)
    artist = LineCollection(list(pairs), colors=FAINT, linewidths=1.0, linestyles=":", zorder=1.5)
    ax.add_collection(artist, autolim=False)
    return artist
