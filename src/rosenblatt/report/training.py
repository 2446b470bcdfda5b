"""A finished training: how it ended, how good it is, its mistakes against the theorem's bound."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .choice import choice_text
from .data import labels_listed, size
from .evaluation import evaluation_text
from .text import advice, number, paragraph, word
from .trace import MOST_ROUNDS, trace_text

_LONG_LOG = 10**6  # updates whose log takes memory to speak of


def training_text(report: Mapping[str, Any]) -> list[str]:
    """How it ended first; then what it learnt from, how well it does, and what to do next."""
    classes = report["data"]["classes"]
    lines = paragraph(f"{report['status'].capitalize()}: {report['reason']}.")
    name = "" if report["data"]["name"] is None else f"{report['data']['name']}: "
    labels = "" if classes is None else f"; classes {labels_listed(classes, 6)}"
    lines += paragraph(f"{name}{size(report['data'])}{labels}.")
    if (known := report.get("evaluation")) is not None:
        lines += ["", *evaluation_text(known)]
    choice: Mapping[str, Any] | None = report.get("choice")
    judged = choice is not None and choice["held_out"] > 0
    if choice is not None and judged:
        lines += ["", *choice_text(choice, learnt=report["status"] != "stopped")]
    lines += [""]
    scale = "" if report["scale"] == "none" else f", scale {report['scale']}"
    seed = "" if report["seed"] is None else f", seed {report['seed']}"
    start = "" if report["start"] == "zero" else f", start {word(report['start'])}"
    what = f"{report['rule']}, {report['readout']} readout, {report['order']} order{scale}{start}{seed}"
    took = "" if report["seconds"] is None else f", {report['seconds']:.2f} s{' in all' * judged}"
    lines += paragraph(
        f"Learnt by {what}: {plural(report['epochs'], 'epoch')}, {plural(report['updates'], 'update')}{took}."
    )
    first, rows = report["predicted_wrong"]["first_epoch"], report["data"]["rows"]
    if first is not None and not judged:  # rows held out say more
        lines += paragraph(
            f"In the first epoch, {first} of {plural(rows, 'row')} {'was' if first == 1 else 'were'} predicted wrong"
            f" before {'it was' if first == 1 else 'they were'} learnt ({first / rows:.2%})"
            f"{_to_expect(report)}."
        )
    wrong = report["predicted_wrong"]
    if wrong["beats_most_common"] is False:
        lines += paragraph(
            f"No better than a guess: {wrong['training']} of {plural(rows, 'training row')} are predicted wrong, and"
            f" {wrong['most_common']} would be if all were taken for the most common class."
        )
    elif choice is not None and wrong["training"] is not None:
        lines += paragraph(
            f"{wrong['training']} of {plural(rows, 'training row')} {_are(wrong['training'])} predicted wrong;"
            f" {wrong['most_common']} would be if all were taken for the most common class."
        )
    lines += against(report["bound"]) if choice is None else []
    if report["advice"]:
        lines += paragraph(f"{report['advice'][:1].upper()}{report['advice'][1:]}.")
    if (trace := report.get("trace")) is not None and trace["rounds"] is not None:
        lines += ["", *trace_text(trace, MOST_ROUNDS), *_rest(trace)]
    if report["model"] is not None:
        lines += ["", f"Written: {report['model']}"]
    if trace is not None and trace["file"] is not None:
        whole = f"to {trace['total']} of" in trace["file_rounds"]
        more = "" if whole else f"; --trace-rounds {trace['total']} writes all"
        lines += paragraph(f"Written: {trace['file']} ({trace['file_rounds']}{more})")
    return lines + advice(report["next"])


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _rest(trace: Mapping[str, Any]) -> list[str]:
    """How to get what is not shown, and what the log of a long run took."""
    total, said = trace["total"], ""
    if trace["file"] is None and total > MOST_ROUNDS + len(trace["end"]):
        said = f"--trace-file rounds.csv --trace-rounds {total} writes all {total} rounds. "
    if trace["updates"] >= _LONG_LOG:
        said += f"The log of {trace['updates']} updates took {trace['updates'] * 40 / 1e6:.0f} MB."
    return paragraph(said)


def _to_expect(report: Mapping[str, Any]) -> str:
    """What the share predicted wrong says of new rows, where there are enough rows to say so."""
    if not report["predicted_wrong"]["tells_of_new_rows"]:
        return ""
    sorted_perhaps = ", if those of the file come in no particular order" if report["order"] != "shuffled" else ""
    return f": about what to expect of new rows after one pass, or better{sorted_perhaps}"


def against(bound: Mapping[str, Any] | None) -> list[str]:
    """The updates beside the theorem's bound."""
    if bound is None:
        return []
    count = plural(bound["updates"], "update")
    of = " of the scaled rows" if bound["scaled"] else ""
    if bound["most_updates"] is not None:
        return paragraph(
            f"Against the theorem: {count}; at most (R'/margin)^2 = {bound['most_updates']} were possible, with R' ="
            f" {number(bound['radius'], 4)} and the margin {number(bound['margin'], 4)}{of} that the last weights"
            " reach."
        )
    if bound["margin_upper"]:
        whose = "the margin of the scaled ones" if bound["scaled"] else "their margin"
        upper, least = number(bound["margin_upper"], 3), number(bound["least_bound"], 3)
        return paragraph(
            f"Against the theorem: {count}. If the rows are separable, {whose} (with the offset's column) is at"
            f" most {upper}, and the bound on all updates no less than {least}."
        )
    return []
