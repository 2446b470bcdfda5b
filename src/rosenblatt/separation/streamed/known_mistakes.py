"""What is known of the mistakes on all rows of a source, and the result made of it."""

import math
from fractions import Fraction

import numpy as np

from ...data.hyperplane import Hyperplane
from ...runs.status import Status, ended
from ..exact import rounded
from ..mistakes.of_examples import within
from ..mistakes.result import LeastMistakes
from ..mistakes.witnesses import IntegerWitness
from ..mistakes.zero_one import MOST_COLUMNS
from ..signed_rows import Ints, Vector
from .mistaken import Mistaken
from .source_rows import SourceRows


class KnownMistakes:
    """The best hyperplane that was counted, and witnesses with weights by which no row counts twice."""

    def __init__(self, rows: SourceRows) -> None:
        self.rows = rows
        self.best: Mistaken | None = None
        self.packing = list[tuple[IntegerWitness, Fraction]]()
        self.bound, self.by = 0, "witnesses"
        """A lower bound of some of the rows, and so of all, that the packing need not show; and how it was found."""

    @property
    def upper(self) -> int:
        """So many mistakes are enough."""
        return self.rows.n if self.best is None else self.best.count

    @property
    def lower(self) -> int:
        """Every hyperplane makes at least so many."""
        return max(math.ceil(sum((weight for _, weight in self.packing), Fraction(0))), self.bound)

    def used(self) -> Ints:
        """The rows of all witnesses, in order."""
        return np.unique(np.array([row for witness, _ in self.packing for row in witness.rows], dtype=np.int64))

    def offer(self, counted: list[Mistaken]) -> Mistaken:
        """Hyperplanes whose mistakes are counted now; the best of all so far."""
        self.best = min([*([] if self.best is None else [self.best]), *counted], key=lambda one: one.count)
        return self.best

    def result(self, digest: int, planes: list[Vector], limit: float) -> LeastMistakes:
        """What is known. `planes` were found, and not counted; `limit` is what the time limit is said to be."""
        rows = self.rows
        best = self.best or _uncounted(planes, rows)
        packing = within(self.packing)
        proved = math.ceil(sum((weight for _, weight in packing), Fraction(0)))
        rescue, m = best.listed()
        chosen, shares, counts = set(rescue.tolist()), dict[int, float](), dict[int, int]()
        for witness, weight in packing:
            mistaken = [row for row in witness.rows if row in chosen]
            for row in mistaken:
                shares[row] = shares.get(row, 0.0) + float(weight) / len(mistaken)
            for row in witness.rows:
                counts[row] = counts.get(row, 0) + 1
        norm = Hyperplane(best.near[: rows.source.n_columns]).norm or 1.0
        with np.errstate(all="ignore"):
            distances = dict(zip(rescue.tolist(), (m / norm).tolist(), strict=True))
        lower = max(proved, self.bound)
        v = best.v
        return LeastMistakes(
            lower=lower,
            upper=self.upper,
            proved=proved,
            by="witnesses" if proved >= lower else self.by,
            status=self._status(lower, rescue.size, limit),
            rescue=rescue,
            through_origin=rows.origin,
            seconds=0.0,
            source=rows.source,
            digest=digest,
            weights=tuple(v if rows.origin else v[:-1]),
            offset=Fraction(0) if rows.origin else v[-1],
            columns=None,
            packing=tuple(packing),
            shares=shares,
            counts=counts,
            known=len(packing),
            distances=distances,
            counted=self.best is not None,
        )

    def _status(self, lower: int, listed: int, limit: float) -> Status:
        """Why it ended, and what to do."""
        status = self._why(lower, limit)
        cut = self.best is not None and listed < self.upper
        return status.advising("farthest-listed", listed=listed) if cut else status

    def _why(self, lower: int, limit: float) -> Status:
        watch = self.rows.watch
        values = {"lower": lower, "upper": self.upper}
        if self.best is not None and lower >= self.upper:
            return ended("exact.mistakes" if lower else "exact.none", "nothing-to-find")
        if watch.stopped:
            return ended("stopped.mistakes", "more-may-narrow", **values)
        if self.best is None:
            return ended("time.uncounted", "more-time", seconds=limit, lower=lower)
        if self.rows.d > MOST_COLUMNS:
            return ended("columns", "fewer-columns", columns=self.rows.source.n_columns)
        if watch.over():
            return ended("time.mistakes", "narrow-down", seconds=limit, **values)
        return ended("stalled.scans", "bracket-stands", scans=self.rows.scans, **values)


def _uncounted(planes: list[Vector], rows: SourceRows) -> Mistaken:
    """A hyperplane of which nothing is known."""
    v = planes[0] if planes else [Fraction(1), *[Fraction(0)] * (rows.d - 1)]
    return Mistaken(v, rounded(v))
