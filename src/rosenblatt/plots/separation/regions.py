"""Regions: which class is predicted where, as light areas behind the points."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data.hyperplane import Hyperplane
from ..canvas import INK
from ..points import colour
from ..view import View
from .plane import Plane

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

_MOST_BOUNDED = 40  # classes whose regions have lines round them
CELLS = 400  # across and up: about the dots of a figure on a screen


def grid_of(view: View, cells: int = CELLS) -> Floats:
    """The middles of the cells of a view, row by row from below: (cells², 2).

    They are rounded to few binary digits, a small part of a cell, so that sums of products with small whole numbers
    are exact: scores that are 0 are then seen as 0, and not as noise.
    """
    middles = (np.arange(cells) + 0.5) / cells
    step = 2.0 ** np.floor(np.log2(view.span / (64 * cells)))
    x, y = (np.round((low + middles * w) / s) * s for low, w, s in zip(view.low, view.span, step, strict=True))
    return np.stack([a.ravel() for a in np.meshgrid(x, y)], axis=1)


def draw_regions(ax: "Axes", view: View, codes: NDArray[Any], classes: int, alpha: float = 0.16) -> Any:
    """Light areas in the colours of the classes, of the codes of a grid."""
    from matplotlib.colors import to_rgba

    cells = round(codes.size**0.5)
    shades = np.array([to_rgba(colour(code, classes), alpha) for code in range(classes)])
    extent = (view.low[0], view.high[0], view.low[1], view.high[1])
    picture = shades[codes.astype(np.int64)].reshape(cells, cells, 4)
    return ax.imshow(picture, extent=extent, origin="lower", aspect="auto", interpolation="nearest", zorder=0.3)


def class_scores(plane: Plane, planes: Sequence[Hyperplane]) -> Callable[[Floats], Floats]:
    """The scores of all classes at points of the figure, up to what they have in common: (n, K)."""
    W, b = np.stack([one.w for one in planes], axis=1), np.array([one.b for one in planes])
    scale = float(np.abs(W).max()) or 1.0
    W, b = W / scale, b / scale
    inside = plane.W.T @ (W - W.mean(axis=1, keepdims=True))
    constant = b - b.mean() - plane.b @ inside
    return lambda points: np.asarray((points * plane.units) @ inside + constant)


def draw_class_regions(ax: "Axes", view: View, plane: Plane, planes: Sequence[Hyperplane]) -> Any:
    """The regions of K classes, each where its score is the largest, and the lines between them."""
    points, score = grid_of(view), class_scores(plane, planes)
    found = score(points)
    artist = draw_regions(ax, view, found.argmax(axis=1), len(planes))
    x, y = points[:CELLS, 0], points[::CELLS, 1]
    # A class's lead is over the best of the others: over the second best where it is the best itself.
    second, first = np.partition(found, -2, axis=1)[:, -2:].T
    for k in range(len(planes) if len(planes) <= _MOST_BOUNDED else 0):
        lead = (found[:, k] - np.where(found[:, k] >= first, second, first)).reshape(CELLS, CELLS)
        if lead.min() < 0 < lead.max():
            ax.contour(x, y, lead, levels=[0.0], colors=INK, linewidths=1.2, zorder=2)
    return artist
