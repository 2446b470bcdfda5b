"""The file of a cache: blocks of rows (src/core/blocks.hpp), where they lie, and what they are.

    blocks | first byte of each chunk, int64 | place of each block in its chunk, uint32 | facts, JSON | tail

The tail is 64 bytes: a mark, the lengths of the three parts before it, and a SHA-256 over them, cut to fit. So a
file is known for whole by its end, and each block for sound by its own checksum when it is read. All that stands there
is checked before anything is made of it.
"""

import errno
import hashlib
import json
import os
import stat
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...errors import InputError
from .facts import sound

VERSION = 1
_MARK = b"rosenblatt rows\n"
_TAIL = struct.Struct("<16sQQQ24s")
_MOST_FACTS = 2**31


class StaleError(Exception):
    """A cache that cannot be used: damaged, cut short, or of another version."""


@dataclass(frozen=True, eq=False)
class Index:
    """Where the blocks lie."""

    chunks: NDArray[np.int64]
    blocks: NDArray[np.uint32]


def ending(index: Index, facts: dict[str, Any]) -> bytes:
    """What follows the blocks."""
    parts = [index.chunks.tobytes(), index.blocks.tobytes(), json.dumps({**facts, "version": VERSION}).encode()]
    return b"".join([*parts, _tail(parts)])


def _tail(parts: list[bytes]) -> bytes:
    lengths = [len(part) for part in parts]
    digest = hashlib.sha256(b"".join([_MARK, *(length.to_bytes(8, "little") for length in lengths)]))
    for part in parts:
        digest.update(part)
    return _TAIL.pack(_MARK, *lengths, digest.digest()[:24])


def opened(path: str) -> tuple[int, Index, dict[str, Any]]:
    """The open file, and what it says of itself. Raises `StaleError` for one that is not whole, OSError for none."""
    flags = (getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK"))
    try:
        file = os.open(path, os.O_RDONLY | sum(flags))
    except OSError as error:
        if error.errno == errno.ELOOP:  # a link that somebody has put there
            raise StaleError("a link") from None
        raise
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise StaleError("no file")
        return file, *_ending_of(file)
    except BaseException:
        os.close(file)
        raise


def _ending_of(file: int) -> tuple[Index, dict[str, Any]]:
    size = os.fstat(file).st_size
    if size < _TAIL.size:
        raise StaleError("too short")
    tail = os.pread(file, _TAIL.size, size - _TAIL.size)
    mark, *lengths, _ = _TAIL.unpack(tail)
    if mark != _MARK or lengths[2] > _MOST_FACTS or sum(lengths) > size - _TAIL.size:
        raise StaleError("not whole")
    at, parts = size - _TAIL.size - sum(lengths), []
    for length in lengths:
        parts.append(_read(file, length, at))
        at += length
    if _tail(parts) != tail:
        raise StaleError("damaged at its end")
    try:
        facts = json.loads(parts[2])
    except (ValueError, RecursionError):
        raise StaleError("no facts") from None
    if type(facts) is not dict or facts.get("version") != VERSION:
        raise StaleError("of another version")
    if not sound(facts):
        raise StaleError("facts that do not go together")
    index = Index(np.frombuffer(parts[0], np.int64), np.frombuffer(parts[1], np.uint32))
    if not index.chunks.size or index.chunks[-1] != size - _TAIL.size - sum(lengths):
        raise StaleError("blocks of another size")
    return index, facts


def _read(file: int, size: int, offset: int) -> bytes:
    parts = []
    while size:
        part = os.pread(file, min(size, 2**30), offset)
        if not part:
            raise StaleError("cut short")
        parts.append(part)
        size, offset = size - len(part), offset + len(part)
    return b"".join(parts)


def form_of(facts: dict[str, Any]) -> _core.BlockForm:
    """What its blocks hold."""
    form = facts["form"]
    names = ("sparse", "float32", "lines", "weights")
    return _core.BlockForm(**{name: bool(form[name]) for name in names}, d=int(form["d"]))


def reader_of(file: int, index: Index, facts: dict[str, Any]) -> _core.BlockReader:
    """What reads its rows. Raises `StaleError` if the facts do not fit the blocks."""
    try:
        shape = (int(facts["rows"]), int(facts["columns"]), int(facts["first_column"]))
        return _core.BlockReader(file, form_of(facts), index.chunks, index.blocks, *shape)
    except (KeyError, TypeError, ValueError, IndexError, OverflowError, InputError) as error:
        raise StaleError(str(error)) from None
