"""A scale in a model file: read again to the bit, and refused where it is none."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Examples, InputError, Model, learn
from rosenblatt.models.build import model_of_run


def made(**plan: Any) -> tuple[Model, Examples]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)) * [1, 100, 0.01] + [5, 0, 0]
    examples = Examples.of(X, X @ [1, 0.01, 100] + rng.normal(size=300) > 5)
    run = learn(examples, max_epochs=2, **plan)
    return model_of_run(run, run.state, run.status, facts=True), examples


@pytest.mark.parametrize("kind", ["standard", "max", "power-of-two"])
def test_a_file_keeps_the_scale(kind: str, tmp_path: Path) -> None:
    model, examples = made(scale=kind, order="shuffled")
    model.save(tmp_path / "a.model")
    assert model.state is not None
    assert model.state.scaling is not None
    for back in (Model.load(tmp_path / "a.model"), Model.from_json(model.to_json())):
        assert back.state is not None
        assert back.state.scaling is not None
        assert back.state.scaling.kind == kind == back.to_dict()["scale"]
        assert np.array_equal(back.state.scaling.centre, model.state.scaling.centre)
        assert np.array_equal(back.state.scaling.factor, model.state.scaling.factor)
        assert np.array_equal(back.weights, model.state.folded("last")[0])
        whole = learn(examples, scale=kind, order="shuffled", max_epochs=5)
        resumed = learn(examples, scale=kind, order="shuffled", max_epochs=5, start=back.state)
        assert np.array_equal(resumed.state.weights, whole.state.weights)


def test_no_scale_takes_no_room() -> None:
    record = json.loads(made()[0].to_json())
    assert record["header"]["state"]["scale"] is None
    assert not [name for name in record["tensors"] if "scale" in name]
    assert made()[0].to_dict()["scale"] == "none"


BAD = {
    "factor 0": (["tensors", "state.scale.factor", "data", 1], 0.0, "factors above 0"),
    "factor < 0": (["tensors", "state.scale.factor", "data", 0], -1.0, "factors above 0"),
    "not finite": (["tensors", "state.scale.centre", "data", 0], "nan", "not finite"),
    "infinite": (["tensors", "state.scale.factor", "data", 0], "inf", "not finite"),
    "no tensor": (["tensors", "state.scale.factor"], None, "'state.scale.factor' is missing"),
    "no centre": (["tensors", "state.scale.centre"], None, "'state.scale.centre' is missing"),
    "short": (
        ["tensors", "state.scale.factor"], {"dtype": "float64", "shape": [1], "data": [1.0]}, "3 factors above 0",
    ),
    "type": (
        ["tensors", "state.scale.factor"], {"dtype": "float32", "shape": [3], "data": [1.0, 1.0, 1.0]},
        "not of 1 dimension",
    ),
    "unknown": (["header", "state", "scale"], "unit", "expected one of standard, max, power-of-two"),
    "no word": (["header", "state", "scale"], 3, "expected a word"),
    "another": (["header", "state", "scale"], "max", "the conditions say another"),
    "none": (["header", "state", "scale"], None, "the conditions say another"),
    "other conditions": (["header", "state", "conditions", "scale"], "none", "the conditions say another"),
    "origin": (["header", "state", "rho2"], 0.0, "of a standard scale with an offset alone"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_a_file_that_claims_what_cannot_be_is_one_line(what: str) -> None:
    record = json.loads(made(scale="standard")[0].to_json())
    (*path, last), value, why = BAD[what]
    place = record
    for step in path:
        place = place[step]
    if value is None and path == ["tensors"]:
        del place[last]
    else:
        place[last] = value
    with pytest.raises(InputError, match=why) as refused:
        Model.from_json(json.dumps(record))
    assert "\n" not in str(refused.value)


def test_no_stream_has_a_scale() -> None:
    from rosenblatt import OnlinePerceptron, from_json

    stream = OnlinePerceptron(classes=[0, 1])
    stream.learn_one({"a": 1.0}, 1)
    record = json.loads(stream.to_json())
    record["header"]["state"]["scale"] = "max"
    record["header"]["state"]["conditions"]["scale"] = "max"
    for name in ("centre", "factor"):
        record["tensors"][f"state.scale.{name}"] = {
            "dtype": "float64", "shape": [1], "data": [float(name == "factor")],
        }  # fmt: skip
    with pytest.raises(InputError, match="a stream with a scale"):
        from_json(json.dumps(record))
