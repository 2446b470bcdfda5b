"""Exact systems by lifting, against plain fractions: random, singular, with any exponent; and they end in time."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpz

from rosenblatt.separation.combinations import combination, independent_rows, null_vector
from rosenblatt.separation.exact import multipliers
from rosenblatt.separation.lifting import PRIME, bits_of, rational, solve, words_of
from rosenblatt.separation.watch import OutOfTimeError, Watch
from rosenblatt.separation.whole_table import WholeTable, never

Table = list[list[Fraction]]


def echelon(rows: Table) -> tuple[Table, list[int]]:
    """Gauss and Jordan in fractions: the reduced form, and where its rows begin."""
    table, pivots = [list(row) for row in rows], []
    for j in range(len(table[0]) if table else 0):
        at = len(pivots)
        chosen = next((i for i in range(at, len(table)) if table[i][j]), None)
        if chosen is None:
            continue
        table[at], table[chosen] = table[chosen], table[at]
        table[at] = [x / table[at][j] for x in table[at]]
        for i in range(len(table)):
            if i != at and table[i][j]:
                table[i] = [a - table[i][j] * b for a, b in zip(table[i], table[at], strict=True)]
        pivots.append(j)
    return table, pivots


def fractions(rows: np.ndarray) -> Table:
    return [[Fraction(x) for x in row] for row in rows.tolist()]


def numbers(rng: np.random.Generator, shape: tuple[int, int], kind: int) -> np.ndarray:
    """Small whole numbers, doubles of one size, and of every exponent there is."""
    if kind == 0:
        return rng.integers(-3, 4, shape).astype(float)
    if kind == 1:
        return rng.standard_normal(shape)
    found = np.ldexp(rng.uniform(-1, 1, shape), rng.integers(-1073, 1024, shape))
    return np.where(rng.random(shape) < 0.2, 0.0, found)


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_square_systems(kind: int) -> None:
    rng = np.random.default_rng(kind)
    singular = 0
    for _ in range(150):
        k = int(rng.integers(1, 7))
        table = WholeTable(numbers(rng, (k, k), kind))
        A = [[Fraction(a) for a in table.numbers(i, np.arange(k))] for i in range(k)]
        sides = [
            [int(b) << int(shift) for b, shift in zip(*pair, strict=True)] for pair in rng.integers(0, 90, (2, 2, k))
        ]
        found = solve(table.odd, table.shifts, sides, never)
        if len(echelon(A)[1]) < k:
            singular += 1
            assert found is None
            continue
        assert found is not None
        for side, (numerators, denominator) in zip(sides, found, strict=True):
            solved, _ = echelon([[*row, Fraction(b)] for row, b in zip(A, side, strict=True)])
            assert denominator > 0
            assert [Fraction(n, denominator) for n in numerators] == [row[-1] for row in solved]
    assert kind != 0 or singular > 5


def test_words_hold_any_whole_number() -> None:
    rng = np.random.default_rng(0)
    odd = rng.integers(-(2**53), 2**53, (40, 5)) | 1
    odd[0] = 0
    shifts = rng.integers(0, 300, (40, 5))
    words = words_of(odd, shifts, bits_of(odd, shifts) // 64 + 1)
    for i in range(40):
        for j in range(5):
            assert int.from_bytes(words[i, j].tobytes(), "little", signed=True) == int(odd[i, j]) << int(shifts[i, j])


def test_fractions_come_back_from_their_residues() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        digits = int(rng.integers(2, 40))
        size = int(rng.integers(1, digits * 59 // 2 - 20))
        n, q = (int.from_bytes(rng.bytes(size // 8 + 1), "little") >> (8 - size % 8) for _ in range(2))
        n, q = n * int(rng.choice([-1, 1])), q + 1
        modulus = PRIME**digits
        fraction = Fraction(n, q)
        assert rational(fmpz(n * pow(q, -1, modulus) % modulus), fmpz(modulus)) == (
            fraction.numerator,
            fraction.denominator,
        )
        at_random = int.from_bytes(rng.bytes(8 * digits), "little") % modulus
        assert rational(fmpz(at_random), fmpz(modulus)) is None


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_combinations_of_rows(kind: int) -> None:
    """Of independent rows, if there is one; of dependent rows, none is asked for."""
    rng = np.random.default_rng(10 + kind)
    answers = {True: 0, False: 0}
    for case in range(120):
        d = int(rng.integers(1, 7))
        rows = numbers(rng, (int(rng.integers(1, d + 1)), d), kind)
        exact = fractions(rows)
        if case % 2:
            target = [Fraction(x) for x in rng.integers(-3, 4, d).tolist()]
        else:
            weights = [Fraction(int(a), int(b)) for a, b in rng.integers(1, 9, (len(rows), 2))]
            target = [sum((w * row[j] for w, row in zip(weights, exact, strict=True)), Fraction(0)) for j in range(d)]
        rank = len(echelon(exact)[1])
        x = combination(rows, target)
        if any(target) and (rank < len(rows) or len(echelon([*exact, target])[1]) > rank):
            assert x is None
        else:
            assert x is not None
            sums = [sum((a * row[j] for a, row in zip(x, exact, strict=True)), Fraction(0)) for j in range(d)]
            assert sums == target
        answers[x is None] += 1
    assert min(answers.values()) > 5


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_vectors_orthogonal_to_rows(kind: int) -> None:
    rng = np.random.default_rng(20 + kind)
    for _ in range(80):
        d = int(rng.integers(1, 7))
        rows = numbers(rng, (int(rng.integers(0, d + 2)), d), kind)
        exact = fractions(rows)
        assert len(independent_rows(rows)) == len(echelon(exact)[1])
        v = null_vector(rows, rng.uniform(1, 2, d), 20)
        assert any(v) == (len(echelon(exact)[1]) < d)
        assert all(sum(a * b for a, b in zip(row, v, strict=True)) == 0 for row in exact)


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_the_multipliers_of_a_witness(kind: int) -> None:
    """Rows whose last cancels the others, in more columns than are needed; and not when one of them is moved."""
    rng = np.random.default_rng(30 + kind)
    found = 0
    for _ in range(100):
        k = int(rng.integers(2, 7))
        rows = numbers(rng, (k, k + 2), 0 if kind == 2 else kind)
        if kind == 2:
            rows = np.ldexp(rows, rng.integers(-500, 500, rows.shape[1]))
        weights = rng.integers(1, 5, k - 1)
        rows[-1] = 0
        rows = np.ldexp(np.rint(np.ldexp(rows, 20)), -20) if kind == 1 else rows  # so that the sums are exact
        rows[-1] = -(weights[:, None] * rows[:-1]).sum(axis=0)
        exact = fractions(rows)
        alpha = multipliers(rows)
        if len(echelon(exact)[1]) == k - 1:
            assert alpha == (*weights.tolist(), 1)
            found += 1
            rows[-1, -1] = np.nextafter(rows[-1, -1], np.inf)
            if len(echelon(fractions(rows))[1]) == k:
                assert multipliers(rows) is None
        else:
            assert alpha is None
    assert found > 30


def test_a_long_system_ends_in_time() -> None:
    rng = np.random.default_rng(3)
    odd = rng.integers(-(2**52), 2**52, (120, 120))
    watch = Watch(0.0)
    with pytest.raises(OutOfTimeError):
        solve(odd, np.zeros_like(odd), [[1] * 120], watch.seconds_left)
