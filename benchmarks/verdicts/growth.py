"""How costs grow: the slope of log cost over log size, by least squares, of shapes that differ in that size alone."""

import math
from collections.abc import Sequence
from statistics import linear_regression

from benchmarks.verdicts.measuring import Measured

SIZES = {"rows": "rows", "columns": "columns", "non-zeros": "nonzeros"}


def slope(sizes: Sequence[float], costs: Sequence[float]) -> float | None:
    """1 is in proportion, 2 the square; None with fewer than two sizes."""
    pairs = [(math.log(s), math.log(c)) for s, c in zip(sizes, costs, strict=True) if s > 0 and c > 0]
    if len({s for s, _ in pairs}) < 2:
        return None
    return linear_regression(*zip(*pairs, strict=True)).slope


def slopes(measured: Sequence[Measured]) -> list[tuple[str, str, int, dict[str, float | None]]]:
    """Of each series: its size, what it is made of, how many shapes it has, and the slope of each cost."""
    found = []
    for series in dict.fromkeys(m.shape.series for m in measured if m.shape.series):
        size, what = series.split(", ", 1)
        some = [m for m in measured if m.shape.series == series and m.ours.get("kind") not in (None, "undecided")]
        costs: dict[str, float | None] = {}
        for name in ("seconds", "bytes", "verify"):
            told = [m for m in some if name in m.ours]
            costs[name] = slope([getattr(m, SIZES[size]) for m in told], [m.ours[name] for m in told])
        found.append((size, what, len(some), costs))
    return found
