"""What is known of the rows of .npy files once they were seen; and of several files, from what is known of each."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, plural, shown
from ..arrays.sheet import all_dropped, column_sums, dropped_note, mean_of
from ..exact_sum import ExactSum
from ..filled import Lacking, filled_note
from ..numbers import are_whole
from ..options import Options
from ..reading import Reading
from .input import Layout


@dataclass(frozen=True)
class ArrayTable:
    """What arrays are.

    columns
        How many there are, with the label's, and their names.
    features, names, label, notes
        How many features, their names, which column the labels are, and what to say of that.
    single
        Whether the numbers are float32.
    """

    columns: tuple[int, Any]
    features: int
    names: tuple[str, ...] | None
    label: str | int | None
    notes: tuple[str, ...]
    single: bool


@dataclass
class ArraysSeen:
    """What is known of the rows, once they were seen."""

    n: int = 0
    missing: NDArray[np.int64] | None = None
    sums: list[ExactSum] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    """The first nine that are dropped."""
    kept: int = 0
    whole_labels: bool = True
    files: dict[str, int] = field(default_factory=dict)
    table: ArrayTable | None = None

    def note(
        self, first: int, X: NDArray[Any], y: NDArray[Any] | None, kept: NDArray[np.bool_], options: Options
    ) -> int:
        """See some finite rows, and say how many of them are kept."""
        self.missing = missing_in(X).sum(axis=0) + (0 if self.missing is None else self.missing)
        if options.missing == "mean" and options.reading.fill is None:
            sums = column_sums(X)
            self.sums = [one + two for one, two in zip(self.sums, sums, strict=True)] if self.sums else sums
        self.dropped += (first + np.flatnonzero(~kept)[: 9 - len(self.dropped)]).tolist()
        if y is not None and y.dtype.kind == "f":
            self.whole_labels &= are_whole(y[kept].astype(np.float64))
        many = int(kept.sum())
        self.n, self.kept = self.n + len(X), self.kept + many
        return many

    def followed_by(self, other: "ArraysSeen") -> "ArraysSeen":
        """That of these files and others behind them. Raises `InputError` for arrays of other columns or numbers."""
        assert self.table is not None
        assert other.table is not None
        assert self.missing is not None
        assert other.missing is not None
        first, name = next(iter(self.files)), next(iter(other.files))
        check_columns(name, other.table.columns, first, self.table.columns)
        if other.table.single != self.table.single:
            is_, has = ("float32", "float64") if other.table.single else ("float64", "float32")
            raise InputError(f"{name}: numbers of {is_}, where {first} has {has}; expected the same in all files")
        return ArraysSeen(
            self.n + other.n,
            self.missing + other.missing,
            [one + two for one, two in zip(self.sums, other.sums, strict=True)],
            [*self.dropped, *other.dropped][:9],
            self.kept + other.kept,
            self.whole_labels and other.whole_labels,
            {**self.files, **other.files},
            self.table,
        )


def missing_in(X: NDArray[Any]) -> NDArray[np.bool_]:
    """Which numbers are missing."""
    return np.isnan(X) if X.dtype.kind == "f" else np.zeros(X.shape, dtype=np.bool_)


def check_columns(name: str, columns: tuple[int, Any], first: str, expected: tuple[int, Any]) -> None:
    """Raises `InputError` unless the arrays of a file have the columns of the first."""
    if columns != expected:
        found = plural(columns[0], "column")
        raise InputError(f"{name}: {found}; expected those of {first}, which has {expected[0]}")


def arrays_layout(name: str, options: Options, seen: ArraysSeen) -> Layout:
    """What the whole is. Raises `InputError` if no row is left, or one lacks a value that has no mean."""
    assert seen.table is not None
    table, notes = seen.table, list(seen.table.notes)
    if not seen.kept:
        raise all_dropped(name)
    missing: Any = seen.missing
    called = [str(j) if table.names is None else table.names[j] for j in range(table.features)]
    fill, given = None, options.reading.fill
    if options.missing == "mean":
        means = [mean_of(one, seen.n - int(gone)) for one, gone in zip(seen.sums, missing, strict=bool(seen.sums))]
        fill = dict(given or {name: mean for name, mean in zip(called, means, strict=True) if mean == mean})
        for column, gone in zip(called, missing.tolist(), strict=True):
            if gone and column not in fill:
                what = f"column {shown(column)}: values are missing and it has no mean"
                raise InputError(f"{name}: {what}; expected missing=zero or drop")
    if options.missing in ("zero", "mean"):
        lacking = [Lacking(column, gone) for column, gone in zip(called, missing.tolist(), strict=True) if gone]
        notes += filled_note(lacking, seen.n, options.missing)
    if seen.dropped:
        notes.append(dropped_note(seen.n - seen.kept, seen.dropped))
    reading = Reading(format="npy", label=table.label, missing=options.missing, fill=fill)
    return Layout(table.features, reading, table.names, files=tuple(seen.files.items()), notes=tuple(notes))
