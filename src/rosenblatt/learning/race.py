"""The race: candidates learn side by side from the same rows, and are judged after each epoch by rows held out.

Each piece of rows is taken once, scaled once, and handed to every learner. A row that is held out has the weight 0, so
it moves nothing; which rows those are is a pure function of (seed, row). With few rows there are five folds, and every
candidate has a learner for each, judged by all rows together.

A candidate retires when its own share of right answers has not risen for some epochs; or when it is behind the leader,
each at its best, by more than two standard errors of the paired difference and by so many times what its last epoch
gained that it will not catch up soon.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core, rules
from ..data.labels import predicted_codes
from ..data.rows import not_finite
from ..data.scaled import Scaled
from ..data.scaling import Scaling
from ..data.scans import largest_square
from ..data.source import Source, TakenRows, Visit, Weighing, take_checked
from ..errors import InputError
from ..runs import status
from ..runs.choice import Candidate
from ..runs.plan import parameters_of, plan_of
from ..runs.visits import visits
from .driver import SLICE, Driver
from .setup import Setup

FEW = 5000
"""Rows of which a tenth would be too few to judge by."""
_TOGETHER = 2**20  # rows that are asked about together

Floats = NDArray[np.float64]
Answers = tuple[NDArray[np.int64], Floats | None]
"""Of each row the index of the class that was predicted; and of two classes the score."""
Met = tuple[str, int, int]
"""Why meeting rows ended, and the row and column where it ended before its time."""


class Format(NamedTuple):
    """How a race is held: folds (1: one part is held out), the share held out, and how long candidates may run."""

    folds: int
    share: float
    epochs: int
    patience: int
    """Epochs without a gain after which a candidate retires."""
    look: float
    """It retires if it is behind by more than so many times the gain of its last epoch."""


def format_for(rows: int, entries: float) -> Format:
    """Five folds where that is cheap and a tenth of the rows would be too few to judge by; else one part held out."""
    if rows < FEW and entries <= 1e6:
        return Format(folds=5, share=0.2, epochs=20, patience=5, look=10)
    return Format(folds=1, share=0.2 if rows < FEW else min(0.1, 15_000 / rows), epochs=10, patience=3, look=4)


def parts_of(seed: int, numbers: NDArray[np.int64], form: Format) -> NDArray[np.int64]:
    """The fold that holds each of these rows out; −1 for none. It does not depend on what other rows there are.

    >>> form = Format(folds=1, share=0.5, epochs=1, patience=1, look=1)
    >>> parts_of(0, np.arange(8), form).tolist()[4:] == parts_of(0, np.array([4, 5, 6, 7]), form).tolist()
    True
    """
    z = numbers.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
    u = ((z ^ (z >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53
    return np.where(u < form.folds * form.share, np.floor(u / form.share), -1).astype(np.int64)


def held_rows(seed: int, rows: int, form: Format) -> list[NDArray[np.int64]]:
    """The numbers of the rows that each fold holds out. All rows are asked about, but some at a time."""
    found: list[list[NDArray[np.int64]]] = [[] for _ in range(form.folds)]
    for first in range(0, rows, _TOGETHER):
        part = parts_of(seed, np.arange(first, min(rows, first + _TOGETHER)), form)
        for fold, numbers in enumerate(found):
            numbers.append(first + np.flatnonzero(part == fold))
    return [np.concatenate(numbers) for numbers in found]


class WithoutFold(Weighing):
    """A source of which the rows that a fold holds out weigh nothing."""

    def __init__(self, source: Source, seed: int, form: Format, fold: int) -> None:
        super().__init__(source)
        self.seed, self.form, self.fold = seed, form, fold

    def weighed(self, taken: TakenRows) -> TakenRows:
        """Rows of the source with their weights, or 0."""
        held = parts_of(self.seed, taken.row_numbers(), self.form) == self.fold
        return replace(taken, weight=np.where(held, 0.0, 1.0 if taken.weight is None else taken.weight))


@dataclass(eq=False)
class Lane:
    """One candidate's way: its learners, one for each fold, and how it did after each epoch."""

    candidate: Candidate
    learners: list[_core.Learner]
    shares: list[float] = field(default_factory=list)
    """Of the rows held out, by weight, that were predicted right after each epoch."""
    best: int = -1
    """The epoch of the largest share, from 0."""
    right: NDArray[np.bool_] | None = None
    """Which rows held out were right then."""
    answers: Answers | None = None
    """What was predicted of them then, if it was the leader."""
    end: str = ""
    """Why it retired: stale, behind, fault; or epochs, when all were over."""
    clean: set[int] = field(default_factory=set)
    """The folds whose learner has had an epoch without an update: there a run would have ended."""

    def running(self) -> Iterator[tuple[int, _core.Learner]]:
        """The learners that go on, by their fold."""
        return ((fold, one) for fold, one in enumerate(self.learners) if fold not in self.clean and not self.end)

    def finish_epoch(self) -> None:
        """All have met all rows."""
        for fold, learner in list(self.running()):
            if learner.finish_epoch()["updates"] == 0:
                self.clean.add(fold)

    def judge(self, right: NDArray[np.bool_], weight: Floats) -> None:
        """What came of an epoch."""
        # The sum of the weights is rounded off, so that as many right is as good.
        self.shares.append(round(float(right @ weight), 12))
        if self.best < 0 or self.shares[-1] > self.shares[self.best]:
            self.best, self.right, self.answers = len(self.shares) - 1, right, None

    @property
    def height(self) -> float:
        """Its largest share."""
        return self.shares[self.best]

    def lead_over(self, other: "Lane", weight: Floats) -> tuple[float, float]:
        """By how much its best is ahead of the other's, and the standard error of that, as if rows were independent.

        Folds share the rows they learn from, and the best of several is looked at: the error is rather too small.
        """
        assert self.right is not None
        assert other.right is not None
        gap = self.right.astype(float) - other.right
        mean = round(float(gap @ weight), 12) + 0.0
        return mean, math.sqrt(float(((gap - mean) * weight) @ ((gap - mean) * weight)))


