"""What a row costs: one shard in this process, dense and sparse, by the entries of a row.

As a run on a cluster has it: shuffled, averaged, standardised. Every shape has about as many entries in all, far more
than caches hold. On one core: a run gathers its next rows in a second thread, and where every core has a worker there
is none to spare for it.
"""

from typing import Any

from benchmarks.cluster import local, made
from rosenblatt import cluster
from rosenblatt.cluster.engine import Here

COLUMNS = 100_000
"""Of sparse rows."""


def measure(dense: list[int], sparse: list[int], entries: int, epochs: int) -> dict[str, Any]:
    """Dense rows with so many columns each, then sparse ones with so many entries."""
    shapes = [(False, width) for width in dense] + [(True, width) for width in sparse]
    with local.one_core():
        return {"cells": [cell(is_sparse, width, max(16, entries // width), epochs) for is_sparse, width in shapes]}


def cell(sparse: bool, width: int, rows: int, epochs: int) -> dict[str, Any]:
    """Seconds of a row."""
    x, y = made.words(0, rows, COLUMNS, width) if sparse else made.gaussian(0, rows, width)
    clock = local.Clock()
    cluster.learn(Here(), [x], [y], max_epochs=1 + epochs, tol=None, callback=clock)
    each = x.nnz / rows if sparse else width
    return {"sparse": sparse, "entries": each, "rows": rows, "seconds": clock.median / rows}
