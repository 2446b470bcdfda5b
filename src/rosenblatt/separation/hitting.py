"""Hitting sets: rows of little weight such that each of some sets of rows loses one.

The weighted hitting set problem, by branch and bound in whole numbers. Some row of the smallest set must go: each is
tried, and later branches keep it. Bound: if every set takes an equal share of what is left of its rows' weights (the
local ratio of Bar-Yehuda and Even 1981), hitting them all weighs at least the sum of the shares.
"""

from collections.abc import Callable, Sequence

_DEEPEST = 300  # rows in a hitting set beyond which the search gives up


class HittingSetSearch:
    """One search. It ends after so many nodes, the same on every machine; `nodes` is then 0 and nothing is known.

    >>> search = HittingSetSearch([(0, 1), (1, 2), (2, 0)], [1, 1, 1], 100)
    >>> search.within(1), search.beyond, HittingSetSearch(search.sets, [1, 1, 1], 100).within(2)
    (None, 2, [0, 1])
    """

    def __init__(
        self,
        sets: Sequence[tuple[int, ...]],
        weights: Sequence[int],
        nodes: int,
        tick: Callable[[], object] = lambda: None,
    ) -> None:
        self.sets, self.weights, self.nodes, self.tick = sets, weights, nodes, tick
        self.beyond = sum(weights)
        """Where nothing was found within the budget: it takes at least this weight."""

    def within(self, budget: int) -> list[int] | None:
        """Rows of at most this weight that hit every set, or None if there are none."""
        return self._visit([list(some) for some in self.sets], 0, budget, 0)

    def _visit(self, sets: list[list[int]], spent: int, budget: int, depth: int) -> list[int] | None:
        self.tick()  # raises when time is up
        self.nodes = max(self.nodes - 1, 0) if depth < _DEEPEST else 0
        if spent > budget:
            self.beyond = min(self.beyond, spent)
            return None
        if not sets:
            return []
        if not self.nodes or not all(sets):  # a set of rows that are all to be kept cannot be hit
            return None
        sets = sorted(sets, key=len)
        left: dict[int, int] = {}
        bound = spent
        for some in sets:
            share = min(left.get(i, self.weights[i]) for i in some)
            bound += share
            if bound > budget:
                self.beyond = min(self.beyond, bound)
                return None
            for i in some:
                left[i] = left.get(i, self.weights[i]) - share
        often = {i: sum(i in some for some in sets) for i in sets[0]}
        for i in sorted(sets[0], key=lambda i: self.weights[i] / often[i]):
            found = self._visit([some for some in sets if i not in some], spent + self.weights[i], budget, depth + 1)
            if found is not None:
                return [i, *found]
            sets = [[j for j in some if j != i] for some in sets]
        return None
