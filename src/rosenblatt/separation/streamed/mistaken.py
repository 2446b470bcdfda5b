"""How many mistakes hyperplanes make on all rows, counted exactly in one scan, and rows to look for witnesses among."""

from dataclasses import dataclass, field

import numpy as np

from ... import _core
from ...data.rows import not_finite
from ...data.source import TakenRows
from ..exact import rounded
from ..signed_rows import Floats, Ints, SignedRows, Vector
from .picks import Pick
from .questions import RowsQuestion

LISTED = 10_000
"""Rows on the wrong side that are kept by number: each place that has rows may send so many."""


@dataclass
class Mistaken:
    """The mistakes of a hyperplane: how many, and which rows lie farthest on the wrong side."""

    v: Vector
    near: Floats
    count: int = 0
    rows: list[Ints] = field(default_factory=list)
    margins: list[Floats] = field(default_factory=list)

    def add(self, numbers: Ints, m: Floats) -> None:
        """Mistaken rows, and their margins."""
        self.count += numbers.size
        self._keep(numbers, m)

    def join(self, later: "Mistaken") -> None:
        """Those of other rows."""
        self.count += later.count
        self._keep(*later.listed())

    def _keep(self, numbers: Ints, m: Floats) -> None:
        self.rows.append(numbers)
        self.margins.append(np.nan_to_num(m, nan=0.0))
        if sum(part.size for part in self.rows) > 2 * LISTED:
            rows, margins = self.listed()
            self.rows, self.margins = [rows], [margins]

    def listed(self) -> tuple[Ints, Floats]:
        """The rows in order, and their margins in units of the rounded hyperplane."""
        rows = np.concatenate([np.empty(0, dtype=np.int64), *self.rows])
        m = np.concatenate([np.empty(0), *self.margins])
        if rows.size > LISTED:
            worst = np.argsort(m, kind="stable")[:LISTED]
            rows, m = rows[worst], m[worst]
        order = np.argsort(rows)
        return rows[order], m[order]


class MistakesOf(RowsQuestion):
    """The mistakes of some hyperplanes; and about the first of them rows for witnesses, none of those in `used`.

    A witness has one row or more on the wrong side, and others that are right: close to the hyperplane, or about the
    first wherever that is. So those that are picked are half the nearest and half at random.
    """

    doing = "counting the mistakes of a hyperplane"

    def __init__(
        self, planes: list[Vector], used: Ints, wrong: int, right: int, names: tuple[str, ...] | None, draw: int
    ) -> None:
        self.counted = [Mistaken(v, rounded(v)) for v in planes]
        self.used, self.names, self.draw = used, names, draw
        self.wrong, self.right = Pick(wrong), Pick(right)

    def begin(self, first: int) -> None:
        """The number of the first row."""
        self.wrong.begin(first, self.draw)
        self.right.begin(first, self.draw + 1)

    def look(self, taken: TakenRows) -> None:
        """Some rows; raises at what is not finite."""
        _, place, column = _core.radius2(taken.rows, self.terms.threads)
        if column >= 0:
            raise not_finite(taken.number(place), column, self.names)
        super().look(taken)

    def piece(self, numbers: Ints, s: SignedRows) -> None:
        """Some rows."""
        for at, one in enumerate(self.counted):
            m = s.margins(one.near)
            bad = s.signs(one.v, m, near=one.near) <= 0
            one.add(numbers[bad], m[bad])
            if at == 0:
                here = self.used[slice(*np.searchsorted(self.used, [numbers.min(), numbers.max() + 1]))]
                free = ~np.isin(numbers, here)
                self.wrong.offer(numbers[bad & free], m[bad & free])
                self.right.offer(numbers[~bad & free], m[~bad & free])

    def add(self, later: "MistakesOf") -> None:
        """What was found of other rows."""
        for one, other in zip(self.counted, later.counted, strict=True):
            one.join(other)
        self.wrong.join(later.wrong)
        self.right.join(later.right)
