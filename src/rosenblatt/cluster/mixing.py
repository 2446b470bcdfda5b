"""Iterative parameter mixing: an epoch on every shard from the same weights, and then their mean.

Given shards s = 1 … S, the weights w of the epoch before, and mixing weights μ_s ≥ 0 with Σ μ_s = 1:

    w_s = one epoch over shard s, from w;      w = Σ_s μ_s·w_s

McDonald, Hall and Mann 2010, figure 3 and theorem 3. If shard s makes k_s updates in an epoch, then for every unit
separator u with augmented margin γ′, u·w grows by at least η·γ′·Σ μ_s·k_s, while ‖w‖² ≤ Σ μ_s·‖w_s‖² (it is convex)
grows by at most η²·R′²·Σ μ_s·k_s. So the *mixed* updates Σ_epochs Σ_s μ_s·k_s are at most (R′/γ′)²: Novikoff's bound,
of which one shard is the case S = 1. All updates are at most S·(R′/γ′)², for Σ μ_s·k_s ≥ Σ k_s/S either way. Likewise
with any τ ≥ 0: mixing Στ by the same μ keeps law 9, γ′ ≤ ‖w′ − w′_0‖/Στ.

`uniform` is μ_s = 1/S; `mistakes` is μ_s = k_s/Σk, for each output by itself: shards that err more count more.

The average is Σ_s n_s·avg_s/Σ_s n_s: each shard goes on from the average so far, with a clock of its own rows.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..learning.driver import Driver
from ..learning.setup import Setup
from ..rules import Rule, Update
from ..runs.plan import Plan
from ..runs.state import OutputState, Pair, State, Tally
from ..runs.status import Status, stopped
from .shard import Shard

Floats = NDArray[np.float64]
_UNIT = 2.0**-53


@dataclass(frozen=True, eq=False)
class Epoch:
    """What every shard is given: the weights to begin with, and how to learn."""

    state: State
    rule: Rule
    parameters: dict[str, float]
    plan: Plan
    mixing: str
    shards: int
    rows: int
    """Of all shards."""


class Fault(NamedTuple):
    """Where numbers left float64: what the core calls it, the row if it was at one, and ‖x′‖² of it."""

    event: str
    row: int | None
    norm2: float


class ShardRun(Driver):
    """An epoch over one shard: under the conditions it is told, and with the numbers that rows have among all."""

    def __init__(self, shard: Shard, setup: Setup, start: State) -> None:
        self.shard = shard
        self.fault: Fault | None = None
        super().__init__(setup, start, False, None, iter(()))

    def _conditions(self, absolute: dict[str, float], start: Any) -> dict[str, Any]:
        return dict(start.conditions)

    def _number(self, row: int) -> int:
        return self.shard.number(row)

    def _fault(self, event: str, row: int, epoch: int, norm2: float) -> Status:
        self.fault = Fault(event, self.shard.number(row), norm2)
        return stopped(epoch)  # and why, the run over all shards says


@dataclass(frozen=True, eq=False)
class Mixture:
    """Weights, averages and sums of some shards, each times its mixing weight, which are summed beside them.

    `fault`: the first shard's, if numbers left float64.
    """

    share: Floats
    """Of each output, Σ of the mixing weights."""
    weights: Pair
    average: Pair | None
    """Σ n_s·avg_s."""
    tau: Floats
    """Of each output, Στ times the mixing weights."""
    rounding: Floats
    """Of each output, the largest bound on what rounding did."""
    size: Floats
    """Of each output, the largest ‖w′‖."""
    updates: NDArray[np.int64]
    changes: NDArray[np.int64]
    nonnegative: NDArray[np.bool_]
    rows: int
    mistakes: int
    wrong: int
    criterion: float
    squared: float
    fault: Fault | None = None

    @property
    def tally(self) -> Tally:
        """Of all their rows."""
        return Tally(self.rows, self.mistakes, self.criterion, (self.squared, 0.0, 0.0, 0.0))


def shard_seed(seed: int, place: int) -> int:
    """The seed of a shard: of the first the run's own, so that one shard alone goes the way of one machine.

    >>> shard_seed(7, 0), shard_seed(7, 1) != shard_seed(7, 2)
    (7, True)
    """
    if place == 0:
        return seed
    mixed = (seed + place * 0x9E3779B97F4A7C15) % 2**64  # splitmix64 (Steele, Lea and Flood 2014)
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
    return mixed ^ (mixed >> 31)


_NOTHING: Pair = np.empty((0, 0)), np.empty(0)


def sent(state: State) -> State:
    """What of a state shards are told: of what they make anew, or have, only that it is there."""
    return replace(
        state, scaling=None, start=None, epoch_start=None, batch_chunk_sum=None,
        cycle_weights=None if state.cycle_weights is None else _NOTHING,
        batch_sum=None if state.batch_sum is None else _NOTHING,
    )  # fmt: skip


def beginning(epoch: Epoch, place: int, n: int) -> State:
    """The state from which a shard of n rows goes on."""
    state, plan = epoch.state, epoch.plan
    W, b = state.weights, state.offsets
    # Its share of all rows met so far: those of its epochs, unless other rows have come before.
    clock = state.visited * n // epoch.rows
    average = None
    if state.average is not None:
        A, a = state.averaged()
        average = (clock + 1) * (W - A), (clock + 1) * (b - a)
    # A step that changes with k counts the shard's share of all changes, likewise.
    outputs = tuple(
        OutputState(
            updates=(k := o.changes * n // epoch.rows), changes=k, sum_tau=o.sum_tau, norm=o.norm,
            applied_tau=o.applied_tau, all_steps_nonnegative=o.all_steps_nonnegative,
            rounding_bound=o.rounding_bound, norm2=o.norm2,
        )
        for o in state.outputs
    )  # fmt: skip
    cycle = None if state.cycle_weights is None else (W, b)
    zero = None if state.batch_sum is None else (np.zeros_like(W), np.zeros_like(b))
    conditions = {
        **state.conditions, "digest": None, "weights_digest": None, "step_tol": False, "scale": "none",
        "seed": shard_seed(plan.seed, place) if plan.order == "shuffled" else None,
    }  # fmt: skip
    none = Tally(0, 0, 0.0, (0.0, 0.0, 0.0, 0.0))
    return replace(
        state, start=None, average=average, epoch_start=None, cycle_weights=cycle,
        cycle_epoch=state.epoch, cycle_power=1, visited=clock, epoch_rows=0, outputs=outputs, conditions=conditions,
        batch_sum=zero, batch_chunk_sum=zero, chunk_tally=none, epoch_tally=none, scaling=None, plateau_best=math.inf,
        plateau_length=0, margin_upper=math.inf,
    )  # fmt: skip


def run_epoch(shard: Shard, epoch: Epoch) -> Mixture:
    """One epoch over a shard: its part of the mixture."""
    state, source = epoch.state, shard.source
    start = beginning(epoch, shard.place, source.n_rows)
    plan = replace(
        epoch.plan, max_epochs=state.epoch + 1, tol=None, step_tol=None, scale="none",
        seed=shard_seed(epoch.plan.seed, shard.place),
    )  # fmt: skip
    driver = ShardRun(shard, Setup(source, epoch.rule, epoch.parameters, plan), start)
    run = driver.run()
    after, history = run.state, run.history
    made = np.array([o.updates - b.updates for o, b in zip(after.outputs, start.outputs, strict=True)])
    changes = np.array([o.changes - b.changes for o, b in zip(after.outputs, start.outputs, strict=True)])
    # One shard alone is not mixed: w·k/k need not be w.
    by_mistakes = epoch.mixing == "mistakes" and epoch.shards > 1
    share = made.astype(np.float64) if by_mistakes else np.ones(made.size)
    by_weight = share if share.size == after.n_outputs else np.full(after.n_outputs, share[0])
    average = None
    if after.average is not None:
        A, a = after.averaged()
        average = source.n_rows * A, source.n_rows * a
    last = len(history) - 1
    return Mixture(
        share=share,
        weights=(after.weights * by_weight, after.offsets * by_weight),
        average=average,
        tau=np.array([o.sum_tau for o in after.outputs]) * share,
        rounding=np.array([o.rounding_bound for o in after.outputs]),
        size=np.array([o.norm for o in after.outputs]),
        updates=made,
        changes=changes,
        nonnegative=np.array([o.all_steps_nonnegative for o in after.outputs]),
        rows=source.n_rows,
        mistakes=int(history.mistakes[last]) if last >= 0 else 0,
        wrong=driver.core.wrong,
        criterion=float(history.perceptron_loss[last]) if last >= 0 else 0.0,
        squared=float(history.squared_loss[last]) if last >= 0 else 0.0,
        fault=driver.fault,
    )


def mixed(parts: Sequence[Mixture]) -> Mixture:
    """Several mixtures as one, summed from the first on."""
    found = parts[0]
    for one in parts[1:]:
        found = Mixture(
            share=found.share + one.share,
            weights=_plus(found.weights, one.weights),
            average=None if found.average is None or one.average is None else _plus(found.average, one.average),
            tau=found.tau + one.tau,
            rounding=np.maximum(found.rounding, one.rounding),
            size=np.maximum(found.size, one.size),
            updates=found.updates + one.updates,
            changes=found.changes + one.changes,
            nonnegative=found.nonnegative & one.nonnegative,
            rows=found.rows + one.rows,
            mistakes=found.mistakes + one.mistakes,
            wrong=found.wrong + one.wrong,
            criterion=found.criterion + one.criterion,
            squared=found.squared + one.squared,
            fault=found.fault or one.fault,
        )
    return found


def _plus(one: Pair, other: Pair) -> Pair:
    return one[0] + other[0], one[1] + other[1]


def after_mixing(state: State, found: Mixture, shards: int) -> State:
    """The state once all shards have met their rows: the epoch is about to end."""
    moved = found.updates > 0  # an output that nobody moved stays as it is, to the bit
    safe = np.where(moved, found.share, 1.0)
    whose = slice(None) if safe.size == state.n_outputs else np.zeros(state.n_outputs, np.int64)
    W = np.where(moved[whose], found.weights[0] / safe[whose], state.weights)
    b = np.where(moved[whose], found.weights[1] / safe[whose], state.offsets)
    visited, average = state.visited + found.rows, None
    if found.average is not None:
        A, a = found.average[0] / found.rows, found.average[1] / found.rows
        average = (visited + 1) * (W - A), (visited + 1) * (b - a)
    # Rounded so that law 9 stays true: Στ down, what rounding did to w′ up. One shard mixes nothing.
    slack = 0.0 if shards == 1 else 4 * (shards + 4) * _UNIT
    outputs, shares = list[OutputState](), bool(Update(*state.conditions["update"]).share)
    for i, before in enumerate(state.outputs):
        tau = float(found.tau[i] / safe[i]) * (1 - slack) if moved[i] else before.sum_tau
        outputs.append(
            replace(
                before, updates=before.updates + int(found.updates[i]), changes=before.changes + int(found.changes[i]),
                epoch_updates=int(found.updates[i]), sum_tau=tau, applied_tau=tau if shares else 0.0,
                all_steps_nonnegative=bool(found.nonnegative[i]),
                rounding_bound=float(found.rounding[i] + slack * found.size[i] * moved[i]),
            )
        )  # fmt: skip
    return replace(
        state, weights=W, offsets=b, average=average, visited=visited, epoch_rows=found.rows, outputs=tuple(outputs),
        epoch_tally=found.tally,
    )  # fmt: skip


def finite(state: State) -> bool:
    """Whether shards can go on from it: no length or weight has left float64."""
    pairs = [state.weights, state.offsets, *(state.average or ())]
    lengths = [size for o in state.outputs for size in (o.norm, o.norm2, o.sum_tau, o.rounding_bound)]
    return all(bool(np.isfinite(part).all()) for part in (*pairs, np.array(lengths)))
