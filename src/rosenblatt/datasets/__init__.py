"""Small data that each show one thing, and generators whose answers are known beforehand.

The examples of the lecture notes and of docs/theory.md, and two real data sets, go by name; `separable`, `noisy`,
`classes` and `text` make data of any size. Each gives a `Sample`, and whatever is random is a pure function of the
seed.

>>> from rosenblatt import datasets, learn
>>> learn(*datasets.get("four-on-a-line")).updates
25
>>> sample = datasets.separable(1000, 20, margin=0.125, radius=1)
>>> learn(*sample, offset=0).updates <= (sample.radius / sample.margin) ** 2
True
"""

from ..choices import one_of
from .catalogue import CATALOGUE
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
from .real import breast_cancer, iris
from .sample import Sample
from .words import text

__all__ = [
    "Sample",
    "breast_cancer",
    "classes",
    "eight_in_the_plane",
    "four_in_the_plane",
    "four_on_a_line",
    "get",
    "iris",
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


def names() -> list[str]:
    """The names of the examples.

    >>> "xor" in names()
    True
    """
    return list(CATALOGUE)


def get(name: str) -> Sample:
    """The example of this name.

    >>> get("xor")
    <Sample xor: 4 × 2, R = 1.41421>
    """
    if isinstance(name, str):
        name = name.replace("_", "-")
    return CATALOGUE[one_of("example", name, tuple(CATALOGUE))].make()
