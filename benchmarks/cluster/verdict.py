"""An exact verdict where the rows are, beside the one in memory: the same kind, and what each takes.

The rows are made on the workers, and once more here; the proof that the workers' rows gave is checked there.
"""

import time
from typing import Any

import numpy as np

from benchmarks.cluster import local, made
from rosenblatt import cluster, separability, verify
from rosenblatt.data.source import CHUNK

GAP = 0.01
KINDS = {"separable": (GAP, 0.0), "overlapping": (GAP, 0.05)}


def measure(rows: int, columns: int, shards: int, workers: int) -> dict[str, Any]:
    """Of each kind of rows; every shard has whole chunks, as a checker of proofs takes them."""
    each = max(1, rows // shards // CHUNK) * CHUNK
    with local.workers(workers) as client:
        found = [settled(client, kind, each, columns, shards) for kind in KINDS]
    return {"rows": each * shards, "columns": columns, "shards": shards, "workers": workers, "kinds": found}


def settled(client: Any, kind: str, rows: int, columns: int, shards: int) -> dict[str, Any]:
    """One verdict on shards, its proof checked there, and one in memory."""
    gap, flips = KINDS[kind]
    source = cluster.sharded(client, made.on_workers(client, made.gaussian, shards, rows, columns, gap, flips))
    begin = time.perf_counter()
    there = separability(source)
    proof = there.proof
    settled_at = time.perf_counter()
    holds = verify(proof, source).holds
    checked_at = time.perf_counter()
    pairs = [made.gaussian(place, rows, columns, gap, flips) for place in range(shards)]
    X, y = np.concatenate([x for x, _ in pairs]), np.concatenate([labels for _, labels in pairs])
    again = time.perf_counter()
    here = separability(X, y)
    assert here.proof is not None
    end = time.perf_counter()
    return {
        "made": kind, "there": there.kind, "here": here.kind, "holds": bool(holds),
        "seconds": settled_at - begin, "checking": checked_at - settled_at, "in memory": end - again,
    }  # fmt: skip
