"""Data frames in memory: of pandas, polars or pyarrow, or whatever has Arrow's stream interface."""

from typing import Any

import numpy as np

from ...data.labels import missing_labels
from ...errors import InputError, install, shown
from ..options import Options
from ..sheet import Sheet
from .arrow import pyarrow_for, undamaged
from .columns import NumberedTable
from .label_column import check_names
from .typed import sheet_of_table


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
        return sheet_of_table(name, "frame", _from_pandas(name, frame), options, y)
    if not hasattr(frame, "__arrow_c_stream__") and not hasattr(frame, "__arrow_c_array__"):
        raise InputError(f"{name}: {type(frame).__name__}; expected a data frame (a lazy one after its collect())")
    if objects := [j for j, one in enumerate(getattr(frame, "dtypes", ())) if str(one) == "Object"]:  # of polars
        which = shown(str(frame.columns[objects[0]]))
        raise InputError(
            f"{name}: column {which}: holds objects of Python; expected numbers, booleans or text: cast it"
        )
    with undamaged(name, "Arrow"):
        table = pa.table(frame)
        table.validate(full=True)
    return sheet_of_table(name, "frame", table, options, y)


def _from_pandas(name: str, frame: Any) -> Any:
    """The columns of a frame of pandas or its like, without the index, which its own way to Arrow may add."""
    import narwhals.stable.v2 as nw
    import pyarrow as pa

    names = tuple(map(str, frame.columns))
    check_names(NumberedTable(name, names))
    arrays = [_array(name, column) for column in nw.from_native(frame, eager_only=True).iter_columns()]
    return pa.Table.from_arrays(arrays, list(names))


def _array(name: str, column: Any) -> Any:
    """A column as Arrow has it. Raises `InputError` for what it has no type for, such as a mix."""
    import pyarrow as pa

    try:
        try:
            return column.to_arrow()
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            if (values := np.asarray(column.to_numpy())).dtype.kind not in "fiub":  # of a sparse column, it is
                raise
            return pa.array(values, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        values = np.asarray(column.to_numpy())
        if values.dtype.kind == "c" or any(isinstance(value, complex) for value in values.tolist()):
            raise InputError(
                f"{name}: column {shown(str(column.name))}: holds complex numbers; expected real ones"
            ) from None
        values = values.astype(object)
        what = _mix(values) or " ".join(str(error).split())[:120]
        raise InputError(
            f"{name}: column {shown(str(column.name))}: {what}; expected numbers, booleans or text, not a mix"
        ) from None


def _mix(values: Any) -> str | None:
    """The first row whose value is of another type than those before it, in words; None if all are of one.

    >>> _mix(np.array([None, 1.5, "a"], dtype=object))
    "row 1 holds 1.5 (float), row 2 'a' (str)"
    """
    there = np.flatnonzero(~missing_labels(values)).tolist()
    other = next((i for i in there if type(values[i]) is not type(values[there[0]])), None)
    if other is None:
        return None
    first, second = (f"{shown(values[i])} ({type(values[i]).__name__})" for i in (there[0], other))
    return f"row {there[0]} holds {first}, row {other} {second}"
