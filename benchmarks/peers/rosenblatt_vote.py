"""The library's vote: a run is learnt beforehand, what is timed is predicting by it."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.contest import Data, Outcome, Work
from benchmarks.peers import rosenblatt_learn

NAME = "rosenblatt, voting"
ROWS = 10_000  # rows put to the vote

version = rosenblatt_learn.version


def learn(data: Data, work: Work) -> Any:
    """The run whose weight vectors vote."""
    plan = {"max_epochs": work.epochs, "offset": work.offset, "order": work.order, "threads": work.threads}
    return import_module("rosenblatt").learn(data.rows, data.labels, readout="voted", **plan)


def prepare(data: Data, work: Work) -> Callable[[], Any]:
    """The vote made ready; each timed call predicts anew."""
    run, rows = learn(data, work), data.rows[:ROWS]
    assert run.vote.rows.shape[0] > 0
    return lambda: run.scores(rows)


def read(result: Any, seconds: float) -> Outcome:
    """The votes for each row."""
    return Outcome(seconds, answers=np.asarray(result))
