"""The checker against proofs made by hand, by a slow exact prover of its own, and against thousands of false ones."""

import ast
import copy
import hashlib
import itertools
import json
import random
import struct
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import InputError
from rosenblatt.proof.fingerprint import fingerprint
from rosenblatt.proof.json import KINDS
from rosenblatt.proof.parts import Combination, ExactHyperplane, Hull, Packing, Witness
from rosenblatt.proof.proof import Proof
from rosenblatt.proof.verify import verify

module = sys.modules[verify.__module__]  # the package may have a function of this name

F = Fraction
Table = list[list[float]]
Vector = list[Fraction]

# --- What is true, by definition and in fractions. Nothing of the library is used here. ---


def signed_rows(X: Any, y: Any, origin: bool) -> list[Vector]:
    return [[int(s) * F(float(v)) for v in x] + ([] if origin else [F(int(s))]) for x, s in zip(X, y, strict=True)]


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), F(0))


def combination(rows: list[Vector], multipliers: list[Fraction]) -> Vector:
    return [dot(multipliers, list(column)) for column in zip(*rows, strict=True)]


def kernel(rows: list[Vector]) -> list[Vector]:
    """A basis of the α with Σ α_i z_i = 0, by elimination."""
    width = len(rows[0]) if rows else 0
    work = [row + [F(i == j) for j in range(len(rows))] for i, row in enumerate(rows)]
    done = 0
    for column in range(width):
        pivot = next((i for i in range(done, len(work)) if work[i][column]), None)
        if pivot is None:
            continue
        work[done], work[pivot] = work[pivot], work[done]
        for i in range(done + 1, len(work)):
            if work[i][column]:
                ratio = work[i][column] / work[done][column]
                work[i] = [a - ratio * b for a, b in zip(work[i], work[done], strict=True)]
        done += 1
    return [row[width:] for row in work[done:]]


def slow_fingerprint(X: Any, y: Any) -> str:
    n, d = len(X), len(X[0])
    whole = hashlib.sha256(b"rosenblatt rows 1\n" + struct.pack("<qq", n, d))
    for first in range(0, n, 4096):
        rows = [[float(v) for v in row] for row in X[first : first + 4096]]
        entries = [[(j, v) for j, v in enumerate(row) if v != 0] for row in rows]
        flat = [entry for row in entries for entry in row]
        if 2 * len(flat) >= len(rows) * d:
            text = b"dense" + b"".join(struct.pack("<d", v if v != 0 else 0.0) for row in rows for v in row)
        else:
            text = b"sparse" + b"".join(struct.pack("<q", len(row)) for row in entries)
            text += b"".join(struct.pack("<q", j) for j, _ in flat) + b"".join(struct.pack("<d", v) for _, v in flat)
        text += b"".join(struct.pack("<b", int(label)) for label in y[first : first + 4096])
        whole.update(hashlib.sha256(text).digest())
    return whole.hexdigest()


def is_true(proof: Proof, X: Table, y: list[int]) -> bool:
    """Whether everything that the proof claims is so."""
    if (proof.rows, proof.columns, proof.sha256) != (len(X), len(X[0]), slow_fingerprint(X, y)):
        return False
    z = signed_rows(X, y, proof.through_origin)
    margins = None
    if proof.hyperplane is not None:
        w = [F(0)] * len(X[0])
        for column, value in zip(proof.hyperplane.columns, proof.hyperplane.values, strict=True):
            w[column] = value
        margins = [dot(row, w + ([] if proof.through_origin else [proof.hyperplane.b])) for row in z]
        if not any(w):
            return False
    if proof.witness is not None:
        S = [z[i] for i in proof.witness.rows]
        if any(combination(S, list(proof.witness.multipliers))) or min(proof.witness.multipliers) <= 0:
            return False
        if proof.witness.minimal and len(kernel(S)) != 1:
            return False
    if proof.kind == "separable":
        assert margins is not None
        return min(margins) > 0 and min(margins) ** 2 / dot(w, w) == proof.margin2
    if proof.kind == "largest-margin":
        assert margins is not None
        hull = proof.hull
        assert hull is not None
        assert proof.hyperplane is not None
        length2 = dot(w, w) + (proof.hyperplane.b**2 / hull.rho2 if hull.rho2 else 0)
        if min(margins) <= 0 or min(margins) ** 2 / length2 != proof.margin2 or min(hull.multipliers) <= 0:
            return False
        signs = [F(y[i]) for i in hull.rows]
        point = combination(
            [[F(float(v)) for v in X[i]] for i in hull.rows],
            [a * s for a, s in zip(hull.multipliers, signs, strict=True)],
        )
        offset = dot(list(hull.multipliers), signs)
        if hull.rho2 is None and offset:
            return False
        return (dot(point, point) + (hull.rho2 or 0) * offset**2) / sum(hull.multipliers) ** 2 <= hull.upper2
    if proof.kind == "fewest-mistakes":
        assert margins is not None
        assert proof.packing is not None
        load = [F(0)] * len(X)
        for some, weight in zip(proof.packing.witnesses, proof.packing.weights, strict=True):
            if any(combination([z[i] for i in some.rows], list(some.multipliers))) or min(some.multipliers) <= 0:
                return False
            for i in some.rows:
                load[i] += weight
        return max(load) <= 1 and sum(m <= 0 for m in margins) == proof.mistakes
    if proof.kind == "inseparable":
        return proof.witness is not None
    assert proof.witness is not None
    T = list(range(len(X)))
    if proof.kind == "quasi-separable":
        assert margins is not None
        T = [i for i in T if margins[i] == 0]
        if min(margins) < 0 or not 0 < len(T) < len(X):
            return False
        if proof.balance is None:  # which rows of T could leave it is not claimed
            return proof.witness.minimal
    assert proof.balance is not None
    alpha = dict.fromkeys(T, F(1))
    for row, delta in zip(proof.balance.rows, proof.balance.multipliers, strict=True):
        if row not in alpha or delta <= 0:
            return False
        alpha[row] += delta
    return proof.witness.minimal and not any(combination([z[i] for i in T], [alpha[i] for i in T]))


# --- A prover for small data: every positive circuit, by brute force. ---


