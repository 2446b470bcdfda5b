"""Sizes of columns: whether some are so much larger than others that a perceptron hardly hears the small ones.

A step adds a multiple of the row, so the weight of a column a hundred times as large moves a hundred times as far, and
its part of the score ten thousand times. Below a factor of 30 that costs little; from 100 on, scaled columns have won
five points or more of training accuracy wherever it was tried (docs/runs.md).
"""

import numpy as np
from numpy.typing import NDArray

from .scans import chunk_matrices
from .source import Source

Floats = NDArray[np.float64]

FAR_APART = 100.0
"""Sizes that differ by this factor call for scaling. The words of a text, as counts, differ by 30 at most."""

_FILLED = 0.1  # of the rows: the size of a column with fewer values hangs on a few of them, as of a rare word


def size_ratio(source: Source) -> float:
    """How many times as large the largest column is as the smallest, both of columns that a tenth of the rows fill.

    The size is the root mean square of the values other than 0, and again the largest of them: the lesser of both
    ratios, so that neither columns of variance 1 nor columns with a largest value of 1 are ever far apart. The second
    takes another pass, made only where it can matter.

    >>> from rosenblatt import Examples
    >>> size_ratio(Examples.of([[1000, 0.1], [3000, 0.2], [5000, 0.0]], [0, 1, 1])) > 1e4
    True
    """
    counts, squares = np.zeros(source.n_columns), np.zeros(source.n_columns)
    with np.errstate(over="ignore", under="ignore"):
        for _, block, _ in chunk_matrices(source):
            if source.is_sparse:
                counts += np.bincount(block.indices, block.data != 0, minlength=source.n_columns)
                squares += np.bincount(block.indices, block.data.astype(np.float64) ** 2, minlength=source.n_columns)
            else:
                counts += np.count_nonzero(block, axis=0)
                squares += np.einsum("ij,ij->j", block, block, dtype=np.float64)
    filled = counts >= max(1.0, _FILLED * source.n_rows)
    mean = np.sqrt(squares[filled] / counts[filled])
    return ratio if (ratio := _ratio(mean)) < FAR_APART else min(ratio, _ratio(_largest(source)[filled]))


def _largest(source: Source) -> Floats:
    """Max |·| of each column."""
    found = np.zeros(source.n_columns)
    for _, block, _ in chunk_matrices(source):
        if source.is_sparse:
            np.maximum.at(found, block.indices, np.abs(block.data))
        else:
            np.maximum(found, block.max(axis=0, initial=0), out=found)
            np.maximum(found, -block.min(axis=0, initial=0), out=found)
    return found


def _ratio(sizes: Floats) -> float:
    """The largest by the smallest; 1 if there are fewer than two, or if squares left float64."""
    least, most = (float(sizes.min()), float(sizes.max())) if sizes.size > 1 else (1.0, 1.0)
    return most / least if least > 0 and most < np.inf else 1.0
