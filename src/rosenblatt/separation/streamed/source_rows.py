"""All rows z_i = y_i·(x_i, 1) of a source that is not in memory, and what the search asks of them: a scan each.

A scan has some chunks in memory at a time, and keeps counts, sums and a few row numbers: nothing that grows with the
rows. What it says of signs and sums is exact, for each piece is asked as `SignedRows`.
"""

import math
import time
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ...data.examples import Examples
from ...data.rows import not_finite
from ...data.source import Source, TakenRows
from ..exact import rounded
from ..signed_rows import Floats, Ints, SignedRows, Vector, whole
from ..watch import Watch, watch_for

_PAUSE = 0.1  # seconds between two tellings of how far a scan is


class Sides(NamedTuple):
    """How the rows lie about a hyperplane: exact counts, and some of those that are wrong."""

    wrong: int
    on: int
    """How many have a margin of exactly 0."""
    some: Ints
    """Rows that are wrong: the worst, and others at random."""
    least: float
    """No margin is below this, in units of the rounded hyperplane; −∞ where floats overflow."""


class SourceRows:
    """The rows z of a source, and a watch."""

    def __init__(self, source: Source, through_origin: bool, seconds: float | Watch, threads: int) -> None:
        self.source, self.origin, self.threads = source, through_origin, threads
        self.n, self.d = source.n_rows, source.n_columns + (not through_origin)
        self.watch, self.scans, self.entries = watch_for(seconds), 0, 0
        self.firsts = dict[int, int]()
        """Of each label that occurs, a row that has it."""

    def look(self) -> "SourceRows":
        """A first scan: how many numbers there are, and both labels. Raises `InputError` at what is not finite."""
        for taken in self._taken("looking at the rows"):
            _, place, column = _core.radius2(taken.rows, self.threads)
            if column >= 0:
                raise not_finite(taken.number(place), column, self.source.feature_names)
            self.entries += int(taken.rows.arrays[0].size)
            for label in {-1, 1} - self.firsts.keys():
                if (places := np.flatnonzero(taken.labels == label)).size:
                    self.firsts[label] = taken.number(int(places[0]))
        return self

    @property
    def width(self) -> int:
        """How many numbers a row has in memory, on average."""
        return max(1, -(-self.entries // self.n))

    def _taken(self, doing: str) -> Iterator[TakenRows]:
        """Some rows after the other, with looks at the watch between."""
        self.scans += 1
        self.watch.tell(doing, scans=self.scans, rows=0, of=self.n)
        told, done = time.monotonic(), 0
        for taken in self.source.scan(lambda taken: taken):
            self.watch.seconds_left()
            yield taken
            done += taken.rows.n
            if time.monotonic() - told >= _PAUSE:
                told = time.monotonic()
                self.watch.tell(doing, rows=done, of=self.n)

    def pieces(self, doing: str) -> Iterator[tuple[Ints, SignedRows]]:
        """Some rows after the other: their numbers, and the same question about them alone."""
        for taken in self._taken(doing):
            part = Examples(taken.rows, taken.labels, self.source.classes)
            numbers = np.arange(taken.first_row, taken.first_row + part.n_rows)
            yield (
                numbers if taken.numbers is None else taken.numbers,
                SignedRows(part, self.origin, self.watch, self.threads),
            )

    def sides(self, v: Vector, most: int, *, strict: bool, level: Fraction = Fraction(0)) -> Sides:
        """Which rows have a margin below the level (or, if `strict`, on it), and some of them."""
        near, pick = rounded(v), _Pick(most)
        wrong, on, least = 0, 0, math.inf
        shift = _float(level / _unit(v, near)) if level else 0.0
        for numbers, s in self.pieces("which rows are on the wrong side"):
            m = s.margins(near)
            signs = s.signs(v, m, near=near) if not level else s.level_signs(v, m, near, level, shift)
            bad = (signs <= 0) if strict else (signs < 0)
            wrong, on = wrong + int(bad.sum()), on + int((signs == 0).sum())
            low = float(m.min()) - s.slack(near)
            least = min(least, low if np.isfinite(low) else -math.inf)
            pick.offer(numbers[bad], m[bad])
        return Sides(wrong, on, pick.rows(), least)

    def off(self, v: Vector, most: int, within: Vector | None) -> Ints:
        """Some of the rows that do not lie on v, of those that lie on `within`, or of all."""
        near, pick = rounded(v), _Pick(most)
        for numbers, s in self.pieces("rows beyond the span of others"):
            m = s.margins(near)
            some = s.signs(v, m, near=near) != 0
            if within is not None:
                some &= s.signs(within) == 0
            pick.offer(numbers[some], m[some])
        return pick.rows()

    def least(self, v: Vector) -> Fraction:
        """The least z_i·v, exactly."""
        near, found = rounded(v), list[Fraction]()
        unit = _unit(v, near)
        for _, s in self.pieces("the least margin of all rows"):
            bound = _float(found[0] / unit) if found else math.inf
            if not found or not float(np.nanmin(s.margins(near))) > bound + 2 * s.slack(near) + 1e-9 * abs(bound):
                found = [min([s.least(v), *found])]
        return found[0]

    def margin2(self, v: Vector) -> Fraction:
        """(min z·v)²/‖w‖², exactly, of a v that separates."""
        least = self.least(v)
        if least <= 0:
            raise AssertionError("a separator that does not separate")
        scale, w = whole(v if self.origin else v[:-1])
        return least * least * scale**2 / sum(x * x for x in w)

    def total(self, within: Vector | None) -> Vector:
        """Σ z_i over the rows that lie on `within`, or over all, exactly."""
        cells: NDArray[np.int64] | None = None
        labels, exponent = 0, 0
        for _, s in self.pieces("the sum of the rows"):
            signs = s.y if within is None else np.where(s.signs(within) == 0, s.y, 0).astype(np.int8)
            part, exponent = _core.exact_sums(s.rows, signs, s.threads)
            # Carried cells: 2^31 of them add up. In place, for they take a kilobyte a column.
            cells = np.array(part) if cells is None else np.add(cells, part, out=cells)
            labels += int(signs.sum(dtype=np.int64))
        assert cells is not None
        weights, unit = [1 << (32 * c) for c in range(cells.shape[1])], Fraction(2) ** exponent
        g = [sum(c * w for c, w in zip(row, weights, strict=True) if c) * unit for row in cells.tolist()]
        return g if self.origin else [*g, Fraction(labels)]


def _unit(v: Vector, near: Floats) -> Fraction:
    """About v in units of its rounded self."""
    j = int(np.abs(near).argmax())
    return v[j] / Fraction(float(near[j])) if near[j] else Fraction(1)


def _float(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.copysign(math.inf, x)


class _Pick:
    """Some of the rows that are offered, so many at most: half of them the worst, the others at random."""

    def __init__(self, most: int) -> None:
        self.most, self.random = most, np.random.default_rng(0)
        self.worst = self.others = (np.empty(0, dtype=np.int64), np.empty(0))

    def offer(self, numbers: Ints, m: Floats) -> None:
        """Rows, and how they lie."""
        if not numbers.size:
            return
        m = np.nan_to_num(m, nan=0.0)
        all_, size = np.concatenate([self.worst[0], numbers]), np.concatenate([self.worst[1], m])
        order, half = np.argsort(size, kind="stable"), max(1, self.most // 2)
        self.worst = all_[order[:half]], size[order[:half]]
        # A key at random for each: those with the least are as good as drawn from all, however many there are.
        rest = all_[order[half:]]
        keys = np.concatenate([self.others[1], self.random.random(rest.size)])
        left = np.concatenate([self.others[0], rest])
        some = np.argsort(keys, kind="stable")[: max(0, self.most - half)]
        self.others = left[some], keys[some]

    def rows(self) -> Ints:
        """Those that were picked, in order."""
        return np.unique(np.concatenate([self.worst[0], self.others[0]]))
