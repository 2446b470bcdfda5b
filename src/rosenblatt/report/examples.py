"""The examples that come with the program: a line each."""

from collections.abc import Mapping
from typing import Any

from .text import advice, paragraph, table


def examples_text(report: Mapping[str, Any]) -> list[str]:
    """Name, size, the note it is from, and what it shows."""
    rows = [
        (f"example:{one['name']}", f"{one['rows']:>3} × {one['columns']}", one["note"], one["shows"])
        for one in report["examples"]
    ]
    lines = table(("name", "size", "from", "what it shows"), rows, indent=0)
    lines += ["", *paragraph("S001 to S004 are the notes, and laws those of docs/theory.md, which names them.")]
    return lines + advice([{"why": "Learn one", "command": ["rosenblatt", "train", "example:four-in-the-plane"]}])
