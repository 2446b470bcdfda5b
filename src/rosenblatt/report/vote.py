"""The weight vectors of a vote, each with how long it lived."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .text import WIDTH, number, paragraph, table, word
from .trace import weight_columns

_MOST_OUTPUTS = 8


def vote_text(votes: list[Mapping[str, Any]], columns: int) -> list[str]:
    """Of each output a table of (w, b, c), the start first; what is left out is said."""
    lines: list[str] = []
    for vote in votes[:_MOST_OUTPUTS]:
        of = "" if vote["class"] is None else f", class {word(vote['class'])} against the rest"
        shown, total = vote["listed"], vote["total"]
        some = "" if len(shown) == total else f"; the first {len(shown)} are here, --most {total} lists all"
        said = f"It predicts by a vote of {plural(total, 'weight vector')}, each with its count c{of}{some}."
        lines += ["", *paragraph(said)] if lines else paragraph(said)
        if shown:
            lines += _table(shown, columns)
    hidden = len(votes) - _MOST_OUTPUTS
    return [*lines, *([f"… and {hidden} more classes"] if hidden > 0 else [])]


def _table(shown: list[Mapping[str, Any]], columns: int) -> list[str]:
    offsets = [[number(b) for b in (one["b"] if isinstance(one["b"], list) else [one["b"]])] for one in shown]
    heads = ["b"] if len(offsets[0]) == 1 else [f"b{k}" for k in range(len(offsets[0]))]
    right = [[*b, str(one["c"])] for one, b in zip(shown, offsets, strict=True)]
    taken = sum(max(len(head), *(len(row[j]) for row in right)) + 2 for j, head in enumerate([*heads, "c"]))
    size = len(shown[0]["w"])
    weights = weight_columns(shown, size, WIDTH - 2 - taken - 2 - 3, 6)
    rows = [[str(m + 1), *(column[m] for column in weights), *right[m]] for m in range(len(shown))]
    lines = table(["m", *(f"w{j}" for j in range(len(weights))), *heads, "c"], rows)
    all_weights = columns * len(offsets[0])
    if len(weights) < all_weights:
        lines += paragraph(f"(w0 … w{len(weights) - 1} of {all_weights} weights are shown.)", indent=2)
    return lines
