"""Columns that are dependent at first sight: all zero, constant beside an offset, or equal to an earlier one.

One pass over the entries, column by column. Columns that are equal have equal sums under random weights of the rows,
added up in the same order; those that do are compared entry by entry.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from .relations import ColumnSum
from .signed_rows import Floats, Ints, SignedRows

_NUMBERS = 4_000_000  # of a table at a time


def dependent_at_sight(s: SignedRows) -> dict[int, ColumnSum]:
    """Of each such column what it equals: nothing, so much of the offset, or the first column that is equal to it."""
    s.tell("looking for equal columns")
    weights = np.random.default_rng(1).standard_normal(s.n)
    found: dict[int, ColumnSum] = {}
    first: dict[tuple[int, float], list[tuple[int, Ints, Floats]]] = {}
    for j, rows, values in _columns(s):
        if not rows.size:
            found[j] = {}
            continue
        if not s.origin and rows.size == s.n and (values == values[0]).all():
            found[j] = {s.d - 1: Fraction(float(values[0]))}
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            key = rows.size, float(np.add.reduce(weights[rows] * values))
        alike = first.setdefault(key, [])
        for i, other, numbers in alike:
            if (other == rows).all() and (numbers == values).all():
                found[j] = {i: Fraction(1)}
                break
        else:
            alike.append((j, rows, values))
    return found


def _columns(s: SignedRows) -> Iterator[tuple[int, Ints, Floats]]:
    """Each column: its number, the rows in which it is not 0, and its values there."""
    X, d = s.matrix, s.examples.n_columns
    if s.rows.is_sparse:
        data, indices = np.asarray(X.data), np.asarray(X.indices)
        stored = np.flatnonzero(data)
        order = stored[np.argsort(indices[stored], kind="stable")]
        row = np.repeat(np.arange(s.n), np.diff(np.asarray(X.indptr)))[order]
        value, starts = data[order], np.searchsorted(indices[order], np.arange(d + 1))
        for j in range(d):
            if j % 1000 == 0:
                s.seconds_left()
            part = slice(starts[j], starts[j + 1])
            yield j, row[part], value[part]
        return
    step = max(1, _NUMBERS // s.n)
    for left in range(0, d, step):
        s.seconds_left()
        table = np.ascontiguousarray(np.asarray(X[:, left : left + step]).T)
        for k, column in enumerate(table):
            rows = np.flatnonzero(column)
            yield left + k, rows, column[rows]
