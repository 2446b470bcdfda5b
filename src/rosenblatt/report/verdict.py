"""The verdict: separable or not, the rows that show it, what it means for a logistic regression."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import plural
from .data import place, subject, unit
from .proof import proof_lines
from .terms import dropped_lines, nearly_sentence
from .text import answered, listed, number, paragraph, table, word

_SHOWN = 20

_HEADS = {
    "separable": "Separable (complete separation): a hyperplane has each row strictly on its side.",
    "quasi-separable": "Not separable: quasi-separable (quasi-complete separation).",
    "overlapping": "Not separable: the classes overlap.",
}


def verdict_text(report: Mapping[str, Any]) -> list[str]:
    """The verdict first, then what to do next, then the evidence."""
    verdict = report["verdict"]
    head = [headline(verdict), *subject(report["data"])]
    if verdict["through_origin"]:
        head += paragraph("Only hyperplanes through the origin were asked for.")
    known = verdict["logistic_regression"]
    if known["nearly_dependent"]:
        head += paragraph(nearly_sentence(known["nearly_dependent"], known["terms"], report["data"]))
    return answered(head, report["next"], evidence(verdict, report["data"]), proof_lines(report))


def headline(verdict: Mapping[str, Any]) -> str:
    """What is known, in one line."""
    if verdict["kind"] != "undecided":
        return _HEADS[verdict["kind"]]
    if verdict["separable"] is False:
        return "Not separable; whether quasi-separable or overlapping is undecided."
    if verdict["weakly_separable"]:
        return "Not overlapping: separable or quasi-separable, which of the two is undecided."
    return "Undecided."


def evidence(verdict: Mapping[str, Any], data: Mapping[str, Any]) -> list[str]:
    """The rows that show it, and the coefficients that diverge."""
    lines = []
    for said in found_sentences(verdict):
        lines += paragraph(said)
    if verdict["witness"]:
        lines += _witness_text(verdict["witness"], verdict["through_origin"])
    if verdict["kind"] == "quasi-separable":
        lines += ["", *paragraph(boundary_sentence(verdict, data))]
    return [*lines, *([""] if lines else []), *_estimate_text(verdict, data)]


def found_sentences(verdict: Mapping[str, Any]) -> list[str]:
    """How far the search came, and the margin of the hyperplane it found."""
    said = []
    if verdict["kind"] == "undecided":
        said.append(f"The search ended early: {'; '.join(verdict['steps']) or 'no step was finished'}.")
    if verdict["separable"]:
        margin = "beyond what a float can say" if verdict["margin"] is None else number(verdict["margin"], 3)
        said.append(f"Margin of the one that was found: {margin}. It need not be the largest.")
    return said


def boundary_sentence(verdict: Mapping[str, Any], data: Mapping[str, Any]) -> str:
    """Of quasi-separable rows, which lie where."""
    boundary, n = verdict["boundary"], data["rows"]
    if boundary is None:
        return (
            "A hyperplane has no row on its wrong side and some strictly on their own, but none has all of them there;"
            " which of the rows on it could leave it is not sorted out."
        )
    others = "the other lies" if boundary == 1 else f"the other {boundary} lie"
    return (
        f"A hyperplane has no row on its wrong side and {plural(n - boundary, 'row')} strictly on"
        f" {'its' if n - boundary == 1 else 'their'} own; {others} on the boundary of every such hyperplane."
    )


def witness_sentence(witness: Sequence[Mapping[str, Any]], origin: bool) -> str:
    """What the rows of a witness show."""
    if len(witness) == 1:
        return "One row alone is on no side of any hyperplane:"
    return (
        f"No hyperplane gets these {len(witness)} rows right; leave out any one of them, and one does. Weighted by the"
        f" multipliers, the two classes have the same {'sum' if origin else 'mean'}, exactly:"
    )


def _witness_text(witness: Sequence[Mapping[str, Any]], origin: bool) -> list[str]:
    kind, count = unit(witness), len(witness)
    lines = paragraph(witness_sentence(witness, origin))
    rows = [(place(row), row["label"], number(row["multiplier"]), _ratio(row["exact"])) for row in witness[:_SHOWN]]
    named = all(ratio for *_, ratio in rows)
    head = [kind if kind == "line" else "row (from 0)", "label", "multiplier", "exactly"]
    lines += table(head if named else head[:3], [row if named else row[:3] for row in rows])
    return [*lines, *([f"  … and {count - _SHOWN} more"] if count > _SHOWN else [])]


def _ratio(exact: str | None) -> str:
    return exact if exact and len(exact) <= 24 and "/" in exact else ""


def _estimate_text(verdict: Mapping[str, Any], data: Mapping[str, Any]) -> list[str]:
    """What becomes of a logistic regression, in the words of Albert and Anderson (1984), and in R's terms."""
    known, kind = verdict["logistic_regression"], verdict["kind"]
    dropped = _dropped_text(known)
    if known["estimate"] == "unknown" and kind == "overlapping":
        said = f"a finite maximum-likelihood estimate (overlap); whether it is unique is {known['why']}."
        return [*paragraph(f"Logistic regression: {said}"), *dropped]
    if known["estimate"] == "unknown":
        return paragraph(f"Logistic regression: nothing is known of its estimate ({known['why']}).")
    if known["estimate"] == "finite":
        return paragraph("Logistic regression: the maximum-likelihood estimate is finite (overlap).")
    if known["estimate"] == "not unique":
        said = "the maximum-likelihood estimate is finite (overlap), but not unique: columns are dependent."
        return [*paragraph(f"Logistic regression: {said}"), *dropped]
    complete = {"separable": "complete", "quasi-separable": "quasi-complete"}.get(kind, "complete or quasi-complete")
    head = f"Logistic regression: {complete} separation, and so no finite maximum-likelihood estimate"
    terms, own = known["terms"], known["infinite"]
    if own and not known["dropped_settled"]:
        names = [word(terms.get(name, name)) for name in own]
        total = data["columns"] + (not verdict["through_origin"])
        said = open_sentence(names, total, known["least_dropped"])
        return [*paragraph(f"{head}."), *paragraph(said), *paragraph(unsettled_sentence(known)), *dropped]
    lines = paragraph(f"{head}. Coefficients that diverge:" if own else f"{head}.")
    for said in ("+inf", "-inf", "indeterminate", "infinite"):
        names = [word(terms.get(name, name)) for name, other in own.items() if other == said]
        lines += paragraph(diverging_line(said, names), indent=2, hanging=6) if names else []
    if known["why"]:
        lines += paragraph(unsettled_sentence(known))
    return [*lines, *dropped]


