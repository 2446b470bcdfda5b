"""Turns: of several that want the same cache at the same moment one makes it, and the others wait and use that.

Whoever makes it holds a lock on an empty file beside it, which the system drops when the process ends, however it ends.
At the end of a turn the file is removed: whoever waited for it looks whether the cache is there now, and waits for the
next turn if not. It is called as drafts are (atomic.py), so that what a killed process has left goes as theirs do.

Nothing depends on it but time: where no lock can be had, each makes its own cache, and the last one stays.
"""

import os
import stat
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from ...atomic import POSIX

if POSIX:
    import fcntl

Found = TypeVar("Found")

_PAUSE = 0.05  # seconds between two tries; Ctrl-C comes through at any moment
_TRIES = 100  # turns of others that end without a cache, or file systems that call a file by another number each time
_open = set[int]()  # lock files of all threads


def in_turn(folder: Path, key: str, look: Callable[[], Found | None], make: Callable[[], Found]) -> Found:
    """What `look` finds, or else what `make` makes, while all others that ask for the same key wait.

    `look` is asked when our turn has come, and when another's has ended.
    """
    path = str(folder / f".rosenblatt-{key}.tmp")
    for _ in range(_TRIES):
        file, ours = _opened(path), False
        try:
            ours = file is None or _waited(file, path)
            if ours:
                found = look()
                return make() if found is None else found
        finally:
            if file is not None:
                _end(file, path, ours)
        found = look()
        if found is not None:
            return found
    return make()


def _opened(path: str) -> int | None:
    """The lock file, made if need be. None where there can be none."""
    if not POSIX:
        return None
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    except OSError:  # a link that somebody has put there, or a full disk, of which the writer will tell
        return None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        return None
    _open.add(file)
    return file


def _waited(file: int, path: str) -> bool:
    """Wait for our turn. False: that of another has ended, and the file went with it."""
    while _is_named(file, path):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return _is_named(file, path)
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:  # a file system without locks
            return True
    return False


def _is_named(file: int, path: str) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.fstat(file), os.lstat(path))
    return False


def _end(file: int, path: str, ours: bool) -> None:
    if file not in _open:
        return  # we are a child that was forked during a turn, which is its parent's
    if ours and _is_named(file, path):
        with suppress(OSError):
            os.unlink(path)
    _open.discard(file)
    os.close(file)


def _leave_to_parent() -> None:
    """A forked child would hold the locks of a parent that is killed."""
    for file in _open:
        os.close(file)
    _open.clear()


if POSIX:
    os.register_at_fork(after_in_child=_leave_to_parent)
