"""Encoding: columns of numbers, of categories and of words become rows, dense or sparse.

Sparse if that is smaller; of few columns, if it is much smaller, since sparse rows cannot be centred.

A column of numbers is one feature of its name; one of categories becomes a feature `column=value` for each value, 1
where the row has it; one of words a feature `column:word` for each word, how often the row has it. With `hash_bits`
each feature goes to the column that the hash of its name says, and what meets there is added up.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ..text.hashing import columns_of_names
from .columns import Column
from .words import WordColumn

_FEW = 1000  # columns
_WORTH = 4  # times the memory, at most
_BLOCK = 2**13  # rows written at a time, so that they stay in the cache


def is_sparse(stored: int, n: int, d: int, size: int) -> bool:
    """Whether n rows of d features, so many of which are not 0, are to be kept sparse; `size` is that of a number."""
    # Few columns are worth some memory: centred, they are learnt better.
    worth = _WORTH if d <= _FEW else 1
    return worth * ((size + 4) * stored + 8 * n) < size * n * d


def rows_of_columns(
    columns: Sequence[Column], n: int, names: Sequence[str], hash_bits: int | None, sparse: bool, dtype: np.dtype[Any]
) -> _core.Rows:
    """Rows of all features, in the order of the columns. Hashed, they are sparse."""
    if not sparse and hash_bits is None:
        return _core.Rows.dense(_dense(columns, n, len(names), dtype))
    d, parts = len(names), _sparse(columns, n, sum(column.stored() for column in columns), dtype)
    if hash_bits is not None:
        d, parts = 2**hash_bits, _summed(*parts, columns_of_names(names, hash_bits), hash_bits)
    rows, flaw, row, value = _core.Rows.sparse(*parts, n, d)
    if rows is None:
        raise AssertionError(f"{flaw} at row {row}: {value}")
    return rows


def _dense(columns: Sequence[Column], n: int, d: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    table = np.zeros((n, d), dtype=dtype)
    whole = []
    first = 0
    for column in columns:
        if isinstance(column, WordColumn):
            table[column.rows, first + column.numbers] = column.values
        elif column.categories is None and column.rows is None:
            whole.append((first, column.values))
        else:
            rows, values = column.entries()
            table[rows, first if column.categories is None else first + values] = (
                values if column.categories is None else 1
            )
        first += column.width
    for start in range(0, n, _BLOCK):
        block = table[start : start + _BLOCK]
        for j, values in whole:
            block[:, j] = values[start : start + _BLOCK]
    return table


def _sparse(columns: Sequence[Column], n: int, stored: int, dtype: np.dtype[Any]) -> tuple[Any, Any, Any]:
    """Values, columns and starts. Columns come in order, so each row's next free place is all there is to know."""
    starts = np.zeros(n + 1, dtype=np.int64)
    counts = starts[1:]
    for column in columns:
        if isinstance(column, WordColumn):
            counts += np.bincount(column.rows, minlength=n)  # type: ignore[arg-type]  # words have rows
        elif column.rows is None:
            counts += column.values != 0 if column.categories is None else column.values >= 0
        else:
            counts[column.entries()[0]] += 1  # each row comes but once
    np.cumsum(counts, out=counts)
    free = starts[:-1].copy()
    values, indices = np.ones(stored, dtype=dtype), np.empty(stored, dtype=np.int32)
    first = 0
    for column in columns:
        if isinstance(column, WordColumn):
            places = free[column.rows] + column.places_within()
            values[places], indices[places] = column.values, column.numbers + first
            free += np.bincount(column.rows, minlength=n)  # type: ignore[arg-type]
            first += column.width
            continue
        rows, entries = column.entries()
        places = free[rows]
        if column.categories is None:
            values[places] = entries
            indices[places] = first
        else:
            indices[places] = entries + first
        first += column.width
        free[rows] = places + 1
    return values, indices, starts


def _summed(values: Any, indices: Any, starts: Any, hashed: Any, bits: int) -> tuple[Any, Any, Any]:
    """The same rows after each column has gone to its hash, sorted again, and added up where two meet."""
    rows = np.repeat(np.arange(starts.size - 1, dtype=np.int64), np.diff(starts))
    keys = (rows << bits) | hashed[indices]
    keys, which = np.unique(keys, return_inverse=True)
    sums = np.bincount(which, weights=values, minlength=keys.size)  # in the order of the features
    ends = np.searchsorted(keys, np.arange(starts.size, dtype=np.int64) << bits)
    return sums.astype(values.dtype), (keys & (2**bits - 1)).astype(np.int32), ends.astype(np.int64)
