"""The rows on the margin of the best hyperplane, and that they are the right ones: exactly.

    minimise ½‖w‖² (with an offset of scale ρ: ½(‖w‖² + b²/ρ²))   subject to   m_i = y_i·(w·x_i + b) ≥ 1

The optimum is w = Σ β_i·y_i·x_i with β ≥ 0, and m_i = 1 wherever β_i > 0; with a free offset Σ β_i·y_i = 0, else
b = ρ²·Σ β_i·y_i. Once it is known which rows S have β > 0, the rest is one linear system, whose numbers are rational:

    K_SS·β = 1,  K_ij = y_i·y_j·(x_i·x_j + ρ²);   with a free offset  K_ij = y_i·y_j·x_i·x_j, bordered by y

If then β ≥ 0 on S and m ≥ 1 on all rows, S is right, no hyperplane has a larger margin, and that margin is 1/√(Σ β).
The compiled core proposes S in floats (corral.hpp). It is confirmed by an enclosure of β (Rump, "Verification methods",
Acta Numerica 2010), and where floats cannot tell, in rationals, by the same dual method from there on. It ends: there
are finitely many S, and the length of w grows from one to the next.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpz, fmpz_mat

from ... import _core
from ..exact import fraction, independent, rounded
from ..signed_rows import Floats, Ints, SignedRows, Vector

MOST_ROWS = 150  # on the margin, for which the system is solved in rationals
_UNIT = 2.0**-53
_MANY = 100_000  # numbers the core looks through at every step; of more, a working set


@dataclass(frozen=True)
class Witness:
    """Rows and α > 0 with Σ α·z = 0: there is no margin to be had."""

    rows: Ints
    alpha: Vector


@dataclass(frozen=True)
class Proposal:
    """What floats propose: rows, β, w and b; `rows` may be those of a witness, if `separable` is False."""

    separable: bool
    rows: Ints
    beta: Floats
    w: Floats
    b: float


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


@dataclass(frozen=True)
class Question:
    """The rows, and what kind of offset: None for a free one, else ρ²."""

    s: SignedRows
    rho2: Fraction | None

    @property
    def free(self) -> bool:
        """Whether the offset has no part in the length that is minimised."""
        return self.rho2 is None

    @property
    def rho(self) -> float:
        """ρ, rounded; 0 of a free offset."""
        return math.sqrt(self.rho2 or 0)


def propose(q: Question, rows: _core.Rows) -> Proposal:
    """The rows on the margin in floats, from a working set that grows by rows that lie wrongly (cutting planes)."""
    s, hint = q.s, np.empty(0, dtype=np.int64)
    which = np.arange(s.n) if s.n * (rows.d + 1) <= _MANY else s.some()
    steps, patience = 200 + 20 * rows.d, 20
    while True:
        status, hint, beta, w, b, _ = _core.corral(rows, s.y, which, q.free, q.rho, hint, steps, s.left())
        if status == "inseparable":
            return Proposal(False, hint, beta, w, b)
        if status == "stopped" and patience:
            patience -= 1
            continue
        if which.size == s.n:
            return Proposal(True, hint, beta, w, b)
        found, *_ = _core.scores(rows, w[:, None], np.array([b]), s.threads)
        m = found[:, 0] * s.y
        new = s.objecting(m, m < 1 - 1e-9, which)
        if new.size == 0:
            return Proposal(True, hint, beta, w, b)
        which = np.concatenate([which, new])


@dataclass(frozen=True, eq=False)
class Enclosure:
    """What Σ β lies between, and (w, b) in floats, of rows that are shown to be the right ones."""

    total: tuple[float, float]
    v: Floats


@np.errstate(over="ignore", invalid="ignore", under="ignore", divide="ignore")  # what is not finite is refused
def enclose(q: Question, rows: Ints) -> Enclosure | None:
    """The rows are the right ones: β > 0 on them and m > 1 on all others, if floats can show it; else None.

    The system M·x* = 1 (bordered by y if the offset is free) is known as M̃ ± E, E being what rounding may have done to
    the inner products. With B about M̃⁻¹ and any x,  x* − x = B·(1 − M·x) + (I − B·M)·(x* − x). So if every row sum of
    |I − B·M̃| + |B|·E is below ½, M is regular, and |x* − x| is at most twice max |B·(1 − M·x)|, entry by entry even
    less. Every product computed here is off by roundings of its own absolute terms, which are added on top.
    """
    s = q.s
    if not 1e-100 < s.radius < 1e100 or rows.size > 2000:
        return None
    X = s.matrix[rows]
    X = np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
    y, k, (_, d), rho2 = s.y[rows].astype(np.float64), rows.size, X.shape, float(q.rho2 or 0)
    M, error = (X @ X.T + rho2) * np.outer(y, y), (d + 8) * _UNIT * (np.abs(X) @ np.abs(X).T + rho2) + 1e-290
    side, unit = np.ones(k), 1.0
    if q.free:
        unit = 2.0 ** math.frexp(float(np.trace(M)) / k)[1]  # so that b/unit is about as large as β
        border = unit * y[:, None]
        M, side = np.block([[M, border], [border.T, np.zeros((1, 1))]]), np.append(side, 0.0)
        error = np.pad(error, (0, 1))
    try:
        B = np.linalg.inv(M)
    except np.linalg.LinAlgError:
        return None
    x = B @ side
    x = x + B @ (side - M @ x)
    slack = 2 * (k + 6) * _UNIT
    residual = np.abs(side - M @ x) + slack * (np.abs(M) @ np.abs(x) + side) + 2 * error @ np.abs(x)
    C = np.abs(np.eye(M.shape[0]) - B @ M) + slack * (np.abs(B) @ np.abs(M) + 1) + 2 * np.abs(B) @ error
    first = np.abs(B) @ residual * (1 + 1e-9)
    contraction = float(C.sum(axis=1).max()) * (1 + 1e-9)
    if not contraction < 0.5:
        return None
    off = first + C.sum(axis=1) * float(first.max()) / (1 - contraction) * (1 + 1e-9)
    beta, off_beta = x[:k], off[:k]
    if not (beta > off_beta).all():
        return None
    w = np.asarray(X.T @ (beta * y))
    off_w = (np.abs(X).T @ off_beta + 2 * (k + 4) * _UNIT * (np.abs(X).T @ beta)) * (1 + 1e-9) + 1e-290
    if q.free:
        b, off_b = unit * float(x[k]), unit * float(off[k])
    else:
        b = rho2 * float(beta @ y)
        off_b = rho2 * (float(off_beta.sum()) + 2 * (k + 4) * _UNIT * float(beta.sum())) * (1 + 1e-9)
    v: Floats = w if s.origin else np.append(w, b)
    spread: Floats = off_w if s.origin else np.append(off_w, off_b)
    m = s.margins(v)
    m[rows] = np.inf
    room = s.slack(v) + float(np.linalg.norm(off_w)) * s.radius * (1 + 1e-9) + off_b
    if (near := np.flatnonzero(~(m > 1 + 2 * room))).size:
        closer, slacks = s.enclosed(v, near, spread)
        if not (closer - slacks > 1).all():
            return None
    total, spare = float(beta.sum()), float(off_beta.sum()) * (1 + 1e-9) + 2 * k * _UNIT * float(beta.sum())
    return Enclosure((total - spare, total + spare), v)


def settle(q: Question, hint: Sequence[int]) -> Optimum | Witness:
    """The optimum in rationals, from rows that may be right."""
    begun = _start(q, list(hint))
    if isinstance(begun, Witness):
        return begun
    S, beta, v = begun
    while True:
        p = _objector(q, S, v)
        if p is None:
            order = sorted((i for i in range(len(S)) if beta[i] > 0), key=lambda i: S[i])
            return Optimum(np.array([S[i] for i in order]), [beta[i] for i in order], v)
        # p comes onto the margin; rows whose multiplier falls to 0 on the way leave.
        own, m = Fraction(0), _margin(q.s, p, v)
        while True:
            q.s.left()
            r, h2 = _direction(q, S, p)
            full = (1 - m) / h2 if h2 else None
            first, leaving = min(
                ((u / step, i) for i, (u, step) in enumerate(zip(beta, r, strict=True)) if step > 0), default=(None, -1)
            )
            if first is None and full is None:
                alpha = {S[i]: -step for i, step in enumerate(r) if step < 0} | {p: Fraction(1)}
                rows = sorted(alpha)
                return Witness(np.array(rows), [alpha[i] for i in rows])
            if full is not None and (first is None or full <= first):
                S.append(p)
                break
            assert first is not None
            own, m = own + first, m + first * h2
            beta = [u - first * step for u, step in zip(beta, r, strict=True)]
            del S[leaving], beta[leaving]
        solved = _solve(q, S)
        assert solved is not None, "rows on the margin are independent"
        beta, v = solved


def exactly(q: Question, rows: Ints) -> Optimum:
    """The optimum in rationals, of rows that are known to be right."""
    solved = _solve(q, rows.tolist())
    assert solved is not None
    order = np.argsort(rows)
    return Optimum(rows[order], [solved[0][i] for i in order], solved[1])


def _start(q: Question, S: list[int]) -> tuple[list[int], Vector, Vector] | Witness:
    """Independent rows among these, with β > 0; a witness if the rows to begin with are one already."""
    s = q.s
    while True:
        s.left()
        if q.free and np.unique(s.y[S]).size < 2:
            S = [int(np.flatnonzero(s.y > 0)[0]), int(np.flatnonzero(s.y < 0)[0])]
        elif not S:
            S = [0]
        solved = _solve(q, S)
        if solved is None:
            if len(S) == 1 + q.free:  # a point with both labels, or a row of zeros
                return Witness(np.array(sorted(S)), [Fraction(1)] * len(S))
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
    mantissas, exponents = np.frexp(table)
    whole, powers = np.ldexp(mantissas, 53).astype(np.int64), exponents.astype(np.int64) - 53
    # Trailing zeros cost time in every later step.
    twos = np.where(whole != 0, np.frexp((whole & -whole).astype(np.float64))[1] - 1, 0)
    whole, powers = whole >> twos, np.where(whole != 0, powers + twos, 0)
    e = int(powers[whole != 0].min(initial=0 if with_label or not whole.any() else 10**6))
    shifts = (np.where(whole != 0, powers, e) - e).tolist()
    N = [[v << k for v, k in zip(row, shift, strict=True)] for row, shift in zip(whole.tolist(), shifts, strict=True)]
    if with_label:
        N = [[*row, int(label) << -e] for row, label in zip(N, s.y[list(rows)].tolist(), strict=True)]
    return N, e


def _gram(q: Question, rows: Sequence[int]) -> tuple[fmpz_mat, fmpz_mat, int, int]:
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


def _bordered(q: Question, K: fmpz_mat, rows: Sequence[int], columns: list[list[int]]) -> Any:
    """K (bordered by y, if the offset is free) solved for these right sides; None if it is singular."""
    k, y = len(rows), q.s.y[list(rows)].tolist()
    entries = [[int(K[i, j]) for j in range(k)] for i in range(k)]
    if q.free:
        entries = [[*row, y[i]] for i, row in enumerate(entries)] + [[*y, 0]]
    size = len(entries)
    side = fmpz_mat(size, len(columns), [columns[c][i] for i in range(size) for c in range(len(columns))])
    try:
        return fmpz_mat(size, size, [v for row in entries for v in row]).solve(side)
    except ZeroDivisionError:
        return None


def _solve(q: Question, rows: Sequence[int]) -> tuple[Vector, Vector] | None:
    """β and (w, b) with all these rows on the margin; None if that is not one hyperplane."""
    (table, K, D, e), k = _gram(q, rows), len(rows)
    # D·K·β = D·1, all in units of 2^e: w there is Σ β·N, and here 2^-e times that; β here is 4^-e times the β there.
    x = _bordered(q, K, rows, [[D] * k + [0] * q.free])
    if x is None:
        return None
    numerators, common = x.numer_denom()
    top = fmpz_mat(k, 1, [numerators[i, 0] for i in range(k)])
    w = table.transpose() * top
    unit, size = Fraction(2) ** -e, int(common)
    beta = [Fraction(int(top[i, 0]), size) * unit * unit for i in range(k)]
    v = [Fraction(int(w[j, 0]), size) * unit for j in range(w.nrows())]
    if q.s.origin:
        return beta, v
    if q.free:
        # D = 1 here, so the border is in its own units.
        return beta, [*v, Fraction(int(numerators[k, 0]), size)]
    y = q.s.y[list(rows)].tolist()
    return beta, [*v, q.rho2 * sum((u * label for u, label in zip(beta, y, strict=True)), Fraction(0))]  # type: ignore[operator]


def _direction(q: Question, S: list[int], p: int) -> tuple[Vector, Fraction]:
    """How fast each β falls as that of p rises, and how fast the margin of p rises."""
    k = len(S)
    _, K, D, e = _gram(q, [*S, p])
    g = [int(K[i, k]) for i in range(k)]
    x = _bordered(q, K, S, [g + [int(q.s.y[p])] * q.free])
    r = [fmpq(x[i, 0]) for i in range(k)]
    h2 = fmpq(K[k, k]) - sum((step * fmpz(v) for step, v in zip(r, g, strict=True)), fmpq(0))
    if q.free:
        h2 -= fmpq(x[k, 0]) * int(q.s.y[p])
    return [fraction(step) for step in r], fraction(h2 / D) * Fraction(4) ** e


def _margin(s: SignedRows, row: int, v: Vector) -> Fraction:
    z = s.z([row])[0].tolist()
    return sum((Fraction(a) * x for a, x in zip(z, v, strict=True) if a), Fraction(0))


def _objector(q: Question, S: list[int], v: Vector) -> int | None:
    """The row that lies farthest below a margin of 1, if one does."""
    s, near = q.s, rounded(v)
    j = int(np.abs(near).argmax())
    level = Fraction(float(near[j])) / v[j] if v[j] else Fraction(1)  # what 1 is for the rounded weights, nearly
    m = np.nan_to_num(s.margins(near), nan=0.0)
    one = float(level) if level < Fraction(10) ** 300 else math.inf
    slack = s.slack(near) + 4 * _UNIT * one
    m[S] = np.inf
    if one < math.inf and (sure := m < one - slack).any():
        return int(np.where(sure, m, np.inf).argmin())
    doubtful = np.flatnonzero(~(m > one + slack))
    for first in range(0, doubtful.size, 1000):
        some = doubtful[first : first + 1000]
        s.left()
        N, e = _whole(s, some.tolist(), with_label=not s.origin)
        common = fmpz(1)
        for x in v:
            common = common.lcm(fmpz(x.denominator))
        side = fmpz_mat(len(v), 1, [int(x * int(common)) for x in v])
        products = fmpz_mat(len(N), len(v), [a for row in N for a in row]) * side
        low = [i for i in range(some.size) if Fraction(int(products[i, 0])) * Fraction(2) ** e < int(common)]
        if low:
            return int(some[min(low, key=lambda i: m[some[i]])])
    return None
