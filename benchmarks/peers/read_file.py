"""Reading a svmlight file, in this process: `rosenblatt.read`, or scikit-learn's `load_svmlight_file`."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.contest import Data, Outcome, Reading

NAME = "reading"


def version() -> str:
    """Both are asked for their versions elsewhere."""
    return "in this process"


def prepare(data: Data, work: Reading) -> Callable[[], Any]:
    """Read the file."""
    path = data.files["svmlight"]
    if work.by == "rosenblatt":
        read = import_module("rosenblatt").read
        return lambda: read(path, threads=work.threads).rows.arrays[:2]
    load = import_module("sklearn.datasets").load_svmlight_file

    def theirs() -> Any:
        X, _ = load(path, zero_based=False)
        return X.data, X.indices

    return theirs


def read(result: Any, seconds: float) -> Outcome:
    """Seconds; and the numbers, which must be the same whoever read them."""
    values, columns = result
    return Outcome(seconds, answers=np.asarray(values) + np.asarray(columns))
