"""The fewest mistakes: the bracket, and the rows to look at first for wrong labels."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .data import place, places, subject, unit
from .proof import proof_lines
from .text import answered, paragraph, table

_NOTHING = 1e-12  # a distance that only breaks a tie: rows on the hyperplane are moved off it by so little


def mistakes_text(report: Mapping[str, Any]) -> list[str]:
    """The bracket first, then the suspects."""
    found = report["mistakes"]
    head = [headline(found), *subject(report["data"])]
    if found["through_origin"]:
        head += paragraph("Only hyperplanes through the origin were asked for.")
    if not found["upper"]:
        return answered(head, report["next"], proof_lines(report))
    for said in bracket_sentences(found):
        head += paragraph(said)
    rescue = found["rescue"]
    without = paragraph(f"Without {plural(len(rescue), 'row')} the rest is separable: {places(rescue)}.")
    return answered(head, report["next"], without, _suspects(found), proof_lines(report))


def headline(found: Mapping[str, Any]) -> str:
    """The bracket in one line."""
    if found["exact"]:
        if not found["upper"]:
            return "No mistakes: a hyperplane has every row strictly on its side."
        return f"Fewest mistakes of any hyperplane: {found['upper']}, exactly."
    return f"Fewest mistakes of any hyperplane: at least {found['lower']}, at most {found['upper']}."


def bracket_sentences(found: Mapping[str, Any]) -> list[str]:
    """Why the bracket is no narrower, and what of it is proved."""
    said = [f"{found['reason'][:1].upper()}{found['reason'][1:]}; {found['advice']}."]
    if found["proved"] < found["lower"]:
        said.append(f"A proof shows at least {found['proved']}; the rest is by {found['by']}.")
    return said


def cost_sentence(found: Mapping[str, Any]) -> str:
    """What the numbers of a suspect mean."""
    return (
        "Cost: about how many of the mistakes the row accounts for, 1 at most. Known witnesses, few rows each that"
        f" no hyperplane gets all right: {found['witnesses']}."
    )


def _suspects(found: Mapping[str, Any]) -> list[str]:
    suspects = found["suspects"]
    if not suspects:
        return []
    kind = "line" if unit(suspects) == "line" else "row (from 0)"
    head = [kind, "label", "cost", "in witnesses", "beside the best hyperplane found"]
    rows = [
        (place(row), row["label"], f"{row['cost']:.2f}", row["witnesses"], beside(row["distance"])) for row in suspects
    ]
    lines = [*paragraph("Look at these first for wrong labels:"), *table(head, rows)]
    hidden = found["suspect_count"] - len(suspects)
    if hidden > 0:
        lines.append(f"  … and {hidden} more")
    return [*lines, *paragraph(cost_sentence(found))]


def suspect_reason(witnesses: int, known: int, distance: float) -> str:
    """Why a row is suspected: in how many of the known witnesses it is, and where it lies.

    >>> suspect_reason(2, 7, -0.25)
    'in 2 of 7 witnesses; on the wrong side of the best hyperplane found, 0.25 from it'
    """
    where = "on the best hyperplane found"
    if not _on_it(distance):
        side = "the wrong side" if distance < 0 else "its side"
        where = f"on {side} of the best hyperplane found, {abs(distance):.3g} from it"
    return f"in {witnesses} of {known} witness{'' if known == 1 else 'es'}; {where}"


def beside(distance: float | None) -> str:
    """Where a row lies, in a table."""
    if distance is None:
        return ""
    return "on it" if _on_it(distance) else f"{'wrong' if distance < 0 else 'right'} side, by {abs(distance):.3g}"


def _on_it(distance: float) -> bool:
    return abs(distance) < _NOTHING
