"""The text of a CSV or TSV file: whether it is text at all, and where its records and fields stand.

The grammar is that of RFC 4180, strictly: a field is within quotes from end to end or has none, and a quote inside is
doubled. Then the number of quotes before a byte says whether it is inside a quoted field, and all records are found
without a loop. Lines end with LF or CRLF; blank ones are skipped.
"""

import codecs
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, plural, shown
from ..opening import InputFile

LONGEST_LINE = 2**26

_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_BLOCK = 2**22


class CsvLines:
    """Records of fields from an offset of the data onwards, at a line; `before` lines of the file came before the data.

    `quotes`: whether quotes are around fields, if there are any.
    """

    def __init__(
        self,
        name: str,
        data: bytes,
        delimiter: bytes,
        *,
        start: int = 0,
        line: int = 1,
        quotes: bool = True,
        before: int = 0,
    ) -> None:
        self.name, self.data, self.delimiter = name, data, delimiter
        self.start, self.line, self.before = start, line, before
        self.has_stray_quotes = False
        self.columns: tuple[str, ...] = ()
        self.quotes = quotes and data.find(b'"', start) >= 0
        end = rb"(" + re.escape(delimiter) + rb"|\r?\n|\r?\Z)"
        bare = rb"([^" + re.escape(delimiter) + rb"\r\n]*+)"
        self._blank = re.compile(rb"(?:\r?\n)*+")
        self._field = re.compile((rb'(?:"([^"]*+(?:""[^"]*+)*+)"|' + bare + rb")" if self.quotes else bare) + end)

    def place(self, offset: int) -> str:
        """`file:line:column` of a byte."""
        return place(self.name, self.data, offset, self.before)

    def fields(self, start: int) -> Iterator[tuple[int, bytes, int]]:
        """The fields of the record that starts there: where each begins, its text, and where it ends."""
        while True:
            match = self._field.match(self.data, start)
            if match is None:
                raise AssertionError(self.place(start))
            *texts, end = match.groups()
            text = next(text for text in texts if text is not None)
            yield start, text.replace(b'""', b'"') if self.quotes and texts[0] is not None else text, match.end()
            if end != self.delimiter:
                return
            start = match.end()

    def head(self, count: int) -> list[list[str]]:
        """The first records that are not blank."""
        found: list[list[str]] = []
        at = self.start
        while len(found) < count and (at := self._blank.match(self.data, at).end()) < len(self.data):  # type: ignore[union-attr]
            fields = list(self.fields(at))
            found.append([text.decode() for _, text, _ in fields])
            at = fields[-1][2]
        return found

    def check(self) -> None:
        """Raises `InputError` for a quote or a carriage return where none may be."""
        bytes_ = self._bytes
        if self.quotes:
            quotes = self._quotes
            opening, closing = quotes[0::2], quotes[1::2]
            before, after = bytes_[opening - 1], bytes_[np.minimum(closing + 1, bytes_.size - 1)]
            free = np.frombuffer(b'\n"' + self.delimiter, np.uint8)
            astray = opening[~np.isin(before, free) & (opening > self.start)]
            trailing = closing[~np.isin(after, [*free, 13]) & (closing + 1 < bytes_.size)]
            if astray.size and (not trailing.size or astray[0] < trailing[0]):
                raise InputError(
                    f"{self.place(int(astray[0]))}: a quote within a field; expected quotes around the whole field,"
                    ' and "" for a quote inside'
                )
            if trailing.size:
                began = int(opening[np.searchsorted(closing, trailing[0])])
                raise InputError(
                    f"{self.place(int(trailing[0]) + 1)}: text behind the quote that closes a field begun at"
                    f" {self.place(began).removeprefix(self.name + ':')}; expected a {_named(self.delimiter)} or the"
                    ' end of the line, and "" for a quote inside'
                )
            if quotes.size % 2:
                raise InputError(f"{self.place(int(quotes[-1]))}: a quote that is never closed; expected a closing one")
        if self.data.find(b"\r", self.start) >= 0:
            returns = np.flatnonzero(bytes_[self.start : -1] == 13) + self.start
            lone = returns[bytes_[returns + 1] != 10]
            if self.data.endswith(b"\r"):
                lone = np.append(lone, len(self.data) - 1)
            if (outside := lone[~self._inside(lone)]).size:
                raise InputError(
                    f"{self.place(int(outside[0]))}: a carriage return alone; expected lines that end with LF or CRLF"
                )

    def check_widths(self) -> None:
        """Raises `InputError` for the first record with another number of fields than there are columns."""
        delimiters = np.flatnonzero(self._bytes[self.start :] == self.delimiter[0]) + self.start
        delimiters = delimiters[~self._inside(delimiters)]
        starts = self.records
        counts = np.diff(np.searchsorted(delimiters, np.append(starts, len(self.data)))) + 1
        if not (wrong := np.flatnonzero(counts != len(self.columns))).size:
            return
        start, count, expected = int(starts[wrong[0]]), int(counts[wrong[0]]), len(self.columns)
        found = list(self.fields(start))
        at = found[expected][0] if count > expected else start + len(self._line(start))
        raise InputError(
            f"{self.place(at)}: {plural(count, 'field')}; expected {expected}, as many as there are columns"
        )

    def check_lengths(self) -> None:
        """Raises `InputError` for a record that is longer than any may be."""
        ends = np.append(self.records[1:], len(self.data))
        if (wrong := np.flatnonzero(ends - self.records > LONGEST_LINE)).size:
            raise too_long(self.place(int(self.records[wrong[0]])))

    @cached_property
    def records(self) -> NDArray[np.int64]:
        """Where each record that is not blank starts."""
        newlines = self._newlines
        ends = newlines[~self._inside(newlines)]
        starts = np.append(self.start, ends + 1)
        ends = np.append(ends, len(self.data))
        blank = (ends == starts) | ((ends == starts + 1) & (self._bytes[np.minimum(starts, len(self.data) - 1)] == 13))
        found: NDArray[np.int64] = starts[~blank]
        return found

    def lines(self, n: int) -> NDArray[np.int64]:
        """The line at which each of the n records starts."""
        lines = self.data.count(b"\n", self.start) + (not self.data.endswith(b"\n"))
        if lines == n:  # so no line is blank, and none goes on in the next
            return np.arange(self.line, self.line + n, dtype=np.int64)
        if self.records.size != n:
            raise AssertionError(f"{self.name}: {n} rows, {self.records.size} records")
        return np.asarray(self.line + np.searchsorted(self._newlines, self.records), dtype=np.int64)

    def text(self, row: int, column: int) -> tuple[int, str]:
        """Where a field stands, and what it holds."""
        for j, (start, field, _) in enumerate(self.fields(int(self.records[row]))):
            if j == column:
                return start, field.decode("utf-8", "replace")
        raise AssertionError(f"{self.name}: row {row} has no column {column}")

    def error(self, row: int, column: int, what: str) -> InputError:
        """The error for a field."""
        start, _ = self.text(row, column)
        return InputError(f"{self.place(start)}: column {shown(self.columns[column])}: {what}")

    def _line(self, start: int) -> bytes:
        return self.data[start : max(end for _, _, end in self.fields(start))].rstrip(b"\r\n")

    @property
    def _bytes(self) -> NDArray[np.uint8]:
        return np.frombuffer(self.data, np.uint8)

    @cached_property
    def _newlines(self) -> NDArray[np.int64]:
        return np.flatnonzero(self._bytes[self.start :] == 10) + self.start

    @cached_property
    def _quotes(self) -> NDArray[np.int64]:
        return np.flatnonzero(self._bytes[self.start :] == 34) + self.start

    def _inside(self, offsets: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each is inside a quoted field."""
        if not self.quotes:
            return np.zeros(offsets.size, dtype=np.bool_)
        return np.asarray(np.searchsorted(self._quotes, offsets) % 2 == 1)


def place(name: str, data: bytes, offset: int, before: int = 0) -> str:
    """`file:line:column` of a byte, the column counted in characters from 1; `before` lines came before the data."""
    start, line = data.rfind(b"\n", 0, offset) + 1, before + data.count(b"\n", 0, offset) + 1
    left = data[start:offset].removeprefix(codecs.BOM_UTF8 if start == before == 0 else b"")
    return f"{name}:{line}:{len(left.decode('utf-8', 'replace')) + 1}"


def too_long(where: str, most: int = LONGEST_LINE) -> InputError:
    """The error for a line that is no line."""
    return InputError(f"{where}: the line is longer than {most >> 20} MiB; expected a row to a line")


def text_start(name: str, data: bytes) -> int:
    """Where the text starts, which is behind a byte order mark. Raises `InputError` unless it is UTF-8 text."""
    if (mark := next((mark for mark in _MARKS if data.startswith(mark)), None)) is not None:
        raise InputError(f"{name}: {_MARKS[mark]} text; expected UTF-8: iconv -f {_MARKS[mark]} -t UTF-8 converts it")
    check_characters(name, data)
    return len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0


def check_characters(name: str, data: bytes, before: int = 0) -> None:
    """Raises `InputError` for what is no UTF-8 text; `before` lines of the file came before it."""
    if (nul := data.find(b"\0")) >= 0:
        raise InputError(f"{place(name, data, nul, before)}: a NUL byte; expected text")
    if not data.isascii():
        decoder: Any = codecs.getincrementaldecoder("utf-8")()
        for first in range(0, len(data), _BLOCK):
            pending = len(decoder.getstate()[0])
            try:
                decoder.decode(data[first : first + _BLOCK], final=first + _BLOCK >= len(data))
            except UnicodeDecodeError as error:
                at = first - pending + error.start
                raise InputError(
                    f"{place(name, data, at, before)}: byte 0x{data[at]:02x} is not UTF-8; expected UTF-8 text"
                ) from None


def _named(delimiter: bytes) -> str:
    return {b",": "comma", b";": "semicolon", b"\t": "tab"}[delimiter]


def check_text(opened: InputFile) -> None:
    """Raises `InputError` for what begins with no text at all, before all of it is read: there may be no end to it."""
    head = opened.peek(2**16)
    if (at := head.find(b"\0")) >= 0 and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(f"{place(opened.name, head, at)}: a NUL byte; expected text")
