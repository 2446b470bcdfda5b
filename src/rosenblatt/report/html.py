"""HTML: text made safe, and a card for a notebook: one line that says it, facts by name, small tables.

Whatever a user named is shown as text. A card inherits the colours and the font of where it stands, so that it can be
read in light and in dark notebooks; its styles stand in the elements, because a notebook keeps nothing else.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, NamedTuple

from .text import clean, is_number

_LONG = 80  # characters of a name or a label that are shown
_LINE = "border-top:1px solid rgba(128,128,128,.35)"
_CELL = "padding:.15em .9em .15em 0;vertical-align:top;background:none;border:0"
_MORE = "opacity:.75"


class Listing(NamedTuple):
    """A table: what it shows, the names of its columns, its rows, and how many more there are."""

    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    hidden: int = 0


def escaped(value: object) -> str:
    r"""Text that is nothing but text, in an element and in an attribute.

    >>> print(escaped('<b> & "\x07"'))
    &lt;b&gt; &amp; &quot;\x07&quot;
    """
    return escape(clean(value), quote=True)


def label(value: Any) -> str:
    """A label or a name by itself: in quotes if it is empty or blanks would be lost, cut if it is long.

    >>> label("setosa"), label(""), label(" a"), label(1.0), label("x" * 100)[-3:]
    ('setosa', "''", "' a'", '1.0', 'xx…')
    """
    text = clean(value)
    text = text if len(text) <= _LONG else text[: _LONG - 1] + "…"
    return text if text and " ".join(text.split()) == text else f"'{text}'"


def to_the_right(listing: Listing) -> list[bool]:
    """Of each column, whether it holds numbers."""
    cells = range(len(listing.head))
    return [bool(listing.rows) and all(is_number(str(row[j])) for row in listing.rows) for j in cells]


def card(head: str, facts: Iterable[tuple[str, object]], *listings: Listing | None) -> str:
    """A summary for a notebook."""
    rows = [f'<tr><th colspan="2" scope="colgroup" style="{_CELL};text-align:left">{escaped(head)}</th></tr>']
    for name, value in facts:
        side = f"{_CELL};text-align:left;font-weight:normal;white-space:nowrap;{_MORE}"
        th = f'<th scope="row" style="{side}">{escaped(name)}</th>'
        rows.append(f'<tr>{th}<td style="{_CELL};text-align:left">{escaped(value)}</td></tr>')
    tables = "".join(_table(listing) for listing in listings if listing is not None and listing.rows)
    return f'<div style="overflow-x:auto;max-width:100%">{_open()}{"".join(rows)}</table>{tables}</div>'


def _open() -> str:
    return f'<table style="border-collapse:collapse;border:0;{_LINE};margin:.3em 0;background:none;color:inherit">'


def _table(listing: Listing) -> str:
    right = to_the_right(listing)
    sides = [f"{_CELL};text-align:{'right' if one else 'left'}" for one in right]
    head = "".join(
        f'<th scope="col" style="{side}">{escaped(name)}</th>' for side, name in zip(sides, listing.head, strict=True)
    )
    rows = "".join(
        "<tr>" + "".join(f'<td style="{s}">{escaped(cell)}</td>' for s, cell in zip(sides, row, strict=True)) + "</tr>"
        for row in listing.rows
    )
    more = f'<div style="{_MORE}">and {listing.hidden} more</div>' if listing.hidden > 0 else ""
    above = f"caption-side:top;text-align:left;white-space:nowrap;{_MORE}"
    caption = f'<caption style="{above}">{escaped(listing.caption)}</caption>'
    return f"{_open()}{caption}<tr>{head}</tr>{rows}</table>{more}"
