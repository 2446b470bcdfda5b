"""Cores: few rows that positively span all, and what they say of the rows that must go.

V is the span of all rows z_i, of dimension r. A core is a set S of rows with rank r and Σ α_i·z_i = 0 for some α > 0 on
all of S. Then no v ≠ 0 of V has z_i·v ≥ 0 on all of S: every core must lose a row before a direction of recession can
appear. Weights λ_S ≥ 0 with Σ_{S∋i} λ_S ≤ c_i for every row, of count c_i, therefore show that ⌈Σ λ_S⌉ or more must go.

A vertex of {α ≥ 0 : Σ α_i·z_i = −z_k} is a circuit through row k, of at most r + 1 rows. If it spans V it is a core; if
not, the next circuit is looked for modulo the span of those so far, where their own multipliers may have any sign, and
the union is one in the end. Floats propose; that a set is a core, and that weights are feasible, is exact.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ...data.csr import Csr
from ..exact import Cone, dependency, independent, integers
from ..lp import column_scale, solution

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_SHARE = Fraction(1, 2**30)  # weights are whole multiples of this, before they are made feasible
_TINY = 1e-9  # a multiplier that is none


class Cores:
    """The cores found so far among distinct rows (G, r) of full rank, weights λ for them, and the bound they give."""

    def __init__(self, z: Floats, counts: Ints, left: Callable[[], float], seed: int = 0) -> None:
        self.z, self.counts, self.left, self.r = z, counts, left, z.shape[1]
        scaled = np.ldexp(z, -column_scale(z).astype(np.int32))
        self.near = np.ldexp(scaled, -np.frexp(np.abs(scaled).max(axis=1, keepdims=True))[1])
        self.random = np.random.default_rng(seed)
        self.found: list[tuple[int, ...]] = []
        self.shares: list[Fraction] = []

    @property
    def bound(self) -> int:
        """So many rows must go at least."""
        return math.ceil(sum(self.shares, Fraction(0)))

    def pack(self, wrong: Bools) -> None:
        """One core after the other, each taking what it can of the counts left.

        `wrong`: rows of little weight that are known to hit every core. The fewer of them a core has, the more cores.
        """
        left = self.counts.copy()
        for k in [*np.flatnonzero(wrong)[np.argsort(self.counts[wrong], kind="stable")], None]:
            while k is None or left[k]:
                free = left > 0 if k is None else (left > 0) & ~wrong
                core = self.find(free, 1 / np.maximum(left, 1), k)
                if core is None:
                    break
                share = int(left[list(core)].min())
                left[list(core)] -= share
                self.shares[self.found.index(core)] += share

    def spread(self, wrong: Bools, enough: int, most: int) -> None:
        """Fractional weights: the best for the cores so far, then cores that are cheap at their prices, and again."""
        best, stale = sum(self.shares, Fraction(0)), 0
        while stale < 4 and self.bound < enough and len(self.found) < most:
            prices = self._share()
            total = sum(self.shares, Fraction(0))
            best, stale = (total, 0) if total > best + Fraction(1, 20) else (best, stale + 1)
            ks = np.flatnonzero(wrong)
            for k in ks[np.argsort(prices[ks] + 0.1 * self.random.random(ks.size))][:12]:
                cost = prices + 0.05 * self.random.random(prices.size) / self.r
                if self.find(~wrong, cost, k) is None:
                    self.find(np.ones(prices.size, dtype=bool), cost, k)
        self._share()

    def _share(self) -> Floats:
        """Set the weights anew, exactly feasible, if that is better; the price of each row."""
        if not self.found:
            return np.zeros(self.counts.size)
        A = np.zeros((self.counts.size, len(self.found)))
        for at, core in enumerate(self.found):
            A[list(core), at] = 1
        most = self.counts.astype(np.float64)
        solved = solution(-np.ones(len(self.found)), Csr.of(A), (np.full(most.size, -np.inf), most), self.left())
        if solved is None:
            return np.zeros(self.counts.size)
        shares = [max(0, round(x / float(_SHARE))) * _SHARE for x in solved.x.tolist()]
        used = [Fraction(0)] * self.counts.size
        for core, share in zip(self.found, shares, strict=True):
            for i in core:
                used[i] += share
        over = max(u / c for u, c in zip(used, self.counts.tolist(), strict=True))
        shares = [share / max(over, Fraction(1)) for share in shares]
        if sum(shares) > sum(self.shares):
            self.shares = shares
        return solved.prices

    def find(self, allowed: Bools, cost: Floats, k: int | None = None) -> tuple[int, ...] | None:
        """A core of allowed rows, and of row k if one is named; cheap if possible. None if none was found."""
        chosen = np.zeros(self.counts.size, dtype=bool)
        basis = np.empty((0, self.r))
        while len(basis) < self.r:
            far = np.linalg.norm(self.near - (self.near @ basis.T) @ basis, axis=1) > 1e-7
            outside = np.flatnonzero(allowed & far)
            if outside.size == 0:
                return None
            if k is None or chosen.any():
                k = int(outside[np.argmin(cost[outside] * (1 + self.random.random(outside.size)))])
            circuit = self._circuit(k, outside, np.flatnonzero(chosen), cost)
            if circuit is None:
                return None
            chosen[circuit] = True
            _, size, directions = np.linalg.svd(self.near[chosen], full_matrices=False)
            before, basis = len(basis), directions[size > 1e-9 * size[0]]
            if len(basis) == before:
                return None  # too close to tell in floats
        core = tuple(np.flatnonzero(chosen).tolist())
        if core not in self.found:
            if not self.is_core(core):
                return None
            self.found.append(core)
            self.shares.append(Fraction(0))
        return core

    def _circuit(self, k: int, outside: Ints, inside: Ints, cost: Floats) -> Ints | None:
        """Row k and others `outside` that it takes for a circuit, modulo the rows `inside`."""
        many = 40 * (self.r + 1)  # among so many there usually is one
        for some in (outside, self.random.permutation(outside)[:many])[:: -1 if outside.size > many else 2]:
            rows = np.concatenate([inside, some])
            price = np.concatenate([np.zeros(inside.size), cost[some] + 1e-6])
            goal = -self.near[k]
            solved = solution(price, Csr.of(self.near[rows].T), (goal, goal), self.left(), inside.size)
            if solved is not None:
                return np.append(some[solved.x[inside.size :] > _TINY], k)
        return None

    def is_core(self, rows: tuple[int, ...]) -> bool:
        """Whether these rows positively span V, exactly."""
        table, _ = integers(self.z[list(rows)])
        if len(independent(table)) < self.r:  # modulo a prime: never more than the rank
            return False
        if len(rows) == self.r + 1:
            return dependency(self.z[list(rows)]) is not None
        # α = 1 + δ > 0 on every row, if −Σ z is in their cone; of each row any multiple > 0 will do.
        return Cone(table, [-sum(x) for x in zip(*table, strict=True)], range(len(rows)), self.left).normal is None
