"""The driver of a run over shards: in place of meeting rows it sends the shards on, and mixes what they learnt.

All else is the driver's of one machine: when to stop and why, the history, the bound on the margin, the callback.
"""

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from .. import _core
from ..data.scans import whole_weight
from ..data.source import Question, TakenRows
from ..errors import ClusterError, InputError, ParameterError, shown
from ..learning.driver import Driver
from ..learning.resume import takes_any_rows
from ..rules import Rule, Update
from ..runs import status
from ..runs.log import Log
from ..runs.plan import Plan
from ..runs.run import Run
from ..runs.state import Pair, State
from ..runs.status import Status
from .batch import Pending, add_parts, chunk_parts
from .engine import StoppedError
from .mixing import Epoch, Fault, after_mixing, finite, mixed, run_epoch, sent
from .shard import OnShard

if TYPE_CHECKING:
    from .sharded import ShardedSource

_MIXED = Fault("mixed", None, 1.0)  # where every shard's weights are numbers, and the mixed ones are not


class ShardDriver(Driver):
    """One run over shards."""

    source: "ShardedSource"

    def __init__(self, setup: Any, start: Any, log: Any, *rest: Any) -> None:
        source, _, _, plan = setup
        self.mixing: str = source.mixing
        self.exact = plan.batch_size == "all"
        self.missed = 0  # rows predicted wrong before they were learnt
        self.met = 0  # rows of the epoch under way, in shards that are through
        self.begun: State | None = None  # as the epoch under way found it
        super().__init__(setup, start, log, *rest)

    @staticmethod
    def door(source: Any, rule: Rule, plan: Plan, log: bool | Log) -> "ShardedSource":
        """The rows as a run takes them: for a full batch in whole chunks, with sums made in their order.

        Raises `InputError` for what has no meaning on shards, before rows are asked for anything.
        """
        _check(source, rule, plan, log)
        found: ShardedSource = source
        if plan.batch_size != "all":
            return found
        found = found.cut_at_chunks
        if not found.aligned:
            raise InputError(
                "rows that were dealt to shards have lost their order: give the files again, or rows in order"
            )
        return found.set(mixing=found.mixing, in_order=True)

    def _begin(self, start: Any) -> None:
        own = {} if self.exact else {"mixing": self.mixing, "shards": len(self.source.shards)}
        self.conditions |= own
        state = start.state if isinstance(start, Run) else start
        if takes_any_rows(state):
            start = replace(state, conditions={**state.conditions, **own})  # other rows come in other shards
        elif isinstance(state, State) and own.keys() - state.conditions.keys():
            raise InputError("cannot resume: the run was on one machine; go on with it there")
        elif isinstance(state, State) and own and state.conditions["shards"] != own["shards"]:
            then, now = shown(state.conditions["shards"]), own["shards"]
            raise InputError(
                f"cannot resume: the run was over {then} shards, and these are {now}; give the same ones, or one"
                f" file in as many (shards={then}, --shards {then})"
            )
        super()._begin(start)

    def run(self) -> Run:
        """As on one machine. An error of the cluster has with it what was learnt in the epochs before."""
        try:
            return super().run()
        except ClusterError as error:
            if self.begun is not None:
                if self.core.epoch > self.begun.epoch:  # it was met, and not judged: it is to be made again
                    self.ends.pop()
                    self.core.restore(self.begun.to_core())
                error.run = replace(self._run(status.stopped(self.begun.epoch + 1)), state=self.begun)
            raise

    def _meet_rows(self, epoch: int) -> Status | None:
        """Every shard's epoch, mixed; or the parts of all chunks, added up."""
        state = self.state()
        if state.epoch_rows:
            raise InputError("the state is in the middle of an epoch, of a run on one machine: go on with it there")
        if not finite(state):
            return self._fault_of(_MIXED, epoch, state)
        self.begun = state
        plan = replace(self.plan, orders=None)
        shards, rows = len(self.source.shards), self.source.n_rows
        work = Epoch(sent(state), self.rule, self.parameters, plan, self.mixing, shards, rows)
        stopped = False

        def waiting(done: int, of: int) -> bool:
            nonlocal stopped
            self.met = max(self.met, self.source.n_rows * done // of)  # a full batch goes to the shards twice
            stopped = stopped or self._callback_stops(epoch, finished=False)
            return stopped

        engine = self.source.engine
        engine.waiting = waiting
        try:
            after, fault = self._batch(work, state) if self.exact else self._mix(work, state)
        except StoppedError:
            return status.stopped(epoch)
        finally:
            engine.waiting, self.met = None, 0
        if fault is None and not finite(after):
            fault = _MIXED
        if fault is not None:
            return self._fault_of(fault, epoch, after)
        self.core.restore(after.to_core())
        return None

    def _fault_of(self, fault: Fault, epoch: int, after: State) -> Status:
        weighted, learnt = self.source.has_weights, after.updates > 0
        end = self.judge.non_finite(fault.event, fault.row, epoch, fault.norm2, weighted, learnt)
        return end if self.exact else status.before_the_epoch(end)

    def _mix(self, work: Epoch, state: State) -> tuple[State, Fault | None]:
        source = self.source
        found = source.named(source.engine.joined, OnShard(run_epoch), mixed, source.kept, work)
        self.missed += found.wrong
        return after_mixing(state, found, work.shards), found.fault

    def _batch(self, work: Epoch, state: State) -> tuple[State, Fault | None]:
        source = self.source
        parts = source.named(source.engine.keep, OnShard(chunk_parts), source.kept, shared=work)
        found: Pending = source.named(source.engine.chained, add_parts, parts, Pending.of(state))
        self.missed += found.wrong
        return found.after(state), found.fault

    def _counts(self) -> tuple[int, int, int]:
        return self.core.visited + self.met, self.core.updates, self.missed

    def _error(self) -> float:
        """The share of the rows that the average gets wrong, by weight."""
        options = {
            "decision": self.decision, "sparse": self.source.is_sparse, "features": self.source.n_columns,
            "outputs": self.source.n_outputs, "rho2": self.rho2,
        }  # fmt: skip
        asked = Wrong(self.state().averaged(), options, self.scale, self.plan.threads)
        return self.source.ask(asked).weight / self.whole_weight

    @cached_property
    def whole_weight(self) -> int:
        """The sum of the weights of all rows."""
        return whole_weight(self.source, self.scale)


class Wrong(Question):
    """What the rows weigh, in whole numbers, that some weights get wrong."""

    def __init__(
        self, weights: Pair, options: dict[str, Any], scale: tuple[float, float] | None, threads: int | None
    ) -> None:
        self.weights: Pair | None = weights
        self.options, self.scale, self.threads = options, scale, threads
        self.learner: Any = None
        self.weight = 0

    def see(self, taken: TakenRows) -> None:
        """Some rows."""
        if self.learner is None:  # once where the rows are, and it stays there
            options = _core.LearnerOptions(rule=Update(), scaled=True, keep_average=True, **self.options)
            self.learner = _core.Learner(options)
            self.learner.begin(self.weights)
            self.weights = None  # a number goes back, and no weights with it
        self.weight += self.learner.errors(taken.core, self.scale, self.threads)

    def join(self, later: "Wrong") -> None:
        """What was found of the rows behind."""
        self.weight += later.weight

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "learner": None}


def _check(source: "ShardedSource", rule: Any, plan: Any, log: Any) -> None:
    """Raises `ParameterError` for what has no meaning on shards."""
    if not rule.additive:
        raise ParameterError(
            "rule {which} is not offered on a cluster: what it bets cannot be mixed; use {rule:perceptron}",
            which=repr(rule.name),
        )
    if "pocket" in plan.kept:
        raise ParameterError("a pocket counts rows in a row, and shards have no one row: use {readout:averaged}")
    if log:
        raise InputError("a log names rows in the order of one run, and shards run side by side: not on a cluster")
    if plan.order == "given":
        raise ParameterError("an order of your own goes through all rows, and shards have theirs: {order:shuffled}")
    if callable(plan.schedule):
        raise ParameterError("a schedule of your own counts the changes of one run: use {schedule:1/k} or another")
    if plan.batch_size != "all":
        return
    if plan.order != "cyclic":
        raise ParameterError(
            "a full batch on a cluster gives the bits of one machine, which adds up rows as they come: {order:cyclic}"
        )
    if source.mixing != "uniform":
        raise ParameterError("a full batch mixes nothing, it adds up all rows: leave out {mixing}")
