"""Whether a proof holds. Exact, and independent of whatever found it.

Given rows x_i and labels y_i = ±1, let z_i = y_i·(x_i, 1), or y_i·x_i through the origin, and m_i = z_i·(w, b).

- **Separable**: w ≠ 0 and m_i > 0 for every row. The margin is min m_i/‖w‖.
- **Inseparable**: Σ α_i z_i = 0 with α > 0 on some rows, the witness S (Gordan): then Σ α_i m_i = 0 for every (w, b).
  It is **minimal** if its z_i have rank |S| − 1: then α is their only dependence, and fewer of them have none.
- **Quasi-separable**: m_i ≥ 0 for every row, = 0 on the rows T, which are neither none nor all, and α > 0 on all of T
  with Σ_T α_i z_i = 0. So no hyperplane with m ≥ 0 everywhere has m > 0 on T: each row is strictly on its side, or
  provably stuck (Goldman and Tucker).
- **Overlapping**: α > 0 on all rows with Σ α_i z_i = 0: m ≥ 0 everywhere means m = 0 everywhere (Stiemke).

α on T is written 1 + δ with few δ > 0, the balance: at a vertex at most rank(T) of them are not 0.

How it stays exact and quick. Margins are first enclosed in floats (k products summed in any order are off by at most
about k roundings of the sum of their sizes; Higham 2002, section 3.1), and what that leaves open is computed exactly:
numbers are cut into integers of few bits, so that float64 holds every product and sum of theirs and a matrix product
makes no rounding error (Ozaki, Ogita, Oishi and Rump 2012); integer carries put the pieces together again.

Only NumPy and the standard library are used, and of this package the form of proofs and of data.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import InputError, plural
from .fingerprint import Block, Floats, Ints, Table
from .proof import Combination, ExactHyperplane, Proof, Witness

_UNIT = 2.0**-53
_TINY = 1e-300  # more than underflow can lose in any sum below
_BITS = 16  # of a piece: products of two have 32 bits, and fewer than 2**21 of those add up exactly in float64
_MOST_BITS = 2**20  # of a common denominator: a proof that needs more was made to waste time
_PRIMES = (67108859, 67108837, 67108819, 67108777, 67108763)  # below 2**26: products of residues are exact

Digits = dict[int, Ints]
"""Many integers at once: the sum of digits[e]·2^e."""
Margins = tuple[Ints, list[Ints], int]
"""Rows; the digits of their m, the highest first, all in [0, 2^16) but that one, which has the sign; e of the last."""


@dataclass(frozen=True)
class Check:
    """Whether a proof holds, and why (not), in one line. True in an `if` when it holds."""

    holds: bool
    reason: str

    def __bool__(self) -> bool:
        return self.holds


class _RefusedError(Exception): ...


def verify(proof: Proof, X: Any, y: Any) -> Check:
    """Whether this proof holds for these rows and labels (±1; of any other two labels, the second one sorted is +1).

    >>> from rosenblatt.separation.fingerprint import fingerprint
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [1, 1, -1, -1]
    >>> plane = ExactHyperplane.of([-1], 2.5)
    >>> verify(Proof("separable", 4, 1, fingerprint(X, y), hyperplane=plane, margin2=Fraction(1, 4)), X, y)
    Check(holds=True, reason='separable: all 4 rows are strictly on their side')
    """
    if not isinstance(proof, Proof):
        raise InputError(f"expected a Proof, not {type(proof).__name__}: see verdict.proof and Proof.read(path)")
    table = Table.of(X, y)
    try:
        _check_data(proof, table)
        return Check(True, f"{proof.kind}: {_check_claims(proof, table)}")
    except _RefusedError as refusal:
        return Check(False, str(refusal))


def _check_data(proof: Proof, table: Table) -> None:
    if (table.n, table.d) != (proof.rows, proof.columns):
        raise _RefusedError(f"the proof is for {proof.rows} × {proof.columns} data, not {table.n} × {table.d}")
    if table.fingerprint() != proof.sha256:
        raise _RefusedError("the proof is for other data: the fingerprint differs")
    if not (np.full(1, 2.0**-1074) * 2.0**1000).all():
        raise _RefusedError("this process takes subnormal numbers for 0: some library was built with -ffast-math")


def _check_claims(proof: Proof, table: Table) -> str:
    """What a proof of this kind says, all its parts having been checked."""
    plane, witness, balance, origin = proof.hyperplane, proof.witness, proof.balance, proof.through_origin
    if witness:
        _check_sum(table, None, witness, origin, "witness")
        if witness.minimal:
            _check_minimal(table, witness, origin)
    if proof.kind == "separable" and plane and proof.margin2:
        _check_separable(table, plane, proof.margin2)
        return f"all {plural(table.n, 'row')} are strictly on their side"
    if proof.kind == "inseparable" and witness:
        return f"no hyperplane separates the {plural(len(witness.rows), 'row')} of the witness"
    if proof.kind == "quasi-separable" and plane and witness and witness.minimal and balance:
        T = _boundary(table, plane)
        _check_sum(table, T, balance, origin, "balance")
        return f"{plural(T.size, 'row')} of {table.n} cannot leave the hyperplane, the others are on their side"
    if proof.kind == "overlapping" and witness and witness.minimal and balance:
        _check_sum(table, np.arange(table.n), balance, origin, "balance")
        return f"whatever has none of the {plural(table.n, 'row')} on the wrong side has all of them on the hyperplane"
    raise _RefusedError(f"{proof.kind}: a part is missing")


def _check_separable(table: Table, plane: ExactHyperplane, margin2: Fraction) -> None:
    """Every m > 0, and (min m)²/‖w‖² = margin2."""
    numbers = _integers((*plane.values, plane.b))[1]
    low, high = _enclosures(table, plane, numbers)
    least, row = min(_least(*some) for some in _margins(table, plane, numbers, np.flatnonzero(low <= high.min())))
    if least <= 0:
        raise _RefusedError(f"row {row} is not strictly on its side")
    p, q = margin2.as_integer_ratio()
    if least.numerator**2 * q != p * sum(weight**2 for weight in numbers[:-1]) * least.denominator**2:
        raise _RefusedError(f"margin2 is wrong: row {row} is the closest")


def _boundary(table: Table, plane: ExactHyperplane) -> Ints:
    """T, the rows with m = 0. Refused if one has m < 0, or if they are none or all."""
    numbers = _integers((*plane.values, plane.b))[1]
    low, high = _enclosures(table, plane, numbers)
    wrong, stuck = [np.flatnonzero(high < 0)], [np.empty(0, np.int64)]
    for rows, (top, *rest), _ in _margins(table, plane, numbers, np.flatnonzero((low <= 0) & (high >= 0))):
        wrong.append(rows[top < 0])
        stuck.append(rows[(top == 0) & ~np.any(rest, axis=0)])
    if any(rows.size for rows in wrong):
        raise _RefusedError(f"row {np.concatenate(wrong).min()} is on the wrong side")
    T = np.concatenate(stuck)
    if not 0 < T.size < table.n:
        raise _RefusedError(f"{'all' if T.size else 'none'} of the rows are on the hyperplane; expected some")
    return T


def _check_sum(table: Table, T: Ints | None, part: Combination, through_origin: bool, name: str) -> None:
    """Σ z_i over T (if given) + Σ multiplier·z_i over rows (of T) = 0, exactly."""
    q, multipliers = _integers(part.multipliers)
    rows = np.array(part.rows, np.int64)
    sums = _sums(table, rows, multipliers)
    offset = sum(p * int(sign) for p, sign in zip(multipliers, table.signs[rows], strict=True))
    if T is not None:
        within = np.zeros(table.n, bool)
        within[T] = True
        if (strays := rows[~within[rows]]).size:
            raise _RefusedError(f"{name}: row {strays[0]} is not on the hyperplane")
        sums = _add(sums, _sums(table, T, None), q)
        offset += q * int(table.signs[T].sum(dtype=np.int64))
    if (wrong := np.flatnonzero(sums[0])).size:
        raise _RefusedError(f"{name}: column {wrong[0]} does not sum to 0")
    if offset and not through_origin:
        raise _RefusedError(f"{name}: the labels do not sum to 0")


def _check_minimal(table: Table, witness: Witness, through_origin: bool) -> None:
    """The rank of the z_i of the witness is |S| − 1. Modulo a prime it is never more than that, and rarely less."""
    block = table.take(np.array(witness.rows, np.int64))
    values = block.values
    if block.at is not None:
        touched, place = np.unique(block.at[1], return_inverse=True)
        values = np.zeros((block.shape[0], touched.size))
        values[block.at[0], place] = block.values
    values = values if through_origin else np.column_stack([values, np.ones(len(values))])
    wanted = len(values) - 1
    if wanted > values.shape[1] or all(_rank(values, p) < wanted for p in _PRIMES):
        raise _RefusedError("witness: not minimal as far as can be seen: a row could be left out")


def _rank(values: Floats, p: int) -> int:
    """The rank modulo p of integers that are the values times a power of two, by elimination."""
    mantissa, exponent = np.frexp(values)
    shift = exponent - exponent.min(initial=0)
    powers = np.array([pow(2, k, p) for k in range(int(shift.max(initial=0)) + 1)])
    A = np.ldexp(mantissa, 53).astype(np.int64) % p * powers[shift] % p * 1.0
    rank = 0
    for i in range(len(A)):
        if (filled := np.flatnonzero(A[i])).size:
            rank, pivot = rank + 1, filled[0]
            row = A[i] * pow(int(A[i, pivot]), -1, p)
            below = A[i + 1 :] - A[i + 1 :, pivot, None] * (row - p * np.rint(row / p))
            A[i + 1 :] = below - p * np.rint(below / p)  # at most p/2 in size, and 0 where p divides it
    return rank


def _enclosures(table: Table, plane: ExactHyperplane, numbers: list[int]) -> tuple[Floats, Floats]:
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


def _margins(table: Table, plane: ExactHyperplane, numbers: list[int], rows: Ints) -> Iterator[Margins]:
    """The m_i of these rows, exactly, some rows at a time."""
    columns, weights, offset = np.array(plane.columns, np.int64), _cut(numbers[:-1]), _cut(numbers[-1:])[0]
    for some, block in table.blocks(rows, weights.shape[1]):
        block = block.only(columns)
        terms = columns.size if block.at is None else int(np.bincount(block.at[0], minlength=1).max())
        if terms >= 2**21:
            raise _RefusedError(f"{terms} numbers in one row are more than this checker adds up exactly")
        m = {_BITS * k: np.full(some.size, piece, np.int64) for k, piece in enumerate(offset)}
        _add_products(m, block, weights, _BITS, _BITS)
        m = {e: score * table.signs[some] for e, score in m.items()}
        unit, top = min(m), max(m)
        for e in range(unit, top, _BITS):
            over = m[e] >> _BITS
            m[e] -= over << _BITS
            m[e + _BITS] = m.get(e + _BITS, 0) + over
        yield some, [m[e] for e in range(top, unit - 1, -_BITS)], unit


def _least(rows: Ints, digits: list[Ints], e: int) -> tuple[Fraction, int]:
    """The least of these margins, and a row that has it."""
    value, least = 0, np.arange(rows.size)
    for digit in digits:
        least = least[digit[least] == digit[least].min()]
        value = (value << _BITS) + int(digit[least[0]])
    return value * Fraction(2) ** e, int(rows[least[0]])


def _sums(table: Table, rows: Ints, multipliers: list[int] | None) -> tuple[Any, int]:
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
        parts = [_add(*pair) for pair in zip(parts[::2], parts[1::2], strict=False)] + parts[len(parts) // 2 * 2 :]
    return parts[0]


def _add(a: tuple[Any, int], b: tuple[Any, int], q: int = 1) -> tuple[Any, int]:
    """The sum a + q·b, each of them integers that count a power of two."""
    return (a[0] << max(0, a[1] - b[1])) + q * (b[0] << max(0, b[1] - a[1])), min(a[1], b[1])


def _integers(numbers: Sequence[Fraction]) -> tuple[int, list[int]]:
    """The common denominator of some numbers, and the numbers times it."""
    common = 1
    for number in numbers:
        if common % number.denominator:
            common = math.lcm(common, number.denominator)
        if common.bit_length() > _MOST_BITS:
            raise _RefusedError(f"the common denominator has more than {_MOST_BITS} bits")
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


def _add_products(digits: Digits, block: Block, factor: Floats, bits: int, grid: int) -> None:
    """Add X·v, where a row of the factor holds the pieces of a v_j."""
    for e, whole in _pieces(block.values, bits, grid):
        for k, part in enumerate(block.holding(whole).times(factor).T):
            digits[e + _BITS * k] = digits.get(e + _BITS * k, 0) + part.astype(np.int64)
