"""The fewest mistakes any hyperplane makes, as a certified bracket.

A mistake is a row with m = y·(w·x + b) ≤ 0. To find the fewest is NP-hard when the number of columns is not fixed
(Johnson and Preparata 1978), so the answer is a bracket: `upper`, the mistakes of a hyperplane, counted exactly; and
`lower`, which none can go below. Witnesses show it: few rows each that no hyperplane gets all right, with weights by
which no row counts twice (packing.py). Leaving out the rows on the wrong side makes the rest separable; and rows that
sit in many witnesses are the ones to look at first for wrong labels.
"""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ...choices import count, number, thread_count
from ...data.examples import Examples
from ...data.hyperplane import Hyperplane
from ...data.two_classes import two_classes
from ...files.door import framed
from ...runs.status import Status, ended
from ..exact import rounded
from ..narrow import narrowed
from ..partition import join
from ..peeling import Peeled, peel
from ..rest import Rest, rest_of
from ..signed_rows import Ints, SignedRows
from ..watch import OutOfTimeError, SearchProgress, Watch
from .bracketing import bracket_mistakes
from .known import MistakeSearch
from .result import LeastMistakes
from .witnesses import IntegerWitness
from .zero_one import MOST_COLUMNS

_MOST_BITS = 2**27  # of all multipliers in a proof
_SHARING = 0.2  # seconds beyond the limit for the shares of the rows
_MANY = 200  # columns from which on those that are zero throughout are left out


def least_mistakes(
    X: Any,
    y: Any = None,
    *,
    through_origin: bool = False,
    time_limit: float | None = 10.0,
    threads: int | None = None,
    seed: int = 0,
    progress: Callable[[SearchProgress], object] | None = None,
) -> LeastMistakes:
    """How few mistakes can a hyperplane make? A certified bracket, and the rows to suspect of wrong labels.

    X, y
        Rows and any two labels (the larger is the positive one), or `Examples` of two classes and no y.
    through_origin
        Whether to ask for hyperplanes through the origin only.
    time_limit
        Seconds after which the bracket is given as it is; it ends earlier if the bounds meet. None: it goes on until
        they do, or until nothing more is found; that may take very long.
    threads
        None: as many as there are CPUs.
    seed
        Where the search begins. Two equal calls give equal answers, except where a clock ends them.
    progress
        Called with a `SearchProgress` (rosenblatt.separation.watch), which says what the search is at and what is known
        so far: when that changes, and about ten times a second. If it returns True, the search ends as at a time limit.

    >>> result = least_mistakes([[1], [2], [3], [4], [5], [6]], [-1, -1, 1, -1, 1, 1])
    >>> result.lower, result.upper, result.by, result.check().holds
    (1, 1, 'sweep', True)
    >>> result.suspects[0].row in (2, 3)
    True
    """
    begin = time.monotonic()
    seconds = math.inf if time_limit is None else number("time_limit", time_limit, above=0)
    threads = thread_count(threads)
    seed = count("seed", seed, least=0)
    examples = two_classes(framed(X, y), y, "least_mistakes")
    watch = Watch(seconds, progress)
    watch.tell("looking at the rows")
    digest = examples.digest(every_row=True)
    narrow = narrowed(examples)
    known = examples if narrow is None else narrow.examples
    s = SignedRows(known, bool(through_origin), watch, threads, seed)
    peeled = _peeled(s)
    if peeled is None or not peeled.left.any():
        b, rest = bracket_mistakes(s, None if peeled is None else peeled.v), None
    else:
        rest = rest_of(s, peeled.left, seed)
        b = bracket_mistakes(rest.s)
    found = _result(b, examples, None if narrow is None else narrow.columns, digest, begin, seconds)
    return found if rest is None or peeled is None else _of_all(found, s, peeled, rest)


def _peeled(s: SignedRows) -> Peeled | None:
    """What single columns decide, if that is most of the rows, or if there are too many columns to search among.

    The rows set aside cost no mistake: a hyperplane of the rest makes no more on all rows once the two are joined.
    """
    try:
        peeled = peel(s)
    except OutOfTimeError:
        return None
    few = 2 * int(peeled.left.sum()) <= s.n
    return peeled if peeled.v is not None and (few or s.d > MOST_COLUMNS) else None


