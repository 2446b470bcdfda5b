"""The library's `max_margin`: the hyperplane, its margin between bounds, and the gap between them."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.checks import margin
from benchmarks.contest import Data, Margin, Outcome
from benchmarks.peers import rosenblatt_learn

NAME = "rosenblatt, margin"

version = rosenblatt_learn.version


def prepare(data: Data, work: Margin) -> Callable[[], Any]:
    """The hyperplane in floats, and the bounds must be one number: that is what the task is about."""
    library = import_module("rosenblatt")

    def find() -> Any:
        found = library.max_margin(data.rows, data.labels, threads=work.threads)
        assert found.gap == 0
        assert found.hyperplane is not None
        return found, data, work

    return find


def read(result: Any, seconds: float) -> Outcome:
    """The time, or the margin its hyperplane has on the rows."""
    found, data, work = result
    if work.measure == "time":
        return Outcome(seconds)
    plane = found.hyperplane
    return Outcome(margin(data, plane.w, plane.b))
