"""Predictions: how many, and where the file has labels, how many are right and what was taken for what."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .data import size
from .evaluation import evaluation_text
from .text import paragraph, word

_SHOWN = 12


def predictions_text(report: Mapping[str, Any]) -> list[str]:
    """The predictions themselves, a line each."""
    return [str(one) for one in report["predictions"] or []]


def summary_text(report: Mapping[str, Any]) -> list[str]:
    """How many are right; else how many of each class were predicted."""
    known = report["evaluation"]
    lines = evaluation_text(known)
    if known is None or known["disjoint"]:
        some = ", ".join(f"{word(one['label'])} {one['rows']}" for one in report["predicted"][:_SHOWN])
        count = plural(report["data"]["rows"], "row")
        none = " There are no labels to compare with." if known is None else ""
        lines += paragraph(f"{count} predicted: {some}.{none}")
    lines += [
        *([""] if known else []),
        *paragraph(f"{report['data']['name']}: {size(report['data'])}; model {report['model']}."),
    ]
    if report["output"] is not None:
        lines += [f"Written: {report['output']}"]
    return lines
