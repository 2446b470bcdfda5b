"""Loss surfaces over the weights, with the path that a run took on them.

The perceptron is stochastic descent on the perceptron loss Σ −m over the mistakes: flat on the cone of solutions, where
it is 0. The zero-one loss has no slope to follow, and the squared loss has its minimum where it may, which need not be
in that cone: three pictures of one path say why the rules end where they end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...choices import one_of
from ...runs.run import Run
from ..canvas import INK, axes_of, display_name, figure_of, needs_matplotlib
from ..curves import Floats, thinned
from ..lettering import count as counted
from ..placing import axes_for, fit
from .loss_panel import TITLES, draw_curve, draw_surface
from .loss_surface import LossSurface, loss_surface, side_of
from .weight_path import WeightPlane, plane_of

LOSSES = tuple(TITLES)


class LossDisplay:
    """A loss over the plane of the weights, and the path of a run on it.

    loss
        "perceptron", "zero-one", "squared", or "all" three beside each other.

    >>> from rosenblatt import datasets, learn
    >>> sample = datasets.get("four-in-the-plane")
    >>> display = LossDisplay.from_run(learn(*sample, **sample.plan, log=True))
    >>> display.plane.path.tolist()
    [[0.0, 0.0], [4.0, 0.0], [3.0, -1.0], [1.0, -3.0]]
    """

    paths_: list[Any]
    """The line of the path in each panel."""
    axes_: Any = None
    ax_: Any = None
    figure_: Any = None

    def __init__(self, plane: WeightPlane, surface: LossSurface, *, loss: str = "perceptron", subtitle: str = ""):
        self.plane, self.surface, self.subtitle = plane, surface, subtitle
        self.loss = one_of("loss", loss, (*LOSSES, "all"))
        self.paths_ = []

    @classmethod
    def from_run(cls, run: Run, *, loss: str = "perceptron", output: int | None = None, ax: Any = None) -> LossDisplay:
        """Of a run with a log; of one-vs-rest give `output`, the index of the class."""
        one_of("loss", loss, (*LOSSES, "all"))
        needs_matplotlib()
        path = run.trajectory(output)
        names = run.source.feature_names
        labels = None if names is None else tuple(f"weight of {display_name(name)}" for name in names[:2])
        plane = plane_of(path, labels)
        two = len(plane.names) == 2
        side = side_of(run.source.n_rows, two)
        spans = spans_of(plane, side)
        surface = loss_surface(run.learnt_rows, path.output, plane, *np.meshgrid(*spans))
        said = f"{run.rule.name}, {counted(path.n_changes, 'change')} of the weights"
        said += ", on the scaled rows" if run.scaled else ""
        if not plane.exact:
            count = path.start[0].shape[0] + (path.rho2 > 0)
            said += f"; of {count} weights, a plane that shows {_percent(plane.share)} of how they moved"
        return cls(plane, surface, loss=loss, subtitle=said).plot(ax)

    def plot(self, ax: Any = None) -> LossDisplay:
        """Draw it, on `ax` (of all three losses an array of three), or on a figure of its own."""
        chosen = LOSSES if self.loss == "all" else (self.loss,)
        drawn = (
            [axes_of(None, 6.4, 6.0)] if ax is None and len(chosen) == 1 else axes_for(ax, chosen, 15.6, 5.4, (1, 3))
        )
        at = thinned(*self.plane.path.T)
        self.paths_, self.axes_ = [], np.array(drawn, dtype=object)
        self.ax_ = drawn[0]
        self.figure_ = figure_of(self.ax_)
        draw = draw_surface if len(self.plane.names) == 2 else draw_curve
        shared = ax is None and len(chosen) > 1  # what is said of all is said once
        if shared:
            self.figure_.suptitle(self.subtitle, fontsize=11, color=INK)
        for k, (name, one) in enumerate(zip(chosen, drawn, strict=True)):
            said = "" if shared or k else self.subtitle
            self.paths_.append(draw(one, name, self.plane, self.surface, at, said))
            fit(one)
        return self


def spans_of(plane: WeightPlane, side: int) -> list[Floats]:
    """The coordinates to look at: around the path, and around w = 0 where that lies in the plane.

    The sides are equal, so that angles are seen as they are, unless the path is a sliver.
    """
    points = plane.path if plane.origin.any() else np.vstack([plane.path, 0 * plane.path[:1]])
    low, high = points.min(axis=0), points.max(axis=0)
    middle, half = low / 2 + high / 2, high / 2 - low / 2
    longest = float(half.max())
    if longest == 0:
        longest = float(np.abs(middle).max()) or 1.0
    half = np.where((half * 8 > longest) | (half < 1e-9 * longest), longest, half)
    return [np.linspace(m - 1.45 * h, m + 1.45 * h, side) for m, h in zip(middle, half, strict=True)]


def _percent(share: float) -> str:
    if share > 1 - 1e-12:
        return "all"
    return "over 99 %" if share > 0.99 else f"{100 * share:.0f} %"
