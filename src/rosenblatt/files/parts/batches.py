"""Batches of rows in memory, from wherever they come: whatever speaks Arrow's C interface, as DuckDB and Polars do."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...errors import InputError
from ..opening import BytesReadCallback
from ..options import Options
from ..tables.arrow import pyarrow_for, undamaged
from .input import PART
from .typed import TypedInput

_NAME = "batches"


class BatchesInput(TypedInput):
    """What a function gives each time that it is called; or, of something that is used up by reading, what it holds.

    Record batches, tables, frames, readers of them, or an iterable of these; all with one schema.
    """

    def __init__(self, source: Any, options: Options, part: int = PART) -> None:
        pyarrow_for(_NAME)
        once = not callable(source) and (isinstance(source, Iterator) or hasattr(source, "read_next_batch"))
        super().__init__(_NAME, "frame", options, (), not once, part)
        self._give: Callable[[], Any] = source if callable(source) else lambda: source

    def _batches(self, progress: BytesReadCallback | None) -> Iterator[tuple[str, Any]]:
        with undamaged(_NAME, "Arrow"):
            for batch in record_batches(self._give()):
                self._begin(_NAME, batch.schema)
                yield _NAME, batch


def speaks_arrow(source: Any) -> bool:
    """Whether it holds rows as Arrow has them."""
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__")


def record_batches(source: Any) -> Iterator[Any]:
    """The record batches in it."""
    import pyarrow as pa

    if hasattr(source, "__arrow_c_stream__"):
        yield from pa.RecordBatchReader.from_stream(source)
    elif hasattr(source, "__arrow_c_array__"):
        yield pa.record_batch(source)
    elif isinstance(source, Iterable) and not isinstance(source, (str, bytes)):
        for one in source:
            if not speaks_arrow(one):
                raise InputError(f"{_NAME}: {type(one).__name__}; expected Arrow's record batches, tables or frames")
            yield from record_batches(one)
    else:
        raise InputError(f"{_NAME}: {type(source).__name__}; expected an iterable of Arrow's record batches or tables")
