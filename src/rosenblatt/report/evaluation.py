"""An evaluation: the baseline first, then the accuracy with its interval; each class; what was taken for what."""

import math
from collections.abc import Mapping
from typing import Any

from ..errors import plural
from .text import WIDTH, clean, listed, paragraph, percent, table, word

_SHOWN = 12  # classes, or confusions, of many
SQUARE = 8  # classes whose confusion is a square
_LETTERS, _IN_TABLE = 28, 40  # of a label in a sentence, and in a table

Known = Mapping[str, Any]

BASELINE_OF = {"training": "the most common class of the training rows", "labelled": "the most common class here"}


def evaluation_text(known: Known | None) -> list[str]:
    """All of it."""
    if known is None:
        return []
    if known["disjoint"]:
        return paragraph(no_class_in_common(known))
    return [*paragraph(headline(known)), *evaluation_details(known)]


def evaluation_details(known: Known | None) -> list[str]:
    """All below the headline; of rows that the choice was made by only the figures, for they are a little too good."""
    if known is None or known["disjoint"]:
        return []
    if known["by"] == "choosing":
        return [*figures_text(known), *paragraph(OPTIMISTIC)]
    return [*figures_text(known), "", *class_text(known), "", *confusion_text(known)]


OPTIMISTIC = "These rows chose the model as well, so expect a little less of new rows."


def headline(known: Known) -> str:
    """Whether it is worth anything: how many are right, beside always giving the same answer.

    >>> known = {"accuracy": 0.782, "rows": 500, "by": "holdout", "beside_baseline": "no-better", "name": None,
    ...          "baseline": {"label": 0, "accuracy": 0.784}, "folds": None}
    >>> headline(known)
    '78.20% right (500 rows held out), no better than always answering 0 (78.40%).'
    """
    if known.get("disjoint"):
        return no_class_in_common(known)
    right, guess = percent(known["accuracy"]), percent(known["baseline"]["accuracy"])
    same, verdict = f"always answering {short(known['baseline']['label'])}", known["beside_baseline"]
    said = f"{right} right ({_which(known)})"
    if verdict == "better":
        return f"{said}; {same} gets {guess}."
    if verdict == "chance":
        return f"{said}, better than {same} ({guess}) by no more than chance."
    return f"{said}, {'worse' if verdict == 'worse' else 'no better'} than {same} ({guess})."


def _which(known: Known) -> str:
    rows, by = plural(known["rows"], "row"), known["by"]
    if known["folds"] is not None:
        return f"{rows}, each held out once in {len(known['folds']['accuracies'])} folds"
    if by in ("holdout", "choosing"):
        return f"{rows} held out"
    if by == "training":
        return f"{rows}, those it learnt from"
    return f"{rows} of {clean(known['name']).rpartition('/')[2]}" if by == "test" else rows


def figures(known: Known) -> list[tuple[str, str]]:
    """What is known of it, by name; the baseline first."""
    base, ends = known["baseline"], known["interval"]
    of = f"{known['right']:,} of {known['rows']:,}; "
    interval = f"{percent(ends['low'])} to {percent(ends['high'])} ({ends['kind']})"
    found = [
        ("baseline", f"{percent(base['accuracy'])}, {BASELINE_OF[base['of']]}"),
        ("accuracy", f"{percent(known['accuracy'])}, {of}{interval}"),
    ]
    if (folds := known["folds"]) is not None and known["by"] == "folds":
        said, spread = percent(folds["mean"]), folds["spread"]
        if spread is not None:
            said += f" ± {100 * spread:.2f} points, mean and standard deviation"
        found.append(("by fold", said))
    found.append(("balanced accuracy", f"{percent(known['balanced_accuracy'])}, the mean recall of the classes"))
    found.append(("macro F1", percent(known["macro_f1"])))
    if known["auc"] is not None:
        found.append(("ROC AUC", area(known["auc"], known["auc_error"])))
    elif known["auc_why"] == "rows of one class only":
        found.append(("ROC AUC", "none: rows of one class only"))
    return found


def area(auc: float, error: float) -> str:
    """The area under the ROC curve, and how far it may be off, rounded up, where not all scores were compared.

    >>> area(0.93127, 0.0), area(0.931274, 0.0000611)
    ('0.9313', '0.93127 ± 0.00007, by bins of scores')
    """
    if not error:
        return f"{auc:.4f}"
    digits = min(6, max(4, math.ceil(-math.log10(error))))
    return f"{auc:.{digits}f} ± {math.ceil(error * 10**digits) / 10**digits:.{digits}f}, by bins of scores"


