"""Predictions: the labels that a model gives rows; and where the rows have labels of their own, how many are right."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.evaluation import Evaluation
from ..data.examples import Examples
from ..data.tally import evaluate
from ..errors import InputError, plural
from ..report.text import listed, word
from .model import Model

_MOST_CLASSES = 100  # that are listed


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a model predicted; the labels that the rows have, or None; notes on matching columns.

    scores
        As the model's `decision_function` gave them: of two classes, they are ranked.
    """

    model: Model
    predicted: NDArray[Any]
    scores: NDArray[np.float64]
    labels: NDArray[Any] | None
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, model: Model, rows: Any, labels: Any, notes: tuple[str, ...] = (), threads: int | None = None
    ) -> "Predictions":
        """What the model predicts of these rows."""
        scores = model.decision_function(rows, threads)
        return cls(model, model.labels_for(scores), scores, labels, notes)

    def evaluation(self) -> Evaluation | None:
        """How well it did, beside the most common class of the rows that it learnt from, if that is known."""
        if self.labels is None:
            return None
        classes, common = self.model.classes, self.model.provenance.get("most_common")
        training = {label: 1.0 for label in classes.tolist() if str(label) == common}
        ranked = self.scores if self.scores.ndim == 1 else None
        return evaluate(self.labels, self.predicted, classes, scores=ranked, training=training)

    def to_dict(self, by: str = "labelled") -> dict[str, Any]:
        """How many rows were given each label, and how well, as far as that is known."""
        values, counts = np.unique(self.predicted, return_counts=True)
        pairs = list(zip(values.tolist(), counts.tolist(), strict=True))[:_MOST_CLASSES]
        found = self.evaluation()
        known = None if found is None else found.to_dict(by)
        short = ("rows", "right", "accuracy", "confusion")
        return {
            "predicted": [{"label": label, "rows": count} for label, count in pairs],
            "notes": [*self.notes, *([] if found is None else unknown_labels(found))],
            "labelled": None if known is None else {name: known[name] for name in short},
            "evaluation": known,
        }


def unknown_labels(found: Evaluation) -> list[str]:
    """A note on labels that the model has no class for, where it has others."""
    if not found.unknown or found.disjoint:
        return []
    rows = sum(int(count) for name, count in zip(found.names, found.rows, strict=True) if name in set(found.unknown))
    names = listed(sorted(word(label) for label in found.unknown), 5)
    return [f"the model has no class {names}: {plural(rows, 'row')} count as wrong"]


def learnt_from(model: Model, rows: Any, labels: Any) -> bool:
    """Whether these are the rows that the model learnt from, by their digest: then being right on them is no feat."""
    known = model.provenance
    if labels is None or known.get("rows") != rows.n:
        return False
    try:
        return Examples.of(rows, labels).digest() == known.get("digest")
    except InputError:  # labels of one class, say
        return False
