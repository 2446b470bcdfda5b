"""The largest margin: its bracket, the rows that hold it, and the bound on a perceptron's mistakes."""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import plural
from .data import places, rows_report, subject
from .proof import proof_line
from .text import advice, number, paragraph
from .verdict import evidence, finite
from .weights import weights_report, weights_text

if TYPE_CHECKING:
    from ..files.sheet import Sheet
    from ..separation.margin.max_margin import MaxMargin


def margin_report(best: "MaxMargin", sheet: "Sheet") -> dict[str, Any]:
    """The bracket and what follows from it; of rows that no hyperplane separates, hardly more than that."""
    plane = best.hyperplane
    bound = None
    if best.separable and best.rho2 is not None and math.isfinite(best.difficulty) and best.difficulty < 1e150:
        bound = math.floor(best.difficulty**2 * (1 + 1e-15))
    return {
        "status": best.status.name,
        "reason": best.status.facing("command").reason,
        "advice": best.status.facing("command").advice,
        "separable": best.separable,
        "offset": best.offset,
        "margin": finite(best.margin) if best.separable else None,
        "margin_upper": finite(best.margin_upper),
        "gap": finite(best.gap),
        "plain_margin": finite(best.plain_margin) if best.separable else None,
        "radius": finite(best.radius) if best.separable else None,
        "difficulty": finite(best.difficulty),
        "most_updates": bound,
        "support": rows_report(sheet, best.support_rows.tolist()),
        "hyperplane": None if plane is None else weights_report(plane.w, plane.b, best.examples.feature_names),
        "seconds": best.seconds,
    }


def margin_text(report: Mapping[str, Any]) -> list[str]:
    """The margin first, then the rows that hold it, the hyperplane, and the bound."""
    margin = report["margin"]
    if margin["separable"]:
        lines = _bracket(margin)
    elif margin["separable"] is None:
        lines = ["Undecided: whether there is a margin at all is not known."]
    else:
        lines = ["No margin: no hyperplane separates the rows."]
    lines += subject(report["data"])
    lines += [""]
    if report["verdict"] is not None:
        lines += evidence(report["verdict"], report["data"])
    elif margin["separable"] is None:
        lines += paragraph(f"{margin['reason']}; {margin['advice']}.")
    else:
        lines += _rest(margin)
    if report.get("proof"):
        lines += ["", *paragraph(proof_line(report["proof"]))]
    return [*lines, *advice(report["next"])]


def _bracket(margin: Mapping[str, Any]) -> list[str]:
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
    square = None if margin["difficulty"] is None or margin["difficulty"] > 1e150 else margin["difficulty"] ** 2
    sign = "R/γ" if margin["offset"] in ("free", 0) else "R′/γ′"
    lines += paragraph(
        f"Radius {number(margin['radius'])}, radius/margin {number(margin['difficulty'])}, ({sign})² {number(square)}."
    )
    if margin["most_updates"] is not None:
        lines += paragraph(
            f"So a perceptron with offset {_scale(margin['offset'])}, from w = 0, makes at most"
            f" {plural(margin['most_updates'], 'update')} on these rows, in any order."
        )
    return lines
