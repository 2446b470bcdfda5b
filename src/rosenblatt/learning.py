"""Learning: Examples + Rule + Plan → Run.

This is the driver around the core's one loop: it hands out visits, closes epochs, and says why it stopped. The
arithmetic is in src/core/advance.hpp.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, rules
from .examples import Examples, InputError, not_finite, rows_of, weights_of
from .plan import Plan, plan_of, thread_count, update_of
from .rules import Rule, Update
from .run import History, Log, Run, Status
from .state import State
from .visits import visits

_SLICE = 0.1  # seconds the core works before it lets Python look for Ctrl-C and report progress
_FAULTS = {
    "score overflow": "its score overflows float64",
    "norm overflow": "its squared length overflows float64",
    "norm underflow": "its squared length underflows float64",
    "step overflow": "its update would leave the range of float64",
}


@dataclass(frozen=True)
class Progress:
    """Where a run is, for a callback. `state()` takes a snapshot, from which the run can be resumed."""

    epoch: int
    """The epoch under way, from 1; at an epoch's end, the one just finished."""
    visited: int
    updates: int
    state: Callable[[], State]


def learn(
    X: Any,
    y: Any = None,
    *,
    rule: str = "perceptron",
    order: str = "cyclic",
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
    readout: str = "last",
    beta: float | None = None,
    C: float | None = None,
    classes: str = "ovr",
    sample_weight: Any = None,
    threads: int | None = None,
    log: bool = False,
    callback: Callable[[Progress], Any] | None = None,
) -> Run:
    """Learn a linear classifier, and say how it went.

    X, y
        Rows and their labels ±1; or `Examples` (any labels, any number of classes) and no y.
    rule
        One of `rules.names()`; beta and C are parameters of some.
    order
        "cyclic", or "shuffled" (a new permutation every epoch, a pure function of the seed).
    batch_size
        Rows per weight change: 1, B, or "all".
    eta, schedule
        The step η_k of the k-th weight change: "constant", "1/k", "1/sqrt(k)", or a function of k that multiplies eta
        (such a run cannot be saved).
    offset
        ρ, the constant appended to every row: 0 for a hyperplane through the origin; "radius" for max ‖x‖.
    max_epochs, tol, patience, step_tol
        When to stop short of a clean epoch: the budget; `patience` epochs in a row without the mean loss falling by
        more than tol; an epoch that moves w′ by less than step_tol. None: never.
    start
        None (zero), (w, b), "random" (seeded, uniform), or a `State` to resume from (max_epochs counts from the
        beginning of the whole run).
    readout
        "last", or "averaged".
    classes
        For more than two: "ovr" (each against the rest) or "direct" (the true class against its strongest rival).
    sample_weight
        Scales the step τ of each row.
    threads
        Never changes a bit of the result. None: ROSENBLATT_NUM_THREADS, or all the CPUs this process may use.
    log
        Keep the log of updates: row, step, visit.
    callback
        Called with a `Progress` about ten times a second and after every epoch; returning True stops the run.

    The run ends at the first epoch without an update, or for one of the other reasons of `run.status`.

    >>> run = learn([[1], [2], [3], [4]], [1, 1, -1, -1])
    >>> run.hyperplane.w.tolist(), run.hyperplane.b, run.updates, run.epochs
    ([-3.0], 7.0, 25, 11)
    >>> print(run.status)
    clean: epoch 11 made no update; nothing can change any more
    """
    chosen = rules.get(rule)
    update = update_of(chosen, beta, C)
    plan = plan_of(
        chosen, order=order, batch_size=batch_size, eta=eta, schedule=schedule, offset=offset, max_epochs=max_epochs,
        tol=tol, patience=patience, step_tol=step_tol, seed=seed, readout=readout, classes=classes, threads=threads,
    )  # fmt: skip
    if isinstance(X, Examples):
        if y is not None:
            raise InputError("Examples have their labels with them: leave out y")
        examples = X
    elif y is None:
        raise InputError("labels are missing: learn(X, y), or learn(Examples.of(X, y))")
    else:
        examples = Examples.signed(X, y)
    if examples.n_outputs > 1 and plan.classes == "direct" and not chosen.direct:
        raise InputError(f"rule {chosen.name!r} has no direct multiclass form: use classes='ovr'")
    weight = weights_of(sample_weight, examples.n_rows)
    return _Driver(examples, weight, chosen, update, plan, start, bool(log), callback).run()


def radius2(X: Any, threads: int | None = None) -> float:
    """R² = max ‖x‖². Raises `InputError` at a row that is not finite."""
    norms2, row, column = _core.squared_norms(rows_of(X), thread_count(threads))
    if row >= 0:
        raise (
            not_finite(row, column) if column >= 0 else InputError(f"row {row}: its length overflows; rescale the data")
        )
    return float(norms2.max())


