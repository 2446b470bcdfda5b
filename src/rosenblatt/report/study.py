"""A study: the verdict in one sentence, and on a terminal the few numbers that matter."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import plural
from .choice import choice_text, chosen_of, headline
from .data import places, subject
from .evaluation import confusion_text, figures_text
from .text import WIDTH, answered, clean, number, paragraph, percent, table, word


def sentence(report: Mapping[str, Any]) -> str:
    """The verdict in one sentence."""
    verdict, data = report["verdict"], report["data"]
    rows = plural(data["rows"], "row")
    origin = " through the origin" if verdict["through_origin"] else ""
    sides = f"{word(data['positive'])} from the rest" if report["classes"] else "the classes"
    if verdict["separable"]:
        where = (
            "the one row is strictly on its side" if data["rows"] == 1 else f"all {rows} are strictly on their sides"
        )
        return f"A hyperplane{origin} separates {sides}: {where}{_nearest(report)}."
    if verdict["separable"] is None:
        return f"Whether a hyperplane{origin} separates {sides} was not settled in time, for {rows}."
    few = len(verdict["witness"] or ())
    why = "one row alone rules it out" if few == 1 else f"{few} rows alone rule it out"
    return f"No hyperplane{origin} separates {sides}: {why}{_fewest(report)}."


def _nearest(report: Mapping[str, Any]) -> str:
    best = report["margin"]
    if best is None or best["margin"] is None:
        return ""
    away = f", the nearest {number(best['margin'], 4)} away"
    if best["status"] == "exact" or best["margin_upper"] is None:
        return f"{away}, and none has it farther" if best["status"] == "exact" else away
    return f"{away}, and none has it farther than {number(best['margin_upper'], 4)}"


def _fewest(report: Mapping[str, Any]) -> str:
    found = report["mistakes"]
    if found is None:
        return ""
    if found["exact"]:
        return f", and every one gets at least {plural(found['upper'], 'row')} wrong"
    return f", and every one gets at least {found['lower']} wrong, the best known {found['upper']}"


def study_text(report: Mapping[str, Any]) -> list[str]:
    """The verdict first, then a table of what matters, then where the files are."""
    choice, known = report["choice"], report.get("evaluation")
    head = [*paragraph(sentence(report)), *([] if choice is None else paragraph(headline(choice)))]
    if known is not None and known["beside_baseline"] == "chance":
        head += paragraph("That is better by no more than chance.")
    head += subject(report["data"])
    found = _aligned(facts(report))
    for note in report["notes"]:
        found += paragraph(f"Note on the {note['part']}: {note['text']}.", hanging=2)
    files = report.get("files")
    return answered(
        head,
        report["next"],
        [] if known is None else [*figures_text(known), "", *confusion_text(known)],
        choice_text(choice) if choice is not None and choice["held_out"] else [],
        _classes(report) if report["classes"] else [],
        found,
        ["Written:", *_aligned([(one["what"], one["file"]) for one in files])] if files else [],
    )


def best_fact(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How good the best linear model is, for a list of facts; nothing where it is not known."""
    choice = report["choice"]
    if choice is None or not choice["held_out"]:
        return []
    chosen, guess = chosen_of(choice), percent(choice["most_common"])
    said = f"{percent(chosen['accuracy'])} of the rows held out right; a guess {guess}"
    return [("best linear model", f"{said}; {chosen['name']}, {plural(chosen['epochs'], 'epoch')}")]


def _aligned(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Names and values, the values in a column of their own, broken where they are long."""
    width = max(len(name) for name, _ in pairs) + 4
    return [line for name, value in pairs for line in _entry(name, value, width)]


def _entry(name: str, value: str, width: int) -> list[str]:
    first, *more = textwrap.wrap(clean(value), WIDTH - width, break_on_hyphens=False) or [""]
    return [f"  {name.ljust(width - 2)}{first}", *(" " * width + line for line in more)]


def _classes(report: Mapping[str, Any]) -> list[str]:
    rows = [(one["class"], one["rows"], one["kind"], number(one["margin"], 3)) for one in report["classes"]]
    asked = word(report["data"]["positive"])
    said = f"What follows is about {asked} against the rest; --positive LABEL asks about another. The models know all."
    return [
        "Each class against the rest:",
        *table(["class", "rows", "verdict", "margin found"], rows),
        *paragraph(said),
    ]


def facts(report: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a study found, a line each: name and value."""
    verdict, margin, training = report["verdict"], report["margin"], report["training"]
    found = [("verdict", verdict["kind"])]
    if report["proof"]:
        found.append(("proof", f"{report['proof']['kind']}, checked in exact arithmetic, holds"))
    if verdict["witness"]:
        found.append(("rows that conflict", places(verdict["witness"], 6)))
    if margin and margin["separable"]:
        found.append(("largest margin", f"{number(margin['margin'])} ({margin['status']})"))
        found.append(("held by", plural(margin["support_count"], "support row")))
    if (augmented := report["augmented"]) and augmented["separable"]:
        most = augmented["most_updates"]
        bound = "" if most is None else f", so at most {_count(most)} update{'' if most == 1 else 's'}"
        found.append(("difficulty R'/margin'", f"{number(augmented['difficulty'], 4)}{bound}"))
    if report["mistakes"]:
        bracket = report["mistakes"]
        exactly = "exactly " if bracket["exact"] else f"{bracket['lower']} to "
        early = " (the time limit ran out)" if bracket["status"] == "time" else ""
        found.append(("fewest mistakes", f"{exactly}{bracket['upper']}{early}"))
    found.append(("the run", f"{training['status']}: {training['reason']}"))
    found.append(("updates", f"{training['updates']:,} in {plural(training['epochs'], 'epoch')}"))
    if report["theorem"]:
        laws = [law for law in report["theorem"]["laws"] if law["bound"] is not None]
        where = "at every update" if report["theorem"]["curves"] else "at the end"
        found.append(("the theorem", f"holds {where}; {plural(len(laws), 'law')} {_apply(len(laws))}"))
    wrong = [f"{one['readout']} {one['wrong']}" for one in training["readouts"]]
    found.append(("training rows wrong", f"{', '.join(wrong)}; a guess {training['most_common']}"))
    if report["classes"]:
        model = report["model"]
        found.append(
            ("the run's model", f"{model['classes']} classes, {model['wrong']} rows wrong ({percent(model['share'])})")
        )
    if training["cycle"]:
        cycle = training["cycle"]
        found.append(("cycle", f"in {cycle['order']} order the weights come back after epoch {cycle['epoch']}"))
    if report["clinic"]:
        found.append(("logistic regression", estimate(report["clinic"])))
    return found


def _apply(laws: int) -> str:
    return "applies" if laws == 1 else "apply"


def _count(n: int) -> str:
    return f"{n:,}" if n < 10**12 else f"{n:.3g}"


def estimate(clinic: Mapping[str, Any]) -> str:
    """What becomes of the estimate of a logistic regression, in a few words."""
    diverging = ("+inf", "-inf", "indeterminate")
    infinite = [one["term"] for one in clinic["coefficients"] if one["status"] in diverging]
    if clinic["kind"] == "overlapping":
        return "its estimate is finite"
    if not infinite:
        return "no finite estimate"
    if len(infinite) == 1:
        return f"no finite estimate; the coefficient of {word(infinite[0])} diverges"
    return f"no finite estimate; {len(infinite)} coefficients diverge, first {word(infinite[0])}"
