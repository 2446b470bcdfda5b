"""Sheet: what a file holds, before anyone asks what it is for: rows, labels if it has any, names, and lines."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..report.data import data_report
from .reading import Reading

if TYPE_CHECKING:  # a file is read while NumPy is being imported
    import numpy as np
    from numpy.typing import NDArray

    from .. import _core
    from ..data.examples import Examples


@dataclass(frozen=True, eq=False)
class Sheet:
    """Rows as they stand in a file or in memory.

    name, format
        What errors call it, and what it was read as: "svmlight", "csv", …
    labels
        As they stand there: int64, float64, bool or text (object); None if there are none.
    lines
        The line of each row, from 1; None if rows have no lines (Parquet, arrays).
    reading
        How it was read: what reading another file the same way takes.

    Notes
        What was done on the way that one should know of: rows dropped, columns left out.
    hashed
        The names of hashed features, if they are kept.
    weights
        The weight of each row, or how often it was counted; None if nothing was said: 1 for all.
    details
        How it was found out how to read it, where that was plain: said under -v.
    levels
        Of each column of text, how many values it has.
    """

    name: str
    format: str
    rows: "_core.Rows"
    labels: "NDArray[Any] | None"
    feature_names: tuple[str, ...] | None = None
    lines: "NDArray[np.int64] | None" = None
    reading: Reading = field(default_factory=Reading)
    notes: tuple[str, ...] = ()
    hashed: tuple[str, ...] = ()
    weights: "NDArray[np.float64] | None" = None
    details: tuple[str, ...] = ()
    levels: Mapping[str, int] = field(default_factory=dict)

    def examples(self) -> "Examples":
        """Rows and labels to learn from. Raises `InputError` without labels, or with those of one class only."""
        from ..data.examples import Examples

        if self.labels is None:
            raise InputError(f"{self.name}: no labels; say which column they are (label=, --label)")
        try:
            made = Examples.of(self, self.labels, self.feature_names, self.lines)
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from None
        counts = self.reading.counts or ()
        if len(counts) == 2 and made.classes.tolist() != [counts[1], counts[0]]:  # the first is asked about, as in R
            made = replace(made, labels=-made.labels, classes=made.classes[::-1])
        return made if self.weights is None else replace(made, weights=self.weights)

    def class_counts(self) -> Mapping[Any, int]:
        """The labels, sorted, with how many rows have each; none, if there are no labels."""
        from ..data.classes import class_counts

        return class_counts(self.labels) or {}

    def place_of(self, row: int) -> str:
        """The file, and the line of a row if the format has lines."""
        return self.name if self.lines is None else f"{self.name}:{self.lines[row]}"

    def to_dict(self, positive: Any = None, classes: Mapping[Any, int] | None = None) -> dict[str, Any]:
        """What it holds, in plain values; `positive` is the label that is asked about, against the others, if one is.

        `classes`, if they have been counted already, are those of `class_counts`.
        """
        from ..data.classes import class_counts

        return data_report(
            int(self.rows.n),
            int(self.rows.d),
            bool(self.rows.is_sparse),
            class_counts(self.labels) if classes is None else classes,
            positive,
            name=self.name,
            format=self.format,
            reading=self.reading.to_dict(),
            notes=self.notes,
            details=self.details,
            levels=self.levels,
        )
