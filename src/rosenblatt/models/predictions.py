"""Predictions: the labels that a model gives rows; and where the rows have labels of their own, how many are right."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import plural
from ..report.text import listed, word

_MOST_CLASSES = 100  # whose confusion is counted in full


@dataclass(frozen=True, eq=False)
class Predictions:
    """The labels predicted; those the rows have, or None; the classes the model knows; notes on matching columns."""

    predicted: NDArray[Any]
    labels: NDArray[Any] | None
    classes: NDArray[Any]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """How many rows were given each label, and how well, as far as that is known."""
        values, counts = np.unique(self.predicted, return_counts=True)
        pairs = list(zip(values.tolist(), counts.tolist(), strict=True))[:_MOST_CLASSES]
        labelled = None if self.labels is None else self._confusion(self.labels)
        return {
            "predicted": [{"label": label, "rows": count} for label, count in pairs],
            "notes": [*self.notes, *self._unknown([] if labelled is None else labelled["confusion"])],
            "labelled": labelled,
        }

    def _unknown(self, confusion: list[dict[str, Any]]) -> list[str]:
        """A note on labels that the model has no class for."""
        known = {str(label) for label in self.classes.tolist()}
        strange = [one for one in confusion if str(one["label"]) not in known]
        if not strange:
            return []
        names = listed(sorted({word(one["label"]) for one in strange}), 5)
        return [f"the model has no class {names}: {plural(sum(one['rows'] for one in strange), 'row')} count as wrong"]

    def _confusion(self, labels: NDArray[Any]) -> dict[str, Any]:
        """Right, and pairs (label, predicted) with their counts; labels of another type are compared as text."""
        predicted = self.predicted
        numbers = all(part.dtype.kind in "iuf" for part in (labels, predicted))
        if not numbers and labels.dtype != predicted.dtype:
            labels, predicted = labels.astype(str), predicted.astype(str)
        right = int((labels == predicted).sum())
        classes, codes = np.unique(np.concatenate([labels, predicted]), return_inverse=True)
        n, K, names = labels.size, classes.size, classes.tolist()
        pairs, counts = np.unique(codes[:n].astype(np.int64) * K + codes[n:], return_counts=True)
        found = [
            {"label": names[pair // K], "predicted": names[pair % K], "rows": count}
            for pair, count in sorted(zip(pairs.tolist(), counts.tolist(), strict=True), key=lambda one: -one[1])
        ]
        return {"rows": n, "right": right, "accuracy": right / n, "confusion": found[: _MOST_CLASSES**2]}
