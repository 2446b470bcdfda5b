"""A finished training: how it ended, how good it is, its mistakes against the theorem's bound."""

import math
from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .data import labels_listed, size
from .text import advice, number, paragraph, word


def is_worth_predicting_with(report: Mapping[str, Any]) -> bool:
    """Whether the model gets fewer of its own rows wrong than the most common class alone would."""
    wrong = report["predicted_wrong"]
    return wrong["training"] is None or bool(wrong["training"] < wrong["most_common"])


def training_text(report: Mapping[str, Any]) -> list[str]:
    """How it ended first; then what it learnt from, how well it does, and what to do next."""
    classes = report["data"]["classes"]
    lines = paragraph(f"{report['status'].capitalize()}: {report['reason']}.")
    lines += paragraph(f"{report['data']['name']}: {size(report['data'])}; classes {labels_listed(classes, 6)}.")
    lines += [""]
    seed = "" if report["seed"] is None else f", seed {report['seed']}"
    start = "" if report["start"] == "zero" else f", start {word(report['start'])}"
    what = f"{report['rule']}, {report['readout']} readout, {report['order']} order{start}{seed}"
    done = f"{plural(report['epochs'], 'epoch')}, {plural(report['updates'], 'update')}, {report['seconds']:.2f} s"
    lines += paragraph(f"Learnt by {what}: {done}.")
    first, rows = report["predicted_wrong"]["first_epoch"], report["data"]["rows"]
    if first is not None:
        lines += paragraph(
            f"In the first epoch, {first} of {plural(rows, 'row')} {'was' if first == 1 else 'were'} predicted wrong"
            f" before {'it was' if first == 1 else 'they were'} learnt ({first / rows:.2%})"
            f"{_to_expect(first, rows, report['order'])}."
        )
    if not is_worth_predicting_with(report):
        wrong = report["predicted_wrong"]
        lines += paragraph(
            f"No better than a guess: {wrong['training']} of {plural(rows, 'training row')} are predicted wrong, and"
            f" {wrong['most_common']} would be if all were taken for the most common class."
        )
    lines += _margins(report)
    if report["advice"]:
        lines += paragraph(f"{report['advice'][:1].upper()}{report['advice'][1:]}.")
    lines += ["", f"Written: {report['model']}"]
    return lines + advice(report["next"])


_NARROW = 0.05


def _to_expect(wrong: int, rows: int, order: str) -> str:
    """What the share predicted wrong says of new rows, where there are enough: ±5 points at 95% (Wilson 1927).

    Rows that come in no particular order are each new to the weights they meet, so the share estimates the mean error
    of the weights on the way.

    >>> _to_expect(50, 100, "shuffled"), _to_expect(193, 385, "shuffled")
    ('', ': about what to expect of new rows after one pass, or better')
    """
    z2 = 1.96**2
    width = math.sqrt(z2 * (wrong * (rows - wrong) / rows + z2 / 4)) / (rows + z2)
    if width > _NARROW:
        return ""
    sorted_perhaps = ", if those of the file come in no particular order" if order != "shuffled" else ""
    return f": about what to expect of new rows after one pass, or better{sorted_perhaps}"


def _margins(report: Mapping[str, Any]) -> list[str]:
    bound = report["bound"]
    if bound is None:
        return []
    count = plural(bound["updates"], "update")
    if bound["most_updates"] is not None:
        return paragraph(
            f"Against the theorem: {count}; at most (R'/margin)^2 = {bound['most_updates']} were possible, with R' ="
            f" {number(bound['radius'], 4)} and the margin {number(bound['margin'], 4)} that the last weights reach."
        )
    if bound["margin_upper"]:
        need = (bound["radius"] / bound["margin_upper"]) ** 2
        return paragraph(
            f"Against the theorem: {count}. If the rows are separable, their margin (with the offset's column) is at"
            f" most {number(bound['margin_upper'], 3)}, and the bound on all updates no less than {number(need, 3)}."
        )
    return []
