"""What the legend and the lines under the title of a separation say."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..canvas import ACCENT, FAINT, INK, MISTAKE
from ..lettering import count, short
from ..points import MOST_MARKED, class_handles
from ..view import View
from .hulls import witness_handle
from .lines import crosses
from .plane import Line, Plane

if TYPE_CHECKING:
    from .display import SeparationDisplay

WRONG = ("mistake", "predicted wrong")
_WORDS = {
    "mistake": "mistake (m ≤ 0)",
    "predicted wrong": "predicted wrong",
    "support": "holds the margin",
    "boundary": "on every such {what}",
    "witness": "witness row",
}


def handles_of(
    display: "SeparationDisplay", line: Line | None, marked: Mapping[str, Any], thin: bool = False
) -> list[Any]:
    """Everything that is drawn, in words; `line` if the hyperplane is to be seen, `thin` if its band is not."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    what = {1: "threshold", 2: "line"}.get(display.table.n_columns, "hyperplane")
    handles = class_handles(display.table)
    if line is not None:
        words = what + display.which.removeprefix("the hyperplane").replace(" with ", " with\n")
        handles.append(Line2D([], [], color=INK, linewidth=1.8, label=words))
        if display.margin:
            said = "\n(thinner than the line)" if thin else ""
            handles.append(Patch(facecolor=ACCENT, alpha=0.25, label=f"margin ± {short(display.margin, 4)}{said}"))
    if display.path is not None:
        handles.append(Line2D([], [], color=INK, alpha=0.45, linewidth=1.0, label="earlier weights"))
    if display.witness is not None:
        handles.append(witness_handle(display.witness))
        if display.table.n_columns > 2:
            shapes = "cones" if display.witness.has_cones else "hulls"
            handles.append(Patch(facecolor=FAINT, alpha=0.4, edgecolor=INK, label=f"projections of\nthe {shapes}"))
    for why, rows in marked.items():
        words = _WORDS[why].format(what=what)
        handles.append(_ring(MISTAKE if why in WRONG else INK, words, len(rows)))
    return handles


def _ring(shade: str, words: str, rows: int) -> Any:
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], linestyle="none", marker="o", markersize=9, markeredgecolor=shade, markerfacecolor="none",
        markeredgewidth=1.2 if shade == INK else 1.8,
        label=f"{words} ({short(rows)})" if rows <= MOST_MARKED else f"{words}:\n{short(rows)}, not marked",
    )  # fmt: skip


def notes_of(display: "SeparationDisplay", plane: Plane, view: View, line: Line | None) -> list[str]:
    """What a reader must know beyond the title."""
    notes = [] if plane.note is None else [plane.note]
    table = display.table
    if line is not None and not crosses(line, view):
        notes.append("the hyperplane lies outside this figure")
    elif line is not None and plane.columns == 2 and not view.equal and bool(np.all(line.n != 0)):
        notes.append("axes of different scales: w is not seen at right angles")
    elif line is None and len(display.hyperplanes) == 1:
        notes.append("w = 0: there is no hyperplane")
    if table.numbers is not None:
        notes.append(f"{count(table.n_rows, 'row')} shown, evenly spread")
    if display.witness is not None and plane.columns > 2:
        notes.append("the proof is exact, this is its shadow")
    return notes
