"""The records of CSV text, found as the text comes: where to cut it, and how much of it tells what its columns are.

A newline ends a record unless it is within quotes, which is where the number of quotes before it is odd.
"""

from collections.abc import Iterator

import numpy as np

from ...errors import InputError
from ..opening import InputFile
from ..tables.csv_header import delimiter_of, sample_size
from ..tables.csv_lines import too_long

LONGEST = 2**24
"""Bytes of a record: there is room for no longer one beside what is made of it."""

_HEAD = 2**16
_MOST_HEAD = 2**22
_SCAN = 2**18  # bytes looked at together: places in them take eight times as many
_MARK = b"\xef\xbb\xbf"


class Records:
    """Where records end in text that comes in pieces.

    ends, last
        How many have ended, and where in the text the last one did.
    line
        The line that the next one begins with.
    """

    def __init__(self, quotes: bool) -> None:
        self.quotes = quotes
        self.ends = self.last = self.size = self._inside = self._lines = 0
        self.line = 1

    def see(self, data: bytes | memoryview) -> None:
        """See the next piece."""
        for first in range(0, len(data), _SCAN):
            piece = np.frombuffer(data[first : first + _SCAN], np.uint8)
            newlines = every = np.flatnonzero(piece == 10)
            if self.quotes:
                marks = np.flatnonzero(piece == 34)
                if marks.size or self._inside:
                    newlines = newlines[(np.searchsorted(marks, newlines) + self._inside) % 2 == 0]
                self._inside = (self._inside + marks.size) % 2
            if newlines.size:
                self.ends += newlines.size
                self.last = self.size + int(newlines[-1]) + 1
                self.line = self._lines + int(np.searchsorted(every, newlines[-1])) + 2
            self._lines += every.size
            self.size += piece.size


def head_of(opened: InputFile, format: str, quotes: bool) -> bytes:
    """The first records, as many as it takes to see what the columns are; or all, if there are fewer.

    Of very long records, those in the first 4 MiB, and at least two.
    """
    size, records, blank = _HEAD, Records(quotes), 0
    while len(data := opened.peek(size)) >= size:
        records.see(memoryview(data)[records.size :])
        start = len(_MARK) if data.startswith(_MARK) else 0
        while data.startswith((b"\n", b"\r\n"), start) and blank <= _HEAD:
            start, blank = data.index(b"\n", start) + 1, blank + 1
        if blank > _HEAD:
            raise InputError(f"{opened.name}: more than {_HEAD} blank lines; expected a header line and rows")
        line = data[start : max(start, data.find(b"\n", start))]
        enough = sample_size(line.count(delimiter_of(line, format)) + 1) + 2 + blank
        if records.ends >= enough or (size >= _MOST_HEAD and records.ends >= 2 + blank):
            return data[: records.last]
        _check_length(opened.name, records)
        size, blank = min(4 * size, records.last + LONGEST + 1), 0
    return data


def blocks_of(opened: InputFile, size: int, quotes: bool) -> Iterator[bytes]:
    """All of it, cut behind records, in blocks of about this size."""
    waiting: list[bytes] = []
    records, begun = Records(quotes), 0
    for block in opened.blocks(size):
        data, before = bytes(block), records.size
        records.see(data)
        if records.last > max(before, begun):
            cut = records.last - before
            yield b"".join([*waiting, data[:cut]])
            waiting, data, begun = [], data[cut:], records.last
        if data:
            waiting.append(data)
        _check_length(opened.name, records)
    if waiting:
        yield b"".join(waiting)


def _check_length(name: str, records: Records) -> None:
    if records.size - records.last > LONGEST:
        raise too_long(f"{name}:{records.line}:1", LONGEST)
