"""That the rows on the margin are the right ones, shown in floats (Rump, "Verification methods", Acta Numerica 2010).

The conditions are those of corral.py: the linear system of these rows has β > 0, and all other rows have m > 1. Floats
know β only up to rounding; but an interval around each β that is sure to hold it is enough to tell.
"""

import math
from dataclasses import dataclass

import numpy as np

from ...data.float64 import UNIT_ROUNDOFF
from ..signed_rows import Floats, Ints
from .corral import MarginProblem


@dataclass(frozen=True, eq=False)
class Enclosure:
    """What Σ β lies between, and (w, b) and β in floats, of rows that are shown to be the right ones."""

    total: tuple[float, float]
    v: Floats
    beta: Floats


@np.errstate(over="ignore", invalid="ignore", under="ignore", divide="ignore")  # what is not finite is refused
def enclose(q: MarginProblem, rows: Ints) -> Enclosure | None:
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
    M, error = (X @ X.T + rho2) * np.outer(y, y), (d + 8) * UNIT_ROUNDOFF * (np.abs(X) @ np.abs(X).T + rho2) + 1e-290
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
    slack = 2 * (k + 6) * UNIT_ROUNDOFF
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
    off_w = (np.abs(X).T @ off_beta + 2 * (k + 4) * UNIT_ROUNDOFF * (np.abs(X).T @ beta)) * (1 + 1e-9) + 1e-290
    if q.free:
        b, off_b = unit * float(x[k]), unit * float(off[k])
    else:
        b = rho2 * float(beta @ y)
        off_b = rho2 * (float(off_beta.sum()) + 2 * (k + 4) * UNIT_ROUNDOFF * float(beta.sum())) * (1 + 1e-9)
    v: Floats = w if s.origin else np.append(w, b)
    spread: Floats = off_w if s.origin else np.append(off_w, off_b)
    m = s.margins(v)
    m[rows] = np.inf
    room = s.slack(v) + float(np.linalg.norm(off_w)) * s.radius * (1 + 1e-9) + off_b
    if (near := np.flatnonzero(~(m > 1 + 2 * room))).size:
        closer, slacks = s.enclosed(v, near, spread)
        if not (closer - slacks > 1).all():
            return None
    total, spare = float(beta.sum()), float(off_beta.sum()) * (1 + 1e-9) + 2 * k * UNIT_ROUNDOFF * float(beta.sum())
    return Enclosure((total - spare, total + spare), v, beta)
