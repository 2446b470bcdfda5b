"""Arrays of NumPy's .npy in parts: some rows at a time, in order; or a piece of each column, if they stand there so."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..arrays.label_column import split_off_label
from ..arrays.npy import as_table
from ..arrays.npy_stream import ArrayHeader, array_header
from ..arrays.sheet import array_sheet
from ..opening import BytesReadCallback, InputFile
from ..options import Options
from ..sheet import Sheet
from .arrays_seen import ArraysSeen, ArrayTable, arrays_layout, check_columns, missing_in
from .input import PART, Input, Layout


def _kept(X: NDArray[Any], y: NDArray[Any] | None, options: Options) -> NDArray[np.bool_]:
    """The rows that are not dropped for what is missing."""
    if options.missing != "drop":
        return np.ones(len(X), dtype=np.bool_)
    kept = np.asarray(~missing_in(X).any(axis=1))
    return kept & ~np.isnan(y) if y is not None and y.dtype.kind == "f" else kept


class NpyInput(Input):
    """One or more .npy files whose arrays have the same columns. One-shot if it is a pipe (`held`)."""

    format = "npy"

    def __init__(self, paths: Sequence[str], options: Options, held: InputFile | None = None, part: int = PART) -> None:
        name = "standard input" if paths[0] == "-" else paths[0]
        options.refuse(name, "an array", "npy")
        self.paths, self.options = tuple(paths), options
        self.name = name if len(paths) == 1 else f"{name} and {len(paths) - 1} more"
        self.again = held is None
        self._held, self._size = held, part // 2
        self._layout: Layout | None = None
        self._seen: ArraysSeen | None = None
        self._columns: tuple[int, Any] | None = None

    @property
    def layout(self) -> Layout:
        """What the whole is."""
        assert self._layout is not None, "known when all parts have come"
        return self._layout

    def survey(self, progress: BytesReadCallback | None = None) -> None:
        """See all rows: what is missing, and whether labels are whole numbers."""
        if self._layout is not None:
            return
        if not self.again:
            if self.options.missing == "mean" and self.options.reading.fill is None:
                raise InputError(
                    f"{self.name}: the means of its columns (--missing zero or drop) would take a pass of its own, and"
                    " it can be read once alone"
                )
            return
        self._settle(self.look(progress))

    def look(self, progress: BytesReadCallback | None = None) -> ArraysSeen:
        """See all rows, and settle nothing: the whole may be more files than these."""
        means = self.options.missing == "mean" and self.options.reading.fill is None
        reading = replace(self.options.reading, missing="zero") if means else self.options.reading
        checking = replace(self.options, reading=reading)
        seen, last = ArraysSeen(files=dict.fromkeys(self.paths, 0)), None
        for name, first, some in self._tables(progress):
            last = some
            X, y, names, label, notes = some
            kept = _kept(X, y, self.options)
            if kept.any():
                array_sheet(name, "npy", X, y, names, label, notes, checking, first)  # to see what is wrong
            seen.files[name] += seen.note(first, X, y, kept, self.options)
        seen.table = self._table(last)
        return seen

    def take_over(self, whole: Layout, whole_labels: bool) -> None:
        """Be some files of a whole of which all is known: its means stand for what is missing here."""
        self._layout = replace(whole, files=tuple(one for one in whole.files if one[0] in self.paths))
        self._seen = ArraysSeen(whole_labels=whole_labels, files=dict(self._layout.files))

    def sheets(self, progress: BytesReadCallback | None = None) -> Iterator[Sheet]:
        """The rows, about PART bytes at a time."""
        before = self._seen
        if before is None and self.again and self.options.missing == "mean" and self.options.reading.fill is None:
            self.survey(progress)
            before = self._seen
        reading = (
            self.options.reading
            if self._layout is None
            else replace(self.options.reading, fill=self._layout.reading.fill)
        )
        options = replace(self.options, reading=reading)
        seen, last = ArraysSeen(files=dict.fromkeys(self.paths, 0)), None
        for name, first, some in self._tables(progress):
            last = some
            X, y, names, label, notes = some
            kept = _kept(X, y, options)
            if kept.any():
                sheet = array_sheet(name, "npy", X, y, names, label, notes, options, first)
            seen.files[name] += seen.note(first, X, y, kept, options)
            if kept.any():
                whole = before.whole_labels if before is not None else seen.whole_labels
                labels = sheet.labels
                if labels is not None and labels.dtype.kind == "f" and whole:
                    labels = labels.astype(np.int64)
                reading = sheet.reading if self._layout is None else self._layout.reading
                yield replace(sheet, labels=labels, reading=reading, notes=())
        if before is None:
            seen.table = self._table(last)
            self._settle(seen)
        elif before.files != seen.files or before.n not in (0, seen.n):
            raise InputError(
                f"{self.name}: other rows than when it was read before; expected a file that stays as it is"
            )

    def _settle(self, seen: ArraysSeen) -> None:
        self._layout, self._seen = arrays_layout(self.name, self.options, seen), seen

    def _table(self, last: Any) -> ArrayTable:
        """What the arrays are, by the last rows that came."""
        X, _, names, label, notes = last
        assert self._columns is not None
        single = X.dtype.newbyteorder("=") == np.float32
        return ArrayTable(self._columns, X.shape[1], names, label, tuple(notes), single)

    def _tables(self, progress: BytesReadCallback | None) -> Iterator[tuple[str, int, Any]]:
        """Some rows at a time: the file, the number of the first of them, and what `split_off_label` makes of them."""
        for path in self.paths:
            first = 0
            with self._held or InputFile(path) as opened:
                opened.progress = progress
                header = array_header(opened, opened.name)
                for array in _arrays(opened, header, self._size):
                    table, names = as_table(array, opened.name)
                    self._check_columns(opened.name, table, names)
                    yield path, first, split_off_label(table, names, self.options, opened.name)
                    first += len(table)

    def _check_columns(self, name: str, table: NDArray[Any], names: Any) -> None:
        """Raises `InputError` unless the arrays of all files have the same columns."""
        if self._columns is None and table.ndim == 2:
            self._columns = table.shape[1], names
        if table.ndim == 2 and self._columns is not None:
            check_columns(name, (table.shape[1], names), self.paths[0], self._columns)


def _arrays(opened: InputFile, header: ArrayHeader, size: int) -> Iterator[NDArray[Any]]:
    """The array, some rows at a time."""
    shape, dtype = header.shape, header.dtype
    width = int(np.prod(shape[1:], dtype=object)) if len(shape) > 1 else len(dtype.names or ("",))
    if len(shape) not in (1, 2) or 0 in shape or (len(shape) == 1 and dtype.names is None):
        raise InputError(f"{opened.name}: shape {shape}; expected a table of rows and columns")
    if opened.plain_path is not None and opened.size != header.length + header.claim:
        raise header.wrong_size(opened.name, (opened.size or 0) - header.length)
    row = dtype.itemsize * (shape[1] if len(shape) == 2 else 1)
    step = max(1, size // max(row, 8 * width))
    if header.by_columns and len(shape) == 2 and min(shape) > 1:
        if opened.plain_path is None:
            raise InputError(
                f"{opened.name}: stored column by column; expected rows, as numpy.ascontiguousarray has them, or a file"
                " that is not packed"
            )
        for first in range(0, shape[0], step):
            yield _by_columns(opened, header, dtype, first, min(step, shape[0] - first))
        return
    left = shape[0]
    while left:
        wanted = min(step, left) * row
        data = bytearray()
        while len(data) < wanted and (more := opened.read(min(wanted - len(data), 2**22))):
            data += more
        if len(data) < wanted:
            raise header.wrong_size(opened.name, (shape[0] - left) * row + len(data))
        array = np.frombuffer(data, dtype)
        yield array if len(shape) == 1 else array.reshape(-1, shape[1])
        left -= min(step, left)
    if opened.read(1):
        raise header.wrong_size(opened.name, header.claim + 1)


def _by_columns(opened: InputFile, header: ArrayHeader, dtype: Any, first: int, count: int) -> NDArray[Any]:
    """Some rows of an array that stands there column by column; read, not mapped: a file may be cut meanwhile."""
    rows, columns = header.shape
    found = np.empty((count, columns), dtype)
    for j in range(columns):
        data = os.pread(opened.descriptor, count * dtype.itemsize, header.length + (j * rows + first) * dtype.itemsize)
        if len(data) < count * dtype.itemsize:
            raise header.wrong_size(opened.name, (j * rows + first) * dtype.itemsize + len(data))
        found[:, j] = np.frombuffer(data, dtype)
    return found
