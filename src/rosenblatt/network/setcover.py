"""Set cover: as few sets as can be found that cover every element, and a proof of how many it takes at least.

A[i, j] says whether set i covers element j; here sets are prime implicants and elements are rows of a truth table.
Essential sets and dominance as in McCluskey ("Minimization of Boolean functions", 1956), then branch and bound on the
rest, with the Lagrangian lower bound of Beasley ("A Lagrangian heuristic for set-covering problems", 1990), here in
exact arithmetic. The search stops after a fixed amount of work, the same on every machine.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

WORK = 60_000_000  # what a search may spend: about a second
UNIT = 2.0**-20  # multipliers are multiples of this, so that float64 sums of up to 2**20 of them are exact

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def fewest(A: Bools) -> tuple[list[int], int]:
    """As few primes as were found to cover every row, and how many it takes at least."""
    chosen, A, primes, _ = _reduced(A, np.arange(len(A)))
    at_least, work = len(chosen), WORK
    for members, rows in sorted(_blocks(A), key=lambda block: len(block[0])):
        search = _CoverSearch(A[np.ix_(members, rows)], primes[members], work)
        chosen, at_least, work = chosen + search.best, at_least + search.at_least, max(search.work, 0)
    return chosen, at_least


def _blocks(A: Bools) -> Iterator[tuple[Ints, Ints]]:
    """Primes and rows of each part of A that shares nothing with the others."""
    left = A.any(1)
    while left.any():
        members = np.arange(len(A)) == left.argmax()
        while not np.array_equal(members, grown := A[:, A[members].any(0)].any(1)):
            members = grown
        yield np.flatnonzero(members), np.flatnonzero(A[members].any(0))
        left &= ~members


def _reduced(A: Bools, primes: Ints) -> tuple[list[int], Bools, Ints, Ints]:
    """Primes that may be taken at once, and what remains: the cyclic core, its primes and its rows.

    Taken: a prime that alone covers some row. Dropped: a row covered whenever another one is; a prime that covers
    nothing another one does not. What is dropped never changes how many primes are needed.
    """
    chosen: list[int] = []
    rows = np.arange(A.shape[1])
    while A.size:
        before = A.shape
        if (alone := A.sum(0) == 1).any():
            taken = np.unique(A[:, alone].argmax(0))
            chosen += primes[taken].tolist()
            rest = ~A[taken].any(0)
            A, rows = A[:, rest], rows[rest]
        needed = A.any(1)
        A, primes = A[needed], primes[needed]
        if not A.size:
            break
        inner, outer = _inclusions(A.T)
        kept = ~np.isin(np.arange(len(rows)), outer[_drops(A.T, outer, inner)])
        A, rows = A[:, kept], rows[kept]
        inner, outer = _inclusions(A)
        kept = ~np.isin(np.arange(len(primes)), inner[_drops(A, inner, outer)])
        A, primes = A[kept], primes[kept]
        if A.shape == before:
            break
    return chosen, A, primes, rows


def _inclusions(S: Bools) -> tuple[Ints, Ints]:
    """All pairs i ≠ j with S_i within S_j."""
    # Such an S_j holds the rarest element of S_i, which leaves few pairs to compare.
    rarest = np.where(S, S.sum(0), len(S) + 1).argmin(1)
    i, j = np.nonzero(S.T[rarest])
    packed = np.packbits(S, axis=1)
    within = (i != j) & ~(packed[i] & ~packed[j]).any(1)
    return i[within], j[within]


def _drops(S: Bools, dropped: Ints, kept: Ints) -> Bools:
    """Of pairs one of which can go, which do go: of equals all but the first, or both would."""
    size = S.sum(1)
    return np.asarray((size[dropped] != size[kept]) | (kept < dropped))


class _CoverSearch:
    """Branch and bound for the fewest primes of one block: `best`, and `at_least` so many are needed."""

    def __init__(self, A: Bools, primes: Ints, work: int) -> None:
        self.work = work
        self.at_least = 0
        self.best = primes[_greedy(A, np.ones(A.shape[1]))].tolist()
        self._visit(A, primes, [], 1 / np.where(A, A.sum(1)[:, None], 0).max(0))
        if self.work >= 0:
            self.at_least = len(self.best)

    def _visit(self, A: Bools, primes: Ints, taken: list[int], u: Floats) -> None:
        """Look for a better cover that holds all of `taken`; u is where the multipliers of the rows start."""
        self.work -= 4 * A.size + 100_000
        root = not taken
        more, A, primes, rows = _reduced(A, primes)
        taken = taken + more
        if not A.size:
            self.best = min(self.best, taken, key=len)
            return
        bound, u, cost = self._bound(A, primes, taken, u[rows], 300 if root else 40)
        if root:
            self.at_least = len(taken) + math.ceil(bound)
        if self.work < 0 or len(taken) + math.ceil(bound) >= len(self.best):
            return
        self._try(A, primes, taken, u)
        # A cover with prime i has at least bound + cost_i primes: those that make none better than the best can go.
        hopeful = np.ceil(bound + np.maximum(cost, 0)) < len(self.best) - len(taken)
        A, primes, cost = A[hopeful], primes[hopeful], cost[hopeful]
        # Some prime must cover the row with the fewest: try each, and do without it afterwards.
        candidates = np.flatnonzero(A[:, A.sum(0).argmin()])
        left = np.ones(len(A), dtype=bool)
        for i in candidates[np.argsort(cost[candidates], kind="stable")]:
            if self.work < 0 or len(taken) + math.ceil(bound) >= len(self.best):
                return
            left[i], rest = False, ~A[i]
            if A[np.ix_(left, rest)].any(0).all():
                self._visit(A[np.ix_(left, rest)], primes[left], [*taken, int(primes[i])], u[rest])

    def _bound(self, A: Bools, primes: Ints, taken: list[int], u: Floats, steps: int) -> tuple[float, Floats, Floats]:
        """A lower bound on the primes that cover A, its multipliers, and what each prime then costs.

        For any u ≥ 0, Σ_j u_j + Σ_i min(0, cost_i) with cost_i = 1 − Σ_{j in i} u_j is a bound; subgradient steps raise
        it. As each u_j is a multiple of UNIT, no sum is rounded: the bound is a proof, and the same on every machine.
        """
        i, j = np.nonzero(A)
        best, step, stale = (-1.0, u, u), 1.0, 0
        for t in range(steps):
            self.work -= i.size + 5_000
            u = np.floor(np.clip(u, 0, 1) / UNIT) * UNIT
            cost = np.ones(len(A)) - np.bincount(i, u[j], len(A))
            bound = float(u.sum() + np.minimum(cost, 0).sum())
            stale = 0 if bound > best[0] + 0.01 else stale + 1
            if bound > best[0]:
                best = bound, u, cost
            if t % 20 == 10:
                self._try(A, primes, taken, u)
            missing = len(self.best) - len(taken)
            slope = 1 - np.bincount(j, cost[i] < 0, A.shape[1])
            slope[(u == 0) & (slope < 0)] = 0
            if self.work < 0 or math.ceil(best[0]) >= missing or not slope.any():
                break
            if stale == 10:
                step, stale = step / 2, 0
            u = u + step * (missing - bound) / float(slope @ slope) * slope
        return best

    def _try(self, A: Bools, primes: Ints, taken: list[int], u: Floats) -> None:
        """A cover that cares most about the rows with the largest multipliers."""
        self.work -= A.size
        self.best = min(self.best, taken + primes[_greedy(A, u + UNIT)].tolist(), key=len)


def _greedy(A: Bools, weight: Floats) -> list[int]:
    """A cover: always the prime with the most weight not yet covered; then without those the others make needless."""
    j, i = np.nonzero(A.T)
    gain = np.bincount(i, weight[j], len(A))
    covering = np.split(i, np.cumsum(A.sum(0))[:-1])  # the primes of each row
    left = np.ones(A.shape[1], dtype=bool)
    chosen: list[int] = []
    while left.any():
        chosen.append(int(gain.argmax()))
        for row in np.flatnonzero(A[chosen[-1]] & left):
            gain[covering[row]] -= weight[row]
        left &= ~A[chosen[-1]]
    times = A[chosen].sum(0)
    for prime in chosen[::-1]:
        if (times[A[prime]] > 1).all():
            times -= A[prime]
            chosen.remove(prime)
    return chosen
