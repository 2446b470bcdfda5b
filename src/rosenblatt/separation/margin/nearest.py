"""The search for the largest margin: floats propose a hyperplane and a point of the hull, exact numbers judge them.

Which way is taken depends on the shape of the data alone:

- up to 2,000 columns: a dual active set method (corral.py) on the rows themselves;
- more columns, but at most 400 rows: the same on their coordinates in the space they span, from their Gram matrix;
- many of both: coordinate descent and conjugate gradients (descent.py).

Where few rows hold the hyperplane, they are proven to be the right ones, and the two bounds are one number. Where
floats find no separating hyperplane the verdict is asked for, and is the answer if there is none.
"""

import math
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from ...data.csr import Csr, gram
from ...data.examples import Examples
from ...data.rows import matrix_of, rows_of
from ...errors import plural
from ...runs.bracket import length_between
from ...runs.status import Status, ended
from ..exact import dependency, root, rounded
from ..separability import decide
from ..signed_rows import Floats, Ints, SignedRows, Vector
from ..verdict import Verdict
from ..watch import OutOfTimeError
from .corral import MarginProblem, Proposal, propose
from .descent import descend
from .enclosure import Enclosure, enclose
from .hull import hull_point
from .rational import MOST_ROWS, Optimum, exact_optimum, optimum_on

_WIDE = 2_000  # columns beyond which no orthogonal basis of the rows on the margin is kept
_FEW = 400  # rows whose Gram matrix is quicker than descent
_PATIENCE = 12  # rounds of descent without a separating hyperplane, before it is asked whether there is one


@dataclass(frozen=True, eq=False)
class ExactMargin:
    """The largest margin itself: the rows that hold it are proven to be the right ones."""

    q: MarginProblem
    rows: Ints
    optimum: Optimum | None
    """In exact numbers; None if they have not been asked for."""
    enclosure: Enclosure | None
    """Then, what floats know: the margin is 1/√(Σ β)."""

    @cached_property
    def _optimum(self) -> Optimum:
        return self.optimum or optimum_on(self.q, self.rows)

    @property
    def v(self) -> Vector:
        """(w, b), exactly."""
        return self._optimum.v

    @property
    def near(self) -> Floats:
        """(w, b) in floats, its largest entry about 1."""
        return rounded(self.v) if self.enclosure is None else normalised(self.enclosure.v)

    @property
    def margin2(self) -> Fraction:
        """The margin, squared, exactly."""
        return self._optimum.margin2

    upper2 = margin2

    @property
    def alpha(self) -> Vector:
        """The multipliers of the rows."""
        return self._optimum.beta

    @property
    def beta(self) -> Floats:
        """The same in floats, up to a factor."""
        if self.enclosure is not None:
            return self.enclosure.beta
        largest = max(self.alpha)
        return np.array([float(a / largest) for a in self.alpha])

    @cached_property
    def _between(self) -> tuple[float, float]:
        """The margin, rounded down and up: from the enclosure if that is tight, else from the exact numbers."""
        total = None if self.enclosure is None else self.enclosure.total
        if total is not None and total[1] <= total[0] * (1 + 1e-14):
            low, high = 1 / math.sqrt(total[1]), 1 / math.sqrt(total[0])
        else:
            low = high = root(self.margin2)
        return math.nextafter(low * (1 - 4e-16), 0.0), math.nextafter(high * (1 + 4e-16), math.inf)

    @property
    def lower(self) -> float:
        """The margin, rounded down."""
        return self._between[0]

    @property
    def upper(self) -> float:
        """The margin, rounded up."""
        return self._between[1]


