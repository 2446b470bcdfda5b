"""A hyperplane or a witness for a few rows, proposed in floats: the dual active set method of the core (corral.hpp).

    minimise ½‖v‖²   subject to   z_i·v ≥ 1 for the rows so far

Each row taken in or let go costs about as much as one scan of the rows, and some multiple of the columns' number of
them is enough: the work grows with the third power of the columns, where a linear program's grows faster. Either it
ends with the v of the largest margin, or with a row that depends on those on the margin with no multiplier in the way:
the rows of a witness. Rows and columns are scaled by powers of two, which rounds nothing.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from .. import _core
from ..data.rows import rows_of
from .lp import scaled
from .signed_rows import Floats, Ints, SignedRows, Vector

_WORK = 200_000_000  # products between two looks at the watch: some tenths of a second
_SLICES = 1000  # after which it is given up


class Proposal(NamedTuple):
    """What floats say of the rows so far: v, or the rows of a witness, or neither."""

    v: Vector | None
    rows: Ints
    """Of the working set: those on the margin, or of the witness."""


class ActiveRows:
    """A growing set of rows z, and those of them on the margin."""

    def __init__(self, s: SignedRows, scale: Ints) -> None:
        self.s, self.scale = s, scale
        self.table: Floats = np.empty((0, s.d))
        self.active: Ints = np.empty(0, dtype=np.int64)

    def add(self, rows: Floats) -> None:
        """More rows z."""
        self.table = np.vstack([self.table, scaled(rows, self.scale)])

    def solve(self) -> Proposal:
        """Hot started from the rows that were on the margin last."""
        k, d = self.table.shape
        rows, ones, which = rows_of(self.table), np.ones(k, dtype=np.int8), np.arange(k)
        status = "stopped"
        for _ in range(_SLICES):
            # So many steps between two looks: not by the clock, or equal calls would not give equal answers. To begin
            # again costs as much as some steps for each active row.
            steps = max(self.active.size // 2, _WORK // (k * d + 4 * d * self.active.size), 20)
            seconds = self.s.seconds_left()
            status, active, _, w, _ = _core.corral(rows, ones, which, False, 0.0, self.active, steps, seconds)
            if status != "stopped":
                break
            self.active = active
        if status == "inseparable":
            return Proposal(None, active)
        if status != "optimal":
            return Proposal(None, np.empty(0, dtype=np.int64))
        self.active = active
        return Proposal(
            [Fraction(x) / Fraction(2) ** e for x, e in zip(w.tolist(), self.scale.tolist(), strict=True)], active
        )

    def weights(self, rows: Ints) -> Floats:
        """The multipliers of a witness, about: of the last row 1."""
        table = self.table[rows]
        return np.append(np.linalg.lstsq(table[:-1].T, -table[-1], rcond=None)[0], 1.0)
