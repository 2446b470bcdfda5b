"""What writers take of a sheet: its rows, some at a time, by their entries or all their cells; labels as numbers."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..choices import LARGEST_EXACT
from ..errors import InputError, shown
from .sheet import Sheet

MOST_COLUMNS = 100_000  # of a table in which every cell is written
MOST_CELLS = 2**31

Notes = list[str]
"""What one should know of a file that is written: writers add to it."""


def blocks(sheet: Sheet, width: int | None = None, cells: int = 2**18) -> Iterator[tuple[int, int]]:
    """Rows, some at a time: as many as have so many cells, of so many in a row, or of those that are stored."""
    rows = sheet.rows
    step = max(1, cells // max(1, width or stored_values(sheet).size // rows.n))
    for first in range(0, rows.n, step):
        yield first, min(first + step, rows.n)


def stored_values(sheet: Sheet) -> NDArray[Any]:
    """The values that are kept in memory."""
    return np.asarray(sheet.rows.arrays[0])


def entries(sheet: Sheet, first: int, last: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """How many entries each of these rows has; their columns, and values. Of dense rows, all but +0.0."""
    if not sheet.rows.is_sparse:
        table = stored_values(sheet)[first:last].astype(np.float64)
        row, column = np.nonzero(table.view(np.int64))
        return np.bincount(row, minlength=last - first), column, table[row, column]
    values, columns, starts = (np.asarray(part) for part in sheet.rows.arrays)
    begin, end = int(starts[first]), int(starts[last])
    counts = np.diff(starts[first : last + 1]).astype(np.int64)
    return counts, columns[begin:end].astype(np.int64), values[begin:end].astype(np.float64)


def table_of(sheet: Sheet, first: int, last: int) -> NDArray[Any]:
    """These rows with all their cells."""
    if not sheet.rows.is_sparse:
        return stored_values(sheet)[first:last]
    counts, columns, values = entries(sheet, first, last)
    table = np.zeros((last - first, sheet.rows.d), dtype=stored_values(sheet).dtype)
    table[np.repeat(np.arange(last - first), counts), columns] = values
    return table


def numeric_labels(sheet: Sheet, what: str, notes: Notes) -> NDArray[Any]:
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
    if sheet.labels.dtype.kind == "i" and max(-int(sheet.labels.min()), int(sheet.labels.max())) > LARGEST_EXACT:
        raise InputError(f"{what} holds no labels beyond 2**53; csv, parquet and npz do")
    return sheet.labels


def numerals(numbers: NDArray[Any]) -> list[str]:
    """Numbers as texts; whole ones without a point."""
    return [text.removesuffix(".0") if text != "-0.0" else text for text in map(repr, numbers.tolist())]


def check_size(sheet: Sheet) -> None:
    """Raises `InputError` for more cells than a file that holds all of them should have."""
    n, d = sheet.rows.n, sheet.rows.d
    if d > MOST_COLUMNS or n * d > MOST_CELLS:
        raise InputError(
            f"a table of {n} × {d} cells is too large; expected at most {MOST_COLUMNS} columns and {MOST_CELLS} cells:"
            " svmlight and npz hold what is not 0 alone"
        )
