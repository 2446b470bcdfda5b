"""Arrays: NumPy's .npy and .npz, SciPy's sparse .npz, and arrays in memory.

A .npy is a table of numbers, one column of which is the label: the last, unless said otherwise. A .npz holds rows as
`X`, `data` or `features`, labels as `y`, `target`, `labels` or `label`, and the names of columns, if there are any, as
`feature_names`; or the parts of a sparse matrix as SciPy saves them (csr, csc, coo), and the labels beside them.
SciPy itself is not needed. Pickled objects are never opened.

What a header says of sizes is a claim: bytes are taken as they come, up to what it says, and memory with them.
"""

import io
import math
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, plural, shown
from ..examples import column_of, rows_of
from .opening import BLOCK, Opened
from .options import Options
from .sheet import Sheet
from .svmlight import whole

ROWS = ("X", "data", "features")
LABELS = ("y", "target", "labels", "label")
NAMES = "feature_names"

Names = tuple[str, ...] | None
_HEADER = 10_000  # bytes of a .npy header that are looked at: NumPy's own bound


def read_npy(opened: Opened, options: Options) -> Sheet:
    """The table in a .npy file. The fields of a structured array are columns with names."""
    table, names = _npy(opened, opened.name, None), None
    if table.dtype.names is not None and table.ndim == 1:
        names = table.dtype.names
        for name in names:
            if (kind := table.dtype[name]).kind not in "fiub":
                raise InputError(f"{opened.name}: field {shown(name)} of type {shown(str(kind))}; expected numbers")
        table = np.stack([table[name] for name in names], axis=1)
    return _sheet(opened.name, "npy", *_parted(table, names, options, opened.name), options)


def read_npz(opened: Opened, options: Options) -> Sheet:
    """The rows and labels in a .npz file, dense or sparse."""
    with _sound(opened.name):
        archive = zipfile.ZipFile(opened.plain_path or io.BytesIO(opened.all()))
    with archive:
        found = _archived(archive, opened.name, options)
    if opened.progress is not None and opened.size is not None:
        opened.progress(opened.size, opened.size)
    return _sheet(opened.name, "npz", *found, options)


def read_array(X: Any, y: Any, options: Options, name: str = "array") -> Sheet:
    """Rows in memory: whatever `Examples.of` takes. Without y, a column of X is the label, as the options say.

    >>> sheet = read_array([[1.0, 2.0, 0], [3.0, 4.0, 1]], None, Options(label=-1))
    >>> sheet.labels.tolist(), sheet.rows.d
    ([0, 1], 2)
    """
    if y is not None and options.label is not None:
        raise InputError(f"{name}: the labels are given as y; expected no column for them (label=)")
    if y is not None or (hasattr(X, "tocsr") and options.labels != "needed"):
        return _sheet(name, None, X, y, None, None, [], options)
    if hasattr(X, "tocsr"):
        raise InputError(f"{name}: a sparse matrix without labels; expected them as y")
    try:
        table = np.asarray(X)
    except ValueError as error:
        raise InputError(f"{name}: rows must form a table of numbers: {error}") from None
    return _sheet(name, None, *_parted(table, None, options, name), options)


# --- One array. ---


def _npy(file: Any, where: str, size: int | None) -> NDArray[Any]:
    """The array that a .npy stream holds, and nothing behind it; `size` is how long the stream is said to be."""
    shape, by_columns, dtype, head = _header(file, where)
    if dtype.hasobject:
        raise InputError(f"{where}: it holds Python objects, which are never opened; expected an array of numbers")
    if dtype.itemsize == 0 or not all(0 <= length < 2**63 for length in shape):
        raise InputError(f"{where}: shape {shown(shape)} of {shown(str(dtype))}; expected numbers")
    claim = math.prod(shape) * dtype.itemsize
    if size is not None and size != head + claim:
        raise InputError(f"{where}: {plural(size, 'byte')}; expected {head + claim} for the shape {shown(shape)}")
    data = bytearray()
    while len(data) <= claim and (block := file.read(min(BLOCK, claim + 1 - len(data)))):
        data += block
    if len(data) != claim:
        found = f"more than {claim}" if len(data) > claim else f"{len(data)}"
        raise InputError(f"{where}: {found} bytes of numbers; expected {claim} for the shape {shown(shape)}")
    try:
        return np.frombuffer(data, dtype).reshape(shape, order="F" if by_columns else "C")
    except ValueError as error:  # a side of 2**62, and another of 0
        raise InputError(f"{where}: shape {shown(shape)} ({_one_line(error)}); expected a table") from None


