"""Dependent columns: the earliest are kept, and each of the others is the combination it is said to be."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Examples, logistic_clinic, separability
from rosenblatt.separation.nearly import nearly_dependent


def rank(table: list[list[Fraction]]) -> int:
    """By elimination, in fractions."""
    rows, found = [list(row) for row in table], 0
    for j in range(len(rows[0]) if rows else 0):
        at = next((i for i in range(found, len(rows)) if rows[i][j]), None)
        if at is None:
            continue
        rows[found], rows[at] = rows[at], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][j] / rows[found][j]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


def table_of(rng: np.random.Generator, n: int, d: int) -> Any:
    """Columns of which some are combinations of earlier ones, constant, or nothing at all."""
    X = rng.integers(-2, 3, size=(n, d)).astype(float)
    for j in range(d):
        kind = rng.integers(6)
        if kind == 0 and j:
            X[:, j] = X[:, :j] @ rng.integers(-2, 3, size=j) / 4 + rng.integers(3)
        elif kind == 1:
            X[:, j] = rng.integers(-1, 3) / 2
    return X


@pytest.mark.parametrize("origin", [False, True])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_the_earliest_columns_are_kept_by_brute_force(origin: bool, form: Any) -> None:
    rng = np.random.default_rng(1)
    dropped = 0
    for _ in range(60):
        n, d = int(rng.integers(2, 9)), int(rng.integers(1, 6))
        X = table_of(rng, n, d)
        y = np.where(rng.permutation(n) % 2, 1, -1)
        verdict = separability(form(X), y, through_origin=origin)
        # As in R: the offset first, then the columns in their order; a column stays if it adds to the rank.
        columns = {f"x{j}": [Fraction(x) for x in X[:, j].tolist()] for j in range(d)}
        if not origin:
            columns = {"(offset)": [Fraction(1)] * n, **columns}
        kept: list[str] = []
        for name in columns:
            if rank([columns[one] for one in [*kept, name]]) > len(kept):
                kept.append(name)
        assert set(verdict.aliased) == set(columns) - set(kept)
        for name, combination in verdict.dependences.items():
            earlier = kept[: sum(list(columns).index(one) < list(columns).index(name) for one in kept)]
            assert set(combination) <= set(earlier)
            for i in range(n):
                assert columns[name][i] == sum((x * columns[one][i] for one, x in combination.items()), Fraction(0))
        dropped += len(verdict.aliased)
    assert dropped > 30


def test_what_is_kept_is_judged_as_if_the_others_had_never_been_there() -> None:
    rng = np.random.default_rng(2)
    seen = set()
    for _ in range(60):
        n, d, origin = int(rng.integers(3, 10)), int(rng.integers(2, 5)), bool(rng.integers(2))
        X, y = table_of(rng, n, d), np.where(rng.permutation(n) % 2, 1, -1)
        whole = logistic_clinic(X, y, through_origin=origin, time_limit=2.0)
        kept = [j for j in range(d) if f"x{j}" not in whole.dependences]
        if not kept or len(kept) == d:
            continue
        names = [f"x{j}" for j in kept]
        part = logistic_clinic(X[:, kept], y, names=names, through_origin=origin, time_limit=2.0)
        assert whole.kind == part.kind
        assert whole.responsible == part.responsible
        for name, one in part.coefficients.items():
            assert whole.coefficients[name].status == one.status
            found = whole.coefficients[name].estimate
            assert found is None if one.estimate is None else found == pytest.approx(one.estimate, rel=1e-5, abs=1e-7)
        for name in whole.dependences:
            assert whole.coefficients[name].status == "dropped"
            assert whole.coefficients[name].aliased
            assert name not in whole.direction
        seen.add(whole.kind)
        assert separability(X, y, through_origin=origin).coefficients == {
            name: one.status for name, one in whole.coefficients.items()
        }
    assert seen == {"separable", "quasi-separable", "overlapping"}


def test_a_constant_column_is_the_offset() -> None:
    X, y = np.array([[5, 1.0], [5, 2], [5, 3], [5, 4]]), [0, 1, 0, 1]
    clinic = logistic_clinic(X, y, names=["constant", "dose"])
    assert clinic.dependences == {"constant": {"(offset)": 5}}
    assert "\n  constant = 5·(Intercept)\n" in clinic.summary()
    alone = logistic_clinic(X, y, names=["constant", "dose"], through_origin=True)
    assert alone.dependences == {}
    offset, own = clinic.coefficients["(offset)"].estimate, alone.coefficients["constant"].estimate
    assert own is not None
    assert offset == pytest.approx(5 * own)


def test_only_constant_columns_leave_the_offset() -> None:
    clinic = logistic_clinic([[0.1], [0.1], [0.1]], [0, 1, 1])
    assert clinic.kind == "overlapping"
    assert clinic.coefficients["(offset)"].estimate == pytest.approx(np.log(2))
    assert "\n  x0 = 0.1·(Intercept)\n" in clinic.summary()
    assert clinic.to_dict()["dropped"] == [
        {"name": "x0", "equals": {"(offset)": "0x1.999999999999ap-4"}, "equals_rounded": {"(offset)": 0.1}}
    ]


def test_more_columns_than_rows() -> None:
    rng = np.random.default_rng(3)
    X = rng.integers(-3, 4, size=(6, 30)).astype(float)
    verdict = separability(X, [0, 1] * 3)
    assert verdict.aliased == tuple(f"x{j}" for j in range(5, 30))
    assert "… and 13 more" in verdict.summary()
    assert max(map(len, verdict.summary().splitlines())) <= 80


# --- Nearly dependent: but for rounding. ---


def decimals(rng: np.random.Generator, n: int) -> Any:
    """Shares in hundredths that add up to 1, and their weighted sum in tenths, as decimals are stored."""
    a, b = rng.integers(1, 60, size=n), rng.integers(1, 39, size=n)
    return np.column_stack([a / 100, b / 100, (100 - a - b) / 100, rng.integers(20, 80, size=n), (3 * a + b) / 1000])


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_what_rounding_keeps_apart_is_named_with_what_it_nearly_equals(form: Any) -> None:
    rng = np.random.default_rng(5)
    X, y = decimals(rng, 60), rng.integers(2, size=60)
    examples = Examples.of(form(X), y)
    assert separability(examples).aliased == ()  # for exactly they are not
    found = nearly_dependent(examples, False)
    assert {j: {i: pytest.approx(x) for i, x in one.items()} for j, one in found.items()} == {
        2: {5: 1, 0: -1, 1: -1},
        4: {0: 0.3, 1: 0.1},
    }
    assert list(nearly_dependent(examples, True)) == [4]
    clinic = logistic_clinic(form(X), y, names=["a", "b", "c", "age", "mix"])
    said = "Nearly dependent, up to rounding: c ≈ (Intercept) - a - b; mix ≈ 0.3·a + 0.1·b. R would drop them."
    assert said in " ".join(clinic.summary().split())
    assert [one["name"] for one in separability(X, y).to_dict()["logistic_regression"]["nearly_dependent"]] == [
        "x2",
        "x4",
    ]


def test_the_columns_kept_are_as_many_as_the_rank_within_the_tolerance() -> None:
    rng = np.random.default_rng(7)
    some = 0
    for _ in range(40):
        n, d = 30, int(rng.integers(2, 8))
        X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-6, 7, size=d)
        for j in range(1, d):
            if rng.integers(3) == 0:
                X[:, j] = X[:, :j] @ rng.normal(size=j) + rng.integers(2)
        y = np.where(np.arange(n) % 2, 1, -1)
        found = nearly_dependent(Examples.of(X, y), False)
        whole = np.column_stack([np.ones(n), X])
        unit = whole / np.linalg.norm(whole, axis=0)
        assert d + 1 - len(found) == np.linalg.matrix_rank(unit, tol=1e-11)
        for j, near in found.items():
            assert np.allclose(sum(x * np.append(X, np.ones((n, 1)), axis=1)[:, i] for i, x in near.items()), X[:, j])
        some += len(found)
    assert some > 20


def test_nothing_is_said_of_columns_that_are_far_from_it() -> None:
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(40, 4)), rng.integers(2, size=40)
    X[:, 3] = 1.6e9 + rng.integers(100, size=40)  # seconds, that R's lm would drop and glm keeps
    assert nearly_dependent(Examples.of(X, y), False) == {}
    assert "Nearly" not in logistic_clinic(X, y).summary()
    twice = np.column_stack([X, 2 * X[:, 0]])  # exactly dependent: dropped, and not named again
    assert logistic_clinic(twice, y).nearly_dependent == ()
    assert nearly_dependent(Examples.of(np.full((3, 2), 1e300) * [[1, 2], [3, 1], [2, 2]], [0, 1, 1]), True) == {}
