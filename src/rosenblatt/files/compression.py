"""Compression: gzip, bzip2, xz and zstd, read by their first bytes and written by the ending of a name."""

import bz2
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from ..errors import InputError, install

BLOCK = 2**22

_MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
_DAMAGE = (zlib.error, lzma.LZMAError, EOFError, OSError, ValueError)


def compression_of(head: bytes) -> str | None:
    """How data are compressed that begin with these bytes; None: not at all."""
    return next((name for magic, name in _MAGIC.items() if head.startswith(magic)), None)


def inflated(compression: str, raw: Callable[[], bytes], name: str) -> Iterator[bytes]:
    """What comes out of one or more compressed streams, one behind the other."""
    cut = InputError(f"{name}: the {compression} stream is cut off; expected a whole file: fetch it again")
    stream, inside = _stream(compression, name), False
    try:
        while data := raw():
            while data:
                if not inside and compression in ("gzip", "xz") and not data.strip(b"\0"):
                    break  # padding between or behind streams
                inside = True
                yield from (piece for piece in stream.feed(data) if piece)
                data = b""
                if stream.ended:
                    data, inside = stream.rest, False
                    stream = _stream(compression, name)
    except InputError:
        raise
    except _DAMAGE as error:
        what = f"damaged {compression} data ({error})"
        raise InputError(f"{name}: {what}; expected a sound file: fetch it again") from None
    if inside:
        raise cut


class _Stream:
    """One compressed stream. `feed` gives what comes out in pieces of at most a block, however much it is."""

    def __init__(self, decompressor: Any) -> None:
        self.decompressor = decompressor

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield self.decompressor.decompress(data, BLOCK)
        while not self.decompressor.eof and not self.decompressor.needs_input:
            yield self.decompressor.decompress(b"", BLOCK)

    @property
    def ended(self) -> bool:
        return bool(self.decompressor.eof)

    @property
    def rest(self) -> bytes:
        return bytes(self.decompressor.unused_data)


class _Gzip(_Stream):
    def feed(self, data: bytes) -> Iterator[bytes]:
        while data and not self.decompressor.eof:
            yield self.decompressor.decompress(data, BLOCK)
            data = self.decompressor.unconsumed_tail


class _Zstd(_Stream):
    def feed(self, data: bytes) -> Iterator[bytes]:
        # It has no bound on what comes out: a few bytes at a time have one, at 128 kB for every 4. That is 8 MB.
        for first in range(0, len(data), 256):
            if self.decompressor.eof:
                self.behind = data[first:]
                return
            try:
                yield self.decompressor.decompress(data[first : first + 256])
            except MemoryError:
                raise
            except Exception as error:  # a class of the package's own
                raise ValueError(str(error)) from None
        self.behind = b""

    @property
    def rest(self) -> bytes:
        return bytes(self.decompressor.unused_data) + self.behind


def _stream(compression: str, name: str) -> _Stream:
    if compression == "gzip":
        return _Gzip(zlib.decompressobj(31))
    if compression == "bzip2":
        return _Stream(bz2.BZ2Decompressor())
    if compression == "xz":
        return _Stream(lzma.LZMADecompressor(lzma.FORMAT_XZ))
    try:
        import zstandard
    except ModuleNotFoundError:
        how = f"{install('zstandard')}, or unpack it first (zstd -d)"
        raise InputError(f"{name}: needs zstandard: {how}") from None
    return _Zstd(zstandard.ZstdDecompressor().decompressobj())


def packed(data: bytes, name: str) -> bytes:
    """The bytes, compressed as the ending of a file's name says, if it does."""
    ending = os.path.splitext(name)[1].lower()
    if ending == ".gz":
        import gzip

        return gzip.compress(data, 6, mtime=0)
    if ending == ".bz2":
        return bz2.compress(data)
    if ending == ".xz":
        return lzma.compress(data)
    if ending == ".zst":
        try:
            import zstandard
        except ModuleNotFoundError:
            raise InputError(f"{name}: needs zstandard: {install('zstandard')}, or choose .gz") from None
        return zstandard.ZstdCompressor().compress(data)
    return data
