"""Arrow IPC files and streams in parts: batch by batch, none of which may be larger than a message is allowed to be.

A file that holds larger ones is mapped into memory instead, if it is a plain one; compressed, they are refused.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from ...errors import InputError
from ..opening import BytesReadCallback, InputFile
from ..options import Options
from ..tables.arrow import pyarrow_for, undamaged
from ..tables.arrow_messages import MARK, MessageStream, TooLargeError
from .input import PART
from .typed import TypedInput

_MAPPED = 2**25  # bytes of a batch that are looked at before the file is mapped anew


class ArrowInput(TypedInput):
    """One or more files or streams of Arrow's, which have one schema. One-shot if it is a pipe (`held`)."""

    def __init__(self, paths: Sequence[str], options: Options, held: InputFile | None = None, part: int = PART) -> None:
        name = "standard input" if paths[0] == "-" else paths[0]
        pyarrow_for(name)
        options.refuse(name, "Arrow", "arrow")
        many = name if len(paths) == 1 else f"{name} and {len(paths) - 1} more"
        super().__init__(many, "arrow", options, paths, held is None, part)
        self._held = held

    def _batches(self, progress: BytesReadCallback | None) -> Iterator[tuple[str, Any]]:
        for path in self.paths:
            with self._held or InputFile(path) as opened:
                opened.progress = progress
                yield from ((path, batch) for batch in self._in(opened))

    def _in(self, opened: InputFile) -> Iterator[Any]:
        """The batches of one file."""
        import pyarrow as pa

        head, seen = opened.peek(8), 0
        if head.startswith(b"\0\0\0\0"):
            raise InputError(f"{opened.name}: no Arrow data, zeros; expected an IPC file or stream")
        if head.startswith(b"FEA1"):
            raise InputError(
                f"{opened.name}: Feather of version 1; expected version 2, which is Arrow IPC: write it again"
            )
        try:
            with undamaged(opened.name, "Arrow"):
                reader = pa.ipc.open_stream(MessageStream(opened))
                self._begin(opened.name, reader.schema)
                for batch in reader:
                    seen += 1
                    yield batch
            return
        except TooLargeError as error:
            if error.packed or opened.plain_path is None:
                raise
        with undamaged(opened.name, "Arrow"):
            yield from _mapped(opened.plain_path, head.startswith(MARK), seen)


def _mapped(path: str, is_file: bool, seen: int) -> Iterator[Any]:
    """The batches of a file that is mapped into memory, but for those that have been seen; some rows at a time.

    It is mapped anew each time: so that what was read does not stay.
    """
    first = 0
    while True:
        batch = _batch(path, is_file, seen)
        if batch is None:
            return
        step = max(1, batch.num_rows * _MAPPED // max(1, batch.nbytes))
        yield _copied(batch.slice(first, step))
        first += step
        if first >= batch.num_rows:
            seen, first = seen + 1, 0


def _copied(batch: Any) -> Any:
    """The same in memory of its own, at once: a file that is cut while it is mapped ends the process."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as stream:
        stream.write_batch(batch)
    (copy,) = pa.ipc.open_stream(sink.getvalue())
    return copy


def _batch(path: str, is_file: bool, number: int) -> Any:
    """One batch of a file; None: there is none."""
    import pyarrow as pa

    mapped = pa.memory_map(path)
    if is_file:
        file = pa.ipc.open_file(mapped)
        return file.get_batch(number) if number < file.num_record_batches else None
    return next(islice(pa.ipc.open_stream(mapped), number, None), None)
