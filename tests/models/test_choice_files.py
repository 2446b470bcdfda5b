"""A choice in a model file: read again word for word, and refused where it is none."""

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Examples, InputError, LinearClassifier, Model, from_json, load
from rosenblatt.learning.choose import choose
from rosenblatt.models.build import model_of_run
from rosenblatt.runs.choice import Choice


def made(n: int = 200, K: int = 3) -> Model:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3)) * [1, 100, 0.01]
    y = (X @ rng.normal(size=(3, K)) * [1] + rng.normal(size=(n, K))).argmax(axis=1)
    y[:K] = np.arange(K)
    run, choice = choose(Examples.of(X, y))
    return replace(model_of_run(run, run.state, run.status, facts=True), kind="LinearClassifier", choice=choice)


@pytest.mark.parametrize(("n", "K"), [(200, 2), (200, 3), (15, 2), (6000, 2)])
def test_a_file_keeps_the_choice(n: int, K: int, tmp_path: Path) -> None:
    model = made(n, K)
    model.save(tmp_path / "a.model")
    assert model.choice is not None
    for back in (Model.load(tmp_path / "a.model"), Model.from_json(model.to_json())):
        assert back.choice is not None
        assert back.choice.to_dict() == model.choice.to_dict()
        assert back.choice.tried == model.choice.tried
        assert back.choice.plan() == model.choice.plan()
        assert back.choice.summary() == model.choice.summary()
        assert np.array_equal(back.weights, model.weights)
        assert back.to_json() == model.to_json()
    assert isinstance(load(tmp_path / "a.model"), LinearClassifier)
    assert all(len(line) <= 80 for line in model.choice.summary().splitlines())


def test_a_dictionary_is_a_choice_again_and_is_plain_json() -> None:
    choice = made().choice
    assert choice is not None
    known = json.loads(json.dumps(choice.to_dict()))
    assert Choice.of_dict(known).to_dict() == choice.to_dict()
    assert sum(one["chosen"] for one in known["candidates"]) == 1
    assert repr(choice).startswith("<Choice\ncandidate")


def test_a_model_without_a_choice_says_so_when_it_is_to_go_on() -> None:
    record = json.loads(made().to_json())
    record["header"]["choice"] = None
    model = from_json(json.dumps(record))
    with pytest.raises(AttributeError, match="was not chosen by rows held out"):
        _ = model.choice_
    with pytest.raises(InputError, match="does not say what was chosen: fit anew"):
        model.partial_fit(np.eye(3), [0, 1, 2])


BAD: dict[str, tuple[list[Any], Any]] = {
    "a word": ([], "coin"),
    "a list": ([], [1, 2]),
    "empty": ([], {}),
    "rows": (["rows"], "200"),
    "rows < 0": (["rows"], -1),
    "rows are a bool": (["rows"], True),
    "huge": (["rows"], 10**30),
    "seed": (["seed"], 0.5),
    "folds": (["folds"], None),
    "no rows judged, but a share": (["held_out"], 0),
    "no share": (["most_common"], None),
    "share": (["most_common"], "all"),
    "infinite": (["lead"], 1e300),
    "a lead without its error": (["lead_error"], None),
    "more than all": (["candidates", 0, "accuracy"], 100.0),
    "more rows than there are": (["held_out"], 201),
    "chosen by nothing": (["candidates"], "nothing"),
    "lead": (["lead"], [0.1]),
    "error": (["lead_error"], True),
    "no candidates": (["candidates"], []),
    "candidates": (["candidates"], "coin"),
    "a candidate": (["candidates", 0], "coin"),
    "many": (["candidates"], "many"),
    "two chosen": (["candidates"], "two"),
    "none chosen": (["candidates"], "none"),
    "rule": (["candidates", 0, "rule"], "svm"),
    "rule is no word": (["candidates", 0, "rule"], [[]]),
    "beta": (["candidates", 0, "beta"], "1"),
    "scale": (["candidates", 0, "scale"], "unit"),
    "multiclass": (["candidates", 0, "multiclass"], "ovo"),
    "accuracy": (["candidates", 0, "accuracy"], {}),
    "epochs": (["candidates", 0, "epochs"], -3),
    "met": (["candidates", 0, "met"], 1.5),
    "end": (["candidates", 0, "end"], "won"),
    "end is no word": (["candidates", 0, "end"], {}),
}


@pytest.mark.parametrize("what", BAD)
def test_a_file_that_claims_what_cannot_be_is_one_line(what: str) -> None:
    record = json.loads(made().to_json())
    path, value = BAD[what]
    own = record["header"]["choice"]["candidates"]
    value = {
        "many": [{**one, "chosen": False} for one in own] * 30 + own,
        "two": [{**one, "chosen": True} for one in own],
        "nothing": [{**one, "accuracy": None} for one in own],
        "none": [{**one, "chosen": False} for one in own],
    }.get(value if isinstance(value, str) else "", value)
    place: Any = record["header"]
    *steps, last = ["choice", *path]
    for step in steps:
        place = place[step]
    place[last] = copy.deepcopy(value)
    with pytest.raises(InputError) as refused:
        Model.from_json(json.dumps(record))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200
    assert "choice" in str(refused.value) or path[2:] in (["rule"], ["scale"], ["multiclass"])


def test_a_choice_of_another_rule_than_was_learnt_cannot_go_on() -> None:
    record = json.loads(made().to_json())
    for one in record["header"]["choice"]["candidates"]:
        one["rule"] = "perceptron"
    model = from_json(json.dumps(record))
    with pytest.raises(InputError) as refused:
        model.partial_fit(np.eye(3), [0, 1, 2])
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("missing", ["rows", "seed", "folds", "held_out", "most_common", "lead", "candidates"])
def test_every_part_must_be_there(missing: str) -> None:
    record = json.loads(made().to_json())
    del record["header"]["choice"][missing]
    with pytest.raises(InputError, match="choice: expected candidates, one of them chosen"):
        Model.from_json(json.dumps(record))


@pytest.mark.parametrize(
    "missing", ["rule", "beta", "scale", "multiclass", "epochs", "accuracy", "met", "end", "chosen"]
)
def test_every_part_of_a_candidate_must_be_there(missing: str) -> None:
    record = json.loads(made().to_json())
    del record["header"]["choice"]["candidates"][0][missing]
    with pytest.raises(InputError, match="choice: expected candidates, one of them chosen"):
        Model.from_json(json.dumps(record))
