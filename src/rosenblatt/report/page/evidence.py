"""The data, the verdict with its proof, the largest margin, and the fewest mistakes: what is so, whoever learns."""

from typing import Any

from ...errors import plural
from .. import margin as margin_words
from .. import mistakes as mistakes_words
from .. import verdict as verdict_words
from ..data import how, places, sides, size
from ..html import Listing, label
from ..html_cards import estimate
from ..html_tables import infinite_table, places_table, suspects_table, weights_table, witness_table
from ..text import listed, number, percent, word
from .elements import Report, Section, capital, command, paragraphs, table
from .top import count

_ROWS = 20  # of the data, shown with their values
_NAMES = 20


def data(report: Report) -> Section:
    """What the file or the arrays hold."""
    known = report["data"]
    named = "" if known["name"] is None else f"{known['name']}: "
    said = [f"{named}{size(known)}, {'sparse' if known['sparse'] else 'dense'}."]
    if known["classes"] is not None and known["positive"] is not None:
        said.append(capital(f"asked about: {sides(known)}"))
    if known.get("radius") is not None:
        said.append(f"The longest row has length R = {number(known['radius'])}.")
    lead = paragraphs(" ".join(said), " ".join(how(known["reading"])), *(capital(note) for note in known["notes"]))
    names = known.get("names")
    if names:
        some = listed([word(name) if "," in name else label(name) for name in names[:_NAMES]], _NAMES)
        hidden = known["columns"] - min(len(names), _NAMES)
        lead += paragraphs(f"Columns: {some}{f' and {hidden} more' if hidden > 0 else ''}.")
    elif names is None:
        lead += paragraphs("The columns have no names; they are counted from x0.")
    return Section("data", "The data", lead, table(_classes(known)))


def _classes(known: Report) -> Listing | None:
    if known["classes"] is None:
        return None
    some = known["classes"]["listed"][:_ROWS]
    total = known["rows"] or 1
    rows = [[label(one["label"]), one["rows"], percent(one["rows"] / total, 1)] for one in some]
    return Listing("Rows of each class", ["class", "rows", "share"], rows, known["classes"]["count"] - len(rows))


def verdict(report: Report) -> Section:
    """Separable or not, the rows that show it, and how anybody can check it."""
    known, proof = report["verdict"], report["proof"]
    said = [verdict_words.headline(known), *verdict_words.found_sentences(known)]
    if known["through_origin"]:
        said.append("Only hyperplanes through the origin were asked for.")
    if known["kind"] == "quasi-separable":
        said.append(verdict_words.boundary_sentence(known, report["data"]))
    lead, rest = paragraphs(" ".join(said)), ""
    if known["witness"]:
        lead += paragraphs(verdict_words.witness_sentence(known["witness"], known["through_origin"]))
        lead += table(witness_table(known["witness"], _ROWS))
        if len(known["witness"]) > 1:
            both = "sum" if known["through_origin"] else "mean"
            rest += paragraphs(
                f"A hyperplane with both classes on their sides would have the {both} of the one on its positive side,"
                " and that of the other on its negative side. They are one point, so there is no such hyperplane."
            )
    if proof:
        held = "it holds" if proof["holds"] else "it does not hold"
        rest += paragraphs(f"The proof was checked in exact arithmetic, and {held}: {proof['reason']}.")
        rest += paragraphs("Whoever has the data can check it again, by a program that did not find it:")
        rest += command(proof["verify"])
    return Section("verdict", "The verdict and its proof", lead, rest)


def margin(report: Report) -> Section | None:
    """The largest margin, and the difficulty that follows from it."""
    best, own = report["margin"], report["augmented"]
    if best is None or not best["separable"]:
        return None
    lines = margin_words.headline(best)
    held = best.get("support_count", len(best["support"]))
    said = [*lines, f"{plural(held, 'row')} hold{'s' * (held == 1)} it."]
    said.append(f"Radius R = {number(best['radius'])}, so the difficulty R/γ is {number(best['difficulty'])}.")
    lead = paragraphs(" ".join(said))
    if own is not None and own["separable"]:
        lead += paragraphs(
            f"A perceptron learns with a constant {number(own['offset'])} appended to every row (the offset); there the"
            f" largest margin γ′ is {number(own['margin'])} and R′ is {number(own['radius'])}, so in any order it makes"
            f" at most (R′/γ′)² = {count(own['most_updates'])} updates."
        )
    both = [("free offset", best), *([("the run's offset", own)] if own is not None and own["separable"] else [])]
    rows: list[list[Any]] = [[name, *(number(one[key]) for _, one in both)] for name, key in _MEASURES]
    measures = Listing("The largest margin", ["", *(name for name, _ in both)], rows)
    caption = "Rows that hold the hyperplane" if held > 1 else "The row that holds the hyperplane"
    support = places_table(caption, best["support"], 10)
    support = support._replace(hidden=held - len(support.rows))
    weights = weights_table(best["hyperplane"], 10, "Its weights, the largest first")
    return Section("margin", "The largest margin", lead, table(measures) + table(support) + table(weights))


_MEASURES = (
    ("margin", "margin"),
    ("none is above", "margin_upper"),
    ("gap", "gap"),
    ("radius", "radius"),
    ("radius/margin", "difficulty"),
    ("its square", "difficulty2"),
)


def mistakes(report: Report) -> Section | None:
    """The fewest mistakes of any hyperplane, and the rows to doubt."""
    found = report["mistakes"]
    if found is None:
        return None
    said = [mistakes_words.headline(found)]
    if not found["upper"]:
        said += mistakes_words.chance_sentences(found)
        return Section("mistakes", "The fewest mistakes", paragraphs(" ".join(said)))
    said += mistakes_words.bracket_sentences(found)
    lead = paragraphs(" ".join(said))
    rescue = found["rescue"]
    if rescue:
        more = "" if len(rescue) == found["upper"] else "; the first of them: "
        some = f": {places(rescue)}" if not more else f"{more}{places(rescue)}"
        lead += paragraphs(f"Without {plural(found['upper'], 'row')} the rest is separable{some}.")
    rest = table(suspects_table(found, _ROWS)) + paragraphs(mistakes_words.cost_sentence(found))
    return Section("mistakes", "The fewest mistakes, and rows to doubt", lead, rest)


def diverging(report: Report) -> str:
    """What the verdict says of a logistic regression, where the clinic says nothing."""
    known = report["verdict"]["logistic_regression"]
    if not known:
        return ""
    said = capital(f"maximum likelihood has {estimate(report['verdict'])}")
    return paragraphs(said) + table(infinite_table(known["infinite"], 40, known.get("terms")))
