"""One panel of a loss surface: filled contours, the cone of solutions, the least squares, and the path."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..canvas import ACCENT, INK, NEGATIVE, SECOND
from ..curves import Floats, divided, power_of, unit_of
from ..lettering import head, key, note
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
ARROWS = 25  # steps that get an arrow each; beyond, the path is a line
LEVELS = 14
CONE = 241  # grid points a side for the cone of solutions


def draw_surface(ax: Axes, loss: str, plane: WeightPlane, surface: LossSurface, at: Any, subtitle: str) -> Any:
    """A loss over two coordinates; the line of the path is given back."""
    power = power_of(*surface.coordinates)
    x, y = (divided(c, power) for c in surface.coordinates)
    values = np.asarray(getattr(surface, FIELDS[loss]))
    height = power_of(values)
    values = divided(values, height)
    head(ax, TITLES[loss], subtitle)
    if np.isfinite(values).sum() > 3:
        drawn = ax.contourf(x, y, np.ma.masked_invalid(values), levels=_levels(values, loss), cmap=_paper())
        bar = ax.figure.colorbar(drawn, cax=ax.inset_axes((1.02, 0.0, 0.035, 1.0)))
        bar.set_label(("mistakes" if loss == "zero-one" else "loss") + unit_of(height))
        if loss == "zero-one":
            low, high = float(np.nanmin(values)), float(np.nanmax(values))
            bar.set_ticks(np.unique(np.linspace(low, high, 8).round()).tolist())
        else:
            bar.ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}" if 1e3 <= value < 1e6 else f"{value:.3g}")
    else:
        note(ax, "the loss leaves float64 here: rescale the data")
    _draw_cone(ax, surface, power)
    if loss == "squared" and surface.least_squares is not None:
        s, t = divided(surface.least_squares, power)
        if x.min() <= s <= x.max() and y.min() <= t <= y.max():
            ax.plot(s, t, "*", color=SECOND, markersize=14, markeredgecolor=INK, label="least squares")
    line = _draw_path(ax, divided(plane.path[at], power))
    ax.set(
        xlim=(x.min(), x.max()), ylim=(y.min(), y.max()),
        xlabel=plane.names[0] + unit_of(power), ylabel=plane.names[1] + unit_of(power),
    )  # fmt: skip
    if np.isclose(np.ptp(x), np.ptp(y)):
        ax.set_aspect("equal")
    key(ax, loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=5, columnspacing=0.9, handletextpad=0.3)
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
    head(ax, TITLES[loss], subtitle)
    key(ax)
    return line


def _draw_cone(ax: Axes, surface: LossSurface, power: int) -> None:
    """The cone of solutions: all weights that get every row right."""
    x, y = np.meshgrid(*(np.linspace(c.min(), c.max(), CONE) for c in surface.coordinates))
    margin = surface.margin_at(x, y)
    margin = margin / (np.abs(margin).max() or 1.0)
    solved = margin > 0
    if not solved.any():
        return
    x, y = divided(x, power), divided(y, power)
    if solved.all():
        ax.add_patch(_whole(ax, alpha=0.3))
    else:
        ax.contourf(x, y, margin, levels=[0.0, 2.0], colors=[ACCENT], alpha=0.3)
        ax.contour(x, y, margin, levels=[0.0], colors=[ACCENT], linewidths=1.4)
    ax.plot([], [], "s", color=ACCENT, alpha=0.6, markersize=9, label="every row right")


def _whole(ax: Axes, alpha: float) -> Any:
    from matplotlib.patches import Rectangle

    return Rectangle((0, 0), 1, 1, transform=ax.transAxes, color=ACCENT, alpha=alpha, linewidth=0)


def _draw_path(ax: Axes, path: Floats) -> Any:
    """The path: an arrow a step if they are few, a line if they are many; start and end marked."""
    few, crowd = len(path) - 1 <= ARROWS, len(path) > 20 * ARROWS
    (line,) = ax.plot(
        path[:, 0], path[:, 1], "-", color=NEGATIVE, linewidth=1.2 if few else 0.4 if crowd else 0.8,
        marker="." if few else "", alpha=0.5 if crowd else 1, label="path",
    )  # fmt: skip
    if few:
        for (x0, y0), (x1, y1) in pairwise(path):
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


def _levels(values: Floats, loss: str) -> Any:
    """Whole numbers apart for mistakes; else evenly spread, with the flat ground at 0 by itself."""
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if loss == "zero-one":
        step = max(1, round((high - low) / LEVELS))
        return np.arange(np.floor(low) - 0.5, high + step + 0.5, step)
    if high <= low:
        return np.array([low, low + (abs(low) or 1.0)])
    # Squares grow so fast that even levels would leave the valley empty.
    spread = np.linspace(0, 1, LEVELS) ** (2 if loss == "squared" else 1)
    return low + (high - low) * spread


def _paper() -> Any:
    """Light blues, so that a path is seen on all of them."""
    import matplotlib as mpl
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("paper", mpl.colormaps["Blues"](np.linspace(0.02, 0.72, 64)))
