"""CSV and TSV text, parsed by pyarrow into columns of numbers or of text.

pyarrow is told the type of every column and guesses none: it would take `0x10` for a number, and judge a column by its
first megabyte. What is numbers is guessed here from the first rows; where a later one disagrees, the column is read
again as text and looked at as a whole. A column is numbers if every field that is not missing is one, by the grammar
in `category_checks.py`.
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
from ..formats import format_of
from ..opening import InputFile
from ..options import Options
from ..sheet import Sheet
from .arrow import codes_of, nulls_of, numpy_of, pyarrow_for
from .category_checks import NUMBER, check_categories, check_numbers, check_sizes, matches, to_take_as_text
from .columns import Column, LabelColumn, number_column, text_column
from .csv_header import csv_lines_of, sample_size
from .csv_lines import LONGEST_LINE, CsvLines, check_text
from .header_evidence import MISSING, may_be_number
from .label_column import label_place
from .places import check_words
from .sheet import sheet_of_columns
from .words import word_column

_RETRIES = 8  # columns found wrong one by one, before all are read as text
_MISSING = "|".join(map(re.escape, MISSING))
_number = re.compile(NUMBER)
_long_integer = re.compile(r"[ \t]*[+-]?[0-9]{16,}[ \t]*")


def read_csv(opened: InputFile, options: Options) -> Sheet:
    """CSV, or TSV if the options say so."""
    pyarrow_for(opened.name)
    format = "tsv" if (options.reading.format or format_of(opened)) == "tsv" else "csv"
    options.refuse(opened.name, format.upper(), format)
    check_text(opened)
    lines, line_1, notes = csv_lines_of(opened.name, opened.all_bytes(), format, options)
    place = label_place(lines, options)
    words = check_words(lines, options, place)
    sample = lines.head(sample_size(lines))
    if not sample:
        raise InputError(f"{opened.name}: no rows; expected at least one below line 1 (--no-header if that is a row)")
    numeric = [
        j != place and j not in words and name not in options.text and all(map(may_be_number, column))
        for j, (name, column) in enumerate(zip(lines.columns, zip(*sample, strict=False), strict=False))
    ]
    arrays = parsed(lines, numeric + [False] * (len(lines.columns) - len(numeric)), options, MISSING)
    n = len(arrays[0])
    labels = None if place is None else _labels(lines, place, arrays[place], options)
    columns = []
    for j in range(len(arrays)):
        array, arrays[j] = arrays[j], None  # it is not needed twice
        if j != place and lines.columns[j] not in options.leave_out:
            made = _words(lines, j, array, options) if j in words else column_of(lines, j, array, options)
            columns.append(made)
    sheet = sheet_of_columns(lines, format, columns, labels, n, options, notes, may_count=True)
    what = f"line 1 {'holds names' if line_1.header else 'is a row'}: {line_1.why}"
    return replace(sheet, reading=replace(sheet.reading, header=line_1.header), details=(*sheet.details, what))


def parsed(lines: CsvLines, numeric: Sequence[bool], options: Options, missing: Sequence[str]) -> list[Any]:
    """Every column: float64 with nulls, or text by number of its different values. Those given as numeric may be it."""
    import pyarrow as pa

    types, tried = list(numeric), 0
    block = min(max(2**20, len(lines.data) // 8), 2**24)
    while True:
        try:
            return _arrays(lines, range(len(types)), types, block, options, missing)
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


def column_of(lines: CsvLines, j: int, array: Any, options: Options) -> Column:
    """A column of numbers, or of categories."""
    import pyarrow as pa
    import pyarrow.compute as pc

    name = lines.columns[j]
    if pa.types.is_floating(array.type):
        return numbers_column(lines, j, array, options, MISSING)
    texts, codes = coded(array)
    trimmed, missing = _trimmed(texts)
    codes = np.where(np.append(missing, False)[codes], -1, codes)
    asked_text = name in options.text
    if not asked_text and (missing | matches(trimmed, NUMBER)).all():
        values = np.append(_floats(trimmed), np.nan)[codes]
        if (wrong := np.flatnonzero(np.isinf(values))).size:
            raise _not_finite(lines, int(wrong[0]), j)
        _check_integers(lines, j, trimmed, codes)
        return Column(j, name, values)
    if not asked_text and (missing | matches(trimmed, "(?i:true|false)")).all():
        truth = numpy_of(pc.starts_with(trimmed, "t", ignore_case=True))
        return Column(j, name, np.append(truth.astype(np.float64), np.nan)[codes])
    check_sizes(lines, j, texts, codes, options.reading.hash_bits is not None)
    if not asked_text and not options.is_weight(name, j):
        check_categories(lines, j, trimmed, codes)
    return text_column(j, name, texts, codes)


def _words(lines: CsvLines, j: int, array: Any, options: Options) -> Column:
    """A column of sentences."""
    texts, codes = coded(array)
    missing = _trimmed(texts)[1]
    codes = np.where(np.append(missing, False)[codes], -1, codes)
    return word_column(lines, j, texts, codes, options.reading.hash_bits is not None)


def numbers_column(lines: CsvLines, j: int, array: Any, options: Options, missing: Sequence[str]) -> Column:
    """A column that pyarrow has read as numbers, after a look at those that it should not have."""
    column = number_column(j, lines.columns[j], array)
    if (doubtful := np.flatnonzero(~np.isfinite(column.values))).size:
        rows = doubtful if column.rows is None else column.rows[doubtful]
        if (wrong := rows[~nulls_of(array)[rows]]).size:
            raise _not_finite(lines, int(wrong[0]), j)
    if ((column.values >= LARGEST_EXACT) | (column.values <= -LARGEST_EXACT)).any():
        again = _arrays(lines, [j], [False] * len(lines.columns), LONGEST_LINE, options, missing)[0]
        _check_integers(lines, j, *coded(again))
    return column


def coded(array: Any) -> tuple[Any, NDArray[np.int64]]:
    """The different texts, and the number of each row's among them; −1 where it is null."""
    import pyarrow as pa

    one = array.unify_dictionaries().combine_chunks()
    return one.dictionary.cast(pa.large_string()), codes_of(one)


