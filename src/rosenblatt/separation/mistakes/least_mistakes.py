"""The fewest mistakes any hyperplane makes, as a certified bracket.

A mistake is a row with m = y·(w·x + b) ≤ 0. To find the fewest is NP-hard when the number of columns is not fixed
(Johnson and Preparata 1978), so the answer is a bracket: `upper`, the mistakes of a hyperplane, counted exactly; and
`lower`, which none can go below. Witnesses show it: few rows each that no hyperplane gets all right, with weights by
which no row counts twice (packing.py). Leaving out the rows on the wrong side makes the rest separable; and rows that
sit in many witnesses are the ones to look at first for wrong labels.
"""

import math
import textwrap
import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...choices import count, number, thread_count
from ...data.examples import Examples
from ...data.hyperplane import Hyperplane
from ...data.rows import matrix_of
from ...data.two_classes import two_classes
from ...errors import InputError, plural
from ...proof.fingerprint import fingerprint
from ...proof.nouns import Combination, ExactHyperplane, Packing, Proof
from ...proof.verify import Check, verify
from ...runs.status import Status
from ..exact import rounded
from ..signed_rows import SignedRows
from .bracketing import Bracket, bracket
from .witnesses import Witness

Ints = NDArray[np.int64]

_MOST_BITS = 2**27  # of all multipliers in a proof
_BLAME = 0.5  # seconds beyond the limit for sharing out the blame
_SHOWN = 12
_NOTHING = 1e-12  # a distance that only breaks a tie


