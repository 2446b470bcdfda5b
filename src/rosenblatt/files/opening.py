"""Opening: a file, compressed or not, or standard input, as bytes.

Whether and how a file is compressed is told by its first bytes, not by its name. What is cut off or damaged is an
error, never the end of the data.
"""

import io
import os
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Any

from ..errors import InputError
from .compression import BLOCK, compression_of, inflated

STDIN = "-"

BytesReadCallback = Callable[[int, int | None], None]
"""Called with the bytes read of the file as it is stored, and its size if that is known."""

_INPUT = 2**16  # compressed bytes taken at a time


class InputFile(io.RawIOBase):
    """The bytes of a file, decompressed, from its beginning to its end, once."""

    def __init__(self, source: str | os.PathLike[str], progress: BytesReadCallback | None = None) -> None:
        super().__init__()
        self.progress = progress
        self.path = None if (name := os.fspath(source)) == STDIN else name
        self.name = "standard input" if self.path is None else name
        self._file = _open(self.path)
        status = os.fstat(self._file)
        self.size = status.st_size if stat.S_ISREG(status.st_mode) else None
        self.taken = 0
        self.most: int | None = None
        """How many bytes there may be, unpacked; None: any number."""
        self._given = 0
        self._head = head = self._first_bytes()
        self.taken = len(head)
        self.compression = compression_of(head)
        self._ahead = b""
        self._reader: threading.Thread | None = None
        self._stopping = False
        if self.compression is not None:
            self._inflated = inflated(self.compression, self._stored_bytes, self.name)

    def _first_bytes(self) -> bytes:
        """Enough bytes to tell how it is compressed."""
        head = b""
        try:
            while len(head) < 6 and (more := os.read(self._file, 2**16)):
                head += more
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror}; expected a file that can be read") from None
        return head

    @property
    def plain_path(self) -> str | None:
        """The path, if it is a regular file that is not compressed."""
        return self.path if self.size is not None and self.compression is None else None

    def readable(self) -> bool:
        """It is."""
        return True

    def close(self) -> None:
        """Close the file; standard input stays open, and so does a pipe that is still being read."""
        if not self.closed and self.path is not None and not (self._reader and self._reader.is_alive()):
            os.close(self._file)
        super().close()

    def peek(self, size: int) -> bytes:
        """The next bytes, at least `size` of them if there are so many, without taking them."""
        while len(self._ahead) < size and (more := self._next_bytes(max(size, 2**16))):
            self._ahead += more
        return self._ahead

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, or as much of it as there are bytes at hand; 0 at the end."""
        view = memoryview(buffer).cast("B")
        if not self._ahead and self.compression is None and not self._head:
            try:
                count = os.readv(self._file, [view]) if view else 0
            except OSError as error:
                raise InputError(f"{self.name}: {error.strerror}; expected a file that can be read") from None
            self.count_read(count, len(view))
            self._count_given(count)
            return count
        if not self._ahead:
            self._ahead = self._next_bytes(len(view))
        count = min(len(view), len(self._ahead))
        view[:count] = self._ahead[:count]
        self._ahead = self._ahead[count:]
        return count

    def blocks(self, size: int = BLOCK) -> Iterator[memoryview]:
        """All of it, in blocks of this size but for the last. The next one is read while one is worked on."""
        full: SimpleQueue[Any] = SimpleQueue()
        free: SimpleQueue[bytearray | None] = SimpleQueue()
        room = size if self.size is None or self.compression else min(size, self.size + 1)
        for _ in range(2):
            free.put(bytearray(room))  # no larger than need be: to make one costs a millisecond for each MB

        def fill() -> None:
            try:
                while (buffer := free.get()) is not None:
                    count, view = 0, memoryview(buffer)
                    while count < room and not self._stopping and (more := self.readinto(view[count:])):
                        count += more
                    full.put((buffer, count))
                    if count < room:
                        return
            except BaseException as error:  # it is raised again by whoever waits for the block
                full.put(error)

        self._reader = threading.Thread(target=fill, daemon=True)
        self._reader.start()
        try:
            while True:
                got = full.get()
                if isinstance(got, BaseException):
                    raise got
                buffer, count = got
                if count:
                    yield memoryview(buffer)[:count]
                if count < room:
                    return
                free.put(buffer)
        finally:
            self._stopping = True
            free.put(None)
            if self.size is not None:  # a file does not keep it waiting; a pipe may for ever
                self._reader.join()

    @property
    def descriptor(self) -> int:
        """The file itself, as it is stored."""
        return self._file

    def take_peeked(self) -> bytes:
        """What has been read of a plain file already; whoever takes it goes on with the file itself."""
        ahead, self._ahead, self._head = self._ahead or self._head, b"", b""
        return ahead

    def all_bytes(self) -> bytes:
        """All of it."""
        return b"".join(bytes(block) for block in self.blocks())

    def _next_bytes(self, size: int) -> bytes:
        found = next(self._inflated, b"") if self.compression is not None else self._stored_bytes(size)
        self._count_given(len(found))
        return found

    def _count_given(self, count: int) -> None:
        """Raises `InputError` for more bytes than there may be."""
        self._given += count
        if self.most is not None and self._given > self.most:
            raise InputError(f"{self.name}: more than {self.most} bytes, and it is read whole; expected a smaller one")

    def _stored_bytes(self, size: int = _INPUT) -> bytes:
        """Bytes as they are stored."""
        if self._head:
            taken, self._head = self._head, b""
            return taken
        try:
            taken = os.read(self._file, size)
        except OSError as error:
            raise InputError(f"{self.name}: {error.strerror}; expected a file that can be read") from None
        self.count_read(len(taken), size)
        return taken

    def count_read(self, count: int, wanted: int) -> None:
        """Count bytes that were read of the file as it is stored, of so many wanted; none means that it has ended."""
        self.taken += count
        if wanted and not count and self.size is not None and self.taken < self.size:
            found = f"{self.taken} bytes, but {self.size} when it was opened"
            raise InputError(f"{self.name}: {found}; expected a file that nothing else is writing")
        if self.progress is not None and count:
            self.progress(self.taken, self.size)


def _open(path: str | None) -> int:
    if path is None:
        if sys.stdin is None:
            raise InputError("standard input: closed; expected data there, or the name of a file")
        return sys.stdin.fileno()
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path}: {why}; expected the name of a file to read, or - for standard input") from None
    if stat.S_ISDIR(os.fstat(file).st_mode):
        os.close(file)
        raise InputError(f"{path}: a folder; expected a file (--stream reads folders of Parquet files)")
    return file
