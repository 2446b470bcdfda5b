"""ReadoutsDisplay: one run, read out as its last weights, their average, the vote of all, and the pocket.

The first, second and last are hyperplanes. The vote is not: it is a weighted sum of signs, and its regions are bounded
by pieces of many lines (S002).
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.labels import predicted_codes
from ...errors import InputError
from ..canvas import INK, figure_of, needs_matplotlib
from ..lettering import add_legend, count, head
from ..points import class_handles, draw_points
from ..table import Table
from ..view import View, ratio_of, view_of
from .lines import crosses, draw_line
from .plane import Plane, plane_of_rows
from .regions import CELLS, draw_regions, grid_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...runs.run import Run

_WORK = 1e9  # updates times points that a vote may take
_TITLES = {"last": "Last weights", "averaged": "Averaged weights", "voted": "Vote of all weights", "pocket": "Pocket"}


class ReadoutsDisplay:
    """The regions of each readout of a run, side by side in the same limits.

    `axes_` are the panels, `readouts_` their names, and `codes_` of each what is predicted on `grid_`, as codes of
    `run.classes`.

    >>> from rosenblatt import datasets, learn
    >>> sample = datasets.get("eight-in-the-plane")
    >>> run = learn(*sample, readout=("last", "averaged", "voted"))
    >>> ReadoutsDisplay.from_run(run).readouts_
    ('last', 'averaged', 'voted')
    """

    axes_: "tuple[Axes, ...]"
    figure_: Any

    def __init__(self, run: "Run", readouts: tuple[str, ...]) -> None:
        self.run, self.readouts_ = run, readouts
        self.codes_: dict[str, Any] = {}

    @classmethod
    def from_run(cls, run: "Run", *, ax: Any = None) -> "ReadoutsDisplay":
        """All readouts that the run kept: last, averaged and voted, and the pocket if there is one.

        A rule that bets has no vote.

        `ax` is an array of axes, one for each.
        """
        if run.source.n_columns != 2:
            raise InputError(f"regions are drawn of two columns, and these rows have {run.source.n_columns}")
        wanted = ("averaged", "voted") if run.rule.additive else ("averaged",)
        missing = [name for name in wanted if name not in run.readouts]
        if missing:
            raise InputError(
                f"this run cannot be read out as {' or '.join(missing)}:"
                " learn(..., readout=('last', 'averaged', 'voted')) keeps what it takes"
            )
        return cls(run, tuple(name for name in _TITLES if name in run.readouts)).plot(ax=ax)

    def plot(self, ax: Any = None) -> "ReadoutsDisplay":
        """Draw it, on as many axes as there are readouts, or a figure of its own."""
        axes = ax
        if axes is None:
            needs_matplotlib()
            import matplotlib.pyplot as plt

            width = 3.3 * len(self.readouts_) + 1.3
            _, axes = plt.subplots(1, len(self.readouts_), figsize=(width, 3.7), layout="constrained", sharey=True)
        self.axes_ = tuple(np.ravel(axes))
        if len(self.axes_) != len(self.readouts_):
            raise InputError(f"{len(self.axes_)} axes given; expected {len(self.readouts_)}, one for each readout")
        self.figure_, self.ax_ = figure_of(self.axes_[0]), self.axes_[0]
        table = Table.of(self.run.source)
        plane = plane_of_rows(table, ())
        points = plane.points(table.rows)
        alike = bool(plane.units[0] == plane.units[1])
        for panel, readout in zip(self.axes_, self.readouts_, strict=True):
            title = _TITLES[readout] + (" (w = 0)" if self._is_zero(readout) else "")
            panel.set_xlabel(plane.labels[0])
            place = panel.get_subplotspec()
            if place is None or place.is_first_col():
                panel.set_ylabel(plane.labels[1])
            view_of(points, 1.0, may_be_equal=alike).set_limits(panel)
            head(panel, title, self._wrong(readout, table))
        add_legend(self.axes_[-1], class_handles(table))
        view = view_of(points, min(map(ratio_of, self.axes_)), may_be_equal=alike)
        cells = int(np.clip((_WORK / max(self.run.updates, 1)) ** 0.5, 100, CELLS))
        self.grid_ = grid_of(view, cells) * plane.units
        for panel, readout in zip(self.axes_, self.readouts_, strict=True):
            self._panel(panel, readout, plane, view)
            draw_points(panel, points, table, view)
            view.apply(panel)
        return self

    def _is_zero(self, readout: str) -> bool:
        return readout != "voted" and not any(plane.w.any() for plane in self.run.read(readout).hyperplanes)

    def _wrong(self, readout: str, table: Table) -> str:
        """How many rows this readout predicts wrong; of many rows and updates, which share of some."""
        most = max(int(_WORK / max(self.run.updates, 1)), 1000) if readout == "voted" else table.n_rows
        if table.n_rows <= most:
            wrong = int((self.run.read(readout).predict(table.rows) != self.run.classes[table.codes]).sum())
            return f"{count(wrong, 'row')} predicted wrong"
        some = np.linspace(0, table.n_rows - 1, most).astype(np.int64)
        wrong = self.run.read(readout).predict(table.some(some)) != self.run.classes[table.codes[some]]
        return f"about {100 * float(np.mean(wrong)):.2g} % predicted wrong"

    def _panel(self, ax: "Axes", readout: str, plane: Plane, view: View) -> None:
        read, classes = self.run.read(readout), len(self.run.classes)
        codes = predicted_codes(read.scores(self.grid_)).astype(np.int64)
        self.codes_[readout] = codes
        draw_regions(ax, view, codes, classes)
        if classes == 2 and readout != "voted":
            line = plane.line(read.hyperplane)
            if line is not None and crosses(line, view):
                draw_line(ax, line, view)
        elif classes == 2 and 0 < codes.mean() < 1:
            cells, places = round(codes.size**0.5), self.grid_ / plane.units
            shape = codes.reshape(cells, cells)
            ax.contour(places[:cells, 0], places[::cells, 1], shape, levels=[0.5], colors=INK, linewidths=1.8, zorder=2)
