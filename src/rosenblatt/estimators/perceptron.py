"""The estimators: scikit-learn's face of the library. They store, validate and delegate; nothing is computed here.

`Perceptron` is a drop-in for `sklearn.linear_model.Perceptron`, with every rule, order and readout of `learn`;
`MaxMarginClassifier` is the hard-margin machine of `max_margin`. What they have learnt is a `Model`, which predicts,
saves and loads without scikit-learn.
"""

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import check_random_state, compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from ..choices import count, number, thread_count
from ..data.examples import Examples
from ..data.labels import joined_classes
from ..errors import InputError, InseparableError, shown
from ..learning.learn import learn
from ..learning.transfer import with_classes, with_other_rows
from ..models.build import model_of_margin, model_of_run
from ..models.model import Floats, Model
from ..runs import status
from ..runs.state import State
from ..runs.status import Status
from ..separation.margin.max_margin import MaxMargin, max_margin
from .monitor import HeldOut, Watch

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ModuleNotFoundError:  # before scikit-learn 1.9 there are no callbacks, and nobody to tell

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing."""

    def with_callbacks(method: Any) -> Any:
        """The method, called from one frame further in as it is there: a warning names the line that called it."""

        @wraps(method)
        def called(*arguments: Any, **options: Any) -> Any:
            return method(*arguments, **options)

        return called


def _learnt(name: str) -> Any:
    """What a fitted estimator knows, as its model says it."""

    def read(self: "_Linear") -> Any:
        return getattr(self._fitted(name), name)

    return property(read, doc=getattr(Model, name).__doc__)


class _Linear(ClassifierMixin, BaseEstimator):
    """What both estimators share: they predict by a model, and save it."""

    classes_ = _learnt("classes_")
    coef_ = _learnt("coef_")
    intercept_ = _learnt("intercept_")
    status_ = _learnt("status_")
    margin_ = _learnt("margin_")
    margin_upper_bound_ = _learnt("margin_upper_bound_")

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
        X = validate_data(self, X, reset=False, **_NUMBERS)
        return self._model, X, _threads(self.n_jobs)

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
        if type(self) not in (Perceptron, MaxMarginClassifier):
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
            raise InputError(f"not a sound model: {cls.__name__} has no parameter {unknown[0]!r}")
        estimator = cls(**model.parameters)
        estimator._keep(model)
        return estimator

    def _keep(self, model: Model) -> None:
        self._model = model
        self.n_features_in_ = model.n_features_in_
        if model.feature_names is not None:
            self.feature_names_in_ = model.feature_names_in_

    def _warn(self, end: Status, level: int) -> None:
        if end.name not in ("clean", "exact", "gap"):
            warnings.warn(str(end), ConvergenceWarning, stacklevel=level)


_NUMBERS: dict[str, Any] = {
    "accept_sparse": "csr", "accept_large_sparse": True, "dtype": [np.float64, np.float32], "order": "C",
    "ensure_all_finite": False,
}  # fmt: skip


def _exact(X: Any) -> None:
    """Raise `InputError` for whole numbers that float64 would round."""
    values = getattr(X, "data", X) if hasattr(X, "tocsr") else X
    wide = isinstance(values, np.ndarray) and values.dtype.kind in "iu" and values.dtype.itemsize == 8
    if wide and values.size and max(-int(values.min()), int(values.max())) > 2**53:
        raise InputError("integers beyond 2**53 are not exact as float64: scale them, or convert them yourself")


@contextmanager
def _whole_or_not(estimator: Any) -> Iterator[None]:
    """An estimator that was fitted stays as it was if something is refused, and errors speak its words."""
    before = {name: vars(estimator)[name] for name in _VALIDATED if name in vars(estimator)}
    try:
        yield
    except BaseException as error:
        if "_model" in vars(estimator):
            for name in _VALIDATED:
                vars(estimator).pop(name, None)
            vars(estimator).update(before)
        if type(error) is InputError:
            raise InputError(status.in_estimators_words(str(error))) from None
        raise


_VALIDATED = ("n_features_in_", "feature_names_in_")


def _sees_all_rows(self: "Perceptron") -> bool:
    if self.readout == "pocket":
        raise AttributeError("a pocket counts mistakes on all rows, and partial_fit sees some: use another readout")
    return True


class Perceptron(CallbackSupportMixin, _Linear):
    """The perceptron family, in scikit-learn's manner.

    Every parameter of `sklearn.linear_model.Perceptron` has its name and default here. `penalty`, `alpha` and
    `l1_ratio` must be left at theirs: there is no penalty, and asking for one is an error.

    rule
        One of `rosenblatt.rules.names()`; `beta` and `C` are parameters of some.
    readout
        What it predicts by: "averaged" over every moment of the run, "last", "voted", or "pocket" (the fewest training
        mistakes). The average is the default because the last weights hang on the rows met last: averaged, the same
        run predicts new rows better. After a clean epoch the last weights make no mistake on the training rows, which
        the average may; `status_` then says so.
    order
        "shuffled" or "cyclic"; None goes by `shuffle`. Or your own: a permutation of the rows, or a list of them, one
        for each epoch, which begins again when it is through.
    batch_size
        Rows per weight change: 1, B, or "all".
    eta0, schedule
        The step η_k of the k-th weight change: "constant", "1/k", "1/sqrt(k)", or a function of k that multiplies eta0.
    offset
        ρ, the constant appended to every row, or "radius"; None is 1, or 0 with fit_intercept=False. (scikit-learn
        takes ρ = 0.1 for sparse rows and 1 for dense ones.)
    tol, n_iter_no_change
        The run ends at the first clean epoch; or after n_iter_no_change epochs in which the share of training rows that
        the average gets wrong (of other readouts: the mean loss met on the way) is not below the best by more than tol
        (None: never); or after max_iter epochs. With early_stopping it is the accuracy on a validation_fraction of the
        rows, kept apart, that has to rise by more than tol, and the weights of the best epoch are kept.
    multiclass
        For K > 2 classes: "ovr", each against the rest, or "direct", the true class against its strongest rival.
    grow_classes
        Whether partial_fit takes labels it has not seen. A class that appears late starts with weights 0.
    n_jobs
        Threads; they never change a bit of the result. None: ROSENBLATT_NUM_THREADS, or all CPUs.
    shuffle, random_state, class_weight, warm_start, verbose
        As in scikit-learn; random_state may be a RandomState. A class weight is a weight of its rows.

    Once fitted: `coef_`, `intercept_`, `classes_`, `n_iter_`, `n_features_in_`, `feature_names_in_`, and
    `status_` (why it ended, and what to do), `history_` (each epoch), `n_updates_`, `margin_`, `margin_upper_bound_`.

    Every end other than a clean epoch is a `ConvergenceWarning` that says why and what to do; so does `status_`.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = Perceptron().fit(X, y == 0)
    >>> model.score(X, y == 0), model.status_.name, model.n_iter_, model.n_updates_
    (1.0, 'clean', 2, 7)
    """

    n_iter_ = _learnt("n_iter_")
    n_updates_ = _learnt("n_updates_")
    history_ = _learnt("history_")

    def __init__(
        self,
        *,
        rule: str = "perceptron",
        readout: str = "averaged",
        penalty: None = None,
        alpha: float = 0.0001,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        verbose: int = 0,
        eta0: float = 1.0,
        n_jobs: int | None = None,
        random_state: Any = 0,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
        order: Any = None,
        batch_size: int | str = 1,
        schedule: str | Callable[[int], float] = "constant",
        offset: float | str | None = None,
        beta: float | None = None,
        C: float | None = None,
        multiclass: str = "ovr",
        grow_classes: bool = False,
    ) -> None:
        self.rule = rule
        self.readout = readout
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.verbose = verbose
        self.eta0 = eta0
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.order = order
        self.batch_size = batch_size
        self.schedule = schedule
        self.offset = offset
        self.beta = beta
        self.C = C
        self.multiclass = multiclass
        self.grow_classes = grow_classes

    @with_callbacks
    def fit(
        self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None
    ) -> "Perceptron":
        """Learn from rows and labels, from zero; from coef_init and intercept_init; or, with warm_start, from the last
        weights of the fit before.
        """
        with _whole_or_not(self):
            plan = self._plan()
            _exact(X)
            # A row that is not finite has its number among all rows, so with some kept apart it is looked for first.
            X, y = validate_data(self, X, y, **{**_NUMBERS, "ensure_all_finite": bool(self.early_stopping)})
            check_classification_targets(y)
            weight = self._weights(X, y, sample_weight, np.unique(y))
            held = None
            if self.early_stopping:
                rest, apart = self._split(y)
                held = HeldOut(X[apart], y[apart], None if weight is None else weight[apart])
                X, y, weight = X[rest], y[rest], None if weight is None else weight[rest]
            examples = Examples.of(X, y, getattr(self, "feature_names_in_", None))
            watch = Watch(self, examples, held, plan["threads"])
            run = learn(
                examples, start=self._start(examples, coef_init, intercept_init), sample_weight=weight,
                max_epochs=self.max_iter, tol=None if held is not None else self.tol, patience=self.n_iter_no_change,
                callback=watch if watch.needed else None, **plan,
            )  # fmt: skip
            if run.status.name == "non-finite" and not run.updates:
                raise InputError(str(status.for_estimator(run.status)))  # no model at all, rather than one of zeros
            state, end = watch.verdict(run)
            self._keep(model_of_run(run, state, status.for_estimator(end), facts=True))
        watch.end(X, y)
        self._warn(self._model.status, 4)
        return self

    @available_if(_sees_all_rows)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "Perceptron":
        """One epoch over these rows, going on from where the model is. All labels there will ever be go into `classes`
        at the first call, unless grow_classes is set.
        """
        with _whole_or_not(self):
            model: Model | None = vars(self).get("_model")
            plan = self._plan(model)
            _exact(X)
            X, y = validate_data(self, X, y, reset=model is None, **_NUMBERS)
            check_classification_targets(y)
            if self.early_stopping:
                raise InputError("early_stopping is for fit: partial_fit makes one pass, and keeps no rows apart")
            if isinstance(self.class_weight, str):
                raise InputError("class_weight='balanced' needs all labels beforehand: give partial_fit a dictionary")
            known = self._classes(y, classes, model)
            weight = self._weights(X, y, sample_weight, known)
            examples = Examples.coded(X, y, known, getattr(self, "feature_names_in_", None))
            start, origin = self._onward(model, known)
            epochs = 1 if origin is None else origin.epoch + 1
            run = learn(examples, start=start, sample_weight=weight, max_epochs=epochs, **plan)
            if run.status.name == "non-finite":
                raise InputError(f"{status.for_estimator(run.status)}; the model is as before")
            end = status.passed(epochs, examples.n_rows, int(run.history.mistakes[-1]), run.status)
            self._keep(model_of_run(run, run.state, end, earlier=model, origin=origin))
        return self

    def _onward(self, model: Model | None, known: NDArray[Any]) -> tuple[Any, State | None]:
        """Where partial_fit goes on from: what `learn` starts with, and the same if it is a state."""
        if model is None:
            return None, None
        if model.state is None:
            return (model.weights, model.offsets), None  # of a model that others have learnt
        if (model.vote is not None) != (self.readout == "voted"):
            raise InputError("a vote needs every weight vector from the start: fit anew to change to it, or from it")
        origin = with_other_rows(model.state)
        if known.size == model.classes.size:
            return origin, origin
        if model.vote is not None:
            raise InputError("a vote cannot grow classes: use another readout, or give partial_fit all classes")
        origin = with_classes(origin, model.classes, known, self.multiclass)
        return origin, origin

    def _plan(self, model: Model | None = None) -> dict[str, Any]:
        """The parameters in the words of `learn`, to go on from a model. What cannot be done is refused by its name."""
        for name, default in (("penalty", None), ("alpha", 0.0001), ("l1_ratio", 0.15)):
            if getattr(self, name) != default:
                raise InputError(
                    f"{name}={shown(getattr(self, name))}: there is no penalty on the weights here; leave it at"
                    f" {default}, or use sklearn.linear_model.Perceptron"
                )
        offset = (1.0 if self.fit_intercept else 0.0) if self.offset is None else self.offset
        if not self.fit_intercept and offset != 0:
            raise InputError(f"fit_intercept=False, but offset={shown(offset)}: give one of the two")
        order = ("shuffled" if self.shuffle else "cyclic") if self.order is None else self.order
        if not self.shuffle and isinstance(order, str) and order == "shuffled":
            raise InputError("shuffle=False, but order='shuffled': give one of the two")
        if self.early_stopping and not isinstance(order, str):
            raise InputError(
                "early_stopping keeps rows apart, and your own order is of all of them: give one of the two"
            )
        if not isinstance(self.readout, str):
            raise InputError(f"readout must be one word, not {shown(self.readout)}")
        if self.tol is not None:
            number("tol", self.tol, least=0)
        count("n_iter_no_change", self.n_iter_no_change)
        if self.early_stopping and self.readout == "voted":
            raise InputError("early_stopping looks at weights after each epoch, and a vote has none: use 'averaged'")
        return {
            "rule": self.rule, "order": order, "batch_size": self.batch_size, "eta": self.eta0,
            "schedule": self.schedule, "offset": offset, "seed": self._seed(model), "readout": self.readout,
            "beta": self.beta, "C": self.C, "multiclass": self.multiclass, "threads": _threads(self.n_jobs),
        }  # fmt: skip

    def _seed(self, model: Model | None) -> int:
        if self.random_state is None or isinstance(self.random_state, np.random.RandomState):
            if model is not None and model.seed is not None:
                return model.seed  # drawn once
            return int(check_random_state(self.random_state).randint(2**31 - 1))
        return self.random_state  # type: ignore[no-any-return]  # checked with the rest of the plan

    def _weights(self, X: Any, y: NDArray[Any], sample_weight: Any, classes: NDArray[Any]) -> Floats | None:
        if sample_weight is None and self.class_weight is None:
            return None
        weight: Floats = _check_sample_weight(sample_weight, X, dtype=np.float64)
        if self.class_weight is not None:
            if not isinstance(self.class_weight, dict) and self.class_weight != "balanced":
                raise InputError(
                    f"class_weight must be None, 'balanced' or a dictionary, not {shown(self.class_weight)}"
                )
            each = compute_class_weight(self.class_weight, classes=classes, y=y)
            if not (np.isfinite(each) & (each >= 0)).all():
                raise InputError(f"class_weight must hold finite numbers >= 0, not {shown(self.class_weight)}")
            weight = weight * each[np.searchsorted(classes, y)]
        if not weight.any():
            raise InputError("all sample weights are 0: no row would be learnt from")
        return weight

    def _start(self, examples: Examples, coef_init: Any, intercept_init: Any) -> Any:
        if coef_init is None and intercept_init is None:
            model = vars(self).get("_model")
            if not (self.warm_start and model is not None):
                return None
            if not np.array_equal(model.classes, examples.classes):
                raise InputError(f"warm_start: the labels were {model.classes.tolist()}, and now are others")
            if model.weights.shape[0] != examples.n_columns:
                raise InputError(
                    f"warm_start: there were {model.weights.shape[0]} features, and now {examples.n_columns}"
                )
            return (model.weights, model.offsets) if model.state is None else model.state.read("last")
        d, K = examples.n_columns, examples.n_outputs
        w = np.zeros((K, d)) if coef_init is None else np.atleast_2d(np.asarray(coef_init))
        b = np.zeros(K) if intercept_init is None else np.asarray(intercept_init).reshape(-1)
        if w.shape != (K, d) or b.shape != (K,):
            raise InputError(f"coef_init must have shape {(K, d)} and intercept_init {(K,)}")
        return w.T, b

    def _classes(self, y: NDArray[Any], classes: Any, model: Model | None) -> NDArray[Any]:
        """All labels there are, after this call."""
        if model is None and classes is None and not self.grow_classes:
            raise InputError(
                "the first partial_fit needs classes=, all labels there will ever be; or grow_classes=True"
            )
        new, given = np.unique(y), None if classes is None else np.unique(np.asarray(classes))
        known = model.classes if model is not None else new if given is None else given
        if self.grow_classes:
            for more in (new, known if given is None else given):
                known = joined_classes(known, more) if not np.isin(more, known).all() else known
        elif given is not None and not np.array_equal(given, known):
            raise InputError(f"classes={shown(given.tolist())}: the first call said {shown(known.tolist())}")
        elif (unseen := new[~np.isin(new, known)]).size:
            raise InputError(
                f"label {shown(unseen.tolist()[0])} is not among the classes {shown(known.tolist())}: give them all to"
                " the first call, or set grow_classes=True"
            )
        if known.size < 2:
            raise InputError(
                f"only one class so far, {shown(known.tolist()[0])}: two classes are needed; give classes="
            )
        return known

    def _split(self, y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The rows to learn from, and those kept apart."""
        share = number("validation_fraction", self.validation_fraction, above=0)
        if share >= 1:
            raise InputError(f"validation_fraction must be below 1, not {shown(self.validation_fraction)}")
        split = StratifiedShuffleSplit(test_size=share, random_state=self.random_state)
        rest, apart = next(split.split(np.empty((len(y), 0)), y))
        return rest, apart


