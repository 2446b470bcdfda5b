"""A witness that spans all columns: d + 1 rows with Σ α_i·z_i = 0, α > 0, and d of them independent.

Then every vector is a combination of them with weights ≥ 0, because any multiple of α may be added to weights of any
sign. So the data overlap, and what proves it, δ ≥ 0 with g + Σ δ_i·z_i = 0, is one linear system: floats say which of
the d + 1 rows gets δ = 0 (a ratio test), and the others' are solved exactly.
"""

from fractions import Fraction

import numpy as np

from .combinations import combination
from .exact import rounded
from .lp import column_scale, scaled
from .signed_rows import Floats, Ints, SignedRows, Vector


def balance_of(s: SignedRows, witness: tuple[Ints, Vector], g: Vector) -> dict[int, Fraction] | None:
    """δ ≥ 0 on rows of the witness with g + Σ δ·z = 0; None if it does not span all columns."""
    rows, alpha = witness
    if rows.size != s.d + 1:
        return None
    table = s.z(rows)
    out = _ratio_test(table, g)
    for _ in range(2):
        some = np.delete(np.arange(rows.size), out)
        x = combination(table[some], [-a for a in g], s.seconds_left)
        if x is None:
            return None
        if min(x) >= 0:
            return {int(rows[i]): value for i, value in zip(some, x, strict=True) if value}
        # Floats were wrong: the same test in rationals.
        weights = [Fraction(0)] * rows.size
        for i, value in zip(some, x, strict=True):
            weights[i] = value
        out = max(range(rows.size), key=lambda i: -weights[i] / alpha[i])
    return None


def _ratio_test(table: Floats, g: Vector) -> int:
    """The row whose multiplier is 0 when all others' are ≥ 0, in floats; any row if they fail."""
    scale = column_scale(table)
    some = scaled(table, scale)
    side = rounded([x / Fraction(2) ** e for x, e in zip(g, scale.tolist(), strict=True)])
    try:
        found = np.linalg.solve(some[:-1].T, -np.column_stack([some[-1], side]))
    except np.linalg.LinAlgError:
        return 0
    x, alpha = np.append(found[:, 1], 0.0), np.append(found[:, 0], 1.0)
    with np.errstate(all="ignore"):
        return int(np.argmax(np.where(alpha > 0, -x / alpha, -np.inf)))
