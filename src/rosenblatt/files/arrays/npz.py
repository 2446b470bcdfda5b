"""Arrays in a zip: NumPy's .npz and SciPy's sparse .npz.

A .npz holds rows as `X`, `data` or `features`, labels as `y`, `target`, `labels` or `label`, and the names of columns,
if there are any, as `feature_names`; or the parts of a sparse matrix as SciPy saves them (csr, csc, coo), and the
labels beside them. SciPy itself is not needed.
"""

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.csr import Csr
from ...errors import InputError, plural, shown
from ..names import first_names
from ..opening import InputFile
from ..options import Options
from ..sheet import Sheet
from .label_column import split_off_label
from .npy_stream import array_in, one_line
from .sheet import Names, array_sheet, texts_of

ROWS = ("X", "data", "features")
LABELS = ("y", "target", "labels", "label")
NAMES = "feature_names"


def read_npz(opened: InputFile, options: Options) -> Sheet:
    """The rows and labels in a .npz file, dense or sparse."""
    options.refuse(opened.name, "an array", "npz")
    if not opened.peek(4).startswith(b"PK"):
        what = "not a sound zip (File is not a zip file)"
        raise InputError(f"{opened.name}: {what}; expected arrays as numpy.savez writes them")
    with _sound(opened.name):
        archive = zipfile.ZipFile(opened.plain_path or io.BytesIO(opened.all_bytes()))
    with archive:
        found = _archived(archive, opened.name, options)
    if opened.progress is not None and opened.size is not None:
        opened.progress(opened.size, opened.size)
    return array_sheet(opened.name, "npz", *found, options)


@contextmanager
def _sound(where: str) -> Iterator[None]:
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:  # whatever a damaged zip makes of zipfile and its decompressors
        raise InputError(
            f"{where}: not a sound zip ({one_line(error)}); expected arrays as numpy.savez writes them"
        ) from None


def _archived(
    archive: zipfile.ZipFile, where: str, options: Options
) -> tuple[Any, NDArray[Any] | None, Names, str | int | None, list[str]]:
    """The same five, of rows and labels in arrays of their own."""
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        key = info.filename.removesuffix(".npy")
        if key in members:
            raise InputError(f"{where}: {shown(key)} is in it twice; expected each array once")
        if "/" in key or "\\" in key or key == info.filename:
            raise InputError(f"{where}: {shown(info.filename)} is in it; expected arrays (.npy) only, and no folders")
        if info.flag_bits & 1:
            raise InputError(f"{where}: {shown(key)} is encrypted; expected arrays as numpy.savez writes them")
        members[key] = info

    def take(key: str) -> NDArray[Any]:
        if key not in members:
            raise InputError(f"{where}: no array {shown(key)} in it; there are {first_names(tuple(members))}")
        with _sound(where), archive.open(members[key]) as file:
            return array_in(file, f"{where}: array {shown(key)}", members[key].file_size)

    sparse = "format" in members and "shape" in members
    found = ["data"] if sparse else [key for key in ROWS if key in members]
    named = isinstance(options.reading.label, str) and options.reading.label in members
    labels = [str(options.reading.label)] if named else [key for key in LABELS if key in members]
    if len(found) != 1 or len(labels) > 1:
        raise InputError(f"{where}: its arrays are {first_names(tuple(members))}; expected rows X and labels y")
    if labels and not named and options.reading.label is not None:
        raise InputError(f"{where}: the labels are its array {labels[0]!r}; expected no column for them (--label)")
    if not labels and ((options.reading.label is None or sparse) and options.labels == "needed"):
        how = "" if sparse else ", or say which column of X they are (label=, --label)"
        raise InputError(f"{where}: no labels: its arrays are {first_names(tuple(members))}; expected an array y{how}")
    y = take(labels[0]) if labels else None
    names = _names(take(NAMES), where) if NAMES in members else None
    if sparse:
        X = _sparse(take, members, None if y is None else y.size, where)
        return X, y, names, options.reading.label if named else None, []
    table = take(found[0])
    if y is None:
        if names is not None and (table.ndim != 2 or len(names) != table.shape[1]):
            raise InputError(f"{where}: {plural(len(names), 'feature name')} for an array of shape {table.shape}")
        return split_off_label(table, names, options, where)
    return table, y, names, options.reading.label if named else None, []


