"""Arrays and sparse matrices in memory."""

from typing import Any

import numpy as np

from ...errors import InputError
from ..options import Options
from ..sheet import Sheet
from .label_column import split_off_label
from .sheet import array_sheet


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
    return array_sheet(name, None, *split_off_label(table, None, options, name), options)
