"""All rows z_i = y_i·(x_i, 1) of a source that is not in memory, and what the search asks of them: a scan each.

A scan is one question (questions.py), which goes where the rows are. It has some chunks in memory at a time, and keeps
counts, sums and a few row numbers: nothing that grows with the rows.
"""

from fractions import Fraction
from typing import NamedTuple, TypeVar

import numpy as np

from ...data.source import Source
from ..signed_rows import Ints, Vector, whole
from ..watch import OutOfTimeError, Watch, watch_for
from .questions import FirstLook, LeastMargin, OffPlane, OnPlane, RowsQuestion, SidesOf, SumOfRows, Terms

Asked = TypeVar("Asked", bound=RowsQuestion)


class Sides(NamedTuple):
    """How the rows lie about a hyperplane: exact counts, and some of those that are wrong."""

    wrong: int
    on: int
    """How many have a margin of exactly 0."""
    some: Ints
    """Rows that are wrong: the worst, and others at random."""
    least: float
    """No margin is below this, in units of the rounded hyperplane; −∞ where floats overflow."""


class SourceRows:
    """The rows z of a source, and a watch."""

    def __init__(self, source: Source, through_origin: bool, seconds: float | Watch, threads: int) -> None:
        self.source, self.origin, self.threads = source, through_origin, threads
        self.n, self.d = source.n_rows, source.n_columns + (not through_origin)
        self.watch, self.scans, self.entries = watch_for(seconds), 0, 0
        self.firsts = dict[int, int]()
        """Of each label that occurs, a row that has it."""

    def ask(self, question: Asked) -> Asked:
        """The question once it has seen all rows. Raises `OutOfTimeError` where that takes too long."""
        self.scans += 1
        here = self.source.driver is None  # else nobody here sees the rows go by
        self.watch.tell(question.doing, scans=self.scans, rows=0 if here else None, of=self.n if here else None)
        question.terms = Terms(self.origin, self.threads, self.n, self.watch)
        found = self.source.ask(question)
        if found.late:
            raise OutOfTimeError
        return found

    def look(self) -> "SourceRows":
        """A first scan: how many numbers there are, and both labels. Raises `InputError` at what is not finite."""
        found = self.ask(FirstLook(self.source.feature_names))
        self.entries, self.firsts = found.entries, found.firsts
        return self

    @property
    def width(self) -> int:
        """How many numbers a row has in memory, on average."""
        return max(1, -(-self.entries // self.n))

    def sides(self, v: Vector, most: int, *, strict: bool, level: Fraction = Fraction(0)) -> Sides:
        """Which rows have a margin below the level (or, if `strict`, on it), and some of them."""
        found = self.ask(SidesOf(v, most, strict, level))
        return Sides(found.wrong, found.on, found.pick.rows(), found.least)

    def off(self, v: Vector, most: int, within: Vector | None) -> Ints:
        """Some of the rows that do not lie on v, of those that lie on `within`, or of all."""
        return self.ask(OffPlane(v, most, within)).pick.rows()

    def on(self, v: Vector) -> Ints:
        """The rows that lie on v, in order."""
        return np.sort(np.concatenate(self.ask(OnPlane(v)).found))

    def least(self, v: Vector) -> Fraction:
        """The least z_i·v, exactly."""
        return self.ask(LeastMargin(v)).found[0]

    def margin2(self, v: Vector) -> Fraction:
        """(min z·v)²/‖w‖², exactly, of a v that separates."""
        least = self.least(v)
        if least <= 0:
            raise AssertionError("a separator that does not separate")
        scale, w = whole(v if self.origin else v[:-1])
        return least * least * scale**2 / sum(x * x for x in w)

    def total(self, within: Vector | None) -> Vector:
        """Σ z_i over the rows that lie on `within`, or over all, exactly."""
        return self.ask(SumOfRows(within)).total()
