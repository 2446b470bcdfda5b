"""How numbers are spread: as histograms of many, or as stacked dots of few."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .canvas import FAINT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


def edges_of(values: Floats, bins: int | None = None) -> Floats:
    """Edges of about so many bins, by default the more the more values, with one at 0: no bin is on both sides.

    >>> edges_of(np.array([-1.0, 3.0]), 4).tolist()
    [-1.0, 0.0, 1.0, 2.0, 3.0]
    """
    known = values[np.isfinite(values)]
    low, high = float(known.min(initial=0.0)), float(known.max(initial=0.0))
    if low == high:
        return np.array([-1.0, 0.0, 1.0])
    step = (high - low) / (bins or int(np.clip(2 * known.size ** (1 / 3), 12, 80)))
    below, above = int(np.ceil(-low / step - 1e-9)), int(np.ceil(high / step - 1e-9))
    return np.arange(-below, above + 1, dtype=np.float64) * step


def draw_bars(
    ax: "Axes", values: Mapping[str, Floats], counts: Mapping[str, Floats], edges: Floats, shades: Mapping[str, str]
) -> None:
    """Histograms over each other."""
    for at, label in enumerate(values):
        alpha = 0.35 if at == len(values) - 1 else 0.3
        ax.stairs(counts[label], edges, fill=True, color=shades[label], alpha=alpha, zorder=2 + at)
        ax.stairs(counts[label], edges, color=shades[label], linewidth=1.6, zorder=2.5 + at)
    ax.set_ylim(0, 1.06 * max(1.0, *(float(found.max()) for found in counts.values())))
    ax.set_ylabel("rows")
    ax.locator_params(axis="y", nbins=6, integer=True)


def draw_dots(
    ax: "Axes", values: Mapping[str, Floats], counts: Mapping[str, Floats], edges: Floats, shades: Mapping[str, str]
) -> None:
    """A dot for each number, where it is; those that would hide each other are stacked. Each label has its own base."""
    high = max(4.0, *(float(found.max()) for found in counts.values())) + 1.0
    for at, (label, found) in enumerate(values.items()):
        base = (len(values) - 1 - at) * high
        numbers = np.sort(found[np.isfinite(found)])
        place = np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, edges.size - 2)
        level = np.arange(numbers.size) - np.searchsorted(place, place)
        ax.axhline(base, color=FAINT, linewidth=0.8, zorder=1)
        ax.scatter(numbers, base + level + 0.5, s=42, color=shades[label], edgecolors="white", linewidths=0.6, zorder=3)
    ax.set_ylim(-0.25, len(values) * high)
    ax.set_yticks([])
    ax.set_ylabel("rows, one dot each")
