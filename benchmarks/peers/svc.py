"""scikit-learn's `SVC(kernel="linear", C=1e10)`, LIBSVM: what its users take for the hard margin."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.checks import margin
from benchmarks.contest import Data, Margin, Outcome
from benchmarks.peers import scikit_learn

NAME = "SVC"

version = scikit_learn.version


def prepare(data: Data, work: Margin) -> Callable[[], Any]:
    """An unfitted estimator; the timed call is `fit`."""
    SVC = import_module("sklearn.svm").SVC
    return lambda: (SVC(kernel="linear", C=1e10).fit(data.rows, data.labels), data, work)


def read(result: Any, seconds: float) -> Outcome:
    """The time, or the margin its hyperplane has on the rows."""
    model, data, work = result
    if work.measure == "time":
        return Outcome(seconds)
    return Outcome(margin(data, np.asarray(model.coef_)[0], float(model.intercept_[0])))
