"""Tally: labels beside predictions, counted part by part; an `Evaluation` is made of the counts.

What is kept is how often each label was given each prediction, and how scores rank the rows (ranking.py): it does not
grow with the rows. Labels that are no class of the model may be as many as rows, and so may what was taken for what: of
a `bounded` tally they are limited, and beyond that there is no evaluation.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .evaluation import Evaluation
from .ranking import EXACT, Pairs, Ranking

MOST_LABELS, MOST_KINDS = 100_000, 2**20
"""Labels that are no class, and pairs of label and prediction, that a bounded tally counts."""

_SHIFT = 31  # the code of a label stands above that of the prediction

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Tally:
    """Rows are added, some at a time; how they are cut changes nothing.

    classes
        Those of the model, sorted.
    training
        How many rows of each class were learnt from: the baseline is the most common of them, else of the labels.
    bounded
        Whether memory is to stay within limits, whatever the labels are.
    """

    def __init__(
        self, classes: NDArray[Any], training: Mapping[Any, float] | None = None, *, bounded: bool = True
    ) -> None:
        self.classes, self.training, self.bounded = classes, training or {}, bounded
        self.n_rows, self.too_many = 0, False
        self._labels: list[Any] = classes.tolist()
        self._codes = {label: code for code, label in enumerate(self._labels)}
        self._text_codes = {str(label): code for code, label in enumerate(self._labels)}
        self._as_text, self._as_floats = False, False
        self._kinds = _Counts()
        self._rankings: dict[int, Ranking] = {}
        self._scored, self._finite = True, True
        self._folds: _Counts | None = None

    def add(
        self, labels: NDArray[Any], predicted: NDArray[Any], scores: Floats | None = None, folds: Ints | None = None
    ) -> Ints:
        """Count some rows: which class of the model each label is, from 0 on; a number beyond them if it is none.

        `scores` are, of two classes, those of the second one; those of several folds are compared within each.
        """
        numbers = all(part.dtype.kind in "iuf" for part in (labels, predicted))
        text = not numbers and labels.dtype != predicted.dtype  # labels of another type are compared as text
        self._as_text |= text
        self._as_floats |= numbers and "f" in (labels.dtype.kind, predicted.dtype.kind)
        own, given = (self._coded(part, text) for part in (labels, predicted))
        self.n_rows += own.size
        self.too_many |= self.bounded and len(self._labels) > self.classes.size + MOST_LABELS
        if not self.too_many:
            self._kinds.add(own << _SHIFT | given)
            self.too_many |= self.bounded and self._kinds.more_than(MOST_KINDS)
        if folds is not None:
            self._folds = self._folds or _Counts()
            self._folds.add(folds << 1 | (own == given))
        if scores is None:
            self._scored = False
        elif self.classes.size == 2:
            self._rank(own, scores, folds)
        return own

    def _coded(self, labels: NDArray[Any], text: bool) -> Ints:
        codes = self._text_codes if text else self._codes
        if text:
            labels = labels.astype(str).astype(object)
        if labels.dtype.kind == "O":  # text: looking it up is much quicker than sorting it
            values, place = labels.tolist(), None
        else:
            found, place = np.unique(labels, return_inverse=True)
            values = [math.nan if value != value else value for value in found.tolist()]
        for value in values if place is not None else set(values):
            if value not in codes:
                codes[value] = len(self._labels)
                self._labels.append(value)
        made = np.fromiter(map(codes.__getitem__, values), np.int64, len(values))
        return made if place is None else made[place.reshape(-1)]

    def _rank(self, own: Ints, scores: Floats, folds: Ints | None) -> None:
        if not np.isfinite(scores).all():
            self._finite = False
        if not self._finite:
            return
        known = own < 2
        fold = np.zeros(own.size, np.int64) if folds is None else folds
        for one in [0] if folds is None else np.unique(fold).tolist():
            part = known & (fold == one)
            ranking = self._rankings.setdefault(one, Ranking(EXACT if self.bounded else None))
            ranking.add(scores[part], own[part] == 1)

    def evaluation(self) -> Evaluation:
        """How well the predictions do. Raises `InputError` without rows, or with too many labels."""
        if self.n_rows == 0:
            raise InputError("no rows to judge by")
        if self.too_many:
            raise InputError("labels without end, most of them no class of the model; expected labels to compare with")
        names, a, b, count = self._named()
        hit = a == b
        rows, given, right = (
            np.bincount(of, n, len(names)).astype(np.int64) for of, n in ((a, count), (b, count), (a[hit], count[hit]))
        )
        as_named = str if self._as_text else (lambda label: label)
        training = {as_named(label): n for label, n in self.training.items()}
        common = max(training, key=lambda label: training[label]) if training else names[int(rows.argmax())]
        at = names.index(common) if common in names else -1
        known = {as_named(label) for label in self.classes.tolist()}
        order = np.argsort(-count, kind="stable")
        auc, error, why = self._area()
        return Evaluation(
            names=names,
            rows=rows,
            predicted=given,
            right=right,
            pairs=[(names[a[i]], names[b[i]], int(count[i])) for i in order.tolist()],
            baseline_label=common,
            baseline_of="training" if training else "labelled",
            baseline_right=int(rows[at]) if at >= 0 else 0,
            only_right=int(count[hit & (a != at)].sum()),
            only_baseline=int(count[~hit & (a == at)].sum()),
            auc=auc,
            auc_error=error,
            auc_why=why,
            unknown=[name for name, n in zip(names, rows, strict=True) if n and name not in known],
            folds=self._by_fold(),
            n_rows=self.n_rows,
        )

    def _named(self) -> tuple[list[Any], Ints, Ints, Ints]:
        """The labels that occur, sorted; and of each kind, by their places: label, prediction and how many rows."""
        kinds, count = self._kinds.all()
        a, b = kinds >> _SHIFT, kinds & (2**_SHIFT - 1)
        used = np.unique(np.concatenate([a, b]))
        kind: Any = str if self._as_text else float if self._as_floats else (lambda label: label)
        said = [kind(self._labels[code]) for code in used.tolist()]
        names = sorted(set(said))
        place = {name: k for k, name in enumerate(names)}
        to = np.zeros(len(self._labels), np.int64)
        to[used] = [place[name] for name in said]
        found = _Counts()
        found.add(to[a] << _SHIFT | to[b], count)
        kinds, count = found.all()
        return names, kinds >> _SHIFT, kinds & (2**_SHIFT - 1), count

    def _area(self) -> tuple[float | None, float | None, str | None]:
        """The area under the ROC curve, and how wrong it may be; or why there is none."""
        if self.classes.size != 2 or not self._scored:
            return None, None, "more than two classes" if self.classes.size > 2 else "no scores"
        if not self._finite:
            return None, None, "scores that are not finite"
        every = [ranking.pairs() for ranking in self._rankings.values()]
        total = Pairs(*(sum(part) for part in zip(*every, strict=True)))
        if not total.both:
            return None, None, "rows of one class only"
        return total.twice_right / (2 * total.both), total.unsure / (2 * total.both), None

    def _by_fold(self) -> list[float] | None:
        """The share of each fold that is right; None where there are no folds."""
        if self._folds is None:
            return None
        kinds, count = self._folds.all()
        rows, right = np.bincount(kinds >> 1, count), np.bincount(kinds >> 1, count * (kinds & 1))
        return [float(share) for share in right[rows > 0] / rows[rows > 0]]


class _Counts:
    """How often each of many whole numbers came: sorted arrays, joined now and then."""

    def __init__(self) -> None:
        self._values, self._counts = np.empty(0, np.int64), np.empty(0, np.int64)
        self._later: list[tuple[Ints, Ints]] = []
        self._waiting = 0

    def add(self, values: Ints, counts: Ints | None = None) -> None:
        found = np.unique(values, return_counts=True) if counts is None else (values, counts)
        self._later.append(found)
        self._waiting += found[0].size
        if self._waiting > max(2**16, self._values.size):
            self._join()

    def more_than(self, most: int) -> bool:
        """Whether there are more different ones than this."""
        if self._values.size + self._waiting > most:
            self._join()
        return self._values.size > most

    def all(self) -> tuple[Ints, Ints]:
        """Each of them once, sorted, and how often it came."""
        self._join()
        return self._values, self._counts

    def _join(self) -> None:
        values, counts = (
            np.concatenate([own, *(part[k] for part in self._later)])
            for k, own in enumerate((self._values, self._counts))
        )
        self._values, place = np.unique(values, return_inverse=True)
        self._counts = np.zeros(self._values.size, np.int64)
        np.add.at(self._counts, place.reshape(-1), counts)
        self._later, self._waiting = [], 0


def evaluate(
    labels: NDArray[Any],
    predicted: NDArray[Any],
    classes: NDArray[Any],
    *,
    scores: Floats | None = None,
    training: Mapping[Any, float] | None = None,
    folds: Ints | None = None,
) -> Evaluation:
    """Labels beside what a model of these classes predicted, all at once: then nothing is limited.

    >>> found = evaluate(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1]), np.array([0, 1]))
    >>> found.accuracy, found.baseline, found.verdict
    (0.75, 0.75, 'no-better')
    """
    tally = Tally(classes, training, bounded=False)
    tally.add(labels, predicted, scores, folds)
    return tally.evaluation()
