"""The clinic against brute force in exact fractions, against scikit-learn, and against what it says of itself."""

import json
import math
import time
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import separated
from separated import dot, rows_z

from rosenblatt import Examples, InputError, separability, verify
from rosenblatt.separation.clinic.logistic_clinic import clinic_of, logistic_clinic
from rosenblatt.separation.clinic.logit import fit
from rosenblatt.separation.clinic.result import Clinic
from rosenblatt.separation.hitting import HittingSetSearch
from rosenblatt.separation.watch import OutOfTimeError

TIME_BUDGET = 30.0


def rank(rows: list[list[Fraction]]) -> int:
    table, found = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        at = next((i for i in range(found, len(table)) if table[i][column]), None)
        if at is None:
            continue
        table[found], table[at] = table[at], table[found]
        for i in range(found + 1, len(table)):
            factor = table[i][column] / table[found][column]
            table[i] = [v - factor * p for v, p in zip(table[i], table[found], strict=True)]
        found += 1
    return found


def least_removal(known: list[separated.Circuit], y: Any, counts: Any) -> int | None:
    """The least count whose removal leaves rows that are not overlapping, by trying every subset but the whole."""
    n = len(y)
    subsets = [set(some) for size in range(n) for some in combinations(range(n), size)]
    for gone in sorted(subsets, key=lambda some: sum(counts[i] for i in some)):
        inside = [circuit for circuit in known if gone.isdisjoint(circuit[0])]
        if len(separated.boundary(inside, y)) < n - len(gone):
            return int(sum(counts[i] for i in gone))
    return None


def check_removal(clinic: Clinic, X: Any, y: Any, counts: Any, origin: bool) -> None:
    """The direction has only the rows to remove on its wrong side, and each core positively spans all rows."""
    assert clinic.removal is not None
    z = rows_z(X, y, origin)
    names = list(clinic.coefficients)
    v = [clinic.removal.direction.get(name, Fraction(0)) for name in names]
    margins = [dot(row, v) for row in z]
    assert tuple(i for i, m in enumerate(margins) if m < 0) == clinic.removal.rows
    assert max(margins) > 0
    assert sum(counts[i] for i in clinic.removal.rows) == clinic.removal.upper
    full = rank(z)
    for core in clinic.removal.cores:
        rows = [z[i] for i in core]
        assert rank(rows) == full
        assert all(separated.in_cone([-x for x in row], rows) for row in rows)


def overlapping(rng: np.random.Generator) -> Iterator[tuple[Any, Any, Any, bool, list[separated.Circuit]]]:
    """Tiny instances that overlap, on a coarse grid, some with dependent columns and some with counts."""
    while True:
        n, d, origin = int(rng.integers(3, 9)), int(rng.integers(1, 4)), bool(rng.integers(2))
        X = rng.integers(-2, 3, size=(n, d)).astype(float)
        if d > 1 and rng.random() < 0.3:
            X[:, -1] = X[:, 0]
        known = separated.circuits(X.tolist(), origin)  # whatever the labels
        labelings = rng.choice([-1, 1], (30, n))
        for y in [y for y in labelings if X.any() and separated.kind(known, y) == "overlapping"][:5]:
            yield X, y, rng.integers(1, 4, n) if rng.random() < 0.5 else np.ones(n, dtype=int), origin, known


def against_every_subset(cases: int, seed: int) -> dict[int, int]:
    answers: dict[int, int] = {}
    instances = overlapping(np.random.default_rng(seed))
    for case, (X, y, counts, origin, known) in enumerate(islice(instances, cases)):
        clinic = logistic_clinic(X, y, counts=counts, through_origin=origin)
        assert clinic.kind == "overlapping"
        assert clinic.responsible == ()
        expected = least_removal(known, y, counts)
        assert clinic.removal is not None
        assert clinic.removal.lower == expected == clinic.removal.upper, (X.tolist(), y.tolist(), counts, origin)
        if case % 10 == 0:
            check_removal(clinic, X, y, counts, origin)
        rest = np.setdiff1d(np.arange(len(y)), clinic.removal.rows)
        kind = separated.kind(separated.circuits(X[rest].tolist(), origin), y[rest])
        assert clinic.removal.after == kind != "overlapping"
        answers[expected] = answers.get(expected, 0) + 1
    return answers


@pytest.mark.slow
def test_the_fewest_rows_to_remove_against_every_subset() -> None:
    answers = against_every_subset(130, seed=0)
    assert min(answers.get(k, 0) for k in (1, 2, 3)) > 5


