"""A trace in words: a line a round, as one writes it on paper."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import plural
from .text import WIDTH, listed, number, paragraph, table, word

MOST_ROUNDS, LAST_ROUNDS = 20, 5  # that are printed of a long run
_LEFT = ("round", "epoch", "row", "label", "score", "margin", "mistake", "step")


def trace_text(trace: Mapping[str, Any], most: int | None = None) -> list[str]:
    """The table under a line that says what it is of; at most so many rounds, and those of the run's end, if given."""
    rounds, end = list(trace["listed"]), list(trace.get("end", ()))
    if most is not None and len(rounds) + len(end) > most + LAST_ROUNDS:
        rounds, end = rounds[:most], [*rounds[most:], *end][-LAST_ROUNDS:]
    last = rounds[-1]["round"] if rounds else 0
    end = [one for one in end if one["round"] > last]
    head, cells, hidden = _table(trace, [*rounds, *end])
    span = trace["rounds"]
    if end:
        last_shown = f" and {end[0]['round']} to {end[-1]['round']}"
        span = f"rounds {trace['first']} to {last}{last_shown} of {trace['total']}"
    lines = [*paragraph(_title(trace, span) + hidden), *table(head, cells, indent=0)]
    if end and end[0]["round"] > last + 1:
        lines.insert(len(lines) - len(end), f"… {plural(end[0]['round'] - last - 1, 'more round')} …")
    return lines


def _title(trace: Mapping[str, Any], span: str) -> str:
    of = "" if trace["class"] is None else f", class {word(trace['class'])} against the rest"
    where = ", through the origin" if trace["through_origin"] else ""
    scaled = "" if trace["scale"] == "none" else f", scale {trace['scale']}: the rows and weights are the scaled ones"
    batch = "" if trace["batch_size"] == 1 else f", batches of {trace['batch_size']}"
    return f"{span.capitalize()}: {trace['rule']}, {trace['order']} order{batch}{where}{of}{scaled}."


def _table(trace: Mapping[str, Any], rounds: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[list[str]], str]:
    """The head, the cells, and what there is to say of the weights: their names, and which find no room."""
    lines = [{**trace["before"], "round": trace["first"] - 1}, *rounds]
    size = len(trace["names"])
    for digits in (6, 4):
        left = [[_cell(name, line, digits) for name in _LEFT] for line in lines]
        right = [_offsets(trace, line, digits) for line in lines]
        count = len(right[0]) - 1
        ends = [*(["b"] if count == 1 else [f"b{k}" for k in range(count)]), "c"]
        room = WIDTH - 2 * (len(_LEFT) + len(ends) - 1) - sum(_widths(_LEFT, left)) - sum(_widths(ends, right))
        weights = weight_columns(lines, size, room, digits)
        if len(weights) == size:
            break
    heads = [f"w{j}" for j in range(len(weights))]
    cells = [[*a, *(column[i] for column in weights), *b] for i, (a, b) in enumerate(zip(left, right, strict=True))]
    return [*_LEFT, *heads, *ends], cells, _of_weights(trace["names"], len(weights))


def _of_weights(names: Sequence[str], shown: int) -> str:
    """The names of the weights in the table, where columns have names; and how many are not there."""
    named = "" if all(name.isdigit() for name in names) else f" ({listed([word(name) for name in names[:shown]])})"
    if shown == len(names):
        return f" Weights:{named[:-1].replace('(', '', 1)}." if named else ""
    some = {0: "none", 1: "w0"}.get(shown, f"w0 … w{shown - 1}")
    return f" Weights: {some} of {len(names)}{named if shown else ''}; CSV and JSON have all."


def _cell(name: str, line: Mapping[str, Any], digits: int) -> str:
    value = line.get(name, "")
    if name in ("score", "margin", "step"):
        return "" if value == "" or (name == "step" and not line["updated"]) else number(value, digits)
    return ("yes" if value else "") if name == "mistake" else str(value)


def weight_columns(lines: Sequence[Mapping[str, Any]], size: int, room: int, digits: int) -> list[list[str]]:
    """As many columns of weights, from the first on, as there is room for."""
    columns: list[list[str]] = []
    for j in range(size):
        cells = [number(line["w"][j], digits) for line in lines]
        room -= 2 + max(len(f"w{j}"), *map(len, cells))
        if room < 0:
            break
        columns.append(cells)
    return columns


def _offsets(trace: Mapping[str, Any], line: Mapping[str, Any], digits: int) -> list[str]:
    """The offsets, unless there are none, and the count."""
    offsets = line["b"] if isinstance(line["b"], list) else [line["b"]]
    return [*(number(b, digits) for b in offsets if not trace["through_origin"]), str(line["count"])]


def _widths(heads: Sequence[str], cells: Sequence[Sequence[str]]) -> list[int]:
    return [max(len(head), *(len(row[j]) for row in cells)) for j, head in enumerate(heads)]
