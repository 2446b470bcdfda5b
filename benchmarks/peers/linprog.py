"""SciPy's `linprog` (HiGHS) on the whole linear program: max t with y·(w·x + b) ≥ t, −1 ≤ w, b ≤ 1.

The question as a user of SciPy would put it. Its answer is t > 1e-9: a tolerance, without a proof.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.contest import AbsentError, Data, Outcome, Question

NAME = "linprog"


def version() -> str:
    """SciPy's version."""
    try:
        return f"scipy {import_module('scipy').__version__}"
    except ImportError as error:
        raise AbsentError(f"scipy cannot be imported: {error}") from error


def prepare(data: Data, work: Question) -> Callable[[], Any]:
    """The call that builds the program and solves it."""
    linprog = import_module("scipy.optimize").linprog
    n, d = data.rows.shape

    def solve() -> Any:
        z = data.labels[:, None] * np.hstack([data.rows, np.ones((n, 1))])
        table = np.hstack([-z, np.ones((n, 1))])
        cost = np.zeros(d + 2)
        cost[-1] = -1
        return linprog(cost, A_ub=table, b_ub=np.zeros(n), bounds=[(-1, 1)] * (d + 1) + [(None, 1)], method="highs")

    return solve


def read(result: Any, seconds: float) -> Outcome:
    """1 if separable, else 0."""
    return Outcome(seconds, answers=np.array([float(-result.fun > 1e-9)]))
