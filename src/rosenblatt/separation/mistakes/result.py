"""LeastMistakes: what is known of the fewest mistakes any hyperplane makes, and the rows to suspect."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from ...data.examples import Examples
from ...data.hyperplane import Hyperplane
from ...data.source import Source
from ...errors import InputError
from ...proof.parts import Combination, ExactHyperplane, Packing
from ...proof.proof import Proof
from ...proof.verify import Check
from ...report.data import subject
from ...report.html_cards import mistakes_card
from ...report.mistakes import bracket_sentences, headline, mistakes_text, suspect_reason
from ...report.plain import finite
from ...report.text import paragraph
from ...runs.status import Status
from ..combinations import independent_rows
from ..exact import rounded
from ..labelings import cover
from ..signed_rows import Ints, SignedRows
from ..streamed.working_set import gathered
from ..subject import check_unchanged, checked, data_of, hyperplane_between, in_memory, listed, proof_facts
from ..watch import Watch
from .suspects import Suspect, Suspects
from .witnesses import IntegerWitness

_MOST_INDEPENDENT, _MOST_NUMBERS = 1000, 2**24  # rows, and numbers, that are asked whether they are independent
_COUNTED = 2000  # rows up to which Cover's count is exact; beyond, by the normal distribution


@dataclass(frozen=True, eq=False)
class LeastMistakes:
    """The fewest mistakes any hyperplane makes: at least `lower`, and `upper` is enough.

    proved
        What the proof shows of `lower`: all of it if `by` is "witnesses".
    by
        How `lower` was found. "witnesses": a packing of them, which the proof carries. "hitting sets": fewer rows than
        that cannot hit all witnesses known, by exhaustion. "sweep": of at most two columns, all hyperplanes were tried.
    status
        `exact`: the two bounds are one number; `time`: the limit ran out; `stalled`: there was none, and nothing
        more was found, or scans of rows elsewhere found no more; `columns`: there are too many of them to look for
        witnesses.
    rescue
        The rows that `exact_hyperplane` gets wrong, `upper` of them. Without them the rest is separable, and no fewer
        than `lower` rows have that property. Of rows elsewhere at most 10,000 are listed, those farthest on the wrong
        side; the status says so.
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
    source: Source
    digest: int
    weights: tuple[Fraction, ...]
    """Of the columns in use."""
    offset: Fraction
    columns: Ints | None
    """Those in use; None: all. The others have weight 0."""
    packing: tuple[tuple[IntegerWitness, Fraction], ...]
    shares: Mapping[int, float]
    counts: Mapping[int, int]
    """Of each row, the witnesses known that it is in."""
    known: int
    """All witnesses known; the packing needs only some of them."""
    distances: Mapping[int, float]
    """From the hyperplane, of the rows to suspect; negative on the wrong side."""
    counted: bool = True
    """Whether the mistakes of the hyperplane were counted. Of rows elsewhere time may run out before that is done."""

    @property
    def examples(self) -> Examples:
        """The rows, if they are in memory. Raises `InputError` if they are elsewhere."""
        return in_memory(self.source, "all rows of a bracket")

    @property
    def exact(self) -> bool:
        """Whether the bounds are one number."""
        return self.lower == self.upper

    @cached_property
    def exact_hyperplane(self) -> tuple[tuple[Fraction, ...], Fraction]:
        """(w, b), w ≠ 0."""
        if self.columns is None:
            return self.weights, self.offset
        w = [Fraction(0)] * self.source.n_columns
        for j, value in zip(self.columns.tolist(), self.weights, strict=True):
            w[j] = value
        return tuple(w), self.offset

    @property
    def hyperplane(self) -> Hyperplane:
        """`exact_hyperplane` in float64, scaled to a largest entry of about 1; rounded, it may make other mistakes."""
        near = rounded([*self.weights, self.offset])
        v = np.zeros(self.source.n_columns + 1)
        v[-1] = near[-1]
        v[slice(0, -1) if self.columns is None else self.columns] = near[:-1]
        return hyperplane_between(self.source, v)

    @property
    def witnesses(self) -> tuple[Ints, ...]:
        """The rows of each witness of the proof."""
        return tuple(np.array(witness.rows, dtype=np.int64) for witness, _ in self.packing)

    @cached_property
    def suspects(self) -> Suspects:
        """The rows to look at first for wrong labels: those of `rescue` by cost; then others that have a cost.

        The latter by cost times witnesses: of rows that are right, those in many witnesses are the likelier suspects.
        A tuple that prints as a table, and has `to_frame()`.
        """
        return self._suspects(self._ranked.tolist())

    @cached_property
    def _ranked(self) -> Ints:
        """The rows to suspect, the worst first."""
        rows = np.union1d(self.rescue, np.fromiter(self.shares, np.int64, len(self.shares)))
        share, count, distance = (
            np.array([known.get(row, 0.0) for row in rows.tolist()], dtype=np.float64)
            for known in (self.shares, self.counts, self.distances)
        )
        right = ~np.isin(rows, self.rescue)
        return np.asarray(rows[np.lexsort((rows, distance, -share * np.where(right, count, 1.0), right))])

    def _suspects(self, rows: list[int]) -> Suspects:
        sits: dict[int, list[int]] = {}
        for at, (witness, _) in enumerate(self.packing):
            for row in witness.rows:
                sits.setdefault(row, []).append(at)
        return Suspects(
            Suspect(
                row, self.shares.get(row, 0.0), self._reason(row), tuple(sits.get(row, ())), entry["line"],
                entry["label"], finite(self.distances.get(row)),
            )
            for row, entry in zip(rows, listed(self.source, rows), strict=True)
        )  # fmt: skip

    def _reason(self, row: int) -> str:
        return suspect_reason(self.counts.get(row, 0), self.known, self.distances.get(row, 0.0))

    @cached_property
    def proof(self) -> Proof:
        """All that anyone needs to check `upper` and `proved` with `verify`; bound to the data by their fingerprint."""
        if not self.counted:
            raise InputError("there is nothing to prove: no mistakes were counted in time; raise time_limit")
        check_unchanged(self.source, self.digest)
        witnesses = tuple(Combination(w.rows, tuple(map(Fraction, w.multipliers))) for w, _ in self.packing)
        return Proof(
            "fewest-mistakes",
            hyperplane=self._sparse_hyperplane(),
            mistakes=self.upper,
            packing=Packing(witnesses, tuple(weight for _, weight in self.packing)),
            **proof_facts(self.source, self.through_origin),
        )

    def _sparse_hyperplane(self) -> ExactHyperplane:
        columns = range(len(self.weights)) if self.columns is None else self.columns.tolist()
        pairs = [(j, value) for j, value in zip(columns, self.weights, strict=True) if value]
        return ExactHyperplane(tuple(j for j, _ in pairs), tuple(value for _, value in pairs), self.offset)

    def check(self) -> Check:
        """Whether the proof holds, by the checker, on the rows in question."""
        return checked(self.proof, self.source)

    @property
    def separable_by_chance(self) -> float | None:
        """Of all labellings of as many rows in general position, the part that is separable (Cover 1965).

        1 where all are: the rows, with a 1 for the offset, are independent, so that separable labels are no news. None
        where it is not known whether they are, or where rows are sparse, which are hardly ever in general position.
        """
        n, d = self.source.n_rows, len(self.weights)
        if n <= d + (not self.through_origin):
            return 1.0 if self._independent() else None
        if self.source.is_sparse:
            return None
        if n > _COUNTED:
            return 0.5 * math.erfc(((n - 1) / 2 - d + 0.5 - (not self.through_origin)) / math.sqrt((n - 1) / 2))
        return float(Fraction(cover(n, d, self.through_origin), 2**n))

    def _independent(self) -> bool:
        """Whether the rows are independent for certain: they are, if they are so modulo a prime."""
        n, d = self.source.n_rows, self.source.n_columns
        if n > _MOST_INDEPENDENT or n * d > _MOST_NUMBERS:
            return False
        s = SignedRows(gathered(self.source, np.arange(n), Watch()), self.through_origin, math.inf, 1)
        return len(independent_rows(s.z(np.arange(n)))) == n

    def to_dict(self, most: int = 20, rescued: int | None = None) -> dict[str, Any]:
        """The bracket and at most so many suspects in plain values; and of the `rescue` so many, or all.

        It is what `rosenblatt suspects --json` has under "mistakes".
        """
        some = self._suspects(self._ranked[:most].tolist())
        suspects = listed(self.source, (suspect.row for suspect in some))
        for entry, suspect in zip(suspects, some, strict=True):
            entry |= {
                "cost": suspect.cost,
                "witnesses": self.counts.get(suspect.row, 0),
                "distance": finite(self.distances.get(suspect.row)),
                "reason": suspect.reason,
            }
        return {
            "lower": self.lower,
            "upper": self.upper,
            "exact": self.exact,
            "proved": self.proved,
            "by": self.by,
            "status": self.status.name,
            "reason": self.status.reason,
            "advice": self.status.advice,
            "through_origin": self.through_origin,
            "separable_by_chance": self.separable_by_chance,
            "witnesses": self.known,
            "rescue": listed(self.source, self.rescue[:rescued].tolist()),
            "suspect_count": int(self._ranked.size),
            "suspects": suspects,
            "seconds": self.seconds,
        }

    def summary(self) -> str:
        """The bracket in words, as `rosenblatt suspects` prints it: at most 80 characters wide, to paste into a report.

        Rows are called by their lines, and counted from 0 if they have none.
        """
        data, found = data_of(self.source), self.to_dict()
        if self.rescue.size == self.upper:
            return "\n".join(mistakes_text({"data": data, "mistakes": found, "next": []}))
        # Not all rows that would have to be left out are known by number: the bracket alone.
        said = [line for sentence in bracket_sentences(found) for line in paragraph(sentence)]
        return "\n".join([headline(found), *subject(data), *said])

    def _repr_html_(self) -> str:
        return mistakes_card(data_of(self.source), self.to_dict())

    def __repr__(self) -> str:
        n, d = self.source.n_rows, self.source.n_columns
        bounds = f"{self.upper}" if self.exact else f"{self.lower} to {self.upper}"
        return f"<LeastMistakes: {bounds}, {n} × {d}>"
