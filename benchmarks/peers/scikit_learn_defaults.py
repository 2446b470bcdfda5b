"""scikit-learn's linear classifiers as they come: no setting but the seed (and the average of `SGDClassifier`).

The fourth has its columns scaled beforehand, to variance 1 or, where the rows are sparse, to a largest value of 1.
Each is fitted once for a seed, since some take minutes.
"""

import time
import warnings
from collections.abc import Callable
from importlib import import_module
from itertools import count
from typing import Any

import numpy as np

from benchmarks import kept
from benchmarks.contest import Data, Defaults, Outcome
from benchmarks.peers import scikit_learn

NAME = "scikit-learn, defaults"
LOGISTIC, SVC, SGD, SCALED = "LogisticRegression", "LinearSVC", "SGDClassifier", "scaled LogisticRegression"

version = scikit_learn.version


def estimator(which: str, seed: int, sparse: bool) -> Any:
    """One of the four."""
    linear = import_module("sklearn.linear_model")
    if which == SVC:
        return import_module("sklearn.svm").LinearSVC(random_state=seed)
    if which == SGD:
        return linear.SGDClassifier(average=True, random_state=seed)
    logistic = linear.LogisticRegression(random_state=seed)
    if which == LOGISTIC:
        return logistic
    scaling = import_module("sklearn.preprocessing")
    scaler = scaling.MaxAbsScaler() if sparse else scaling.StandardScaler()
    return import_module("sklearn.pipeline").make_pipeline(scaler, logistic)


def measure(which: str, data: Data, seed: int) -> kept.Found:
    """Fit, and predict the rows held out; whether it warned that it had not converged."""
    assert data.held_out is not None
    model = estimator(which, seed, hasattr(data.rows, "indptr"))
    worry = import_module("sklearn.exceptions").ConvergenceWarning
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        begin = time.process_time()  # one thread: what a clock would show if nobody else were here
        model.fit(data.rows, data.labels)
        seconds = time.process_time() - begin
    right = np.mean(model.predict(data.held_out.rows) == data.held_out.labels)
    warned = any(issubclass(warning.category, worry) for warning in heard)
    return {"accuracy": 100 * float(right), "seconds": seconds, "warned": warned}


def prepare(data: Data, work: Defaults) -> Callable[[], Any]:
    """Another seed in every repetition where accuracies are asked for. A time is taken here, once, and never kept."""
    if work.measure == "time":
        fitted = kept.limited(lambda: measure(work.of, data.seed(0), 0), kept.LIMIT) or kept.NO_END
        return lambda: (fitted, work)
    seeds = count()
    return lambda: (once(data, next(seeds), work.of), work)


def once(data: Data, seed: int, which: str) -> kept.Found:
    """Measured, or known from before."""
    return kept.once(data.name, seed, which, version(), lambda: measure(which, data.seed(seed), seed))


def read(result: Any, seconds: float) -> Outcome:
    """The accuracy, not a number if the fit did not end; or the time of the fit alone."""
    found, work = result
    if work.measure == "time":
        return Outcome(found["seconds"])
    return Outcome(np.nan if found["accuracy"] is None else found["accuracy"], warned=found["warned"])
