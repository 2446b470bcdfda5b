"""The door for what is read in parts: a path, a pattern, a folder, a list of them, or batches; an `Input` comes out."""

import glob
import os
from collections.abc import Iterator, Sequence
from typing import Any

from ...errors import InputError
from ..formats import format_named, format_of
from ..opening import STDIN, InputFile
from ..options import Options
from .arrow import ArrowInput
from .batches import BatchesInput, speaks_arrow
from .delimited import DelimitedInput
from .input import PART, Input
from .npy import NpyInput
from .parquet import ParquetInput
from .text import TextInput
from .whole import WholeInput

_PATTERN = "*?["


def input_of(source: Any, options: Options, part: int = PART) -> Input:
    """What there is to read in parts.

    source
        A path; "-" for standard input; a pattern such as `data/part-*.csv`; a folder of Parquet files; or a list of
        these, all of one format, which are read one after the other. Or a function that gives, each time that it is
        called, Arrow's record batches, tables or frames of them; or an iterator of these, which is read once.
    part
        Bytes of a part, about.

    Raises `InputError` for what is none of these, and for files of several formats.
    """
    if callable(source) or speaks_arrow(source) or isinstance(source, Iterator):
        return BatchesInput(source, options, part)
    paths = _paths(source)
    if len(paths) == 1 and not os.path.isfile(paths[0]):
        held = InputFile(paths[0])
        return _input(paths, options.reading.format or format_of(held), options, held, part)
    return _input(paths, options.reading.format or _common_format(paths), options, None, part)


def _input(paths: Sequence[str], format: str, options: Options, held: InputFile | None, part: int) -> Input:
    if format in ("svmlight", "vw"):
        return TextInput(paths, format, options, held)
    if format in ("csv", "tsv"):
        return DelimitedInput(paths, format, options, held, part)
    if format == "npy":
        return NpyInput(paths, options, held, part)
    if format == "arrow":
        return ArrowInput(paths, options, held, part)
    if format == "parquet" and all(map(_is_plain, paths)):
        return ParquetInput(paths, options, part)
    return WholeInput(paths, format, options, held)


def _is_plain(path: str) -> bool:
    """Whether it is a file that is not packed, of which any place can be read."""
    if not os.path.isfile(path):
        return False
    with InputFile(path) as opened:
        return opened.plain_path is not None


def _paths(source: Any) -> list[str]:
    """The files that are meant, in order."""
    some = [source] if isinstance(source, (str, os.PathLike)) else source
    if not isinstance(some, (list, tuple)) or not all(isinstance(one, (str, os.PathLike)) for one in some):
        raise InputError(f"{type(source).__name__} to read; expected a path, a list of paths, or batches of rows")
    paths = [path for one in some for path in _expanded(os.fspath(one))]
    if not paths:
        raise InputError("no files to read; expected at least one path")
    if len(paths) > 1 and STDIN in paths:
        raise InputError("standard input in a list of files; expected it alone")
    return paths


def _expanded(path: str) -> list[str]:
    """The files of a folder or a pattern, sorted; a path is itself."""
    if os.path.isdir(path):
        found = sorted(os.path.join(path, name) for name in os.listdir(path) if not name.startswith((".", "_")))
        files = [one for one in found if format_named(one) == "parquet" and os.path.isfile(one)]
        if not files:
            raise InputError(f"{path}: a folder without Parquet files; expected some (*.parquet), or a pattern")
        return files
    if path == STDIN or os.path.lexists(path) or not any(mark in path for mark in _PATTERN):
        return [path]
    files = sorted(one for one in glob.glob(path, recursive=True) if os.path.isfile(one))
    if not files:
        raise InputError(f"{path}: no file is like that; expected a pattern that some are, or a path")
    return files


def _common_format(paths: Sequence[str]) -> str:
    """The format that all files have."""
    found = ""
    for path in paths:
        with InputFile(path) as opened:
            format = format_of(opened)
        if found and format != found:
            raise InputError(f"{path}: {format}, where {paths[0]} is {found}; expected files of one format")
        found = format
    return found
