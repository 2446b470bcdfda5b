"""The fewest mistakes any hyperplane makes, bracketed from both sides until the two meet or time runs out.

From above, a hyperplane and its mistakes, counted exactly (zero_one.py, or sweep.py in the plane); from below,
witnesses (neighbours.py, witnesses.py) and their packing (packing.py). Each side helps the other: witnesses are looked
for around the mistakes of a good hyperplane; a mistake that has none betters the hyperplane; and rows with a large
share in the fractional cover get small weights in the next attempt at a hyperplane.

On small data also by implicit hitting sets (Karp 2010; Moreno-Centeno and Karp 2013): the fewest rows that hit every
witness known (hitting.py, in whole numbers) are a lower bound for the fewest mistakes; if the others can be separated,
they are the answer, and if not, there is a new witness among them.
"""

import math
import time
from collections.abc import Iterator

import numpy as np

from ..cancelling import cancelling_rows
from ..hitting import HittingSetSearch
from ..search import search
from ..signed_rows import Ints, SignedRows, Vector
from ..watch import OutOfTimeError
from .known import MistakeSearch
from .neighbours import Neighbourhoods
from .packing import WitnessPool
from .pricing import price_around_mistakes, price_neighbours
from .sweep import sweep
from .witnesses import Bools, IntegerWitness, disjoint, integer_witness
from .zero_one import ZeroOneDescent

_PAIRS = 500  # opposite rows beyond which they are kept out of the linear programs
_SMALL = 400  # witnesses up to which the fewest rows that hit them are looked for
_NODES = 400_000  # rows of witnesses that a search for those looks at, about
_PASSES = 3  # witnesses around each mistake at least, so that no share is a matter of chance
_IDLE = 3  # passes with nothing new
_GIVE_UP = 40  # passes with nothing new, and a search without a time limit ends
_HITS = 12  # rows up to which hitting sets are looked for among many
_FEW_COLUMNS = 200  # up to which the pocket is not the best there is
_FEW = 60  # rows of which hitting sets are looked for at once
_NOMINAL = 60.0  # seconds by which a search without a time limit shares its time out


def bracket_mistakes(s: SignedRows, v: Vector | None = None) -> MistakeSearch:
    """Bracket the fewest mistakes until the deadline of s; without one, until they meet or nothing more is found.

    `v` is a hyperplane to begin with, if one is known.
    """
    limit = max(0.0, s.deadline - time.monotonic())
    b = MistakeSearch(s, ZeroOneDescent(s), WitnessPool(s.n), limit if math.isfinite(limit) else _NOMINAL)
    b.tell("looking for a hyperplane with few mistakes")
    try:
        if v is not None:
            b.descent.offer(v)
        if b.upper:
            _begin(b)
            _narrow(b)
    except OutOfTimeError:
        pass
    return b


def _begin(b: MistakeSearch) -> None:
    """A hyperplane to begin with, and disjoint witnesses around its mistakes."""
    descent = b.descent
    descent.pocket(b.slice(0.05 if b.s.d <= _FEW_COLUMNS else 0.2))
    _cancel(b)
    if b.upper and not b.pool.lower:
        b.tell("looking for a hyperplane without mistakes")
        _separate(b, np.arange(b.s.n), 1.0 if descent.wide else 0.4)
    if b.upper and not descent.wide:
        _begin_narrow(b)


def _cancel(b: MistakeSearch) -> None:
    """Rows that cancel each other are the smallest witnesses."""
    b.tell("looking for rows that cancel each other")
    pairs = [IntegerWitness(rows, (1,) * len(rows)) for rows in cancelling_rows(b.s)] if b.upper else []
    if len(pairs) > _PAIRS or b.descent.wide:
        b.pool = WitnessPool(b.s.n)  # what is kept has no row in common with others
        b.pool.keep(pairs)
    else:
        b.pool.add_disjoint(pairs)


def _begin_narrow(b: MistakeSearch) -> None:
    """The same where tables and linear programs fit: a better hyperplane, then many witnesses."""
    s, descent = b.s, b.descent
    b.tell("looking for a hyperplane with few mistakes")
    if (v := descent.logit(b.slice(0.15))) is not None:
        descent.offer(v)
        descent.slide(b.slice(0.1), v)
    if s.examples.n_columns <= 2 and b.upper:
        b.tell("turning a line about every point")
        if (found := sweep(s, b.part(0.6))) is not None:
            descent.offer(found)
            b.swept = True
            b.tell("turning a line about every point")
    if not b.swept and b.upper:
        b.tell("looking for a better hyperplane")
        improve_hyperplane(b, 0.25)
    if b.upper:
        used = np.zeros(s.n, dtype=bool)
        used[[row for witness in b.pool.kept + b.pool.witnesses if len(witness.rows) <= 2 for row in witness.rows]] = (
            True
        )
        b.disjoint_witnesses = _disjoint(b, used)
        _add_disjoint(b, b.slice(0.4))
        b.pool.solve(s.seconds_left())


