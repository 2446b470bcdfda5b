"""Predicting: DATA in parts, matched to the columns of a model and predicted; and what is said of all of it."""

import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from typing import Any

from ..files.matching import Matching
from ..files.opening import BytesReadCallback
from ..files.parts.input import Input
from ..files.parts.to_judge import sheets_to_judge
from ..files.reading import Reading
from ..files.sheet import Sheet
from ..models.model import Model
from ..models.predictions import PredictedRows, Predictions
from ..report.data import data_report
from .progress import reading_bar
from .settings import Settings


class Predicting:
    """What a model is asked about.

    in_sight
        Whether predictions scroll by on the terminal, so that a bar would be in their way.
    """

    def __init__(self, settings: Settings, model: Model, data: str, in_sight: bool) -> None:
        self.settings, self.model, self.data, self.in_sight = settings, model, data, in_sight
        reading = model.reading or Reading()
        self.matching = Matching(model.feature_names, model.n_features_in_, reading)
        self.predictions = Predictions(model, settings.threads)
        self._sparse = False
        self._begin = time.monotonic()

    def blocks(self) -> Generator[PredictedRows]:
        """The rows from the first on, some at a time."""
        with reading_bar(self.settings.shows_progress and not self.in_sight) as progress:
            self._input, sheets = self._opened(progress)
            with closing(sheets):
                for sheet in sheets:
                    self._sparse = bool(sheet.rows.is_sparse)
                    yield from self.predictions.blocks(self.matching.rows(sheet), sheet.labels)

    def _opened(self, progress: BytesReadCallback | None) -> tuple[Input, Generator[Sheet]]:
        model = self.model
        found = self.settings.input_for(model, self.data)
        by_place = found.format in ("npy", "npz") and found.again and self.settings.reading.label is None
        if by_place and next(found.sheets(progress)).rows.d + 1 == model.n_features_in_:
            # Columns without names: that of the labels is known by its place alone, and here it is not there.
            unlabelled = replace(model, reading=replace(model.reading or Reading(), label=None))
            found = self.settings.input_for(unlabelled, self.data)
        return found, sheets_to_judge(found, progress)

    def to_dict(self) -> dict[str, Any]:
        """What was read and what was predicted, when all rows have come; what is to be said of the reading is said."""
        settings, layout = self.settings, self._input.layout
        rows, columns = self.predictions.rows, layout.n_columns
        settings.detail(f"read {self._input.name}: {rows} × {columns} in {time.monotonic() - self._begin:.2f} s")
        for text in layout.details:
            settings.detail(text)
        for text in layout.notes:
            settings.note(f"note: {text}")
        data = data_report(
            rows,
            columns,
            self._sparse,
            self.predictions.class_counts(),
            None,
            name=self._input.name,
            format=self._input.format,
            reading=layout.reading.to_dict(),
            notes=layout.notes,
            details=layout.details,
            levels=layout.levels,
        )
        made = self.predictions.to_dict()
        return {"data": data, **made, "notes": [*self.matching.notes(), *made["notes"]]}