class _Driver:
    def __init__(
        self,
        examples: Examples,
        weight: NDArray[np.float64] | None,
        rule: Rule,
        update: Update,
        plan: Plan,
        start: Any,
        log: bool,
        callback: Callable[[Progress], Any] | None,
    ) -> None:
        self.examples, self.weight, self.rule, self.plan, self.callback = examples, weight, rule, plan, callback
        self.decision = "binary" if examples.n_outputs == 1 else plan.classes
        self.rho2 = radius2(examples.rows, plan.threads) if plan.offset == "radius" else float(plan.offset) ** 2
        self.core = _core.Learner(
            tuple(update), rule.uses_eta, self.decision, examples.rows, examples.n_outputs, self.rho2,
            2**62 if plan.batch_size == "all" else int(plan.batch_size),
            plan.eta, log, plan.readout == "averaged", plan.repeats, plan.step_tol is not None,
        )  # fmt: skip
        self.logs: list[tuple[NDArray[Any], ...]] | None = [] if log else None
        self.best, self.stale = math.inf, 0
        self.ends: list[dict[str, Any]] = []
        self._start(start)
        if plan.schedule != "constant":
            self._extend_steps()
        self.log_from = self.core.visited

    def _start(self, start: Any) -> None:
        if isinstance(start, State):
            self._resume(start)
        elif start is None:
            self.core.begin(None)
        else:
            self.core.begin(self._given(start))

    def _given(self, start: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        d, K = self.examples.n_columns, self.examples.n_outputs
        if isinstance(start, str):
            if start != "random":
                raise InputError(f"unknown start {start!r}; expected None, (w, b), 'random' or a State")
            drawn = _core.uniform(self.plan.seed, 0, (d + 1) * K)
            # b/ρ is the weight of the constant feature, so it is drawn like the others.
            return drawn[: d * K].reshape(d, K), drawn[d * K :] * math.sqrt(self.rho2)
        try:
            w, b = (np.asarray(part, dtype=np.float64) for part in start)
            w, b = np.ascontiguousarray(w.reshape(d, K)), np.ascontiguousarray(b.reshape(K))
        except (TypeError, ValueError):
            raise InputError(
                f"start must be (w, b) with {d} weight(s) and 1 offset for each of {K} output(s)"
            ) from None
        if not (np.isfinite(w).all() and np.isfinite(b).all()):
            raise InputError("start must be finite")
        if self.rho2 == 0 and b.any():
            raise InputError("start has an offset b, but offset=0 keeps the hyperplane through the origin")
        return w, b

    def _resume(self, state: State) -> None:
        shape = (self.examples.n_columns, self.examples.n_outputs)
        if state.weights.shape != shape or state.decision != self.decision:
            raise InputError(
                f"the state has {state.weights.shape[0]} feature(s), {state.n_outputs} output(s) ({state.decision}); "
                f"the examples {shape[0]} and {shape[1]} ({self.decision})"
            )
        if state.rho2 != self.rho2:
            raise InputError(f"the state was learnt with offset² {state.rho2:g}, the plan says {self.rho2:g}")
        for field, wanted, how in (
            ("average", self.plan.readout == "averaged", "readout='averaged'"),
            ("pending", self.plan.batch_size != 1, "a batch size above 1"),
            ("epoch_start", self.plan.step_tol is not None, "step_tol"),
            ("saved", self.plan.repeats, "order='cyclic' and schedule='constant'"),
        ):
            if (state.core[field] is not None) != wanted:
                verb = "was not" if wanted else "was"
                raise InputError(f"cannot resume with another plan: the state {verb} learnt with {how}")
        if state.epoch_rows > self.examples.n_rows:
            raise InputError(
                f"the state is {state.epoch_rows} rows into an epoch, the examples have {self.examples.n_rows}"
            )
        self.core.restore(state.core)
        self.best, self.stale = state.plateau_best, state.plateau_length

    def state(self) -> State:
        return State(self.core.save(), self.decision, self.rho2, self.best, self.stale)

    def run(self) -> Run:
        status = self._budget() if self.core.epoch >= self.plan.max_epochs else None
        while status is None:
            status = self._epoch()
        return Run(status, self.state(), self._history(), self._log(), self.rule, self.plan, self.examples.classes)

    def _epoch(self) -> Status | None:
        plan, core, n = self.plan, self.core, self.examples.n_rows
        epoch = core.epoch + 1
        for visit in visits(plan.order, plan.seed, epoch, n, core.epoch_rows):
            while visit.chunks.size:
                done, event, row, column, norm2 = core.advance(
                    self.examples.rows,
                    self.examples.labels,
                    self.weight,
                    0,
                    visit.chunks,
                    visit.order,
                    plan.threads,
                    _SLICE,
                )
                visit = visit.after(done, n)
                if self.logs is not None:
                    self.logs.append(core.take_log())
                if event == "out of steps":
                    self._extend_steps()
                if event == "not finite":
                    raise not_finite(row, column)
                if event in _FAULTS:
                    return self._overflow(event, row, norm2)
                if event == "paused" and self._told_to_stop(epoch):
                    return self._stopped(epoch)
        end = core.finish_epoch()
        self.ends.append(end)
        status = self._judge(epoch, end)
        # The callback hears of every epoch, the last one too; a run that has ended cannot be stopped.
        return self._stopped(epoch) if self._told_to_stop(epoch) and status is None else status

    def _extend_steps(self) -> None:
        """A table of steps, for schedules other than constant, long enough for thousands of changes."""
        changes = self.core.changes
        first, last = min(changes) + 1, max(changes) + 4096
        self.core.set_steps(first, self.plan.steps(first, last - first + 1))

    def _told_to_stop(self, epoch: int) -> bool:
        if self.callback is None:
            return False
        return bool(self.callback(Progress(epoch, self.core.visited, self.core.updates, self.state)) is True)

    def _judge(self, epoch: int, end: dict[str, Any]) -> Status | None:
        plan = self.plan
        if end["updates"] == 0:
            idle = f" ({end['mistakes']} mistake(s), on rows of weight 0 or length 0)" if end["mistakes"] else ""
            return Status("clean", f"epoch {epoch} made no update{idle}", "nothing can change any more")
        if end["repeats"] >= 0:
            return self._loop(epoch, end)
        if plan.step_tol is not None and end["moved"] < plan.step_tol:
            reason = f"epoch {epoch} moved the weights by {end['moved']:.3g}, less than step_tol"
            return Status("step", reason, f"{self._left(end)}; a smaller step_tol goes on")
        if plan.tol is not None and self._plateau(end):
            reason = f"no loss below the best by more than tol for {plan.patience} epochs, up to epoch {epoch}"
            return Status(
                "plateau", reason, f"{self._left(end)}; tol=None goes on, readout='averaged' often generalises better"
            )
        if epoch >= plan.max_epochs:
            return self._budget()
        return None

    def _plateau(self, end: dict[str, Any]) -> bool:
        loss = end["squared" if self.rule.loss == "squared" else "criterion"] / self.examples.n_rows
        self.stale = self.stale + 1 if loss > self.best - float(self.plan.tol or 0) else 0
        self.best = min(self.best, loss)
        return self.stale >= self.plan.patience

    def _left(self, end: dict[str, Any]) -> str:
        return f"{end['mistakes']} mistake(s) in the last epoch"

    def _loop(self, epoch: int, end: dict[str, Any]) -> Status:
        since = "at the start" if end["repeats"] == 0 else f"after epoch {end['repeats']}"
        reason = f"the weights after epoch {epoch} are those {since}, so the run repeats for ever"
        if end["mistakes"] == 0:
            advice = "no mistakes are left, but the margin the rule asks for is never reached: this is its end"
        else:
            advice = f"{self._left(end)}; more epochs change nothing: order='shuffled' or readout='averaged' may"
        return Status("loop", reason, advice)

    def _budget(self) -> Status:
        plan = self.plan
        reason = f"{plan.max_epochs} epochs spent"
        if not self.ends:
            return Status("budget", reason, "a larger max_epochs goes on")
        end = self.ends[-1]
        parts = [self._left(end)]
        upper = max(end["margin_upper"])
        if math.isfinite(upper):
            parts.append(f"if the data are separable, their augmented margin is at most {upper:.3g}")
        if plan.schedule == "1/k":
            parts.append("steps of 1/k can take astronomically long: try schedule='constant'")
        parts.append("a larger max_epochs goes on")
        return Status("budget", reason, "; ".join(parts))

    def _overflow(self, event: str, row: int, norm2: float) -> Status:
        advice = "the weights are those before this row; rescale the data"
        if self.rule.name == "delta" and math.isfinite(norm2) and norm2 > 0:
            advice = f"the delta rule diverges for eta >= 2/R'^2, here at most {2 / norm2:.3g}: take a smaller eta"
        return Status("non-finite", f"row {row} in epoch {self.core.epoch + 1}: {_FAULTS[event]}", advice)

    def _stopped(self, epoch: int) -> Status:
        return Status("stopped", f"the callback ended the run in epoch {epoch}", "learn(..., start=run.state) goes on")

    def _history(self) -> History:
        def column(name: str, dtype: type) -> NDArray[Any]:
            return np.array([end[name] for end in self.ends], dtype=dtype)

        uppers = np.array([end["margin_upper"] for end in self.ends], dtype=np.float64)
        mistakes, outputs = column("mistakes", np.int64), self.examples.n_outputs if self.decision == "ovr" else 1
        return History(
            epoch=np.arange(self.core.epoch - len(self.ends) + 1, self.core.epoch + 1),
            mistakes=mistakes,
            updates=column("updates", np.int64),
            error_rate=mistakes / (self.examples.n_rows * outputs),
            perceptron_loss=column("criterion", np.float64),
            squared_loss=column("squared", np.float64),
            norm=column("norm", np.float64),
            margin_upper=uppers.reshape(len(self.ends), outputs) if outputs > 1 else uppers.reshape(-1),
        )

    def _log(self) -> Log | None:
        if self.logs is None:
            return None
        none = np.empty(0, np.int64)
        parts = zip((none, none, np.empty(0), none, none), *self.logs, strict=True)
        n = self.examples.n_rows
        batch = n if self.plan.batch_size == "all" else min(int(self.plan.batch_size), n)
        row, output, step, visit, change = (np.concatenate(column) for column in parts)
        return Log(row, output, step, visit, change, self.log_from, self.core.visited, n, batch)
