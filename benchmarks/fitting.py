"""What the peers that are estimators, ours or scikit-learn's, have in common: `fit`, and what comes of it.

A `ConvergenceWarning` is kept quiet: that a run has ended before a clean epoch is no news on rows that overlap.
"""

import warnings
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count, repeat
from typing import Any

import numpy as np

from benchmarks.checks import accuracy
from benchmarks.contest import Data, Fit, Learned, Outcome, Work


def call(make: Callable[[int], Any], data: Data, work: Work | Fit) -> Callable[[], Any]:
    """What is timed: an estimator made with a seed, and fitted."""
    quiet = import_module("sklearn.exceptions").ConvergenceWarning
    seeds: Iterator[int] = count() if isinstance(work, Fit) and work.measure == "accuracy" else repeat(0)

    def fit() -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", quiet)
            return make(next(seeds)).fit(data.rows, data.labels), data, work

    return fit


def read(result: Any, seconds: float) -> Outcome:
    """The time, or the accuracy on the rows held out, worked out from `coef_` and `intercept_`."""
    model, data, work = result
    history = getattr(model, "history_", None)  # scikit-learn's do not count their mistakes
    learned = Learned(
        weights=np.array(model.coef_, dtype=np.float64),
        offsets=np.array(model.intercept_, dtype=np.float64),
        epochs=int(model.n_iter_),
        mistakes=None if history is None else int(np.sum(history.mistakes)),
    )
    if isinstance(work, Work) or work.measure == "time":
        return Outcome(seconds, learned)
    return Outcome(100 * accuracy(data.held_out, learned), learned)