@pytest.mark.long
def test_the_fewest_rows_to_remove_of_a_thousand_instances() -> None:
    assert sum(against_every_subset(1000, seed=1).values()) == 1000


@pytest.mark.slow
def test_a_finite_estimate_takes_the_removal_of_every_row_off_the_boundary() -> None:
    rng = np.random.default_rng(1)
    done = 0
    while done < 60:
        n, d, origin = int(rng.integers(2, 8)), int(rng.integers(1, 4)), bool(rng.integers(2))
        X, y = rng.integers(-2, 3, size=(n, d)).astype(float), rng.choice([-1, 1], n)
        known = separated.circuits(X.tolist(), origin)
        stuck = separated.boundary(known, y.tolist())
        if len(stuck) == n:
            continue
        done += 1
        clinic = logistic_clinic(X, y, through_origin=origin)
        assert set(clinic.responsible) == set(range(n)) - stuck
        assert clinic.removal is not None
        assert clinic.removal.rows == clinic.responsible
        # By brute force: the fewest whose removal leaves rows, if any, that all lie on the boundary.
        fewest = min(
            size
            for size in range(n + 1)
            for gone in map(set, combinations(range(n), size))
            if len(separated.boundary([c for c in known if gone.isdisjoint(c[0])], y.tolist())) == n - size
        )
        assert clinic.removal.lower == clinic.removal.upper == fewest
        assert clinic.removal.after == ("overlapping" if stuck else "empty")
        v = [clinic.direction.get(name, Fraction(0)) for name in clinic.coefficients]
        assert {i for i, row in enumerate(rows_z(X, y, origin)) if dot(row, v) > 0} == set(clinic.responsible)
        assert {x.denominator for x in v} == {1}
        assert math.gcd(*map(int, v)) == 1
        assert clinic.check()
        if not stuck:
            assert clinic.log_likelihood == 0


def test_an_estimate_that_hangs_on_one_row() -> None:
    X = np.arange(20.0)[:, None]
    y = np.where(X[:, 0] > 9.5, 1, 0)
    y[3] = 1
    clinic = logistic_clinic(X, y, names=["dose"])
    assert clinic.removal is not None
    assert (clinic.removal.lower, clinic.removal.upper, clinic.removal.rows) == (1, 1, (3,))
    assert clinic.removal.after == "separable"
    assert clinic.removal.infinite == {"dose": "+inf", "(offset)": "-inf"}
    assert "hangs on few rows" in clinic.summary()


@pytest.mark.slow
def test_finite_estimates_against_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(2)
    for n, d, origin in ((50, 1, False), (80, 3, False), (120, 4, True)):
        X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-2, 3, size=d)
        y = (X @ (rng.normal(size=d) / X.std(axis=0)) + rng.logistic(size=n) > 0).astype(int)
        counts = rng.integers(0, 4, n)
        clinic = logistic_clinic(X, y, counts=counts, through_origin=origin, time_limit=1.0)
        assert clinic.kind == "overlapping"
        assert clinic.converged
        scale = X.std(axis=0)
        model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12, fit_intercept=not origin)
        model.fit(X / scale, y, sample_weight=counts)
        values = [*(model.coef_[0] / scale), *([] if origin else model.intercept_)]
        assert [one.estimate for one in clinic.coefficients.values()] == pytest.approx(values, rel=1e-6)
        s = np.column_stack([X, *([] if origin else [np.ones(n)])])
        p = 1 / (1 + np.exp(-s @ values))
        assert clinic.log_likelihood == pytest.approx(counts @ np.log(np.where(y, p, 1 - p)), rel=1e-9)
        information = (s * (counts * p * (1 - p))[:, None]).T @ s
        errors = np.sqrt(np.diag(np.linalg.inv(information)))
        assert [one.error for one in clinic.coefficients.values()] == pytest.approx(errors.tolist(), rel=1e-5)


def test_the_finite_part_is_the_limit_of_the_likelihood() -> None:
    """With the infinite coefficient held at a large value, scikit-learn finds the others where the clinic does."""
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 2, 60)
    flag = ((rng.random(60) < 0.4) & (y == 1)).astype(float)
    clinic = logistic_clinic(np.column_stack([flag, X]), y, names=["flag", "a", "b"])
    assert {name: one.status for name, one in clinic.coefficients.items()} == {
        "flag": "+inf", "a": "finite", "b": "finite", "(offset)": "finite",
    }  # fmt: skip
    assert clinic.responsible == tuple(np.flatnonzero(flag).tolist())
    assert clinic.direction == {"flag": 1}
    model = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-12).fit(X[flag == 0], y[flag == 0])
    values = [one.estimate for one in clinic.coefficients.values()]
    assert values[0] is None
    assert values[1:] == pytest.approx([*model.coef_[0], model.intercept_[0]], rel=1e-6)
    score = X @ model.coef_[0] + model.intercept_[0] + 40 * flag
    assert clinic.log_likelihood == pytest.approx(-np.logaddexp(0, np.where(y, -score, score)).sum(), rel=1e-9)


