"""Predictions: the labels that a model gives rows; and where the rows have labels of their own, how many are right.

Rows come in parts, and none is kept: what is said of all of them is made of counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.classes import ClassCounts
from ..data.evaluation import Evaluation
from ..data.labels import predicted_codes
from ..data.rows import matrix_of, rows_of
from ..data.tally import Tally
from ..errors import InputError, plural
from ..report.text import listed, word
from .model import Model
from .recognition import Recognition

_MOST_CLASSES = 100  # that are listed
_ROWS, _SCORES = 2**16, 2**21  # that are predicted at a time, at most

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PredictedRows:
    """What some rows were given: which class of the model each, from 0 on, and their scores.

    scores
        As the model's `decision_function` gives them: (n,) of two classes, else (n, K).
    """

    codes: NDArray[np.int64]
    scores: Floats


class Predictions:
    """What a model predicts of rows, some after the others.

    threads
        None: as many as there are CPUs. Never changes the result.
    rows
        How many there were, so far.
    """

    def __init__(self, model: Model, threads: int | None = None) -> None:
        self.model, self.threads, self.rows = model, threads, 0
        common = model.provenance.get("most_common")
        training = {label: 1.0 for label in model.classes.tolist() if str(label) == common}
        self._tally = Tally(model.classes, training)
        self._given = np.zeros(model.classes.size, np.int64)
        self._labels = ClassCounts()
        self._labelled: bool | None = None
        self._recognition = Recognition(model)

    def blocks(self, rows: _core.Rows, labels: NDArray[Any] | None) -> Iterator[PredictedRows]:
        """Predict some rows, with their labels or None, and count them; a few thousand at a time."""
        if self._labelled not in (None, labels is not None):
            raise InputError(f"row {self.rows} has {'no label' if labels is None else 'a label'}, unlike those before")
        self._labelled = labels is not None
        step = max(1, min(_ROWS, _SCORES // max(1, self.model.offsets.size)))
        matrix = matrix_of(rows) if rows.n > step else None
        for first in range(0, rows.n, step):
            own = None if labels is None else labels[first : first + step]
            yield self._block(rows if matrix is None else rows_of(matrix[first : first + step]), own)

    def add(self, rows: _core.Rows, labels: NDArray[Any] | None) -> None:
        """The same, for what is said of all of them."""
        for _ in self.blocks(rows, labels):
            pass

    def _block(self, rows: _core.Rows, labels: NDArray[Any] | None) -> PredictedRows:
        scores = self.model.decision_function(rows, self.threads, self.rows)
        self.rows += int(rows.n)
        codes = predicted_codes(scores)
        self._given += np.bincount(codes, minlength=self._given.size)
        if labels is not None:
            own = self._tally.add(labels, self.model.classes[codes], scores if scores.ndim == 1 else None)
            self._recognition.add(rows, own)
            if not self._tally.too_many:
                self._labels.add(labels)
        return PredictedRows(codes, scores)

    def evaluation(self) -> Evaluation | None:
        """How well it did, beside the most common class of the rows that it learnt from, if that is known.

        None without labels, or where they are too many to be counted.
        """
        return self._tally.evaluation() if self._labelled and not self._tally.too_many else None

    def recognised(self) -> bool:
        """Whether these are the rows that the model learnt from."""
        return self._recognition.recognised()

    def class_counts(self) -> dict[Any, int] | None:
        """How many rows have each label, as it stands there; None without labels."""
        return self._labels.all() if self._labelled and not self._tally.too_many else None

    def to_dict(self) -> dict[str, Any]:
        """How many rows were given each label, and how well, as far as that is known."""
        labels = self.model.classes.tolist()
        order = [code for code in np.argsort(self.model.classes, kind="stable").tolist() if self._given[code]]
        found = self.evaluation()
        known = None if found is None else found.to_dict("training" if self.recognised() else "labelled")
        short = ("rows", "right", "accuracy", "confusion")
        notes = [] if found is None else unknown_labels(found)
        if self._tally.too_many:
            notes.append("labels without end, most of them no class of the model: not compared with the predictions")
        return {
            "predicted": [{"label": labels[code], "rows": int(self._given[code])} for code in order[:_MOST_CLASSES]],
            "notes": notes,
            "labelled": None if known is None else {name: known[name] for name in short},
            "evaluation": known,
        }


def unknown_labels(found: Evaluation) -> list[str]:
    """A note on labels that the model has no class for, where it has others."""
    if not found.unknown or found.disjoint:
        return []
    unknown = set(found.unknown)
    rows = sum(int(count) for name, count in zip(found.names, found.rows, strict=True) if name in unknown)
    names = listed(sorted(word(label) for label in found.unknown), 5)
    return [f"the model has no class {names}: {plural(rows, 'row')} count as wrong"]
