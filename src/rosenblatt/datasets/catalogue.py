"""The examples that go by name: who makes each, which note it is from, and what it shows, in a few words."""

from collections.abc import Callable
from dataclasses import dataclass

from . import lecture, real
from .sample import Sample


@dataclass(frozen=True)
class Entry:
    """An example in the catalogue.

    >>> CATALOGUE["xor"].shows, CATALOGUE["xor"].note
    ('no line separates it', 'S002')
    """

    make: Callable[[], Sample]
    note: str
    """The note it is from, a law of docs/theory.md, or where the data come from."""
    shows: str
    worked: bool = True
    """Whether it is meant to be learnt in the order of its rows, by its plan."""


# In the order of the notes: S001 to S003, then what docs/theory.md adds, then real data.
CATALOGUE = {
    "one-example": Entry(lecture.one_example, "S001", "one mistake, one update"),
    "four-on-a-line": Entry(lecture.four_on_a_line, "S001", "an offset is needed, and its scale"),
    "three-margins": Entry(lecture.three_margins, "S001", "margins of rows, and of the data"),
    "four-in-the-plane": Entry(lecture.four_in_the_plane, "S002", "3 mistakes, where 26 are allowed"),
    "xor": Entry(lecture.xor, "S002", "no line separates it"),
    "low-margin": Entry(lecture.low_margin, "S002", "distance and margin are two things"),
    "eight-in-the-plane": Entry(lecture.eight_in_the_plane, "S003", "other starts, other separators"),
    "least-squares-trap": Entry(lecture.least_squares_trap, "S003", "least squares get a row wrong"),
    "slow-steps": Entry(lecture.slow_steps, "S004", "steps of 1/k may take ages"),
    "tight": Entry(lecture.tight, "S004", "the mistake bound is reached"),
    "never-repeats": Entry(lecture.never_repeats, "law 11", "inseparable, and yet no loop"),
    "only-by-rounding": Entry(lecture.only_by_rounding, "law 11", "separable by rounding alone"),
    "iris": Entry(real.iris, "Fisher", "150 flowers of three species", worked=False),
    "breast-cancer": Entry(real.breast_cancer, "UCI", "real, separable, hard to separate", worked=False),
}
