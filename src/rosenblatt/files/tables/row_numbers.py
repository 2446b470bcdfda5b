"""A first column that only counts the rows: left out, and that is said.

Not where an earlier reading is repeated, for a proof or a run: what was a feature then is one now.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...errors import InputError, shown
from ..options import Options
from .columns import Column, TableOrigin

ROW_NAMES = ("rownames", "row.names", "row_names", "rowname", "row", "unnamed: 0", "index", "id", "no", "nr")
"""What a column is called that only counts the rows, whatever their case."""


def without_row_numbers(
    origin: TableOrigin, columns: Sequence[Column], n: int, options: Options
) -> tuple[list[Column], Options, list[str]]:
    """The columns without the first, if its name and its values say that it counts the rows; and what to say."""
    index, expected, name = columns[0], options.expected, origin.columns[0]
    if name and name.lower() not in ROW_NAMES:
        return list(columns), options, []
    few = index.rows is not None and n > 1  # most of them are zero, then
    counts = index.categories is None and not few and bool((np.diff(index.values) == 1).all())
    if not name and not counts:
        raise InputError(
            f"{origin.name}: column 0 has no name; expected one, unless it counts the rows"
            " (pandas: to_csv(index=False); R: row.names = FALSE)"
        )
    if not name:
        return list(columns[1:]), options, ["column 0, which has no name and counts the rows, is left out"]
    known = options.replayed or (expected is not None and name in expected.columns)
    needed = options.is_weight(name, 0) or name in (options.reading.counts or ())
    if known or needed or not counts or n < 2 or index.values[0] not in (0, 1):
        return list(columns), options, []
    reading = replace(options.reading, leave_out=(*options.reading.leave_out, name))
    said = f"column {shown(name)} counts the rows and is left out (to keep it, give it another name)"
    return list(columns[1:]), replace(options, reading=reading), [said]
