"""Columns that are dependent at first sight: all zero, constant beside an offset, or equal to an earlier one.

One pass over the entries, some at a time. Columns that are equal have equal sums under random weights of the rows,
added up in the same order; those that do are compared entry by entry.
"""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from .relations import ColumnSum
from .signed_rows import Floats, Ints, SignedRows

_NUMBERS = 1_000_000  # entries between two looks at the watch
_ROOM = 100  # powers of two, so that no sum overflows


def dependent_at_sight(s: SignedRows, found: dict[int, ColumnSum]) -> None:
    """Note of each such column what it equals: nothing, so much of the offset, or the first that is equal to it.

    Raises `OutOfTimeError`: what is noted by then is true.
    """
    s.tell("looking for equal columns")
    weights = np.ldexp(np.random.default_rng(1).standard_normal(s.n), -_ROOM)
    counts, sums = _sparse_sums(s, weights) if s.rows.is_sparse else _dense_sums(s, weights)
    found |= {j: {} for j in np.flatnonzero(counts == 0).tolist()}
    first: dict[tuple[int, float], list[tuple[int, Ints, Floats]]] = {}
    for j, rows, values in _columns(s, _candidates(s, counts, sums)):
        if not s.origin and rows.size == s.n and (values == values[0]).all():
            found[j] = {s.d - 1: Fraction(float(values[0]))}
            continue
        alike = first.setdefault((int(counts[j]), float(sums[j])), [])
        for i, other, numbers in alike:
            if (other == rows).all() and (numbers == values).all():
                found[j] = {i: Fraction(1)}
                break
        else:
            alike.append((j, rows, values))


def _candidates(s: SignedRows, counts: Ints, sums: Floats) -> Ints:
    """The columns that are worth a look: with the same count and sum as another, or without a zero."""
    order = np.lexsort((sums, counts))
    same = (counts[order][1:] == counts[order][:-1]) & (sums[order][1:] == sums[order][:-1])
    some = np.zeros(counts.size, dtype=bool)
    some[order[1:][same]] = some[order[:-1][same]] = True
    if not s.origin:
        some |= counts == s.n
    return np.flatnonzero(some & (counts > 0))


def _sparse_sums(s: SignedRows, weights: Floats) -> tuple[Ints, Floats]:
    """Of each column how many entries are not 0, and their sum under these weights."""
    d = s.examples.n_columns
    counts, sums = np.zeros(d, dtype=np.int64), np.zeros(d)
    for row, column, value in _entries(s, np.ones(d, dtype=bool)):
        at, place = np.unique(column, return_inverse=True) if column.size < d else (np.arange(d), column)
        counts[at] += np.bincount(place, minlength=at.size)
        sums[at] += np.bincount(place, weights=weights[row] * value, minlength=at.size)
    return counts, sums


def _entries(s: SignedRows, wanted: NDArray[np.bool_]) -> Iterator[tuple[Ints, Ints, Floats]]:
    """What sparse rows store and is not 0 in these columns, some rows after the others: row, column and value."""
    X = s.matrix
    data, indices, starts = np.asarray(X.data), np.asarray(X.indices), np.asarray(X.indptr, dtype=np.int64)
    for first in range(0, data.size, _NUMBERS):
        s.seconds_left()
        value, column = data[first : first + _NUMBERS], indices[first : first + _NUMBERS]
        at = np.flatnonzero((value != 0) & wanted[column])
        row = np.searchsorted(starts, first + at, side="right") - 1
        yield row, column[at].astype(np.int64), value[at].astype(np.float64)


def _dense_sums(s: SignedRows, weights: Floats) -> tuple[Ints, Floats]:
    counts, sums = np.zeros(s.examples.n_columns, dtype=np.int64), np.zeros(s.examples.n_columns)
    step = max(1, _NUMBERS // s.n)
    for left in range(0, counts.size, step):
        s.seconds_left()
        table = np.ascontiguousarray(np.asarray(s.matrix[:, left : left + step], dtype=np.float64).T)
        counts[left : left + step] = np.count_nonzero(table, axis=1)
        sums[left : left + step] = np.add.reduce(table * weights, axis=1)
    return counts, sums


def _columns(s: SignedRows, which: Ints) -> Iterator[tuple[int, Ints, Floats]]:
    """Some columns: the number of each, the rows in which it is not 0, and its values there."""
    if s.rows.is_sparse:
        wanted = np.zeros(s.examples.n_columns, dtype=bool)
        wanted[which] = True
        parts = list(_entries(s, wanted)) if which.size else []
        if not parts:
            return
        row, column, value = (np.concatenate(some) for some in zip(*parts, strict=True))
        s.seconds_left()
        order = np.argsort(column, kind="stable")
        row, value, starts = row[order], value[order], np.searchsorted(column[order], np.append(which, wanted.size))
        for k, j in enumerate(which.tolist()):
            if k % 200 == 0:
                s.seconds_left()
            yield j, row[starts[k] : starts[k + 1]], value[starts[k] : starts[k + 1]]
        return
    for j in which.tolist():
        s.seconds_left()
        values = np.asarray(s.matrix[:, j], dtype=np.float64)
        rows = np.flatnonzero(values)
        yield j, rows, values[rows]
