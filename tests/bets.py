"""Rules that bet, in exact fractions: the oracle the package is compared with (see reference.py for the others).

Written from the papers alone: one gambler to each column of each output, and to the column of ones. He is told
g = y·x_j (times the row's weight h) at rows with m < 1, has θ = Σg and a wealth E = ε + Σg·w, and bets w of it:

    coin     w = θ·E / (M·(G + M)),                       G = Σ|g|
    scinol   w = clip(θ, ±√(S² + M²))·E / (2·(S² + M²)),  S² = Σg²

M is the largest |g|: of all rows there are (`surveyed`, coin alone), or of those so far. A coin that shows more than
any before pays as if it had shown no more; scinol's E never falls below ε. Roots are taken to 2⁻²⁰⁰ of themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isqrt
from typing import Any

WEALTH = Fraction(0.1)  # the float64
ZERO, ONE = Fraction(0), Fraction(1)


def root(square: Fraction) -> Fraction:
    """√square, but for 2⁻²⁰⁰ of it.

    >>> root(Fraction(9, 4))
    Fraction(3, 2)
    """
    up = 2 ** max(0, 400 - square.numerator.bit_length() + square.denominator.bit_length())
    return Fraction(isqrt(square.numerator * square.denominator * up * up), square.denominator * up)


@dataclass
class Gambler:
    squares: bool
    largest: Fraction = ZERO
    theta: Fraction = ZERO
    spread: Fraction = ZERO
    wealth: Fraction = WEALTH
    w: Fraction = ZERO

    def tell(self, g: Fraction) -> None:
        if g == 0:
            return
        sign, size = (1 if g > 0 else -1), abs(g)
        won = g if self.squares else sign * min(size, self.largest)
        self.wealth += won * self.w
        self.largest, self.theta = max(self.largest, size), self.theta + g
        if self.squares:
            self.wealth = max(self.wealth, WEALTH)
            self.spread += g * g
            room2 = self.spread + self.largest**2
            clipped = self.theta**2 > room2
            stake = (1 if self.theta > 0 else -1) * root(room2) if clipped else self.theta
            self.w = stake * self.wealth / (2 * room2)
        else:
            self.spread += size
            self.w = self.theta * self.wealth / (self.largest * (self.spread + self.largest))


@dataclass
class Bets:
    """A whole run: `weights[t]` are those after t visits, a list of columns and then b for each output."""

    gamblers: list[list[Gambler]]
    weights: list[list[list[Fraction]]] = field(default_factory=list)
    updates: list[int] = field(default_factory=list)  # of each epoch
    mistakes: list[int] = field(default_factory=list)
    nearest: float = inf  # how close a margin came to deciding otherwise

    @property
    def average(self) -> list[list[Fraction]]:
        """The mean over the moments 0..T."""
        n, first = len(self.weights), self.weights[0]
        return [[sum(m[k][j] for m in self.weights) / n for j in range(len(first[k]))] for k in range(len(first))]

    def now(self) -> list[list[Fraction]]:
        return [[one.w for one in output] for output in self.gamblers]


def learn_bets(
    rows: Sequence[Sequence[Any]],
    codes: Sequence[int],
    *,
    squares: bool,
    surveyed: bool,
    offset: bool = True,
    multiclass: str = "ovr",
    weight: Sequence[Any] | None = None,
    visits: Callable[[int], Sequence[int]] | None = None,
    max_epochs: int = 3,
) -> Bets:
    """Codes ±1 are those of one hyperplane, 0..K−1 those of K; an epoch without an update is the last."""
    points = [[*map(Fraction, x), ONE if offset else ZERO] for x in rows]
    h = [ONE] * len(rows) if weight is None else list(map(Fraction, weight))
    outputs = 1 if min(codes) < 0 else max(codes) + 1
    most = [max(h[i] * abs(x[j]) for i, x in enumerate(points)) for j in range(len(points[0]))]
    bets = Bets([[Gambler(squares, M if surveyed else ZERO) for M in most] for _ in range(outputs)])
    bets.weights.append(bets.now())

    def missed(m: Fraction) -> bool:
        bets.nearest = min(bets.nearest, abs(float(m - 1)), abs(float(m)) or inf)
        bets.mistakes[-1] += m <= 0
        return m < 1

    while len(bets.updates) < max_epochs and bets.updates[-1:] != [0]:
        bets.updates.append(0)
        bets.mistakes.append(0)
        for i in visits(len(bets.updates)) if visits else range(len(rows)):
            x, scores = points[i], [sum(g.w * v for g, v in zip(out, points[i], strict=True)) for out in bets.gamblers]
            told: list[tuple[int, int]] = []  # outputs, and the signs they are told the row with
            if outputs == 1:
                told = [(0, codes[i])] if missed(codes[i] * scores[0]) else []
            elif multiclass == "ovr":
                signs = [1 if codes[i] == k else -1 for k in range(outputs)]
                told = [(k, s) for k, s in enumerate(signs) if missed(s * scores[k])]
            else:
                own = codes[i]
                rival = max((k for k in range(outputs) if k != own), key=lambda k: (scores[k], -k))
                told = [(own, 1), (rival, -1)] if missed(scores[own] - scores[rival]) else []
            if h[i]:
                bets.updates[-1] += len(told) // (2 if outputs > 1 and multiclass == "direct" else 1)
                for k, sign in told:
                    for gambler, v in zip(bets.gamblers[k], x, strict=True):
                        gambler.tell(sign * h[i] * v)
            bets.weights.append(bets.now())
    return bets
