"""The top of the page: the verdict in one sentence, the few numbers that matter; each class against the rest."""

from ...errors import plural
from ..choice import chosen_of
from ..data import size
from ..html import Listing, escaped, label
from ..study import estimate
from ..text import number, percent
from .elements import Report, Section, facts, paragraphs, table

_SHOWN = 40  # classes in a table


def short(report: Report) -> str:
    """The verdict in one sentence, and the few numbers that matter."""
    separable = report["verdict"]["separable"]
    kind = {True: " good", False: " bad"}.get(separable, "")
    said = f"<p>{escaped(report['sentence'])}</p>"
    return f'<div class="short{kind}">{said}{facts(_few(report), "few")}</div>'


def _few(report: Report) -> list[tuple[str, str]]:
    verdict, margin, training = report["verdict"], report["margin"], report["training"]
    found = [("data", size(report["data"]))]
    if (choice := report["choice"]) and choice["held_out"]:
        found.append(("best linear model", f"{percent(chosen_of(choice)['accuracy'])} of the rows held out right"))
        found.append(("a guess at the most common class", percent(choice["most_common"])))
    proof = report["proof"]
    found.append(("verdict", verdict["kind"] + (", proved" if proof and proof["holds"] else "")))
    if verdict["witness"]:
        found.append(("rows that conflict", str(len(verdict["witness"]))))
    if margin and margin["separable"]:
        found.append(("largest margin γ", number(margin["margin"])))
    if (augmented := report["augmented"]) and augmented["separable"]:
        found.append(("difficulty R′/γ′", number(augmented["difficulty"], 4)))
    if mistakes := report["mistakes"]:
        upper = str(mistakes["upper"])
        found.append(("fewest mistakes", upper if mistakes["exact"] else f"{mistakes['lower']} to {upper}"))
    if report["clinic"] and verdict["kind"] == "quasi-separable":
        found.append(("logistic regression", estimate(report["clinic"])))
    if training:
        found.append(("the run", f"{training['status']} after {plural(training['epochs'], 'epoch')}"))
        found.append(("updates", count(training["updates"])))
        wrong = [one for one in training["readouts"] if one["readout"] == training["readout"]]
        found += [(f"rows wrong, {one['readout']}", f"{one['wrong']} ({percent(one['share'])})") for one in wrong]
    if report["classes"] and (model := report.get("model")):
        said = f"{model['wrong']} rows wrong ({percent(model['share'])})"
        found.append((f"the model of {model['classes']} classes", said))
    return found


def count(n: float | None) -> str:
    """A count as people read it.

    >>> count(204099), count(14459289768964552), count(None)
    ('204,099', '1.44593e+16', '–')
    """
    return "–" if n is None else f"{n:,.0f}" if n < 10**12 else number(n)


def classes(report: Report) -> Section | None:
    """Of more than two classes, the verdict on each against the rest."""
    each = report["classes"]
    if not each:
        return None
    separable = sum(one["separable"] is True for one in each)
    asked = label(report["data"]["positive"])
    lead = paragraphs(
        f"There are {report['data']['classes']['count']} classes. One against all others is a question of two classes,"
        f" with an answer of its own: {separable} of {len(each)} can be separated from the rest. What follows is about"
        f" class {asked} against the rest."
    )
    head = ["class", *(["rows"] if "rows" in each[0] else []), "verdict", "margin found"]
    rows = []
    for one in each[:_SHOWN]:
        rows.append(
            [label(one["class"]), *([one["rows"]] if "rows" in one else []), one["kind"], number(one["margin"])]
        )
    shown = Listing("Each class against the rest", head, rows, len(each) - len(rows))
    return Section("classes", "Each class against the rest", lead, table(shown))