@dataclass(frozen=True)
class Suspect:
    """A row to look at for a wrong label.

    cost
        Its share in the fractional cover of all witnesses known: every witness has shares of at least 1 among its rows,
        and all shares together are as small as can be. So this is about how many mistakes the row alone accounts for, 1
        at most.
    reason
        How many witnesses it is in, and where it lies.
    witnesses
        Which of `LeastMistakes.witnesses`, those of the proof, it is in.
    """

    row: int
    cost: float
    reason: str
    witnesses: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class LeastMistakes:
    """The fewest mistakes any hyperplane makes: at least `lower`, and `upper` is enough.

    proved
        What the proof shows of `lower`: all of it if `by` is "witnesses".
    by
        How `lower` was found. "witnesses": a packing of them, which the proof carries. "hitting sets": fewer rows than
        that cannot hit all witnesses known, by exhaustion. "sweep": of at most two columns, all hyperplanes were tried.
    status
        `exact`: the two bounds are one number; `time`: the limit ran out; `columns`: there are too many of them to look
        for witnesses.
    rescue
        The rows that `exact_hyperplane` gets wrong, `upper` of them. Without them the rest is separable, and no fewer
        than `lower` rows have that property.
    witnesses
        The rows of each witness of the proof.
    seconds
        How long it took.
    """

    lower: int
    upper: int
    proved: int
    by: str
    status: Status
    rescue: Ints
    through_origin: bool
    seconds: float
    examples: Examples
    digest: int
    exact_hyperplane: tuple[tuple[Fraction, ...], Fraction]
    """(w, b), w ≠ 0."""
    packing: tuple[tuple[Witness, Fraction], ...]
    shares: Mapping[int, float]
    counts: Mapping[int, int]
    """Of each row, the witnesses known that it is in."""
    known: int
    """All witnesses known; the packing needs only some of them."""
    distances: Mapping[int, float]
    """From the hyperplane, of the rows to suspect; negative on the wrong side."""

    @property
    def exact(self) -> bool:
        """Whether the bounds are one number."""
        return self.lower == self.upper

    @property
    def hyperplane(self) -> Hyperplane:
        """`exact_hyperplane` in float64, scaled to a largest entry of about 1; rounded, it may make other mistakes."""
        w, b = self.exact_hyperplane
        near, sides = rounded([*w, b]), self.examples.classes
        return Hyperplane(near[:-1], float(near[-1]), (sides[0], sides[1]))

    @property
    def witnesses(self) -> tuple[Ints, ...]:
        """The rows of each witness of the proof."""
        return tuple(np.array(witness.rows, dtype=np.int64) for witness, _ in self.packing)

    @cached_property
    def suspects(self) -> tuple[Suspect, ...]:
        """The rows to look at first for wrong labels: those of `rescue` by cost; then others that have a cost.

        The latter by cost times witnesses: of rows that are right, those in many witnesses are the likelier suspects.
        """
        rescue = set(self.rescue.tolist())

        def worst_first(row: int) -> tuple[bool, float, float, int]:
            cost = self.shares.get(row, 0.0) * (1 if row in rescue else self.counts.get(row, 0))
            return row not in rescue, -cost, self.distances.get(row, 0.0), row

        sits: dict[int, list[int]] = {}
        for at, (witness, _) in enumerate(self.packing):
            for row in witness.rows:
                sits.setdefault(row, []).append(at)
        rows = sorted(rescue | self.shares.keys(), key=worst_first)
        return tuple(
            Suspect(row, self.shares.get(row, 0.0), self._reason(row), tuple(sits.get(row, ()))) for row in rows
        )

    def _reason(self, row: int) -> str:
        distance = self.distances.get(row, 0.0)
        if abs(distance) > _NOTHING:
            side = "the wrong side" if distance < 0 else "its side"
            where = f"on {side} of the best hyperplane found, {abs(distance):.3g} from it"
        else:
            where = "on the best hyperplane found"
        return f"in {self.counts.get(row, 0)} of {self.known} witness{'' if self.known == 1 else 'es'}; {where}"

    @cached_property
    def proof(self) -> Proof:
        """All that anyone needs to check `upper` and `proved` with `verify`; bound to the data by their fingerprint."""
        if not self.examples.rows.sound() or self.examples.digest(all=True) != self.digest:
            raise InputError("the rows or labels were changed since: ask again")
        witnesses = tuple(Combination(w.rows, tuple(map(Fraction, w.multipliers))) for w, _ in self.packing)
        return Proof(
            "fewest-mistakes",
            rows=self.examples.n_rows,
            columns=self.examples.n_columns,
            sha256=fingerprint(matrix_of(self.examples.rows), self.examples.labels),
            through_origin=self.through_origin,
            hyperplane=ExactHyperplane.of(*self.exact_hyperplane),
            mistakes=self.upper,
            packing=Packing(witnesses, tuple(weight for _, weight in self.packing)),
            reading={"numbers": "as stored, each an exact float64", "positive": str(self.examples.classes[1])},
        )

    def check(self) -> Check:
        """Whether the proof holds, by the checker, on the rows in question."""
        return verify(self.proof, matrix_of(self.examples.rows), self.examples.labels)

    def summary(self) -> str:
        """Text to paste into a report. Rows are numbered from 0."""
        n, d = self.examples.n_rows, self.examples.n_columns
        origin = "through the origin" if self.through_origin else "with an offset"
        if self.exact:
            head = f"the fewest mistakes any hyperplane makes are {self.upper}"
        else:
            head = f"the fewest mistakes any hyperplane makes are at least {self.lower} and at most {self.upper}"
        parts = [f"{n} rows, {d} columns, {origin}: {head}.", f"{self.status}."]
        if self.proved < self.lower:
            parts.append(f"The proof shows at least {self.proved}; the rest is by {self.by}.")
        elif self.proved:
            parts.append(
                f"{len(self.packing)} witness{'es prove' if len(self.packing) > 1 else ' proves'} the lower bound."
            )
        if self.upper:
            rows = ", ".join(map(str, self.rescue[:_SHOWN].tolist())) + (", …" if self.upper > _SHOWN else "")
            parts.append(f"Without {plural(self.upper, 'row')} ({rows}) the rest is separable.")
            parts.append("The rows to look at first for wrong labels, those above before others:")
        lines = [line for part in parts for line in textwrap.wrap(part, 80)]
        for suspect in self.suspects[:_SHOWN]:
            text = f"row {suspect.row}, cost {suspect.cost:.2f}: {suspect.reason}"
            lines += textwrap.wrap(text, 80, initial_indent="  ", subsequent_indent="    ")
        return "\n".join(lines)

    def __repr__(self) -> str:
        n, d = self.examples.n_rows, self.examples.n_columns
        bounds = f"{self.upper}" if self.exact else f"{self.lower} to {self.upper}"
        return f"<LeastMistakes: {bounds}, {n} × {d}>"


