"""The library's `Perceptron`, scikit-learn's manner of calling it: all of `fit` is timed, as it is for scikit-learn.

That is more than `learn` does: scikit-learn's own checks of the input, and the margin of what was learnt.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks import fitting
from benchmarks.contest import AbsentError, Data, Fit, Work
from benchmarks.peers import rosenblatt_learn

NAME = "rosenblatt, estimator"

version = rosenblatt_learn.version
read = fitting.read


def prepare(data: Data, work: Work | Fit) -> Callable[[], Any]:
    """The work in the estimator's words; the default settings if it is a `Fit`."""
    Perceptron = import_module("rosenblatt").Perceptron
    options: dict[str, Any] = {"n_jobs": work.threads}
    if work.readout is not None:
        options["readout"] = work.readout
    if isinstance(work, Work):
        if work.start != "zero":
            raise AbsentError("this peer starts at zero only")
        options |= {"max_iter": work.epochs, "tol": None, "shuffle": work.order == "shuffled"}
        options |= {"offset": work.offset, "multiclass": work.multiclass}
    return fitting.call(lambda seed: Perceptron(random_state=seed, **options), data, work)
