"""Margins and sums over the rows of a table, exactly: the arithmetic under `verify`.

How it stays exact and quick. Margins are first enclosed in floats (k products summed in any order are off by at most
about k roundings of the sum of their sizes; Higham 2002, section 3.1), and what that leaves open is computed exactly:
numbers are cut into integers of few bits, so that float64 holds every product and sum of theirs and a matrix product
makes no rounding error (Ozaki, Ogita, Oishi and Rump 2012); integer carries put the pieces together again.
"""

import itertools
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
_CHUNK, _ENTRIES = 4096, 2**22  # rows that are summed at a time, and numbers, at most; of few columns, more
_MOST_BITS = 2**20  # of a common denominator: a proof that needs more was made to waste time

_MOST_IN_ALL = 2**29  # of many numbers over one, which take half as many bytes to work with

Digits = dict[int, Ints]
"""Many integers at once: the sum of digits[e]·2^e."""
Margins = tuple[Ints, list[Ints], int]
"""Rows; the digits of their m, the highest first, all in [0, 2^16) but that one, which has the sign; e of the last."""


class RefusedError(Exception):
    """Why a proof does not hold, in one line."""


def check_arithmetic() -> None:
    """Raises where numbers are not what the sums below take them for."""
    if not (np.full(1, 2.0**-1074) * 2.0**1000).all():
        raise RefusedError("this process takes subnormal numbers for 0: some library was built with -ffast-math")


def enclosures(table: LabelledRows, plane: ExactHyperplane, numbers: list[int]) -> tuple[Floats, Floats]:
    """Numbers around each m_i, up to one power of two for all.

    The weights are rounded by u·max(|w_j|, 2^-1022) each, and the sum of at most d + 1 products is off by (d + 1)·u·S
    and little more, S = Σ|w_j·x_j| + |b|; twice that also covers the roundings of S and of the result. Where floats
    overflow nothing is known.
    """
    size = 1 << max(map(abs, numbers)).bit_length()
    columns = np.array(plane.columns, np.int64)
    w, b = np.array([[number / size] for number in numbers[:-1]]), numbers[-1] / size
    sizes = np.maximum(np.abs(w), 2.0**-1022)
    low, high = np.empty(table.n), np.empty(table.n)
    with np.errstate(over="ignore", invalid="ignore"):
        for rows, wide in table.blocks(np.arange(table.n)):
            block = wide.only(columns)
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


def sums(table: LabelledRows, rows: Ints, multipliers: list[int] | None, columns: Ints) -> tuple[Any, int]:
    """Σ multiplier·y_i·x_i over these rows, or Σ y_i·x_i: an integer for each of these columns, and e: it counts 2^e.

    `columns` are all in which one of the rows is not 0 (`LabelledRows.in_use`).
    """
    step = max(table.step, min(_CHUNK, _ENTRIES // table.d))
    pieces, bits, grid = np.ones((rows.size, 1)), 52 - step.bit_length(), 1
    if multipliers is not None:
        pieces, bits, grid = _cut(multipliers), _BITS, _BITS
    digits: Digits = {}
    for count, first in enumerate(range(0, rows.size, step), 1):
        some = rows[first : first + step]
        block = table.take(some).only(columns).transposed
        factor = pieces[first : first + step] * table.signs[some, None]
        for e, whole in _pieces(block.values, bits, grid):
            if e not in digits:  # with room for what is carried
                digits[e] = np.zeros((columns.size, pieces.shape[1] + 4), np.int64)
            digits[e][:, :-4] += block.holding(whole).times(factor).astype(np.int64)
        if count % 256 == 0:  # a block adds less than 2^53 to a digit
            for some_digits in digits.values():
                _carry(some_digits)
    unit = min(digits, default=0)
    total = np.zeros(columns.size, object)
    for e, some_digits in digits.items():
        total += _joined(some_digits) << (e - unit)
    return total, unit


def _carry(digits: Ints) -> None:
    """Bring all digits of each row but the last, which has the sign, into [0, 2^16)."""
    for low, high in itertools.pairwise(digits.T):
        over = low >> _BITS
        low -= over << _BITS
        high += over


def _joined(digits: Ints) -> Any:
    """The integers that have these digits, the lowest first: as bytes, the last digit being 0 or −1 once carried."""
    _carry(digits)
    size, data = 2 * digits.shape[1], digits.astype("<u2").tobytes()
    found = np.empty(len(digits), object)
    found[:] = [int.from_bytes(data[k : k + size], "little", signed=True) for k in range(0, len(data), size)]
    return found


class Total:
    """Σ multiplier·y_i·x_i over rows that come block after block: an integer for each of some columns, that counts 2^e.

    The rows are 0 in all other columns. `labels` is the same sum of the y_i.
    """

    def __init__(self, columns: Ints) -> None:
        self.columns, self.values, self.e, self.labels = columns, np.zeros(columns.size, object), 0, 0

    def add(self, table: LabelledRows, rows: Ints, multipliers: list[int] | None = None) -> None:
        """Some rows of a block, each as often as its multiplier says, or once."""
        if not rows.size:
            return
        columns = table.in_use(rows)
        self._add(columns, *sums(table, rows, multipliers, columns))
        signs = table.signs[rows]
        if multipliers is None:
            self.labels += int(signs.sum(dtype=np.int64))
        else:
            self.labels += sum(p * int(sign) for p, sign in zip(multipliers, signs, strict=True))

    def add_total(self, other: "Total") -> None:
        """Another sum, of some of these columns."""
        self._add(other.columns, other.values, other.e)
        self.labels += other.labels

    def times(self, q: int) -> None:
        """All of it, q times."""
        self.values, self.labels = self.values * q, self.labels * q

    def _add(self, columns: Ints, values: Any, e: int) -> None:
        if e < self.e:
            self.values, self.e = self.values << (self.e - e), e
        self.values[np.searchsorted(self.columns, columns)] += values << (e - self.e)


def integers(numbers: Sequence[Fraction]) -> tuple[int, list[int]]:
    """The common denominator of some numbers, and the numbers times it."""
    common = 1
    for number in numbers:
        if common % number.denominator:
            common = math.lcm(common, number.denominator)
        if common.bit_length() > _MOST_BITS:
            raise RefusedError(f"the common denominator has more than {_MOST_BITS} bits")
        if common.bit_length() * len(numbers) > _MOST_IN_ALL:
            raise RefusedError(f"over a common denominator the numbers have more than {_MOST_IN_ALL} bits in all")
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
