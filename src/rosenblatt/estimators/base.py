"""What the estimators share: scikit-learn's manners around a `Model`. They store, validate and delegate.

What they have learnt is a `Model`, which predicts, saves and loads without scikit-learn.
"""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from ..choices import thread_count
from ..data import rows
from ..errors import InputError, ParameterError, shown
from ..models.model import Floats, Model
from ..report.words import in_words_of
from ..runs.status import Status
from .columns import validated

KINDS = ("Perceptron", "MaxMarginClassifier", "LinearClassifier")  # that a file can name


def learnt(name: str) -> Any:
    """What a fitted estimator knows, as its model says it."""

    def read(self: "LinearEstimator") -> Any:
        return getattr(self._fitted(name), name)

    return property(read, doc=getattr(Model, name).__doc__)


class LinearEstimator(ClassifierMixin, BaseEstimator):
    """An estimator that predicts by a model, and saves it."""

    classes_ = learnt("classes_")
    coef_ = learnt("coef_")
    intercept_ = learnt("intercept_")
    status_ = learnt("status_")
    margin_ = learnt("margin_")
    margin_upper_bound_ = learnt("margin_upper_bound_")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _fitted(self, name: str) -> Model:
        model: Model | None = vars(self).get("_model")
        if model is None:
            raise AttributeError(f"{type(self).__name__} has no {name} before fit")
        return model

    def _rows(self, X: Any) -> tuple[Model, Any, int]:
        check_is_fitted(self)
        # Whether every value is finite is asked by the core as it reads them.
        X = validated(self, X, reset=False, **NUMBERS)
        return self._model, X, threads_of(self.n_jobs)

    def decision_function(self, X: Any) -> Floats:
        """The score w·x + b of each row, (n,) for two classes, (n, K) for K > 2; of a vote its share of the votes."""
        model, X, threads = self._rows(X)
        return model.decision_function(X, threads)

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row: the positive one where the score is > 0; of K > 2, the class of the largest score."""
        model, X, threads = self._rows(X)
        return model.predict(X, threads)

    def geometric_margin(self, X: Any) -> Floats:
        """The signed distance of each row to the hyperplane (of K > 2, to each), positive on the positive side."""
        model, X, threads = self._rows(X)
        return model.geometric_margin(X, threads)

    @property
    def predict_proba(self) -> Any:
        """Not offered: a score is no probability. The error says what to use."""
        raise AttributeError(
            f"{type(self).__name__} gives no probabilities: wrap it in sklearn.calibration.CalibratedClassifierCV"
        )

    def _to_save(self) -> Model:
        check_is_fitted(self)
        if type(self).__module__.rpartition(".")[0] != __package__ or type(self).__name__ not in KINDS:
            raise InputError(
                f"{type(self).__name__} is a class of your own, which no file of ours can name: save its model"
            )
        parameters = self.get_params(deep=False)
        if isinstance(parameters.get("random_state"), np.random.RandomState):
            parameters["random_state"] = self._model.seed  # what it had drawn
        return replace(self._model, kind=type(self).__name__, parameters=parameters)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write what was learnt to a file, at once or not at all. `rosenblatt.load` reads it; nothing in it can run.

        A vote is made of training rows, so that a file of it holds them.
        """
        self._to_save().save(path)

    def to_json(self) -> str:
        """The same as JSON text, for people and other programs; `rosenblatt.from_json` reads it, bit for bit."""
        return self._to_save().to_json()

    def to_liblinear(self, path: str | os.PathLike[str]) -> None:
        """Write a model file for LIBLINEAR's `predict`. Labels must be whole numbers; features count from 1 there."""
        self._to_save().to_liblinear(path)

    @classmethod
    def _of(cls, model: Model) -> Any:
        """The fitted estimator of a model that was loaded."""
        known = cls._get_param_names()
        if unknown := sorted(set(model.parameters) - set(known)):
            raise InputError(f"not a sound model: {cls.__name__} has no parameter {shown(unknown[0])}")
        estimator = cls(**model.parameters)
        estimator._keep(model)
        return estimator

    def _keep(self, model: Model) -> None:
        self._model = model
        self.n_features_in_ = model.n_features_in_
        if model.feature_names is not None:
            self.feature_names_in_ = model.feature_names_in_
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_  # of a fit before

    def _warn(self, end: Status, level: int) -> None:
        if end.worth_warning:
            warnings.warn(str(end), ConvergenceWarning, stacklevel=level)


NUMBERS: dict[str, Any] = {
    "accept_sparse": "csr", "accept_large_sparse": True, "dtype": [np.float64, np.float32], "order": "C",
    "ensure_all_finite": False,
}  # fmt: skip


def check_exact(X: Any) -> None:
    """Raise `InputError` for whole numbers that float64 would round, before scikit-learn converts them."""
    values = getattr(X, "data", X) if hasattr(X, "tocsr") else X
    if isinstance(values, np.ndarray):
        rows.check_exact(values)


@contextmanager
def unchanged_if_refused(estimator: Any) -> Iterator[None]:
    """An estimator that was fitted stays as it was if something is refused, and errors speak its words."""
    before = {name: vars(estimator)[name] for name in _VALIDATED if name in vars(estimator)}
    try:
        yield
    except BaseException as error:
        if "_model" in vars(estimator):
            for name in _VALIDATED:
                vars(estimator).pop(name, None)
            vars(estimator).update(before)
        if isinstance(error, ParameterError):
            raise in_words_of("estimator", error) from None
        raise


_VALIDATED = ("n_features_in_", "feature_names_in_")


def threads_of(n_jobs: Any) -> int:
    """scikit-learn's n_jobs as a number of threads: −1 is all CPUs, −2 all but one."""
    if n_jobs is None or (isinstance(n_jobs, (int, np.integer)) and n_jobs > 0):
        return thread_count(n_jobs)
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise InputError(f"n_jobs must be None or a whole number other than 0, not {shown(n_jobs)}")
    return max(1, thread_count(None) + 1 + int(n_jobs))
