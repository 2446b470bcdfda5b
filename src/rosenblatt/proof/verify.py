"""Whether a proof holds. Exact, and independent of whatever found it.

Given rows x_i and labels y_i = ±1, let z_i = y_i·(x_i, 1), or y_i·x_i through the origin, and m_i = z_i·(w, b).

- **Separable**: w ≠ 0 and m_i > 0 for every row. The margin is min m_i/‖w‖.
- **Inseparable**: Σ α_i z_i = 0 with α > 0 on some rows, the witness S (Gordan): then Σ α_i m_i = 0 for every (w, b).
  It is **minimal** if its z_i have rank |S| − 1: then α is their only dependence, and fewer of them have none.
- **Quasi-separable**: m_i ≥ 0 for every row, = 0 on the rows T, which are neither none nor all, and α > 0 on all of T
  with Σ_T α_i z_i = 0. So no hyperplane with m ≥ 0 everywhere has m > 0 on T: each row is strictly on its side, or
  provably stuck (Goldman and Tucker). Without such α the rows of T are not sorted out: no m < 0, not all m = 0, and a
  witness (whose m are then 0) say no more than that some rows are strictly on their side, and never all.
- **Overlapping**: α > 0 on all rows with Σ α_i z_i = 0: m ≥ 0 everywhere means m = 0 everywhere (Stiemke).

α on T is written 1 + δ with few δ > 0, the balance: at a vertex at most rank(T) of them are not 0.

- **Largest margin**: a hyperplane with its margin as above, and a point p of the hull. With an offset of scale ρ let
  z_i = y_i·(x_i, ρ), and margins be min m_i/‖(w, b/ρ)‖: for every unit u, min z_i·u ≤ p·u ≤ ‖p‖, p = Σ α_i z_i/Σ α_i,
  so no hyperplane has a margin above ‖p‖. If the offset is free, Σ α_i y_i = 0, and then b has no part in p·(w, b):
  min m_i ≤ ‖w‖·‖p‖, where p is half of the difference of two points, one in the hull of each class.
- **Fewest mistakes**: a hyperplane with so many rows m_i ≤ 0; and witnesses W with weights t_W > 0, those of each
  row no more than 1 together. Every hyperplane has m_i ≤ 0 somewhere in each W, so at least Σ_W t_W rows with m_i ≤ 0.

The arithmetic is in sums.py. Only NumPy and the standard library are used, and of this package the form of proofs and
of data.
"""

import decimal
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..errors import InputError, plural
from .blocks import RowBlocks, Survey
from .fingerprint import Floats, Ints, LabelledRows
from .parts import Combination, ExactHyperplane, Hull, Packing
from .proof import Proof
from .sums import RefusedError, Total, check_arithmetic, enclosures, integers, least, margins
from .telling import SearchProgress, Teller

_PRIMES = (67108859, 67108837, 67108819, 67108777, 67108763)  # below 2**26: products of residues are exact


@dataclass(frozen=True)
class Check:
    """Whether a proof holds, and why (not), in one line. True in an `if` when it holds."""

    holds: bool
    reason: str

    def __bool__(self) -> bool:
        return self.holds

    def to_dict(self) -> dict[str, Any]:
        """The same in plain values."""
        return {"holds": self.holds, "reason": self.reason}


def verify(proof: Proof, X: Any, y: Any = None, *, progress: Callable[[SearchProgress], object] | None = None) -> Check:
    """Whether this proof holds for these rows and labels (±1; of any other two labels, the second one sorted is +1).

    Rows that are not in memory come as a function that opens them: each call gives blocks (rows, labels ±1) from the
    beginning, and y is left out; or as a source. They are gone through twice at most; what is kept is a block, the
    rows that the proof names, and a sum for each column.

    `progress` is called with a `SearchProgress`, up to ten times a second: what is being checked, and how many rows of
    how many are done. What it returns does not matter, for nothing is known of a proof before all of it is checked; to
    end the check, raise an error in it.

    >>> from rosenblatt.proof.fingerprint import fingerprint
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], [1, 1, -1, -1]
    >>> plane = ExactHyperplane.of([-1], 2.5)
    >>> verify(Proof("separable", 4, 1, fingerprint(X, y), hyperplane=plane, margin2=Fraction(1, 4)), X, y)
    Check(holds=True, reason='separable: all 4 rows are strictly on their side')
    """
    if not isinstance(proof, Proof):
        raise InputError(f"expected a Proof, not {type(proof).__name__}: see verdict.proof and Proof.read(path)")
    data = RowBlocks.of(X, y, Teller(progress))
    try:
        return Check(True, f"{proof.kind}: {_check_claims(proof, data, _checked_data(proof, data))}")
    except RefusedError as refusal:
        return Check(False, str(refusal))


