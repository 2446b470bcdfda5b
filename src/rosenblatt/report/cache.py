"""What is kept on the disk for streams: a line each."""

import time
from collections.abc import Mapping
from typing import Any

from .text import advice, paragraph, table

_NAME = 34  # characters of a name that a line has room for


def cache_text(report: Mapping[str, Any]) -> list[str]:
    """How much there is, where; then each by the data it is of, the last used first. Or what was removed."""
    folder, caches = report["folder"], report["caches"]
    if report["action"] == "clear":
        gone = report["removed"]
        return paragraph(f"Removed {_caches(gone['count'])}, {_size(gone['bytes'])}, of {folder}.")
    if not caches:
        return paragraph(f"Nothing in {folder}.")
    total = sum(one["bytes"] for one in caches)
    rows = [
        (
            _size(one["bytes"]),
            "damaged" if one["data"] is None else f"{one['rows']} × {one['columns']}",
            time.strftime("%Y-%m-%d %H:%M", time.localtime(one["used"])),
            _ending(one["data"] or one["file"]),
        )
        for one in caches
    ]
    lines = [*paragraph(f"{_caches(len(caches)).capitalize()}, {_size(total)}, in {folder}."), ""]
    lines += table(("size", "rows × columns", "last used", "of"), rows)
    return lines + advice([{"why": "Remove them all", "command": ["rosenblatt", "cache", "clear"]}])


def _caches(count: int) -> str:
    return f"{count or 'no'} cache{'s' * (count != 1)}"


def _ending(name: str) -> str:
    """The end of a long name, which tells files apart where their folders do not.

    >>> _ending("clicks.svm"), _ending("a/folder/of/somebody/clicks-of-the-year-2026.svm")
    ('clicks.svm', '…ebody/clicks-of-the-year-2026.svm')
    """
    return name if len(name) <= _NAME else f"…{name[1 - _NAME :]}"


def _size(count: int) -> str:
    """Bytes for a person.

    >>> _size(999), _size(1_500_000), _size(64_000_000_000)
    ('999 B', '1.5 MB', '64.0 GB')
    """
    value, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 1000:
            break
        value, unit = value / 1000, larger
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
