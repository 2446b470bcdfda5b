"""The messages of Arrow's IPC stream, looked at before pyarrow is: how large each is, and what it unpacks to.

A message is its length, its metadata (a table of Flatbuffers; Message.fbs) and a body. pyarrow takes what the metadata
say for memory to be had; here they are claims, and held against `LARGEST`. A file is a stream between two marks.
"""

import io
import struct
from typing import Any

from ...errors import InputError
from ..opening import InputFile

LARGEST = 2**26
"""Bytes of a message, as it is stored and unpacked."""

MARK = b"ARROW1\0\0"
_METADATA = 2**24
_DICTIONARY, _BATCH = 2, 3


class TooLargeError(InputError):
    """A message that is larger than it may be; `packed`: whether it is compressed."""

    def __init__(self, said: str, packed: bool) -> None:
        super().__init__(said)
        self.packed = packed


class MessageStream(io.RawIOBase):
    """The stream that an open file holds, one message after the other. What is too large raises `TooLargeError`."""

    def __init__(self, opened: InputFile) -> None:
        super().__init__()
        self.opened, self.name = opened, opened.name
        self._ready: list[bytes] = []
        self._ended = False
        self._dictionaries = 0
        if opened.peek(len(MARK)).startswith(MARK):
            self._exactly(len(MARK))

    def readable(self) -> bool:
        """It is."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """So many bytes, or fewer at the end."""
        taken: list[bytes] = []
        left = 2**63 if size is None or size < 0 else size
        while left:
            if not self._ready and not self._next():
                break
            piece = self._ready[0]
            taken.append(piece[:left])
            self._ready[0:1] = [piece[left:]] if len(piece) > left else []
            left -= len(taken[-1])
        return taken[0] if len(taken) == 1 else b"".join(taken)

    def _next(self) -> bool:
        """Have the next message ready; False if there is none."""
        if self._ended:
            return False
        start = self._exactly(4, may_end=True)
        old = start != b"\xff\xff\xff\xff"  # before version 0.15 there was no mark
        length = start if old or not start else self._exactly(4)
        size = int.from_bytes(length, "little", signed=True)
        if size <= 0:  # the end of the stream; behind it, a file says where its messages are
            self._ended = True
            self._ready = [start + (b"" if old else length)] if start else []
            return bool(self._ready)
        if size > _METADATA:
            raise InputError(f"{self.name}: a message of {size} bytes of metadata; expected at most {_METADATA}")
        metadata = self._exactly(size)
        try:
            kind, body, buffers = _claims(metadata)
        except (struct.error, IndexError):
            raise _damaged(self.name, "metadata") from None
        if body < 0:
            raise _damaged(self.name, "metadata")
        packed = buffers is not None
        if body > LARGEST:
            raise self._too_large(body, packed)
        data = self._exactly(body)
        unpacked = body if buffers is None else _unpacked(self.name, data, buffers)
        if unpacked > LARGEST:
            raise self._too_large(unpacked, packed)
        if kind == _DICTIONARY:
            self._dictionaries += unpacked
            if self._dictionaries > LARGEST:
                raise self._too_large(self._dictionaries, True)
        self._ready = [piece for piece in (start if old else start + length, metadata, data) if piece]
        return True

    def _exactly(self, size: int, may_end: bool = False) -> bytes:
        data = bytearray()
        while len(data) < size and (more := self.opened.read(min(size - len(data), 2**22))):
            data += more
        if len(data) < size and not (may_end and not data):
            raise _damaged(self.name, "it is cut off")
        return bytes(data)

    def _too_large(self, size: int, packed: bool) -> TooLargeError:
        what = f"{self.name}: a record batch or dictionary of {size} bytes"
        how = f"expected at most {LARGEST}: write it in smaller batches"
        return TooLargeError(f"{what}; {how}", packed)


def _damaged(name: str, what: str) -> InputError:
    return InputError(f"{name}: damaged, or no Arrow data ({what}); expected a sound file")


def _claims(metadata: bytes) -> tuple[int, int, list[tuple[int, int]] | None]:
    """The kind of a message, the size of its body, and where its buffers are if they are compressed."""
    message = _Table.root(metadata)
    kind, body = message.number(1, "<B"), message.number(3, "<q")
    batch = message.table(2)
    if kind == _DICTIONARY and batch is not None:
        batch = batch.table(1)
    if kind not in (_DICTIONARY, _BATCH) or batch is None or batch.table(3) is None:
        return kind, body, None
    return kind, body, batch.pairs(2)


def _unpacked(name: str, body: bytes, buffers: list[tuple[int, int]]) -> int:
    """What compressed buffers say that they unpack to: each begins with that, −1 if it is as it is."""
    total = 0
    for offset, length in buffers:
        if length < 8:
            continue
        if not 0 <= offset <= len(body) - 8:
            raise _damaged(name, "a buffer beyond its message")
        claim = int.from_bytes(body[offset : offset + 8], "little", signed=True)
        total += length if claim < 0 else claim
    return total


class _Table:
    """A table of Flatbuffers: fields by their number."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data, self.at = data, at
        self.fields = at - self._number("<i", at)

    @classmethod
    def root(cls, data: bytes) -> "_Table":
        return cls(data, struct.unpack_from("<I", data, 0)[0])

    def _number(self, form: str, at: int) -> int:
        if at < 0:
            raise IndexError
        found: int = struct.unpack_from(form, self.data, at)[0]
        return found

    def _field(self, k: int) -> int | None:
        place = 4 + 2 * k
        if place >= self._number("<H", self.fields):
            return None
        offset = self._number("<H", self.fields + place)
        return self.at + offset if offset else None

    def number(self, k: int, form: str) -> int:
        at = self._field(k)
        return 0 if at is None else self._number(form, at)

    def table(self, k: int) -> "_Table | None":
        at = self._field(k)
        return None if at is None else _Table(self.data, at + self._number("<I", at))

    def pairs(self, k: int) -> list[tuple[int, int]]:
        """A list of pairs of 64-bit numbers."""
        at = self._field(k)
        if at is None:
            return []
        at += self._number("<I", at)
        count = self._number("<I", at)
        if count > len(self.data) // 16:
            raise IndexError
        found: Any = struct.iter_unpack("<qq", self.data[at + 4 : at + 4 + 16 * count])
        return list(found)
