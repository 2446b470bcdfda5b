"""Data of any size of which the best hyperplane, the margin and the radius are known exactly, not up to rounding.

The rows are drawn where the answer can be read off: the first coordinate decides. Then an orthogonal map hides the
axis. All of it is exact, on the grid of grid.py.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..choices import count, number
from ..data.hyperplane import Hyperplane
from ..errors import InputError, shown
from . import grid
from .sample import Sample


def separable(
    n_rows: int,
    n_columns: int,
    *,
    margin: float = 0.125,
    radius: float = 1.0,
    seed: int = 0,
    dtype: Any = np.float64,
) -> Sample:
    """Separable rows, of which γ*, R and the best hyperplane are known exactly.

    Row (+γ, z) is positive and row (−γ, z) is negative, for one z; all others have a first coordinate ≥ γ or ≤ −γ.
    So w* = e₁ has margin γ with offset 0, and no hyperplane has more: those two rows are 2γ apart. That is so in the
    augmented space too, for every ρ, because half the sum of (γ, z, ρ) and −(−γ, z, ρ) is (γ, 0, 0): γ′* = γ* = γ.
    One row is R·e₁. Law 1 then says k ≤ (R² + ρ²)/γ² with not a number in it estimated.

    Half the rows are positive (of an odd number, one more), in random order. margin and radius are rounded to the grid,
    to about five digits of the radius; the sample says what they are then. Two rows alone are the pair above, and their
    length is within one step of the grid below the radius.

    w* is turned so that 4ʳ ≤ d of its coordinates are ±2⁻ʳ and the others 0, r ≤ 6. With fewer than four columns it
    stays along an axis: no other unit vector of two or three binary fractions exists.

    >>> sample = separable(500, 16, margin=0.25, radius=2, seed=1)
    >>> sample
    <Sample separable: 500 × 16, γ* = 0.25, R = 2>
    >>> sample.hyperplane.margin(*sample), np.abs(sample.normal).tolist() == [0.25] * 16
    (0.25, True)
    """
    n_rows, n_columns = grid.sizes(n_rows, n_columns, least=2)
    rng = np.random.default_rng(seed_of(seed))
    gamma, R, unit = grid.steps(margin, radius)
    kind = grid.kind_of(dtype, R * unit)
    if n_rows == 2 and n_columns == 1 and gamma != R:
        raise InputError("two rows of one column are +margin and -margin: give radius = margin, or a third row")

    y = np.where(np.arange(n_rows) % 2 == 0, 1, -1)
    X = grid.ball(rng, n_rows, n_columns)
    first = np.clip(np.floor(gamma + (R - gamma) * np.abs(X[:, 0])), gamma, R)
    first[:2] = gamma
    X *= (np.sqrt(R * R - first * first) * grid.WITHIN)[:, None]
    np.trunc(X, out=X)  # toward 0: no row grows
    X[:, 0] = y * first
    if n_rows == 2:
        X[:, 1:] = 0
        X[:, 1:2] = math.isqrt(R * R - gamma * gamma)
    else:
        X[2] = 0
        X[2, 0] = R
    X[1, 1:] = X[0, 1:]
    longest = R if n_rows > 2 else math.sqrt(float(X[0] @ X[0]))

    order = rng.permutation(n_rows)
    turn = grid.turning(rng, n_columns)
    plane = Hyperplane(turn(np.eye(1, n_columns))[0])
    X = grid.laid_out(X, order, turn, unit, kind)
    return Sample(X, y[order], "separable", gamma * unit, longest * unit, (plane,))


def noisy(
    n_rows: int,
    n_columns: int,
    *,
    noise: float = 0.05,
    margin: float = 0.125,
    radius: float = 1.0,
    seed: int = 0,
    dtype: Any = np.float64,
) -> Sample:
    """`separable` of the same arguments, with the labels of exactly round(noise·n) rows turned over.

    `flipped` lists them, and `hyperplane` is still the one of margin γ on the others. So the D of law 6 is known:
    D² = Σ (γ + |w*·x|)² over the flipped rows. Whether the rows are still separable is not: γ* is None.

    >>> sample = noisy(500, 16, noise=0.01, seed=1)
    >>> sample.flipped.size
    5
    >>> np.flatnonzero(sample.hyperplane.predict(sample.X) != sample.y).tolist() == sample.flipped.tolist()
    True
    """
    noise, seed = fraction("noise", noise), seed_of(seed)
    sample = separable(n_rows, n_columns, margin=margin, radius=radius, seed=seed, dtype=dtype)
    y, flipped = turned_over(sample.y, noise, seed)
    return replace(sample, y=y, name="noisy", margin=None if flipped.size else sample.margin, flipped=flipped)


def classes(
    n_rows: int,
    n_columns: int,
    n_classes: int,
    *,
    margin: float = 0.0625,
    radius: float = 1.0,
    seed: int = 0,
    dtype: Any = np.float64,
) -> Sample:
    """Rows of K ≥ 3 classes 0 … K−1, as equal in number as can be, that both one-vs-rest and direct learning separate.

    Coordinate k < K is ≥ margin in the rows of class k and ≤ −margin in all others; then the axes are hidden as in
    `separable`. So `hyperplanes[k]`, through the origin and exact, has class k on its positive side and the rest on the
    other, each row at least `margin` away; and the right class scores at least 2·margin more than every other. In law 1
    that bounds the updates of each output of one-vs-rest by (R/margin)², and those of direct learning (rows count as
    √2·x, and the K hyperplanes have length √K together) by K·R²/(2·margin²). The margin is rounded to the grid, upward,
    and may be exceeded: γ* is None. No row is longer than the radius on the grid; the sample's is that of the longest.

    >>> from rosenblatt import Examples, learn
    >>> examples = Examples.of(*classes(300, 16, 5, seed=1))
    >>> [learn(examples, offset=0, multiclass=way).status.name for way in ("ovr", "direct")]
    ['clean', 'clean']
    """
    n_classes = count("n_classes", n_classes, least=3, most=2**20)
    n_rows, n_columns = grid.sizes(n_rows, n_columns, least=n_classes)
    rng = np.random.default_rng(seed_of(seed))
    gamma, R, unit = grid.steps(margin, radius, up=True)
    kind = grid.kind_of(dtype, R * unit)
    K = n_classes
    if n_columns < K:
        raise InputError(f"{K} classes need at least {K} columns, not {n_columns}")
    free = R - gamma * math.sqrt(K)
    if free < 0:
        raise InputError(f"margin must be at most radius/√{K} for {K} classes: every row has {K} coordinates >= margin")

    y = np.arange(n_rows) % K
    X = np.trunc(grid.ball(rng, n_rows, n_columns) * (free * grid.WITHIN))
    X[:, :K] = -np.abs(X[:, :K]) - gamma
    X[np.arange(n_rows), y] *= -1
    longest = math.sqrt(float(np.einsum("ij,ij->i", X, X).max()))

    order = rng.permutation(n_rows)
    turn = grid.turning(rng, n_columns)
    planes = tuple(Hyperplane(w) for w in turn(np.eye(K, n_columns)))
    X = grid.laid_out(X, order, turn, unit, kind)
    return Sample(X, y[order], "classes", None, longest * unit, planes)


def seed_of(value: Any) -> int:
    """A seed, as `learn` takes it."""
    return count("seed", value, least=0, most=2**64 - 1)


def fraction(name: str, value: Any) -> float:
    """A number from 0 to 1."""
    real = number(name, value, least=0)
    if real > 1:
        raise InputError(f"{name} must be a fraction from 0 to 1, not {shown(value)}")
    return real


def turned_over(y: NDArray[np.int64], noise: float, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The labels with exactly round(noise·n) of them turned over, and which."""
    # A stream of its own: the rows and the other labels are those of the same seed without noise.
    rng = np.random.default_rng([seed, 1])
    flipped = np.sort(rng.choice(y.size, round(noise * y.size), replace=False))
    y = y.copy()
    y[flipped] *= -1
    return y, flipped
