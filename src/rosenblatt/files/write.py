"""Writing: a sheet as a file of any format that is read, but for ARFF and IDX.

Numbers are written as the shortest decimals that read back as the same float64, bit for bit. What a format cannot hold
is refused, or said in a note where a reader could not be misled by it.
"""

import os
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..atomic import Name, replace_file
from ..data.csr import Csr
from ..data.rows import rows_of
from ..errors import InputError
from .arrays.writing import npy_bytes, npz_bytes
from .cells import Notes, blocks, entries
from .compression import packed
from .formats import format_named
from .sheet import Sheet
from .tables.writing import arrow_bytes, csv_bytes
from .text.writing import svmlight_bytes, vw_bytes

_WRITERS: dict[str, Callable[[Sheet, str, int, Notes], bytes]] = {
    "svmlight": svmlight_bytes,
    "csv": csv_bytes,
    "tsv": csv_bytes,
    "parquet": arrow_bytes,
    "arrow": arrow_bytes,
    "npy": npy_bytes,
    "npz": npz_bytes,
    "vw": vw_bytes,
}


def write(sheet: Sheet, path: Name, format: str | None = None, *, base: int = 1) -> tuple[str, ...]:
    """Write a file, wholly or not at all. Its name says the format, if it is not given, and how it is packed.

    `base` is the index of the first feature in svmlight text. What one should know of the result is returned as notes.
    """
    name = os.fspath(path)
    chosen = format or format_named(name)
    if chosen is None:
        raise InputError(f"{name}: its name says no format; expected one that ends in .svm, .csv, .parquet, .npz, …")
    try:
        data, notes = as_bytes(sheet, chosen, base=base)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    replace_file(path, packed(data, name))
    return notes


def _with_weights(sheet: Sheet, notes: Notes) -> Sheet:
    """The same with the weights as a last column, as a table holds them."""
    rows, weights, names = sheet.rows, sheet.weights, sheet.feature_names
    name = str(sheet.reading.weight or "weight")
    if names is None or name in names:
        notes.append("the weights are not written: their column would have no name of its own")
        return sheet
    notes.append(f"the weights are column {name}: read them by --weight {name}")
    if not rows.is_sparse:
        wide = rows_of(np.column_stack([np.asarray(rows.arrays[0]), weights]))
    else:
        values, columns, starts = (np.asarray(part) for part in rows.arrays)
        ends = starts[1:]
        parts = np.insert(values[: ends[-1]], ends, weights), np.insert(columns[: ends[-1]], ends, rows.d)
        wide = rows_of(Csr(*parts, starts + np.arange(starts.size), (rows.n, rows.d + 1)))
    return replace(sheet, rows=wide, feature_names=(*names, name))


def as_bytes(sheet: Sheet, format: str, *, base: int = 1) -> tuple[bytes, tuple[str, ...]]:
    """What a file of this format holds, and notes on it."""
    if format not in _WRITERS:
        raise InputError(f"{format} is not written; expected one of {', '.join(_WRITERS)}")
    for first, last in blocks(sheet):
        counts, columns, values = entries(sheet, first, last)
        for bad in np.flatnonzero(~np.isfinite(values))[:1]:
            row = first + int(np.searchsorted(np.cumsum(counts), bad, side="right"))
            raise InputError(f"row {row}, column {columns[bad]}: not a finite number; expected one")
    notes: Notes = []
    if sheet.weights is not None and format in ("csv", "tsv", "parquet", "arrow"):
        sheet = _with_weights(sheet, notes)
    elif sheet.weights is not None and format != "vw":
        notes.append(f"{format} holds no weights: they are not written (VW text and tables hold them)")
    return _WRITERS[format](sheet, format, base, notes), tuple(notes)
