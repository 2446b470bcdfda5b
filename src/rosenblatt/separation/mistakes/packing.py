"""How many mistakes every hyperplane makes, from witnesses: a fractional packing, in exact numbers.

Each witness W costs every hyperplane a mistake on one of its rows. Weights z_W ≥ 0 with Σ_{W∋i} z_W ≤ 1 for every row i
count no mistake twice, so every hyperplane makes at least ⌈Σ z_W⌉ mistakes; disjoint witnesses are the case z = 1. The
best weights are a linear program, and its dual is the fractional cover: shares c_i ≥ 0 with Σ_{i∈W} c_i ≥ 1 for every
witness and as small a sum as possible. A witness with Σ c_i < 1 would raise the bound, so new ones are looked for where
c is small (column generation), and the rows with large shares are the ones to suspect. Parker and Ryan 1996, "Finding
the minimum weight IIS cover of an infeasible system of linear inequalities".

The program is solved in floats. Its weights are then rounded down to whole multiples of 1/Q, and the sums of each row
are checked in integers.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import highspy
import numpy as np

from ..signed_rows import Floats
from .witnesses import IntegerWitness

_GRIDS = (1, 2, 3, 4, 6, 12, 60, 2520, 2**20, 2**30)
_UNSURE = 1e-6  # of a sum of weights in floats
_ROOM = 1e-3  # how much more a row that is not suspect may hold: its share is taken only if that is cheaper
# The primal simplex method: with more columns the last solution stays feasible.
_OPTIONS: dict[str, Any] = {"presolve": "off", "solver": "simplex", "simplex_strategy": 4, "threads": 1}


class WitnessPool:
    """Witnesses, the best weights known for them, and the shares of their rows."""

    def __init__(self, rows: int) -> None:
        self.kept: list[IntegerWitness] = []
        """Disjoint from all others, with weight 1."""
        self.blocked = np.zeros(rows, dtype=bool)
        self.witnesses: list[IntegerWitness] = []
        self.known: set[tuple[int, ...]] = set()
        self.weights: dict[int, Fraction] = {}
        """Of the best packing, by number of the witness; others have none."""
        self.shares: dict[int, float] = {}
        self._places: dict[int, int] = {}
        self._solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self._solver.silent()
        for option, value in _OPTIONS.items():
            self._solver.setOptionValue(option, value)
        self._solver.changeObjectiveSense(highspy.ObjSense.kMaximize)

    @property
    def lower(self) -> int:
        """Every hyperplane makes at least so many mistakes."""
        return len(self.kept) + math.ceil(sum(self.weights.values(), Fraction(0)))

    def packing(self) -> list[tuple[IntegerWitness, Fraction]]:
        """The witnesses that prove it, and their weights."""
        return [(w, Fraction(1)) for w in self.kept] + [(self.witnesses[j], z) for j, z in sorted(self.weights.items())]

    def add(self, witness: IntegerWitness) -> bool:
        """Whether it is new, and has no row of those that are kept for good."""
        if witness.rows in self.known or self.blocked[list(witness.rows)].any():
            return False
        self.known.add(witness.rows)
        self.witnesses.append(witness)
        return True

    def keep(self, some: Sequence[IntegerWitness]) -> None:
        """Keep disjoint witnesses for good, with weight 1; their rows are blocked for others."""
        self.kept += some
        self.blocked[[row for witness in some for row in witness.rows]] = True

    def add_disjoint(self, some: Iterable[IntegerWitness]) -> int:
        """Add witnesses with no row in common, also with those of weight 1 so far; how many were new.

        `some` may be found one by one, until time runs out: those found count.
        """
        weights = {j: z for j, z in self.weights.items() if z == 1}
        taken = {row for j in weights for row in self.witnesses[j].rows}
        new = 0
        try:
            for witness in some:
                if self.add(witness):
                    new += 1
                    if taken.isdisjoint(witness.rows):
                        taken.update(witness.rows)
                        weights[len(self.witnesses) - 1] = Fraction(1)
        finally:
            self._improve(weights)
        return new

    def solve(self, seconds: float) -> bool:
        """Weigh all witnesses anew, and find the shares; False if that took too long."""
        self._extend()
        if not self.witnesses:
            return True
        z = self._run(seconds)
        if z is not None and math.ceil(float(z.sum()) - _UNSURE) > self.lower - len(self.kept):
            self._improve(self._rounded_down(z))
        return z is not None

    def assign_shares(self, suspects: Iterable[int], seconds: float) -> None:
        """Find the shares again, at the end; wherever they are not unique, suspects have them rather than others.

        If that takes too long, and for the witnesses that are kept, suspects share the weights of theirs.
        """
        self._extend()
        chosen, solved = set(suspects), False
        if self.witnesses:
            for row, at in self._places.items():
                if row not in chosen:
                    self._solver.changeRowBounds(at, -highspy.kHighsInf, 1 + _ROOM)
            solved = self._run(seconds) is not None
        if not solved:
            self.shares = {}
        weights = {} if solved else self.weights
        for witness, weight in [(w, Fraction(1)) for w in self.kept] + [
            (self.witnesses[j], z) for j, z in weights.items()
        ]:
            sharing = [row for row in witness.rows if row in chosen] or witness.rows
            for row in sharing:
                self.shares[row] = self.shares.get(row, 0.0) + float(weight) / len(sharing)

    def _run(self, seconds: float) -> Floats | None:
        solver = self._solver
        solver.setOptionValue("time_limit", float(solver.getRunTime() + seconds))
        solver.run()
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        solution = solver.getSolution()
        duals = np.abs(np.array(solution.row_dual))
        self.shares = {row: float(duals[at]) for row, at in self._places.items() if duals[at] > 1e-9}
        return np.array(solution.col_value)

    def _extend(self) -> None:
        """The new witnesses as columns of the program, and their rows as rows."""
        solver, old = self._solver, int(self._solver.getNumCol())
        new = self.witnesses[old:]
        fresh = {row for w in new for row in w.rows} - self._places.keys()
        for row in sorted(fresh):
            self._places[row] = len(self._places)
            solver.addRow(-highspy.kHighsInf, 1.0, 0, np.empty(0, np.int32), np.empty(0))
        if not new:
            return
        starts = np.cumsum([0, *(len(w.rows) for w in new)])
        index = np.array([self._places[row] for w in new for row in w.rows], dtype=np.int32)
        k, ones = len(new), np.ones(index.size)
        high = np.full(k, highspy.kHighsInf)
        solver.addCols(k, np.ones(k), np.zeros(k), high, index.size, starts[:-1].astype(np.int32), index, ones)

    def _rounded_down(self, z: Floats) -> dict[int, Fraction]:
        """Weights a little below z that fit exactly, with as small denominators as do not lower the bound."""
        some = np.flatnonzero(z > 1e-9)
        best: dict[int, Fraction] = {}
        aim = math.ceil(float(z.sum()) - _UNSURE)
        for Q in _GRIDS:
            whole = np.floor(z[some] * Q + 1e-7).astype(np.int64)
            load: dict[int, int] = {}
            for at, j in enumerate(some.tolist()):
                rows = self.witnesses[j].rows
                whole[at] = max(0, min(int(whole[at]), Q - max(load.get(row, 0) for row in rows)))
                for row in rows:
                    load[row] = load.get(row, 0) + int(whole[at])
            if math.ceil(Fraction(int(whole.sum()), Q)) > math.ceil(sum(best.values(), Fraction(0))):
                best = {j: Fraction(w, Q) for j, w in zip(some.tolist(), whole.tolist(), strict=True) if w}
                if math.ceil(sum(best.values(), Fraction(0))) >= aim:
                    break
        return best

    def _improve(self, weights: dict[int, Fraction]) -> None:
        if math.ceil(sum(weights.values(), Fraction(0))) > self.lower - len(self.kept):
            self.weights = weights
