"""Truth tables and inputs of boolean functions: checked here, trusted in the rest of the folder."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..choices import one_of
from ..errors import InputError, plural, shown

MOST_INPUTS = 10
CODINGS = {"01": (0, 1), "±1": (-1, 1)}

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def coding_of(inputs: Any) -> str:
    """The name of a coding, however it was written."""
    return one_of("inputs", inputs, (*CODINGS, "+-1")).replace("+-", "±")


def is_one_of(value: Any, allowed: tuple[int, ...]) -> bool:
    """Whether it is a number or truth value, and one of these."""
    return isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)) and value in allowed


def _array(values: Any, what: str) -> NDArray[Any]:
    """An array of numbers, or of Python objects as they were given; missing values are None."""
    if hasattr(values, "toarray"):
        values = values.toarray()
    if hasattr(values, "filled"):  # a masked array
        values = np.where(np.ma.getmaskarray(values), None, values.data)
    try:
        array = np.asarray(values)
        # Asked for once more as objects: [0, "1"] has become ['0', '1'], and the error would name the wrong one.
        return array if array.dtype.kind in "biuf" else np.asarray(values, dtype=object)
    except (TypeError, ValueError):
        raise InputError(f"{what}, all of one length") from None


def _allowed(array: NDArray[Any], allowed: tuple[int, ...]) -> Bools:
    if array.dtype != object:
        return np.isin(array, allowed)
    return np.array([is_one_of(value, allowed) for value in array.flat], dtype=bool).reshape(array.shape)


def rows_of(X: Any, n: int, coding: str) -> Floats:
    """X as float64: rows of n inputs, every value of this coding."""
    low, high = CODINGS[coding]
    what = f"inputs must form a table (m, {n}) of {low} and {high}"
    array = _array(X, what)
    if array.ndim != 2:
        hint = "; [x] makes a table of one row x" if array.ndim == 1 else ""
        raise InputError(f"{what}, not an array of {array.ndim} dimension(s){hint}")
    if array.shape[1] != n:
        raise InputError(f"rows have {plural(array.shape[1], 'column')}; expected {n}, one for each input")
    if len(array) == 0:
        raise InputError("no rows: at least one is needed")
    good = _allowed(array, (low, high))
    if not good.all():
        i, j = np.argwhere(~good)[0]
        value = array[i, j : j + 1].tolist()[0]
        raise InputError(f"row {i}, column {j}: {shown(value)}; expected {low} or {high}, as coded by {coding!r}")
    return array.astype(np.float64)


def truths_of(table: Any) -> tuple[Bools, Bools]:
    """Where the function must be 1, and where it may be anything."""
    what = "a truth table is a list of outputs, each 0, 1 or None"
    array = _array(table, what)
    if array.ndim != 1:
        raise InputError(f"{what}, not an array of {array.ndim} dimension(s)")
    size = array.size
    if size < 2 or size & (size - 1):
        raise InputError(f"table of {plural(size, 'output')}; expected 2**n for n inputs: 2, 4, 8, … {2**MOST_INPUTS}")
    if size > 2**MOST_INPUTS:
        raise InputError(f"table of {size} outputs, for {size.bit_length() - 1} inputs; expected up to {MOST_INPUTS}")
    on, off = _allowed(array, (1,)), _allowed(array, (0,))
    free = np.array([value is None for value in array], dtype=bool)
    if (bad := np.flatnonzero(~(on | off | free))).size:
        value = array[bad[:1]].tolist()[0]
        raise InputError(
            f"output of row {bad[0]}: {shown(value)}; expected 0 or 1, False or True, or None where either will do"
        )
    return on, free
