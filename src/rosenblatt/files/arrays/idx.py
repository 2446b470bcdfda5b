"""IDX, the format of MNIST and its kin: numbers of one type, rows first; the labels in a file of their own beside it.

Two zeros, the type, how many sides, the length of each in four bytes, then the numbers; the largest byte comes first.
"""

import math
import os
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, plural
from ..opening import InputFile
from ..options import Options
from ..sheet import Sheet
from .sheet import array_sheet

_TYPES = {8: ">u1", 9: ">i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}
_PACKED = ("", ".gz", ".xz", ".bz2", ".zst")


def is_idx(head: bytes) -> bool:
    """Whether a file that begins so is one."""
    return len(head) > 4 and head[:2] == b"\0\0" and head[2] in _TYPES and 1 <= head[3] <= 8


def read_idx(opened: InputFile, options: Options) -> Sheet:
    """Images, or other rows, each as one row of numbers; and the labels of `…images-idx3…` in `…labels-idx1…`."""
    options.refuse(opened.name, "IDX", "idx")
    table = _array(opened)
    if table.ndim < 2:
        raise InputError(f"{opened.name}: one number a row, as labels are; expected the file of the rows, or images")
    # What float32 holds exactly stays that small: a byte becomes four.
    small = table.dtype.itemsize <= 2 or table.dtype == np.dtype(">f4")
    flat = np.ascontiguousarray(table.reshape(len(table), -1), dtype=np.float32 if small else np.float64)
    beside = _labels_beside(opened.path)
    if beside is None and options.labels == "needed":
        raise InputError(f"{opened.name}: no labels; expected them beside it, in {_labels_name(opened.path)}")
    labels, notes = None, []
    if beside is not None:
        with InputFile(beside) as other:
            labels = _array(other)
        if labels.shape != (len(table),) or labels.dtype.kind not in "iu":
            raise InputError(
                f"{beside}: shape {labels.shape}; expected {plural(len(table), 'label')}, as there are rows"
            )
        notes.append(f"labels are those of {beside}")
    return array_sheet(opened.name, "idx", flat, labels, None, None, notes, options)


def _array(opened: InputFile) -> NDArray[Any]:
    """The numbers. The lengths of sides are claims: they must agree with the bytes that follow."""
    data = opened.all_bytes()
    if not is_idx(data[:5]):
        raise InputError(f"{opened.name}: not IDX; expected two zeros, the type of the numbers, and how many sides")
    kind, start = np.dtype(_TYPES[data[2]]), 4 + 4 * data[3]
    if len(data) < start:
        raise InputError(f"{opened.name}: {plural(len(data), 'byte')}; expected a head of {start}")
    shape = tuple(int.from_bytes(data[at : at + 4], "big") for at in range(4, start, 4))
    claim = math.prod(shape) * kind.itemsize
    if len(data) - start != claim or not claim:
        raise InputError(
            f"{opened.name}: {plural(len(data) - start, 'byte')} of numbers; expected {claim} for the shape {shape}"
        )
    return np.frombuffer(data, kind, offset=start).reshape(shape)


def _labels_name(path: str | None) -> str:
    """What the labels of these rows are called, by custom."""
    folder, name = os.path.split(path or "…images-idx3…")
    for packed in _PACKED[1:]:
        name = name.removesuffix(packed)
    return os.path.join(folder, re.sub("idx[0-9]", "idx1", name.replace("images", "labels")))


def _labels_beside(path: str | None) -> str | None:
    name = _labels_name(path)
    found = [name + packed for packed in _PACKED if os.path.exists(name + packed)]
    return found[0] if path is not None and found and found[0] != path else None
