"""Writing: a sheet as a file of any format that is read, but for ARFF.

Numbers are written as the shortest decimals that read back as the same float64, bit for bit. What a format cannot hold
is refused, or said in a note where a reader could not be misled by it.
"""

import io
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..atomic import Name, replace_file
from ..errors import InputError, install, shown
from .formats import format_named
from .sheet import Sheet
from .tables.csv_header import MISSING, may_be_number
from .tables.label_column import LABELS

MOST_COLUMNS = 100_000  # of a table in which every cell is written
MOST_CELLS = 2**31

Notes = list[str]


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
    replace_file(path, _packed(data, name))
    return notes


def as_bytes(sheet: Sheet, format: str, *, base: int = 1) -> tuple[bytes, tuple[str, ...]]:
    """What a file of this format holds, and notes on it."""
    if format not in _WRITERS:
        raise InputError(f"{format} is not written; expected one of {', '.join(_WRITERS)}")
    for first, last in _blocks(sheet):
        counts, columns, values = _entries(sheet, first, last)
        for bad in np.flatnonzero(~np.isfinite(values))[:1]:
            row = first + int(np.searchsorted(np.cumsum(counts), bad, side="right"))
            raise InputError(f"row {row}, column {columns[bad]}: not a finite number; expected one")
    notes: Notes = []
    return _WRITERS[format](sheet, format, base, notes), tuple(notes)


def _packed(data: bytes, name: str) -> bytes:
    ending = os.path.splitext(name)[1].lower()
    if ending == ".gz":
        import gzip

        return gzip.compress(data, 6, mtime=0)
    if ending == ".bz2":
        import bz2

        return bz2.compress(data)
    if ending == ".xz":
        import lzma

        return lzma.compress(data)
    if ending == ".zst":
        try:
            import zstandard
        except ModuleNotFoundError:
            raise InputError(f"{name}: needs zstandard: {install('zstandard')}, or choose .gz") from None
        return zstandard.ZstdCompressor().compress(data)
    return data


# --- Text with the values that are not 0. ---


