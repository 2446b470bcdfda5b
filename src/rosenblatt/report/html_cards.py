"""Cards: what a result shows of itself in a notebook, from its dictionary alone and without another search."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from . import choice as choice_words
from . import clinic as clinic_words
from . import laws as laws_words
from . import margin as margin_words
from . import mistakes as mistakes_words
from . import verdict as verdict_words
from .data import coding_sentences, labels_listed, sides, size
from .html import Listing, card, label
from .html_tables import (
    choice_table,
    coefficients_table,
    infinite_table,
    laws_table,
    places_table,
    suspects_table,
    weights_table,
    witness_table,
)
from .text import by_weight, listed, number, percent, word
from .training import against

_SHOWN = 10

Entry = Mapping[str, Any]
Facts = list[tuple[str, object]]


def verdict_card(data: Entry, verdict: Entry) -> str:
    """The verdict, the rows that show it, and what it means for a logistic regression, if that was asked for."""
    facts = [*_data(data, verdict), ("logistic regression", estimate(verdict))]
    if verdict["separable"]:
        margin = "beyond what a float can say" if verdict["margin"] is None else number(verdict["margin"])
        facts.append(("margin of the one found", margin))
    if verdict["kind"] == "quasi-separable":
        stuck = verdict["boundary"]
        facts.append(("on every boundary", "not sorted out" if stuck is None else plural(stuck, "row")))
    if verdict["kind"] == "undecided":
        facts.append(("search", "; ".join(verdict["steps"]) or "no step was finished"))
    known = verdict["logistic_regression"] or {"infinite": {}}
    if known["infinite"] and not known["dropped_settled"]:
        names = [known["terms"].get(name, name) for name in known["infinite"]]
        total = data["columns"] + (not verdict["through_origin"])
        facts.append(("coefficients", verdict_words.open_sentence(names, total, known["least_dropped"])))
        known = {"infinite": {}}
    tables = witness_table(verdict["witness"], _SHOWN), infinite_table(known["infinite"], _SHOWN, known.get("terms"))
    return card(verdict_words.headline(verdict), [*facts, _seconds(verdict)], *tables)


def estimate(verdict: Entry) -> str:
    """The estimate of a logistic regression in a few words. None: nobody has asked yet which coefficients."""
    known = verdict["logistic_regression"]
    if known is None:
        diverges = verdict["kind"] in ("separable", "quasi-separable")
        return "no finite estimate; summary() tells of which coefficients" if diverges else "summary() tells"
    said = {"infinite": "no finite estimate", "finite": "a finite estimate", "not unique": "an estimate, not unique"}
    return f"{said.get(known['estimate'], 'an unknown estimate')}{'' if known['why'] is None else ': ' + known['why']}"


def margin_card(data: Entry, margin: Entry) -> str:
    """The bracket of the largest margin, and what follows from it."""
    facts = [*_data(data), ("ended", f"{margin['status']}: {margin['reason']}")]
    if not margin["separable"]:
        return card(margin_words.headline(margin)[0], [*facts, ("next", margin["advice"]), _seconds(margin)])
    offset = margin["offset"]
    facts += [
        ("margin", number(margin["margin"], 9)),
        ("none above", number(margin["margin_upper"], 9)),
        ("gap", number(margin["gap"], 3)),
        ("offset", offset if isinstance(offset, str) else number(offset)),
        ("radius", number(margin["radius"])),
        ("radius/margin", number(margin["difficulty"])),
        ("its square", number(margin["difficulty2"])),
    ]
    if margin["most_updates"] is not None:
        facts.append(("a perceptron's updates", f"at most {margin['most_updates']}"))
    support = places_table(f"{plural(len(margin['support']), 'row')} hold it", margin["support"], _SHOWN)
    weights = weights_table(margin["hyperplane"], _SHOWN)
    return card(margin_words.headline(margin)[0], [*facts, _seconds(margin)], support, weights)


def mistakes_card(data: Entry, found: Entry) -> str:
    """The bracket on the fewest mistakes, and the rows to suspect."""
    bounds = str(found["upper"]) if found["exact"] else f"at least {found['lower']}, at most {found['upper']}"
    facts = [*_data(data, found), ("fewest mistakes", bounds), ("proved", f"at least {found['proved']}")]
    facts += [("ended", f"{found['status']}: {found['reason']}"), ("next", found["advice"])]
    facts += [("known witnesses", found["witnesses"]), _seconds(found)]
    return card(mistakes_words.headline(found), facts, suspects_table(found, _SHOWN))


def clinic_card(data: Entry, clinic: Entry) -> str:
    """The diagnosis, the coefficients, the rows responsible."""
    facts = [*_data(data, clinic), ("fit", clinic["fit"]["status"])]
    if not clinic["dropped_settled"] and (open_ := clinic_words.open_names(clinic)):
        said = verdict_words.open_sentence(open_, len(clinic["coefficients"]), clinic["least_dropped"])
        facts.append(("coefficients", said))
    if clinic["kind"] == "quasi-separable" and not clinic["responsible_settled"]:
        facts.append(("rows responsible", "not sorted out"))
    if clinic["log_likelihood"] is not None:
        limit = "" if clinic["kind"] == "overlapping" else ", in the limit"
        facts.append((f"log-likelihood{limit}", number(clinic["log_likelihood"])))
    removal = clinic["removal"]
    if removal is not None and removal["after"] != "empty":
        low, high = removal["lower"], removal["upper"]
        aim = "infinite" if clinic["kind"] == "overlapping" else "finite"
        facts.append((f"fewest to remove to make it {aim}", high if low == high else f"{low} to {high}"))
    responsible = places_table("Rows fitted without error in the limit", clinic["responsible"], _SHOWN)
    coefficients = None
    if (clinic["kind"] != "undecided" or clinic["weakly_separable"]) and not clinic_words.says_nothing(clinic):
        coefficients = coefficients_table(clinic, _SHOWN)
    return card(clinic_words.headline(clinic), [*facts, _seconds(clinic)], coefficients, responsible)


def run_card(data: Entry, run: Entry) -> str:
    """How a run ended, how much it did, and how that stands against the theorem, if it was asked for."""
    classes = "" if data["classes"] is None else f"; classes {labels_listed(data['classes'], 6)}"
    facts: Facts = [("data", f"{size(data)}{classes}")]
    seed = "" if run["seed"] is None else f", seed {run['seed']}"
    facts.append(("learnt by", f"{run['rule']}, {run['readout']} readout, {run['order']} order{seed}"))
    facts += [("epochs", run["epochs"]), ("updates", run["updates"])]
    first, last = run["mistakes"]["first_epoch"], run["mistakes"]["last_epoch"]
    facts += [("mistakes in the first epoch", first)] * (first is not None)
    facts += [("mistakes in the last epoch", last)] * (last is not None)
    said = " ".join(against(run["bound"])).removeprefix("Against the theorem: ")
    facts += [("against the theorem", said)] * bool(said)
    facts += [("next", run["advice"])] * bool(run["advice"])
    return card(f"{run['status'].capitalize()}: {run['reason']}.", facts)


def model_card(model: Entry) -> str:
    """What a model is, how it was learnt, its largest weights."""
    facts: Facts = [
        ("features", f"{model['columns']}, {'named' if model['named'] else 'without names'}"),
        ("classes", listed([word(one) for one in model["classes"]])),
        ("ended", f"{model['status']}: {model['reason']}"),
    ]
    for key, name in (("epochs", "epochs"), ("updates", "updates"), ("last_mistakes", "mistakes in the last epoch")):
        facts += [(name, model[key])] * (model[key] is not None)
    for key, name in (("margin", "margin"), ("margin_upper_bound", "none above")):
        if isinstance(value := model["facts"].get(key), list):
            facts.append((f"{name}, class by class", listed([number(one, 4) for one in value])))
        elif isinstance(value, float):
            facts.append((name, number(value)))
    if model["votes"]:
        facts.append(("weights", "it predicts by a vote of all its hyperplanes"))
    choice = model.get("choice")
    facts += [] if choice is None else _choice(choice)
    outputs, one = model["outputs"], len(model["outputs"]) == 1
    tables = [_output(output, one) for output in outputs[: _SHOWN if not one else 1]]
    tried = None if choice is None else choice_table(choice)
    return card(f"Model: {model['kind']}", facts, tried, *tables)


def choice_card(choice: Entry) -> str:
    """Which candidates were tried, which one was chosen, and by how much."""
    return card(choice_words.headline(choice), _choice(choice), choice_table(choice))


def _choice(choice: Entry) -> Facts:
    chosen = choice_words.chosen_of(choice)
    facts: Facts = [("chosen", f"{chosen['name']}, {plural(chosen['epochs'], 'epoch')}")]
    if not choice["held_out"]:
        return [*facts, ("judged by", f"nothing: {plural(choice['rows'], 'row')} are too few to choose by")]
    folds = f", in {choice['folds']} folds" if choice["folds"] > 1 else ""
    facts.append(("rows held out", f"{choice['held_out']}{folds}"))
    facts.append(("of them right", percent(chosen["accuracy"]) + by_weight(choice)))
    facts.append(("the most common class", percent(choice["most_common"]) + by_weight(choice)))
    if choice["lead"] is not None:
        facts.append(("ahead of the next by", choice_words.lead(choice)))
    return facts


def _output(output: Entry, one: bool) -> Listing:
    about = "Weights, the largest first" if one else f"Largest weights of class {label(output['class'])}"
    return weights_table(output, _SHOWN if one else 5, about)


def audit_card(audit: Entry) -> str:
    """Where a run stands against each law."""
    facts: Facts = [("augmented margin", number(audit["margin"])), ("radius", number(audit["radius"]))]
    return card(laws_words.audit_headline(audit), facts, laws_table(audit["laws"]))


def bounds_card(bounds: Entry) -> str:
    """A run beside every bound that a hyperplane gives."""
    facts: Facts = [("augmented margin", number(bounds["margin"])), ("radius", number(bounds["radius"]))]
    return card(laws_words.headline(bounds), facts, laws_table(bounds["laws"]))


def bracket_card(bracket: Entry) -> str:
    """What a run alone proves about the best margin of its rows."""
    facts: Facts = [("at least", number(bracket["lower"])), ("at most", number(bracket["upper"]))]
    facts.append(("the best of its readouts", bracket["readout"]))
    some = bracket["witness"][:_SHOWN] if bracket["witness"] else []
    rows = [[entry["row"], number(entry["multiplier"])] for entry in some]
    hidden = (bracket["witness_rows"] or 0) - len(rows)
    witness = Listing("Rows that show the upper bound", ["row (from 0)", "multiplier"], rows, hidden)
    return card(laws_words.bracket_headline(bracket), facts, witness)


def network_card(network: Entry) -> str:
    """An OR of ANDs: its formula and its units."""
    least = "the fewest" if network["minimal"] else f"at least {network['at_least']} are needed"
    units = network["hidden"]
    facts: Facts = [
        ("formula", network["formula"]),
        ("inputs", f"{network['inputs']}, coded {network['coding']}"),
        ("hidden units", f"{len(units)}, {least}"),
        ("output offset", number(network["output"]["offset"])),
    ]
    rows = [
        [at + 1, one["implicant"], " ".join(number(w) for w in one["weights"]), number(one["offset"])]
        for at, one in enumerate(units[:_SHOWN])
    ]
    hidden = Listing("Hidden units", ["unit", "implicant", "weights", "offset"], rows, len(units) - len(rows))
    return card("Network: an OR of ANDs, each unit a perceptron.", facts, hidden)


def _data(data: Entry, asked: Entry | None = None) -> Facts:
    facts: Facts = [("data", f"{size(data)}; {sides(data)}")]
    if asked is not None and asked["through_origin"]:
        facts.append(("asked for", "hyperplanes through the origin only"))
    facts += [("coding", " ".join(said))] if (said := coding_sentences(data)) else []
    return facts


def _seconds(result: Entry) -> tuple[str, str]:
    return "seconds", number(result["seconds"], 3)
