"""Dependent columns: which a logistic regression drops, and what each of them equals.

A column that is a combination of others says nothing of its own: its coefficient, and those of the others, may be moved
without moving any fitted value. R's `glm` keeps the earliest columns that are independent, the offset first of all, and
drops each that is a combination of those before it (relations.py). In exact numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from ..proof.numerals import exact_text
from ..report.plain import finite
from .columns_alike import dependent_at_sight
from .in_use import in_use
from .relations import ColumnSum, Relations
from .signed_rows import SignedRows, Vector
from .watch import OutOfTimeError

DROPPED = "dropped"


@dataclass(frozen=True)
class Dependences:
    """The columns that are dropped, as far as they are known."""

    sums: Mapping[int, ColumnSum] = field(default_factory=dict)
    """Of each, by number, the combination of earlier ones that it equals; the offset, the last number, is the first."""
    settled: bool = False
    """Whether these are all."""
    least: int = 0
    """At least so many columns are dropped: no more are independent than there are rows."""


def dependences(s: SignedRows) -> Dependences:
    """Which columns are dropped, within the time; if it runs out, those that are seen to be."""
    part = in_use(s)
    if part is None:
        return _dependences(s)
    found, sums = _dependences(part.rows), {j: dict[int, Fraction]() for j in part.unused.tolist()}
    all_ = {**sums, **part.wide(found.sums)}
    return Dependences({j: all_[j] for j in sorted(all_)}, found.settled, len(sums) + found.least)


def _dependences(s: SignedRows) -> Dependences:
    least, alike = max(0, s.d - s.n), dict[int, ColumnSum]()
    try:
        dependent_at_sight(s, alike)
        own = [j for j in ([] if s.origin else [s.d - 1]) + [*range(s.examples.n_columns)] if j not in alike]
        s.tell("looking for dependent columns", columns=len(own))
        sums = Relations(s, np.arange(s.n), own).find().sums
    except OutOfTimeError:
        return Dependences({j: alike[j] for j in sorted(alike)}, False, max(len(alike), least))
    for j, combination in alike.items():
        # A column that equals one that is dropped equals what that does.
        sums[j] = next((sums[i] for i in combination if i in sums), combination)
    return Dependences({j: sums[j] for j in sorted(sums)}, True, len(sums))


def without_dropped(v: Vector, dropped: Mapping[int, ColumnSum]) -> Vector:
    """The vector with the same product with every row, that has 0 where a column is dropped."""
    moved = list(v)
    for j, combination in dropped.items():
        for i, x in combination.items() if v[j] else ():
            moved[i] += v[j] * x
        moved[j] = Fraction(0)
    return moved


def by_name(dropped: Mapping[int, ColumnSum], names: Sequence[str]) -> dict[str, dict[str, Fraction]]:
    """The same by the names of the coefficients."""
    return {names[j]: {names[i]: x for i, x in combination.items()} for j, combination in dropped.items()}


def dropped_report(dropped: Mapping[str, Mapping[str, Fraction]]) -> list[dict[str, Any]]:
    """Columns that are dropped, by name, each with the combination it equals, in plain values."""
    return [
        {
            "name": name,
            "equals": {one: exact_text(x) for one, x in combination.items()},
            "equals_rounded": {one: finite(_rounded(x)) for one, x in combination.items()},
        }
        for name, combination in dropped.items()
    ]


def nearly_report(near: Mapping[int, Mapping[int, float]], names: Sequence[str]) -> list[dict[str, Any]]:
    """Columns that are dependent but for rounding, by name, each with about what it equals, in plain values."""
    return [{"name": names[j], "equals": {names[i]: x for i, x in one.items()}} for j, one in near.items()]


def _rounded(x: Fraction) -> float | None:
    try:
        return float(x)
    except OverflowError:
        return None
