"""The fewest mistakes: the bracket, and the rows to look at first for wrong labels."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .data import place, places, subject, unit
from .proof import proof_lines
from .text import answered, paragraph, table

_LIKELY, _UNLIKELY = 0.9, 0.01  # parts of all labellings that are separable: most, hardly any
_NOTHING = 1e-12  # a distance that only breaks a tie: rows on the hyperplane are moved off it by so little


def mistakes_text(report: Mapping[str, Any]) -> list[str]:
    """The bracket first, then the suspects."""
    found = report["mistakes"]
    head = [headline(found), *subject(report["data"])]
    if found["through_origin"]:
        head += paragraph("Only hyperplanes through the origin were asked for.")
    for said in bracket_sentences(found) if found["upper"] else chance_sentences(found):
        head += paragraph(said)
    if not found["upper"]:
        return answered(head, report["next"], proof_lines(report))
    rescue = found["rescue"]
    without = paragraph(f"Without {plural(len(rescue), 'row')} the rest is separable: {places(rescue)}.")
    return answered(head, report["next"], without, _suspects(found), proof_lines(report))


def headline(found: Mapping[str, Any]) -> str:
    """The bracket in one line."""
    if found["exact"]:
        if not found["upper"]:
            if (found.get("separable_by_chance") or 0.0) >= _LIKELY:
                return "No mistakes; but with nearly any other labels there would be none either."
            return "No mistakes: a hyperplane has every row strictly on its side."
        return f"Fewest mistakes of any hyperplane: {found['upper']}, exactly."
    return f"Fewest mistakes of any hyperplane: at least {found['lower']}, at most {found['upper']}."


def bracket_sentences(found: Mapping[str, Any]) -> list[str]:
    """Why the bracket is no narrower, and what of it is proved."""
    said = [f"{found['reason'][:1].upper()}{found['reason'][1:]}; {found['advice']}."]
    if found["proved"] < found["lower"]:
        said.append(f"A proof shows at least {found['proved']}; the rest is by {found['by']}.")
    return said


def chance_sentences(found: Mapping[str, Any]) -> list[str]:
    """What it says of the labels that there are no mistakes: little, where most labels have none."""
    chance = found.get("separable_by_chance")
    if chance is None or chance < _UNLIKELY:
        return []
    if chance == 1:
        said = "The rows are linearly independent, and so separable whatever their labels are"
        return [f"{said}: this tells nothing of the labels."]
    said = f"Of all labellings of so many rows in general position, {100 * chance:.2g} % are separable (Cover 1965)"
    return [f"{said}, so this tells little of the labels."]


def has_costs(found: Mapping[str, Any]) -> bool:
    """Whether witnesses tell the suspects apart."""
    return any(row["cost"] or row["witnesses"] for row in found["suspects"])


def cost_sentence(found: Mapping[str, Any]) -> str:
    """What the numbers of a suspect mean, and their order."""
    if not has_costs(found):
        known = "No witnesses are known" if not found["witnesses"] else "None of them is in a known witness"
        return f"{known}: the order is by how far a row lies on the wrong side of the best hyperplane found."
    return (
        "Cost: about how many of the mistakes the row accounts for, 1 at most. Known witnesses, few rows each that"
        f" no hyperplane gets all right: {found['witnesses']}."
    )


def _suspects(found: Mapping[str, Any]) -> list[str]:
    suspects = found["suspects"]
    if not suspects:
        return []
    kind = "line" if unit(suspects) == "line" else "row (from 0)"
    costs = has_costs(found)
    head = [kind, "label", *(["cost", "in witnesses"] if costs else []), "beside the best hyperplane found"]
    rows = [
        (
            place(row), row["label"], *((f"{row['cost']:.2f}", row["witnesses"]) if costs else ()),
            beside(row["distance"]),
        )
        for row in suspects
    ]  # fmt: skip
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
