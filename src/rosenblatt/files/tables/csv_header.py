"""The first line of a CSV file: what separates fields, and whether it holds names or is a row already."""

import re
from collections.abc import Sequence

from ...errors import InputError, plural, shown
from ..column_place import column_place
from ..expected import Expected
from ..names import first_names
from ..options import Options
from .csv_lines import LONGEST_LINE, CsvLines, place, text_start, too_long
from .header_evidence import Line1, judged

_MOST_COLUMNS = 2**20
_SAMPLE = 20_000  # fields looked at to guess what is numbers


def csv_lines_of(
    name: str, data: bytes, format: str, options: Options, quotes: bool = True
) -> tuple[CsvLines, Line1, list[str]]:
    """The records below the header, or from line 1 on; what line 1 is; and what to say about it.

    `quotes`: whether quotes are around fields, as far as is known.
    """
    notes: list[str] = []
    start = text_start(name, data)
    while data.startswith((b"\n", b"\r\n"), start):
        start = data.index(b"\n", start) + 1
    if start == len(data):
        raise InputError(f"{name}: empty; expected a header line and rows")
    end = data.find(b"\n", start)
    first = data[start : end if end >= 0 else len(data)]
    if len(first) > LONGEST_LINE:
        raise too_long(place(name, data, start))
    delimiter = delimiter_of(first, format)
    if format == "csv" and delimiter != b",":
        notes.append(f"fields are separated by {'semicolons' if delimiter == b';' else 'tabs'}")
    if first.count(delimiter) >= _MOST_COLUMNS:
        raise InputError(
            f"{name}: {first.count(delimiter) + 1} columns; expected at most {_MOST_COLUMNS}: svmlight text is for more"
        )
    line = data.count(b"\n", 0, start) + 1
    lines = CsvLines(name, data, delimiter, start=start, line=line, quotes=quotes)
    stray = not quotes
    try:
        lines.check()
    except InputError:
        if format == "csv" or stray:
            raise
        lines, stray = CsvLines(name, data, delimiter, start=start, line=line, quotes=False), True
        lines.check()
    if stray:
        notes.append("quotes are part of the fields, since not all are around whole fields")
    header = list(lines.fields(start))
    cells = [text.decode().strip(" \t") for _, text, _ in header]
    lines.columns = tuple(f"x{j}" for j in range(len(cells)))
    line_1 = _decided(lines, cells, options)
    if line_1.header:
        rest, below = header[-1][2], line + data.count(b"\n", start, header[-1][2])
        lines = CsvLines(name, data, delimiter, start=rest, line=below, quotes=lines.quotes)
        lines.columns = tuple(f"x{j}" for j in range(len(cells)))
    lines.has_stray_quotes = stray
    lines.columns, said = _names(lines, cells, [at for at, _, _ in header], line_1, options)
    return lines, line_1, [*notes, *said]


def delimiter_of(first: bytes, format: str) -> bytes:
    """What separates the fields of line 1."""
    if format == "tsv":
        return b"\t"
    outside = re.sub(rb'"[^"]*"', b"", first)
    decimal_commas = re.fullmatch(rb"\s*[+-]?[0-9]+(,[0-9]+)?\s*(;\s*[+-]?[0-9]+(,[0-9]+)?\s*)+", outside)
    if b"," in outside and not decimal_commas:
        return b","
    return next((mark for mark in (b";", b"\t") if mark in outside), b",")


def sample_size(columns: int) -> int:
    """How many rows to guess from."""
    return max(1, min(100, _SAMPLE // columns))


def _decided(lines: CsvLines, cells: Sequence[str], options: Options) -> Line1:
    """What line 1 is: as asked; or by names that are known; or by evidence. Else it is asked."""
    if options.reading.header is not None:
        return Line1(options.reading.header, "as asked")
    if options.expected is not None and options.expected.are_named(cells):
        return Line1(True, "its names are those of the model")
    below = lines.head(1 + sample_size(len(lines.columns)))[1:]
    if not below and options.expected is not None and not options.expected.header:
        return Line1(False, "the model's data had no header, too, and there is no row below")
    found = judged(cells, below)
    if found.header is not None:
        return found
    if (called := next((name for name in options.reading.names_asked() if name in cells), None)) is not None:
        return Line1(True, f"column {shown(called)} is asked for by its name")
    if options.expected is not None and not options.expected.header:
        return Line1(False, "the model's data had no header, too")
    raise InputError(
        f"{lines.name}:{lines.line}: names or a row? {found.why}; say which: --header if line {lines.line} holds names,"
        " --no-header if it is a row (header=)"
    )


def _names(
    lines: CsvLines, cells: Sequence[str], offsets: Sequence[int], line_1: Line1, options: Options
) -> tuple[tuple[str, ...], list[str]]:
    """The names of the columns, and what to say about them."""
    expected = options.expected
    if line_1.header and (expected is None or expected.header):
        _check_header(lines, cells, offsets)
        by_hand = "" if line_1.plain else f"line {lines.line - 1} is taken for names: {line_1.why} (--no-header if not)"
        return tuple(cells), [by_hand] * (not line_1.plain)
    if expected is None:
        if line_1.why == "as asked":
            return lines.columns, []
        return lines.columns, [
            f"no header: line {lines.line} is taken for a row, since {line_1.why}; columns are named x0, x1, …"
            " (--header if it holds names)"
        ]
    names = expected.names_for(len(cells), _label_said(lines, expected, options))
    if names is None:
        raise _unexpected(lines, len(cells), line_1, expected)
    if expected.header:
        return names, [f"no header: columns are taken in the model's order: {first_names(expected.columns)}"]
    if line_1.header:
        return names, ["line 1 holds names, but the model's data had none: columns go by position"]
    return names, []


def _unexpected(lines: CsvLines, count: int, line_1: Line1, expected: Expected) -> InputError:
    """The error for a file without the model's names, and with another number of columns."""
    wanted = len(expected.columns)
    hint = "; --label N says which one is the label" if count == wanted + 1 else ""
    if not expected.header:
        has = plural(len({*expected.columns, *expected.others}), "column")
        return InputError(f"{lines.name}: {plural(count, 'column')}; expected {has}, as the model's data had{hint}")
    return InputError(
        f"{lines.name}:{lines.line}: a row ({line_1.why}), but the model finds columns by their names; expected a"
        f" header (--header), or the columns {first_names(expected.columns)} and no others{hint}"
    )


def _label_said(lines: CsvLines, expected: Expected, options: Options) -> int | None:
    """Where the label is, if somebody says so by its position."""
    label = options.reading.label
    if label is None or label == expected.label:
        return None
    return column_place(lines.name, label, lines.columns, len(lines.columns))


def _check_header(lines: CsvLines, names: Sequence[str], offsets: Sequence[int]) -> None:
    seen: dict[str, int] = {}
    for j, name in enumerate(names):
        if not name and j:
            raise InputError(f"{lines.place(offsets[j])}: column {j} has no name; expected a name for each column")
        if name in seen:
            raise InputError(
                f"{lines.place(offsets[j])}: columns {seen[name]} and {j} are both named {shown(name)}; expected names"
                " that differ, in a header line"
            )
        seen[name] = j
