"""The rows of an ARFF file, either values in order or `{index value, …}`, as columns.

What is within quotes is put aside first, behind a number, so that commas and blanks in it separate nothing; comments
become empty lines. Values in order are CSV then. Of rows that name their values, all entries are taken at once, and
sorted by attribute.
"""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..options import Options
from .arff_header import QUOTED, Attribute, unquoted
from .arrow import numpy_of
from .category_checks import NUMBER
from .columns import Column
from .csv_fields import coded, exact_integers, numbers_column, parsed
from .csv_lines import CsvLines, place

ASIDE = "\x01"
_VALUE = re.compile(rf"(?m)(^[ \t]*|[,{{][ \t]*|[ \t])({QUOTED})(?=[ \t]*(?:[,}}]|\r?$))".encode())
_COMMENT = re.compile(rb"(?m)^[ \t]*%[^\r\n]*")
_WEIGHT = re.compile(rb"(?m),[ \t]*\{[^{}\r\n]*\}[ \t]*\r?$")
_number = re.compile(NUMBER)
_NEEDED = "is not a number that float64 holds; expected one such as 1.5 or -2e-3, or ? where it is missing"


class ArffLines(CsvLines):
    """The rows, after what was within quotes and in comments is put aside; lines are those of the file."""

    def __init__(self, name: str, original: bytes, data: bytes, start: int, line: int) -> None:
        super().__init__(name, data, b",", start=start, line=line, quotes=False)
        self.original = original
        self.aside: list[str] = []

    def place(self, offset: int) -> str:
        """`file:line:column`; without the column where the line was changed."""
        lines = [
            data[data.rfind(b"\n", 0, at) + 1 :].split(b"\n", 1)[0]
            for data, at in ((self.original, self._original_offset(offset)), (self.data, offset))
        ]
        whole_place = place(self.name, self.data, offset)
        return whole_place if lines[0] == lines[1] else whole_place.rpartition(":")[0]

    def _original_offset(self, offset: int) -> int:
        at = -1
        for _ in range(self.data.count(b"\n", 0, offset)):
            at = self.original.index(b"\n", at + 1)
        return at + 1

    def values_of(self, texts: Any) -> list[str | None]:
        """Texts as they were written, without quotes; None if missing."""
        found: list[str | None] = []
        for text in texts.to_pylist():
            bare = text.strip(" \t")
            found.append(self.aside[int(bare[1:])] if bare.startswith(ASIDE) else None if bare == "?" else bare)
        return found


def columns_of_rows(lines: ArffLines, attributes: Sequence[Attribute], options: Options) -> tuple[list[Column], int]:
    """A column for each attribute, and how many rows there are. Raises `InputError` for what was not declared."""
    first = lines.head(1)
    if not first:
        raise InputError(f"{lines.name}: no rows; expected at least one after @data")
    if (weight := _WEIGHT.search(lines.data, lines.start)) is not None:
        raise InputError(f"{lines.place(weight.start() + 1)}: a weight of a row; expected rows without weights")
    if first[0][0].lstrip(" \t").startswith("{"):
        return _named_values(lines, attributes)
    arrays, _ = parsed(lines, [attribute.kind == "numeric" for attribute in attributes], options, ("?",))
    return [_column(lines, j, attributes[j], array, options) for j, array in enumerate(arrays)], len(arrays[0])


def arff_lines(name: str, data: bytes, body: int) -> ArffLines:
    """The rows without comments, and with numbers for what is within quotes."""
    rows = data[body:]
    aside: dict[str, int] = {}

    def put_aside(match: re.Match[bytes]) -> bytes:
        value = unquoted(match[2].decode())
        return match[1] + f"{ASIDE}{aside.setdefault(value, len(aside))}".encode()

    if b"%" in rows:
        rows = _COMMENT.sub(b"", rows)
    if b"'" in rows or b'"' in rows:
        rows = _VALUE.sub(put_aside, rows)
    lines = ArffLines(name, data, data[:body] + rows, body, data.count(b"\n", 0, body) + 1)
    lines.aside = list(aside)
    lines.check()
    return lines


def _column(lines: ArffLines, j: int, attribute: Attribute, array: Any, options: Options) -> Column:
    import pyarrow as pa

    if pa.types.is_floating(array.type):
        column, wrong_number = numbers_column(lines, j, array, options, ("?",))
        if wrong_number is not None:
            raise wrong_number
        return column
    texts, codes = coded(array)
    values = lines.values_of(texts)
    if attribute.kind == "string":
        codes = np.where(np.append([value is None for value in values], False)[codes], -1, codes)
        return Column(j, attribute.name, codes, [value or "" for value in values])
    found, wrong = numbers_in(values) if attribute.kind == "numeric" else _places_in(values, attribute.values)
    if wrong is not None:
        row = int(np.flatnonzero(np.append(wrong, False)[codes])[0])
        raise lines.error(row, j, _unfit(values[int(codes[row])], attribute))
    return _made(j, attribute, np.append(found, found.dtype.type(_gone(attribute)))[codes])


