"""Data frames in memory: of pandas, polars or pyarrow, or whatever has Arrow's stream interface."""

from typing import Any

import numpy as np

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
