"""The hyperplane with the largest margin, bracketed and certified.

**From below** by a hyperplane whose margin is computed exactly; **from above** by a point of the hull (hull.py): half
of the distance between the hulls of the two classes if the offset is free, the distance from the origin to the hull of
{y·x′} if it has a scale ρ. Where few rows lie on the margin the two are equal, and proven to be (enclosure.py, and
rational.py where floats do not suffice).

Margins of two kinds enter different bounds. The un-augmented margin is min m/‖w‖, the distance from the hyperplane to
the nearest row: γ* is the largest of them. The augmented margin is min m/‖w′‖ with w′ = (w, b/ρ): γ′* is the largest of
those, and the one that the mistakes of a run are bounded by, (R′/γ′*)².
"""

import math
import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ...choices import number, thread_count
from ...data.examples import Examples
from ...data.rows import not_finite
from ...data.scans import classes_occurring, largest_square, radius2
from ...data.source import Source
from ...data.two_classes import two_class_source
from ...errors import InputError
from ...files.door import framed
from ...runs.plan import offset_scale
from ..signed_rows import SignedRows
from ..streamed.margin import bracket_source
from ..subject import digest_of
from ..watch import SearchProgress, Watch
from .corral import MarginProblem
from .nearest import bracket_margin
from .result import MaxMargin


def max_margin(
    X: Any,
    y: Any = None,
    *,
    offset: float | str = "free",
    rel_gap: float = 1e-6,
    time_limit: float | None = None,
    threads: int | None = None,
    reference: Mapping[str, str] | None = None,
    progress: Callable[[SearchProgress], object] | None = None,
) -> MaxMargin:
    """The hyperplane with the largest margin, between bounds that are proven.

    X, y
        Rows and any two labels (the larger is the positive one), or `Examples` of two classes and no y; or any other
        `Source` of two classes, whose rows need not fit into memory (streamed/margin.py).
    offset
        "free": the margin is min m/‖w‖, the distance to the nearest row. A number ρ, or "radius" for ρ = max ‖x‖: the
        margin in the augmented space, min m/‖(w, b/ρ)‖, which bounds the mistakes of `learn(offset=ρ)`. 0: hyperplanes
        through the origin. (ρ² counts as float64 rounds it.)
    rel_gap
        How far apart the bounds may be, relatively. Where at most some hundred rows hold the hyperplane they are equal
        anyway; 0 asks for that, whatever it takes.
    time_limit
        Seconds after which to make do with the bounds there are. None: never. Two equal calls give equal answers,
        except where a clock ends them.
    threads
        None: as many as there are CPUs.
    reference
        Of a frame's text columns, the level that has no feature, {column: level}; of the others the most frequent.
    progress
        Called with a `SearchProgress` (rosenblatt.separation.watch), which says what the search is at and what is known
        so far: when that changes, and about ten times a second. If it returns True, the search ends as at a time limit.

    >>> best = max_margin([[1], [2], [3], [4]], [1, 1, -1, -1])
    >>> best.margin2, best.gap, best.support_rows.tolist()
    (Fraction(1, 4), 0.0, [1, 2])
    >>> max_margin([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]).verdict.kind
    'overlapping'
    """
    seconds = math.inf if time_limit is None else number("time_limit", time_limit, above=0)
    rel_gap, threads = number("rel_gap", rel_gap, least=0), thread_count(threads)
    scale = offset if isinstance(offset, str) and offset == "free" else offset_scale(offset, "'free' or 'radius'")
    X = framed(X, y, "reference", scale == 0, reference)
    source = two_class_source(X, y, "max_margin")
    if scale != 0 and classes_occurring(source) < 2:
        raise InputError("all rows carry one label, so that there is no largest margin: two classes are needed")
    begin, watch = time.monotonic(), Watch(seconds, progress)
    watch.tell("looking at the rows")
    if isinstance(source, Examples):
        s = SignedRows(source, scale == 0, watch, threads)
        rho2 = _rho2(scale, source, threads)
        answer = bracket_margin(MarginProblem(s, rho2), rel_gap)
    else:
        rho2 = _rho2(scale, source, threads)
        answer = bracket_source(source, rho2, rel_gap, watch, threads)
    took, digest = time.monotonic() - begin, digest_of(source)
    return MaxMargin(answer.status, scale, rho2, answer.verdict, took, source, threads, digest, answer.found)


def _rho2(scale: float | str, source: Source, threads: int) -> Fraction | None:
    """ρ²; None of a free offset."""
    if scale == "free":
        return None
    if scale != "radius":
        return Fraction(float(scale) ** 2)
    most, row, column = largest_square(source, threads)
    if column >= 0:
        raise not_finite(row, column, source.feature_names)
    radius = math.sqrt(most) if row < 0 else math.inf
    if not 1e-140 < radius < 1e140:
        raise InputError(f"the squares of rows as long as {radius:g} leave the range of float64: rescale the data")
    return Fraction(radius2(source, threads))
