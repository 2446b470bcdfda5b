"""Watching: who looks on while an estimator learns: validation on rows kept apart, progress, callbacks."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import status
from .examples import Examples
from .learning import Progress
from .model import Floats, Model
from .run import Run
from .state import State
from .status import Status


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Rows kept apart, to see how well others are predicted."""

    X: Any
    y: NDArray[Any]
    weight: Floats | None

    def score(self, model: Model, threads: int) -> float:
        """The share of them that a model predicts right."""
        return float(np.average(model.predict(self.X, threads) == self.y, weights=self.weight))


class Watch:
    """The callback of a run, for an estimator: told of each epoch, it may end the run."""

    def __init__(self, estimator: Any, examples: Examples, held: HeldOut | None, threads: int) -> None:
        self.estimator, self.examples, self.held, self.threads = estimator, examples, held, threads
        self.best, self.stale, self.stopped = -math.inf, 0, False
        self.best_state: State | None = None
        self.listened = bool(getattr(estimator, "_skl_callbacks", ()))
        self.root: Any = None
        if hasattr(estimator, "_init_callback_context"):
            self.root = estimator._init_callback_context(max_subtasks=estimator.max_iter)
            self.root.call_on_fit_task_begin(estimator=estimator)
        self.updates = 0

    @property
    def needed(self) -> bool:
        """Whether anybody looks on."""
        return bool(self.held is not None or self.estimator.verbose or self.listened)

    def __call__(self, progress: Progress) -> bool:
        """Whether to end the run."""
        if not progress.finished:
            return False
        if self.estimator.verbose:
            print(f"epoch {progress.epoch}: {progress.updates - self.updates} updates")
            self.updates = progress.updates
        asked = self._tell(progress) if self.listened else False
        self.stopped = self.held is not None and self._stale(self.held, progress.state())
        return asked or self.stopped

    def _model(self, state: State) -> Model:
        W, b = state.read(self.estimator.readout)
        return Model("Perceptron", {}, self.examples.classes, self.examples.feature_names, W, b, status.clean(0, 0))

    def _stale(self, held: HeldOut, state: State) -> bool:
        score, tol = held.score(self._model(state), self.threads), self.estimator.tol
        self.stale = self.stale + 1 if tol is not None and score < self.best + tol else 0
        if score > self.best:
            self.best, self.best_state = score, state
        return bool(self.stale >= self.estimator.n_iter_no_change)

    def _tell(self, progress: Progress) -> bool:
        context = self.root.subcontext(task_name="epoch")
        context.call_on_fit_task_begin(estimator=self.estimator)
        return bool(
            context.call_on_fit_task_end(
                estimator=self.estimator,
                reconstruction_attributes=lambda: {"_model": self._model(progress.state())},
            )
        )

    def verdict(self, run: Run) -> tuple[State, Status]:
        """The state to keep, and how the run ended."""
        if self.best_state is None or run.status.name == "clean":
            return run.state, run.status
        if not self.stopped:
            return self.best_state, run.status
        patience = self.estimator.n_iter_no_change
        return self.best_state, status.validated(run.epochs, self.best_state.epoch, self.best, patience)

    def end(self, X: Any, y: Any) -> None:
        """Tell the callbacks that it is over."""
        if self.root is not None:
            self.root.call_on_fit_task_end(
                estimator=self.estimator, X=X, y=y, reconstruction_attributes=lambda: {"_model": self.estimator._model}
            )