def least_mistakes(
    X: Any,
    y: Any = None,
    *,
    through_origin: bool = False,
    time_limit: float = 10.0,
    threads: int | None = None,
    seed: int = 0,
) -> LeastMistakes:
    """How few mistakes can a hyperplane make? A certified bracket, and the rows to suspect of wrong labels.

    X, y
        Rows and any two labels (the larger is the positive one), or `Examples` of two classes and no y.
    through_origin
        Whether to ask for hyperplanes through the origin only.
    time_limit
        Seconds after which the bracket is given as it is; looked at between steps. It ends earlier if the bounds meet.
        A number, not None: more time may always narrow the bracket down.
    threads
        None: as many as there are CPUs.
    seed
        Where the search begins. The same seed gives the same answer, but for what the clock decides.

    >>> result = least_mistakes([[1], [2], [3], [4], [5], [6]], [-1, -1, 1, -1, 1, 1])
    >>> result.lower, result.upper, result.by, result.check().holds
    (1, 1, 'sweep', True)
    >>> result.suspects[0].row in (2, 3)
    True
    """
    begin = time.monotonic()
    seconds, threads = number("time_limit", time_limit, above=0), thread_count(threads)
    seed = count("seed", seed, least=0)
    examples = two_classes(X, y, "least_mistakes")
    digest = examples.digest(all=True)
    s = SignedRows(examples, bool(through_origin), seconds, threads, seed)
    s.deadline = begin + seconds
    b = bracket(s)
    return _result(b, examples, digest, begin, seconds)


def _result(b: Bracket, examples: Examples, digest: int, begin: float, limit: float) -> LeastMistakes:
    s, descent, pool = b.s, b.descent, b.pool
    packing = tuple(_within(pool.packing(), _MOST_BITS))
    proved = math.ceil(sum((weight for _, weight in packing), Fraction(0)))
    by = "sweep" if b.swept else "witnesses" if proved >= b.hit else "hitting sets"
    lower = b.upper if b.swept else max(proved, b.hit)
    pool.blame(descent.wrong.tolist(), _BLAME)
    counts: dict[int, int] = {}
    for witness in pool.kept + pool.witnesses:
        for row in witness.rows:
            counts[row] = counts.get(row, 0) + 1
    rows = np.union1d(descent.wrong, np.fromiter(pool.shares, np.int64))
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
        exact_hyperplane=(v, Fraction(0)) if s.origin else (v[:-1], v[-1]),
        packing=packing,
        shares=pool.shares,
        counts=counts,
        known=len(pool.kept) + len(pool.witnesses),
        distances=dict(zip(rows.tolist(), distances.tolist(), strict=True)),
    )


def _within(packing: list[tuple[Witness, Fraction]], bits: int) -> list[tuple[Witness, Fraction]]:
    """As many of the witnesses as a proof can hold, the shortest first where it cannot hold all."""
    sizes = [sum(a.bit_length() for a in witness.multipliers) for witness, _ in packing]
    order = np.argsort(sizes, kind="stable")
    keep = order[np.cumsum(np.array(sizes, dtype=np.int64)[order]) <= bits]
    return [packing[j] for j in np.sort(keep).tolist()]


def _status(b: Bracket, lower: int, limit: float) -> Status:
    """Why it ended, and what to do."""
    if lower == b.upper:
        reason = "no hyperplane makes fewer mistakes" if lower else "a hyperplane makes no mistake"
        return Status("exact", reason, "nothing is left to find")
    if b.descent.wide:
        reason = f"{plural(b.s.d, 'column')} are too many to look for witnesses"
        return Status("columns", reason, "select or combine columns first")
    reason = f"the limit of {limit:g} s ran out between {lower} and {b.upper}"
    return Status("time", reason, "a larger time_limit may narrow that down")
