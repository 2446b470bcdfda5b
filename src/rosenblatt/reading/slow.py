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

**CSV** and **TSV**, in UTF-8, by RFC 4180: a field is within quotes from end to end, those inside doubled, or has none;
lines end with LF or CRLF, and empty ones are passed over. Fields of CSV are separated by commas; if the first line has
none (outside of quotes, and of numbers with decimal commas) by semicolons, if it has none of them by tabs. If quotes in
TSV are not so, they are characters like others.

- The first line is a header; but not if all of it is numbers (four or more that count 0, 1, 2, … are names), nor if no
  name stands over a column of numbers, none is that of a label, and some are numbers that are not names (one twice, or
  with a sign, point or exponent) or half of them stand in their columns too and one of them twice. Then the columns are
  named x0, x1, …
- Blanks around a field count for nothing in a number, a truth value, a missing value (empty, NA, N/A, NaN, nan, null,
  NULL, ?) and the name of a column.
- A column is numbers, by the grammar above, or true and false (in any case), which are 1 and 0; or else text, which is
  a column `name=value`, of zeros and ones, for each value that occurs, sorted. All missing is numbers.
- A first column without a name that counts the rows is left out.
- Labels are whole numbers (int64), numbers (float64), or text as it is written.
- A missing value is an error; or its row is dropped; or it is 0 or the mean (NumPy's sum over the count) of its column;
  of text it is none of the values.

The fast reader doubts some text that could be categories, but hardly is; this one takes it as it comes.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, shown
from .opening import Opened
from .options import Options

LONGEST_LINE = 2**26
LARGEST_INDEX = 2**31 - 1

MISSING = frozenset(("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"))
LABELS = frozenset(("label", "class", "target", "y"))

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DIGITS = re.compile(r"[0-9]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, eq=False)
class SlowSheet:
    """What a file holds: its rows in CSR form, labels if it has any, the names of columns, and the line of each row."""

    name: str
    format: str
    values: NDArray[np.float64]
    columns: NDArray[np.int64]
    starts: NDArray[np.int64]
    d: int
    labels: NDArray[Any] | None
    feature_names: tuple[str, ...] | None
    lines: NDArray[np.int64]

    def matrix(self) -> Any:
        """The rows as SciPy's CSR array."""
        from scipy.sparse import csr_array

        return csr_array((self.values, self.columns, self.starts), shape=(self.lines.size, self.d))


Row = list[tuple[int, float]]


def slow_sheet(opened: Opened, options: Options) -> SlowSheet:
    """Read a file of svmlight text, CSV or TSV, whichever `options.format` says."""
    if options.format == "svmlight":
        return _svmlight(opened.name, opened.readall(), options)
    if options.format in ("csv", "tsv"):
        return _csv(opened.name, opened.readall(), options)
    raise InputError(f"{opened.name}: the slow reader reads svmlight, csv and tsv, not {options.format}")


def _svmlight(name: str, data: bytes, options: Options) -> SlowSheet:
    rows: list[Row] = []
    labels: list[float] = []
    lines: list[int] = []
    text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")  # a character for each byte
    for line, whole in enumerate(text.split("\n"), 1):
        if len(whole) + 1 > LONGEST_LINE:
            raise InputError(f"{name}:{line}:{LONGEST_LINE + 1}: the line goes on; expected less than 64 MiB")
        try:
            found = _row(whole.removesuffix("\r").partition("#")[0], options.base)
        except _Wrong as wrong:
            raise InputError(f"{name}:{line}:{wrong.place}: {wrong}") from None
        if found is not None:
            labels.append(found[0])
            rows.append(found[1])
            lines.append(line)
    indices = [index for row in rows for index, _ in row]
    base = options.base if options.base is not None else 0 if 0 in indices else 1
    d = max(indices, default=base - 1) + 1 - base
    rows = [[(index - base, value) for index, value in row] for row in rows]
    if options.hash_bits:
        d = 2**options.hash_bits
        rows = [_hashed([(str(column + base), value) for column, value in row], d) for row in rows]
    return _sheet(name, "svmlight", rows, d, _whole(labels), None, lines)


class _Wrong(Exception):  # noqa: N818
    """What is wrong, and its place: a column, or `line:column`."""

    def __init__(self, place: int | str, what: str) -> None:
        super().__init__(what)
        self.place = place


def _row(text: str, base: int | None) -> tuple[float, Row] | None:
    """The label and the items of a line without its comment and its end."""
    label: float | None = None
    items: Row = []
    for token in re.finditer(r"[^ \t]+", text):
        place, word = token.start() + 1, token.group()
        if (stray := _CONTROL.search(word)) is not None:
            raise _Wrong(place + stray.start(), f"control character {shown(stray.group())}; expected text")
        if label is None:
            label = _number(word, place, "label")
            continue
        index, colon, value = word.partition(":")
        if index == "qid" and colon and _DIGITS.fullmatch(value):
            continue
        if not colon or not _DIGITS.fullmatch(index):
            raise _Wrong(place, f"{shown(word)}; expected index:value")
        # Of thousands of digits Python makes no number; leading zeros count for nothing.
        digits = index.lstrip("0") or "0"
        if len(digits) > 10 or int(digits) > LARGEST_INDEX:
            raise _Wrong(place, f"index {shown(index)}; expected at most {LARGEST_INDEX}")
        if items and int(digits) <= items[-1][0]:
            raise _Wrong(place, f"index {digits} after {items[-1][0]}; expected indices that rise")
        if base == 1 and digits == "0":
            raise _Wrong(place, "index 0; expected 1 or more, as base=1 says")
        items.append((int(digits), _number(value, place + len(index) + 1, "value")))
    return None if label is None else (label, items)


def _number(text: str, place: int | str, what: str) -> float:
    if _NUMBER.fullmatch(text) is None:
        raise _Wrong(place, f"{what} {shown(text)}; expected a number")
    if math.isinf(number := float(text)):
        raise _Wrong(place, f"{what} {shown(text)} is beyond float64; expected a finite number")
    return number


# --- CSV and TSV. ---

Field = tuple[str, str]
"""Its text, and its place as `line:column`."""
Record = tuple[int, list[Field]]
"""Its line, and its fields."""


def _csv(name: str, data: bytes, options: Options) -> SlowSheet:
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: {' '.join(str(error).split())}; expected UTF-8 text") from None
    try:
        return _columns(name, *_headed(_split(text, options.format == "tsv")), options)
    except _Wrong as wrong:
        raise InputError(f"{name}:{wrong.place}: {wrong}") from None


def _split(text: str, tabs: bool) -> list[Record]:
    first = re.sub('"[^"]*"', "", text.lstrip("\r\n").partition("\n")[0])
    number = r"\s*[+-]?[0-9]+(?:,[0-9]+)?\s*"
    if not tabs:
        commas = "," in first and not re.fullmatch(f"{number}(?:;{number})+", first)
        return _records(text, "," if commas else ";" if ";" in first else "\t" if "\t" in first else ",", True)
    try:
        return _records(text, "\t", True)
    except _Wrong:
        return _records(text, "\t", False)


def _records(text: str, delimiter: str, quotes: bool) -> list[Record]:
    """All but empty lines."""
    records: list[Record] = []
    fields: list[Field] = []
    line = begun = 1
    start = at = 0  # of the line, of the field
    while at < len(text) or fields:
        first, place = at, f"{line}:{at - start + 1}"
        if quotes and text.startswith('"', at):
            end = at + 1
            while (end := text.find('"', end)) >= 0 and text.startswith('""', end):
                end += 2
            if end < 0:
                raise _Wrong(place, "a quote that is never closed; expected a closing one")
            field, at = text[at + 1 : end].replace('""', '"'), end + 1
            if "\n" in field:
                line, start = line + field.count("\n"), text.rindex("\n", first, at) + 1
        else:
            at = min((end for mark in f"{delimiter}\r\n" if (end := text.find(mark, at)) >= 0), default=len(text))
            field = text[first:at]
        if "\0" in field or (quotes and text[first : first + 1] != '"' and '"' in field):
            raise _Wrong(place, f"{shown(field)}; expected no NUL, and quotes around a whole field or not at all")
        fields.append((field, place))
        mark = next((mark for mark in (delimiter, "\r\n", "\n") if text.startswith(mark, at)), "")
        if not mark and at < len(text):
            raise _Wrong(f"{line}:{at - start + 1}", f"{shown(text[at])}; expected the end of a field or a line")
        at += len(mark)
        if mark == delimiter:
            continue
        if len(fields) > 1 or at - first > len(mark):
            records.append((begun, fields))
        fields, line, start = [], line + 1, at
        begun = line
    return records


def _headed(records: list[Record]) -> tuple[list[Field], list[Record]]:
    """The names of the columns, and the records below."""
    if not records:
        raise _Wrong("1:1", "empty; expected a header line and rows")
    fields = records[0][1]
    header = [(text.strip(" \t"), place) for text, place in fields]
    names = [name for name, _ in header]
    below = [[text for text, _ in record] for _, record in records[1 : 1 + max(1, min(100, 20_000 // len(names)))]]
    if not _is_header(names, [list(column) for column in zip(*below, strict=False)]):
        return [(f"x{j}", place) for j, (_, place) in enumerate(fields)], records
    for j, (name, place) in enumerate(header):
        if (not name and j) or name in names[:j]:
            raise _Wrong(place, f"column {j} named {shown(name)}; expected names that differ")
    return header, records[1:]


def _is_header(names: list[str], columns: list[list[str]]) -> bool:
    numbers = [name for name in names if _NUMBER.fullmatch(name)]
    if len(numbers) == len(names):
        return len(names) >= 4 and names == [str(j) for j in range(len(names))]
    for name, column in zip(names, columns, strict=False):
        if all(map(_may_be_number, column)) and not _may_be_number(name):
            return True
    if any(name.lower() in LABELS for name in names):
        return True
    if len(set(numbers)) < len(numbers) or any(name[0] == "-" or set(name) & {*".eE"} for name in numbers):
        return False
    again = sum(name in column for name, column in zip(names, columns, strict=False))
    return len(set(names)) == len(names) or 2 * again < len(names)


def _may_be_number(text: str) -> bool:
    return text.strip(" \t") in MISSING or _NUMBER.fullmatch(text.strip(" \t")) is not None


def _columns(name: str, header: list[Field], records: list[Record], options: Options) -> SlowSheet:
    names = [text for text, _ in header]
    for line, fields in records:
        if len(fields) != len(header):
            raise _Wrong(f"{line}:1", f"{len(fields)} fields; expected {len(header)}, as many as there are columns")
    at = _label_column(names, options)
    columns = [[fields[j] for _, fields in records] for j in range(len(header))]
    labels = None if at is None else columns[at]
    if labels is not None and options.labels == "wanted" and all(map(_gone, labels)):
        labels = None
    features = [j for j in range(len(header)) if j != at and names[j] not in options.leave_out]
    if not names[0] and features[:1] == [0]:
        count = _numbers(columns[0])
        if count is None or any((after or 0) - (before or 0) != 1 for before, after in pairwise(count)):
            raise _Wrong(header[0][1], "column 0 has no name; expected one")
        features = features[1:]
    if not features:
        raise _Wrong(header[0][1], "no features; expected a column beside the label")
    keep = [True] * len(records)
    for j in [*features, *([at] if labels is not None and at is not None else [])]:
        for i, field in enumerate(columns[j]):
            if _gone(field) and options.missing == "drop":
                keep[i] = False
            elif _gone(field) and (options.missing == "refuse" or j == at):
                raise _Wrong(field[1], f"column {shown(names[j])}: missing; expected a value")
    text = options.text or frozenset()
    made: list[tuple[str, list[float]]] = []
    for j in features:
        # What a column is goes by all of its fields, though rows be dropped.
        kept = [field for field, keeping in zip(columns[j], keep, strict=True) if keeping]
        if names[j] in text or (numbers := _numbers(columns[j])) is None:
            for value in sorted({field[0] for field in kept if not _gone(field)}):
                made.append((f"{names[j]}={value}", [float(field[0] == value) for field in kept]))
        else:
            known = [number for number, keeping in zip(numbers, keep, strict=True) if keeping]
            made.append((names[j], _filled(known, names[j], header[j][1], options)))
    n = sum(keep)
    rows: list[Row] = [[(j, column[i]) for j, (_, column) in enumerate(made) if column[i]] for i in range(n)]
    found: NDArray[Any] | None = None
    if labels is not None and at is not None:
        found = _labels(labels, names[at] in text)[np.array(keep, dtype=bool)]
    lines = [line for (line, _), keeping in zip(records, keep, strict=True) if keeping]
    own = tuple(feature for feature, _ in made)
    if options.hash_bits:
        rows = [_hashed([(own[j], value) for j, value in row], 2**options.hash_bits) for row in rows]
        return _sheet(name, str(options.format), rows, 2**options.hash_bits, found, None, lines)
    if len(set(own)) < len(own):
        raise _Wrong("1:1", "two features have the same name; expected names that differ")
    return _sheet(name, str(options.format), rows, len(own), found, own, lines)


def _label_column(names: Sequence[str], options: Options) -> int | None:
    label = options.label
    if label is None:
        found = [j for j, name in enumerate(names) if name.strip().lower() in LABELS]
        if len(found) == 1 or (not found and options.labels == "wanted"):
            return found[0] if found else None
        raise _Wrong("1:1", f"{len(found)} columns are named label, class, target or y; expected one, or label=")
    if label in names:
        return names.index(str(label))
    if isinstance(label, str) and not re.fullmatch("[+-]?[0-9]+", label):
        if options.labels == "wanted":
            return None
        raise _Wrong("1:1", f"no column {shown(label)}; expected the name of one")
    if not -len(names) <= int(label) < len(names):
        raise _Wrong("1:1", f"no column {label}; expected the position of one")
    return int(label) % len(names)


def _gone(field: Field) -> bool:
    return field[0].strip(" \t") in MISSING


def _numbers(fields: Sequence[Field]) -> list[float | None] | None:
    """Numbers, with None for each that is missing; None if it is text."""
    texts = [(None if _gone(field) else field[0].strip(" \t"), field[1]) for field in fields]
    if all(text is None or _NUMBER.fullmatch(text) for text, _ in texts):
        for text, place in texts:
            if text and re.fullmatch("[+-]?[0-9]{16,4000}", text) and int(float(text)) != int(text):
                raise _Wrong(place, f"{shown(text)} is not exact as float64; expected numbers up to 2**53")
        return [None if text is None else _number(text, place, "value") for text, place in texts]
    if all(text is None or text.lower() in ("true", "false") for text, _ in texts):
        return [None if text is None else float(text.lower() == "true") for text, _ in texts]
    return None


def _filled(numbers: Sequence[float | None], name: str, place: str, options: Options) -> list[float]:
    there = np.array([number for number in numbers if number is not None], dtype=np.float64)
    if there.size == len(numbers) or options.missing != "mean":
        return [number or 0.0 for number in numbers]
    if options.fill is None and there.size:
        with np.errstate(over="ignore"):
            mean = float(there.sum() / there.size)
        mean = mean if math.isfinite(mean) else float((there / there.size).sum())
    elif options.fill is not None and name in options.fill:
        mean = float(options.fill[name])
    else:
        raise _Wrong(place, f"column {shown(name)}: values are missing, and no mean is known")
    return [mean if number is None else number for number in numbers]


def _labels(fields: Sequence[Field], as_text: bool) -> NDArray[Any]:
    """Whole numbers, numbers or text. Where a label is missing, and its row dropped, 0 or what stands there."""
    texts = [("0" if _gone(field) else field[0].strip(" \t"), field[1]) for field in fields]
    if as_text or not all(_NUMBER.fullmatch(text) for text, _ in texts):
        return np.array([field[0] for field in fields], dtype=object)
    if not all(re.fullmatch("[+-]?[0-9]{1,4000}", text) for text, _ in texts):
        return _whole([_number(text, place, "label") for text, place in texts])
    for text, place in texts:
        if abs(int(text)) >= 2**63:
            raise _Wrong(place, f"label {shown(text)} is beyond 2**63; expected a smaller number")
    return np.array([int(text) for text, _ in texts], dtype=np.int64)


# --- What both have in common. ---


def _hashed(row: list[tuple[str, float]], columns: int) -> Row:
    """Features in the columns that the hashes of their names say, 64-bit FNV-1a mixed as in MurmurHash3's last step."""
    sums: dict[int, float] = {}
    for name, value in row:
        h = 0xCBF29CE484222325
        for byte in name.encode():
            h = ((h ^ byte) * 0x100000001B3) % 2**64
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            h = ((h ^ h >> 33) * factor) % 2**64
        column = (h ^ h >> 33) % columns
        sums[column] = sums[column] + value if column in sums else value
    return sorted(sums.items())


def _whole(labels: list[float]) -> NDArray[Any]:
    """Numbers as int64, if all are whole and within 2**53, else as float64."""
    if all(label.is_integer() and abs(label) <= 2**53 for label in labels):
        return np.array([int(label) for label in labels], dtype=np.int64)
    return np.array(labels, dtype=np.float64)


def _sheet(
    name: str,
    format: str,
    rows: list[Row],
    d: int,
    labels: NDArray[Any] | None,
    names: tuple[str, ...] | None,
    lines: list[int],
) -> SlowSheet:
    if not rows:
        raise InputError(f"{name}: no rows; expected at least one")
    if d <= 0:
        raise InputError(f"{name}: no features; expected some beside the label")
    values = np.array([value for row in rows for _, value in row], dtype=np.float64)
    columns = np.array([column for row in rows for column, _ in row], dtype=np.int64)
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return SlowSheet(name, format, values, columns, starts, d, labels, names, np.array(lines, dtype=np.int64))
