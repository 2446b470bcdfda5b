"""Who else answers the question, by floats and without a proof: does anything separate the classes, even weakly?

SciPy's `linprog` (HiGHS) solves max Σ z·v with z·v ≥ 0 and −1 ≤ v ≤ 1 (Konis 2007), sparse where the rows are: a value
above a tolerance means complete or quasi-complete separation, which of the two it does not tell. `firthmodels` has
a detector that solves the same program after checking the rank; it takes dense rows only. R's `detectseparation` is
the model of that one, and is not called from here.
"""

from importlib import import_module
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.contest import AbsentError

TOLERANCE = 1e-9
MOST_CELLS = 3 * 10**7  # of a table that is made dense


def linprog(X: Any, y: Any) -> bool:
    """Whether the value is more than a tolerance."""
    solve = import_module("scipy.optimize").linprog
    signs = np.asarray(y, dtype=np.float64)
    if sparse.issparse(X):
        z = sparse.hstack([X, np.ones((X.shape[0], 1))], format="csr").multiply(signs[:, None]).tocsr()
    else:
        z = np.hstack([X, np.ones((len(X), 1))]) * signs[:, None]
    cost = -np.asarray(z.sum(axis=0)).ravel()
    size = float(np.abs(cost).max()) or 1.0
    bounds = np.tile([-1.0, 1.0], (len(cost), 1))
    found = solve(cost / size, A_ub=-z, b_ub=np.zeros(z.shape[0]), bounds=bounds, method="highs")
    if found.fun is None:
        raise AbsentError(f"linprog gave up: {found.message}")
    return bool(-found.fun > TOLERANCE)


def firthmodels(X: Any, y: Any) -> bool:
    """What its detector says."""
    try:
        detect = import_module("firthmodels").detect_separation
    except ImportError as error:
        raise AbsentError("firthmodels is not installed: pip install firthmodels") from error
    if X.shape[0] * X.shape[1] > MOST_CELLS:
        raise AbsentError("too large to be made dense")
    try:
        return bool(detect(X.toarray() if sparse.issparse(X) else X, y).separation)
    except np.linalg.LinAlgError as error:
        raise AbsentError("it refuses dependent columns") from error


RIVALS = {"linprog": linprog, "firthmodels": firthmodels}


def versions() -> dict[str, str]:
    """Who is here."""
    found = {}
    for name in ("scipy", "firthmodels"):
        try:
            module = import_module(name)
        except ImportError:
            found[name] = "absent"
        else:
            found[name] = str(getattr(module, "__version__", "of unknown version"))
    return found
