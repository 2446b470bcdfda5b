"""How a separation is drawn: words and legend first, which settle the frame; then everything, from back to front."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..canvas import INK, MANY, THIRD, add_legend, needs_matplotlib
from ..lettering import head
from .frame import SQUASHED, Frame, frame_of, ratio_of
from .hulls import draw_witness
from .legend import handles_of, notes_of
from .lines import crosses, draw_band, draw_line, draw_normal, draw_projections
from .number_line import draw_counts, number_line
from .path import draw_lines, draw_path
from .plane import Line, Plane, plane_of
from .points import draw_points, size_of
from .regions import draw_class_regions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .display import SeparationDisplay

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_MARKED = 300  # rows that are marked one by one
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
    plane = plane_of(table, planes, display.which)
    points = plane.points(table.rows)
    line = plane.line(planes[0]) if len(planes) == 1 else None
    marked = _marked(display, line)
    rough = _frame(1.1, plane, points, line, display)
    seen = line if line is not None and crosses(line, rough) else None
    title, _, rest = display.title.partition(": ")
    head(ax, title, "; ".join([*([rest] if rest else []), *notes_of(display, plane, rough, line)]))
    ax.set_xlabel(plane.labels[0])
    ax.set_ylabel(plane.labels[1])
    if plane.columns == 1:
        number_line(ax)
    add_legend(ax, handles_of(display, seen, marked))
    rough.set_limits(ax)
    artists: dict[str, Any] = {}
    if beside is not None:
        artists["path"] = draw_path(beside, display.path[0], display.path[2], display.path[3])
    frame = _frame(ratio_of(ax), plane, points, line, display)
    if len(planes) > 1 and (plane.shows_all or len(planes) == 3):
        artists["regions"] = draw_class_regions(ax, frame, plane, planes)
    if display.path is not None:
        artists["earlier lines"] = draw_lines(ax, display.path[0], plane, frame)
    if seen is not None:
        artists |= _draw_hyperplane(ax, seen, frame, points, display)
    counted = plane.columns == 1 and len(points) > MANY
    artists["points"] = (draw_counts if counted else draw_points)(ax, points, table, frame)
    if display.witness is not None:
        artists |= draw_witness(ax, display.witness, points, plane, frame)
    artists |= _draw_marked(ax, points, marked)
    frame.apply(ax)
    return artists


def _marked(display: "SeparationDisplay", line: Line | None) -> dict[str, Ints]:
    """The rows that are marked one by one, by why: mistakes, and those that a margin or a verdict names."""
    from .display import wrong_rows

    found: dict[str, Any] = {"support": display.support, "boundary": display.boundary}
    if display.boundary is None:
        found["witness"] = None if display.witness is None else display.witness.rows
        if line is not None or len(display.hyperplanes) > 1:
            found["wrong"] = wrong_rows(display.table, display.hyperplanes)
    return {why: rows for why, rows in found.items() if rows is not None and len(rows)}


def _frame(ratio: float, plane: Plane, points: Floats, line: Line | None, display: "SeparationDisplay") -> Frame:
    """All rows, and the line if it is not too far from them."""
    alike = bool(plane.units[0] == plane.units[1]) and plane.columns > 1
    shown = [points]
    if display.witness is not None and display.witness.through_origin:
        shown.append(plane.points(np.zeros((1, plane.columns))))
    # Of more columns the line is upright, and at right angles to w whatever the scales: less need of a single one.
    squashed = SQUASHED if plane.shows_all else 3.0
    frame = frame_of(np.vstack(shown), ratio, may_be_equal=alike, squashed=squashed)
    if line is not None:
        foot = line.feet(frame.centre[None, :])
        near = bool((np.abs(foot - frame.centre) <= 1.5 * frame.span).all())
        if near and not frame.within(foot)[0]:
            frame = frame_of(np.vstack([*shown, foot]), ratio, may_be_equal=frame.equal)
    if plane.columns > 1:
        return frame
    bottom = -1.0 if len(points) <= MANY else 0.0
    return Frame(np.array([frame.low[0], bottom]), np.array([frame.high[0], 1.0]), False)


def _draw_hyperplane(
    ax: "Axes", line: Line, frame: Frame, points: Floats, display: "SeparationDisplay"
) -> dict[str, Any]:
    artists, columns = {}, display.table.n_columns
    if display.margin:
        artists["band"] = draw_band(ax, line, frame, display.margin / line.unit)
    wanted = display.projections if display.projections is not None else len(points) <= _FEW
    if wanted and columns > 1:
        artists["projections"] = draw_projections(ax, line, points)
    artists["line"] = draw_line(ax, line, frame)
    if columns <= 2:
        artists["normal"] = draw_normal(ax, line, frame, points)
    return artists


def _draw_marked(ax: "Axes", points: Floats, marked: dict[str, Ints]) -> dict[str, Any]:
    artists, size = {}, size_of(len(points))
    for why, rows in marked.items():
        if len(rows) > MOST_MARKED:
            continue
        x, y = points[np.asarray(rows, dtype=np.int64)].T
        look: dict[str, Any] = {"facecolors": "none", "edgecolors": INK, "linewidths": 1.2, "zorder": 4}
        if why == "wrong":
            look = {"facecolors": THIRD, "alpha": 0.55, "linewidths": 0, "zorder": 2.5}
        artists[why] = ax.scatter(x, y, s=max((2.2 if why == "wrong" else 3.6) * size, 40), **look)
    return artists
