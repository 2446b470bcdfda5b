"""The levels of a loss: round numbers, evenly spread unless the loss spans too much for that."""

import math
from typing import Any

import numpy as np

from ..curves import Floats

MOST = 12
WIDE = 30  # squares from the least to the largest: beyond, even levels would leave the valley empty
DECADES = 3


def levels_of(values: Floats, loss: str) -> tuple[Floats, Any, bool]:
    """Where one band ends and the next begins, where to write numbers, and whether the levels are even.

    >>> levels_of(np.array([0.0, 2.0]), "zero-one")
    (array([-0.5,  0.5,  1.5,  2.5]), array([0., 1., 2.]), True)
    >>> levels_of(np.array([0.0, 9.3]), "perceptron")[0].tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
    >>> levels_of(np.array([2.3, 190.0]), "squared")[0].tolist()
    [2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]
    """
    from matplotlib.ticker import MaxNLocator

    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    whole = loss == "zero-one"
    if whole and high - low <= MOST:
        ticks = np.arange(low, high + 1)
        return np.append(ticks, high + 1) - 0.5, ticks, True
    if loss != "squared" or high < WIDE * low:
        even = np.asarray(MaxNLocator(MOST, steps=[1, 2, 5, 10], integer=whole).tick_values(low, high))
        return even, even[::2], True
    least = max(low, high / 10**DECADES)
    powers = range(math.floor(math.log10(least)), math.ceil(math.log10(high)) + 1)
    steps = np.array([part * 10.0**power for power in powers for part in (1, 2, 5)])
    first, last = np.searchsorted(steps, least, side="right") - 1, np.searchsorted(steps, high)
    found = steps[max(0, first) : last + 1]
    return (np.append(0.0, found) if low < found[0] else found), found, False
