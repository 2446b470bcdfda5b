"""Witnesses that raise the bound: around mistakes, of rows with small shares in those known; then all are weighed anew.

Column generation: a witness whose rows have shares below 1 together improves the packing (packing.py). To find the one
with the least is itself hard, so linear programs propose: of rows close to a mistake (neighbours.py), or of any.
"""

import time

import numpy as np

from ..signed_rows import Floats
from .known import MistakeSearch
from .neighbours import POWERS, Neighbourhoods
from .witnesses import WitnessBlock, size_of_block

_POOL = 6000  # witnesses that are weighed against each other at most
_ATTEMPTS = 4  # at a witness of few shares around one row
_UNSURE = 1e-6
_FLOOR = 0.02  # what a row without a share costs
_NEW = 0.15  # how much of the averaged shares is the last ones
_AT_ONCE = 40  # mistakes whose witnesses are looked for before all are weighed


def price_neighbours(b: MistakeSearch, end: float) -> None:
    """Small witnesses of rows with small shares, around some mistakes.

    The shares jump from one pass to the next, so what rows cost is their average (Wentges 1997).
    """
    s, pool = b.s, b.pool
    hoods = b.neighbourhoods = b.neighbourhoods or Neighbourhoods(b.descent)
    which, shares = b.descent.which, b.shares()
    b.smooth = _spread(b) if b.smooth is None else (1 - _NEW) * b.smooth + _NEW * shares
    prices, before, useful = b.smooth[which] + _FLOOR, (b.lower, b.upper), 0
    allowed = ~pool.blocked[which]
    wrong = hoods.wrong
    for at in s.random.permutation(wrong[allowed[wrong]])[:_AT_ONCE].tolist():
        if time.monotonic() > end or len(pool.witnesses) > _POOL:
            break
        power = hoods.power()
        found = hoods.support(at, prices * (0.5 + s.random.random(hoods.size)), allowed, POWERS[power])
        hoods.tries[power] += 1
        if found is None:
            continue
        value = min(float(shares[which[found]].sum()), float(b.smooth[which[found]].sum()))
        if value > 1 - _UNSURE:
            continue
        if (witness := hoods.witness(found)) is not None and pool.add(witness):
            hoods.gains[power] += 1 - value
            useful += 1
    _weigh(b, useful, before)


def _spread(b: MistakeSearch) -> Floats:
    """Shares to begin with: every witness of the packing shares its weight out evenly."""
    shares = np.zeros(b.s.n)
    for witness, weight in b.pool.packing():
        shares[list(witness.rows)] += float(weight) / len(witness.rows)
    return shares


def price_around_mistakes(b: MistakeSearch, end: float) -> None:
    """Witnesses around rows with small shares, of any others with small shares.

    Each mistake is taken with rows that are right: such a witness counts for that mistake alone, and where there is
    none, the hyperplane can be bettered.
    """
    s, descent, pool = b.s, b.descent, b.pool
    before = b.lower, b.upper
    shares, size = b.shares(), size_of_block(s) if b.passes % 2 == 0 else max(300, 25 * s.d)
    rows = np.arange(s.n) if s.n <= size else np.sort(s.random.choice(s.n, size, False))
    block = WitnessBlock(descent, rows, (shares[rows] + 0.01) * (0.2 + s.random.random(rows.size)))
    useful = 0
    for k in s.random.permutation(descent.wrong[~pool.blocked[descent.wrong]]).tolist():
        if time.monotonic() > end or len(pool.witnesses) > _POOL:
            break
        allowed = ~pool.blocked
        allowed[descent.wrong] = False
        if (witness := block.around(k, allowed)) is None:
            continue
        value = shares[list(witness.rows)].sum()
        if (value < 1 - _UNSURE or b.bounds_meet or not b.passes) and pool.add(witness):
            useful += 1
    _weigh(b, useful, before)


def _weigh(b: MistakeSearch, useful: int, before: tuple[int, int]) -> None:
    b.passes += 1
    b.pool.solve(b.s.seconds_left())
    moved = (b.lower, b.upper) != before
    b.idle_passes = 0 if useful or moved else b.idle_passes + 1
    if moved:
        b.tell("looking for rows that no hyperplane gets all right")
