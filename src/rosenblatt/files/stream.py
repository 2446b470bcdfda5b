"""`stream`: files larger than memory as a source of rows, to learn from and to ask about."""

import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError, shown
from .cache.folder import ENDING, Room, bytes_of, cache_folder
from .cache.form import StaleError
from .cache.key import key_of
from .cache.turn import in_turn
from .cache.writing import write_cache
from .opening import BytesReadCallback
from .options import Options, options_of
from .parts.door import input_of
from .parts.input import Input
from .sheet import Sheet
from .streamed import Blocks, StreamedSource


def stream(
    source: Any,
    *,
    format: str | None = None,
    label: str | int | None = None,
    missing: str = "refuse",
    base: int | None = None,
    hash_bits: int | None = None,
    text: Any = None,
    leave_out: Any = (),
    header: bool | None = None,
    coding: str | None = None,
    reference: Mapping[str, str] | None = None,
    words: Any = None,
    weight: str | int | None = None,
    counts: Any = None,
    names: Any = None,
    memory: int | str | None = None,
    cache: bool = True,
    threads: int | None = None,
    progress: BytesReadCallback | None = None,
) -> StreamedSource:
    """Rows and labels of files larger than memory: a source for `learn`, `separability` and `max_margin`.

    source
        A path, a pattern (`part-*.csv`), a list of either; a folder of Parquet files; or a function without arguments
        that gives Arrow record batches anew at each call. The same as for `read`: svmlight, VW, CSV, Parquet, Arrow,
        `.npy`, packed or not.
    memory
        About how many bytes the process may take, beside the weights: a number, or a text such as "1GB". None: 256MB,
        or so much that chunks of 4,096 rows fit; `source.memory` says which.
    cache
        Whether to keep what was read in the user's folder of caches for the next time. Without, it is removed at the
        end; the disk is needed all the same.
    progress
        Called now and then, by another thread, with the bytes read so far, and the size of the file (None if it is not
        known).

    It is closed by `close()`, or at the end of a `with` block.

    The first time it reads everything once, and writes the rows to the cache; what is asked of them reads that. All
    other arguments are those of `read`.
    """
    options = options_of(
        format=format, label=label, missing=missing, base=base, hash_bits=hash_bits, text=text,
        leave_out=leave_out, header=header, coding=coding, reference=reference, words=words, weight=weight,
        counts=counts, names=names, threads=threads,
    )  # fmt: skip
    return streamed(source, options, None if memory is None else memory_of(memory), cache, progress)


def memory_of(given: int | str) -> int:
    """Bytes of memory that may be taken. Raises `InputError` for too few to work with."""
    size = bytes_of(given, "memory") if isinstance(given, str) else given
    if isinstance(size, bool) or not isinstance(size, int) or size < 64 * 10**6:
        raise InputError(f"memory of {shown(given)}: expected 64MB or more; the program itself takes about that")
    return size


def streamed(
    source: Any,
    options: Options,
    memory: int | None = None,
    keep: bool = True,
    progress: BytesReadCallback | None = None,
    met: Callable[[Sheet], None] | None = None,
) -> StreamedSource:
    """The same with `Options`; `met` is given the parts of a first pass, where there is one."""
    given = source if isinstance(source, Input) else input_of(source, options)
    if not given.again:
        raise InputError(
            f"{given.name}: it can be read once alone, and this reads it again and again; expected a file, or what can"
            " be opened again (train learns from it in one pass)"
        )
    return StreamedSource(blocks_of(given, options, keep, progress, met), memory)


