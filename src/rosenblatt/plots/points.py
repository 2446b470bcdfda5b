"""Points by class: marks while they can be told apart, a density beyond that.

A density is one picture: of each cell, the colours of the classes there in their shares, the deeper the more rows. So
a million rows cost no more than the picture.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..data.hyperplane import Hyperplane, scores
from ..data.labels import predicted_codes
from .canvas import CLASS_COLOURS, CLASS_MARKS, FAINT, HOLLOW, MANY, NEGATIVE, POSITIVE
from .lettering import class_name, short
from .table import Table
from .view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_CELLS = 150  # of a density, across and up
MOST_CLASSES = len(CLASS_MARKS)  # that have a mark of their own
MOST_MARKED = 300  # rows that are ringed one by one


def colour(code: int, classes: int) -> str:
    """The colour of a class: of two, those of the positive and the negative one."""
    if classes == 2:
        return POSITIVE if code else NEGATIVE
    return CLASS_COLOURS[code] if code < MOST_CLASSES else FAINT


def mark(code: int, classes: int) -> str:
    """The mark of a class: × for the positive one, o for the negative one."""
    return CLASS_MARKS[code] if code < MOST_CLASSES else "."


def mistakes_of(table: Table, plane: Hyperplane) -> Ints:
    """The rows of two classes with m ≤ 0, as a learner counts them: a row on the hyperplane is one, too."""
    return np.flatnonzero(table.signs * plane.scores(table.rows) <= 0)


def predicted_wrong(table: Table, planes: Sequence[Hyperplane]) -> Ints:
    """The rows of several classes, each with its weights, that get another class than theirs."""
    W, b = np.stack([plane.w for plane in planes], axis=1), np.array([plane.b for plane in planes])
    return np.flatnonzero(predicted_codes(scores(table.rows, W, b)) != table.codes)


def size_of(count: int) -> float:
    """The area of a mark, in points²: large for few rows."""
    return float(np.clip(90 / max(count / 10, 1) ** 0.5, 8, 90))


def draw_points(ax: "Axes", points: Floats, table: Table, view: View) -> dict[Any, Any]:
    """Draw the points of each class: the artist of each class by its code, or the one density."""
    if len(points) > MANY:
        return {"density": _density(ax, points, table, view)}
    size, classes = size_of(len(points)), len(table.classes)
    return {code: _marks(ax, points[rows], code, classes, size) for code, rows in _groups(table)}


def class_handles(table: Table) -> list[Any]:
    """What a legend says of the classes that have rows, with how many."""
    many = table.n_rows > MANY
    known = [code for code in range(min(len(table.classes), MOST_CLASSES)) if bool((table.codes == code).any())]
    return [_handle(table, code, many) for code in known] + _more(table)


def _groups(table: Table) -> list[tuple[int, NDArray[np.bool_]]]:
    groups = [(code, table.codes == code) for code in range(min(len(table.classes), MOST_CLASSES))]
    if len(table.classes) > MOST_CLASSES:
        groups.append((MOST_CLASSES, table.codes >= MOST_CLASSES))
    return groups


def _marks(ax: "Axes", points: Floats, code: int, classes: int, size: float) -> Any:
    look = _look(code, classes)
    width = 1.2 if size < 30 else 1.8
    return ax.scatter(points[:, 0], points[:, 1], s=size, linewidths=width, zorder=3, clip_on=True, **look)


def _look(code: int, classes: int) -> dict[str, Any]:
    shade, shape = colour(code, classes), mark(code, classes)
    if shape in HOLLOW:
        return {"marker": shape, "facecolors": "none", "edgecolors": shade}
    return {"marker": shape, "c": shade}


def _handle(table: Table, code: int, many: bool) -> Any:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    classes = len(table.classes)
    count = int((table.codes == code).sum())
    label = f"{class_name(code, table.classes, 16)} ({short(count)})"
    if many:
        return Patch(facecolor=colour(code, classes), label=label)
    shape = mark(code, classes)
    fill = "none" if shape in HOLLOW else colour(code, classes)
    return Line2D(
        [], [], linestyle="none", marker=shape, color=colour(code, classes), markerfacecolor=fill,
        markeredgewidth=1.6, markersize=7, label=label,
    )  # fmt: skip


def _more(table: Table) -> list[Any]:
    from matplotlib.lines import Line2D

    more = len(table.classes) - MOST_CLASSES
    if more <= 0:
        return []
    label = f"{more} more classes ({short(int((table.codes >= MOST_CLASSES).sum()))})"
    return [Line2D([], [], linestyle="none", marker=".", color=FAINT, label=label)]


def cells_of(points: Floats, view: View, cells: int) -> NDArray[np.int64]:
    """The cell of each point in the view, counted row by row; −1 outside."""
    with np.errstate(invalid="ignore", over="ignore"):
        at = (points - view.low) / view.span * cells
        inside = np.all((at >= 0) & (at < cells), axis=1)
        place = np.where(inside[:, None], at, 0).astype(np.int64)
    return np.where(inside, place[:, 1] * cells + place[:, 0], -1)


def _density(ax: "Axes", points: Floats, table: Table, view: View) -> Any:
    from matplotlib.colors import to_rgb

    cell, classes = cells_of(points, view, _CELLS), len(table.classes)
    total, blend = np.zeros(_CELLS * _CELLS), np.zeros((_CELLS * _CELLS, 3))
    for code, rows in _groups(table):
        own = cell[rows]
        counts = np.bincount(own[own >= 0], minlength=total.size)
        total += counts
        blend += counts[:, None] * np.array(to_rgb(colour(code, classes)))
    picture = np.zeros((total.size, 4))
    seen = total > 0
    picture[seen, :3] = blend[seen] / total[seen, None]
    picture[seen, 3] = 0.25 + 0.75 * np.log1p(total[seen]) / np.log1p(total.max(initial=1.0))
    shape = (_CELLS, _CELLS, 4)
    extent = (view.low[0], view.high[0], view.low[1], view.high[1])
    return ax.imshow(picture.reshape(shape), extent=extent, origin="lower", aspect="auto", interpolation="nearest",
                     zorder=1)  # fmt: skip
