"""One column of a table of numbers is the label: the last, unless said otherwise."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..names import first_names
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
    position = -1 if options.reading.label is None else _position(options.reading.label, names, columns, where)
    notes = (
        [] if options.reading.label is not None else ["the last column is the label; label= (--label) says otherwise"]
    )
    if columns == 1:
        raise InputError(f"{where}: one column only; expected features beside the label")
    at = position % columns
    label: str | int = position if names is None else names[at]
    return np.delete(table, at, axis=1), table[:, at], names and names[:at] + names[at + 1 :], label, notes


def _position(label: str | int, names: Names, columns: int, where: str) -> int:
    """A name if a column has it, else a position."""
    if isinstance(label, str) and names is not None and label in names:
        return names.index(label)
    digits = label.removeprefix("-") if isinstance(label, str) else "0"
    if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
        there = "columns have no names here: give a position" if names is None else f"there are {first_names(names)}"
        raise InputError(f"{where}: no column {shown(label)}; {there}")
    if not -columns <= int(label) < columns:
        raise InputError(f"{where}: no column {int(label)}; expected 0 to {columns - 1}, or -1 for the last one")
    return int(label)
