"""Prime implicants of a boolean function, and the rows of its truth table that each covers."""

import numpy as np

from .truth_tables import Bools, Ints


def primes(on: Bools, free: Bools) -> Ints:
    """The prime implicants that cover a row of `on`: one digit for each input, 2 for an input left out. Largest first.

    Quine and McCluskey merge pairs of implicants that differ in one literal. All 3^n cubes fit in a table with one axis
    for each input, so that merging along an axis is one operation for all of them.
    """
    n = on.size.bit_length() - 1
    implicant, useful = (on | free).reshape((2,) * n), on.reshape((2,) * n)
    for axis in range(n):
        implicant = np.concatenate([implicant, implicant.all(axis, keepdims=True)], axis)
        useful = np.concatenate([useful, useful.any(axis, keepdims=True)], axis)
    prime = implicant & useful
    for axis in range(n):
        literal = np.array([True, True, False]).reshape((3,) + (1,) * (n - 1 - axis))
        prime &= ~(literal & implicant.take([2], axis))  # without that literal it would still be an implicant
    cubes = np.argwhere(prime)
    return cubes[np.argsort((cubes < 2).sum(1), kind="stable")]


def covers(cubes: Ints, rows: Ints) -> Bools:
    """Whether cube i contains row j."""
    powers = 2 ** np.arange(cubes.shape[1])[::-1]
    literals, values = (cubes < 2) @ powers, (cubes == 1) @ powers
    return np.asarray((rows & literals[:, None]) == values[:, None])
