"""The rows of a part that are learnt from: without those of no weight, those that lack a value, those never counted.

Each row is judged by itself, so that a table may come in any parts. Numbers that lack are left NaN: what is to stand
for them may be known only at the end.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..options import Options
from .columns import Column, TableOrigin
from .counts import check_counts, counted
from .missing import rows_kept
from .part import Assumed, TablePart
from .row_numbers import RowNumbers, row_numbers
from .weights import weighed


@dataclass(frozen=True, eq=False)
class Narrowed:
    """The rows that are left of a part, and how many of them are not.

    origin
        Where the part comes from, all of it.
    kept
        How many rows were left before those counted 0 times went.
    before
        The features as they were then.
    every_label
        All labels of the part, of rows that are left or not.
    """

    origin: TableOrigin
    columns: list[Column]
    n: int
    labels: NDArray[Any] | None
    lines: NDArray[np.int64] | None
    weights: NDArray[np.float64] | None
    counts: NDArray[np.float64] | None
    rows: int
    weighed: int
    of_none: int
    lacking: int
    kept: int
    before: list[Column]
    missing: dict[int, int]
    weight_place: int | None
    label_place: int | None
    every_label: NDArray[Any] | None
    numbers: RowNumbers | None
    assumed: Assumed


def narrowed(part: TablePart, options: Options, assumed: Assumed) -> Narrowed:
    """The rows of a part to learn from, or to judge."""
    origin, n = part.origin, part.n
    numbers = row_numbers(part, options, assumed)
    columns = list(part.columns[1:] if numbers is not None else part.columns)
    origin, columns, labels, weights, of_none, lacking, weight_place = weighed(
        origin, columns, part.labels, n, options, assumed
    )
    some = n if weights is None else int(weights.size)
    if len(columns) <= len(options.reading.counts or ()):
        raise InputError(f"{origin.name}: no features; expected a column beside the label")
    lines = origin.lines(some)
    place = None if labels is None else labels.place
    known = replace(assumed, row_numbers=numbers is not None)
    if options.labels == "wanted":
        known = replace(known, weights=weight_place is not None)
    if labels is not None and place is not None and options.labels == "wanted" and some:
        there = labels.missing.size < some
        if there and assumed.labels is False:
            row = int(np.setdiff1d(np.arange(some), labels.missing)[0])
            why = origin.error(row, place, "a label, where the rows before have none; expected it in all rows")
            raise assumed.but(why, labels=True)
        known = replace(known, labels=bool(assumed.labels or there))
        if not known.labels:
            labels = None
    check_counts(origin, columns, None if place is None else origin.columns[place], options)
    missing = {column.place: int(column.missing().size) for column in columns}
    if labels is not None and place is not None:
        missing[place] = int(labels.missing.size)
    keep = rows_kept(origin, columns, labels, some, options)
    values = None if labels is None else labels.values
    kept = some
    if keep is not None:
        kept = int(keep.sum())
        columns = [column.kept(keep) for column in columns]
        values, lines = None if values is None else values[keep], None if lines is None else lines[keep]
        weights = None if weights is None else weights[keep]
    often = counted(origin, columns, values, kept, None if keep is None else np.flatnonzero(keep), options)
    left = kept
    if often.twice:
        left, lines = 2 * left, None if lines is None else np.repeat(lines, 2)
    if often.keep is not None:
        left, lines = int(often.keep.sum()), None if lines is None else lines[often.keep]
    return Narrowed(
        part.origin,
        often.columns,
        left,
        often.labels,
        lines,
        often.counts if often.counts is not None else weights,
        often.counts,
        n,
        some,
        of_none,
        lacking,
        kept,
        columns,
        missing,
        weight_place,
        place,
        None if labels is None or part.labels is None else part.labels.values,
        numbers,
        known,
    )
