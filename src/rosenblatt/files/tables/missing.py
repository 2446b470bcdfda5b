"""Missing values: refused by their place, or dealt with as the caller asked.

A missing number may be taken for zero or for the mean of its column; a missing category sets none of its column's
features then. A row without a label is dropped or refused, never filled.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..filled import Lacking
from ..options import Options
from .columns import Column, LabelColumn, TableOrigin, column_error


def without_missing(
    origin: TableOrigin, columns: Sequence[Column], labels: LabelColumn | None, n: int, options: Options
) -> tuple[list[Column], NDArray[np.bool_] | None, dict[str, float], list[Lacking]]:
    """The columns with nothing missing but categories, the rows kept if not all are, the means, and what was filled."""
    missing = [column.missing() for column in columns]
    if options.missing != "drop" and labels is not None and labels.missing.size:
        what, row = "missing label; expected one, or --missing drop (missing='drop')", int(labels.missing[0])
        if labels.place is None:
            raise InputError(f"{origin.name}: row {row}: {what}")
        raise origin.error(row, labels.place, what)
    if options.missing == "refuse":
        if places := [(int(rows[0]), column.place) for column, rows in zip(columns, missing, strict=True) if rows.size]:
            raise origin.error(
                *min(places), "missing value; expected one, or --missing drop, zero or mean (missing='drop', …)"
            )
        return list(columns), None, {}, []
    if options.missing == "drop":
        keep = np.ones(n, dtype=np.bool_)
        for rows in [*missing, *([labels.missing] if labels is not None else [])]:
            keep[rows] = False
        if keep.all():
            return list(columns), None, {}, []
        if not keep.any():
            absent = [(rows.size, column.place) for rows, column in zip(missing, columns, strict=True)]
            if labels is not None and labels.place is not None:
                absent.append((labels.missing.size, labels.place))
            place = max(absent, key=lambda pair: pair[0])[1]
            raise column_error(origin, place, f"all {n} rows lack a value, most of them here; nothing is left")
        return [column.kept(keep) for column in columns], keep, {}, []
    fill = {}
    if options.missing == "mean":
        given = options.reading.fill or {}
        for column, rows in zip(columns, missing, strict=True):
            if column.categories is None:
                if column.name in given:
                    fill[column.name] = float(given[column.name])
                elif rows.size and options.reading.fill is not None:
                    raise origin.error(int(rows[0]), column.place, "missing value; expected one: its mean is not known")
                elif rows.size == n:
                    raise column_error(origin, column.place, "no value at all, so no mean; leave it out")
                else:
                    fill[column.name] = column.mean(n)
    whole = [
        column.filled(fill.get(column.name, 0.0)) if rows.size and column.categories is None else column
        for column, rows in zip(columns, missing, strict=True)
    ]
    lacking = [
        Lacking(column.name, rows.size, column.categories is not None)
        for column, rows in zip(columns, missing, strict=True)
        if rows.size
    ]
    return whole, None, fill, lacking