def _checked_data(proof: Proof, data: RowBlocks) -> Survey:
    """The rows that the proof names, of the data that it speaks of."""
    parts = (proof.witness, proof.balance, proof.hull, *(proof.packing.witnesses if proof.packing else ()))
    named = np.unique(np.array([row for part in parts if part for row in part.rows], np.int64))
    data.teller.begin("checking the fingerprint of the rows")
    found = data.survey(named, proof.rows)
    if (found.n, found.d) != (proof.rows, proof.columns):
        more = " or more" * (found.n > proof.rows and not data.in_memory)
        raise RefusedError(f"the proof is for {proof.rows} × {proof.columns} data, not {found.n}{more} × {found.d}")
    if found.sha256 != proof.sha256:
        raise RefusedError("the proof is for other data: the fingerprint of numbers, order and labels differs")
    check_arithmetic()
    return found


def _check_claims(proof: Proof, data: RowBlocks, known: Survey) -> str:
    """What a proof of this kind says, all its parts having been checked."""
    plane, witness, balance, origin = proof.hyperplane, proof.witness, proof.balance, proof.through_origin
    if proof.kind == "largest-margin" and plane and proof.margin2 and (hull := proof.hull):
        _check_separable(data, plane, proof.margin2, hull.rho2)
        data.teller.begin("checking the hull")
        _check_hull(known, hull)
        if proof.margin2 == hull.upper2:
            return f"the margin is {_root(proof.margin2)}, and none is larger"
        return f"the margin is {_root(proof.margin2)}, and none is larger than {_root(hull.upper2)}"
    if proof.kind == "fewest-mistakes" and plane and proof.mistakes is not None and (packing := proof.packing):
        if (found := _mistakes(data, plane)) != proof.mistakes:
            raise RefusedError(f"the hyperplane makes {plural(found, 'mistake')}, not {proof.mistakes}")
        _check_packing(data, known, packing, origin)
        return f"the hyperplane makes {plural(found, 'mistake')}, and every other at least {packing.lower}"
    if witness:
        data.teller.begin("checking the witness")
        _check_zero(_combined(known, witness)[0], origin, "witness")
        if witness.minimal:
            _check_minimal(_rows(known, witness), origin)
    if proof.kind == "separable" and plane and proof.margin2:
        _check_separable(data, plane, proof.margin2)
        return f"all {plural(known.n, 'row')} are strictly on their side"
    if proof.kind == "inseparable" and witness:
        return f"no hyperplane separates the {plural(len(witness.rows), 'row')} of the witness"
    if proof.kind == "quasi-separable" and plane and witness and witness.minimal:
        stuck = _check_boundary(data, known, plane, balance, origin)
        if balance is None:
            off = f"{plural(known.n - stuck, 'row')} of {known.n} strictly on their side, never all"
            return f"{off}; which of the other {stuck} could leave the hyperplane is not sorted out"
        return f"{plural(stuck, 'row')} of {known.n} cannot leave the hyperplane, the others are on their side"
    if proof.kind == "overlapping" and witness and witness.minimal and balance:
        _check_boundary(data, known, None, balance, origin)
        return f"whatever has none of the {plural(known.n, 'row')} on the wrong side has all of them on the hyperplane"
    raise RefusedError(f"{proof.kind}: a part is missing")


def _rows(known: Survey, part: Combination) -> LabelledRows:
    """The rows that a part of the proof names."""
    assert known.named is not None
    return known.named.part(np.searchsorted(known.numbers, np.array(part.rows, np.int64)))


