"""What the legend and the lines under the title of a separation say."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..canvas import ACCENT, INK, THIRD
from .frame import Frame
from .hulls import witness_handle
from .lines import crosses
from .plane import Line, Plane
from .points import class_handles

if TYPE_CHECKING:
    from .display import SeparationDisplay

_WORDS = {
    "wrong": "mistake (m ≤ 0)",
    "support": "holds the margin",
    "boundary": "on every such {what}",
    "witness": "witness row",
}


def handles_of(display: "SeparationDisplay", line: Line | None, marked: Mapping[str, Any]) -> list[Any]:
    """Everything that is drawn, in words; `line` if the hyperplane is to be seen."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    what = {1: "threshold", 2: "line"}.get(display.table.n_columns, "hyperplane")
    handles = class_handles(display.table)
    if line is not None:
        words = what + display.which.removeprefix("the hyperplane").replace(" with ", " with\n")
        handles.append(Line2D([], [], color=INK, linewidth=1.8, label=words))
        if display.margin:
            handles.append(Patch(facecolor=ACCENT, alpha=0.25, label=f"margin ± {display.margin:.4g}"))
    if display.path is not None:
        handles.append(Line2D([], [], color=INK, alpha=0.45, linewidth=1.0, label="earlier weights"))
    if display.witness is not None:
        handles.append(witness_handle(display.witness))
    for why, rows in marked.items():
        words = _WORDS[why].format(what=what)
        if why == "wrong" and len(display.table.classes) > 2:
            words = "wrong class"
        handles.append(_ring(why == "wrong", words, len(rows)))
    return handles


def _ring(filled: bool, words: str, count: int) -> Any:
    from matplotlib.lines import Line2D

    from .drawing import MOST_MARKED

    shade = THIRD if filled else INK
    return Line2D(
        [], [], linestyle="none", marker="o", markersize=10, markeredgecolor=shade, alpha=0.6 if filled else 1.0,
        markerfacecolor=shade if filled else "none",
        label=f"{words} ({count:,})" if count <= MOST_MARKED else f"{words}:\n{count:,}, not marked",
    )  # fmt: skip


def notes_of(display: "SeparationDisplay", plane: Plane, frame: Frame, line: Line | None) -> list[str]:
    """What a reader must know beyond the title."""
    notes = [] if plane.note is None else [plane.note]
    table = display.table
    if line is not None and not crosses(line, frame):
        notes.append("the hyperplane lies outside this figure")
    elif line is not None and plane.columns == 2 and not frame.equal and bool(np.all(line.n != 0)):
        notes.append("axes of different scales: w is not seen at right angles")
    elif line is None and len(display.hyperplanes) == 1:
        notes.append("w = 0: there is no hyperplane")
    if table.numbers is not None:
        notes.append(f"{table.n_rows:,} rows shown, evenly spread")
    return notes
