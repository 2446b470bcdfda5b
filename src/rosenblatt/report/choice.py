"""What was tried, what was chosen and by how much: the table of candidates."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import plural
from .text import by_weight, paragraph, percent

ENDS = {
    "stale": "no gain",
    "behind": "left behind",
    "epochs": "all epochs",
    "fault": "its numbers left float64",
}

Entry = Mapping[str, Any]


def headline(choice: Entry) -> str:
    """How good the best linear model is beside a guess; of too few rows, that nobody can tell."""
    if not choice["held_out"]:
        return f"The best linear model: {_too_few(choice)}."
    right, guess = chosen_of(choice)["accuracy"], choice["most_common"]
    known = right is not None and guess is not None
    better = "" if not known or right > guess else ", no better than that"
    return (
        f"The best linear model gets {percent(right)} of the rows held out right{by_weight(choice)}; a guess at the"
        f" most common class, {percent(guess)}{better}."
    )


def chosen_of(choice: Entry) -> Entry:
    """The candidate that was chosen."""
    chosen: Entry = next(one for one in choice["candidates"] if one["chosen"])
    return chosen


def choice_rows(choice: Entry) -> list[list[str]]:
    """The candidates, the chosen one first: name, epochs, accuracy, and why it went no further."""
    order = sorted(choice["candidates"], key=lambda one: (not one["chosen"], -(one["accuracy"] or 0)))
    rows = []
    for one in order:
        end = (f"after {one['met']}: " if one["end"] in ("stale", "behind") else "") + ENDS[one["end"]]
        said = "chosen" if one["chosen"] else end
        rows.append([one["name"], str(one["epochs"] or "–"), percent(one["accuracy"]), said])
    return rows


HEAD = ("candidate", "epochs", "accuracy", "ended")


def judged(choice: Entry, learnt: bool = True) -> str:
    """What the candidates were judged by, and by how much the chosen one leads; `learnt`: whether it is, by now."""
    how = (
        f"{choice['folds']} folds of {plural(choice['rows'], 'row')}"
        if choice["folds"] > 1
        else f"{plural(choice['held_out'], 'row')} held out"
    )
    said = f"Accuracy by {how}{by_weight(choice)}; the best of several looks a little better than it is."
    then = "then learnt again on all rows" if learnt else "to be learnt again on all rows"
    if choice["lead"] == 0:
        return f"{said} Level with the next best; the first of equals is chosen, {then}."
    if choice["lead"] is not None:
        return f"{said} Chosen by a lead of {lead(choice)}, {then}."
    return f"{said} {then[:1].upper()}{then[1:]}."


def lead(choice: Entry) -> str:
    """By how much the chosen one is ahead of the next best."""
    return f"{100 * choice['lead']:.2f} ± {100 * choice['lead_error']:.2f} points"


def choice_text(choice: Entry, learnt: bool = True) -> list[str]:
    """A table of the candidates, the best first, and what it was judged by."""
    if not choice["held_out"]:
        return paragraph(f"{_too_few(choice)}.")
    return [*_table(choice_rows(choice)), *paragraph(judged(choice, learnt))]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    width = max(len(row[0]) for row in rows)
    return [f"{a:<{width}}  {b:>6}  {c:>8}  {d}" for a, b, c, d in (HEAD, *rows)]


def _too_few(choice: Entry) -> str:
    chosen = chosen_of(choice)
    return f"{plural(choice['rows'], 'row')} are too few to choose by: {chosen['name']}, {chosen['epochs']} epochs"
