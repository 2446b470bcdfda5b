"""The sum of float64 numbers, exactly: so that a mean does not depend on how the rows were cut into parts.

A number is m·2^e with |m| < 2^53 a whole number; those of one exponent are added up as whole numbers, the upper and the
lower half of m apart, so that float64 holds what 2^26 of them come to. The sum is kept as one whole number, in units of
the smallest float64.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_LOWEST = -1074 - 53  # the exponent of the unit: below every m·2^e
_HALF = 27
_ONCE = 2**20  # numbers that are added up at a time


@dataclass(frozen=True)
class ExactSum:
    """A sum, in units of 2^-1127.

    >>> (ExactSum().plus(np.array([1e16, 1.0])) + ExactSum().plus(np.array([-1e16, 0.5]))).over(3)
    0.5
    """

    units: int = 0

    def plus(self, values: NDArray[np.float64]) -> "ExactSum":
        """With finite numbers added."""
        return ExactSum(self.units + sum(_units(values[i : i + _ONCE]) for i in range(0, values.size, _ONCE)))

    def __add__(self, other: "ExactSum") -> "ExactSum":
        return ExactSum(self.units + other.units)

    def over(self, count: int) -> float:
        """The quotient, rounded once."""
        return self.units / (count << -_LOWEST)


def _units(values: NDArray[np.float64]) -> int:
    if float(np.abs(values).max()) < 2**32 and bool((values == np.floor(values)).all()):
        return int(values.sum()) << -_LOWEST  # whole numbers, and few digits: there is nothing to round
    fractions, exponents = np.frexp(values)
    whole = np.ldexp(fractions, 53)
    upper = np.floor(np.ldexp(whole, -_HALF))
    lower = whole - np.ldexp(upper, _HALF)
    first = int(exponents.min())
    places = exponents - first
    total = 0
    for part, shift in ((upper, _HALF), (lower, 0)):
        for e, found in enumerate(np.bincount(places, part).tolist()):
            if found:
                total += int(found) << (e + first - 53 - _LOWEST + shift)
    return total
