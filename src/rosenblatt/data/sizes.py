"""Sizes of columns: whether a perceptron hardly hears some of them, or hears little but the mean of the rows.

A step adds a multiple of the row, so the weight of a column a hundred times as large moves a hundred times as far, and
its part of the score ten thousand times. Likewise rows far from 0 all look alike, whatever their class. Up to a factor
of 10 that costs little; what is far beyond, scaling has mended wherever it was tried (docs/runs.md).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .scans import chunk_matrices
from .source import CHUNK, Source, chunk_sizes

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
    d, chunks = source.n_columns, -(-source.n_rows // CHUNK)
    looked_at = np.unique(np.linspace(0, chunks - 1, min(chunks, _CHUNKS)).astype(np.int64))
    rows = int(chunk_sizes(looked_at, source.n_rows).sum())
    counts, sums, squares = np.zeros(d), np.zeros(d), np.zeros(d)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        for _, block, _ in chunk_matrices(source, looked_at):
            if source.is_sparse:
                counts += np.bincount(block.indices, block.data != 0, minlength=d)
                squares += np.bincount(block.indices, block.data.astype(np.float64) ** 2, minlength=d)
            else:
                counts += np.count_nonzero(block, axis=0)
                sums += block.sum(axis=0, dtype=np.float64)
                squares += np.einsum("ij,ij->j", block, block, dtype=np.float64)
        around = squares.sum() - (sums**2).sum() / rows
        off_centre = float(np.sqrt(squares.sum() / around)) if 0 < around < np.inf else 1.0
        filled = counts >= max(1.0, _FILLED * rows)
        ratio = _ratio(np.sqrt(squares[filled] / counts[filled]))
    if ratio >= FAR_APART:
        ratio = min(ratio, _ratio(_largest(source, looked_at)[filled]))
    return Sizes(ratio, off_centre)


def _largest(source: Source, chunks: NDArray[np.int64]) -> Floats:
    """Max |·| of each column."""
    found = np.zeros(source.n_columns)
    for _, block, _ in chunk_matrices(source, chunks):
        if source.is_sparse:
            np.maximum.at(found, block.indices, np.abs(block.data))
        else:
            np.maximum(found, block.max(axis=0, initial=0), out=found)
            np.maximum(found, -block.min(axis=0, initial=0), out=found)
    return found


def _ratio(found: Floats) -> float:
    """The largest by the smallest; 1 if there are fewer than two, or if squares left float64."""
    least, most = (float(found.min()), float(found.max())) if found.size > 1 else (1.0, 1.0)
    return most / least if least > 0 and most < np.inf else 1.0
