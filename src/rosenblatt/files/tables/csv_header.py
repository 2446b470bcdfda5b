"""The first line of a CSV file: what separates fields, and whether it holds names or is a row already."""

import re
from collections.abc import Sequence

from ...errors import InputError, shown
from .category_checks import NUMBER
from .csv_lines import LONGEST_LINE, CsvLines, place, text_start, too_long
from .label_column import LABELS

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
"""Fields that are missing values, blanks around them aside."""

_MOST_COLUMNS = 2**20
_SAMPLE = 20_000  # fields looked at to guess what is numbers
_number = re.compile(NUMBER)


def csv_lines_of(name: str, data: bytes, format: str) -> tuple[CsvLines, list[str]]:
    """The records below the header, and what to say about it."""
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
    delimiter = b"\t" if format == "tsv" else _delimiter(first)
    if format == "csv" and delimiter != b",":
        notes.append(f"fields are separated by {'semicolons' if delimiter == b';' else 'tabs'}")
    if first.count(delimiter) >= _MOST_COLUMNS:
        raise InputError(
            f"{name}: {first.count(delimiter) + 1} columns; expected at most {_MOST_COLUMNS}: svmlight text is for more"
        )
    line = data.count(b"\n", 0, start) + 1
    lines = CsvLines(name, data, delimiter, start=start, line=line)
    try:
        lines.check()
    except InputError:
        if format == "csv":
            raise
        lines = CsvLines(name, data, delimiter, start=start, line=line, quotes=False)
        lines.check()
        notes.append("quotes are part of the fields, since not all are around whole fields")
    header = list(lines.fields(start))
    names = [text.decode().strip(" \t") for _, text, _ in header]
    lines.columns = tuple(f"x{j}" for j in range(len(names)))
    if _is_header(names, lines.head(1 + sample_size(lines))[1:]):
        _check_header(lines, names, [at for at, _, _ in header])
        lines = CsvLines(
            name,
            data,
            delimiter,
            start=header[-1][2],
            line=line + data.count(b"\n", start, header[-1][2]),
            quotes=lines.quotes,
        )
        lines.columns = tuple(names)
    else:
        notes.append("no header: the first line is taken for a row, and columns are named x0, x1, …")
    return lines, notes


def _delimiter(first: bytes) -> bytes:
    outside = re.sub(rb'"[^"]*"', b"", first)
    decimal_commas = re.fullmatch(rb"\s*[+-]?[0-9]+(,[0-9]+)?\s*(;\s*[+-]?[0-9]+(,[0-9]+)?\s*)+", outside)
    if b"," in outside and not decimal_commas:
        return b","
    return next((mark for mark in (b";", b"\t") if mark in outside), b",")


def sample_size(lines: CsvLines) -> int:
    """How many rows to guess from."""
    return max(1, min(100, _SAMPLE // len(lines.columns)))


def may_be_number(text: str) -> bool:
    """Whether a field is a number, or missing."""
    text = text.strip(" \t")
    return text in MISSING or _number.fullmatch(text) is not None


def _is_header(names: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether the first line is names, to go by it and the rows below it."""
    numbers = [name for name in names if _number.fullmatch(name)]
    if len(numbers) == len(names):  # 0, 1, 2, … is how pandas names the columns of an array
        return len(names) >= 4 and list(names) == [str(j) for j in range(len(names))]
    columns = list(zip(*below, strict=False))
    over_numbers = [
        not may_be_number(name) for name, column in zip(names, columns, strict=False) if all(map(may_be_number, column))
    ]
    if any(over_numbers) or any(name.lower() in LABELS for name in names):
        return True
    if len(set(numbers)) < len(numbers) or any(re.search(r"^-|[.eE]", number) for number in numbers):
        return False
    again = sum(name in column for name, column in zip(names, columns, strict=False))
    return not (len(set(names)) < len(names) and 2 * again >= len(names))


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
