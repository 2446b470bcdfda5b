"""What a file larger than memory holds, as commands ask a `Sheet`: without its rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..report.data import data_report
from .passed import Passed
from .reading import Reading


class Shape(NamedTuple):
    """Rows that are elsewhere: how many, and of how many columns."""

    n: int
    d: int
    is_sparse: bool


@dataclass(frozen=True, eq=False)
class StreamedSheet:
    """A sheet whose rows are in a cache. What is not said here is as in `Sheet`."""

    source: Any
    """A `StreamedSource`, `Passed`, or shards on a cluster."""
    name: str
    format: str
    rows: Shape
    reading: Reading
    notes: tuple[str, ...]
    details: tuple[str, ...]
    hashed: tuple[str, ...]
    labels: None = None  # they are with the rows, and so are lines and weights
    lines: None = None
    weights: None = None

    @classmethod
    def of(cls, source: Any) -> "StreamedSheet":
        """The sheet of a source."""
        shape = Shape(source.n_rows, source.n_columns, source.is_sparse)
        return cls(
            source, source.name, source.format, shape, source.reading, source.notes, source.details, source.hashed
        )

    @property
    def feature_names(self) -> tuple[str, ...] | None:
        """The names of its columns."""
        names: tuple[str, ...] | None = self.source.feature_names
        return names

    def examples(self) -> Any:
        """The rows and labels to learn from."""
        return self.source

    def class_counts(self) -> Mapping[Any, int]:
        """The labels, sorted, with how many rows have each."""
        return {label: self.source.counted[label] for label in sorted(self.source.counted)}

    def place_of(self, row: int) -> str:
        """The file, and the line of a row if it has one."""
        return self.name if isinstance(self.source, Passed) else str(self.source.place_of(row))

    def to_dict(self, positive: Any = None, classes: Mapping[Any, int] | None = None) -> dict[str, Any]:
        """What it holds, in plain values."""
        counted = self.class_counts() if classes is None else classes
        return data_report(
            self.rows.n, self.rows.d, self.rows.is_sparse, counted, positive, name=self.name, format=self.format,
            reading=self.reading.to_dict(), notes=self.notes, details=self.details, levels=self.source.levels,
        )  # fmt: skip
