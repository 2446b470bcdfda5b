"""Tables whose columns have types: Arrow's, which Parquet files and data frames become, too.

A column is numbers or booleans, taken as they are, or text and categories. Null and NaN are missing. What float64 does
not hold exactly, and what is neither number nor category, is refused.
"""

import json
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...choices import LARGEST_EXACT
from ...data.labels import column_of, missing_labels
from ...errors import InputError, shown
from ..numbers import whole_numbers
from ..options import Options
from ..sheet import Sheet
from .arrow import codes_of, nulls_of, numpy_of
from .category_checks import TextChecks, cannot_be_features, join_checks
from .columns import (
    Column,
    LabelColumn,
    NumberedTable,
    TableOrigin,
    categories_of,
    column_error,
    number_column,
    text_column,
)
from .label_column import check_names, label_place
from .part import TablePart
from .places import check_words
from .sheet import sheet_of_part
from .words import no_sentences, word_column


def sheet_of_table(name: str, format: str, table: Any, options: Options, y: Any = None) -> Sheet:
    """The sheet of an Arrow table. Labels are y, or a column of it if y is None."""
    typed = TypedTable(name, table.schema, options, beside=y is not None)
    part = typed.part(table)
    if y is not None:
        part = replace(part, labels=_labels_beside(y, part.n, options))
    typed.check()
    return sheet_of_part(part, format, options, typed.notes)


class TypedTable:
    """The columns of tables that have one schema, and what has been seen of those of text.

    beside
        Whether the labels are given beside the table.
    plain
        Columns of text that are given by numbers into their values all the same: they were not declared as categories.
    """

    def __init__(
        self, name: str, schema: Any, options: Options, beside: bool = False, plain: frozenset[str] = frozenset()
    ) -> None:
        self.name, self.options, self.plain = name, options, plain
        self.index = _index_columns(schema)
        self.notes = [
            f"column {shown(one)}, the index of the frame that was written, is left out" for one in self.index
        ]
        self.names = tuple(one for one in schema.names if one not in self.index)
        origin = NumberedTable(name, self.names)
        check_names(origin)
        self.place = None if beside or options.labels == "none" else label_place(origin, options)
        self.words = check_words(origin, options, self.place)
        self.checks: dict[int, TextChecks] = {}
        self.is_known = False

    def part(self, table: Any, name: str | None = None, before: int = 0) -> TablePart:
        """The rows of a table, or of a batch of it; `before` says how many have come before, in the file `name`."""
        origin = NumberedTable(name or self.name, self.names, before)
        n, labels = table.num_rows, None
        if self.place is not None and n:
            labels = _labels(origin, self.place, table.column(self.names[self.place]), self.options)
        columns = [
            _words(origin, j, table.column(name), self.options)
            if j in self.words
            else self._column(origin, j, table.column(name))
            for j, name in enumerate(self.names)
            if j != self.place and name not in self.options.leave_out and n > 0
        ]
        return TablePart(origin, columns, labels, n, may_count=self.options.labels != "none")

    def wanted(self) -> list[str]:
        """The names of the columns that are read."""
        return [name for name in self.names if name not in self.options.leave_out]

    def check_types(self, schema: Any) -> None:
        """Raises `InputError` for a column that can be no feature, before any of its rows is read."""
        import pyarrow as pa

        origin = NumberedTable(self.name, self.names)
        for j, name in enumerate(self.names):
            if name not in self.options.leave_out:
                _kind(origin, j, pa.chunked_array([], schema.field(name).type))

    def check_values(self) -> None:
        """Values were checked as they came."""

    def check(self) -> None:
        """Raises `InputError` for columns of text that are hardly meant to be categories."""
        for one in self.checks.values():
            one.check(self.name)

    def join(self, other: Any, table: str) -> None:
        """See what another saw of the rows behind these."""
        join_checks(self.checks, other.checks, table)

    def forget_rows(self) -> None:
        """Keep no rows in memory."""
        for one in self.checks.values():
            one.forget_rows()

    def _column(self, origin: TableOrigin, j: int, array: Any) -> Column:
        """A column of numbers or of categories, by its type. Raises `InputError` for any other."""
        import pyarrow as pa

        name, options = origin.columns[j], self.options
        asked_text = name in options.text
        kind, array = _kind(origin, j, array)
        kind = "text" if name in self.plain else kind
        if kind == "number" and not asked_text:
            return _numbers(origin, j, array)
        texts, codes = _coded(origin, j, array)
        if pa.types.is_large_string(texts.type) and not self.is_known:
            if j not in self.checks:
                meant = asked_text or kind != "text" or options.is_weight(name, j)
                self.checks[j] = TextChecks(j, name, options.reading.hash_bits is not None, meant, trims=False)
            self.checks[j].add(origin, texts, codes)
        return text_column(j, name, texts, codes)


