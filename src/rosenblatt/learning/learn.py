"""Learning: Examples + Rule + Plan → Run.

This is the driver around the core's one loop: it hands out visits, closes epochs, and says why it stopped. The
arithmetic is in src/core/advance.hpp.
"""

import math
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core, rules
from ..choices import thread_count
from ..data.examples import Examples, column_lengths, not_finite, row_of, rows_of, weights_of
from ..data.hyperplane import Hyperplane
from ..errors import InputError, plural
from ..rules import Rule
from ..runs import status
from ..runs.log import Log
from ..runs.plan import Plan, parameters_of, plan_of
from ..runs.run import History, Run
from ..runs.state import State
from ..runs.status import Status
from .visits import CHUNK, Visit, name_of, orders_of, visits

_DATA = {"digest of the data": "rows or labels", "sample weights": "sample weights"}
_DRAWS = 64  # of a random start that makes a mistake
_ROUNDING = 1e-9  # of what a weight is made of: an epoch that moves each by less does so by rounding
_SLICE = 0.1  # seconds the core works before it lets Python look for Ctrl-C and report progress


@dataclass(frozen=True)
class Progress:
    """Where a run is, for a callback. `state()` takes a snapshot to resume from, while the callback runs."""

    epoch: int
    """The epoch under way, from 1."""
    finished: bool
    """Whether it has just ended: so it is once for each epoch; False for the calls in between."""
    visited: int
    updates: int
    wrong: int
    """Rows that `predict` would have got wrong before they were learnt, since `learn` was called: an honest estimate in
    the first epoch. (Not the mistakes, m ≤ 0: a row that scores 0 is one, but has the negative class predicted.)"""
    state: Callable[[], State]
    next: "Next | None" = None
    """At a mark: the row about to be met, and what is predicted for it."""


@dataclass(frozen=True)
class Next:
    """A row about to be met: its number, label and features that are not 0; and what `predict` would say of it."""

    row: int
    label: Any
    predicted: Any
    features: int
    wrong: bool


