"""MaxMarginClassifier: the hard-margin machine of `max_margin`, in scikit-learn's manner."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.multiclass import check_classification_targets, type_of_target

from ..data.examples import Examples
from ..errors import InputError, InseparableError
from ..models.build import model_of_margin
from ..separation.margin.max_margin import max_margin
from ..separation.margin.result import MaxMargin
from .base import NUMBERS, LinearEstimator, check_exact, threads_of, unchanged_if_refused
from .columns import validated


class MaxMarginClassifier(LinearEstimator):
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
        with unchanged_if_refused(self):
            best = self._best(X, y)
            self._keep(model_of_margin(best))
        self._warn(self.status_, 3)
        return self

    def _best(self, X: Any, y: Any) -> MaxMargin:
        check_exact(X)
        X, y = validated(self, X, y, **NUMBERS)
        check_classification_targets(y)
        if (kind := type_of_target(y, input_name="y")) != "binary" and len(np.unique(y)) > 2:
            raise InputError(
                f"Only binary classification is supported. The type of the target is {kind}. Wrap it in"
                " sklearn.multiclass.OneVsOneClassifier"
            )
        best = max_margin(
            Examples.of(X, y, getattr(self, "feature_names_in_", None)), offset="free" if self.fit_intercept else 0,
            rel_gap=self.rel_gap, time_limit=self.time_limit, threads=threads_of(self.n_jobs),
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
