"""A model of what an epoch of mixing takes, in six coefficients, fitted to what was measured.

n rows of z entries, d columns, S shards on W workers, T tasks: S, and those that join their results, FAN_IN at a time.

    t = n/W·(row + entry·z) + round + task·T + d·(client + shard·S/W)

row, entry
    Seconds of a row and of each of its entries, on one core; sparse rows have their own.
round
    What an epoch costs, whatever its size.
task
    What the scheduler spends on a task: one after the other, so that workers do not help.
client
    Of each column: sending the weights, taking them back, and making the next state of them.
shard
    Of each column and shard: getting the weights, beginning, ending, and joining; on the workers.

On one machine W counts as no more than its cores. What a network adds is in on_paper.py.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.optimize import nnls

from benchmarks.cluster.overhead import ENTRIES, ROWS
from rosenblatt.cluster.engine import FAN_IN


@dataclass(frozen=True)
class Costs:
    """The coefficients, in seconds; `sent` and `received` are bytes of a column."""

    row: float
    entry: float
    sparse_row: float
    sparse_entry: float
    round: float
    task: float
    client: float
    shard: float
    sent: float
    received: float

    def of_row(self, entries: float, sparse: bool) -> float:
        """Seconds of a row."""
        return self.sparse_row + self.sparse_entry * entries if sparse else self.row + self.entry * entries

    def of_round(self, columns: float, shards: int, workers: int) -> float:
        """Seconds of an epoch but for its rows."""
        fixed = self.round + self.task * tasks(shards)
        return fixed + columns * (self.client + self.shard * shards / workers)

    def of_epoch(self, rows: float, entries: float, columns: float, sparse: bool, shards: int, workers: int) -> float:
        """Seconds of an epoch."""
        return rows / workers * self.of_row(entries, sparse) + self.of_round(columns, shards, workers)

    def as_dict(self) -> dict[str, float]:
        """By name."""
        return asdict(self)


def tasks(shards: int) -> int:
    """Of a round: one for each shard, and those that join."""
    return shards + sum(levels(shards))


def levels(shards: int) -> list[int]:
    """How many joins each level of the tree over so many shards has: engine.groups, without the groups."""
    found = list[int]()
    while shards > 1:
        shards = -(-shards // FAN_IN)
        found.append(shards)
    return found


def fitted(terms: Sequence[Sequence[float]], seconds: Sequence[float]) -> list[float]:
    """Coefficients that are not negative, by least squares of relative errors: a tenth is as bad for a small time."""
    measured = np.asarray(seconds, dtype=float)
    found: list[float] = nnls(np.asarray(terms, dtype=float) / measured[:, None], np.ones(measured.size))[0].tolist()
    return found


def fit(overhead: dict[str, Any], per_row: dict[str, Any]) -> Costs:
    """All coefficients, from the two parts that measured them."""
    by_kind = {}
    for sparse in (False, True):
        cells = [cell for cell in per_row["cells"] if cell["sparse"] is sparse]
        by_kind[sparse] = fitted([[1, cell["entries"]] for cell in cells], [cell["seconds"] for cell in cells])
    (row, entry), (sparse_row, sparse_entry) = by_kind[False], by_kind[True]
    terms, seconds = [], []
    for cell in overhead["cells"]:
        d, s, w = cell["columns"], cell["shards"], at_once(overhead, cell)
        terms.append([1, tasks(s), d, d * s / w])
        rows = ROWS * s / w * (sparse_row + sparse_entry * ENTRIES)
        seconds.append(max(cell["seconds"] - rows, 1e-6))
    round_, task, client, shard = fitted(terms, seconds)
    largest = max(overhead["alone"], key=lambda cell: int(cell["columns"]))
    sent, received = (largest[way] / largest["columns"] for way in ("sent", "received"))
    return Costs(row, entry, sparse_row, sparse_entry, round_, task, client, shard, sent, received)


def at_once(overhead: dict[str, Any], cell: dict[str, Any]) -> int:
    """The workers of a cell that can work at the same time."""
    return min(int(cell["workers"]), int(overhead["cores"]))


def modelled(costs: Costs, overhead: dict[str, Any], cell: dict[str, Any]) -> float:
    """Seconds that the model says of a cell of the overhead."""
    shards = int(cell["shards"])
    return costs.of_epoch(ROWS * shards, ENTRIES, cell["columns"], True, shards, at_once(overhead, cell))
