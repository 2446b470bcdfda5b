"""NumPy's `X @ w`, once an epoch: the physical limit.

Whoever looks at every row has to read every number once; BLAS does that and nothing else (no labels, no
decisions, no updates). It is no classifier: it returns no weights, so there is no score to recompute.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.contest import Data, Outcome, Work

NAME = "X @ w"


def version() -> str:
    """NumPy's version and its BLAS."""
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    return f"numpy {np.__version__} ({blas['name']} {blas['version']})"


def prepare(data: Data, work: Work) -> Callable[[], Any]:
    """`epochs` products with the planted separator."""
    assert data.separator is not None
    rows, weights = data.rows, data.separator[0]

    def products() -> None:
        for _ in range(work.epochs):
            rows @ weights

    return products


def read(result: Any, seconds: float) -> Outcome:
    """Seconds only."""
    return Outcome(seconds)
