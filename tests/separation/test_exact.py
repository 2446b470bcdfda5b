"""The exact parts of the search: sums and signs without rounding, and linear algebra in rationals."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import _core
from rosenblatt.data.rows import rows_of
from rosenblatt.separation.exact import Cone, dependency, independent, integers, null_vector, rounded

LARGEST = 1.7976931348623157e308
EDGES = [
    0.0,
    -0.0,
    5e-324,
    -5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    1.0,
    1 / 3,
]


def numbers(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Every exponent there is, and the edges."""
    found = np.ldexp(rng.choice([-1.0, 1.0], shape) * rng.uniform(0.5, 1, shape), rng.integers(-1070, 1020, shape))
    edge = rng.random(shape) < 0.3
    found[edge] = rng.choice(EDGES, int(edge.sum()))
    return found


def total(cells: np.ndarray, exponent: int) -> list[Fraction]:
    return [sum(int(c) << (32 * k) for k, c in enumerate(row)) * Fraction(2) ** exponent for row in cells]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_sums_of_columns_are_exact(form: Any, threads: int) -> None:
    rng = np.random.default_rng(0)
    for n in (1, 50, 9_000):
        X = numbers(rng, (n, 3))
        if n == 9_000:
            X[:, 1] = LARGEST  # all carries in one direction
            X[:, 2] = np.where(np.arange(n) % 2, 1e300, -1e300) + 1.0
        signs = rng.choice([-1, 0, 1], n).astype(np.int8)
        found = total(*_core.exact_sums(rows_of(form(X)), signs, threads))
        expected = [
            sum((int(s) * Fraction(v) for s, v in zip(signs, X[:, j].tolist(), strict=True)), Fraction(0))
            for j in range(3)
        ]
        assert found == expected


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_signs_of_scores_are_exact(form: Any) -> None:
    rng = np.random.default_rng(1)
    X = numbers(rng, (400, 4))
    X[0], X[1] = 0.0, [1e300, -1e300, 0, 0]
    w, b = numbers(rng, (2, 4)), np.array([5e-324, 0.0])
    w[:, :2] = 1.0
    found = _core.exact_signs(rows_of(form(X)), np.arange(400), w, b, 2)
    for i, sign in enumerate(found):
        score = sum(
            (Fraction(x) * sum(map(Fraction, v)) for x, v in zip(X[i].tolist(), w.T.tolist(), strict=True)),
            Fraction(5e-324),
        )
        assert sign == (score > 0) - (score < 0)


def test_rows_as_integers_and_back() -> None:
    X = numbers(np.random.default_rng(2), (50, 4))
    table, shifts = integers(X)
    for row, shift, x in zip(table, shifts, X.tolist(), strict=True):
        assert [v * Fraction(2) ** shift for v in row] == [Fraction(v) for v in x]


def test_a_cone_holds_the_target_or_a_vector_says_why_not() -> None:
    """Farkas, on random small cones, with hints good, bad and none."""
    rng = np.random.default_rng(3)
    answers = [0, 0]
    for _ in range(400):
        d, k = int(rng.integers(1, 5)), int(rng.integers(1, 8))
        columns = rng.integers(-2, 3, size=(k, d)).tolist()
        b = rng.integers(-3, 4, size=d).tolist()
        hint = rng.permutation(k)[: rng.integers(0, k + 1)].tolist()
        cone = Cone(columns, b, hint, lambda: None)
        if cone.normal is None:
            assert all(x > 0 for x in cone.multipliers.values())
            assert [sum(x * columns[j][i] for j, x in cone.multipliers.items()) for i in range(d)] == b
            # A basic solution: its columns are independent.
            assert len(independent([columns[j] for j in cone.multipliers])) == len(cone.multipliers)
        else:
            assert all(sum(v * c for v, c in zip(cone.normal, column, strict=True)) >= 0 for column in columns)
            assert sum(v * c for v, c in zip(cone.normal, b, strict=True)) < 0
        answers[cone.normal is None] += 1
    assert min(answers) > 50


def test_the_one_dependency_of_some_rows() -> None:
    assert dependency(np.array([[1.0, 1], [-1, -1]])) == [1, 1]
    assert dependency(np.array([[1.0, 0], [0, 1], [-2, -3]])) == [2, 3, 1]
    assert dependency(np.array([[0.0, 0]])) == [1]
    for none in ([[1.0, 0], [0, 1]], [[1.0, 0], [1, 0]], [[1.0, 0], [-1, 0], [0, 0]], [[1.0]]):
        assert dependency(np.array(none)) is None


def test_a_vector_orthogonal_to_rows() -> None:
    rows = np.array([[1.0, 2, 3], [4, 5, 6]])
    v = null_vector(rows, np.array([1.0, -2.1, 1.1]), 20)
    assert any(v)
    assert all(sum(Fraction(a) * x for a, x in zip(row, v, strict=True)) == 0 for row in rows.tolist())
    assert null_vector(np.empty((0, 2)), np.array([0.5, 0.25]), 10) == [Fraction(1, 2), Fraction(1, 4)]


def test_a_vector_of_any_size_is_rounded() -> None:
    huge = [Fraction(10) ** 4000, -(Fraction(10) ** 3999), Fraction(0), Fraction(1)]
    near = rounded(huge)
    assert np.isfinite(near).all()
    assert near[1] / near[0] == pytest.approx(-0.1)
    assert rounded([Fraction(0)]).tolist() == [0]
