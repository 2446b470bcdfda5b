"""NumPy's .npy: one table of numbers."""

import numpy as np

from ...errors import InputError, shown
from ..opening import InputFile
from ..options import Options
from ..sheet import Sheet
from .label_column import split_off_label
from .npy_stream import array_in
from .sheet import array_sheet


def read_npy(opened: InputFile, options: Options) -> Sheet:
    """The table in a .npy file. The fields of a structured array are columns with names."""
    options.refuse(opened.name, "an array", "npy")
    table, names = array_in(opened, opened.name, None), None
    if table.dtype.names is not None and table.ndim == 1:
        names = table.dtype.names
        for name in names:
            if (kind := table.dtype[name]).kind not in "fiub":
                raise InputError(f"{opened.name}: field {shown(name)} of type {shown(str(kind))}; expected numbers")
        table = np.stack([table[name] for name in names], axis=1)
    return array_sheet(opened.name, "npy", *split_off_label(table, names, options, opened.name), options)
