"""`rosenblatt train --scale`: what it learns, says, keeps and refuses."""

from pathlib import Path

import numpy as np
import pytest
from commands import answer, run
from sklearn.datasets import load_breast_cancer

from rosenblatt import Model, Perceptron

X, Y = load_breast_cancer(return_X_y=True)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    lines = [",".join([*(f"c{j}" for j in range(X.shape[1])), "class"])]
    lines += [",".join([*map(repr, x), str(y)]) for x, y in zip(X.tolist(), Y.tolist(), strict=True)]
    (tmp_path / "cells.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "cells.csv"


@pytest.mark.parametrize("kind", ["none", "standard", "max", "power-of-two"])
def test_the_model_is_the_estimators(kind: str, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = data.with_suffix(".model")
    report = answer(capsys, "train", data, "-m", target, "--scale", kind, "--epochs", 3)
    with pytest.warns(UserWarning, match="budget"):
        peer = Perceptron(scale=kind, max_iter=3).fit(X, Y)
    model = Model.load(target)
    assert report["scale"] == kind == model.to_dict()["scale"]
    assert report["bound"]["scaled"] == (kind != "none")
    assert np.array_equal(model.weights, peer.coef_.T)
    assert np.array_equal(model.offsets, peer.intercept_)
    assert report["margin"] == peer.margin_
    shown = answer(capsys, "show", target)
    assert shown["scale"] == kind == shown["parameters"]["scale"]
    wrong = int((np.where(X @ peer.coef_[0] + peer.intercept_[0] > 0, 1, 0) != Y).sum())
    assert report["predicted_wrong"]["training"] == wrong
    assert answer(capsys, "predict", target, data)["labelled"]["right"] == len(Y) - wrong


def test_words_say_the_scale(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = data.with_suffix(".model")
    words = ("train", data, "-m", target, "--epochs", 2)
    _, out, _ = run(capsys, *words, "--scale", "standard", "--trace", "-v")
    said = " ".join(out.split())
    assert "shuffled order, scale standard, seed 0" in said
    assert "the margin of the scaled ones (with the offset's column) is at most" in said
    assert "scale standard: the rows and weights are the scaled ones" in said
    assert "scale standard" in " ".join(run(capsys, "show", target)[1].split())
    _, out, _ = run(capsys, *words)
    assert ", scale" not in out
    assert "scaled" not in out


def test_a_resumed_run_keeps_its_scale(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, whole = data.with_suffix(".first"), data.with_suffix(".whole")
    answer(capsys, "train", data, "-m", first, "--epochs", 1, "--scale", "standard", "--tol", "never")
    answer(capsys, "train", data, "-m", whole, "--epochs", 3, "--scale", "standard", "--tol", "never")
    again = data.with_suffix(".again")
    report = answer(capsys, "train", data, "-m", again, "--resume", first, "--epochs", 3)
    assert report["scale"] == "standard"
    assert np.array_equal(Model.load(again).weights, Model.load(whole).weights)
    code, _, err = run(capsys, "train", data, "-m", again, "--resume", first, "--scale", "max", "--epochs", 4)
    assert code == 2
    assert "--scale was 'standard', and now is 'max'" in err
    code, _, err = run(capsys, "train", data, "-m", again, "--scale", "max", "--readout", "voted")
    assert code == 2
    assert "--scale max changes them: use --readout averaged" in err


def test_given_weights_are_those_of_the_data(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain, scaled = data.with_suffix(".plain"), data.with_suffix(".scaled")
    answer(capsys, "train", data, "-m", plain, "--epochs", 5, "--readout", "last")
    answer(capsys, "train", data, "-m", scaled, "--epochs", 1, "--start", plain, "--scale", "max", "--readout", "last")
    state = Model.load(scaled).state
    assert state is not None
    assert state.scaling is not None
    assert np.allclose(state.scaling.fold(*state.first_weights)[0], Model.load(plain).weights, rtol=1e-12)
