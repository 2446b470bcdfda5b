"""Figures as files: in the format that a name ends in, wholly or not at all."""

import io
import os
from typing import Any

from ..atomic import replace_file
from ..errors import InputError
from .canvas import needs_matplotlib

FORMATS = ("png", "svg", "pdf")
_UNDATED: dict[str, dict[str, Any]] = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
_DOTS = 150  # to the inch, of PNG


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


def figure_bytes(figure: Any, format: str, *, salt: str = "rosenblatt") -> bytes:
    """A figure in one of `FORMATS`: the same bytes each time, text as text in SVG.

    The `salt` makes the ids of an SVG its own, where several stand in one page.
    """
    import matplotlib as mpl

    out = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none", "pdf.fonttype": 42}):
        figure.savefig(out, format=format, dpi=_DOTS, metadata=_UNDATED[format])
    return out.getvalue()


def write_figure(figure: Any, path: str | os.PathLike[str]) -> str:
    """Write a figure to a file, wholly or not at all, in the format that its name ends in; which one it was."""
    format = format_of(path)
    replace_file(path, figure_bytes(figure, format))
    return format
