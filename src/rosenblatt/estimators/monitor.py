"""Monitor: who looks on while an estimator learns: validation on rows kept apart, progress, callbacks."""

import math
from dataclasses import dataclass
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.source import Source
from ..learning.progress import Progress
from ..models.model import Floats, Model
from ..runs import status
from ..runs.run import Run
from ..runs.state import State
from ..runs.status import Status

try:
    from sklearn.callback import CallbackSupportMixin as CallbackSupportMixin
    from sklearn.callback import with_callbacks as with_callbacks
except ModuleNotFoundError:  # before scikit-learn 1.9 there are no callbacks, and nobody to tell

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing."""

    def with_callbacks(method: Any) -> Any:
        """The method, called from one frame further in as it is there: a warning names the line that called it."""

        @wraps(method)
        def called(*arguments: Any, **options: Any) -> Any:
            return method(*arguments, **options)

        return called


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Rows kept apart, to see how well others are predicted."""

    X: Any
    y: NDArray[Any]
    weight: Floats | None

    def score(self, model: Model, threads: int) -> float:
        """The share of them that a model predicts right."""
        weight = self.weight if self.weight is not None and self.weight.any() else None
        return float(np.average(model.predict(self.X, threads) == self.y, weights=weight))


class Watch:
    """The callback of a run, for an estimator: told of each epoch, it may end the run."""

    def __init__(self, estimator: Any, source: Source, held: HeldOut | None, threads: int) -> None:
        self.estimator, self.source, self.held, self.threads = estimator, source, held, threads
        self.best, self.stale, self.stopped = -math.inf, 0, False
        self.best_state: State | None = None
        self.listened = bool(getattr(estimator, "_skl_callbacks", ()))
        self.root: Any = None  # before scikit-learn 1.9 there are no callbacks
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
        W, b = state.folded(self.estimator.readout)
        now = status.running(state.epoch)
        return Model("Perceptron", {}, self.source.classes, self.source.feature_names, W, b, now)

    def _stale(self, held: HeldOut, state: State) -> bool:
        score, tol = held.score(self._model(state), self.threads), self.estimator.tol
        self.stale = self.stale + 1 if tol is not None and score <= self.best + tol else 0
        if score > self.best:
            self.best, self.best_state = score, state
        return bool(self.stale >= self.estimator.n_iter_no_change)

    def _tell(self, progress: Progress) -> bool:
        context = self.root.subcontext(task_name="epoch")
        context.call_on_fit_task_begin(estimator=self.estimator)
        # A vote is counted when the run is over: until then there is no estimator to show.
        voted = self.estimator.readout == "voted"
        attributes = None if voted else lambda: {"_model": self._model(progress.state())}
        return bool(context.call_on_fit_task_end(estimator=self.estimator, reconstruction_attributes=attributes))

    def outcome(self, run: Run) -> tuple[State, Status]:
        """The state to keep, and how the run ended."""
        best = self.best_state
        if best is None:
            return run.state, run.status
        if self.stopped:
            patience = self.estimator.n_iter_no_change
            return best, status.validated(run.epochs, best.epoch, self.best, patience)
        if run.status.key == "budget" and self.estimator.tol is not None and self.stale == 0:
            return best, status.gaining(run.status)  # the best is the last epoch's
        return best, run.status if best.epoch == run.epochs else status.kept_best(run.status, best.epoch)

    def end(self, X: Any, y: Any) -> None:
        """Tell the callbacks that it is over."""
        if self.root is not None:
            self.root.call_on_fit_task_end(
                estimator=self.estimator, X=X, y=y, reconstruction_attributes=lambda: {"_model": self.estimator._model}
            )