def circuits(z: list[Vector]) -> Iterator[tuple[tuple[int, ...], Vector]]:
    """Every minimal witness."""
    for size in range(1, len(z[0]) + 2):
        for S in itertools.combinations(range(len(z)), size):
            basis = kernel([z[i] for i in S])
            if len(basis) == 1:
                alpha = [value if basis[0][0] > 0 else -value for value in basis[0]]
                if min(alpha) > 0:
                    yield S, alpha


def plane_beyond(z: list[Vector], T: set[int]) -> Vector:
    """v with m = 0 on T and m ≥ 1 elsewhere: a vertex of these v, in the span of the rows less that of T."""
    basis: list[Vector] = []

    def without(v: Vector) -> Vector:
        for b in basis:
            ratio = dot(v, b) / dot(b, b)
            v = [p - ratio * q for p, q in zip(v, b, strict=True)]
        return v

    for i in T:
        if any(rest := without(z[i])):
            basis.append(rest)
    free = [without(z[i]) for i in range(len(z)) if i not in T]
    rank = len(free) - len(kernel(free))
    for B in itertools.combinations(free, rank):
        # v = Σ c_i z_i with m = 1 on B: a dependence of the rows of [Gram | −1], if there is but one.
        basis_of_c = kernel([[dot(p, q) for q in B] for p in B] + [[F(-1)] * rank])
        if len(basis_of_c) == 1 and basis_of_c[0][-1]:
            v = combination(list(B), [value / basis_of_c[0][-1] for value in basis_of_c[0][:-1]])
            if all(dot(v, row) >= 1 for row in free):
                return v
    raise AssertionError("not separable")


def prove_a_bound(kind: str, X: Table, y: list[int], origin: bool, rng: random.Random) -> Proof | None:
    """A margin no hyperplane exceeds, not always the least; or mistakes that every hyperplane makes. If it applies."""
    z = signed_rows(X, y, origin)
    found, sha = list(circuits(z)), slow_fingerprint(X, y)
    if kind == "largest-margin":
        if found or (not origin and len(set(y)) < 2):
            return None
        v = plane_beyond(z, set())
        w, b = (v, F(0)) if origin else (v[:-1], v[-1])
        if not any(w):
            return None
        rho2 = F(0) if origin else rng.choice([None, None, F(1), F(1, 9)])
        alpha = [F(rng.randint(1, 5), rng.randint(1, 3)) for _ in y]
        if rho2 is None:
            share = {s: sum(a for a, label in zip(alpha, y, strict=True) if label == s) for s in (-1, 1)}
            alpha = [a / share[label] for a, label in zip(alpha, y, strict=True)]
        point = combination([row if origin else row[:-1] for row in z], alpha)
        offset = dot(alpha, [F(label) for label in y])
        upper2 = (dot(point, point) + (rho2 or 0) * offset**2) / sum(alpha) ** 2
        if upper2 == 0:
            return None
        margin2 = min(dot(row, v) for row in z) ** 2 / (dot(w, w) + (b**2 / rho2 if rho2 else 0))
        hull = Hull.of(range(len(y)), alpha, upper2=upper2 * rng.choice([1, 1, F(10**30 + 1, 10**30)]), rho2=rho2)
        plane = ExactHyperplane.of(w, b)
        return Proof(kind, len(X), len(X[0]), sha, origin, hyperplane=plane, margin2=margin2, hull=hull)
    w = [F(rng.randint(-2, 2)) for _ in X[0]]
    w[0] = w[0] or F(1)
    b = F(0) if origin else F(rng.randint(-2, 2))
    mistakes = sum(dot(row, w + ([] if origin else [b])) <= 0 for row in z)
    share = F(1, max((sum(i in S for S, _ in found) for i in range(len(X))), default=1) or 1)
    packing = Packing(tuple(Combination.of(*some) for some in found), (share,) * len(found))
    plane = ExactHyperplane.of(w, b)
    return Proof(kind, len(X), len(X[0]), sha, origin, hyperplane=plane, mistakes=mistakes, packing=packing)


def prove(X: Table, y: list[int], origin: bool = False, weak: bool = False) -> Proof:
    z = signed_rows(X, y, origin)
    found = list(circuits(z))
    T = {i for S, _ in found for i in S}
    common: dict[str, Any] = {
        "rows": len(X),
        "columns": len(X[0]),
        "sha256": slow_fingerprint(X, y),
        "through_origin": origin,
    }
    if found and weak:
        return Proof("inseparable", witness=Witness.of(*found[-1]), **common)
    if found:
        alpha = dict.fromkeys(T, F(0))
        for S, multipliers in found:
            for i, value in zip(S, multipliers, strict=True):
                alpha[i] += value
        least = min(alpha.values())
        delta = {i: value / least - 1 for i, value in sorted(alpha.items()) if value > least}
        common["witness"] = Witness.of(*found[0])
        common["balance"] = Combination.of(delta.keys(), delta.values())
    if len(T) == len(X):
        return Proof("overlapping", **common)
    v = plane_beyond(z, T)
    w, b = (v, F(0)) if origin else (v[:-1], v[-1])
    common["hyperplane"] = ExactHyperplane.of(w, b)
    if found:
        return Proof("quasi-separable", **common)
    margin2 = min(dot(row, v) for row in z) ** 2 / dot(w, w)
    return Proof("separable", margin2=margin2, **common)


def small_data(rng: random.Random) -> tuple[Table, list[int], bool]:
    """Up to eight rows in one or two dimensions, of many scales, often with rows that lie on one line."""
    d, n, origin = rng.choice([1, 2, 2]), rng.randint(2, 7), rng.random() < 0.3
    unit = rng.choice([1.0, 1.0, 0.1, 2.0**-1074, 1e300, 3e-310])
    scale = [unit] + [unit * rng.choice([1.0, 1.0, 2.0**-60]) for _ in range(d - 1)]
    X = [[rng.randint(-2, 2) * s for s in scale] for _ in range(n)]
    y = [rng.choice([-1, 1]) for _ in range(n)]
    if rng.random() < 0.5:  # a side each, so that not all of them overlap
        y = [1 if x[0] > 0 or (x[0] == 0 and rng.random() < 0.5) else -1 for x in X]
    y[0], y[-1] = -1, 1
    return X, y, origin


