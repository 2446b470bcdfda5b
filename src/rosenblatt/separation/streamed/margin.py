"""The largest margin of rows that are not in memory: that of a working set, and scans of all rows for those below it.

No hyperplane has a larger margin on all rows than the best one has on some. So what bounds the margin of the working
set from above bounds that of all; and once no row lies below the margin that the hyperplane of the working set has
there, that is its margin on all rows. Otherwise rows below it join the set, and again. A scan that finds all rows on
their side leaves a bracket, which is the answer if time runs out.
"""

import math
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ...data.source import Source
from ...runs.bracket import length_between
from ..exact import root, rounded
from ..margin.corral import MarginProblem
from ..margin.hull import hull_point
from ..margin.nearest import (
    ExactMargin,
    MarginAnswer,
    MarginBounds,
    bracket_margin,
    bracketed,
    exact,
    inseparable,
    undecided,
)
from ..margin.rational import Optimum
from ..separability import decide
from ..signed_rows import Floats, Ints, Vector
from ..watch import OutOfTimeError, Watch
from .source_rows import Sides, SourceRows
from .working_set import WorkingSet

_NEARLY = Fraction(2**30 - 1, 2**30)  # of the margin, below which floats see that a row lies

Found = ExactMargin | MarginBounds


def bracket_source(source: Source, rho2: Fraction | None, rel_gap: float, watch: Watch, threads: int) -> MarginAnswer:
    """Bounds on the largest margin of all rows, this far apart at most if time allows."""
    begin, so_far = time.monotonic(), _SoFar(source, threads)
    try:
        rows = SourceRows(source, rho2 == 0, watch, threads).look()
        working = WorkingSet(rows)
        while True:
            answer = bracket_margin(MarginProblem(working.signed(), rho2), rel_gap)
            if answer.verdict is not None and answer.verdict.found.witness is not None:
                witness = working.named(*answer.verdict.found.witness)
                return inseparable(decide(source, rows.origin, watch, threads, witness=witness))
            if answer.found is None:
                raise OutOfTimeError
            v, level = _judged(answer.found)
            sides = rows.sides(v, working.step, strict=False, level=level)
            so_far.see(answer.found, working.numbers, rounded(v), sides)
            if isinstance(answer.found, ExactMargin) and not np.setdiff1d(sides.some, working.numbers).size:
                v = answer.found.v
                sides = rows.sides(v, working.step, strict=False, level=Fraction(1))
            if not sides.wrong:
                return _of_all_rows(answer, working)
            watch.tell("adding rows below the margin", wrong=sides.wrong, lower=so_far.lower or None)
            working.make_room(v, working.numbers[answer.found.rows])
            working.add(sides.some)
    except OutOfTimeError:
        if (bounds := so_far.bounds()) is not None:
            return bracketed(bounds, rel_gap, True, watch.stopped)
        return undecided(watch.stopped, time.monotonic() - begin)


def _judged(found: Found) -> tuple[Vector, Fraction]:
    """A hyperplane to try on all rows, and its least m on the working set; of an exact one, what floats know of it."""
    if isinstance(found, MarginBounds):
        return found.v, found.q.s.least(found.v)
    v = [Fraction(x) for x in found.near.tolist()]
    return v, max(Fraction(0), found.q.s.least(v)) * _NEARLY


def _of_all_rows(answer: MarginAnswer, working: WorkingSet) -> MarginAnswer:
    """The answer for the working set is that for all rows: by the numbers they have in the source."""
    found = answer.found
    if isinstance(found, ExactMargin):
        rows, beta = working.named(found.rows, found.alpha)
        return exact(ExactMargin(found.q, rows, Optimum(rows, beta, found.v), found.enclosure))
    assert found is not None
    order = np.argsort(working.numbers[found.rows])
    return replace(answer, found=replace(found, rows=working.numbers[found.rows][order], whole=found.whole[order]))


class _SoFar:
    """The best that is known of all rows: a hyperplane and the margin that it surely has, and what none exceeds."""

    def __init__(self, source: Source, threads: int) -> None:
        self.source, self.threads = source, threads
        self.lower = 0.0
        self.near: Floats | None = None
        self.latest: tuple[Found, Ints] | None = None

    def see(self, found: Found, numbers: Ints, near: Floats, sides: Sides) -> None:
        """An answer for the rows of these numbers, its hyperplane in floats, and how all rows lie about that."""
        self.latest = found, numbers  # the more rows, the nearer to the truth is what they bound
        q, d = found.q, self.source.n_columns
        across = np.array([float(near[d]) / q.rho]) if q.rho2 else np.zeros(1)
        length = length_between(near[:d], across)[1]
        lower = sides.least / length * (1 - 1e-15) if 1e-100 < length < math.inf else 0.0
        if self.lower < lower < 1e100:
            self.lower, self.near = lower, near

    def bounds(self) -> MarginBounds | None:
        """As an answer; None if no hyperplane was seen to separate all rows."""
        if self.near is None or self.latest is None:
            return None
        (found, numbers), d = self.latest, self.source.n_columns
        if isinstance(found, MarginBounds):
            rows, whole, upper2 = found.rows, found.whole, found.upper2
        else:
            rows, whole, upper2 = hull_point(found.q, found.rows, found.beta)
        order = np.argsort(numbers[rows])
        upper = math.nextafter(root(upper2) * (1 + 4e-16), math.inf)
        origin = found.q.s.origin
        b = 0.0 if origin else float(self.near[d])
        return MarginBounds(
            found.q, self.near[:d], b, 0, numbers[rows][order], whole[order], upper2, self.lower, upper,
            lambda v: SourceRows(self.source, origin, math.inf, self.threads).least(v),
        )  # fmt: skip