def _trimmed(texts: Any) -> tuple[Any, NDArray[np.bool_]]:
    """The texts without blanks around them, and which of them are missing values."""
    import pyarrow.compute as pc

    trimmed = pc.utf8_trim(texts, characters=" \t")
    return trimmed, matches(trimmed, _MISSING)


def _floats(texts: Any) -> NDArray[np.float64]:
    """The numbers that texts are, NaN where one is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = pc.replace_substring_regex(texts, f"^(?:{_MISSING})$", "nan")
    return numpy_of(pc.cast(numbers, pa.float64()))


def _not_finite(lines: CsvLines, row: int, j: int) -> InputError:
    """The error for a field that was read as NaN or infinity."""
    text = lines.text(row, j)[1]
    if _number.fullmatch(text.strip(" \t")):
        return lines.error(row, j, f"{shown(text)} is beyond the range of float64; expected a smaller number")
    return lines.error(row, j, f"{shown(text)} is not a finite number; expected one such as 1.5 or -2e-3")


def _check_integers(lines: CsvLines, j: int, texts: Any, codes: NDArray[Any]) -> None:
    """Raises `InputError` for whole numbers that float64 does not hold: likely names of things, not numbers."""
    inexact = ~exact_integers(texts.to_pylist())
    if (found := np.flatnonzero(np.append(inexact, False)[codes])).size:
        row = int(found[0])
        raise lines.error(
            row,
            j,
            f"{shown(texts[int(codes[row])].as_py())} is not exact as float64; expected numbers up to 2**53: scale"
            f" them, or {to_take_as_text(lines.columns[j])}",
        )


def exact_integers(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which texts are no whole numbers, or such that float64 holds."""
    exact = np.ones(len(texts), dtype=np.bool_)
    for i, text in enumerate(texts):
        if _long_integer.fullmatch(text):
            digits = text.strip(" \t").lstrip("+-0") or "0"
            exact[i] = len(digits) < 400 and int(float(digits)) == int(digits)
    return exact


def _integer(text: str) -> int:
    # Without leading zeros, of which there may be more than Python converts.
    return int((text.lstrip("+-0") or "0") if text[0] != "-" else "-" + (text.lstrip("-0") or "0"))


def _labels(lines: CsvLines, j: int, array: Any, options: Options) -> LabelColumn:
    """int64 if all are whole numbers, float64 if all are numbers, else text as it is written."""
    texts, codes = coded(array)
    trimmed, missing = _trimmed(texts)
    codes = np.where(np.append(missing, False)[codes], -1, codes)
    asked_text = lines.columns[j] in options.text
    number = matches(trimmed, NUMBER)
    values: NDArray[Any]
    if asked_text or not (missing | number).all():
        if not asked_text and number.any():
            check_numbers(lines, j, trimmed, codes)
        values = np.array([*texts.to_pylist(), ""], dtype=object)[codes]
    elif (missing | matches(trimmed, "[+-]?[0-9]+")).all():
        written = ["0" if gone else text for text, gone in zip(trimmed.to_pylist(), missing, strict=True)]
        big = [i for i, text in enumerate(written) if len(text.lstrip("+-0")) > 19 or abs(_integer(text)) >= 2**63]
        if big:
            row = int(np.flatnonzero(np.isin(codes, big))[0])
            raise lines.error(row, j, f"label {shown(written[codes[row]])} is beyond 2**63; expected a smaller number")
        values = np.array([*map(_integer, written), 0], dtype=np.int64)[codes]
    else:
        values = np.append(_floats(trimmed), 0.0)[codes]
        if (wrong := np.flatnonzero(np.isinf(values))).size:
            raise _not_finite(lines, int(wrong[0]), j)
        values = np.where(np.isnan(values), 0.0, values)
    return LabelColumn(j, values, np.flatnonzero(codes < 0))
