r"""Rows and labels as a proof means them, and the fingerprint they are known by.

A proof speaks of float64 numbers as stored, each an exact dyadic rational, and of labels ±1. How they are stored does
not matter: an array, a CSR matrix, float32, another memory order, −0.0 or explicit zeros give the same `LabelledRows`
and so the same fingerprint: the SHA-256 of

    b"rosenblatt rows 1\n", n and d (int64), and the SHA-256 of each chunk of 4096 rows, which is of
    b"dense" and the rows (float64, row by row, no −0.0) if at least half of the entries are not 0, or else of
    b"sparse", how many such entries each row has, their columns (int64) and the entries (float64), row by row;
    and in both cases of the labels (int8) after that; every number little-endian.

Nothing here is shared with the search (which reads rows through the compiled core), so that it can be its judge's eyes.
"""

import hashlib
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .telling import Teller

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CHUNK = 4096
_BLOCK = 2**17  # entries worked on at a time, so that they stay in the cache


def fingerprint(X: Any, y: Any) -> str:
    """The fingerprint of rows X and labels y: 64 hexadecimal digits.

    >>> fingerprint([[1.0, 0.0], [2.5, -0.0]], [-1, 1])[:16]
    '2b36f0f94b50be40'
    """
    return LabelledRows.of(X, y).fingerprint()


