"""Does a coefficient run to one side alone? One question to the cone for each, all by the same linear program.

L is the space of the directions that the rows T leave open, given by relations between columns (coefficients.py): v is
told by its coordinates in the columns of the relations, which are free, and the others follow. v₀ of L is strictly
inside on all rows outside of T. Let v₀ have v_j > 0. Is e_j in the cone of the rows on L? Then v_j ≥ 0 on C, and exact
multipliers prove it; or some v of C has v_j < 0, and moved a little towards v₀ it is strictly inside, which exact signs
prove. Rows are added to the program as they are violated (Kelley 1960); from one coefficient to the next only its
objective changes. Every direction that is found is looked at in all its coordinates.
"""

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from flint import fmpz_mat

from .evidence import Evidence
from .exact import Cone, integers, rounded
from .lp import Program, column_scale, scaled
from .relations import ColumnSum
from .signed_rows import Floats, Ints, SignedRows, Vector


class ConeQuestions:
    """The rows so far, their program, and the numbers of L."""

    def __init__(
        self, s: SignedRows, T: np.ndarray, open_: Mapping[int, ColumnSum], inside: Vector, known: Evidence
    ) -> None:
        self.s, self.inside, self.known = s, inside, known
        self.free, self.open = sorted(open_), open_
        self.outer = np.flatnonzero(~T)
        self.basis = [self._direction(j) for j in self.free]
        self.near = np.zeros((s.d, len(self.free)))
        for k, column in enumerate(self.basis):
            s.seconds_left()
            self.near[list(column), k] = rounded([Fraction(x) for x in column.values()])
        self.units = [Fraction(2) ** (max(map(abs, column.values())).bit_length() - 1) for column in self.basis]
        some = 4 * (len(self.free) + 8)
        first = self.outer if self.outer.size <= some else np.sort(s.random.choice(self.outer, some, False))
        table = self._seen(first)
        self.working, self.lifted = np.empty(0, dtype=np.int64), list[list[int]]()
        self.program = Program(len(self.free), np.zeros(len(self.free)), column_scale(table))
        self._add(first, table)

    def ask(self, j: int) -> None:
        """Settle coefficient j, of which v₀ has one sign. Raises `OutOfTimeError`."""
        s, known = self.s, self.known
        sign = 1 if self.inside[j] > 0 else -1
        self._aim(-sign * self.near[j])
        while True:
            hint = self.program.solve(s.seconds_left)
            if hint is not None and hint.value > 1e-8:
                v = self._lift(hint.v)
                if sign * v[j] < 0:
                    # Towards v₀, but not so far that coordinate j changes sides.
                    step = abs(v[j]) / (2 * abs(self.inside[j]))
                    v = [a + step * b for a, b in zip(v, self.inside, strict=True)]
                    new = self._violating(v, strict=True)
                    if new is None:
                        known.see(v)
                        return
                    if new.size:
                        self._add(new)
                        continue
            target = [sign * column.get(j, 0) for column in self.basis]
            cone = Cone(self._whole(), target, hint.support.tolist() if hint is not None else [], s.seconds_left)
            if cone.normal is None:
                (known.never_down if sign > 0 else known.never_up)[j] = True
                return
            v = self._lift(cone.normal, exact=True)
            new = self._violating(v, strict=False)
            if new is None:
                known.see(v)
                return
            self._add(new)

    def _aim(self, c: Floats) -> None:
        """Another objective for the program."""
        costs = scaled(np.asarray(c)[None, :], self.program.scale)[0]
        self.program.solver.changeColsCost(costs.size, np.arange(costs.size, dtype=np.int32), costs)

    def _violating(self, v: Vector, strict: bool) -> Ints | None:
        """Some rows outside of T that are on the wrong side of v, or on none if that counts; None if there are none."""
        s, wrong = self.s, np.zeros(self.s.n, dtype=bool)
        m = s.margins(rounded(v))
        signs = s.signs(v, m, self.outer)
        wrong[self.outer] = (signs <= 0) if strict else (signs < 0)
        return s.violating(m, wrong, self.working) if wrong.any() else None

    def _add(self, rows: Ints, table: Floats | None = None) -> None:
        self.working = np.concatenate([self.working, rows])
        self.program.add(self._seen(rows) if table is None else table)

    def _seen(self, rows: Ints) -> Floats:
        """The rows z·N, each up to a power of two: of large numbers a small one, so that no sum overflows."""
        z = self.s.z(rows)
        large = np.abs(z).max(axis=1, initial=0.0) > 2.0**900
        return np.asarray(np.where(large[:, None], np.ldexp(z, -200), z) @ self.near)

    def _whole(self) -> list[list[int]]:
        """The rows z·N of the working set in whole numbers, each up to a power of two."""
        if (new := self.working[len(self.lifted) :]).size:
            columns, _ = integers(self.s.z(new))
            N = [[column.get(j, 0) for column in self.basis] for j in range(self.s.d)]
            flat = fmpz_mat(len(columns), self.s.d, [v for column in columns for v in column]) * fmpz_mat(N)
            self.lifted += [[int(v) for v in row] for row in flat.tolist()]
        return self.lifted

    def _direction(self, j: int) -> dict[int, int]:
        """A vector of N, by column: a relation, in whole numbers."""
        scale = math.lcm(*(x.denominator for x in self.open[j].values()))
        return {j: scale, **{i: -int(x * scale) for i, x in self.open[j].items()}}

    def _lift(self, c: Vector, exact: bool = False) -> Vector:
        """N·c; the columns of N scaled as the program saw them, unless c is of N itself."""
        v = [Fraction(0)] * self.s.d
        for x, unit, column in zip(c, self.units, self.basis, strict=True):
            weight = x if exact else x / unit
            if weight:
                for i, a in column.items():
                    v[i] += a * weight
        return v
