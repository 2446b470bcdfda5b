"""Atomic: a file is written wholly or not at all, whatever fails on the way.

A draft beside the file is flushed to the disk, then renamed. Whoever writes one holds a lock on it, which the system
drops when the process ends, however it ends: a draft that nobody holds is what a killed writer left, and whoever writes
the same file next removes it.

`replacing` is the protocol, for a file that is written in pieces; `replace_file` writes one from memory.
"""

import errno
import hashlib
import io
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeAlias

from .errors import InputError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

POSIX = os.name == "posix"
if POSIX:  # elsewhere nobody can tell whether a draft is abandoned, and none is removed
    import fcntl

_TRIES = 100  # a draft is lost only to a writer that starts in the very moment

Name: TypeAlias = str | os.PathLike[str]


def replace_file(path: Name, data: "ReadableBuffer") -> None:
    """Write a file so that its name stands for the old bytes or the new ones at any moment, and never for a part."""
    with replacing(path) as draft:
        draft.write(data)


def write_output(path: Name, data: "ReadableBuffer") -> None:
    """The same, but into what is there where that is no file: a pipe, or /dev/null."""
    with output(path) as draft:
        draft.write(data)


def remove_file(path: Name) -> None:
    """Remove a file, if there is one, and what killed writers of it have left."""
    target = os.path.realpath(path)
    with _naming(path):
        if POSIX:
            folder, name = os.path.split(target)
            _remove_abandoned(folder, _drafts_of(name))
        with suppress(FileNotFoundError):
            os.unlink(target)


class Draft(io.RawIOBase):
    """What is being written: nobody sees it before it is whole. Every `write` goes to the system at once, and wholly.

    It is an `io.RawIOBase`, so that a library, or an `io.BufferedWriter` that is flushed in time, may write into it.
    Closing it ends nothing: the file takes its place at the end of the `with` block that gave it.
    """

    def __init__(self, path: Name, file: int) -> None:
        self._path, self._file, self._at = path, file, 0

    def write(self, data: "ReadableBuffer") -> int:
        """Append all of it: what the system takes at a time may be less."""
        with _naming(self._path):
            written = _write_all(self._file, data)
        self._at += written
        return written

    def write_at(self, offset: int, data: "ReadableBuffer") -> None:
        """Write over what is there, or shall be: a header, say, that is known at the end. `tell` stays as it was."""
        with _naming(self._path):
            os.lseek(self._file, offset, os.SEEK_SET)
            _write_all(self._file, data)
            os.lseek(self._file, self._at, os.SEEK_SET)

    def tell(self) -> int:
        """How many bytes have been appended."""
        return self._at

    def fileno(self) -> int:
        """The open file, until the block ends: it may be mapped, too."""
        return self._file

    def writable(self) -> bool:
        """It is."""
        return True

    def end(self) -> None:
        """Close the file; nothing can be written from here on, least of all into another file of the same number."""
        file, self._file = self._file, -1
        with _naming(self._path):
            os.close(file)


