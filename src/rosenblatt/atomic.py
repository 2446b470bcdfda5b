"""Atomic: a file is written wholly or not at all, whatever fails on the way.

A draft beside the file is flushed to the disk, then renamed. Whoever writes one holds a lock on it, which the system
drops when the process ends, however it ends: a draft that nobody holds is what a killed writer left, and whoever writes
the same file next removes it.
"""

import errno
import hashlib
import os
import secrets
import stat
from contextlib import suppress
from typing import TypeAlias

from .errors import InputError

POSIX = os.name == "posix"
if POSIX:  # elsewhere nobody can tell whether a draft is abandoned, and none is removed
    import fcntl

_TRIES = 100  # a draft is lost only to a writer that starts in the very moment

Name: TypeAlias = str | os.PathLike[str]


def replace_file(path: Name, data: bytes) -> None:
    """Write a file so that its name stands for the old bytes or the new ones at any moment, and never for a part.

    Of a symbolic link the target is replaced. An error leaves the old file as it was, but for one: if the folder cannot
    be flushed at the end, the new file is there already.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    drafts = f".rosenblatt-{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}-"  # of this file, however long its name
    try:
        try:
            mode = os.stat(target).st_mode
        except FileNotFoundError:
            mode = None
        if mode is not None and not stat.S_ISREG(mode):
            raise InputError(f"{os.fspath(path)}: not a regular file; nothing may take its place, choose another name")
        if POSIX:
            _remove_abandoned(folder, drafts)
        for _ in range(_TRIES):
            if _replaced(target, os.path.join(folder, f"{drafts}{secrets.token_hex(16)}.tmp"), mode, data):
                break
        else:
            raise OSError(errno.EBUSY, "every draft was taken away before it was written")
        _flush_folder(folder)
    except OSError as error:
        error.filename = os.fspath(path)  # what was asked for, and not the draft
        raise


def _replaced(target: str, draft: str, mode: int | None, data: bytes) -> bool:
    """Write a draft and rename it. False: somebody took it for an abandoned one before it was locked."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    file, lock = os.open(draft, flags, 0o666 if mode is None else 0o600), None
    try:
        try:
            if POSIX:
                lock = os.dup(file)  # it holds the lock beyond the closing of the file, which comes before the renaming
                if not _locked(file, fcntl.LOCK_EX, unsupported=True) or not _is_named(file, draft):
                    with suppress(OSError):
                        os.unlink(draft)
                    return False
            if mode is not None and hasattr(os, "fchmod"):
                os.fchmod(file, mode & 0o777)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(file, rest) :]
            os.fsync(file)  # never twice: after a failure the kernel may call pages clean that it has lost
        finally:
            os.close(file)
        os.replace(draft, target)
        return True
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise
    finally:
        if lock is not None:
            os.closerange(lock, lock + 1)  # whatever that says: the file has been closed without an error


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


def write_output(path: Name, data: bytes) -> None:
    """The same, but into what is there where that is no file: a pipe, or /dev/null."""
    if os.path.exists(path) and not os.path.isfile(path):
        try:
            with open(path, "wb") as file:
                file.write(data)
        except OSError as error:
            error.filename = os.fspath(path)  # which only opening names
            raise
    else:
        replace_file(path, data)


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
