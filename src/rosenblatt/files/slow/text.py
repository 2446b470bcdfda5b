r"""The slow reader: svmlight text, CSV and TSV in pure Python, as a second pair of eyes.

It shares nothing with the fast readers but the opening of files: no code, no compiled core, no pyarrow. What both read
from a file must be the same, bit for bit. `verify --slow-reader` reads with it, and the tests hold the fast readers
against it; where a file is refused, they compare the place.

**svmlight**, a row to a line, in ASCII and in no locale:

    file   = [ BOM ] line { ( LF | CRLF ) line }            the last line may be empty, or end with CR
    line   = blanks [ row ] [ '#' anything ]                a line without a row is passed over
    row    = label { blanks1 item } blanks                  a row may have no item: it is all zeros
    item   = index ':' number | 'qid' ':' digits            qid is passed over
    label  = number
    index  = digits                                         0 to 2147483647, rising within a row
    number = [ '+' | '-' ] ( digits [ '.' [ digits ] ] | '.' digits ) [ ( 'e' | 'E' ) [ '+' | '-' ] digits ]
    blanks = { ' ' | TAB }

A number is the nearest float64, which may be 0 but not infinite. Columns count from index 0 if some row of the file has
it, else from index 1, unless `base` says which; there are as many as the largest index asks for. A line has at most
2**26 bytes with its end. What is wrong stands at `line:column`, the place of the first byte, from 1, of the label, item
(or its index) or value that is wrong; or of a control character (below 32, or 127) in one of these; what comes first in
the line is told first.

CSV and TSV are in tables.py.
"""

import io
import re
from collections.abc import Iterator

from ...errors import InputError, shown
from ..opening import InputFile
from ..options import Options
from .sheet import Row, SlowSheet, WrongError, hashed, number_of, sheet_of_rows, whole_numbers
from .tables import csv_sheet

__all__ = ["SlowSheet", "slow_sheet"]

LONGEST_LINE = 2**26
LARGEST_INDEX = 2**31 - 1

_DIGITS = re.compile(r"[0-9]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def slow_sheet(opened: InputFile, options: Options) -> SlowSheet:
    """Read a file of svmlight text, CSV or TSV, whichever `options.reading.format` says."""
    if options.reading.format == "svmlight":
        return _svmlight(opened, options)
    if options.reading.format in ("csv", "tsv"):
        return csv_sheet(opened.name, opened.readall(), options)
    raise InputError(f"{opened.name}: the slow reader reads svmlight, csv and tsv, not {options.reading.format}")


def _svmlight(opened: InputFile, options: Options) -> SlowSheet:
    rows: list[Row] = []
    labels: list[float] = []
    lines: list[int] = []
    for line, label, items in svmlight_rows(opened, options.reading.base):
        labels.append(label)
        rows.append(items)
        lines.append(line)
    indices = [index for row in rows for index, _ in row]
    base = options.reading.base if options.reading.base is not None else 0 if 0 in indices else 1
    d = max(indices, default=base - 1) + 1 - base
    rows = [[(index - base, value) for index, value in row] for row in rows]
    if options.reading.hash_bits:
        d = 2**options.reading.hash_bits
        rows = [hashed([(str(column + base), value) for column, value in row], d) for row in rows]
    return sheet_of_rows(opened.name, "svmlight", rows, d, whole_numbers(labels), None, lines)


def svmlight_rows(opened: InputFile, base: int | None) -> Iterator[tuple[int, float, Row]]:
    """The rows of svmlight text, one after the other: the line of each, its label, and its items by index."""
    for line, whole in enumerate(_lines(opened), 1):
        if len(whole) + (not whole.endswith("\n")) > LONGEST_LINE:
            raise InputError(f"{opened.name}:{line}:{LONGEST_LINE + 1}: the line goes on; expected less than 64 MiB")
        text = whole.removesuffix("\n").removesuffix("\r").partition("#")[0]
        try:
            found = _row(text, base)
        except WrongError as wrong:
            raise InputError(f"{opened.name}:{line}:{wrong.place}: {wrong}") from None
        if found is not None:
            yield line, *found


def _lines(opened: InputFile) -> Iterator[str]:
    """Line after line with its end, a character for each byte; of one that is too long, enough to see that."""
    with io.BufferedReader(opened, 2**20) as text:
        whole = text.readline(LONGEST_LINE + 4).removeprefix(b"\xef\xbb\xbf")
        while whole:
            yield whole.decode("latin-1")
            whole = text.readline(LONGEST_LINE + 1)


def _row(text: str, base: int | None) -> tuple[float, Row] | None:
    """The label and the items of a line without its comment and its end."""
    label: float | None = None
    items: Row = []
    for token in re.finditer(r"[^ \t]+", text):
        place, word = token.start() + 1, token.group()
        if (stray := _CONTROL.search(word)) is not None:
            raise WrongError(place + stray.start(), f"control character {shown(stray.group())}; expected text")
        if label is None:
            label = number_of(word, place, "label")
            continue
        index, colon, value = word.partition(":")
        if index == "qid" and colon and _DIGITS.fullmatch(value):
            continue
        if not colon or not _DIGITS.fullmatch(index):
            raise WrongError(place, f"{shown(word)}; expected index:value")
        # Of thousands of digits Python makes no number; leading zeros count for nothing.
        digits = index.lstrip("0") or "0"
        if len(digits) > 10 or int(digits) > LARGEST_INDEX:
            raise WrongError(place, f"index {shown(index)}; expected at most {LARGEST_INDEX}")
        if items and int(digits) <= items[-1][0]:
            raise WrongError(place, f"index {digits} after {items[-1][0]}; expected indices that rise")
        if base == 1 and digits == "0":
            raise WrongError(place, "index 0; expected 1 or more, as base=1 says")
        items.append((int(digits), number_of(value, place + len(index) + 1, "value")))
    return None if label is None else (label, items)
