"""Cells: what stands in a few rows of the data, in the columns that say most about them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.examples import Examples
from ..data.rows import matrix_of
from ..report.plain import finite

MOST_COLUMNS = 12
MOST_ROWS = 20


@dataclass(frozen=True, eq=False)
class Cells:
    """Some columns of the data: all of them if they are few, else those with the largest weights, in their order."""

    examples: Examples
    columns: NDArray[np.int64]

    @classmethod
    def of(cls, examples: Examples, weights: NDArray[np.float64]) -> "Cells":
        """The columns to show, by their weights."""
        order = np.argsort(-np.abs(weights), kind="stable")[:MOST_COLUMNS]
        return cls(examples, np.sort(order).astype(np.int64))

    def name(self, column: int) -> str:
        """What a column is called."""
        names = self.examples.feature_names
        return f"x{column}" if names is None else names[column]

    def filled_in(self, entries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Entries of a report that each name a row, the first of them with what stands in it."""
        found = [dict(entry) for entry in entries]
        shown = found[:MOST_ROWS]
        hidden = self.examples.n_columns - self.columns.size
        if shown:
            rows = np.array([entry["row"] for entry in shown], dtype=np.int64)
            values = self._values(rows)
            for entry, row in zip(shown, values, strict=True):
                entry["cells"] = [
                    {"name": self.name(int(column)), "value": finite(float(value))}
                    for column, value in zip(self.columns, row, strict=True)
                ]
                entry["cells_hidden"] = hidden
        return found

    def _values(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        matrix = matrix_of(self.examples.rows)[rows]
        if not hasattr(matrix, "indptr"):
            return np.asarray(matrix[:, self.columns], dtype=np.float64)
        values = np.zeros((rows.size, self.columns.size))
        for at, (first, last) in enumerate(zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)):
            own = matrix.indices[first:last]
            places = np.searchsorted(self.columns, own)
            here = (places < self.columns.size) & (self.columns[np.minimum(places, self.columns.size - 1)] == own)
            values[at, places[here]] = matrix.data[first:last][here]
        return values
