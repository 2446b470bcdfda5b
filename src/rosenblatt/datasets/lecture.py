"""The worked examples of the lecture notes, and a few small ones that each show one thing.

S001, S002 and S003 are the notes that docs/theory.md names. Rows are in the notes' order, for the order matters.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from ..choices import count
from ..data.hyperplane import Hyperplane
from .sample import Sample

_MOST = 20_000  # rows of an example that is meant to be small


def one_example() -> Sample:
    """S001 §1: x = (1, 3), y = +1 under w = (1, −1), b = 1 has margin −1, so one update: w = (2, 2), b = 2.

    >>> from rosenblatt import learn
    >>> sample = one_example()
    >>> sample.plan["start"].functional_margins(*sample).tolist()
    [-1.0]
    >>> run = learn(*sample, **sample.plan)
    >>> run.updates, run.hyperplane.w.tolist(), run.hyperplane.b
    (1, [2.0, 2.0], 2.0)
    """
    return _sample("one-example", [(1, 3)], [1], start=Hyperplane(np.array([1, -1]), 1))


def four_on_a_line() -> Sample:
    """S001 §2: x = 1, 2, 3, 4 with +, +, −, −: separable with an offset (w = −1, b = 2.5), not through the origin.

    The offset's scale matters: 25 updates with ρ = 1, 9 with ρ = R. Through the origin w goes round −1, 1, −2.

    >>> from rosenblatt import learn
    >>> sample = four_on_a_line()
    >>> for offset in (1, "radius"):
    ...     run = learn(*sample, offset=offset)
    ...     print(run.status.name, run.epochs, run.updates, run.hyperplane.w, run.hyperplane.b)
    clean 11 25 [-3.] 7.0
    clean 6 9 [-7.] 16.0
    >>> learn(*sample, offset=0).status.name
    'loop'
    """
    return _sample("four-on-a-line", [(1,), (2,), (3,), (4,)], [1, 1, -1, -1], w=[-1], b=2.5)


def three_margins() -> Sample:
    """S001 §3.2: under w = (1, −1), b = 1 the margins are −√2/2, √2 and √2; that of the data is the smallest.

    The notes give the first point and the scores of the others, which are in a figure; (2, 1) and (0, 3) have them.

    >>> sample = three_margins()
    >>> plane = sample.plan["start"]
    >>> plane.geometric_margins(*sample).round(4).tolist(), round(plane.margin(*sample), 4)
    ([-0.7071, 1.4142, 1.4142], -0.7071)
    """
    start = Hyperplane(np.array([1, -1]), 1)
    return _sample("three-margins", [(1, 3), (2, 1), (0, 3)], [1, 1, -1], w=[1, 0], b=-0.5, start=start)


def four_in_the_plane() -> Sample:
    """S002, example 1: through the origin w goes (0,0) → (4,0) → (3,−1) → (1,−3): 3 mistakes, where 26 are allowed.

    After one epoch the weights have survived 1, 1, 2 and 1 moments, so their average points along (11, −5).

    >>> from rosenblatt import learn
    >>> sample = four_in_the_plane()
    >>> run = learn(*sample, **sample.plan)
    >>> run.status.name, run.epochs, run.updates, run.hyperplane.w.tolist()
    ('clean', 2, 3, [1.0, -3.0])
    >>> round((sample.radius / sample.margin) ** 2)
    26
    >>> (5 * learn(*sample, **sample.plan, max_epochs=1, readout="averaged").hyperplane.w).tolist()
    [11.0, -5.0]
    """
    rows = [(4, 0), (1, 1), (0, 1), (-2, -2)]
    return _sample("four-in-the-plane", rows, [1, -1, -1, 1], w=[1, -5], offset=0)


def xor() -> Sample:
    """S002, example 2: no line separates the diagonals of a square. The weights are back at zero after every epoch.

    One update on each row adds up to nothing, with an offset or without: α = ¼ each proves it.

    >>> from rosenblatt import learn
    >>> sample = xor()
    >>> [learn(*sample, offset=offset).status.name for offset in (0, 1, "radius")]
    ['loop', 'loop', 'loop']
    >>> (sample.y @ sample.X).tolist(), int(sample.y.sum())
    ([0.0, 0.0], 0)
    """
    return _sample("xor", [(1, 1), (1, -1), (-1, 1), (-1, -1)], [1, -1, -1, 1], offset=0)


def low_margin() -> Sample:
    """S002, margins: under w = (1, 0) the nearest row is 0.01 away, but the second is on the wrong side, by 1.

    >>> sample = low_margin()
    >>> plane = sample.plan["start"]
    >>> plane.unsigned_margin(sample.X), plane.margin(*sample), round(sample.margin, 4)
    (0.01, -1.0, 0.3553)
    """
    rows = [(1, -1), (-1, -1), (0.01, 0), (-1, 0)]
    return _sample("low-margin", rows, [1, 1, 1, -1], w=[1, -1.01], b=0.495, start=Hyperplane(np.array([1, 0])))


def eight_in_the_plane() -> Sample:
    """S003 §11.65: two mirrored groups of four. Other starts and steps end at other separators.

    >>> from rosenblatt import learn
    >>> sample = eight_in_the_plane()
    >>> for choices in ({}, {"start": ([-1, 0], 0)}, {"start": ([-1, 0], 0), "eta": 0.5}, {"batch_size": "all"}):
    ...     run = learn(*sample, **sample.plan, **choices)
    ...     print(run.status.name, run.updates, run.hyperplane.w)
    clean 1 [1. 1.]
    clean 1 [0. 1.]
    clean 2 [0.5 1. ]
    clean 8 [12. 14.]
    """
    right = [(1, 1), (1, 3), (2, 1), (2, 2)]
    rows = right + [(-a, -b) for a, b in right]
    return _sample("eight-in-the-plane", rows, [1] * 4 + [-1] * 4, w=[1, 1], offset=0)


def least_squares_trap() -> Sample:
    """Separable rows x = −1, −1, 0, 3 with −, −, +, +, yet the least squares 20x/43 − 5/43 get x = 0 wrong.

    The delta rule goes there, and the perceptron does not: it is no least squares in disguise (against S003).

    >>> from rosenblatt import learn
    >>> sample = least_squares_trap()
    >>> plane = learn(*sample, **sample.plan).hyperplane
    >>> (43 * plane.w).round(6).tolist(), round(43 * plane.b, 6), plane.predict(sample.X).tolist()
    ([20.0], -5.0, [-1, -1, -1, 1])
    >>> learn(*sample).status.name
    'clean'
    """
    plan: dict[str, Any] = {"rule": "delta", "eta": 0.05, "batch_size": "all", "max_epochs": 2000}
    return _sample("least-squares-trap", [(-1,), (-1,), (0,), (3,)], [-1, -1, 1, 1], w=[1], b=0.5, **plan)


def slow_steps(copies: int = 10) -> Sample:
    """`copies` of (1, 0) and one (−1, 1), all +: with steps of 1/k a full batch takes ages to make up for its first.

    S004 shows that 1/k converges, not how soon: 83, 12,367 and 150,661 changes for 10, 20 and 25 copies.

    >>> from rosenblatt import learn
    >>> sample = slow_steps(10)
    >>> learn(*sample, **sample.plan).state.changes
    83
    >>> learn(*sample, offset=0, batch_size="all").state.changes
    6
    """
    copies = count("copies", copies, most=_MOST)
    rows = [(1, 0)] * copies + [(-1, 1)]
    plan: dict[str, Any] = {"offset": 0, "batch_size": "all", "schedule": "1/k", "max_epochs": 200_000}
    return _sample("slow-steps", rows, [1] * (copies + 1), w=[1, 2], **plan)


def tight(n: int = 5, both_classes: bool = False) -> Sample:
    """The unit vectors e₁ … eₙ, all +: through the origin R = 1 and γ* = 1/√n, and all n mistakes allowed are made.

    Every update is at right angles to all others, so law 1 holds with equality at each (law 10; S004 asks for it).
    With `both_classes` every second row is negated together with its label, and nothing else changes.

    >>> from rosenblatt import learn
    >>> sample = tight(7, both_classes=True)
    >>> learn(*sample, **sample.plan).updates, round((sample.radius / sample.margin) ** 2)
    (7, 7)
    """
    n = count("n", n, least=2 if both_classes else 1, most=_MOST)
    signs = np.ones(n, dtype=np.int64)
    if both_classes:
        signs[1::2] = -1
    X = np.diag(signs.astype(np.float64))
    return Sample(X, signs, "tight", 1 / sqrt(n), 1.0, (Hyperplane(np.ones(n)),), {"offset": 0})


def never_repeats() -> Sample:
    """Two rows, x = 1 + and x = √2 −, through the origin: inseparable, and yet the weights never return (law 11).

    After i updates on the one and j on the other w = i − j·√2, and √2 is irrational, so no two of these are the same.
    (The double next to √2 is p/2⁵² with p odd: as stored they do come back, after 2⁵² + p ≈ 10¹⁶ updates.)

    >>> from rosenblatt import learn
    >>> sample = never_repeats()
    >>> learn(*sample, **sample.plan, max_epochs=10_000).status.name
    'budget'
    """
    return _sample("never-repeats", [(1,), (sqrt(2),)], [1, -1], offset=0)


def only_by_rounding() -> Sample:
    """(0.1, 1) +, (0.3, 3) +, (0.2, 2) −: in one line as decimals, and so inseparable; as doubles not in one line.

    The doubles nearest to 0.1 and 0.3 have their middle 2⁻⁵⁶ below the one nearest to 0.2, so three rows make a
    triangle, and any labels of a triangle are separable: with a margin of 7·10⁻¹⁸, which no run in floats will find.
    With ρ = R the weights even come back, by rounding: a run that loops does not prove the rows inseparable (law 11).

    >>> from fractions import Fraction as F
    >>> F(0.2) - (F(0.1) + F(0.3)) / 2 == F(1, 2**56), F("0.2") - (F("0.1") + F("0.3")) / 2
    (True, Fraction(0, 1))
    >>> sample = only_by_rounding()
    >>> sample
    <Sample only-by-rounding: 3 × 2, γ* = 6.90446e-18, R = 3.01496>
    >>> from rosenblatt import learn
    >>> learn(*sample, offset="radius").status.name
    'loop'
    """
    sample = _sample("only-by-rounding", [(0.1, 1), (0.3, 3), (0.2, 2)], [1, 1, -1])
    # Half the distance of (0.2, 2) from the line through the others, whose first coordinate grows 0.1 a unit.
    margin = 2**-57 / sqrt(1 + (0.3 - 0.1) ** 2 / 4)
    return replace(sample, margin=margin)


def _sample(
    name: str, rows: Sequence[tuple[float, ...]], labels: list[int], *, w: Any = None, b: float = 0.0, **plan: Any
) -> Sample:
    """The margin is that of the best hyperplane (w, b), where there is one; that it is the best, the tests prove."""
    X, y = np.array(rows, dtype=np.float64), np.array(labels, dtype=np.int64)
    best = () if w is None else (Hyperplane(np.array(w), b),)
    margin = best[0].margin(X, y) if best else None
    return Sample(X, y, name, margin, sqrt(float((X * X).sum(axis=1).max())), best, plan)
