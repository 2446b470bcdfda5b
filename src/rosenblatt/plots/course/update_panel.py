"""The panel of one update: a parallelogram of arrows, two boundaries, two arcs."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ..canvas import ACCENT, FAINT, INK, NEGATIVE, NEGATIVE_MARK, POSITIVE, POSITIVE_MARK
from ..cells import is_plain, is_small
from ..curves import Floats, divided, power_of, unit_of
from ..lettering import head
from ..placing import fit, legend_below

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
    # Arrows on one line would hide each other: there those of w are broad and pale, and what is added lies on them.
    broad = abs(w[0] * move[1] - w[1] * move[0]) <= 1e-9 * float(np.hypot(*w) * np.hypot(*move))
    _arrow(ax, zero, w, INK, "w before", broad=broad)
    _arrow(ax, zero, after, ACCENT, "w after", broad=broad)
    _arrow(ax, w, after, colour, f"{shown.added}, added")
    if w.any() and move.any():
        _arrow(ax, zero, move, colour, None, faint=True)
    mark = POSITIVE_MARK if shown.y > 0 else NEGATIVE_MARK
    if shown.what == "y·x":
        style: dict[str, Any] = {"markerfacecolor": "white"} if shown.y < 0 else {}
        ax.plot(*x, mark, color=colour, markersize=9, markeredgewidth=2, linestyle="", label="the row x", **style)
    ax.plot(0, 0, "+", color=INK, markersize=8)
    lengths = [size for size in (np.hypot(*v) for v in (w, move, after)) if size > 0]
    radius = min(0.42 * half, 0.6 * min(lengths, default=half))
    radius = max(radius, 0.28 * half)
    ax.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half), aspect="equal")
    names = shown.names or ("", "")
    labels = names if shown.exact else ("in the plane: along w", "across w")
    if not shown.exact and not w.any():
        labels = ("in the plane: along x", "across x")
    ax.set(xlabel=labels[0] + unit_of(power), ylabel=labels[1] + (unit_of(power) if labels[1] else ""))
    legend_below(ax, 0.1, 3)
    head(ax, shown.title, shown.subtitle)
    fit(ax)  # before the letters: they go by the size of the frame
    if is_plain(ax):
        ax.apply_aspect()
    strokes = [np.linspace(first, last, 40) for first, last in ((zero, w), (w, after), (zero, move), (zero, after))]
    for v in (w, after):  # and of the boundaries what is near
        across = np.array([-v[1], v[0]]) / (float(np.hypot(*v)) or 1.0)
        strokes.append(np.linspace(-half * across, half * across, 60))
    taken = np.concatenate(strokes)
    letters = [("w", w, INK), (f"w + {shown.letters}", after, ACCENT), (shown.letters, move, colour)]
    if not w.any():
        letters = [(f"w + {shown.letters} = {shown.letters}", after, ACCENT)]
    placed = _letter(ax, [tip for tip in letters if tip[1].any()], points[:4].mean(axis=0), half)
    taken = np.concatenate([taken, placed]) if len(placed) else taken
    taken = _arc(ax, w, move, shown.angles[0], radius, INK, half, taken)
    _arc(ax, after, move, shown.angles[1], 0.5 * radius, ACCENT, half, taken)


def _boundary(ax: Axes, w: Floats, far: float, **style: Any) -> None:
    """The line w·x = 0, if w has a direction."""
    if w.any():
        along = np.array([-w[1], w[0]]) / np.hypot(*w) * far
        ax.plot(*np.stack([-along, along]).T, linewidth=1.3, zorder=1, **style)


def _arrow(
    ax: Axes, tail: Floats, tip: Floats, colour: str, label: str | None, faint: bool = False, broad: bool = False
) -> None:
    """An arrow whose points are also those of a line, which the legend and the tests can read; none of no length."""
    if not (tip != tail).any():
        return
    width, alpha = (1.2, 0.55) if faint else (6.0, 0.45) if broad else (2.2, 1.0)
    ax.plot(
        *np.stack([tail, tip]).T, color=colour, linewidth=width, alpha=alpha, label=label or "_faint",
        solid_capstyle="butt", zorder=2.5 if broad else 3,
    )  # fmt: skip
    ax.annotate(
        "", (tip[0], tip[1]), (tail[0], tail[1]), zorder=2.5 if broad else 3,
        arrowprops={
            "arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 26 if broad else 16,
            "linewidth": 0 if broad else width, "alpha": alpha,
        },
    )  # fmt: skip


def _letter(ax: Axes, tips: list[tuple[str, Floats, str]], centre: Floats, half: float) -> Floats:
    """A letter beyond the tip of each arrow, within the frame, unless another stands there; the places of all."""
    done: list[Floats] = []
    (left, right), (low, high) = ax.get_xlim(), ax.get_ylim()
    point = 2 * half / max(ax.bbox.width / ax.figure.dpi * 72, 72.0)  # of the paper, in the units of the axes
    size = 8 if is_small(ax) else 11
    for name, tip, colour in tips:
        away = tip - centre if (tip != centre).any() else tip
        place = tip + 0.1 * half * away / np.hypot(*away)
        wide, tall = 0.38 * size * point * len(name), 0.8 * size * point  # from the middle of the text to its ends
        if abs(away[0]) >= 0.5 * abs(away[1]):
            place[0] += math.copysign(wide, away[0])
        inside = np.clip(place, (left + wide, low + tall), (right - wide, high - tall))
        if abs(inside[0] - place[0]) > point:  # moved over its arrow: above or below it, then
            inside[1] += (1 if away[1] >= 0 else -1) * 0.13 * half
        if all(abs(inside[0] - x) > 0.2 * half or abs(inside[1] - y) > 0.12 * half for x, y in done):
            style: dict[str, Any] = {"fontsize": size, "fontweight": "bold", "zorder": 6}
            ax.text(inside[0], inside[1], name, color=colour, ha="center", va="center", **style)
            done.append(inside)
    return np.array(done).reshape(-1, 2)


def _arc(
    ax: Axes, one: Floats, other: Floats, angle: float, radius: float, colour: str, half: float, taken: Floats
) -> Floats:
    """The angle between two vectors, the shorter way round, and how many degrees it has, where nothing else is."""
    if math.isnan(angle) or angle < 0.5:
        return taken
    start, turn = math.atan2(other[1], other[0]), math.radians(angle)
    if other[0] * one[1] - other[1] * one[0] < 0:
        turn = -turn
    way = start + np.linspace(0, turn, 60)
    arc = radius * np.column_stack([np.cos(way), np.sin(way)])
    ax.plot(*arc.T, color=colour, linewidth=1.2, zorder=4)
    # From the middle of the arc, just outside it, to its ends and beyond: the first place that is free, or the freest.
    best, most = arc[30], -1.0
    within = sorted(np.linspace(0.08, 0.92, 15).tolist(), key=lambda part: abs(part - 0.5))
    for parts in (within, (-0.12, 1.12, -0.25, 1.25)):
        for part, out in product(parts, (0.1, 0.07, 0.14)):
            at = start + part * turn + math.copysign(0.12, turn) * ((part > 1) - (part < 0))
            spot = (radius + out * half) * np.array([math.cos(at), math.sin(at)])
            free = float((np.abs(taken - spot) / (0.15 * half, 0.07 * half)).max(axis=1).min())
            if free > most + 1e-9 and most < 1.0:
                best, most = spot, free
    style: dict[str, Any] = {"fontsize": 7 if is_small(ax) else 10, "zorder": 5}
    ax.text(best[0], best[1], f"{angle:.3g}°", color=colour, ha="center", va="center", **style)
    return np.concatenate([taken, arc, best[None, :] + np.array([[-0.1, 0], [0, 0], [0.1, 0]]) * half])
