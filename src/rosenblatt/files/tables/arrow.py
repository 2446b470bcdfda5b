"""Arrow's arrays as NumPy's.

pyarrow's own conversion imports pandas if that is installed, which takes longer than most files do; so it is done from
the buffers here, in the few cases that there are.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, install

_OLDEST = 18
_ADDRESSES = 2**47  # bytes that a process can have at most: a file that asks for more is wrong about its size


def pyarrow_for(name: str) -> Any:
    """The package. Raises `InputError` if it is missing, or too old to be trusted with foreign files."""
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise InputError(f"{name}: needs pyarrow: {install('pyarrow')}") from None
    if int(pyarrow.__version__.split(".")[0]) < _OLDEST:
        raise InputError(f"{name}: needs pyarrow {_OLDEST} or newer, not {pyarrow.__version__}: {install('pyarrow')}")
    return pyarrow


@contextmanager
def undamaged(name: str, what: str) -> Iterator[None]:
    """Turns what pyarrow says of damaged data into an `InputError`."""
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


def numpy_of(array: Any) -> NDArray[Any]:
    """The numbers or booleans of an array, without a copy where that can be; what stands at nulls means nothing."""
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):
        parts = [numpy_of(chunk) for chunk in array.chunks] or [numpy_of(pa.nulls(0, array.type))]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)
    data, offset, n = array.buffers()[1], array.offset, len(array)
    if pa.types.is_boolean(array.type):
        return _bits(data, offset, n)
    dtype = np.dtype(array.type.to_pandas_dtype())
    if not n:
        return np.empty(0, dtype=dtype)
    return np.frombuffer(data, dtype, count=n, offset=offset * dtype.itemsize)


def nulls_of(array: Any) -> NDArray[np.bool_]:
    """Which values are null."""
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):
        return np.concatenate([np.empty(0, dtype=np.bool_), *(nulls_of(chunk) for chunk in array.chunks)])
    if not array.null_count:
        return np.zeros(len(array), dtype=np.bool_)
    return ~_bits(array.buffers()[0], array.offset, len(array))


def codes_of(array: Any) -> NDArray[np.int64]:
    """The numbers of an array's values in its dictionary, −1 where it is null."""
    codes = numpy_of(array.indices).astype(np.int64)
    codes[nulls_of(array.indices)] = -1
    return codes


def _bits(data: Any, offset: int, n: int) -> NDArray[np.bool_]:
    if not n:
        return np.empty(0, dtype=np.bool_)
    first = offset // 8
    bytes_ = np.frombuffer(data, np.uint8, count=(offset + n + 7) // 8 - first, offset=first)
    return np.unpackbits(bytes_, bitorder="little")[offset % 8 : offset % 8 + n].view(np.bool_)