def _header(file: Any, where: str) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Shape, whether column by column, type; and how many bytes say so."""
    start = _exactly(file, 8)
    if start[:6] != b"\x93NUMPY" or len(start) < 8:
        raise InputError(f"{where}: not a .npy array; expected one as numpy.save writes it")
    version = start[6], start[7]
    if version not in ((1, 0), (2, 0)):  # the third is for names of fields beyond Latin-1
        raise InputError(f"{where}: a .npy of version {version[0]}.{version[1]}; expected 1.0 or 2.0")
    length = _exactly(file, 2 if version == (1, 0) else 4)
    claim = int.from_bytes(length, "little")
    if claim > _HEADER:
        raise InputError(f"{where}: a header of {claim} bytes; expected at most {_HEADER}")
    parse = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    text = _exactly(file, claim)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a header that Python 2 wrote, and which is fine
            shape, by_columns, dtype = parse(io.BytesIO(length + text), max_header_size=_HEADER)
    except Exception as error:  # it is a Python literal: there is much that it may be instead
        raise InputError(f"{where}: its header cannot be read ({shown(_one_line(error))}); expected a .npy") from None
    return shape, by_columns, dtype, 8 + len(length) + claim


def _exactly(file: Any, size: int) -> bytes:
    """So many bytes, or all that are left."""
    data = b""
    while len(data) < size and (more := file.read(size - len(data))):
        data += more
    return data


def _parted(
    table: NDArray[Any], names: Names, options: Options, where: str
) -> tuple[NDArray[Any], NDArray[Any] | None, Names, str | int | None, list[str]]:
    """Features, labels, names of the features, which column the labels were, notes."""
    if table.ndim != 2 or 0 in table.shape:
        raise InputError(f"{where}: shape {table.shape}; expected a table of rows and columns")
    columns = table.shape[1]
    if options.label is None and options.labels != "needed":
        return table, None, names, None, ["every column is a feature; label= (--label) says otherwise"]
    position = -1 if options.label is None else _position(options.label, names, columns, where)
    notes = [] if options.label is not None else ["the last column is the label; label= (--label) says otherwise"]
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
        there = "columns have no names here: give a position" if names is None else f"there are {_listed(names)}"
        raise InputError(f"{where}: no column {shown(label)}; {there}")
    if not -columns <= int(label) < columns:
        raise InputError(f"{where}: no column {int(label)}; expected 0 to {columns - 1}, or -1 for the last one")
    return int(label)


# --- Arrays in a zip. ---


@contextmanager
def _sound(where: str) -> Iterator[None]:
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:  # whatever a damaged zip makes of zipfile and its decompressors
        raise InputError(
            f"{where}: not a sound zip ({_one_line(error)}); expected arrays as numpy.savez writes them"
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
            raise InputError(f"{where}: no array {shown(key)} in it; there are {_listed(tuple(members))}")
        with _sound(where), archive.open(members[key]) as file:
            return _npy(file, f"{where}: array {shown(key)}", members[key].file_size)

    sparse = "format" in members and "shape" in members
    found = ["data"] if sparse else [key for key in ROWS if key in members]
    named = isinstance(options.label, str) and options.label in members
    labels = [str(options.label)] if named else [key for key in LABELS if key in members]
    if len(found) != 1 or len(labels) > 1:
        raise InputError(f"{where}: its arrays are {_listed(tuple(members))}; expected rows X and labels y")
    if labels and not named and options.label is not None:
        raise InputError(f"{where}: the labels are its array {labels[0]!r}; expected no column for them (--label)")
    if not labels and ((options.label is None or sparse) and options.labels == "needed"):
        how = "" if sparse else ", or say which column of X they are (label=, --label)"
        raise InputError(f"{where}: no labels: its arrays are {_listed(tuple(members))}; expected an array y{how}")
    y = take(labels[0]) if labels else None
    names = _names(take(NAMES), where) if NAMES in members else None
    if sparse:
        X = _sparse(take, members, None if y is None else y.size, where)
        return X, y, names, options.label if named else None, []
    table = take(found[0])
    if y is None:
        if names is not None and (table.ndim != 2 or len(names) != table.shape[1]):
            raise InputError(f"{where}: {plural(len(names), 'feature name')} for an array of shape {table.shape}")
        return _parted(table, names, options, where)
    return table, y, names, options.label if named else None, []


class _Csr(NamedTuple):
    """What `rows_of` looks at in a CSR matrix of SciPy's."""

    data: NDArray[Any]
    indices: NDArray[Any]
    indptr: NDArray[Any]
    shape: tuple[int, int]
    format: str = "csr"

    def tocsr(self) -> "_Csr":
        return self


