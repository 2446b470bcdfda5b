"""svmlight and VW text in parts: the readers of the whole, emptied from time to time."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import _core
from ...data.rows import matrix_of, rows_of
from ...errors import InputError, plural, shown
from ..numbers import whole_numbers
from ..opening import BytesReadCallback, InputFile
from ..options import Options
from ..reading import Reading
from ..rearranging import rearranged
from ..sheet import Sheet
from ..text.faults import fault
from ..text.names import check_count, column_names
from ..text.svmlight import rows_of_parts
from .input import Input, Layout

PART = 2**21
"""Bytes of text that become a part: a row may be two bytes there, and dozens in memory."""


@dataclass(frozen=True)
class TextSeen:
    """What is known of files of text, once they were read: what it takes to say what they are together.

    least, most
        The least index in svmlight text, and the largest; −1 if there is none.
    names
        The features of VW text, in the order in which they came; none, if they are hashed and not kept.
    left_out
        How many rows have weight 0, beside those of `files`.
    """

    files: tuple[tuple[str, int], ...]
    least: int = 1
    most: int = -1
    names: tuple[str, ...] = ()
    left_out: int = 0
    weighted: bool = False

    def followed_by(self, other: "TextSeen") -> "TextSeen":
        """That of these files and others behind them."""
        return TextSeen(
            self.files + other.files,
            min(self.least, other.least),
            max(self.most, other.most),
            tuple(dict.fromkeys(self.names + other.names)),
            self.left_out + other.left_out,
            self.weighted or other.weighted,
        )


def text_layout(name: str, format: str, options: Options, base: int | None, seen: TextSeen) -> Layout:
    """What the whole is. Raises `InputError` if it has no rows, or no features."""
    files, bits, names = seen.files, options.reading.hash_bits, None
    n = sum(rows for _, rows in files)
    if seen.left_out and not n:
        raise InputError(f"{name}: all rows have importance 0; expected some above")
    if not n:
        raise InputError(f"{name}: no rows; expected at least one")
    notes: tuple[str, ...] = ("rows have weights, the importance behind their labels",) if seen.weighted else ()
    if seen.left_out:
        notes += (f"left out {plural(seen.left_out, 'row')} of weight 0, of {seen.left_out + n}",)
    if format == "vw":
        names = seen.names
        if not names and not bits:
            raise InputError(f"{name}: no features; every row is a label alone")
        hashed = names if bits and options.keep_names else ()
        known = Reading(format="vw", hash_bits=bits)
        return Layout(2**bits if bits else len(names), known, None if bits else names, 0, files, notes, hashed=hashed)
    found = base if base is not None else 0 if seen.least == 0 else 1
    d = 2**bits if bits else seen.most + 1 - found
    if d <= 0:
        raise InputError(f"{name}: no features; every row is a label alone")
    if options.names is not None:
        if bits:
            raise InputError(
                f"{name}: hashed features have no names; expected --names (names=) or --hash-bits, not both"
            )
        names = column_names(options.names)
        check_count(name, names, d, options.names, found)
        d = len(names)
    known = Reading(format="svmlight", base=found, hash_bits=bits)
    return Layout(d, known, names, 1 if base is None and found == 1 and not bits else 0, files, notes)


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
        self.seen: TextSeen | None = None
        self._whole: Layout | None = None
        self._places: Mapping[str, int] | None = None

    def take_over(self, whole: Layout) -> None:
        """Be a part of a whole: rows come in its columns, and what it is, this is, but for its files."""
        self._whole = whole
        if self.format == "vw" and whole.feature_names is not None:
            self._places = {name: j for j, name in enumerate(whole.feature_names)}

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
                    left_out += gone
                    if sheet is None:
                        continue
                    rows += sheet.rows.n
                    weighted |= sheet.weights is not None and bool((sheet.weights != 1).any())
                    yield sheet
            files.append((path, rows))
            reader.begin_file()
        if self.format == "vw":
            self.seen = TextSeen(tuple(files), names=tuple(reader.names), left_out=left_out, weighted=weighted)
        else:
            self.seen = TextSeen(tuple(files), int(reader.least), int(reader.most))
        if self._whole is not None:
            self._layout = replace(self._whole, files=self.seen.files)
        else:
            self._layout = text_layout(self.name, self.format, self.options, self.base, self.seen)

    def _reader(self) -> Any:
        bits, threads = self.options.reading.hash_bits or 0, self.options.threads
        if self.format == "vw":
            return _core.Vw(bits, self.options.keep_names or not bits, threads)
        return _core.Svmlight(self.base != 1, bits, threads)

    def _file(self, reader: Any, opened: InputFile) -> Iterator[tuple[Sheet | None, int]]:
        """The parts of one file, None where nothing is left, and how many rows of weight 0 were left out of each."""
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

    def _part(self, reader: Any, name: str) -> Iterator[tuple[Sheet | None, int]]:
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
        if self._places is not None:
            rows = self._placed(rows, reader.names)
        left_out = 0
        if weights is not None and self.options.labels == "needed" and not weights.all():
            keep = np.flatnonzero(weights)
            left_out = weights.size - keep.size
            if not keep.size:
                yield None, left_out
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

    def _placed(self, rows: _core.Rows, names: Sequence[str]) -> _core.Rows:
        """Rows in the columns of the whole. Raises `InputError` for a feature that it has not."""
        assert self._places is not None
        try:
            to = np.array([self._places[name] for name in names] or [-1], dtype=np.int64)
        except KeyError as error:
            raise InputError(
                f"{self.name}: feature {shown(error.args[0])} was not there when it was read before; expected a file"
                " that stays as it is"
            ) from None
        return rearranged(rows, to, len(self._places))


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
