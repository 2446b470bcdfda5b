"""The parts of a proof: exact hyperplanes, and rows with multipliers. One that exists is well formed.

Whether it is true is not asked here.
"""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from ..errors import InputError, plural
from .numerals import MOST_BITS, fraction

_WEIGHT_BITS = 4096  # of a denominator: more would only waste time


@dataclass(frozen=True, repr=False)
class ExactHyperplane:
    """w·x + b, exactly: the columns with w_j ≠ 0 (there is at least one), those w_j, and b."""

    columns: tuple[int, ...]
    values: tuple[Fraction, ...]
    b: Fraction

    def __post_init__(self) -> None:
        _check_increasing(self.columns, "hyperplane columns")
        check_exact(self.values, len(self.columns), "hyperplane weights")
        check_exact((self.b,), 1, "offset")
        if not self.columns or 0 in self.values:
            raise InputError("a hyperplane has some w ≠ 0, and lists no w = 0")

    @classmethod
    def of(cls, w: Iterable[Any], b: Any) -> "ExactHyperplane":
        """From one number for each column; integers, floats and fractions are all taken as exact.

        >>> ExactHyperplane.of([0, -0.5], 3).values
        (Fraction(-1, 2),)
        """
        pairs = [(j, fraction(value)) for j, value in enumerate(w) if value != 0]
        return cls(tuple(j for j, _ in pairs), tuple(value for _, value in pairs), fraction(b))

    def __repr__(self) -> str:
        return f"<ExactHyperplane: {plural(len(self.columns), 'weight')} ≠ 0>"


@dataclass(frozen=True, repr=False)
class Combination:
    """Some rows, each once and in order, with a multiplier > 0 each."""

    rows: tuple[int, ...]
    multipliers: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        _check_increasing(self.rows, "rows")
        check_exact(self.multipliers, len(self.rows), "multipliers")
        if any(multiplier <= 0 for multiplier in self.multipliers):
            raise InputError("multipliers must be > 0")

    @classmethod
    def of(cls, rows: Iterable[Any], multipliers: Iterable[Any], **more: Any) -> Self:
        """From any rows in increasing order; integers, floats and fractions are all taken as exact."""
        return cls(tuple(map(int, rows)), tuple(map(fraction, multipliers)), **more)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {plural(len(self.rows), 'row')}>"


@dataclass(frozen=True, repr=False)
class Witness(Combination):
    """Rows and multipliers α with Σ α_i z_i = 0; `minimal` if no row can be left out."""

    minimal: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.rows or type(self.minimal) is not bool:
            raise InputError("a witness has at least one row, and is minimal or not (true or false)")


@dataclass(frozen=True, repr=False)
class Hull(Combination):
    """Multipliers α of a point Σ α_i·z_i/Σ α_i whose distance from 0, squared, is at most `upper2`.

    The z_i are y_i·(x_i, ρ), with ρ² = `rho2`; None: the offset is free, and then Σ α_i·y_i = 0.
    """

    upper2: Fraction = Fraction(0)
    rho2: Fraction | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_exact((self.upper2, self.rho2 or Fraction(0)), 2, "upper2 and rho2")
        if not self.rows or self.upper2 <= 0 or (self.rho2 is not None and self.rho2 < 0):
            raise InputError("a point of the hull has at least one row, upper2 > 0, and rho2 >= 0 or none")


@dataclass(frozen=True, repr=False)
class Packing:
    """Witnesses (of any size), each with a weight > 0: of each row, those it is in weigh at most 1 together."""

    witnesses: tuple[Combination, ...]
    weights: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        if type(self.witnesses) is not tuple or not all(type(w) is Combination and w.rows for w in self.witnesses):
            raise InputError("packing: expected a tuple of combinations of rows")
        check_exact(self.weights, len(self.witnesses), "weights of witnesses")
        if any(weight <= 0 for weight in self.weights):
            raise InputError("packing: weights must be > 0")
        common = 1
        for weight in self.weights:
            common = math.lcm(common, weight.denominator)
            if common.bit_length() > _WEIGHT_BITS:
                raise InputError(f"packing: the common denominator of the weights has more than {_WEIGHT_BITS} bits")

    @property
    def whole(self) -> tuple[list[int], int]:
        """The weights as whole numbers, and the denominator they have in common."""
        common = math.lcm(*(weight.denominator for weight in self.weights))
        return [weight.numerator * (common // weight.denominator) for weight in self.weights], common

    @property
    def lower(self) -> int:
        """⌈Σ weights⌉: every hyperplane makes at least so many mistakes."""
        weights, common = self.whole
        return -(-sum(weights) // common)

    def __repr__(self) -> str:
        return f"<Packing of {len(self.witnesses)} witnesses: at least {plural(self.lower, 'mistake')}>"


def is_count(value: object) -> bool:
    """Whether it is a whole number >= 0 of Python's own."""
    return type(value) is int and 0 <= value < 2**63


def _check_increasing(values: Any, name: str) -> None:
    if type(values) is not tuple or not all(map(is_count, values)):
        raise InputError(f"{name}: expected whole numbers >= 0 in a tuple")
    if any(b <= a for a, b in itertools.pairwise(values)):
        raise InputError(f"{name}: expected each once, in increasing order")


def check_exact(values: Any, count: int, name: str) -> None:
    """Raise unless there are so many fractions, none too long."""
    if type(values) is not tuple or len(values) != count or not all(type(value) is Fraction for value in values):
        raise InputError(f"{name}: expected {plural(count, 'exact number')} (Fraction), one each")
    for part in (part for value in values for part in (value.numerator, value.denominator)):
        if type(part) is not int or part.bit_length() > MOST_BITS:
            raise InputError(f"{name}: a number of another kind than int, or of more than {MOST_BITS} bits")
