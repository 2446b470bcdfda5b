"""Weights: a column that says how much each row counts. It is no feature, and a row of weight 0 is not there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, plural, shown
from ..options import Options
from .category_checks import NUMBER
from .columns import Column, LabelColumn, TableOrigin, column_error
from .part import Assumed
from .places import weight_place


@dataclass(frozen=True)
class SomeRows:
    """A table of which some rows are left: it words what is wrong with a place in the whole one."""

    origin: TableOrigin
    which: NDArray[np.int64]
    of: int

    @property
    def name(self) -> str:
        """What errors call it."""
        return self.origin.name

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names."""
        return self.origin.columns

    def error(self, row: int, column: int, what: str) -> InputError:
        """The error for a value."""
        return self.origin.error(int(self.which[row]), column, what)

    def lines(self, n: int) -> NDArray[np.int64] | None:
        """The line of each row that is left."""
        lines = self.origin.lines(self.of)
        return None if lines is None else lines[self.which]


class Weighed(NamedTuple):
    """Where the rows come from that count, their features, labels and weights, and how many others there were."""

    origin: TableOrigin
    columns: list[Column]
    labels: LabelColumn | None
    weights: NDArray[np.float64] | None = None
    of_none: int = 0
    """Rows of weight 0."""
    lacking: int = 0
    """Rows without a weight."""
    place: int | None = None
    """The column of the weights."""


def weighed(
    origin: TableOrigin,
    columns: Sequence[Column],
    labels: LabelColumn | None,
    n: int,
    options: Options,
    assumed: Assumed,
) -> Weighed:
    """The rows that count, and their weights. Raises `InputError` for a weight that is none, with its place.

    To predict, all rows count, and nobody minds if all weights are missing.
    """
    place = weight_place(origin, options, None if labels is None else labels.place)
    features = [column for column in columns if column.place != place]
    column = next((column for column in columns if column.place == place), None)
    if place is None or column is None:
        return Weighed(origin, features, labels)
    all_count = False
    if options.labels == "wanted":
        there = column.missing().size < n
        if there and assumed.weights is False:
            why = column_error(origin, place, "weights, where rows before had none; expected them in all rows")
            raise assumed.but(why, weights=True)
        if not there and not assumed.weights:
            return Weighed(origin, features, labels)
        all_count = True
    values = _weights(origin, column, n, options)
    keep = ~np.isnan(values) & (all_count | (values != 0))
    if keep.all():
        return Weighed(origin, features, labels, values, place=place)
    if labels is not None:
        missing = np.zeros(n, dtype=np.bool_)
        missing[labels.missing] = True
        labels = LabelColumn(labels.place, labels.values[keep], np.flatnonzero(missing[keep]))
    which = np.flatnonzero(keep)
    counts = int(np.count_nonzero(values == 0)) * (not all_count), int(np.count_nonzero(np.isnan(values)))
    features = [one.kept(keep) for one in features]
    return Weighed(SomeRows(origin, which, n), features, labels, values[keep], *counts, place)


def weighing_notes(name: str, n: int, of_none: int, lacking: int) -> list[str]:
    """What to say of the column of weights of n rows, of which so many are left out."""
    said = [f"column {shown(name)} holds the weights of rows, and is no feature"]
    gone = [f"{plural(count, 'row')} of {what}" for count, what in ((of_none, "weight 0"), (lacking, "no weight"))
            if count]  # fmt: skip
    return [*said, f"left out {' and '.join(gone)}, of {n}"] if gone else said


def _weights(origin: TableOrigin, column: Column, n: int, options: Options) -> NDArray[np.float64]:
    """A number for each row, NaN where it is missing and its row is to be dropped."""
    if column.categories is not None:
        raise _text(origin, column)
    values = np.zeros(n)
    values[slice(None) if column.rows is None else column.rows] = column.values
    gone = np.isnan(values) & (options.missing != "drop")
    for row in np.flatnonzero(gone | (values < 0))[:1].tolist():
        what = "missing weight" if gone[row] else f"weight {values[row]:g}"
        or_drop = ", or --missing drop (missing='drop')" if gone[row] else ""
        raise origin.error(row, column.place, f"{what}; expected a number that is 0 or more{or_drop}")
    return values


def _text(origin: TableOrigin, column: Column) -> InputError:
    known = column.categories or []
    for row in np.flatnonzero(column.values >= 0).tolist():
        value = known[column.values[row]]
        if re.fullmatch(NUMBER, value.strip(" \t")) is None:
            return origin.error(row, column.place, f"weight {shown(value)}; expected a number that is 0 or more")
    return column_error(origin, column.place, "holds text; expected the weights of rows, numbers that are 0 or more")
