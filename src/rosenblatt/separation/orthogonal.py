"""In which rows do relations between columns not hold, exactly? Many relations at a time, some rows after the others.

A relation is columns, by number, with a whole number each: Σ x_j·column j = 0. Where rows and relations have whole
numbers so small that no sum of products is rounded, float64 tells; else long numbers do. The watch is looked at
between pieces, and nothing is larger than a piece.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from flint import fmpz_mat

from .signed_rows import Floats, Ints, SignedRows
from .whole_table import WholeTable

_EXACT = 2.0**53  # below which float64 has every whole number
_NUMBERS = 1_000_000  # of a table between two looks at the watch
_LONG = 50_000  # the same of long numbers
_RELATIONS = 64  # with long numbers at a time

Relation = Mapping[int, int]


def rows_off(s: SignedRows, rows: Ints, relations: Sequence[Relation]) -> list[Ints]:
    """Of each relation the rows, among these, in which it does not hold."""
    found: list[list[Ints]] = [[] for _ in relations]
    if not rows.size or not relations:
        return [rows[:0] for _ in relations]
    largest = _largest_whole(s, rows)
    sizes = [sum(map(abs, relation.values())) for relation in relations]
    quick = [k for k, size in enumerate(sizes) if size < _EXACT and size * largest < _EXACT]
    width = max(1, _NUMBERS // s.d)
    for first in range(0, len(quick), width):
        _short(s, rows, relations, quick[first : first + width], found)
    known = set(quick)
    slow = [k for k in range(len(relations)) if k not in known]
    for first in range(0, len(slow), _RELATIONS):
        _long(s, rows, relations, slow[first : first + _RELATIONS], found)
    return [np.concatenate([rows[:0], *parts]) for parts in found]


def _short(s: SignedRows, rows: Ints, relations: Sequence[Relation], which: list[int], found: list[list[Ints]]) -> None:
    V = np.zeros((s.d, len(which)))
    for at, k in enumerate(which):
        V[list(relations[k]), at] = list(relations[k].values())
    step = max(1, _NUMBERS // (s.d + len(which)))
    for first in range(0, rows.size, step):
        s.seconds_left()
        some = rows[first : first + step]
        X = s.matrix[some].astype(np.float64)
        off = (np.asarray(X @ V) if s.origin else np.asarray(X @ V[:-1]) + V[-1]) != 0
        for at in np.flatnonzero(off.any(axis=0)).tolist():
            found[which[at]].append(some[off[:, at]])


def _long(s: SignedRows, rows: Ints, relations: Sequence[Relation], which: list[int], found: list[list[Ints]]) -> None:
    columns = np.array(sorted({j for k in which for j in relations[k]}), dtype=np.int64)
    step = max(1, min(_LONG // max(1, columns.size), _NUMBERS // s.d))
    for first in range(0, rows.size, step):
        s.seconds_left()
        some = rows[first : first + step]
        table = WholeTable(np.ascontiguousarray(s.z(some)[:, columns]))
        numbers = [x for i in range(some.size) for x in table.numbers(i, np.arange(columns.size))]
        # In units of the columns' own: Σ_j whole_ij·(x_j·2^column power), all powers made ≥ 0.
        powers = (table.column_powers - table.column_powers.min(initial=0)).tolist()
        own = [relations[k].get(j, 0) << e for j, e in zip(columns.tolist(), powers, strict=True) for k in which]
        s.seconds_left()
        sums = fmpz_mat(some.size, columns.size, numbers) * fmpz_mat(columns.size, len(which), own)
        off = np.array([x != 0 for x in sums.entries()], dtype=bool).reshape(some.size, len(which))
        for at in np.flatnonzero(off.any(axis=0)).tolist():
            found[which[at]].append(some[off[:, at]])


def _largest_whole(s: SignedRows, rows: Ints) -> float:
    """The largest entry of these rows, or the offset's 1; infinite if they are not all whole numbers."""
    largest, step = 1.0, max(1, _NUMBERS // s.d)
    for first in range(0, rows.size, step):
        s.seconds_left()
        X = s.matrix[rows[first : first + step]]
        values: Floats = np.asarray(X.data if hasattr(X, "indptr") else X)
        largest = max(largest, float(np.abs(values).max(initial=0.0)))
        if largest >= _EXACT or not bool((np.rint(values) == values).all()):
            return math.inf
    return largest
