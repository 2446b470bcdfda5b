"""The fewest mistakes any hyperplane makes, bracketed from both sides until the two meet or time runs out.

From above, a hyperplane and its mistakes, counted exactly (zero_one.py, or sweep.py in the plane); from below,
witnesses (witnesses.py) and their packing (packing.py). Each side helps the other: witnesses are looked for around the
mistakes of a good hyperplane; a mistake that has none betters the hyperplane; and rows with a large share in the
fractional cover get small weights in the next attempt at a hyperplane.

On small data also by implicit hitting sets (Karp 2010; Moreno-Centeno and Karp 2013): the fewest rows that hit every
witness known (hitting.py, in whole numbers) are a lower bound for the fewest mistakes; if the others can be separated,
they are the answer, and if not, there is a new witness among them.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..cancelling import cancelling_rows
from ..hitting import HittingSetSearch
from ..search import search
from ..signed_rows import Floats, Ints, SignedRows
from ..watch import OutOfTimeError
from .packing import WitnessPool
from .sweep import sweep
from .witnesses import IntegerWitness, WitnessBlock, disjoint, integer_witness, size_of_block
from .zero_one import ZeroOneDescent

_PAIRS = 500  # opposite rows beyond which they are kept out of the linear programs
_SMALL = 400  # witnesses up to which the fewest rows that hit them are looked for
_NODES = 400_000  # rows of witnesses that a search for those looks at, about
_POOL = 6000  # witnesses that are weighed against each other at most
_PASSES = 3  # witnesses around each mistake at least, so that no share is a matter of chance
_IDLE = 3  # passes with nothing new
_HITS = 12  # rows up to which hitting sets are looked for among many
_FEW = 60  # rows of which hitting sets are looked for at once
_ATTEMPTS = 4  # at a witness of few shares around one row
_UNSURE = 1e-6


@dataclass
class MistakeSearch:
    """What is known so far."""

    s: SignedRows
    descent: ZeroOneDescent
    pool: WitnessPool
    limit: float
    """Seconds for all of it."""
    hitting_bound: int = 0
    """The fewest rows that hit every witness known: a lower bound that the proof does not carry."""
    swept: bool = False
    passes: int = 0
    """Rounds of witnesses."""
    idle_passes: int = 0
    """How many of the last ones found nothing new."""
    disjoint_witnesses: Iterator[IntegerWitness] | None = None
    """Disjoint witnesses yet to be looked for."""
    failed_descents: int = 0
    """How often the search for a better hyperplane failed since it last did not."""

    @property
    def upper(self) -> int:
        """The mistakes of the best hyperplane."""
        return self.descent.upper

    @property
    def lower(self) -> int:
        """The mistakes that every hyperplane makes, as far as is known."""
        return self.upper if self.swept else max(self.pool.lower, self.hitting_bound)

    @property
    def bounds_meet(self) -> bool:
        """Whether the two are one number."""
        return self.lower >= self.upper

    def slice(self, part: float) -> float:
        """The moment when this part of all the time will have passed, or all of it."""
        self.s.seconds_left()
        return min(self.s.deadline, time.monotonic() + part * self.limit)


def bracket_mistakes(s: SignedRows) -> MistakeSearch:
    """Bracket the fewest mistakes until the deadline of s."""
    limit = max(0.0, s.deadline - time.monotonic())
    b = MistakeSearch(s, ZeroOneDescent(s), WitnessPool(s.n), limit)
    try:
        if b.upper:
            _begin(b)
            _narrow(b)
    except OutOfTimeError:
        pass
    return b


def _begin(b: MistakeSearch) -> None:
    """A hyperplane to begin with, and disjoint witnesses around its mistakes."""
    s, descent, pool = b.s, b.descent, b.pool
    if s.examples.n_columns <= 2:
        v = sweep(s, 0.7 * s.seconds_left())
        if v is not None:
            descent.offer(v)
            b.swept = True
    if not b.swept:
        descent.pocket(b.slice(0.1))
    pairs = [IntegerWitness(rows, (1,) * len(rows)) for rows in cancelling_rows(s)] if b.upper else []
    if len(pairs) > _PAIRS or descent.wide:
        pool.keep(pairs)
    else:
        pool.add_disjoint(pairs)
    if not descent.wide and not b.swept:
        _improve_hyperplane(b, 0.1)
    if not descent.wide and b.upper:
        used = np.zeros(s.n, dtype=bool)
        used[[row for witness in pairs for row in witness.rows]] = True
        b.disjoint_witnesses = disjoint(descent, used)
        _add_disjoint(b, b.slice(0.4))
    if not b.bounds_meet and not pool.lower:
        _separate(b, np.arange(s.n))


def _narrow(b: MistakeSearch) -> None:
    """From both sides in turn, until they meet and nothing more can be said of the proof or the suspects."""
    while not b.descent.wide and b.upper:
        if b.bounds_meet:
            b.s.watch.deadline = min(b.s.deadline, time.monotonic() + 0.2 * b.limit)  # for the proof and the suspects
            if b.idle_passes >= _IDLE or (b.pool.lower >= b.upper and b.passes >= _PASSES):
                return
        else:
            before = b.upper
            _improve_hyperplane(b, 0.05 / (1 + 0.3 * b.failed_descents))
            b.failed_descents = 0 if b.upper < before else b.failed_descents + 1
            if b.s.n <= _FEW or (b.idle_passes and b.upper <= _HITS and b.descent.whole):
                _hit_witnesses(b, b.slice(0.05))
        if b.disjoint_witnesses is not None:
            _add_disjoint(b, b.slice(0.2))
        end = b.slice(0.12)
        for _ in range(1 + min(b.failed_descents, 8) if b.disjoint_witnesses is None else 0):
            if time.monotonic() < end:
                _price_witnesses(b, end)


def _add_disjoint(b: MistakeSearch, end: float) -> None:
    """Disjoint witnesses, until there are no more or the time has come."""

    def some() -> Iterator[IntegerWitness]:
        assert b.disjoint_witnesses is not None
        for witness in b.disjoint_witnesses:
            yield witness
            if time.monotonic() > end:
                return
        b.disjoint_witnesses = None

    b.pool.add_disjoint(some())


def _improve_hyperplane(b: MistakeSearch, part: float) -> None:
    """Look for a better hyperplane: from the hinge, and from the best so far."""
    descent, end = b.descent, b.slice(part)
    shares = _shares(b)
    starts = [descent.near] if b.passes % 2 else [descent.hinge(shares, end), descent.near]
    for v in starts:
        if v is not None and descent.upper:
            descent.descend(v, end)
    if not descent.whole and descent.upper:
        descent.polish(b.slice(part))


def _shares(b: MistakeSearch) -> Floats:
    shares = np.zeros(b.s.n)
    for row, share in b.pool.shares.items():
        shares[row] = min(1.0, share)
    return shares


def _price_witnesses(b: MistakeSearch, end: float) -> None:
    """Witnesses around rows with small shares, of others with small shares; then all are weighed anew.

    Every few passes each mistake is taken with rows that are right: such a witness counts for that mistake alone, and
    where there is none, the hyperplane can be bettered.
    """
    s, descent, pool = b.s, b.descent, b.pool
    before, with_right_rows = (b.lower, b.upper), b.bounds_meet or b.passes % 4 == 0
    shares, size = _shares(b), size_of_block(s) if b.passes % 2 == 0 else max(300, 25 * s.d)
    rows = np.arange(s.n) if s.n <= size else np.sort(s.random.choice(s.n, size, False))
    block = WitnessBlock(descent, rows, (shares[rows] + 0.01) * (0.2 + s.random.random(rows.size)))
    useful, allowed = 0, ~pool.blocked
    around = s.random.permutation(descent.wrong)
    if not with_right_rows:
        around = around[np.argsort(shares[around], kind="stable")][: 20 + around.size // 2]
    for k in around[~pool.blocked[around]].tolist():
        if time.monotonic() > end or len(pool.witnesses) > _POOL:
            break
        if with_right_rows:
            allowed = ~pool.blocked
            allowed[descent.wrong] = False
        for attempt in range(1 if with_right_rows else _ATTEMPTS):
            if (witness := block.around(k, allowed, attempt > 0)) is None:
                break
            value = shares[list(witness.rows)].sum()
            if (value < 1 - _UNSURE or b.bounds_meet or not b.passes) and pool.add(witness):
                useful += 1
                break
    b.passes += 1
    pool.solve(s.seconds_left())
    b.idle_passes = 0 if useful or (b.lower, b.upper) != before else b.idle_passes + 1


def _hit_witnesses(b: MistakeSearch, end: float) -> None:
    """Implicit hitting sets: hit all witnesses with fewer rows than the best hyperplane has mistakes, and try those."""
    s, pool = b.s, b.pool
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
        if not _separate(b, np.setdiff1d(np.arange(s.n), rows)):
            return


def _separate(b: MistakeSearch, rows: Ints) -> bool:
    """A hyperplane that separates these rows, or a witness among them, exactly; whether either was found."""
    s = b.s
    part = s.examples if rows.size == s.n else s.examples.subset(rows)
    found = search(part, s.origin, s.seconds_left(), s.threads, all_rows=False)
    if found.strict and found.v is not None:
        return b.descent.offer(found.v)
    if found.witness is not None:
        return bool(b.pool.add_disjoint([integer_witness(rows[found.witness[0]], found.witness[1])]))
    return False
