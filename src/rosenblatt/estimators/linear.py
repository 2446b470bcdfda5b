"""LinearClassifier: a linear model with nothing to set, chosen by rows held out, in scikit-learn's manner."""

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from ..data.examples import Examples
from ..data.two_classes import aligned
from ..errors import InputError, shown
from ..learning.choose import choose
from ..models.build import model_of_run
from ..models.model import Model
from .base import NUMBERS, LinearEstimator, check_exact, learnt, threads_of, unchanged_if_refused
from .columns import validated
from .perceptron import Perceptron
from .translation import seed_of, weights_of


class LinearClassifier(LinearEstimator):
    """A linear classifier with nothing to set: it chooses its rule, margin, scale and epochs by rows held out.

    A few candidates learn side by side (docs/choosing.md): rules that bet, whatever the size of the columns, and
    margins in units of the rows, on columns as they are and standardised. They are judged by rows held out, of few rows
    by five folds; the best is learnt again on all rows, by `learn(…, **choice_.plan())`. Columns need no scaler: the
    weights are those of the columns as they are.

    fit_intercept
        Whether there is an offset. Without one, columns are not centred either.
    class_weight
        A dictionary of a weight for each class, or "balanced". Weights count in learning and in judging.
    random_state
        A whole number: which rows are held out, and in what order rows are met. None draws one.
    n_jobs
        Threads; None is all CPUs. They never change a bit of the result.

    Once fitted: `coef_`, `intercept_`, `classes_`, `n_iter_`, `n_features_in_`, `feature_names_in_`, `status_`, and
    `choice_`: what was tried, what was chosen, and by how much. `status_` says it in a line.

    partial_fit goes on with what was chosen, one epoch over other rows; before fit there is none. For scikit-learn's
    `Perceptron` as it is, and for the theorem, there is `Perceptron`.

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LinearClassifier().fit(X, y)
    >>> print(model.choice_.best.candidate.name)
    relative-margin 1, standardised
    >>> model.predict(X[::50]).tolist()
    [0, 1, 2]
    """

    n_iter_ = learnt("n_iter_")
    n_updates_ = learnt("n_updates_")
    history_ = learnt("history_")
    choice_ = learnt("choice_")

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        class_weight: Any = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "LinearClassifier":
        """Choose by rows held out, then learn the chosen one on all rows."""
        with unchanged_if_refused(self):
            check_exact(X)
            aligned(X, sample_weight, "sample_weight")
            X, y = validated(self, X, y, **NUMBERS)
            check_classification_targets(y)
            weight = weights_of(self.class_weight, X, y, sample_weight, np.unique(y))
            run, choice = choose(
                Examples.of(X, y, getattr(self, "feature_names_in_", None)),
                seed=seed_of(self.random_state, None), offset=1.0 if self.fit_intercept else 0.0,
                sample_weight=weight, threads=threads_of(self.n_jobs),
            )  # fmt: skip
            if run.status.name == "non-finite":
                raise InputError(str(run.status.facing("estimator")))
            self._keep(replace(model_of_run(run, run.state, run.status, facts=True), choice=choice))
        self._warn(self.status_, 3)
        return self

    @property
    def partial_fit(self) -> Any:
        """One epoch over other rows, `(X, y, classes=None, sample_weight=None)`, going on with what `fit` has chosen.

        Of the classes that it has met. Before fit there is none.
        """
        if vars(self).get("_model") is None:
            raise AttributeError("LinearClassifier has no partial_fit before fit: it goes on with what fit has chosen")
        return self._partial_fit

    def _partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> "LinearClassifier":
        with unchanged_if_refused(self):
            model: Model = self._model
            if model.choice is None:
                raise InputError("the model does not say what was chosen: fit anew")
            validate_data(self, X, reset=False, skip_check_array=True)  # in our own name
            if (unseen := np.setdiff1d(np.unique(y), model.classes)).size:
                known = shown(model.classes.tolist())
                raise InputError(f"label {shown(unseen.tolist()[0])} is not among the classes {known}: fit anew")
            plan = model.choice.plan()
            chosen = Perceptron(
                rule=plan["rule"], beta=plan["beta"], scale=plan["scale"], multiclass=plan["multiclass"], tol=None,
                fit_intercept=self.fit_intercept, class_weight=self.class_weight, random_state=plan["seed"],
                n_jobs=self.n_jobs,
            )  # fmt: skip
            chosen._keep(model)
            chosen.partial_fit(X, y, classes, sample_weight)
            self._keep(replace(chosen._model, choice=model.choice))
        return self
