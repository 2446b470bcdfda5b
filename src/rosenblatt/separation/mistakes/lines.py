"""Mistakes along a line of hyperplanes v + t·u, counted for every t at once; and directions that suit the rows.

A row changes sides where z·v + t·z·u = 0. These places, sorted, say how many rows are right between each two of them
(Li and Lin 2007, "Optimizing 0/1 loss for perceptrons by random coordinate descent"). In floats: a hint where to look.
"""

import numpy as np

from ..signed_rows import Floats, Ints

_SOME = 20_000  # rows whose moments are like those of all
_FAR = 1e300  # where a row changes sides that never does


@np.errstate(over="ignore", invalid="ignore", divide="ignore")
def along(a: Floats, G: Floats) -> tuple[Ints, Floats]:
    """On each line a + t·g, g a row of G: the places t where a row changes sides, sorted, and how many are right after.

    A place carries in its last bit whether its row comes right there or goes wrong; all in floats, and not quite exact.
    """
    G = np.where(G == 0, 1 / _FAR, G)  # changes sides far away, if ever
    T = np.clip(-a / G, -_FAR, _FAR)
    bits = T.view(np.int64)
    bits &= ~np.int64(1)
    bits |= G > 0
    T.sort(axis=1)
    right = np.cumsum(2 * (bits & 1) - 1, axis=1)
    right += (G < 0).sum(axis=1)[:, None]
    right[:, :-1][T[:, 1:] == T[:, :-1]] = -1  # no room between it and the next
    return right, T


def after(T: Floats, at: int, part: float) -> float:
    """A place after the one with this number, and before the next."""
    t = float(T[at])
    if at + 1 < T.size and T[at + 1] < _FAR / 2:
        return t + (float(T[at + 1]) - t) * part
    return t + 1 + abs(t)


def spread_of(Z: Floats) -> Floats:
    """L with L·Lᵀ the inverse of the mean z·zᵀ: L times noise moves all margins about equally."""
    d = Z.shape[1]
    Z = Z[:: 1 + len(Z) // _SOME]
    moments = Z.T @ Z / len(Z)
    moments += np.eye(d) * (1e-10 * np.trace(moments) / d + 1e-300)
    try:
        return np.asarray(np.linalg.cholesky(np.linalg.inv(moments)))
    except np.linalg.LinAlgError:
        return np.eye(d)
