"""Separable or not: the search against a brute force in exact arithmetic, and every proof before the checker."""

import math
import subprocess
import sys
import time
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import separated
from separated import dot, rows_z

from rosenblatt import (
    Examples,
    InputError,
    Proof,
    Verdict,
    compare_decimals,
    datasets,
    learn,
    loop_proof,
    network,
    separability,
    verify,
)
from rosenblatt.separation import lp, signed_rows
from rosenblatt.separation.labelings import cover, dichotomies

TIME_BUDGET = 60.0


def check(verdict: Verdict, X: Any, y: Any) -> None:
    """Every claim of a verdict, in fractions, and its proof before the checker."""
    origin = verdict.through_origin
    z = rows_z(X.toarray() if hasattr(X, "toarray") else X, y, origin)
    if verdict.exact_hyperplane is not None:
        w, b = verdict.exact_hyperplane
        margins = [dot(row, [*w, *(() if origin else (b,))]) for row in z]
        assert min(margins) > 0 if verdict.kind == "separable" else min(margins) == 0 < max(margins)
        assert np.flatnonzero([m == 0 for m in margins]).tolist() == verdict.boundary_rows.tolist()  # type: ignore[union-attr]
    if verdict.kind == "separable":
        assert verdict.separable is True
        assert verdict.margin2 == min(margins) ** 2 / dot(w, w)
        if 1e-300 < verdict.margin2 < 1e300:  # what math.sqrt can tell
            assert verdict.margin == pytest.approx(math.sqrt(verdict.margin2), rel=1e-12)
        assert verdict.witness_rows is None
    else:
        assert verdict.separable is False
        rows, alpha = verdict.witness_rows.tolist(), verdict.multipliers  # type: ignore[union-attr]
        assert min(alpha) > 0  # type: ignore[type-var]
        assert sum(alpha) == 1  # type: ignore[arg-type]
        for j in range(len(z[0])):
            assert sum((a * z[i][j] for a, i in zip(alpha, rows, strict=True)), Fraction(0)) == 0  # type: ignore[arg-type]
        assert len(rows) <= len(z[0]) + 1
    found = verify(verdict.proof, X, y)
    assert found, found.reason
    assert verify(Proof.loads(verdict.proof.dumps()), X, y)


