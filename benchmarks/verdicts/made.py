"""How the rows of each shape are made, from the seed 0."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from benchmarks import synthetic

Labels = NDArray[np.int64]
Made = tuple[Any, Labels]


def _signs(rng: np.random.Generator, n: int) -> Labels:
    y = rng.choice(np.array([-1, 1]), n)
    y[:2] = 1, -1
    return y


def gaussian(n: int, d: int) -> Made:
    """Labels at random: separable up to twice as many rows as columns, or about so (Cover 1965)."""
    rng = np.random.default_rng(0)
    return rng.standard_normal((n, d)), _signs(rng, n)


def dense(n: int, d: int, kind: str, gap: float = 0.01) -> Made:
    """A gap; 5 % of the labels flipped; or those beside a column that only positive rows have."""
    data = synthetic.dense(n, d, gap, 0, 0.0 if kind == "separable" else 0.05)
    if kind == "quasi-separable":
        data.rows[:, 0] = (data.labels > 0) & (np.random.default_rng(1).random(n) < 0.3)
    return data.rows, data.labels


def hidden(n: int, d: int) -> Made:
    """The same column, with two others added to it: no column alone says anything. Short numbers keep it exact."""
    x, y = dense(n, d, "quasi-separable")
    x = np.rint(x * 1024) / 1024
    x[:, 0] += x[:, 1:3].sum(axis=1)
    return x, y


def madelon(n: int, d: int) -> Made:
    """Whole numbers around 480, five columns whose corners decide, the rest noise."""
    rng = np.random.default_rng(0)
    corners = _signs(rng, 5 * n).reshape(n, 5)[:, : min(5, d)]
    x = rng.normal(480, 40, (n, d))
    x[:, : corners.shape[1]] += 30 * corners
    y = corners.prod(axis=1)
    y[:2] = 1, -1
    return np.rint(x), y


def words(n: int, d: int, each: int, labels: str = "random") -> Made:
    """Counts of words of a Zipf law, about `each` in a row; labels at random, or by a few hundred frequent words.

    "noise": 5 % of those are wrong. "twins": a hundred documents occur twice, with both labels.
    """
    rng = np.random.default_rng(0)
    rank = np.exp(rng.random((n, each)) * np.log(d + 1)) - 1
    columns = np.minimum(rank.astype(np.int64), d - 1)
    twins = rng.choice(n, 2 * min(100, n // 4), replace=False).reshape(2, -1)
    if labels == "twins":
        columns[twins[1]] = columns[twins[0]]
    starts = np.arange(0, n * each + 1, each)
    x = csr_array((np.ones(n * each), columns.ravel(), starts), shape=(n, d))
    x.sum_duplicates()
    x.indices, x.indptr = x.indices.astype(np.int32), x.indptr.astype(np.int32)
    if labels == "random":
        return x, _signs(rng, n)
    deciding = np.zeros(d)
    deciding[: min(300, d)] = rng.standard_normal(min(300, d))
    y = np.where(x @ deciding > 0, 1, -1)
    wrong = rng.choice(n, n // 20, replace=False) if labels == "noise" else twins[1] if labels == "twins" else []
    y[wrong] = -y[wrong]
    return x, y


def duplicates(n: int, d: int) -> Made:
    """Overlapping rows, each a hundred times."""
    x, y = dense(max(2, n // 100), d, "overlapping")
    again = np.random.default_rng(1).permutation(np.arange(n) % len(y))
    return x[again], y[again]


def conflict(n: int, d: int) -> Made:
    """Separable, but for one row that occurs with both labels."""
    x, y = dense(n, d, "separable")
    x[-1], y[-1] = x[0], -y[0]
    return x, y


def grid(n: int, d: int) -> Made:
    """Points of a grid on their sides of a plane; those on it, many, with labels at random."""
    rng = np.random.default_rng(0)
    x = rng.integers(-3, 4, (n, d))
    side = x @ rng.choice([-1, 1], d)
    y = np.where(side > 0, 1, np.where(side < 0, -1, _signs(rng, n)))
    return x.astype(np.float64), y


def integers(n: int, d: int) -> Made:
    """Whole numbers of 40 bits, 5 % of the labels wrong."""
    x, y = dense(n, d, "overlapping")
    return np.rint(x * 2.0**38), y
