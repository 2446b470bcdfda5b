"""The vote as it is written down: every weight vector of the run, stored, and applied one by one.

The weight vectors are those of our own run, replayed before the clock starts; NumPy or SciPy multiplies.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.contest import Data, Outcome, Work
from benchmarks.peers import rosenblatt_vote

NAME = "stored weights"


def version() -> str:
    """NumPy's version."""
    return f"numpy {np.__version__}"


def prepare(data: Data, work: Work) -> Callable[[], Any]:
    """All the weight vectors, in memory."""
    path = rosenblatt_vote.learn(data, work).trajectory()
    weights = np.zeros((path.n_changes + 1, data.rows.shape[1]))
    offsets = np.zeros(path.n_changes + 1)
    for change, (row, a) in enumerate(zip(path.row, path.step * path.sign, strict=True), 1):
        added = path.matrix[[row]]
        weights[change] = weights[change - 1] + a * (added.toarray() if hasattr(added, "toarray") else added)[0]
        offsets[change] = offsets[change - 1] + a * path.rho2
    rows, survival = data.rows[: rosenblatt_vote.ROWS], path.survival

    def apply() -> Any:
        votes = np.zeros(rows.shape[0])
        for lived, w, b in zip(survival, weights, offsets, strict=True):
            votes += lived * np.sign(rows @ w + b)
        return votes / survival.sum()

    return apply


def read(result: Any, seconds: float) -> Outcome:
    """The votes for each row."""
    return Outcome(seconds, answers=np.asarray(result))
