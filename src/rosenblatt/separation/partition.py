"""The partition of rows that no hyperplane separates: those on the boundary, and all others (Goldman and Tucker 1956).

With T all rows at first and g = Σ_T z_i, either −g = Σ δ_i·z_i with δ ≥ 0, and then α = 1 + δ > 0 shows that every row
of T lies on the boundary of any hyperplane with no row on the wrong side; or some v has z_i·v ≥ 0 on T and g·v > 0, and
the rows with z_i·v > 0 leave T. Each question is answered by cutting planes, as in search.py.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from operator import mul

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .combinations import combination, independent_rows, null_vector
from .exact import Cone, integers, rounded
from .lp import Program, column_scale
from .reduction import beyond, spanned_balance
from .signed_rows import Floats, Ints, SignedRows, Vector

_FEW = 32  # columns up to which linear programs are quick
_WITNESSES = 12  # that are looked for one after the other
ZERO = 1e-12  # an objective of a linear program that is not worth trying


@dataclass
class SearchResult:
    """What is known: each part exact, or None."""

    v: Vector | None = None
    """A hyperplane: strict on all rows, or weak on all and strict on some."""
    columns: Ints | None = None
    """Of wide rows, the columns that v may have a weight in (narrow.py); None: any."""
    strict: bool = False
    witness: tuple[Ints, Vector] | None = None
    """Rows and α > 0 with Σ α·z = 0."""
    balance: tuple[Ints, Vector] | None = None
    """Rows and δ > 0 with Σ_T z + Σ δ·z = 0."""
    boundary: NDArray[np.bool_] | None = None
    """T: the rows that lie on every weakly separating hyperplane."""
    stuck: int | None = None
    """How many these are, where nobody keeps them: they have z·v = 0."""
    steps: list[str] = field(default_factory=list)


def partition_rows(s: SignedRows, found: SearchResult) -> None:
    """Each row strictly on its side of some weak separator, or provably on the boundary of all."""
    assert found.witness is not None
    s.tell("sorting out the boundary", rows_left=s.n)
    T = np.ones(s.n, dtype=bool)
    if _by_witnesses(s, found, T):
        return
    working = np.unique(np.concatenate([found.witness[0], s.starting_rows()]))
    while True:
        working = working[T[working]]
        if working.size == 0:
            working = np.flatnonzero(T)[: 2 * s.d]
        outcome, signs, working = balance(s, T, working)
        if isinstance(outcome, dict):
            _settle(found, T, outcome)
            return
        _free(s, found, T, outcome, signs)
        s.tell("sorting out the boundary", rows_left=int(T.sum()))


def _by_witnesses(s: SignedRows, found: SearchResult, T: NDArray[np.bool_]) -> bool:
    """From one witness to the next (reduction.py), if that settles it; rows may have left T and joined `found.v`."""
    assert found.witness is not None
    U = found.witness[0]
    g = _total(s, T)
    for _ in range(_WITNESSES):
        if (delta := spanned_balance(s, U, g)) is not None:
            _settle(found, T, delta)
            return True
        s.tell("sorting out the boundary", rows_left=int(T.sum()))
        further = beyond(s, T, U) if s.d > _FEW else None
        if further is None:
            return False
        if further.near is None:
            U = np.union1d(U, further.rows)
            continue
        m = s.margins(further.near)
        slack = 1e-7 * float(np.abs(m[T]).max())
        if (weak := _weak(s, T, further.near, np.abs(m) <= slack, 24)) is None:
            return False
        _free(s, found, T, *weak)
        g = _total(s, T)
    return False


def by_witnesses(s: SignedRows, U: Ints, g: Vector) -> dict[int, Fraction] | None:
    """δ ≥ 0 with g + Σ δ·z = 0, from the rows U of one witness to the next, where all rows are known to be stuck.

    None where floats find no way.
    """
    every = np.ones(s.n, dtype=bool)
    for _ in range(_WITNESSES):
        if (delta := spanned_balance(s, U, g)) is not None:
            return delta
        further = beyond(s, every, U) if s.d > _FEW else None
        if further is None or further.near is not None:
            return None
        U = np.union1d(U, further.rows)
    return None


def _free(s: SignedRows, found: SearchResult, T: NDArray[np.bool_], v: Vector, signs: NDArray[np.int8]) -> None:
    """The rows of T with z·v > 0 leave it: `found.v`, strict on those that left before, is so on them as well."""
    found.v = v if found.v is None else join(s, found.v, v, ~T)
    T[T] = signs == 0


def _settle(found: SearchResult, T: NDArray[np.bool_], delta: dict[int, Fraction]) -> None:
    """Every row of T is on the boundary: δ proves it."""
    rows = sorted(delta)
    found.balance, found.boundary = (np.array(rows, dtype=np.int64), [delta[r] for r in rows]), T
    found.steps.append(f"{int(T.sum())} rows lie on every weak separator; {len(rows)} multipliers prove it")


def _total(s: SignedRows, T: NDArray[np.bool_]) -> Vector:
    """G = Σ_T z_i, exactly."""
    signs = np.where(T, s.y, 0).astype(np.int8)
    cells, exponent = _core.exact_sums(s.rows, signs, s.threads)
    weights = [1 << (32 * c) for c in range(cells.shape[1])]
    unit = Fraction(2) ** exponent
    g = [sum(c * w for c, w in zip(row, weights, strict=True) if c) * unit for row in cells.tolist()]
    return g if s.origin else [*g, Fraction(int(signs.sum()))]


def balance(
    s: SignedRows, T: NDArray[np.bool_], working: Ints, g: Vector | None = None
) -> tuple[dict[int, Fraction] | Vector, NDArray[np.int8], Ints]:
    """δ ≥ 0 with Σ_T z + Σ δ·z = 0, or v with z·v ≥ 0 on T and > 0 somewhere, and these signs; and the working set.

    With a sum g of more rows than these, δ ≥ 0 with g + Σ δ·z = 0, or v with z·v ≥ 0 on T and g·v > 0.
    """
    own, none = g is None, np.empty(0, dtype=np.int8)
    g = _total(s, T) if g is None else g
    if not any(g):
        return {}, none, working
    size = max(abs(x) for x in g)
    program = Program(s.d, np.array([float(x / size) for x in g]), column_scale(s.z(working)))
    program.add(s.z(working))
    attempts = 0
    while True:
        hint = program.solve(s.seconds_left)
        if hint is not None and hint.value > ZERO and attempts < 4:
            near = rounded(hint.v)
            m = s.margins(near)
            m[~T] = np.inf
            slack = 1e-7 * float(np.abs(m[T]).max())
            new = s.violating(m, m < -slack, working)
            if new.size:
                working = np.concatenate([working, new])
                program.add(s.z(new))
                continue
            attempts += 1
            weak = _weak(s, T, near, np.abs(m) <= slack, 12 * attempts, None if own else g)
            if weak is not None:
                return *weak, working
        if hint is not None and (delta := _multipliers(s, working[hint.support], g)) is not None:
            return delta, none, working
        # Floats do not decide it: exactly, on the working set.
        columns, shifts = integers(s.z(working))
        scale = math.lcm(*(x.denominator for x in g))
        cone = Cone(
            columns, [int(-x * scale) for x in g], hint.support.tolist() if hint is not None else [], s.seconds_left
        )
        if cone.normal is None:
            # −g·scale = Σ x·N and z = N·2^shift, so δ = x/(scale·2^shift).
            delta = {int(working[r]): x / scale / Fraction(2) ** shifts[r] for r, x in cone.multipliers.items()}
            return delta, none, working
        m = s.margins(rounded(cone.normal))
        m[~T] = np.inf
        wrong, signs = np.zeros(s.n, dtype=bool), s.signs(cone.normal, m, np.flatnonzero(T))
        wrong[T] = signs < 0
        if not wrong.any():
            return cone.normal, signs, working
        new = s.violating(m, wrong, working)
        working = np.concatenate([working, new])
        program.add(s.z(new))


def _multipliers(s: SignedRows, rows: Ints, g: Vector) -> dict[int, Fraction] | None:
    """δ ≥ 0 on these rows, which a linear program in floats points at, with g + Σ δ·z = 0; None if there are none."""
    x = combination(s.z(rows), [-a for a in g], s.seconds_left) if 0 < rows.size <= s.d else None
    if x is None or min(x) < 0:
        return None
    return {int(row): value for row, value in zip(rows, x, strict=True) if value}


def _weak(
    s: SignedRows, T: NDArray[np.bool_], near: Floats, zero: NDArray[np.bool_], bits: int, g: Vector | None = None
) -> tuple[Vector, NDArray[np.int8]] | None:
    """A vector close to `near`, exactly orthogonal to the rows of T it nearly is, and the signs of all rows of T.

    None if there is none, or if it has some row on the wrong side. A g that is given has g·v > 0.
    """
    among = np.flatnonzero(T)
    off, basis = np.flatnonzero(T & zero), np.empty((0, s.d))
    while True:
        # As many rows as are independent of the others; of many, some will do.
        some = off if off.size <= 4 * s.d else s.random.choice(off, 4 * s.d, False)
        table = np.vstack([basis, s.z(some)])
        kept = independent_rows(table)
        if off.size and len(kept) == len(basis):
            return None
        basis = table[kept]
        v = null_vector(basis, near, bits, s.seconds_left)
        if not any(v):
            return None
        signs = s.signs(v, None, among)
        off = among[(signs != 0) & zero[among]]
        if off.size == 0:
            freeing = (signs > 0).any() if g is None else sum(map(mul, g, v)) > 0
            return (v, signs) if (signs >= 0).all() and freeing else None


def join(s: SignedRows, old: Vector, new: Vector, settled: NDArray[np.bool_]) -> Vector:
    """old·K + new, with K so large that the rows already settled stay strictly on their side."""
    rows = np.flatnonzero(settled)
    before, after = (s.margins(rounded(v))[rows] for v in (old, new))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = float(np.nanmax(np.where(before > 0, -after / before, 0.0), initial=0.0))
    # Both were rounded to a largest entry of about 1.
    K = Fraction(2) ** max(0, math.frexp(min(ratio, 1e300))[1] + 1) * max(map(abs, new)) / max(map(abs, old))
    while True:
        s.seconds_left()
        v = [K * a + b for a, b in zip(old, new, strict=True)]
        if (s.signs(v, None, rows) > 0).all():
            return v
        K *= 2**64
