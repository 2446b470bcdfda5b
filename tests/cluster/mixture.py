"""An oracle of iterative parameter mixing (McDonald, Hall and Mann 2010, figure 3), in exact fractions.

The perceptron from zero on ±1 labels, rows as they come, with a constant 1 appended. It knows nothing of the package.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

Vector = list[Fraction]


@dataclass
class Mixed:
    """After some epochs: the mixed weights, the average, what each epoch came to, and Σ μ_s·k_s over all of them."""

    weights: Vector
    average: Vector
    mistakes: list[int] = field(default_factory=list)
    losses: list[Fraction] = field(default_factory=list)
    updates: Fraction = Fraction(0)


def rows_of(X: Any, y: Any) -> list[tuple[Vector, int]]:
    """x′ = (x, 1), and the label."""
    table = np.asarray(X, dtype=float).tolist()
    return [([*map(Fraction, row), Fraction(1)], int(label)) for row, label in zip(table, y, strict=True)]


def mix(shards: Sequence[tuple[Any, Any]], epochs: int, by: str = "uniform") -> Mixed:
    """So many epochs, or fewer if one makes no mistake."""
    parts = [rows_of(X, y) for X, y in shards]
    d = len(parts[0][0][0])
    found = Mixed([Fraction(0)] * d, [Fraction(0)] * d)
    n = sum(map(len, parts))
    for epoch in range(epochs):
        learnt, averages, counts, loss = [], [], [], Fraction(0)
        for rows in parts:
            w, k = list(found.weights), 0
            # All moments so far, of this shard's clock: the start, and one after each row.
            total = [(epoch * len(rows) + 1) * a for a in found.average]
            for x, label in rows:
                margin = label * sum((a * b for a, b in zip(w, x, strict=True)), Fraction(0))
                if margin <= 0:
                    w, k, loss = [a + label * b for a, b in zip(w, x, strict=True)], k + 1, loss - margin
                total = [a + b for a, b in zip(total, w, strict=True)]
            learnt.append(w)
            counts.append(k)
            averages.append([a / ((epoch + 1) * len(rows) + 1) for a in total])
        share = [Fraction(1)] * len(parts) if by == "uniform" else [Fraction(k) for k in counts]
        if sum(share):
            mu = [one / sum(share) for one in share]
            found.weights = _weighted(mu, learnt)
            found.updates += sum((m * k for m, k in zip(mu, counts, strict=True)), Fraction(0))
        found.average = _weighted([Fraction(len(rows), n) for rows in parts], averages)
        found.mistakes.append(sum(counts))
        found.losses.append(loss)
        if not any(counts):
            break
    return found


def _weighted(by: Sequence[Fraction], vectors: Sequence[Vector]) -> Vector:
    return [sum((m * v for m, v in zip(by, column, strict=True)), Fraction(0)) for column in zip(*vectors, strict=True)]
