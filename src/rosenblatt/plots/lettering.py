"""Lettering: headings, legends, notes, and numbers that stay readable."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ..errors import plural
from .canvas import INK, display_name
from .cells import is_plain, settle

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NARROW = 3.5  # inches below which letters are smaller, where a figure makes no room


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
    size, titles = 9.5, [title]
    inches = ax.bbox.width / ax.figure.dpi
    if is_plain(ax):
        settle(ax)
        inches = ax.bbox.width / ax.figure.dpi
        size = 9.5 if inches > _NARROW else 8.0
        titles = _broken(title, 72 * inches, size + 1.5, "bold")
        lines = _broken(subtitle, 72 * inches, size, "normal")
    else:
        lines = textwrap.wrap(subtitle, max(24, int(inches * 72 / (size * 0.5))))
        titles = textwrap.wrap(title, max(24, int(inches * 72 / (size * 0.65))))
    for old in [text for text in ax.texts if text.get_gid() == "subtitle"]:  # of the same axes, drawn on before
        old.remove()
    pad = 6 + 1.37 * size * len(lines)
    ax.set_title("\n".join(titles), loc="left", fontsize=size + 1.5, fontweight="bold", color=INK, pad=pad)
    if lines:
        ax.annotate(
            "\n".join(lines), (0, 1), xytext=(0, 5), xycoords="axes fraction", textcoords="offset points",
            fontsize=size, color=INK, va="bottom", ha="left", annotation_clip=False, gid="subtitle",
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