def instance(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Points on a coarse grid: many coincide, lie in a line or a plane, or span less than the space."""
    size = int(rng.integers(1, 4))
    X = rng.integers(-size, size + 1, size=(n, d)).astype(float)
    if rng.random() < 0.2 and d > 1:
        X[:, -1] = X[:, 0]
    if rng.random() < 0.2 and n > 1:
        X[-1] = X[0]
    return X


def labelings(rng: np.random.Generator, X: np.ndarray, count: int) -> np.ndarray:
    """Some at random, some by a hyperplane, some by one that goes through points."""
    n, d = X.shape
    found = [rng.choice([-1, 1], n) for _ in range(count // 3)]
    while len(found) < count:
        s = X @ rng.integers(-2, 3, size=d) + rng.integers(-1, 2)
        found.append(np.where(s > 0, 1, np.where(s < 0, -1, rng.choice([-1, 1], n))))
    return np.array(found)


def settle(sets: int, each: int, seed: int) -> dict[str, int]:
    rng = np.random.default_rng(seed)
    kinds: dict[str, int] = {}
    for _ in range(sets):
        n, d, origin = int(rng.integers(1, 13)), int(rng.integers(1, 5)), bool(rng.integers(2))
        n = min(n, 9) if d == 4 else n
        X = instance(rng, n, d)
        known = separated.circuits(X.tolist(), origin)
        for y in labelings(rng, X, each):
            verdict = separability(X, y, through_origin=origin)
            assert verdict.kind == separated.kind(known, y), (X.tolist(), y.tolist(), origin)
            check(verdict, X, y)
            stuck = separated.boundary(known, y)
            assert set(verdict.boundary_rows.tolist()) == stuck  # type: ignore[union-attr]
            if verdict.witness_rows is not None:
                # Minimal: none of its rows can be left out.
                witness = verdict.witness_rows.tolist()
                inside = [c for c in known if set(c[0]) <= set(witness) and separated.boundary([c], y)]
                assert [set(c[0]) for c in inside] == [set(witness)]
            kinds[verdict.kind] = kinds.get(verdict.kind, 0) + 1
    return kinds


@pytest.mark.slow
def test_no_small_instance_is_judged_wrong() -> None:
    kinds = settle(40, 10, seed=1)
    assert min(kinds.get(kind, 0) for kind in ("separable", "quasi-separable", "overlapping")) > 12


@pytest.mark.slow
def test_no_small_instance_is_judged_wrong_from_the_smallest_working_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that every answer takes rounds of cutting planes."""
    monkeypatch.setattr(signed_rows, "_MANY", 1)
    kinds = settle(40, 10, seed=4)
    assert min(kinds.get(kind, 0) for kind in ("separable", "quasi-separable", "overlapping")) > 10


@pytest.mark.parametrize("layers", [2, 4])
def test_weak_separators_are_joined_layer_by_layer(layers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each flag separates what the flags before it left on the boundary; in the end some rows overlap."""
    monkeypatch.setattr(signed_rows, "_MANY", 3)
    rng = np.random.default_rng(layers)
    X, y = rng.integers(-3, 4, size=(60, 2)).astype(float), rng.choice([-1, 1], 60)
    flags = np.zeros((60, layers))
    for layer in range(layers):
        rows = np.arange(10 * layer, 10 * layer + 10)
        flags[rows, layer] = y[rows] * rng.integers(1, 4, size=10)
        flags[rows, layer + 1 :] = rng.integers(-5, 6, size=(10, layers - layer - 1))
    data = np.column_stack([X, flags])
    verdict = separability(data, y)
    assert verdict.kind == "quasi-separable"
    check(verdict, data, y)
    assert set(range(10 * layers)).isdisjoint(verdict.boundary_rows.tolist())  # type: ignore[union-attr]


@pytest.mark.long
def test_none_of_ten_thousand_small_instances_is_judged_wrong() -> None:
    assert sum(settle(600, 18, seed=2).values()) >= 10_000


@pytest.mark.slow
def test_what_a_logistic_regression_cannot_estimate_is_named() -> None:
    """Against membership in the cone of the rows, by brute force: v_j ≥ 0 on the cone iff e_j is in that of the z."""
    rng = np.random.default_rng(3)
    words: dict[str, int] = {}
    for _ in range(150):
        n, d, origin = int(rng.integers(2, 8)), int(rng.integers(1, 4)), bool(rng.integers(2))
        X = instance(rng, n, d)
        y = labelings(rng, X, 3)[rng.integers(3)]
        verdict = separability(X, y, through_origin=origin)
        # Of dependent columns the earliest are kept, the offset first; the cone is that of the columns kept.
        kept = [j for j, name in enumerate(verdict.names) if name not in verdict.aliased]
        z = [[row[j] for j in kept] for row in rows_z(X, y, origin)]
        assert {verdict.coefficients[name] for name in verdict.aliased} <= {"dropped"}
        for j, word in enumerate(verdict.coefficients[verdict.names[k]] for k in kept):
            unit = [Fraction(int(i == j)) for i in range(len(kept))]
            up, down = separated.in_cone(unit, z), separated.in_cone([-u for u in unit], z)
            expected = {(True, True): "finite", (True, False): "+inf", (False, True): "-inf"}.get(
                (up, down), "indeterminate"
            )
            assert word == expected, (X.tolist(), y.tolist(), origin, j)
            words[word] = words.get(word, 0) + 1
    assert len(words) == 4
    assert min(words.values()) > 10


NAMED: dict[str, tuple[Any, Any, bool, str]] = {
    "xor": (*datasets.get("xor"), False, "overlapping"),
    "line": ([[1], [2], [3], [4]], [1, 1, -1, -1], False, "separable"),
    "line, origin": ([[1], [2], [3], [4]], [1, 1, -1, -1], True, "overlapping"),
    "quasi": ([[-1], [0], [0], [1]], [-1, -1, 1, 1], False, "quasi-separable"),
    "one point, both labels": ([[2, 3], [2, 3]], [1, -1], False, "overlapping"),
    "margin 1e-12": ([[0, 1], [1e-12, 1], [0, 2], [1e-12, 2]], [-1, 1, -1, 1], False, "separable"),
    "margin 1e-12 beside 1": ([[1, 1], [1 + 1e-12, 1], [0, 2], [1e-12, 2]], [-1, 1, -1, 1], False, "separable"),
    "1e300 beside 1e-300": ([[1e300, 1e-300], [-1e300, 1e-300], [1e300, -1e-300]], [1, -1, 1], False, "separable"),
    "1e300 as xor": (np.array(datasets.get("xor").X) * [1e300, 1e-300], [1, -1, -1, 1], False, "overlapping"),
    "subnormals": ([[5e-324, 1], [0, 1], [1e300, 1], [-5e-324, 1]], [1, -1, 1, -1], False, "separable"),
    "one column of all sizes": ([[1e300], [1e-300], [5e-324], [0.0]], [1, 1, 1, -1], False, "separable"),
    "one column, mixed": ([[1e300], [1e-300], [5e-324], [0.0]], [1, -1, 1, -1], False, "overlapping"),
    "constant and zero columns": ([[1, 0, 3], [1, 0, 4], [1, 0, 5]], [1, -1, 1], False, "overlapping"),
    "zero row": ([[0, 0], [1, 2]], [1, 1], True, "quasi-separable"),
    "only a zero row": ([[0, 0]], [1], True, "overlapping"),
    "one row": ([[1, 2]], [1], False, "separable"),
    "one row, origin": ([[1, 2]], [-1], True, "separable"),
    "one class": ([[1, 2], [-1, -2], [0, 5]], [1, 1, 1], False, "separable"),
    "one class of zeros": ([[0.0], [0.0]], [-1, -1], False, "separable"),
    "the least number there is": ([[5e-324], [0.0]], [1, -1], False, "separable"),
    "from the least to the largest": ([[5e-324, 0], [0, 1.7e308], [0, -1.7e308]], [1, 1, -1], False, "separable"),
    "only by rounding": ([[0.1, 1], [0.3, 3], [0.2, 2]], [1, 1, -1], False, "separable"),
    "rounding, origin": ([[0.1, 1], [0.3, 3], [0.2, 2]], [1, 1, -1], True, "quasi-separable"),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMED)
def test_named_cases_among_many_columns(name: str) -> None:
    """With so many columns that a perceptron is tried first."""
    X, y, origin, kind = NAMED[name]
    X = np.hstack([np.array(X, dtype=float), np.zeros((len(y), 220))])
    verdict = separability(X, y, through_origin=origin)
    assert verdict.kind == kind
    check(verdict, X, y)


HEADS = {
    "separable": "Separable (complete separation): a hyperplane has each row strictly on its side.",
    "quasi-separable": "Not separable: quasi-separable (quasi-complete separation).",
    "overlapping": "Not separable: the classes overlap.",
}


@pytest.mark.parametrize("form", [np.array, sp.csr_array])
@pytest.mark.parametrize("name", NAMED)
def test_named_cases(name: str, form: Any) -> None:
    X, y, origin, kind = NAMED[name]
    X = np.array(X, dtype=float)
    verdict = separability(form(X), y, through_origin=origin)
    assert verdict.kind == kind
    check(verdict, form(X), y)
    assert verdict.summary().splitlines()[0] == HEADS[kind]


def test_a_zero_row_through_the_origin_is_a_witness_of_one_row() -> None:
    assert separability([[1, 2], [0, 0]], [1, 1], through_origin=True).witness_rows.tolist() == [1]


@pytest.mark.slow
def test_many_more_columns_than_rows() -> None:
    rng = np.random.default_rng(0)
    for n, d in ((5, 300), (40, 3000)):
        X, y = rng.normal(size=(n, d)), rng.choice([-1, 1], n)
        verdict = separability(X, y)
        assert verdict.kind == "separable"
        check(verdict, X, y)


@pytest.mark.parametrize("seed", range(4))
def test_larger_data_of_every_kind(seed: int) -> None:
    """Against what is known of how they were made; proofs before the checker."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3000, 8))
    s = X @ rng.normal(size=8)
    y = np.where(s > 0, 1, -1)
    assert (kind := separability(X, y)).kind == "separable"
    assert verify(kind.proof, X, y)
    noisy = np.where(rng.random(3000) < 0.02, -y, y)
    overlapping = separability(X, noisy)
    assert overlapping.kind == "overlapping"
    assert verify(overlapping.proof, X, noisy)
    # A column that is 1 on some positive rows only: quasi-separable, and its coefficient alone runs away.
    flag = (rng.random(3000) < 0.1) & (noisy > 0)
    quasi = separability(np.column_stack([X, flag]), noisy)
    assert quasi.kind == "quasi-separable"
    assert verify(quasi.proof, np.column_stack([X, flag]), noisy)
    assert set(quasi.boundary_rows.tolist()) == set(np.flatnonzero(~flag).tolist())
    assert quasi.coefficients == {**{f"x{j}": "finite" for j in range(8)}, "x8": "+inf", "(offset)": "finite"}


def test_breast_cancer_is_separable_and_iris_versicolor_is_not() -> None:
    from sklearn.datasets import load_breast_cancer, load_digits, load_iris

    cancer, iris, digits = load_breast_cancer(), load_iris(), load_digits()
    for X, y, kind in (
        (cancer.data, cancer.target, "separable"),
        (iris.data, iris.target == 1, "overlapping"),
        (digits.data, digits.target == 8, "quasi-separable"),
    ):
        verdict = separability(X, y)
        assert verdict.kind == kind
        assert verify(verdict.proof, X, np.where(np.asarray(y) == np.unique(y)[1], 1, -1))


@pytest.mark.parametrize("d", [18, 22, 40])
def test_coefficients_of_many_real_columns(d: int) -> None:
    rng = np.random.default_rng(d)
    X, y = rng.normal(size=(400, d)), rng.choice([-1, 1], 400)
    X[:, 0] = (y > 0) & (rng.random(400) < 0.3)
    verdict = separability(X, y)
    assert verdict.kind == "quasi-separable"
    assert verdict.coefficients == {"x0": "+inf", **{f"x{j}": "finite" for j in range(1, d)}, "(offset)": "finite"}


def test_powers_of_two_do_not_look_alike() -> None:
    X = np.array([[0, 1, 1], [0, 1, 1], [0, 1, 2.0**61], [0, 1, 2.0**61], [1, 0, 0]])
    assert list(separability(X, [1, -1, 1, -1, 1], through_origin=True).coefficients.values()) == [
        "+inf",
        "finite",
        "finite",
    ]
    assert set(separability(X[:4, 1:], [1, -1, 1, -1]).coefficients.values()) == {"finite", "dropped"}


def test_numbers_so_small_that_they_lose_digits() -> None:
    for s in (1e-310, 5e-324, 1e-300):
        X, y = [[s, 0], [0, s], [0, -s]], [1, 1, 1]
        verdict = separability(X, y, through_origin=True, time_limit=20)
        assert verdict.kind == "quasi-separable"
        check(verdict, np.array(X), y)
    for X, y in (
        ([[1e308, 1], [1e-308, 1], [5e-324, 1]], [1, -1, 1]),
        ([[1e-300, 1e300], [1e-300, -1e300], [0, 1e-300], [0, 0], [0, 0]], [1, 1, 1, 1, -1]),
        ([[1.7e308] * 4, [-1.7e308] * 4], [1, -1]),
    ):
        verdict = separability(X, y)
        check(verdict, np.array(X), y)
        assert verdict.summary().splitlines()[0] == HEADS[verdict.kind]


@pytest.mark.long
def test_columns_that_are_never_used_cost_nothing() -> None:
    rng = np.random.default_rng(5)
    n, d = 120, 100_000
    columns = rng.integers(0, 30, (n, 6)) * 1999
    values = (rng.standard_normal(n * 6), (np.repeat(np.arange(n), 6), columns.ravel()))
    X, y = sp.csr_array(values, shape=(n, d)), rng.choice([-1, 1], n)
    verdict = separability(X, y)
    assert verdict.kind == "overlapping"
    assert verdict.check()
    planned = np.where(X @ rng.standard_normal(d) > 0, 1, -1)
    assert separability(X, planned).check()


def test_a_dictionary_asks_for_coefficients_once_and_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = [[1.0, 0], [2, 1], [3, 1], [5, 0]], [-1, -1, 1, 1]
    verdict = separability(X, y)
    known = verdict.to_dict()["logistic_regression"]
    assert known["infinite"] == {"x0": "+inf", "x1": "indeterminate", "(offset)": "-inf"}
    monkeypatch.setattr("rosenblatt.separation.verdict.coefficients", None)
    assert verdict.to_dict()["logistic_regression"] == known  # not asked again
    monkeypatch.undo()
    monkeypatch.setattr("rosenblatt.separation.verdict._PATIENCE", 1e-9)
    hasty = separability(X, y)
    why = "not settled: the time limit ran out"
    assert hasty.to_dict()["logistic_regression"] == {
        "estimate": "infinite", "why": why, "infinite": dict.fromkeys(["x0", "x1", "(offset)"], "infinite"),
        "aliased": [], "dropped": [], "terms": {"(offset)": "(Intercept)"}, "nearly_dependent": [],
        "unsettled": 3, "least_dropped": 0, "dropped_settled": False,
    }  # fmt: skip
    summary = " ".join(hasty.summary().split())
    assert "(which of the two is not settled): 3 of 3 coefficients, such as x0, x1, (Intercept). (Which" in summary
    assert f"(Which coefficients: {why}.)" in summary
    assert hasty.coefficients == {"x0": "+inf", "x1": "indeterminate", "(offset)": "-inf"}


def test_a_summary_can_be_pasted() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.where(rng.random(60) < 0.5, "sick", "well")
    text = separability(X, y).summary()
    assert f"class well ({(y == 'well').sum()} rows) against sick" in text
    assert "the maximum-likelihood estimate is finite" in text
    doubled = separability(np.column_stack([X, X[:, 0]]), y)
    assert doubled.aliased == ("x2",)
    assert doubled.dependences == {"x2": {"x0": 1}}
    assert "is finite (overlap), but not unique: columns are dependent." in " ".join(doubled.summary().split())
    assert "\n  x2 = x0" in doubled.summary()
    X[:, 1] = (y == "well") & (X[:, 0] > 0)
    assert "\n  +inf  x1" in separability(X, y).summary()
    assert max(map(len, text.splitlines())) <= 80
    twice = separability(Examples.of(X, y, feature_names=["a", "a"]))
    assert list(twice.coefficients) == ["a (column 0)", "a (column 1)", "(offset)"]


@pytest.mark.parametrize(
    ("kind", "x"), [("separable", [1, 2, 3, 4]), ("quasi-separable", [1, 2, 2, 3]), ("overlapping", [1, 3, 2, 4])]
)
def test_a_verdict_notices_rows_changed_behind_its_back(kind: str, x: list[float]) -> None:
    X = np.array(x, dtype=float)[:, None]
    verdict = separability(X, [1, 1, -1, -1])
    assert verdict.kind == kind
    X[0] = 9
    looks = [lambda: verdict.proof, lambda: verdict.check(), lambda: verdict.coefficients, lambda: verdict.aliased]
    for look in [*looks, *([lambda: verdict.margin2] if kind == "separable" else [])]:
        with pytest.raises(InputError, match="changed since: ask again"):
            look()


@pytest.mark.parametrize("origin", [False, True])
@pytest.mark.parametrize("kind", ["separable", "quasi-separable", "overlapping"])
def test_columns_that_no_row_uses_have_no_say(kind: str, origin: bool) -> None:
    """Few columns of very many: the same verdict as of those few, and a proof for all."""
    x = {"separable": [1, 2, -3, -4], "quasi-separable": [1, 0, 0, -3], "overlapping": [1, -3, 2, -4]}[kind]
    few = np.column_stack([np.array(x) + (0.0 if origin else 7.0), [0, 0, 0, 0] if origin else [1, 1, 1, 1]])
    y, used = [1, 1, -1, -1], [17, 801]
    wide = sp.lil_array((4, 900))
    wide[:, used] = few
    narrow, verdict = separability(few, y, through_origin=origin), separability(wide.tocsr(), y, through_origin=origin)
    assert narrow.kind == verdict.kind == kind
    assert verdict.check()
    if kind == "separable":
        assert verdict.exact_hyperplane is not None
        assert verdict.hyperplane is not None
        w, b = verdict.exact_hyperplane
        assert {j for j, weight in enumerate(w) if weight} <= set(used)
        assert not origin or b == 0
        assert (y * verdict.hyperplane.scores(wide.tocsr()) > 0).all()


@pytest.mark.serial
def test_the_time_limit_is_nearly_kept() -> None:
    rng = np.random.default_rng(1)
    for X, y in (
        (rng.normal(size=(3000, 150)), rng.choice([-1, 1], 3000)),
        (sp.random_array((2000, 30_000), density=1e-3, rng=rng, format="csr"), rng.choice([-1, 1], 2000)),
    ):
        begin = time.monotonic()
        verdict = separability(X, y, time_limit=1.0)
        assert time.monotonic() - begin < 5
        assert verdict.kind in ("undecided", "separable", "overlapping", "quasi-separable")
        assert verdict.summary()


def test_of_more_classes_each_against_the_rest_or_each_pair() -> None:
    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    rest = separability(X, y, multiclass="rest")
    assert {label: v.kind for label, v in rest.items()} == {0: "separable", 1: "overlapping", 2: "overlapping"}
    pairs = separability(X, y, multiclass="pairs")
    assert {pair: v.kind for pair, v in pairs.items()} == {
        (0, 1): "separable",
        (0, 2): "separable",
        (1, 2): "overlapping",
    }
    for verdict in (*rest.values(), *pairs.values()):
        assert verdict.check()
    # Rows are the user's, and labels too.
    overlap = pairs[1, 2]
    assert set(y[overlap.witness_rows]) == {1, 2}
    assert overlap.examples.classes.tolist() == [1, 2]
    with pytest.raises(InputError, match="3 classes: say multiclass='rest'"):
        separability(X, y)


def test_a_time_limit_leaves_it_undecided_and_says_what_is_known() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200_000, 20)), rng.choice([-1, 1], 200_000)
    verdict = separability(X, y, time_limit=1e-9)
    assert (verdict.kind, verdict.separable) == ("undecided", None)
    assert "time limit" in verdict.summary()
    with pytest.raises(InputError, match="raise time_limit"):
        _ = verdict.proof
    with pytest.raises(InputError, match="raise time_limit"):
        _ = verdict.coefficients


