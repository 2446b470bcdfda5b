"""A figure as the bytes of a file: the same bytes each time, with its text as text where the format allows."""

import io
from typing import Any

FORMATS = ("png", "svg", "pdf")


def saved(figure: Any, format: str, *, salt: str = "rosenblatt", dpi: float = 150) -> bytes:
    """The figure in one of `FORMATS`. The `salt` makes the ids of an SVG its own, where several stand in one page."""
    import matplotlib as mpl

    undated: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[format]
    written = io.BytesIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt, "pdf.fonttype": 42}):
        figure.savefig(written, format=format, dpi=dpi, metadata=undated)
    return written.getvalue()
