"""How many rows keep the estimate of a logistic regression finite? A bracket on the overlap, in exact numbers.

Christmann and Rousseeuw ("Measuring overlap in binary regression", 2001): the overlap is the fewest rows whose removal
leaves data that are separable or quasi-separable, and with them no finite maximum-likelihood estimate.

Let V be the span of all rows z_i and the data overlapping: every v ≠ 0 of V has rows with z_i·v < 0 and, since −v has,
rows with z_i·v > 0. Removing the first leaves v as a direction of recession, strict on the second. And whatever is
removed to get there, some v ≠ 0 of V has no other row on its wrong side. So **the overlap is the least weight of
{i : z_i·v < 0} over v ≠ 0 in V**: any v, its signs computed exactly, gives an upper bound. Finding the best is NP-hard
when the dimension is not fixed (Johnson and Preparata 1978).

Lower bounds come from cores, sets of rows that must each lose one (cores.py): weights for them, and the least weight
of rows that hit all those known (hitting.py). If rows that do leave no further core, they are the answer: implicit
hitting sets (Parker and Ryan 1996; Chandrasekaran, Karp, Moreno-Centeno and Vempala 2011).
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...data.csr import Csr, stacked
from ..exact import independent, integers, null_vector, rounded
from ..hitting import HittingSetSearch
from ..lp import column_scale, solution
from ..search import search
from ..signed_rows import Floats, Ints, SignedRows, Vector
from ..watch import OutOfTimeError
from .cores import Cores

_MOST = 2**24  # numbers in a table beyond which only single columns are tried
_SMALL = 2**17  # numbers in a table up to which linear programs over all rows propose directions
_CORES = 600  # cores generated for their weights, at most
_NODES = 20_000  # of one search for a hitting set


class Overlap(NamedTuple):
    """lower ≤ overlap ≤ upper, and what shows it."""

    lower: int
    upper: int
    v: Vector
    """A direction that has only the rows to remove on its wrong side."""
    rows: Ints
    """The rows with z_i·v < 0; their counts add up to `upper`."""
    cores: tuple[tuple[int, ...], ...]
    """Sets of rows each of which must lose one; of equal rows the first stands for all. Maybe none if `lower` is 1."""


def overlap(s: SignedRows, counts: Ints, columns: Sequence[int], start: Vector | None) -> Overlap:
    """Bracket the overlap of overlapping rows of which these columns are a basis; `start` is a direction to try."""
    best = BestDirection(s, counts)
    with suppress(OutOfTimeError):
        best.try_single_columns(columns)
    if start is not None:
        best.weigh(start)
    cores: list[tuple[int, ...]] = []
    lower = 1
    if best.weight > 1 and s.n * s.d <= _MOST:
        bracket = _OverlapSearch(s, counts, list(columns), best)
        with suppress(OutOfTimeError):
            bracket.run()
        lower = max(bracket.lower, bracket.cores.bound)
        cores = [tuple(bracket.first[list(core)].tolist()) for core in bracket.cores.found]
    assert best.v is not None
    return Overlap(lower, best.weight, best.v, np.flatnonzero(s.signs(best.v) < 0), tuple(cores))


class BestDirection:
    """The direction with the least weight on its wrong side so far; every weight is exact."""

    def __init__(self, s: SignedRows, counts: Ints) -> None:
        self.s, self.counts, self.weight = s, counts, int(counts.sum()) + 1
        self.v: Vector | None = None

    def weigh(self, v: Vector) -> None:
        """Take v or −v if it is better."""
        signs = self.s.signs(v)
        for sign in (1, -1):
            if signs.any() and (weight := int(self.counts[sign * signs < 0].sum())) < self.weight:
                self.weight, self.v = weight, [sign * x for x in v]

    def try_single_columns(self, columns: Sequence[int]) -> None:
        """One class removed; and each column alone with its best threshold, as a rare category would need."""
        s, found = self.s, []
        zero = [Fraction(0)] * s.d
        for j in columns if s.origin else [s.d - 1]:  # not orthogonal to all rows, so that one is always found
            self.weigh([*zero[:j], Fraction(1), *zero[j + 1 :]])
            s.seconds_left()
        for j in range(0 if s.origin else s.d - 1):
            s.seconds_left()
            column = s.matrix[:, [j]]
            x = np.asarray(column.toarray() if hasattr(column, "toarray") else column, dtype=np.float64)[:, 0]
            values, at = np.unique(x, return_inverse=True)
            ups, downs = (tally(at, np.where(s.y == y, self.counts, 0), values.size) for y in (1, -1))
            if values.size > 1:
                rising = np.cumsum(ups) - ups + downs.sum() - np.cumsum(downs)  # those below with +, above with −
                weights = np.minimum(rising, np.cumsum(downs) - downs + ups.sum() - np.cumsum(ups))
                k = int(weights.argmin())
                found.append((int(weights[k]), j, Fraction(float(values[k]))))
        for _, j, threshold in sorted(found)[:3]:
            self.weigh([*zero[:j], Fraction(1), *zero[j + 1 : -1], -threshold])


def tally(at: NDArray[np.intp], counts: Ints, size: int) -> Ints:
    """The sum of the counts for each number of `at`, in whole numbers."""
    total = np.zeros(size, dtype=np.int64)
    np.add.at(total, at.reshape(-1), counts)
    return total


class _OverlapSearch:
    """The search on distinct rows and independent columns."""

    def __init__(self, s: SignedRows, counts: Ints, columns: list[int], best: BestDirection) -> None:
        self.s, self.best, self.columns = s, best, columns
        table = s.z(np.arange(s.n))[:, columns]
        _, self.first, group = np.unique(table, axis=0, return_index=True, return_inverse=True)
        self.counts = tally(group, counts, self.first.size)
        self.z = table[self.first]
        self.cores = Cores(self.z, self.counts, s.seconds_left)
        self.lower = 1

    def run(self) -> None:
        """Cheap steps first, until the bracket closes."""
        self._turn()
        self.cores.pack(self._wrong())
        self._hit(50)
        if self.lower < self.best.weight:
            self._directions()
            self._turn()
            self.cores.spread(self._wrong(), self.best.weight, _CORES)
            self._hit(10**6)

    def _wrong(self) -> NDArray[np.bool_]:
        """The rows that the best direction has on its wrong side: they hit every core."""
        assert self.best.v is not None
        return np.asarray(self.s.signs(self.best.v)[self.first] < 0)

    def _directions(self) -> None:
        """Vertices of min Σ ω_i·t_i, z_i·v + t_i ≥ 0, z_k·v = 1 for some rows k, with ω ~ 1/t so that few t > 0."""
        near, (G, r) = self.cores.near, self.z.shape
        if G * r > _SMALL:
            return
        row, column, k = *np.nonzero(near), np.arange(G)
        entries = np.append(near[row, column], np.ones(G)), np.append(row, k), np.append(column, r + k)
        A = Csr.of_entries(*entries, (G, r + G))
        between = np.append(np.zeros(G), 1.0), np.append(np.full(G, np.inf), 1.0)
        end = time.monotonic() + self.s.seconds_left() / 4
        for k in self.s.random.permutation(np.flatnonzero(np.abs(near).max(axis=1) > 0))[:6]:
            omega = self.counts / self.counts.max()
            program = stacked([A, Csr.of(np.append(near[k], np.zeros(G))[None, :])])
            for _ in range(3):
                if (left := end - time.monotonic()) <= 0:
                    return
                solved = solution(np.append(np.zeros(r), omega), program, between, left, free=r)
                if solved is None:
                    break
                self._propose(solved.x[:r])
                omega = self.counts / (solved.x[r:] + 1e-3)
                omega /= omega.max()

    def _turn(self) -> None:
        """Turn the best direction towards wrong rows and at random, each time to the angle with the least weight."""
        near, c = self.cores.near, self.counts.astype(np.float64)
        assert self.best.v is not None
        scale = column_scale(self.z).tolist()
        exact = [self.best.v[j] * Fraction(2) ** e for j, e in zip(self.columns, scale, strict=True)]
        largest = max(map(abs, exact)) or Fraction(1)  # all 0 if the best one is not in these columns alone
        v = np.array([float(x / largest) for x in exact])
        least, stale, budget = float(c[near @ v < 0].sum()) if v.any() else float(c.sum()), 0, 2e7
        while stale < min(100, 2 * c.size) and budget > 0 and self.s.seconds_left():
            a, rows = near @ v, np.flatnonzero(near @ v < 0)
            budget -= near.size
            u = self.s.random.standard_normal(v.size)
            if rows.size and stale % 2:
                u = near[self.s.random.choice(rows)] + 0.1 * u * self.s.random.random()
            b = near @ u
            with np.errstate(divide="ignore", invalid="ignore"):
                t = np.where(b != 0, -a / b, np.nan)
            order = np.argsort(t, kind="stable")[: int((b != 0).sum())]
            rising = np.where(b[order] > 0, c[order], 0)  # wrong before t; the others after it
            falling = np.where(b[order] < 0, c[order], 0)
            weight = (
                float(c[(b == 0) & (a < 0)].sum()) + rising.sum() - np.cumsum(rising) + np.cumsum(falling) - falling
            )
            k = int(weight.argmin()) if order.size else -1
            stale += 1
            if k >= 0 and weight[k] < least and (turned := v + t[order[k]] * u).any():
                v, least, stale = turned / np.abs(turned).max(), float(weight[k]), 0
                self._propose(v)

    def _propose(self, v: Floats) -> None:
        """Weigh a direction as it is, and moved so that the rows it nearly is orthogonal to exactly are."""
        size = float(np.abs(v).max())
        if not 0 < size < np.inf:
            return
        scale = column_scale(self.z).tolist()
        found = [[Fraction(x) / Fraction(2) ** e for x, e in zip(v.tolist(), scale, strict=True)]]
        zero = np.flatnonzero(np.abs(self.cores.near @ v) <= 1e-9 * size)[:2000]
        if zero.size:
            rows = self.z[zero[independent(integers(self.z[zero])[0])]]
            if len(rows) < len(v):
                found.append(null_vector(rows, rounded(found[0]), 24))
        for w in found:
            self.best.weigh(self._full(w))

    def _full(self, v: Sequence[Fraction]) -> Vector:
        full = [Fraction(0)] * self.s.d
        for j, x in zip(self.columns, v, strict=True):
            full[j] = x
        return full

    def _hit(self, rounds: int) -> None:
        """Raise `lower` while nothing lighter hits all cores; what does hit them leaves a new core, or a direction."""
        for _ in range(rounds):
            self.lower = max(self.lower, self.cores.bound)
            if self.lower >= self.best.weight or self.s.seconds_left() <= 0:
                return
            hitting = HittingSetSearch(self.cores.found, self.counts.tolist(), _NODES, self.s.seconds_left)
            chosen = hitting.within(self.lower)
            if hitting.nodes == 0:
                return
            if chosen is None:
                self.lower = min(hitting.beyond, self.best.weight)
                continue
            allowed = np.ones(self.counts.size, dtype=bool)
            allowed[chosen] = False
            if self.cores.find(allowed, 1 + self.s.random.random(allowed.size)) is None:
                self._try_recession(np.flatnonzero(allowed))
                return  # the bracket is closed, or floats cannot close it
            # More of them while at it, with no row in common.
            for _ in range(3):
                allowed[list(self.cores.found[-1])] = False
                if self.cores.find(allowed, 1 + self.s.random.random(allowed.size)) is None:
                    break

    def _try_recession(self, some: Ints) -> None:
        """Weigh a direction of recession of these rows, if they have one; or one that is orthogonal to all of them."""
        rows = self.first[some]
        part = self.s.examples.subset(rows)
        if (v := search(part, self.s.origin, self.s.seconds_left(), self.s.threads).v) is not None:
            self.best.weigh(v)
            return
        table = self.z[some]
        table = table[independent(integers(table)[0])]
        if len(table) < len(self.columns):
            self.best.weigh(self._full(null_vector(table, self.s.random.standard_normal(len(self.columns)), 12)))
