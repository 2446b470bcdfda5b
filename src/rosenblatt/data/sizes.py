"""Sizes of columns: whether a perceptron hardly hears some of them, or hears little but the mean of the rows.

A step adds a multiple of the row, so the weight of a column a hundred times as large moves a hundred times as far, and
its part of the score ten thousand times. Likewise rows far from 0 all look alike, whatever their class. Up to a factor
of 10 that costs little; what is far beyond, scaling has mended wherever it was tried (docs/runs.md).
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .rows import matrix_of
from .scans import chunk_matrices
from .source import Question, Source, TakenRows, spread_chunks

Floats = NDArray[np.float64]

FAR_APART = 100.0
"""Sizes that differ by this factor call for scaling. Those of words, as counts, differed by 15 and 28 in two texts."""

OFF_CENTRE = 10.0
"""So many times as far from 0 as from their mean, rows call for scaling, which centres them."""

_CHUNKS = 64  # of 4,096 rows, that are looked at
_FILLED = 0.1  # of the rows: the size of a column with fewer values hangs on a few of them, as of a rare word


class Sizes(NamedTuple):
    """Of the columns that a tenth of the rows fill: how far apart they are in size, and how far off their centre.

    ratio
        The largest by the smallest. The size is the root mean square of the values other than 0, and again the largest
        of them: the lesser of both ratios, so that neither columns of variance 1 nor columns with a largest value of 1
        are ever far apart.
    off_centre
        The root mean square of the rows' distances from 0, by that from their mean. 1 of sparse rows: to centre them
        would fill them.

    >>> from rosenblatt import Examples
    >>> found = sizes(Examples.of([[1000, 0.1], [3000, 0.2], [5000, 0.0]], [0, 1, 1]))
    >>> round(found.ratio), round(found.off_centre, 2)
    (21602, 2.09)
    """

    ratio: float
    off_centre: float


def sizes(source: Source) -> Sizes:
    """One pass over the rows, and a second for the largest values only where they can matter.

    Of very many rows some chunks are looked at, evenly spread.
    """
    if source.driver is not None:
        seen = source.ask(_Columns(source.n_columns))  # on a cluster, where each shard looks at some chunks
        return seen.sizes(lambda: seen.largest)
    looked_at = spread_chunks(source.n_rows, _CHUNKS)
    seen = _Columns(source.n_columns)
    for _, block, _ in chunk_matrices(source, looked_at):
        seen.add(block)

    def largest() -> Floats:
        for _, block, _ in chunk_matrices(source, looked_at):
            seen.add_largest(block)
        return seen.largest

    return seen.sizes(largest)


class _Columns(Question):
    """Of each column: how many values are not 0, Σx, Σx², and max |x|."""

    chunks = _CHUNKS

    def __init__(self, d: int) -> None:
        self.rows, self.counts, self.sums, self.squares, self.largest = 0, *np.zeros((4, d))

    def add(self, block: Any) -> None:
        """Some rows, an array or in CSR form."""
        d = self.counts.size
        self.rows += block.shape[0]
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            if isinstance(block, np.ndarray):
                self.counts += np.count_nonzero(block, axis=0)
                self.sums += block.sum(axis=0, dtype=np.float64)
                self.squares += np.einsum("ij,ij->j", block, block, dtype=np.float64)
            else:
                self.counts += np.bincount(block.indices, block.data != 0, minlength=d)
                self.squares += np.bincount(block.indices, block.data.astype(np.float64) ** 2, minlength=d)

    def add_largest(self, block: Any) -> None:
        """The largest values of the same rows."""
        if isinstance(block, np.ndarray):
            np.maximum(self.largest, block.max(axis=0, initial=0), out=self.largest)
            np.maximum(self.largest, -block.min(axis=0, initial=0), out=self.largest)
        else:
            np.maximum.at(self.largest, block.indices, np.abs(block.data))

    def see(self, taken: TakenRows) -> None:
        """A chunk of a shard."""
        rows = matrix_of(taken.rows)
        self.add(rows)
        self.add_largest(rows)

    def join(self, later: "_Columns") -> None:
        """What was seen of the rows behind."""
        self.rows += later.rows
        self.counts, self.sums, self.squares = (
            self.counts + later.counts, self.sums + later.sums, self.squares + later.squares,
        )  # fmt: skip
        self.largest = np.maximum(self.largest, later.largest)

    def sizes(self, largest: Callable[[], Floats]) -> Sizes:
        """How far apart they are; the largest values are asked for where they can matter."""
        squares, counts, sums = self.squares, self.counts, self.sums
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            around = squares.sum() - (sums**2).sum() / self.rows
            off_centre = float(np.sqrt(squares.sum() / around)) if 0 < around < np.inf else 1.0
            filled = counts >= max(1.0, _FILLED * self.rows)
            ratio = _ratio(np.sqrt(squares[filled] / counts[filled]))
        if ratio >= FAR_APART:
            ratio = min(ratio, _ratio(largest()[filled]))
        return Sizes(ratio, off_centre)


def _ratio(found: Floats) -> float:
    """The largest by the smallest; 1 if there are fewer than two, or if squares left float64."""
    least, most = (float(found.min()), float(found.max())) if found.size > 1 else (1.0, 1.0)
    return most / least if least > 0 and most < np.inf else 1.0
