"""Lettering: headings, legends, notes, and numbers that stay readable."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ..errors import plural
from .canvas import INK, display_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
    """A title in bold at the left, and below it a line that says what came of it, broken where it does not fit."""
    size = 9.5
    inches = ax.bbox.width / ax.figure.dpi
    lines = textwrap.wrap(subtitle, max(24, int(inches * 72 / (size * 0.5))))
    ax.set_title(title, loc="left", fontsize=11, fontweight="bold", color=INK, pad=6 + 13 * len(lines))
    if lines:
        ax.annotate(
            "\n".join(lines), (0, 1), xytext=(0, 5), xycoords="axes fraction", textcoords="offset points",
            fontsize=size, color=INK, va="bottom", ha="left", annotation_clip=False,
        )  # fmt: skip


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
