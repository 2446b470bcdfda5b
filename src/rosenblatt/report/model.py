"""A model: what it is, how it was learnt and from what, and its largest weights by name."""

import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import plural
from .data import plain
from .text import advice, listed, number, paragraph, word
from .weights import weights_text
from .words import ESTIMATORS_NAMES, OPTIONS_NAMES

if TYPE_CHECKING:
    from ..models.model import Model

MOST_OUTPUTS = 50  # whose weights are listed
_OPTIONS = {theirs: OPTIONS_NAMES.get(name, name) for name, theirs in ESTIMATORS_NAMES.items()}
"""What the command line calls a parameter of an estimator."""
_SAID_ELSEWHERE = ("shuffle", "fit_intercept")  # by order and offset
_FORMS = {"model": "a model", "json": "a model in JSON", "liblinear": "a model of LIBLINEAR"}


def model_report(model: "Model", form: str, most: int) -> dict[str, Any]:
    """What is known of a model, with at most so many weights of each output."""
    from ..data.hyperplane import weights_listed

    classes, names = model.classes.tolist(), model.feature_names
    first = 1 if form == "liblinear" else _base(model)
    outputs = []
    for k in range(0 if model.vote is not None else min(model.offsets.size, MOST_OUTPUTS)):
        weights = weights_listed(model.weights[:, k], model.offsets[k], names, most, first)
        outputs.append({"class": plain(classes[1] if model.offsets.size == 1 else classes[k]), **weights})
    state, history, end = model.state, model.history, model.status.facing("command")
    return {
        "form": form,
        "kind": model.kind,
        "columns": int(model.weights.shape[0]),
        "named": names is not None,
        "classes": classes,
        "status": model.status.name,
        "reason": end.reason,
        "advice": end.advice,
        "epochs": None if state is None else state.epoch,
        "updates": None if state is None else state.updates,
        "last_mistakes": int(history.mistakes[-1]) if history is not None and len(history) else None,
        "goes_on": state is not None,
        "votes": None if model.vote is None else True,
        "outputs": outputs,
        "parameters": {
            name: "given" if name == "order" and getattr(value, "ndim", 0) != 0 else _plain(value)
            for name, value in model.parameters.items()
        },
        "facts": {name: _plain(value) for name, value in model.facts.items()},
        "provenance": {name: _unpacked(value) for name, value in model.provenance.items()},
    }


def _base(model: "Model") -> int:
    """The number of the first feature in the file it was learnt from."""
    for value in model.provenance.values():
        reading = _unpacked(value)
        if isinstance(reading, dict) and reading.get("base") in (0, 1):
            return int(reading["base"])
    return 0


def _unpacked(value: Any) -> Any:
    """A value of the provenance; one that is a JSON object in a text, as that."""
    if isinstance(value, str) and value[:1] == "{":
        try:
            return json.loads(value, parse_constant=lambda name: name)
        except ValueError:
            pass
    return _plain(value)


def _plain(value: Any) -> Any:
    value = plain(value) if getattr(value, "ndim", 0) == 0 else value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def model_text(report: Mapping[str, Any]) -> list[str]:
    """What it is, how it ended, its weights, where it comes from."""
    named = "named" if report["named"] else "without names"
    lines = paragraph(
        f"{report['name']}: {_form(report)} ({report['kind']}), {plural(report['columns'], 'feature')} {named}"
        f", {len(report['classes'])} classes."
    )
    classes = [word(label) for label in report["classes"]]
    if len(classes) == 2:
        lines += paragraph(f"A score above 0 predicts {classes[1]}, any other {classes[0]}.")
    else:
        lines += paragraph(f"Classes: {listed(classes, 20)}; the largest score is predicted.")
    lines += ["", *paragraph(f"{report['status']}: {report['reason']}; {report['advice']}.")]
    if report["epochs"] is not None:
        last = report["last_mistakes"]
        mistakes = "" if last is None else f", {plural(last, 'mistake')} in the last epoch"
        lines += paragraph(f"{plural(report['epochs'], 'epoch')}, {plural(report['updates'], 'update')}{mistakes}.")
    lines += _facts(report["facts"])
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
        return paragraph("It predicts by a vote of all its hyperplanes, so it has no weights to show.")
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
