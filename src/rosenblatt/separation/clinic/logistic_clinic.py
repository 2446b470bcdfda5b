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
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
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
from ..coefficients import FINITE, coefficients, complement
from ..dependent import DROPPED, ColumnSum, among_kept, by_name, dependences, nearly_report
from ..exact import basis
from ..nearly import nearly_dependent
from ..partition import MOST_COLUMNS
from ..separability import decide
from ..signed_rows import Ints, SignedRows, Vector
from ..verdict import Verdict
from ..watch import OutOfTimeError, SearchProgress, Watch
from .coefficients_by_name import CoefficientsByName
from .logit import Fit, fit
from .overlap import overlap
from .result import Clinic, Coefficient, Removal

UNKNOWN = "unknown"
_MOST = 2**27  # numbers in a table that the fit may take
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
    threads, watch = thread_count(threads), Watch(progress=progress)
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
    verdict = decide(examples, bool(through_origin), watch.part(seconds), threads, numbers)
    return _examined(verdict, often[numbers], begin + seconds, begin, text, watch)


def clinic_of(verdict: Verdict, seconds: float, text: Sequence[str] | None = None) -> Clinic:
    """The same of data on which there is a verdict already."""
    begin = time.monotonic()
    often = _counts(verdict.examples.counts, verdict.examples.n_rows)
    return _examined(verdict, often, begin + seconds, begin, text, Watch())


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


def _examined(
    verdict: Verdict, counts: Ints, deadline: float, begin: float, text: Sequence[str] | None, watch: Watch
) -> Clinic:
    """Everything that follows from the verdict, as far as time allows."""
    found, names, n = verdict.found, verdict.names, verdict.examples.n_rows
    text = verdict.examples.text if text is None else text

    def signed() -> SignedRows:
        left = max(_LEAST, deadline - time.monotonic())
        return SignedRows(verdict.examples, verdict.through_origin, watch.part(left), verdict.threads)

    words, dropped = [UNKNOWN] * len(names), dict[int, ColumnSum]()
    near: list[dict[str, Any]] = []
    finite, removal, columns = _no_fit("; ".join(found.steps)), None, []
    T = found.boundary if found.boundary is not None else np.zeros(n, dtype=bool)
    known = verdict.kind != "overlapping" and verdict.boundary_rows is not None
    outside = np.flatnonzero(~T) if known else np.empty(0, dtype=np.int64)
    if verdict.kind != "undecided" and verdict.examples.n_columns > MOST_COLUMNS:
        finite = _no_fit(f"more than {MOST_COLUMNS} columns")
    elif verdict.boundary_rows is not None:
        with suppress(OutOfTimeError):  # what is not known by then stays unknown
            dropped = dependences(signed())
            near = nearly_report(nearly_dependent(verdict.examples, verdict.through_origin, dropped), names)
            found = among_kept(found, dropped)
            open_ = complement(signed(), T, dropped)
            words = _dropped_too([UNKNOWN if any(row) else FINITE for row in open_], dropped)
            columns = [j for j in _kept(open_, not verdict.through_origin) if j not in dropped]
            finite = _fitted(signed(), T, columns, counts)
            words = _dropped_too(coefficients(signed(), found, dropped), dropped)
        if outside.size:
            lost = [term(names[j], text) for j in range(len(names)) if words[j] not in (FINITE, DROPPED)]
            removal = _all_outside(verdict, outside, counts, lost)
        elif columns:
            removal = _some_inside(verdict, signed(), counts, columns, words, finite, deadline)
    estimates, errors = _pairs(words, columns, finite)
    aliased = [j in dropped for j in range(len(names))]
    return Clinic(
        verdict=verdict,
        coefficients=CoefficientsByName(
            dict(zip(names, map(Coefficient, words, estimates, errors, aliased), strict=True)), text
        ),
        responsible=tuple(verdict.named(outside).tolist()),
        direction=_direction(names, found.v) if outside.size and found.v is not None else {},
        removal=removal,
        log_likelihood=finite.log_likelihood if finite.converged else None,
        fit_status=finite.status,
        converged=finite.converged,
        total=int(counts.sum()),
        seconds=time.monotonic() - begin,
        dependences=by_name(dropped, names),
        nearly_dependent=tuple(near),
        text=tuple(text),
    )


def _dropped_too(words: list[str], dropped: Collection[int]) -> list[str]:
    return [DROPPED if j in dropped else word for j, word in enumerate(words)]


def _kept(open_: list[list[int]], offset: bool) -> list[int]:
    """Columns that are a basis of those of the rows that leave this open; of dependent ones the first, as in R."""
    d = len(open_)
    order = [*range(d - 1 - offset, -1, -1), *([d - 1] if offset else [])]
    dropped = {order[k] for k in basis([open_[j] for j in order])}
    return [j for j in range(d) if j not in dropped]


def _no_fit(why: str) -> Fit:
    return Fit(np.empty(0), np.empty(0), None, False, f"not estimated: {why}")


def _fitted(s: SignedRows, T: NDArray[np.bool_], columns: list[int], counts: Ints) -> Fit:
    rows = np.flatnonzero(T)
    if rows.size * s.d > _MOST:
        return _no_fit(f"{rows.size} rows of {s.d} columns are too many")
    try:
        return fit(s.z(rows)[:, columns], counts[rows], s.seconds_left)
    except OutOfTimeError:
        return _no_fit("the time limit ran out")


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
    verdict: Verdict, s: SignedRows, counts: Ints, columns: list[int], words: list[str], finite: Fit, deadline: float
) -> Removal:
    start: Vector | None = None
    if finite.estimate.size and np.isfinite(finite.estimate).all():
        start = [Fraction(0)] * s.d
        for j, x in zip(columns, finite.estimate.tolist(), strict=True):
            start[j] = Fraction(x)
    found = overlap(s, counts, columns, start)
    part = verdict.examples.subset(np.setdiff1d(np.arange(s.n), found.rows))
    left = max(_LEAST, deadline - time.monotonic())
    after = decide(part, s.origin, left, s.threads)
    kind, infinite = "infinite" if after.kind == "undecided" else after.kind, {}
    with suppress(InputError):  # not known in time
        before = dict(zip(verdict.names, words, strict=True))
        words_after = after.coefficients.items()
        infinite = {name: word for name, word in words_after if word not in (DROPPED, before[name])}
    rows = tuple(verdict.named(found.rows).tolist())
    cores = tuple(tuple(verdict.named(np.array(core)).tolist()) for core in found.cores)
    why = f"{plural(len(cores), 'set')} of rows must each lose one; without these rows one direction is free"
    direction = _direction(verdict.names, found.v)
    return Removal(found.lower, found.upper, rows, kind, why, infinite, direction, cores)
