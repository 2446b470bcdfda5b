"""The boundary from one witness to the next: rows beyond the span of those that are known to lie on it.

The rows U of a witness lie on every weak separator, so that is orthogonal to their span. Modulo that span the question
is the first one again, in fewer dimensions: a v that is 0 on the span and strict on all rows beyond it ends the search,
or there is a witness there, whose rows join U (facial reduction; Borwein and Wolkowicz 1981). Once U spans all rows
that are left, g + Σ_U δ·z = 0 has solutions δ ≥ 0: floats say which of them are 0 in one, and the others' are solved
exactly (combinations.py). Floats propose everything here; None where they fail, and linear programs take over.
"""

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..data.csr import Csr
from .active_rows import ActiveRows
from .combinations import combination, independent_rows
from .exact import rounded
from .lp import column_scale, scaled, solution
from .signed_rows import Floats, Ints, SignedRows, Vector

_SPAN = 1e-9  # what is left of a row, beside its length, if it lies in the span
_MOST = 12  # rows of δ that may be free, and witnesses that are looked for one after the other


class Beyond(NamedTuple):
    """What lies beyond the span of U: a direction that is strict on all of it, or the rows of a further witness."""

    near: Floats | None
    rows: Ints


def beyond(s: SignedRows, T: NDArray[np.bool_], U: Ints) -> Beyond | None:
    """Cutting planes modulo the span of U, in floats; None if that comes to nothing."""
    working = s.starting_rows()
    working = working[T[working]]
    if working.size == 0:
        return None
    table = s.z(np.concatenate([U, working]))
    scale = column_scale(table)
    kept = independent_rows(table[: U.size])
    if len(kept) == s.d:
        return None
    span = np.linalg.qr(scaled(table[kept], scale).T)[0].T
    active, rows = ActiveRows(s, np.zeros(s.d, dtype=np.int64)), working[:0]
    for _ in range(_MOST * 4):
        some = scaled(s.z(working), scale)
        left = some - (some @ span.T) @ span
        outside = np.linalg.norm(left, axis=1) > _SPAN * np.linalg.norm(some, axis=1)
        active.add(left[outside])
        rows = np.concatenate([rows, working[outside]])
        if rows.size == 0:
            return None
        proposal = active.solve()
        if proposal.v is None:
            return Beyond(None, rows[proposal.rows]) if proposal.rows.size else None
        v = np.array([float(x) for x in proposal.v])
        near = rounded([Fraction(x) / Fraction(2) ** e for x, e in zip(v.tolist(), scale.tolist(), strict=True)])
        m = s.margins(near)
        m[~T] = np.inf
        working = s.violating(m, m < -1e-7 * float(np.abs(m[T]).max()), rows)
        if working.size == 0:
            return Beyond(near, rows[proposal.rows])
    return None


def spanned_balance(s: SignedRows, U: Ints, g: Vector) -> dict[int, Fraction] | None:
    """δ ≥ 0 on rows of U with g + Σ δ·z = 0: a vertex of the few solutions there are; None where floats find none."""
    if not any(g):
        return {}
    table = s.z(U)
    scale = column_scale(table)
    some = scaled(table, scale)
    side = rounded([-x / Fraction(2) ** e for x, e in zip(g, scale.tolist(), strict=True)])
    kept = independent_rows(table)
    others = np.setdiff1d(np.arange(U.size), kept)
    if not 0 < others.size <= _MOST:
        return None
    s.seconds_left()
    across, upper = np.linalg.qr(some[kept].T)
    try:
        # What is too near to singular overflows, and is found out below.
        solved = np.linalg.solve(upper, across.T @ np.column_stack([side, some[others].T]))
    except np.linalg.LinAlgError:
        return None
    x, free = np.zeros(U.size), np.zeros((U.size, others.size))
    x[kept], free[kept], free[others] = solved[:, 0], -solved[:, 1:], np.eye(others.size)
    largest = float(np.abs(x).max())
    if not 0 < largest < np.inf or not np.abs(some.T @ x - side).max() <= 1e-6 * np.abs(side).max():
        return None  # g is not in the span
    at = _vertex(s, x / largest, free)
    if at is None:
        return None
    s.tell(f"solving for the multipliers of {at.size:,} rows")
    delta = combination(table[at], [-a for a in g], s.seconds_left)
    if delta is None or min(delta) < 0:
        return None
    return {int(U[i]): value for i, value in zip(at, delta, strict=True) if value}


def _vertex(s: SignedRows, x: Floats, free: Floats) -> Ints | None:
    """The rows that are not 0 at a vertex of x + free·t ≥ 0."""
    k, few = free.shape
    low, high = -x, np.full(k, np.inf)
    found = solution(free.sum(axis=0), Csr.of(free), (low, high), s.seconds_left, few)
    if found is None:
        return None
    return np.sort(np.argsort(x + free @ found.x, kind="stable")[few:])
