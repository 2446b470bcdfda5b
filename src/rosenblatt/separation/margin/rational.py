"""The largest margin in rationals: the dual active set method of corral.hpp, in exact numbers.

From rows that floats propose, or from any. Rows on the margin with β > 0 are independent; a row that lies below it
comes in, and rows whose β falls to 0 on the way leave (Goldfarb and Idnani 1983). It ends: there are finitely many such
sets of rows, and the length of w grows from one to the next. A row that depends on the others, none of which gives way,
makes a witness with them: there is no margin.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpz, fmpz_mat

from ...data.float64 import UNIT_ROUNDOFF
from ..exact import fraction, independent, odd_parts, rounded
from ..lifting import Solved, solve_whole
from ..signed_rows import LIMB_BITS, Ints, SignedRows, Vector, exact_dot
from .corral import MarginProblem

_FEW = 60  # rows for which FLINT solves the system in hundredths of a second; of more, with looks at the watch
MOST_ROWS = 150  # on the margin, for which the system is soon solved


@dataclass(frozen=True)
class Dependence:
    """Rows and α > 0 with Σ α·z = 0: there is no margin to be had."""

    rows: Ints
    alpha: Vector


@dataclass(frozen=True)
class Optimum:
    """The rows on the margin with β > 0, those β, and (w, b), exactly; the largest margin is 1/√(Σ β)."""

    rows: Ints
    beta: Vector
    v: Vector

    @property
    def margin2(self) -> Fraction:
        """The largest margin, squared."""
        return 1 / sum(self.beta, Fraction(0))


def exact_optimum(q: MarginProblem, hint: Sequence[int]) -> Optimum | Dependence:
    """The optimum in rationals, from rows that may be right."""
    begun = _start(q, list(hint))
    if isinstance(begun, Dependence):
        return begun
    S, beta, v = begun
    while True:
        p = _row_below_margin(q, S, v)
        if p is None:
            order = sorted((i for i in range(len(S)) if beta[i] > 0), key=lambda i: S[i])
            return Optimum(np.array([S[i] for i in order]), [beta[i] for i in order], v)
        # p comes onto the margin; rows whose multiplier falls to 0 on the way leave.
        m = exact_dot(q.s.z([p])[0], v)
        while True:
            q.s.seconds_left()
            r, h2 = _direction(q, S, p)
            full = (1 - m) / h2 if h2 else None
            first, leaving = min(
                ((u / step, i) for i, (u, step) in enumerate(zip(beta, r, strict=True)) if step > 0), default=(None, -1)
            )
            if first is None and full is None:
                alpha = {S[i]: -step for i, step in enumerate(r) if step < 0} | {p: Fraction(1)}
                rows = sorted(alpha)
                return Dependence(np.array(rows), [alpha[i] for i in rows])
            if full is not None and (first is None or full <= first):
                S.append(p)
                break
            assert first is not None
            m += first * h2
            beta = [u - first * step for u, step in zip(beta, r, strict=True)]
            del S[leaving], beta[leaving]
        solved = _solve(q, S)
        assert solved is not None, "rows on the margin are independent"
        beta, v = solved


def optimum_on(q: MarginProblem, rows: Ints) -> Optimum:
    """The optimum in rationals, of rows that are known to be right."""
    solved = _solve(q, rows.tolist())
    assert solved is not None
    order = np.argsort(rows)
    return Optimum(rows[order], [solved[0][i] for i in order], solved[1])


def _start(q: MarginProblem, S: list[int]) -> tuple[list[int], Vector, Vector] | Dependence:
    """Independent rows among these, with β > 0; a witness if the rows to begin with are one already."""
    s = q.s
    while True:
        s.seconds_left()
        if q.free and np.unique(s.y[S]).size < 2:
            S = [int(np.flatnonzero(s.y > 0)[0]), int(np.flatnonzero(s.y < 0)[0])]
        elif not S:
            S = [0]
        solved = _solve(q, S)
        if solved is None:
            if len(S) == 1 + q.free:  # a point with both labels, or a row of zeros
                return Dependence(np.array(sorted(S)), [Fraction(1)] * len(S))
            kept = independent(_whole(s, S, with_label=not s.origin)[0])
            S = [S[i] for i in kept] if len(kept) < len(S) else S[:1]
            continue
        beta, v = solved
        if min(beta) > 0:
            return S, beta, v
        S = [row for row, u in zip(S, beta, strict=True) if u > 0]


def _whole(s: SignedRows, rows: Sequence[int], with_label: bool = False) -> tuple[list[list[int]], int]:
    """y·x of these rows (and y, in a last column) as whole numbers N, and e: they count 2^e."""
    X = s.matrix[list(rows)]
    table = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64) * s.y[list(rows), None]
    odd, powers = odd_parts(table)
    e = int(powers[odd != 0].min(initial=0 if with_label or not odd.any() else 10**6))
    shifts = (np.where(odd != 0, powers, e) - e).tolist()
    N = [[v << k for v, k in zip(row, shift, strict=True)] for row, shift in zip(odd.tolist(), shifts, strict=True)]
    if with_label:
        N = [[*row, int(label) << -e] for row, label in zip(N, s.y[list(rows)].tolist(), strict=True)]
    return N, e


def _gram(q: MarginProblem, rows: Sequence[int]) -> tuple[fmpz_mat, fmpz_mat, int, int]:
    """N, D·K, D and e: y·x of these rows counts 2^e as N does, K counts 4^e, and D is the denominator of ρ² there."""
    N, e = _whole(q.s, rows)
    table = fmpz_mat(len(N), len(N[0]), [v for row in N for v in row])
    rho2 = (q.rho2 or Fraction(0)) / Fraction(4) ** e
    P, D = fmpz(rho2.numerator), fmpz(rho2.denominator)
    K = table * table.transpose() * D
    if P:
        y = fmpz_mat(len(N), 1, q.s.y[list(rows)].tolist())
        K = K + y * y.transpose() * P
    return table, K, int(D), e


def _bordered(q: MarginProblem, K: fmpz_mat, rows: Sequence[int], side: list[int]) -> Solved | None:
    """K (bordered by y, if the offset is free) solved for this right side; None if it is singular."""
    k, y = len(rows), q.s.y[list(rows)].tolist()
    entries = [[int(K[i, j]) for j in range(k)] for i in range(k)]
    if q.free:
        entries = [[*row, y[i]] for i, row in enumerate(entries)] + [[*y, 0]]
    size = len(entries)
    if size > _FEW and (found := solve_whole(entries, [side], q.s.seconds_left)) is not None:
        return found[0]
    try:
        x: Any = fmpz_mat(size, size, [v for row in entries for v in row]).solve(fmpz_mat(size, 1, side))
    except ZeroDivisionError:
        return None
    numerators, common = x.numer_denom()
    return Solved([int(numerators[i, 0]) for i in range(size)], int(common))


def _solve(q: MarginProblem, rows: Sequence[int]) -> tuple[Vector, Vector] | None:
    """β and (w, b) with all these rows on the margin; None if that is not one hyperplane."""
    (table, K, D, e), k = _gram(q, rows), len(rows)
    # D·K·β = D·1, all in units of 2^e: w there is Σ β·N, and here 2^-e times that; β here is 4^-e times the β there.
    x = _bordered(q, K, rows, [D] * k + [0] * q.free)
    if x is None:
        return None
    numerators, size = x
    top = fmpz_mat(k, 1, numerators[:k])
    w = table.transpose() * top
    unit = Fraction(2) ** -e
    beta = [Fraction(int(top[i, 0]), size) * unit * unit for i in range(k)]
    v = [Fraction(int(w[j, 0]), size) * unit for j in range(w.nrows())]
    if q.s.origin:
        return beta, v
    if q.free:
        # D = 1 here, so the border is in its own units.
        return beta, [*v, Fraction(numerators[k], size)]
    y = q.s.y[list(rows)].tolist()
    return beta, [*v, q.rho2 * sum((u * label for u, label in zip(beta, y, strict=True)), Fraction(0))]  # type: ignore[operator]


def _direction(q: MarginProblem, S: list[int], p: int) -> tuple[Vector, Fraction]:
    """How fast each β falls as that of p rises, and how fast the margin of p rises."""
    k = len(S)
    _, K, D, e = _gram(q, [*S, p])
    g = [int(K[i, k]) for i in range(k)]
    x = _bordered(q, K, S, g + [int(q.s.y[p])] * q.free)
    assert x is not None, "rows on the margin are independent"
    r = [fmpq(top, x.denominator) for top in x.numerators[:k]]
    h2 = fmpq(K[k, k]) - sum((step * fmpz(v) for step, v in zip(r, g, strict=True)), fmpq(0))
    if q.free:
        h2 -= fmpq(x.numerators[k], x.denominator) * int(q.s.y[p])
    return [fraction(step) for step in r], fraction(h2 / D) * Fraction(4) ** e


def _row_below_margin(q: MarginProblem, S: list[int], v: Vector) -> int | None:
    """The row that lies farthest below a margin of 1, if one does."""
    s, near = q.s, rounded(v)
    j = int(np.abs(near).argmax())
    level = Fraction(float(near[j])) / v[j] if v[j] else Fraction(1)  # what 1 is for the rounded weights, nearly
    m = np.nan_to_num(s.margins(near), nan=0.0)
    one = float(level) if level < Fraction(10) ** 300 else math.inf
    slack = s.slack(near) + 4 * UNIT_ROUNDOFF * one
    m[S] = np.inf
    if one < math.inf and (sure := m < one - slack).any():
        return int(np.where(sure, m, np.inf).argmin())
    doubtful = np.flatnonzero(~(m > one + slack))
    common = fmpz(1)
    for x in v:
        common = common.lcm(fmpz(x.denominator))
    whole = [int(x * int(common)) for x in v]
    if max(map(int.bit_length, [*whole, int(common)])) < LIMB_BITS:
        low = doubtful[s.signs_at(v, doubtful, Fraction(1)) < 0]
        return int(low[m[low].argmin()]) if low.size else None
    for first in range(0, doubtful.size, 1000):
        some = doubtful[first : first + 1000]
        s.seconds_left()
        N, e = _whole(s, some.tolist(), with_label=not s.origin)
        products = fmpz_mat(len(N), len(v), [a for row in N for a in row]) * fmpz_mat(len(v), 1, whole)
        wrong = [i for i in range(some.size) if Fraction(int(products[i, 0])) * Fraction(2) ** e < int(common)]
        if wrong:
            return int(some[min(wrong, key=lambda i: m[some[i]])])
    return None
