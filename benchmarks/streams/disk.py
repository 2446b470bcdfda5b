"""The disk: how many bytes it has room for, and how long a file takes to come from there, not out of memory."""

import os
import shutil
import time
from pathlib import Path

_BLOCK = 2**20


def forget_pages(path: Path) -> None:
    """Have the kernel let go of what it holds of a file in memory. (What the disk itself holds, nobody can tell.)"""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)  # what is not on the disk yet cannot be let go
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(file)


def sequential_read(path: Path) -> float:
    """Seconds to read the file from its first byte to its last, from the disk."""
    forget_pages(path)
    into = bytearray(_BLOCK)
    begin = time.perf_counter()
    with open(path, "rb", buffering=0) as file:
        while file.readinto(into):
            pass
    return time.perf_counter() - begin


def largest_size(asked: int, folder: Path, times: float, left: int) -> int:
    """The size asked for, or what there is room for: so many times the size, and so many bytes left free."""
    room = shutil.disk_usage(folder).free - left
    return min(asked, int(room / times))
