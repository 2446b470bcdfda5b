"""Figures of what was chosen by rows held out, and of runs that bet: drawn where they can be, refused in one line."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Examples, InputError, LinearClassifier, datasets, learn
from rosenblatt.learning.choose import choose
from rosenblatt.runs.choice import Candidate

pytest.importorskip("matplotlib")

from rosenblatt import plots

CANDIDATES = [Candidate("relative-margin", 1.0, "standard"), Candidate("relative-margin", 3.0), Candidate("scinol"),
              Candidate("coin")]  # fmt: skip
UNLIKE = np.array([1.0, 1e3])  # sizes of columns that a scale must fold back into


@pytest.fixture(params=CANDIDATES, ids=lambda one: one.name)
def fitted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[LinearClassifier, Any, Any]:
    """A classifier that had one candidate to choose from."""
    monkeypatch.setattr("rosenblatt.learning.choose.candidates_for", lambda *known: (request.param,))
    sample = datasets.noisy(100, 2, noise=0.05, seed=1)
    X = sample.X * UNLIKE + 1
    return LinearClassifier().fit(X, sample.y), X, sample.y


def test_margins_are_distances_in_the_columns_as_they_are(fitted: Any) -> None:
    model, X, y = fitted
    shown = plots.MarginDistributionDisplay.from_estimator(model, X, y).margins_["LinearClassifier"]
    w, b = model.coef_[0], model.intercept_[0]
    assert shown == pytest.approx(y * (X @ w + b) / np.hypot(*w), rel=1e-9)


def test_weights_are_those_that_predict(fitted: Any) -> None:
    model, _, _ = fitted
    assert np.array_equal(plots.WeightsDisplay.from_estimator(model).weights[:, 0], model.coef_[0])


def test_the_line_is_where_the_score_is_zero(fitted: Any) -> None:
    model, X, y = fitted
    display = plots.SeparationDisplay.from_estimator(model, X, y)
    (plane,) = display.hyperplanes
    assert np.array_equal(plane.w, model.coef_[0])
    assert plane.b == model.intercept_[0]


def test_of_three_classes_weights_are_drawn_and_margins_refused() -> None:
    iris = datasets.get("iris")
    model = LinearClassifier().fit(iris.X, iris.y)
    assert plots.WeightsDisplay.from_estimator(model).weights.shape == (4, 3)
    with pytest.raises(InputError, match="LinearClassifier has no single hyperplane") as refusal:
        plots.MarginDistributionDisplay.from_estimator(model, iris.X, iris.y)
    assert "\n" not in str(refusal.value)


def test_sparse_rows_are_drawn_as_dense_ones() -> None:
    sample = datasets.noisy(60, 4, noise=0.05, seed=2)
    model = LinearClassifier().fit(sp.csr_array(sample.X), sample.y)
    both = [
        plots.MarginDistributionDisplay.from_estimator(model, X, sample.y) for X in (sp.csr_array(sample.X), sample.X)
    ]
    assert both[0].margins_["LinearClassifier"] == pytest.approx(both[1].margins_["LinearClassifier"])


def test_the_run_that_was_chosen_can_be_drawn() -> None:
    sample = datasets.noisy(80, 2, noise=0.05, seed=4)
    run, _ = choose(Examples.of(*sample))
    shown = plots.MistakesDisplay.from_run(run)
    assert shown.ax_.get_xlabel()
    margins = plots.MarginDistributionDisplay.from_run(run).margins_
    wrong = int((run.predict(sample.X) != sample.y).sum())
    assert [int((found <= 0).sum()) for found in margins.values()] == [wrong]


@pytest.mark.parametrize("rule", ["coin", "scinol"])
@pytest.mark.parametrize("scale", ["none", "standard"])
@pytest.mark.parametrize("log", [False, True])
def test_of_a_run_that_bets_what_needs_no_path_is_drawn(rule: str, scale: str, log: bool) -> None:
    sample = datasets.noisy(60, 2, noise=0.05, seed=1)
    X = sample.X * UNLIKE
    run = learn(X, sample.y, rule=rule, scale=scale, log=log, max_epochs=4)
    (shown,) = plots.MarginDistributionDisplay.from_run(run).margins_.values()  # at the end alone
    assert int((shown <= 0).sum()) == int((run.predict(X) != sample.y).sum())
    plots.MistakesDisplay.from_run(run)
    plots.SeparationDisplay.from_run(run)
    kept = learn(X, sample.y, rule=rule, scale=scale, log=log, readout=("averaged", "last"), max_epochs=4)
    assert plots.ReadoutsDisplay.from_run(kept).readouts_ == ("last", "averaged")


@pytest.mark.parametrize("rule", ["coin", "scinol"])
def test_of_a_run_that_bets_what_needs_its_path_is_refused_in_one_line(rule: str, tmp_path: Any) -> None:
    sample = datasets.noisy(60, 2, noise=0.05, seed=1)
    run = learn(*sample, rule=rule, log=True, readout=("averaged", "last"), max_epochs=4)
    asked = {
        "no trajectory": lambda: plots.LossDisplay.from_run(run),
        "no trajectory:": lambda: plots.UpdateDisplay.from_run(run, 1),
        "other laws": lambda: plots.TheoremDisplay.from_run(run, run.hyperplane),
        "other laws than": lambda: plots.TheoremDisplay.from_audit(run.audit(run.hyperplane)),
        "has no trajectory": lambda: plots.animate(run, tmp_path / "run.gif"),
    }
    for words, draw in asked.items():
        with pytest.raises(InputError, match=words) as refusal:
            draw()
        assert "\n" not in str(refusal.value)
    assert not list(tmp_path.iterdir())