def learn(
    X: Any,
    y: Any = None,
    *,
    rule: str = "perceptron",
    order: Any = "cyclic",
    batch_size: int | str = 1,
    eta: float = 1.0,
    schedule: str | Callable[[int], float] = "constant",
    offset: float | str = 1.0,
    max_epochs: int = 1000,
    tol: float | None = None,
    patience: int = 5,
    step_tol: float | None = None,
    start: Any = None,
    seed: int = 0,
    readout: str | Sequence[str] = "last",
    beta: float | None = None,
    C: float | None = None,
    classes: str = "ovr",
    sample_weight: Any = None,
    threads: int | None = None,
    log: bool = False,
    callback: Callable[[Progress], Any] | None = None,
    marks: Iterable[int] = (),
) -> Run:
    """Learn a linear classifier, and say how it went.

    X, y
        Rows and their labels ±1; or `Examples` (any labels, any number of classes) and no y.
    rule
        One of `rules.names()`; beta and C are parameters of some.
    order
        "cyclic"; "shuffled" (a new permutation every epoch, a pure function of the seed); or your own: a permutation of
        the rows, or a list of them, one for each epoch, which begins again when it is through.
    batch_size
        Rows per weight change: 1, B, or "all".
    eta, schedule
        The step η_k of the k-th weight change: "constant", "1/k", "1/sqrt(k)", or a function of k that multiplies eta
        (such a run cannot be resumed).
    offset
        ρ, the constant appended to every row: 0 for a hyperplane through the origin; "radius" for max ‖x‖.
    max_epochs, tol, patience, step_tol
        When to stop short of a clean epoch: the budget; `patience` epochs in a row in which the mean loss (of the
        mistakes; squared for delta) is not below the best by more than tol, or with readout="averaged" the share of
        the rows that the average gets wrong; an epoch that moves w′ by less than step_tol. None: never.
    start
        None (zero), (w, b), a `Hyperplane`, "random" (seeded, uniform, drawn until it makes a mistake); or a `Run` to
        go on with, its history and log too, or its `State` (max_epochs counts from the beginning of the whole run).
    readout
        What the run predicts by: "last"; "averaged" over all moments; "voted", every weight vector by how long it
        lived; "pocket", the weights with the fewest mistakes on all rows, counted whenever some left more rows in a row
        alone than any before (each row as often as its sample weight says). Or several of them, to `run.read` later.
    classes
        For more than two: "ovr" (each against the rest) or "direct" (the true class against its strongest rival).
    sample_weight
        Scales the step τ of each row; with a rule that aims at a margin (delta, passive-aggressive) not beyond it.
        Bounds on mistakes speak of weights 1.
    threads
        Never changes a bit of the result. None: ROSENBLATT_NUM_THREADS, or all the CPUs this process may use.
    log
        Keep the log of updates: row, step, visit.
    callback
        Called with a `Progress` about ten times a second and after every epoch; returning something true stops the run.
    marks
        Rising numbers c: the callback is called before the c-th row is met, too, counted from the beginning of the run.

    The run ends at the first epoch without an update, or for one of the other reasons of `run.status`.

    >>> run = learn([[1], [2], [3], [4]], [1, 1, -1, -1])
    >>> run.hyperplane.w.tolist(), run.hyperplane.b, run.updates, run.epochs
    ([-3.0], 7.0, 25, 11)
    >>> print(run.status)
    clean: epoch 11 made no update; nothing can change any more
    """
    chosen = rules.get(rule)
    parameters = parameters_of(chosen, beta, C)
    plan = plan_of(
        chosen, order=order, batch_size=batch_size, eta=eta, schedule=schedule, offset=offset, max_epochs=max_epochs,
        tol=tol, patience=patience, step_tol=step_tol, seed=seed, readout=readout, classes=classes, threads=threads,
    )  # fmt: skip
    if isinstance(X, Examples):
        if y is not None:
            raise InputError("Examples have their labels with them: leave out y")
        examples = X
        if not examples.rows.sound():
            raise InputError("the sparse matrix was changed since its Examples were made: make them anew")
    elif y is None:
        raise InputError("labels are missing: learn(X, y), or learn(Examples.of(X, y))")
    else:
        examples = Examples.signed(X, y)
    if plan.order == "given":
        plan = replace(plan, orders=orders_of(order, examples.n_rows))
    if examples.n_outputs > 1 and plan.classes == "direct" and not chosen.direct:
        raise InputError(f"rule {chosen.name!r} has no direct multiclass form: use classes='ovr'")
    if callback is not None and not callable(callback):
        raise InputError(f"callback must be a function of one argument, not {callback!r}")
    weight = weights_of(sample_weight, examples.n_rows)
    if isinstance(start, Run):
        log = log or (start.log is not None and start.log.first == 0)
        if "voted" in plan.kept and (start.log is None or start.log.first):
            raise InputError("a vote needs the log from the start, and the run to go on with kept none: learn it anew")
    return _Driver(examples, weight, chosen, parameters, plan, start, bool(log), callback, iter(marks)).run()


def radius2(X: Any, threads: int | None = None) -> float:
    """R² = max ‖x‖². Raises `InputError` at a row that is not finite."""
    most, row, column = _core.radius2(rows_of(X), thread_count(threads))
    if row >= 0:
        raise (
            not_finite(row, column) if column >= 0 else InputError(f"row {row}: its length overflows; rescale the data")
        )
    if 0 < most < 1e-280:
        raise InputError("rows so short that R² underflows: rescale the data, or give offset as a number")
    return most


def _moved(start: Any) -> bool:
    """Whether it is a state that may go on with any rows: growth.with_other_rows."""
    return isinstance(start, State) and start.terms.get("digest of the data", 0) is None


def _whole(weight: NDArray[np.float64]) -> NDArray[np.int64]:
    """Weights as whole numbers, 2³⁰ for the largest, so that sums of them are exact (less for very many rows)."""
    unit = 2.0 ** min(30, 60 - weight.size.bit_length())
    return np.rint(weight / (float(weight.max()) or 1.0) * unit).astype(np.int64)


def _listed(names: tuple[str, ...]) -> str:
    return repr(("last", *names)) if names else "'last'"


