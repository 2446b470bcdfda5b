"""Perceptron: the family of `learn` as a drop-in for `sklearn.linear_model.Perceptron`, with every rule and readout."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from ..data.examples import Examples
from ..data.source import Source
from ..data.two_classes import aligned
from ..errors import InputError
from ..learning.learn import learn
from ..learning.transfer import with_classes, with_other_rows
from ..models.build import model_of_run
from ..models.model import Model
from ..runs import status
from ..runs.run import Run
from ..runs.state import State
from .base import NUMBERS, LinearEstimator, check_exact, learnt, unchanged_if_refused
from .columns import validated
from .monitor import CallbackSupportMixin, HeldOut, Watch, with_callbacks
from .translation import check_one_pass, classes_of, plan_of, scale_of, split_of, start_of, weights_of


def takes_partial_fit(self: "Perceptron") -> bool:
    """Whether it has `partial_fit`. Raises `AttributeError` with the reason if it has not."""
    if self.readout == "pocket":
        raise AttributeError("a pocket counts mistakes on all rows, and partial_fit sees some: use another readout")
    return True


def model_after(run: Run, watch: Watch) -> Model:
    """The model of a fit. Raises `InputError` for a run that learnt nothing: no model at all, not one of zeros."""
    if run.status.name == "non-finite" and not run.updates:
        raise InputError(str(run.status.facing("estimator")))
    state, end = watch.outcome(run)
    return model_of_run(run, state, end, facts=True)


class Perceptron(CallbackSupportMixin, LinearEstimator):
    """The perceptron family, in scikit-learn's manner.

    Every parameter of `sklearn.linear_model.Perceptron` has its name and default here. `penalty`, `alpha` and
    `l1_ratio` must be left at theirs: there is no penalty, and asking for one is an error.

    rule
        One of `rosenblatt.rules.names()`; `beta` and `C` are parameters of some.
    beta
        The margin to reach: of "margin" a distance, of "fixed-margin" a functional margin, of "relative-margin" that in
        units of the median ‖x′‖² of the rows it begins with, of "dynamic-margin" a share below 1 of the best margin.
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
    scale
        Of the columns: "none"; "standard" learns from (x − mean)/standard deviation, of sparse rows and without an
        offset not centred; "max" from x/max |x|; "power-of-two" from x over the power of two above that. `coef_` and
        `intercept_` are those of the rows as given. partial_fit and warm_start keep the scale of the rows met first.
    grow_classes
        Whether partial_fit takes labels it has not seen. A class that appears late starts with weights 0.
    n_jobs
        Threads; they never change a bit of the result. None: ROSENBLATT_NUM_THREADS, or all CPUs.
    shuffle, random_state, class_weight, warm_start, verbose
        As in scikit-learn; random_state may be a RandomState. A class weight is a weight of its rows.

    Once fitted: `coef_`, `intercept_`, `classes_`, `n_iter_`, `n_features_in_`, `feature_names_in_`, and
    `status_` (why it ended, and what to do), `history_` (each epoch), `n_updates_`, `margin_`, `margin_upper_bound_`.

    `status_` always says why it ended and what may be done. Where that gains something (`status_.worth_warning`), as
    with columns far apart in size or epochs that ran out too soon, `fit` says so in one `ConvergenceWarning`.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = Perceptron().fit(X, y == 0)
    >>> model.score(X, y == 0), model.status_.name, model.n_iter_, model.n_updates_
    (1.0, 'clean', 2, 7)
    """

    n_iter_ = learnt("n_iter_")
    n_updates_ = learnt("n_updates_")
    history_ = learnt("history_")

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
        scale: str = "none",
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
        self.scale = scale
        self.grow_classes = grow_classes

    @with_callbacks
    def fit(
        self, X: Any, y: Any, coef_init: Any = None, intercept_init: Any = None, sample_weight: Any = None
    ) -> "Perceptron":
        """Learn from rows and labels, from zero; from coef_init and intercept_init; or, with warm_start, from the last
        weights of the fit before.
        """
        with unchanged_if_refused(self):
            plan = plan_of(self)
            check_exact(X)
            aligned(X, sample_weight, "sample_weight")
            # A row that is not finite has its number among all rows, so with some kept apart it is looked for first.
            X, y = validated(self, X, y, **{**NUMBERS, "ensure_all_finite": bool(self.early_stopping)})
            check_classification_targets(y)
            weight = weights_of(self.class_weight, X, y, sample_weight, np.unique(y))
            held = None
            if self.early_stopping:
                rest, apart = split_of(self.validation_fraction, self.random_state, y)
                held = HeldOut(X[apart], y[apart], None if weight is None else weight[apart])
                X, y, weight = X[rest], y[rest], None if weight is None else weight[rest]
            examples = Examples.of(X, y, getattr(self, "feature_names_in_", None))
            watch = Watch(self, examples, held, plan["threads"])
            plan["scale"] = scale_of(self, examples)
            run = learn(
                examples, start=start_of(self, examples, coef_init, intercept_init), sample_weight=weight,
                max_epochs=self.max_iter, tol=None if held is not None else self.tol, patience=self.n_iter_no_change,
                callback=watch if watch.needed else None, **plan,
            )  # fmt: skip
            self._keep(model_after(run, watch))
        watch.end(X, y)
        self._warn(self.status_, 4)
        return self

    @available_if(takes_partial_fit)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "Perceptron":
        """One epoch over these rows, going on from where the model is. All labels there will ever be go into `classes`
        at the first call, unless grow_classes is set.
        """
        with unchanged_if_refused(self):
            model: Model | None = vars(self).get("_model")
            plan = plan_of(self, model)
            check_one_pass(self)
            check_exact(X)
            aligned(X, sample_weight, "sample_weight")
            X, y = validated(self, X, y, reset=model is None, **NUMBERS)
            check_classification_targets(y)
            known = classes_of(self, y, classes, model)
            weight = weights_of(self.class_weight, X, y, sample_weight, known)
            examples = Examples.coded(X, y, known, getattr(self, "feature_names_in_", None))
            self._keep(self._one_pass(learn, examples, model, sample_weight=weight, **plan))
        return self

    def _one_pass(self, learner: Callable[..., Run], source: Source, model: Model | None, **plan: Any) -> Model:
        """The model after one epoch over these rows."""
        start, origin = self._onward(model, source.classes)
        epochs = 1 if origin is None else origin.epoch + 1
        run = learner(source, start=start, max_epochs=epochs, **plan)
        if run.status.name == "non-finite":
            raise InputError(f"{run.status.facing('estimator')}; the model is as before")
        end = status.passed(epochs, source.n_rows, int(run.history.mistakes[-1]), run.status)
        return model_of_run(run, run.state, end, earlier=model, origin=origin)

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
