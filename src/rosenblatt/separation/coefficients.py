"""Which coefficients of a logistic regression are finite?

Its likelihood grows for ever along every v of the cone C = {v : z_i·v ≥ 0 for all rows} that is not orthogonal to all
z_i (Albert and Anderson 1984). So coefficient j is finite if v_j = 0 on all of C, runs to +∞ or −∞ if v_j has one
sign on C, and is indeterminate if it has both.

The rows T that lie on the boundary of every v of C span a space; C lies in its orthogonal complement L, given here by
an exact basis N, and a v₀ of the search is strictly inside on all other rows. On L the question for each j is one
cutting plane search: is N_j in the cone of the rows z_i·N? Then v_j ≥ 0 on C, and exact multipliers prove it; or some
v of C has v_j < 0, and moved a little towards v₀ it is strictly inside, which exact signs prove.

Columns that are dropped because they depend on others (dependent.py) have v_j = 0 throughout.
"""

import math
from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from flint import fmpz_mat

from .exact import Cone, basis, independent, integers, rounded
from .lp import Program, column_scale
from .partition import SearchResult
from .signed_rows import SignedRows, Vector

FINITE, UP, DOWN, BOTH = "finite", "+inf", "-inf", "indeterminate"


def coefficients(s: SignedRows, found: SearchResult, dropped: Iterable[int] = ()) -> list[str]:
    """One word for each coefficient, the offset last (if there is one); those dropped are 0, and so finite."""
    T = found.boundary if found.boundary is not None else np.zeros(s.n, dtype=bool)
    N = complement(s, T, dropped)
    names = []
    inside = _inside(found, N)
    outer = np.flatnonzero(~T)
    working = outer if outer.size <= 4 * s.d else np.sort(s.random.choice(outer, 4 * s.d, False))
    for j in range(s.d):
        if not any(N[j]):
            names.append(FINITE)
        elif inside is None or inside[j] == 0:
            names.append(BOTH)  # L is free there, or v₀ can be moved to either side
        else:
            sign = 1 if inside[j] > 0 else -1
            other, working = _reaches(s, T, N, inside, j, sign, working)
            names.append(BOTH if other else UP if sign > 0 else DOWN)
    return names


def complement(s: SignedRows, T: np.ndarray, dropped: Iterable[int] = ()) -> list[list[int]]:
    """A basis of the vectors orthogonal to all rows of T, 0 where dropped: columns of a whole-number matrix (d, q)."""
    return _null(span(s, T, dropped), s.d)


def span(s: SignedRows, T: np.ndarray, dropped: Iterable[int] = ()) -> list[list[int]]:
    """Independent rows, in whole numbers, that span those of T and the units of the columns dropped."""
    rows = np.flatnonzero(T)
    known = [[int(i == j) for i in range(s.d)] for j in dropped]
    while rows.size:
        some = rows if rows.size <= 8 * s.d else s.random.choice(rows, 8 * s.d, False)
        s.seconds_left()
        table = known + integers(s.z(some))[0]
        chosen = independent(table)
        known = [table[r] for r in (chosen if len(chosen) > len(known) else basis(table))]
        null = _null(known, s.d)
        # Rows not yet orthogonal to all of it: their number falls, since each round adds to the rank.
        off = np.zeros(rows.size, dtype=bool)
        for k in range(len(null[0]) if null else 0):
            off |= s.signs([Fraction(row[k]) for row in null], None, rows) != 0
        rows = rows[off]
    return known


def _null(rows: list[list[int]], d: int) -> list[list[int]]:
    if not rows:
        return [[int(i == j) for j in range(d)] for i in range(d)]
    matrix = fmpz_mat(len(rows), d, [v for row in rows for v in row])
    found, nullity = matrix.nullspace()
    columns = [[int(found[i, k]) for i in range(d)] for k in range(nullity)]
    columns = [[v // (math.gcd(*column) or 1) for v in column] for column in columns]
    return [[column[i] for column in columns] for i in range(d)]


def _inside(found: SearchResult, N: list[list[int]]) -> Vector | None:
    return found.v if N and N[0] else None


def _reaches(
    s: SignedRows, T: np.ndarray, N: list[list[int]], inside: Vector, j: int, sign: int, working: np.ndarray
) -> tuple[bool, np.ndarray]:
    """Whether some v of C has the other sign in coordinate j; and the working set, grown."""
    near = np.column_stack([rounded([Fraction(row[k]) for row in N]) for k in range(len(N[0]))])
    seen = _seen(s.z(working), near)
    program = Program(near.shape[1], -sign * near[j], column_scale(seen))
    program.add(seen)
    outer, wrong = np.flatnonzero(~T), np.zeros(s.n, dtype=bool)
    while True:
        hint = program.solve(s.seconds_left())
        if hint is not None and hint.value > 1e-8:
            v = _lift(N, hint.v)
            if sign * v[j] < 0:
                # Towards v₀, but not so far that coordinate j changes sides.
                step = abs(v[j]) / (2 * abs(inside[j]))
                v = [a + step * b for a, b in zip(v, inside, strict=True)]
                m = s.margins(rounded(v))
                wrong[outer] = s.signs(v, m, outer) <= 0
                if not wrong.any():
                    return True, working
                if (new := s.violating(m, wrong, working)).size:
                    working = np.concatenate([working, new])
                    program.add(_seen(s.z(new), near))
                    continue
        columns, _ = integers(s.z(working))
        flat = fmpz_mat(len(columns), s.d, [v for column in columns for v in column]) * fmpz_mat(N)
        lifted = [[int(v) for v in row] for row in flat.tolist()]
        target = [sign * N[j][k] for k in range(len(N[0]))]
        cone = Cone(lifted, target, hint.support.tolist() if hint is not None else [], s.seconds_left)
        if cone.normal is None:
            return False, working
        v = [sum((N[i][k] * c for k, c in enumerate(cone.normal)), Fraction(0)) for i in range(s.d)]
        m = s.margins(rounded(v))
        wrong[outer] = s.signs(v, m, outer) < 0
        if not wrong.any():
            return True, working
        new = s.violating(m, wrong, working)
        working = np.concatenate([working, new])
        program.add(_seen(s.z(new), near))


def _seen(z: np.ndarray, near: np.ndarray) -> np.ndarray:
    """The rows z·N, each up to a power of two: those of large numbers smaller, so that no sum of products overflows."""
    large = np.abs(z).max(axis=1, initial=0.0) > 2.0**900
    return np.asarray(np.where(large[:, None], np.ldexp(z, -200), z) @ near)


def _lift(N: list[list[int]], c: Vector) -> Vector:
    """N·c, exactly, with the columns of N scaled as the program saw them."""
    sizes = [max(abs(row[k]) for row in N) for k in range(len(N[0]))]
    units = [Fraction(2) ** (size.bit_length() - 1) for size in sizes]
    weights = [x / unit for x, unit in zip(c, units, strict=True)]
    return [sum((row[k] * w for k, w in enumerate(weights)), Fraction(0)) for row in N]