@contextmanager
def replacing(path: Name, keep: str | None = None) -> Iterator[Draft]:
    """A draft that takes the file's place at the end of the block; where the block raises, it is thrown away.

    Of a symbolic link the target is replaced. An error leaves the old file as it was, but for one: if the folder cannot
    be flushed at the end, the new file is there already.

    `keep`: an ending, by which the old file is kept from then on. It is renamed when the draft is safe on the disk, so
    that at any moment one of the two names stands for a whole file, and until then both do.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    drafts = _drafts_of(name)
    with _naming(path):
        try:
            mode = os.stat(target).st_mode
        except FileNotFoundError:
            mode = None
        if mode is not None and not stat.S_ISREG(mode):
            raise InputError(f"{os.fspath(path)}: not a regular file; nothing may take its place, choose another name")
        if POSIX:
            _remove_abandoned(folder, drafts)
        for _ in range(_TRIES):
            name = os.path.join(folder, f"{drafts}{secrets.token_hex(16)}.tmp")
            opened = _opened(name, mode)
            if opened is not None:
                break
        else:
            raise OSError(errno.EBUSY, "every draft was taken away before it was written")
    file, lock = opened
    try:
        draft = Draft(path, file)
        try:
            yield draft
            with _naming(path):
                os.fsync(file)  # never twice: after a failure the kernel may call pages clean that it has lost
        finally:
            draft.end()
        with _naming(path):
            if keep is not None and mode is not None:
                os.replace(target, target + keep)
            os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
    finally:
        if lock is not None:
            os.closerange(lock, lock + 1)  # whatever that says: the file has been closed without an error
    with _naming(path):
        _flush_folder(folder)


@contextmanager
def output(path: Name) -> Iterator[Draft]:
    """The same, but what is written goes at once to what is there where that is no file: a pipe, or /dev/null."""
    if not os.path.exists(path) or os.path.isfile(path):
        with replacing(path) as draft:
            yield draft
        return
    with _naming(path):
        file = os.open(path, os.O_WRONLY | getattr(os, "O_BINARY", 0))
    draft = Draft(path, file)
    try:
        yield draft
    finally:
        draft.end()


@contextmanager
def _naming(path: Name) -> Iterator[None]:
    """Errors of the system name what was asked for, and not the draft."""
    try:
        yield
    except OSError as error:
        error.filename = os.fspath(path)
        raise


def _drafts_of(name: str) -> str:
    """How the names of drafts of this file begin, however long its own is."""
    return f".rosenblatt-{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}-"


def _write_all(file: int, data: "ReadableBuffer") -> int:
    rest = memoryview(data)
    size = rest.nbytes
    rest = rest.cast("B") if size else rest[:0]
    while rest:
        try:
            written = os.write(file, rest)
        except InterruptedError:  # nothing was written; a buffer above us would write all of its own once more
            continue
        if not written:
            raise OSError(errno.EIO, "The system wrote nothing, and gave no reason")
        rest = rest[written:]
    return size


def _opened(draft: str, mode: int | None) -> tuple[int, int | None] | None:
    """A new draft, and what holds the lock on it. None: somebody took it for an abandoned one before it was locked."""
    # Read, too, for whoever maps it.
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    file, lock = os.open(draft, flags, 0o666 if mode is None else 0o600), None
    try:
        if POSIX:
            lock = os.dup(file)  # it holds the lock beyond the closing of the file, which comes before the renaming
            if not _locked(file, fcntl.LOCK_EX, unsupported=True) or not _is_named(file, draft):
                _thrown_away(draft, file, lock)
                return None
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(file, mode & 0o777)
    except BaseException:
        _thrown_away(draft, file, lock)
        raise
    return file, lock


def _thrown_away(draft: str, *handles: int | None) -> None:
    with suppress(OSError):
        os.unlink(draft)
    for handle in handles:
        if handle is not None:
            os.closerange(handle, handle + 1)


def _locked(file: int, kind: int, *, unsupported: bool) -> bool:
    """Whether we have the lock now, without waiting for it; where there are no locks, `unsupported`."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return unsupported
    return True


def _is_named(file: int, draft: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.lstat(draft))
    except FileNotFoundError:
        return False


def remove_abandoned(folder: Name) -> None:
    """Remove what killed writers of any file have left in a folder."""
    if POSIX:
        _remove_abandoned(os.fspath(folder), ".rosenblatt-")


def _remove_abandoned(folder: str, drafts: str) -> None:
    """Remove the drafts of writers that are dead: our user's own regular files, which nobody holds a lock on.

    A lock is taken before one is removed, so that a writer that has just made one and not locked it yet will notice.
    """
    with suppress(OSError):  # a folder that may be written but not read
        for name in os.listdir(folder):
            if name.startswith(drafts) and name.endswith(".tmp"):
                with suppress(OSError):
                    _remove_unless_held(os.path.join(folder, name))


def _remove_unless_held(draft: str) -> None:
    if not stat.S_ISREG(os.lstat(draft).st_mode):
        return  # a link, say: not one of ours
    file = os.open(draft, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        if os.fstat(file).st_uid == os.geteuid() and _locked(file, fcntl.LOCK_SH, unsupported=False):
            os.unlink(draft)
    finally:
        os.close(file)


def _flush_folder(folder: str) -> None:
    if not POSIX:
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:  # a folder that may be written but not read; a share that cannot flush folders
        if error.errno not in (errno.EACCES, errno.EINVAL):
            raise
