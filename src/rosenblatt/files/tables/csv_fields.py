"""The fields of CSV and TSV text, parsed by pyarrow into arrays of numbers or of text.

pyarrow is told the type of every column and guesses none: it would take `0x10` for a number, and judge a column by its
first megabyte. What is numbers is guessed from the first rows; where a later one disagrees, the column is read again as
text.
"""

import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...choices import LARGEST_EXACT
from ...errors import InputError, shown
from ..options import Options
from .arrow import codes_of, nulls_of, numpy_of
from .category_checks import NUMBER, matches, to_take_as_text
from .columns import Column, number_column
from .csv_lines import LONGEST_LINE, CsvLines
from .header_evidence import MISSING

_RETRIES = 8  # columns found wrong one by one, before all are read as text
_MISSING = "|".join(map(re.escape, MISSING))
_number = re.compile(NUMBER)
_long_integer = re.compile(r"[ \t]*[+-]?[0-9]{16,}[ \t]*")


def parsed(
    lines: CsvLines, numeric: Sequence[bool], options: Options, missing: Sequence[str]
) -> tuple[list[Any], list[bool]]:
    """Every column: float64 with nulls, or text by number of its different values; and which of them are numbers.

    Those given as numeric may be it.
    """
    import pyarrow as pa

    types, tried = list(numeric), 0
    block = min(max(2**20, len(lines.data) // 8), 2**24)
    while True:
        try:
            return _arrays(lines, range(len(types)), types, block, options, missing), types
        except pa.ArrowInvalid as error:
            if "straddling" in str(error):
                lines.check_lengths()
            lines.check_widths()
            found = re.search(r"column #([0-9]+)", str(error))
            if "straddling" in str(error) and block < LONGEST_LINE:
                block = LONGEST_LINE
            elif found is not None and types[int(found[1])] and tried < _RETRIES:
                types[int(found[1])] = False
                tried += 1
            elif any(types):
                types = [False] * len(types)
            else:
                raise InputError(f"{lines.name}: {' '.join(str(error).split())[:120]}; expected CSV") from None


def _arrays(
    lines: CsvLines, which: Sequence[int], types: Sequence[bool], block: int, options: Options, missing: Sequence[str]
) -> list[Any]:
    import pyarrow as pa
    from pyarrow import csv

    _check_room(lines, [types[j] for j in which], 4 * block * (options.threads + 1))
    text = pa.dictionary(pa.int32(), pa.string())
    body = pa.py_buffer(lines.data)[lines.start :]
    if lines.data.startswith(BOM_UTF8, lines.start):  # a field, after all, that pyarrow would pass over
        body = pa.py_buffer(b"\n" + lines.data[lines.start :])
    table = csv.read_csv(
        pa.BufferReader(body),
        read_options=csv.ReadOptions(
            use_threads=options.threads > 1, block_size=block, column_names=[str(j) for j in range(len(types))]
        ),
        parse_options=csv.ParseOptions(
            delimiter=lines.delimiter.decode(),
            quote_char='"' if lines.quotes else False,
            newlines_in_values=lines.quotes,
        ),
        convert_options=csv.ConvertOptions(
            check_utf8=False,
            column_types={str(j): pa.float64() if number else text for j, number in enumerate(types)},
            null_values=list(missing),
            strings_can_be_null=True,
            include_columns=[str(j) for j in which],
        ),
    )
    return list(table.columns)


def _check_room(lines: CsvLines, types: Sequence[bool], work: int) -> None:
    """Raises `MemoryError` unless there is room for the columns: pyarrow's parser ends the process if it finds none.

    An estimate, from the rows of the first megabyte.
    """
    import pyarrow as pa

    some = lines.data[lines.start : lines.start + 2**20]
    rows = some.count(b"\n") * (len(lines.data) - lines.start) // max(1, len(some))
    pa.allocate_buffer(work + rows * sum(8 if number else 4 for number in types))


def numbers_column(
    lines: CsvLines, j: int, array: Any, options: Options, missing: Sequence[str]
) -> tuple[Column, InputError | None]:
    """A column that pyarrow has read as numbers, and what is wrong with those that it should not have."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column, wrong = number_column(j, lines.columns[j], array), None
    if (doubtful := np.flatnonzero(~np.isfinite(column.values))).size:
        rows = doubtful if column.rows is None else column.rows[doubtful]
        if (rows := rows[~nulls_of(array)[rows]]).size:
            texts, codes = coded(_arrays(lines, [j], [False] * len(lines.columns), LONGEST_LINE, options, missing)[0])
            # NaN among blanks is missing, too, though pyarrow takes it for a number.
            gone = numpy_of(pc.is_in(trimmed_texts(texts)[0], pa.array(list(missing), pa.large_string())))
            rows = rows[~np.append(gone, True)[codes[rows]]]
        if rows.size:
            wrong = not_finite(lines, int(rows[0]), j)
            column = replace(column, values=np.where(np.isfinite(column.values), column.values, np.nan))
    if ((column.values >= LARGEST_EXACT) | (column.values <= -LARGEST_EXACT)).any():
        again = _arrays(lines, [j], [False] * len(lines.columns), LONGEST_LINE, options, missing)[0]
        wrong = wrong or check_integers(lines, j, *coded(again))
    return column, wrong


def coded(array: Any) -> tuple[Any, NDArray[np.int64]]:
    """The different texts, and the number of each row's among them; −1 where it is null."""
    import pyarrow as pa

    one = array.unify_dictionaries().combine_chunks()
    return one.dictionary.cast(pa.large_string()), codes_of(one)


def trimmed_texts(texts: Any) -> tuple[Any, NDArray[np.bool_]]:
    """The texts without blanks around them, and which of them are missing values."""
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim(texts, characters=" \t")
    return trimmed, matches(trimmed, _MISSING)


def floats_of(texts: Any) -> NDArray[np.float64]:
    """The numbers that texts are, NaN where one is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = pc.replace_substring_regex(texts, f"^(?:{_MISSING})$", "nan")
    return numpy_of(pc.cast(numbers, pa.float64()))


def not_finite(lines: CsvLines, row: int, j: int) -> InputError:
    """The error for a field that was read as NaN or infinity."""
    text = lines.text(row, j)[1]
    if _number.fullmatch(text.strip(" \t")):
        return lines.error(row, j, f"{shown(text)} is beyond the range of float64; expected a smaller number")
    return lines.error(row, j, f"{shown(text)} is not a finite number; expected one such as 1.5 or -2e-3")


def check_integers(lines: CsvLines, j: int, texts: Any, codes: NDArray[Any]) -> InputError | None:
    """The error for a whole number that float64 does not hold, if there is one: likely the name of a thing."""
    inexact = ~exact_integers(texts.to_pylist())
    if not (found := np.flatnonzero(np.append(inexact, False)[codes])).size:
        return None
    row = int(found[0])
    return lines.error(
        row,
        j,
        f"{shown(texts[int(codes[row])].as_py())} is not exact as float64; expected numbers up to 2**53: scale them, or"
        f" {to_take_as_text(lines.columns[j])}",
    )


def exact_integers(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which texts are no whole numbers, or such that float64 holds."""
    exact = np.ones(len(texts), dtype=np.bool_)
    for i, text in enumerate(texts):
        if _long_integer.fullmatch(text):
            digits = text.strip(" \t").lstrip("+-0") or "0"
            exact[i] = len(digits) < 400 and int(float(digits)) == int(digits)
    return exact
