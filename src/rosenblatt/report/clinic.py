"""The clinic: what is wrong with a logistic regression, the numbers that remain, the rows behind it, and what to do."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .data import places, subject
from .proof import proof_lines
from .terms import dropped_lines, nearly_sentence
from .text import answered, listed, number, paragraph, table, word
from .verdict import diverging_line, open_sentence

_FEW = 10  # coefficients that are listed even if there is no number
_SHOWN = 40  # coefficients in a table
_DIGITS = 4  # of whole numbers that are shown as they are
_WORDS = ("+inf", "-inf", "indeterminate", "infinite", "unknown")
_SEPARATION = {"separable": "complete separation", "quasi-separable": "quasi-complete separation"}
"""The words of Albert and Anderson (1984)."""


def clinic_text(report: Mapping[str, Any]) -> list[str]:
    """The diagnosis first and the remedy, then the estimates and the rows responsible."""
    clinic = report["clinic"]
    head = [headline(clinic), *subject(report["data"])]
    if clinic["observations"] != report["data"]["rows"]:
        head += paragraph(f"{plural(clinic['observations'], 'observation')}, each row as often as it was counted.")
    if clinic["through_origin"]:
        head += paragraph("The model has no offset (intercept).")
    if clinic["nearly_dependent"]:
        head += paragraph(nearly_sentence(clinic["nearly_dependent"], _terms(clinic), report["data"]))
    head += [*_which(clinic), *_dropped(clinic)]
    fit, rows = paragraph(f"Fit: {clinic['fit']['status']}."), []
    if clinic["kind"] != "undecided" or clinic["weakly_separable"]:
        fit = [*_table(clinic), *fit]
        rows = [line for said in rows_sentences(clinic, report["data"]) for line in paragraph(said)]
    return answered(head, report["next"], fit, rows, proof_lines(report))


def headline(clinic: Mapping[str, Any]) -> str:
    """The diagnosis in one line."""
    if clinic["kind"] == "undecided" and clinic["weakly_separable"]:
        return "No finite estimate: complete or quasi-complete separation (which is undecided)."
    if clinic["kind"] == "undecided":
        return "Undecided: whether the maximum-likelihood estimate is finite is not known."
    if clinic["kind"] != "overlapping":
        return f"No finite estimate: {_SEPARATION[clinic['kind']]} (the data are {clinic['kind']})."
    return "Finite maximum-likelihood estimate: the classes overlap."


def _which(clinic: Mapping[str, Any]) -> list[str]:
    lines, total = [], len(clinic["coefficients"])
    if not clinic["dropped_settled"]:
        names = open_names(clinic)
        lines = paragraph(open_sentence(names, total, clinic["least_dropped"])) if names else []
    for said in (one for one in _WORDS if not (lines and one == "infinite")):
        names = [word(one["term"]) for one in clinic["coefficients"] if one["status"] == said]
        if names and (clinic["kind"] != "undecided" or clinic["weakly_separable"]):
            lines += paragraph(diverging_line(said, names), indent=2, hanging=6)
    return lines


def open_names(clinic: Mapping[str, Any]) -> list[str]:
    """The coefficients that are not finite, while it is open to which side they run, or whether they are dropped."""
    return [word(one["term"]) for one in clinic["coefficients"] if one["status"] == "infinite"]


def _dropped(clinic: Mapping[str, Any]) -> list[str]:
    """Columns that the model does without, and why."""
    more = clinic["least_dropped"] - len(clinic["dropped"])
    said = f"At least {clinic['least_dropped']} columns depend on others; which is not settled."
    told = not clinic["dropped_settled"] and open_names(clinic)
    unsettled = paragraph(said) if more > 0 and not told else []
    if not clinic["dropped"]:
        return unsettled
    lines = paragraph("Dropped, as R's NA: columns that are combinations of those before them, exactly:")
    for said in dropped_lines(clinic["dropped"], _terms(clinic)):
        lines += paragraph(said, indent=2, hanging=2)
    return [*lines, *unsettled]


def _terms(clinic: Mapping[str, Any]) -> dict[str, str]:
    return {one["name"]: one["term"] for one in clinic["coefficients"]}


def says_nothing(clinic: Mapping[str, Any]) -> bool:
    """Whether a table of the coefficients would be long, and have neither a number nor a sign."""
    own = [one["status"] for one in clinic["coefficients"] if not one["aliased"]]
    return len(own) > _FEW and all(status in ("infinite", "unknown") for status in own)


def _table(clinic: Mapping[str, Any]) -> list[str]:
    rows, own = [], [one for one in clinic["coefficients"] if not one["aliased"]]
    known = sum(one["status"] == "finite" for one in own)
    if says_nothing(clinic):
        return []  # the head has how many there are
    if known > 1 and all(one["estimate"] is None for one in own):
        return [f"None of the {known} finite coefficients is estimated."]
    for one in own[:_SHOWN]:
        value = "not estimated" if one["status"] == "finite" else one["status"]
        value = value if one["estimate"] is None else number(one["estimate"])
        rows.append((one["term"], value, "" if one["error"] is None else number(one["error"])))
    lines = table(["coefficient", "estimate", "std. error"], rows) if rows else []
    if len(own) > _SHOWN:
        lines.append(f"  … and {len(own) - _SHOWN} more")
    if clinic["log_likelihood"] is not None:
        limit = "" if clinic["kind"] == "overlapping" else ", in the limit"
        lines.append(f"Log-likelihood{limit}: {number(clinic['log_likelihood'])}.")
    return lines


def rows_sentences(clinic: Mapping[str, Any], data: Mapping[str, Any]) -> list[str]:
    """The rows responsible, the way the estimate goes, and what to remove."""
    responsible, removal = clinic["responsible"], clinic["removal"]
    pair = len(data["reading"].get("counts") or ()) == 2
    said, none_stays = [], removal is not None and removal["after"] == "empty"
    if none_stays:
        said.append("Every row is fitted without error in the limit; no removal of rows makes it finite.")
    elif responsible:
        said.append(f"Fitted without error in the limit: {places(responsible, 20, pair)}.")
    elif clinic["kind"] != "overlapping" and not clinic["responsible_settled"]:
        said.append("The rows responsible are not sorted out.")
    if 0 < len(clinic["direction"]) <= 6:
        said.append(f"A direction the estimate takes: {_signed(clinic)}.")
    if removal is not None and not none_stays:
        unit = "rows" if clinic["observations"] == data["rows"] else "observations"
        said += _removal_sentences(clinic["kind"], removal, unit, _terms(clinic), pair)
    return said


def _removal_sentences(
    kind: str, removal: Mapping[str, Any], unit: str, terms: Mapping[str, str], pair: bool
) -> list[str]:
    low, high = removal["lower"], removal["upper"]
    many = f"exactly {high}" if low == high else f"at least {low}, at most {high}"
    if kind != "overlapping":
        return [f"Fewest {unit} to remove to make it finite: {many}, these; {removal['why']}."]
    said = [f"Fewest {unit} to remove to make it infinite: {many}, {places(removal['rows'], 20, pair)}."]
    if removal["infinite"]:
        then = [f"{word(terms.get(name, name))} {where}" for name, where in removal["infinite"].items()]
        said.append(f"The rest would be {removal['after']}: {listed(then, 6)}.")
    return said


def _signed(clinic: Mapping[str, Any]) -> str:
    """Whole numbers if they are short, else multiples of the largest."""
    exact, terms = clinic["direction"], _terms(clinic)
    if max(len(text.removeprefix("-")) for text in exact.values()) <= _DIGITS:
        signed = {name: text if text.startswith("-") else f"+{text}" for name, text in exact.items()}
        return ", ".join(f"{word(terms.get(name, name))} {text}" for name, text in signed.items())
    return ", ".join(f"{word(terms.get(name, name))} {x:+.4g}" for name, x in clinic["direction_rounded"].items())
