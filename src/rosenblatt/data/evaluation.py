"""Evaluation: how well predictions do on rows whose labels are known, beside the one answer that needs no learning.

The baseline always answers the most common class. Whether the predictions are better than that is asked of the rows
where just one of the two is right (chances.py). Everything is made of counts, whatever the number of classes (tally.py
counts). Every row counts once: weights of rows and of classes are a device of learning, and change no figure here.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .chances import sign_test, wilson

MOST_CLASSES, MOST_PAIRS = 1000, 10_000  # that are listed

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Labels beside predictions.

    names
        Every label that a row has or was given, sorted.
    rows, predicted, right
        Of each of them: the rows that have it, those that were given it, those where both agree.
    pairs
        (label, predicted, rows), the most frequent first.
    baseline_label, baseline_of, baseline_right
        The label of the most common class, of which rows it is so ("training" or "labelled"), and how many have it.
    only_right, only_baseline
        Rows where the predictions alone, and where the baseline alone are right.
    auc, auc_error, auc_why
        The share of pairs of rows, one of each class, of which the score of the positive is the larger one; ties count
        half. How far that may be off, at most: 0 where all scores were compared. None unless there are two classes, and
        rows of both: then why there is none.
    unknown
        Labels that the model has no class for; their rows count as wrong.
    folds
        The accuracy in each fold, where rows were held out in folds.
    n_rows
        How many rows.
    """

    names: list[Any]
    rows: Counts
    predicted: Counts
    right: Counts
    pairs: list[tuple[Any, Any, int]]
    baseline_label: Any
    baseline_of: str
    baseline_right: int
    only_right: int
    only_baseline: int
    auc: float | None
    auc_error: float | None
    auc_why: str | None
    unknown: list[Any]
    folds: list[float] | None
    n_rows: int

    @property
    def accuracy(self) -> float:
        """The share of the rows whose label was predicted."""
        return int(self.right.sum()) / self.n_rows

    @property
    def baseline(self) -> float:
        """The share of the rows that the baseline gets right."""
        return self.baseline_right / self.n_rows

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the accuracy, at 95 %."""
        return wilson(self.accuracy, self.n_rows)

    @property
    def recall(self) -> Floats:
        """Of each class, the share of its rows that was found; NaN without rows."""
        return _shares(self.right, self.rows)

    @property
    def precision(self) -> Floats:
        """Of each class, the share of the rows given it that has it; NaN where none was given it."""
        return _shares(self.right, self.predicted)

    @property
    def f1(self) -> Floats:
        """Of each class, the harmonic mean of precision and recall: 2·right/(rows + predicted)."""
        return _shares(2 * self.right, self.rows + self.predicted)

    @property
    def balanced_accuracy(self) -> float:
        """The mean recall of the classes that occur."""
        return float(np.nanmean(self.recall))

    @property
    def macro_f1(self) -> float:
        """The mean F1 of the classes that occur or were predicted."""
        return float(np.nanmean(self.f1))

    @property
    def verdict(self) -> str:
        """Beside the baseline: "better", "chance" (more right, but not beyond chance), "no-better", or "worse"."""
        ahead = self.only_right - self.only_baseline
        if ahead > 0:
            return "better" if sign_test(self.only_right, self.only_baseline) <= 0.025 else "chance"
        return "worse" if sign_test(self.only_baseline, self.only_right) <= 0.025 else "no-better"

    @property
    def disjoint(self) -> bool:
        """Whether the model has none of the labels as a class."""
        return len(self.unknown) == int(np.count_nonzero(self.rows))

    def to_dict(self, by: str, name: str | None = None) -> dict[str, Any]:
        """All of it in plain values; `by` says which rows these are, and `name` what their file is called."""
        low_high, f1 = self.interval, self.f1
        listed = np.argsort(-self.rows, kind="stable")[:MOST_CLASSES]
        return {
            "by": by,
            "name": name,
            "rows": self.n_rows,
            "right": int(self.right.sum()),
            "accuracy": self.accuracy,
            "interval": {"low": low_high[0], "high": low_high[1], "kind": "Wilson 95%"},
            "baseline": {
                "label": self.baseline_label,
                "of": self.baseline_of,
                "right": self.baseline_right,
                "accuracy": self.baseline,
            },
            "beside_baseline": self.verdict,
            "balanced_accuracy": self.balanced_accuracy,
            "macro_f1": self.macro_f1,
            "auc": self.auc,
            "auc_error": self.auc_error,
            "auc_why": self.auc_why,
            "unknown": self.unknown[:MOST_CLASSES],
            "disjoint": self.disjoint,
            "folds": None if self.folds is None else _spread(self.folds),
            "n_classes": len(self.names),
            "classes": [
                {
                    "label": self.names[k],
                    "rows": int(self.rows[k]),
                    "predicted": int(self.predicted[k]),
                    "right": int(self.right[k]),
                    "precision": _known(self.precision[k]),
                    "recall": _known(self.recall[k]),
                    "f1": float(f1[k]),
                }
                for k in sorted(listed.tolist())
            ],
            "confusion": [{"label": a, "predicted": b, "rows": count} for a, b, count in self.pairs[:MOST_PAIRS]],
        }


def _spread(folds: list[float]) -> dict[str, Any]:
    """The accuracies, their mean and their standard deviation, which one fold alone does not have."""
    spread = float(np.std(folds, ddof=1)) if len(folds) > 1 else None
    return {"accuracies": folds, "mean": float(np.mean(folds)), "spread": spread}


def _shares(part: Counts, whole: Counts) -> Floats:
    found: Floats = np.full(whole.shape, math.nan)
    np.divide(part, whole, out=found, where=whole > 0)
    return found


def _known(share: float) -> float | None:
    return None if math.isnan(share) else float(share)
