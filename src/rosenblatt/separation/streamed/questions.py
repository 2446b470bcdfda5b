"""What the search asks of all rows z: each question sees some rows after the others, where they are, and joins.

What they say of signs and sums is exact, for each piece is asked as `SignedRows`. They hold a hyperplane, counts, sums
and a few row numbers, so that they can be sent to rows elsewhere; all but `OnPlane` stay as short as that.
"""

import math
import time
from abc import abstractmethod
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.examples import Examples
from ...data.rows import not_finite
from ...data.source import Question, TakenRows
from ..exact import rounded
from ..signed_rows import Floats, Ints, SignedRows, Vector
from ..watch import OutOfTimeError, Watch
from .picks import Pick

_PAUSE = 0.1  # seconds between two tellings of how far a scan is
_CLASSES = np.array([-1, 1])


class Terms:
    """On which terms rows are asked: through the origin or not, and until when.

    In another process there is another clock, and nobody looks on: there the watch has the seconds that were left when
    the question was asked (and not when it was sent: equal questions are equal bytes). A copy ends when this one does.
    """

    def __init__(self, origin: bool, threads: int, n: int, watch: Watch, elsewhere: bool = False) -> None:
        self.origin, self.threads, self.n, self.watch, self.elsewhere = origin, threads, n, watch, elsewhere
        self.seconds = watch.deadline - time.monotonic()

    def __reduce__(self) -> tuple[Any, ...]:
        return _sent, (self.origin, 1, self.n, self.seconds)  # a worker has other tasks beside it

    def __deepcopy__(self, memo: Any) -> "Terms":
        left = self.watch.deadline - time.monotonic()
        return Terms(self.origin, self.threads, self.n, Watch(left), self.elsewhere)


def _sent(origin: bool, threads: int, n: int, seconds: float) -> Terms:
    return Terms(origin, threads, n, Watch(seconds), elsewhere=True)


class RowsQuestion(Question):
    """A question about the rows z, with looks at the watch between."""

    doing: str
    """What is found out, in words."""
    terms: Terms
    done = 0
    told = 0.0
    late = False
    """Whether time ran out elsewhere: then it knows too little, and whoever asked is told so."""

    def see(self, taken: TakenRows) -> None:
        """Some rows; here it raises `OutOfTimeError` when time runs out, or somebody ends it."""
        try:
            if not self.late:
                self._see(taken)
        except OutOfTimeError:
            if not self.terms.elsewhere:
                raise
            self.late = True

    def _see(self, taken: TakenRows) -> None:
        self.pause()
        if not self.done:
            self.told = time.monotonic()
            self.begin(taken.number(0))
        self.look(taken)
        self.done += taken.rows.n
        if time.monotonic() - self.told >= _PAUSE:
            self.told = time.monotonic()
            self.terms.watch.tell(self.doing, rows=self.done, of=self.terms.n)

    def pause(self) -> None:
        """A look at the watch: also for a source that waits for what is found elsewhere."""
        self.terms.watch.seconds_left()

    def join(self, later: Any) -> None:
        """What was found of the rows behind."""
        self.late |= later.late
        self.add(later)

    def begin(self, first: int) -> None:
        """The number of the first row that is seen here."""

    def look(self, taken: TakenRows) -> None:
        """Some rows."""
        part = Examples(taken.rows, taken.labels, _CLASSES)
        self.piece(taken.row_numbers(), SignedRows(part, self.terms.origin, self.terms.watch, self.terms.threads))

    @abstractmethod
    def piece(self, numbers: Ints, s: SignedRows) -> None:
        """The same rows: their numbers, and the question about them alone."""

    @abstractmethod
    def add(self, later: Any) -> None:
        """What the same question found of other rows."""


class FirstLook(RowsQuestion):
    """How many numbers there are, and of each label that occurs the first row. Raises at what is not finite."""

    doing = "looking at the rows"

    def __init__(self, names: tuple[str, ...] | None) -> None:
        self.names, self.entries, self.firsts = names, 0, dict[int, int]()

    def look(self, taken: TakenRows) -> None:
        """Some rows."""
        _, place, column = _core.radius2(taken.rows, self.terms.threads)
        if column >= 0:
            raise not_finite(taken.number(place), column, self.names)
        self.entries += int(taken.rows.arrays[0].size)
        for label in {-1, 1} - self.firsts.keys():
            if (places := np.flatnonzero(taken.labels == label)).size:
                self.firsts[label] = taken.number(int(places[0]))

    def piece(self, numbers: Ints, s: SignedRows) -> None:
        """Nothing is asked of the rows z."""

    def add(self, later: "FirstLook") -> None:
        """What was found of other rows."""
        self.entries += later.entries
        self.firsts = later.firsts | self.firsts


