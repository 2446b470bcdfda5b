r"""The slow reader of CSV and TSV.

Text is UTF-8, by RFC 4180: a field is within quotes from end to end, those inside doubled, or has none; lines end with
LF or CRLF, and empty ones are passed over. Fields of CSV are separated by commas; if the first line has
none (outside of quotes, and of numbers with decimal commas) by semicolons, if it has none of them by tabs. If quotes in
TSV are not so, they are characters like others.

- The first line is a header if `header` says so; or if it has the name, and no number, by which a column is asked for;
  or else by the rule in header.py; where that says neither, it is a fault. Without a header the columns are named x0,
  x1, …
- Blanks around a field count for nothing in a number, a truth value, a missing value (empty, NA, N/A, NaN, nan, null,
  NULL, ?) and the name of a column.
- A column is numbers, by the grammar in text.py, or true and false (in any case), which are 1 and 0; or else text,
  which is a column `name=value`, of zeros and ones, for each value that occurs, sorted. All missing is numbers.
- A first column without a name that counts the rows is left out; so is one that counts two rows or more from 0 or 1,
  and has a name that says no more (rownames, id, …), unless it is said to be text
  or counts, or the reading repeats an earlier one.
- The label's column goes by its name, or by its position: whole numbers are positions, and where another column has
  that name, it is a fault; `name:6` and `position:6` say which.
- Under coding="reference" the value that most rows have, the first of several, has no column; or the one that
  `reference` names; but all values have one in the columns that `all_levels` names.
- Columns of counts are no features: whole numbers, by which rows counted 0 times are left out. With two of them each
  row stands for two, labelled by the names of the columns.
- Labels are whole numbers (int64), numbers (float64), or text as it is written.
- A column of words is a column `name:word` for each word that occurs, sorted, how often the row has it. A word is a run
  of letters, marks and digits (L, M and N of Unicode), with apostrophes (' or ’) within, in text that was casefolded.
- A column of weights is no feature. A row of weight 0 is not there, but where labels are only wanted: nothing is
  learnt then.
- A missing value is an error; or its row is dropped; or it is 0 or the mean of its column, rounded once;
  of text it is none of the values.

The fast reader doubts some text that could be categories, but hardly is; this one takes it as it comes.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..options import Options
from .header import LABELS, MISSING, holds_names
from .sheet import NUMBER, Row, SlowSheet, WrongError, hashed, number_of, sheet_of_rows, whole_numbers

ROW_NAMES = {"rownames", "row.names", "row_names", "rowname", "row", "unnamed: 0", "index", "id", "no", "nr"}

Field = tuple[str, str]
"""Its text, and its place as `line:column`."""
Record = tuple[int, list[Field]]
"""Its line, and its fields."""


def csv_sheet(name: str, data: bytes, options: Options) -> SlowSheet:
    """CSV, or TSV if the options say so."""
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: {' '.join(str(error).split())}; expected UTF-8 text") from None
    try:
        return _columns(name, *_headed(_split(text, options.reading.format == "tsv"), options), options)
    except WrongError as wrong:
        raise InputError(f"{name}:{wrong.place}: {wrong}") from None


def _split(text: str, tabs: bool) -> list[Record]:
    first = re.sub('"[^"]*"', "", text.lstrip("\r\n").partition("\n")[0])
    number = r"\s*[+-]?[0-9]+(?:,[0-9]+)?\s*"
    if not tabs:
        commas = "," in first and not re.fullmatch(f"{number}(?:;{number})+", first)
        return _records(text, "," if commas else ";" if ";" in first else "\t" if "\t" in first else ",", True)
    try:
        return _records(text, "\t", True)
    except WrongError:
        return _records(text, "\t", False)


def _records(text: str, delimiter: str, quotes: bool) -> list[Record]:
    """All but empty lines."""
    records: list[Record] = []
    fields: list[Field] = []
    ends = re.compile(f"[{re.escape(delimiter)}\r\n]")
    line = begun = 1
    start = at = 0  # of the line, of the field
    while at < len(text) or fields:
        first, place = at, f"{line}:{at - start + 1}"
        if quotes and text.startswith('"', at):
            end = at + 1
            while (end := text.find('"', end)) >= 0 and text.startswith('""', end):
                end += 2
            if end < 0:
                raise WrongError(place, "a quote that is never closed; expected a closing one")
            field, at = text[at + 1 : end].replace('""', '"'), end + 1
            if "\n" in field:
                line, start = line + field.count("\n"), text.rindex("\n", first, at) + 1
        else:
            found = ends.search(text, at)
            at = len(text) if found is None else found.start()
            field = text[first:at]
        if "\0" in field or (quotes and text[first : first + 1] != '"' and '"' in field):
            raise WrongError(place, f"{shown(field)}; expected no NUL, and quotes around a whole field or not at all")
        fields.append((field, place))
        mark = next((mark for mark in (delimiter, "\r\n", "\n") if text.startswith(mark, at)), "")
        if not mark and at < len(text):
            raise WrongError(f"{line}:{at - start + 1}", f"{shown(text[at])}; expected the end of a field or a line")
        at += len(mark)
        if mark == delimiter:
            continue
        if len(fields) > 1 or at - first > len(mark):
            records.append((begun, fields))
        fields, line, start = [], line + 1, at
        begun = line
    return records


def _headed(records: list[Record], options: Options) -> tuple[list[Field], list[Record]]:
    """The names of the columns, and the records below."""
    if not records:
        raise WrongError("1:1", "empty; expected a header line and rows")
    fields = records[0][1]
    header = [(text.strip(" \t"), place) for text, place in fields]
    names = [name for name, _ in header]
    below = [[text for text, _ in record] for _, record in records[1 : 1 + max(1, min(100, 20_000 // len(names)))]]
    has = options.reading.header
    if has is None:
        has = holds_names(names, below)
    if has is None and _speaks_of(options, names):
        has = True
    if has is None:
        raise WrongError(str(records[0][0]), "names or a row? not clear; expected header=True or False (--header)")
    if not has:
        return [(f"x{j}", place) for j, (_, place) in enumerate(fields)], records
    for j, (name, place) in enumerate(header):
        if (not name and j) or name in names[:j]:
            raise WrongError(place, f"column {j} named {shown(name)}; expected names that differ")
    return header, records[1:]


def _speaks_of(options: Options, names: list[str]) -> bool:
    """Whether somebody calls a column by its name, other than by a number."""
    reading = options.reading
    called = [*(reading.text or ()), *reading.leave_out, *(reading.words or ())]
    called += [*(reading.reference or {}), *(reading.counts or ())]
    for one in (reading.label, reading.weight):
        if isinstance(one, str):
            called.append(one)
            if one[:5] == "name:" and one[5:] in names:
                return True
    return any(one in names for one in called if one and not NUMBER.fullmatch(one))


def _columns(name: str, header: list[Field], records: list[Record], options: Options) -> SlowSheet:
    names = [text for text, _ in header]
    for line, fields in records:
        if len(fields) != len(header):
            raise WrongError(f"{line}:1", f"{len(fields)} fields; expected {len(header)}, as many as there are columns")
    counts = options.reading.counts or ()
    at = None if len(counts) == 2 else _label_column(names, options)
    words = {_asked(names, asked, options, (at,), True) for asked in options.reading.words or ()}
    weigher = (
        None
        if (asked := options.reading.weight) is None
        else _asked(names, asked, options, (at, *words), options.labels == "needed")
    )
    columns = [[fields[j] for _, fields in records] for j in range(len(header))]
    labels = None if at is None else columns[at]
    if labels is not None and options.labels == "wanted" and all(map(_gone, labels)):
        labels = None
    features = [j for j in range(len(header)) if j not in (at, weigher) and names[j] not in options.leave_out]
    if not names[0] and features[:1] == [0]:
        count = _numbers(columns[0])
        if count is None or any((after or 0) - (before or 0) != 1 for before, after in pairwise(count)):
            raise WrongError(header[0][1], "column 0 has no name; expected one")
        features = features[1:]
    elif features[:1] == [0] and 0 not in words and len(records) > 1 and _may_count_rows(names[0], options):
        count = _numbers(columns[0]) or [None]
        if count[0] in (0, 1) and all(number == count[0] + i for i, number in enumerate(count)):
            features = features[1:]
    for one in counts:
        if one not in [names[j] for j in features]:
            raise WrongError("1:1", f"no column {shown(one)} that counts rows; expected the name of one")
    if len(features) <= len(counts):
        raise WrongError(header[0][1], "no features; expected a column beside the label")
    weights = None if weigher is None else _weights(columns[weigher], options)
    idle = (None,) if options.labels == "wanted" else (None, 0)
    keep = [weights is None or weights[i] not in idle for i in range(len(records))]
    for j in [*features, *([at] if labels is not None and at is not None else [])]:
        for i, field in enumerate(columns[j]):
            if keep[i] and _gone(field) and options.missing == "drop":
                keep[i] = False
            elif keep[i] and _gone(field) and (options.missing == "refuse" or j == at):
                raise WrongError(field[1], f"column {shown(names[j])}: missing; expected a value")
    text, times = options.text, _times([columns[names.index(one)] for one in counts], keep)
    made: list[tuple[str, list[float]]] = []
    for j in features:
        if names[j] in counts:
            continue
        # What a column is goes by all of its fields, though rows be dropped.
        kept = [field for field, keeping in zip(columns[j], keep, strict=True) if keeping]
        if j in words:
            told = [Counter([] if _gone(field) else words_in(field[0])) for field in kept]
            for word in sorted({word for row, which in zip(told, times, strict=True) if which for word in row}):
                made.append((f"{names[j]}:{word}", [float(row[word]) for row in told]))
        elif names[j] in text or (numbers := _numbers(columns[j])) is None:
            there = {
                value: sum(sum(which.values()) for field, which in zip(kept, times, strict=True) if field[0] == value)
                for value in sorted({field[0] for field, which in zip(kept, times, strict=True) if which})
                if value.strip(" \t") not in MISSING
            }
            for value in sorted(set(there) - _left_out(names[j], there, options)):
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
    if counts:
        again = [i for i, which in enumerate(times) for _ in which]
        rows, lines = [rows[i] for i in again], [lines[i] for i in again]
        found = None if found is None else found[again]
    if len(counts) == 2:
        found = np.array([counts[which] for row in times for which in row], dtype=object)
    own = tuple(feature for feature, _ in made)
    kept_weights = (
        None if weights is None else np.array([w for w, keeping in zip(weights, keep, strict=True) if keeping])
    )
    if options.reading.hash_bits:
        rows = [hashed([(own[j], value) for j, value in row], 2**options.reading.hash_bits) for row in rows]
        d = 2**options.reading.hash_bits
        return sheet_of_rows(name, str(options.reading.format), rows, d, found, None, lines, kept_weights)
    if len(set(own)) < len(own):
        raise WrongError("1:1", "two features have the same name; expected names that differ")
    return sheet_of_rows(name, str(options.reading.format), rows, len(own), found, own, lines, kept_weights)


def _may_count_rows(name: str, options: Options) -> bool:
    asked = name in options.text or name in (options.reading.counts or ())
    return name.lower() in ROW_NAMES and not asked and not options.replayed


def words_in(text: str) -> list[str]:
    """Its words: letters, marks and digits in a run, apostrophes within, in text without case."""
    kinds = [(unicodedata.category(character)[0], character) for character in text.casefold().replace("’", "'")]
    spaced = "".join(character if kind in "LMN" or character == "'" else " " for kind, character in kinds)
    return re.findall("[^ ']+(?:'[^ ']+)*", spaced)


def _asked(
    names: Sequence[str], asked: str | int, options: Options, taken: Sequence[int | None], needed: bool
) -> int | None:
    """The column that was asked for, and that is nothing else."""
    place = _place(names, asked, needed)
    if place is not None and (place in taken or names[place] in options.text | options.leave_out):
        raise WrongError("1:1", f"column {shown(asked)} is something else already; expected a column of its own")
    return place


def _weights(fields: Sequence[Field], options: Options) -> list[float | None] | None:
    """What each row counts; None where that is missing and the row dropped, or if all are and nobody minds."""
    if options.labels == "wanted" and all(map(_gone, fields)):
        return None
    weights = _numbers(fields)
    if weights is None:
        wrong = next(field for field in fields if not _gone(field) and not NUMBER.fullmatch(field[0].strip(" \t")))
        raise WrongError(wrong[1], f"weight {shown(wrong[0])}; expected a number")
    for weight, (_, place) in zip(weights, fields, strict=True):
        if (weight is None and options.missing != "drop") or (weight or 0) < 0:
            raise WrongError(place, f"weight {weight}; expected a number that is 0 or more")
    if options.labels == "needed" and not any(weights):
        raise WrongError("1:1", "all weights are 0; expected some above")
    return weights


def _left_out(name: str, there: dict[str, int], options: Options) -> set[str]:
    """The value of a column of text that has no column: of all that are there, with how often they are."""
    if options.coding == "levels" or name in (options.reading.all_levels or ()) or not there:
        return set()
    given = (options.reading.reference or {}).get(name)
    return {given} if given is not None else {max(sorted(there), key=lambda value: there[value])}


def _times(columns: Sequence[Sequence[Field]], keep: Sequence[bool]) -> list[dict[int, int]]:
    """Of each row that is kept, the counts that are above 0, by their number; without counts, as if there were one."""
    if not columns:
        return [{0: 1} for keeping in keep if keeping]
    found: list[dict[int, int]] = [{} for _ in keep]
    for which, fields in enumerate(columns):
        numbers = _numbers(fields) or [-1.0] * len(fields)
        for i, ((text, place), number) in enumerate(zip(fields, numbers, strict=True)):
            if keep[i] and (number is None or not 0 <= number < 2**40 or number != int(number)):
                raise WrongError(place, f"count {shown(text)}; expected a whole number >= 0")
            if number:
                found[i][which] = int(number)
    return [which for which, keeping in zip(found, keep, strict=True) if keeping]


def _label_column(names: Sequence[str], options: Options) -> int | None:
    label = options.reading.label
    if label is None:
        found = [j for j, name in enumerate(names) if name.strip().lower() in LABELS]
        if len(found) == 1 or (not found and options.labels == "wanted"):
            return found[0] if found else None
        raise WrongError("1:1", f"{len(found)} columns are named label, class, target or y; expected one, or label=")
    return _place(names, label, options.labels == "needed")


def _place(names: Sequence[str], label: str | int, needed: bool) -> int | None:
    """The column that is asked for by its name or its position."""
    if isinstance(label, str) and label not in names and label.startswith("name:") and label[5:] in names:
        return names.index(label[5:])
    said = label[9:] if isinstance(label, str) and label not in names and label[:9] == "position:" else label
    if isinstance(said, str) and not re.fullmatch("[+-]?[0-9]{1,9}", said):
        if label in names:
            return names.index(str(label))
        if not needed:
            return None
        raise WrongError("1:1", f"no column {shown(label)}; expected the name of one")
    there = -len(names) <= int(said) < len(names)
    if label in names and not (there and names[int(said)] == label):
        if there:
            raise WrongError("1:1", f"{label} is a name and a position; expected name:{label} or position:{label}")
        return names.index(str(label))
    if not there:
        raise WrongError("1:1", f"no column {label}; expected the position of one")
    return int(said) % len(names)


def _gone(field: Field) -> bool:
    return field[0].strip(" \t") in MISSING


def _numbers(fields: Sequence[Field]) -> list[float | None] | None:
    """Numbers, with None for each that is missing; None if it is text."""
    texts = [(None if _gone(field) else field[0].strip(" \t"), field[1]) for field in fields]
    if all(text is None or NUMBER.fullmatch(text) for text, _ in texts):
        for text, place in texts:
            if text and re.fullmatch("[+-]?[0-9]{16,4000}", text) and int(float(text)) != int(text):
                raise WrongError(place, f"{shown(text)} is not exact as float64; expected numbers up to 2**53")
        return [None if text is None else number_of(text, place, "value") for text, place in texts]
    if all(text is None or text.lower() in ("true", "false") for text, _ in texts):
        return [None if text is None else float(text.lower() == "true") for text, _ in texts]
    return None


def _filled(numbers: Sequence[float | None], name: str, place: str, options: Options) -> list[float]:
    there = np.array([number for number in numbers if number is not None], dtype=np.float64)
    if there.size == len(numbers) or options.missing != "mean":
        return [number or 0.0 for number in numbers]
    if options.reading.fill is None and there.size:
        mean = float(sum(map(Fraction, there.tolist())) / there.size)
    elif options.reading.fill is not None and name in options.reading.fill:
        mean = float(options.reading.fill[name])
    else:
        raise WrongError(place, f"column {shown(name)}: values are missing, and no mean is known")
    return [mean if number is None else number for number in numbers]


def _labels(fields: Sequence[Field], as_text: bool) -> NDArray[Any]:
    """Whole numbers, numbers or text. Where a label is missing, and its row dropped, 0 or what stands there."""
    texts = [("0" if _gone(field) else field[0].strip(" \t"), field[1]) for field in fields]
    if as_text or not all(NUMBER.fullmatch(text) for text, _ in texts):
        return np.array([field[0] for field in fields], dtype=object)
    if not all(re.fullmatch("[+-]?[0-9]{1,4000}", text) for text, _ in texts):
        return whole_numbers([number_of(text, place, "label") for text, place in texts])
    for text, place in texts:
        if abs(int(text)) >= 2**63:
            raise WrongError(place, f"label {shown(text)} is beyond 2**63; expected a smaller number")
    return np.array([int(text) for text, _ in texts], dtype=np.int64)
