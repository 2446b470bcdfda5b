"""Chances: the interval of a share, whether one of two is ahead by more than chance, and how often scores rank right.

Wilson (1927) for the interval: sound for few rows, and near 0 and 100 %. Of two classifiers on the same rows, those
where just one is right say which is better, and by chance either is right in half of them: the sign test (McNemar
1947). The area under the ROC curve is the share of pairs, one row of each class, that the scores put in the right order
(Hanley and McNeil 1982).
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Z = 1.959963984540054  # 95 % of a normal distribution are within so many standard deviations
_EXACT = 1000  # rows in which one of two is right, up to which chances are summed exactly

Floats = NDArray[np.float64]


def wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's interval, at 95 %, of a share of n.

    >>> tuple(round(end, 4) for end in wilson(0.9, 10))
    (0.5958, 0.9821)
    """
    z2 = _Z * _Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    reach = _Z / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return (0.0 if share == 0 else max(0.0, middle - reach)), (1.0 if share == 1 else min(1.0, middle + reach))


def sign_test(ahead: int, behind: int) -> float:
    """How likely a fair coin is to fall so often, or more often, on the first side of two.

    >>> sign_test(5, 0), sign_test(3, 3)
    (0.03125, 0.65625)
    """
    n = ahead + behind
    if n <= _EXACT:
        return float(sum(math.comb(n, k) for k in range(ahead, n + 1)) / 2**n)
    return 0.5 * math.erfc((ahead - behind - 1) / math.sqrt(2 * n))


def area_under_curve(
    labels: NDArray[Any], scores: Floats | None, classes: NDArray[Any], folds: NDArray[np.int64] | None
) -> tuple[float | None, str | None]:
    """The share of pairs in the right order, ties counted half; or None, and why there is none.

    Scores are those of the second class. Of folds only pairs that were held out together are compared: each model has
    scores of its own.

    >>> area_under_curve(np.array([0, 0, 1]), np.array([0.0, 2.0, 2.0]), np.array([0, 1]), None)
    (0.75, None)
    """
    if classes.size != 2 or scores is None:
        return None, "more than two classes" if classes.size > 2 else "no scores"
    won, pairs = 0.0, 0.0
    negative, positive = labels == classes[0], labels == classes[1]
    if not np.isfinite(scores).all():
        return None, "scores that are not finite"
    for fold in [None] if folds is None else range(int(folds.max()) + 1):
        part = np.ones(labels.size, bool) if fold is None else folds == fold
        values, place = np.unique(scores[part], return_inverse=True)
        below, above = (
            np.bincount(place.reshape(-1)[side[part]], minlength=values.size) for side in (negative, positive)
        )
        won += float(above @ (np.cumsum(below) - below / 2))
        pairs += float(below.sum() * above.sum())
    return (won / pairs, None) if pairs else (None, "rows of one class only")
