"""Tables that carry their types: Parquet, Arrow and data frames; through pyarrow.

A column is numbers or booleans, taken as they are, or text and categories. Null and NaN are missing. What float64 does
not hold exactly, and what is neither number nor category, is refused.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.labels import column_of
from ...errors import InputError, install, shown
from ..opening import Opened
from ..options import Options
from ..sheet import Sheet
from ..text.svmlight import no_option, whole
from .arrow import codes_of, nulls_of, numpy_of, pyarrow_for
from .columns import Column, Source, Table, categories_of, column_error, number_column
from .delimited import read_csv
from .exactness import check_categories, check_sizes, holds
from .gathering import check_names, label_place, sheet_of_columns
from .missing import Labels

__all__ = ["read_arrow", "read_csv", "read_frame", "read_parquet"]

_EXACT = 2**53
_ADDRESSES = 2**47  # bytes that a process can have at most: a file that asks for more is wrong about its size


def read_parquet(opened: Opened, options: Options) -> Sheet:
    """A Parquet file."""
    pa = pyarrow_for(opened.name)
    import pyarrow.parquet as pq

    no_option(opened, options, "Parquet", ("base",))
    if not opened.peek(4).startswith(b"PAR1"):
        raise InputError(f"{opened.name}: no Parquet file; expected one that begins with PAR1")
    with _sound(opened.name, "Parquet"):
        table = pq.ParquetFile(pa.BufferReader(opened.all())).read(use_threads=options.threads > 1)
        table.validate(full=True)
    return _sheet(opened.name, "parquet", table, options)


def read_arrow(opened: Opened, options: Options) -> Sheet:
    """An Arrow IPC file or stream, which a Feather file (version 2) is too."""
    pa = pyarrow_for(opened.name)
    no_option(opened, options, "Arrow", ("base",))
    if opened.peek(8).startswith(b"\0\0\0\0"):
        raise InputError(f"{opened.name}: no Arrow data, zeros; expected an IPC file or stream")
    data = opened.all()
    if data.startswith(b"FEA1"):
        raise InputError(f"{opened.name}: Feather of version 1; expected version 2, which is Arrow IPC: write it again")
    with _sound(opened.name, "Arrow"):
        reader = pa.ipc.open_file if data.startswith(b"ARROW1") else pa.ipc.open_stream
        table = reader(pa.BufferReader(data)).read_all()
        table.validate(full=True)  # what was read is not looked at before, and a wrong offset crashes
    return _sheet(opened.name, "arrow", table, options)


def read_frame(frame: Any, y: Any, options: Options, name: str = "frame") -> Sheet:
    """A data frame of pandas, polars or pyarrow, or anything with Arrow's stream interface. An index is not read.

    Labels are y, or a column of the frame if y is None.
    """
    pa = pyarrow_for(name)
    try:
        from narwhals.dependencies import is_pandas_like_dataframe
    except ModuleNotFoundError:
        raise InputError(f"{name}: needs narwhals: {install('narwhals')}") from None
    if is_pandas_like_dataframe(frame):
        return _sheet(name, "frame", _from_pandas(name, frame), options, y)
    if not hasattr(frame, "__arrow_c_stream__") and not hasattr(frame, "__arrow_c_array__"):
        raise InputError(f"{name}: {type(frame).__name__}; expected a data frame (a lazy one after its collect())")
    with _sound(name, "Arrow"):
        table = pa.table(frame)
        table.validate(full=True)
    return _sheet(name, "frame", table, options, y)


def _from_pandas(name: str, frame: Any) -> Any:
    """The columns of a frame of pandas or its like, without the index, which its own way to Arrow may add."""
    import narwhals.stable.v2 as nw
    import pyarrow as pa

    names = tuple(map(str, frame.columns))
    check_names(Table(name, names))
    arrays = []
    for column in nw.from_native(frame, eager_only=True).iter_columns():
        try:
            try:
                arrays.append(column.to_arrow())
            except (pa.ArrowException, TypeError, ValueError):
                if (values := np.asarray(column.to_numpy())).dtype.kind not in "fiub":  # of a sparse column, it is
                    raise
                arrays.append(pa.array(values, from_pandas=True))
        except (pa.ArrowException, TypeError, ValueError) as error:
            why = " ".join(str(error).split())[:120]
            raise InputError(
                f"{name}: column {shown(str(column.name))}: {why}; expected numbers, booleans or text, not a mix"
            ) from None
    return pa.Table.from_arrays(arrays, list(names))


@contextmanager
def _sound(name: str, what: str) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, MemoryError, ValueError) as error:
        asked = re.search("of size ([0-9]+) failed", str(error))
        if isinstance(error, MemoryError) and not (asked and int(asked[1]) > _ADDRESSES):
            raise
        why = " ".join(str(error).split())[:120]
        raise InputError(f"{name}: damaged, or no {what} data ({why}); expected a sound file") from None


def _sheet(name: str, format: str, table: Any, options: Options, y: Any = None) -> Sheet:
    notes = []
    for column in _index_columns(table):
        table = table.drop_columns([column])
        notes.append(f"column {shown(column)}, the index of the frame that was written, is left out")
    source = Table(name, tuple(table.column_names))
    check_names(source)
    n, place = table.num_rows, label_place(source, options) if y is None else None
    labels = None if y is None else _labels_beside(y, n, options)
    if place is not None and n:
        labels = _labels(source, place, table.column(place), options)
    wanted = [j for j, name in enumerate(source.columns) if j != place and name not in options.leave_out and n > 0]
    columns = [_column(source, j, table.column(j), options) for j in wanted]
    return sheet_of_columns(source, format, columns, labels, n, options, notes)


def _index_columns(table: Any) -> list[str]:
    """The columns that pandas has written for its index, by its own account."""
    try:
        written = json.loads((table.schema.metadata or {}).get(b"pandas", b"{}"))["index_columns"]
        return [name for name in written if isinstance(name, str) and table.column_names.count(name) == 1]
    except (ValueError, KeyError, TypeError):
        return []


def _column(source: Source, j: int, array: Any, options: Options) -> Column:
    """A column of numbers or of categories, by its type. Raises `InputError` for any other."""
    import pyarrow as pa

    name = source.columns[j]
    said = name in (options.text or ())
    kind, array = _kind(source, j, array)
    if kind == "number" and not said:
        return _numbers(source, j, array)
    texts, codes = _coded(source, j, array)
    if pa.types.is_large_string(texts.type):
        check_sizes(source, j, texts, codes, options.hash_bits is not None)
        if not said and kind == "text":
            check_categories(source, j, texts, codes)
    categories, codes = categories_of(texts, codes)
    return Column(j, name, codes, categories)


def _kind(source: Source, j: int, array: Any) -> tuple[str, Any]:
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
        return "number", array.cast(pa.float64()) if inner is type_ else pa.nulls(len(array), pa.float64())
    view = getattr(is_, "is_string_view", lambda _: False)
    if is_.is_string(inner) or is_.is_large_string(inner) or view(inner):
        return "category" if inner is not type_ else "text", array
    others = {
        "dates": is_.is_date(inner) or is_.is_timestamp(inner),
        "times": is_.is_time(inner),
        "durations": is_.is_duration(inner) or is_.is_interval(inner),
        "structs": is_.is_struct(inner) or is_.is_map(inner) or is_.is_union(inner),
        "lists": is_.is_nested(inner),
        "bytes": is_.is_binary(inner) or is_.is_large_binary(inner) or is_.is_fixed_size_binary(inner),
    }
    raise column_error(source, j, holds(next((what for what, is_it in others.items() if is_it), f"values of {inner}")))


def _numbers(source: Source, j: int, array: Any) -> Column:
    """float64, or float32 if it is that; NaN where one is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    type_ = array.type
    if pa.types.is_integer(type_):
        _check_integers(source, j, array)
        array = pc.cast(array, pa.float64())
    elif pa.types.is_decimal(type_):
        array = pc.cast(pc.cast(array, pa.string()), pa.float64())  # exactly: the direct way rounds more than once
    elif pa.types.is_boolean(type_):
        array = pc.cast(pc.cast(array, pa.uint8()), pa.float64())
    elif pa.types.is_float16(type_):
        array = pc.cast(array, pa.float64())
    column = number_column(j, source.columns[j], array)
    if (wrong := np.flatnonzero(np.isinf(column.values))).size:
        raise source.error(column.row(wrong[0]), j, "infinity; expected a finite number")
    return column


