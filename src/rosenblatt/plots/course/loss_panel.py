"""One panel of a loss surface: filled contours, the cone of solutions, the least squares, and the path."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..canvas import ACCENT, INK, NEGATIVE, SECOND
from ..curves import Floats, divided, power_of, unit_of
from ..lettering import head, note, short
from ..placing import legend_below, legend_inside
from .loss_levels import levels_of
from .loss_surface import LossSurface
from .weight_path import WeightPlane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLES = {
    "perceptron": "Perceptron loss, Σ −m over the mistakes",
    "zero-one": "Zero-one loss, the mistakes m ≤ 0",
    "squared": "Squared loss, Σ (1 − m)²",
}
FIELDS = {"perceptron": "perceptron_loss", "zero-one": "mistakes", "squared": "squared_loss"}
LEAST = {True: "least squares", False: "least in this plane"}
ARROWS = 25  # steps that get an arrow each; beyond, the path is a line
SEEN = 0.03  # of the frame: a shorter step has no room for the head of an arrow


def draw_surface(ax: Axes, loss: str, plane: WeightPlane, surface: LossSurface, at: Any, subtitle: str) -> Any:
    """A loss over two coordinates; the line of the path is given back."""
    power = power_of(*surface.coordinates)
    x, y = (divided(c, power) for c in surface.coordinates)
    values = np.asarray(getattr(surface, FIELDS[loss]))
    height = power_of(values)
    values = divided(values, height)
    if np.isfinite(values).sum() > 3:
        _draw_levels(ax, loss, x, y, values, unit_of(height))
    else:
        note(ax, "the loss leaves float64 here: rescale the data")
    _draw_cone(ax, surface, power)
    if loss == "squared" and surface.least_squares is not None:
        s, t = divided(surface.least_squares, power)
        if x.min() <= s <= x.max() and y.min() <= t <= y.max():
            ax.plot(s, t, "*", color=SECOND, markersize=14, markeredgecolor=INK, label=LEAST[plane.exact])
    line = _draw_path(ax, divided(plane.path[at], power), SEEN * np.array([np.ptp(x), np.ptp(y)]))
    ax.set(
        xlim=(x.min(), x.max()), ylim=(y.min(), y.max()),
        xlabel=plane.names[0] + unit_of(power), ylabel=plane.names[1] + unit_of(power),
    )  # fmt: skip
    if np.isclose(np.ptp(x), np.ptp(y)):
        ax.set_aspect("equal")
    legend_below(ax, 0.12, 5)
    head(ax, TITLES[loss], _with(subtitle, _constant(getattr(surface, FIELDS[loss]))))
    return line


def draw_curve(ax: Axes, loss: str, plane: WeightPlane, surface: LossSurface, at: Any, subtitle: str) -> Any:
    """A loss of one weight alone, w through the origin."""
    power = power_of(*surface.coordinates)
    x = divided(surface.coordinates[0], power)
    values = np.asarray(getattr(surface, FIELDS[loss]))
    height = power_of(values)
    ax.plot(x, divided(values, height), color=INK, label="loss")
    path = divided(plane.path[at, 0], power)
    bottom = np.interp(path, x, divided(values, height))
    (line,) = ax.plot(path, bottom, ".", color=NEGATIVE, label="w on its way")
    ax.plot(path[0], bottom[0], "o", markerfacecolor="white", markeredgecolor=NEGATIVE, markersize=9, label="start")
    ax.plot(path[-1], bottom[-1], "s", color=NEGATIVE, markersize=8, label="end")
    if (surface.margin > 0).any():
        ax.fill_between(
            x, 0, 1, where=surface.margin > 0, transform=ax.get_xaxis_transform(), color=ACCENT, alpha=0.25,
            label="every row right",
        )  # fmt: skip
    ax.set(xlabel=plane.names[0] + unit_of(power), ylabel="loss" + unit_of(height))
    constant = _constant(values)
    if constant:
        ax.set_ylim(0, 2 * float(divided(values, height).flat[0]) or 1.0)
    head(ax, TITLES[loss], _with(subtitle, constant))
    legend_inside(ax)
    return line


def _draw_levels(ax: Axes, loss: str, x: Floats, y: Floats, values: Floats, unit: str) -> None:
    """Bands of equal loss, and their scale; one colour without a scale where there is one value."""
    from matplotlib.colors import BoundaryNorm

    if np.nanmax(values) <= np.nanmin(values):
        ax.set_facecolor(_paper()(0.35))
        return
    levels, ticks, even = levels_of(values, loss)
    cmap = _paper()
    norm = BoundaryNorm(levels, cmap.N)
    drawn = ax.contourf(x, y, np.ma.masked_invalid(values), levels=levels, cmap=cmap, norm=norm)
    bar = ax.figure.colorbar(drawn, cax=ax.inset_axes((1.02, 0.0, 0.035, 1.0)), ticks=ticks)
    bar.ax.minorticks_off()
    bar.ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.6g}".replace("-", "−"))
    bar.set_label(("mistakes" if loss == "zero-one" else "loss") + unit + ("" if even else ", levels not even"))


def _constant(values: Any) -> str:
    """What is to be said of a loss that is the same everywhere."""
    found = np.asarray(values)
    low, high = float(np.min(found)), float(np.max(found))
    return f"the loss is {short(low)} everywhere here" if low == high and np.isfinite(low) else ""


def _with(subtitle: str, more: str) -> str:
    return "; ".join(part for part in (subtitle, more) if part)


def _draw_cone(ax: Axes, surface: LossSurface, power: int) -> None:
    """The cone of solutions: all weights that get every row right."""
    if not len(surface.cone):
        return
    corners = divided(surface.cone, power)
    ax.fill(*corners.T, facecolor=ACCENT, alpha=0.3, linewidth=0, zorder=1.2)
    ax.fill(*corners.T, facecolor="none", edgecolor=ACCENT, linewidth=1.4, zorder=1.3)
    ax.plot([], [], "s", color=ACCENT, alpha=0.6, markersize=9, label="every row right")


def _draw_path(ax: Axes, path: Floats, seen: Floats) -> Any:
    """The path: an arrow a step if they are few and long enough, a line if they are many; start and end marked."""
    few, crowd = len(path) - 1 <= ARROWS, len(path) > 20 * ARROWS
    (line,) = ax.plot(
        path[:, 0], path[:, 1], "-", color=NEGATIVE, linewidth=1.2 if few else 0.4 if crowd else 0.8,
        marker="." if few else "", alpha=0.5 if crowd else 1, label="path",
    )  # fmt: skip
    if few:
        for (x0, y0), (x1, y1) in pairwise(path):
            if abs(x1 - x0) < seen[0] and abs(y1 - y0) < seen[1]:
                continue
            ax.annotate(
                "", (x1, y1), (x0, y0),
                arrowprops={"arrowstyle": "-|>", "color": NEGATIVE, "shrinkA": 0, "shrinkB": 1, "mutation_scale": 12},
            )  # fmt: skip
    returns = len(path) > 1 and bool((path[0] == path[-1]).all())
    ends = [(0, "start and end" if returns else "start", "o", "white")]
    if not returns and len(path) > 1:
        ends.append((-1, "end", "s", NEGATIVE))
    for place, name, mark, face in ends:
        ax.plot(
            *path[place], mark, markerfacecolor=face, markeredgecolor=INK, markersize=8, zorder=5, linestyle="",
            label=name,
        )  # fmt: skip
    return line


def _paper() -> Any:
    """Light blues, so that a path is seen on all of them."""
    import matplotlib as mpl
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("paper", mpl.colormaps["Blues"](np.linspace(0.02, 0.72, 64)))
