"""Choosing from rows that are few, alike, far apart in size, or hostile: a choice, or one clear line."""

import sys
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Examples, InputError, learn
from rosenblatt.learning.candidates import candidates_for
from rosenblatt.learning.choose import choose
from rosenblatt.learning.race import format_for, parts_of
from rosenblatt.runs.choice import Candidate

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 4))
Y = (X @ [1, 2, 0, -1] + RNG.normal(size=300) > 0).astype(int)


def chosen(rows: Any = X, labels: Any = Y, **kept: Any) -> Any:
    return choose(Examples.of(rows, labels), **kept)


def try_only(monkeypatch: pytest.MonkeyPatch, *candidates: Candidate) -> None:
    # `rosenblatt.learning.choose` by its dots is the function, where the package lends it out by name
    monkeypatch.setattr(sys.modules["rosenblatt.learning.choose"], "candidates_for", lambda *known: candidates)


# What is tried.


@pytest.mark.parametrize("classes", [2, 3, 10])
def test_candidates_are_few_and_different(classes: int) -> None:
    dense, sparse = candidates_for(False, 9, classes, few=True), candidates_for(True, 5000, classes, few=True)
    assert dense[0] == Candidate("relative-margin", 1.0, "standard", "direct")
    assert {one.scale for one in sparse} == {"none"}
    assert [one.name for one in sparse if one.multiclass == "ovr"] == ["scinol, one-vs-rest"] * (classes > 2)
    for some in (dense, sparse):
        assert len({one.name for one in some}) == len(set(some)) == len(some) <= 5
        assert {"scinol", "coin", "relative-margin"} == {one.rule for one in some}


def test_a_table_with_zeros_is_tried_as_a_table_and_many_rows_with_one_margin_less() -> None:
    few, many = candidates_for(False, 50, 3, few=True), candidates_for(False, 50, 3, few=False)
    assert candidates_for(True, 50, 3, few=True) == few  # sparse, but hardly words
    assert few[1:] == many
    assert few[0] == Candidate("relative-margin", 1.0, "standard")


# Few rows.


@pytest.mark.parametrize("n", [2, 5, 19])
def test_few_rows_are_not_judged_by(n: int) -> None:
    labels = np.arange(n) % 2
    run, choice = chosen(X[:n], labels)
    assert (choice.held_out, choice.folds, choice.most_common, choice.lead) == (0, 0, None, None)
    assert len(choice.tried) == 1
    assert choice.plan() == {
        "rule": "relative-margin", "beta": 1.0, "scale": "standard", "multiclass": "direct", "order": "shuffled",
        "readout": "averaged", "tol": None, "max_epochs": 10, "seed": 0,
    }  # fmt: skip
    assert np.array_equal(run.state.weights, learn(Examples.of(X[:n], labels), **choice.plan()).state.weights)
    assert "too few" in choice.summary()
    assert "too few rows to choose by" in str(run.status)


def test_twenty_rows_are_judged_by() -> None:
    _, choice = chosen(X[:20], np.arange(20) % 2)
    assert (choice.held_out, choice.folds, len(choice.tried)) == (20, 5, 5)


def test_a_class_of_one_row_is_met_and_never_right_where_it_is_held_out() -> None:
    labels = np.where(np.arange(300) == 5, 7, Y)
    run, choice = chosen(labels=labels)
    assert run.state.weights.shape == (4, 3)
    assert choice.best.accuracy <= 299 / 300
    assert choice.most_common == pytest.approx(np.bincount(labels).max() / 300)


def test_as_many_classes_as_rows() -> None:
    _, choice = chosen(X[:30], np.arange(30))
    assert {one.accuracy for one in choice.tried} == {0.0}  # no class that is held out has been met
    assert choice.chosen == 0  # ties go to the first
    assert (choice.lead, choice.lead_error) == (0.0, 0.0)


# Rows of every size.


@pytest.mark.parametrize("power", [-12, -3, 6, 100])
def test_columns_times_a_power_of_two_are_chosen_alike(power: int) -> None:
    """Exact in floats, so that what is standardised has the same bits, and a bet the same outcome."""
    _, plain = chosen()
    _, scaled = chosen(X * 2.0**power)
    for one, other in zip(plain.tried, scaled.tried, strict=True):
        if one.candidate.scale == "standard" or one.candidate.rule == "scinol":
            assert one == other


def test_columns_times_powers_of_ten_are_learnt_as_well() -> None:
    factors = 10.0 ** np.array([-6, 0, 3, 7])
    (run, choice), (_, plain) = chosen(X * factors), chosen()
    assert choice.best.accuracy >= plain.best.accuracy - 0.01
    assert (run.predict(X * factors) == Y).mean() > 0.85


def test_constant_columns_change_little() -> None:
    run, choice = chosen(np.c_[X, np.full(300, 7.0), np.zeros(300)])
    assert choice.best.accuracy > 0.87
    assert run.state.folded("averaged")[0][5, 0] == 0.0


