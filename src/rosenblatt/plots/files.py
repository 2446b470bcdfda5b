"""Figures as files: in the format that a name ends in, wholly or not at all."""

import os
from typing import Any

from ..atomic import replace_file
from ..errors import InputError
from .canvas import needs_matplotlib
from .saving import FORMATS, saved


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that a file's name asks for. Raises `InputError` for one that is not written.

    >>> format_of("xor.SVG")
    'svg'
    """
    ending = os.path.splitext(os.fspath(path))[1].lstrip(".").lower()
    if ending not in FORMATS:
        raise InputError(f"{os.fspath(path)}: expected a name that ends in .png, .svg or .pdf: figures are written so")
    return ending


def off_screen() -> None:
    """From here on figures are drawn to memory, and no window opens: for programs that only write files."""
    needs_matplotlib()
    import matplotlib as mpl

    mpl.use("Agg")


def write_figure(figure: Any, path: str | os.PathLike[str]) -> str:
    """Write a figure to a file, wholly or not at all, in the format that its name ends in; which one it was."""
    format = format_of(path)
    replace_file(path, saved(figure, format))
    return format
