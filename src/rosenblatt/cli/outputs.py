"""Files to write: asked about before the work begins, so that none of it is lost, and no input is overwritten."""

import os
from collections.abc import Iterable
from typing import Any

import click

from ..errors import InputError

FILE = click.Path(allow_dash=True)
"""A file's name: shells complete it. Whether it can be read is for the reader to say."""


class OutputOption(click.Option):
    """An option whose value is a file to be written."""

    section = None

    def __init__(self, *arguments: Any, **attributes: Any) -> None:
        super().__init__(*arguments, **{"metavar": "FILE", "type": FILE, **attributes})


def check_outputs(outputs: Iterable[str], inputs: Iterable[str], streams: Iterable[str] = ()) -> None:
    """Raises `InputError` for a file that cannot be written, or that is read or written by the same command, too.

    `streams` are those that may be pipes or devices.
    """
    streams = set(streams)
    taken = {one: "read" for path in inputs if path != "-" for one in (path, *_files_of(path))}
    for path in outputs:
        folder = os.path.dirname(os.path.abspath(path))
        if not path:
            raise InputError("an empty name for a file to write; expected one that says which")
        if path == "-":
            raise InputError("-: standard output is no place for this; expected the name of a file to write")
        if os.path.isdir(path):
            raise InputError(f"{path}: a folder; expected the name of a file to write")
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
            raise InputError(f"{path}: nothing can be written to {folder}; expected a folder that is there and may be")
        if os.path.exists(path) and not os.path.isfile(path) and path not in streams:
            raise InputError(f"{path}: not a regular file; nothing may take its place, choose another name")
        for other, how in taken.items():
            if _same(path, other):
                raise InputError(f"{path}: the same file is to be {how} ({other}); expected another one to write")
        taken[path] = "written"


def _files_of(path: str) -> list[str]:
    """The files of a folder, or of a pattern."""
    if os.path.isdir(path):
        return [os.path.join(path, name) for name in os.listdir(path)]
    if os.path.exists(path) or not any(mark in path for mark in "*?["):
        return []
    import glob

    return glob.glob(path, recursive=True)


def _same(a: str, b: str) -> bool:
    if os.path.exists(a) and os.path.exists(b):
        return os.path.samefile(a, b) and not a.startswith("/dev/")
    return os.path.realpath(a) == os.path.realpath(b)
