"""Witnesses: few rows that no hyperplane gets all right, each exact, and ways to find many of them.

A witness is a set of rows with α > 0 and Σ α_i·z_i = 0 (Gordan 1873): every hyperplane makes a mistake on one of them.
Around a hyperplane v each mistaken row k has one, or v can be bettered: if −z_k = Σ α_i·z_i with α ≥ 0 over rows that v
gets right, those with α > 0 and k are a witness; if not, some u has z_k·u > 0 and z_i·u ≥ 0 (Farkas 1902), and v + t·u
gets k right besides for some t > 0. A linear program in floats says which, and where to look (columns.py). That α > 0
sums to 0 is then solved and checked in integers.
"""

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..exact import coprime, multipliers
from ..lp import scaled
from ..signed_rows import Floats, Ints, SignedRows
from .columns import Columns
from .zero_one import ZeroOneDescent

Bools = NDArray[np.bool_]

_NUMBERS = 80_000  # in a linear program


class IntegerWitness(NamedTuple):
    """Rows in increasing order, and α > 0 for each, in whole numbers."""

    rows: tuple[int, ...]
    multipliers: tuple[int, ...]


def integer_witness(rows: Ints, alpha: Iterable[Fraction]) -> IntegerWitness:
    """A witness from rows and fractions, in any order."""
    pairs = sorted(zip(rows.tolist(), alpha, strict=True))
    scale = math.lcm(*(a.denominator for _, a in pairs))
    return IntegerWitness(tuple(r for r, _ in pairs), coprime(int(a * scale) for _, a in pairs))


class WitnessBlock:
    """Some rows, from which witnesses are made around mistaken ones."""

    def __init__(self, descent: ZeroOneDescent, rows: Ints, costs: Floats) -> None:
        self.descent, self.s, self.rows = descent, descent.s, rows
        self.columns = Columns(scaled(self.s.z(rows), descent.scale))
        self.costs, self.changed = costs, True

    def around(self, k: int, allowed: Bools, again: bool = False) -> IntegerWitness | None:
        """A witness of row k and some that are allowed; if there is none and v can be bettered, it is.

        It has little Σ costs·α, though its rows are what should cost little. `again`: rows with a small α in the last
        one are made dear, those with a large α cheap (the reweighting of Candès, Wakin and Boyd 2008).
        """
        s = self.s
        if again or self.changed:
            noise = 0.5 + s.random.random(self.rows.size) if again else 1.0
            self.columns.costs(self.costs * noise / (self.columns.alpha + 0.03) if again else self.costs)
            self.changed = again
        if seconds_for(s.d) > s.seconds_left():
            return None
        self.columns.admit(allowed[self.rows] & (self.rows != k))
        target = scaled(s.z([k]), self.descent.scale)[0]
        support, ray = self.columns.cone(target, s.seconds_left())
        if support is not None:
            rows = np.sort(np.append(self.rows[support], k))
            alpha = multipliers(s.z(rows))
            return None if alpha is None else IntegerWitness(tuple(rows.tolist()), alpha)
        if ray is not None:
            self.descent.try_line(ray)
        return None


def seconds_for(d: int) -> float:
    """About how long an exact witness takes."""
    return 8e-8 * d**3


def size_of_block(s: SignedRows) -> int:
    """How many rows a linear program has at most."""
    return int(np.clip(_NUMBERS // s.d, max(500, 12 * s.d), 8000))


def disjoint(descent: ZeroOneDescent, used: Bools) -> Iterator[IntegerWitness]:
    """Witnesses with no row in common, nor with `used`, around the mistakes of the best hyperplane, the worst first.

    From small blocks of rows at first, since deep mistakes have witnesses in any; then, for those that had none, from
    larger ones, half of them the rows closest to the hyperplane.
    """
    s, used = descent.s, used.copy()
    with np.errstate(over="ignore"):  # only an order to look in
        margins = np.nan_to_num(s.margins(np.ldexp(descent.near, -descent.scale)))
    queue = [int(k) for k in descent.wrong[np.argsort(margins[descent.wrong], kind="stable")]]
    size, most = 12 * s.d, size_of_block(s)
    while queue:
        block, later, failed, left = None, [], 0, 0
        for at, k in enumerate(queue):
            if failed > 8:
                later += queue[at:]
                break
            if block is None or left < block.rows.size * 0.6:
                block = WitnessBlock(descent, *_choice(descent, used, margins, size))
                left = block.rows.size
            witness = None if used[k] else block.around(k, ~used)
            if witness is None:
                later += [] if used[k] else [k]
                failed += 1
                continue
            used[list(witness.rows)] = True
            failed, left = 0, left - len(witness.rows)
            yield witness
        queue = later
        if size >= min(most, s.n):
            return
        size = min(3 * size, most)


def _choice(descent: ZeroOneDescent, used: Bools, margins: Floats, size: int) -> tuple[Ints, Floats]:
    """Rows for a block, of those that are right and not used; and random costs for them."""
    s = descent.s
    free = ~used
    free[descent.wrong] = False
    rows = np.flatnonzero(free)
    if rows.size > size:
        chosen = s.random.choice(rows, size, False)
        if size > 12 * s.d:
            closest = rows[np.argpartition(margins[rows], size // 2)[: size // 2]]
            chosen = np.concatenate([closest, chosen[: size - size // 2]])
        rows = np.unique(chosen)
    return rows, 1 + s.random.random(rows.size)
