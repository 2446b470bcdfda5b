"""SeparationDisplay: rows by class, the hyperplane between them, its margin; or why there is none.

In one and two columns as they are; of more, in the plane of w and the leading direction at right angles to it
(plane.py). Classes are × (positive) and o (negative).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...data.hyperplane import Hyperplane
from ...errors import InputError
from ..canvas import axes_of, figure_of
from ..points import mistakes_of, predicted_wrong
from ..table import Table, rows_for
from . import drawing
from .captions import of_estimator, of_margin, of_proof, of_run, of_verdict
from .hulls import WitnessPicture
from .path import weights_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ...data.examples import Examples
    from ...proof.parts import ExactHyperplane
    from ...proof.proof import Proof
    from ...runs.run import Run
    from ...separation.margin.result import MaxMargin
    from ...separation.verdict import Verdict

Ints = NDArray[np.int64]


class SeparationDisplay:
    """Rows, and what separates them. Made by `from_run`, `from_verdict`, `from_margin` or `from_estimator`.

    After `plot`, `ax_` and `figure_` are what was drawn on, and `artists_` what was drawn, by name.

    >>> from rosenblatt import max_margin
    >>> display = SeparationDisplay.from_margin(max_margin([[0.0, 0.0], [2.0, 0.0]], [-1, 1]))
    >>> display.title
    'Separable: the largest margin is 1'
    """

    ax_: "Axes"
    figure_: Any
    artists_: dict[str, Any]

    def __init__(
        self,
        table: Table,
        hyperplanes: Sequence[Hyperplane] = (),
        *,
        margin: float | None = None,
        support: Ints | None = None,
        boundary: Ints | None = None,
        witness: WitnessPicture | None = None,
        title: str = "",
        which: str = "the hyperplane",
        projections: bool | None = None,
        path: Any = None,
    ) -> None:
        self.table, self.hyperplanes, self.title, self.which = table, tuple(hyperplanes), title, which
        self.margin, self.support, self.boundary, self.witness = margin, support, boundary, witness
        self.projections, self.path = projections, path

    @classmethod
    def from_run(
        cls, run: "Run", *, ax: "Axes | None" = None, projections: bool | None = None, path: bool = False
    ) -> "SeparationDisplay":
        """What a run learnt, on the rows it learnt from. A vote is no hyperplane: then its last weights are drawn.

        With `path` also the lines of earlier weights, the earlier the lighter; and in a figure of its own the weights,
        one after the other, on axes of their own. This needs the log of the run, and at most two columns.
        """
        read = run.read("last") if run.plan.readout == "voted" else run
        table = Table.of(run.source)
        walked = (*weights_of(run), run.state.rho2 > 0) if path else None
        planes = read.hyperplanes
        margin = None if len(planes) > 1 else _margin(table, planes[0])
        made = cls(
            table, planes, margin=margin, title=of_run(run, read.plan.readout), projections=projections, path=walked
        )
        return made.plot(ax=ax)

    @classmethod
    def from_verdict(
        cls, verdict: "Verdict", *, ax: "Axes | None" = None, hyperplane: Any = None, projections: bool | None = None
    ) -> "SeparationDisplay":
        """What a verdict says: the hyperplane, or the rows that make one impossible and what their hulls share.

        Rows that overlap have no hyperplane. Of more than two columns they are seen along the line between the means
        of the classes, or along the normal of `hyperplane`: one that was learnt, or `least_mistakes(X, y)`.
        """
        table = Table.of(verdict.examples)
        rows, multipliers = verdict.witness_rows, verdict.multipliers
        witness = None
        if rows is not None and multipliers is not None:
            witness = WitnessPicture.of(table, _places(verdict, rows), multipliers, verdict.through_origin)
        given = getattr(hyperplane, "hyperplane", hyperplane)
        which = "the hyperplane with fewest mistakes" if hasattr(hyperplane, "rescue") else "the hyperplane given"
        own = verdict.hyperplane
        boundary = verdict.boundary_rows if verdict.kind == "quasi-separable" else None
        made = cls(
            table,
            [one for one in (own or given,) if one is not None],
            margin=verdict.margin,
            boundary=None if boundary is None else _places(verdict, boundary),
            witness=witness,
            title=of_verdict(verdict),
            which="the hyperplane" if own is not None else which,
            projections=projections,
        )
        return made.plot(ax=ax)

    @classmethod
    def from_margin(
        cls, best: "MaxMargin", *, ax: "Axes | None" = None, projections: bool | None = None
    ) -> "SeparationDisplay":
        """The largest margin as a band, and ringed the rows that hold it; of inseparable rows, their verdict."""
        if best.verdict is not None:
            return cls.from_verdict(best.verdict, ax=ax, projections=projections)
        planes = [] if best.hyperplane is None else [best.hyperplane]
        margin = best.plain_margin if planes else None
        support = best.support_rows if planes else None
        table, title = Table.of(best.examples), of_margin(best)
        return cls(table, planes, margin=margin, support=support, title=title, projections=projections).plot(ax=ax)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, ax: "Axes | None" = None, projections: bool | None = None
    ) -> "SeparationDisplay":
        """A fitted linear classifier, ours or one of scikit-learn's, or a `Model`, on rows X with labels y."""
        coef, offsets = (getattr(estimator, name, None) for name in ("coef_", "intercept_"))
        if coef is None or offsets is None:
            name = type(estimator).__name__
            raise InputError(f"{name} has no coef_ and intercept_: expected a fitted linear classifier (not a vote)")
        table = Table.labelled(
            rows_for(estimator, X), y, estimator.classes_, getattr(estimator, "feature_names_in_", None)
        )
        W, b = np.atleast_2d(np.asarray(coef, dtype=np.float64)), np.atleast_1d(np.asarray(offsets, dtype=np.float64))
        planes = [Hyperplane(w, float(o)) for w, o in zip(W, np.broadcast_to(b, len(W)), strict=True)]
        if table.n_columns != planes[0].w.size:
            raise InputError(f"rows have {table.n_columns} features, the weights {planes[0].w.size}")
        margin = None if len(planes) > 1 else _margin(table, planes[0])
        wrong = mistakes_of(table, planes[0]) if len(planes) == 1 else predicted_wrong(table, planes)
        title = of_estimator(estimator, wrong.size, table.n_rows, len(planes))
        return cls(table, planes, margin=margin, title=title, projections=projections).plot(ax=ax)

    @classmethod
    def from_proof(
        cls, proof: "Proof", examples: "Examples", *, ax: "Axes | None" = None, projections: bool | None = None
    ) -> "SeparationDisplay":
        """What a proof claims of these rows. Whether it holds is not asked here: `verify` says that."""
        if (examples.n_rows, examples.n_columns) != (proof.rows, proof.columns):
            raise InputError(f"a proof of {proof.rows} × {proof.columns} numbers; expected those it was made for")
        table, witness = Table.of(examples), None
        if proof.witness is not None:
            some = proof.witness
            witness = WitnessPicture.of(table, some.rows, some.multipliers, proof.through_origin)
        planes = [] if proof.hyperplane is None else [_rounded(proof.hyperplane, proof.columns)]
        support = None if proof.hull is None else np.array(proof.hull.rows, dtype=np.int64)
        margin = _margin(table, planes[0]) if planes and proof.margin2 is not None else None
        boundary = None
        if proof.kind == "quasi-separable" and proof.balance is not None:
            boundary = np.array(proof.balance.rows, dtype=np.int64)
        made = cls(
            table, planes, margin=margin, support=support, boundary=boundary, witness=witness, title=of_proof(proof),
            projections=projections,
        )  # fmt: skip
        return made.plot(ax=ax)

    def plot(self, ax: "Axes | None" = None) -> "SeparationDisplay":
        """Draw it, on these axes or a figure of its own."""
        height = 2.9 if self.table.n_columns == 1 else 4.8
        if self.path is not None and ax is None:
            self.ax_, beside = drawing.two_axes(4.8 if height == 4.8 else 3.6)
        else:
            self.ax_, beside = axes_of(ax, height=height), None
        self.artists_ = drawing.draw(self, self.ax_, beside)
        self.figure_ = figure_of(self.ax_)
        self.axes_ = (self.ax_,) if beside is None else (self.ax_, beside)
        return self


def _margin(table: Table, plane: Hyperplane) -> float | None:
    """The smallest geometric margin, if it is one: above 0."""
    length = plane.norm
    if length == 0:
        return None
    least = float((table.signs * plane.scores(table.rows)).min() / length)
    return least if least > 0 else None


def _rounded(plane: "ExactHyperplane", columns: int) -> Hyperplane:
    """An exact hyperplane in float64, scaled to a largest weight of 1."""
    scale = max(abs(value) for value in plane.values)
    w = np.zeros(columns)
    w[list(plane.columns)] = [float(value / scale) for value in plane.values]
    return Hyperplane(w, float(plane.b / scale))


def _places(verdict: "Verdict", rows: Ints) -> Ints:
    """Where in the verdict's own examples the rows of these numbers are."""
    return rows if verdict.numbers is None else np.searchsorted(verdict.numbers, rows)