@pytest.mark.slow
def test_counts_are_rows_repeated_and_none_is_no_row() -> None:
    rng = np.random.default_rng(4)
    X = np.array([[a, b] for a in range(3) for b in range(2)] * 2, dtype=float)
    y = np.repeat(["no", "yes"], 6)
    for _ in range(6):
        counts = rng.integers(0, 4, 12)
        counts[[0, 6]] += 1
        grouped = logistic_clinic(X, y, counts=counts.astype(float))
        single = logistic_clinic(np.repeat(X, counts, axis=0), np.repeat(y, counts))
        assert grouped.kind == single.kind
        for name, one in grouped.coefficients.items():
            other = single.coefficients[name]
            assert (one.status, one.aliased) == (other.status, other.aliased)
            assert (one.estimate is None) == (other.estimate is None)
            if one.estimate is not None:
                assert one.estimate == pytest.approx(other.estimate, rel=1e-8, abs=1e-8)
                assert one.error == pytest.approx(other.error, rel=1e-6)
        assert grouped.total == single.total == counts.sum()
        assert grouped.log_likelihood == pytest.approx(single.log_likelihood)
        assert grouped.removal is not None
        assert single.removal is not None
        assert (grouped.removal.lower, grouped.removal.upper) == (single.removal.lower, single.removal.upper)
        assert all(counts[row] > 0 for row in (*grouped.responsible, *grouped.removal.rows))
        assert sum(counts[row] for row in grouped.responsible) == len(single.responsible)


def test_dependent_columns_are_named_and_the_others_estimated() -> None:
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(40, 2)), rng.integers(0, 2, 40)
    plain, doubled = (logistic_clinic(table, y, time_limit=1.0) for table in (X, np.column_stack([X, 2 * X[:, 0]])))
    assert doubled.kind == "overlapping"
    assert [one.aliased for one in doubled.coefficients.values()] == [False, False, True, False]
    for name in ("x0", "x1", "(offset)"):
        assert doubled.coefficients[name].estimate == pytest.approx(plain.coefficients[name].estimate)
        assert doubled.coefficients[name].error == pytest.approx(plain.coefficients[name].error)
    assert doubled.coefficients["x2"].status == "dropped"
    assert doubled.coefficients["x2"].estimate is None
    assert "\n  x2 = 2·x0\n" in doubled.summary()
    # Three times a float is rounded, so this column is another one, if only just; floats cannot tell, and say so.
    rounded = logistic_clinic(np.column_stack([X, 3 * X[:, 0]]), y, time_limit=1.0)
    assert {one.status for one in rounded.coefficients.values()} == {"finite"}
    assert {one.estimate for one in rounded.coefficients.values()} == {None}
    assert "look dependent" in rounded.fit_status


def test_units_do_not_matter() -> None:
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(50, 2)), rng.integers(0, 2, 50)
    one = logistic_clinic(X, y, time_limit=0.5)
    for unit in (2.0**-300, 2.0**300):
        other = logistic_clinic(X * [unit, 1], y, time_limit=0.5)
        assert other.coefficients["x0"].estimate == pytest.approx(one.coefficients["x0"].estimate / unit)  # type: ignore[operator]
        assert other.coefficients["x1"].error == pytest.approx(one.coefficients["x1"].error)


def test_what_does_not_converge_says_so() -> None:
    # Finite, but so far out that no float of the likelihood shows the way.
    X = [[0.0], [1e-9], [1.0], [2.0], [2.0 + 1e-9], [3.0], [1.0 + 1e-12]]
    clinic = logistic_clinic([*X, [1.0 - 1e-12]], [0, 0, 0, 1, 1, 1, 0, 1])
    assert clinic.kind == "overlapping"
    assert clinic.converged or ("not converged" in clinic.fit_status and clinic.log_likelihood is None)
    near = fit(np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-50], [-1.0, -1.0]]), np.ones(3, dtype=np.int64))
    assert not near.converged
    assert "look dependent" in near.status


