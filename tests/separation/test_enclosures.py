"""Bounds that are computed in floats, against fractions, on rows made to cancel: each must hold, and be needed.

A bound that adds what rounding may have done is only tested where rounding has done something: every test also shows
that the plain float would have been wrong somewhere.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from rosenblatt import Examples, max_margin
from rosenblatt.separation.clinic.cores import Cores
from rosenblatt.separation.margin.corral import MarginProblem, Proposal, propose
from rosenblatt.separation.margin.enclosure import enclose
from rosenblatt.separation.margin.hull import hull_point
from rosenblatt.separation.margin.nearest import _bounds
from rosenblatt.separation.margin.rational import optimum_on
from rosenblatt.separation.mistakes.packing import WitnessPool
from rosenblatt.separation.mistakes.witnesses import IntegerWitness
from rosenblatt.separation.signed_rows import SignedRows

F = Fraction
Floats = np.ndarray


def question(X: Floats, y: Floats, rho2: Fraction | None) -> MarginProblem:
    return MarginProblem(SignedRows(Examples.signed(X, y), rho2 == 0, math.inf, 1), rho2)


def cancelling(rng: np.random.Generator, n: int = 12, d: int = 9) -> tuple[Floats, Floats]:
    """Rows whose scores under all-one weights are tiny sums of large terms."""
    X = rng.standard_normal((n, d)) * 10.0 ** rng.integers(-3, 4, (n, d))
    X[:, -1] = -X[:, :-1].sum(axis=1) + rng.standard_normal(n) * 1e-9
    y = np.where(np.arange(n) % 2, 1, -1)
    return X, y


def exact_dot(x: Floats, w: Floats) -> Fraction:
    return sum((F(float(a)) * F(float(b)) for a, b in zip(x, w, strict=True)), F(0))


def test_margins_lie_within_their_slack() -> None:
    rng, off = np.random.default_rng(0), 0
    for _ in range(40):
        X, y = cancelling(rng)
        v = np.append(np.ones(9), rng.standard_normal())
        s = SignedRows(Examples.signed(X, y), False, math.inf, 1)
        m, slack = s.enclosed(v, np.arange(len(y)))
        spread = np.abs(rng.standard_normal(10)) * 1e-12
        moved = v + spread * rng.choice([-1, 1], 10)
        _, wide = s.enclosed(v, np.arange(len(y)), spread)
        for i in range(len(y)):
            true = int(y[i]) * (exact_dot(X[i], v[:-1]) + F(float(v[-1])))
            assert abs(true - F(float(m[i]))) <= F(float(slack[i]))
            off += true != F(float(m[i]))
            other = int(y[i]) * (exact_dot(X[i], moved[:-1]) + F(float(moved[-1])))
            assert abs(other - F(float(m[i]))) <= F(float(wide[i]))
    assert off > 300


@pytest.mark.parametrize("rho2", [None, F(0), F(1, 4)])
def test_a_point_of_the_hull_is_no_farther_than_said(rho2: Fraction | None) -> None:
    rng, nearer = np.random.default_rng(1), 0
    for _ in range(60):
        X, y = cancelling(rng)
        X = np.ascontiguousarray(np.vstack([X, X + rng.standard_normal(X.shape) * 1e-13]))
        y = np.append(y, -y)
        q = question(X, y, rho2)
        rows, alpha, upper2 = hull_point(q, np.arange(len(y)), np.tile(rng.random(len(y) // 2), 2))  # nearly 0
        signed = [int(a) * int(y[i]) for i, a in zip(rows, alpha, strict=True)]
        point = [sum((c * F(float(X[i, j])) for i, c in zip(rows, signed, strict=True)), F(0)) for j in range(9)]
        offset = sum(signed)
        assert rho2 is not None or offset == 0
        true2 = (sum((p * p for p in point), F(0)) + (rho2 or 0) * offset**2) / int(alpha.sum()) ** 2
        assert true2 <= upper2 <= true2 * 4 + F(1, 10**20)
        naive = np.linalg.norm(X[rows].T @ (alpha * y[rows]).astype(float)) / float(alpha.sum())
        nearer += rho2 != F(1, 4) and F(float(naive)) ** 2 < true2
    assert nearer > 5 or rho2 == F(1, 4)


def test_a_margin_is_at_least_what_is_said() -> None:
    rng, higher = np.random.default_rng(2), 0
    for _ in range(60):
        X, y = cancelling(rng)
        w, b = np.ones(9), 0.0
        keep = [i for i in range(len(y)) if int(y[i]) * exact_dot(X[i], w) > F(1, 10**12)]
        if len(set(y[keep])) < 2:
            continue
        q = question(X[keep], y[keep], None)
        found = _bounds(q, q, 0, Proposal(True, np.arange(len(keep)), np.ones(len(keep)), w, b))
        true2 = min(int(y[i]) * exact_dot(X[i], w) for i in keep) ** 2 / 9
        naive = F(float((y[keep] * (X[keep] @ w)).min())) / 3
        higher += naive**2 > true2
        if found is not None:
            assert F(found.lower) ** 2 <= found.margin2 == true2
    assert higher > 5


def test_the_enclosure_is_used_and_holds() -> None:
    rng, used, tight = np.random.default_rng(3), 0, 0
    for trial in range(60):
        n, d = int(rng.integers(6, 40)), int(rng.integers(1, 8))
        X = rng.standard_normal((n, d)) * 10.0 ** rng.integers(-2, 3, d)
        y = np.where(X @ rng.standard_normal(d) + rng.standard_normal() > 0, 1, -1)
        rho2 = [None, F(0), F(1)][trial % 3]
        if len(set(y.tolist())) < 2:
            continue
        q = question(X, y, rho2)
        proposal = propose(q, q.s.rows)
        if not proposal.separable or (found := enclose(q, proposal.rows)) is None:
            continue
        used += 1
        true = optimum_on(q, proposal.rows)
        total = sum(true.beta, F(0))
        assert F(found.total[0]) <= total <= F(found.total[1])
        assert min(true.beta) > 0
        b = F(0) if rho2 == 0 else true.v[-1]
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            assert label * (sum((F(p) * w for p, w in zip(x, true.v, strict=False)), F(0)) + b) >= 1
        tight += found.total[1] <= found.total[0] * (1 + 1e-9)
    assert used > 25
    assert tight > 10


def test_rows_that_are_not_the_right_ones_are_never_enclosed() -> None:
    rng, refused = np.random.default_rng(4), 0
    for _ in range(60):
        X = rng.standard_normal((30, 3))
        y = np.where(X @ rng.standard_normal(3) > 0, 1, -1)
        if len(set(y.tolist())) < 2:
            continue
        q = question(X, y, None)
        right = propose(q, q.s.rows).rows
        some = rng.choice(30, int(rng.integers(2, 5)), False)
        more = np.append(right, rng.choice(np.setdiff1d(np.arange(30), right)))  # one that does not belong there
        for rows in (some, more, right[1:], np.append(right, right[0])):
            if set(rows.tolist()) != set(right.tolist()) or rows.size != right.size:
                assert enclose(q, rows) is None
                refused += 1
    assert refused > 150


def test_a_gap_of_zero_means_margins_to_the_last_digits() -> None:
    """Rows that nearly lie on one line make the enclosure wide."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        X = rng.standard_normal((40, 1)) @ rng.standard_normal((1, 4)) + 1e-4 * rng.standard_normal((40, 4))
        w = rng.standard_normal(4)
        best = max_margin(X, np.where(X @ w > np.median(X @ w), 1, -1))
        assert best.gap == 0
        assert best.margin_upper <= best.margin * (1 + 1e-14)
        assert F(best.margin) ** 2 <= best.margin2 <= F(best.margin_upper) ** 2


