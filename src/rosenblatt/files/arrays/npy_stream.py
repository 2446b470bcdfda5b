"""One array in NumPy's .npy form. Pickled objects are never opened.

What a header says of sizes is a claim: bytes are taken as they come, up to what it says, and memory with them.
"""

import io
import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, plural, shown
from ..compression import BLOCK

_HEADER = 10_000  # bytes of a header that are looked at: NumPy's own bound


@dataclass(frozen=True)
class ArrayHeader:
    """What a .npy stream says of its array: shape, type, and whether it stands there column by column.

    length
        Bytes of the header itself.
    """

    shape: tuple[int, ...]
    by_columns: bool
    dtype: np.dtype[Any]
    length: int

    @property
    def claim(self) -> int:
        """Bytes of the numbers."""
        return math.prod(self.shape) * self.dtype.itemsize

    def wrong_size(self, where: str, found: int) -> InputError:
        """The error for so many bytes of numbers, where they are not as many as was said."""
        many = f"more than {self.claim}" if found > self.claim else f"{found}"
        return InputError(f"{where}: {many} bytes of numbers; expected {self.claim} for the shape {shown(self.shape)}")


def array_in(file: Any, where: str, size: int | None) -> NDArray[Any]:
    """The array that a .npy stream holds, and nothing behind it; `size` is how long the stream is said to be."""
    header = array_header(file, where)
    claim, shape = header.claim, header.shape
    if size is not None and size != header.length + claim:
        expected = header.length + claim
        raise InputError(f"{where}: {plural(size, 'byte')}; expected {expected} for the shape {shown(shape)}")
    data = bytearray()
    while len(data) <= claim and (block := file.read(min(BLOCK, claim + 1 - len(data)))):
        data += block
    if len(data) != claim:
        raise header.wrong_size(where, len(data))
    try:
        return np.frombuffer(data, header.dtype).reshape(shape, order="F" if header.by_columns else "C")
    except ValueError as error:  # a side of 2**62, and another of 0
        raise InputError(f"{where}: shape {shown(shape)} ({one_line(error)}); expected a table") from None


def array_header(file: Any, where: str) -> ArrayHeader:
    """The header. Raises `InputError` for what is no array of numbers."""
    header = ArrayHeader(*_header(file, where))
    if header.dtype.hasobject:
        raise InputError(f"{where}: it holds Python objects, which are never opened; expected an array of numbers")
    if header.dtype.itemsize == 0 or not all(0 <= length < 2**63 for length in header.shape):
        raise InputError(f"{where}: shape {shown(header.shape)} of {shown(str(header.dtype))}; expected numbers")
    return header


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