class _Driver:
    def __init__(
        self,
        examples: Examples,
        weight: NDArray[np.float64] | None,
        rule: Rule,
        parameters: dict[str, float],
        plan: Plan,
        start: Any,
        log: bool,
        callback: Callable[[Progress], Any] | None,
        marks: Iterator[int],
    ) -> None:
        self.examples, self.weight, self.rule, self.parameters = examples, weight, rule, parameters
        self.update = rule.update(**parameters)
        self.counts = None if weight is None else _whole(weight)
        self.plan, self.callback, self.marks = plan, callback, marks
        self.decision = "binary" if examples.n_outputs == 1 else plan.classes
        self.rho2 = self._rho2(start)
        d, K = examples.n_columns, examples.n_outputs
        self.terms = self._terms()
        self.best, self.stale, self.upper = math.inf, 0, math.inf
        self.remarks = ""
        try:
            self.core = _core.Learner(
                tuple(self.update), rule.uses_eta, self.decision, examples.rows, K, self.rho2,
                2**62 if plan.batch_size == "all" else int(plan.batch_size),
                plan.eta, log or "voted" in plan.kept, "averaged" in plan.kept, plan.repeats, plan.step_tol is not None,
                "pocket" in plan.kept,
            )  # fmt: skip
            self._start(start)
        except MemoryError:
            raise MemoryError(f"{d} × {K} weights do not fit into memory") from None
        self.told = time.monotonic()  # when the callback was last called
        self.logs: list[tuple[NDArray[Any], ...]] | None = [] if log or "voted" in plan.kept else None
        self.earlier = start if isinstance(start, Run) else None
        self.ends: list[dict[str, Any]] = []
        self.etas, self.first_eta = np.empty(0), 1
        if plan.schedule != "constant":
            self._extend_etas()
        self.log_from = self.core.visited
        self.rows_from = self.core.visited if _moved(start) else 0
        self._next_mark()

    def _rho2(self, start: Any) -> float:
        if self.plan.offset != "radius":
            return float(self.plan.offset) ** 2
        if _moved(start):
            rho2: float = start.rho2  # of the rows it began with
            return rho2
        return radius2(self.examples.rows, self.plan.threads)

    def _terms(self) -> dict[str, Any]:
        """What must not change when a run is resumed."""
        plan = self.plan
        return {
            "rule": self.rule.name,
            "numbers": tuple(self.update),
            "order": name_of(plan.visit_order),
            "seed": plan.seed if plan.order == "shuffled" else None,
            "batch_size": plan.batch_size,
            "eta": plan.eta,
            "schedule": None if callable(plan.schedule) else plan.schedule,
            "readouts kept": tuple(name for name in ("averaged", "pocket") if name in plan.kept),
            "step_tol given": plan.step_tol is not None,
            "digest of the data": self.examples.digest(),
            "sample weights": None if self.weight is None else zlib.crc32(self.weight.data),
        }

    def _start(self, start: Any) -> None:
        if isinstance(start, (State, Run)):
            self._resume(start.state if isinstance(start, Run) else start)
        elif start is None:
            self.core.begin(None)
        else:
            self.core.begin(self._given(start))

    def _given(self, start: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        d, K = self.examples.n_columns, self.examples.n_outputs
        if isinstance(start, str):
            if start != "random":
                raise InputError(f"unknown start {start!r}; expected None, (w, b), 'random' or a State")
            return self._drawn()
        if isinstance(start, Hyperplane):
            start = (start.w, start.b)
        try:
            w, b = (np.asarray(part) for part in start)
            if {w.dtype.kind, b.dtype.kind} - set("fiu") or w.shape not in ((d, K), (d,) * (K == 1)) or b.size != K:
                raise ValueError
            w, b = np.array(w, np.float64).reshape(d, K), np.array(b, np.float64).reshape(K)
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                f"start must be (w, b) with {d} weight(s) and 1 offset for each of {K} output(s)"
            ) from None
        if not (np.isfinite(w).all() and np.isfinite(b).all()):
            raise InputError("start must be finite")
        if self.rho2 == 0 and b.any():
            raise InputError("start has an offset b, but offset=0 keeps the hyperplane through the origin")
        return w, b

    def _drawn(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Random weights with a mistake to learn from: of w and −w one has it, so that every other draw will do."""
        d, K = self.examples.n_columns, self.examples.n_outputs
        for draw in range(_DRAWS):
            drawn = _core.uniform(self.plan.seed, draw, (d + 1) * K)
            # b/ρ is the weight of the constant feature, so it is drawn like the others.
            W, b = drawn[: d * K].reshape(d, K), drawn[d * K :] * math.sqrt(self.rho2)
            rows, labels, joint = self.examples.rows, self.examples.labels, self.decision == "direct"
            if not min(_core.survey(rows, labels, W, b, joint, self.plan.threads)[0]) > 0:
                return W, b
        self.remarks = f"; the random start makes no mistake, nor did {plural(_DRAWS - 1, 'draw')} before it"
        return W, b

    def _resume(self, state: State) -> None:
        shape = (self.examples.n_columns, self.examples.n_outputs)
        try:
            state.weights.shape, state.n_outputs, state.epoch_rows  # noqa: B018 - what cannot be read is damaged
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise InputError(f"the state is damaged: {error}") from None
        if state.weights.shape != shape or state.decision != self.decision:
            raise InputError(
                f"the state has {state.weights.shape[0]} feature(s), {state.n_outputs} output(s) ({state.decision}); "
                f"the examples {shape[0]} and {shape[1]} ({self.decision})"
            )
        if callable(self.plan.schedule):
            raise InputError("a run with a schedule of your own cannot be resumed: no state can hold a function")
        for name, now in {**self.terms, "offset²": self.rho2}.items():
            if name not in state.terms and name != "offset²":
                raise InputError(f"the state is damaged: it does not say the {name} it was learnt with")
            then = state.rho2 if name == "offset²" else state.terms[name]
            if then != now and name == "readouts kept" and isinstance(then, tuple):
                raise InputError(
                    f"cannot resume: the run kept {_listed(then)}; give the same readout again, not {_listed(now)}"
                )
            if name in _DATA and _moved(state):
                continue
            if then != now and name in _DATA:
                raise InputError(f"cannot resume: the {_DATA[name]} are not those the state was learnt on")
            if then != now:
                raise InputError(f"cannot resume with another plan: {name} was {then!r}, and now is {now!r}")
        if state.epoch_rows > self.examples.n_rows:
            raise InputError(
                f"the state is {state.epoch_rows} rows into an epoch, the examples have {self.examples.n_rows}"
            )
        try:
            self.core.restore(state.core)
        except (ValueError, KeyError, TypeError, RuntimeError) as error:
            raise InputError(f"the state is damaged: {error}") from None
        self.best, self.stale, self.upper = state.plateau_best, state.plateau_length, state.margin_upper

    def _count(self, course: int) -> list[int]:
        """The mistakes on all rows of each weight vector that waits to be taken into the pocket."""
        rows, labels = self.examples.rows, self.examples.labels
        return self.core.mistakes(rows, labels, self.counts, course, self.plan.threads)

    def state(self) -> State:
        self.core.settle(self._count)
        return State(self.core.save(), self.decision, self.rho2, dict(self.terms), self.best, self.stale, self.upper)

    def run(self) -> Run:
        verdict = self._budget() if self.core.epoch >= self.plan.max_epochs else None
        while verdict is None:
            verdict = self._epoch()
        verdict = replace(verdict, advice=verdict.advice + self.remarks)
        log = self._log()
        # The path is rebuilt from the rows, so a run with a log can tell whether any of them was changed.
        digest = None if log is None else self.examples.digest(all=True)
        return Run(
            verdict, self.state(), self._history(), log, self.rule, self.parameters, self.plan, self.examples, digest
        )

    def _epoch(self) -> Status | None:
        plan, core, n = self.plan, self.core, self.examples.n_rows
        epoch = core.epoch + 1
        for visit in visits(plan.visit_order, plan.seed, epoch, n, core.epoch_rows):
            while visit.chunks.size:
                done, event, row, column, norm2 = core.advance(
                    self.examples.rows,
                    self.examples.labels,
                    self.weight,
                    0,
                    visit.chunks,
                    visit.order,
                    None,
                    self._count,
                    plan.threads,
                    _SLICE,
                )
                visit = visit.after(done, n)
                if self.logs is not None:
                    self.logs.append(core.take_log())
                if event == "out of etas":
                    self._extend_etas()
                if event == "not finite":
                    raise not_finite(row, column, self.examples.feature_names)
                if event in status.FAULTS:
                    return status.non_finite(
                        event, row, epoch, self.weight is not None, core.updates > 0,
                        self.rule.diverges and 0 < norm2 < math.inf, plan.batch_size != 1,
                        self._safe_eta() if self.rule.diverges else None,
                    )  # fmt: skip
                marked = core.visited == core.pause_at and visit.chunks.size > 0
                if (marked or time.monotonic() - self.told > _SLICE) and self._told_to_stop(
                    epoch, finished=False, next=self._next(visit) if marked else None
                ):
                    return status.stopped(epoch)
                if marked:
                    self._next_mark()
        end = core.finish_epoch(self._count)
        self.ends.append(end)
        # Of several outputs the one with the least room left is the one to wait for.
        self.upper = min(self.upper, *end["margin_upper"])
        verdict = self._judge(epoch, end)
        # The callback hears of every epoch, the last one too; a run that has ended cannot be stopped.
        return status.stopped(epoch) if self._told_to_stop(epoch, finished=True) and verdict is None else verdict

    def _extend_etas(self) -> None:
        """A table of η_k, for schedules other than constant: from the slowest output's next change on.

        The outputs of one-vs-rest change at their own pace; what is still needed of the table is kept.
        """
        changes = self.core.changes
        first, known = min(changes) + 1, self.first_eta + self.etas.size
        if self.etas.size == 0:
            known = first
        more = self.plan.etas(known, max(changes) + 4096 + 1 - known)
        self.etas, self.first_eta = np.concatenate([self.etas[first - self.first_eta :], more]), first
        self.core.set_etas(first, self.etas)

    def _next_mark(self) -> None:
        """The next mark that lies ahead."""
        ahead = (mark for mark in self.marks if mark > self.core.visited)
        self.core.pause_at = next(ahead, 2**62) - 1

    def _next(self, visit: Visit) -> Next:
        """The row that the visit is about to meet."""
        examples, place = self.examples, self.core.place if self.core.chunk == visit.chunks[0] else 0
        row = int(visit.chunks[0]) * CHUNK + place if visit.order is None else int(visit.order[place])
        one, features = row_of(examples.rows, row)
        scores, labels = self.core.scores(one, False)[0], examples.labels
        if scores.size == 1:
            own, found = int(labels[row] > 0), int(scores[0] > 0)
        else:
            own, found = int(labels[row]), int(scores.argmax())
        label, predicted = examples.classes[[own, found]].tolist()
        return Next(row, label, predicted, features, found != own)

    def _told_to_stop(self, epoch: int, finished: bool, next: Next | None = None) -> bool:
        self.told = time.monotonic()
        if self.callback is None:
            return False
        now = True

        def state() -> State:
            if not now:
                raise RuntimeError("the run has gone on since: take the state while the callback runs")
            return self.state()

        core = self.core
        stop = bool(self.callback(Progress(epoch, finished, core.visited, core.updates, core.wrong, state, next)))
        now = False
        if self.examples.rows.is_sparse and not self.examples.rows.sound():
            raise InputError("the callback changed the sparse matrix that is being learnt from")
        return stop

    def _judge(self, epoch: int, end: dict[str, Any]) -> Status | None:
        plan, mistakes = self.plan, end["mistakes"]
        if end["updates"] == 0:
            return status.clean(epoch, mistakes)
        if end["repeats"] >= 0:
            always, since = self._always(), end["repeats"]
            moves = 0.0 if since == epoch - 1 else self._next_epoch_moves() if always else math.inf
            if always and moves < _ROUNDING:
                return status.rest(epoch, since, moves, mistakes)
            return status.loop(epoch, since, mistakes, plan.readout, always)
        if plan.step_tol is not None and end["moved"] < plan.step_tol:
            return status.step(epoch, end["moved"], mistakes)
        if plan.tol is not None and self._plateau(end):
            if self._overshoots(end):
                return self._overshooting("plateau", epoch, end)
            return status.plateau(epoch, plan.patience, mistakes, plan.readout)
        return self._budget() if epoch >= plan.max_epochs else None

    def _next_epoch_moves(self) -> float:
        """By how much the next epoch would move a weight, at most, in units of what it is made of.

        Those are the weight itself and η times the length of its column: rounding is of that size times 2⁻⁵³.
        """
        W, b = self.state().read("last")
        plan = replace(self.plan, max_epochs=1, readout="last", kept=("last",), tol=None, step_tol=None)
        parts = self.examples, self.weight, self.rule, self.parameters, plan, (W, b), False, None, iter(())
        after = _Driver(*parts).run().state
        lengths, n = column_lengths(self.examples.rows), self.examples.n_rows
        units = np.append(np.abs(W) + plan.eta * lengths[:, None], [np.abs(b) + plan.eta * self.rho2 * math.sqrt(n)], 0)
        moved = np.abs(np.append(after.weights - W, [after.offsets - b], 0))
        return float(np.divide(moved, units, out=np.zeros_like(moved), where=moved > 0).max())

    def _plateau(self, end: dict[str, Any]) -> bool:
        loss = self._error() if self.plan.readout == "averaged" else self._loss(end)
        self.stale = self.stale + 1 if loss >= self.best - float(self.plan.tol or 0) else 0
        self.best = min(self.best, loss)
        return self.stale >= self.plan.patience

    def _loss(self, end: dict[str, Any]) -> float:
        loss: float = end["squared" if self.rule.loss == "squared" else "criterion"] / self.examples.n_rows
        return loss

    def _error(self) -> float:
        """The share of the rows that the average gets wrong, by weight.

        It goes on falling after the losses met on the way, those of weights that come and go, have ceased to.
        """
        wrong = self.core.errors(self.examples.rows, self.examples.labels, self.counts, self.plan.threads)
        return wrong / (self.examples.n_rows if self.counts is None else int(self.counts.sum()))

    def _budget(self) -> Status:
        epoch, end = self.core.epoch, self.ends[-1] if self.ends else None
        if end is None and epoch > self.plan.max_epochs:
            return status.spent(epoch, self.plan.max_epochs)
        if end is not None and self._overshoots(end):
            return self._overshooting("budget", epoch, end)
        slow, mistakes = self.plan.schedule == "1/k", end["mistakes"] if end is not None else None
        return status.budget(epoch, mistakes, self.upper, self.update.beta, slow, self._always())

    def _overshoots(self, end: dict[str, Any]) -> bool:
        """Whether the epoch's squared loss is above that of w = 0, where each row loses 1, and η not known as safe."""
        if not self.rule.diverges or not end["squared"] > end["rows"] * self._losses():
            return False
        safe = self._safe_eta()
        return safe is None or callable(self.plan.schedule) or self.plan.eta >= safe

    def _overshooting(self, name: str, epoch: int, end: dict[str, Any]) -> Status:
        return status.overshooting(
            name, epoch, end["squared"] / end["rows"], self.plan.batch_size != 1, self._safe_eta()
        )

    def _safe_eta(self) -> float | None:
        """2/R′², below which no step of the delta rule overshoots its row; None in batches, or if R′² overflows."""
        most, bad, _ = _core.radius2(self.examples.rows, self.plan.threads)
        size = most + self.rho2
        return 2 / size if self.plan.batch_size == 1 and bad < 0 and 1e-280 < size < 1e280 else None

    def _always(self) -> bool:
        """Whether the rule steps on every row, right or wrong."""
        return math.isinf(self.update.theta0)

    def _losses(self) -> int:
        """How many losses a row has: one for each output of one-vs-rest, else one."""
        return self.examples.n_outputs if self.decision == "ovr" else 1

    def _history(self) -> History:
        def column(name: str, dtype: type) -> NDArray[Any]:
            return np.array([end[name] for end in self.ends], dtype=dtype)

        uppers = np.array([end["margin_upper"] for end in self.ends], dtype=np.float64)
        mistakes, outputs = column("mistakes", np.int64), self._losses()
        history = History(
            epoch=np.arange(self.core.epoch - len(self.ends) + 1, self.core.epoch + 1),
            mistakes=mistakes,
            updates=column("updates", np.int64),
            error_rate=mistakes / (self.examples.n_rows * outputs),
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
        n = self.examples.n_rows
        batch = n if self.plan.batch_size == "all" else min(int(self.plan.batch_size), n)
        row, output, step, visit, change = (np.concatenate(column) for column in parts)
        log = Log(
            row, output, step, visit, change, self.log_from, self.core.visited, n, self.examples.n_outputs, batch,
            self.rows_from,
        )  # fmt: skip
        return log.after(self.earlier.log if self.earlier else None)
