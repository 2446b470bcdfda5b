"""Small data that each show one thing, and generators whose answers are known beforehand.

The examples of the lecture notes and of docs/theory.md go by name; `separable`, `noisy`, `classes` and `text` make data
of any size. Each gives a `Sample`, and whatever is random is a pure function of the seed.

>>> from rosenblatt import datasets, learn
>>> learn(*datasets.get("four-on-a-line")).updates
25
>>> sample = datasets.separable(1000, 20, margin=0.125, radius=1)
>>> learn(*sample, offset=0).updates <= (sample.radius / sample.margin) ** 2
True
"""

from collections.abc import Callable

from ..choices import one_of
from .generators import classes, noisy, separable
from .lecture import (
    eight_in_the_plane,
    four_in_the_plane,
    four_on_a_line,
    least_squares_trap,
    low_margin,
    never_repeats,
    one_example,
    only_by_rounding,
    slow_steps,
    three_margins,
    tight,
    xor,
)
from .sample import Sample
from .words import text

__all__ = [
    "Sample",
    "classes",
    "eight_in_the_plane",
    "four_in_the_plane",
    "four_on_a_line",
    "get",
    "least_squares_trap",
    "low_margin",
    "names",
    "never_repeats",
    "noisy",
    "one_example",
    "only_by_rounding",
    "separable",
    "slow_steps",
    "text",
    "three_margins",
    "tight",
    "xor",
]

# In the order of the notes: S001, S002, S003, and then what docs/theory.md adds.
_NAMED: dict[str, Callable[[], Sample]] = {
    "one-example": one_example,
    "four-on-a-line": four_on_a_line,
    "three-margins": three_margins,
    "four-in-the-plane": four_in_the_plane,
    "xor": xor,
    "low-margin": low_margin,
    "eight-in-the-plane": eight_in_the_plane,
    "least-squares-trap": least_squares_trap,
    "slow-steps": slow_steps,
    "tight": tight,
    "never-repeats": never_repeats,
    "only-by-rounding": only_by_rounding,
}


def names() -> list[str]:
    """The names of the small examples.

    >>> "xor" in names()
    True
    """
    return list(_NAMED)


def get(name: str) -> Sample:
    """The small example of this name.

    >>> get("xor")
    <Sample xor: 4 × 2, R = 1.41421>
    """
    if isinstance(name, str):
        name = name.replace("_", "-")
    return _NAMED[one_of("example", name, tuple(_NAMED))]()
