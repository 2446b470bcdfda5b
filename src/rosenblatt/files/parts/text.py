"""svmlight and VW text in parts: the readers of the whole, emptied from time to time."""

import os
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ... import _core
from ...data.rows import matrix_of, rows_of
from ...errors import InputError, plural
from ..numbers import whole_numbers
from ..opening import BytesReadCallback, InputFile
from ..options import Options
from ..reading import Reading
from ..sheet import Sheet
from ..text.faults import fault
from ..text.names import check_count, column_names
from ..text.svmlight import rows_of_parts
from .input import Input, Layout

PART = 2**21
"""Bytes of text that become a part: a row may be two bytes there, and dozens in memory."""


class TextInput(Input):
    """One or more files of text, of which a line is a row. One-shot, if one of them is standard input or a pipe.

    `held` is such a one that is open already, since its first bytes had to tell what it is.
    """

    def __init__(self, paths: Sequence[str], format: str, options: Options, held: InputFile | None = None) -> None:
        options.refuse(paths[0], "VW text" if format == "vw" else "svmlight", format)
        self.paths, self.format, self.options = tuple(paths), format, options
        self.name = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
        self.name = "standard input" if self.name == "-" else self.name
        self._held = held
        self.again = held is None and all(os.path.isfile(path) for path in paths)
        self.base = options.reading.base
        self._layout: Layout | None = None

    @property
    def layout(self) -> Layout:
        """What the whole is."""
        assert self._layout is not None, "known when all parts have come"
        return self._layout

    def survey(self, progress: BytesReadCallback | None = None) -> None:
        """See where the indices of svmlight text begin, and how many there are; VW text tells as it comes."""
        if (
            self._layout is not None
            or self.options.reading.hash_bits
            or (self.base is not None and self.format == "svmlight")
        ):
            return
        if not self.again:
            what = "where its indices begin (--base 0 or 1)" if self.format == "svmlight" else "its features"
            raise InputError(f"{self.name}: {what} would take a pass of its own, and it can be read once alone")
        for _ in self.sheets(progress):
            pass
        self.base = self.layout.reading.base

    def sheets(self, progress: BytesReadCallback | None = None) -> Iterator[Sheet]:
        """The rows, about PART bytes of text at a time."""
        files, left_out, weighted = [], 0, False
        reader = self._reader()
        for path in self.paths:
            rows = 0
            with self._held or InputFile(path) as opened:
                opened.progress = progress
                for sheet, gone in self._file(reader, opened):
                    rows, left_out = rows + sheet.rows.n, left_out + gone
                    weighted |= sheet.weights is not None and bool((sheet.weights != 1).any())
                    yield sheet
            files.append((path, rows))
            reader.begin_file()
        if not sum(rows for _, rows in files):
            raise InputError(f"{self.name}: no rows; expected at least one")
        notes = ["rows have weights, the importance behind their labels"] if weighted else []
        if left_out:
            notes.append(f"left out {plural(left_out, 'row')} of weight 0, of {left_out + sum(n for _, n in files)}")
        self._layout = self._whole(reader, tuple(files), tuple(notes))

    def _reader(self) -> Any:
        bits, threads = self.options.reading.hash_bits or 0, self.options.threads
        if self.format == "vw":
            return _core.Vw(bits, self.options.keep_names or not bits, threads)
        return _core.Svmlight(self.base != 1, bits, threads)

    def _file(self, reader: Any, opened: InputFile) -> Iterator[tuple[Sheet, int]]:
        """The parts of one file, and how many rows of weight 0 were left out of each."""
        fed = 0
        for size, wrong in _fed(reader, opened):
            if wrong is not None:
                raise fault(opened.name, *wrong)
            fed += size
            if fed >= PART:
                fed = 0
                yield from self._part(reader, opened.name)
        if (wrong := reader.finish()) is not None:
            raise fault(opened.name, *wrong)
        yield from self._part(reader, opened.name)

    def _part(self, reader: Any, name: str) -> Iterator[tuple[Sheet, int]]:
        """What has been read since the last time, if it is anything."""
        from_zero = self.format == "svmlight" and self.base != 1 and not self.options.reading.hash_bits
        values, columns, starts, labels, lines = reader.take(from_zero)
        weights = reader.take_weights() if self.format == "vw" else None
        if not labels.size:
            return
        unlabelled = np.flatnonzero(np.isnan(labels))
        if unlabelled.size and (self.options.labels == "needed" or unlabelled.size < labels.size):
            raise InputError(f"{name}:{lines[unlabelled[0]]}:1: no label; expected label | feature:value …")
        rows = rows_of_parts(name, values, columns, starts, self._width(reader))
        left_out = 0
        if weights is not None and self.options.labels == "needed" and not weights.all():
            keep = np.flatnonzero(weights)
            left_out = weights.size - keep.size
            if not keep.size:
                return
            rows, labels, lines, weights = rows_of(matrix_of(rows)[keep]), labels[keep], lines[keep], weights[keep]
        known = Reading(format=self.format, base=self.base, hash_bits=self.options.reading.hash_bits)
        own = None if unlabelled.size else whole_numbers(labels)
        # Whoever learns asks for the names once, of the whole.
        judged = self.format == "vw" and not self.options.reading.hash_bits and self.options.labels != "needed"
        names = tuple(reader.names) if judged else None
        yield Sheet(name, self.format, rows, own, names, lines, known, weights=weights), left_out

    def _width(self, reader: Any) -> int:
        """The columns of the rows that have come so far, from index 0 on where the first one is not known."""
        bits = self.options.reading.hash_bits
        if bits:
            return int(2**bits)
        most = len(reader.names) if self.format == "vw" else int(reader.most) + (0 if self.base == 1 else 1)
        return max(1, most)

    def _whole(self, reader: Any, files: tuple[tuple[str, int], ...], notes: tuple[str, ...]) -> Layout:
        bits, names = self.options.reading.hash_bits, None
        if self.format == "vw":
            names = tuple(reader.names)
            if not names and not bits:
                raise InputError(f"{self.name}: no features; every row is a label alone")
            hashed = names if bits and self.options.keep_names else ()
            known = Reading(format="vw", hash_bits=bits)
            return Layout(
                2**bits if bits else len(names), known, None if bits else names, 0, files, notes, hashed=hashed
            )
        base = self.base if self.base is not None else 0 if reader.least == 0 else 1
        d = 2**bits if bits else int(reader.most) + 1 - base
        if d <= 0:
            raise InputError(f"{self.name}: no features; every row is a label alone")
        if self.options.names is not None:
            if bits:
                raise InputError(
                    f"{self.name}: hashed features have no names; expected --names (names=) or --hash-bits, not both"
                )
            names = column_names(self.options.names)
            check_count(self.name, names, d, self.options.names, base)
            d = len(names)
        known = Reading(format="svmlight", base=base, hash_bits=bits)
        first = 1 if self.base is None and base == 1 and not bits else 0
        return Layout(d, known, names, first, files, notes)


def _fed(reader: Any, opened: InputFile) -> Iterator[tuple[int, Any]]:
    """Hand the file to the core, some of it at a time: how many bytes, and what is wrong or None, after each."""
    if opened.plain_path is None:
        for block in opened.blocks(PART):
            yield len(block), reader.feed(block)
        return
    ahead = opened.take_peeked()
    yield len(ahead), reader.feed(ahead)
    while True:
        taken, error, wrong = reader.feed_from(opened.descriptor, PART)
        if error:
            raise InputError(f"{opened.name}: {os.strerror(error)}; expected a file that can be read")
        opened.count_read(taken, PART)
        yield taken, wrong
        if taken < PART:
            opened.count_read(0, 1)
            return
