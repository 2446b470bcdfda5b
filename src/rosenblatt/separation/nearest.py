"""The search for the largest margin: floats propose a hyperplane and a point of the hull, exact numbers judge them.

Which way is taken depends on the shape of the data alone:

- up to 2,000 columns: a dual active set method (corral.py) on the rows themselves;
- more columns, but few rows: the same on their coordinates in the space they span, from their Gram matrix;
- many of both: coordinate descent and conjugate gradients (descent.py).

Where few rows hold the hyperplane, they are proven to be the right ones, and the two bounds are one number. Where
floats find no separating hyperplane the verdict is asked for, and is the answer if there is none.
"""

import math
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ..errors import plural
from ..examples import Examples, matrix_of, rows_of
from ..status import Status
from .corral import MOST_ROWS, Optimum, Proposal, Question, enclose, propose, settle
from .descent import descend
from .hull import hull_point
from .signed_rows import OutOfTimeError, SignedRows, Vector
from .verdict import Verdict, settled

Ints = NDArray[np.int64]

_WIDE = 2_000  # columns, and rows, beyond which no orthogonal basis of the rows on the margin is kept
_PATIENCE = 12  # rounds of descent without a separating hyperplane, before it is asked whether there is one


@dataclass(frozen=True, eq=False)
class Bounds:
    """A hyperplane (w, b) and its margin, squared; and a point of the hull: rows, α, and its distance, squared."""

    v: Vector
    margin2: Fraction
    rows: Ints
    alpha: Vector
    upper2: Fraction


@dataclass(frozen=True, eq=False)
class Answer:
    """How it ended, and what is known; `given` is None if the rows are right and `total` encloses their Σ β."""

    status: Status
    rows: Ints
    verdict: Verdict | None = None
    given: Optimum | Bounds | None = None
    total: tuple[float, float] | None = None


def nearest(q: Question, rel_gap: float) -> Answer:
    """Bounds on the largest margin, this far apart at most if time allows."""
    s, begin = q.s, time.monotonic()
    tame, shift = _tamed(q)
    proposal: Proposal | None = None
    late = False
    try:
        proposal = _proposed(tame, rel_gap)
        if proposal is not None and (proposal.rows.size <= MOST_ROWS or rel_gap == 0) and proposal.separable:
            if (total := enclose(q, proposal.rows)) is not None:
                return Answer(_exact(proposal.rows), np.sort(proposal.rows), total=total)
            if isinstance(found := settle(q, proposal.rows.tolist()), Optimum):
                return Answer(_exact(found.rows), found.rows, given=found)
            proposal = None
    except OutOfTimeError:
        late = True
    if proposal is not None and proposal.separable:
        v = [Fraction(x) / Fraction(2) ** shift for x in proposal.w.tolist()]
        bounds = _bounds(q, tame, shift, proposal, v if s.origin else [*v, Fraction(proposal.b)])
        if bounds is not None:
            return Answer(_bracketed(bounds, rel_gap, late), bounds.rows, given=bounds)
    if not late:
        verdict = settled(s.examples, s.origin, s.deadline - time.monotonic(), s.threads)
        if verdict.separable is False:
            reason = f"no hyperplane separates the rows ({verdict.kind})"
            advice = "see verdict for the proof, and least_mistakes for the rows to look at"
            return Answer(Status("inseparable", reason, advice), np.empty(0, dtype=np.int64), verdict)
        with suppress(OutOfTimeError):
            # Floats could not see the margin there is: exactly, from the start.
            if verdict.separable and isinstance(found := settle(q, []), Optimum):
                return Answer(_exact(found.rows), found.rows, given=found)
    reason = f"the time limit ran out after {time.monotonic() - begin:.3g} s"
    advice = "raise time_limit; separability may settle sooner whether there is a margin at all"
    return Answer(Status("undecided", reason, advice), np.empty(0, dtype=np.int64))


def _proposed(q: Question, rel_gap: float) -> Proposal | None:
    """By the way that suits the shape."""
    s = q.s
    if s.examples.n_columns <= _WIDE:
        return propose(q, s.rows)
    if s.n > _WIDE:
        return descend(q, rel_gap / 4, _PATIENCE)
    X = s.matrix
    gram = X @ X.T
    gram = np.asarray(gram.toarray() if hasattr(gram, "toarray") else gram, dtype=np.float64)
    values, vectors = np.linalg.eigh(gram)
    kept = values > 1e-13 * values[-1]
    found = propose(q, rows_of(np.ascontiguousarray(vectors[:, kept] * np.sqrt(values[kept]))))
    if not found.separable:
        return None  # the coordinates are rounded: no witness to rely on
    w = np.asarray(X[found.rows].T @ (found.beta * s.y[found.rows]), dtype=np.float64)
    return replace(found, w=w)


def _tamed(q: Question) -> tuple[Question, int]:
    """The same question about rows times 2^-shift, where squares would else leave the range of float64; the shift.

    What underflows is nothing beside the longest row, and bounds allow for it.
    """
    s = q.s
    if 1e-100 < s.radius < 1e100:
        return q, 0
    X = matrix_of(s.rows)
    values = X.data if hasattr(X, "indptr") else X
    shift = math.frexp(float(np.abs(values).max(initial=0.0)))[1]
    small = np.ldexp(values.astype(np.float64), -shift)
    table = type(X)((small, X.indices, X.indptr), shape=X.shape) if hasattr(X, "indptr") else small
    examples = Examples(rows_of(table), s.examples.labels, s.examples.classes)
    other = SignedRows(examples, s.origin, s.deadline - time.monotonic(), s.threads)
    return Question(other, None if q.rho2 is None else q.rho2 / Fraction(4) ** shift), shift


def _bounds(q: Question, tame: Question, shift: int, proposal: Proposal, v: Vector) -> Bounds | None:
    """What a proposal is worth; None if its hyperplane does not separate."""
    least = q.s.least(v)
    if least <= 0 or proposal.rows.size == 0:
        return None
    length2 = sum((x * x for x in (v if q.s.origin else v[:-1])), Fraction(0))
    length2 += v[-1] ** 2 / q.rho2 if q.rho2 else 0
    rows, alpha, upper2 = hull_point(tame, proposal.rows, proposal.beta)
    return Bounds(
        v, least * least / length2, rows, [Fraction(a) for a in alpha.tolist()], upper2 * Fraction(4) ** shift
    )


def _exact(rows: Ints) -> Status:
    return Status(
        "exact", f"{plural(rows.size, 'row')} hold the hyperplane, proven in exact numbers", "nothing is left"
    )


def _bracketed(bounds: Bounds, rel_gap: float, late: bool) -> Status:
    apart = float(1 - bounds.margin2 / bounds.upper2)
    gap = apart / (1 + math.sqrt(1 - apart))
    if gap <= rel_gap:
        return Status(
            "gap", f"the bounds are {gap:.2g} apart, relatively", "a smaller rel_gap goes on; 0 asks for none"
        )
    if late:
        return Status("time", f"the time limit ran out at a gap of {gap:.2g}", "both bounds hold; raise time_limit")
    return Status("stalled", f"floats came to their end at a gap of {gap:.2g}", "both bounds hold; rel_gap=0 goes on")
