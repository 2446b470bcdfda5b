"""Text of at most 80 columns: paragraphs, tables, lists that end in "and 37 more", commands to type."""

import re
import shlex
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

WIDTH = 80
MOST_LETTERS = 200  # of a label or a name in a sentence
_NO_NUMBERS = ("", "–", "inf", "+inf", "-inf", "indeterminate", "infinite", "unknown", "not estimated")
_WORD = re.compile(r"[\w.+=()/:<>-]+")


def clean(value: object) -> str:
    r"""A value on one line, without control characters: names and labels come from files.

    >>> print(clean("a\tb\x1b[31m"))
    a\tb\x1b[31m
    """
    text = str(value)
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def word(value: object) -> str:
    """A label or name in a sentence: quoted unless it is a plain word.

    >>> word("setosa"), word(-1), word("no answer")
    ('setosa', '-1', "'no answer'")
    """
    text = str(value)
    text = text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"
    return text if _WORD.fullmatch(text) else repr(text)


def number(value: float | None, digits: int = 6) -> str:
    """A number as people write it; "–" if it is not known."""
    return "–" if value is None else f"{value + 0.0 if value else 0.0:.{digits}g}"


def percent(share: float | None, digits: int = 2) -> str:
    """A share as people read it; "–" if it is not known.

    All but a few is not all:

    >>> percent(0.97891), percent(0.97891, 1), percent(None), percent(0.99999), percent(1.0)
    ('97.89%', '97.9%', '–', '99.99%', '100.00%')
    """
    if share is None:
        return "–"
    return f"{min(share, 1 - 10.0 ** -(digits + 2)) if share < 1 else share:.{digits}%}"


def by_weight(known: Mapping[str, Any]) -> str:
    """What is added to a share that counts rows by their weight; older files do not say so.

    >>> by_weight({"weighted": True}), by_weight({})
    (', by weight', '')
    """
    return ", by weight" if known.get("weighted") else ""


def listed(items: Sequence[object], most: int = 12) -> str:
    """The first of many, and how many more there are.

    >>> listed([1, 2, 3]), listed(range(100), 3)
    ('1, 2, 3', '0, 1, 2 and 97 more')
    """
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(clean(item) for item in items[:most]) + more


def paragraph(text: str, indent: int = 0, hanging: int = 0) -> list[str]:
    """Lines that fit."""
    first, later = " " * indent, " " * (indent + hanging)
    return textwrap.wrap(clean(text), WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def table(head: Sequence[str], rows: Iterable[Sequence[object]], indent: int = 2) -> list[str]:
    """A table, numbers to the right. What does not fit is cut with "…", in the widest columns of words first."""
    cells = [[clean(cell) for cell in row] for row in rows]
    right = [all(is_number(row[j]) for row in cells) for j in range(len(head))]
    widths = [max(len(row[j]) for row in [list(head), *cells]) for j in range(len(head))]
    room = WIDTH - indent - 2 * (len(head) - 1)
    while sum(widths) > room and max(widths) > 1:
        widest = max(range(len(head)), key=lambda j: (not right[j] and widths[j] > len(head[j]), widths[j]))
        widths[widest] -= 1
    lines = []
    for row in [list(head), *cells]:
        parts = []
        for cell, width, to_right in zip(row, widths, right, strict=True):
            shown = cell if len(cell) <= width else cell[: width - 1] + "…"
            parts.append(shown.rjust(width) if to_right else shown.ljust(width))
        lines.append((" " * indent + "  ".join(parts)).rstrip())
    return lines


def is_number(cell: str) -> bool:
    """Whether a cell of a table is a number, or stands for one."""
    return cell in _NO_NUMBERS or re.fullmatch(r"[-+]?[0-9.,]+(e[-+][0-9]+)?%?", cell) is not None


def command_line(words: Sequence[str], indent: int = 0) -> list[str]:
    """A command as one types it, broken where a shell lets it be; a word never is: it is there to be copied.

    >>> command_line(["rosenblatt", "check", "my data.csv"])
    ["rosenblatt check 'my data.csv'"]
    """
    parts: list[str] = []
    for text in map(shlex.quote, words):
        if parts and parts[-1].startswith("-") and " " not in parts[-1] and not text.startswith("--"):
            parts[-1] += f" {text}"  # an option stays with its value
        else:
            parts.append(text)
    lines, line = [], ""
    for part in parts:
        if line and indent + len(line) + len(part) + 3 > WIDTH:
            lines.append(" " * indent + line + " \\")
            line = "  " + part
        else:
            line = f"{line} {part}" if line else part
    return [*lines, " " * indent + line]


def answered(head: Sequence[str], steps: Sequence[Mapping[str, Any]], *parts: Sequence[str]) -> list[str]:
    r"""An answer: what was found, what to do next, then the parts that show it, and last what else one can do.

    >>> print(*answered(["Yes."], [{"why": "Ask more", "command": ["rosenblatt", "check"]}], ["So it is."]), sep="\n")
    Yes.
    <BLANKLINE>
    Next: ask more:
        rosenblatt check
    <BLANKLINE>
    So it is.
    """
    lines = list(head)
    for step in steps[:1]:
        lines += ["", *_step({**step, "why": f"Next: {_lower(step['why'])}"}, 0)]
    for part in parts:
        lines += ["", *part] if part else []
    return lines + advice(steps[1:], "Also:")


def advice(steps: Sequence[Mapping[str, Any]], head: str = "Next:") -> list[str]:
    """What to do next, each with its command if there is one."""
    lines = ["", head] if steps else []
    for step in steps:
        lines += _step(step, 2)
    return lines


def _step(step: Mapping[str, Any], indent: int) -> list[str]:
    lines = paragraph(step["why"] + (":" if step["command"] else "."), indent=indent, hanging=2)
    return lines + (command_line(step["command"], indent + 4) if step["command"] else [])


def _lower(sentence: str) -> str:
    """The same within another sentence; a name keeps its capital."""
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]
