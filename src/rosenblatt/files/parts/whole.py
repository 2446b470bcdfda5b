"""Files that are read whole, and given in parts: arrays in archives and the like, which have no beginning to read from.

They take the memory of all their rows, so that a file that is larger than `LARGEST` is refused, by its name.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...data.rows import matrix_of, rows_of
from ...errors import InputError
from ..opening import BytesReadCallback, InputFile
from ..options import Options
from ..read import sheet_in
from ..sheet import Sheet
from .input import PART, Input, Layout

LARGEST = 2**26
"""Bytes of a file that is read whole, as it is stored and of its rows."""


class WholeInput(Input):
    """One file that the reader of its format reads at once."""

    def __init__(self, paths: Sequence[str], format: str, options: Options, held: InputFile | None = None) -> None:
        if len(paths) > 1:
            raise InputError(f"{paths[1]}: {format} is read whole; expected one file of it, or files of CSV or Parquet")
        self.paths, self.format, self.options = tuple(paths), format, options
        self.name = "standard input" if paths[0] == "-" else paths[0]
        self._held = held
        self.again = held is None
        self._sheet: Sheet | None = None

    @property
    def layout(self) -> Layout:
        """What the whole is."""
        assert self._sheet is not None, "known when it was read"
        return layout_of(self._sheet, ((self.paths[0], int(self._sheet.rows.n)),))

    def survey(self, progress: BytesReadCallback | None = None) -> None:
        """Read it, if it is not read yet."""
        if self._sheet is not None:
            return
        with self._held or InputFile(self.paths[0]) as opened:
            opened.progress = progress
            if (opened.size or 0) > LARGEST:
                raise self._too_large(f"{opened.size} bytes")
            opened.most = LARGEST  # of what it unpacks to, too
            sheet = sheet_in(opened, self.options)
        if (size := sum(np.asarray(part).nbytes for part in sheet.rows.arrays)) > LARGEST:
            raise self._too_large(f"rows of {size} bytes")
        self._sheet = sheet

    def sheets(self, progress: BytesReadCallback | None = None) -> Iterator[Sheet]:
        """Its rows, about PART bytes at a time."""
        self.survey(progress)
        assert self._sheet is not None
        yield from slices(self._sheet)

    def _too_large(self, what: str) -> InputError:
        return InputError(
            f"{self.name}: {what}, and {self.format} is read whole; expected at most {LARGEST}: unpack it, or"
            " convert it to npy, Parquet or svmlight text"
        )


class SheetInput(Input):
    """What is in memory already."""

    def __init__(self, sheet: Sheet) -> None:
        self.name, self.format, self._sheet = sheet.name, sheet.format, sheet

    @property
    def layout(self) -> Layout:
        """What the whole is."""
        return layout_of(self._sheet, ())

    def survey(self, progress: BytesReadCallback | None = None) -> None:
        """Nothing is left to find out."""

    def sheets(self, progress: BytesReadCallback | None = None) -> Iterator[Sheet]:
        """Its rows, about PART bytes at a time."""
        yield from slices(self._sheet)


def layout_of(sheet: Sheet, files: tuple[tuple[str, int], ...]) -> Layout:
    """What the whole is, of a sheet that is the whole."""
    return Layout(
        int(sheet.rows.d),
        sheet.reading,
        sheet.feature_names,
        files=files,
        notes=sheet.notes,
        details=sheet.details,
        levels=sheet.levels,
        hashed=sheet.hashed,
    )


def slices(sheet: Sheet, size: int = PART) -> Iterator[Sheet]:
    """The same rows, about so many bytes of them at a time."""
    rows, n = sheet.rows, int(sheet.rows.n)
    step = max(1, size * n // max(1, sum(np.asarray(part).nbytes for part in rows.arrays)))
    if step >= n:
        yield sheet
        return
    matrix = matrix_of(rows)
    for first in range(0, n, step):
        some = slice(first, first + step)
        yield replace(
            sheet,
            rows=rows_of(matrix[some]),
            labels=None if sheet.labels is None else sheet.labels[some],
            lines=None if sheet.lines is None else sheet.lines[some],
            weights=None if sheet.weights is None else sheet.weights[some],
        )
