"""How a separation is drawn: words and legend first, which settle the view; then everything, from back to front."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..canvas import INK, MANY, MISTAKE, needs_matplotlib
from ..lettering import add_legend, head
from ..points import MOST_MARKED, draw_points, mistakes_of, predicted_wrong, size_of
from ..view import SQUASHED, View, ratio_of, view_of
from .hulls import draw_witness
from .legend import WRONG, handles_of, notes_of
from .lines import WIDTH, crosses, draw_band, draw_line, draw_normal, draw_projections, thickness
from .number_line import draw_counts, number_line
from .path import draw_lines, draw_path
from .plane import Line, Plane, plane_of_rows
from .regions import draw_class_regions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .display import SeparationDisplay

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_CROWDED = 20  # rings that would run into each other
_FEW = 12  # rows whose projections are drawn unasked


def two_axes(height: float) -> tuple[Any, Any]:
    """A figure of two panels."""
    needs_matplotlib()
    import matplotlib.pyplot as plt

    _, (left, right) = plt.subplots(1, 2, figsize=(10.4, height), layout="constrained", width_ratios=(1.5, 1))
    return left, right


def draw(display: "SeparationDisplay", ax: "Axes", beside: "Axes | None") -> dict[str, Any]:
    """Draw all of it; the artists by name."""
    table, planes = display.table, display.hyperplanes
    plane = plane_of_rows(table, planes, display.which)
    points = plane.points(table.rows)
    line = plane.line(planes[0]) if len(planes) == 1 else None
    marked = _marked(display, line)
    rough = _view(1.1, plane, points, line, display)
    seen = line if line is not None and crosses(line, rough) else None
    ax.set_xlabel(plane.labels[0])
    ax.set_ylabel(plane.labels[1])
    if plane.columns == 1:
        number_line(ax)
    thin = seen is not None and thickness(ax, seen, rough, (display.margin or 0.0) / seen.unit) < WIDTH
    rough.set_limits(ax)
    title, _, rest = display.title.partition(": ")
    head(ax, title, "; ".join([*([rest] if rest else []), *notes_of(display, plane, rough, line)]))
    add_legend(ax, handles_of(display, seen, marked, thin))
    artists: dict[str, Any] = {}
    if beside is not None:
        artists["path"] = draw_path(beside, display.path[0], display.path[2], display.path[3])
    view = _view(ratio_of(ax), plane, points, line, display)
    if len(planes) > 1 and (plane.shows_all or len(planes) == 3):
        artists["regions"] = draw_class_regions(ax, view, plane, planes)
    if display.path is not None:
        artists["earlier lines"] = draw_lines(ax, display.path[0], plane, view)
    if seen is not None:
        artists |= _draw_hyperplane(ax, seen, view, points, display)
    counted = plane.columns == 1 and len(points) > MANY
    artists["points"] = (draw_counts if counted else draw_points)(ax, points, table, view)
    if display.witness is not None:
        artists |= draw_witness(ax, display.witness, points, plane, view)
    artists |= _draw_marked(ax, points, marked)
    view.apply(ax)
    return artists


def _marked(display: "SeparationDisplay", line: Line | None) -> dict[str, Ints]:
    """The rows that are marked one by one, by why: mistakes, and those that a margin or a verdict names."""
    found: dict[str, Any] = {"support": display.support, "boundary": display.boundary}
    if display.boundary is None:
        found["witness"] = None if display.witness is None else display.witness.rows
        if line is not None:
            found["mistake"] = mistakes_of(display.table, display.hyperplanes[0])
        elif len(display.hyperplanes) > 1:
            found["predicted wrong"] = predicted_wrong(display.table, display.hyperplanes)
    return {why: rows for why, rows in found.items() if rows is not None and len(rows)}


def _view(ratio: float, plane: Plane, points: Floats, line: Line | None, display: "SeparationDisplay") -> View:
    """All rows, and the line if it is not too far from them."""
    alike = bool(plane.units[0] == plane.units[1]) and plane.columns > 1
    shown = [points]
    if display.witness is not None and display.witness.through_origin:
        shown.append(plane.points(np.zeros((1, plane.columns))))
    # Of more columns the line is upright, and at right angles to w whatever the scales: less need of a single one.
    squashed = SQUASHED if plane.shows_all else 3.0
    view = view_of(np.vstack(shown), ratio, may_be_equal=alike, squashed=squashed)
    if line is not None:
        foot = line.feet(view.centre[None, :])
        near = bool((np.abs(foot - view.centre) <= 1.5 * view.span).all())
        if near and not view.within(foot)[0]:
            view = view_of(np.vstack([*shown, foot]), ratio, may_be_equal=view.equal)
    if plane.columns > 1:
        return view
    bottom = -1.0 if len(points) <= MANY else 0.0
    return View(np.array([view.low[0], bottom]), np.array([view.high[0], 1.0]), False)


def _draw_hyperplane(
    ax: "Axes", line: Line, view: View, points: Floats, display: "SeparationDisplay"
) -> dict[str, Any]:
    artists, columns = {}, display.table.n_columns
    if display.margin:
        artists["band"] = draw_band(ax, line, view, display.margin / line.unit)
    wanted = display.projections if display.projections is not None else len(points) <= _FEW
    if wanted and columns > 1:
        artists["projections"] = draw_projections(ax, line, points)
    artists["line"] = draw_line(ax, line, view)
    if columns <= 2:
        normal = draw_normal(ax, line, view, points)
        artists |= {} if normal is None else {"normal": normal}
    return artists


def _draw_marked(ax: "Axes", points: Floats, marked: dict[str, Ints]) -> dict[str, Any]:
    """Rings around rows, on top of all, sized with the marks; the more there are, the smaller and thinner."""
    artists, size = {}, size_of(len(points))
    for why, rows in marked.items():
        if len(rows) > MOST_MARKED:
            continue
        x, y = points[np.asarray(rows, dtype=np.int64)].T
        wrong, crowded = why in WRONG, len(rows) > _CROWDED
        times, width = (2.4, 0.8) if crowded else (3.6, 1.2)
        look: dict[str, Any] = {"edgecolors": INK, "linewidths": width, "zorder": 4}
        if wrong:
            look = {"edgecolors": MISTAKE, "linewidths": 1.5 * width, "zorder": 4.5}
        artists[why] = ax.scatter(x, y, s=max(times * size * (1.3 if wrong else 1.0), 24), facecolors="none", **look)
    return artists
