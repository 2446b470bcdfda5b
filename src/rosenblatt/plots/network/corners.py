"""The corners of the square, and the lines of the hidden units between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...network.truth_tables import CODINGS
from ...network.two_level import Network
from ..canvas import ACCENT, NEGATIVE, NEGATIVE_MARK, POSITIVE, POSITIVE_MARK, SECOND, THIRD, display_name
from ..curves import Floats
from ..lettering import head
from ..placing import legend_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_corners(ax: Axes, net: Network, names: list[str]) -> None:
    """Which corners give 1, and where each AND unit says 1: on the shaded side of its line."""
    low, high = CODINGS[net.inputs]
    reach = (high - low) * 0.45
    grid = np.linspace(low - reach, high + reach, 121)
    x, y = np.meshgrid(grid, grid)
    for k, (w, b) in enumerate(zip(*net.hidden, strict=True)):
        colour = (ACCENT, SECOND, THIRD)[k % 3]
        term = display_name(Network(net.n_inputs, net.inputs, net.implicants[k : k + 1]).formula(names), 20)
        score = w[0] * x + w[1] * y + b
        if not w.any():
            ax.axvspan(grid[0], grid[-1], color=colour, alpha=0.15, label="always 1")
            continue
        ax.contourf(x, y, score, levels=[0.0, float(score.max()) + 1], colors=[colour], alpha=0.15)
        ax.plot(*_line(w, float(b), float(grid[0]), float(grid[-1])), color=colour, linewidth=1.8, label=term)
    corners, table = net.corners, net.table
    for value, colour, mark in ((1, POSITIVE, POSITIVE_MARK), (0, NEGATIVE, NEGATIVE_MARK)):
        at = corners[table == value]
        if at.size:
            ax.plot(
                at[:, 0], at[:, 1], mark, color=colour, markersize=12, markeredgewidth=2.5, markerfacecolor="white",
                linestyle="", label=f"gives {value}", zorder=4,
            )  # fmt: skip
    ax.set(xlim=(grid[0], grid[-1]), ylim=(grid[0], grid[-1]), aspect="equal", xticks=(low, high), yticks=(low, high))
    ax.set(xlabel=display_name(names[0]), ylabel=display_name(names[1]))
    head(ax, "The corners", "an AND unit says 1 on its shaded side")
    legend_below(ax, 0.13, 2)


def _line(w: Floats, b: float, low: float, high: float) -> tuple[list[float], list[float]]:
    """Two points of w·x + b = 0 that lie beyond the axes or on their edge."""
    ends = np.array([low - 9, high + 9])
    if abs(w[1]) >= abs(w[0]):
        return ends.tolist(), (-(w[0] * ends + b) / w[1]).tolist()
    return (-(w[1] * ends + b) / w[0]).tolist(), ends.tolist()
