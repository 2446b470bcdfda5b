"""Rows that are made on the workers, from a seed for each shard: the client never has them."""

from typing import Any

import numpy as np
from scipy.sparse import csr_array

Pair = tuple[Any, Any]  # rows and labels


def gaussian(place: int, rows: int, columns: int, gap: float = 0.0, flips: float = 0.1) -> Pair:
    """Dense rows on both sides of one plane, `gap` away from it; a share of the labels flipped."""
    direction = np.random.default_rng(0).standard_normal(columns)
    direction /= np.linalg.norm(direction)
    rng = np.random.default_rng((1, place))
    x = rng.standard_normal((rows, columns))
    y = np.where(x @ direction > 0, 1, -1)
    if gap:
        x += np.multiply.outer(gap * y, direction)
    y[rng.random(rows) < flips] *= -1
    return x, y


def words(place: int, rows: int, columns: int, each: int, flips: float = 0.1) -> Pair:
    """Sparse rows with `each` entries, at columns of a Zipf law; labels by the frequent ones, a share flipped."""
    rng = np.random.default_rng((2, place))
    rank = np.exp(rng.random((rows, each)) * np.log(columns + 1)) - 1
    number = np.random.default_rng(0).permutation(columns).astype(np.int32)  # frequent ones are no neighbours
    indices = np.sort(number[np.minimum(rank.astype(np.int32), columns - 1)], axis=1)
    starts = np.arange(0, rows * each + 1, each, dtype=np.int64)
    x = csr_array((rng.standard_normal(rows * each), indices.ravel(), starts), shape=(rows, columns))
    x.sum_duplicates()
    weights = np.random.default_rng(3).standard_normal(columns)
    y = np.where(x @ weights > 0, 1, -1)
    y[rng.random(rows) < flips] *= -1
    return x, y


def tiny(place: int, columns: int) -> Pair:
    """Sixteen rows of ten entries, the second half equal to the first with the other label: no epoch is clean."""
    x, y = words(place, 8, columns, 10)
    twice = csr_array(
        (
            np.concatenate([x.data, x.data]),
            np.concatenate([x.indices, x.indices]),
            np.concatenate([x.indptr, x.indptr[1:] + x.indptr[-1]]),
        ),
        shape=(16, columns),
    )
    return twice, np.concatenate([y, -y])


def on_workers(client: Any, function: Any, shards: int, *given: Any) -> list[Any]:
    """A pair for each shard, made by the workers in turn, so that each of them has as many."""
    addresses = sorted(client.scheduler_info(n_workers=-1)["workers"])
    return [
        client.submit(function, place, *given, workers=[addresses[place % len(addresses)]], pure=False)
        for place in range(shards)
    ]
