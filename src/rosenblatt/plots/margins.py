"""MarginDistributionDisplay: how far rows are from the hyperplane, on the right side or the wrong one.

The geometric margin of a row is y·(w·x + b)/‖w‖: its distance, negative where it is on the wrong side. The smallest is
the margin of the data; at most 0 is a mistake.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..data.hyperplane import Hyperplane
from ..errors import InputError
from .canvas import ACCENT, FAINT, INK, POSITIVE, SECOND, THIRD, axes_of, display_name, figure_of
from .cells import settle
from .curves import divided, power_of, unit_of
from .lettering import add_legend, count, head, short
from .separation.captions import READOUTS
from .spread import draw_bars, draw_dots, edges_of
from .table import Table, rows_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..runs.run import Run

Floats = NDArray[np.float64]

_COLOURS = (FAINT, POSITIVE, ACCENT, SECOND, THIRD)
_FEW = 50  # rows from which on bars are drawn in place of dots
_PLACES = 60  # next to each other, at which dots stand


class MarginDistributionDisplay:
    """The geometric margins of the same rows under one hyperplane or several: histograms, or of few rows dots.

    `margins_` has the margins by label, `counts_` the rows in each bin between `edges_`, `mistakes_` how many are ≤ 0.

    >>> from rosenblatt import Hyperplane
    >>> planes = {"w = (1, 0)": Hyperplane([1, 0]), "w = (1, −1)": Hyperplane([1, -1])}
    >>> X, y = [[1, -1], [-1, -2], [-1, 0]], [1, 1, -1]
    >>> MarginDistributionDisplay.from_hyperplanes(planes, X, y).mistakes_
    {'w = (1, 0)': 1, 'w = (1, −1)': 0}
    """

    ax_: "Axes"
    figure_: Any

    edges_: Floats | None = None
    zero_: Any = None
    gamma_: Any = None
    """The line at the smallest margin; None if it is not above 0."""

    def __init__(
        self,
        margins: Mapping[str, Floats],
        title: str = "How far rows are from the hyperplane",
        left_out: Sequence[str] = (),
    ) -> None:
        self.margins_ = {label: np.asarray(found, dtype=np.float64) for label, found in margins.items()}
        if not 0 < len(self.margins_) <= len(_COLOURS):
            raise InputError(f"{len(self.margins_)} hyperplanes; expected 1 to {len(_COLOURS)}, to be told apart")
        self.mistakes_ = {label: int((found <= 0).sum()) for label, found in self.margins_.items()}
        self.title, self.left_out = title, tuple(left_out)
        self.counts_: dict[str, Floats] = {}

    @classmethod
    def from_run(cls, run: "Run", *, ax: "Axes | None" = None) -> "MarginDistributionDisplay":
        """The margins before and after: of the weights at the end of the first epoch, and of those the run predicts by.

        If no later epoch changed them, those after the first update take their place. Either needs a log, and a
        rule that adds rows; else the margins at the end are shown alone. Weights that are still 0 have no margins: they
        are left out, and named. A vote has none either: then those of its last weights are shown.
        """
        if len(run.classes) > 2:
            raise InputError(f"margins are drawn of two classes, and this run has {len(run.classes)}")
        readout = "last" if run.plan.readout == "voted" else run.plan.readout
        table, planes = Table.of(run.source), {}
        whole_log = run.log is not None and run.log.first == 0 and run.rule.additive
        if whole_log and (path := run.trajectory()).n_changes > 1:
            change = int(np.searchsorted(path.births, run.source.n_rows, side="right")) - 1
            change, label = (1, "after the first update") if change == path.n_changes else (change, "after epoch 1")
            W, b = path.weights(change)
            if run.state.scaling is not None:
                W, b = run.state.scaling.fold(W, b)
            planes[label] = Hyperplane(W[:, 0], float(b[0]))
        which = f"{READOUTS[readout]} weights"
        planes[f"{which}, epoch {short(run.epochs)}" if run.epochs else which] = run.read(readout).hyperplane
        return cls(_margins(planes, table), left_out=_zeros(planes)).plot(ax=ax)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, ax: "Axes | None" = None) -> "MarginDistributionDisplay":
        """The margins of rows X with labels y under a fitted linear classifier of two classes, or a `Model`."""
        coef, offset = getattr(estimator, "coef_", None), getattr(estimator, "intercept_", None)
        name = type(estimator).__name__
        if coef is None or offset is None or np.atleast_2d(coef).shape[0] != 1:
            raise InputError(f"{name} has no single hyperplane: expected a fitted linear classifier of two classes")
        plane = Hyperplane(np.atleast_2d(coef)[0], float(np.ravel(offset)[0]))
        return cls(
            _margins({display_name(name): plane}, Table.labelled(rows_for(estimator, X), y, estimator.classes_))
        ).plot(ax=ax)

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
        """Draw it, on these axes or a figure of its own: of few rows a dot for each, of more histograms."""
        dots = max(found.size for found in self.margins_.values()) < _FEW
        self.ax_ = ax = axes_of(ax, height=2.2 + 0.7 * len(self.margins_) if dots else 4.8)
        self.figure_ = figure_of(ax)
        every = np.concatenate(list(self.margins_.values()))
        power = power_of(every)
        shown = {label: divided(found, power) for label, found in self.margins_.items()}
        self.edges_ = edges_of(divided(every, power), _PLACES if dots else None)
        inside = {label: np.clip(found, self.edges_[0], self.edges_[-1]) for label, found in shown.items()}
        self.counts_ = {label: np.histogram(found, self.edges_)[0] for label, found in inside.items()}
        shades = dict(zip(shown, (POSITIVE,) if len(shown) == 1 else _COLOURS, strict=False))
        self._limits(ax)
        (draw_dots if dots else draw_bars)(ax, shown, self.counts_, self.edges_, shades)
        handles = self._handles(shades, dots)
        from matplotlib.lines import Line2D

        self.zero_ = ax.axvline(0.0, color=INK, linewidth=1.6, zorder=1.5 if dots else 4)
        margin = float(next(reversed(self.margins_.values())).min())
        self.gamma_ = None
        if 0 < margin < np.inf:
            look: dict[str, Any] = {"color": ACCENT, "linewidth": 1.4, "linestyle": (0, (5, 3))}
            self.gamma_ = ax.axvline(float(divided(margin, power)), zorder=1.5 if dots else 4, **look)
            handles.append(Line2D([], [], label=f"margin γ = {short(margin, 4)}", **look))
        ax.set_xlabel("geometric margin, y·(w·x + b)/‖w‖" + unit_of(power))
        ax.locator_params(axis="x", nbins=6)
        head(ax, self.title, "; ".join(f"{label}: w = 0, no hyperplane, left out" for label in self.left_out))
        add_legend(ax, handles)
        settle(ax)
        return self

    def _limits(self, ax: "Axes") -> None:
        assert self.edges_ is not None
        low, high = min(self.edges_[0], 0.0), max(self.edges_[-1], 0.0)
        ax.set_xlim(low - 0.04 * (high - low), high + 0.04 * (high - low))
        if any(self.mistakes_.values()):
            ax.axvspan(low - 1e3 * (high - low), 0.0, color=THIRD, alpha=0.12, linewidth=0, zorder=0.5)
            ax.set_xlim(low - 0.04 * (high - low), high + 0.04 * (high - low))

    def _handles(self, shades: Mapping[str, str], dots: bool) -> list[Any]:
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        handles: list[Any] = []
        for label, shade in shades.items():
            rows = self.margins_[label].size
            said = f"{display_name(label, 32)}:\n{count(self.mistakes_[label], 'mistake')}, {count(rows, 'row')}"
            look: dict[str, Any] = {"linestyle": "none", "marker": "o", "color": shade}
            handles.append(Line2D([], [], label=said, **look) if dots else Patch(color=shade, alpha=0.6, label=said))
        if any(self.mistakes_.values()):
            handles.append(Patch(facecolor=THIRD, alpha=0.25, label="mistakes (m ≤ 0)"))
        return handles


def _margins(planes: Mapping[str, Hyperplane], table: Table) -> dict[str, Floats]:
    """The margins under each that is a hyperplane: w = 0 is none."""
    rows = {label: plane for label, plane in planes.items() if plane.norm > 0}
    if not rows:
        raise InputError("w = 0 is no hyperplane: distances to it do not exist; learn for longer")
    return {label: table.signs * plane.scores(table.rows) / plane.norm for label, plane in rows.items()}


def _zeros(planes: Mapping[str, Hyperplane]) -> list[str]:
    return [label for label, plane in planes.items() if plane.norm == 0]