def _index_columns(schema: Any) -> list[str]:
    """The columns that pandas has written for its index, by its own account."""
    try:
        written = json.loads((schema.metadata or {}).get(b"pandas", b"{}"))["index_columns"]
        return [name for name in written if isinstance(name, str) and schema.names.count(name) == 1]
    except (ValueError, KeyError, TypeError):
        return []


def _words(origin: TableOrigin, j: int, array: Any, options: Options) -> Column:
    """A column of sentences. Raises `InputError` if it holds anything else."""
    import pyarrow as pa

    kind, array = _kind(origin, j, array)
    texts, codes = _coded(origin, j, array)
    if len(texts) and (kind == "number" or not pa.types.is_large_string(texts.type)):
        raise no_sentences(origin, j, "numbers")
    return word_column(origin, j, texts, codes, options.reading.hash_bits is not None)


def _kind(origin: TableOrigin, j: int, array: Any) -> tuple[str, Any]:
    """Whether it holds numbers, text or categories; and the column itself, without an encoding by runs."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_, type_ = pa.types, array.type
    if is_.is_run_end_encoded(type_):
        array = pa.chunked_array([pc.run_end_decode(chunk) for chunk in array.chunks], type_.value_type)
        type_ = array.type
    inner = type_.value_type if is_.is_dictionary(type_) else type_
    if is_.is_integer(inner) or is_.is_floating(inner) or is_.is_boolean(inner) or is_.is_decimal(inner):
        return "category" if inner is not type_ else "number", array
    if is_.is_null(inner):
        whole = array.cast(pa.float64()) if inner is type_ else pa.chunked_array([pa.nulls(len(array), pa.float64())])
        return "number", whole
    view = getattr(is_, "is_string_view", lambda _: False)
    if is_.is_string(inner) or is_.is_large_string(inner) or view(inner):
        return "category" if inner is not type_ else "text", array
    others = {
        "dates": is_.is_date(inner) or is_.is_timestamp(inner),
        "times": is_.is_time(inner),
        "durations": is_.is_duration(inner) or is_.is_interval(inner),
        "structs": is_.is_struct(inner) or is_.is_map(inner) or is_.is_union(inner),
        "lists": is_.is_nested(inner),
        "bytes": "binary" in str(inner),
    }
    raise column_error(
        origin, j, cannot_be_features(next((what for what, is_it in others.items() if is_it), f"values of {inner}"))
    )


def _numbers(origin: TableOrigin, j: int, array: Any) -> Column:
    """float64, or float32 if it is that; NaN where one is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    type_ = array.type
    if pa.types.is_integer(type_):
        _check_integers(origin, j, array)
        array = pc.cast(array, pa.float64())
    elif pa.types.is_decimal(type_):
        array = pc.cast(pc.cast(array, pa.string()), pa.float64())  # exactly: the direct way rounds more than once
    elif pa.types.is_boolean(type_):
        array = pc.cast(pc.cast(array, pa.uint8()), pa.float64())
    elif pa.types.is_float16(type_):
        array = pc.cast(array, pa.float64())
    column = number_column(j, origin.columns[j], array)
    if (wrong := np.flatnonzero(np.isinf(column.values))).size:
        raise origin.error(column.row(wrong[0]), j, "infinity; expected a finite number")
    return column


