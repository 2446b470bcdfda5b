"""Predictions as they are written: a label to a line; with scores or margins a table, tabs between, under a heading."""

from collections.abc import Iterator
from typing import Any

from ..models.model import Model
from ..models.predictions import PredictedRows


class PredictionTable:
    """The lines of rows that come some after the others.

    what
        "scores" or "margins", which stand beside the label; None: neither.
    """

    def __init__(self, model: Model, what: str | None) -> None:
        self.model, self.what = model, what
        self._labels: list[Any] = model.classes.tolist()
        self._words = [str(label).replace("\t", " ").replace("\n", " ") for label in self._labels]
        self._begun = False

    def lines(self, rows: PredictedRows) -> Iterator[str]:
        """The lines of these rows; the heading above the first of them."""
        words = map(self._words.__getitem__, rows.codes.tolist())
        if self.what is None:
            yield from words
            return
        numbers = self._numbers(rows)
        one = numbers.ndim == 1
        if not self._begun:
            self._begun = True
            yield "\t".join(["label", *([self.what[:-1]] if one else map(str, self._labels))])
        for word, row in zip(words, numbers.tolist(), strict=True):
            yield f"{word}\t{row!r}" if one else "\t".join([word, *map(repr, row)])

    def listed(self, rows: PredictedRows) -> list[Any]:
        """The same for JSON: labels, or dictionaries."""
        labels = list(map(self._labels.__getitem__, rows.codes.tolist()))
        if self.what is None:
            return labels
        numbers = self._numbers(rows).tolist()
        return [{"label": label, self.what: row} for label, row in zip(labels, numbers, strict=True)]

    def _numbers(self, rows: PredictedRows) -> Any:
        return (rows.scores if self.what == "scores" else self.model.distances_for(rows.scores)) + 0.0  # and no −0.0
