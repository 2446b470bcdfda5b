"""Data frames: what is one, and those that are a plain table of numbers. Needs none of the libraries that make them.

A frame with text, categories or something missing is read as a file is, which is the readers' part (files/door.py):
they stand above, so they tell `reads_frames` how, and `Examples.of` asks `sheet_of`.
"""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..choices import LARGEST_EXACT

_WIDE = frozenset(("int64", "uint64"))
_NUMBERS = _WIDE | {
    "int8", "int16", "int32", "uint8", "uint16", "uint32",
    "float16", "halffloat", "float32", "float", "float64", "double", "bool", "boolean",
}  # fmt: skip
"""The types of numbers, as pandas, polars and pyarrow write them, in small letters."""

Reader = TypeVar("Reader", bound=Callable[..., Any])
_readers: list[Callable[..., Any]] = []


def is_frame(X: Any) -> bool:
    """Whether it is a data frame of pandas, polars or pyarrow, or what is like them: Arrow's interface, and names."""
    arrow = hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__")
    return arrow and names_of(X) is not None


def names_of(X: Any) -> Any:
    """The names of a frame's columns, or those that a sheet or examples have, one after the other; None if it has none.

    Arrow's tables have them as `column_names`: its `columns` are the columns themselves.
    """
    names = getattr(X, "column_names", getattr(X, "columns", getattr(X, "feature_names", None)))
    return names if hasattr(names, "__iter__") else None


def dtypes_of(frame: Any) -> Any:
    """The types of a frame's columns, one after the other, as its library has them; one None if it does not tell."""
    return frame.dtypes if hasattr(frame, "dtypes") else frame.schema.types if hasattr(frame, "schema") else [None]


def numbers_of(frame: Any) -> NDArray[Any] | None:
    """The values of a frame of numbers and booleans; None if something is missing or infinite, or not held exactly.

    >>> from types import SimpleNamespace
    >>> numbers_of(SimpleNamespace(dtypes=["int64", "str"])) is None
    True
    """
    kinds = {str(one).lower() for one in dtypes_of(frame)}
    if not kinds <= _NUMBERS:
        return None
    table = np.asarray(frame)
    if table.dtype.kind == "O":  # columns of pandas that may lack values, or booleans beside numbers
        try:
            table = table.astype(np.float64)
        except (TypeError, ValueError):
            return None
    if table.ndim != 2 or table.dtype.kind not in "fiub":
        return None
    # Beside fractions, a whole number just beyond has been rounded to the largest exact one already.
    most = LARGEST_EXACT - (table.dtype.kind == "f") if kinds & _WIDE else sys.float_info.max
    within = table.size == 0 or table.dtype.kind == "b" or bool(table.min() >= -most and table.max() <= most)
    return table if within else None  # of NaN neither is true


def columns_at(frame: Any, places: list[int]) -> Any:
    """Some columns of a frame, by their places."""
    if hasattr(frame, "iloc"):
        return frame.iloc[:, places]
    if hasattr(frame, "column_names"):
        return frame.select(places)
    return frame[:, places]


def reads_frames(reader: Reader) -> Reader:
    """A decorator: this function makes a sheet of a frame."""
    _readers[:] = [reader]
    return reader


def sheet_of(X: Any) -> Any:
    """The sheet of a frame, if there is somebody to read it; anything else as it is."""
    return _readers[0](X) if _readers and is_frame(X) else X
