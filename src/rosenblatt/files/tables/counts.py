"""Counts: columns that say how often each row was seen, as grouped data have them.

One column: the row counts so often. Two, as in R's `cbind(successes, failures) ~ …`: the row stands for two, one of
each label, and the labels are the names of the columns. Rows counted 0 times are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..names import all_names
from ..options import Options
from .columns import Column, TableOrigin

_MOST = 2**40


@dataclass(frozen=True, eq=False)
class Counted:
    """What is left when the counts are taken out."""

    columns: list[Column]
    labels: NDArray[Any] | None
    counts: NDArray[np.float64] | None
    twice: bool = False
    """Whether each row has become two."""
    keep: NDArray[np.bool_] | None = None
    """Of those, which were counted at all; None: all of them."""


def check_counts(origin: TableOrigin, columns: Sequence[Column], label: str | None, options: Options) -> None:
    """Raises `InputError` unless the columns of counts are there, hold numbers, and lack none that is kept."""
    by_name = {column.name: column for column in columns}
    for name in options.reading.counts or ():
        if name == label:
            raise InputError(f"{origin.name}: column {shown(name)} is the label; expected counts in another column")
        if (column := by_name.get(name)) is None:
            there = all_names([one for one in origin.columns if one != label])
            raise InputError(f"{origin.name}: no column {shown(name)} that counts rows; columns are {there}")
        if column.categories is not None:
            row = int(np.flatnonzero(column.values >= 0)[0]) if (column.values >= 0).any() else 0
            text = column.categories[column.values[row]] if column.categories else ""
            raise origin.error(row, column.place, f"count {shown(text)}; expected a whole number >= 0")
        if options.missing in ("zero", "mean") and (gone := column.missing()).size:
            raise origin.error(
                int(gone[0]), column.place, "missing count; expected one, or --missing drop (missing='drop')"
            )


def counted(
    origin: TableOrigin, columns: Sequence[Column], labels: NDArray[Any] | None, n: int, rows: Any, options: Options
) -> Counted:
    """Take the counts out of n rows; `rows` are their numbers in the table, None if they are all there."""
    names = options.reading.counts or ()
    if not names:
        return Counted(list(columns), labels, None)
    others = [column for column in columns if column.name not in names]
    found = []
    for name in names:
        column = next(one for one in columns if one.name == name)
        values = column.in_all_rows(n).astype(np.float64)
        if (bad := np.flatnonzero(~((values >= 0) & (values < _MOST) & (values == np.floor(values))))).size:
            row = int(bad[0] if rows is None else rows[bad[0]])
            what = f"count {values[bad[0]]:g}; expected a whole number >= 0 (and below 2**40)"
            raise origin.error(row, column.place, what)
        found.append(values)
    counts = np.column_stack(found).reshape(-1)
    if len(names) == 2:
        others = [column.doubled() for column in others]
        labels = np.tile(np.array(names, dtype=object), n)
    keep = counts > 0
    if keep.all():
        return Counted(others, labels, counts, len(names) == 2)
    return Counted(
        [column.kept(keep) for column in others],
        None if labels is None else labels[keep],
        counts[keep],
        len(names) == 2,
        keep,
    )
