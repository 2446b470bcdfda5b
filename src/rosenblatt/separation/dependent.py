"""Dependent columns: which a logistic regression drops, and what each of them equals.

A column that is a combination of others says nothing of its own: its coefficient, and those of the others, may be moved
without moving any fitted value. R's `glm` keeps the earliest columns that are independent, the offset first of all, and
drops each that is a combination of those before it. The reduced echelon form of the rows, its columns in that order,
tells both: its pivots are the columns kept, and every other column holds the combination it is. In exact numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpz_mat

from ..proof.numerals import exact_text
from ..report.plain import finite
from .coefficients import span
from .exact import pivots
from .partition import SearchResult
from .signed_rows import SignedRows, Vector

DROPPED = "dropped"

ColumnSum = Mapping[int, Fraction]
"""Columns, by number, and how much of each."""


def dependences(s: SignedRows) -> dict[int, ColumnSum]:
    """Of each column that is dropped, the combination of earlier ones that it equals; the offset is the first.

    Empty if the columns are independent.
    """
    known = span(s, np.ones(s.n, dtype=bool))
    if len(known) == s.d:
        return {}
    order = [*range(s.d)] if s.origin else [s.d - 1, *range(s.d - 1)]
    if not known:
        return {j: {} for j in order}
    echelon, denominator, rank = fmpz_mat([[row[j] for j in order] for row in known]).rref()
    kept = pivots(echelon, rank)
    found: dict[int, ColumnSum] = {}
    for k in sorted({*range(s.d)} - {*kept}):
        s.seconds_left()
        column = [(order[p], int(echelon[i, k])) for i, p in enumerate(kept)]
        found[order[k]] = {j: Fraction(x, int(denominator)) for j, x in column if x}
    return found


def without_dropped(v: Vector, dropped: Mapping[int, ColumnSum]) -> Vector:
    """The vector with the same product with every row, that has 0 where a column is dropped."""
    moved = list(v)
    for j, combination in dropped.items():
        for i, x in combination.items():
            moved[i] += v[j] * x
        moved[j] = Fraction(0)
    return moved


def among_kept(found: SearchResult, dropped: Mapping[int, ColumnSum]) -> SearchResult:
    """What a search has found, its hyperplane in the columns that are kept."""
    return found if found.v is None or not dropped else replace(found, v=without_dropped(found.v, dropped))


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