def _sparse(take: Any, members: Any, labels: int | None, where: str) -> _Csr:
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
        return _Csr(values, column, starts, (n, d))
    # Of CSR each row has a number in the file. Elsewhere n alone says how many there are, and it may say anything.
    if form != "csr" and (n != labels if labels is not None else n > 2**20 + 64 * values.size):
        found = plural(values.size, "value") if labels is None else plural(labels, "label")
        raise InputError(f"{flaw}{n} rows claimed for {found}; expected a label for each row, or CSR form")
    return _summed(values, row, column, (n, d))


def _summed(values: NDArray[Any], row: NDArray[Any], column: NDArray[Any], shape: tuple[int, int]) -> _Csr:
    """CSR from entries in any order; those in the same place are added up."""
    order = np.lexsort((column, row))
    values, row, column = values[order], row[order].astype(np.int64), column[order].astype(np.int32)
    first = np.ones(row.size, dtype=bool)
    first[1:] = (row[1:] != row[:-1]) | (column[1:] != column[:-1])
    if not first.all() and values.dtype.kind in "fiub":
        wide = values if values.dtype.kind == "f" else values.astype(np.int64)
        values = np.add.reduceat(wide, np.flatnonzero(first))
        row, column = row[first], column[first]
    starts = np.zeros(shape[0] + 1, dtype=np.int64)
    np.cumsum(np.bincount(row, minlength=shape[0]), out=starts[1:])
    return _Csr(values, column, starts, shape)


def _names(names: NDArray[Any], where: str) -> tuple[str, ...]:
    if names.ndim != 1 or names.dtype.kind not in "US":
        raise InputError(f"{where}: array {NAMES!r}: {names.dtype} of shape {names.shape}; expected a list of texts")
    listed = tuple(_texts(names, f"{where}: array {NAMES!r}").tolist())
    if len(set(listed)) < len(listed):
        raise InputError(f"{where}: array {NAMES!r}: some name is in it twice; expected one for each column")
    return listed


# --- Rows without gaps, and labels. ---


def _sheet(
    where: str, format: str | None, X: Any, y: Any, names: Names, label: Any, notes: list[str], options: Options
) -> Sheet:
    """The numbers checked, missing ones dealt with, labels made what labels are."""
    if options.hash_bits is not None:
        raise InputError(f"{where}: the columns of an array are not hashed; expected no hash_bits (--hash-bits)")
    if isinstance(X, np.ndarray) and X.dtype.kind == "V":
        raise InputError(f"{where}: values of type {shown(str(X.dtype))}; expected numbers")
    try:
        rows = rows_of(X)
        y = None if y is None else column_of(y, rows.n)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if names is not None and len(names) != rows.d:
        raise InputError(f"{where}: {plural(len(names), 'feature name')} for {plural(rows.d, 'column')}")
    reading = {"format": format, "label": label, "missing": options.missing}
    keep = np.ones(rows.n, dtype=bool)
    parts: list[Any] = list(rows.arrays)
    parts[0], reading["fill"] = _filled(parts, rows.n, keep, names, options, where)
    labels = None if y is None else _labels(y, keep, options, where)
    if not keep.all():
        dropped = np.flatnonzero(~keep)
        listed = ", ".join(map(str, dropped[:8].tolist())) + (", …" if dropped.size > 8 else "")
        notes = [*notes, f"{plural(dropped.size, 'row')} with missing values dropped: {listed}"]
        if dropped.size == keep.size:
            raise InputError(f"{where}: every row has a missing value; expected some rows that have none")
        parts = _kept(parts, keep)
    if parts[0] is not rows.arrays[0]:
        shape = int(keep.sum()), rows.d
        rows = rows_of(_Csr(parts[0], parts[1], parts[2], shape) if rows.is_sparse else parts[0])
    known = {key: value for key, value in reading.items() if value is not None}
    return Sheet(where, format or "array", rows, labels, names, None, known, tuple(notes))


def _filled(
    parts: list[Any], n: int, keep: NDArray[np.bool_], names: Names, options: Options, where: str
) -> tuple[NDArray[Any], dict[str, float] | None]:
    """The values, each finite or in a row that is not kept; and the means that stand for missing ones."""
    flat = parts[0].reshape(-1) if len(parts) == 1 else parts[0][: int(parts[2][-1])]  # it may end before the values do
    bad = np.concatenate(  # in blocks, so that asking takes no memory to speak of
        [np.zeros(0, np.int64)]
        + [
            first + np.flatnonzero(~finite)
            for first in range(0, flat.size, 2**20)
            if not (finite := np.isfinite(flat[first : first + 2**20])).all()
        ]
    )
    if len(parts) == 1:
        row, column = np.divmod(bad, parts[0].shape[1])
    else:
        row, column = np.searchsorted(parts[2], bad, side="right") - 1, parts[1][bad].astype(np.int64)
    missing = np.isnan(flat[bad])
    for first in np.flatnonzero(~missing if options.missing != "refuse" else missing | True)[:1]:
        name = column[first] if names is None else shown(names[column[first]])
        what = "missing (NaN)" if missing[first] else "infinite"
        how = " (missing=, --missing says what to do)" if missing[first] else ""
        raise InputError(f"{where}: row {row[first]}, column {name}: {what}; expected a finite number{how}")
    if options.missing == "drop":
        keep[row] = False
    if options.missing not in ("zero", "mean"):
        return parts[0], None
    means, stand_ins = None, 0.0
    if options.missing == "mean":
        means, stand_ins = _means(parts, n, bad, column, names, options, where)
    if not bad.size:
        return parts[0], means
    filled = parts[0].copy()
    filled.reshape(-1)[bad] = stand_ins
    return filled, means


