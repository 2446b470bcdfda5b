"""The clinic: what a statistician needs when a logistic regression diverges.

Which coefficients are infinite and in which direction (Albert and Anderson 1984), the rows responsible, the fewest rows
whose removal changes that, and the estimate of the finite part conditional on it (Geyer 2009). With the exact proof.

**How many rows must go?** Let the data be separable or quasi-separable, T the rows on the boundary of every weak
separator and v₀ one that is strict on all others (Goldman and Tucker 1956). As long as one row outside T remains, v₀
is a direction of recession of what remains; T alone has none, since Σ α_i·z_i = 0 with all α > 0 on T. So a finite
estimate takes the removal of exactly the n − |T| rows outside T. They are the rows responsible; without them v₀ is
flat, and what it moves is not estimable any more. If the data overlap, see overlap.py for the reverse question.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...choices import number, thread_count
from ...data.labels import not_so_many, numbers_beside
from ...data.rows import is_masked
from ...data.two_classes import aligned, two_classes
from ...errors import InputError, plural
from ...files.door import framed
from ...report.terms import term
from ...report.text import listed
from ..coefficients import coefficients, open_directions
from ..dependent import DROPPED, Dependences, by_name, without_dropped
from ..evidence import FINITE, OPEN, UNKNOWN
from ..partition import SearchResult
from ..separability import decide
from ..signed_rows import Ints, SignedRows, Vector
from ..verdict import Verdict
from ..watch import OutOfTimeError, SearchProgress, Watch, watch_for
from .coefficients_by_name import CoefficientsByName
from .logit import Fit, fit
from .overlap import overlap
from .result import Clinic, Coefficient, Removal

_MOST = 2**27  # numbers in a table that the fit may take
_MOST_OF_IT = 0.9  # of the time left for the fewest rows to remove
_NUMBERS = 1_000_000  # of rows in all columns at a time
_LEAST = 0.2  # seconds that a step gets at least, when the time limit is all but spent


def logistic_clinic(
    X: Any,
    y: Any = None,
    *,
    names: Sequence[str] | None = None,
    counts: Any = None,
    through_origin: bool = False,
    time_limit: float | None = 10.0,
    threads: int | None = None,
    text: Sequence[str] | None = None,
    reference: Mapping[str, str] | None = None,
    progress: Callable[[SearchProgress], object] | None = None,
) -> Clinic:
    """Does the logistic regression of y on X have a finite maximum-likelihood estimate, and if not, why?

    X, y
        Rows and any two labels (the larger is the one modelled), or `Examples` of two classes and no y.
    names
        Of the columns; those of a frame otherwise.
    counts
        How often each row was seen, 0 or more; grouped data have a row for each group and label. None: as the
        examples were read (`read(…, counts=)`), else once each.
    through_origin
        Whether the model has no offset (intercept).
    time_limit
        Seconds for all of it; what is not known by then is "unknown" or None. None: as long as it takes. Two equal
        calls give equal answers, except where a clock ends them.
    threads
        None: as many as there are CPUs.
    text
        Columns of text, of which names are `column=level`: R's terms are told by them. None: as the frame has them.
    reference
        Of a frame's text columns, the level that has no coefficient, {column: level}; of the others the most frequent.
    progress
        Called with a `SearchProgress` (rosenblatt.separation.watch), which says what the search is at and what is known
        so far: when that changes, and about ten times a second. If it returns True, the search ends as at a time limit.

    >>> X, y = [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3]], [0, 1, 0, 1, 1, 1]
    >>> clinic = logistic_clinic(X, y, names=["exposed", "dose"])
    >>> clinic.kind, clinic.coefficients["exposed"].status, clinic.responsible, clinic.removal.upper
    ('quasi-separable', '+inf', (4, 5), 2)
    >>> round(clinic.coefficients["dose"].estimate, 3)
    0.908
    """
    begin = time.monotonic()
    seconds = math.inf if time_limit is None else number("time_limit", time_limit, above=0)
    watch, threads = Watch(seconds, progress), thread_count(threads)
    aligned(X, counts, "counts")
    X = framed(X, y, "reference", bool(through_origin), reference)
    examples = two_classes(X, y, "logistic_clinic", names)
    if counts is None and examples.weights is not None and examples.counts is None:
        raise InputError("the weights of rows are no counts: read(…, counts=) or counts= says how often each was seen")
    often = _counts(examples.counts if counts is None else counts, examples.n_rows)
    numbers = np.flatnonzero(often)
    if numbers.size < examples.n_rows:
        examples = examples.subset(numbers)
    watch.tell("asking whether a hyperplane separates the rows")
    verdict = decide(examples, bool(through_origin), watch, threads, numbers)
    return _examined(verdict, often[numbers], watch, begin, text)


def clinic_of(verdict: Verdict, seconds: float | Watch, text: Sequence[str] | None = None) -> Clinic:
    """The same of data on which there is a verdict already."""
    begin = time.monotonic()
    often = _counts(verdict.examples.counts, verdict.examples.n_rows)
    return _examined(verdict, often, watch_for(seconds), begin, text)


def _counts(counts: Any, n: int) -> Ints:
    if counts is None:
        return np.ones(n, dtype=np.int64)
    given = numbers_beside(counts)
    if given.dtype.kind not in "fiub" or given.shape != (n,) or is_masked(counts):
        raise InputError(f"counts must hold one whole number for each of the {n} rows{not_so_many(given, n)}")
    if (bad := np.flatnonzero(~((given >= 0) & (given < 2**40) & (given == np.floor(given))))).size:
        raise InputError(f"count of row {bad[0]}: {given[bad[0]]}; expected a whole number >= 0 (and below 2**40)")
    if not given.any():
        raise InputError("every count is 0: at least one row is needed")
    return given.astype(np.int64)


def _examined(verdict: Verdict, counts: Ints, watch: Watch, begin: float, text: Sequence[str] | None = None) -> Clinic:
    """Everything that follows from the verdict, as far as time allows."""
    found, names = verdict.found, verdict.names
    text = verdict.examples.text if text is None else text
    dropped, words, near = Dependences(), [UNKNOWN] * len(names), list[dict[str, Any]]()
    finite, removal, columns, outside = _no_fit("; ".join(found.steps)), None, list[int](), np.empty(0, dtype=np.int64)
    given_up = False
    if verdict.kind != "undecided" or found.v is not None:
        s = _rows(verdict, watch)
        half = watch.part(max(_LEAST, watch.deadline - time.monotonic()) / 2)
        dropped = verdict.dropped(half)
        given_up = not dropped.settled and not half.over()
        finite, columns, words = _coefficients(s, found, dropped, counts)
        near = verdict.nearly_dependent(watch) if dropped.settled else []
        if found.boundary is not None and verdict.kind == "quasi-separable":
            outside = np.flatnonzero(~found.boundary)
        elif found.strict:
            outside = np.arange(s.n)
        if outside.size:
            lost = [term(names[j], text) for j in range(len(names)) if words[j] not in (FINITE, DROPPED)]
            removal = _all_outside(verdict, outside, counts, lost)
        elif columns:
            most = _MOST_OF_IT * max(_LEAST, watch.deadline - time.monotonic())  # what is left says what the rest is
            removal = _some_inside(verdict, _rows(verdict, watch.part(most)), watch, counts, columns, words, finite)
    estimates, errors = _pairs(words, columns, finite)
    aliased = [j in dropped.sums for j in range(len(names))]
    v = None if found.v is None else without_dropped(found.v, dropped.sums)
    return Clinic(
        verdict=verdict,
        coefficients=CoefficientsByName(
            dict(zip(names, map(Coefficient, words, estimates, errors, aliased), strict=True)), text
        ),
        responsible=tuple(verdict.named(outside).tolist()),
        direction=_direction(names, v) if outside.size and v is not None else {},
        removal=removal,
        log_likelihood=finite.log_likelihood if finite.converged else None,
        fit_status=finite.status,
        converged=finite.converged,
        total=int(counts.sum()),
        seconds=time.monotonic() - begin,
        dependences=by_name(dropped.sums, names),
        nearly_dependent=tuple(near),
        text=tuple(text),
        least_dropped=dropped.least,
        dropped_settled=dropped.settled,
        ended=_ended(watch, given_up, verdict, finite.late or any(word in OPEN for word in words)),
    )


def _ended(watch: Watch, given_up: bool, verdict: Verdict, open_: bool) -> str | None:
    """Why something was left open, if it was."""
    if not open_:
        return None
    if watch.stopped or given_up:
        return "stopped" if watch.stopped else "columns"
    return "boundary" if verdict.boundary_rows is None else "time"


def _rows(verdict: Verdict, watch: Watch) -> SignedRows:
    return SignedRows(verdict.examples, verdict.through_origin, watch, verdict.threads)


def _coefficients(
    s: SignedRows, found: SearchResult, dropped: Dependences, counts: Ints
) -> tuple[Fit, list[int], list[str]]:
    """The fit of what is finite, its columns, and a word for each coefficient."""
    if not dropped.settled:
        return _no_fit("which columns are dependent is not settled"), [], coefficients(s, found, dropped)
    if found.boundary is None and not found.strict:
        return _no_fit("the rows on the boundary are not sorted out"), [], coefficients(s, found, dropped)
    try:
        s.tell("looking for what the rows on the boundary leave open")
        open_ = open_directions(s, found, dropped)
    except OutOfTimeError:
        return _no_fit(s.watch.why, late=True), [], coefficients(s, found, dropped)
    columns = [j for j in range(s.d) if j not in open_ and j not in dropped.sums]
    T = np.zeros(s.n, dtype=bool) if found.boundary is None else found.boundary
    finite = _fitted(s, T, columns, counts)
    return finite, columns, coefficients(s, found, dropped, open_)


def _no_fit(why: str, late: bool = False) -> Fit:
    return Fit(np.empty(0), np.empty(0), None, False, f"not estimated: {why}", late=late)


def _fitted(s: SignedRows, T: NDArray[np.bool_], columns: list[int], counts: Ints) -> Fit:
    rows = np.flatnonzero(T)
    if rows.size * len(columns) > _MOST:
        return _no_fit(f"{rows.size} rows of {len(columns)} columns are too many")
    s.tell("fitting what is finite", columns=len(columns))
    try:
        step = max(1, _NUMBERS // s.d)  # rows at a time: of very many columns few are kept
        parts = []
        for first in range(0, rows.size, step):
            s.seconds_left()
            parts.append(s.z(rows[first : first + step])[:, columns])
        return fit(np.vstack([np.empty((0, len(columns))), *parts]), counts[rows], s.seconds_left)
    except OutOfTimeError:
        return _no_fit(s.watch.why, late=True)


def _pairs(words: list[str], columns: list[int], finite: Fit) -> tuple[list[float | None], list[float | None]]:
    """Estimates and errors of the coefficients that are finite, if the fit was any good.

    They do not depend on which basis was kept: v_j = 0 on all that the rows leave open means that column j is dependent
    on no others, so every basis has it.
    """
    found: tuple[list[float | None], list[float | None]] = ([None] * len(words), [None] * len(words))
    if not finite.converged:
        return found
    for values, into in zip((finite.estimate, finite.error), found, strict=True):
        for j, x in zip(columns, values.tolist(), strict=False):
            into[j] = x if words[j] == FINITE and math.isfinite(x) else None
    return found


def _direction(names: Sequence[str], v: Vector) -> dict[str, Fraction]:
    scale = Fraction(math.lcm(*(x.denominator for x in v)), math.gcd(*(x.numerator for x in v)))
    return {name: x * scale for name, x in zip(names, v, strict=True) if x}


def _all_outside(verdict: Verdict, outside: Ints, counts: Ints, lost: Sequence[str]) -> Removal:
    rows, weight = tuple(verdict.named(outside).tolist()), int(counts[outside].sum())
    if outside.size == verdict.examples.n_rows:
        return Removal(weight, weight, rows, "empty", "no row can stay: each alone leaves the estimate infinite")
    why = f"while any of them remains, so does the direction; without them {listed(lost)} cannot be estimated"
    return Removal(weight, weight, rows, "overlapping", why)


def _some_inside(
    verdict: Verdict, s: SignedRows, watch: Watch, counts: Ints, columns: list[int], words: list[str], finite: Fit
) -> Removal:
    start: Vector | None = None
    if finite.estimate.size and np.isfinite(finite.estimate).all():
        start = [Fraction(0)] * s.d
        for j, x in zip(columns, finite.estimate.tolist(), strict=True):
            start[j] = Fraction(x)
    found = overlap(s, counts, columns, start)
    part = verdict.examples.subset(np.setdiff1d(np.arange(s.n), found.rows))
    after = decide(part, s.origin, watch, s.threads)
    kind, infinite = "infinite" if after.kind == "undecided" else after.kind, {}
    if after.kind != "undecided":
        before = dict(zip(verdict.names, words, strict=True))
        words_after = after.known_coefficients(watch).items()
        infinite = {name: word for name, word in words_after if word not in (DROPPED, UNKNOWN, before[name])}
    rows = tuple(verdict.named(found.rows).tolist())
    cores = tuple(tuple(verdict.named(np.array(core)).tolist()) for core in found.cores)
    why = f"{plural(len(cores), 'set')} of rows must each lose one; without these rows one direction is free"
    direction = _direction(verdict.names, found.v)
    return Removal(found.lower, found.upper, rows, kind, why, infinite, direction, cores)
