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
from typing import Any

import numpy as np

from ..errors import InputError, plural
from .fingerprint import Floats, Ints, LabelledRows
from .parts import Combination, ExactHyperplane, Hull, Packing, Witness
from .proof import Proof
from .sums import RefusedError, add, enclosures, integers, least, margins, sums
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


def verify(proof: Proof, X: Any, y: Any, *, progress: Callable[[SearchProgress], object] | None = None) -> Check:
    """Whether this proof holds for these rows and labels (±1; of any other two labels, the second one sorted is +1).

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
    table = LabelledRows.of(X, y, Teller(progress))
    try:
        _check_data(proof, table)
        return Check(True, f"{proof.kind}: {_check_claims(proof, table)}")
    except RefusedError as refusal:
        return Check(False, str(refusal))


def _check_data(proof: Proof, table: LabelledRows) -> None:
    if (table.n, table.d) != (proof.rows, proof.columns):
        raise RefusedError(f"the proof is for {proof.rows} × {proof.columns} data, not {table.n} × {table.d}")
    table.teller.begin("checking the fingerprint of the rows")
    if table.fingerprint() != proof.sha256:
        raise RefusedError("the proof is for other data: the fingerprint of numbers, order and labels differs")
    if not (np.full(1, 2.0**-1074) * 2.0**1000).all():
        raise RefusedError("this process takes subnormal numbers for 0: some library was built with -ffast-math")


def _check_claims(proof: Proof, table: LabelledRows) -> str:
    """What a proof of this kind says, all its parts having been checked."""
    plane, witness, balance, origin = proof.hyperplane, proof.witness, proof.balance, proof.through_origin
    if proof.kind == "largest-margin" and plane and proof.margin2 and (hull := proof.hull):
        _check_separable(table, plane, proof.margin2, hull.rho2)
        _check_hull(table, hull)
        if proof.margin2 == hull.upper2:
            return f"the margin is {_root(proof.margin2)}, and none is larger"
        return f"the margin is {_root(proof.margin2)}, and none is larger than {_root(hull.upper2)}"
    if proof.kind == "fewest-mistakes" and plane and proof.mistakes is not None and (packing := proof.packing):
        if (found := _mistakes(table, plane)) != proof.mistakes:
            raise RefusedError(f"the hyperplane makes {plural(found, 'mistake')}, not {proof.mistakes}")
        _check_packing(table, packing, origin)
        return f"the hyperplane makes {plural(found, 'mistake')}, and every other at least {packing.lower}"
    if witness:
        _check_sum(table, None, witness, origin, "witness")
        if witness.minimal:
            _check_minimal(table, witness, origin)
    if proof.kind == "separable" and plane and proof.margin2:
        _check_separable(table, plane, proof.margin2)
        return f"all {plural(table.n, 'row')} are strictly on their side"
    if proof.kind == "inseparable" and witness:
        return f"no hyperplane separates the {plural(len(witness.rows), 'row')} of the witness"
    if proof.kind == "quasi-separable" and plane and witness and witness.minimal:
        T = _boundary(table, plane)
        if balance is None:
            off = f"{plural(table.n - T.size, 'row')} of {table.n} strictly on their side, never all"
            return f"{off}; which of the other {T.size} could leave the hyperplane is not sorted out"
        _check_sum(table, T, balance, origin, "balance")
        return f"{plural(T.size, 'row')} of {table.n} cannot leave the hyperplane, the others are on their side"
    if proof.kind == "overlapping" and witness and witness.minimal and balance:
        _check_sum(table, np.arange(table.n), balance, origin, "balance")
        return f"whatever has none of the {plural(table.n, 'row')} on the wrong side has all of them on the hyperplane"
    raise RefusedError(f"{proof.kind}: a part is missing")


def _check_separable(
    table: LabelledRows, plane: ExactHyperplane, margin2: Fraction, rho2: Fraction | None = None
) -> None:
    """Every m > 0, and (min m)²/‖w‖² = margin2; with a ρ > 0, over ‖w‖² + b²/ρ²."""
    table.teller.begin("checking the side of every row")
    numbers = integers((*plane.values, plane.b))[1]
    low, high = enclosures(table, plane, numbers)
    closest, row = min(least(*some) for some in margins(table, plane, numbers, np.flatnonzero(low <= high.min())))
    if closest <= 0:
        raise RefusedError(f"row {row} is not strictly on its side")
    length2 = sum(weight**2 for weight in numbers[:-1]) + (numbers[-1] ** 2 / rho2 if rho2 else 0)
    if closest**2 != margin2 * length2:
        raise RefusedError(f"margin2 is wrong: row {row} is the closest")


def _check_hull(table: LabelledRows, hull: Hull) -> None:
    """‖Σ α·y·x‖² + ρ²·(Σ α·y)² ≤ upper2·(Σ α)²; with a free offset, Σ α·y = 0."""
    table.teller.begin("checking the hull")
    multipliers = integers(hull.multipliers)[1]
    rows = np.array(hull.rows, np.int64)
    point, e = sums(table, rows, multipliers)
    offset = sum(p * int(sign) for p, sign in zip(multipliers, table.signs[rows], strict=True))
    if hull.rho2 is None and offset:
        raise RefusedError("hull: the labels do not sum to 0, as a free offset demands")
    distance2 = sum(int(p) ** 2 for p in point) * Fraction(4) ** e + (hull.rho2 or 0) * offset**2
    if distance2 > hull.upper2 * sum(multipliers) ** 2:
        raise RefusedError("hull: the point is farther from 0 than upper2 says")


def _mistakes(table: LabelledRows, plane: ExactHyperplane) -> int:
    """How many rows have m ≤ 0."""
    table.teller.begin("counting the mistakes of the hyperplane")
    numbers = integers((*plane.values, plane.b))[1]
    low, high = enclosures(table, plane, numbers)
    found = int((high <= 0).sum())
    for _, (top, *rest), _ in margins(table, plane, numbers, np.flatnonzero((low <= 0) & (high > 0))):
        found += int(((top < 0) | ((top == 0) & ~np.any(rest, axis=0))).sum())
    return found


def _check_packing(table: LabelledRows, packing: Packing, through_origin: bool) -> None:
    """Each witness sums to 0, and those that a row is in weigh no more than 1 together."""
    load: dict[int, int] = {}
    weights, one = packing.whole
    for witness, weight in zip(packing.witnesses, weights, strict=True):
        _check_sum(table, None, witness, through_origin, f"witness of row {witness.rows[0]}")
        for row in witness.rows:
            load[row] = load.get(row, 0) + weight
    if heavy := [row for row, weight in load.items() if weight > one]:
        raise RefusedError(f"packing: the witnesses that row {heavy[0]} is in weigh more than 1 together")


def _root(square: Fraction) -> str:
    """About the square root, in words; of any size."""
    context = decimal.Context(prec=20, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
    value = context.divide(decimal.Decimal(square.numerator), decimal.Decimal(square.denominator))
    return f"{context.sqrt(value):.9g}"


def _boundary(table: LabelledRows, plane: ExactHyperplane) -> Ints:
    """T, the rows with m = 0. Refused if one has m < 0, or if they are none or all."""
    table.teller.begin("checking the side of every row")
    numbers = integers((*plane.values, plane.b))[1]
    low, high = enclosures(table, plane, numbers)
    wrong, stuck = [np.flatnonzero(high < 0)], [np.empty(0, np.int64)]
    for rows, (top, *rest), _ in margins(table, plane, numbers, np.flatnonzero((low <= 0) & (high >= 0))):
        wrong.append(rows[top < 0])
        stuck.append(rows[(top == 0) & ~np.any(rest, axis=0)])
    if any(rows.size for rows in wrong):
        raise RefusedError(f"row {np.concatenate(wrong).min()} is on the wrong side")
    T = np.concatenate(stuck)
    if not 0 < T.size < table.n:
        raise RefusedError(f"{'all' if T.size else 'none'} of the rows are on the hyperplane; expected some")
    return T


def _check_sum(table: LabelledRows, T: Ints | None, part: Combination, through_origin: bool, name: str) -> None:
    """Σ z_i over T (if given) + Σ multiplier·z_i over rows (of T) = 0, exactly."""
    table.teller.begin(f"checking the {name}")
    q, multipliers = integers(part.multipliers)
    rows = np.array(part.rows, np.int64)
    total = sums(table, rows, multipliers)
    offset = sum(p * int(sign) for p, sign in zip(multipliers, table.signs[rows], strict=True))
    if T is not None:
        within = np.zeros(table.n, bool)
        within[T] = True
        if (strays := rows[~within[rows]]).size:
            raise RefusedError(f"{name}: row {strays[0]} is not on the hyperplane")
        total = add(total, sums(table, T, None), q)
        offset += q * int(table.signs[T].sum(dtype=np.int64))
    if (wrong := np.flatnonzero(total[0])).size:
        raise RefusedError(f"{name}: column {wrong[0]} does not sum to 0")
    if offset and not through_origin:
        raise RefusedError(f"{name}: the labels do not sum to 0")


def _check_minimal(table: LabelledRows, witness: Witness, through_origin: bool) -> None:
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
