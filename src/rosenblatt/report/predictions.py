"""Predictions: how many, and where the file has labels, how many are right and what was taken for what."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import plural
from .data import data_report, plain, size
from .text import listed, paragraph, table, word

if TYPE_CHECKING:
    from ..files.sheet import Sheet
    from ..models.model import Model

_MOST_CLASSES = 100  # whose confusion is counted in full
_SHOWN = 12


def prediction_report(
    model: "Model", sheet: "Sheet", predicted: Any, notes: tuple[str, ...], path: str
) -> dict[str, Any]:
    """What was predicted, and how well, as far as that is known."""
    import numpy as np

    values, counts = np.unique(predicted, return_counts=True)
    found: dict[str, Any] = {
        "data": data_report(sheet),
        "model": path,
        "predicted": [
            {"label": plain(v), "rows": int(c)}
            for v, c in list(zip(values.tolist(), counts.tolist(), strict=True))[:_MOST_CLASSES]
        ],
        "notes": list(notes),
        "labelled": None,
    }
    if sheet.labels is not None:
        found["labelled"] = _confusion(sheet.labels, predicted)
        known = {str(label) for label in model.classes.tolist()}
        strange = [one for one in found["labelled"]["confusion"] if str(one["label"]) not in known]
        if strange:
            names = listed(sorted({word(one["label"]) for one in strange}), 5)
            rows = sum(one["rows"] for one in strange)
            found["notes"].append(f"the model has no class {names}: {plural(rows, 'row')} count as wrong")
    return found


def _confusion(labels: Any, predicted: Any) -> dict[str, Any]:
    """Right, wrong, and pairs (label, predicted) with their counts; labels of another type are compared as text."""
    import numpy as np

    numbers = all(part.dtype.kind in "iuf" for part in (labels, predicted))
    if not numbers and labels.dtype != predicted.dtype:
        labels, predicted = labels.astype(str), predicted.astype(str)
    right = int((labels == predicted).sum())
    classes, codes = np.unique(np.concatenate([labels, predicted]), return_inverse=True)
    n, K = labels.size, classes.size
    pairs, counts = np.unique(codes[:n].astype(np.int64) * K + codes[n:], return_counts=True)
    listed = [
        {"label": plain(classes[pair // K]), "predicted": plain(classes[pair % K]), "rows": int(count)}
        for pair, count in sorted(zip(pairs.tolist(), counts.tolist(), strict=True), key=lambda one: -one[1])
    ]
    return {"rows": n, "right": right, "accuracy": right / n, "confusion": listed[: _MOST_CLASSES**2]}


def predictions_text(report: Mapping[str, Any]) -> list[str]:
    """The predictions themselves, a line each."""
    return [str(one) for one in report["predictions"] or []]


def summary_text(report: Mapping[str, Any]) -> list[str]:
    """Accuracy and confusion; else how many of each class were predicted."""
    lines, known = [], report["labelled"]
    if known is None:
        some = ", ".join(f"{word(one['label'])} {one['rows']}" for one in report["predicted"][:_SHOWN])
        count = plural(report["data"]["rows"], "row")
        lines += paragraph(f"{count} predicted: {some}. There are no labels to compare with.")
    else:
        wrong = known["rows"] - known["right"]
        lines += paragraph(
            f"Accuracy {known['accuracy']:.2%}: {known['right']} of {plural(known['rows'], 'row')} right,"
            f" {wrong} wrong."
        )
    lines += paragraph(f"{report['data']['name']}: {size(report['data'])}; model {report['model']}.")
    if known is not None:
        lines += ["", *_matrix(known["confusion"])]
    if report["output"] is not None:
        lines += ["", f"Written: {report['output']}"]
    return lines


def _matrix(confusion: list[Mapping[str, Any]]) -> list[str]:
    """Few classes: all counts, labels down and predictions across. Many: the most frequent errors."""
    names = sorted({one[side] for one in confusion for side in ("label", "predicted")}, key=lambda v: (str(type(v)), v))
    if len(names) <= 8:
        counts = {(one["label"], one["predicted"]): one["rows"] for one in confusion}
        rows = [[word(a), *(counts.get((a, b), 0) for b in names)] for a in names]
        return ["Label (down) and prediction (across):", *table(["", *map(word, names)], rows)]
    errors = [one for one in confusion if one["label"] != one["predicted"]][:_SHOWN]
    rows = [[word(one["label"]), word(one["predicted"]), one["rows"]] for one in errors]
    return ["The most frequent errors:", *table(["label", "predicted", "rows"], rows)]
