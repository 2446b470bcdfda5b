"""What a round costs, whatever the rows: shards of sixteen rows, by columns, shards and workers.

Beside it, what Dask itself takes for as many tasks that do nothing: no round can cost less.

And how many bytes go out and come back in an epoch: what every shard is given (`Epoch`), and what it gives (`Mixture`).
"""

import time
from statistics import median
from typing import Any

from benchmarks.cluster import local, made
from benchmarks.cluster.guarded import size_of
from rosenblatt import cluster
from rosenblatt.cluster.engine import Here

PLAN: dict[str, Any] = {"scale": "none", "tol": None}
ROWS, ENTRIES = 16, 10
"""Rows of a shard, and entries of a row, about."""
MANY = 10**5
"""Columns from which on fewer epochs are timed."""


def measure(columns: list[int], shards: list[int], workers: list[int], epochs: int, few: int) -> dict[str, Any]:
    """Seconds of an epoch for every combination, the median of so many; of `few` where there are MANY columns."""
    times = {d: few if d >= MANY else epochs for d in columns}
    cells = []
    for count in workers:
        with local.workers(count) as client:
            cells += [cell(client, count, s, d, times[d]) for d in columns for s in shards]
    return {"cells": cells, "alone": [alone(d, times[d]) for d in columns], "cores": local.at_once(10**6)}


def cell(client: Any, count: int, shards: int, columns: int, epochs: int) -> dict[str, Any]:
    """One combination."""
    clock = local.Clock()
    source = cluster.sharded(client, made.on_workers(client, made.tiny, shards, columns))
    cluster.learn(client, source, max_epochs=1 + epochs, callback=clock, **PLAN)
    least = empty(client, shards, epochs)
    return {"workers": count, "shards": shards, "columns": columns, "seconds": clock.median, "empty": least}


def nothing(_: int) -> None:
    """A task."""


def empty(client: Any, tasks: int, rounds: int) -> float:
    """Seconds in which Dask has so many tasks done that do nothing, the median of so many rounds."""
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        client.gather(client.map(nothing, range(tasks), pure=False))
        seconds.append(time.perf_counter() - begin)
    return median(seconds)


class Weighing(Here):
    """No cluster; what would go out to a shard and come back is weighed."""

    sent = received = 0

    def joined(self, function: Any, join: Any, kept: Any, shared: Any) -> Any:
        """As ever."""
        found = super().joined(function, join, kept, shared)
        self.sent, self.received = size_of(shared), size_of(found)
        return found


def alone(columns: int, epochs: int) -> dict[str, Any]:
    """Without a cluster: the seconds of a shard's own work in an epoch, and its bytes."""
    clock, engine = local.Clock(), Weighing()
    x, y = made.tiny(0, columns)
    cluster.learn(Here(), [x], [y], max_epochs=1 + epochs, callback=clock, **PLAN)
    cluster.learn(engine, [x], [y], max_epochs=1, **PLAN)
    return {"columns": columns, "seconds": clock.median, "sent": engine.sent, "received": engine.received}
