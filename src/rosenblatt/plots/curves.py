"""Curves of any length and size: thinned so that their shape stays, and brought to numbers that axes can bear."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_POINTS = 2_000  # of a curve


def thinned(*curves: NDArray[Any], most: int = MOST_POINTS) -> Ints:
    """The places to draw of curves of one length: all, or the first, the last, and of each stretch every extreme.

    So no peak and no valley is lost, however many points there are.

    >>> thinned(np.arange(5)).tolist(), thinned(np.sin(np.arange(10**5))).size <= MOST_POINTS
    ([0, 1, 2, 3, 4], True)
    """
    n = len(curves[0])
    if n <= most:
        return np.arange(n)
    edges = np.linspace(0, n, (most - 2) // (2 * len(curves)) + 1).astype(np.int64)
    kept = [np.array([0, n - 1])]
    for curve in curves:
        low = np.where(np.isfinite(curve), curve, np.inf)
        high = np.where(np.isfinite(curve), curve, -np.inf)
        for first, last in pairwise(edges.tolist()):
            kept.append(first + np.array([low[first:last].argmin(), high[first:last].argmax()]))
    return np.unique(np.concatenate(kept))


def finite(values: Any) -> Floats:
    """The values, nan where they are infinite: what is not a number is not drawn."""
    found = np.asarray(values, dtype=np.float64)
    return np.where(np.isfinite(found), found, np.nan)


def power_of(*values: Any) -> int:
    """The power of ten to divide by before drawing: 0, unless numbers are too large or small to be written along axes.

    >>> power_of([1.0, 1e5]), power_of([2e150, 1.0]), power_of([0.0])
    (0, 150, 0)
    """
    sizes = np.concatenate([np.abs(finite(part)).ravel() for part in values] or [np.empty(0)])
    largest = float(np.nanmax(sizes, initial=0.0))
    if largest == 0 or 1e-4 < largest < 1e6:
        return 0
    return math.floor(math.log10(largest))


def divided(values: Any, power: int) -> Floats:
    """The values over 10**power, in two steps: 10**power itself may leave float64."""
    half = power // 2
    return np.asarray(finite(values) / 10.0**half / 10.0 ** (power - half))


def unit_of(power: int) -> str:
    """What to write behind a label of values that were divided.

    >>> unit_of(150), unit_of(-7), unit_of(0)
    ('  [1e150]', '  [1e−7]', '')
    """
    return f"  [1e{power}]".replace("-", "−") if power else ""
