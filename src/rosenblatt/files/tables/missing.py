"""Missing values: refused by their place, or dealt with as the caller asked.

A missing number may be taken for zero or for the mean of its column; a missing category sets none of its column's
features then. A row without a label is dropped or refused, never filled.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..options import Options
from .columns import Column, LabelColumn, TableOrigin, column_error


def rows_kept(
    origin: TableOrigin, columns: Sequence[Column], labels: LabelColumn | None, n: int, options: Options
) -> NDArray[np.bool_] | None:
    """The rows that are kept; None: all of them. Raises `InputError` for a missing value that may not be."""
    if options.missing != "drop" and labels is not None and labels.missing.size:
        what, row = "missing label; expected one, or --missing drop (missing='drop')", int(labels.missing[0])
        if labels.place is None:
            raise InputError(f"{origin.name}: row {row}: {what}")
        raise origin.error(row, labels.place, what)
    given = options.reading.fill if options.missing == "mean" else None
    if options.missing == "refuse" or given is not None:
        found = [
            (int(rows[0]), column.place)
            for column in columns
            if (options.missing == "refuse" or (column.categories is None and column.name not in (given or ())))
            and (rows := column.missing()).size
        ]
        if found and options.missing == "refuse":
            raise origin.error(
                *min(found), "missing value; expected one, or --missing drop, zero or mean (missing='drop', …)"
            )
        if found:
            raise origin.error(*found[0], "missing value; expected one: its mean is not known")
    if options.missing != "drop":
        return None
    keep = np.ones(n, dtype=np.bool_)
    for rows in [*(column.missing() for column in columns), *([labels.missing] if labels is not None else [])]:
        keep[rows] = False
    return None if keep.all() else keep


def nothing_left(origin: TableOrigin, missing: Mapping[int, int], n: int) -> InputError:
    """The error where every row is dropped; `missing` says how many lack a value in each column."""
    place = max(missing, key=lambda j: missing[j])
    return column_error(origin, place, f"all {n} rows lack a value, most of them here; nothing is left")
