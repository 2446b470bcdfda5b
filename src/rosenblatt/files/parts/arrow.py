"""Arrow IPC files and streams in parts: batch by batch, none of which may be larger than a message is allowed to be.

A file that holds larger ones is mapped into memory instead, if it is a plain one; compressed, they are refused.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from ...errors import InputError
from ..opening import BytesReadCallback, InputFile
from ..options import Options
from ..tables.arrow import pyarrow_for, undamaged
from ..tables.arrow_messages import MARK, MessageStream, TooLargeError
from .input import PART
from .typed import TypedInput


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
        with undamaged(opened.name, "Arrow"), pa.memory_map(opened.plain_path) as mapped:
            yield from _mapped(mapped, head.startswith(MARK), seen)


def _mapped(mapped: Any, is_file: bool, seen: int) -> Iterator[Any]:
    """The batches of a file that is mapped into memory, but for those that have been seen."""
    import pyarrow as pa

    if is_file:
        file = pa.ipc.open_file(mapped)
        yield from (file.get_batch(i) for i in range(seen, file.num_record_batches))
        return
    for i, batch in enumerate(pa.ipc.open_stream(mapped)):
        if i >= seen:
            yield batch