def diverging_line(said: str, names: Sequence[str], most: int = 20) -> str:
    """Coefficients of one word; of very many, how many there are and the first of them.

    >>> diverging_line("+inf", ["a", "b"]), diverging_line("infinite", ["a", "b", "c"], 2)
    ('+inf  a, b', 'infinite (3) a, b and 1 more')
    """
    count = f" ({len(names)})" if len(names) > most else ""
    return f"{said + count:<5} {listed(names, most)}"


def open_sentence(names: Sequence[str], total: int, least: int) -> str:
    """Of coefficients that are not finite, while it is not settled which columns are dropped.

    >>> open_sentence(["a", "b"], 3, 0)
    'Not finite, or dropped as dependent (which of the two is not settled): 2 of 3 coefficients, such as a, b.'
    """
    some = f"{len(names)} of {plural(total, 'coefficient')}, such as {', '.join(names[:5])}"
    depend = f"; at least {plural(least, 'column')} {'depends' if least == 1 else 'depend'} on others" if least else ""
    return f"Not finite, or dropped as dependent (which of the two is not settled): {some}{depend}."


def unsettled_sentence(known: Mapping[str, Any]) -> str:
    """What is not known of the coefficients, and why."""
    said = []
    listed_already = 0 if known["dropped_settled"] else len(known["infinite"])
    if known["unsettled"] > listed_already and known["infinite"]:  # else it is all of them
        said.append(f"{plural(known['unsettled'] - listed_already, 'coefficient')} not settled")
    if known["least_dropped"] > len(known["dropped"]) and not listed_already:
        said.append(f"at least {known['least_dropped']} columns depend on others")
    return f"(Which coefficients: {known['why']}{''.join(f'; {one}' for one in said)}.)"


def _dropped_text(known: Mapping[str, Any]) -> list[str]:
    lines = [
        line
        for said in dropped_lines(known["dropped"], known["terms"])
        for line in paragraph(said, indent=2, hanging=2)
    ]
    said = "Dropped, as R's NA: columns that are combinations of those before them:"
    return [*paragraph(said), *lines] if lines else []