def blocks_of(
    given: Input,
    options: Options,
    keep: bool,
    progress: BytesReadCallback | None,
    met: Callable[[Sheet], None] | None = None,
    make: Callable[[Options], Input] | None = None,
) -> Blocks:
    """The cache of an input: the one that is there, if it is sound and of these very files; else a new one.

    `make` opens the input again; None: by its paths, as it would be without having been told anything.
    """
    folder = cache_folder()
    make = make or (lambda how: input_of(list(given.paths), how))
    if not keep or key_of(given, options) is None:
        path = str(folder / f"once-{secrets.token_hex(8)}{ENDING}")
        try:
            key = key_of(given, options)
            write_cache(path, given, progress, Room(folder), met)
            if key_of(given, options) != key:
                raise _changed(given)
            return Blocks(path, given, None)
        finally:
            with suppress(FileNotFoundError):
                os.unlink(path)  # it is open, and gone with the process
    for how in (options, *_less_said(options)):
        kept = _Kept(given, how, folder, progress, make)
        found = kept.found()
        if found is not None and (how is options or _found_out(found.facts["reading"], options)):
            with suppress(OSError):
                os.utime(kept.path)  # used now: the last to go where room is needed
            return found
    return _Kept(given, options, folder, progress, make).made(met)


def _changed(given: Input) -> InputError:
    return InputError(f"{given.name}: it was changed while it was read; expected a file that stays as it is")


class _Kept:
    """The place of a cache of some files, and how it is written."""

    def __init__(
        self,
        given: Input,
        options: Options,
        folder: Path,
        progress: BytesReadCallback | None,
        make: Callable[[Options], Input],
    ) -> None:
        self.given, self.options, self.folder, self.progress, self.make = given, options, folder, progress, make
        self.key = key_of(given, options)
        self.path = str(folder / f"{self.key}{ENDING}")

    def found(self) -> Blocks | None:
        """The cache that is there, if it is sound."""
        with suppress(FileNotFoundError, StaleError, ValueError):
            return self._opened()
        return None

    def _opened(self) -> Blocks:
        found = Blocks(self.path, self.given, self.rebuilt)
        self.status = os.fstat(found.opened[0])
        return found

    def made(self, met: Callable[[Sheet], None] | None) -> Blocks:
        """A new one, or that of another process or thread that was quicker. Raises `InputError`."""
        return in_turn(self.folder, str(self.key), self.found, lambda: self._new(met))

    def _new(self, met: Callable[[Sheet], None] | None) -> Blocks:
        for meeting in (met, None):  # nobody meets the same rows twice
            self._write(meeting)
            with suppress(FileNotFoundError):  # somebody cleared the folder, or made room, in this very moment
                return self._opened()
        raise InputError(f"{self.given.name}: its cache {self.path} was removed twice before it was open; run it again")

    def rebuilt(self) -> str:
        """Replace the one that was opened, and found to be damaged, unless somebody else has; its path."""
        damaged = self.status

        def another() -> str | None:
            found = self.found()
            if found is None:
                return None
            found.close()
            return None if os.path.samestat(self.status, damaged) else self.path

        return in_turn(self.folder, str(self.key), another, self._write)

    def _write(self, met: Callable[[Sheet], None] | None = None) -> str:
        """Write or replace it; its path. Raises `InputError` if the files change meanwhile."""
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(self.path).st_mode):
                os.unlink(self.path)  # a link that somebody has put there: where it leads is no place for a cache
        given = self.given if met is not None else self.make(self.options)
        write_cache(self.path, given, self.progress, Room(self.folder, Path(self.path)), met)
        if key_of(given, self.options) != self.key:
            with suppress(FileNotFoundError):
                os.unlink(self.path)
            raise _changed(given)
        return self.path


def _less_said(options: Options) -> Iterator[Options]:
    """The same options without what a first reading finds out: goers-on with a run, and checkers of a proof, say it."""
    if options.replayed:
        yield replace(options, replayed=False)
    if options.reading.base is not None:
        yield replace(options, reading=replace(options.reading, base=None), replayed=False)


def _found_out(reading: Mapping[str, Any], options: Options) -> bool:
    """Whether a reading found out just what these options say."""
    leave_out = tuple(reading.get("leave_out", ()))
    return bool(reading.get("base") == options.reading.base and leave_out == options.reading.leave_out)
