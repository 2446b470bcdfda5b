"""The plane of a figure: how rows of any number of columns become points, and a hyperplane a line.

One or two columns are shown as they are. Of more, the plane is that of w and of the leading direction at right angles
to it: the first coordinate is the signed distance to the hyperplane, so that this is the vertical line at 0, and
margins are true distances. Of three classes it is the plane that the differences of their weights span, on which alone
their scores depend beyond what all have in common: the regions seen there are those of the whole space.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.hyperplane import Hyperplane, length_of, scores
from ...data.rows import matrix_of
from ..curves import finite, power_of, unit_of
from ..lettering import short
from ..table import Table
from .direction import between_means, leading

Floats = NDArray[np.float64]

_ALIKE = 1e3  # times that the numbers of one axis may be those of the other, with one unit for both


@dataclass(frozen=True, eq=False)
class Line:
    """A hyperplane in the plane of a figure: a·p + c is a point's signed distance, in `unit`s, and n a step of 1 in it.

    Where the two axes have different units, n is not at right angles to the line in the figure.
    """

    a: Floats
    c: float
    n: Floats
    unit: float

    def distances(self, points: Floats) -> Floats:
        """The signed distance of each point."""
        return np.asarray(points @ self.a + self.c)

    def feet(self, points: Floats) -> Floats:
        """The point of the line nearest to each: its projection."""
        return np.asarray(points - self.distances(points)[:, None] * self.n)


@dataclass(frozen=True, eq=False)
class Plane:
    """Points are (x·W + b)/units, with the names of the two axes."""

    W: Floats
    b: Floats
    units: Floats
    labels: tuple[str, str]
    columns: int
    note: str | None = None
    shows_all: bool = True
    """Whether the plane shows all there is, so that any hyperplane is a line in it."""

    def points(self, rows: Any) -> Floats:
        """Where rows are in the figure, (n, 2)."""
        found = scores(rows, self.W, self.b)
        return np.asarray(found / self.units)

    def line(self, plane: Hyperplane) -> Line | None:
        """The hyperplane as a line; None if w = 0, or if it is none in this plane."""
        length = length_of(plane.w)
        if length == 0 or not math.isfinite(length):
            return None
        unit = plane.w / length
        inside = self.W.T @ unit  # an orthonormal basis, so that this is w in the plane
        if length_of(unit - self.W @ inside) > 1e-6:
            return None
        big = float(self.units.max())
        with np.errstate(over="ignore"):
            offset = plane.b / length - float(inside @ self.b)
            return Line(inside * (self.units / big), offset / big, inside * (big / self.units), big)


def plane_of_rows(table: Table, planes: Sequence[Hyperplane], which: str = "the hyperplane") -> Plane:
    """The plane to show a table in, with these hyperplanes: none, one of two classes, or one for each class."""
    d = table.n_columns
    if d <= 2:
        W, b = np.eye(d, 2), np.zeros(2)
        labels = (table.name(0, 40), table.name(1, 40) if d == 2 else "")
        return _with_units(table, Plane(W, b, np.ones(2), labels, d))
    matrix = matrix_of(table.rows)
    if len(planes) > 2:
        return _with_units(table, _of_classes(matrix, planes, d))
    own = planes[0] if planes and length_of(planes[0].w) > 0 else None
    means = between_means(matrix, table.codes > 0) if own is None and len(table.classes) == 2 else None
    if own is not None:
        length = length_of(own.w)
        first, offset, label = own.w / length, own.b / length, f"signed distance to {which}"
    elif means is not None:
        (first, offset), label = means, "along the line between the class means (0: midway)"
    else:
        first, share = leading(matrix, np.empty((d, 0)))
        offset, label = 0.0, f"leading direction ({_percent(share)} of the spread)"
    second, share = leading(matrix, first[:, None])
    across = "w" if own is not None else "it"
    labels = (label, f"leading direction orthogonal to {across} ({_percent(share)} of the spread)")
    note = f"{short(d)} columns, seen in a plane"
    found = Plane(np.stack([first, second], axis=1), np.array([offset, 0.0]), np.ones(2), labels, d, note, False)
    return _with_units(table, found)


def _of_classes(matrix: Any, planes: Sequence[Hyperplane], d: int) -> Plane:
    W = np.stack([plane.w for plane in planes], axis=1)
    W = W / (float(np.abs(W).max()) or 1.0)
    U, sizes, _ = np.linalg.svd(W - W.mean(axis=1, keepdims=True), full_matrices=False)
    basis = U[:, :0] if not sizes[0] else U[:, :1] if sizes[1] <= 1e-12 * sizes[0] else U[:, :2]
    while basis.shape[1] < 2:
        basis = np.column_stack([basis, leading(matrix, basis)[0]])
    basis = basis * np.where(basis[np.abs(basis).argmax(axis=0), range(2)] < 0, -1.0, 1.0)
    whole = len(planes) == 3
    note = f"{short(d)} columns, seen in the plane {'of' if whole else 'nearest to'} the {len(planes)} weight vectors"
    labels = ("first direction between the weights", "second direction between the weights")
    return Plane(basis, np.zeros(2), np.ones(2), labels, d, note, False)


def _with_units(table: Table, plane: Plane) -> Plane:
    """With units for axes whose numbers are huge or tiny, which their names then say: one for both where it can be."""
    with np.errstate(over="ignore"):
        x, y = finite(plane.points(table.rows)).T
    small, large = sorted(float(np.nanmax(np.abs(part), initial=0.0)) for part in (x, y))
    # One unit for both, if none of them is then lost: so they may have one scale.
    powers = [power_of(x, y)] * 2 if large <= _ALIKE * small or small == 0 else [power_of(x), power_of(y)]
    labels = [label + unit_of(power) if label else "" for label, power in zip(plane.labels, powers, strict=True)]
    units = np.array([10.0**power for power in powers])
    return Plane(plane.W, plane.b, units, (labels[0], labels[1]), plane.columns, plane.note, plane.shows_all)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.005 or share == 0 else "under 1 %"
