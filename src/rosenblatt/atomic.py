"""Atomic: a file is written wholly or not at all, whatever fails on the way."""

import errno
import os
import secrets
import stat
from contextlib import suppress
from typing import TypeAlias

from .errors import InputError

Name: TypeAlias = str | os.PathLike[str]


def replace_file(path: Name, data: bytes) -> None:
    """Write a file so that its name stands for the old bytes or the new ones at any moment, and never for a part.

    A draft beside it is flushed to the disk, then renamed. Of a symbolic link the target is replaced. An error leaves
    the old file as it was, but for one: if the folder cannot be flushed at the end, the new file is there already.
    """
    target = os.path.realpath(path)
    draft = os.path.join(os.path.dirname(target), f".rosenblatt-{secrets.token_hex(16)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        try:
            mode = os.stat(target).st_mode
        except FileNotFoundError:
            mode = None
        if mode is not None and not stat.S_ISREG(mode):
            raise InputError(f"{os.fspath(path)}: not a regular file; nothing may take its place, choose another name")
        file = os.open(draft, flags, 0o666 if mode is None else 0o600)
        try:
            try:
                if mode is not None and hasattr(os, "fchmod"):
                    os.fchmod(file, mode & 0o777)
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(file, rest) :]
                os.fsync(file)  # never twice: after a failure the kernel may call pages clean that it has lost
            finally:
                os.close(file)
            os.replace(draft, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(draft)
            raise
        _flush_folder(os.path.dirname(target))
    except OSError as error:
        error.filename = os.fspath(path)  # what was asked for, and not the draft
        raise


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
    if os.name != "posix":
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
