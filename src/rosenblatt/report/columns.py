"""Columns by name as a table of text, at most 80 characters wide and not too long."""

from collections.abc import Mapping, Sequence
from typing import Any

from .text import WIDTH, clean, is_number, number, paragraph

MOST_LINES = 25  # that are printed of a long table: its first rows, and the last five
_LAST = 5
_LEAST = 8  # characters of a text that is cut


def flat(columns: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """The columns, each of one dimension: those of one with two are numbered from 0."""
    found: dict[str, Sequence[Any]] = {}
    for name, column in columns.items():
        values: Any = column
        if getattr(values, "ndim", 1) == 2:
            found |= {f"{name}_{k}": values[:, k] for k in range(values.shape[1])}
        else:
            found[name] = values
    return found


def table_text(columns: Mapping[str, Sequence[Any]]) -> list[str]:
    """The table in lines of at most 80 characters; of a long one its first rows and its last.

    Numbers get fewer digits where there is no room, texts are cut, and columns that still find none are named below.
    """
    parts = flat(columns)
    size = len(next(iter(parts.values())))
    long = size > MOST_LINES
    first = range(MOST_LINES - _LAST if long else size)
    picked = [*first, *range(size - _LAST if long else size, size)]
    heads = {name: name.split("_") for name in parts}
    for digits in (6, 5, 4):
        cells = {name: [_cell(column[i], digits) for i in picked] for name, column in parts.items()}
        widths = {name: max(map(len, [*heads[name], *cells[name]])) for name in parts}
        if _width(widths) <= WIDTH:
            break
    texts = [name for name in parts if not all(map(is_number, cells[name]))]
    while _width(widths) > WIDTH and (wide := max(texts, key=lambda name: widths[name], default=None)):
        if widths[wide] <= _LEAST:
            break
        widths[wide] -= 1
    left_out = []
    while _width(widths) > WIDTH and len(widths) > 1:
        left_out.append(widths.popitem()[0])
    tall = max(len(heads[name]) for name in widths)
    rows = [{name: ([""] * tall + heads[name])[-tall + k :][0] for name in widths} for k in range(tall)]
    rows += [{name: cells[name][i] for name in widths} for i in range(len(picked))]
    lines = [_line(row, widths, texts) for row in rows]
    if long:
        lines.insert(tall + len(first), f"… {size - len(picked)} more rows …")
    return lines + (paragraph(f"Not shown: {', '.join(left_out[::-1])}.") if left_out else [])


def _line(row: Mapping[str, str], widths: Mapping[str, int], texts: Sequence[str]) -> str:
    parts = []
    for name, width in widths.items():
        cell = row[name] if len(row[name]) <= width else row[name][: width - 1] + "…"
        parts.append(cell.ljust(width) if name in texts else cell.rjust(width))
    return "  ".join(parts).rstrip()


def _width(widths: Mapping[str, int]) -> int:
    return sum(widths.values()) + 2 * (len(widths) - 1)


def _cell(value: Any, digits: int) -> str:
    value = plain_cell(value)
    if isinstance(value, bool) or value is None:
        return "yes" if value else ""
    if isinstance(value, int):
        return str(value)
    return number(value, digits) if isinstance(value, float) else clean(value)


def plain_cell(value: Any) -> Any:
    """A value of a column as Python has it, and no −0.0."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return value + 0.0 if isinstance(value, float) else value