def _of_all(found: LeastMistakes, s: SignedRows, peeled: Peeled, rest: Rest) -> LeastMistakes:
    """What was found of the rest, said of all rows."""
    assert peeled.v is not None
    own = [*found.weights, *([] if s.origin else [found.offset])]
    all_rows = SignedRows(s.examples, s.origin, math.inf, s.threads)
    v = join(all_rows, peeled.v, rest.widened(own), ~peeled.left)
    names = rest.rows.tolist()
    return replace(
        found,
        rescue=rest.rows[found.rescue],
        weights=tuple(v if s.origin else v[:-1]),
        offset=Fraction(0) if s.origin else v[-1],
        packing=tuple((IntegerWitness(tuple(names[i] for i in w.rows), w.multipliers), t) for w, t in found.packing),
        shares={names[i]: x for i, x in found.shares.items()},
        counts={names[i]: x for i, x in found.counts.items()},
        distances={names[i]: x for i, x in found.distances.items()},
    )


def _result(
    b: MistakeSearch, examples: Examples, columns: Ints | None, digest: int, begin: float, limit: float
) -> LeastMistakes:
    s, descent, pool = b.s, b.descent, b.pool
    packing = tuple(_within(pool.packing(), _MOST_BITS))
    proved = math.ceil(sum((weight for _, weight in packing), Fraction(0)))
    by = "sweep" if b.swept else "witnesses" if proved >= b.hitting_bound else "hitting sets"
    lower = b.upper if b.swept else max(proved, b.hitting_bound)
    pool.assign_shares(descent.wrong.tolist(), _SHARING)
    counts: dict[int, int] = {}
    for witness in pool.kept + pool.witnesses:
        for row in witness.rows:
            counts[row] = counts.get(row, 0) + 1
    rows = np.array(sorted({*descent.wrong.tolist(), *pool.shares}), dtype=np.int64)
    near = rounded(descent.v)
    w, _ = s.split(near)
    with np.errstate(all="ignore"):
        distances = s.margins(near)[rows] / (Hyperplane(w).norm or 1.0)
    v = tuple(descent.v)
    took = time.monotonic() - begin
    return LeastMistakes(
        lower=lower,
        upper=b.upper,
        proved=proved,
        by=by,
        status=_status(b, lower, limit),
        rescue=descent.wrong,
        through_origin=s.origin,
        seconds=took,
        examples=examples,
        digest=digest,
        weights=v if s.origin else v[:-1],
        offset=Fraction(0) if s.origin else v[-1],
        columns=columns,
        packing=packing,
        shares=pool.shares,
        counts=counts,
        known=len(pool.kept) + len(pool.witnesses),
        distances=dict(zip(rows.tolist(), distances.tolist(), strict=True)),
    )


def _within(packing: list[tuple[IntegerWitness, Fraction]], bits: int) -> list[tuple[IntegerWitness, Fraction]]:
    """As many of the witnesses as a proof can hold, the shortest first where it cannot hold all."""
    sizes = [sum(a.bit_length() for a in witness.multipliers) for witness, _ in packing]
    order = np.argsort(sizes, kind="stable")
    keep = order[np.cumsum(np.array(sizes, dtype=np.int64)[order]) <= bits]
    return [packing[j] for j in np.sort(keep).tolist()]


def _status(b: MistakeSearch, lower: int, limit: float) -> Status:
    """Why it ended, and what to do."""
    if lower == b.upper:
        return ended("exact.mistakes" if lower else "exact.none", "nothing-to-find")
    if b.s.watch.stopped:
        return ended("stopped.mistakes", "more-may-narrow", lower=lower, upper=b.upper)
    if b.descent.wide:
        return ended("columns", "fewer-columns", columns=b.s.examples.n_columns)
    if math.isinf(limit):
        return ended("stalled.mistakes", "bracket-stands", lower=lower, upper=b.upper)
    return ended("time.mistakes", "narrow-down", seconds=limit, lower=lower, upper=b.upper)
