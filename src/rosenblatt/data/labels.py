"""Labels and sample weights: columns that come with the rows, checked; and the classes that scores speak of."""

import sys
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, shown
from .rows import is_masked


def column_of(values: Any, n: int) -> NDArray[Any]:
    """One value for each of n rows. Raises `InputError` for anything else.

    A table of one column is taken for that column, with a `UserWarning`: scikit-learn does the same.
    """
    if is_masked(values):
        raise InputError(
            f"label of row {np.flatnonzero(np.ma.getmaskarray(values))[0]}: masked; every row needs a label"
        )
    try:
        column = np.asarray(values)
    except ValueError as error:
        raise InputError(f"labels must form a column: {error}") from None
    if column.ndim == 2 and column.shape[1] == 1:
        warnings.warn(
            "labels of shape (n, 1) are taken as (n,); y.ravel() gives these", stacklevel=calls_from_outside()
        )
        column = column.reshape(-1)
    if column.ndim != 1:
        raise InputError(f"labels of shape {column.shape}; expected one for each row, (n,)")
    if column.size != n:
        raise InputError(f"{n} rows but {column.size} labels")
    return column


MOST_CLASSES = 2**16


def check_few(classes: NDArray[Any]) -> None:
    """Raises `InputError` for more classes than anybody has: a column of measurements, say, each of which is one."""
    if classes.size > MOST_CLASSES:
        raise InputError(
            f"more than {MOST_CLASSES} different labels, {shown(classes.tolist()[-1])} is one; expected classes: is it"
            " the right column?"
        )


def calls_from_outside() -> int:
    """How many calls above its caller the one is that came from outside this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "rosenblatt":
        level, frame = level + 1, frame.f_back
    return level


def signs_of(y: Any, n: int) -> NDArray[np.int8]:
    """Labels −1 and +1, a byte each. Raises `InputError` for anything else."""
    labels = column_of(y, n)
    if labels.dtype.kind not in "fiu":
        raise InputError(f"labels of type {labels.dtype}: expected -1 and +1; Examples.of(X, y) takes any labels")
    signs = signs_among(labels)
    if isinstance(signs, int):
        raise InputError(
            f"label of row {signs}: {labels[signs]}; expected -1 or +1; Examples.of(X, y) takes any labels"
        )
    return signs


def signs_among(labels: NDArray[Any]) -> NDArray[np.int8] | int:
    """Numbers that are all −1 or +1, a byte each; or the row of the first that is neither."""
    signs = np.empty(labels.size, dtype=np.int8)
    for first in range(0, labels.size, 2**18):  # in blocks: of very many rows, what is compared takes memory too
        block = labels[first : first + 2**18]
        if (bad := np.flatnonzero((block != 1) & (block != -1))).size:
            return first + int(bad[0])
        signs[first : first + 2**18] = block
    return signs


def missing_labels(labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Where a label is None, NaN, or one of the other values that stand for nothing."""
    if labels.dtype.kind != "O":
        return np.asarray(labels != labels, dtype=np.bool_)  # true of NaN and NaT alone
    try:
        found = np.asarray(labels != labels, dtype=np.bool_)
        if found.shape == labels.shape and not found.any() and not np.asarray(labels == None, dtype=np.bool_).any():  # noqa: E711
            return found  # text, mostly
    except (TypeError, ValueError):  # pandas' NA, or arrays: to be asked one by one
        pass
    return np.fromiter((_is_missing(value) for value in labels.tolist()), np.bool_, labels.size)


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except TypeError:  # pandas' NA, which is neither
        return True
    except ValueError:  # an array: some label, if an odd one
        return False


def weights_of(sample_weight: Any, n: int) -> NDArray[np.float64] | None:
    """Sample weights as float64. Raises `InputError` unless there is one finite weight >= 0 for each row."""
    if sample_weight is None:
        return None
    if is_masked(sample_weight):
        raise InputError("sample_weight is masked in places; every row needs a weight")
    weights = numbers_beside(sample_weight)
    if weights.dtype.kind not in "fiub" or weights.shape != (n,):
        raise InputError(f"sample_weight must hold one number for each of the {n} rows{not_so_many(weights, n)}")
    weights = np.require(weights, np.float64, ["C_CONTIGUOUS", "ALIGNED"])
    if (bad := np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))).size:
        raise InputError(f"sample_weight of row {bad[0]}: {weights[bad[0]]}; expected a finite number >= 0")
    return weights


def numbers_beside(values: Any) -> NDArray[Any]:
    """Numbers that come with rows, from a list, an array, or a column of a frame; something empty if they are none.

    >>> numbers_beside([1, None]).tolist(), numbers_beside([[1], [2, 3]]).size
    ([1.0, nan], 0)
    >>> numbers_beside(np.array(["1", "2"], dtype=object)).size
    0
    """
    try:
        found = np.asarray(values)
        if found.dtype.kind != "O":
            return found
        if any(isinstance(value, (str, bytes)) for value in found.reshape(-1).tolist()):
            return np.empty(0)  # though NumPy would take "1" for a number
        return np.array([np.nan if _is_missing(value) else value for value in found.tolist()], dtype=np.float64)
    except (TypeError, ValueError):  # lists of different lengths, or text
        return np.empty(0)


def not_so_many(found: NDArray[Any], n: int) -> str:
    """How many numbers there are, where that is what is wrong with them."""
    return f", not {found.size}" if found.ndim == 1 and found.size not in (0, n) else ""


def joined_classes(known: NDArray[Any], new: NDArray[Any]) -> NDArray[Any]:
    """All labels of both, sorted. Raises `InputError` for labels of another kind: numbers are not strings."""
    kinds = [{"i": "n", "u": "n", "f": "n", "U": "s", "S": "s"}.get(a.dtype.kind, a.dtype.kind) for a in (known, new)]
    same = kinds[0] == kinds[1]
    if same and kinds[0] == "O":
        same = len({type(label) for label in [*known.tolist(), *new.tolist()]}) == 1
    if not same or (new != new).any():
        raise InputError(f"label {shown(new.tolist()[0])} is of another kind than the classes {shown(known.tolist())}")
    return np.unique(np.concatenate([known, new]))


def predicted_codes(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """The index of the class that these scores predict: (n,) or (n, 1) of two classes, (n, K) of K > 2.

    Of two classes the positive one where the score is > 0; of more the one with the largest, the first on a tie.

    >>> predicted_codes(np.array([-1.0, 0.0, 2.0])).tolist(), predicted_codes(np.array([[1.0, 3.0, 3.0]])).tolist()
    ([0, 0, 1], [1])
    """
    if scores.ndim == 2 and scores.shape[1] > 1:
        return np.asarray(scores.argmax(axis=1), np.int64)
    return (scores.reshape(-1) > 0).astype(np.int64)
