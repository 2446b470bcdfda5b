"""Sheets that come in parts, put together again and held against the sheet of the whole."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from rosenblatt import InputError
from rosenblatt.data.csr import stacked
from rosenblatt.data.rows import matrix_of, rows_of
from rosenblatt.files.options import Options
from rosenblatt.files.parts.door import input_of
from rosenblatt.files.parts.input import Input
from rosenblatt.files.read import sheet_of
from rosenblatt.files.sheet import Sheet


def outcome(read: Any, *args: Any) -> Any:
    """What is read, or the sentence that says why not."""
    try:
        return read(*args)
    except InputError as error:
        why = str(error)
    assert len(why.splitlines()) == 1
    return why


def surveyed(source: Any, options: Options, part: int) -> tuple[Input, list[Sheet]]:
    """An input, and its sheets in the columns of the whole."""
    found = input_of(source, options, part)
    found.survey()
    return found, list(found.sheets())


def joined(sheets: Iterable[Sheet]) -> tuple[Any, ...]:
    """Rows, labels, lines and weights of all parts: as plain arrays."""
    sheets = list(sheets)
    matrices = [matrix_of(sheet.rows) for sheet in sheets]
    kinds = {sheet.rows.is_sparse for sheet in sheets}
    assert len(kinds) == 1
    rows = rows_of(stacked(matrices) if kinds.pop() else np.concatenate(matrices))
    others = []
    for name in ("labels", "lines", "weights"):
        arrays = [getattr(sheet, name) for sheet in sheets]
        assert len({one is None for one in arrays}) == 1, name
        assert len({str(one.dtype) for one in arrays if one is not None}) <= 1, name
        others.append(None if arrays[0] is None else np.concatenate(arrays))
    return rows, *others


def assert_same(whole: Sheet, found: Input, sheets: list[Sheet]) -> None:
    """That the parts are the whole, bit for bit, and that as much is known of them."""
    rows, *others = joined(sheets)
    assert rows.is_sparse == whole.rows.is_sparse
    assert (rows.n, rows.d) == (whole.rows.n, whole.rows.d)
    for mine, theirs in zip(rows.arrays, whole.rows.arrays, strict=True):
        one, two = np.asarray(mine), np.asarray(theirs)
        assert one.dtype == two.dtype
        assert one.tobytes() == two.tobytes()
    for mine, theirs in zip(others, (whole.labels, whole.lines, whole.weights), strict=True):
        assert (mine is None) == (theirs is None)
        if mine is not None:
            assert mine.dtype == theirs.dtype
            assert mine.tolist() == theirs.tolist()
    layout = found.layout
    assert layout.n_columns == whole.rows.d
    assert layout.first_column == 0
    for name in ("feature_names", "reading", "notes", "details", "levels", "hashed"):
        assert getattr(layout, name) == getattr(whole, name), name
    assert sum(rows for _, rows in layout.files) == whole.rows.n


def check_like_whole(path: Any, options: Options, part: int) -> str:
    """That parts come out as the whole does, or are refused as it is; the sentence, if they are.

    Where several things are wrong, what is found first may be another one.
    """
    whole = outcome(sheet_of, path, options)
    parts = outcome(surveyed, path, options, part)
    if isinstance(whole, str) or isinstance(parts, str):
        assert isinstance(whole, str), parts
        assert isinstance(parts, str), whole
        return whole if whole == parts else f"{whole} | {parts}"
    assert_same(whole, *parts)
    return ""