def test_bad_input_is_named() -> None:
    for form in (np.array, sp.csr_array):
        with pytest.raises(InputError, match="row 1, column 0: not a finite number"):
            separability(form([[1.0], [np.nan], [2.0]]), [1, -1, 1])
    with pytest.raises(InputError, match="labels are missing"):
        separability([[1.0]])
    with pytest.raises(InputError, match="unknown multiclass 'all'"):
        separability([[1.0], [2.0]], [1, -1], multiclass="all")
    with pytest.raises(InputError, match="time_limit must be a finite number > 0"):
        separability([[1.0], [2.0]], [1, -1], time_limit=0)
    with pytest.raises(InputError, match="masked"):
        separability([[1.0], [2.0]], np.ma.array([1, -1], mask=[1, 0]))
    with pytest.raises(InputError, match="labels must form a column"):
        separability([[1.0], [2.0]], [[1], [1, 2]])
    wide = np.array([[np.longdouble(1)], [np.longdouble(1) + np.longdouble(2) ** -60]])
    if wide.dtype.itemsize > 8:
        with pytest.raises(InputError, match="float64 does not hold"):
            separability(wide, [-1, 1])
    with pytest.raises(InputError, match="2 rows but 3 labels"):
        separability([[1.0], [2.0]], [1, -1, 1])
    assert separability(Examples.of([[1.0], [2.0]], ["a", "b"])).kind == "separable"