@dataclass(frozen=True, eq=False)
class MarginBounds:
    """A hyperplane with a margin of at least `lower`, and a point of the hull by which none is above `upper`."""

    q: MarginProblem
    w: Floats
    """For rows times 2^-shift."""
    b: float
    shift: int
    rows: Ints
    whole: Ints
    """The multipliers of the rows."""
    upper2: Fraction
    lower: float
    upper: float
    least: Callable[[Vector], Fraction] | None = None
    """The least z·v of all rows, where q has only some of them."""

    @cached_property
    def v(self) -> Vector:
        """(w, b), exactly."""
        unit = Fraction(2) ** self.shift
        w = [Fraction(x) / unit for x in self.w.tolist()]
        return w if self.q.s.origin else [*w, Fraction(self.b)]

    @property
    def near(self) -> Floats:
        """(w, b) in floats, its largest entry about 1."""
        return rounded(self.v) if self.shift else normalised(self.w if self.q.s.origin else np.append(self.w, self.b))

    @cached_property
    def margin2(self) -> Fraction:
        """The margin of the hyperplane, squared, exactly."""
        v, q = self.v, self.q
        length2 = sum((x * x for x in (v if q.s.origin else v[:-1])), Fraction(0))
        return (self.least or q.s.least)(v) ** 2 / (length2 + (v[-1] ** 2 / q.rho2 if q.rho2 else 0))

    @property
    def alpha(self) -> Vector:
        """The multipliers of the rows."""
        return [Fraction(a) for a in self.whole.tolist()]


@dataclass(frozen=True, eq=False)
class MarginAnswer:
    """How it ended, and what is known."""

    status: Status
    found: ExactMargin | MarginBounds | None = None
    verdict: Verdict | None = None


def bracket_margin(q: MarginProblem, rel_gap: float) -> MarginAnswer:
    """Bounds on the largest margin, this far apart at most if time allows."""
    s, begin = q.s, time.monotonic()
    scaled, shift = scaled_down(q)
    proposal: Proposal | None = None
    witness: tuple[Ints, Vector] | None = None
    late = False
    try:
        proposal = _proposed(scaled, rel_gap)
        s.seconds_left()
        if proposal is not None and proposal.separable and _worth_solving(s, proposal.rows.size, rel_gap):
            s.tell(f"proving that {plural(proposal.rows.size, 'row')} on the margin are the right ones")
            if (enclosure := enclose(q, held := np.sort(proposal.rows))) is not None:
                return exact(ExactMargin(q, held, None, enclosure))
            if isinstance(found := exact_optimum(q, proposal.rows.tolist()), Optimum):
                return exact(ExactMargin(q, found.rows, found, None))
            proposal, witness = None, (found.rows, found.alpha)
        elif proposal is not None and not proposal.separable:
            rows = np.sort(proposal.rows)
            alpha = dependency(s.z(rows))  # floats have found a witness, if they are right
            witness = None if alpha is None else (rows, alpha)
    except OutOfTimeError:
        late = True
    if proposal is not None and proposal.separable and (bounds := _bounds(q, scaled, shift, proposal)) is not None:
        return bracketed(bounds, rel_gap, late or time.monotonic() >= s.deadline, s.watch.stopped)
    if not late:
        s.tell("no hyperplane in sight: asking whether there is one")
        verdict = decide(s.examples, s.origin, s.watch, s.threads, witness=witness)
        if verdict.separable is False:
            return inseparable(verdict)
        with suppress(OutOfTimeError):
            # Floats could not see the margin there is: exactly, from the start.
            if verdict.separable and isinstance(found := exact_optimum(q, []), Optimum):
                return exact(ExactMargin(q, found.rows, found, None))
    return undecided(s.watch.stopped, time.monotonic() - begin)


def undecided(stopped: bool, seconds: float) -> MarginAnswer:
    """The end of a search that does not know whether there is a margin."""
    key, remedy = ("undecided.stopped", "run-again") if stopped else ("undecided", "more-time")
    return MarginAnswer(ended(key, remedy, "ask-separability", seconds=seconds))


def inseparable(verdict: Verdict) -> MarginAnswer:
    """The end of a search for a margin that there is not."""
    kind = None if verdict.kind == "undecided" else verdict.kind
    return MarginAnswer(ended("inseparable", "see-verdict", kind=kind), verdict=verdict)


def _worth_solving(s: SignedRows, rows: int, rel_gap: float) -> bool:
    """Whether to solve for so many rows in rationals: if it is soon done, or no gap is allowed and there is time."""
    seconds = 0.3 * (rows / MOST_ROWS) ** 3.5 if MOST_ROWS else math.inf
    return rows <= MOST_ROWS or (rel_gap == 0 and seconds < s.seconds_left())


