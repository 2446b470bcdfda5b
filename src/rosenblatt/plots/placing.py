"""Places: which axes to draw on, and where their legend goes, whether or not the figure makes room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, plural
from .canvas import needs_matplotlib
from .cells import is_plain, is_small, settle
from .lettering import key

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def is_several(ax: Any) -> bool:
    """Whether an array of axes was given, and not just one."""
    return isinstance(ax, (np.ndarray, list, tuple))


def axes_for(ax: Any, names: tuple[str, ...], width: float, height: float, shape: tuple[int, int]) -> list[Any]:
    """One axes for each name: those of the array that was given, or those of a new figure of pyplot's."""
    needs_matplotlib()
    if ax is None:
        import matplotlib.pyplot as plt

        return list(np.ravel(plt.figure(figsize=(width, height), layout="constrained").subplots(*shape)))
    given = list(np.ravel(np.asarray(ax, dtype=object)))
    if len(given) != len(names):
        raise InputError(
            f"{plural(len(given), 'axis').replace('axises', 'axes')} for {plural(len(names), 'panel')}"
            f" ({', '.join(names)}): give ax= an array of {len(names)} axes"
        )
    return given


def legend_below(ax: Axes, down: float, columns: int) -> None:
    """A legend below the axes, in so many columns; inside them where the figure does not make room for it."""
    if not is_plain(ax):
        key(ax, loc="upper center", bbox_to_anchor=(0.5, -down), ncols=columns, columnspacing=1.0, handletextpad=0.5)
    else:
        legend_inside(ax)


def legend_inside(ax: Axes, *remarks: str, **options: Any) -> None:
    """A legend inside the axes, with remarks below it; in small letters where the axes are small."""
    small = is_small(ax)
    key(ax, *remarks, **({"handlelength": 1.2, "labelspacing": 0.25, **options} if small else options))
    legend = ax.get_legend()
    for text in legend.get_texts() if legend is not None and small else ():
        text.set_fontsize(7)


def fit(ax: Axes) -> None:
    """Without a layout, make the axes so much smaller that nothing of theirs leaves their cell of the grid."""
    if is_plain(ax):
        for _ in range(2):  # smaller axes may have other ticks
            settle(ax)
