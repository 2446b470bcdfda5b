"""No toy: workers hold rows that the client could not, and one worker is timed against two.

The client's process holds the scheduler, too, and is watched from outside; a result of more than a megabyte that comes
to it is an error.
"""

import hashlib
import time
from typing import Any

from benchmarks.cluster import local, made
from benchmarks.cluster.guarded import Guarded
from rosenblatt import cluster

LIMIT = 10**6
CLIENT = 500 * 10**6
"""Bytes of memory below which the client is to stay."""


def measure(rows: int, columns: int, shards: int, epochs: int, workers: list[int]) -> dict[str, Any]:
    """A run with each number of workers."""
    return {
        "rows": rows // shards * shards, "columns": columns, "shards": shards, "epochs": epochs,
        "runs": [run(rows // shards, columns, shards, epochs, count) for count in workers],
    }  # fmt: skip


def run(rows: int, columns: int, shards: int, epochs: int, count: int) -> dict[str, Any]:
    """So many epochs over shards of so many rows, with so many workers."""
    client: Any
    with local.workers(count) as client:
        engine, clock = Guarded(client, LIMIT), local.Clock()
        begin = time.perf_counter()
        source = cluster.sharded(engine, made.on_workers(client, made.gaussian, shards, rows, columns))
        making = time.perf_counter() - begin
        learnt = cluster.learn(engine, source, max_epochs=epochs, tol=None, callback=clock)
        holders = [one for who in client.who_has(source.kept).values() for one in who]
        return {
            "workers": count,
            "making": making,
            "seconds": clock.seconds,
            "median": clock.median,
            "digest": digest(learnt),
            "mistakes": int(learnt.history.mistakes[-1]),
            "resident": sum(client.run(local.resident).values()),
            "shards": sorted(map(holders.count, set(holders))),
            "received": engine.most,
        }


def digest(run: Any) -> str:
    """Of the bits of a run: the last weights, the average, and the mistakes of each epoch."""
    parts = [*run.state.read("last"), *run.state.read("averaged"), run.history.mistakes]
    return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()[:16]
