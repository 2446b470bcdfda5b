"""The search of rows that are not in memory: the search in memory, on a working set, and scans of all rows.

- A hyperplane that separates the working set is tried on all rows; some that are wrong join the set, and again
  (cutting planes once more, with the whole search of separation/search.py for its linear program).
- Rows of the working set that no hyperplane separates are a witness for all.
- Who lies on the boundary is asked as in partition.py: with g = Σ_T z_i over all rows, in one scan, δ ≥ 0 on rows of
  the working set with g + Σ δ·z = 0 proves that all of T is stuck; and a v that has no row of the set on its wrong
  side, and g·v > 0, is tried on all of T. The rows of T are those on which the hyperplane so far is exactly 0: nobody
  keeps them.

What ends it is exact, and true of all rows. Memory: that of the working set, and of a piece of the source.
"""

from fractions import Fraction

import numpy as np

from ...data.source import Source
from ..partition import SearchResult, balance
from ..reduction import spanned_balance
from ..search import search
from ..signed_rows import Ints, Vector
from ..watch import OutOfTimeError, Watch, watch_for
from .source_rows import SourceRows
from .working_set import WorkingSet


def search_source(
    source: Source,
    through_origin: bool,
    seconds: float | Watch,
    threads: int,
    witness: tuple[Ints, Vector] | None = None,
) -> SearchResult:
    """Settle the question; what is known so far, if time runs out. A `witness`, if one is known, is the first step."""
    watch, found = watch_for(seconds), SearchResult(witness=witness)
    try:
        rows = SourceRows(source, through_origin, watch, threads)
        working = WorkingSet(rows)
        if witness is None:
            separate(working, found)
        if found.witness is not None:
            working.add(found.witness[0])
            _sort_out(working, found)
    except OutOfTimeError:
        found.steps.append(watch.why if watch.over() else "the rows that matter do not fit into memory")
    return found


def separate(working: WorkingSet, found: SearchResult) -> None:
    """A hyperplane that separates all rows, or a witness."""
    rows = working.all
    while True:
        rows.watch.tell(f"asking about {working.numbers.size:,} of {rows.n:,} rows")
        inner = search(working.examples, rows.origin, rows.watch, rows.threads, all_rows=False)
        if inner.witness is not None:
            found.witness = working.named(*inner.witness)
            found.steps += [*inner.steps, f"a witness after {rows.scans} scans, among {working.numbers.size} rows"]
            return
        if not inner.strict or inner.v is None:
            raise OutOfTimeError
        sides = rows.sides(inner.v, working.step, strict=True)
        if not sides.wrong:
            found.v, found.columns, found.strict = inner.v, inner.columns, True
            found.steps += [*inner.steps, f"it separates all {rows.n} rows, as the last of {rows.scans} scans found"]
            return
        rows.watch.tell("adding rows that are wrong", wrong=sides.wrong)
        working.make_room(inner.v)
        working.add(sides.some)


def _sort_out(working: WorkingSet, found: SearchResult) -> None:
    """Each row strictly on its side of some weak separator, or provably on the boundary of all."""
    assert found.witness is not None
    rows, stuck = working.all, working.all.n
    while True:
        rows.watch.tell("sorting out the boundary", rows_left=stuck)
        g = rows.total(found.v)
        while True:
            outcome = _outcome(working, found.witness[0], g)
            if isinstance(outcome, dict):
                found.balance, found.stuck = (np.array(sorted(outcome), dtype=np.int64), []), stuck
                found.balance[1].extend(outcome[row] for row in sorted(outcome))
                several = f"{len(outcome)} multipliers prove it, after {rows.scans} scans"
                found.steps.append(f"{stuck} rows lie on every weak separator; {several}")
                return
            sides = rows.sides(outcome, working.step, strict=False, within=found.v)
            if not sides.wrong:
                break
            working.make_room(outcome, found.witness[0])
            working.add(sides.some)
        stuck = sides.on
        found.v = outcome if found.v is None else rows.join(found.v, outcome, stuck)
        working.keep(np.flatnonzero(working.signed().signs(found.v) == 0))


def _outcome(working: WorkingSet, witness: Ints, g: Vector) -> dict[int, Fraction] | Vector:
    """δ ≥ 0 by the numbers of the source, with g + Σ δ·z = 0; or a v, weak on the working set, with g·v > 0."""
    s, known = working.signed(), working.places(witness)
    delta = spanned_balance(s, known, g)
    if delta is None:
        first = np.unique(np.concatenate([known, s.starting_rows()]))
        outcome, *_ = balance(s, np.ones(s.n, dtype=bool), first, g)
        if not isinstance(outcome, dict):
            return outcome
        delta = outcome
    return {int(working.numbers[place]): x for place, x in delta.items()}
