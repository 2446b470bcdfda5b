"""What was drawn, and where it is."""

from collections.abc import Mapping
from typing import Any

from .text import clean, paragraph


def figure_text(report: Mapping[str, Any]) -> list[str]:
    """What the figure says, and the files it is in."""
    lines = paragraph(f"{report['title']}.")
    for part in ("figure", "animation"):
        if (written := report[part]) is not None:
            lines += paragraph(f"Wrote {clean(written['file'])} ({written['format']}).")
    return lines
