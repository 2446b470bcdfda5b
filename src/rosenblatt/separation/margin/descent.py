"""The largest margin on many rows with many columns, in floats: coordinate descent, then conjugate gradients.

    minimise ½‖Σ β_i·z_i‖² − Σ β_i   subject to   β ≥ 0,   z_i = y_i·(x_i, ρ)

Coordinate descent (descent.hpp) soon finds which β are not 0, but takes long to tell them exactly. From then on it is a
linear system, K_FF·β_F = 1 on the rows F with β > 0, for the method of conjugate gradients (Hestenes and Stiefel 1952);
where that leaves β ≥ 0, descent goes on. With a free offset Σ β_i·y_i = 0 is asked for by the method of multipliers
(Hestenes 1969): the constraints become m_i ≥ 1 − y_i·b₀, and b₀ moves by ρ²·Σ β_i·y_i after each round.

What comes out is a proposal; hull.py and the exact margins say what it is worth.
"""

import math
from collections.abc import Callable

import numpy as np

from ... import _core
from ...data.csr import squared_lengths
from ..signed_rows import Floats, Ints
from ..watch import OutOfTimeError
from .corral import MarginProblem, Proposal

_EPOCHS = 50  # between looks at the gap
_STALE = 100  # rounds in which it did not fall by a tenth


def descend(q: MarginProblem, rel_gap: float, patience: int) -> Proposal | None:
    """Rows and multipliers whose bracket is about as narrow as asked, or the best when time runs out.

    None if no hyperplane separates after so many rounds.
    """
    search = _MarginDescent(q, rel_gap)
    try:
        while search.gap > rel_gap:
            if search.rounds >= patience and search.gap > 1:
                return None
            if search.rounds - search.progress > _STALE:
                break
            search.round()
    except OutOfTimeError:
        if search.gap > 1:
            raise
    return search.best


class _MarginDescent:
    """β, w and b on their way, and the best of them so far."""

    def __init__(self, q: MarginProblem, rel_gap: float) -> None:
        self.q, self.rel_gap, self.every = q, rel_gap, np.arange(q.s.n)
        self.beta, self.w, self.b = np.zeros(q.s.n), np.zeros(q.s.examples.n_columns), 0.0
        self.rho2 = _typical2(q) if q.free else float(q.rho2 or 0)
        self.centre = 0.0  # b₀
        self.rounds, self.steps, self.before = 0, 50, -1
        self.gap, self.progress, self.mark = math.inf, 0, math.inf
        self.best: Proposal | None = None

    def round(self) -> None:
        """Some epochs of descent; and once the rows settle down, conjugate gradients, more of them every time."""
        s, y, q = self.q.s, self.q.s.y, self.q
        side: Floats = 1.0 - y.astype(np.float64) * self.centre
        s.tell(f"descending, round {self.rounds + 1}", gap=self.gap if self.gap <= 1 else None)
        options = _core.DescentOptions(rho2=self.rho2, epochs=_EPOCHS, tolerance=1e-12, seed=self.rounds)
        self.b = _core.descend(s.rows, y, self.every, side, self.beta, self.w, self.b, options, s.watch.over)
        self.centre += self.b if q.free else 0.0
        self.rounds += 1
        F = np.flatnonzero(self.beta > 0)
        upper = self._look(F)
        if self.gap > self.rel_gap and abs(F.size - self.before) <= 0.01 * F.size:
            kept = self.beta, self.w, self.b, self.centre
            self.beta, offset = _polish(q, F, self.beta, self.steps)
            self.w = np.asarray(s.matrix.T @ (self.beta * y))
            self.b = self.rho2 * float(self.beta @ y)
            self.centre = offset if q.free else 0.0
            self.steps = min(2 * self.steps, 5_000)
            if not self._look(np.flatnonzero(self.beta > 0)) <= upper * (1 + 1e-9):
                self.beta, self.w, self.b, self.centre = kept  # dependent rows: there is nothing to solve
        self.before = F.size

    def _look(self, F: Ints) -> float:
        """Keep the best; the upper bound, which must not rise."""
        gap, b, upper = _gap(self.q, self.beta, self.w, self.centre if self.q.free else self.b)
        if gap < self.gap:
            self.gap, self.best = gap, Proposal(True, F, self.beta[F], self.w.copy(), b)
        if gap < 0.9 * self.mark:
            self.mark, self.progress = gap, self.rounds
        return upper


