"""The rows on the margin of the best hyperplane, and how to know that they are the right ones.

    minimise ½‖w‖² (with an offset of scale ρ: ½(‖w‖² + b²/ρ²))   subject to   m_i = y_i·(w·x_i + b) ≥ 1

The optimum is w = Σ β_i·y_i·x_i with β ≥ 0, and m_i = 1 wherever β_i > 0; with a free offset Σ β_i·y_i = 0, else
b = ρ²·Σ β_i·y_i. Once it is known which rows S have β > 0, the rest is one linear system, whose numbers are rational:

    K_SS·β = 1,  K_ij = y_i·y_j·(x_i·x_j + ρ²);   with a free offset  K_ij = y_i·y_j·x_i·x_j, bordered by y

If then β ≥ 0 on S and m ≥ 1 on all rows, S is right, no hyperplane has a larger margin, and that margin is 1/√(Σ β).
Here the compiled core proposes S in floats (corral.hpp; a corral is Wolfe's word, 1976, for rows that hold the nearest
point between them). It is confirmed by an enclosure of β (enclosure.py), and where floats cannot tell, in rationals
(rational.py).
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ... import _core
from ..signed_rows import Floats, Ints, SignedRows

_MANY = 100_000  # numbers the core looks through at every step; of more, a working set


@dataclass(frozen=True)
class MarginProblem:
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

    def per_rho(self, b: float) -> float:
        """The part of an offset in the length that is minimised, b/ρ."""
        return b / self.rho if self.rho2 else 0.0


@dataclass(frozen=True)
class Proposal:
    """What floats propose: rows, β, w and b; `rows` may be those of a witness, if `separable` is False."""

    separable: bool
    rows: Ints
    beta: Floats
    w: Floats
    b: float


@dataclass
class _Best:
    """Of hyperplanes that are the best for some of the rows, the one with the largest margin on all of them."""

    proposal: Proposal | None = None
    lower: float | None = None
    upper: float | None = None

    def offer(self, one: Proposal, least: float, length: float) -> None:
        """`least` is the smallest m of all rows; those it was made for have 1, so that no margin exceeds 1/`length`."""
        if length > 0:
            self.upper = min(self.upper or math.inf, 1 / length)
        if length > 0 and least > 0 and least / length > (self.lower or 0.0):
            self.proposal, self.lower = one, least / length


def propose(q: MarginProblem, rows: _core.Rows) -> Proposal:
    """The rows on the margin in floats, from a working set that grows by rows that lie wrongly (cutting planes)."""
    s, hint, best = q.s, np.empty(0, dtype=np.int64), _Best()
    which = np.arange(s.n) if s.n * (rows.d + 1) <= _MANY else s.starting_rows()
    steps, patience = 200 + 20 * rows.d, 20
    while True:
        s.tell(
            f"looking for the rows on the margin among {which.size:,} of {s.n:,}", lower=best.lower, upper=best.upper
        )
        status, hint, beta, w, b = _core.corral(rows, s.y, which, q.free, q.rho, hint, steps, s.watch.over)
        if s.watch.over() and status != "inseparable" and best.proposal is not None:
            return best.proposal
        s.seconds_left()
        if status == "inseparable":
            return Proposal(False, hint, beta, w, b)
        if status == "stopped" and patience:
            patience -= 1
            continue
        if which.size == s.n:
            return Proposal(True, hint, beta, w, b)
        found, *_ = _core.scores(rows, w[:, None], np.array([b]), s.threads)
        m = found[:, 0] * s.y
        best.offer(Proposal(True, hint, beta, w, b), float(m.min()), math.hypot(np.linalg.norm(w), q.per_rho(b)))
        new = s.violating(m, m < 1 - 1e-9, which)
        if new.size == 0:
            return Proposal(True, hint, beta, w, b)
        which = np.concatenate([which, new])
