"""The tables of a report, for a notebook or a page: rows of a witness, laws, suspects, coefficients, weights, classes.

Each is made from the dictionary that a result makes of itself, with as many rows as one likes to see; the rest is
counted.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import plural
from . import choice as choice_words
from .data import place, unit
from .html import Listing, label
from .laws import bound_said
from .mistakes import beside, has_costs
from .text import number

Entry = Mapping[str, Any]


def place_head(rows: Sequence[Entry]) -> str:
    """What the numbers of rows are."""
    return "line" if unit(rows) == "line" else "row (from 0)"


def witness_table(witness: Sequence[Entry] | None, most: int) -> Listing | None:
    """The rows that no hyperplane gets right together, their multipliers and, if they came along, their values."""
    if not witness:
        return None
    shown = witness[:most]
    exact = all(entry["exact"] for entry in shown)
    head, values = cells_of(shown)
    rows = []
    for entry, cells in zip(shown, values, strict=True):
        own = [place(entry), label(entry["label"]), number(entry["multiplier"])]
        rows.append([*own, *([_short(entry["exact"])] if exact else []), *cells])
    names = [place_head(shown), "label", "multiplier", *(["exactly"] if exact else []), *head]
    caption = f"Rows that no hyperplane gets right together{columns_left(shown)}"
    return Listing(caption, names, rows, len(witness) - len(shown))


def _short(exact: str) -> str:
    return exact if len(exact) <= 24 else exact[:23] + "…"


def cells_of(rows: Sequence[Entry]) -> tuple[list[str], list[list[str]]]:
    """The values of rows as columns, if all rows have the same names; else each row's by name, in one column.

    >>> cells_of([{"cells": [{"name": "a", "value": 0.5}], "cells_hidden": 0}])
    (['a'], [['0.5']])
    """
    cells = [row.get("cells") or [] for row in rows]
    hidden = [row.get("cells_hidden") or 0 for row in rows]
    if not any(cells):
        return [], [[] for _ in rows]
    if _share_columns(rows):
        return [label(cell["name"]) for cell in cells[0]], [[_value(cell["value"]) for cell in own] for own in cells]
    said = [", ".join(f"{label(cell['name'])} {_value(cell['value'])}" for cell in own) for own in cells]
    return ["values"], [
        [text + (f" and {count} more" if count else "")] for text, count in zip(said, hidden, strict=True)
    ]


def columns_left(rows: Sequence[Entry]) -> str:
    """How many columns of rows are not shown, for a caption.

    >>> columns_left([{"cells": [{"name": "a", "value": 0.5}], "cells_hidden": 18}])
    '; 18 more columns not shown'
    """
    hidden = rows[0].get("cells_hidden") if rows and _share_columns(rows) else 0
    return f"; {plural(hidden, 'more column')} not shown" if hidden else ""


def _share_columns(rows: Sequence[Entry]) -> bool:
    alike = {(tuple(cell["name"] for cell in row.get("cells") or []), row.get("cells_hidden") or 0) for row in rows}
    return len(alike) == 1


def _value(value: Any) -> str:
    return number(value) if isinstance(value, (int, float)) or value is None else label(value)


def laws_table(laws: Sequence[Entry]) -> Listing:
    """Where a run stands against each law."""
    rows = []
    for law in laws:
        rows.append([law["law"], law["quantity"], number(law["value"]), bound_said(law)])
    return Listing("Where the run stands against each law", ["law", "quantity", "value", "bound"], rows)


def suspects_table(found: Entry, most: int) -> Listing:
    """The rows to look at first for wrong labels."""
    shown = found["suspects"][:most]
    head, values = cells_of(shown)
    costs = has_costs(found)
    rows = [
        [
            place(row), label(row["label"]), *([f"{row['cost']:.2f}", row["witnesses"]] if costs else []),
            beside(row["distance"]), *cells,
        ]
        for row, cells in zip(shown, values, strict=True)
    ]  # fmt: skip
    known = ["cost", "in witnesses"] if costs else []
    names = [place_head(shown), "label", *known, "beside the best hyperplane found", *head]
    caption = f"Look at these first for wrong labels{columns_left(shown)}"
    return Listing(caption, names, rows, found["suspect_count"] - len(shown))


def coefficients_table(clinic: Entry, most: int) -> Listing:
    """The coefficients of a logistic regression: those that are not finite first."""
    own = sorted(clinic["coefficients"], key=lambda one: one["status"] == "finite")
    shown = own[:most]
    rows = [[label(one["term"]), "dropped: a dependent column" if one["aliased"] else one["status"]] for one in shown]
    head = ["coefficient", "status"]
    if any(one["estimate"] is not None for one in own):
        head += ["estimate", "std. error"]
        for row, one in zip(rows, shown, strict=True):
            row += [number(one["estimate"]), number(one["error"])]
    return Listing("Coefficients", head, rows, len(own) - len(rows))


def infinite_table(infinite: Mapping[str, str], most: int, terms: Mapping[str, str] | None = None) -> Listing:
    """The coefficients of a logistic regression that run away, as a verdict knows them."""
    terms = terms or {}
    rows = [[label(terms.get(name, name)), said] for name, said in list(infinite.items())[:most]]
    return Listing("Coefficients that diverge", ["coefficient", "estimate"], rows, len(infinite) - len(rows))


def weights_table(plane: Entry, most: int, caption: str = "Weights, the largest first") -> Listing:
    """The largest weights by name, the offset below them."""
    shown = [entry for entry in plane["largest"] if entry["weight"]][:most]
    rows = [[label(entry["name"]), number(entry["weight"])] for entry in shown]
    hidden = plane["nonzero"] - len(shown)
    return Listing(caption, ["weight of", "value"], [*rows, ["(offset)", number(plane["offset"])]], hidden)


def choice_table(choice: Entry) -> Listing | None:
    """The candidates that were tried, the chosen one first; None where rows were too few to try any."""
    if not choice["held_out"]:
        return None
    rows = [[name, right, epochs, end] for name, epochs, right, end in choice_words.choice_rows(choice)]
    head = ["candidate", "accuracy", "epochs", "ended"]  # on a telephone the first two are seen
    return Listing("Candidates, judged by rows held out", head, rows)


def places_table(caption: str, rows: Sequence[Entry], most: int) -> Listing:
    """Some rows by number and label, with their values if they came along."""
    shown = rows[:most]
    head, values = cells_of(shown)
    cells = [[place(row), label(row["label"]), *own] for row, own in zip(shown, values, strict=True)]
    caption += columns_left(shown)
    return Listing(caption, [place_head(shown), "label", *head], cells, len(rows) - len(shown))
