"""Places: which axes to draw on, and how headings and legends keep to them, whether or not the figure has a layout.

A figure with a layout engine makes room for what stands beside its axes. One without, as `plt.subplots(2, 2)` gives,
does not: there the legend goes inside, and the axes become smaller until all that belongs to them is in their own cell.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, plural
from .canvas import INK, figure_of, needs_matplotlib
from .lettering import key

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SMALL = 2.8  # inches: narrower axes have smaller letters
_EDGE = 0.01  # of the figure, kept free around each cell


def counted(number: int, noun: str) -> str:
    """A count with its noun, in thousands.

    >>> counted(1, "epoch"), counted(12345, "update")
    ('1 epoch', '12,345 updates')
    """
    return plural(number, noun).replace(str(number), f"{number:,}", 1)


def is_several(ax: Any) -> bool:
    """Whether an array of axes was given, and not just one."""
    return isinstance(ax, (np.ndarray, list, tuple))


def axes_for(ax: Any, names: tuple[str, ...], width: float, height: float, shape: tuple[int, int]) -> list[Any]:
    """One axes for each name: those of the array that was given, or those of a new figure of pyplot's."""
    needs_matplotlib()
    if ax is None:
        import matplotlib.pyplot as plt

        return list(np.ravel(plt.figure(figsize=(width, height), layout="constrained").subplots(*shape)))
    given = list(np.ravel(np.asarray(ax, dtype=object)))
    if len(given) != len(names):
        raise InputError(
            f"{plural(len(given), 'axis').replace('axises', 'axes')} for {plural(len(names), 'panel')}"
            f" ({', '.join(names)}): give ax= an array of {len(names)} axes"
        )
    return given


def has_layout(ax: Axes) -> bool:
    """Whether the figure makes room for what stands beside its axes."""
    return figure_of(ax).get_layout_engine() is not None


def heading(ax: Axes, title: str, subtitle: str = "") -> None:
    """A bold title at the left and a line below it that says what came of it, both broken to the axes' width."""
    points = ax.bbox.width / ax.figure.dpi * 72
    large, small = (9.0, 8.0) if is_small(ax) else (11.0, 9.5)
    lines = textwrap.wrap(subtitle, max(20, int(points / (small * 0.5))))
    titles = textwrap.wrap(title, max(16, int(points / (large * 0.58))), break_long_words=False)
    ax.set_title(
        "\n".join(titles), loc="left", fontsize=large, fontweight="bold", color=INK, pad=6 + 1.37 * small * len(lines)
    )
    for old in [text for text in ax.texts if text.get_gid() == "subtitle"]:
        old.remove()
    if lines:
        ax.annotate(
            "\n".join(lines), (0, 1), xytext=(0, 5), xycoords="axes fraction", textcoords="offset points",
            fontsize=small, color=INK, va="bottom", ha="left", annotation_clip=False, gid="subtitle",
        )  # fmt: skip


def legend_below(ax: Axes, down: float, columns: int) -> None:
    """A legend below the axes, in so many columns; inside them where the figure does not make room for it."""
    if has_layout(ax):
        key(ax, loc="upper center", bbox_to_anchor=(0.5, -down), ncols=columns, columnspacing=1.0, handletextpad=0.5)
    else:
        legend_inside(ax)


def legend_inside(ax: Axes, *remarks: str, **options: Any) -> None:
    """A legend inside the axes, with remarks below it; in small letters where the axes are small."""
    small = is_small(ax)
    key(ax, *remarks, **({"handlelength": 1.2, "labelspacing": 0.25, **options} if small else options))
    legend = ax.get_legend()
    for text in legend.get_texts() if legend is not None and small else ():
        text.set_fontsize(7)


def is_small(ax: Axes) -> bool:
    """Whether letters of the usual size are too large for these axes."""
    return bool(ax.bbox.width / ax.figure.dpi < SMALL)


def fit(ax: Axes) -> None:
    """Without a layout, make the axes so much smaller that nothing of theirs leaves their cell of the grid."""
    spec = ax.get_subplotspec()
    if has_layout(ax) or spec is None:
        return
    cell, figure = _cell(ax, spec), figure_of(ax)
    for _ in range(2):  # smaller axes may have other ticks
        found = ax.get_tightbbox()
        if found is None:
            return
        tight, place = found.transformed(figure.transSubfigure.inverted()), ax.get_position(original=True)
        for twin in _twins(ax):
            other = twin.get_tightbbox()
            if other is not None:
                tight = tight.union([tight, other.transformed(figure.transSubfigure.inverted())])
        x0, x1 = place.x0 + max(0.0, cell[0] - tight.x0), place.x1 - max(0.0, tight.x1 - cell[1])
        y0, y1 = place.y0 + max(0.0, cell[2] - tight.y0), place.y1 - max(0.0, tight.y1 - cell[3])
        if x1 - x0 < 0.2 * place.width or y1 - y0 < 0.2 * place.height:
            return  # there is no room for anything
        ax.set_position((x0, y0, x1 - x0, y1 - y0))
        ax.set_in_layout(True)  # a tight_layout() that comes later may place them anew


def _twins(ax: Axes) -> list[Any]:
    """Axes that share the place of these."""
    place = ax.get_position(original=True).bounds
    others = [one for one in figure_of(ax).axes if one is not ax]
    return [one for one in others if one.get_position(original=True).bounds == place]


def _cell(ax: Axes, spec: Any) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of what belongs to the axes: to the middle between them and their neighbours."""
    grid = spec.get_gridspec()
    bottoms, tops, lefts, rights = (np.asarray(part) for part in grid.get_grid_positions(figure_of(ax)))
    whole = not hasattr(grid, "_subplot_spec")  # a grid within a grid ends where its own cell ends
    across = _between(lefts, rights, spec.colspan, (0.0, 1.0) if whole else (lefts[0], rights[-1]))
    down = _between(1 - tops, 1 - bottoms, spec.rowspan, (0.0, 1.0) if whole else (1 - tops[0], 1 - bottoms[-1]))
    return across[0] + _EDGE, across[1] - _EDGE, 1 - down[1] + _EDGE, 1 - down[0] - _EDGE


def _between(starts: Any, stops: Any, span: range, ends: tuple[float, float]) -> tuple[float, float]:
    """From the middle of the gap before some cells to that of the gap behind them."""
    first = (stops[span.start - 1] + starts[span.start]) / 2 if span.start else ends[0]
    last = (stops[span.stop - 1] + starts[span.stop]) / 2 if span.stop < len(starts) else ends[1]
    return float(first), float(last)
