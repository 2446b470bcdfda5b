"""A column of a table: numbers, or categories by their number. What may stand in one, and what may not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..exact_sum import ExactSum
from .arrow import nulls_of, numpy_of

MOST_CATEGORIES = 2**20


class TableOrigin(Protocol):
    """Where a table comes from: it words what is wrong with a place in it."""

    @property
    def name(self) -> str:
        """What errors call it."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Their names."""

    def error(self, row: int, column: int, what: str) -> InputError:
        """The error for a value."""

    def lines(self, n: int) -> NDArray[np.int64] | None:
        """The line of each of n rows, if rows have lines."""


@dataclass(frozen=True)
class NumberedTable:
    """An origin whose rows have numbers but no lines: Parquet, Arrow, frames. `before` rows came before its first."""

    name: str
    columns: tuple[str, ...]
    before: int = 0

    def error(self, row: int, column: int, what: str) -> InputError:
        """The error for a value."""
        return InputError(f"{self.name}: row {self.before + row}, column {shown(self.columns[column])}: {what}")

    def lines(self, n: int) -> None:
        """None."""


@dataclass(frozen=True, eq=False)
class Column:
    """Numbers, NaN where one is missing; or categories, numbers into `categories`, −1 where one is missing.

    place
        Its position in the table.
    rows
        The rows at which numbers stand, rising; it is zero in all others. None: they stand in all rows.
    declared
        Whether all categories count, though they may not occur.
    order
        What each category is sorted by, where that is not its text.
    """

    place: int
    name: str
    values: NDArray[Any]
    categories: list[str] | None = None
    rows: NDArray[np.int64] | None = None
    declared: bool = False
    order: Sequence[Any] | None = None

    @property
    def is_text(self) -> bool:
        """Whether each of its values is a level, and has a feature of its own."""
        return self.categories is not None

    def missing(self) -> NDArray[np.int64]:
        """The rows where a value is missing."""
        at = np.flatnonzero(self.values < 0 if self.categories is not None else np.isnan(self.values))
        return at if self.rows is None else self.rows[at]

    def kept(self, keep: NDArray[np.bool_]) -> "Column":
        """Some of the rows."""
        if self.rows is None:
            return replace(self, values=self.values[keep])
        among = keep[self.rows]
        return replace(self, values=self.values[among], rows=(np.cumsum(keep) - 1)[self.rows[among]])

    def filled(self, value: float) -> "Column":
        """The same with a number where one was missing."""
        return replace(self, values=np.where(np.isnan(self.values), self.values.dtype.type(value), self.values))

    def sum(self) -> ExactSum:
        """Of the numbers that are there."""
        return ExactSum().plus(self.values[~np.isnan(self.values)].astype(np.float64))

    def doubled(self) -> "Column":
        """Each row twice, one after the other."""
        if self.rows is None:
            return replace(self, values=np.repeat(self.values, 2))
        rows = np.repeat(2 * self.rows, 2)
        rows[1::2] += 1
        return replace(self, values=np.repeat(self.values, 2), rows=rows)

    def in_all_rows(self, n: int) -> NDArray[Any]:
        """Its numbers, in every row."""
        if self.rows is None:
            return self.values
        whole = np.zeros(n, dtype=self.values.dtype)
        whole[self.rows] = self.values
        return whole

    def names(self) -> list[str]:
        """The features it becomes."""
        return [self.name] if self.categories is None else [f"{self.name}={value}" for value in self.categories]

    @property
    def width(self) -> int:
        """How many features it becomes."""
        return 1 if self.categories is None else len(self.categories)

    def row(self, at: Any) -> int:
        """The row of one of the values."""
        return int(at if self.rows is None else self.rows[at])

    def stored(self) -> int:
        """How many values are not zero."""
        return int(np.count_nonzero(self.values if self.categories is None else self.values >= 0))

    def entries(self) -> tuple[NDArray[np.int64], NDArray[Any]]:
        """The rows where it is not zero, and its values there; of categories, their numbers."""
        at = np.flatnonzero(self.values if self.categories is None else self.values >= 0)
        return at if self.rows is None else self.rows[at], self.values[at]


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """The label's column: its position if it is in the table, its labels, and the rows where one is missing."""

    place: int | None
    values: NDArray[Any]
    missing: NDArray[np.int64]


def column_error(origin: TableOrigin, column: int, what: str) -> InputError:
    """The error for a column as a whole."""
    return InputError(f"{origin.name}: column {shown(origin.columns[column])}: {what}")


def number_column(place: int, name: str, array: Any) -> Column:
    """A column of numbers, from Arrow's floats; NaN where one is null. Few that are not zero are all that is kept."""
    gone = np.array(np.nan, dtype=array.type.to_pandas_dtype())
    parts = [np.where(nulls_of(c), gone, numpy_of(c)) if c.null_count else numpy_of(c) for c in array.chunks]
    if 2 * sum(np.count_nonzero(part) for part in parts) >= len(array):
        return Column(place, name, np.concatenate(parts) if len(parts) != 1 else parts[0])
    at = [np.flatnonzero(part) for part in parts]
    starts = np.cumsum([0, *(part.size for part in parts)])[:-1]
    rows = np.concatenate([found + start for found, start in zip(at, starts, strict=True)])
    return Column(place, name, np.concatenate([part[found] for part, found in zip(parts, at, strict=True)]), rows=rows)


def text_column(place: int, name: str, texts: Any, codes: NDArray[Any]) -> Column:
    """A column of categories: values, an Arrow array without nulls, and the number of each row's; −1 is missing."""
    import pyarrow as pa

    categories, ranks, values = categories_of(texts, codes)
    order = None if pa.types.is_large_string(texts.type) or pa.types.is_string(texts.type) else values
    return Column(place, name, ranks, categories, order=order)


def categories_of(texts: Any, codes: NDArray[Any]) -> tuple[list[str], NDArray[np.int32], list[Any]]:
    """Values, an Arrow array without nulls, as text, sorted and each once; what the codes become; and the values."""
    import pyarrow.compute as pc

    once = texts.dictionary_encode()
    order = pc.sort_indices(once.dictionary)
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[numpy_of(order)] = np.arange(len(order), dtype=np.int32)
    turned = np.append(ranks[numpy_of(once.indices)], np.int32(-1))
    values = once.dictionary.take(order).to_pylist()
    return [_text(value) for value in values], turned[codes], values


def _text(value: Any) -> str:
    return value if isinstance(value, str) else repr(value) if isinstance(value, float) else str(value)
