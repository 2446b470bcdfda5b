"""Linear programs with a column for each row z_i, solved in floats by HiGHS, hot started.

    minimise c·α   subject to   Σ α_i·z_i = r,  0 ≤ α ≤ u

As few constraints as there are columns in the data, so a solve takes milliseconds. Two questions have this form:

- **The cone.** With r = −z_k and no bounds, a basic solution names a witness: k, and at most d + 1 others, as the
  costs prefer. If there is none, Farkas (1902) gives a v with z_k·v > 0 and z_i·v ≥ 0 for the others.
- **The hinge.** With r = 0, c = −1 and weights u it is the dual of min Σ u_i·max(0, 1 − z_i·v) (Bennett and
  Mangasarian 1992); the prices of its constraints are that v.

What comes out is a hint: whoever uses it checks in exact arithmetic.
"""

from typing import Any

import highspy
import numpy as np
from numpy.typing import NDArray

from ..signed_rows import Floats, Ints

Bools = NDArray[np.bool_]

_OPTIONS: dict[str, Any] = {"presolve": "off", "solver": "simplex", "threads": 1}


class Columns:
    """Some rows z, each of size about 1, as the columns of linear programs."""

    def __init__(self, table: Floats) -> None:
        self.k, self.d = table.shape
        self.solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self.solver.silent()
        for option, value in _OPTIONS.items():
            self.solver.setOptionValue(option, value)
        self.every = np.arange(self.k, dtype=np.int32)
        self.open = np.ones(self.k, dtype=bool)
        self.solver.addVars(self.k, np.zeros(self.k), np.full(self.k, highspy.kHighsInf))
        at, columns = np.nonzero(table.T)
        starts = np.searchsorted(at, np.arange(self.d)).astype(np.int32)
        none = np.zeros(self.d)
        self.solver.addRows(
            self.d, none, none, at.size, starts, columns.astype(np.int32), np.ascontiguousarray(table.T[at, columns])
        )
        self.alpha = np.zeros(self.k)
        """The last solution of a cone, its largest entry 1."""
        self.costs(np.ones(self.k))

    def add(self, table: Floats, costs: Floats) -> None:
        """More rows z, and what they cost."""
        more = len(table)
        at, columns = np.nonzero(table)
        starts = np.searchsorted(at, np.arange(more)).astype(np.int32)
        high = np.full(more, highspy.kHighsInf)
        self.solver.addCols(
            more, np.ascontiguousarray(costs, dtype=np.float64), np.zeros(more), high, at.size, starts,
            columns.astype(np.int32), table[at, columns],
        )  # fmt: skip
        self.k += more
        self.every = np.arange(self.k, dtype=np.int32)
        self.open = np.append(self.open, np.ones(more, dtype=bool))

    def costs(self, c: Floats) -> None:
        """What α_i costs from now on."""
        self.solver.changeColsCost(self.k, self.every, np.ascontiguousarray(c, dtype=np.float64))

    def admit(self, which: Bools) -> None:
        """The rows that may be used from now on."""
        changed = np.flatnonzero(which != self.open).astype(np.int32)
        if changed.size:
            high = np.where(which[changed], highspy.kHighsInf, 0.0)
            self.solver.changeColsBounds(changed.size, changed, np.zeros(changed.size), high)
            self.open = which.copy()

    def cone(self, target: Floats, seconds: float) -> tuple[Ints | None, Floats | None]:
        """The rows with α > 0 of Σ α_i·z_i = −target; or a v with v·target > 0 and v·z_i ≥ 0; or neither in time."""
        for j, x in enumerate((-target).tolist()):
            self.solver.changeRowBounds(j, x, x)
        status = self._run(seconds)
        if status == highspy.HighsModelStatus.kOptimal:
            alpha = np.array(self.solver.getSolution().col_value)
            self.alpha = alpha / max(float(alpha.max(initial=0.0)), 1e-300)
            return np.flatnonzero(alpha > 1e-9 * max(1.0, float(alpha.max(initial=0.0)))), None
        if status == highspy.HighsModelStatus.kInfeasible:
            found, exists, ray = self.solver.getDualRay()
            if found == highspy.HighsStatus.kOk and exists:
                v = np.asarray(ray, dtype=np.float64)
                return None, v if float(v @ target) > 0 else -v
        return None, None

    def hinge(self, weights: Floats, seconds: float) -> Floats | None:
        """V with the least Σ weights_i·max(0, 1 − z_i·v)."""
        self.costs(np.full(self.k, -1.0))
        self.solver.changeColsBounds(self.k, self.every, np.zeros(self.k), weights)
        if self._run(seconds) != highspy.HighsModelStatus.kOptimal:
            return None
        return -np.array(self.solver.getSolution().row_dual)

    def _run(self, seconds: float) -> Any:
        self.solver.setOptionValue("time_limit", float(self.solver.getRunTime() + seconds))
        self.solver.run()
        return self.solver.getModelStatus()
