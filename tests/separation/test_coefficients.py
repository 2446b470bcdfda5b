"""What is said of coefficients is true whenever time runs out, and of very many columns: against brute force."""

import time
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import separated
from separated import rows_z

from rosenblatt import Examples, InputError, logistic_clinic, separability
from rosenblatt.separation.coefficients import coefficients
from rosenblatt.separation.dependent import dependences
from rosenblatt.separation.partition import SearchResult
from rosenblatt.separation.relations import rationals
from rosenblatt.separation.signed_rows import SignedRows
from rosenblatt.separation.watch import OutOfTimeError, Watch


class Impatient(Watch):
    """A watch that runs out at the k-th look."""

    def __init__(self, looks: int) -> None:
        super().__init__(60.0)
        self.looks = looks

    def seconds_left(self) -> float:
        self.looks -= 1
        if self.looks < 0:
            raise OutOfTimeError
        return super().seconds_left()


def expected_words(X: Any, y: Any, origin: bool, aliased: list[int]) -> dict[int, str]:
    """By membership in the cone of the rows: v_j ≥ 0 on C iff e_j is in that of the z."""
    z = rows_z(X, y, origin)
    kept = [j for j in range(len(z[0])) if j not in aliased]
    rows, words = [[row[j] for j in kept] for row in z], {}
    for at, j in enumerate(kept):
        unit = [Fraction(int(i == at)) for i in range(len(kept))]
        up, down = separated.in_cone(unit, rows), separated.in_cone([-u for u in unit], rows)
        words[j] = {(True, True): "finite", (True, False): "+inf", (False, True): "-inf"}.get(
            (up, down), "indeterminate"
        )
    return words


def check_words(words: list[str], expected: dict[int, str], all_dropped_known: bool) -> Counter[str]:
    for j, word in enumerate(words):
        if word == "infinite":
            assert (j in expected and expected[j] != "finite") or (j not in expected and not all_dropped_known)
        elif word == "dropped":
            assert j not in expected
        elif word != "unknown":
            assert expected[j] == word
    return Counter(words)


def instances(seed: int, count: int) -> Any:
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n, d, origin = int(rng.integers(2, 8)), int(rng.integers(1, 5)), bool(rng.integers(2))
        X = rng.integers(-1, 3, size=(n, d)).astype(float) * (rng.random((n, d)) < 0.6)
        if d > 1 and rng.random() < 0.3:
            X[:, -1] = X[:, 0] * rng.integers(1, 3)
        y = np.where(X @ rng.integers(-2, 3, d) + rng.integers(-1, 2) > 0, 1, -1)
        flipped = rng.random(n) < 0.1
        yield X, np.where(flipped, -y, y), origin


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_what_is_said_when_time_runs_out_is_true(form: Any) -> None:
    seen: Counter[str] = Counter()
    for X, y, origin in instances(1, 24):
        verdict = separability(form(X), y, through_origin=origin)
        if verdict.kind == "overlapping":
            continue
        columns = dependences(SignedRows(verdict.examples, origin, 60.0, 1))
        expected = expected_words(X, y, origin, list(columns.sums))
        found, without = verdict.found, SearchResult(v=verdict.found.v, witness=verdict.found.witness)
        for looks in (0, 1, 3, 8, 20, 1000):
            s = SignedRows(verdict.examples, origin, Impatient(looks), 1)
            words = coefficients(s, found, columns)
            seen += check_words(words, expected, True)
            # Which columns are dropped is not known; or not which rows lie on the boundary.
            early = dependences(SignedRows(verdict.examples, origin, Impatient(looks), 1))
            assert early.least <= len(columns.sums)
            assert set(early.sums) <= set(columns.sums)
            s = SignedRows(verdict.examples, origin, Impatient(1000), 1)
            seen += check_words(coefficients(s, found, early), expected, early.settled)
            s = SignedRows(verdict.examples, origin, Impatient(looks), 1)
            seen += check_words(coefficients(s, without, columns), expected, True)
        assert not {"infinite", "unknown"} & set(words)  # the last had all the time it wanted
    assert len(seen) == 7
    assert min(seen.values()) > 10


def made(form: Any) -> tuple[Any, Any, list[str]]:
    """Three columns in which the classes overlap, words of one class alone, copies of columns, and nothing at all."""
    rng = np.random.default_rng(2)
    n, d = 200, 2500
    y = np.where(np.arange(n) % 2, 1, -1)
    X = np.zeros((n, d))
    X[:, :3] = rng.integers(-2, 3, (n, 3))
    rare = 20 + np.arange(60)  # the rows of the words, each in one of them and some in two; the others overlap
    words = ["finite"] * 3 + ["dropped"] * (d - 3)
    for k, row in enumerate(rare):
        j = 10 + 40 * k
        X[row, j] = 1 + k % 3
        words[j] = "+inf" if y[row] > 0 else "-inf"
        X[:, j + 7] = X[:, j]
    X[:, 2490] = X[:, 0] + 2 * X[:, 10] - 1
    return form(X), y, [*words, "finite"]


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_thousands_of_columns_with_answers_by_construction(form: Any) -> None:
    X, y, words = made(form)
    verdict = separability(X, y, time_limit=60)
    assert verdict.kind == "quasi-separable"
    assert list(verdict.coefficients.values()) == words
    assert verdict.dependences["x17"] == {"x10": 1}
    assert verdict.dependences["x2490"] == {"(offset)": -1, "x0": 1, "x10": 2}
    assert verdict.dependences["x2499"] == {}
    assert len(verdict.aliased) == words.count("dropped")
    text = verdict.summary()
    assert f"… and {words.count('dropped') - 12} more" in text
    assert max(map(len, text.splitlines())) <= 80
    clinic = logistic_clinic(X, y, time_limit=60)
    assert [one.status for one in clinic.coefficients.values()] == words
    assert clinic.converged
    assert len(clinic.responsible) == 60


