"""The panel of one update: a parallelogram of arrows, two boundaries, two arcs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..canvas import ACCENT, FAINT, INK, NEGATIVE, NEGATIVE_MARK, POSITIVE, POSITIVE_MARK
from ..curves import Floats, divided, power_of, unit_of
from ..lettering import key

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .update import UpdateDisplay


def draw_update(ax: Axes, shown: UpdateDisplay) -> None:
    """Everything that an update display shows, on square axes."""
    vectors = (shown.w_, shown.move_, shown.after_, shown.x_)
    power = power_of(*vectors)
    w, move, after, x = (divided(v, power) for v in vectors)
    colour = POSITIVE if shown.y > 0 else NEGATIVE
    zero = np.zeros(2)
    points = np.stack([zero, w, move, after, x])
    reach = float(np.abs(points).max()) or 1.0
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    half = 0.8 * (float(np.ptp(points, axis=0).max()) or 1.0)
    _boundary(ax, w, 4 * (reach + half), linestyle="--", color=INK, label="boundary before")
    _boundary(ax, after, 4 * (reach + half), linestyle="-", color=ACCENT, label="boundary after")
    for first, last in ((w, after), (move, after)):
        ax.plot(*np.stack([first, last]).T, color=FAINT, linewidth=0.8, linestyle=":", zorder=1)
    _arrow(ax, zero, w, INK, "w before")
    _arrow(ax, w, after, colour, f"{shown.added}, added")
    if w.any() and move.any():
        _arrow(ax, zero, move, colour, None, faint=True)
    _arrow(ax, zero, after, ACCENT, "w after")
    mark = POSITIVE_MARK if shown.y > 0 else NEGATIVE_MARK
    if shown.what == "y·x":
        style: dict[str, Any] = {"markerfacecolor": "white"} if shown.y < 0 else {}
        ax.plot(*x, mark, color=colour, markersize=9, markeredgewidth=2, linestyle="", label="the row x", **style)
    ax.plot(0, 0, "+", color=INK, markersize=8)
    lengths = [size for size in (np.hypot(*v) for v in (w, move, after)) if size > 0]
    radius = min(0.42 * half, 0.6 * min(lengths, default=half))
    radius = max(radius, 0.28 * half)
    _arc(ax, w, move, shown.angles[0], radius, INK, half)
    _arc(ax, after, move, shown.angles[1], 0.5 * radius, ACCENT, half)
    middle_of_all = points[:4].mean(axis=0)
    tips = [("w", w, INK), (f"w + {shown.letters}", after, ACCENT), (shown.letters, move, colour)]
    _letter(ax, [tip for tip in tips if tip[1].any()], middle_of_all, half)
    names = shown.names or ("", "")
    labels = names if shown.exact else ("in the plane: along w", "across w")
    if not shown.exact and not w.any():
        labels = ("in the plane: along x", "across x")
    ax.set(
        xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half),
        xlabel=labels[0] + unit_of(power), ylabel=labels[1] + (unit_of(power) if labels[1] else ""), aspect="equal",
    )  # fmt: skip
    key(ax, loc="upper center", bbox_to_anchor=(0.5, -0.1), ncols=3, columnspacing=1.0, handletextpad=0.5)


def _boundary(ax: Axes, w: Floats, far: float, **style: Any) -> None:
    """The line w·x = 0, if w has a direction."""
    if w.any():
        along = np.array([-w[1], w[0]]) / np.hypot(*w) * far
        ax.plot(*np.stack([-along, along]).T, linewidth=1.3, zorder=1, **style)


def _arrow(ax: Axes, tail: Floats, tip: Floats, colour: str, label: str | None, faint: bool = False) -> None:
    """An arrow whose points are also those of a line, which the legend and the tests can read."""
    (line,) = ax.plot(
        *np.stack([tail, tip]).T, color=colour, linewidth=1.2 if faint else 2.2, alpha=0.55 if faint else 1,
        label=label or "_faint", solid_capstyle="butt", zorder=3,
    )  # fmt: skip
    if (tip != tail).any():
        ax.annotate(
            "", (tip[0], tip[1]), (tail[0], tail[1]), zorder=3,
            arrowprops={
                "arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16,
                "linewidth": line.get_linewidth(), "alpha": line.get_alpha(),
            },
        )  # fmt: skip


def _letter(ax: Axes, tips: list[tuple[str, Floats, str]], centre: Floats, half: float) -> None:
    """A letter beyond the tip of each arrow; none where another stands already, for the legend names them all."""
    done: list[Floats] = []
    for name, tip, colour in tips:
        away = tip - centre if (tip != centre).any() else tip
        place = tip + 0.1 * half * away / np.hypot(*away)
        if all(np.hypot(*(place - other)) > 0.25 * half for other in done):
            side = "center" if abs(away[0]) < 0.5 * abs(away[1]) else "left" if away[0] > 0 else "right"
            ax.text(
                place[0], place[1], name, color=colour, ha=side, va="center", fontsize=11, fontweight="bold", zorder=6
            )
            done.append(place)


def _arc(ax: Axes, one: Floats, other: Floats, angle: float, radius: float, colour: str, half: float) -> None:
    """The angle between two vectors, the shorter way round, and how many degrees it has."""
    if math.isnan(angle) or angle < 0.5:
        return
    start, turn = math.atan2(other[1], other[0]), math.radians(angle)
    if other[0] * one[1] - other[1] * one[0] < 0:
        turn = -turn
    way = start + np.linspace(0, turn, 60)
    ax.plot(radius * np.cos(way), radius * np.sin(way), color=colour, linewidth=1.2, zorder=4)
    at = start + turn / 2
    out = radius + 0.09 * half
    ax.text(
        out * math.cos(at), out * math.sin(at), f"{angle:.3g}°", color=colour, ha="center", va="center", fontsize=10,
        zorder=5, bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1},
    )  # fmt: skip
