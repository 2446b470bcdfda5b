"""A finished training: how good it is beside a guess, what to do next; then how it ended, and the theorem's bound."""

from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .choice import choice_text, chosen_of
from .data import coding_text, labels_listed, size
from .evaluation import evaluation_details, headline, short
from .text import answered, number, paragraph, percent, word
from .trace import MOST_ROUNDS, trace_text

_LONG_LOG = 10**6  # updates whose log takes memory to speak of

Report = Mapping[str, Any]


def training_text(report: Report, verbose: bool = False) -> list[str]:
    """How good it is, how it ended, and what to do next; then the figures. `verbose`: what the theorem says, too."""
    classes, evaluation = report["data"]["classes"], report.get("evaluation")
    good = [headline(evaluation)] if evaluation is not None else _on_training_rows(report)
    name = "" if report["data"]["name"] is None else f"{report['data']['name']}: "
    labels = "" if classes is None else f"; classes {labels_listed(classes, 6)}"
    head = [line for said in (*good, _end(report)) for line in paragraph(said)]
    head += paragraph(f"{name}{size(report['data'])}{labels}.") + coding_text(report["data"]) + _written(report)
    choice: Report | None = report.get("choice")
    judged = choice is not None and choice["held_out"] > 0
    table = choice_text(choice, learnt=report["status"] != "stopped") if choice is not None and judged else []
    trace, rounds = report.get("trace"), []
    if trace is not None and trace["rounds"] is not None:
        rounds = [*trace_text(trace, MOST_ROUNDS), *_rest(trace)]
    how = [*_how(report, judged), *_theorem(report, verbose)]
    return answered(head, report["next"], evaluation_details(evaluation), table, how, rounds)


def _on_training_rows(report: Report) -> list[str]:
    """How many of the rows it learnt from are right, beside a guess; nothing of a vote, which takes long to count."""
    wrong, classes, rows = report["predicted_wrong"], report["data"]["classes"], report["data"]["rows"]
    passed = wrong["training"] is None and report["readout"] != "voted"  # rows that came once, and have gone
    known = wrong["first_epoch" if passed else "training"]
    if known is None or wrong["most_common"] is None or classes is None:
        return []
    common = short(max(classes["listed"], key=lambda one: one["rows"])["label"])
    right, guess = percent(1 - known / rows), percent(1 - wrong["most_common"] / rows)
    said = f"{right} of the {plural(rows, 'training row')} right"
    if passed:
        said = f"{right} of the {plural(rows, 'row')} right, each predicted before it was learnt"
    if wrong["beats_most_common"] is False:
        return [f"{said}, no better than always answering {common} ({guess})."]
    return [f"{said}; always answering {common} gets {guess}."]


def _end(report: Report) -> str:
    """Why it ended, and what that means; of a choice, what was chosen."""
    choice = report.get("choice")
    if report["status"] == "chosen" and choice is not None and choice["held_out"]:
        chosen = chosen_of(choice)
        said = f"Chosen of {len(choice['candidates'])}: {chosen['name']}, {plural(chosen['epochs'], 'epoch')}"
    else:
        said = f"{report['status'].capitalize()}: {report['reason']}"
    return f"{said}; {report['advice']}." if report["advice"] else f"{said}."


def _written(report: Report) -> list[str]:
    lines, trace = [], report.get("trace")
    if report["model"] is not None:
        held_out = (report.get("evaluation") or {}).get("by") in ("holdout", "folds")
        lines += paragraph(f"Written: {report['model']}{', which has learnt from all rows' * held_out}")
    if trace is not None and trace["file"] is not None:
        whole = f"to {trace['total']} of" in trace["file_rounds"]
        more = "" if whole else f"; --trace-rounds {trace['total']} writes all"
        lines += paragraph(f"Written: {trace['file']} ({trace['file_rounds']}{more})")
    return lines


def _how(report: Report, judged: bool) -> list[str]:
    """By what it learnt, how long, and what it gets wrong of the rows it knows."""
    scale = "" if report["scale"] == "none" else f", scale {report['scale']}"
    seed = "" if report["seed"] is None else f", seed {report['seed']}"
    start = "" if report["start"] == "zero" else f", start {word(report['start'])}"
    what = f"{report['rule']}, {report['readout']} readout, {report['order']} order{scale}{start}{seed}"
    took = "" if report["seconds"] is None else f", {report['seconds']:.2f} s{' in all' * judged}"
    lines = paragraph(
        f"Learnt by {what}: {plural(report['epochs'], 'epoch')}, {plural(report['updates'], 'update')}{took}."
    )
    wrong, rows = report["predicted_wrong"]["training"], report["data"]["rows"]
    if report.get("evaluation") is not None and wrong is not None:
        lines += paragraph(f"{wrong} of {plural(rows, 'training row')} {_are(wrong)} predicted wrong.")
    return lines


def _theorem(report: Report, verbose: bool) -> list[str]:
    """What the mistakes of the run say, and the bound on them: by default only a bound that the run has met."""
    bound, first, rows = report["bound"], report["predicted_wrong"]["first_epoch"], report["data"]["rows"]
    if not verbose:
        return against(bound) if bound is not None and bound["most_updates"] is not None else []
    lines = []
    if first is not None:
        lines += paragraph(
            f"In the first epoch, {first} of {plural(rows, 'row')} {'was' if first == 1 else 'were'} predicted wrong"
            f" before {'it was' if first == 1 else 'they were'} learnt ({percent(first / rows)})"
            f"{_to_expect(report)}."
        )
    return lines + against(bound)


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
    count, mixed = plural(bound["updates"], "update"), bound.get("mixed")
    these, all_ = "", "all updates"
    if mixed is not None:  # the theorem of mixing speaks of Σ μ·k over shards and epochs
        how = f"which mixed ({mixed['by']}) count {number(mixed['updates'], 6)}"
        count += f" on {plural(mixed['shards'], 'shard')}, {how}"
        these, all_ = " such", "mixed updates"
    of = " of the scaled rows" if bound["scaled"] else ""
    if bound["most_updates"] is not None:
        return paragraph(
            f"Against the theorem: {count}; at most (R'/margin)^2 = {bound['most_updates']}{these} were possible, with"
            f" R' = {number(bound['radius'], 4)} and the margin {number(bound['margin'], 4)}{of} that the last weights"
            " reach."
        )
    if bound["margin_upper"]:
        whose = "the margin of the scaled ones" if bound["scaled"] else "their margin"
        upper, least = number(bound["margin_upper"], 3), number(bound["least_bound"], 3)
        return paragraph(
            f"Against the theorem: {count}. If the rows are separable, {whose} (with the offset's column) is at"
            f" most {upper}, and the bound on {all_} no less than {least}."
        )
    return []
