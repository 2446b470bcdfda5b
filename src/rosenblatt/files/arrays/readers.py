"""Arrays: NumPy's .npy, and arrays in memory.

One column of a table of numbers is the label: the last, unless said otherwise.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..opening import Opened
from ..options import Options
from ..sheet import Sheet
from ..text.svmlight import no_option
from .npy import array_in
from .sheet import Names, array_sheet


def read_npy(opened: Opened, options: Options) -> Sheet:
    """The table in a .npy file. The fields of a structured array are columns with names."""
    no_option(opened, options, "an array", ("text", "leave_out", "base"))
    table, names = array_in(opened, opened.name, None), None
    if table.dtype.names is not None and table.ndim == 1:
        names = table.dtype.names
        for name in names:
            if (kind := table.dtype[name]).kind not in "fiub":
                raise InputError(f"{opened.name}: field {shown(name)} of type {shown(str(kind))}; expected numbers")
        table = np.stack([table[name] for name in names], axis=1)
    return array_sheet(opened.name, "npy", *parted(table, names, options, opened.name), options)


def read_array(X: Any, y: Any, options: Options, name: str = "array") -> Sheet:
    """Rows in memory: whatever `Examples.of` takes. Without y, a column of X is the label, as the options say.

    >>> from rosenblatt.files.options import options_of
    >>> sheet = read_array([[1.0, 2.0, 0], [3.0, 4.0, 1]], None, options_of(label=-1))
    >>> sheet.labels.tolist(), sheet.rows.d
    ([0, 1], 2)
    """
    if y is not None and options.reading.label is not None:
        raise InputError(f"{name}: the labels are given as y; expected no column for them (label=)")
    if y is not None or (hasattr(X, "tocsr") and options.labels != "needed"):
        return array_sheet(name, None, X, y, None, None, [], options)
    if hasattr(X, "tocsr"):
        raise InputError(f"{name}: a sparse matrix without labels; expected them as y")
    try:
        table = np.asarray(X)
    except ValueError as error:
        raise InputError(f"{name}: rows must form a table of numbers: {error}") from None
    return array_sheet(name, None, *parted(table, None, options, name), options)


def parted(
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
        there = "columns have no names here: give a position" if names is None else f"there are {listed(names)}"
        raise InputError(f"{where}: no column {shown(label)}; {there}")
    if not -columns <= int(label) < columns:
        raise InputError(f"{where}: no column {int(label)}; expected 0 to {columns - 1}, or -1 for the last one")
    return int(label)


def listed(names: tuple[str, ...]) -> str:
    """The first of them."""
    return (", ".join(map(shown, names[:8])) + (", …" if len(names) > 8 else "")) or "none"
