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
from fractions import Fraction
from typing import Any

import numpy as np

from ...choices import count, number, thread_count
from ...data.examples import Examples
from ...data.hyperplane import Hyperplane
from ...data.rows import matrix_of, rows_of
from ...data.two_classes import two_classes
from ...files.door import framed
from ...runs.status import Status, ended
from ..exact import rounded
from ..signed_rows import Ints, SignedRows
from ..watch import SearchProgress, Watch
from .bracketing import bracket_mistakes
from .known import MistakeSearch
from .result import LeastMistakes
from .witnesses import IntegerWitness

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
    columns = _in_use(examples)
    narrow = examples
    if columns is not None:
        narrow = Examples(rows_of(matrix_of(examples.rows)[:, columns]), examples.labels, examples.classes)
    s = SignedRows(narrow, bool(through_origin), watch, threads, seed)
    b = bracket_mistakes(s)
    return _result(b, examples, columns, digest, begin, seconds)


def _in_use(examples: Examples) -> Ints | None:
    """The columns of sparse rows that occur at all, if that leaves out most of them; else None.

    The others change nothing, and there may be many millions of them.
    """
    if not examples.rows.is_sparse or examples.n_columns < _MANY:
        return None
    values, columns, _ = examples.rows.arrays
    used = np.unique(columns[values != 0])
    return used.astype(np.int64) if 0 < used.size < examples.n_columns / 2 else None


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
    if b.descent.wide:
        return ended("columns", "fewer-columns", columns=b.s.d)
    if b.s.watch.stopped:
        return ended("stopped.mistakes", "more-may-narrow", lower=lower, upper=b.upper)
    if math.isinf(limit):
        return ended("stalled.mistakes", "bracket-stands", lower=lower, upper=b.upper)
    return ended("time.mistakes", "narrow-down", seconds=limit, lower=lower, upper=b.upper)
