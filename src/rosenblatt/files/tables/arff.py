"""ARFF, the format of WEKA: a header that declares every column, then rows, as CSV or as `{index value, …}`.

Numeric attributes are features; a nominal one becomes a feature `name=value` for each value it declares, in that order,
whether it occurs or not. `?` is missing. In rows that name their values, an attribute that is not named is zero, which
for a nominal one means its first value. The label is the attribute named label, class, target or y, or else the last.

A value within quotes is put aside first, behind a number, so that commas and blanks in it separate nothing.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..numbers import whole_numbers
from ..opening import InputFile
from ..options import Options
from ..sheet import Sheet
from .arff_header import Attribute, header
from .arff_rows import ASIDE, ArffLines, arff_lines, columns_of_rows, numbers_in
from .arrow import pyarrow_for
from .category_checks import cannot_be_features, text_without_words
from .columns import Column, LabelColumn, column_error
from .csv_lines import check_text, place, text_start
from .label_column import LABELS, check_names, label_place
from .places import check_words
from .sheet import sheet_of_columns
from .words import no_sentences, word_column


def read_arff(opened: InputFile, options: Options) -> Sheet:
    """An ARFF file."""
    pyarrow_for(opened.name)
    options.refuse(opened.name, "ARFF", "arff")
    check_text(opened)
    data = opened.all_bytes()
    start = text_start(opened.name, data)
    if (control := data.find(ASIDE.encode())) >= 0:
        raise InputError(f"{place(opened.name, data, control)}: a control character; expected text")
    attributes, body = header(opened.name, data, start)
    lines = arff_lines(opened.name, data, body)
    lines.columns = tuple(attribute.name for attribute in attributes)
    check_names(lines)
    at = label_place(lines, options, usual=len(attributes) - 1)
    notes = []
    if options.reading.label is None and at is not None and attributes[at].name.lower() not in LABELS:
        notes.append(f"the last attribute, {shown(attributes[at].name)}, is the label")
    # Whatever a column holds that is left out, it is text.
    attributes = [replace(one, kind="string") if one.name in options.leave_out else one for one in attributes]
    words = check_words(lines, options, at)
    for j, attribute in enumerate(attributes):
        if attribute.name in options.leave_out:
            continue
        if j in words:
            if attribute.kind != "string":
                held = {"numeric": "numbers", "nominal": "declared values"}.get(attribute.kind, attribute.kind)
                raise no_sentences(lines, j, held)
            continue
        if attribute.kind == "string" and j != at:
            raise column_error(lines, j, text_without_words(attribute.name))
        if attribute.kind not in ("numeric", "nominal") and not (attribute.kind == "string" and j == at):
            raise column_error(lines, j, cannot_be_features("text" if attribute.kind == "string" else attribute.kind))
        if attribute.kind == "numeric" and attribute.name in options.text:
            raise column_error(
                lines, j, "declared as numbers, said to be text (text=); expected {value, …} in the header"
            )
    columns, n = columns_of_rows(lines, attributes, options)
    labels = None if at is None else _labels(columns[at], attributes[at], n)
    columns = [_words(lines, column, options) if column.place in words else column for column in columns]
    return sheet_of_columns(lines, "arff", _features(columns, at, options), labels, n, options, notes)


def _features(columns: list[Column], label: int | None, options: Options) -> list[Column]:
    return [column for column in columns if column.place != label and column.name not in options.leave_out]


def _words(lines: ArffLines, column: Column, options: Options) -> Column:
    import pyarrow as pa

    texts = pa.array(column.categories, pa.large_string())
    return word_column(lines, column.place, texts, column.values, options.reading.hash_bits is not None)


def _labels(column: Column, attribute: Attribute, n: int) -> LabelColumn:
    """Text; or numbers, if all values are, declared ones too."""
    if column.categories is None:
        values: NDArray[Any] = np.zeros(n)
        values[slice(None) if column.rows is None else column.rows] = column.values
        missing = np.isnan(values)
        return LabelColumn(column.place, whole_numbers(np.where(missing, 0.0, values)), np.flatnonzero(missing))
    values = np.array([*column.categories, ""], dtype=object)
    if attribute.kind == "nominal":
        numbers, wrong = numbers_in(column.categories)
        if wrong is None and np.unique(numbers).size == numbers.size:
            values = whole_numbers(np.append(numbers, 0.0))
    return LabelColumn(column.place, values[column.values], np.flatnonzero(column.values < 0))
