"""The small linear programs of the search, solved in floats by HiGHS (the dual simplex method, hot started).

    maximise c·v   subject to   z_i·v ≥ 0 for the rows so far,  −1 ≤ v ≤ 1

Always feasible (v = 0) and bounded, so a solver that says otherwise is in trouble. What comes out is a hint: whoever
uses it checks in exact arithmetic. Rows and columns are scaled by powers of two, which rounds nothing.

`solution` solves any other one, once.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import highspy
import numpy as np
from numpy.typing import NDArray

from ..data.csr import Csr
from .watch import OutOfTimeError, Watch

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


_OPTIONS: dict[str, Any] = {
    "presolve": "off",
    "solver": "simplex",
    "threads": 1,
    "primal_feasibility_tolerance": 1e-10,
    "dual_feasibility_tolerance": 1e-10,
}


class Hint(NamedTuple):
    """What the solver thinks."""

    value: float
    """The objective."""
    v: list[Fraction]
    """The solution, in the rows' own scale: exactly the solver's floats, scaled back."""
    support: Ints
    """The rows with a dual multiplier, those with the largest first."""


class Program:
    """A growing set of rows, and one objective: c, or the least z_i·v (`c` None) for strict separation."""

    def __init__(self, columns: int, c: Floats | None, scale: NDArray[np.int64]) -> None:
        self.strict, self.scale, self.columns, self.n_rows = c is None, scale, columns, 0
        self.solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self.solver.silent()
        for option, value in _OPTIONS.items():
            self.solver.setOptionValue(option, value)
        extra = 1 if c is None else 0
        size = columns + extra
        low, high = np.full(size, -1.0), np.full(size, 1.0)
        self.solver.addVars(size, low, high)
        costs = np.zeros(size)
        if c is None:
            costs[-1] = 1.0
        else:
            costs[:] = scaled(np.asarray(c)[None, :], scale)[0]
        self.solver.changeColsCost(size, np.arange(size, dtype=np.int32), costs)
        self.solver.changeObjectiveSense(highspy.ObjSense.kMaximize)

    def add(self, rows: Floats) -> None:
        """More rows z."""
        k = rows.shape[0]
        if k == 0:
            return
        table = scaled(rows, self.scale)
        if self.strict:
            table = np.hstack([table, np.full((k, 1), -1.0)])
        at, columns = np.nonzero(table)
        starts = np.searchsorted(at, np.arange(k)).astype(np.int32)
        self.solver.addRows(
            k, np.zeros(k), np.full(k, highspy.kHighsInf), at.size, starts, columns.astype(np.int32), table[at, columns]
        )
        self.n_rows += k

    def solve(self, seconds: float | Callable[[], float]) -> Hint | None:
        """The optimum, or None where the solver did not reach one in so many seconds.

        Of a watch, `seconds` are asked for at every step, and what it raises ends the solver.
        """
        run(self.solver, seconds)
        if self.solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        solution = self.solver.getSolution()
        values = np.array(solution.col_value)
        duals = np.abs(np.array(solution.row_dual))
        support = np.flatnonzero(duals > 1e-11)
        order = support[np.argsort(-duals[support], kind="stable")]
        v = [
            Fraction(x) / Fraction(2) ** e
            for x, e in zip(values[: self.columns].tolist(), self.scale.tolist(), strict=True)
        ]
        return Hint(float(self.solver.getObjectiveValue()), v, order)


def run(solver: Any, seconds: float | Callable[[], float]) -> None:
    """Run HiGHS, and look at the watch at every step of the simplex method: its own time limit is not always kept."""
    watch = seconds if callable(seconds) else Watch(seconds).seconds_left
    ended: list[BaseException] = []

    def look(event: Any) -> None:
        try:
            watch()
        except BaseException as error:  # also Ctrl-C: the solver has to end first
            ended.append(error)
        if ended:
            event.data_in.user_interrupt = True

    watch()
    solver.cbSimplexInterrupt.subscribe(look)
    try:
        solver.run()
    finally:
        solver.cbSimplexInterrupt.unsubscribe(look)
    if ended and (callable(seconds) or not isinstance(ended[0], OutOfTimeError)):
        raise ended[0]


class Solution(NamedTuple):
    """A vertex of the least cost, and by how much one more of a row's bound would lower it."""

    x: Floats
    prices: Floats


def solution(
    cost: Floats, A: Csr, between: tuple[Floats, Floats], seconds: float | Callable[[], float], free: int = 0
) -> Solution | None:
    """Minimise cost·x subject to low ≤ A·x ≤ high, (low, high) = `between`, and x ≥ 0 but for the first `free` columns.

    None where the solver found no optimum in time.
    """
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.silent()
    for option, value in {"solver": "simplex", "threads": 1}.items():
        solver.setOptionValue(option, value)
    (m, n), endless = A.shape, highspy.kHighsInf
    solver.addVars(n, np.where(np.arange(n) < free, -endless, 0.0), np.full(n, endless))
    solver.changeColsCost(n, np.arange(n, dtype=np.int32), cost)
    starts, columns = A.indptr[:-1].astype(np.int32), A.indices.astype(np.int32)
    solver.addRows(m, *between, A.data.size, starts, columns, A.data)
    run(solver, seconds)
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    found = solver.getSolution()
    return Solution(np.array(found.col_value), np.abs(np.array(found.row_dual)))


def column_scale(rows: Floats) -> NDArray[np.int64]:
    """The power of two of each column's largest entry."""
    return _exponents(rows, 0)


def _exponents(rows: Floats, axis: int) -> NDArray[np.int64]:
    largest = np.abs(rows).max(axis=axis, initial=0.0)
    return np.where(largest > 0, np.frexp(largest)[1], 0).astype(np.int64)


def scaled(rows: Floats, scale: NDArray[np.int64]) -> Floats:
    """Columns times 2^-scale, then each row times the power of two that makes its largest entry about 1.

    On exponents alone, since a number in between may overflow; what then underflows is small beside the others.
    """
    mantissas, exponents = np.frexp(rows)
    powers = np.where(mantissas != 0, exponents - scale, np.iinfo(np.int32).min)
    powers = powers - powers.max(axis=1, keepdims=True)
    return np.asarray(np.ldexp(mantissas, np.maximum(powers, -2000).astype(np.int32)))
