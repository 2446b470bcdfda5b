"""An oracle for separation, in exact fractions and by brute force: every minimal dependency of the rows, listed.

Gordan's alternative: rows z_i have no v with z_i·v > 0 for all i exactly if Σ α_i·z_i = 0 for some α ≥ 0, not all 0.
Every such α is a sum of minimal ones, whose rows have that one dependency and no other. So with the list of minimal
dependencies at hand the kind of any labeling is read off: rows in a minimal positive dependency lie on the boundary of
every weak separator; none: separable; all of them: overlapping; some: quasi-separable.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

Row = Sequence[Any]
Circuit = tuple[tuple[int, ...], tuple[int, ...]]


def rows_z(X: Any, y: Any, through_origin: bool) -> list[list[Fraction]]:
    """z_i = y_i·(x_i, 1), or y_i·x_i through the origin."""
    table = np.asarray(X, dtype=float).tolist()
    return [
        [int(s) * Fraction(v) for v in x] + ([] if through_origin else [Fraction(int(s))])
        for x, s in zip(table, y, strict=True)
    ]


def dot(a: Any, b: Any) -> Fraction:
    """a·b."""
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def circuits(points: Sequence[Row], through_origin: bool) -> list[Circuit]:
    """The rows of every minimal dependency among (x, 1), or x, and the signs of its coefficients."""
    rows = [[Fraction(v) for v in x] + ([] if through_origin else [Fraction(1)]) for x in points]
    found = []
    for size in range(1, len(rows[0]) + 2):
        for some in combinations(range(len(rows)), size):
            c = _only_dependency([rows[i] for i in some])
            if c is not None:
                found.append((some, tuple(1 if v > 0 else -1 for v in c)))
    return found


def _only_dependency(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """c with Σ c_i·row_i = 0 and no c_i = 0, if it is the one dependency of these rows; else None."""
    k = len(rows)
    table = [list(column) for column in zip(*rows, strict=True)]
    rank = 0
    for column in range(k):
        at = next((i for i in range(rank, len(table)) if table[i][column]), None)
        if at is None:
            if column < k - 1:
                return None
            break
        table[rank], table[at] = table[at], table[rank]
        lead = table[rank][column]
        table[rank] = [v / lead for v in table[rank]]
        for i in range(len(table)):
            if i != rank and table[i][column]:
                factor = table[i][column]
                table[i] = [v - factor * p for v, p in zip(table[i], table[rank], strict=True)]
        rank += 1
    if rank != k - 1:
        return None
    c = [-table[i][k - 1] for i in range(k - 1)] + [Fraction(1)]
    return c if all(c) else None


def boundary(known: list[Circuit], y: Sequence[int]) -> set[int]:
    """The rows of every positive minimal dependency of y_i·(x_i, 1)."""
    stuck: set[int] = set()
    for rows, signs in known:
        products = {int(y[i]) * s for i, s in zip(rows, signs, strict=True)}
        if len(products) == 1:
            stuck.update(rows)
    return stuck


def kind(known: list[Circuit], y: Sequence[int]) -> str:
    stuck = boundary(known, y)
    return "separable" if not stuck else "overlapping" if len(stuck) == len(y) else "quasi-separable"


def in_cone(target: Sequence[Fraction], rows: Sequence[Sequence[Fraction]]) -> bool:
    """Whether the target is Σ λ_i·row_i with λ ≥ 0: by Carathéodory, of independent rows."""
    if not any(target):
        return True
    for size in range(1, len(target) + 1):
        for some in combinations(rows, size):
            solved = _only_dependency([*map(list, some), [-t for t in target]])
            if solved is not None and all(v > 0 for v in solved):
                return True
    return False
