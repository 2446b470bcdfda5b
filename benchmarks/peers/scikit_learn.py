"""scikit-learn's `Perceptron`; for an averaged read-out, `SGDClassifier(loss="perceptron", average=True)`.

`tol=None` and `max_iter=epochs` make it do exactly the epochs asked for: it never looks whether an epoch
was clean. `eta0=1` and no penalty: the plain perceptron. `n_jobs=None`: one thread.
Its offset scale cannot be chosen: ρ = 1 on dense rows, and silently ρ² = 0.01 on sparse ones. Work that asks
for another one is refused, since the weights would differ. A `Fit` leaves it all at its defaults.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks import fitting
from benchmarks.contest import AbsentError, Data, Fit, Work

NAME = "scikit-learn"

read = fitting.read


def version() -> str:
    """scikit-learn's version."""
    try:
        return str(import_module("sklearn").__version__)
    except ImportError as error:
        raise AbsentError(f"scikit-learn cannot be imported: {error}") from error


def prepare(data: Data, work: Work | Fit) -> Callable[[], Any]:
    """An unfitted estimator; the timed call is `fit`."""
    linear = import_module("sklearn.linear_model")
    if isinstance(work, Fit):
        return fitting.call(lambda seed: linear.Perceptron(random_state=seed), data, work)
    fixed = 0.1 if hasattr(data.rows, "indptr") else 1.0
    if work.offset != fixed:
        raise AbsentError(f"scikit-learn's offset scale on these rows is {fixed}, not {work.offset}")
    if work.multiclass == "direct" or work.threads != 1:
        raise AbsentError("scikit-learn knows one-vs-rest on one thread only")
    options: dict[str, Any] = {
        "max_iter": work.epochs,
        "tol": None,
        "eta0": 1.0,
        "penalty": None,
        "shuffle": work.order == "shuffled",
        "random_state": 0,
        "n_jobs": None,
    }
    if work.readout == "averaged":
        model = linear.SGDClassifier(loss="perceptron", learning_rate="constant", average=True, **options)
    else:
        model = linear.Perceptron(**options)
    start: dict[str, Any] = {}
    if work.start == "separator" and data.separator is not None:
        start = {"coef_init": data.separator[0], "intercept_init": data.separator[1]}
    return lambda: (model.fit(data.rows, data.labels, **start), data, work)
