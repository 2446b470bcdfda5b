"""Lettering: headings, legends, notes, and numbers that stay readable."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ..errors import plural
from .canvas import INK, display_name
from .cells import is_plain, is_small, settle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEAST = 2.2  # inches that a heading may take, where a figure makes room


def column_name(names: Sequence[str] | None, column: int, most: int = 28, first: int = 0) -> str:
    """What a column is called in every figure: its own name, or without one x0, x1, …, as elsewhere in the library.

    `first` is the number of the first column without names, where a file counts from 1.

    >>> column_name(None, 0), column_name(None, 1), column_name(("age", "size"), 1)
    ('x0', 'x1', 'size')
    """
    return f"x{column + first}" if names is None else display_name(names[column], most)


def class_name(code: int, classes: Sequence[Any] | NDArray[Any], most: int = 28) -> str:
    """What the class of a code is called in every figure; ±1 have their signs if they are the classes, and only then.

    >>> class_name(0, (-1, 1)), class_name(1, (-1, 1)), class_name(1, (0, 1)), class_name(0, ("setosa", "other"))
    ('−1', '+1', '1', 'setosa')
    """
    return ("−1", "+1")[code] if tuple(classes) == (-1, 1) else display_name(classes[code], most)


def short(value: float, digits: int = 3) -> str:
    """A number for a label: thousands set apart, and a minus that is one.

    >>> short(0.25), short(-0.0), short(1493), short(8765.4), short(1.5e151)
    ('0.25', '0', '1,493', '8,765', '1.5e+151')
    >>> short(-0.5), short(-2000), short(2e-7)
    ('−0.5', '−2,000', '2e−07')
    """
    if math.isfinite(value) and value == int(value) and abs(value) < 1e9:
        text = f"{int(value):,}"
    elif 1e3 <= abs(value) < 1e6:
        text = f"{value:,.0f}"
    else:
        text = f"{value:.{digits}g}"
    return text.replace("-", "−")


def count(number: int, noun: str) -> str:
    """How many of something.

    >>> count(1, "row"), count(27605, "change")
    ('1 row', '27,605 changes')
    """
    return f"{short(number)} {plural(number, noun).partition(' ')[2]}"


def head(ax: Axes, title: str, subtitle: str = "") -> None:
    """A title in bold at the left, and below it a line that says what came of it, broken where it does not fit.

    In a figure that makes no room for words, call it once ticks and names are set: words are broken to the axes' width.
    """
    if is_plain(ax):
        settle(ax)
    inches, small = ax.bbox.width / ax.figure.dpi, is_small(ax)
    size = 8.0 if small else 9.5
    if is_plain(ax):
        titles = _broken(title, 72 * inches, size + 1.5, "bold")
        lines = _broken(subtitle, 72 * inches, size, "normal")
    else:  # the engine has yet to make room, and most of what it takes away is beside the axes
        titles = _broken(title, 72 * _LEAST, size + 1.5, "bold") if small else [title]
        lines = textwrap.wrap(subtitle, max(24, int(max(inches, _LEAST) * 72 / (size * 0.5))))
    for old in [text for text in ax.texts if text.get_label() == "_subtitle"]:  # of the same axes, drawn on before
        old.remove()
    pad = 6 + 1.37 * size * len(lines)
    ax.set_title("\n".join(titles), loc="left", fontsize=size + 1.5, fontweight="bold", color=INK, pad=pad)
    if lines:
        ax.annotate(
            "\n".join(lines), (0, 1), xytext=(0, 5), xycoords="axes fraction", textcoords="offset points",
            fontsize=size, color=INK, va="bottom", ha="left", annotation_clip=False, label="_subtitle",
        )  # fmt: skip


def _broken(text: str, points: float, size: float, weight: str) -> list[str]:
    """The text in lines of at most so many points of print, broken between words."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(weight=weight)
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and TextPath((0, 0), longer, size=size, prop=font).get_extents().width <= points:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def add_legend(ax: Axes, handles: list[Any]) -> None:
    """A legend beside the axes, where it hides nothing; if there is no room for it, inside, where it hides least."""
    if not handles:
        return
    if not is_plain(ax) and not is_small(ax):
        ax.legend(
            handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.3, frameon=False,
            fontsize="small",
        )  # fmt: skip
        return
    settle(ax)
    own, size = ax.get_window_extent(), 8.3
    for _ in range(3):  # lines and handles shrink with the letters, but not quite
        legend = ax.legend(
            handles=handles, loc="best", framealpha=0.8, borderpad=0.3, borderaxespad=0.3, fontsize=size,
            labelspacing=0.3,
        )  # fmt: skip
        found = legend.get_window_extent()
        ratio = min(0.95 * own.width / found.width, 0.8 * own.height / found.height)
        if ratio >= 1:
            break
        size = max(size * 0.97 * ratio, 3.5)


def key(ax: Axes, *remarks: str, **options: Any) -> None:
    """A legend that leaves the curves free as far as it can, and remarks below it."""
    handles, labels = ax.get_legend_handles_labels()
    from matplotlib.lines import Line2D

    for remark in remarks:
        handles.append(Line2D([], [], linestyle="none"))
        labels.append(textwrap.fill(remark, 32))
    ax.legend(
        handles, labels, fontsize=9, labelcolor=INK, framealpha=0.85, edgecolor="none", **{"loc": "best", **options}
    )


def note(ax: Axes, text: str, x: float = 0.5, y: float = 0.5) -> None:
    """A sentence inside the axes, in place of what cannot be drawn."""
    ax.text(
        x, y, textwrap.fill(text, 34), transform=ax.transAxes, ha="center", va="center", fontsize=9, color=INK,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 3},
    )  # fmt: skip
