"""The best linear model of a study: what `choose` says, in the report, the text and the folder."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import rosenblatt
from rosenblatt import Examples, LinearClassifier, datasets, study
from rosenblatt.learning.choose import choose
from rosenblatt.studies.best import effort


def rare() -> tuple[Any, Any]:
    """Two in a hundred are of the other class, and nothing tells them apart."""
    X = np.random.default_rng(5).normal(size=(200, 3))
    return X, np.where(np.arange(200) % 50 == 0, "rare", "usual")


def three() -> tuple[Any, Any]:
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 3, 120)
    return rng.normal(size=(120, 2)) + 3 * np.array([[0, 0], [1, 0], [0, 1]])[codes], np.array(list("abc"))[codes]


def sparse() -> tuple[Any, Any]:
    sample = datasets.noisy(150, 20, noise=0.05, seed=3)
    return sp.csr_array(np.where(np.abs(sample.X) < 0.2, 0.0, sample.X)), sample.y


def tiny() -> tuple[Any, Any]:
    sample = datasets.noisy(19, 2, noise=0.1, seed=1)
    return sample.X, sample.y


@pytest.mark.parametrize("data", [rare, three, sparse, tiny], ids=lambda data: data.__name__)
@pytest.mark.parametrize("offset", [1.0, 0.0])
def test_a_study_says_what_choose_says(data: Any, offset: float) -> None:
    X, y = data()
    found = study(X, y, seed=7, offset=offset, time_limit=0.5)
    report = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    run, choice = choose(Examples.of(X, y), seed=7, offset=offset)
    assert report["choice"] == json.loads(json.dumps(choice.to_dict()))
    assert found.choice.to_dict() == choice.to_dict()
    said = None if choice.evaluation is None else choice.evaluation.to_dict("choosing")
    assert report["evaluation"] == json.loads(json.dumps(said))
    assert ("balanced accuracy" in found.summary()) == (said is not None)
    assert report["best"]["wrong"] == int((run.predict(X) != y).sum())
    assert report["best"]["share"] == report["best"]["wrong"] / len(y)
    assert np.array_equal(found.best.model.predict(X), run.predict(X))
    assert max(map(len, found.summary().splitlines())) <= 80


def test_the_baseline_is_the_most_common_class_of_the_rows_held_out() -> None:
    X, y = rare()
    found = study(X, y, time_limit=0.5)
    assert found.choice.held_out == 200  # in five folds, each row once
    assert found.choice.most_common == pytest.approx(196 / 200)
    said = " ".join(found.summary().split())
    assert "a guess at the most common class, 98.00%" in said
    assert ("no better than that" in said) == (found.choice.best.accuracy <= found.choice.most_common)


def test_accuracy_comes_before_the_verdicts_details() -> None:
    X, y = three()
    found = study(X, y, time_limit=0.5)
    text, right = found.summary(), f"{found.choice.best.accuracy:.2%}"
    assert text.index(f"The best linear model gets {right} of the rows") < text.index("Each class against the rest")
    assert found.choice.summary() in text
    card = found._repr_html_()
    assert card.index("best linear model") < card.index(">verdict<")
    assert f"{right} of the rows held out right; a guess {found.choice.most_common:.2%}" in card


def test_few_rows_are_too_few_to_choose_by() -> None:
    X, y = tiny()
    found = study(X, y, time_limit=0.5)
    assert found.choice.held_out == 0
    assert "The best linear model: 19 rows are too few to choose by: relative-margin 1," in found.summary()
    assert "best linear model" not in found._repr_html_()


def test_the_model_in_the_folder_is_the_chosen_one(tmp_path: Path) -> None:
    X, y = three()
    report = study(X, y, time_limit=0.5).save(tmp_path / "s")
    assert report["best"]["file"] == "best.model"
    assert {"what": "best model", "file": str(tmp_path / "s" / "best.model")} in report["files"]
    model = rosenblatt.load(tmp_path / "s" / "best.model")
    assert isinstance(model, LinearClassifier)
    fitted = LinearClassifier().fit(X, y)
    assert np.array_equal(model.coef_, fitted.coef_)
    assert model.choice_.to_dict() == fitted.choice_.to_dict() == report["choice"]


def test_one_class_alone_gives_nothing_to_choose_by() -> None:
    sample = datasets.get("tight")
    found = study(*sample, **sample.plan, order="cyclic", through_origin=True)
    assert found.choice is None
    assert found.to_dict()["best"] is None
    assert "nothing to choose by" in found.notes["choice"]


def test_what_would_take_too_long_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = three()
    # Five candidates in five folds, each at most twenty times over 120 rows of 2 numbers, for three outputs.
    met, kept = effort(Examples.of(X, y))
    assert met == 5 * 5 * 20 * 240 * 3
    assert kept == 4 * 25 * 2 * 3
    monkeypatch.setattr("rosenblatt.studies.best._DENSE", met)
    assert study(X, y, time_limit=1).choice is not None
    found = study(X, y, time_limit=0.99)
    assert found.choice is None
    assert found.notes["choice"].startswith("120 rows × 2 columns are too many to choose by along the way")
    assert "Note on the choice: 120 rows" in found.summary()
    monkeypatch.setattr("rosenblatt.studies.best._STATE", kept - 1)
    assert study(X, y, time_limit=1).choice is None


def test_a_run_that_is_cut_short_points_to_the_best_model() -> None:
    X, y = three()
    found = study(X, y == "a", time_limit=0.5, tol=None, max_epochs=3)
    assert found.run.status.name == "budget"
    right = f"{found.choice.best.accuracy:.2%}"
    assert f"ends at its budget; to predict, take the best linear model, which gets {right}" in found.notes["training"]


@pytest.mark.parametrize("rule", ["coin", "scinol"])
def test_a_run_that_bets_is_studied_without_the_theorem(rule: str) -> None:
    sample = datasets.noisy(60, 2, noise=0.05, seed=1)
    found = study(*sample, rule=rule, time_limit=0.5)
    report = found.to_dict()
    assert report["theorem"] is None
    assert found.notes["theorem"] == f"the {rule} has other laws than the theorem's: run.audit checks them"
    assert {one["readout"] for one in report["training"]["readouts"]} == {"last", "averaged", "pocket"}