def _means(
    parts: list[Any], n: int, bad: NDArray[Any], column: NDArray[Any], names: Names, options: Options, where: str
) -> tuple[dict[str, float], Any]:
    """By column, its mean over the rows that have a value, or the one given; and what stands for each bad value.

    Of a sparse matrix, means are kept of the columns that lack values only: there may be very many others.
    """
    lacking, place, counts = np.unique(column, return_inverse=True, return_counts=True)
    if len(parts) == 1:
        sums: Any = np.nansum(parts[0], axis=0, dtype=np.float64)
        has = np.full(sums.size, n)
        has[lacking] -= counts
        some, place = np.arange(sums.size), column
    else:
        some, has = lacking, n - counts
        if not some.size:
            return dict(options.fill or {}), 0.0
        entry = np.minimum(np.searchsorted(some, parts[1]), some.size - 1)
        known = some[entry] == parts[1]
        known[bad] = False
        sums = np.bincount(entry[known], parts[0][known], some.size)
    keys = [str(j) if names is None else names[j] for j in some.tolist()]
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / has if options.fill is None else np.array([options.fill.get(key, math.nan) for key in keys])
    lost = ~np.isfinite(means)
    if lost[place].any():
        key = shown(keys[int(place[lost[place]][0])])
        raise InputError(f"{where}: column {key}: values are missing and it has no mean; expected missing=zero or drop")
    found = {key: mean for key, mean in zip(keys, means.tolist(), strict=True) if math.isfinite(mean)}
    return dict(options.fill or found), means[place]


def _kept(parts: list[Any], keep: NDArray[np.bool_]) -> list[Any]:
    """Those rows alone."""
    if len(parts) == 1:
        return [parts[0][keep]]
    values, columns, starts = parts
    lengths = np.diff(starts)
    entries = np.repeat(keep, lengths)
    used = slice(0, entries.size)  # indptr may end before the values do
    return [values[used][entries], columns[used][entries], np.concatenate([[0], np.cumsum(lengths[keep])])]


def _labels(y: NDArray[Any], keep: NDArray[np.bool_], options: Options, where: str) -> NDArray[Any]:
    """int64 where all are whole numbers, else float64; bool; or text. Those of rows that are dropped are left out."""
    if y.dtype.kind not in "fiubUSO":
        raise InputError(f"{where}: labels of type {y.dtype}; expected numbers, text or booleans")
    lacking = np.flatnonzero(np.isnan(y)) if y.dtype.kind == "f" else np.zeros(0, np.int64)
    if lacking.size and options.missing != "drop":
        raise InputError(f"{where}: row {lacking[0]}: its label is missing; expected one for each row, or missing=drop")
    keep[lacking] = False
    if y.dtype.kind == "f" and (infinite := np.flatnonzero(np.isinf(y))).size:
        raise InputError(f"{where}: row {infinite[0]}: its label is infinite; expected a finite number")
    y = y[keep]
    if y.dtype.kind in "US":
        return _texts(y, f"{where}: labels")
    if y.dtype.kind == "u" and y.size and int(y.max()) >= 2**63:
        raise InputError(f"{where}: label {int(y.max())}; expected whole numbers below 2**63")
    if y.dtype.kind in "iu":
        return y.astype(np.int64)
    return whole(y.astype(np.float64)) if y.dtype.kind == "f" else y


def _texts(values: NDArray[Any], where: str) -> NDArray[Any]:
    texts = np.empty(values.size, dtype=object)
    try:
        texts[:] = [value.decode() if isinstance(value, bytes) else str(value) for value in values.tolist()]
    except UnicodeDecodeError:
        raise InputError(f"{where}: bytes that are not UTF-8; expected text") from None
    return texts


def _listed(names: tuple[str, ...]) -> str:
    return (", ".join(map(shown, names[:8])) + (", …" if len(names) > 8 else "")) or "none"


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:100] or type(error).__name__
