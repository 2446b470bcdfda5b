"""The library's classifier with nothing to set: `LinearClassifier()`, no setting but the seed.

A library that has none of that name yet is measured by its `Perceptron()`; the version says which it was.
"""

import warnings
from collections.abc import Callable
from importlib import import_module
from itertools import count
from typing import Any

import numpy as np

from benchmarks.contest import Data, Defaults, Outcome
from benchmarks.peers import rosenblatt_learn

NAME = "rosenblatt, defaults"


def estimator() -> Any:
    """The class that is measured."""
    library = import_module("rosenblatt")
    return getattr(library, "LinearClassifier", None) or library.Perceptron


def version() -> str:
    """The library's version, and the name of the class."""
    return f"{rosenblatt_learn.version()}, {estimator().__name__}()"


def prepare(data: Data, work: Defaults) -> Callable[[], Any]:
    """An estimator made with a seed and fitted; where times are asked for, that alone, with the seed 0."""
    made, seeds = estimator(), count()
    worry = import_module("sklearn.exceptions").ConvergenceWarning

    def fit() -> Any:
        seed = next(seeds) if work.measure == "accuracy" else 0
        divided = data.seed(seed)
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always", worry)
            model = made(random_state=seed).fit(divided.rows, divided.labels)
        return model, divided.held_out, work, any(issubclass(warning.category, worry) for warning in heard)

    return fit


def read(result: Any, seconds: float) -> Outcome:
    """The time, or the accuracy of what it predicts for the rows held out."""
    model, held, work, warned = result
    if work.measure == "time":
        return Outcome(seconds, warned=warned)
    return Outcome(100 * float(np.mean(model.predict(held.rows) == held.labels)), warned=warned)
