"""Writing CSV, TSV, Parquet and Arrow: tables of all cells."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, install, shown
from ..cells import Notes, blocks, check_size, numerals, stored_values, table_of
from ..sheet import Sheet
from .header_evidence import MISSING, may_be_number
from .label_column import LABELS


def csv_bytes(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    """CSV or TSV, the label first."""
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
    for first, last in blocks(sheet, sheet.rows.d):
        cells = [delimiter.join(map(repr, row)) for row in table_of(sheet, first, last).astype(np.float64).tolist()]
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
        return numerals(labels)
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
    check_size(sheet)
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


def arrow_bytes(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    """Parquet or an Arrow IPC file, the label first."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise InputError(f"{format} needs pyarrow: {install('pyarrow')}, or choose .csv or .npz") from None
    names = _header(sheet, notes)
    labels = sheet.labels
    kind = pyarrow.from_numpy_dtype(stored_values(sheet).dtype)
    fields = [(name, kind) for name in names[labels is not None :]]
    if labels is not None:
        by_kind = {"O": pyarrow.string(), "b": pyarrow.bool_(), "f": pyarrow.float64()}
        fields.insert(0, (names[0], by_kind.get(labels.dtype.kind, pyarrow.int64())))
    schema, out = pyarrow.schema(fields), pyarrow.BufferOutputStream()
    new = pyarrow.parquet.ParquetWriter if format == "parquet" else pyarrow.ipc.new_file
    with new(out, schema) as writer:
        for first, last in blocks(sheet, sheet.rows.d, 2**22):
            arrays = [pyarrow.array(column) for column in table_of(sheet, first, last).T]
            if labels is not None:
                arrays.insert(0, pyarrow.array(labels[first:last], schema.field(0).type))
            writer.write_batch(pyarrow.record_batch(arrays, schema=schema))
    written: bytes = out.getvalue().to_pybytes()
    return written
