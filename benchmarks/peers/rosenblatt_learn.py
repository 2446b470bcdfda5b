"""The library itself, as users call it: `learn(X, y, …)`, validation included.

The number of threads is part of the work, so "1 thread" and "2 threads" are two entries of one peer.
For more than two classes the labels go through `Examples.of`, inside the timing, because scikit-learn encodes
its labels inside `fit` too.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.contest import AbsentError, Data, Learned, Outcome, Work

NAME = "rosenblatt"


def version() -> str:
    """The library's version."""
    try:
        library = import_module("rosenblatt")
        assert callable(library.learn)  # names are loaded lazily
        return str(library.__version__)
    except ImportError as error:
        raise AbsentError(f"rosenblatt cannot be imported: {error}") from error


def prepare(data: Data, work: Work) -> Callable[[], Any]:
    """`learn` with the work's plan; nothing is computed before the call."""
    rosenblatt = import_module("rosenblatt")
    if work.rule not in rosenblatt.rules.names():
        raise AbsentError(f"this rosenblatt has no rule {work.rule!r}")
    options: dict[str, Any] = {
        "rule": work.rule,
        "order": work.order,
        "offset": work.offset,
        "readout": work.readout,
        "max_epochs": work.epochs,
        "threads": work.threads,
        "start": data.separator if work.start == "separator" else None,
    }
    if data.classes == 2:
        return lambda: rosenblatt.learn(data.rows, data.labels, **options)
    return lambda: rosenblatt.learn(
        rosenblatt.Examples.of(data.rows, data.labels), multiclass=work.multiclass, **options
    )


def read(result: Any, seconds: float) -> Outcome:
    """The hyperplanes of the run."""
    planes = result.hyperplanes
    return Outcome(
        seconds,
        Learned(
            weights=np.stack([np.asarray(plane.w, dtype=np.float64) for plane in planes]),
            offsets=np.array([plane.b for plane in planes], dtype=np.float64),
            epochs=int(result.epochs),
            mistakes=int(np.sum(result.history.mistakes)),
            updates=int(np.sum(result.history.updates)),
        ),
    )