def test_the_verdict_does_not_depend_on_threads_or_storage() -> None:
    rng = np.random.default_rng(5)
    X = rng.integers(-3, 4, size=(500, 5)).astype(float)
    y = np.where(X @ [1, -1, 2, 0, 1] + rng.integers(-1, 2, size=500) > 0, 1, -1)
    verdicts = [separability(form(X), y, threads=t) for form in (np.asarray, sp.csr_array, np.float32) for t in (1, 3)]
    assert len({v.kind for v in verdicts}) == 1
    assert len({v.proof.sha256 for v in verdicts}) == 1
    assert all(verify(v.proof, X, y) for v in verdicts)


@pytest.mark.slow
def test_the_search_survives_a_solver_that_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Floats only propose: with hints that are nonsense, or none, the verdict is the same."""
    rng = np.random.default_rng(6)
    for lie in ("nothing", "noise"):
        solve = lp.Program.solve

        def lying(self: Any, seconds: float, lie: str = lie, solve: Any = solve) -> Any:
            hint = solve(self, seconds)
            if lie == "nothing" or hint is None:
                return None
            v = [Fraction(x) for x in rng.normal(size=len(hint.v)).tolist()]
            return hint._replace(value=float(rng.normal()), v=v, support=hint.support[::-1][:2])

        with monkeypatch.context() as patched:
            patched.setattr(lp.Program, "solve", lying)
            patched.setattr(signed_rows, "_MANY", 2)  # so that most rows are outside the working set
            for _ in range(20):
                X = instance(rng, 12, 2)
                y = labelings(rng, X, 3)[2]
                verdict = separability(X, y)
                assert verdict.kind == separated.kind(separated.circuits(X.tolist(), False), y)
                check(verdict, X, y)


@pytest.mark.slow
def test_how_many_labelings_of_some_points_are_separable() -> None:
    rng = np.random.default_rng(0)
    for n, d in ((1, 1), (5, 1), (6, 2), (7, 3)):
        found = dichotomies(rng.normal(size=(n, d)))
        assert len(found) == found.cover == cover(n, d)
        assert len(found.shattered) == min(n, d + 1)  # the VC dimension
    grid = [[a, b] for a in range(3) for b in range(3)][:7]
    found = dichotomies(grid)
    known = separated.circuits(grid, False)
    labels = [tuple(1 if code >> i & 1 else -1 for i in range(7)) for code in range(128)]
    for chosen in labels:
        separable = separated.kind(known, chosen) == "separable"
        assert (chosen in found.labelings) == separable
        proof = found.proof(chosen)
        assert proof.kind == ("separable" if separable else "inseparable")
        assert verify(proof, np.array(grid, dtype=float), np.array(chosen))
    assert len(found) < found.cover  # three in a line
    through = dichotomies(rng.normal(size=(6, 2)), through_origin=True)
    assert len(through) == cover(6, 2, through_origin=True) == 12
    with pytest.raises(InputError, match="up to 16 points"):
        dichotomies(np.eye(17))
    with pytest.raises(InputError, match="7 labels"):
        found.proof([1, 2])


def test_weights_that_came_back_prove_inseparability() -> None:
    X, y = datasets.get("xor")
    for offset in (0, 1.0, "radius"):
        run = learn(X, y, offset=offset, log=True)
        proof = loop_proof(run)
        assert proof.through_origin == (offset == 0)
        assert verify(proof, X, y)
    with pytest.raises(InputError, match="ended in a loop"):
        loop_proof(learn([[1], [2]], [1, -1], log=True))
    # Floats that come back by rounding prove nothing, and it is said.
    X, y = datasets.get("only-by-rounding")
    run = learn(X, y, offset="radius", log=True)
    assert run.status.name == "loop"
    with pytest.raises(InputError, match="came back by rounding"):
        loop_proof(run)
    # The delta rule steps back, too: w = 0, 2, 0, 2, … on one row, without any rounding.
    run = learn([[1.0]], [1], rule="delta", eta=2.0, offset=0, log=True)
    assert run.status.name == "loop"
    with pytest.raises(InputError, match="came back by steps of either sign, which prove nothing"):
        loop_proof(run)


def test_a_verdict_on_decimals_may_differ_from_that_on_doubles() -> None:
    table = [["0.1", "1"], ["0.3", "3"], ["0.2", "2"]]
    found = compare_decimals(table, [1, 1, -1])
    assert (found.stored.kind, found.written, found.differ) == ("separable", "overlapping", True)
    assert "only by rounding" in found.summary()
    assert not compare_decimals([["1", "2"], ["3", "4.5"]], [1, -1]).differ
    with pytest.raises(InputError, match="row 1, column 0: 'x' is not a decimal"):
        compare_decimals([["1"], ["x"]], [1, -1])
    assert not compare_decimals([["1.2345"], ["1.2346"]], [1, -1]).differ
    assert compare_decimals([["1.00000000000000000000"], ["2e0"]], [1, -1]).written == "separable"
    with pytest.raises(InputError, match=r"row 0, column 0: 0\.1 is not text"):
        compare_decimals([[0.1], [0.2]], [1, -1])  # type: ignore[list-item]
    with pytest.raises(InputError, match="too many digits next to the others"):
        compare_decimals([["1e-30"], ["1"]], [1, -1])


@pytest.mark.slow
@pytest.mark.parametrize("inputs", ["01", "±1"])
def test_which_boolean_functions_are_one_perceptron(inputs: str) -> None:
    """4, 14 and 104 functions of 1, 2 and 3 inputs."""
    for n, expected in ((1, 4), (2, 14), (3, 104)):
        count = 0
        for code in range(2 ** (2**n)):
            table = [code >> i & 1 for i in range(2**n)]
            found = network.single(table, inputs)
            corners = network.from_truth_table(table, inputs).corners
            signs = np.where(np.array(table) == 1, 1, -1)
            assert verify(found.proof, corners, signs)
            if found.unit is None:
                assert found.proof.kind in ("quasi-separable", "overlapping")
                continue
            count += 1
            assert found.unit.w.tolist() == [round(v) for v in found.unit.w.tolist()]
            assert found.unit.predict(corners).tolist() == table
            assert (np.abs(found.unit.scores(corners)) >= 1).all()
        assert count == expected


def test_the_checker_needs_neither_the_core_nor_the_search() -> None:
    program = (
        "import sys; from rosenblatt import verify\n"
        "print([m for m in sys.modules if m.startswith(('rosenblatt._core', 'flint', 'highspy', 'scipy'))\n"
        "       or m in ('rosenblatt.separation.search', 'rosenblatt.separation.exact', 'rosenblatt.data.examples')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
    assert done.stdout == "[]\n"


def test_a_direction_and_a_witness_are_quasi_separable_though_the_boundary_is_not_sorted_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, y = [[-1.0, 0], [0, 0], [0, 0], [1, 0], [0, 1]], [-1, -1, 1, 1, 1]
    known = separability(X, y)
    assert known.boundary_rows is not None
    assert (known.kind, known.boundary_rows.tolist()) == ("quasi-separable", [1, 2])
    early = replace(known.found, balance=None, boundary=None, steps=["the time limit ran out"])
    monkeypatch.setattr("rosenblatt.separation.separability.search", lambda *_, **__: early)
    verdict = separability(X, y)
    assert (verdict.kind, verdict.separable, verdict.boundary_rows) == ("quasi-separable", False, None)
    assert verdict.proof.unsorted
    assert verdict.check()
    assert "not sorted out" in " ".join(verdict.summary().split())
    assert "not sorted out" in verdict._repr_html_()
    assert verdict.to_dict()["boundary"] is None
    settled = known.coefficients
    assert all(word in ("infinite", "unknown", settled[name]) for name, word in verdict.coefficients.items())
    # Without a direction it is not known whether they overlap; with a balance and none, they do.
    early = replace(early, v=None)
    verdict = separability(X, y)
    assert (verdict.kind, verdict.separable, verdict.proof.kind) == ("undecided", False, "inseparable")