def _proposed(q: MarginProblem, rel_gap: float) -> Proposal | None:
    """By the way that suits the shape."""
    s = q.s
    if s.examples.n_columns <= _WIDE:
        return propose(q, s.rows)
    if s.n > _FEW:
        return descend(q, rel_gap / 4, _PATIENCE)
    X = s.matrix.astype(np.float64)
    values, vectors = np.linalg.eigh(gram(X))
    kept = values > 1e-13 * values[-1]
    if not kept.any():
        return None
    found = propose(q, rows_of(np.ascontiguousarray(vectors[:, kept] * np.sqrt(values[kept]))))
    if not found.separable:
        return None  # the coordinates are rounded: no witness to rely on
    w = np.asarray(X[found.rows].T @ (found.beta * s.y[found.rows]), dtype=np.float64)
    return replace(found, w=w)


def scaled_down(q: MarginProblem) -> tuple[MarginProblem, int]:
    """The same question about rows times 2^-shift, where squares would else leave the range of float64; the shift.

    What underflows is nothing beside the longest of the rows and ρ, and bounds allow for it.
    """
    s = q.s
    if 1e-100 < s.radius < 1e100 and not q.rho > 1e100:
        return q, 0
    X = matrix_of(s.rows)
    values = X.data if isinstance(X, Csr) else X
    shift = math.frexp(max(float(np.abs(values).max(initial=0.0)), q.rho))[1]
    small = np.ldexp(values.astype(np.float64), -shift)
    table = replace(X, data=small) if isinstance(X, Csr) else small
    examples = Examples(rows_of(table), s.examples.labels, s.examples.classes)
    other = SignedRows(examples, s.origin, s.watch, s.threads)
    return MarginProblem(other, None if q.rho2 is None else q.rho2 / Fraction(4) ** shift), shift


def _bounds(q: MarginProblem, scaled: MarginProblem, shift: int, proposal: Proposal) -> MarginBounds | None:
    """What a proposal is worth; None if its hyperplane does not separate, as far as floats can show."""
    s, w, b = scaled.s, proposal.w, proposal.b
    if scaled.rho2 and not scaled.rho > 1e-140:
        return None  # ρ vanishes beside the rows
    v = w if s.origin else np.append(w, b)
    m = s.margins(v)
    near = np.flatnonzero(~(m > m.min() + 2 * s.slack(v)))
    closer, slack = s.enclosed(v, near)
    lengths = length_between(w, np.array([b / scaled.rho if scaled.rho2 else 0.0]))
    lost = float(np.abs(w).sum()) * 2.0**-1070 if shift else 0.0  # of entries that underflowed
    lower = (float((closer - slack).min()) - lost) / lengths[1] * (1 - 1e-15) if lengths[1] > 0 else 0.0
    if not lower > 0:
        return None
    rows, alpha, upper2 = hull_point(scaled, proposal.rows, proposal.beta)
    upper2 *= Fraction(4) ** shift
    upper = math.nextafter(root(upper2) * (1 + 4e-16), math.inf)
    try:
        lower = math.nextafter(math.ldexp(lower, shift), 0.0)  # which rounds where the result is subnormal
    except OverflowError:
        lower = sys.float_info.max
    return MarginBounds(q, w, b, shift, rows, alpha, upper2, lower, upper)


def normalised(v: Floats) -> Floats:
    """The same direction, its largest entry about 1."""
    return np.asarray(np.ldexp(v, -math.frexp(float(np.abs(v).max()))[1]))


def exact(held: ExactMargin) -> MarginAnswer:
    """The end of a search that found the largest margin itself."""
    return MarginAnswer(ended("exact", "nothing-to-do", rows=int(held.rows.size)), held)


def bracketed(bounds: MarginBounds, rel_gap: float, late: bool, stopped: bool) -> MarginAnswer:
    """The end of a search that found bounds."""
    gap = gap_of(bounds)
    if gap <= rel_gap:
        status = ended("gap", "no-gap", gap=gap)
    elif stopped:
        status = ended("stopped.margin", "bounds-hold", "run-again", gap=gap)
    elif late:
        status = ended("time", "bounds-hold", "more-time", gap=gap)
    else:
        status = ended("stalled", "bounds-hold", "try-no-gap", gap=gap)
    return MarginAnswer(status, bounds)


def gap_of(found: ExactMargin | MarginBounds) -> float:
    """1 − margin/upper: 0 if they are one number, and never too small."""
    if isinstance(found, ExactMargin):
        return 0.0
    return max(1 - found.lower / found.upper, 0.0) * (1 + 1e-15) + 1e-16