def figures_text(known: Known) -> list[str]:
    """The same, a line each."""
    pairs = figures(known)
    width = max(len(name) for name, _ in pairs)
    return [line for name, value in pairs for line in paragraph(f"{name:<{width}}  {value}", 2, width + 2)]


def class_rows(known: Known) -> tuple[list[list[str]], str]:
    """Precision, recall, F1 and rows of each class; of many the worst, and a line on the rest."""
    listed, more = list(known["classes"]), ""
    if len(listed) > _SHOWN:
        listed = sorted(listed, key=lambda one: (one["f1"], -one["rows"]))
        rest = listed[_SHOWN:]
        more = f"and {known['n_classes'] - _SHOWN} more, of F1 {percent(rest[0]['f1'])} or better"
    rows = [
        [
            short(one["label"], _IN_TABLE),
            *(percent(one[name]) for name in ("precision", "recall", "f1")),
            f"{one['rows']:,}",
        ]
        for one in listed[:_SHOWN]
    ]
    return rows, more


CLASS_HEAD = ("class", "precision", "recall", "F1", "rows")


def class_text(known: Known) -> list[str]:
    """A table of the classes."""
    rows, more = class_rows(known)
    return [*table(CLASS_HEAD, rows), *([f"  {more}"] if more else [])]


def confusion_text(known: Known) -> list[str]:
    """Few classes: all counts, labels down and predictions across. Many: the most frequent errors."""
    if known["n_classes"] <= SQUARE:
        head, rows = square(known)
        width = 2 + sum(2 + max(len(str(row[j])) for row in [head, *rows]) for j in range(len(head))) - 2
        if width > WIDTH:  # names across would be cut beyond knowing: numbers stand for them
            head = ["", *(str(j + 1) for j in range(len(rows)))]
            rows = [[f"{i + 1} {row[0]}", *row[1:]] for i, row in enumerate(rows)]
        return ["Label (down) and prediction (across):", *table(head, rows)]
    rows, more = errors(known)
    if not rows:
        return ["Every prediction is right."]
    return ["The most frequent errors:", *table(ERROR_HEAD, rows), *([f"  {more}"] if more else [])]


def square(known: Known) -> tuple[list[str], list[list[str]]]:
    """Labels down, predictions across."""
    names = [one["label"] for one in known["classes"]]
    counts = {(one["label"], one["predicted"]): one["rows"] for one in known["confusion"]}
    rows = [[short(a, _IN_TABLE), *(f"{counts.get((a, b), 0):,}" for b in names)] for a in names]
    return ["", *(short(name) for name in names)], rows


ERROR_HEAD = ("label", "taken for", "rows", "of its rows")


def errors(known: Known) -> tuple[list[list[str]], str]:
    """The most frequent confusions, and a line on the rest."""
    own = {one["label"]: one["rows"] for one in known["classes"]}
    found = [one for one in known["confusion"] if one["label"] != one["predicted"]]
    rows = []
    for one in found[:_SHOWN]:
        share = percent(one["rows"] / own[one["label"]]) if own.get(one["label"]) else "–"
        rows.append([short(one["label"]), short(one["predicted"]), f"{one['rows']:,}", share])
    rest = found[_SHOWN:]
    wrong = sum(one["rows"] for one in rest)
    return rows, f"and {wrong:,} more errors, {len(rest):,} kinds" if rest else ""


def no_class_in_common(known: Known) -> str:
    """Of labels that are none of the model's classes, nothing can be right."""
    unknown = listed([short(label) for label in known["unknown"]], 4)
    return (
        f"The labels here ({unknown}) are none of the model's classes, so none of {plural(known['rows'], 'row')} can be"
        " right: another label column?"
    )


def short(label: object, letters: int = _LETTERS) -> str:
    """A label in a sentence; of a long one the begin and the end, by which such labels differ.

    >>> short("the kingdom of animals, number 17")
    "'the kingdom o…, number 17'"
    """
    said = word(label)
    return said if len(said) <= letters else f"{said[: letters // 2]}…{said[-(letters // 2 - 2) :]}"
