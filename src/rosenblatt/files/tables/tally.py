"""What is known of a table once its rows were seen: how many, and of each column what its features take to know.

A tally is made of each part, and that of two parts is the sum of theirs; so whatever the parts were, the tally of the
whole is the same.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...errors import InputError
from ..exact_sum import ExactSum
from ..numbers import are_whole
from ..options import Options
from .category_checks import too_many
from .columns import MOST_CATEGORIES, Column
from .narrowing import Narrowed
from .part import Assumed
from .row_numbers import RowNumbers, joined
from .words import WordColumn


@dataclass(frozen=True, eq=False)
class ColumnTally:
    """What is known of a column.

    single
        Whether it holds numbers of float32.
    lacking, gone
        How many rows lack a value: before those counted 0 times went, and after.
    stored
        How many numbers are not 0, or words there are.
    total
        The sum of its numbers, if their mean is asked for.
    levels, often
        Of text, how many rows have each value, and how often they were counted; of words, which there are.
    order
        By what values are sorted, where that is not their text.
    ends
        The first and the last number, if each is one more than the one before.
    is_full
        Whether it has more values than are kept, which are hashed then.
    """

    place: int
    name: str
    kind: str
    single: bool = False
    lacking: int = 0
    gone: int = 0
    stored: int = 0
    total: ExactSum = field(default_factory=ExactSum)
    levels: Mapping[str, int] = field(default_factory=dict)
    often: Mapping[str, float] | None = None
    order: Mapping[str, Any] | None = None
    declared: bool = False
    ends: tuple[float, float] | None = None
    is_full: bool = False

    @property
    def is_text(self) -> bool:
        """Whether each of its values is a level."""
        return self.kind == "text"

    @property
    def categories(self) -> list[str] | None:
        """Its values or its words, sorted; None of numbers."""
        if self.kind == "numbers":
            return None
        if self.declared:
            return list(self.levels)
        found = [name for name, rows in self.levels.items() if rows]
        return sorted(found) if self.order is None else sorted(found, key=self.order.__getitem__)

    def most_frequent(self) -> str | None:
        """The value that most rows have, the first one sorted of several; None if there are none."""
        often = self.levels if self.often is None else self.often
        found = {name: many for name, many in often.items() if self.declared or self.levels[name]}
        most = max(found.values(), default=0)
        return min((name for name, many in found.items() if many == most), default=None)

    def followed_by(self, other: "ColumnTally", empty: tuple[bool, bool], hashed: bool) -> "ColumnTally":
        """That of both parts; `empty` says which of them has no rows."""
        order = None if self.order is None or other.order is None else {**self.order, **other.order}
        ends = other.ends if empty[0] else self.ends if empty[1] else None
        if not any(empty) and self.ends and other.ends and other.ends[0] == self.ends[1] + 1:
            ends = self.ends[0], other.ends[1]
        levels = _added(self.levels, other.levels)
        often = None if self.often is None or other.often is None else _added(self.often, other.often)
        is_full = self.is_full or other.is_full or (hashed and len(levels) > MOST_CATEGORIES)
        if is_full:
            levels, often, order = {}, None, None
        return replace(
            self,
            single=self.single and other.single,
            lacking=self.lacking + other.lacking,
            gone=self.gone + other.gone,
            stored=self.stored + other.stored,
            total=self.total + other.total,
            levels=levels,
            often=often,
            order=order,
            ends=ends,
            is_full=is_full,
        )


def _added(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    found = one if isinstance(one, dict) else dict(one)  # a tally that is added to is not looked at again
    for name, many in other.items():
        found[name] = found.get(name, 0) + many
    return found


@dataclass(frozen=True, eq=False)
class Tally:
    """What is known of the rows: see `Narrowed`, of whose numbers these are the sums.

    whole_labels
        Whether labels are floats that are all whole numbers.
    """

    table: str
    names: tuple[str, ...]
    columns: tuple[ColumnTally, ...]
    n: int
    rows: int
    weighed: int
    of_none: int
    lacking: int
    kept: int
    missing: Mapping[int, int]
    weight_place: int | None
    label_place: int | None
    has_labels: bool
    whole_labels: bool
    numbers: RowNumbers | None
    assumed: Assumed

    @classmethod
    def of(cls, rows: Narrowed, options: Options) -> "Tally":
        """That of one part."""
        before = {column.place: column for column in rows.before}
        return cls(
            rows.origin.name,
            rows.origin.columns,
            tuple(_tallied(column, before[column.place], rows, options) for column in rows.columns),
            rows.n,
            rows.rows,
            rows.weighed,
            rows.of_none,
            rows.lacking,
            rows.kept,
            rows.missing,
            rows.weight_place,
            rows.label_place,
            rows.labels is not None,
            rows.every_label is None or are_whole(rows.every_label),
            rows.numbers,
            rows.assumed,
        )

    def followed_by(self, other: "Tally", hashed: bool = False) -> "Tally":
        """That of both parts. Raises `InputError` for more categories than there may be, unless they are hashed."""
        if self.names != other.names:
            raise InputError(f"{other.table}: other columns than {self.table}; expected the same in all parts")
        kinds = [(column.place, column.kind) for column in self.columns]
        assert kinds == [(column.place, column.kind) for column in other.columns], "as the reader was told"
        numbers = self.numbers
        if numbers is not None and other.numbers is not None:
            numbers = joined(other.table, numbers, other.numbers, other.assumed)
        columns = tuple(
            one.followed_by(two, (not self.n, not other.n), hashed)
            for one, two in zip(self.columns, other.columns, strict=True)
        )
        total = sum(len(column.levels) for column in columns)
        if total > MOST_CATEGORIES and not hashed:
            raise too_many(self.table, f"{total} in all, so far")
        return replace(
            self,
            columns=columns,
            n=self.n + other.n,
            rows=self.rows + other.rows,
            weighed=self.weighed + other.weighed,
            of_none=self.of_none + other.of_none,
            lacking=self.lacking + other.lacking,
            kept=self.kept + other.kept,
            missing={j: self.missing.get(j, 0) + many for j, many in other.missing.items()},
            weight_place=self.weight_place if other.weight_place is None else other.weight_place,
            has_labels=self.has_labels or other.has_labels,
            whole_labels=self.whole_labels and other.whole_labels,
            numbers=numbers,
            assumed=other.assumed,
        )


def _tallied(column: Column, before: Column, rows: Narrowed, options: Options) -> ColumnTally:
    kind = "numbers" if column.categories is None else "text" if column.is_text else "words"
    made = ColumnTally(column.place, column.name, kind, lacking=rows.missing[column.place], declared=column.declared)
    if isinstance(column, WordColumn):
        words = column.used().categories or ()
        return replace(made, stored=column.stored(), levels=dict.fromkeys(words, 1))
    if column.categories is None:
        gone = int(column.missing().size)
        mean = options.missing == "mean" and options.reading.fill is None
        return replace(
            made,
            single=column.values.dtype == np.float32,
            gone=gone,
            stored=column.stored() - gone,  # NaN is not 0
            total=before.sum() if mean else ExactSum(),
            ends=_ends(column, rows.n),
        )
    there = column.values >= 0
    counts = np.bincount(column.values[there], minlength=len(column.categories)).tolist()
    levels = {name: many for name, many in zip(column.categories, counts, strict=True) if many or column.declared}
    often, order = None, None
    if rows.counts is not None:
        sums = np.bincount(column.values[there], rows.counts[there], minlength=len(column.categories)).tolist()
        often = {name: many for name, many in zip(column.categories, sums, strict=True) if name in levels}
    if column.order is not None:
        order = {name: by for name, by in zip(column.categories, column.order, strict=True) if name in levels}
    return replace(made, gone=int(there.size - there.sum()), levels=levels, often=often, order=order)


def _ends(column: Column, n: int) -> tuple[float, float] | None:
    """The first and the last number, if they count up by one."""
    if not n or (column.rows is not None and 2 * column.values.size + 2 < n):  # too many zeros
        return None
    values = column.in_all_rows(n)
    with np.errstate(over="ignore"):
        if not ((np.diff(values[:9]) == 1).all() and (np.diff(values) == 1).all()):
            return None
    return float(values[0]), float(values[-1])