def _typical2(q: MarginProblem) -> float:
    """ρ² of the method of multipliers: that of a typical entry."""
    values = q.s.rows.arrays[0].reshape(-1)
    some = np.abs(values[:: max(1, values.size // 1000)]).astype(np.float64)
    middle = float(np.median(some[some > 0])) if (some > 0).any() else 1.0
    return middle * middle


def _gap(q: MarginProblem, beta: Floats, w: Floats, b: float) -> tuple[float, float, float]:
    """1 − margin/upper as floats see it (above 1 while nothing separates), the offset to go with w, and upper."""
    s = q.s
    m = s.margins(w if s.origin else np.append(w, b))
    if q.free:
        # The offset that puts the nearest rows of both classes at one distance.
        shift = float(m[s.y < 0].min() - m[s.y > 0].min()) / 2
        b, m = b + shift, m + s.y * shift
        sums = float(beta[s.y > 0].sum()), float(beta[s.y < 0].sum())
        if min(sums) <= 0:
            return math.inf, b, math.inf
        alpha = np.where(s.y > 0, beta / sums[0], beta / sums[1]) / 2
        upper, length = float(np.linalg.norm(s.matrix.T @ (alpha * s.y))), float(np.linalg.norm(w))
    else:
        rho2 = float(q.rho2 or 0)
        total = float(beta.sum())
        upper = math.hypot(float(np.linalg.norm(w)), q.rho * float(beta @ s.y)) / total if total > 0 else math.inf
        length = math.hypot(float(np.linalg.norm(w)), b / q.rho if rho2 else 0.0)
    lower = float(m.min()) / length if length > 0 else -math.inf
    return (1 - lower / upper if lower > 0 else 2.0), b, upper


def _polish(q: MarginProblem, F: Ints, beta: Floats, steps: int) -> tuple[Floats, float]:
    """β with all rows of F on the margin but those for which it would be < 0, and the offset if it is free."""
    found, offset, start = np.zeros(q.s.n), 0.0, beta[F]
    for _ in range(5):
        goal, offset = _on_the_margin(q, F, start, steps)
        if not (goal > 0).any():
            return beta.copy(), offset
        if (goal > 0).all():
            break
        F, start = F[goal > 0], goal[goal > 0]
    found[F] = np.maximum(goal, 0.0) if goal.size == F.size else start
    return found, offset


def _on_the_margin(q: MarginProblem, F: Ints, start: Floats, steps: int) -> tuple[Floats, float]:
    """β of whatever sign with all rows of F on the margin, and the offset if it is free."""
    s = q.s
    y = s.y[F].astype(np.float64)
    Z = s.matrix[F].astype(np.float64)
    rho2 = 0.0 if q.free else float(q.rho2 or 0)
    diagonal = squared_lengths(Z) + rho2
    diagonal[diagonal == 0] = 1.0  # rows of zeros

    def apply(a: Floats) -> Floats:
        signed = y * a
        return np.asarray(y * (Z @ (Z.T @ signed) + rho2 * float(signed.sum())))

    goal = _conjugate(q, apply, diagonal, np.ones(F.size), start, steps)
    if not q.free:
        return goal, 0.0
    # K·β + b·y = 1 and y·β = 0: two systems with one matrix.
    c = _conjugate(q, apply, diagonal, y, np.zeros(F.size), steps)
    along = float(y @ c)
    offset = float(y @ goal) / along if along else 0.0
    return goal - offset * c, offset


def _conjugate(
    q: MarginProblem, apply: Callable[[Floats], Floats], diagonal: Floats, side: Floats, x: Floats, steps: int
) -> Floats:
    """K⁻¹·side by conjugate gradients with a diagonal preconditioner."""
    x = x.copy()
    r = side - apply(x)
    z = r / diagonal
    p, rz = z, float(r @ z)
    for _ in range(steps):
        if float(np.abs(r).max()) <= 1e-10:
            break
        q.s.seconds_left()
        Kp = apply(p)
        curvature = float(p @ Kp)
        if not curvature > 1e-13 * float(p @ (diagonal * p)):
            break  # dependent rows: no one solution
        step = rz / curvature
        x += step * p
        r -= step * Kp
        z = r / diagonal
        rz, last = float(r @ z), rz
        p = z + (rz / last) * p
    return x