def check_text(clinic: Clinic) -> dict[str, Any]:
    text = clinic.summary()
    assert max(map(len, text.splitlines())) <= 80
    words = {"separable": "complete separation", "quasi-separable": "quasi-complete separation"}
    known_by = {"overlapping": "Finite", "undecided": "Undecided"}
    assert text.startswith(
        known_by.get(clinic.kind, f"No finite estimate: {words.get(clinic.kind)} (the data are {clinic.kind}).")
    )

    def no(constant: str) -> Any:
        raise AssertionError(constant)

    known: dict[str, Any] = json.loads(clinic.json(), parse_constant=no)
    assert known == clinic.to_dict()
    assert repr(clinic).startswith(f"<Clinic: {clinic.kind}")
    return known


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_text_and_json_of_every_kind(form: Any) -> None:
    rng = np.random.default_rng(7)
    X, y = rng.integers(-2, 3, size=(24, 2)).astype(float), np.arange(24) % 2
    flag = (y == 1) & (X[:, 0] > 0)
    long = "a name so long that a table cannot hold it, and that has to be cut somewhere"
    clinic = logistic_clinic(form(np.column_stack([flag, X])), y, names=["flag", long, "b"])
    known = check_text(clinic)
    infinite = {"name": "flag", "term": "flag", "status": "+inf", "estimate": None, "error": None, "aliased": False}
    assert known["coefficients"][0] == infinite
    assert known["kind"] == clinic.proof.kind == "quasi-separable"
    assert verify(clinic.proof, form(np.column_stack([flag, X])), np.where(y == 1, 1, -1))
    known = check_text(logistic_clinic(form(X), X[:, 0] > 0))
    assert known["removal"]["after"] == "empty"
    assert known["kind"] == "separable"
    known = check_text(logistic_clinic(Examples.of(form(X), y)))
    assert known["kind"] == "overlapping"
    assert known["responsible"] == []
    known = check_text(logistic_clinic(form(X), np.ones(24)))
    assert [one["status"] for one in known["coefficients"] if one["name"] == "(offset)"] == ["+inf"]
    wide = rng.normal(size=(60, 55))
    assert "… and 16 more" in logistic_clinic(form(wide), rng.integers(0, 2, 60), time_limit=1.0).summary()


def test_rows_that_say_nothing_leave_nothing_to_remove() -> None:
    clinic = logistic_clinic([[0.0], [0.0]], [1, -1], through_origin=True)
    assert clinic.kind == "overlapping"
    assert clinic.removal is None
    assert clinic.coefficients["x0"].aliased
    assert clinic.log_likelihood == pytest.approx(-2 * math.log(2))
    check_text(clinic)


@pytest.mark.serial
def test_time_that_runs_out_is_said() -> None:
    rng = np.random.default_rng(8)
    X, y = rng.normal(size=(100_000, 10)), rng.integers(0, 2, 100_000)
    begin = time.monotonic()
    clinic = logistic_clinic(X, y, time_limit=1e-3)
    assert time.monotonic() - begin < 20
    assert clinic.kind == "undecided"
    assert {one.status for one in clinic.coefficients.values()} == {"unknown"}
    assert clinic.removal is None
    assert "time_limit" in clinic.summary()
    known = check_text(clinic)
    assert known["log_likelihood"] is None


@pytest.mark.serial
def test_a_bracket_is_given_where_time_does_not_allow_an_answer() -> None:
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(150, 4)), rng.integers(0, 2, 150)
    clinic = logistic_clinic(X, y, time_limit=1.5)
    removal = clinic.removal
    assert removal is not None
    assert 2 <= removal.lower <= removal.upper <= min(y.sum(), (1 - y).sum())
    few = Clinic(**{**clinic.__dict__, "removal": None})
    assert "Fewest" not in few.summary()
    z, signs = rows_z(X, np.where(y, 1, -1), False), list(clinic.coefficients)
    v = [removal.direction.get(name, Fraction(0)) for name in signs]
    assert tuple(i for i, row in enumerate(z) if dot(row, v) < 0) == removal.rows


def test_hitting_sets_against_every_subset() -> None:
    rng = np.random.default_rng(10)
    for _ in range(150):
        n = int(rng.integers(2, 8))
        weights = rng.integers(1, 5, n).tolist()
        sets = [tuple(np.flatnonzero(rng.random(n) < 0.4).tolist()) for _ in range(rng.integers(1, 8))]
        sets = [some for some in sets if some] or [(0,)]
        covers = [set(c) for k in range(n + 1) for c in combinations(range(n), k) if all(set(c) & set(s) for s in sets)]
        least = min(sum(weights[i] for i in cover) for cover in covers)
        for budget in range(sum(weights) + 1):
            search = HittingSetSearch(sets, weights, 10_000)
            found = search.within(budget)
            assert search.nodes > 0
            if found is None:
                assert budget < search.beyond <= least
            else:
                assert least <= sum(weights[i] for i in found) <= budget
                assert all(set(found) & set(some) for some in sets)


