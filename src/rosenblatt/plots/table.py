"""Table: the rows that a figure shows, with their classes, whatever they come from."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.examples import Examples
from ..data.rows import matrix_of
from ..data.source import Source
from ..errors import InputError
from .lettering import column_name

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_LARGEST = 1e155
_MOST = 1_000_000  # rows that are taken from a source that is not in memory


@dataclass(frozen=True, eq=False)
class Table:
    """Rows, and of each which of `classes` it has; `numbers` where they are some of all."""

    rows: _core.Rows
    codes: Ints
    classes: tuple[Any, ...]
    names: tuple[str, ...] | None
    numbers: Ints | None = None

    def __post_init__(self) -> None:
        """Raise `InputError` for numbers whose squares leave float64: distances between such rows cannot be drawn."""
        matrix = matrix_of(self.rows)
        values = matrix.data if hasattr(matrix, "indptr") else matrix
        sizes = np.maximum(values.max(axis=0, initial=0.0), -values.min(axis=0, initial=0.0))
        if not ((sizes == 0) | ((sizes > 1 / _LARGEST) & (sizes < _LARGEST))).all():
            raise InputError("numbers beyond 1e155, or columns below 1e-155, cannot be drawn: rescale them first")

    @classmethod
    def of(cls, source: Source) -> "Table":
        """The rows of a source; of one that is not in memory at most a million, evenly spread."""
        plain, numbers = source.unweighted, None
        if isinstance(plain, Examples):
            rows, labels = plain.rows, plain.labels
        else:
            count = min(plain.n_rows, _MOST)
            numbers = np.unique(np.linspace(0, plain.n_rows - 1, count).astype(np.int64))
            taken = plain.gather(numbers)
            rows, labels = taken.rows, taken.labels
        two = plain.classes.size == 2
        codes = (labels > 0).astype(np.int64) if two else labels.astype(np.int64)
        return cls(rows, codes, tuple(plain.classes.tolist()), plain.feature_names, numbers)

    @classmethod
    def labelled(cls, X: Any, y: Any, classes: Any, names: Any = None) -> "Table":
        """Rows X with labels y, of these classes. Raises `InputError` at a label that is none of them."""
        from ..data.frames import names_of
        from ..data.labels import column_of
        from ..data.rows import rows_of

        rows, known = rows_of(X), np.asarray(classes)
        labels = column_of(y, rows.n)
        codes = np.zeros(rows.n, dtype=np.int64)
        for code, one in enumerate(known.tolist()):
            codes[np.asarray(labels == one)] = code
        if (bad := np.flatnonzero(known[codes] != labels)).size:
            raise InputError(f"label of row {bad[0]}: {labels.tolist()[bad[0]]!r}; expected one of {known.tolist()}")
        names = names if names is not None else names_of(X)
        return cls(rows, codes, tuple(known.tolist()), None if names is None else tuple(map(str, names)))

    @property
    def n_rows(self) -> int:
        """How many rows are shown."""
        return int(self.rows.n)

    @property
    def n_columns(self) -> int:
        """How many columns they have."""
        return int(self.rows.d)

    @property
    def signs(self) -> Floats:
        """±1 of each row, of two classes."""
        return np.where(self.codes > 0, 1.0, -1.0)

    def some(self, numbers: Any) -> Any:
        """The rows of these numbers in float64, as an array or CSR."""
        return matrix_of(self.rows)[np.asarray(numbers, dtype=np.int64)].astype(np.float64)

    def name(self, column: int, most: int = 28) -> str:
        """What a column is called in a figure."""
        return column_name(self.names, column, most)


def rows_for(estimator: Any, X: Any) -> Any:
    """Rows as an estimator takes them: a `Model` knows how a frame is to be read, whatever the order of its columns."""
    from ..files.door import rows_like

    if not hasattr(estimator, "reading"):
        return X
    return rows_like(X, estimator.feature_names, estimator.n_features_in_, estimator.reading)
