"""Seeded data, made by NumPy in seconds.

**Twins.** Each set holds pairs of equal rows with opposite labels. For any weights one twin of a pair is
wrong, so no epoch is ever clean: whoever stops at a clean epoch and whoever does not do the same epochs.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from benchmarks.contest import Data


def twins(rng: np.random.Generator, rows: int, pairs: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row numbers of `pairs` originals and of the rows that will become their twins."""
    chosen = rng.choice(rows, 2 * pairs, replace=False)
    return chosen[:pairs], chosen[pairs:]


def dense(rows: int, columns: int, gap: float, pairs: int, flips: float = 0.0, seed: int = 0) -> Data:
    """Gaussian rows moved `gap` away from a random plane through the origin; a share of labels flipped.

    Separable with margin `gap` but for the twins and the flips. The separator given is the plane,
    scaled so far up that a run starting there meets the twins and flips and next to nothing else.
    """
    rng = np.random.default_rng(seed)
    direction = rng.standard_normal(columns)
    direction /= np.linalg.norm(direction)
    x = rng.standard_normal((rows, columns))
    y = np.where(x @ direction > 0, 1, -1).astype(np.int64)
    if gap:
        x += (gap * y)[:, None] * direction
    original, twin = twins(rng, rows, pairs)
    x[twin], y[twin] = x[original], -y[original]
    wrong = rng.choice(rows, int(flips * rows), replace=False)
    y[wrong] = -y[wrong]
    return Data(f"{rows:,} × {columns} float64", x, y, (1e6 * direction, 0.0))


@lru_cache(maxsize=1)
def text(rows: int, columns: int, informative: int, pairs: int, seed: int = 0, drawn: int = 75) -> Data:
    """CSR rows like documents: `drawn` words of a Zipf law, of 75 about 65 distinct, weighted as tf-idf, of length 1.

    A word's rank is log-uniform (frequency ∝ 1/rank) and words are numbered at random, as alphabetical
    order would, so frequent ones are not neighbours in memory. Indices are sorted and int32.
    The `informative` most frequent words decide the label.
    """
    rng = np.random.default_rng(seed)
    number = rng.permutation(columns).astype(np.int32)
    rank = np.exp(rng.random((rows, drawn), dtype=np.float32) * np.float32(np.log(columns + 1))) - 1
    words = number[np.minimum(rank.astype(np.int32), columns - 1)]
    counts = 1 + rng.random(words.shape, dtype=np.float32)
    original, twin = twins(rng, rows, pairs)
    words[twin], counts[twin] = words[original], counts[original]
    words.sort(axis=1)
    distinct = np.ones(words.shape, dtype=bool)
    distinct[:, 1:] = words[:, 1:] != words[:, :-1]
    starts = np.concatenate(([0], np.cumsum(distinct.sum(axis=1)))).astype(np.int32)
    indices = words[distinct]
    rarity = np.empty(columns)
    rarity[number] = 1 + np.log1p(np.arange(columns))
    values = rarity[indices] * counts[distinct]
    values /= np.repeat(np.sqrt(np.add.reduceat(values * values, starts[:-1])), np.diff(starts))
    x = csr_array((values, indices, starts), shape=(rows, columns))
    weights = np.zeros(columns)
    weights[number[:informative]] = rng.standard_normal(informative)
    y = np.where(x @ weights > 0, 1, -1).astype(np.int64)
    y[twin] = -y[original]
    title = f"{rows:,} × {columns:,} CSR float64, {x.nnz / rows:.0f} non-zeros a row"
    return Data(title, x, y)


def digits(rows: int, seed: int = 0) -> Data:
    """Ten overlapping clusters in the shape of MNIST: 784 grey levels k/255, about 19 % of them not 0."""
    rng = np.random.default_rng(seed)
    y = rng.integers(10, size=rows)
    prototypes = rng.standard_normal((10, 784), dtype=np.float32)
    ink = rng.standard_normal((rows, 784), dtype=np.float32)
    ink += np.float32(0.12) * prototypes[y]
    ink -= np.float32(0.88)
    x = np.clip(np.rint(ink * 128), 0, 255) / 255
    original, twin = twins(rng, rows, 10)
    x[twin], y[twin] = x[original], (y[original] + 1) % 10
    share = np.count_nonzero(x) / x.size
    return Data(f"{rows:,} × 784, ten classes, synthetic, {share:.0%} not 0", x.astype(np.float64), y)
