"""MarginDistributionDisplay: how far rows are from the hyperplane, on the right side or the wrong one.

The geometric margin of a row is y·(w·x + b)/‖w‖: its distance, negative where it is on the wrong side. The smallest is
the margin of the data; at most 0 is a mistake.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..data.hyperplane import Hyperplane
from ..errors import InputError
from .canvas import ACCENT, FAINT, INK, POSITIVE, SECOND, THIRD, add_legend, axes_of, display_name, figure_of
from .lettering import head
from .table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..runs.run import Run

Floats = NDArray[np.float64]

_COLOURS = (FAINT, POSITIVE, ACCENT, SECOND, THIRD)


class MarginDistributionDisplay:
    """Histograms of the geometric margins of the same rows under one hyperplane or several.

    `margins_` has the margins by label, `counts_` the rows in each bin between `edges_`, `mistakes_` how many are ≤ 0.

    >>> from rosenblatt import Hyperplane
    >>> planes = {"w = (1, 0)": Hyperplane([1, 0]), "w = (1, −1)": Hyperplane([1, -1])}
    >>> X, y = [[1, -1], [-1, -2], [-1, 0]], [1, 1, -1]
    >>> MarginDistributionDisplay.from_hyperplanes(planes, X, y).mistakes_
    {'w = (1, 0)': 1, 'w = (1, −1)': 0}
    """

    ax_: "Axes"
    figure_: Any

    def __init__(self, margins: Mapping[str, Floats], title: str = "How far rows are from the hyperplane") -> None:
        self.margins_ = {label: np.asarray(found, dtype=np.float64) for label, found in margins.items()}
        if not 0 < len(self.margins_) <= len(_COLOURS):
            raise InputError(f"{len(self.margins_)} hyperplanes; expected 1 to {len(_COLOURS)}, to be told apart")
        self.mistakes_ = {label: int((found <= 0).sum()) for label, found in self.margins_.items()}
        self.title = title
        self.counts_: dict[str, Floats] = {}

    @classmethod
    def from_run(cls, run: "Run", *, ax: "Axes | None" = None) -> "MarginDistributionDisplay":
        """The margins before and after: of the weights at the end of the first epoch, and of those the run predicts by.

        If no later epoch changed them, those after the first update take their place. Either needs a log; without one
        the margins at the end are shown alone. A vote has none: then those of its last weights are shown.
        """
        if len(run.classes) > 2:
            raise InputError(f"margins are drawn of two classes, and this run has {len(run.classes)}")
        readout = "last" if run.plan.readout == "voted" else run.plan.readout
        table, planes = Table.of(run.source), {}
        if run.log is not None and run.log.first == 0 and (path := run.trajectory()).n_changes > 1:
            change = int(np.searchsorted(path.births, run.source.n_rows, side="right")) - 1
            change, label = (1, "after the first update") if change == path.n_changes else (change, "after epoch 1")
            W, b = path.weights(change)
            planes[label] = Hyperplane(W[:, 0], float(b[0]))
        planes[f"after epoch {run.epochs}, {readout}" if run.epochs else readout] = run.read(readout).hyperplane
        return cls(_margins(planes, table)).plot(ax=ax)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, ax: "Axes | None" = None) -> "MarginDistributionDisplay":
        """The margins of rows X with labels y under a fitted linear classifier of two classes, or a `Model`."""
        coef, offset = getattr(estimator, "coef_", None), getattr(estimator, "intercept_", None)
        name = type(estimator).__name__
        if coef is None or offset is None or np.atleast_2d(coef).shape[0] != 1:
            raise InputError(f"{name} has no single hyperplane: expected a fitted linear classifier of two classes")
        plane = Hyperplane(np.atleast_2d(coef)[0], float(np.ravel(offset)[0]))
        return cls(_margins({display_name(name): plane}, Table.labelled(X, y, estimator.classes_))).plot(ax=ax)

    @classmethod
    def from_hyperplanes(
        cls, planes: Mapping[str, Hyperplane], X: Any, y: Any, *, ax: "Axes | None" = None
    ) -> "MarginDistributionDisplay":
        """The margins of the same rows under several hyperplanes, by what each is called."""
        made = {label: plane.geometric_margins(X, y) for label, plane in planes.items() if plane.norm > 0}
        if len(made) < len(planes):
            raise InputError("w = 0 is no hyperplane: distances to it do not exist; leave it out")
        return cls(made).plot(ax=ax)

    def plot(self, ax: "Axes | None" = None) -> "MarginDistributionDisplay":
        """Draw it, on these axes or a figure of its own."""
        self.ax_ = ax = axes_of(ax)
        self.figure_ = figure_of(ax)
        every = np.concatenate(list(self.margins_.values()))
        self.edges_, unit, exponent = _edges(every[np.isfinite(every)])
        handles: list[Any] = []
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        top = 1.0
        one = len(self.margins_) == 1
        for at, (label, found) in enumerate(self.margins_.items()):
            counts = np.histogram(np.clip(found / unit, self.edges_[0], self.edges_[-1]), self.edges_)[0]
            self.counts_[label] = counts
            top, shade = max(top, float(counts.max())), _COLOURS[1 if one else at]
            last = at == len(self.margins_) - 1
            ax.stairs(counts, self.edges_, fill=True, color=shade, alpha=0.35 if last else 0.3, zorder=2 + at)
            ax.stairs(counts, self.edges_, color=shade, linewidth=1.6, zorder=2.5 + at)
            said = f"{display_name(label, 24)}:\n{_many(self.mistakes_[label], 'mistake')}, {_many(found.size, 'row')}"
            handles.append(Patch(facecolor=shade, alpha=0.6, label=said))
        low = min(self.edges_[0], 0.0)
        if any(self.mistakes_.values()):
            ax.axvspan(low - 1e3 * (self.edges_[-1] - low), 0.0, color=THIRD, alpha=0.12, linewidth=0, zorder=0.5)
            handles.append(Patch(facecolor=THIRD, alpha=0.25, label="wrong side"))
        self.zero_ = ax.axvline(0.0, color=INK, linewidth=1.6, zorder=4)
        margin = float(next(reversed(self.margins_.values())).min())
        if 0 < margin < np.inf:
            self.gamma_ = ax.axvline(margin / unit, color=ACCENT, linewidth=1.4, linestyle=(0, (5, 3)), zorder=4)
            handles.append(
                Line2D([], [], color=ACCENT, linewidth=1.4, linestyle=(0, (5, 3)), label=f"margin γ = {margin:.4g}")
            )
        pad = 0.04 * (self.edges_[-1] - low)
        ax.set_xlim(low - pad, max(self.edges_[-1], 0.0) + pad)
        ax.set_ylim(0, top * 1.06)
        head(ax, self.title)
        ax.set_xlabel("geometric margin, y·(w·x + b)/‖w‖" + (f" (in units of 1e{exponent})" if exponent else ""))
        ax.set_ylabel("rows")
        ax.locator_params(axis="x", nbins=6)
        ax.locator_params(axis="y", nbins=6, integer=True)
        add_legend(ax, handles)
        return self


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _margins(planes: Mapping[str, Hyperplane], table: Table) -> dict[str, Floats]:
    found = {}
    for label, plane in planes.items():
        if plane.norm == 0:
            continue  # no hyperplane yet: all rows are at no distance from it
        found[label] = table.signs * plane.scores(table.rows) / plane.norm
    if not found:
        raise InputError("w = 0 is no hyperplane: distances to it do not exist; learn for longer")
    return found


def _edges(values: Floats) -> tuple[Floats, float, int]:
    """Edges of bins, with one at 0 so that no bin is on both sides; their unit, and its decimal exponent."""
    big = float(np.abs(values).max(initial=0.0))
    exponent = int(np.floor(np.log10(big))) if big > 0 else 0
    exponent = exponent if abs(exponent) > 20 else 0
    unit = 10.0**exponent
    low, high = float(values.min(initial=0.0)) / unit, float(values.max(initial=0.0)) / unit
    if low == high:
        return np.array([-1.0, 0.0, 1.0]), unit, exponent
    bins = int(np.clip(2 * values.size ** (1 / 3), 12, 80))
    step = (high - low) / bins
    below, above = int(np.ceil(-low / step - 1e-9)), int(np.ceil(high / step - 1e-9))
    return np.arange(-below, above + 1, dtype=np.float64) * step, unit, exponent
