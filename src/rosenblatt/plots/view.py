"""The view: what part of the plane is shown, and whether both axes have one scale.

One scale, wherever the rows are not squashed by it: then normals are at right angles to their lines, and margins are
distances, on paper too. The limits are settled before anything is drawn, in the proportions of the axes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cells import settle

Floats = NDArray[np.float64]

_MARGIN = 0.09  # of the span, left free on every side
SQUASHED = 8.0  # times that one span may be the other before each gets its own scale


@dataclass(frozen=True, eq=False)
class View:
    """The limits of both axes; `equal` if they have one scale."""

    low: Floats
    high: Floats
    equal: bool

    @property
    def span(self) -> Floats:
        """How wide and how high."""
        return self.high - self.low

    @property
    def centre(self) -> Floats:
        """The middle."""
        return (self.low + self.high) / 2

    def within(self, points: Floats) -> NDArray[np.bool_]:
        """Which points are inside."""
        return np.asarray(((points >= self.low) & (points <= self.high)).all(axis=-1))

    def set_limits(self, ax: Any) -> None:
        """Give the axes these limits."""
        ax.set_xlim(self.low[0], self.high[0])
        ax.set_ylim(self.low[1], self.high[1])
        ax.locator_params(nbins=6, min_n_ticks=3)

    def apply(self, ax: Any) -> None:
        """Give the axes these limits and scales, once everything is drawn."""
        self.set_limits(ax)
        ax.set_aspect("equal" if self.equal else "auto", adjustable="box")

    def wider(self, times: float) -> "View":
        """A view around the same centre, for what must reach beyond the limits."""
        half = self.span * times / 2
        return View(self.centre - half, self.centre + half, self.equal)


def view_of(points: Floats, ratio: float, *, may_be_equal: bool = True, squashed: float = SQUASHED) -> View:
    """The view of all these points, for axes that are `ratio` times as wide as high."""
    found = points[np.isfinite(points).all(axis=1)]
    if not len(found):
        return View(np.full(2, -1.0), np.full(2, 1.0), False)
    low, high = found.min(axis=0), found.max(axis=0)
    span = high - low
    least = 1e-9 * np.maximum(np.abs(low), np.abs(high))  # below which ticks could not be told apart
    real = np.where(span > least, span, 0.0)
    if not real.any():
        size = float(np.abs(found).max()) or 1.0
        span, centre = np.array([size, size]), (low + high) / 2
    else:
        span, centre = np.where(real > 0, real, real.max()), (low + high) / 2
    span = span * (1 + 2 * _MARGIN)
    equal = may_be_equal and bool(span.max() <= squashed * span.min())
    if equal:
        height = max(span[1], span[0] / ratio)
        span = np.array([height * ratio, height])
    return View(centre - span / 2, centre + span / 2, equal)


def ratio_of(ax: Any) -> float:
    """The width of axes over their height, once their titles, names and legend are laid out: ask after these are set.

    What is drawn is then drawn in a view of these proportions, so that one scale for both axes leaves no room unused.
    """
    settle(ax)
    figure = getattr(ax.figure, "figure", None) or ax.figure
    box, (width, height) = ax.get_position(original=True), figure.get_size_inches()
    return float(np.clip(box.width * width / max(box.height * height, 1e-9), 0.2, 5.0))
