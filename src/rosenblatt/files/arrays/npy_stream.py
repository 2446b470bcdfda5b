"""One array in NumPy's .npy form. Pickled objects are never opened.

What a header says of sizes is a claim: bytes are taken as they come, up to what it says, and memory with them.
"""

import io
import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, plural, shown
from ..compression import BLOCK

_HEADER = 10_000  # bytes of a header that are looked at: NumPy's own bound


def array_in(file: Any, where: str, size: int | None) -> NDArray[Any]:
    """The array that a .npy stream holds, and nothing behind it; `size` is how long the stream is said to be."""
    shape, by_columns, dtype, head = _header(file, where)
    if dtype.hasobject:
        raise InputError(f"{where}: it holds Python objects, which are never opened; expected an array of numbers")
    if dtype.itemsize == 0 or not all(0 <= length < 2**63 for length in shape):
        raise InputError(f"{where}: shape {shown(shape)} of {shown(str(dtype))}; expected numbers")
    claim = math.prod(shape) * dtype.itemsize
    if size is not None and size != head + claim:
        raise InputError(f"{where}: {plural(size, 'byte')}; expected {head + claim} for the shape {shown(shape)}")
    data = bytearray()
    while len(data) <= claim and (block := file.read(min(BLOCK, claim + 1 - len(data)))):
        data += block
    if len(data) != claim:
        found = f"more than {claim}" if len(data) > claim else f"{len(data)}"
        raise InputError(f"{where}: {found} bytes of numbers; expected {claim} for the shape {shown(shape)}")
    try:
        return np.frombuffer(data, dtype).reshape(shape, order="F" if by_columns else "C")
    except ValueError as error:  # a side of 2**62, and another of 0
        raise InputError(f"{where}: shape {shown(shape)} ({one_line(error)}); expected a table") from None


def _header(file: Any, where: str) -> tuple[tuple[int, ...], bool, np.dtype[Any], int]:
    """Shape, whether column by column, type; and how many bytes say so."""
    start = _exactly(file, 8)
    if start[:6] != b"\x93NUMPY" or len(start) < 8:
        raise InputError(f"{where}: not a .npy array; expected one as numpy.save writes it")
    version = start[6], start[7]
    if version not in ((1, 0), (2, 0)):  # the third is for names of fields beyond Latin-1
        raise InputError(f"{where}: a .npy of version {version[0]}.{version[1]}; expected 1.0 or 2.0")
    length = _exactly(file, 2 if version == (1, 0) else 4)
    claim = int.from_bytes(length, "little")
    if claim > _HEADER:
        raise InputError(f"{where}: a header of {claim} bytes; expected at most {_HEADER}")
    parse = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    text = _exactly(file, claim)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a header that Python 2 wrote, and which is fine
            shape, by_columns, dtype = parse(io.BytesIO(length + text), max_header_size=_HEADER)
    except Exception as error:  # it is a Python literal: there is much that it may be instead
        raise InputError(f"{where}: its header cannot be read ({shown(one_line(error))}); expected a .npy") from None
    return shape, by_columns, dtype, 8 + len(length) + claim


def _exactly(file: Any, size: int) -> bytes:
    """So many bytes, or all that are left."""
    data = b""
    while len(data) < size and (more := file.read(size - len(data))):
        data += more
    return data


def one_line(error: BaseException) -> str:
    """What an error says, on one line."""
    return " ".join(str(error).split())[:100] or type(error).__name__
