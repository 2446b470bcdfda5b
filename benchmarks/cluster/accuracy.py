"""What mixing does to the accuracy: rows held out of real sets, against an averaged run on one machine.

The rows to learn from stay in the order of their file, which may be sorted by class or by time. They are written to a
file that the workers open: dealt to the shards in blocks, as usual, and in ranges, to show why they are dealt.
"""

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import raw
from benchmarks.cluster import local
from benchmarks.contest import AbsentError
from rosenblatt import cluster, learn

HELD_OUT = 0.3
PLAN: dict[str, Any] = {"order": "shuffled", "readout": "averaged", "scale": "standard", "tol": None}
Parts = tuple[Any, Any, Any, Any]  # rows and labels to learn from, and those held out


def in_order(X: Any, y: Any, X_held: Any = None, y_held: Any = None) -> Parts:
    """A part of the rows held out at random, the others as they were; or those of the set's own test file."""
    if X_held is not None:
        return X, y, X_held, y_held
    held = np.random.default_rng(0).random(len(y)) < HELD_OUT
    return X[~held], y[~held], X[held], y[held]


def two(name: str, is_first: Callable[[Any], Any]) -> Parts:
    """A set of many classes as two."""
    X, y, X_held, y_held = in_order(*raw.loaded(name))
    return X, np.where(is_first(y), 1, -1), X_held, np.where(is_first(y_held), 1, -1)


SETS: dict[str, tuple[str, Callable[[], Parts]]] = {
    "covtype": ("covtype, 7 classes", lambda: in_order(*raw.loaded("covtype"))),
    "mnist": ("MNIST, odd against even", partial(two, "mnist", lambda y: y % 2 == 1)),
    "imdb": ("IMDB, favourable or not", partial(two, "imdb", lambda y: y > np.median(y))),
    "kddcup99": ("kddcup99, normal against the rest", partial(two, "kddcup99", lambda y: y == "normal.")),
}


def measure(sets: list[str], epochs: list[int], shards: int, workers: int) -> dict[str, Any]:
    """Every set; one that is not there says why."""
    found = []
    with local.workers(workers) as client, tempfile.TemporaryDirectory() as folder:
        for name in sets:
            title, load = SETS[name]
            try:
                found.append({"title": title, **compared(client, load(), epochs, shards, Path(folder))})
            except AbsentError as reason:
                found.append({"title": title, "absent": str(reason)})
            raw.loaded.cache_clear()
    return {"sets": found, "shards": shards, "workers": workers}


def compared(client: Any, parts: Parts, epochs: list[int], shards: int, folder: Path) -> dict[str, Any]:
    """Percent of the rows held out that each run predicts right, by the number of epochs."""
    X, y, X_held, y_held = parts
    path = written(X, y, folder)
    ways = {"dealt": True, "ranges": False}
    sources = {way: cluster.sharded(client, path, shards=shards, deal=deal) for way, deal in ways.items()}
    known = X_held[:, : sources["dealt"].n_columns]  # text does not tell of columns that no row to learn from has
    rows = []
    for most in epochs:
        right = {"one": percent(learn(X, y, max_epochs=most, **PLAN), X_held, y_held)}
        for way, source in sources.items():
            right[way] = percent(cluster.learn(client, source, max_epochs=most, **PLAN), known, y_held)
        rows.append({"epochs": most, **right})
    path.unlink()
    return {"rows": int(X.shape[0]), "columns": int(X.shape[1]), "held": int(X_held.shape[0]), "runs": rows}


def percent(run: Any, X: Any, y: Any) -> float:
    """Of rows that a run predicts right."""
    return 100 * float(np.mean(run.predict(X) == y))


def written(X: Any, y: Any, folder: Path) -> Path:
    """The rows as a file: dense ones as .npy, the label last; sparse ones as svmlight text."""
    if not isinstance(X, np.ndarray):
        from sklearn.datasets import dump_svmlight_file

        dump_svmlight_file(X, y, str(folder / "rows.svm"), zero_based=False)
        return folder / "rows.svm"
    np.save(folder / "rows.npy", np.column_stack([X, y]))
    return folder / "rows.npy"
