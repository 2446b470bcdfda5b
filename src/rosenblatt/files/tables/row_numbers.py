"""A first column that only counts the rows: left out, and that is said.

Not where an earlier reading is repeated, for a proof or a run: what was a feature then is one now.
"""

from dataclasses import dataclass

import numpy as np

from ...errors import InputError, shown
from ..options import Options
from .columns import Column
from .part import Assumed, TablePart

ROW_NAMES = ("rownames", "row.names", "row_names", "rowname", "row", "unnamed: 0", "index", "id", "no", "nr")
"""What a column is called that only counts the rows, whatever their case."""


@dataclass(frozen=True)
class RowNumbers:
    """What a column that counts the rows begins and ends with; `begins`: whether it is at the beginning of a file."""

    name: str
    first: float
    last: float
    begins: bool = True

    def note(self) -> str:
        """What to say of it."""
        if not self.name:
            return "column 0, which has no name and counts the rows, is left out"
        return f"column {shown(self.name)} counts the rows and is left out (to keep it, give it another name)"


def row_numbers(part: TablePart, options: Options, assumed: Assumed) -> RowNumbers | None:
    """Those of the first column, if its name and its values say that it counts the rows; else it is a feature."""
    if not part.may_count or not part.columns or part.columns[0].place != 0 or assumed.row_numbers is False:
        return None
    index, expected, name = part.columns[0], options.expected, part.origin.columns[0]
    if name and name.lower() not in ROW_NAMES:
        return None
    known = options.replayed or (expected is not None and name in expected.columns)
    needed = options.is_weight(name, 0) or name in (options.reading.counts or ())
    if name and (known or needed):
        return None
    found = _counted(index, part.n)
    if found is None and not name:
        raise _unnamed(part.origin.name)
    if found is not None and (not name or assumed.row_numbers or found[0] in (0, 1)):
        return RowNumbers(name, *found, part.begins)
    if assumed.row_numbers:
        raise assumed.but(_stopped(part.origin.name, name), row_numbers=False)
    return None


def joined(table: str, before: RowNumbers, after: RowNumbers, assumed: Assumed) -> RowNumbers:
    """Those of two parts, one behind the other."""
    if after.first == before.last + 1 or (after.begins and after.first == before.first):
        return RowNumbers(before.name, before.first, after.last)
    if not before.name:
        raise _unnamed(table)
    raise assumed.but(_stopped(table, before.name), row_numbers=False)


def check_enough(table: str, numbers: RowNumbers, assumed: Assumed) -> None:
    """Of one row alone, a column with a name is a feature."""
    if numbers.name and numbers.first == numbers.last:
        raise assumed.but(_stopped(table, numbers.name), row_numbers=False)


def _counted(column: Column, n: int) -> tuple[float, float] | None:
    if column.categories is not None or not n:
        return None
    values = column.in_all_rows(n)
    with np.errstate(over="ignore"):
        counts = bool((np.diff(values) == 1).all())
    return (float(values[0]), float(values[-1])) if counts else None


def _unnamed(table: str) -> InputError:
    return InputError(
        f"{table}: column 0 has no name; expected one, unless it counts the rows"
        " (pandas: to_csv(index=False); R: row.names = FALSE)"
    )


def _stopped(table: str, name: str) -> InputError:
    return InputError(
        f"{table}: column {shown(name)} counts the rows at first, and then does not; expected a file, which can be"
        " read twice, or another name, or --leave-out (leave_out=)"
    )
