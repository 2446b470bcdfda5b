"""Visits: in which order an epoch meets the rows.

An order is a word, or the caller's own: one permutation of the rows for each epoch, over and over (`orders_of`).

Rows are met in chunks of 4,096. `cyclic` takes them as they come. `shuffled` deals them anew for every epoch: blocks of
16 rows are permuted, 256 of them make a chunk, and the rows within each chunk are permuted. It is a pure function of
(seed, epoch): nothing to save, and the same bytes on every machine. (Whole chunks in random order would be faster still
by a little, but rows often come sorted by their class, and then every chunk would be of one class.)

A third order, `active` (any misclassified row next, chosen well), would not be a permutation known beforehand: it is a
driver of its own around the core's `advance`, handing it visits of its choosing (some rows of a chunk, in any order,
more than once) in place of those below.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.source import CHUNK, Visit, chunk_sizes
from ..errors import InputError, shown

Order = str | NDArray[np.int64]

_TOGETHER = 64  # chunks shuffled in one go: a megabyte of row numbers


def orders_of(given: Any, n_rows: int) -> NDArray[np.int64]:
    """The caller's own order, checked: (epochs, n), a permutation of 0 … n − 1 for each epoch, from the first on again.

    >>> orders_of([2, 0, 1], 3).tolist(), orders_of([[2, 0, 1], [0, 1, 2], [2, 0, 1], [0, 1, 2]], 3).tolist()
    ([[2, 0, 1]], [[2, 0, 1], [0, 1, 2]])
    """
    wanted = f"a permutation of the rows 0 to {n_rows - 1}, or a list of such, one for each epoch"
    if np.ma.isMaskedArray(given):
        raise InputError(f"order is masked; expected {wanted}")
    try:
        orders = np.array(given)  # a copy: what is learnt from must not change on the way
    except ValueError:  # lists of different lengths
        orders = np.empty(0)
    orders = orders[None] if orders.ndim == 1 else orders
    if orders.ndim != 2 or not orders.size or orders.dtype.kind not in "iu":
        raise InputError(f"unknown order {shown(given)}; expected one of cyclic, shuffled, or {wanted}")
    if orders.shape[1] != n_rows:
        raise InputError(f"order has {orders.shape[1]} places for {n_rows} rows; expected {wanted}")
    for epoch, order in enumerate(orders):
        where = f"order of epoch {epoch + 1}" if len(orders) > 1 else "order"
        if (bad := np.flatnonzero((order < 0) | (order >= n_rows))).size:
            raise InputError(f"{where} has row {order[bad[0]]} at place {bad[0]}; expected {wanted}")
        counts = np.bincount(order.astype(np.int64), minlength=n_rows)
        if (missing := np.flatnonzero(counts == 0)).size:
            raise InputError(f"{where} has row {counts.argmax()} twice and not row {missing[0]}; expected {wanted}")
    # Said once where it repeats, so that one order is known for one, however often it is given.
    divisors = (p for p in range(1, len(orders)) if len(orders) % p == 0)
    period = next((p for p in divisors if np.array_equal(orders[p:], orders[:-p])), len(orders))
    orders = np.ascontiguousarray(orders[:period], dtype=np.int64)
    orders.flags.writeable = False
    return orders


def name_of(order: Order) -> str:
    """The word; or of the caller's own, one that tells it from others."""
    return order if isinstance(order, str) else f"given {hashlib.sha256(order.tobytes()).hexdigest()[:16]}"


def visits(order: Order, seed: int, epoch: int, n_rows: int, met: int = 0) -> Iterator[Visit]:
    """The visits of one epoch (counted from 1), without the chunks that its first `met` rows have finished."""
    chunks = np.arange(met // CHUNK if met < n_rows else -(-n_rows // CHUNK), -(-n_rows // CHUNK))
    if not isinstance(order, str):
        yield Visit(chunks, order[(epoch - 1) % len(order)][n_rows - int(chunk_sizes(chunks, n_rows).sum()) :])
        return
    if order == "cyclic":
        yield Visit(chunks, None)
        return
    blocks = _core.block_order(seed, epoch, n_rows)
    for first in range(0, chunks.size, _TOGETHER):
        some = chunks[first : first + _TOGETHER]
        yield Visit(some, _core.row_orders(seed, epoch, some, blocks, n_rows))


def row_order(order: Order, seed: int, epoch: int, n_rows: int) -> NDArray[np.int64]:
    """The numbers of the rows in the order that an epoch meets them.

    >>> row_order("cyclic", 0, 1, 4).tolist()
    [0, 1, 2, 3]
    >>> sorted(row_order("shuffled", 0, 1, 10_000).tolist()) == list(range(10_000))
    True
    """
    return np.concatenate([visit.numbers(n_rows) for visit in visits(order, seed, epoch, n_rows)])


def rows_met(order: Order, seed: int, n_rows: int, first: int, last: int) -> NDArray[np.int64]:
    """The numbers of the rows met by the visits first … last of a run, counted from 1 over all epochs.

    >>> rows_met("cyclic", 0, 3, 2, 5).tolist()
    [1, 2, 0, 1]
    """
    if isinstance(order, str) and order == "cyclic":
        return np.arange(first - 1, last) % n_rows
    parts, at = [np.empty(0, np.int64)], first - 1
    while at < last:
        epoch, place = divmod(at, n_rows)
        skip = place % CHUNK  # the chunk that is open is given whole
        for visit in visits(order, seed, epoch + 1, n_rows, place):
            some = visit.numbers(n_rows)[skip:][: last - at]
            parts.append(some)
            at, skip = at + some.size, 0
            if at == last:
                break
    return np.concatenate(parts)
