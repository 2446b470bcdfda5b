"""What the tests of the notes' questions share: the data, exact arithmetic on what a run leaves, and an oracle.

The tests are in test_questions_s000.py to test_questions_s004.py, one file for each of the five lecture notes (see
docs/notes). The name of a test asks, its docstring answers, and docs/questions.md is made from both. Rows are small
whole numbers or binary fractions where that is possible: then every sum is exact, `==` is the right question, and a law
is compared without a tolerance. Where the answer is "usually", there is an example and a counterexample.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from rosenblatt import Run

Vector = list[Fraction]
Data = tuple[np.ndarray, np.ndarray]


def data(rows: Sequence[Any], labels: Sequence[int]) -> Data:
    return np.array(rows, dtype=float), np.array(labels)


LINE = data([[1], [2], [3], [4]], [1, 1, -1, -1])  # S001, section 2
FOUR = data([(4, 0), (1, 1), (0, 1), (-2, -2)], [1, -1, -1, 1])  # S002, example 1
XOR = data([(1, 1), (1, -1), (-1, 1), (-1, -1)], [1, -1, -1, 1])  # S002, example 2
EIGHT = data(  # S003, section 11.65
    [(1, 1), (1, 3), (2, 1), (2, 2), (-1, -1), (-1, -3), (-2, -1), (-2, -2)], [1, 1, 1, 1, -1, -1, -1, -1]
)


# Exact arithmetic on what a run leaves behind


def exact(values: Any) -> Vector:
    return [Fraction(v) for v in np.asarray(values, dtype=float).tolist()]


def dot(a: Sequence[Any], b: Sequence[Any]) -> Fraction:
    return sum((Fraction(p) * Fraction(q) for p, q in zip(a, b, strict=True)), Fraction(0))


def signed(X: Any, y: Any, rho: Any = None) -> list[Vector]:
    """z = y·x′, the rows as the perceptron sees them: right is z·w′ > 0. Without rho through the origin."""
    last = [] if rho is None else [Fraction(rho)]
    return [[int(s) * v for v in (*exact(x), *last)] for x, s in zip(X, y, strict=True)]


def least(w: Sequence[Any], rows: list[Vector]) -> Fraction:
    return min(dot(w, z) for z in rows)


def longest2(rows: list[Vector]) -> Fraction:
    return max(dot(z, z) for z in rows)


def bound(w: Sequence[Any], rows: list[Vector]) -> Fraction:
    """R²‖w‖²/γ² with γ the least functional margin of the separator w: the theorem's bound on updates."""
    gamma = least(w, rows)
    assert gamma > 0
    return longest2(rows) * dot(w, w) / gamma**2


def weights(run: Run, rho: Any = None) -> list[Vector]:
    """w′ = (w, b/ρ) at the start and after every change."""
    found, path = [], run.trajectory()
    for change in range(path.n_changes + 1):
        W, b = path.weights(change)
        found.append(exact(W[:, 0]) + ([] if rho is None else [Fraction(float(b[0])) / Fraction(rho)]))
    return found


def final(run: Run) -> tuple[list[float], float]:
    return run.hyperplane.w.tolist(), run.hyperplane.b


def right(run: Run, X: Any, y: Any) -> bool:
    """Whether the run's hyperplane has every row strictly on its side, in exact arithmetic."""
    return least([*exact(run.hyperplane.w), Fraction(run.hyperplane.b)], signed(X, y, 1)) > 0


def criterion(w: Sequence[Any], rows: list[Vector]) -> Fraction:
    """J, the sum of −m over the mistakes."""
    return sum((-min(dot(w, z), Fraction(0)) for z in rows), Fraction(0))


def gradient(f: Callable[[Vector], Fraction], w: Vector) -> Vector:
    """Exact where f is linear within 10⁻⁹ of w: both one-sided differences are taken, and must agree."""
    h, slopes = Fraction(1, 10**9), []
    for j in range(len(w)):
        up, down = ([v + (i == j) * step for i, v in enumerate(w)] for step in (h, -h))
        assert f(up) - f(w) == f(w) - f(down)
        slopes.append((f(up) - f(w)) / h)
    return slopes


# Separable or not, without the perceptron: Gordan's theorem, by elimination in fractions


def dependency(rows: Sequence[Sequence[Any]]) -> Vector | None:
    """c with Σ c_i·row_i = 0 and no c_i = 0, if the rows have this one dependency and no other; else None."""
    k, pivots = len(rows), []
    table = [[Fraction(v) for v in column] for column in zip(*rows, strict=True)]
    for column in range(k):
        at = next((i for i in range(len(pivots), len(table)) if table[i][column]), None)
        if at is None:
            continue
        first = len(pivots)
        table[first], table[at] = table[at], table[first]
        table[first] = [v / table[first][column] for v in table[first]]
        for i in range(len(table)):
            if i != first and table[i][column]:
                table[i] = [v - table[i][column] * p for v, p in zip(table[i], table[first], strict=True)]
        pivots.append(column)
    if pivots != list(range(k - 1)):
        return None
    c = [-table[i][k - 1] for i in range(k - 1)] + [Fraction(1)]
    return c if all(c) else None


def conflicts(points: Sequence[Sequence[Any]], rho: int = 1) -> list[tuple[tuple[int, ...], tuple[bool, ...]]]:
    """The signs of every smallest dependency among the rows (x, ρ): rows labelled with them, or against them, conflict.

    Gordan: rows z_i = y_i·x′_i have no w′ with all z_i·w′ > 0 exactly if Σ α_i·z_i = 0 for some α ≥ 0, not all 0. An α
    with the fewest α_i > 0 is the only dependency of its rows, and there are at most d + 2 of them.
    """
    rows = [(*x, rho) if rho else tuple(x) for x in points]
    found = []
    for size in range(1, len(rows[0]) + 2):
        for some in combinations(range(len(rows)), size):
            if (c := dependency([rows[i] for i in some])) is not None:
                found.append((some, tuple(v > 0 for v in c)))
    return found


def separable(known: list[tuple[tuple[int, ...], tuple[bool, ...]]], y: Sequence[int]) -> bool:
    return not any(len({(y[i] > 0) == sign for i, sign in zip(*one, strict=True)}) == 1 for one in known)


def separable_labelings(points: Sequence[Sequence[Any]], rho: int = 1) -> int:
    known = conflicts(points, rho)
    return sum(separable(known, y) for y in product((1, -1), repeat=len(points)))
