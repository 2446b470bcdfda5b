"""The bracket on the fewest mistakes of rows in memory, and the result made of it.

What single columns decide costs no mistake, and is set aside first (peeling.py); the search is about the rest.
"""

import math
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np

from ...data.examples import Examples
from ...data.hyperplane import Hyperplane
from ...runs.status import Status, ended
from ..exact import rounded
from ..narrow import narrowed
from ..partition import join
from ..peeling import Peeled, peel
from ..rest import Rest, rest_of
from ..signed_rows import Ints, SignedRows
from ..watch import OutOfTimeError, Watch
from .bracketing import bracket_mistakes
from .known import MistakeSearch
from .result import LeastMistakes
from .witnesses import IntegerWitness
from .zero_one import MOST_COLUMNS

_MOST_BITS = 2**27  # of all multipliers in a proof
_SHARING = 0.2  # seconds beyond the limit for the shares of the rows


def bracket_examples(
    examples: Examples, through_origin: bool, watch: Watch, threads: int, seed: int, limit: float
) -> LeastMistakes:
    """The bracket, when the watch ends it, or nothing more is found; `limit` is what the time limit is said to be."""
    begin, digest = time.monotonic(), examples.digest(every_row=True)
    narrow = narrowed(examples)
    known = examples if narrow is None else narrow.examples
    s = SignedRows(known, through_origin, watch, threads, seed)
    peeled = _peeled(s)
    if peeled is None or not peeled.left.any():
        b, rest = bracket_mistakes(s, None if peeled is None else peeled.v), None
    else:
        rest = rest_of(s, peeled.left, seed)
        b = bracket_mistakes(rest.s)
    found = _result(b, examples, None if narrow is None else narrow.columns, digest, begin, limit)
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
    packing = tuple(within(pool.packing()))
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
        source=examples,
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


def within(
    packing: list[tuple[IntegerWitness, Fraction]], bits: int = _MOST_BITS
) -> list[tuple[IntegerWitness, Fraction]]:
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
