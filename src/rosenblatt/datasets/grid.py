"""The grid on which generated rows are exact: lengths in whole steps, and orthogonal maps that only halve.

A step is 2⁻¹⁸ of the power of two at or above the radius. The maps are made of reflections I − ½·v·vᵀ, with
v = (±1, ±1, ±1, ±1) in four coordinates at a time, at most six after one another. So every number has at most 24 bits:
float32 holds it, and float64 holds every sum of products of two rows, and of a row with a normal.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..choices import count, number
from ..errors import InputError, shown

Floats = NDArray[np.float64]

GRID = 2**18  # steps to the power of two at or above the radius
REFLECTIONS = 6  # at most: in each a number gains one bit
WITHIN = 1 - 1e-9  # keeps a row that is drawn in floats within its ball, whatever the rounding

_TOGETHER = 4096  # rows that are turned at a time


def sizes(n_rows: Any, n_columns: Any, least: int) -> tuple[int, int]:
    """How many rows and columns, at least so many rows."""
    n, d = count("n_rows", n_rows, least=least), count("n_columns", n_columns)
    if n * d > 2**40:
        raise InputError(f"{n} × {d} numbers are more than any memory holds")
    return n, d


def kind_of(dtype: Any, radius: float) -> np.dtype[Any]:
    """The kind of float, if rows of this length fit into it."""
    try:
        kind: np.dtype[Any] = np.dtype(dtype)
    except (TypeError, ValueError):
        kind = np.dtype(object)
    if kind != np.float32 and kind != np.float64:
        raise InputError(f"dtype must be float32 or float64, not {shown(dtype)}")
    if kind == np.float32 and not 1e-30 < radius < 1e30:
        raise InputError(f"radius {radius:g} leaves the range of float32; expected 1e-30 to 1e30")
    return kind


def steps(margin: Any, radius: Any, up: bool = False) -> tuple[int, int, float]:
    """Margin and radius as whole numbers of steps, and the step: a power of two."""
    gamma, R = number("margin", margin, above=0), number("radius", radius, above=0)
    if not 1e-140 < R < 1e140:
        raise InputError(f"radius {R:g}: its square leaves the range of float64; expected 1e-140 to 1e140")
    if gamma > R:
        raise InputError(f"margin {gamma:g} is more than the radius {R:g}; expected at most that")
    mantissa, exponent = math.frexp(R)
    if mantissa == 0.5:  # a power of two is its own
        exponent -= 1
    unit = math.ldexp(1, exponent) / GRID
    margin_steps = math.ceil(gamma / unit) if up else round(gamma / unit)
    if margin_steps == 0:
        raise InputError(f"margin {gamma:g} is nothing on a grid of {unit:g}; expected at least radius/{GRID}")
    return margin_steps, round(R / unit), unit


def ball(rng: np.random.Generator, n: int, d: int) -> Floats:
    """Points drawn evenly from the unit ball."""
    X = rng.standard_normal((n, d))
    lengths = np.sqrt(np.einsum("ij,ij->i", X, X))
    X *= (rng.random(n) ** (1 / d) / np.maximum(lengths, np.finfo(float).tiny))[:, None]
    return X


def turning(rng: np.random.Generator, d: int) -> Callable[[Floats], Floats]:
    """An orthogonal map, exact on numbers of the grid.

    The first 4ʳ coordinates are seen as a cube of r axes with 4 places each, and reflected along one axis after the
    other, as in a fast Hadamard transform: this takes e₁ to 4ʳ coordinates ±2⁻ʳ. Then all are shuffled, with new signs.
    """
    r = 0
    while r < REFLECTIONS and 4 ** (r + 1) <= d:
        r += 1
    mirrors = rng.choice([-1.0, 1.0], (r, 4))
    signs, places = rng.choice([-1.0, 1.0], d), rng.permutation(d)

    def turn(X: Floats) -> Floats:
        cube = X[:, : 4**r].reshape(-1, *[4] * r)
        for axis, v in enumerate(mirrors, start=1):
            v = v.reshape([4 if k == axis else 1 for k in range(r + 1)])
            cube = cube - (cube * v).sum(axis=axis, keepdims=True) * (v / 2)
        turned = X * signs
        turned[:, : 4**r] = cube.reshape(len(X), -1) * signs[: 4**r]
        return np.asarray(turned[:, places])

    return turn


def laid_out(
    X: Floats, order: NDArray[np.int64], turn: Callable[[Floats], Floats], unit: float, kind: np.dtype[Any]
) -> NDArray[Any]:
    """The rows in this order, turned and scaled; a block at a time, for there may be many."""
    rows = np.empty(X.shape, dtype=kind)
    for first in range(0, len(X), _TOGETHER):
        block = slice(first, first + _TOGETHER)
        rows[block] = turn(X[order[block]]) * unit
    return rows
