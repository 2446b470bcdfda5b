"""Cutting planes for strict separation: a linear program over a few rows, the worst of the others added, and again."""

from fractions import Fraction

import numpy as np

from .exact import Cone, dependency, integers, rounded
from .lp import Program, column_scale
from .partition import ZERO, SearchResult
from .signed_rows import SignedRows, Vector

_WIDE = 20_000  # columns beyond which no linear program is set up


def cutting_planes(s: SignedRows, found: SearchResult) -> None:
    """Cutting planes for strict separation, until a hyperplane or a witness is exact."""
    if s.d > _WIDE:
        found.steps.append(f"{s.d} columns are too many for linear programs")
        return
    working = s.starting_rows()
    table = s.z(working)
    program = Program(s.d, None, column_scale(table))
    program.add(table)
    rounds, trusted = 0, True
    while True:
        rounds += 1
        hint = program.solve(s.seconds_left())
        if trusted and hint is not None and hint.value > ZERO:
            v: Vector = hint.v
        else:
            support = hint.support if hint is not None else np.empty(0, np.int64)
            alpha = dependency(s.z(working[support])) if 0 < support.size <= s.d + 1 else None
            if alpha is not None:
                found.witness = working[support], alpha
                break
            columns, shifts = integers(s.z(working))
            cone = Cone([[*c, 1] for c in columns], [0] * s.d + [1], support.tolist(), s.seconds_left)
            if cone.normal is None:
                rows = sorted(cone.multipliers)
                found.witness = working[rows], [cone.multipliers[r] / Fraction(2) ** shifts[r] for r in rows]
                break
            v = cone.normal[:-1]
        m = s.margins(rounded(v))
        wrong = s.signs(v, m) <= 0
        if not wrong.any():
            found.v, found.strict = v, True
            break
        new = s.violating(m, wrong, working)
        # If only rows of the working set are wrong, floats cannot decide it: from then on it is solved exactly.
        trusted = new.size > 0
        working = np.concatenate([working, new])
        program.add(s.z(new))
    order = np.argsort(found.witness[0]) if found.witness is not None else None
    if found.witness is not None and order is not None:
        found.witness = found.witness[0][order], [found.witness[1][i] for i in order]
    found.steps.append(f"cutting planes: {rounds} linear programs, {working.size} of {s.n} rows")