def _combined(known: Survey, part: Combination) -> tuple[Total, int]:
    """Σ multiplier·z_i over the rows of a part, times the common denominator; and that."""
    q, multipliers = integers(part.multipliers)
    if not part.rows:
        return Total(np.empty(0, np.int64)), q
    rows = _rows(known, part)
    every = np.arange(rows.n)
    total = Total(rows.in_use(every))
    total.add(rows, every, multipliers)
    return total, q


def _check_separable(data: RowBlocks, plane: ExactHyperplane, margin2: Fraction, rho2: Fraction | None = None) -> None:
    """Every m > 0, and (min m)²/‖w‖² = margin2; with a ρ > 0, over ‖w‖² + b²/ρ²."""
    data.teller.begin("checking the side of every row")
    numbers = integers((*plane.values, plane.b))[1]
    closest, row = min(found for found in data.each(_Closest(plane, numbers)) if found)
    if closest <= 0:
        raise RefusedError(f"row {row} is not strictly on its side")
    length2 = sum(weight**2 for weight in numbers[:-1]) + (numbers[-1] ** 2 / rho2 if rho2 else 0)
    if closest**2 != margin2 * length2:
        raise RefusedError(f"margin2 is wrong: row {row} is the closest")


class _Closest:
    """Of each block the least m and the first row that has it; None where no row can be below those of others."""

    def __init__(self, plane: ExactHyperplane, numbers: list[int]) -> None:
        self.plane, self.numbers = plane, numbers
        self.ceiling = np.inf
        """The least m of all rows is no more than this, as far as blocks were seen here."""

    def __call__(self, first: int, table: LabelledRows) -> tuple[Fraction, int] | None:
        low, high = enclosures(table, self.plane, self.numbers)
        self.ceiling = min(self.ceiling, float(high.min()))
        near = np.flatnonzero(low <= self.ceiling)
        found = [least(*some) for some in margins(table, self.plane, self.numbers, near)]
        return min(((value, first + row) for value, row in found), default=None)


def _check_hull(known: Survey, hull: Hull) -> None:
    """‖Σ α·y·x‖² + ρ²·(Σ α·y)² ≤ upper2·(Σ α)²; with a free offset, Σ α·y = 0."""
    total, q = _combined(known, hull)
    if hull.rho2 is None and total.labels:
        raise RefusedError("hull: the labels do not sum to 0, as a free offset demands")
    distance2 = sum(int(p) ** 2 for p in total.values if p) * Fraction(4) ** total.e
    distance2 += (hull.rho2 or 0) * total.labels**2
    if distance2 > hull.upper2 * (q * sum(hull.multipliers)) ** 2:
        raise RefusedError("hull: the point is farther from 0 than upper2 says")


def _mistakes(data: RowBlocks, plane: ExactHyperplane) -> int:
    """How many rows have m ≤ 0."""
    data.teller.begin("counting the mistakes of the hyperplane")
    numbers = integers((*plane.values, plane.b))[1]
    return sum(data.each(partial(_mistakes_of, plane, numbers)))


def _mistakes_of(plane: ExactHyperplane, numbers: list[int], first: int, table: LabelledRows) -> int:
    """The same of a block."""
    return sum(rows.size for rows in _sides(plane, numbers, table))


def _sides(plane: ExactHyperplane, numbers: list[int], table: LabelledRows) -> tuple[Ints, Ints]:
    """The rows with m < 0 and with m = 0; `numbers` are those of the hyperplane as integers."""
    low, high = enclosures(table, plane, numbers)
    wrong, on = [np.flatnonzero(high < 0)], [np.empty(0, np.int64)]
    for rows, (top, *rest), _ in margins(table, plane, numbers, np.flatnonzero((low <= 0) & (high >= 0))):
        wrong.append(rows[top < 0])
        on.append(rows[(top == 0) & ~np.any(rest, axis=0)])
    return np.concatenate(wrong), np.concatenate(on)


