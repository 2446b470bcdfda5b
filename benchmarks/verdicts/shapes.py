"""The forty shapes: rows, columns, and how the rows lie. All from seeds.

`kind` is what the construction makes certain, or all but certain; None where only the verdict can tell. Small sizes
(`--quick`) keep the construction and not the kind.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from benchmarks.verdicts import made

SEPARABLE, QUASI, OVERLAP = "separable", "quasi-separable", "overlapping"
Rows = tuple[Any, Any]


@dataclass(frozen=True)
class Shape:
    """A name, a size, the function that makes rows and labels of that size; the series whose growth is told."""

    name: str
    n: int
    d: int
    make: Callable[[int, int], Rows]
    kind: str | None = None
    series: str = ""

    def size(self, quick: bool) -> tuple[int, int]:
        """Rows and columns."""
        if not quick:
            return self.n, self.d
        return min(self.n, max(20, self.n // 100)), min(self.d, 20, max(2, self.d // 20))


def shapes() -> list[Shape]:
    """All forty."""
    found = [
        Shape("dense", 40_000, d, partial(made.dense, kind=OVERLAP), OVERLAP, "columns, dense overlapping")
        for d in (40, 80, 160, 320, 500)
    ]
    for kind in (SEPARABLE, QUASI, OVERLAP):
        found += [
            Shape("dense", n, 20, partial(made.dense, kind=kind), kind, f"rows, dense {kind}")
            for n in (1_000, 10_000, 100_000, 1_000_000)
        ]
    found += [
        Shape("dense", 200_000, 20, partial(made.dense, kind=QUASI), QUASI),
        Shape("dense, hidden column", 200_000, 20, made.hidden, QUASI),
        Shape("as madelon", 2_600, 500, made.madelon, OVERLAP),
        Shape("as madelon, hidden column", 2_600, 500, made.hidden, QUASI),
    ]
    found += [
        Shape(f"gap {gap:g}", 10_000, 30, partial(made.dense, kind=SEPARABLE, gap=gap), SEPARABLE)
        for gap in (1e-3, 1e-5, 1e-7, 1e-9)
    ]
    found += [
        Shape("words, random labels", n, d, partial(made.words, each=40), None, "non-zeros, words")
        for n, d in ((2_000, 10_000), (10_000, 10_000), (20_000, 50_000))
    ]
    found += [
        Shape("words decide", 10_000, 10_000, partial(made.words, each=20, labels="words"), SEPARABLE),
        Shape("words decide, 5 % wrong", 10_000, 10_000, partial(made.words, each=80, labels="noise")),
        Shape("words decide", 20_000, 50_000, partial(made.words, each=80, labels="words"), SEPARABLE),
        Shape("words decide, twins", 20_000, 50_000, partial(made.words, each=20, labels="twins"), QUASI),
        Shape("few rows", 200, 10**6, partial(made.words, each=100), SEPARABLE, "columns, few sparse rows"),
        Shape("few rows", 200, 10**7, partial(made.words, each=100), SEPARABLE, "columns, few sparse rows"),
        Shape("two rows", 2, 10**6, made.gaussian, SEPARABLE),
        Shape("every point 100 times", 100_000, 20, made.duplicates, OVERLAP),
        Shape("one point with both labels", 100_000, 50, made.conflict, OVERLAP),
        Shape("a grid, rows on the plane", 50_000, 10, made.grid, QUASI),
        Shape("whole numbers of 40 bits", 10_000, 20, made.integers, OVERLAP),
        Shape("twice as many rows as columns", 600, 300, made.gaussian),
    ]
    return found
