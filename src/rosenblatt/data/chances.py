"""Chances: the interval of a share, and whether one of two is ahead by more than chance.

Wilson (1927) for the interval: sound for few rows, and near 0 and 100 %. Of two classifiers on the same rows, those
where just one is right say which is better, and by chance either is right in half of them: the sign test (McNemar
1947).
"""

import math

_Z = 1.959963984540054  # 95 % of a normal distribution are within so many standard deviations
_EXACT = 1000  # rows in which one of two is right, up to which chances are summed exactly


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
