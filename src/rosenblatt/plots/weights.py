"""WeightsDisplay: the largest weights of a model, as bars."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .canvas import NEGATIVE, POSITIVE, axes_of, figure_of
from .cells import settle
from .curves import divided, power_of, unit_of
from .lettering import add_legend, class_name, column_name, count, head, short
from .points import MOST_CLASSES, colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


class WeightsDisplay:
    """The weights that are the largest, the largest on top: of two classes one bar each, of more one for each class.

    At most `most` columns are shown, without it 20 of two classes and 8 of more: `columns_`, and their weights are
    `weights_`, (columns, outputs). Columns without names are counted from `first`.

    >>> WeightsDisplay(np.array([[2.0], [0.0], [-3.0]]), ("no", "yes")).plot().columns_.tolist()
    [2, 0]
    """

    ax_: "Axes"
    figure_: Any

    def __init__(
        self,
        weights: Floats,
        classes: tuple[Any, ...],
        names: tuple[str, ...] | None = None,
        first: int = 0,
        most: int | None = None,
    ) -> None:
        if len(classes) > MOST_CLASSES:
            raise InputError(f"weights are drawn of at most {MOST_CLASSES} classes, and this model has {len(classes)}")
        self.weights, self.classes, self.names, self.first = weights, classes, names, first
        d, outputs = weights.shape
        most = most if most is not None else 20 if outputs == 1 else 8
        size = np.abs(weights).max(axis=1)
        order = np.argsort(-size, kind="stable")[:most]
        self.columns_ = order[size[order] > 0]
        self.weights_ = weights[self.columns_]
        nonzero, shown = int((size > 0).sum()), len(self.columns_)
        some = f"; the {short(shown)} largest" if shown < nonzero else ""
        first_words = "Weights" if nonzero else "All weights are 0"
        self.title = f"{first_words}: {short(nonzero)} of {count(d, 'column')}{some}"

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, ax: "Axes | None" = None, most: int | None = None, first: int = 0
    ) -> "WeightsDisplay":
        """Of a fitted linear classifier or a `Model`: at most so many columns, counted from `first` without names."""
        coef = getattr(estimator, "coef_", None)
        if coef is None:
            name = type(estimator).__name__
            raise InputError(f"{name} has no coef_: expected a fitted linear classifier (a vote has no weights)")
        names = getattr(estimator, "feature_names_in_", None)
        found = None if names is None else tuple(map(str, names))
        W = np.atleast_2d(np.asarray(coef, dtype=np.float64)).T
        return cls(W, tuple(np.asarray(estimator.classes_).tolist()), found, first, most).plot(ax=ax)

    def plot(self, ax: "Axes | None" = None) -> "WeightsDisplay":
        """Draw it, on these axes or a figure of its own, which is as high as it takes."""
        outputs, shown = self.weights.shape[1], len(self.columns_)
        self.ax_ = ax = axes_of(ax, height=float(np.clip(1.3 + 0.24 * max(shown, 1) * max(outputs / 2, 1), 2.2, 9)))
        self.figure_ = figure_of(ax)
        power = power_of(self.weights_)
        lengths = divided(self.weights_, power)
        places, thick = np.arange(shown), 0.8 / outputs
        self.bars_ = []
        for k in range(outputs):
            values = lengths[:, k]
            shades: Any = colour(k, len(self.classes)) if outputs > 1 else _sides(values)
            at = places + (k - (outputs - 1) / 2) * thick
            self.bars_.append(ax.barh(at, values, height=thick * 0.92, color=shades, alpha=0.85, zorder=2))
        ax.axvline(0.0, color="#333333", linewidth=1.0, zorder=3)
        ax.set_yticks(places, [column_name(self.names, int(j), 30, self.first) for j in self.columns_])
        ax.set_ylim(max(shown, 1) - 0.4, -0.6)
        ax.set_xlabel("weight" + unit_of(power))
        ax.margins(x=0.08)
        ax.locator_params(axis="x", nbins=6)
        for side in ("top", "right", "left"):
            ax.spines[side].set_visible(False)
        ax.tick_params(axis="y", length=0)
        head(ax, *self.title.split(": "))
        self._legend(ax, outputs)
        settle(ax)
        return self

    def _legend(self, ax: "Axes", outputs: int) -> None:
        from matplotlib.patches import Patch

        if outputs > 1:
            pairs = [(class_name(k, self.classes, 16), colour(k, len(self.classes))) for k in range(outputs)]
        else:
            pairs = [(f"for {class_name(k, self.classes, 16)}", (NEGATIVE, POSITIVE)[k]) for k in (1, 0)]
        add_legend(ax, [Patch(facecolor=shade, alpha=0.85, label=name) for name, shade in pairs])


def _sides(values: Floats) -> list[str]:
    return [POSITIVE if value > 0 else NEGATIVE for value in values]