def echelon(table: list[list[Fraction]]) -> tuple[list[int], list[list[Fraction]]]:
    """The reduced echelon form, in fractions."""
    rows, pivots = [list(row) for row in table], []
    for j in range(len(rows[0])):
        at = next((i for i in range(len(pivots), len(rows)) if rows[i][j]), None)
        if at is None:
            continue
        k = len(pivots)
        rows[k], rows[at] = rows[at], rows[k]
        rows[k] = [x / rows[k][j] for x in rows[k]]
        for i in range(len(rows)):
            if i != k and rows[i][j]:
                factor = rows[i][j]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
        pivots.append(j)
    return pivots, rows


@pytest.mark.parametrize("kind", ["whole", "decimal", "huge"])
@pytest.mark.parametrize("origin", [False, True])
def test_dependences_of_wide_rows_against_elimination_in_fractions(kind: str, origin: bool) -> None:
    rng = np.random.default_rng(3)
    for n, d in ((2, 9), (5, 40), (9, 30), (14, 12)):
        X = rng.integers(-3, 4, (n, d)) * (rng.random((n, d)) < 0.3)
        X = X / 10 if kind == "decimal" else np.ldexp(X.astype(float), 900 if kind == "huge" else 0)
        examples = Examples.of(sp.csr_array(X), np.where(np.arange(n) % 2, 1, -1))
        found = dependences(SignedRows(examples, origin, 60.0, 1))
        table = [[*([] if origin else [Fraction(1)]), *map(Fraction, row)] for row in X.tolist()]
        pivots, rows = echelon(table)
        name = [*range(d)] if origin else [d, *range(d)]
        expected = {
            name[j]: {name[p]: rows[i][j] for i, p in enumerate(pivots) if rows[i][j]}
            for j in range(len(name))
            if j not in pivots
        }
        assert found.settled
        assert found.sums == expected
        assert found.least == len(expected)


@pytest.mark.serial
def test_two_rows_of_very_many_columns_are_soon_sorted_out() -> None:
    rng = np.random.default_rng(4)
    X = sp.csr_array(rng.integers(0, 5, (2, 5000)).astype(float))
    begin = time.process_time()
    verdict = separability(X, [0, 1], time_limit=20)
    assert len(verdict.aliased) == 4999
    assert time.process_time() - begin < 15


@pytest.mark.serial
def test_more_columns_than_time_allows_are_counted() -> None:
    rng = np.random.default_rng(5)
    n, d = 1500, 9000
    X = sp.csr_array(sp.random(n, d, 0.01, random_state=rng))
    X.data[:] = rng.integers(1, 4, X.data.size)
    y = np.where(np.arange(n) % 2, 1, -1)
    verdict = separability(X, y, time_limit=60)
    begin = time.monotonic()
    known = verdict.dropped(0.3)
    assert time.monotonic() - begin < 5
    assert not known.settled
    assert known.least >= d + 1 - n
    words = verdict.known_coefficients(0.3)
    # Separable rows: whatever is kept is not finite.
    assert set(words.values()) <= {"infinite", "dropped", "unknown"}
    assert Counter(words.values())["infinite"] == d + 1 - len(known.sums)
    hasty = separability(X, y, time_limit=60)
    object.__setattr__(hasty, "time_limit", 0.1)
    with pytest.raises(InputError, match="not settled"):
        _ = hasty.aliased
    assert "at least 7501 columns" in " ".join(hasty.summary().split())


def test_fractions_are_told_by_their_residues() -> None:
    p, q = 8388593, 8388587
    some = [Fraction(3, 7), Fraction(-2, 7), Fraction(0), Fraction(5, 21), Fraction(11)]
    modulus = p * q
    residues = [x.numerator * pow(x.denominator, -1, modulus) % modulus for x in some]
    assert rationals(residues, modulus) == some
    assert rationals([1234567], 8388593) != [Fraction(1234567)]


@pytest.mark.parametrize("X", [[[1, 1], [1, 0], [1, 0]], [[1, 0], [0, 1], [0, 1]]])
def test_a_column_that_is_dropped_does_not_move_the_offset(X: list[list[int]]) -> None:
    # On the two rows of the boundary the column dropped is constant, as the offset is: that leaves the offset nothing.
    words = separability(X, [1, 1, -1]).coefficients
    assert words["(offset)"] == "finite"
    assert sorted(words.values()) == ["+inf", "dropped", "finite"]


def test_a_search_that_is_stopped_has_a_hyperplane_with_a_weight() -> None:
    told: list[str] = []
    separability([[1.0], [2.0]], [1, 1], progress=lambda one: told.append(one.doing))
    for doing in dict.fromkeys(told):
        verdict = separability([[1.0], [2.0]], [1, 1], progress=lambda one, doing=doing: one.doing == doing)
        if verdict.kind == "separable":
            assert verdict.check()
            assert "Separable" in verdict.summary()
        else:
            assert verdict.kind == "undecided"
