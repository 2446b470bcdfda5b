"""MarginBracket: what a run alone proves about γ′*, the best margin its data have in the augmented space.

A run is a primal–dual method. **From below**: the margin its own weights reach, min m/‖w′‖. **From above** (law 9): an
update adds τ·y·x′, so the sums α of τ per row make a point of the hull of the signed rows, p = Σ α_i·y_i·x′_i / Σ α_i,
and every unit u has min_i y_i·u·x′_i ≤ u·p ≤ ‖p‖. The bound holds for any α ≥ 0, so rounding α costs nothing; what is
computed from it is rounded outward.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..data.float64 import UNIT_ROUNDOFF
from ..data.scans import chunk_matrices
from ..data.source import CHUNK, Source
from ..report.html_cards import bracket_card
from ..report.laws import bracket_text
from ..report.plain import finite
from .trajectory import Floats, Ints, Pair, Trajectory, margins_of

_TINY = 1e-300  # more than gradual underflow can lose in any of the sums below


@dataclass(frozen=True, eq=False)
class MarginBracket:
    """Bounds lower ≤ γ′* ≤ upper on γ′* = max over unit u of min y·u·x′, above 0 if and only if the rows are separable.

    Both hold for the numbers as stored, whatever was rounded on the way.

    lower, readout
        The best margin of what the run can read out, and which readout has it.
    upper, rows, rivals, multipliers
        ‖Σ α·y·x′‖/Σα; the rows with α > 0 and these α, a witness of it, if the run kept a log (else None). Of the
        direct perceptron, which has one joint space for all classes, each row with the rival class it was mistaken
        with.
    scaled
        Whether they bound the best margin of the scaled rows, which the run learnt from.
    """

    lower: float
    upper: float
    readout: str
    rows: Ints | None
    rivals: Ints | None
    multipliers: Floats | None
    scaled: bool = False

    def to_dict(self, most: int = 1000) -> dict[str, Any]:
        """It in plain values, with at most so many rows of the witness, the largest multipliers first."""
        witness = None
        if self.rows is not None and self.multipliers is not None:
            order = np.argsort(-self.multipliers, kind="stable")[:most].tolist()
            witness = [
                {
                    "row": int(self.rows[i]),
                    "rival": None if self.rivals is None else int(self.rivals[i]),
                    "multiplier": float(self.multipliers[i]),
                }
                for i in order
            ]
        return {
            "lower": finite(self.lower),
            "upper": finite(self.upper),
            "readout": self.readout,
            "scaled": self.scaled,
            "witness": witness,
            "witness_rows": None if self.rows is None else int(self.rows.size),
        }

    def summary(self) -> str:
        """The same in words, at most 80 characters wide."""
        return "\n".join(bracket_text(self.to_dict()))

    def _repr_html_(self) -> str:
        return bracket_card(self.to_dict())

    def __repr__(self) -> str:
        of = " of the scaled rows" if self.scaled else ""
        return f"<MarginBracket: {self.lower:.6g} <= best augmented margin{of} <= {self.upper:.6g}>"


# Numbers that leave float64 are asked for where they matter.
_quiet = np.errstate(over="ignore", invalid="ignore", under="ignore")


@_quiet
def lower_margin(source: Source, weights: Pair, rho2: float, output: int | None) -> float:
    """The smallest margin of these weights in the augmented space, rounded down; −inf if they are all zero.

    A computed score is off by at most (d + 3) roundings of the absolute sum of its terms, Σ|w_j·x_j| + |b|, which is at
    most ‖w‖₁·max|x_j| + |b|.
    """
    W, b = weights
    short, long = length_between(W, b / math.sqrt(rho2) if rho2 else b)
    if not 0 < short <= long < math.inf:
        return -math.inf
    least = math.inf
    terms, offset = float(np.abs(W).sum(axis=0).max()), float(np.abs(b).max())
    for _, X, labels in chunk_matrices(source):
        block = X.astype(np.float64)
        margins = margins_of(np.asarray(block @ W) + b, labels, output)
        # Twice, because of K outputs two scores make a margin.
        slack = 2 * (W.shape[0] + 8) * UNIT_ROUNDOFF * (terms * float(abs(block).max()) + offset) * 1.01 + _TINY
        if not np.isfinite(margins).all():
            return -math.inf
        least = min(least, float(margins.min()) - slack)
    return math.nextafter(least / (long if least > 0 else short), -math.inf)


@_quiet
def upper_margin(path: Trajectory, updates: int) -> tuple[float, Ints, Ints | None, Floats]:
    """‖p‖ rounded up, for the multipliers of the trajectory's first updates; their rows, rivals and α.

    inf if there is none, or if some stepped back (τ < 0).
    """
    step = path.step[:updates]
    nothing = math.inf, np.empty(0, np.int64), None, np.empty(0)
    if step.size == 0 or (step < 0).any():
        return nothing
    # The rows of the hull: where K outputs move together, a row counts once for each rival it was mistaken with.
    rival = np.zeros(path.row.size, np.int64) if path.rival is None else path.rival
    keys = np.column_stack([path.row, rival])[:updates]
    distinct, firsts, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    alpha: Floats = np.bincount(which.reshape(-1), weights=step).astype(np.float64)
    # Rounded down: n terms, n roundings.
    total = float(alpha.sum()) * (1 - 2 * (alpha.size + 2) * UNIT_ROUNDOFF)
    if not 0 < total < math.inf:
        return nothing
    W, size = np.zeros(path.start[0].shape), np.zeros(path.start[0].shape)
    offset, offset_size = np.zeros(path.start[1].size), np.zeros(path.start[1].size)
    for first in range(0, alpha.size, CHUNK):
        block = slice(first, first + CHUNK)
        X = path.rows_at(distinct[block, 0])
        code = np.concatenate([path.code(slice(i, i + 1)) for i in firsts[block]]) * alpha[block, None]
        W += X.T @ code
        size += abs(X).T @ np.abs(code)
        offset += code.sum(axis=0)
        offset_size += np.abs(code).sum(axis=0)
    W, offset = sum_at_most(W, size, alpha.size), sum_at_most(offset, offset_size, alpha.size)
    offset = offset * math.sqrt(path.rho2) * (1 + 4 * UNIT_ROUNDOFF)
    upper = length_between(W, offset)[1] / total * (1 + 8 * UNIT_ROUNDOFF)
    return math.nextafter(upper, math.inf), distinct[:, 0], None if path.rival is None else distinct[:, 1], alpha


def sum_at_most(total: Floats, size: Floats, terms: int) -> Floats:
    """|Σ|, rounded up, of sums of so many terms computed in floats; `size` are the sums of absolute terms.

    Each is off by at most (terms + 2) roundings of its absolute terms, and by what gradual underflow loses.
    """
    return np.abs(total) + (terms + 8) * UNIT_ROUNDOFF * 1.01 * size + _TINY


def length_between(W: Floats, b: Floats) -> tuple[float, float]:
    """The length of (W, b), rounded down and up. Scaled, so that no square overflows or vanishes."""
    parts = np.append(W.reshape(-1), b)
    big = float(np.abs(parts).max())
    if not 0 < big < math.inf:
        return big, big
    length = big * math.sqrt(float(np.square(parts / big).sum()))
    rounding = 2 * (parts.size + 16) * UNIT_ROUNDOFF
    return length * (1 - rounding), length * (1 + rounding)