class SidesOf(RowsQuestion):
    """How many rows have a margin below a level, or (`strict`) on it, how many on it, and some that are wrong."""

    doing = "which rows are on the wrong side"

    def __init__(self, v: Vector, most: int, strict: bool, level: Fraction) -> None:
        self.v, self.near, self.strict, self.level = v, rounded(v), strict, level
        self.shift = _float(level / _unit(v, self.near)) if level else 0.0
        self.pick, self.wrong, self.on, self.least = Pick(most), 0, 0, math.inf

    def begin(self, first: int) -> None:
        """The number of the first row."""
        self.pick.begin(first)

    def piece(self, numbers: Ints, s: SignedRows) -> None:
        """Some rows."""
        m = s.margins(self.near)
        if self.level:
            signs = s.level_signs(self.v, m, self.near, self.level, self.shift)
        else:
            signs = s.signs(self.v, m, near=self.near)
        bad = (signs <= 0) if self.strict else (signs < 0)
        self.wrong, self.on = self.wrong + int(bad.sum()), self.on + int((signs == 0).sum())
        low = float(m.min()) - s.slack(self.near)
        self.least = min(self.least, low if np.isfinite(low) else -math.inf)
        self.pick.offer(numbers[bad], m[bad])

    def add(self, later: "SidesOf") -> None:
        """What was found of other rows."""
        self.wrong, self.on, self.least = self.wrong + later.wrong, self.on + later.on, min(self.least, later.least)
        self.pick.join(later.pick)


class OffPlane(RowsQuestion):
    """Some of the rows that do not lie on v, of those that lie on `within`, or of all."""

    doing = "rows beyond the span of others"

    def __init__(self, v: Vector, most: int, within: Vector | None) -> None:
        self.v, self.near, self.within, self.pick = v, rounded(v), within, Pick(most)

    def begin(self, first: int) -> None:
        """The number of the first row."""
        self.pick.begin(first)

    def piece(self, numbers: Ints, s: SignedRows) -> None:
        """Some rows."""
        m = s.margins(self.near)
        some = s.signs(self.v, m, near=self.near) != 0
        if self.within is not None:
            some &= s.signs(self.within) == 0
        self.pick.offer(numbers[some], m[some])

    def add(self, later: "OffPlane") -> None:
        """What was found of other rows."""
        self.pick.join(later.pick)


class OnPlane(RowsQuestion):
    """All rows that lie on v: for whoever has room for their numbers."""

    doing = "which rows are on the hyperplane"

    def __init__(self, v: Vector) -> None:
        self.v, self.found = v, list[Ints]()

    def piece(self, numbers: Ints, s: SignedRows) -> None:
        """Some rows."""
        self.found.append(numbers[s.signs(self.v) == 0])

    def add(self, later: "OnPlane") -> None:
        """What was found of other rows."""
        self.found += later.found


class LeastMargin(RowsQuestion):
    """The least z_i·v, exactly."""

    doing = "the least margin of all rows"

    def __init__(self, v: Vector) -> None:
        self.v, self.near = v, rounded(v)
        self.unit, self.found = _unit(v, self.near), list[Fraction]()
        """The least so far, if any row was seen."""

    def piece(self, numbers: Ints, s: SignedRows) -> None:
        """Some rows."""
        bound = _float(self.found[0] / self.unit) if self.found else math.inf
        lowest = float(np.nanmin(s.margins(self.near)))
        if not self.found or not lowest > bound + 2 * s.slack(self.near) + 1e-9 * abs(bound):
            self.found = [min([s.least(self.v), *self.found])]

    def add(self, later: "LeastMargin") -> None:
        """What was found of other rows."""
        self.found = sorted([*self.found, *later.found])[:1]


class SumOfRows(RowsQuestion):
    """Σ z_i over the rows that lie on `within`, or over all, exactly."""

    doing = "the sum of the rows"

    def __init__(self, within: Vector | None) -> None:
        self.within, self.labels, self.exponent = within, 0, 0
        self.cells: NDArray[np.int64] | None = None

    def piece(self, numbers: Ints, s: SignedRows) -> None:
        """Some rows."""
        signs = s.y if self.within is None else np.where(s.signs(self.within) == 0, s.y, 0).astype(np.int8)
        part, self.exponent = _core.exact_sums(s.rows, signs, s.threads)
        self._add(np.asarray(part))
        self.labels += int(signs.sum(dtype=np.int64))

    def add(self, later: "SumOfRows") -> None:
        """What was found of other rows."""
        if later.cells is not None:
            self._add(later.cells)
            self.labels, self.exponent = self.labels + later.labels, later.exponent

    def _add(self, cells: NDArray[np.int64]) -> None:
        # Carried cells: 2^31 of them add up. In place, for they take a kilobyte a column.
        self.cells = np.array(cells) if self.cells is None else np.add(self.cells, cells, out=self.cells)

    def total(self) -> Vector:
        """The sum: an exact number for each column, and one for the offset if there is one."""
        assert self.cells is not None
        weights, unit = [1 << (32 * c) for c in range(self.cells.shape[1])], Fraction(2) ** self.exponent
        g = [sum(c * w for c, w in zip(row, weights, strict=True) if c) * unit for row in self.cells.tolist()]
        return g if self.terms.origin else [*g, Fraction(self.labels)]


def _unit(v: Vector, near: Floats) -> Fraction:
    """About v in units of its rounded self."""
    j = int(np.abs(near).argmax())
    return v[j] / Fraction(float(near[j])) if near[j] else Fraction(1)


def _float(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.copysign(math.inf, x)
