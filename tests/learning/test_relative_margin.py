"""A margin in units of the rows: the median of ‖x′‖²."""

from typing import Any

import laws
import numpy as np
import pytest
import scipy.sparse as sp
from gathered_source import GatheredSource

from rosenblatt import Examples, InputError, OnlinePerceptron, Perceptron, learn, load, max_margin
from rosenblatt.data import scans


def test_the_unit_is_the_median_of_the_squared_lengths() -> None:
    """‖x′‖² of 3, 4 and 10 is 10, 17, 101 with ρ = 1; of 3 and 4 alone, the mean of the two in the middle."""
    for rows, offset, unit in (
        ([3, 4, 10], 1, 17.0),
        ([4, 3], 1, 13.5),
        ([3, 4, 10], 0, 16.0),
        ([3, 4], "radius", 28.5),
    ):
        run = learn([[float(v)] for v in rows], [1] * len(rows), rule="relative-margin", offset=offset)
        assert run.state.unit == unit


def test_it_is_the_fixed_margin_rule_in_other_units() -> None:
    X, y = laws.reals(1)
    ours = learn(X, y, rule="relative-margin", beta=0.5, max_epochs=5, log=True)
    theirs = learn(X, y, rule="fixed-margin", beta=0.5 * ours.state.unit, max_epochs=5, log=True)
    assert np.array_equal(ours.state.weights, theirs.state.weights)
    assert ours.parameters == {"beta": 0.5}
    assert ours.absolute == theirs.parameters


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("plan", [{}, {"batch_size": 9}, {"order": "shuffled", "readout": "averaged"}], ids=str)
@pytest.mark.parametrize("c", [2.0**-7, 2.0, 2.0**20])
def test_the_unit_of_the_rows_is_no_matter(c: float, plan: dict[str, Any], form: Any) -> None:
    X, y = laws.reals(2)
    how = {"rule": "relative-margin", "beta": 0.7, "max_epochs": 6, **plan}
    one, other = learn(form(X), y, offset=0.5, **how), learn(form(c * X), y, offset=0.5 * c, **how)
    assert np.array_equal(one.scores(X) * c * c, other.scores(c * X))
    assert np.array_equal(one.predict(X), other.predict(c * X))
    assert one.status.key == other.status.key
    assert np.array_equal(one.history.mistakes, other.history.mistakes)


def test_bounds_speak_of_the_absolute_margin() -> None:
    X, y = np.array([[1.0], [2.0], [4.0], [5.0]]), np.array([1, 1, -1, -1])
    run = learn(X, y, rule="relative-margin", beta=2.0, log=True)
    best = max_margin(X, y, offset=1)
    assert best.margin is not None
    B, R2, margin = 2.0 * (5 + 17) / 2, 26.0, float(best.margin)
    for found in (run.audit(best.hyperplane), run.against(best)):
        bounds = {check.quantity: check.bound for check in found.checks if check.law == "5"}
        assert bounds["updates"] == pytest.approx((R2 + 2 * B) / margin**2)
        assert bounds["margin reached"] == pytest.approx(B * margin / (R2 + 2 * B))


def test_a_run_that_goes_on_keeps_its_unit(tmp_path: Any) -> None:
    X, y = laws.reals(3)
    plan = {"rule": "relative-margin", "max_epochs": 6, "batch_size": 3}
    whole = learn(X, y, **plan)
    first = learn(X, y, callback=lambda progress: progress.next is not None, marks=[555], **plan)
    laws.assert_same_state(whole.state, learn(X, y, start=first.state, **plan).state)
    model = Perceptron(rule="relative-margin", readout="last", shuffle=False).partial_fit(X, y, classes=[-1, 1])
    unit = model._model.state.unit
    assert unit == whole.state.unit
    model.save(tmp_path / "model")
    for one in (model, load(tmp_path / "model")):
        for _ in range(2):
            one.partial_fit(100 * X, y)
            assert one._model.state.unit == unit


@pytest.mark.parametrize("most", [7, 100, 399, 400])
def test_of_very_many_rows_some_are_asked(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = laws.reals(4)
    monkeypatch.setattr(scans, "_MEDIAN_ROWS", most)
    every = -(-400 // most)
    wanted = np.median(np.square(X[::every]).sum(axis=1) + 1)
    for source in (Examples.signed(X, y), GatheredSource(X, y)):
        for threads in (1, 3):
            assert scans.median_square(source, 1.0, threads) == pytest.approx(wanted, rel=1e-14)


def test_rows_that_have_no_length_are_refused() -> None:
    for rows, match in (
        ([[1.0], [np.nan]], "row 1"),
        ([[1.0], [1e200]], "row 1: its length overflows; rescale"),
        ([[1e-170], [2e-170]], "median of ‖x′‖²"),
    ):
        with pytest.raises(InputError, match=match):
            learn(rows, [1, -1], rule="relative-margin", offset=0)


def test_a_stream_has_no_rows_to_measure_by() -> None:
    with pytest.raises(InputError, match=r"'relative-margin' gives beta in units of the rows.*use 'fixed-margin'"):
        OnlinePerceptron(rule="relative-margin")