def _svmlight(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    if base not in (0, 1):
        raise InputError(f"base must be 0 or 1, the index of the first feature, not {base!r}")
    labels = _numerals(_numeric(sheet, "svmlight", notes))
    if sheet.feature_names is not None:
        notes.append(
            "svmlight holds no names: features are numbered as they come in this file, and otherwise in another;"
            " --hash-bits numbers them alike in all"
        )
    extra = _corners(sheet, base)
    lines: list[str] = []
    for first, last in _blocks(sheet):
        counts, columns, values = _entries(sheet, first, last)
        if first == 0:
            counts, columns, values = _with_zeros(counts, columns, values, extra)
        items = [f" {j}:{x!r}" for j, x in zip((columns + base).tolist(), values.tolist(), strict=True)]
        lines.append(_lines(labels[first:last], counts, items))
    return "".join(lines).encode()


def _corners(sheet: Sheet, base: int) -> list[int]:
    """Columns to be written as 0 in the first row, so that a reader finds out how many there are, and the base."""
    wanted = {sheet.rows.d - 1} if base else {0, sheet.rows.d - 1}
    for begin, end in _blocks(sheet):
        columns = _entries(sheet, begin, end)[1]
        wanted = {column for column in wanted if not (columns == column).any()}
    return sorted(wanted)


def _with_zeros(
    counts: NDArray[np.int64], columns: NDArray[np.int64], values: NDArray[np.float64], extra: list[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The same with zeros in these columns of the first row, where nothing is."""
    counts = counts.copy()
    for column in extra:
        at = int(np.searchsorted(columns[: counts[0]], column))
        columns, values = np.insert(columns, at, column), np.insert(values, at, 0.0)
        counts[0] += 1
    return counts, columns, values


def _vw(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    names = sheet.feature_names or tuple(map(str, range(sheet.rows.d)))
    for name in names:
        if not name or not name.isprintable() or any(character in " :|" for character in name):
            raise InputError(f"VW text cannot hold the name {shown(name)}; expected no blanks, ':' and '|' in names")
    labels = _vw_labels(sheet, notes)
    lines: list[str] = []
    for first, last in _blocks(sheet):
        counts, columns, values = _entries(sheet, first, last)
        items = [f" {names[j]}:{x!r}" for j, x in zip(columns.tolist(), values.tolist(), strict=True)]
        lines.append(_lines(labels[first:last], counts, items))
    return "".join(lines).encode()


def _vw_labels(sheet: Sheet, notes: Notes) -> list[str]:
    if sheet.labels is None:
        return ["|"] * sheet.rows.n
    classes = np.unique(sheet.labels)
    if classes.size == 2 and sheet.labels.dtype.kind in "fib":
        if classes.tolist() != [-1, 1]:
            notes.append(f"VW has two classes as -1 and 1: {classes[0]} is written as -1, {classes[1]} as 1")
        return [("1 |" if positive else "-1 |") for positive in (sheet.labels == classes[1]).tolist()]
    return [f"{label} |" for label in _numerals(_numeric(sheet, "VW text", notes))]


def _lines(labels: Sequence[str], counts: NDArray[np.int64], items: list[str]) -> str:
    ends = np.cumsum(counts).tolist()
    text = "\n".join(
        label + "".join(items[begin:end]) for label, begin, end in zip(labels, [0, *ends], ends, strict=False)
    )
    return (text + "\n").replace(".0 ", " ").replace(".0\n", "\n")  # whole numbers need no point


# --- Tables of all cells. ---


def _separated(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    delimiter = "\t" if format == "tsv" else ","
    names = _header(sheet, notes)
    for name in names:
        if not name.strip() or name != name.strip(" \t") or any(mark in name for mark in "\0\n\r"):
            raise InputError(
                f"CSV cannot hold the name {shown(name)}; expected one without blanks around it, on a line"
            )
        if may_be_number(name) and names[0].lower() not in LABELS:
            raise InputError(f"a column named {shown(name)} would make CSV's header look like a row; parquet keeps it")
    labels = None if sheet.labels is None else _cells(sheet.labels, notes)
    lines = [delimiter.join(map(_quoted, names)) + "\n"]
    for first, last in _blocks(sheet, sheet.rows.d):
        cells = [delimiter.join(map(repr, row)) for row in _table(sheet, first, last).astype(np.float64).tolist()]
        text = ("\n".join(cells) + "\n").replace(".0" + delimiter, delimiter).replace(".0\n", "\n")
        if labels is not None:
            rows = zip(labels[first:last], text.splitlines(), strict=True)
            text = "".join(f"{label}{delimiter}{row}\n" for label, row in rows)
        lines.append(text)
    return "".join(lines).encode()


def _cells(labels: NDArray[Any], notes: Notes) -> list[str]:
    """Labels as they read back: what is text must not look like a number, nor like nothing."""
    if labels.dtype.kind == "b":
        notes.append("the labels False and True are written as text, false and true")
        return ["true" if label else "false" for label in labels.tolist()]
    if labels.dtype.kind != "O":
        return _numerals(labels)
    classes = sorted(set(labels.tolist()))
    for label in classes:
        if label.strip(" \t") in MISSING or "\0" in label:
            raise InputError(f"the label {shown(label)} would be missing in CSV; expected another, or parquet or npz")
    if all(map(may_be_number, classes)):
        raise InputError(f"labels are text that looks like numbers, such as {shown(classes[0])}; parquet keeps it text")
    known = {label: _quoted(label) for label in classes}
    return [known[label] for label in labels.tolist()]


def _quoted(text: str) -> str:
    """Within quotes if it has some, or anything that separates fields or lines in some dialect."""
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in '",;\t\n\r') else text


def _header(sheet: Sheet, notes: Notes) -> list[str]:
    """The label's name first, if there are labels; then those of the features."""
    _check_size(sheet)
    names = list(sheet.feature_names or (f"x{j}" for j in range(sheet.rows.d)))
    if sheet.labels is None:
        return names
    own = sheet.reading.label
    free = [name for name in (own, *LABELS) if isinstance(name, str) and name not in names]
    if not free:
        raise InputError(f"features have the names {', '.join(LABELS)}; expected one that is free for the label")
    taken = [name for name in names if name.lower() in LABELS]
    if free[0].lower() not in LABELS or taken:
        notes.append(f"the label's column is {shown(free[0])}: say so when reading it (label=, --label)")
    return [free[0], *names]


def _check_size(sheet: Sheet) -> None:
    n, d = sheet.rows.n, sheet.rows.d
    if d > MOST_COLUMNS or n * d > MOST_CELLS:
        raise InputError(
            f"a table of {n} × {d} cells is too large; expected at most {MOST_COLUMNS} columns and {MOST_CELLS} cells:"
            " svmlight and npz hold what is not 0 alone"
        )


def _columnar(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise InputError(f"{format} needs pyarrow: {install('pyarrow')}, or choose .csv or .npz") from None
    names = _header(sheet, notes)
    labels = sheet.labels
    kind = pyarrow.from_numpy_dtype(_stored(sheet).dtype)
    fields = [(name, kind) for name in names[labels is not None :]]
    if labels is not None:
        by_kind = {"O": pyarrow.string(), "b": pyarrow.bool_(), "f": pyarrow.float64()}
        fields.insert(0, (names[0], by_kind.get(labels.dtype.kind, pyarrow.int64())))
    schema, out = pyarrow.schema(fields), pyarrow.BufferOutputStream()
    new = pyarrow.parquet.ParquetWriter if format == "parquet" else pyarrow.ipc.new_file
    with new(out, schema) as writer:
        for first, last in _blocks(sheet, sheet.rows.d, 2**22):
            arrays = [pyarrow.array(column) for column in _table(sheet, first, last).T]
            if labels is not None:
                arrays.insert(0, pyarrow.array(labels[first:last], schema.field(0).type))
            writer.write_batch(pyarrow.record_batch(arrays, schema=schema))
    written: bytes = out.getvalue().to_pybytes()
    return written


# --- NumPy's files. ---


def _npy(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    _check_size(sheet)
    table = _table(sheet, 0, sheet.rows.n)
    if sheet.feature_names is not None:
        notes.append("npy holds no names: columns are in their order, and the label is the last")
    if sheet.labels is None:
        notes.append("no labels: every column is a feature")
    else:
        labels = _numeric(sheet, "npy", notes)
        narrow = labels.astype(table.dtype)
        table = np.column_stack([table, narrow if (narrow == labels).all() else labels.astype(np.float64)])
    file = io.BytesIO()
    np.save(file, table, allow_pickle=False)
    return file.getvalue()


def _npz(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    rows = sheet.rows
    parts: dict[str, Any] = {}
    if rows.is_sparse:  # as scipy.sparse.save_npz has it; load_npz passes over what else is there
        values, columns, starts = (np.asarray(part) for part in rows.arrays)
        used = slice(0, int(starts[-1]))  # the values may go on
        parts = {"format": b"csr", "shape": (rows.n, rows.d), "_is_array": True}
        parts |= {"data": values[used], "indices": columns[used], "indptr": starts}
    else:
        parts["X"] = rows.arrays[0]
    if sheet.labels is not None:
        parts["y"] = _texts(sheet.labels.tolist()) if sheet.labels.dtype.kind == "O" else sheet.labels
    if sheet.feature_names is not None:
        parts["feature_names"] = _texts(sheet.feature_names)
    file = io.BytesIO()
    np.savez(file, **parts)
    return file.getvalue()


def _texts(texts: Sequence[str]) -> NDArray[np.str_]:
    for text in texts:
        if text.endswith("\0"):
            raise InputError(f"npz cannot hold the text {shown(text)}; expected none that ends with NUL")
    return np.array(texts, dtype=np.str_)


# --- What they share. ---

_WRITERS: dict[str, Callable[[Sheet, str, int, Notes], bytes]] = {
    "svmlight": _svmlight,
    "csv": _separated,
    "tsv": _separated,
    "parquet": _columnar,
    "arrow": _columnar,
    "npy": _npy,
    "npz": _npz,
    "vw": _vw,
}


def _blocks(sheet: Sheet, width: int | None = None, cells: int = 2**18) -> Iterator[tuple[int, int]]:
    """Rows, some at a time: as many as have so many cells, of so many in a row, or of those that are stored."""
    rows = sheet.rows
    step = max(1, cells // max(1, width or _stored(sheet).size // rows.n))
    for first in range(0, rows.n, step):
        yield first, min(first + step, rows.n)


def _stored(sheet: Sheet) -> NDArray[Any]:
    return np.asarray(sheet.rows.arrays[0])


def _entries(sheet: Sheet, first: int, last: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """How many entries each of these rows has; their columns, and values. Of dense rows, all but +0.0."""
    if not sheet.rows.is_sparse:
        table = _stored(sheet)[first:last].astype(np.float64)
        row, column = np.nonzero(table.view(np.int64))
        return np.bincount(row, minlength=last - first), column, table[row, column]
    values, columns, starts = (np.asarray(part) for part in sheet.rows.arrays)
    begin, end = int(starts[first]), int(starts[last])
    counts = np.diff(starts[first : last + 1]).astype(np.int64)
    return counts, columns[begin:end].astype(np.int64), values[begin:end].astype(np.float64)


def _table(sheet: Sheet, first: int, last: int) -> NDArray[Any]:
    """These rows with all their cells."""
    if not sheet.rows.is_sparse:
        return _stored(sheet)[first:last]
    counts, columns, values = _entries(sheet, first, last)
    table = np.zeros((last - first, sheet.rows.d), dtype=_stored(sheet).dtype)
    table[np.repeat(np.arange(last - first), counts), columns] = values
    return table


def _numeric(sheet: Sheet, what: str, notes: Notes) -> NDArray[Any]:
    """Labels that are numbers. Raises `InputError` for others."""
    if sheet.labels is None:
        notes.append(f"no labels: {what} has 0 for each")
        return np.zeros(sheet.rows.n, dtype=np.int64)
    if sheet.labels.dtype.kind == "b":
        notes.append("the labels False and True are written as 0 and 1")
        return sheet.labels.astype(np.int64)
    if sheet.labels.dtype.kind not in "fi":
        raise InputError(
            f"{what} holds no labels such as {shown(sheet.labels.tolist()[0])}; expected numbers: csv, parquet and npz"
            " hold text"
        )
    if sheet.labels.dtype.kind == "i" and max(-int(sheet.labels.min()), int(sheet.labels.max())) > 2**53:
        raise InputError(f"{what} holds no labels beyond 2**53; csv, parquet and npz do")
    return sheet.labels


def _numerals(numbers: NDArray[Any]) -> list[str]:
    return [text.removesuffix(".0") if text != "-0.0" else text for text in map(repr, numbers.tolist())]
