"""Elements: paragraphs, lists of facts, tables in boxes of their own, commands; all text made safe on the way."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..html import Listing, escaped, to_the_right

Report = Mapping[str, Any]

_MANY = 7  # columns beyond which a table may be wider than the text


class Section(NamedTuple):
    """A part of the page: what it is called by, its title, what stands before its figures, and what behind them."""

    key: str
    title: str
    lead: str
    rest: str = ""


def paragraphs(*sentences: str) -> str:
    """A paragraph of each, if it says anything."""
    return "".join(f"<p>{_unbroken(escaped(said))}</p>" for said in sentences if said)


def _unbroken(said: str) -> str:
    """Numbers, and what they are the value of, on one line."""
    return re.sub(r"(?:\S+ = )?[-+]?\d[\d.]*e[-+]\d+|\S+ = [-+]?\d[\d.]*", r'<span class="number">\g<0></span>', said)


def facts(pairs: Iterable[tuple[str, object]], kind: str = "facts") -> str:
    """Names and values."""
    entries = "".join(f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in pairs)
    return f'<dl class="{kind}">{entries}</dl>' if entries else ""


def boxed(content: str, name: str, wide: bool = False) -> str:
    """What scrolls by itself where it is wider than the page; the keyboard can reach it."""
    kind = "box wide" if wide else "box"
    return f'<div class="{kind}" role="group" tabindex="0" aria-label="{escaped(name)}">{content}</div>'


def table(listing: Listing | None, bars: Sequence[float] | None = None) -> str:
    """A table with its caption; the first cell of a row names it. `bars`: of each row, a share from −1 to 1."""
    if listing is None or not listing.rows:
        return ""
    right = [' class="number"' if one else "" for one in to_the_right(listing)]
    head = "".join(_head(name, side) for name, side in zip(listing.head, right, strict=True))
    head += '<th scope="col"><span class="unseen">size</span></th>' if bars is not None else ""
    rows = []
    for at, cells in enumerate(listing.rows):
        first, *others = (escaped(cell) for cell in cells)
        row = f'<th scope="row"{right[0]}>{first}</th>'
        row += "".join(f"<td{side}>{cell}</td>" for side, cell in zip(right[1:], others, strict=True))
        rows.append(f"<tr>{row}{_bar(bars[at]) if bars is not None else ''}</tr>")
    more = f'<p class="more">and {listing.hidden} more</p>' if listing.hidden > 0 else ""
    caption = f"<caption><span>{escaped(listing.caption)}</span></caption>"
    body = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return boxed(f"<table>{caption}{body}</table>", listing.caption, len(listing.head) > _MANY) + more


def _head(name: str, side: str) -> str:
    return f'<th scope="col"{side}>{escaped(name)}</th>' if name else f"<td{side}></td>"


def _bar(share: float) -> str:
    """A bar to the right of the middle, or to the left; the number beside it says the same."""
    side = "minus" if share < 0 else "plus"
    return f'<td class="bar" aria-hidden="true"><span class="{side}" style="width:{abs(share) * 50:.2f}%"></span></td>'


def command(words: Sequence[str] | None) -> str:
    """A command as one types it, to be copied."""
    if not words:
        return ""
    typed = escaped(" ".join(shlex.quote(word) for word in words))
    return f'<pre tabindex="0" role="group" aria-label="a command to type"><code>{typed}</code></pre>'


def capital(said: str) -> str:
    """The same as a sentence."""
    return f"{said[:1].upper()}{said[1:]}{'' if said.endswith(('.', ':', '…')) else '.'}" if said else ""
