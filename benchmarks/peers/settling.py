"""The library's answer to whether rows can be separated: the verdict, also with its proof, or the checker alone."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.contest import Data, Outcome, Question
from benchmarks.peers import rosenblatt_learn

NAME = "rosenblatt, settling"

version = rosenblatt_learn.version


def prepare(data: Data, work: Question) -> Callable[[], Any]:
    """For the checker the proof is made beforehand."""
    library = import_module("rosenblatt")

    def verdict() -> Any:
        return library.separability(data.rows, data.labels, threads=work.threads)

    def proof() -> Any:
        found = verdict()
        assert found.proof.rows == len(data.labels)
        return found

    if work.asks != "verify":
        return verdict if work.asks == "verdict" else proof
    known = proof()

    def check() -> Any:
        assert library.verify(known.proof, data.rows, data.labels)
        return known

    return check


def read(result: Any, seconds: float) -> Outcome:
    """1 if separable, else 0."""
    return Outcome(seconds, answers=np.array([float(result.separable)]))
