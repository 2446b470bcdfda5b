"""An oracle for separation of any size that fits into Python: a simplex in whole numbers, and its answer certified.

Rows z_i have a cone C = {v : z_i·v ≥ 0 for all i}. A row is stuck if z_i·v = 0 on all of C; by Farkas that is so
exactly if Σ α_k·z_k = 0 for some α ≥ 0 with α_i > 0. Beginning with α = 0, a simplex by Bland's rule looks for an α
that is positive on a row not yet known to be stuck, or ends with a v of C that is strict on all of those rows. Both are
checked by multiplication before they are believed: a fault in the simplex is an error here and never a wrong answer.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Row = Sequence[Fraction]


def whole(row: Row) -> list[int]:
    """A positive multiple of the row, in whole numbers. Their denominators are powers of two."""
    most = max((x.denominator for x in row), default=1)
    return [x.numerator * (most // x.denominator) for x in row]


def independent_columns(rows: Sequence[Sequence[int]], order: Iterable[int]) -> list[int]:
    """Of the columns in this order, each that is no combination of those before it."""
    table = [list(column) for column in zip(*rows, strict=True)]
    kept: list[int] = []
    reduced: list[tuple[int, list[int]]] = []  # each with the place of its first number that is not 0
    for j in order:
        column = table[j]
        for at, base in reduced:
            if column[at]:
                a, b = base[at], column[at]
                column = [a * x - b * y for x, y in zip(column, base, strict=True)]
        at = next((i for i, x in enumerate(column) if x), -1)
        if at >= 0:
            kept.append(j)
            reduced.append((at, column))
    return kept


def rank(rows: Sequence[Row]) -> int:
    table = [whole(row) for row in rows]
    return len(independent_columns(table, range(len(table[0])))) if table else 0


def stuck(rows: Sequence[Row], among: Iterable[int] | None = None) -> set[int]:
    """Those of the rows (of `among`) that are 0 on every v with z·v ≥ 0 for all rows."""
    asked = set(range(len(rows)) if among is None else among)
    table = [whole(row) for row in rows]
    kept = independent_columns(table, range(len(table[0])))  # the others have no say in which sums are 0
    table = [[row[j] for j in kept] for row in table]
    found: set[int] = set()
    simplex = _Simplex(table)
    while asked - found:
        alpha, v = simplex.best(asked - found)
        if alpha is None:
            products = [sum(a * b for a, b in zip(row, v, strict=True)) for row in table]
            assert all(p >= 0 for p in products)
            assert all(products[i] > 0 for i in asked - found)
            break
        assert all(a >= 0 for a in alpha)
        assert not any(sum(a * row[j] for a, row in zip(alpha, table, strict=True)) for j in range(len(kept)))
        new = {i for i, a in enumerate(alpha) if a}
        assert new & (asked - found)
        found |= new & asked
    return found


class _Simplex:
    """max Σ_U α_i with Σ α_i·z_i = 0, Σ α_i ≤ 1 and α ≥ 0, in whole numbers over one denominator (Bareiss 1968).

    Columns: the n rows z, then one artificial for each of the d equations, the slack of the sum, the right-hand side.
    """

    def __init__(self, rows: list[list[int]]) -> None:
        n, d = len(rows), len(rows[0]) if rows else 0
        self.n, self.d = n, d
        unit = [[int(i == j) for j in range(d + 1)] for i in range(d + 1)]
        self.table = [[row[i] for row in rows] + unit[i] + [0] for i in range(d)]
        self.table.append([1] * n + unit[d] + [1])
        self.basis = [n + i for i in range(d + 1)]
        self.denominator = 1

    def best(self, wanted: set[int]) -> tuple[list[int] | None, list[int]]:
        """An α with Σ_U α > 0, up to a factor; or None, and the v of the cone that is strict on U."""
        n, d = self.n, self.d
        cost = [int(j in wanted) * self.denominator for j in range(n)] + [0] * (d + 2)
        goal = cost[:]  # what an α more of each would bring, over the same denominator
        for i, b in enumerate(self.basis):
            if b in wanted:
                goal = [g - x for g, x in zip(goal, self.table[i], strict=True)]
        while True:
            if goal[-1]:
                alpha = [0] * n
                for i, b in enumerate(self.basis):
                    if b < n:
                        alpha[b] = self.table[i][-1]
                return alpha, []
            enters = next((j for j in [*range(n), n + d] if goal[j] > 0), None)
            if enters is None:
                return None, [-g for g in goal[n : n + d]]
            goal = self._pivot(self._leaves(enters), enters, goal)

    def _leaves(self, enters: int) -> int:
        # An artificial stays 0: whichever column would move it takes its place first.
        for i, b in enumerate(self.basis):
            if self.n <= b < self.n + self.d and self.table[i][enters]:
                return i
        positive = [i for i, row in enumerate(self.table) if row[enters] > 0]
        ratios = [(Fraction(self.table[i][-1], self.table[i][enters]), self.basis[i], i) for i in positive]
        return min(ratios)[2]

    def _pivot(self, at: int, enters: int, goal: list[int]) -> list[int]:
        if self.table[at][enters] < 0:  # an artificial's row, whose right-hand side is 0
            self.table[at] = [-x for x in self.table[at]]
        row, old = self.table[at], self.denominator
        lead = row[enters]
        for i, other in enumerate(self.table):
            if i != at:
                c = other[enters]
                self.table[i] = [(lead * x - c * y) // old for x, y in zip(other, row, strict=True)]
        c = goal[enters]
        self.basis[at], self.denominator = enters, lead
        return [(lead * x - c * y) // old for x, y in zip(goal, row, strict=True)]


def kind(rows: Sequence[Row], T: set[int]) -> str:
    return "separable" if not T else "overlapping" if len(T) == len(rows) else "quasi-separable"


def words(rows: Sequence[Row], offset_first: bool) -> list[Any]:
    """Of each coefficient: finite, +inf, -inf, indeterminate, or dropped; the offset is the last and is kept first."""
    table = [whole(row) for row in rows]
    d = len(table[0])
    kept = independent_columns(table, [d - 1, *range(d - 1)] if offset_first else range(d))
    narrow = [[row[j] for j in kept] for row in rows]
    found = ["dropped"] * d
    for at, j in enumerate(kept):
        # e_j is stuck among the rows and itself exactly if no v of the cone has v_j > 0.
        units = [[Fraction(sign * (i == at)) for i in range(len(kept))] for sign in (1, -1)]
        up, down = (not stuck([*narrow, unit], [len(rows)]) for unit in units)
        found[j] = {(0, 0): "finite", (1, 0): "+inf", (0, 1): "-inf", (1, 1): "indeterminate"}[up, down]
    return found


def fewest_mistakes(rows: Sequence[Row]) -> int:
    """The fewest rows without which the others are separable: every set of rows is tried, the small ones first."""
    for size in range(len(rows)):
        for left_out in combinations(range(len(rows)), size):
            if not stuck([row for i, row in enumerate(rows) if i not in left_out]):
                return size
    return len(rows)
