"""Cells: each display keeps to its own part of a figure, whether or not the figure makes room for what it says.

A layout engine (constrained, tight) does so by itself. In a plain figure, such as `plt.subplots(2, 2)` makes, axes have
a fixed place, and titles and names would run into the neighbours: there the axes give way, within their cell of the
grid.
"""

import textwrap
from typing import TYPE_CHECKING, Any

from .canvas import figure_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GAP = 2.0  # pixels left free at the edge of a cell
_SMALL = 3.4  # inches
_LEAST = 0.25  # of a cell, that the axes keep in either direction


def is_plain(ax: "Axes") -> bool:
    """Whether nothing makes room in the figure of these axes."""
    return figure_of(ax).get_layout_engine() is None


def is_small(ax: "Axes") -> bool:
    """Whether a cell of the grid of axes is too narrow, with its share of the edges, for anything beside them."""
    place = ax.get_subplotspec()
    if place is None:
        return False
    grid = place.get_gridspec()
    whole = ax.figure.bbox.width
    if place.get_topmost_subplotspec() is not place:
        _, _, lefts, rights = grid.get_grid_positions(ax.figure)  # type: ignore[arg-type]
        whole = whole * (rights[-1] - lefts[0])
    return bool(whole / ax.figure.dpi / grid.ncols * len(place.colspan) < _SMALL)


def settle(ax: "Axes") -> None:
    """Give axes their place, once titles, names, ticks and legend are set: by the layout engine, or in their cell."""
    figure: Any = getattr(ax.figure, "figure", None) or ax.figure  # of a part of a figure, the whole
    cell = _cell(ax)
    if not is_plain(ax):
        if cell is not None:
            _wrap(ax.xaxis.label, 0.75 * (cell[2] - cell[0]))
            _wrap(ax.yaxis.label, cell[3] - cell[1])
        figure.get_layout_engine().execute(figure)
        return
    if cell is None:
        return
    own = ax.get_window_extent()
    _wrap(ax.xaxis.label, min(1.1 * own.width, cell[2] - cell[0]))
    _wrap(ax.yaxis.label, min(1.1 * own.height, cell[3] - cell[1]))
    found = [box for one in _together(ax) if (box := one.get_tightbbox()) is not None]
    if not found:
        return
    around = found[0].union(found)
    whole = ax.get_position(original=True).transformed(figure_of(ax).transSubfigure)
    low = [
        max(edge, limit + used - said)
        for edge, limit, used, said in zip(whole.p0, cell[:2], own.p0, around.p0, strict=True)
    ]
    high = [
        min(edge, limit + used - said)
        for edge, limit, used, said in zip(whole.p1, cell[2:], own.p1, around.p1, strict=True)
    ]
    for axis in range(2):
        least = _LEAST * (cell[2 + axis] - cell[axis])
        high[axis] = max(high[axis], low[axis] + least)
    from matplotlib.transforms import Bbox

    place = Bbox([low, high]).transformed(figure_of(ax).transSubfigure.inverted())
    ax.set_position(place)
    ax.set_in_layout(True)  # which the line before takes away, and tight_layout() and bbox_inches="tight" ask for


def _together(ax: "Axes") -> list[Any]:
    """These axes, and others at the same place: an axis at the right."""
    place = ax.get_position(original=True).bounds
    return [ax, *(one for one in ax.figure.axes if one is not ax and one.get_position(original=True).bounds == place)]


def _cell(ax: "Axes") -> tuple[float, float, float, float] | None:
    """The cell of axes in their grid, to the middle of the gaps around it, in pixels; None of axes in no grid."""
    place = ax.get_subplotspec()
    if place is None:
        return None
    bottoms, tops, lefts, rights = place.get_gridspec().get_grid_positions(ax.figure)  # type: ignore[arg-type]
    outermost = place.get_topmost_subplotspec() is place
    columns, rows = place.colspan, place.rowspan
    left, right = _between(lefts, rights, columns.start, columns.stop - 1, outermost)
    # Rows are counted from the top.
    bottom, top = _between(bottoms[::-1], tops[::-1], len(tops) - rows.stop, len(tops) - 1 - rows.start, outermost)
    (x0, y0), (x1, y1) = figure_of(ax).transSubfigure.transform([(left, bottom), (right, top)])
    return x0 + _GAP, y0 + _GAP, x1 - _GAP, y1 - _GAP


def _between(starts: Any, ends: Any, first: int, last: int, outermost: bool) -> tuple[float, float]:
    """From the middle of the gap before one place to the middle of that after another; at the edges, to the edge."""
    low = (ends[first - 1] + starts[first]) / 2 if first > 0 else 0.0 if outermost else starts[0]
    high = (ends[last] + starts[last + 1]) / 2 if last + 1 < len(starts) else 1.0 if outermost else ends[-1]
    return float(low), float(high)


def _wrap(label: Any, most: float) -> None:
    """Break the name of an axis that is longer than its cell."""
    box = label.get_window_extent()
    length, text = max(box.width, box.height), label.get_text()
    if length > most and "\n" not in text:
        label.set_text(textwrap.fill(text, max(int(len(text) * most / length * 0.9), 8)))