# --- Proofs made by hand. ---


def proof_of(kind: str, X: Any, y: Any, origin: bool = False, **parts: Any) -> Proof:
    n, d = np.shape(X)
    return Proof(kind, n, d, fingerprint(X, y), through_origin=origin, **parts)


XOR = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
XOR_LABELS = [-1, 1, 1, -1]


def xor_proof(**changes: Any) -> Proof:
    parts = {"witness": Witness.of(range(4), [F(1, 4)] * 4), "balance": Combination((), ()), **changes}
    return proof_of("overlapping", XOR, XOR_LABELS, **parts)


def test_xor_overlaps() -> None:
    check = verify(xor_proof(), XOR, XOR_LABELS)
    assert check.holds
    assert check
    assert check.reason.startswith("overlapping: ")
    assert verify(xor_proof(balance=Combination.of(range(4), [F(1, 3)] * 4)), XOR, XOR_LABELS)
    wrong = verify(xor_proof(balance=Combination.of([0], [F(1, 3)])), XOR, XOR_LABELS)
    assert not wrong
    assert wrong.reason == "balance: the labels do not sum to 0"


def test_four_points_on_a_line_are_separable() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], [1, 1, -1, -1]
    plane = ExactHyperplane.of([-1], F(5, 2))
    assert verify(proof_of("separable", X, y, hyperplane=plane, margin2=F(1, 4)), X, y)
    scaled = ExactHyperplane.of([F(-7, 3)], F(35, 6))
    assert verify(proof_of("separable", X, y, hyperplane=scaled, margin2=F(1, 4)), X, y)
    wrong = verify(proof_of("separable", X, y, hyperplane=plane, margin2=F(1, 4) + F(1, 10**40)), X, y)
    assert (wrong.holds, wrong.reason) == (False, "margin2 is wrong: row 1 is the closest")
    touching = ExactHyperplane.of([-1], 2)
    wrong = verify(proof_of("separable", X, y, hyperplane=touching, margin2=F(1, 4)), X, y)
    assert (wrong.holds, wrong.reason) == (False, "row 1 is not strictly on its side")


def test_quasi_separable_points() -> None:
    X, y = [[-1.0], [0.0], [0.0], [1.0]], [-1, -1, 1, 1]
    plane, witness = ExactHyperplane.of([1], 0), Witness.of([1, 2], [1, 1])
    none = Combination((), ())
    proof = proof_of("quasi-separable", X, y, hyperplane=plane, witness=witness, balance=none)
    assert verify(proof, X, y)
    beside = proof_of("quasi-separable", X, y, hyperplane=plane, witness=witness, balance=Combination.of([0], [1]))
    assert verify(beside, X, y).reason == "balance: row 0 is not on the hyperplane"
    turned = ExactHyperplane.of([-1], 0)
    turned_proof = proof_of("quasi-separable", X, y, hyperplane=turned, witness=witness, balance=none)
    assert verify(turned_proof, X, y).reason == "row 0 is on the wrong side"
    assert not verify(proof_of("overlapping", X, y, witness=witness, balance=none), X, [-1, -1, 1, -1])
    # The sum over all rows is not 0, and no δ ≥ 0 can make it so: quasi-separable data do not overlap.
    assert verify(proof_of("overlapping", X, y, witness=witness, balance=none), X, y).reason.startswith("balance: ")


