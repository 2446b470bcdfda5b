"""Margins and sums over the rows of a table, exactly: the arithmetic under `verify`.

How it stays exact and quick. Margins are first enclosed in floats (k products summed in any order are off by at most
about k roundings of the sum of their sizes; Higham 2002, section 3.1), and what that leaves open is computed exactly:
numbers are cut into integers of few bits, so that float64 holds every product and sum of theirs and a matrix product
makes no rounding error (Ozaki, Ogita, Oishi and Rump 2012); integer carries put the pieces together again.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from .fingerprint import Floats, Ints, LabelledRows, RowBlock
from .parts import ExactHyperplane

_UNIT = 2.0**-53
_TINY = 1e-300  # more than underflow can lose in any sum below
_BITS = 16  # of a piece: products of two have 32 bits, and fewer than 2**21 of those add up exactly in float64
_MOST_BITS = 2**20  # of a common denominator: a proof that needs more was made to waste time

Digits = dict[int, Ints]
"""Many integers at once: the sum of digits[e]·2^e."""
Margins = tuple[Ints, list[Ints], int]
"""Rows; the digits of their m, the highest first, all in [0, 2^16) but that one, which has the sign; e of the last."""


class RefusedError(Exception):
    """Why a proof does not hold, in one line."""


def enclosures(table: LabelledRows, plane: ExactHyperplane, numbers: list[int]) -> tuple[Floats, Floats]:
    """Numbers around each m_i, up to one power of two for all.

    The weights are rounded by u·max(|w_j|, 2^-1022) each, and the sum of at most d + 1 products is off by (d + 1)·u·S
    and little more, S = Σ|w_j·x_j| + |b|; twice that also covers the roundings of S and of the result. Where floats
    overflow nothing is known.
    """
    size = 1 << max(map(abs, numbers)).bit_length()
    w, b = np.zeros((table.d, 1)), numbers[-1] / size
    w[np.array(plane.columns), 0] = [number / size for number in numbers[:-1]]
    sizes = np.maximum(np.abs(w), 2.0**-1022)
    low, high = np.empty(table.n), np.empty(table.n)
    with np.errstate(over="ignore", invalid="ignore"):
        for rows, block in table.blocks(np.arange(table.n)):
            m = (block.times(w)[:, 0] + b) * table.signs[rows]
            S = block.holding(np.abs(block.values)).times(sizes)[:, 0] + abs(b)
            known = np.isfinite(S) & np.isfinite(m)
            slack = np.where(known, 2 * (table.d + 4) * _UNIT * S + _TINY, np.inf)
            low[rows], high[rows] = np.where(known, m, 0) - slack, np.where(known, m, 0) + slack
    return low, high


def margins(table: LabelledRows, plane: ExactHyperplane, numbers: list[int], rows: Ints) -> Iterator[Margins]:
    """The m_i of these rows, exactly, some rows at a time."""
    columns, weights, offset = np.array(plane.columns, np.int64), _cut(numbers[:-1]), _cut(numbers[-1:])[0]
    for some, block in table.blocks(rows, weights.shape[1]):
        block = block.only(columns)
        terms = columns.size if block.at is None else int(np.bincount(block.at[0], minlength=1).max())
        if terms >= 2**21:
            raise RefusedError(f"{terms} numbers in one row are more than this checker adds up exactly")
        m = {_BITS * k: np.full(some.size, piece, np.int64) for k, piece in enumerate(offset)}
        _add_products(m, block, weights, _BITS, _BITS)
        m = {e: score * table.signs[some] for e, score in m.items()}
        unit, top = min(m), max(m)
        for e in range(unit, top, _BITS):
            over = m[e] >> _BITS
            m[e] -= over << _BITS
            m[e + _BITS] = m.get(e + _BITS, 0) + over
        yield some, [m[e] for e in range(top, unit - 1, -_BITS)], unit


def least(rows: Ints, digits: list[Ints], e: int) -> tuple[Fraction, int]:
    """The least of these margins, and a row that has it."""
    value, least = 0, np.arange(rows.size)
    for digit in digits:
        least = least[digit[least] == digit[least].min()]
        value = (value << _BITS) + int(digit[least[0]])
    return value * Fraction(2) ** e, int(rows[least[0]])


def sums(table: LabelledRows, rows: Ints, multipliers: list[int] | None) -> tuple[Any, int]:
    """Σ multiplier·y_i·x_i over these rows, or Σ y_i·x_i: an integer for each column, and e: it counts 2^e."""
    # A digit gets less than 2^53 from each piece of the x in a block. No two pieces of ±x are for one digit, so that an
    # int64 holds what 512 blocks give; of products all 132 may be.
    pieces, bits, group = np.ones((1, 1)), 52 - table.step.bit_length(), 512 * table.step
    if multipliers is not None:
        pieces, bits, group = _cut(multipliers), _BITS, table.step
    parts: list[tuple[Any, int]] = [(np.zeros(table.d, object), 0)]
    for first in range(0, rows.size, group):
        digits: Digits = {}
        factor = pieces if multipliers is None else pieces[first : first + group]
        for some, block in table.blocks(rows[first : first + group]):
            _add_products(digits, block.transposed, factor * table.signs[some, None], bits, 1)
        parts += [(digit.astype(object), e) for e, digit in sorted(digits.items())]
    while len(parts) > 1:  # in pairs, so that long numbers are touched seldom
        parts = [add(*pair) for pair in zip(parts[::2], parts[1::2], strict=False)] + parts[len(parts) // 2 * 2 :]
    return parts[0]


def add(a: tuple[Any, int], b: tuple[Any, int], q: int = 1) -> tuple[Any, int]:
    """The sum a + q·b, each of them integers that count a power of two."""
    return (a[0] << max(0, a[1] - b[1])) + q * (b[0] << max(0, b[1] - a[1])), min(a[1], b[1])


def integers(numbers: Sequence[Fraction]) -> tuple[int, list[int]]:
    """The common denominator of some numbers, and the numbers times it."""
    common = 1
    for number in numbers:
        if common % number.denominator:
            common = math.lcm(common, number.denominator)
        if common.bit_length() > _MOST_BITS:
            raise RefusedError(f"the common denominator has more than {_MOST_BITS} bits")
    return common, [number.numerator * (common // number.denominator) for number in numbers]


def _cut(integers: Sequence[int]) -> Floats:
    """A row for each integer: its pieces of 16 bits, the lowest first, each with the sign of the whole."""
    size = max((number.bit_length() for number in integers), default=0) // _BITS + 1
    pieces = np.frombuffer(b"".join(abs(number).to_bytes(2 * size, "little") for number in integers), "<u2")
    signs = np.array([[-1.0 if number < 0 else 1.0] for number in integers])
    return np.asarray(signs * pieces.reshape(-1, size), np.float64)


def _pieces(values: Floats, bits: int, grid: int) -> Iterator[tuple[int, Floats]]:
    """The values as a sum of 2^e·(integers of so many bits): each e, a multiple of grid, and its integers. Exact."""
    while top := max(float(values.max(initial=0)), -float(values.min(initial=0))):
        e = -((bits - math.frexp(top)[1]) // grid) * grid
        whole = np.trunc(_scaled(values, -e))
        yield e, whole
        values = values - _scaled(whole, e)


def _scaled(values: Floats, e: int) -> Floats:
    """2^e·values: exact, or below 1."""
    return np.multiply(values, 2.0**e) if -1000 < e < 1000 else np.ldexp(values, e)


def _add_products(digits: Digits, block: RowBlock, factor: Floats, bits: int, grid: int) -> None:
    """Add X·v, where a row of the factor holds the pieces of a v_j."""
    for e, whole in _pieces(block.values, bits, grid):
        for k, part in enumerate(block.holding(whole).times(factor).T):
            digits[e + _BITS * k] = digits.get(e + _BITS * k, 0) + part.astype(np.int64)