class Race:
    """Candidates on the rows of a source."""

    def __init__(
        self, source: Source, candidates: Sequence[Candidate], form: Format, seed: int, offset: float, threads: int
    ) -> None:
        self.source, self.form, self.seed, self.offset, self.threads = source, form, seed, offset, threads
        self.stopped = Event()
        held = held_rows(seed, source.n_rows, form)
        _, row, column = largest_square(source, threads)
        if column >= 0:
            raise not_finite(row, column, source.feature_names)
        self.refusals: list[InputError] = []
        self.sources: dict[str, Source] = {"none": source}
        if any(one.scale == "standard" for one in candidates):
            try:
                scaling = Scaling.of(source, "standard", centred=offset != 0)
                self.sources["standard"] = Scaled(source, scaling)
            except InputError as error:  # columns that cannot be centred: the others go on
                self.refusals.append(error)
        self.held = {scale: [rows.gather(numbers) for numbers in held] for scale, rows in self.sources.items()}
        weights = [np.ones(one.rows.n) if one.weight is None else one.weight for one in self.held["none"]]
        weight = np.concatenate(weights)
        self.weight = weight / weight.sum() if weight.any() else np.full(weight.size, 1 / max(1, weight.size))
        self.lanes = [self._lane(one, offset) for one in candidates]

    def _lane(self, candidate: Candidate, offset: float) -> Lane:
        """A candidate whose numbers leave float64 from the start has retired before it began."""
        try:
            if candidate.scale in self.sources:
                return Lane(candidate, [self._learner(candidate, fold, offset) for fold in range(self.form.folds)])
        except InputError as error:
            self.refusals.append(error)
        return Lane(candidate, [], end="fault")

    def _learner(self, candidate: Candidate, fold: int, offset: float) -> _core.Learner:
        rule = rules.get(candidate.rule)
        asked = {**candidate.plan(), "seed": self.seed, "offset": offset, "threads": 1, "max_epochs": self.form.epochs}
        rest = {"batch_size": 1, "eta": 1.0, "schedule": "constant", "patience": 1, "step_tol": None}
        parameters = parameters_of(rule, candidate.beta, None)
        source = self.sources[candidate.scale]
        plan = plan_of(
            rule, **{name: value for name, value in {**asked, **rest}.items() if name not in ("rule", "beta")}
        )
        without = WithoutFold(source, self.seed, self.form, fold)
        return Driver(Setup(without, rule, parameters, plan), None, False, None, iter(())).core

    def run(self, tell: Callable[[int, int], object]) -> None:
        """Epoch after epoch, until all have retired. `tell` hears of the epoch and of how many are still running."""
        pool = ThreadPoolExecutor(self.threads)
        try:
            for epoch in range(1, self.form.epochs + 1):
                running = [lane for lane in self.lanes if not lane.end]
                if not running:
                    return
                tell(epoch, len(running))
                self._epoch(pool, running, epoch, partial(tell, epoch, len(running)))
                self._judge(pool, [lane for lane in running if not lane.end])
            for lane in self.lanes:
                lane.end = lane.end or "epochs"
        finally:
            self.stopped.set()  # whoever interrupts should not wait for learners under way
            pool.shutdown(cancel_futures=True)

    def _epoch(self, pool: ThreadPoolExecutor, lanes: list[Lane], epoch: int, tell: Callable[[], object]) -> None:
        """All learners meet all rows once: of rows in memory each at its own pace, else piece after piece together."""
        n = self.source.n_rows
        order = visits("shuffled", self.seed, epoch, n, 0)
        whole = list(order) if self.source.in_memory else None
        tasks: list[tuple[Lane, Future[Met]]] = []
        for scale, source in self.sources.items():
            group = [lane for lane in lanes if lane.candidate.scale == scale]
            if not group:
                continue
            if source.in_memory and whole is not None:
                given = self._given(take_checked(source, whole[0]))
                tasks += [
                    (lane, pool.submit(_meet, learner, given[fold], whole, self.stopped))
                    for lane in reversed(group)  # the dearest last in the list go first, so that none is waited for
                    for fold, learner in lane.running()
                ]
            else:
                again = visits("shuffled", self.seed, epoch, n, 0) if whole is None else whole
                self._in_pieces(pool, source, group, again, tell)
        self._join(tasks, tell)
        for lane in lanes:
            lane.finish_epoch()

    def _in_pieces(
        self,
        pool: ThreadPoolExecutor,
        source: Source,
        lanes: list[Lane],
        order: Iterable[Visit],
        tell: Callable[[], object],
    ) -> None:
        """Each piece is taken, and scaled, while the one before it is being learnt from."""
        tasks: list[tuple[Lane, Future[Met]]] = []
        for piece in (one for visit in order for one in visit.pieces(source.chunks_together, source.n_rows)):
            given = self._given(take_checked(source, piece))
            self._join(tasks, tell)
            tasks = [
                (lane, pool.submit(_meet, learner, given[fold], [piece], self.stopped))
                for lane in lanes
                for fold, learner in lane.running()
            ]
        self._join(tasks, tell)

    def _given(self, taken: TakenRows) -> list[TakenRows]:
        """The rows as the learner of each fold is given them."""
        source = self.source
        return [WithoutFold(source, self.seed, self.form, fold).weighed(taken) for fold in range(self.form.folds)]

    def _join(self, tasks: list[tuple[Lane, "Future[Met]"]], tell: Callable[[], object]) -> None:
        """Wait for learners, telling now and then that they are at it."""
        waiting = {task for _, task in tasks}
        while waiting:
            _, waiting = wait(waiting, SLICE)
            tell()
        for lane, task in tasks:
            event, row, column = task.result()
            if event == "not finite":
                raise not_finite(row, column, self.source.feature_names)
            if event in status.FAULTS:
                lane.end = "fault"

    def _judge(self, pool: ThreadPoolExecutor, running: list[Lane]) -> None:
        found = [
            [
                pool.submit(learner.right, held.core)
                for learner, held in zip(lane.learners, self.held[lane.candidate.scale], strict=True)
            ]
            for lane in running
        ]
        for lane, tasks in zip(running, found, strict=True):
            lane.judge(np.concatenate([task.result() for task in tasks]), self.weight)
        if not running:
            return
        leader = self.leader
        if leader in running and leader.best == len(leader.shares) - 1:
            # Whoever leads in the end was ahead when it was at its best, so nobody else's answers are needed.
            held = self.held[leader.candidate.scale]
            given = [pool.submit(_answered, *one) for one in zip(leader.learners, held, strict=True)]
            leader.answers = _joined([task.result() for task in given])
        for lane in running:
            met = len(lane.shares)
            if met - 1 - lane.best >= self.form.patience:
                lane.end = "stale"
            elif met >= 2 and lane is not leader:
                gap, error = leader.lead_over(lane, self.weight)
                gain = max(0.0, lane.shares[-1] - lane.shares[-2])
                if gap > 2 * error and gap > self.form.look * gain:
                    lane.end = "behind"

    def answers(self) -> Answers:
        """What the leader predicted of the rows held out when it was at its best."""
        leader = self.leader
        if leader.answers is not None:
            return leader.answers
        # It leads because the numbers of another, once ahead of it, have left float64: it goes its way again, alone.
        form = self.form._replace(epochs=leader.best + 1)
        again = Race(self.source, [leader.candidate], form, self.seed, self.offset, self.threads)
        again.run(lambda epoch, running: None)
        return again.answers()

    @property
    def leader(self) -> Lane:
        """The one with the largest share at its best epoch; the first of equals."""
        known = [lane for lane in self.lanes if lane.best >= 0 and lane.end != "fault"]
        if not known:
            why = f" ({self.refusals[0]})" if self.refusals else ""
            raise InputError(f"numbers leave float64 with every candidate: rescale the data{why}")
        return max(known, key=lambda lane: lane.height)


def _meet(learner: _core.Learner, taken: TakenRows, order: Iterable[Visit], stopped: Event) -> Met:
    """Meet the rows of some visits."""
    for visit in order:
        if stopped.is_set():
            return "stopped", -1, -1
        numbers = visit.order if taken.numbers is None else None  # gathered rows lie in the order of the visit
        _, event, row, column, _ = learner.advance(taken.core, _core.Visit(visit.chunks, numbers), None, 1)
        if event != "done":
            return event, row, column
    return "done", -1, -1


def _answered(learner: _core.Learner, held: TakenRows) -> Answers:
    """What the average predicts of rows."""
    found = learner.scores(held.rows, True)
    return predicted_codes(found), found[:, 0].copy() if found.shape[1] == 1 else None


def _joined(parts: Sequence[Answers]) -> Answers:
    """The answers of all folds, one after the other."""
    scores = [part[1] for part in parts if part[1] is not None]
    return np.concatenate([part[0] for part in parts]), np.concatenate(scores) if scores else None
