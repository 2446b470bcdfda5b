"""A model: what it is, how it was learnt and from what, and its largest weights by name."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .choice import choice_text
from .text import advice, listed, number, paragraph, word
from .vote import vote_text
from .weights import weights_text
from .words import PARAMETERS

_OPTIONS = {estimators: option.replace("-", "_") for estimators, option in PARAMETERS.values()}
"""What the command line calls a parameter of an estimator."""
_SAID_ELSEWHERE = ("shuffle", "fit_intercept")  # by order and offset
_FORMS = {"model": "a model", "json": "a model in JSON", "liblinear": "a model of LIBLINEAR"}


def model_text(report: Mapping[str, Any]) -> list[str]:
    """What it is, how it ended, its weights, where it comes from."""
    named = "named" if report["named"] else "without names"
    what = f"{_form(report)} ({report['kind']}), {plural(report['columns'], 'feature')} {named}"
    what = f"{what}, {len(report['classes'])} classes."
    lines = paragraph(what[:1].upper() + what[1:] if report["name"] is None else f"{report['name']}: {what}")
    classes = [word(label) for label in report["classes"]]
    if len(classes) == 2:
        lines += paragraph(f"A score above 0 predicts {classes[1]}, any other {classes[0]}.")
    else:
        lines += paragraph(f"Classes: {listed(classes, 20)}; the largest score is predicted.")
    ended = f"{report['status']}: {report['reason']}"
    lines += ["", *paragraph(f"{ended}; {report['advice']}." if report["advice"] else f"{ended}.")]
    if report["epochs"] is not None:
        last = report["last_mistakes"]
        mistakes = "" if last is None else f", {plural(last, 'mistake')} in the last epoch"
        mixed = report.get("mixed")
        where = "" if mixed is None else f" on {plural(mixed['shards'], 'shard')}, mixed ({word(mixed['by'])})"
        epochs, updates = plural(report["epochs"], "epoch"), plural(report["updates"], "update")
        lines += paragraph(f"{epochs}{where}, {updates}{mistakes}.")
    lines += _facts(report["facts"])
    if (choice := report.get("choice")) is not None and choice["held_out"]:
        lines += ["", *choice_text(choice, learnt=report["status"] != "stopped")]
    lines += ["", *_weights(report)]
    return [*lines, *_provenance(report), *advice(report["next"])]


def _form(report: Mapping[str, Any]) -> str:
    return "a checkpoint, a model to go on from" if report["status"] == "stopped" else _FORMS[report["form"]]


def _facts(facts: Mapping[str, Any]) -> list[str]:
    margin, upper = facts.get("margin"), facts.get("margin_upper_bound")
    if isinstance(margin, float):
        best = f"; no hyperplane has one above {number(upper)}" if isinstance(upper, float) else ""
        return paragraph(f"Margin on the rows it learnt from: {number(margin)}{best}.")
    if isinstance(margin, list):
        return paragraph(f"Margins, class by class: {listed([number(one, 4) for one in margin])}.")
    return []


def _weights(report: Mapping[str, Any]) -> list[str]:
    outputs = report["outputs"]
    if report["votes"]:
        return vote_text(report["vote"], report["columns"])
    if len(outputs) == 1:
        return weights_text(outputs[0], most=len(outputs[0]["largest"]))
    lines = ["Largest weights of each class:"]
    for output in outputs[:20]:
        some = [f"{word(one['name'])} {one['weight']:+.3g}" for one in output["largest"][:5] if one["weight"]]
        said = f"{word(output['class'])}: {', '.join(some)}; offset {output['offset']:+.3g}"
        lines += paragraph(said, indent=2, hanging=4)
    hidden = len(report["classes"]) - min(len(outputs), 20)
    return [*lines, *([f"  … and {hidden} more classes"] if hidden > 0 else [])]


def _provenance(report: Mapping[str, Any]) -> list[str]:
    lines = []
    for title, part in (("Made with", report["parameters"]), ("Learnt from", report["provenance"])):
        flat: dict[str, Any] = {}
        for key, value in part.items():
            if key not in _SAID_ELSEWHERE:
                flat |= value if isinstance(value, dict) else {_OPTIONS.get(key, key): value}
        said = [f"{key} {word(value)}" for key, value in flat.items() if value not in (None, [], {}, "")]
        if said:
            lines += ["", *paragraph(f"{title}: {'; '.join(said)}.", hanging=2)]
    return lines