def test_quasi_separable_points_that_are_not_sorted_out() -> None:
    # Rows 1 and 2 are stuck on every hyperplane; row 4 could leave this one.
    X = [[-1.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
    y = [-1, -1, 1, 1, 1]
    plane, witness = ExactHyperplane.of([1, 0], 0), Witness.of([1, 2], [1, 1])

    def checked(**changes: Any) -> Any:
        return verify(proof_of("quasi-separable", X, y, **{"hyperplane": plane, "witness": witness, **changes}), X, y)

    assert checked().reason == (
        "quasi-separable: 2 rows of 5 strictly on their side, never all;"
        " which of the other 3 could leave the hyperplane is not sorted out"
    )
    # Row 4 could leave, so no balance holds; and one that is wrong is not passed over.
    for rows in ((), (1,), (4,), (1, 2, 4)):
        assert checked(balance=Combination.of(rows, [1] * len(rows))).reason == "balance: column 1 does not sum to 0"
    assert checked(balance=Combination.of([3], [1])).reason == "balance: row 3 is not on the hyperplane"
    beyond = ExactHyperplane.of([1, 1], 0)  # and so does this one prove it, with a balance
    assert checked(hyperplane=beyond, balance=Combination((), ())).reason.startswith("quasi-separable: 2 rows of 5")
    for wrong, reason in (
        (ExactHyperplane.of([-1, 0], 0), "row 0 is on the wrong side"),
        (ExactHyperplane.of([1, F(-1, 10**40)], 0), "row 4 is on the wrong side"),
        (ExactHyperplane.of([1, 0], F(1, 10**40)), "row 1 is on the wrong side"),
    ):
        assert checked(hyperplane=wrong).reason == reason
    for rows, multipliers, reason in (
        ([1, 2], [1, 2], "witness: the labels do not sum to 0"),
        ([1, 3], [1, 1], "witness: column 0 does not sum to 0"),
        ([0, 1, 2, 3], [1, 1, 1, 1], "witness: column 0 does not sum to 0"),
    ):
        assert checked(witness=Witness.of(rows, multipliers)).reason == reason
    with pytest.raises(InputError, match="must be minimal"):
        checked(witness=Witness.of([1, 2], [1, 1], minimal=False))


def test_unsorted_proofs_of_rows_all_on_the_hyperplane_or_none_or_with_a_witness_too_large() -> None:
    X, y = [[0.0, 1.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]], [-1, -1, 1, 1]
    plane, pair = ExactHyperplane.of([1, 0], 0), Witness.of([0, 2], [1, 1])
    flat = proof_of("quasi-separable", X, y, hyperplane=plane, witness=pair)
    assert verify(flat, X, y).reason == "all of the rows are on the hyperplane; expected some"
    X[3] = [1.0, 1.0]
    assert verify(proof_of("quasi-separable", X, y, hyperplane=plane, witness=pair), X, y)
    X, y = [[0.0], [0.0], [0.0], [0.0], [1.0]], [-1, -1, 1, 1, 1]
    plane, all_four = ExactHyperplane.of([1], 0), Witness.of(range(4), [1, 1, 1, 1])
    check = verify(proof_of("quasi-separable", X, y, hyperplane=plane, witness=all_four), X, y)
    assert check.reason.startswith("witness: not minimal")
    # With none on it the rows are separable, and no witness can be true.
    apart, labels = [[-1.0], [1.0]], [-1, 1]
    forged = proof_of("quasi-separable", apart, labels, hyperplane=plane, witness=Witness.of([0, 1], [1, 1]))
    assert verify(forged, apart, labels).reason == "witness: column 0 does not sum to 0"


def test_a_hyperplane_through_all_rows_proves_nothing() -> None:
    X, y = [[1.0, 0.0], [1.0, 0.0]], [-1, 1]
    witness, none = Witness.of([0, 1], [1, 1]), Combination((), ())
    flat = proof_of("quasi-separable", X, y, hyperplane=ExactHyperplane.of([0, 1], 0), witness=witness, balance=none)
    assert verify(flat, X, y).reason == "all of the rows are on the hyperplane; expected some"
    assert verify(proof_of("overlapping", X, y, witness=witness, balance=none), X, y)


def test_one_point_with_both_labels() -> None:
    X, y = [[0.1, -3.7], [0.1, -3.7]], [1, -1]
    assert verify(proof_of("inseparable", X, y, witness=Witness.of([0, 1], [3, 3])), X, y)
    assert not verify(proof_of("inseparable", X, y, witness=Witness.of([0, 1], [3, 2])), X, y)


def test_a_row_of_zeros_is_a_witness_through_the_origin() -> None:
    X, y = [[1.0], [0.0], [-1.0]], [1, 1, -1]
    assert verify(proof_of("inseparable", X, y, True, witness=Witness.of([1], [1])), X, y)
    assert not verify(proof_of("inseparable", X, y, False, witness=Witness.of([1], [1])), X, y)
    assert verify(proof_of("inseparable", sp.csr_array(X), y, True, witness=Witness.of([1], [1])), X, y)


def test_a_witness_with_a_row_too_many_is_not_minimal() -> None:
    X, y = [[0.0], [0.0], [0.0], [0.0]], [-1, -1, 1, 1]
    rows = Witness.of(range(4), [1, 1, 1, 1])
    assert verify(proof_of("inseparable", X, y, witness=rows), X, y).reason.startswith("witness: not minimal")
    assert verify(proof_of("inseparable", X, y, witness=Witness.of(range(4), [1, 1, 1, 1], minimal=False)), X, y)


def test_tenths_are_judged_as_stored() -> None:
    # As decimals the third row is the mean of the others; as doubles it is not.
    X, y = [[0.1, 1.0], [0.3, 3.0], [0.2, 2.0]], [1, 1, -1]
    decimal = Witness.of(range(3), [1, 1, 2])
    assert verify(proof_of("inseparable", X, y, witness=decimal), X, y).reason == "witness: column 0 does not sum to 0"
    proof = prove(X, y)
    assert proof.kind == "separable"
    assert verify(proof, X, y)
    assert not verify(prove(X, [1, -1, -1]), X, y)


def test_numbers_of_every_size() -> None:
    tiny = 2.0**-1074
    for X, y in [
        ([[1e300, 1e-300], [-1e300, 1e-300], [1e300, -1e-300], [-1e300, -1e-300]], [1, 1, -1, -1]),
        ([[1e300, tiny], [1e300, -tiny], [1.7e308, tiny]], [1, -1, 1]),
        ([[1.7976931348623157e308, 1.0], [1.7976931348623157e308, 1.0], [-1.7976931348623157e308, 2.0]], [1, -1, 1]),
        ([[tiny, 0.0], [0.0, tiny], [tiny, tiny], [0.0, 0.0]], [1, 1, -1, -1]),
        ([[5 * tiny, 1e-310], [3e-320, -1e-310], [1.0, 2.0], [1e200, 3.0]], [1, -1, 1, -1]),
    ]:
        for origin in (False, True):
            proof = prove(X, y, origin)
            assert is_true(proof, X, y)
            check = verify(proof, X, y)
            assert check, check.reason
            assert verify(proof, sp.csr_array(X), y)


def test_weights_too_small_for_float64() -> None:
    """A weight that underflows is rounded by a third of itself, and a huge number makes that matter."""
    X, y = [[-3.5 * 2.0**-75, 2.0**1000], [0.0, -1.0]], [1, -1]
    for last, true in ((3, False), (4, True)):
        v = [F(1), F(last, 2**1075)]
        least = min(dot(row, v) for row in signed_rows(X, y, True))
        assert (least > 0) == true
        plane, margin2 = ExactHyperplane.of(v, 0), least**2 / dot(v, v)
        check = verify(proof_of("separable", X, y, True, hyperplane=plane, margin2=margin2), X, y)
        assert check.reason == (
            "separable: all 2 rows are strictly on their side" if true else "row 0 is not strictly on its side"
        )


def test_a_proof_that_wastes_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rosenblatt.proof.sums._MOST_BITS", 100)
    check = verify(xor_proof(balance=Combination.of([0, 1], [F(1, 3**40), F(1, 5**40)])), XOR, XOR_LABELS)
    assert (check.holds, check.reason) == (False, "the common denominator has more than 100 bits")


def test_weights_that_waste_time_are_refused_at_once() -> None:
    rng = random.Random(0)
    witness = Combination.of([0, 1], [1, 1])
    weights = tuple(F(1, rng.getrandbits(2**14) | 1) for _ in range(80))
    with pytest.raises(InputError, match="common denominator"):
        Packing((witness,) * 80, weights)


def test_the_checker_imports_nothing_of_what_it_checks() -> None:
    files = sorted(Path(module.__file__).parent.glob("*.py"))
    own = {f".{path.stem}" for path in files}
    assert {".verify", ".sums", ".proof", ".parts", ".json", ".numerals", ".fingerprint"} <= own
    for path in files:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found = {"." * node.level + (node.module or "")}
            else:
                continue
            allowed = {"numpy", "numpy.typing", "..atomic", "..errors", *own}
            assert found <= allowed or {part.split(".")[0] for part in found} <= sys.stdlib_module_names, found


# --- The form of the data does not matter, and what is not data is refused. ---


def forms(X: np.ndarray) -> Iterator[Any]:
    yield X
    yield X.tolist()
    yield np.asfortranarray(X)
    yield X.astype(">f8")
    yield np.repeat(X, 2, axis=1)[:, ::2]
    yield np.where(X == 0, -0.0, X)
    yield from (form(X) for form in (sp.csr_array, sp.csr_matrix, sp.csc_array, sp.coo_array, sp.lil_array))
    with np.errstate(over="ignore"):
        single = X.astype(np.float32)
    if (single == X).all():
        yield single
        yield sp.csr_array(single)
    if (np.rint(X) == X).all() and np.abs(X).max() < 100:
        yield X.astype(np.int64)
        yield X.astype(np.int8)
    csr = sp.csr_array(X)
    backwards = [np.arange(a, b)[::-1] for a, b in itertools.pairwise(csr.indptr)]
    order = np.concatenate(backwards).astype(int)
    yield sp.csr_array((csr.data[order], csr.indices[order], csr.indptr), shape=X.shape)
    full = sp.csr_array(np.ones(X.shape))
    full.data = np.where(X == 0, -0.0, X).reshape(-1)
    yield full
    wide = sp.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    yield wide


@pytest.mark.parametrize("density", [0.0, 0.2, 0.49, 0.51, 1.0])
@pytest.mark.parametrize("n", [1, 30, 4096, 4097, 8192])
def test_every_form_of_the_data_has_one_fingerprint(n: int, density: float) -> None:
    rng = np.random.default_rng(n)
    X = rng.integers(1, 9, size=(n, 3)) * (rng.random((n, 3)) < density) / 2
    X[: n // 2] *= rng.random((n // 2, 1)) < 0.5  # so that chunks differ in density
    y = np.where(rng.random(n) < 0.5, 1, -1)
    known = slow_fingerprint(X.tolist(), y.tolist())
    assert [fingerprint(form, y) for form in forms(X)] == [known] * len(list(forms(X)))
    assert fingerprint(X, y.astype(float)) == fingerprint(X, y.astype(np.int8)) == known
    if 1 in y and -1 in y:
        assert fingerprint(X, np.where(y > 0, "yes", "no")) == fingerprint(X, y > 0) == fingerprint(X, y * 3) == known
    other = y.copy()
    other[-1] *= -1
    assert fingerprint(X, other) != known
    assert fingerprint(X + np.eye(n, 3) * 2.0**-30, y) != known


@pytest.mark.slow
def test_every_form_of_the_data_has_one_verdict() -> None:
    rng = random.Random(1)
    kinds = set()
    for _ in range(25):
        X, y, origin = small_data(rng)
        proof = prove(X, y, origin)
        kinds.add(proof.kind)
        for form in forms(np.array(X)):
            assert verify(proof, form, y)
        nudged = np.array(X)
        nudged[-1, 0] = np.nextafter(nudged[-1, 0], np.inf)
        for changed in forms(nudged):
            assert verify(proof, changed, y).reason == (
                "the proof is for other data: the fingerprint of numbers, order and labels differs"
            )
    assert kinds == {"separable", "quasi-separable", "overlapping"}


def test_other_shapes_are_other_data() -> None:
    check = verify(xor_proof(), XOR[:3], XOR_LABELS[:3])
    assert (check.holds, check.reason) == (False, "the proof is for 4 × 2 data, not 3 × 2")


def broken(**parts: Any) -> sp.csr_array:
    X = sp.csr_array(np.ones((4, 2)))
    for name, value in parts.items():
        setattr(X, name, np.array(value))
    return X


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([1.0, 2.0], "table"),
        ([], "table"),
        ([[], []], "table"),
        ([[1.0], [2.0, 3.0]], "table"),
        ("abc", "table"),
        (None, "table"),
        ([["a"]] * 4, "float64 holds"),
        (np.ones((4, 2), complex), "float64 holds"),
        (np.ones((4, 2), np.longdouble), "float64 holds"),
        (np.full((4, 2), 2**53 + 1), "beyond 2"),
        (np.ma.masked_equal(np.ones((4, 2)), 1.0), "masked"),
        ([[1.0, 2.0], [1.0, np.nan], [0.0, 0.0], [0.0, 0.0]], "row 1, column 1: not a finite"),
        (sp.csr_array([[0.0, 2.0], [0.0, 1.0], [0.0, 0.0], [0.0, np.inf]]), "row 3, column 1: not a finite"),
        (broken(indices=[0, 1, 0, 0, 0, 1, 0, 1]), "row 1, column 0: more than one value"),
        (broken(indices=[0, 1, 0, 2, 0, 1, 0, 1]), "column is not within 0 to 1"),
        (broken(indices=[0, 1, 0, -1, 0, 1, 0, 1]), "column is not within 0 to 1"),
        (broken(indptr=[0, 2, 4, 6]), "indptr"),
        (broken(indptr=[0, 2, 4, 3, 8]), "indptr"),
        (broken(indptr=[1, 2, 4, 6, 8]), "indptr"),
        (broken(indptr=[0, 2, 4, 6, 9]), "indptr"),
        (broken(indptr=[0.0, 2, 4, 6, 8]), "integers"),
        (broken(data=[[1.0] * 8]), "one-dimensional"),
        (broken(data=[1.0] * 7), "indptr"),
    ],
)
def test_what_is_no_table_of_numbers_is_refused_by_name(X: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        verify(xor_proof(), X, XOR_LABELS)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "y",
    [[1, -1, 1], [[1], [1], [-1], [-1]], [1, 2, 3, 1], [1, 1, np.nan, -1], ["a", 1, None, 2], 7, [0, 0, 0, 0]],
)
def test_what_are_no_labels_is_refused(y: Any) -> None:
    with pytest.raises(InputError) as caught:
        verify(xor_proof(), XOR, np.array(y, object) if "a" in np.ravel(np.array(y, object)) else y)
    assert "\n" not in str(caught.value)


def test_only_a_proof_is_a_proof() -> None:
    for thing in (None, xor_proof().dumps(), json.loads(xor_proof().dumps())):
        with pytest.raises(InputError, match="expected a Proof"):
            verify(thing, XOR, XOR_LABELS)  # type: ignore[arg-type]


def test_other_sparse_formats_are_looked_at_before_they_are_converted() -> None:
    X = sp.coo_array(np.array(XOR))
    X.coords = (X.coords[0] + 3, X.coords[1])
    with pytest.raises(InputError, match="not within"):
        verify(xor_proof(), X, XOR_LABELS)
    Y = sp.csc_array(np.array(XOR))
    Y.indices[0] = 99
    with pytest.raises(InputError, match="sparse matrix"):
        verify(xor_proof(), Y, XOR_LABELS)


# --- False proofs. ---


def numbers_of(known: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Where the exact numbers of a proof stand: (container, key). If there are none, a place outside."""
    places: list[tuple[Any, Any]] = []
    if "hyperplane" in known:
        places.append((known["hyperplane"], "b"))
        w = known["hyperplane"]["w"]
        values = w if isinstance(w, list) else w["values"]
        places += [(values, j) for j in range(len(values))]
    if known.get("margin2"):
        places.append((known, "margin2"))
    for part in parts_with_rows(known):
        places += [(part["multipliers"], j) for j in range(len(part["multipliers"]))]
    if known.get("hull"):
        places += [(known["hull"], key) for key in ("upper2", "rho2") if known["hull"][key] is not None]
    if known.get("packing"):
        places += [(known["packing"]["weights"], j) for j in range(len(known["packing"]["weights"]))]
    return places or [({"none": "1"}, "none")]


def change_a_digit(known: dict[str, Any], rng: random.Random) -> None:
    container, key = rng.choice(numbers_of(known))
    text = container[key]
    places = [i for i, c in enumerate(text) if c in "0123456789abcdef" and text[i : i + 2] != "0x"]
    i = rng.choice(places)
    digits = "0123456789" + "abcdef" * ("0x" in text)
    container[key] = text[:i] + rng.choice(digits.replace(text[i], "")) + text[i + 1 :]


def change_a_sign(known: dict[str, Any], rng: random.Random) -> None:
    container, key = rng.choice(numbers_of(known))
    container[key] = container[key][1:] if container[key].startswith("-") else "-" + container[key]


def parts_with_rows(known: dict[str, Any]) -> list[dict[str, Any]]:
    parts = [known[part] for part in ("witness", "balance", "hull") if known.get(part)]
    return [part for part in parts + known.get("packing", {"witnesses": []})["witnesses"] if part["rows"]]


def change_a_row(known: dict[str, Any], rng: random.Random) -> None:
    if parts := parts_with_rows(known):
        rows = rng.choice(parts)["rows"]
        rows[rng.randrange(len(rows))] = rng.randint(-1, known["data"]["rows"])
        if rng.random() < 0.7:
            rows.sort()


def drop_a_multiplier(known: dict[str, Any], rng: random.Random) -> None:
    if parts := parts_with_rows(known):
        part = rng.choice(parts)
        i = rng.randrange(len(part["rows"]))
        del part["rows"][i], part["multipliers"][i]


def drop_a_delta(known: dict[str, Any], rng: random.Random) -> None:
    if known.get("balance") and known["balance"]["rows"]:
        i = rng.randrange(len(known["balance"]["rows"]))
        del known["balance"]["rows"][i], known["balance"]["multipliers"][i]


def swap_multipliers(known: dict[str, Any], rng: random.Random) -> None:
    if parts := parts_with_rows(known):
        values = rng.choice(parts)["multipliers"]
        i, j = rng.randrange(len(values)), rng.randrange(len(values))
        values[i], values[j] = values[j], values[i]


def swap_the_kind(known: dict[str, Any], rng: random.Random) -> None:
    known["kind"] = rng.choice(list(KINDS))
    if rng.random() < 0.8:  # and make the parts fit it, so that the form is right
        w, last = ["1"] * known["data"]["columns"], known["data"]["rows"] - 1
        some: dict[str, Any] = {
            "hyperplane": {"w": w, "b": "0"},
            "margin2": "1",
            "witness": {"rows": [0, last], "multipliers": ["1", "1"], "minimal": True},
            "balance": {"rows": [], "multipliers": []},
            "hull": {"rows": [0, last], "multipliers": ["1", "1"], "upper2": "1", "rho2": None},
            "mistakes": rng.randint(0, last),
            "packing": {"witnesses": [{"rows": [0, last], "multipliers": ["1", "1"]}], "weights": ["1"]},
        }
        for part, value in some.items():
            if part in KINDS[known["kind"]]:
                known.setdefault(part, value)
            else:
                known.pop(part, None)


def change_margin2(known: dict[str, Any], rng: random.Random) -> None:
    known["margin2"] = rng.choice(["1", "1/4", "1/1000000007", "0x1.0000000000001p+0", None])


def change_a_count(known: dict[str, Any], rng: random.Random) -> None:
    if "mistakes" in known:
        known["mistakes"] += rng.choice([-1, 1])
    if known.get("hull") and rng.random() < 0.5:
        known["hull"]["rho2"] = rng.choice([None, "0", "1", "1/9"])


def change_a_flag(known: dict[str, Any], rng: random.Random) -> None:
    if known.get("witness") and rng.random() < 0.5:
        known["witness"]["minimal"] = not known["witness"]["minimal"]
    else:
        known["through_origin"] = not known["through_origin"]


def nudge_a_number(known: dict[str, Any], rng: random.Random) -> None:
    """By next to nothing: what a float would not see."""
    container, key = rng.choice(numbers_of(known))
    text = container[key]
    try:
        value = F(float.fromhex(text)) if "p" in text else F(text)
    except (ArithmeticError, ValueError):  # another mutation was here before
        return
    value += rng.choice([-1, 1]) * F(1, rng.choice([3**50, 2**80, 10**300]))
    container[key] = str(value)


def leave_the_balance_out(known: dict[str, Any], rng: random.Random) -> None:
    """Less is claimed then, and of quasi-separable rows alone; or some other version is."""
    if rng.random() < 0.7:
        known["balance"] = None
    else:
        known["version"] = 3 - known["version"]


Mutation = Callable[[dict[str, Any], random.Random], None]
MUTATIONS: list[Mutation] = [
    change_a_digit,
    change_a_digit,
    change_a_sign,
    change_a_row,
    drop_a_multiplier,
    drop_a_delta,
    swap_multipliers,
    swap_the_kind,
    change_margin2,
    change_a_count,
    change_a_flag,
    leave_the_balance_out,
    nudge_a_number,
    nudge_a_number,
]


def signed_text(known: dict[str, Any]) -> str:
    rest = {key: value for key, value in known.items() if key != "checksum"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return json.dumps({**rest, "checksum": hashlib.sha256(text.encode()).hexdigest()})


def outcome(text: str, X: Table, y: list[int]) -> tuple[bool, bool]:
    """Whether a text is accepted as a proof, and whether it is well formed but false."""
    try:
        proof = Proof.loads(text)
    except InputError:
        return False, False
    check = verify(proof, X, y)
    truth = is_true(proof, X, y)
    assert check.holds == truth, (check.reason, text)  # and so nothing true is refused, either
    return check.holds, not truth


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(7))
def test_no_false_proof_is_accepted(seed: int) -> None:
    rng = random.Random(seed)
    false, malformed, still_true = 0, 0, 0
    for kind in list(KINDS) * 4:
        proof = None
        while proof is None or proof.kind != kind:
            X, y, origin = small_data(rng)
            if kind in ("largest-margin", "fewest-mistakes"):
                proof = prove_a_bound(kind, X, y, origin, rng)
            else:
                proof = prove(X, y, origin, weak=kind == "inseparable")
        text = proof.dumps()
        known = json.loads(text)
        assert outcome(signed_text(known), X, y) == (True, False)
        for _ in range(50):
            wrong = json.loads(text)
            for _ in range(rng.choice([1, 1, 1, 2])):
                rng.choice(MUTATIONS)(wrong, rng)
            if wrong == known:
                continue
            with pytest.raises(InputError):  # the checksum does not fit
                Proof.loads(json.dumps(wrong))
            accepted, is_false = outcome(signed_text(wrong), X, y)
            still_true += accepted
            false += is_false
            malformed += not accepted and not is_false
        for _ in range(12):  # other data, to which the proof is bound anew: not only the fingerprint tells
            other, labels = copy.deepcopy(X), y.copy()
            i = rng.randrange(len(X))
            if rng.random() < 0.4:
                labels[i] = -labels[i]
            else:
                j = rng.randrange(len(X[0]))
                other[i][j] = rng.choice([-other[i][j], other[i][j] * (1 + 2.0**-52), other[i][j] + 1, 2.0**-1074, 0.0])
            if (other, labels) == (X, y):
                continue
            assert not verify(proof, other, labels) or slow_fingerprint(other, labels) == proof.sha256
            wrong = json.loads(text)
            wrong["data"]["sha256"] = slow_fingerprint(other, labels)
            accepted, is_false = outcome(signed_text(wrong), other, labels)
            still_true += accepted
            false += is_false
    # Eleven times this, and as many again without a checksum that fits.
    assert false + malformed > 800, (false, malformed, still_true)
    assert false > 500, (false, malformed, still_true)


# --- Many rows. ---


def test_margins_that_floats_cannot_see() -> None:
    """Rows as close to the hyperplane as float64 lets them be: exact arithmetic tells the sides apart."""
    rng = np.random.default_rng(0)
    n, d = 4000, 5
    w = rng.standard_normal(d)
    X = rng.standard_normal((n, d)) * 2.0 ** rng.integers(-20, 20, size=(n, d))
    X[:, -1] = -(X[:, :-1] @ w[:-1] + 0.3) / w[-1]
    v = [F(value) for value in [*w, 0.3]]
    scores = [dot([*map(F, row), F(1)], v) for row in X.tolist()]
    assert all(scores)
    assert sum(np.sign(X @ w + 0.3) != [1 if score > 0 else -1 for score in scores]) > 100  # floats do not see it
    y = np.array([1 if score > 0 else -1 for score in scores])
    plane, margin2 = ExactHyperplane.of(w, 0.3), min(map(abs, scores)) ** 2 / dot(v[:-1], v[:-1])
    for form in (X, sp.csr_array(X)):
        assert verify(proof_of("separable", form, y, hyperplane=plane, margin2=margin2), form, y)
        for i in (int(np.argmin([abs(score) for score in scores])), 7):
            other = y.copy()
            other[i] *= -1
            wrong = verify(proof_of("separable", form, other, hyperplane=plane, margin2=margin2), form, other)
            assert wrong.reason == f"row {i} is not strictly on its side"


@pytest.mark.parametrize("factor", [1, 3**40, F(1, 7**300)])
def test_many_rows_on_the_hyperplane(factor: Any) -> None:
    """Whole numbers, half of the rows exactly on a hyperplane: in pairs with both labels, but for one row."""
    rng = np.random.default_rng(1)
    n, d = 30_000, 8
    half = rng.integers(-50, 51, size=(n // 2, d))
    w, b = np.array([3, -2, 0, 7, 1, 0, -5, 1]), 4
    half[:, -1] = -(half[:, :-1] @ w[:-1] + b)
    off = rng.integers(-50, 51, size=(n, d))
    off = off[off @ w + b != 0]
    X = np.concatenate([half, half[1:], off]).astype(float)
    y = np.concatenate([np.ones(len(half)), -np.ones(len(half) - 1), np.sign(off @ w + b)]).astype(int)
    order = rng.permutation(len(X))
    X, y = X[order], y[order]
    alone, same, twin = (int(np.flatnonzero(order == i)[0]) for i in (0, 1, len(half)))
    X[alone] = X[same]  # now its opposite is there too: z of the twin, once more
    parts = {
        "hyperplane": ExactHyperplane.of([int(value) * F(factor) for value in w], b * F(factor)),
        "witness": Witness.of(sorted([same, twin]), [5, 5]),
        "balance": Combination.of([twin], [1]),
    }
    for form in (X, sp.csr_array(X), X.astype(np.float32)):
        check = verify(proof_of("quasi-separable", form, y, **parts), form, y)
        assert check, check.reason
        assert f"{2 * len(half) - 1} rows of {len(X)}" in check.reason
    for change in ({"balance": Combination((), ())}, {"balance": Combination.of([twin], [1 + F(1, 10**30)])}):
        assert not verify(proof_of("quasi-separable", X, y, **{**parts, **change}), X, y)
    X[twin, 3] += 2.0**-40
    assert verify(proof_of("quasi-separable", X, y, **parts), X, y).holds is False


def exact_sums(X: np.ndarray, y: np.ndarray) -> Vector:
    total = [F(0)] * (X.shape[1] + 1)
    for j in range(X.shape[1]):
        pairs = [(value * label).as_integer_ratio() for value, label in zip(X[:, j].tolist(), y.tolist(), strict=True)]
        unit = max(q for _, q in pairs)
        total[j] = F(sum(p * (unit // q) for p, q in pairs), unit)
    total[-1] = F(int(y.sum()))
    return total


@pytest.mark.parametrize("spread", [0, 200])
def test_sums_over_many_rows(spread: int) -> None:
    """Real numbers; the rows ±e_j with both labels span everything, so the balance can be written down."""
    rng = np.random.default_rng(2)
    n, d = 20_000, 4
    X = rng.standard_normal((n, d)) * 2.0 ** rng.integers(-spread, spread + 1, size=(n, d))
    X[rng.random((n, d)) < 0.3] = 0
    X = np.concatenate([X, np.eye(d), np.eye(d), -np.eye(d), -np.eye(d)])
    y = np.concatenate([np.where(rng.random(n) < 0.5, 1, -1), *([1] * d, [-1] * d) * 2])
    need = [-value for value in exact_sums(X, y)]
    delta = dict.fromkeys(range(n, n + 4 * d), F(0))
    for j in range(d):  # z of these rows: (e, 1), (−e, −1), (−e, 1), (e, −1)
        for k in (0, 3) if need[j] > 0 else (1, 2):
            delta[n + k * d + j] += abs(need[j]) / 2
    for k in (0, 2) if need[-1] > 0 else (1, 3):
        delta[n + k * d] += abs(need[-1]) / 2
    used = {row: value for row, value in delta.items() if value}
    balance = Combination.of(used.keys(), used.values())
    witness = Witness.of([n, n + d], [1, 1])
    for form in (X, sp.csr_array(X)):
        check = verify(proof_of("overlapping", form, y, witness=witness, balance=balance), form, y)
        assert check, check.reason
    for row in used:
        off = Combination.of(used.keys(), {**used, row: used[row] * (1 + F(1, 2**200))}.values())
        assert not verify(proof_of("overlapping", X, y, witness=witness, balance=off), X, y)
    i = int(np.flatnonzero(X[:, 0])[5])
    X[i, 0] = np.nextafter(X[i, 0], np.inf)
    wrong = verify(proof_of("overlapping", X, y, witness=witness, balance=balance), X, y)
    assert wrong.reason == "balance: column 0 does not sum to 0"


def test_a_hundred_thousand_rows_with_equal_least_margins() -> None:
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, size=(100_000, 20)).astype(float)
    w, b = np.array([1, -1] * 10), F(1, 2)
    scores = X @ w + 0.5
    y = np.where(scores > 0, 1, -1)
    plane = ExactHyperplane.of(w, b)
    assert verify(proof_of("separable", X, y, hyperplane=plane, margin2=F(1, 80)), X, y)
    assert not verify(proof_of("separable", X, y, hyperplane=plane, margin2=F(1, 81)), X, y)


@pytest.mark.slow
def test_wide_sparse_rows() -> None:
    rng = np.random.default_rng(4)
    n, d = 1000, 50_000
    X = sp.random_array((n, d), density=4e-4, rng=rng, format="csr")
    w = rng.integers(-5, 6, size=d)
    scores = np.array(
        [sum(F(float(X.data[k])) * int(w[X.indices[k]]) for k in range(a, b)) for a, b in itertools.pairwise(X.indptr)]
    )
    keep = np.flatnonzero(scores != 0)
    X, scores = X[keep], scores[keep]
    y = np.where(scores > 0, 1, -1)
    margin2 = min(abs(scores)) ** 2 / int(w @ w)
    proof = proof_of("separable", X, y, True, hyperplane=ExactHyperplane.of(w, 0), margin2=margin2)
    assert verify(proof, X, y)
    again = sp.vstack([X, X, X[:1]]).tocsr()
    labels = np.concatenate([y, -y, y[:1]])
    witness, balance = Witness.of([1, keep.size + 1], [1, 1]), Combination.of([keep.size], [1])
    assert verify(proof_of("overlapping", again, labels, witness=witness, balance=balance), again, labels)
    wrong = proof_of("overlapping", again, labels, witness=witness, balance=Combination.of([keep.size + 1], [1]))
    assert not verify(wrong, again, labels)


def test_a_long_witness_and_long_multipliers() -> None:
    """A witness of d + 2 random rows: its only dependence, exactly, and nothing near it."""
    rng = np.random.default_rng(5)
    d = 24
    X = rng.standard_normal((d + 2, d))
    z = signed_rows(X, np.ones(d + 2), False)
    (alpha,) = kernel(z)
    y = np.array([1 if value > 0 else -1 for value in alpha])
    multipliers = [abs(value) / max(map(abs, alpha)) for value in alpha]
    assert max(value.denominator for value in multipliers).bit_length() > 1000
    assert verify(proof_of("inseparable", X, y, witness=Witness.of(range(d + 2), multipliers)), X, y)
    for i in (0, d // 2):
        off = [*multipliers[:i], multipliers[i] * (1 + F(1, 2**3000)), *multipliers[i + 1 :]]
        assert not verify(proof_of("inseparable", X, y, witness=Witness.of(range(d + 2), off)), X, y)
    both, labels = np.concatenate([X, X[:2]]), np.concatenate([y, -y[:2]])
    more = Witness.of(range(d + 4), [*(value + (i < 2) for i, value in enumerate(multipliers)), 1, 1])
    check = verify(proof_of("inseparable", both, labels, witness=more), both, labels)
    assert check.reason.startswith("witness: not minimal")
