"""Passed: rows that came once, and have gone. What is known of them is how many there were, and of which classes."""

from collections.abc import Callable

from ..data.ahead import made_ahead
from ..data.gone import Gone
from ..errors import InputError
from .cache.labels import LabelCodes
from .opening import BytesReadCallback
from .parts.input import Input
from .sheet import Sheet
from .streamed import Coded


class Passed(Gone):
    """An input that can be read once alone, after it was."""

    def __init__(self, given: Input, met: Callable[[Sheet], None], progress: BytesReadCallback | None = None) -> None:
        labels, rows, sparse, weighted = LabelCodes(given.name), 0, False, False
        for sheet in made_ahead(given.sheets(progress)):
            if sheet.labels is None:
                raise InputError(f"{sheet.name}: no labels; say which column they are (label=, --label)")
            labels.of(sheet.labels, rows)
            rows, sparse = rows + sheet.rows.n, sheet.rows.is_sparse
            weighted = weighted or (sheet.weights is not None and bool((sheet.weights != 1).any()))
            met(sheet)
        layout, values = given.layout, labels.array()
        self.name, self.format, self.reading = given.name, given.format, layout.reading
        self.shape, self.sparse = (rows, layout.n_columns), sparse
        self.notes, self.details, self.levels, self.hashed = layout.notes, layout.details, layout.levels, layout.hashed
        self.counted = dict(zip(values.tolist(), labels.counts[: values.size].tolist(), strict=True))
        self.classes = Coded.of(values, given.name).classes
        self.feature_names, self.weighted = layout.feature_names, weighted

    def _refusal(self) -> InputError:
        return InputError(f"{self.name}: its rows have passed; expected a file, which can be read again")

    def digest(self, *, every_row: bool = False) -> int:
        """None of rows that nobody can show again."""
        return 0
