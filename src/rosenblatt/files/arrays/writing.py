"""Writing NumPy's .npy and .npz; a sparse .npz is SciPy's."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..cells import Notes, check_size, numeric_labels, table_of
from ..sheet import Sheet


def npy_bytes(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    """One table, the label last."""
    check_size(sheet)
    table = table_of(sheet, 0, sheet.rows.n)
    if sheet.feature_names is not None:
        notes.append("npy holds no names: columns are in their order, and the label is the last")
    if sheet.labels is None:
        notes.append("no labels: every column is a feature")
    else:
        labels = numeric_labels(sheet, "npy", notes)
        narrow = labels.astype(table.dtype)
        table = np.column_stack([table, narrow if (narrow == labels).all() else labels.astype(np.float64)])
    file = io.BytesIO()
    np.save(file, table, allow_pickle=False)
    return file.getvalue()


def npz_bytes(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    """Rows `X`, or a sparse matrix in SciPy's form; labels `y`; `feature_names`."""
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
