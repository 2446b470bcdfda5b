"""The full batch on shards: the very weights of one machine.

Within an epoch of a full batch the weights do not change, so every chunk's part of the sum can be made anywhere, at
once. Floats must be added in one order to give the same bits: row by row within a chunk, and chunk by chunk. So shards
make the parts of their chunks in parallel, and then the pending sum goes along the shards, each of which adds its own.
A chunk must not lie in two shards: every shard begins at a multiple of 4,096 rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import _core
from ..data.rows import not_finite
from ..data.source import CHUNK, Visit, take_checked
from ..learning.setup import Setup
from ..runs.state import OutputState, Pair, State, Tally
from .mixing import Epoch, Fault, ShardRun, beginning
from .shard import Shard


@dataclass(frozen=True, eq=False)
class Pending:
    """What of the state changes while a batch is pending: its sums are those of the shards so far."""

    batch_sum: Pair
    tally: Tally
    outputs: tuple[OutputState, ...]
    rows: int = 0
    wrong: int = 0
    fault: Fault | None = None

    @classmethod
    def of(cls, state: State) -> "Pending":
        """At the beginning of an epoch."""
        assert state.batch_sum is not None
        return cls(state.batch_sum, state.epoch_tally, state.outputs)

    def after(self, state: State) -> State:
        """The state of the beginning, once all rows were met."""
        return replace(
            state, batch_sum=self.batch_sum, epoch_tally=self.tally, outputs=self.outputs,
            visited=state.visited + self.rows, epoch_rows=state.epoch_rows + self.rows,
            batch_rows=state.batch_rows + self.rows,
        )  # fmt: skip


Part = tuple[Any, ...]
"""What a chunk adds: see src/core/chunk_part.hpp."""


def chunk_parts(shard: Shard, epoch: Epoch) -> tuple[list[Part], Fault | None]:
    """The parts of a shard's chunks, in order; up to a fault, if there is one."""
    source, state = shard.source, epoch.state
    start = replace(beginning(epoch, 0, epoch.rows), outputs=state.outputs)
    plan = replace(epoch.plan, max_epochs=state.epoch + 1, tol=None, step_tol=None, scale="none")
    driver = ShardRun(shard, Setup(source, epoch.rule, epoch.parameters, plan), start)
    core, parts = driver.core, list[Part]()
    core.take_chunk()
    for chunk in range(-(-source.n_rows // CHUNK)):
        taken = take_checked(source, Visit(np.array([chunk]), None))
        visit = _core.Visit(np.array([chunk]), None)
        _, event, row, column, norm2 = core.advance(taken.core, visit, None, plan.threads)
        if event == "not finite":
            raise not_finite(shard.number(row), column, source.feature_names)
        if event != "done":
            parts.append(core.take_chunk())  # what was met before it, for the counts
            return parts, Fault(event, shard.number(row), norm2)
        parts.append(core.take_chunk())
    return parts, None


def add_parts(made: tuple[Sequence[Part], Fault | None], pending: Pending) -> Pending:
    """A shard's parts added to the pending sum, chunk by chunk; unless there was a fault before."""
    if pending.fault is not None:
        return pending
    (parts, fault), wrong = made, pending.wrong
    W, b = pending.batch_sum[0].copy(), pending.batch_sum[1].copy()
    tally, outputs = pending.tally, list(pending.outputs)
    for features, sums, offsets, (rows, mistakes, criterion, squared), missed, own in parts:
        W[features] += sums.reshape(-1, W.shape[1])
        b += offsets
        lane = tally.squared[0] + squared
        tally = Tally(tally.rows + rows, tally.mistakes + mistakes, tally.criterion + criterion, (lane, 0.0, 0.0, 0.0))
        wrong += missed
        for k, (updates, tau, path, nonnegative) in enumerate(own):
            before = outputs[k]
            outputs[k] = replace(
                before, updates=before.updates + updates, epoch_updates=before.epoch_updates + updates,
                batch_updates=before.batch_updates + updates, sum_tau=before.sum_tau + tau,
                path_length=before.path_length + path,
                all_steps_nonnegative=before.all_steps_nonnegative and nonnegative,
            )  # fmt: skip
    rows = pending.rows + tally.rows - pending.tally.rows
    return Pending((W, b), tally, tuple(outputs), rows, wrong, fault)