def test_weights_are_rounded_to_what_fits() -> None:
    """Whatever floats say, the witnesses of a row never weigh more than 1 together; and kept rows are left alone."""
    pool = WitnessPool(9)
    for rows in [(0, 1), (1, 2), (2, 0), (3, 4, 0), (5, 6)]:
        pool.add(IntegerWitness(rows, (1,) * len(rows)))
    for z in ([0.5, 0.5, 0.5, 0.0, 1.0], [0.6, 0.6, 0.6, 0.6, 1.5], [1.0, 1.0, 1.0, 1.0, 1.0]):
        weights = pool._rounded_down(np.array(z))
        for row in range(9):
            assert sum((w for j, w in weights.items() if row in pool.witnesses[j].rows), F(0)) <= 1
    pool.keep([IntegerWitness((7, 8), (1, 1))])
    assert not pool.add(IntegerWitness((6, 7), (1, 1)))


def test_what_is_nearly_a_core_is_none() -> None:
    tiny = 2.0**-60
    for last, core in (([0.0, -1.0], True), ([0.0, 1.0], False), ([tiny, -1.0], True), ([-tiny, -tiny], True)):
        z = np.array([[1.0, 0.0], [-1.0, tiny], last])
        found = Cores(z, np.ones(3, dtype=np.int64), lambda: 10.0).is_core((0, 1, 2))
        # a·(1, 0) + b·(−1, tiny) + c·last = 0 with a, b, c > 0, and rank 2.
        c = -F(tiny) / F(last[1])
        a = 1 - c * F(last[0])
        assert found == core == (c > 0 and a > 0), last
    flat = np.array([[1.0, 0.0], [-1.0, 0.0], [2.0, 0.0]])
    assert not Cores(flat, np.ones(3, dtype=np.int64), lambda: 10.0).is_core((0, 1))