def _disjoint(b: MistakeSearch, used: Bools) -> Iterator[IntegerWitness]:
    """Disjoint witnesses of close rows; and where the table has only some of the rows, of any."""
    b.tell("looking for rows that no hyperplane gets all right")
    b.neighbourhoods = b.neighbourhoods or Neighbourhoods(b.descent)
    for witness in b.neighbourhoods.disjoint(used):
        used[list(witness.rows)] = True
        yield witness
    if not b.descent.whole:
        yield from disjoint(b.descent, used)


def _narrow(b: MistakeSearch) -> None:
    """From both sides in turn, until they meet and nothing more can be said of the proof or the suspects."""
    while not b.descent.wide and b.upper:
        if b.bounds_meet:
            b.s.watch.deadline = min(b.s.deadline, time.monotonic() + 0.2 * b.limit)  # for the proof and the suspects
            if b.idle_passes >= _IDLE or (b.pool.lower >= b.upper and b.passes >= _PASSES):
                return
        else:
            if math.isinf(b.s.deadline) and min(b.idle_passes, b.failed_descents) >= _GIVE_UP:
                return
            before = b.upper
            improve_hyperplane(b, 0.06, 1 if math.isinf(b.s.deadline) else 1 + min(b.failed_descents, 8))
            b.failed_descents = 0 if b.upper < before else b.failed_descents + 1
            if b.s.n <= _FEW or (b.idle_passes and b.upper <= _HITS and b.descent.whole):
                _hit_witnesses(b, b.slice(0.05))
        b.tell("looking for rows that no hyperplane gets all right")
        if b.disjoint_witnesses is not None:
            _add_disjoint(b, b.slice(0.2))
        end = b.slice(0.12)
        for _ in range(1 + min(b.failed_descents, 8) if b.disjoint_witnesses is None else 0):
            if time.monotonic() < end:
                if b.bounds_meet or b.passes % 8 == 7:
                    price_around_mistakes(b, end)
                else:
                    price_neighbours(b, end)


def _add_disjoint(b: MistakeSearch, end: float) -> None:
    """Disjoint witnesses, until there are no more or the time has come; one at least."""

    def some() -> Iterator[IntegerWitness]:
        assert b.disjoint_witnesses is not None
        for witness in b.disjoint_witnesses:
            yield witness
            if time.monotonic() > end:
                return
        b.disjoint_witnesses = None

    b.pool.add_disjoint(some())
    b.tell("looking for rows that no hyperplane gets all right")


def improve_hyperplane(b: MistakeSearch, part: float, rounds: int = 1) -> None:
    """Look for a better hyperplane: down the smooth count of mistakes, from the hinge, and from the best so far."""
    descent, end = b.descent, b.slice(part)
    for k in range(rounds):
        other = descent.slide(min(end, b.slice(0.6 * part)))
        if k % 2 == 0:
            other = descent.hinge(b.shares(), end)
        for v in (descent.near, other):
            if v is not None and descent.upper and (k == 0 or time.monotonic() < end):
                descent.descend(v, end)
        if time.monotonic() > end:
            break
    if not descent.whole and descent.upper:
        descent.polish(b.slice(part))
    b.tell("looking for a better hyperplane")


def _hit_witnesses(b: MistakeSearch, end: float) -> None:
    """Implicit hitting sets: hit all witnesses with fewer rows than the best hyperplane has mistakes, and try those."""
    s, pool = b.s, b.pool
    b.tell("looking for the fewest rows that hit every witness")
    while (
        not b.bounds_meet
        and len(pool.witnesses) + len(pool.kept) <= _SMALL
        and b.upper < _SMALL
        and time.monotonic() < end
    ):
        sets = [witness.rows for witness in pool.kept + pool.witnesses]
        hitting = HittingSetSearch(sets, [1] * s.n, _NODES // (1 + sum(map(len, sets))), s.seconds_left)
        rows = hitting.within(b.upper - 1)
        if rows is None:
            if hitting.nodes:  # it was not cut short
                b.hitting_bound = b.upper
            return
        if not _separate(b, np.setdiff1d(np.arange(s.n), rows), 1.0):
            return


def _separate(b: MistakeSearch, rows: Ints, part: float) -> bool:
    """A hyperplane that separates these rows, or a witness among them, exactly; whether either was found."""
    s = b.s
    some = s.examples if rows.size == s.n else s.examples.subset(rows)
    found = search(some, s.origin, s.watch.part(b.part(part)), s.threads, all_rows=False)
    if found.strict and found.v is not None:
        return b.descent.offer(found.v)
    if found.witness is not None:
        return bool(b.pool.add_disjoint([integer_witness(rows[found.witness[0]], found.witness[1])]))
    return False
