"""Cutting planes for strict separation: a question about a few rows, the worst of the others added, and again.

Floats propose a hyperplane or a witness: with few columns by a linear program (lp.py), with many by the rows on the
margin (active_rows.py). A witness is solved in rationals, and a hyperplane's signs are exact. Where floats cannot tell,
the question about the few rows is answered in rationals.
"""

from fractions import Fraction

import numpy as np

from ..data.csr import Csr
from .active_rows import ActiveRows
from .combinations import cancels
from .exact import Cone, dependency, integers, rounded
from .lp import Program
from .partition import ZERO, SearchResult
from .signed_rows import Floats, Ints, SignedRows, Vector
from .whole_table import WholeTable
from .wide_rows import in_columns_used, scale_of, scaled_rows, signed_rows

_FEW = 32  # columns up to which a linear program is tried first
_TINY = 1e-8  # beside the largest, a multiplier that may be 0 in truth


def cutting_planes(s: SignedRows, found: SearchResult) -> None:
    """Until a hyperplane or a witness is exact."""
    planes = _Planes(s)
    while True:
        planes.rounds += 1
        s.tell(
            f"cutting planes: round {planes.rounds} over {planes.working.size:,} rows", rows=int(planes.working.size)
        )
        v = planes.propose()
        if v is None:
            break
        m = s.margins(rounded(v))
        wrong = s.signs(v, m) <= 0
        if not wrong.any():
            found.v, found.strict = v, True
            break
        planes.add(s.violating(m, wrong, planes.working))
    if planes.witness is not None:
        rows, alpha = planes.witness
        order = np.argsort(rows)
        found.witness = rows[order], [alpha[i] for i in order]
    found.steps.append(f"cutting planes: {planes.how()}, {planes.working.size} of {s.n} rows")


class _Planes:
    """The working set, and what is asked of it: first in floats by one way, then by the other, then exactly."""

    def __init__(self, s: SignedRows) -> None:
        self.s, self.rounds, self.programs = s, 0, 0
        self.working = s.starting_rows()
        self.witness: tuple[Ints, Vector] | None = None
        self.scale = scale_of(signed_rows(s, self.working))
        self.active, self.program = ActiveRows(s, self.scale), Program(s.d, None, self.scale)
        ways = [self._by_active_rows, self._by_program]
        self.ways = [*(ways[::-1] if s.d <= _FEW else ways), self._exactly]
        self.failed = 0
        """How many of these ways were of no use with the rows as they are."""
        self.in_active = self.in_program = 0
        self.support: Ints = np.empty(0, dtype=np.int64)
        """Rows that a linear program in floats had in its basis."""

    def how(self) -> str:
        """In words, for the steps of the search."""
        return f"{self.programs} linear programs" if self.programs == self.rounds else f"{self.rounds} rounds"

    def add(self, new: Ints) -> None:
        """More rows; if there are none, only rows of the working set are wrong: rounding is in the way of this way."""
        self.failed = 0 if new.size else self.failed + 1
        self.working = np.concatenate([self.working, new])

    def propose(self) -> Vector | None:
        """A hyperplane for the working set, right on it unless rounding is in the way; None if there is a witness."""
        while True:
            v = self.ways[self.failed]()
            if v is not None or self.witness is not None:
                return v
            self.failed += 1

    def _new(self, known: int) -> Floats | Csr:
        return signed_rows(self.s, self.working[known:])

    def _by_active_rows(self) -> Vector | None:
        self.active.add(self._new(self.in_active))
        self.in_active = self.working.size
        proposal = self.active.solve()
        rows = proposal.rows
        if proposal.v is None and rows.size and not self._try_witness(rows):
            # Rows whose multiplier is 0 but for rounding are in the way.
            weights = self.active.weights(rows)
            some = weights > _TINY * weights.max()
            if 0 < some.sum() < rows.size:
                self._try_witness(rows[some])
        return proposal.v

    def _by_program(self) -> Vector | None:
        self.programs += 1
        new = self._new(self.in_program)
        self.program.add(scaled_rows(new, self.scale) if isinstance(new, Csr) else new)
        self.in_program = self.working.size
        hint = self.program.solve(self.s.seconds_left)
        if hint is None:
            return None
        if hint.value > ZERO:
            return hint.v
        self.support = hint.support
        if 0 < hint.support.size <= self.s.d + 1:
            self._try_witness(hint.support)
        return None

    def _try_witness(self, rows: Ints) -> bool:
        self.s.tell(f"solving for the multipliers of {rows.size:,} rows")
        alpha = dependency(in_columns_used(self.s, self.working[rows])[0], self.s.seconds_left)
        if alpha is not None:
            self.witness = self.working[rows], alpha
        return alpha is not None

    def _exactly(self) -> Vector | None:
        """By the simplex method in rationals, in as many columns as are independent on these rows: no more are needed.

        A hyperplane may leave the others out, and they are combinations of these, which is checked for a witness.
        """
        self.s.tell(f"linear program over {self.working.size:,} rows, in rationals")
        table, columns = in_columns_used(self.s, self.working)
        keep = WholeTable(table).independent_columns(self.working.size)
        for some in (keep, np.arange(columns.size)):
            part, shifts = integers(table[:, some])
            cone = Cone([[*c, 1] for c in part], [0] * some.size + [1], self.support.tolist(), self.s.seconds_left)
            if cone.normal is not None:
                v = [Fraction(0)] * self.s.d
                for j, x in zip(columns[some].tolist(), cone.normal, strict=False):
                    v[j] = x
                return v
            rows = sorted(cone.multipliers)
            alpha = [cone.multipliers[r] / Fraction(2) ** shifts[r] for r in rows]
            if cancels(table[rows], alpha, self.s.seconds_left):
                self.witness = self.working[rows], alpha
                break
        return None
