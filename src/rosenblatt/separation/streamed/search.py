"""The search of rows that are not in memory: the search in memory, on a working set, and scans of all rows.

- A hyperplane that separates the working set is tried on all rows; some that are wrong join the set, and again
  (cutting planes once more, with the whole search of separation/search.py for its linear program).
- Rows of the working set that no hyperplane separates are a witness for all.
- Who lies on the boundary is asked of the working set first. A hyperplane that has none of it on the wrong side is
  tried on all rows, as above. The rows T on it, of which nobody keeps a list, have a sum g, which is one more scan:
  rows of the working set with g + Σ δ·z = 0 and δ ≥ 0 prove that all of T is stuck (partition.py). Where there are
  none, a row of T lies beyond the span of those of the working set, and joins it.

What ends it is exact, and true of all rows. Memory: that of the working set, and of a piece of the source.
"""

from fractions import Fraction
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ...data.source import CHUNK, Source
from ...learning.progress import Progress
from ..first_look import column_ranges
from ..partition import SearchResult, balance, by_witnesses
from ..rest import rest_of
from ..search import search
from ..signed_rows import Ints, Vector
from ..watch import OutOfTimeError, Watch, watch_for
from .learning import READOUTS, learnt, plane_of
from .source_rows import SourceRows
from .working_set import WorkingSet

_PATIENCE = 3  # questions to the working set, before all rows are learnt from
_EPOCHS = 20
_HOPELESS = 0.01  # of the rows, predicted wrong in an epoch: they will hardly be separated soon


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
        rows = SourceRows(source, through_origin, watch, threads).look()
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
    for asked in count():
        if asked == _PATIENCE and _learnt(rows, found):
            return
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


def _learnt(rows: SourceRows, found: SearchResult) -> bool:
    """A run over all rows that aims at a margin: where many rows matter, it may separate what few do not tell of."""
    if rows.n <= CHUNK:
        return False
    rows.watch.tell("learning from all rows, which may separate them")
    before = 0

    def ends(progress: Progress) -> bool:
        nonlocal before
        hopeless = progress.finished and progress.epoch > 2 and progress.wrong - before > _HOPELESS * rows.n
        before = progress.wrong if progress.finished else before
        return rows.watch.over() or hopeless

    run = learnt(rows, ends, rule="relative-margin", beta=1.0, max_epochs=_EPOCHS)
    if run is None:
        return False
    for readout in READOUTS:
        v = plane_of(run, readout, rows.origin)
        if run.survey(readout)[1] == 0 and any(v) and not rows.sides(v, 1, strict=True).wrong:
            found.v, found.strict = v, True
            found.steps.append(f"a run of {run.epochs} epochs over all rows separates them")
            return True
    return False


def _sort_out(working: WorkingSet, found: SearchResult) -> None:
    """Each row strictly on its side of some weak separator, or provably on the boundary of all."""
    assert found.witness is not None
    rows, (witness, alpha) = working.all, found.witness
    while True:
        rows.watch.tell(f"sorting out {working.numbers.size:,} of {rows.n:,} rows")
        known = working.places(witness), alpha
        inner = search(working.examples, rows.origin, rows.watch, rows.threads, witness=known)
        if inner.boundary is None:
            raise OutOfTimeError
        stuck = rows.n
        if inner.v is not None:
            sides = rows.sides(inner.v, working.step, strict=False)
            if sides.wrong:
                working.make_room(inner.v, witness)
                working.add(sides.some)
                continue
            stuck = sides.on
        found.v, found.columns = inner.v, inner.columns
        outcome = _outcome(working, inner.boundary, witness, rows.total(inner.v))
        if isinstance(outcome, dict):
            break
        # Of rows that lie on the hyperplane these are beyond the span of those of the working set.
        working.add(rows.off(outcome, working.step, inner.v))
    order = sorted(outcome)
    found.balance, found.stuck = (np.array(order, dtype=np.int64), [outcome[row] for row in order]), stuck
    several = f"{len(order)} multipliers prove it, after {rows.scans} scans"
    found.steps.append(f"{stuck} rows lie on every weak separator; {several}")


def _outcome(
    working: WorkingSet, boundary: NDArray[np.bool_], witness: Ints, g: Vector
) -> dict[int, Fraction] | Vector:
    """δ ≥ 0 with g + Σ δ·z = 0, by the numbers of the source; or a v with g·v > 0 that is 0 on the boundary.

    That is made of rows of the working set, all of them stuck, in the columns that tell them apart (rest.py). Of any
    other column they say that it is t times the offset: where the sum of all rows says otherwise, that is the v.
    """
    s = working.signed()
    rest = rest_of(s, boundary)
    low, _ = column_ranges(s, boundary)
    others = np.setdiff1d(np.arange(low.size), rest.columns)
    for j, t in zip(others.tolist(), low[others].tolist(), strict=True):
        if off := g[j] - (Fraction(0) if s.origin else Fraction(t) * g[-1]):
            v, sign = [Fraction(0)] * s.d, 1 if off > 0 else -1
            v[j] = Fraction(sign)
            if not s.origin:
                v[-1] = -sign * Fraction(t)
            return v
    part = [g[j] for j in rest.columns.tolist()] + ([] if s.origin else [g[-1]])
    known = np.searchsorted(rest.rows, working.places(witness))
    delta = by_witnesses(rest.s, known, part)
    if delta is None:
        first = np.unique(np.concatenate([known, rest.s.starting_rows()]))
        outcome, *_ = balance(rest.s, np.ones(rest.s.n, dtype=bool), first, part)
        if not isinstance(outcome, dict):
            return rest.widened(outcome)
        delta = outcome
    return {int(working.numbers[rest.rows[place]]): x for place, x in delta.items()}
