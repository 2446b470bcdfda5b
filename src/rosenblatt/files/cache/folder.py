"""The user's folder of caches: what is in it, and room for more.

`ROSENBLATT_CACHE_DIR`, or `rosenblatt` in `XDG_CACHE_HOME` (~/.cache); for its owner alone. All caches together take at
most `ROSENBLATT_CACHE_SIZE` bytes (64 GB), and a tenth of the disk, 4 GB at most, is left free: those that have not
been used for longest go first.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ...atomic import remove_abandoned
from ...errors import InputError, shown
from .form import StaleError, opened

ENDING = ".rows"
_USUAL_SIZE = 64 * 10**9
_MOST_LEFT = 4 * 10**9
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def bytes_of(text: str, what: str) -> int:
    """A number of bytes: 256MB, 1.5g, 4096.

    >>> bytes_of("256MB", "--memory"), bytes_of("1.5 g", "--memory")
    (256000000, 1500000000)
    """
    found = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,9})?) ?([kmgt]?)b?", text.strip().lower())
    if found is None:
        raise InputError(f"{what} {shown(text)}: expected a size such as 256MB or 2GB")
    return int(float(found[1]) * _UNITS[found[2]])


def cache_folder() -> Path:
    """Where caches are, made if need be. Raises `InputError` where it belongs to somebody else."""
    given = os.environ.get("ROSENBLATT_CACHE_DIR")
    usual = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(usual) if os.path.isabs(usual) else Path.home() / ".cache"  # XDG: what is not absolute is passed over
    folder = Path(given) if given else base / "rosenblatt"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        if not stat.S_ISDIR(status.st_mode) or (hasattr(os, "geteuid") and status.st_uid != os.geteuid()):
            raise InputError(f"{folder}: not a folder of yours; say another for caches: ROSENBLATT_CACHE_DIR")
        if status.st_mode & 0o077 and hasattr(os, "geteuid"):
            folder.chmod(0o700)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror}; say another folder for caches: ROSENBLATT_CACHE_DIR") from None
    return folder


@dataclass(frozen=True)
class Entry:
    """A cache: its file, its size, when it was last used, and what it is of; None where it is damaged."""

    path: Path
    size: int
    used: float
    name: str | None
    rows: int | None = None
    columns: int | None = None


def entries() -> list[Entry]:
    """All caches, those used last first."""
    found = [entry for path in _files() if (entry := _entry(path)) is not None]
    return sorted(found, key=lambda entry: -entry.used)


def clear(path: Path | None = None) -> tuple[int, int]:
    """Remove every cache, or one: how many, and of how many bytes. One in use goes on being read."""
    count = size = 0
    before = sum(status.st_size for status in _drafts())
    remove_abandoned(cache_folder())
    left = sum(status.st_size for status in _drafts())
    for one in _files():
        if path is None or one == path:
            with suppress(OSError):
                taken = one.lstat().st_size
                one.unlink()
                count, size = count + 1, size + taken
    return count, size + max(0, before - left)


def _files() -> Iterator[Path]:
    with suppress(OSError):
        found = (path for path in cache_folder().iterdir() if path.suffix == ENDING)
        yield from sorted(path for path in found if path.is_symlink() or not path.is_dir())


def _drafts() -> Iterator[os.stat_result]:
    """What is being written, or was when its writer was killed."""
    with suppress(OSError):
        for path in cache_folder().iterdir():
            if path.suffix == ".tmp":
                with suppress(OSError):
                    yield path.stat()


def _entry(path: Path) -> Entry | None:
    try:
        status = path.lstat()
        try:
            file, _, facts = opened(str(path))
            os.close(file)
        except (StaleError, ValueError):
            return Entry(path, status.st_size, status.st_mtime, None)
    except OSError:
        return None  # somebody removed it meanwhile
    return Entry(path, status.st_size, status.st_mtime, str(facts["name"]), int(facts["rows"]), int(facts["columns"]))


class Room:
    """Makes room for a cache that is being written. Called with how many bytes come next.

    `replaced` is the cache whose place it takes, if there is one: that goes before all others, but only if it must.
    """

    def __init__(self, folder: Path, replaced: Path | None = None) -> None:
        remove_abandoned(folder)
        self.folder, self.replaced, self.written = folder, replaced, 0
        given = os.environ.get("ROSENBLATT_CACHE_SIZE")
        self.most = _USUAL_SIZE if not given else bytes_of(given, "ROSENBLATT_CACHE_SIZE")

    def __call__(self, size: int) -> None:
        """Raise `InputError` if there is no room for so many bytes more, though all other caches were removed."""
        self.written += size
        while not self._fits(size):
            oldest = min(_sized(), key=lambda one: (one[0] != self.replaced, one[1]), default=None)
            if oldest is None or self.written > self.most:
                raise InputError(
                    f"{self.folder}: no room for a cache of {self.written / 1e6:.1f} MB or more (ROSENBLATT_CACHE_SIZE"
                    f" allows {self.most / 1e6:.1f} MB, and a tenth of the disk is left free); say another folder:"
                    " ROSENBLATT_CACHE_DIR"
                )
            with suppress(FileNotFoundError):
                oldest[0].unlink()

    def _fits(self, size: int) -> bool:
        disk = os.statvfs(self.folder)
        left = min(_MOST_LEFT, disk.f_blocks * disk.f_frsize // 10)
        return (
            disk.f_bavail * disk.f_frsize - size >= left
            and self.written + sum(taken for _, _, taken in _sized()) <= self.most
        )


def _sized() -> list[tuple[Path, float, int]]:
    """The caches, when each was used, and its size."""
    found = []
    for path in _files():
        with suppress(OSError):
            status = path.lstat()
            found.append((path, status.st_mtime, status.st_size))
    return found