def _check_packing(data: RowBlocks, known: Survey, packing: Packing, through_origin: bool) -> None:
    """Each witness sums to 0, and those that a row is in weigh no more than 1 together."""
    load: dict[int, int] = {}
    weights, one = packing.whole
    for witness, weight in zip(packing.witnesses, weights, strict=True):
        data.teller.begin(f"checking the witness of row {witness.rows[0]}")
        _check_zero(_combined(known, witness)[0], through_origin, f"witness of row {witness.rows[0]}")
        for row in witness.rows:
            load[row] = load.get(row, 0) + weight
    if heavy := [row for row, weight in load.items() if weight > one]:
        raise RefusedError(f"packing: the witnesses that row {heavy[0]} is in weigh more than 1 together")


def _root(square: Fraction) -> str:
    """About the square root, in words; of any size."""
    context = decimal.Context(prec=20, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
    value = context.divide(decimal.Decimal(square.numerator), decimal.Decimal(square.denominator))
    return f"{context.sqrt(value):.9g}"


def _check_boundary(
    data: RowBlocks, known: Survey, plane: ExactHyperplane | None, balance: Combination | None, through_origin: bool
) -> int:
    """How many rows T have m = 0: some, not all, and no row has m < 0. The balance, if given, sums to 0 with T.

    Without a hyperplane, T is all rows.
    """
    data.teller.begin("checking the side of every row" if plane else "checking the balance")
    stuck, total, stray = 0, Total(np.arange(known.d)), list[int]()
    numbers = integers((*plane.values, plane.b))[1] if plane else []
    named = None if balance is None else np.array(balance.rows, np.int64)
    for found in data.each(partial(_boundary_of, plane, numbers, named)):
        if found.wrong is not None:
            raise RefusedError(f"row {found.wrong} is on the wrong side")
        stuck += found.stuck
        stray += found.stray
        total.add_total(found.total)
    if plane and not 0 < stuck < known.n:
        raise RefusedError(f"{'all' if stuck else 'none'} of the rows are on the hyperplane; expected some")
    if balance:
        if stray:
            raise RefusedError(f"balance: row {stray[0]} is not on the hyperplane")
        part, q = _combined(known, balance)
        total.times(q)
        total.add_total(part)
        _check_zero(total, through_origin, "balance")
    return stuck


class _Boundary(NamedTuple):
    """Of a block: a row with m < 0, if there is one; how many have m = 0, their sum, and rows named that have not."""

    wrong: int | None
    stuck: int
    total: Total
    stray: list[int]


def _boundary_of(
    plane: ExactHyperplane | None, numbers: list[int], named: Ints | None, first: int, table: LabelledRows
) -> _Boundary:
    """What a block has to do with a hyperplane. Sums are asked for where rows are `named`, which should lie on it."""
    wrong, T = _sides(plane, numbers, table) if plane else (np.empty(0, np.int64), np.arange(table.n))
    total, stray = Total(np.empty(0, np.int64)), list[int]()
    if named is not None and not wrong.size:
        here = named[(named >= first) & (named < first + table.n)] - first
        stray = (here[~np.isin(here, T)][:1] + first).tolist()
        total = Total(table.in_use(T))
        total.add(table, T)
    return _Boundary(first + int(wrong.min()) if wrong.size else None, T.size, total, stray)


def _check_zero(total: Total, through_origin: bool, name: str) -> None:
    """The sum is 0, exactly."""
    if (wrong := np.flatnonzero(total.values)).size:
        raise RefusedError(f"{name}: column {total.columns[wrong[0]]} does not sum to 0")
    if total.labels and not through_origin:
        raise RefusedError(f"{name}: the labels do not sum to 0")


def _check_minimal(witness: LabelledRows, through_origin: bool) -> None:
    """The rank of the z_i of the witness is |S| − 1. Modulo a prime it is never more than that, and rarely less."""
    block = witness.take(np.arange(witness.n))
    values = block.values
    if block.at is not None:
        touched, place = np.unique(block.at[1], return_inverse=True)
        values = np.zeros((block.shape[0], touched.size))
        values[block.at[0], place] = block.values
    values = values if through_origin else np.column_stack([values, np.ones(len(values))])
    wanted = len(values) - 1
    if wanted > values.shape[1] or all(_rank(values, p) < wanted for p in _PRIMES):
        raise RefusedError("witness: not minimal as far as can be seen: a row could be left out")


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