def test_bad_input_is_named() -> None:
    X, y = [[1.0], [2.0], [3.0]], [0, 1, 1]
    with pytest.raises(InputError, match="labels are missing"):
        logistic_clinic(X)
    with pytest.raises(InputError, match="leave out y"):
        logistic_clinic(Examples.of(X, y), y)
    with pytest.raises(InputError, match="2 feature names for 1 columns"):
        logistic_clinic(X, y, names=["a", "b"])
    with pytest.raises(InputError, match="3 classes"):
        logistic_clinic(X, [0, 1, 2])
    with pytest.raises(InputError, match="names"):
        logistic_clinic(X, y, names=5)
    for counts in ([[1], [2, 3], [1]], np.ma.masked_array([1, 2, 3], [0, 1, 0])):
        with pytest.raises(InputError, match="one whole number"):
            logistic_clinic(X, y, counts=counts)
    with pytest.raises(InputError, match="one whole number for each of the 3 rows"):
        logistic_clinic(X, y, counts=[1, 2])
    with pytest.raises(InputError, match=r"count of row 1: 0\.5"):
        logistic_clinic(X, y, counts=[1, 0.5, 1])
    with pytest.raises(InputError, match="every count is 0"):
        logistic_clinic(X, y, counts=[0, 0, 0])
    with pytest.raises(InputError, match="time_limit"):
        logistic_clinic(X, y, time_limit=0)
    with pytest.raises(InputError, match="row 1, column 0: not a finite number"):
        logistic_clinic([[1.0], [np.nan], [2.0]], y)


@pytest.mark.slow
def test_many_sets_to_hit_are_no_reason_to_fall() -> None:
    deep = HittingSetSearch([(2 * i, 2 * i + 1) for i in range(1100)], [1] * 2200, 20_000)
    assert deep.within(1100) is None
    assert deep.nodes == 0  # so nothing is known


def test_columns_of_very_different_sizes() -> None:
    X = [[1e26, 2e-312], [3e26, 1e-312], [-1e26, 3e-312], [2e26, -1e-312], [-2e26, 1e-312], [5e25, -2e-312]]
    clinic = logistic_clinic(X, [0, 1, 0, 1, 1, 0], time_limit=2)
    assert clinic.check()
    tiny = [[2, -2], [1, -3], [2, 1], [-3, -3], [-3, 3], [-2, -2], [2, -2]]
    assert logistic_clinic(np.array(tiny) * 1e-323, [-1, 1, 1, 1, 1, 1, 1], time_limit=2).check()


def test_a_direction_alone_says_what_is_infinite() -> None:
    verdict = separability([[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3]], [0, 1, 0, 1, 1, 1])
    early = replace(verdict.found, witness=None, balance=None, boundary=None, steps=["the time limit ran out"])
    undecided = replace(verdict, kind="undecided", found=early)
    assert undecided.summary().startswith(
        "Not overlapping: separable or quasi-separable, which of the two is undecided."
    )
    clinic = clinic_of(undecided, 5.0)
    assert {name: one.status for name, one in clinic.coefficients.items()} == undecided.coefficients
    assert clinic.coefficients["x0"].status == "infinite"
    assert (clinic.ended, clinic.unsettled, clinic.responsible, clinic.responsible_settled) == (
        "boundary",
        True,
        (),
        False,
    )
    assert clinic.summary().startswith("No finite estimate: complete or quasi-complete separation")
    assert "The rows responsible are not sorted out." in clinic.summary()


def test_columns_that_may_be_dropped_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def hopeless(_: object) -> object:
        raise OutOfTimeError

    monkeypatch.setattr("rosenblatt.separation.dependent.Relations.find", hopeless)
    X = np.random.default_rng(0).standard_normal((8, 30))
    clinic = logistic_clinic(X, [0, 1] * 4)
    assert (clinic.kind, clinic.ended, clinic.advice[0]) == ("separable", "columns", "wide-regression")
    said = " ".join(clinic.summary().split())
    assert "(which of the two is not settled): 31 of 31 coefficients, such as x0, x1, x2, x3, x4; at least 23" in said
    assert "x5" not in said
    assert "31 of 31 coefficients" in clinic._repr_html_()
    summary = " ".join(clinic.verdict.summary().split())
    assert "given up, too many columns to eliminate exactly" in summary
    assert "31 of 31 coefficients" in clinic.verdict._repr_html_()