def _sparse(take: Any, members: Any, labels: int | None, where: str) -> Csr:
    """A matrix as SciPy saves it, in CSR form with rising columns in each row."""
    kind, sides = take("format"), take("shape")
    form = str(kind.astype("U").item()) if kind.size == 1 and kind.dtype.kind in "US" else ""
    if form not in ("csr", "csc", "coo"):
        raise InputError(f"{where}: a sparse matrix of format {shown(form)}; expected csr, csc or coo: use tocsr()")
    if sides.shape != (2,) or sides.dtype.kind not in "iu" or not (sides > 0).all() or int(sides[1]) >= 2**31:
        raise InputError(
            f"{where}: a sparse matrix of shape {shown(sides.tolist())}; expected rows, and 1 to {2**31 - 1} columns"
        )
    n, d = int(sides[0]), int(sides[1])
    keys = ("data", "coords") if "coords" in members else ("data", "row", "col")
    values, *indices = map(take, keys if form == "coo" else ("data", "indices", "indptr"))
    if form == "coo" and len(indices) == 1:
        indices = list(indices[0]) if indices[0].shape[:1] == (2,) else []
    flaw = f"{where}: sparse matrix: "
    if len(indices) != 2 or {values.ndim, *(part.ndim for part in indices)} != {1}:
        raise InputError(f"{flaw}expected lists of numbers as its parts")
    if form == "coo":
        row, column = indices
    else:
        (column, starts), long = indices, n if form == "csr" else d
        if starts.dtype.kind not in "iu" or starts.shape != (long + 1,):
            raise InputError(f"{flaw}indptr has shape {starts.shape}; expected {long + 1} whole numbers")
        if starts[0] != 0 or (starts[1:] < starts[:-1]).any() or int(starts[-1]) > column.size:
            raise InputError(f"{flaw}indptr; expected numbers that rise from 0 to {column.size} at most")
        values, column = values[: int(starts[-1])], column[: int(starts[-1])]  # there may be more, without a meaning
        row = np.repeat(np.arange(long), (starts[1:] - starts[:-1]).astype(np.int64))
        if form == "csc":
            row, column = column, row
    for name, part, size in (("row", row, n), ("column", column, d)):
        if part.shape != values.shape or part.dtype.kind not in "iu":
            raise InputError(f"{flaw}{name}s of shape {part.shape}; expected a whole number for each value")
        if part.size and not 0 <= int(part.min()) <= int(part.max()) < size:
            raise InputError(f"{flaw}a {name} is not within 0 to {size - 1}")
    if form == "csr" and not ((row[1:] == row[:-1]) & (column[1:] <= column[:-1])).any():
        return Csr(values, column, starts, (n, d))
    # Of CSR each row has a number in the file. Elsewhere n alone says how many there are, and it may say anything.
    if form != "csr" and (n != labels if labels is not None else n > 2**20 + 64 * values.size):
        found = plural(values.size, "value") if labels is None else plural(labels, "label")
        raise InputError(f"{flaw}{n} rows claimed for {found}; expected a label for each row, or CSR form")
    return Csr.of_entries(values, row, column.astype(np.int32), (n, d))


def _names(names: NDArray[Any], where: str) -> tuple[str, ...]:
    if names.ndim != 1 or names.dtype.kind not in "US":
        raise InputError(f"{where}: array {NAMES!r}: {names.dtype} of shape {names.shape}; expected a list of texts")
    listed = tuple(texts_of(names, f"{where}: array {NAMES!r}").tolist())
    if len(set(listed)) < len(listed):
        raise InputError(f"{where}: array {NAMES!r}: some name is in it twice; expected one for each column")
    return listed
