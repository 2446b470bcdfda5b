"""One column of a table of numbers is the label: the last, unless said otherwise."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..column_place import clear_name, column_place
from ..options import Options
from .sheet import Names


def split_off_label(
    table: NDArray[Any], names: Names, options: Options, where: str
) -> tuple[NDArray[Any], NDArray[Any] | None, Names, str | int | None, list[str]]:
    """Features, labels, names of the features, which column the labels were, notes."""
    if table.ndim != 2 or 0 in table.shape:
        raise InputError(f"{where}: shape {table.shape}; expected a table of rows and columns")
    columns = table.shape[1]
    if options.reading.label is None and options.labels != "needed":
        return table, None, names, None, ["every column is a feature; label= (--label) says otherwise"]
    label = options.reading.label
    at = columns - 1 if label is None else column_place(where, label, names, columns)
    notes = [] if label is not None else ["the last column is the label; label= (--label) says otherwise"]
    if columns == 1:
        raise InputError(f"{where}: one column only; expected features beside the label")
    found: str | int = clear_name(names, at) if names is not None else _position(label, at)
    return np.delete(table, at, axis=1), table[:, at], names and names[:at] + names[at + 1 :], found, notes


def _position(label: str | int | None, at: int) -> int:
    """Where it is, from the end if it was so said: another table may have another number of columns."""
    said = -1 if label is None else int(str(label).removeprefix("position:"))
    return said if said < 0 else at