def _check_integers(source: Source, j: int, array: Any) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc

    if array.type.bit_width < 64:
        return
    low, high = pc.min_max(array).values()
    if low.is_valid and (low.as_py() < -_EXACT or high.as_py() > _EXACT):
        beyond = pc.greater(array, pa.scalar(_EXACT, array.type))
        if pa.types.is_signed_integer(array.type):
            beyond = pc.or_(beyond, pc.less(array, pa.scalar(-_EXACT, array.type)))
        row = int(pc.index(beyond, True).as_py())
        what = f"{array[row].as_py()} is beyond 2**53, where float64 is not exact; scale it, or convert it yourself"
        raise source.error(row, j, what)


def _coded(source: Source, j: int, array: Any) -> tuple[Any, NDArray[Any]]:
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


def _labels(source: Source, j: int, array: Any, options: Options) -> Labels:
    """int64 if all are whole numbers, else float64; booleans and text as they are."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind, array = _kind(source, j, array)
    said = source.columns[j] in (options.text or ())
    if pa.types.is_dictionary(array.type):
        kind = "text" if pa.types.is_large_string(_coded(source, j, array)[0].type) else "number"
        array = array if kind == "text" else pc.cast(array, array.type.value_type)
    if kind == "text" or said:
        categories, codes = categories_of(*_coded(source, j, array))
        return Labels(j, np.array([*categories, ""], dtype=object)[codes], np.flatnonzero(codes < 0))
    missing = nulls_of(array)
    values: NDArray[Any]
    if pa.types.is_boolean(array.type):
        values = numpy_of(array) & ~missing
    elif pa.types.is_integer(array.type):
        values = np.where(missing, 0, numpy_of(array)) if missing.any() else numpy_of(array)
        if values.dtype == np.uint64 and (wrong := np.flatnonzero(values > np.uint64(2**63 - 1))).size:
            raise source.error(int(wrong[0]), j, f"label {values[wrong[0]]} is beyond 2**63; expected a smaller number")
        values = values.astype(np.int64)
    else:
        column = _numbers(source, j, array)
        values = np.zeros(len(array))
        values[slice(None) if column.rows is None else column.rows] = column.values
        missing = np.isnan(values)
        values = whole(np.where(missing, 0.0, values))
    return Labels(j, values, np.flatnonzero(missing))


def _labels_beside(y: Any, n: int, options: Options) -> Labels:
    """Labels that do not stand in the table."""
    if options.label is not None:
        raise InputError("labels are given both as y and as label=; expected one of them")
    values = column_of(y, n)
    missing = values != values if values.dtype.kind != "O" else np.array([_is_missing(value) for value in values])
    if values.dtype.kind in "US":
        values = values.astype(object)
    if values.dtype.kind == "f":
        values = whole(np.where(missing, 0.0, values.astype(np.float64)))
    return Labels(None, values, np.flatnonzero(missing))


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas' NA, which is neither
        return True
