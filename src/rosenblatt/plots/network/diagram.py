"""Diagrams of units in columns, joined by edges whose colour and style tell the sign of their weight."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from ..canvas import FAINT, INK, NEGATIVE, POSITIVE
from ..lettering import short
from ..placing import legend_inside

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WEIGHTS_WRITTEN = 16  # edges, at most, that bear their weights
NODE = 780  # the size of a unit


@dataclass
class Column:
    """Nodes above each other: what stands inside each, and left of it; how many were left out in the middle."""

    title: str
    inside: list[str]
    left: list[str] = field(default_factory=list)
    gap: int = 0

    def heights(self) -> list[float]:
        """Where the nodes stand, from the top at 1 to the bottom at 0; one alone in the middle."""
        n = len(self.inside) + (1 if self.gap else 0)
        spots = [0.5] if n == 1 else list(np.linspace(1, 0, n))
        if self.gap:
            del spots[(len(self.inside) + 1) // 2]
        return spots

    def gap_height(self) -> float:
        """Where the dots stand for those left out."""
        return float(np.linspace(1, 0, len(self.inside) + 1)[(len(self.inside) + 1) // 2])


def picked(n: int, most: int) -> list[int]:
    """The numbers of what is drawn of n things: all, or the first and the last few.

    >>> picked(3, 4), picked(100, 4)
    ([0, 1, 2], [0, 1, 98, 99])
    """
    if n <= most:
        return list(range(n))
    return [*range((most + 1) // 2), *range(n - most // 2, n)]


def draw_columns(ax: Axes, columns: list[Column], edges: list[tuple[int, int, int, float]]) -> None:
    """Columns from left to right; an edge is (column, node there, node in the next column, weight)."""
    inch = per_inch(ax)
    heights = [column.heights() for column in columns]
    for c, i, j, weight in edges:
        draw_edge(ax, (c, heights[c][i]), (c + 1, heights[c + 1][j]), weight, len(edges) <= WEIGHTS_WRITTEN)
    for c, column in enumerate(columns):
        for k, (height, inside) in enumerate(zip(heights[c], column.inside, strict=True)):
            draw_node(ax, (c, height), inside, column.left[k] if column.left else "")
        if column.gap:
            ax.text(
                c, column.gap_height(), f"⋮ {column.gap} more", ha="center", va="center", fontsize=9, color=INK,
                zorder=4, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
            )  # fmt: skip
        ax.text(c, 1 + 0.14 * inch, column.title, ha="center", va="bottom", fontsize=10 * shrink(ax), color=INK)
    last = len(columns) - 1
    if columns[last].inside:
        ax.annotate(
            "0 or 1", (last, 0.5), (last + 0.42, 0.5), ha="center", va="center", fontsize=10 * shrink(ax), color=INK,
            arrowprops={"arrowstyle": "<|-", "color": INK, "shrinkA": 2, "shrinkB": 15}, zorder=2,
        )  # fmt: skip
    ax.set(xlim=(-0.6, last + 0.6), ylim=(-0.2 * inch, 1 + 0.3 * inch))
    signs(ax)


def per_inch(ax: Axes) -> float:
    """What is 1 on axes of three inches, on axes of this height: the same on paper."""
    inches = ax.bbox.height / ax.figure.dpi
    return float(3 / max(inches, 1.0))


def shrink(ax: Axes) -> float:
    """How much smaller letters and units are on narrow axes."""
    return float(np.clip(ax.bbox.width / ax.figure.dpi / 4.5, 0.55, 1.0))


def draw_edge(
    ax: Axes, tail: tuple[float, float], tip: tuple[float, float], weight: float, written: bool, at: float = 0.3
) -> None:
    """A line from node to node: solid and blue for a positive weight, dashed and orange for a negative one."""
    colour, style = (POSITIVE, "-") if weight > 0 else (NEGATIVE, "--") if weight < 0 else (FAINT, ":")
    ax.plot(
        [tail[0], tip[0]], [tail[1], tip[1]], color=colour, linestyle=style, linewidth=1.4, zorder=1,
        alpha=1 if written else 0.6,
    )  # fmt: skip
    if written:
        ax.text(
            tail[0] + at * (tip[0] - tail[0]), tail[1] + at * (tip[1] - tail[1]),
            ("+" if weight > 0 else "") + short(weight), ha="center", va="center",
            fontsize=9 * shrink(ax), color=colour, zorder=2, bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )  # fmt: skip


def draw_node(ax: Axes, at: tuple[float, float], inside: str, left: str = "") -> None:
    """A unit, with what stands inside it and left of it."""
    size = (NODE if inside else 180) * shrink(ax) ** 2
    ax.scatter(*at, s=size, facecolor="white", edgecolor=INK, linewidth=1.3, zorder=3)
    ax.text(*at, inside, ha="center", va="center", fontsize=8.5 * shrink(ax), color=INK, zorder=4)
    if left:
        ax.annotate(
            left, at, xytext=(-10 * shrink(ax), 0), textcoords="offset points", ha="right", va="center",
            fontsize=10 * shrink(ax), color=INK,
        )  # fmt: skip


def signs(ax: Axes) -> None:
    """The key to the edges."""
    ax.plot([], [], color=POSITIVE, linestyle="-", label="weight > 0")
    ax.plot([], [], color=NEGATIVE, linestyle="--", label="weight < 0")
    legend_inside(ax, loc="upper center", bbox_to_anchor=(0.5, 0.04), ncols=2)
