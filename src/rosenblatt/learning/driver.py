"""The driver around the core's one loop: it hands out visits, closes epochs, and lets the judge say when to stop.

The arithmetic is in src/core/advance.hpp.
"""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..data.labels import predicted_codes
from ..data.rows import matrix_of, not_finite
from ..data.scans import (
    column_largest,
    column_lengths,
    largest_weight,
    median_square,
    radius2,
    weight_scale,
    whole_weight,
)
from ..data.source import CHUNK, TakenRows, Visit, take_checked, taken_ahead
from ..errors import InputError, ParameterError
from ..runs import status
from ..runs.history import History
from ..runs.log import ENTRY, LIMIT, Log
from ..runs.run import Run
from ..runs.state import State
from ..runs.status import Status
from ..runs.visits import visits
from .ending import Judge
from .progress import Next, Progress
from .resume import conditions_of, given_weights, random_weights, resume, takes_any_rows, unit_of
from .setup import Setup

SLICE = 0.1  # seconds the core works before it lets Python look for Ctrl-C and report progress
_MOST_STEPS = 2**27  # that a table of a schedule holds: a gigabyte
_STEPS_AHEAD = 4096  # steps of a schedule that are tabulated at a time


class Driver:
    """One run, from its start to its end."""

    def __init__(
        self,
        setup: Setup,
        start: Any,
        log: bool | Log,
        callback: Callable[[Progress], Any] | None,
        marks: Iterator[int],
        log_limit: int = LIMIT,
    ) -> None:
        source, rule, parameters, plan = setup
        self.source, self.rule, self.parameters, self.plan = setup
        self.callback, self.marks = callback, marks
        self.decision = "binary" if source.n_outputs == 1 else plan.multiclass
        self.rho2 = self._rho2(start)
        self.unit = self._unit(start)
        absolute = rule.absolute(parameters, self.unit)
        self.update = rule.update(**absolute)
        d, K = source.n_columns, source.n_outputs
        # The largest entries of the columns, for a rule that bets: known beforehand, unless other rows came before.
        known = rule.surveyed and not takes_any_rows(start)
        self.largest = None if rule.additive else "surveyed" if known else "growing"
        self.conditions = self._conditions(absolute, start)
        self.losses = K if self.decision == "ovr" else 1  # of a row: one for each output that learns by itself
        self.judge = Judge(
            setup._replace(parameters=absolute),
            losses=self.losses,
            rho2=self.rho2,
            error=self._error,
            next_move=self._next_epoch_moves,
        )
        keep_log = isinstance(log, Log) or log or "voted" in plan.kept
        self.draws = 0  # of random starts, all without a mistake to learn from
        try:
            self.core = _core.Learner(
                _core.LearnerOptions(
                    rule=self.update,
                    scaled=rule.uses_eta,
                    decision=self.decision,
                    sparse=source.is_sparse,
                    features=d,
                    outputs=K,
                    rho2=self.rho2,
                    batch=2**62 if plan.batch_size == "all" else int(plan.batch_size),
                    eta=plan.eta,
                    keep_log=keep_log,
                    keep_average="averaged" in plan.kept,
                    keep_pocket="pocket" in plan.kept,
                    # With a share of ‖w′‖²/Στ the weights alone do not decide what comes next: Στ grows.
                    detect_cycles=plan.repeats and rule.additive and self.update.share == 0,
                    measure_moves=plan.step_tol is not None,
                    surveyed=self.largest == "surveyed",
                )
            )
            self._begin(start)
        except MemoryError:
            raise MemoryError(f"{d} × {K} weights do not fit into memory") from None
        self.called = time.monotonic()  # when the callback was last called
        self.logs: list[tuple[NDArray[Any], ...]] | None = [] if keep_log else None
        self.earlier = start if isinstance(start, Run) else None
        self.earlier_log = log if isinstance(log, Log) else self.earlier.log if self.earlier else None
        self.logged = 0 if self.earlier_log is None else len(self.earlier_log)  # updates
        self.log_limit = log_limit
        self.ends: list[dict[str, Any]] = []
        self.etas, self.first_eta = np.empty(0), 1
        if plan.schedule != "constant":
            self._extend_etas()
        self.log_from = self.core.visited
        self.rows_from = self.core.visited if takes_any_rows(start) else 0
        self._next_mark()

    @cached_property
    def scale(self) -> tuple[float, float] | None:
        """What whole numbers stand for sample weights; None: there are none."""
        return weight_scale(self.source)

    def _conditions(self, absolute: dict[str, float], start: Any) -> dict[str, Any]:
        """Those that the run is learnt under; `start` is what it begins with."""
        return conditions_of(self.source, self.rule, absolute, self.plan, self.largest)

    def _rho2(self, start: Any) -> float:
        if self.plan.offset != "radius":
            return float(self.plan.offset) ** 2
        if takes_any_rows(start):
            rho2: float = start.rho2  # of the rows it began with
            return rho2
        return radius2(self.source, self.plan.threads)

    def _unit(self, start: Any) -> float:
        """What β is given in; a run that goes on keeps that of the rows it began with, whatever rows come now."""
        if self.rule.unit == "one":
            return 1.0
        if isinstance(start, (State, Run)):
            return unit_of(start.state if isinstance(start, Run) else start)
        return median_square(self.source, self.rho2, self.plan.threads)

    def _begin(self, start: Any) -> None:
        source, plan = self.source, self.plan
        if isinstance(start, (State, Run)):
            state = start.state if isinstance(start, Run) else start
            for name in ("mixing", "shards"):  # of a run that was over shards once, which bounds then speak of
                if isinstance(state.conditions, dict) and name in state.conditions:
                    self.conditions.setdefault(name, state.conditions[name])
            resume(self.core, state, source, plan, self.decision, self.rho2, self.conditions)
            self.judge.best, self.judge.stale, self.judge.upper = (
                state.plateau_best, state.plateau_length, state.margin_upper
            )  # fmt: skip
        elif start is None:
            if self.largest == "surveyed":
                self.core.set_largest(column_largest(source), largest_weight(self.scale) if self.rho2 else 1.0)
            self.core.begin(None)
        elif not isinstance(start, str):
            self.core.begin(given_weights(start, source.n_columns, source.n_outputs, self.rho2))
        elif start != "random":
            raise InputError(f"unknown start {start!r}; expected None, (w, b), 'random' or a State")
        else:
            weights, self.draws = random_weights(source, plan, self.decision, self.rho2)
            self.core.begin(weights)

    def _count(self, output: int) -> list[int]:
        """The mistakes on all rows of each of the output's candidates for the pocket."""
        parts = self.source.scan(lambda taken: self.core.mistakes(taken.core, self.scale, output, self.plan.threads))
        return [sum(counts) for counts in zip(*parts, strict=True)]

    def state(self) -> State:
        """A snapshot."""
        self.core.settle(self._count)
        judge = self.judge
        return State.of_core(
            self.core.save(), decision=self.decision, rho2=self.rho2, conditions=dict(self.conditions), unit=self.unit,
            plateau_best=judge.best, plateau_length=judge.stale, margin_upper=judge.upper, scaling=self.source.scaling,
        )  # fmt: skip

    def run(self) -> Run:
        """Epoch after epoch, until the judge has a reason to end."""
        end = self.judge.budget(self.core.epoch, None) if self.core.epoch >= self.plan.max_epochs else None
        end = end or self._full_log(self.core.epoch + 1)  # of the run that this one goes on from
        while end is None:
            end = self._epoch()
        if self.draws:
            end = end.advising("random-start-idle", draws=self.draws - 1)
        # The trajectory is rebuilt from the rows, so a run with a log can tell whether any of them was changed.
        digest = None if self.logs is None else self.source.digest(every_row=True)
        return self._run(end, digest)

    def _run(self, end: Status, digest: int | None = None) -> Run:
        return Run(
            status=end,
            state=self.state(),
            history=self._history(),
            log=self._log(),
            rule=self.rule,
            parameters=self.parameters,
            plan=self.plan,
            source=self.source.original,
            digest=digest,
        )

    def _epoch(self) -> Status | None:
        epoch = self.core.epoch + 1
        if (reason := self._meet_rows(epoch)) is not None:
            return reason
        end = self.core.finish_epoch(self._count)
        self.ends.append(end)
        reason = self.judge.after_epoch(epoch, end)
        # The callback hears of every epoch, the last one too; a run that has ended cannot be stopped.
        stops = self._callback_stops(epoch, finished=True, last=reason is not None)
        return status.stopped(epoch) if stops and reason is None else reason

    def _meet_rows(self, epoch: int) -> Status | None:
        """Meet all rows; a status, if the run ends on the way."""
        plan, n = self.plan, self.source.n_rows
        order = visits(plan.visit_order, plan.seed, epoch, n, self.core.epoch_rows)
        pieces = (piece for visit in order for piece in visit.pieces(self._chunks_together(visit), n))
        for piece, taken in taken_ahead(self.source, pieces):
            if (reason := self._visit(piece, taken, epoch) or self._full_log(epoch)) is not None:
                return reason
        return None

    def _full_log(self, epoch: int) -> Status | None:
        """A status, if the log has reached its limit."""
        if self.logs is None or self.logged * ENTRY < self.log_limit:
            return None
        return status.log_full(epoch, self.logged, self.logged * ENTRY)

    def _chunks_together(self, visit: Visit) -> int | None:
        """How many chunks are met together; one where the log may reach its limit, which ends a run behind a chunk."""
        # Pieces are asked for ahead: what the last one adds to the log is not known yet.
        most = self.logged + (visit.chunks.size + self.source.chunks_together) * CHUNK * self.source.n_outputs
        if self.logs is not None and most * ENTRY >= self.log_limit:
            return 1
        return None if self.source.in_memory else self.source.chunks_together

    def _visit(self, visit: Visit, taken: TakenRows, epoch: int) -> Status | None:
        """Meet the rows of a visit; a status, if the run ends within it."""
        plan, core, n, done = self.plan, self.core, self.source.n_rows, 0
        while visit.chunks.size:
            if done:
                taken = take_checked(self.source, visit)
            order = visit.order if taken.numbers is None else None  # gathered rows lie in the order of the visit
            done, event, row, column, norm2 = core.advance(
                taken.core, _core.Visit(visit.chunks, order), self._count, plan.threads, SLICE
            )
            visit = visit.after(done, n)
            if self.logs is not None:
                self.logs.append(core.take_log())
                self.logged += self.logs[-1][0].size
            if event == "out of etas":
                self._extend_etas()
            if event == "not finite":
                raise not_finite(self._number(row), column, self.source.feature_names)
            if event in status.FAULTS:
                return self._fault(event, row, epoch, norm2)
            marked = core.visited == core.pause_at and visit.chunks.size > 0
            if (marked or time.monotonic() - self.called > SLICE) and self._callback_stops(
                epoch, finished=False, next=self._next(visit) if marked else None
            ):
                return status.stopped(epoch)
            if marked:
                self._next_mark()
        return None

    def _fault(self, event: str, row: int, epoch: int, norm2: float) -> Status:
        """Why a run ends at a row at which numbers leave float64."""
        return self.judge.non_finite(event, row, epoch, norm2, self.source.has_weights, self.core.updates > 0)

    def _number(self, row: int) -> int:
        """What errors call a row."""
        return row

    def _extend_etas(self) -> None:
        """A table of η_k, for schedules other than constant: from the slowest output's next change on.

        The outputs of one-vs-rest change at their own pace; what is still needed of the table is kept.
        """
        changes = self.core.changes
        if max(changes) - min(changes) > _MOST_STEPS:
            raise ParameterError("outputs changed too unequally often for a table of steps: use {schedule:constant}")
        first, known = min(changes) + 1, self.first_eta + self.etas.size
        if self.etas.size == 0:
            known = first
        more = self.plan.etas(known, max(changes) + 1 + _STEPS_AHEAD - known)
        self.etas, self.first_eta = np.concatenate([self.etas[first - self.first_eta :], more]), first
        self.core.set_etas(first, self.etas)

    def _next_mark(self) -> None:
        """The next mark that lies ahead."""
        ahead = (mark for mark in self.marks if mark > self.core.visited)
        self.core.pause_at = next(ahead, 2**62) - 1

    def _next(self, visit: Visit) -> Next:
        """The row that the visit is about to meet."""
        source, place = self.source, self.core.chunk_place if self.core.chunk == visit.chunks[0] else 0
        row = int(visit.chunks[0]) * CHUNK + place if visit.order is None else int(visit.order[place])
        one = source.gather(np.array([row]))
        found = matrix_of(one.rows)
        features = int(found.data.size if source.is_sparse else np.count_nonzero(found))
        (guess,), code = predicted_codes(self.core.scores(one.rows, False)).tolist(), int(one.labels[0])
        own = int(code > 0) if source.n_outputs == 1 else code
        label, predicted = source.classes[[own, guess]].tolist()
        return Next(row, label, predicted, features, guess != own)

    def _callback_stops(self, epoch: int, finished: bool, next: Next | None = None, last: bool = False) -> bool:
        self.called = time.monotonic()
        if self.callback is None:
            return False
        now = True

        def check() -> None:
            if not now:
                raise RuntimeError("the run has gone on since: take the state while the callback runs")

        def state() -> State:
            check()
            return self.state()

        def run() -> Run:
            check()
            return self._run(status.stopped(epoch))

        stop = bool(self.callback(Progress(epoch, finished, *self._counts(), state, run, next, last)))
        now = False
        if not self.source.unchanged():
            raise InputError("the callback changed the sparse matrix that is being learnt from")
        return stop

    def _counts(self) -> tuple[int, int, int]:
        """Rows met over all epochs, updates, and rows predicted wrong before they were learnt."""
        return self.core.visited, self.core.updates, self.core.wrong

    def _next_epoch_moves(self) -> float:
        """By how much the next epoch would move a weight, at most, in units of what it is made of.

        Those are the weight itself and η times the length of its column: rounding is of that size times 2⁻⁵³.
        """
        W, b = self.state().read("last")
        plan = replace(self.plan, max_epochs=1, readout="last", kept=("last",), tol=None, step_tol=None)
        setup = Setup(self.source, self.rule, self.parameters, plan)
        after = type(self)(setup, (W, b), False, None, iter(())).run().state
        lengths, n = column_lengths(self.source), self.source.n_rows
        units = np.append(np.abs(W) + plan.eta * lengths[:, None], [np.abs(b) + plan.eta * self.rho2 * math.sqrt(n)], 0)
        moved = np.abs(np.append(after.weights - W, [after.offsets - b], 0))
        return float(np.divide(moved, units, out=np.zeros_like(moved), where=moved > 0).max())

    def _error(self) -> float:
        """The share of the rows that the average gets wrong, by weight.

        It goes on falling after the losses met on the way, those of weights that come and go, have ceased to.
        """
        wrong = sum(self.source.scan(lambda taken: self.core.errors(taken.core, self.scale, self.plan.threads)))
        return wrong / whole_weight(self.source, self.scale)

    def _history(self) -> History:
        def column(name: str, dtype: type) -> NDArray[Any]:
            return np.array([end[name] for end in self.ends], dtype=dtype)

        uppers = np.array([end["margin_upper"] for end in self.ends], dtype=np.float64)
        mistakes, outputs = column("mistakes", np.int64), self.losses
        history = History(
            epoch=np.arange(self.core.epoch - len(self.ends) + 1, self.core.epoch + 1),
            mistakes=mistakes,
            updates=column("updates", np.int64),
            error_rate=mistakes / (self.source.n_rows * outputs),
            perceptron_loss=column("criterion", np.float64),
            squared_loss=column("squared", np.float64),
            norm=column("norm", np.float64),
            margin_upper=uppers.reshape(len(self.ends), outputs) if outputs > 1 else uppers.reshape(-1),
        )
        return history.after(self.earlier.history if self.earlier else None)

    def _log(self) -> Log | None:
        if self.logs is None:
            return None
        none = np.empty(0, np.int64)
        parts = zip((none, none, np.empty(0), none, none), *self.logs, strict=True)
        n = self.source.n_rows
        batch = n if self.plan.batch_size == "all" else min(int(self.plan.batch_size), n)
        row, output, step, visit, change = (np.concatenate(column) for column in parts)
        log = Log(
            row=row,
            output=output,
            step=step,
            visit=visit,
            change=change,
            first=self.log_from,
            last=self.core.visited,
            n_rows=n,
            n_outputs=self.source.n_outputs,
            batch_size=batch,
            rows_from=self.rows_from,
        )
        return log.after(self.earlier_log)
