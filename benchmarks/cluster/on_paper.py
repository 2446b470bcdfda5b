"""The model of costs carried to clusters that nobody has here: on paper, with what is assumed said beside it.

A worker is a core like this one and has one shard, in memory. The network moves BANDWIDTH bytes a second to or from a
worker. The weights go to the scheduler, from there to one worker, and on from worker to worker, so that as many have
them after each step as had them before, and as many again: ⌈log₂ W⌉ steps. What shards have learnt is joined in a tree:
at each of its levels somebody fetches FAN_IN − 1 results. Nobody is slower than the others, and nobody dies.
"""

from dataclasses import dataclass
from math import ceil, log2

from benchmarks.cluster.cost_model import Costs, levels, tasks
from rosenblatt.cluster.engine import FAN_IN

BANDWIDTH = 10e9 / 8
"""Bytes a second: 10 Gb/s."""
COUNTS = sorted({round(10 ** (i / 100)) for i in range(601)})
"""Numbers of workers that are looked at: up to a million, each about 2 % above the one before."""


@dataclass(frozen=True)
class Paper:
    """A data set."""

    name: str
    rows: float
    entries: float
    columns: float

    @property
    def shape(self) -> str:
        """In words."""
        return f"{self.rows:.3g} rows × {self.columns:.3g} columns, {self.entries:g} non-zeros a row"


@dataclass(frozen=True)
class Epoch:
    """What an epoch takes with so many workers, and what that is made of: seconds."""

    workers: int
    rows: float
    scheduling: float
    columns: float
    network: float

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.rows + self.scheduling + self.columns + self.network

    @property
    def share(self) -> float:
        """Of the rows' own work."""
        return self.rows / self.seconds


LARGE = Paper("A billion rows", 1e9, 100, 1e6)
VOWPAL_WABBIT = Paper("As large as Vowpal Wabbit's of 2014", 17e9, 125, 2.0**24)


def epoch(costs: Costs, paper: Paper, workers: int) -> Epoch:
    """With one shard for each worker."""
    sent, received = costs.sent * paper.columns / BANDWIDTH, costs.received * paper.columns / BANDWIDTH
    spread = ceil(log2(workers)) if workers > 1 else 0
    gathered = sum(min(FAN_IN, below) - 1 for below in [workers, *levels(workers)][:-1])
    return Epoch(
        workers,
        rows=paper.rows / workers * costs.of_row(paper.entries, sparse=True),
        scheduling=costs.round + costs.task * tasks(workers),
        columns=paper.columns * (costs.client + costs.shard),
        network=sent * (1 + spread) + received * (1 + gathered),
    )


def quickest(costs: Costs, paper: Paper) -> Epoch:
    """The number of workers beyond which an epoch gets slower."""
    return min((epoch(costs, paper, count) for count in COUNTS), key=lambda found: found.seconds)


def worthwhile(costs: Costs, paper: Paper) -> Epoch:
    """The most workers with whom at least half of an epoch is spent on rows; the first if there are none."""
    found = [one for count in COUNTS if (one := epoch(costs, paper, count)).share >= 0.5]
    return found[-1] if found else epoch(costs, paper, 1)