@dataclass(frozen=True, eq=False)
class RowBlock:
    """Some rows: a matrix of values; or the values that are not 0 alone, and the row and the column of each."""

    shape: tuple[int, int]
    values: Floats
    at: tuple[Ints, Ints] | None

    @property
    def transposed(self) -> "RowBlock":
        """Rows for columns."""
        return RowBlock(self.shape[::-1], self.values.T, self.at and self.at[::-1])

    def holding(self, values: Floats) -> "RowBlock":
        """Other values in the same places."""
        return RowBlock(self.shape, values, self.at)

    def times(self, W: Floats) -> Floats:
        """X·W, for W of shape (d, k). In which order the products are summed is not said."""
        if self.at is None:
            return self.values @ W
        row, column = self.at
        products: list[Any] = [np.bincount(row, self.values * w[column], self.shape[0]) for w in W.T]
        return np.stack(products, axis=1)

    def only(self, columns: Ints) -> "RowBlock":
        """These columns (in increasing order) alone."""
        shape = (self.shape[0], columns.size)
        if self.at is None:
            return self if columns.size == self.shape[1] else RowBlock(shape, self.values[:, columns], None)
        row, column = self.at
        place = np.minimum(np.searchsorted(columns, column), columns.size - 1)
        keep = columns[place] == column
        return RowBlock(shape, self.values[keep], (row[keep], place[keep]))


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """n × d finite numbers, as an array or in CSR form (sorted, no zeros), and a label ±1 for each row."""

    n: int
    d: int
    signs: NDArray[np.int8]
    values: NDArray[Any]
    at: tuple[Ints, Ints] | None
    """Of the CSR form: where each row starts, and the column of each value."""
    teller: Teller = field(default_factory=Teller)
    """Whom to tell how far a pass over the rows is."""

    @classmethod
    def of(cls, X: Any, y: Any, teller: Teller | None = None) -> "LabelledRows":
        """Rows from an array or anything SciPy calls sparse; labels ±1, or any other two, in sorted order."""
        if hasattr(X, "tocsr"):
            n, d, values, at = _csr(X)
        else:
            values, at = _array(X), None
            n, d = values.shape
        return cls(n, d, _signs(y, n), values, at, teller or Teller())

    def fingerprint(self) -> str:
        """See above."""
        return sha_of_chunks(self.n, self.d, self.digests())

    def digests(self, before: int = 0) -> bytes:
        """The SHA-256 of each chunk. `before`: how many rows there are before these, in words about a fault.

        The chunks are hashed in threads: hashlib lets go of the interpreter meanwhile.
        """
        if self.n <= CHUNK:
            return self._chunk(0, before)
        found = bytearray()
        with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            try:
                for chunk, digest in enumerate(pool.map(self._chunk, range(0, self.n, CHUNK))):
                    found += digest
                    self.teller.at(chunk * CHUNK, self.n)
            except BaseException:  # Ctrl-C, say: the rest is for nobody
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return bytes(found)

    def _chunk(self, first: int, before: int = 0) -> bytes:
        block = self.take(np.arange(first, min(first + CHUNK, self.n)))
        self._check_finite(block, before + first)
        (rows, d), values = block.shape, block.values
        filled = int(np.count_nonzero(values))
        parts: list[NDArray[Any]]
        if 2 * filled >= rows * d:
            kind = b"dense"
            if block.at is not None:
                values = np.zeros(block.shape)
                values[block.at] = block.values
            parts = [values if filled == values.size else values + 0.0]  # −0.0 + 0.0 is +0.0
        else:
            kind = b"sparse"
            row, column = block.at if block.at is not None else np.nonzero(values)
            values = values if block.at is not None else values[row, column]
            parts = [np.bincount(row, minlength=rows), column, values]
        sha = hashlib.sha256(kind)
        for part in (*parts, self.signs[first : first + rows]):
            sha.update(np.ascontiguousarray(part, part.dtype.newbyteorder("<")).reshape(-1).data)
        return sha.digest()

    def _check_finite(self, block: RowBlock, first: int) -> None:
        if not np.isfinite(block.values).all():
            bad = np.argwhere(~np.isfinite(block.values))[0]
            row, column = bad if block.at is None else (part[bad[0]] for part in block.at)
            raise InputError(f"row {first + row}, column {column}: not a finite number")

    def take(self, rows: Ints) -> RowBlock:
        """These rows, in increasing order, as float64."""
        first, count = int(rows[0]), rows.size
        together = int(rows[-1]) - first + 1 == count
        shape = (count, self.d)
        if self.at is None:
            some = self.values[first : first + count] if together else self.values[rows]
            return RowBlock(shape, np.ascontiguousarray(some, np.float64), None)
        starts, columns = self.at
        lengths = starts[rows + 1] - starts[rows]
        row = np.repeat(np.arange(count), lengths)
        which: Any = slice(starts[first], starts[first + count] if together else None)
        if not together:
            which = np.arange(row.size) + (starts[rows] - np.cumsum(lengths) + lengths)[row]
        return RowBlock(shape, self.values[which].astype(np.float64), (row, columns[which]))

    def part(self, rows: Ints) -> "LabelledRows":
        """A copy of these rows, in increasing order."""
        block = self.take(rows)
        if block.at is None:
            return LabelledRows(rows.size, self.d, self.signs[rows], block.values, None)
        row, column = block.at
        starts = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows.size))])
        return LabelledRows(rows.size, self.d, self.signs[rows], block.values, (starts, column))

    def between(self, first: int, last: int) -> "LabelledRows":
        """These rows, on the same memory."""
        n, signs = last - first, self.signs[first:last]
        if self.at is None:
            return LabelledRows(n, self.d, signs, self.values[first:last], None)
        starts, columns = self.at
        some = slice(int(starts[first]), int(starts[last]))
        at = starts[first : last + 1] - starts[first], columns[some]
        return LabelledRows(n, self.d, signs, self.values[some], at)

    def in_use(self, rows: Ints) -> Ints:
        """The columns of these rows that are not 0 throughout; of an array, all."""
        if self.at is None:
            return np.arange(self.d)
        used = np.zeros(self.d, bool)
        for _, block in self.blocks(rows):
            used[block.at[1] if block.at else 0] = True
        return np.flatnonzero(used)

    @property
    def step(self) -> int:
        """How many rows `blocks` takes at a time: fewer than 2**20."""
        if self.at is None:
            return min(CHUNK, max(1, _BLOCK // self.d))
        # Sparse rows may be so wide that a list of all columns is longer than the entries of many rows.
        return min(2**20 - 1, max(_BLOCK, self.d) // (self.values.size // self.n + 1) + 1)

    def blocks(self, rows: Ints, width: int = 1) -> Iterator[tuple[Ints, RowBlock]]:
        """These rows, in increasing order, some at a time; fewer where `width` numbers are to be made of each."""
        step = min(self.step, 2**22 // width + 1)
        for first in range(0, rows.size, step):
            some = rows[first : first + step]
            self.teller.at(int(some[0]), self.n)
            yield some, self.take(some)


def sha_of_chunks(n: int, d: int, digests: bytes) -> str:
    """The fingerprint of n × d numbers and their labels, from the SHA-256 of each chunk."""
    return hashlib.sha256(b"rosenblatt rows 1\n" + np.array([n, d], "<i8").tobytes() + digests).hexdigest()


def joined(parts: Sequence[LabelledRows]) -> LabelledRows:
    """The rows of one after those of the other; all of them in one form."""
    if len(parts) == 1:
        return parts[0]
    if len({(part.d, part.at is None) for part in parts}) > 1:
        raise InputError("blocks of rows: expected one width, and all of them arrays or all sparse")
    n, signs = sum(part.n for part in parts), np.concatenate([part.signs for part in parts])
    values = np.concatenate([part.values.astype(np.float64, copy=False) for part in parts])
    if parts[0].at is None:
        return LabelledRows(n, parts[0].d, signs, values, None)
    lengths = np.concatenate([np.diff(part.at[0]) for part in parts if part.at])
    columns = np.concatenate([part.at[1] for part in parts if part.at])
    return LabelledRows(n, parts[0].d, signs, values, (np.concatenate([[0], np.cumsum(lengths)]), columns))


def _array(X: Any) -> NDArray[Any]:
    _no_mask(X, "rows")
    try:
        values = np.asarray(X)
    except ValueError as error:
        raise InputError(f"rows must form a table of numbers: {error}") from None
    if values.ndim != 2 or 0 in values.shape:
        raise InputError(f"rows must form a table (n, d), not an array of shape {values.shape}")
    return _numbers(values)


def _numbers(values: NDArray[Any]) -> NDArray[Any]:
    """The same array, if float64 holds each of its numbers."""
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind not in "fiub" or size > 8:
        raise InputError(f"values of type {values.dtype}: expected numbers that float64 holds")
    if kind in "iu" and size == 8 and values.size and max(-int(values.min()), int(values.max())) > 2**53:
        raise InputError("integers beyond 2**53 are not exact as float64")
    return values


def _csr(X: Any) -> tuple[int, int, NDArray[Any], tuple[Ints, Ints]]:
    """The parts of a sparse matrix: looked at before they are used, sorted within each row, without zeros."""
    if len(X.shape) != 2 or 0 in X.shape:
        raise InputError(f"rows must form a table (n, d), not a sparse array of shape {X.shape}")
    n, d = map(int, X.shape)
    X = _converted(X)
    values, columns, starts = (np.asarray(part) for part in (X.data, X.indices, X.indptr))
    if (
        {values.ndim, columns.ndim, starts.ndim} != {1}
        or columns.dtype.kind not in "iu"
        or starts.dtype.kind not in "iu"
    ):
        raise InputError("sparse matrix: data, indices and indptr must be one-dimensional, the last two integers")
    starts, columns = starts.astype(np.int64), columns.astype(np.int64)
    used = int(starts[-1]) if starts.size == n + 1 else -1
    if used < 0 or starts[0] != 0 or (np.diff(starts) < 0).any() or not values.size == columns.size >= used:
        raise InputError(
            "sparse matrix: indptr must rise from 0 to the number of values, with one entry more than rows"
        )
    values, columns = _numbers(values)[:used], columns[:used]
    if used and not 0 <= int(columns.min()) <= int(columns.max()) < d:
        raise InputError(f"sparse matrix: a column is not within 0 to {d - 1}")
    row = np.repeat(np.arange(n), np.diff(starts))
    place = row * d + columns if n * d < 2**63 else None
    if place is None or (np.diff(place) <= 0).any():
        order = np.lexsort((columns, row))
        values, columns = values[order], columns[order]
        if (twice := np.flatnonzero((np.diff(row) == 0) & (np.diff(columns) == 0))).size:
            at = f"row {row[twice[0]]}, column {columns[twice[0]]}"
            raise InputError(f"sparse matrix: {at}: more than one value; sum_duplicates() makes it one")
    keep = values != 0
    if not keep.all():
        values, columns = values[keep], columns[keep]
        starts = np.concatenate([[0], np.cumsum(keep)])[starts]
    return n, d, values, (starts, columns)


def _converted(X: Any) -> Any:
    """X in CSR form. SciPy converts without looking at the indices, so those of other forms are looked at first."""
    if X.format == "csr":
        return X
    try:
        if hasattr(X, "check_format"):
            X.check_format(full_check=True)
    except ValueError as error:
        raise InputError(f"sparse matrix: {error}") from None
    if X.format == "coo" and X.nnz:
        for indices, size in zip(X.coords, X.shape, strict=True):
            if not 0 <= int(indices.min()) <= int(indices.max()) < size:
                raise InputError(f"sparse matrix: an index is not within 0 to {size - 1}")
    return X.tocsr()


def _signs(y: Any, n: int) -> NDArray[np.int8]:
    _no_mask(y, "labels")
    labels = np.asarray(y)
    if labels.shape != (n,):
        raise InputError(f"{n} rows but labels of shape {labels.shape}")
    if labels.dtype.kind in "fiu" and bool(((labels == 1) | (labels == -1)).all()):
        return labels.astype(np.int8)
    try:
        classes, codes = np.unique(labels, return_inverse=True)
    except TypeError:
        raise InputError("labels of mixed types cannot be sorted: make them all numbers or all strings") from None
    if classes.size != 2 or (classes != classes).any():
        raise InputError("labels must be -1 and +1, or two others (of which the second in sorted order counts as +1)")
    return (2 * codes.reshape(-1) - 1).astype(np.int8)


def _no_mask(values: Any, name: str) -> None:
    module = sys.modules.get("numpy.ma")  # numpy.ma is not imported to find out
    if module is not None and module.is_masked(values):
        raise InputError(f"{name} are masked in places; fill missing values first")