class MaxMarginClassifier(_Linear):
    """The hard-margin machine: the hyperplane with the largest margin, between bounds that are proven.

    fit_intercept
        Whether the hyperplane has an offset, which is then free.
    rel_gap
        How far apart `margin_` and `margin_upper_bound_` may be, relatively. Mostly they are equal.
    time_limit
        Seconds after which to make do with the bounds there are. None: never.
    n_jobs
        Threads. None: ROSENBLATT_NUM_THREADS, or all CPUs.

    Once fitted: `coef_`, `intercept_`, `classes_`, `margin_`, `margin_upper_bound_`, `gap_`, `support_`, `status_`.

    Of two classes. On rows that no hyperplane separates, `fit` raises an `InseparableError`: its `verdict` has the
    proof, its `rows` are the few that make it impossible. The weights are scaled so that the nearest rows score ±1.

    >>> model = MaxMarginClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> model.coef_.round(9).tolist(), model.intercept_.round(9).tolist(), model.support_.tolist()
    ([[2.0]], [-5.0], [1, 2])
    >>> 0.5 - 1e-12 < model.margin_ <= 0.5 <= model.margin_upper_bound_ < 0.5 + 1e-12  # rounded down, and up
    True
    """

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        rel_gap: float = 1e-6,
        time_limit: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.rel_gap = rel_gap
        self.time_limit = time_limit
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: Any, y: Any) -> "MaxMarginClassifier":
        """Find the hyperplane. Raises `InseparableError` if there is none."""
        with _whole_or_not(self):
            best = self._best(X, y)
            self._keep(model_of_margin(best))
        self._warn(best.status, 3)
        return self

    def _best(self, X: Any, y: Any) -> MaxMargin:
        _exact(X)
        X, y = validate_data(self, X, y, **_NUMBERS)
        check_classification_targets(y)
        if (kind := type_of_target(y, input_name="y")) != "binary" and len(np.unique(y)) > 2:
            raise InputError(
                f"Only binary classification is supported. The type of the target is {kind}. Wrap it in"
                " sklearn.multiclass.OneVsOneClassifier"
            )
        best = max_margin(
            Examples.of(X, y, getattr(self, "feature_names_in_", None)), offset="free" if self.fit_intercept else 0,
            rel_gap=self.rel_gap, time_limit=self.time_limit, threads=_threads(self.n_jobs),
        )  # fmt: skip
        if best.verdict is not None:
            raise InseparableError(best.verdict)
        if best.hyperplane is None:
            raise TimeoutError(str(best.status))
        return best

    @property
    def support_(self) -> NDArray[np.int64]:
        """The rows that hold the hyperplane where it is."""
        return self._fitted("support_").facts["support"].astype(np.int64)  # type: ignore[no-any-return]

    @property
    def gap_(self) -> float:
        """1 − margin_/margin_upper_bound_: 0 only if they are proven to be one number."""
        return float(self._fitted("gap_").facts["gap"])


def _threads(n_jobs: Any) -> int:
    """scikit-learn's n_jobs as a number of threads: −1 is all CPUs, −2 all but one."""
    if n_jobs is None or (isinstance(n_jobs, (int, np.integer)) and n_jobs > 0):
        return thread_count(n_jobs)
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise InputError(f"n_jobs must be None or a whole number other than 0, not {shown(n_jobs)}")
    return max(1, thread_count(None) + 1 + int(n_jobs))