def _named_values(lines: ArffLines, attributes: Sequence[Attribute]) -> tuple[list[Column], int]:
    """The columns of rows `{index value, …}`."""
    import pyarrow as pa
    import pyarrow.compute as pc

    n = lines.records.size
    text = pa.array(lines.data[lines.start :].decode().split("\n"), pa.large_string())
    text = pc.utf8_trim_whitespace(text.filter(pc.greater(pc.utf8_length(pc.utf8_rtrim(text, characters="\r")), 0)))
    inner = pc.struct_field(pc.extract_regex(text, r"^\{(?P<inner>[^{}]*)\}$"), "inner")
    if inner.null_count:
        raise _row_error(
            lines, pc.index(pc.is_null(inner), True).as_py(), "not a row like the first; expected {index value, …}"
        )
    rows = np.flatnonzero(numpy_of(pc.utf8_length(pc.utf8_trim_whitespace(inner))))
    lists = pc.split_pattern(inner.take(rows), ",")
    rows = np.repeat(rows, numpy_of(pc.list_value_length(lists)))
    entries = pc.extract_regex(lists.flatten(), r"^\s*(?P<index>[0-9]{1,9})\s+(?P<value>\S.*?)\s*$")
    if entries.null_count:
        at = pc.index(pc.is_null(entries), True).as_py()
        raise _row_error(lines, rows[at], f"{shown(lists.flatten()[at].as_py())}; expected an index and a value")
    indices = numpy_of(pc.cast(pc.struct_field(entries, "index"), pa.int64()))
    if (wrong := np.flatnonzero(indices >= len(attributes))).size:
        what = f"index {indices[wrong[0]]}; expected 0 to {len(attributes) - 1}"
        raise _row_error(lines, rows[wrong[0]], what)
    if (wrong := np.flatnonzero((np.diff(indices) <= 0) & (np.diff(rows) == 0))).size:
        what = f"index {indices[wrong[0] + 1]} after {indices[wrong[0]]}; expected indices that rise"
        raise _row_error(lines, rows[wrong[0]], what)
    once = pc.struct_field(entries, "value").dictionary_encode()
    values, codes = lines.values_of(once.dictionary), numpy_of(once.indices)
    order = np.argsort(indices, kind="stable")
    bounds = np.searchsorted(indices[order], np.arange(len(attributes) + 1))
    numbers, unfit = numbers_in(values)
    columns = []
    for j, attribute in enumerate(attributes):
        mine = order[bounds[j] : bounds[j + 1]]
        if attribute.kind == "string":
            raise InputError(f"{lines.name}: column {shown(attribute.name)}: text in rows that name their values")
        places = np.full(len(values) if attribute.kind == "nominal" else 0, -1, dtype=np.int32)
        if attribute.kind == "nominal":
            used = np.unique(codes[mine])
            places[used], _ = _places_in([values[i] for i in used], attribute.values)
        no = unfit if attribute.kind == "numeric" else places == -2
        if no is not None and (bad := np.flatnonzero(no[codes[mine]])).size:
            at = mine[bad[0]]
            raise _row_error(lines, rows[at], f"column {shown(attribute.name)}: {_unfit(values[codes[at]], attribute)}")
        if attribute.kind == "numeric":
            columns.append(Column(j, attribute.name, numbers[codes[mine]], rows=rows[mine]))
        else:
            chosen = np.zeros(n, dtype=np.int32)
            chosen[rows[mine]] = places[codes[mine]]
            columns.append(_made(j, attribute, chosen))
    return columns, n


def _row_error(lines: ArffLines, row: Any, what: str) -> InputError:
    return InputError(f"{lines.place(int(lines.records[int(row)])).rpartition(':')[0]}: {what}")


def _made(j: int, attribute: Attribute, values: NDArray[Any]) -> Column:
    if attribute.kind == "numeric":
        return Column(j, attribute.name, values)
    return Column(j, attribute.name, values, list(attribute.values), declared=True)


def _gone(attribute: Attribute) -> float:
    return np.nan if attribute.kind == "numeric" else -1


def _unfit(value: Any, attribute: Attribute) -> str:
    if attribute.kind == "numeric":
        return f"{shown(value)} {_NEEDED}"
    return f"{shown(value)} is not declared; expected one of {shown(list(attribute.values))[1:-1]}, or ?"


def numbers_in(values: Sequence[str | None]) -> tuple[NDArray[np.float64], NDArray[np.bool_] | None]:
    """The numbers that texts are, NaN where one is missing; and which of them are none, if some are not."""
    texts = ["0" if value is None else value for value in values]
    numbers = np.array([float(text) if _number.fullmatch(text) else np.inf for text in texts])
    wrong = np.isinf(numbers) | ~exact_integers(texts)
    numbers[[value is None for value in values]] = np.nan
    return numbers, wrong if wrong.any() else None


def _places_in(
    values: Sequence[str | None], declared: Sequence[str]
) -> tuple[NDArray[np.int32], NDArray[np.bool_] | None]:
    """The place of each among the declared values, −1 where one is missing; and which are not declared, if any."""
    known = {value: k for k, value in enumerate(declared)}
    places = np.array([-1 if value is None else known.get(value, -2) for value in values], dtype=np.int32)
    return places, places == -2 if (places == -2).any() else None
