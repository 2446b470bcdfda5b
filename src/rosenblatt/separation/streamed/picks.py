"""Some of the rows that a question meets, by number: nothing that grows with the rows."""

import numpy as np

from ..signed_rows import Floats, Ints


class Pick:
    """Some of the rows that are offered, so many at most: half of them the worst, the others at random.

    >>> pick = Pick(2)
    >>> pick.offer(np.array([3, 4, 5]), np.array([-1.0, -9.0, -2.0]))
    >>> 4 in pick.rows(), pick.rows().size
    (True, 2)
    """

    def __init__(self, most: int) -> None:
        self.most, self.random = most, np.random.default_rng(0)
        self.worst = self.others = (np.empty(0, dtype=np.int64), np.empty(0))

    def begin(self, first: int, draw: int = 0) -> None:
        """Before any row is offered, the number of the first: rows in several places are drawn each in its own way.

        Another `draw` picks others at random.
        """
        self.random = np.random.default_rng([first, draw] if draw else first)

    def offer(self, numbers: Ints, m: Floats) -> None:
        """Rows, and how they lie."""
        self._take(numbers, np.nan_to_num(m, nan=0.0), (self.others[0][:0], self.others[1][:0]))

    def join(self, later: "Pick") -> None:
        """What was picked of other rows."""
        self._take(*later.worst, later.others)

    def _take(self, numbers: Ints, m: Floats, others: tuple[Ints, Floats]) -> None:
        if not numbers.size:
            return
        all_, size = np.concatenate([self.worst[0], numbers]), np.concatenate([self.worst[1], m])
        order, half = np.argsort(size, kind="stable"), max(1, self.most // 2)
        self.worst = all_[order[:half]], size[order[:half]]
        # A key at random for each: those with the least are as good as drawn from all, however many there are.
        rest = all_[order[half:]]
        keys = np.concatenate([self.others[1], others[1], self.random.random(rest.size)])
        left = np.concatenate([self.others[0], others[0], rest])
        some = np.argsort(keys, kind="stable")[: max(0, self.most - half)]
        self.others = left[some], keys[some]

    def rows(self) -> Ints:
        """Those that were picked, in order."""
        return np.unique(np.concatenate([self.worst[0], self.others[0]]))