def _check_integers(origin: TableOrigin, j: int, array: Any) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    if array.type.bit_width < 64:
        return
    low, high = pc.min_max(array).values()
    if low.is_valid and (low.as_py() < -LARGEST_EXACT or high.as_py() > LARGEST_EXACT):
        beyond = pc.greater(array, pa.scalar(LARGEST_EXACT, array.type))
        if pa.types.is_signed_integer(array.type):
            beyond = pc.or_(beyond, pc.less(array, pa.scalar(-LARGEST_EXACT, array.type)))
        row = int(pc.index(beyond, True).as_py())
        what = f"{array[row].as_py()} is beyond 2**53, where float64 is not exact; scale it, or convert it yourself"
        raise origin.error(row, j, what)


def _coded(origin: TableOrigin, j: int, array: Any) -> tuple[Any, NDArray[Any]]:
    """The different values, text as large_string, and the number of each row's value among them; −1 is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(array.type):
        try:
            one = array.unify_dictionaries().combine_chunks()
        except pa.ArrowException:  # their union has more values than their indices count, for one
            one = None
        if one is None or one.dictionary.null_count:
            one = pc.cast(array, array.type.value_type).dictionary_encode().combine_chunks()
    else:
        if pa.types.is_floating(array.type):
            array = pc.if_else(pc.is_nan(array), pa.scalar(None, array.type), array)
        one = array.dictionary_encode().combine_chunks()
    values, codes = one.dictionary, codes_of(one)
    if pa.types.is_floating(values.type) and (bad := np.isnan(numpy_of(values))).any():
        codes = np.where(np.append(bad, False)[codes], -1, codes)
        values = pc.if_else(pc.is_nan(values), pa.scalar(0, values.type), values)
    if not (pa.types.is_integer(values.type) or pa.types.is_floating(values.type)):
        values = pc.cast(values, pa.large_string())
    return values, codes


def _labels(origin: TableOrigin, j: int, array: Any, options: Options) -> LabelColumn:
    """int64 if all are whole numbers, else float64; booleans and text as they are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind, array = _kind(origin, j, array)
    asked_text = origin.columns[j] in options.text
    if pa.types.is_dictionary(array.type):
        kind = "text" if pa.types.is_large_string(_coded(origin, j, array)[0].type) else "number"
        array = array if kind == "text" else pc.cast(array, array.type.value_type)
    if kind == "text" or asked_text:
        categories, codes, _ = categories_of(*_coded(origin, j, array))
        return LabelColumn(j, np.array([*categories, ""], dtype=object)[codes], np.flatnonzero(codes < 0))
    missing = nulls_of(array)
    values: NDArray[Any]
    if pa.types.is_boolean(array.type):
        values = numpy_of(array) & ~missing
    elif pa.types.is_integer(array.type):
        values = np.where(missing, 0, numpy_of(array)) if missing.any() else numpy_of(array)
        if values.dtype == np.uint64 and (wrong := np.flatnonzero(values > np.uint64(2**63 - 1))).size:
            raise origin.error(int(wrong[0]), j, f"label {values[wrong[0]]} is beyond 2**63; expected a smaller number")
        values = values.astype(np.int64)
    else:
        column = _numbers(origin, j, array)
        values = np.zeros(len(array))
        values[slice(None) if column.rows is None else column.rows] = column.values
        missing = np.isnan(values)
        values = np.where(missing, 0.0, values)
    return LabelColumn(j, values, np.flatnonzero(missing))


def _labels_beside(y: Any, n: int, options: Options) -> LabelColumn:
    """Labels that do not stand in the table."""
    if options.reading.label is not None:
        raise InputError("labels are given both as y and as label=; expected one of them")
    values = column_of(y, n)
    missing = missing_labels(values)
    if values.dtype.kind in "US":
        values = values.astype(object)
    if values.dtype.kind == "f":
        values = whole_numbers(np.where(missing, 0.0, values.astype(np.float64)))
    return LabelColumn(None, values, np.flatnonzero(missing))