@pytest.mark.parametrize("offset", [0.0, 1.0])
def test_rows_of_zeros_are_a_guess(offset: float) -> None:
    _, choice = chosen(X * 0, offset=offset)
    assert 0.4 < choice.best.accuracy < 0.6


def test_rows_in_copies() -> None:
    _, choice = chosen(np.repeat(X, 3, axis=0), np.repeat(Y, 3))
    assert choice.rows == choice.held_out == 900
    assert choice.best.accuracy > 0.87


def test_float32_is_judged_as_its_numbers_in_float64() -> None:
    (run, choice), (wide, other) = chosen(X.astype(np.float32)), chosen(X.astype(np.float32).astype(np.float64))
    assert choice.to_dict() == other.to_dict()
    assert np.array_equal(run.state.weights, wide.state.weights)


# Weights.


def test_accuracy_is_by_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weight 2 counts twice and weight 0 not at all; a row so weighted is learnt from as `learn` does."""
    try_only(monkeypatch, Candidate("coin"))
    weight = np.random.default_rng(1).integers(0, 3, 300).astype(float)
    _, choice = chosen(sample_weight=weight)
    source, part = Examples.of(X, Y), parts_of(0, np.arange(300), format_for(300, 1200.0))
    right = np.zeros(300)
    for fold in range(5):
        run = learn(source, sample_weight=np.where(part == fold, 0, weight), **choice.plan())
        right[part == fold] = (run.predict(X) == Y)[part == fold]
    copies = np.repeat(right, weight.astype(int))
    assert choice.best.accuracy == pytest.approx(copies.mean(), abs=1e-12)
    assert choice.most_common == pytest.approx(np.bincount(np.repeat(Y, weight.astype(int))).max() / weight.sum())


def test_rows_of_weight_0_may_have_any_label() -> None:
    weight, labels = np.where(np.arange(300) % 3, 1.0, 0.0), Y.copy()
    labels[::3] = np.random.default_rng(1).integers(0, 2, 100)
    (run, choice), (other, again) = chosen(sample_weight=weight), chosen(labels=labels, sample_weight=weight)
    assert choice.to_dict() == again.to_dict()
    assert np.array_equal(run.state.weights, other.state.weights)


def test_no_weight_on_the_rows_held_out_is_no_division_by_zero() -> None:
    part = parts_of(0, np.arange(6000), format_for(6000, 1e4))
    rows = np.random.default_rng(1).normal(size=(6000, 2))
    _, choice = chosen(rows, rows[:, 0] > 0, sample_weight=(part < 0).astype(float))
    assert choice.best.accuracy > 0.95  # all count alike then


# Numbers that leave float64, and what is no number.


def test_a_candidate_that_leaves_float64_is_dropped_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    _, before = chosen(X * 1000)
    try_only(monkeypatch, Candidate("delta"), *candidates_for(False, 5, 2, few=True))
    _, choice = chosen(X * 1000)
    assert choice.tried[0] == (Candidate("delta"), 0, None, 0, "fault")
    assert choice.tried[1:] == before.tried
    assert choice.best == before.best
    assert "its numbers left float64" in choice.summary()
    try_only(monkeypatch, Candidate("delta"))
    with pytest.raises(InputError, match="numbers leave float64 with every candidate: rescale the data"):
        chosen(X * 1000)


HOSTILE = {
    "nan": (7, 2, np.nan, "row 7, column 2: not a finite number"),
    "inf": (299, 0, -np.inf, "row 299, column 0: not a finite number"),
}


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_value_is_named(what: str, sparse: bool) -> None:
    row, column, value, why = HOSTILE[what]
    rows = X.copy()
    rows[row, column] = value
    with pytest.raises(InputError, match=why) as refused:
        chosen(sp.csr_array(rows) if sparse else rows)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("size", [1e-200, 1e155, 1e200, 1e308])
def test_numbers_that_some_candidates_cannot_square_are_left_to_those_that_can(size: float) -> None:
    rows = X / 8 * size
    run, choice = chosen(rows)
    assert {one.end for one in choice.tried} > {"fault"}
    assert choice.best.candidate.scale == "standard"
    assert (run.predict(rows) == Y).mean() > 0.85


def test_where_no_candidate_is_left_one_line_says_why() -> None:
    with pytest.raises(InputError, match="with every candidate: rescale the data") as refused:
        chosen(sp.csr_array((np.full(300, 1e300), np.arange(300) * 10, np.arange(301)), shape=(300, 3000)))
    assert "\n" not in str(refused.value)


def test_arguments_are_checked_first() -> None:
    with pytest.raises(InputError, match="one class only"):
        chosen(labels=np.ones(300))
    with pytest.raises(InputError, match="seed"):
        chosen(seed=-1)
    with pytest.raises(InputError, match="sample_weight of row 0"):
        chosen(sample_weight=-np.ones(300))
    with pytest.raises(InputError, match="threads"):
        chosen(threads=0)
