"""One column: a number line with the rows on it, or of many rows how many there are where."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..canvas import FAINT
from ..points import colour
from ..table import Table
from ..view import View

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

_BINS = 120


def number_line(ax: "Axes") -> None:
    """Axes with one direction; upwards there is nothing, or how many rows there are."""
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.yaxis.set_visible(False)
    ax.axhline(0.0, color=FAINT, linewidth=0.8, zorder=0.4)


def draw_counts(ax: "Axes", points: Floats, table: Table, view: View) -> dict[Any, Any]:
    """The rows of each class as a histogram, the highest reaching nearly to the top."""
    edges = np.linspace(view.low[0], view.high[0], _BINS + 1)
    counts = {
        code: np.histogram(points[table.codes == code, 0], edges)[0].astype(np.float64)
        for code in range(len(table.classes))
    }
    top = max(float(count.max(initial=0.0)) for count in counts.values()) or 1.0
    return {
        code: ax.stairs(
            count / top * 0.92, edges, fill=True, alpha=0.45, color=colour(code, len(table.classes)), zorder=1
        )
        for code, count in counts.items()
    }
