"""The best linear model: how good it is beside a guess, what was tried, and by how much the chosen one leads."""

from ...errors import plural
from .. import choice as choice_words
from .. import evaluation
from ..html import Listing
from ..html_tables import choice_table
from ..text import percent
from .elements import Report, Section, facts, paragraphs, table


def choice(report: Report) -> Section | None:
    """What people ask first: how many rows that were not learnt from does a linear model get right?"""
    known, best = report["choice"], report["best"]
    if known is None:
        return None
    said = choice_words.headline(known)
    learnt = ""
    if best is not None:
        wrong = f"{plural(best['wrong'], 'row')} wrong ({percent(best['share'])})"
        learnt = f"Learnt again on all rows it gets {wrong}"
        learnt += f"; it is in {best['file']}." if best["file"] else "."
    if not known["held_out"]:
        return Section("choice", "The best linear model", paragraphs(said, learnt))
    lead = paragraphs(said, choice_words.judged(known))
    rest = _evaluated(report.get("evaluation")) + table(choice_table(known))
    rest += paragraphs(f"{_whose(known)} {learnt}".strip())
    return Section("choice", "The best linear model", lead, rest)


def _evaluated(known: Report | None) -> str:
    """How well it does on the rows held out: the baseline first, each class, and what was taken for what."""
    if known is None:
        return ""
    rows, more = evaluation.class_rows(known)
    each = Listing("The classes, on the rows held out", evaluation.CLASS_HEAD, rows, 0)
    if known["n_classes"] <= evaluation.SQUARE:
        head, counts = evaluation.square(known)
        confusion, rest = Listing("Label (down) and prediction (across)", head, counts, 0), ""
    else:
        errors, rest = evaluation.errors(known)
        confusion = Listing("The most frequent errors", evaluation.ERROR_HEAD, errors, 0)
    parts = facts(evaluation.figures(known)), table(each), paragraphs(more), table(confusion), paragraphs(rest)
    return "".join(parts)


def _whose(known: Report) -> str:
    """What a row held out is, for those who wonder."""
    if known["folds"] > 1:
        once = f"Each row was held out once, in one of {known['folds']} folds, and predicted by what the others taught."
        return f"{once} {_BEST_OF}"
    return f"The rows held out taught no candidate anything. {_BEST_OF}"


_BEST_OF = "The accuracy of the chosen one is the best of several on the same rows, so new rows may be a little harder."
