"""scikit-learn's `LinearSVC`, LIBLINEAR: the soft-margin machine with its default settings, a mark for accuracies."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks import fitting
from benchmarks.contest import AbsentError, Data, Fit
from benchmarks.peers import scikit_learn

NAME = "LinearSVC"

version = scikit_learn.version
read = fitting.read


def prepare(data: Data, work: Fit) -> Callable[[], Any]:
    """Fitted here and once: its seed decides next to nothing, and its time is not asked for."""
    if work.measure == "time":
        raise AbsentError("LinearSVC is asked for its accuracy only")
    LinearSVC = import_module("sklearn.svm").LinearSVC
    fitted = fitting.call(lambda seed: LinearSVC(random_state=seed), data, work)()
    return lambda: fitted
