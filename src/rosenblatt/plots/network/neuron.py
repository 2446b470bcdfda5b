"""The neuron: a hyperplane as inputs, weights, a sum and a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.hyperplane import Hyperplane
from ..canvas import FAINT, INK, display_name
from ..lettering import class_name, short
from .diagram import draw_edge, draw_node, per_inch, shrink, signs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_INPUTS = 12


def draw_neuron(ax: Axes, plane: Hyperplane, names: list[str]) -> tuple[list[tuple[Any, Any, float]], str]:
    """Draw it; what the edges are, and what is to be said of those left out."""
    order = np.argsort(-np.abs(plane.w), kind="stable")[:MOST_INPUTS]
    shown = sorted(order.tolist())
    spots = np.linspace(1, 0, len(shown) + 1)
    middle, inch = 0.5, per_inch(ax)
    at = 0.36 if len(shown) < 5 else 0.2  # where many edges come together there is no room for their weights
    edges: list[tuple[Any, Any, float]] = [(j, "sum", float(plane.w[j])) for j in shown]
    for (j, _, weight), height in zip(edges, spots[:-1], strict=True):
        draw_edge(ax, (0, height), (1, middle), weight, True, at)
        draw_node(ax, (0, height), "", display_name(names[j], 22))
    draw_edge(ax, (0, spots[-1]), (1, middle), plane.b, True, at)
    draw_node(ax, (0, spots[-1]), "", "1 (offset b)")
    edges.append(("b", "sum", plane.b))
    ax.scatter(1, middle, s=1500 * shrink(ax) ** 2, facecolor="white", edgecolor=INK, linewidth=1.3, zorder=3)
    ax.text(1, middle, "Σ", ha="center", va="center", fontsize=17 * shrink(ax), color=INK, zorder=4)
    _join(ax, 1, 1.62, "s")
    _draw_step(ax, 1.75, middle, inch)
    classes = (-1, 1) if plane.classes is None else plane.classes
    _join(ax, 1.88, 2.3, "")
    for code, sign, up, side in ((1, ">", 1, "bottom"), (0, "≤", -1, "top")):
        said = f"s {sign} 0: {class_name(code, classes, 12)}"
        ax.text(2.33, middle + up * 0.05 * inch, said, ha="left", va=side, fontsize=10 * shrink(ax), color=INK)
    for x, title in ((0, "inputs"), (0.45, "weights"), (1, "sum"), (1.75, "step")):
        ax.text(x, 1 + 0.12 * inch, title, ha="center", va="bottom", fontsize=10 * shrink(ax), color=INK)
    ax.set(xlim=(-0.85, 3.0), ylim=(-0.2 * inch, 1 + 0.28 * inch))
    signs(ax)
    left = plane.w.size - len(shown)
    numbers = f"b = {short(plane.b)}"
    return (
        edges,
        f"{numbers}; of {plane.w.size:,} weights the {len(shown)} largest, {left:,} left out" if left else numbers,
    )


def _join(ax: Axes, start: float, end: float, text: str) -> None:
    ax.annotate(
        "", (end, 0.5), (start, 0.5), zorder=2,
        arrowprops={"arrowstyle": "-|>", "color": INK, "shrinkA": 20 if text else 0, "shrinkB": 0},
    )  # fmt: skip
    if text:
        ax.text((start + end) / 2 + 0.06, 0.53, text, ha="center", va="bottom", fontsize=11 * shrink(ax), color=INK)


def _draw_step(ax: Axes, x: float, y: float, inch: float) -> None:
    """A box with a step in it."""
    wide, high, rise = 0.13, 0.11 * inch, 0.07 * inch
    left, right, low, top = x - wide, x + wide, y - high, y + high
    ax.fill(
        [left, right, right, left], [low, low, top, top], facecolor="white", edgecolor=INK, linewidth=1.3, zorder=3
    )  # fmt: skip
    ax.plot([x - 0.1, x + 0.1], [y, y], color=FAINT, linewidth=0.8, zorder=4)
    ax.plot([x - 0.1, x, x, x + 0.1], [y - rise, y - rise, y + rise, y + rise], color=INK, linewidth=1.8, zorder=5)
