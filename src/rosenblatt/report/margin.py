"""The largest margin: its bracket, the rows that hold it, and the bound on a perceptron's mistakes."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .data import places, subject
from .proof import proof_lines
from .text import answered, number, paragraph
from .verdict import evidence
from .weights import weights_text


def margin_text(report: Mapping[str, Any]) -> list[str]:
    """The margin first, then the rows that hold it, the hyperplane, and the bound."""
    margin = report["margin"]
    if report["verdict"] is not None:
        rest = evidence(report["verdict"], report["data"])
    elif margin["separable"] is None:
        rest = paragraph(f"{margin['reason'][:1].upper()}{margin['reason'][1:]}; {margin['advice']}.")
    else:
        rest = _rest(margin)
    return answered([*headline(margin), *subject(report["data"])], report["next"], rest, proof_lines(report))


def headline(margin: Mapping[str, Any]) -> list[str]:
    """The bracket; a second line says why it is no narrower."""
    if margin["separable"] is None:
        return ["Undecided: whether there is a margin at all is not known."]
    if not margin["separable"]:
        return ["No margin: no hyperplane separates the rows."]
    kind = "Largest margin" if margin["offset"] in ("free", 0) else "Largest augmented margin"
    if margin["gap"] == 0:
        return [f"{kind}: {number(margin['margin'], 9)}, exactly the best there is."]
    lines = [f"{kind}: {number(margin['margin'], 9)}; none is above {number(margin['margin_upper'], 9)}."]
    return [*lines, *paragraph(f"Gap {number(margin['gap'], 2)}: {margin['reason']}; {margin['advice']}.")]


def _scale(offset: float | str) -> str:
    return offset if isinstance(offset, str) else number(offset)


def _rest(margin: Mapping[str, Any]) -> list[str]:
    rows = margin["support"]
    lines = paragraph(f"{plural(len(rows), 'row')} hold{'s' * (len(rows) == 1)} it: {places(rows)}.")
    if margin["offset"] not in ("free", 0):
        lines += paragraph(f"Distance to the nearest row, un-augmented: {number(margin['plain_margin'], 9)}.")
    lines += ["", *weights_text(margin["hyperplane"]), ""]
    sign = "R/γ" if margin["offset"] in ("free", 0) else "R′/γ′"
    lines += paragraph(
        f"Radius {number(margin['radius'])}, radius/margin {number(margin['difficulty'])},"
        f" ({sign})² {number(margin['difficulty2'])}."
    )
    if margin["most_updates"] is not None:
        lines += paragraph(
            f"So a perceptron with offset {_scale(margin['offset'])}, from w = 0, makes at most"
            f" {plural(margin['most_updates'], 'update')} on these rows, in any order."
        )
    return lines
