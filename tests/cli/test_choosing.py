"""`rosenblatt train` without a rule: what it chooses, says, keeps, and how it is interrupted."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from commands import SCHEMA, answer, run
from sklearn.datasets import load_breast_cancer, load_iris

from rosenblatt import LinearClassifier, Model, load
from rosenblatt.cli.progress import ProgressTable

X, Y = load_iris(return_X_y=True)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = ["a,b,c,d,class", *(",".join([*map(repr, x), str(y)]) for x, y in zip(X.tolist(), Y, strict=True))]
    Path("iris.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def write_words(path: str, n: int = 300) -> None:
    """Rows of few words of many; the class hangs on some of them."""
    chance = np.random.default_rng(0)
    told, rows = chance.standard_normal(50), []
    for _ in range(n):
        own = np.sort(chance.choice(50, 8, replace=False))
        label = 1 if told[own].sum() + chance.standard_normal() > 0 else -1
        rows.append(f"{label} " + " ".join(f"{j + 1}:{chance.integers(1, 4)}" for j in own))
    Path(path).write_text("\n".join(rows) + "\n")


def test_the_model_is_the_estimators(capsys: pytest.CaptureFixture[str]) -> None:
    report = answer(capsys, "train", "iris.csv", "-m", "m", "--seed", 3, "--offset", 0)
    frame = pd.DataFrame(X, columns=list("abcd"))
    peer = LinearClassifier(random_state=3, fit_intercept=False).fit(frame, Y)
    model = load("m")
    assert type(model) is LinearClassifier
    assert model.coef_.tobytes() == peer.coef_.tobytes()
    assert not model.intercept_.any()
    assert model.get_params() == peer.get_params()
    assert report["choice"] == peer.choice_.to_dict() == model.choice_.to_dict()
    assert (report["status"], report["epochs"], report["rule"]) == ("chosen", peer.n_iter_, "relative-margin")
    wrong = int((peer.predict(frame) != Y).sum())
    assert report["predicted_wrong"]["training"] == wrong
    assert report["predicted_wrong"]["most_common"] == 100
    assert answer(capsys, "predict", "m", "iris.csv")["labelled"]["right"] == 150 - wrong
    model.partial_fit(frame, Y)
    assert model.coef_.tobytes() == peer.partial_fit(frame, Y).coef_.tobytes()


@pytest.mark.parametrize("more", [(), ("--seed", 5), ("--offset", 0), ("--seed", 1, "--offset", 1)])
@pytest.mark.parametrize("data", ["iris.csv", "cells.csv", "words.svm", "few.svm"])
def test_the_command_that_it_tells_learns_the_same_bits(
    data: str, more: tuple[Any, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    write_words("words.svm")
    write_words("few.svm", 12)
    cells, kinds = load_breast_cancer(return_X_y=True)
    lines = [",".join([*map(repr, x), "ab"[y]]) for x, y in zip(cells[:, :6].tolist(), kinds, strict=True)]
    Path("cells.csv").write_text("\n".join(["a,b,c,d,e,f,class", *lines]) + "\n")
    report = answer(capsys, "train", data, *more)
    (step,) = (one for one in report["next"] if "same bits" in one["why"])
    assert step["command"][:3] == ["rosenblatt", "train", data]
    alone = answer(capsys, *step["command"][1:])
    assert (alone["choice"], report["model"], report["epochs"]) == (None, f"{data}.model", alone["epochs"])
    chosen, same = Model.load(report["model"]), Model.load(alone["model"])
    assert (chosen.kind, same.kind) == ("LinearClassifier", "Perceptron")
    assert chosen.weights.tobytes() == same.weights.tobytes()
    assert chosen.offsets.tobytes() == same.offsets.tobytes()


def test_the_answer_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "train", "iris.csv")
    known = load("iris.csv.model").choice_
    assert (code, err) == (0, "")
    assert max(map(len, out.splitlines())) <= 80
    assert f"Chosen of {len(known.tried)}: {known.best.candidate.name}" in out
    assert known.summary() in out
    assert "theorem" not in out
    assert "before they were learnt" not in out  # rows held out say more
    assert "training rows are predicted wrong." in " ".join(out.split())
    assert known.summary() in run(capsys, "show", "iris.csv.model")[1]
    assert answer(capsys, "show", "iris.csv.model")["choice"] == known.to_dict()
    code, out, _ = run(capsys, "train", "iris.csv", "-q")
    assert (code, " right (150 rows" in out.splitlines()[0], "candidate" in out) == (0, True, False)


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (("--eta", 0.5), "--eta"),
        (("--batch-size", 2, "--epochs", 3), "--epochs"),
        (("--offset", "radius"), "--offset"),
        (("--start", "random"), "--start"),
        (("--trace-file", "rounds.csv", "--trace-class", "0"), "--trace-file"),
    ],
)
def test_an_option_of_one_rule_means_the_perceptron(
    words: tuple[Any, ...], option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "train", "iris.csv", *words)
    said = f"{option} is an option of one rule, so the rule is perceptron; without it train chooses by itself"
    assert (code, " ".join(err.split())) == (0, f"note: {said}")
    assert max(map(len, err.splitlines())) <= 80
    assert "Learnt by perceptron" in out
    found = answer(capsys, "train", "iris.csv", *words)
    assert (found["choice"], found["rule"], found["data"]["notes"]) == (None, "perceptron", [said])
    assert run(capsys, "train", "iris.csv", "--rule", "perceptron", *words)[2] == ""
    code, _, err = run(capsys, "train", "iris.csv", "--rule", "auto", *words)
    assert (code, err.count("\n"), err.startswith(f"{option} is an option of one rule, and --rule auto")) == (
        2,
        1,
        True,
    )


def test_an_example_with_a_plan_keeps_it(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "train", "example:four-in-the-plane")
    assert (found["rule"], found["order"], found["choice"]) == ("perceptron", "cyclic", None)
    assert answer(capsys, "train", "example:four-in-the-plane", "--rule", "auto")["choice"]["held_out"] == 0
    assert answer(capsys, "train", "example:iris")["choice"]["folds"] == 5


def test_progress_tells_of_the_choosing_first(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capsys, "train", "iris.csv", "--progress")
    lines = err.splitlines()
    assert lines.pop(0) == "choosing: measuring the columns …"
    assert lines[0] == "choosing: epoch 1 of at most 20, 5 candidates …"
    assert lines[len([line for line in lines if line.startswith("choosing")])] == ProgressTable.HEAD[0]
    assert "epoch 1: " in err
    assert max(map(len, lines)) <= 80


@contextmanager
def interrupted(patch: pytest.MonkeyPatch, number: int, epoch: int) -> Iterator[None]:
    """SIGINT or SIGTERM as it comes after this epoch of the chosen one; after 0, while choosing."""
    stopped: list[int] = [] if epoch else [number]

    @contextmanager
    def received() -> Iterator[list[int]]:
        yield stopped

    def tell(self: ProgressTable, progress: Any) -> None:
        if progress.finished and progress.epoch == epoch:
            stopped.append(number)

    with patch.context() as patched:
        patched.setattr("rosenblatt.cli.train.interruptible", received)
        patched.setattr(ProgressTable, "tell", tell)
        yield


@pytest.mark.parametrize(("number", "code", "word"), [(2, 130, "interrupted"), (15, 143, "terminated")])
def test_interrupted_while_choosing_nothing_is_written(
    number: int, code: int, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = f"{word} while choosing: nothing was learnt yet, and nothing is written"
    with interrupted(monkeypatch, number, 0):
        assert run(capsys, "train", "iris.csv") == (code, "", f"{said}\n")
        found, out, _ = run(capsys, "train", "iris.csv", "--json")
    assert (found, json.loads(out)["error"]["message"], os.listdir()) == (code, said, ["iris.csv"])


@pytest.mark.parametrize(("number", "code"), [(2, 130), (15, 143)])
def test_interrupted_after_the_choice_it_goes_on_with_what_was_chosen(
    number: int, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = answer(capsys, "train", "iris.csv", "-m", "whole")
    with interrupted(monkeypatch, number, 3):
        found, out, _ = run(capsys, "train", "iris.csv", "-m", "m", "--json")
    told = json.loads(out)["result"]
    SCHEMA.validate(json.loads(out))
    assert (found, told["status"], told["epochs"], told["model"]) == (code, "stopped", 3, "m.checkpoint")
    assert load("m.checkpoint").choice_.to_dict() == whole["choice"] == told["choice"]
    assert "to be learnt again on all rows" in run(capsys, "show", "m.checkpoint")[1]
    (step,) = told["next"]
    rest = answer(capsys, *step["command"][1:])
    assert (rest["status"], rest["reason"], rest["epochs"]) == ("chosen", whole["reason"], whole["epochs"])
    assert load("m").coef_.tobytes() == load("whole").coef_.tobytes()
    assert not Path("m.checkpoint").exists()
    more = answer(capsys, "train", "iris.csv", "-m", "m", "--resume", "m", "--epochs", whole["epochs"] + 2)
    assert (more["status"], more["epochs"], more["choice"]) == ("budget", whole["epochs"] + 2, whole["choice"])
    code, _, err = run(capsys, "train", "iris.csv", "-m", "n", "--resume", "m", "--rule", "auto")
    assert (code, err.count("\n"), "--rule auto chooses anew" in err) == (2, 1, True)


@pytest.mark.serial
def test_ctrl_c_while_choosing(folder: Path) -> None:
    chance = np.random.default_rng(0)
    rows = chance.standard_normal((4000, 40))
    np.save("x.npy", np.c_[rows, rows[:, 0] + chance.standard_normal(4000) > 0])
    words = [sys.executable, "-m", "rosenblatt", "train", "x.npy", "--progress"]
    started = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert started.stderr is not None
    while not started.stderr.readline().startswith("choosing"):
        assert started.poll() is None
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=30)
    said = "interrupted while choosing: nothing was learnt yet, and nothing is written"
    assert (started.returncode, out, err.splitlines()[-1]) == (130, "", said)
    assert sorted(os.listdir(folder)) == ["iris.csv", "x.npy"]
