"""Predictions: how many, and where the file has labels, how many are right and what was taken for what."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .data import size
from .text import paragraph, table, word

_SHOWN = 12


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
