"""NumPy's .npy: one table of numbers."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..opening import InputFile
from ..options import Options
from ..sheet import Sheet
from .label_column import split_off_label
from .npy_stream import array_in
from .sheet import Names, array_sheet


def read_npy(opened: InputFile, options: Options) -> Sheet:
    """The table in a .npy file. The fields of a structured array are columns with names."""
    options.refuse(opened.name, "an array", "npy")
    table, names = as_table(array_in(opened, opened.name, None), opened.name)
    return array_sheet(opened.name, "npy", *split_off_label(table, names, options, opened.name), options)


def as_table(array: NDArray[Any], where: str) -> tuple[NDArray[Any], Names]:
    """The array, and the names of its columns; those of a structured one are its fields."""
    names: Names = array.dtype.names
    if names is None or array.ndim != 1:
        return array, None
    for name in names:
        if (kind := array.dtype[name]).kind not in "fiub":
            raise InputError(f"{where}: field {shown(name)} of type {shown(str(kind))}; expected numbers")
    return np.stack([array[name] for name in names], axis=1), names
