"""Weights, class weights, words and names on the command line: against the estimators, and from file to prediction."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from commands import answer, run

from rosenblatt import LinearClassifier, Perceptron, load

RNG = np.random.default_rng(5)
X = np.round(RNG.normal(size=(120, 3)), 3)
Y = np.where(X[:, 0] + RNG.normal(size=120) > 1.4, "ill", "well")
W = np.round(RNG.uniform(0.1, 3, size=120), 2)


def write_rows(path: Path, weights: bool = True) -> Path:
    lines = ["a,b,c," + "w," * weights + "class"]
    for x, w, y in zip(X.tolist(), W.tolist(), Y.tolist(), strict=True):
        lines.append(",".join([*map(repr, x), *([repr(w)] if weights else []), y]))
    path.write_text("\n".join(lines) + "\n")
    return path


def same(model: Any, peer: Any) -> None:
    assert model.coef_.tobytes() == peer.coef_.tobytes()
    assert model.intercept_.tobytes() == peer.intercept_.tobytes()


# --- Weights. ---


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("by_class", [None, "balanced", {"ill": 2.5}])
def test_the_model_is_the_estimators_bit_for_bit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], own: bool, by_class: Any
) -> None:
    data, target = write_rows(tmp_path / "rows.csv", own), tmp_path / "m.model"
    said = [] if by_class is None else ["balanced"] if by_class == "balanced" else ["ill=2.5"]
    options = [*(["--weight", "w"] if own else []), *(word for text in said for word in ("--class-weight", text))]
    report = answer(capsys, "train", data, "-m", target, *options)
    weights = W if own else None
    model = load(target)
    same(model, LinearClassifier(class_weight=by_class).fit(X, Y, sample_weight=weights))
    assert model.get_params()["class_weight"] == by_class
    assert report["weighted"] == (own or by_class is not None)
    n_ill = int((Y == "ill").sum())
    each = {None: None, "balanced": [120 / (2 * n_ill), 120 / (2 * (120 - n_ill))]}.get(
        str(by_class or "") or None, [2.5, 1]
    )
    assert report["class_weight"] == each
    answer(capsys, "train", data, "-m", target, "--rule", "perceptron", "--epochs", 4, "--tol", "never", *options)
    same(load(target), Perceptron(class_weight=by_class, max_iter=4, tol=None).fit(X, Y, sample_weight=weights))


def test_a_weighted_report_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = write_rows(tmp_path / "rows.csv")
    options = ("--weight", "w", "--class-weight", "balanced")
    code, out, notes = run(capsys, "train", data, "-m", tmp_path / "m", *options)
    assert code == 0
    assert "note: column 'w' holds the weights of rows, and is no feature" in notes
    n_ill = int((Y == "ill").sum())
    assert f"rows weigh by class: ill {60 / n_ill:.3g}, well {60 / (120 - n_ill):.3g} (balanced)" in " ".join(
        notes.split()
    )
    assert "--weight w" in out
    assert "--class-weight balanced" in " ".join(out.replace("\\", " ").split())


def test_resuming_keeps_the_weights_of_classes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, part, whole = write_rows(tmp_path / "rows.csv"), tmp_path / "part", tmp_path / "whole"
    options = ("--weight", "w", "--rule", "perceptron", "--tol", "never")
    answer(
        capsys,
        "train",
        data,
        "-m",
        part,
        *options,
        "--epochs",
        3,
        "--class-weight",
        "ill=3",
        "--class-weight",
        "well=0.5",
    )
    answer(capsys, "train", data, "-m", part, "--weight", "w", "--resume", part, "--epochs", 7)
    answer(
        capsys,
        "train",
        data,
        "-m",
        whole,
        *options,
        "--epochs",
        7,
        "--class-weight",
        "ill=3",
        "--class-weight",
        "well=0.5",
    )
    same(load(part), load(whole))
    assert load(part).get_params()["class_weight"] == {"ill": 3.0, "well": 0.5}


def test_numbers_are_labels_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "rows.svm"
    signs = np.where(Y == "ill", 1, -1)
    lines = (f"{s} 1:{x[0]!r} 2:{x[1]!r} 3:{x[2]!r}\n" for s, x in zip(signs.tolist(), X.tolist(), strict=True))
    data.write_text("".join(lines))
    answer(capsys, "train", data, "-m", tmp_path / "m", "--class-weight", "-1=0.5", "--class-weight", "1=2")
    same(load(tmp_path / "m"), LinearClassifier(class_weight={-1: 0.5, 1: 2.0}).fit(X, signs))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["ill"], "--class-weight ill: expected balanced, or LABEL=W"),
        (["ill=x"], "--class-weight ill=x: expected balanced, or LABEL=W"),
        (["ill=-1"], "--class-weight ill=-1: expected balanced"),
        (["ill=inf"], "--class-weight ill=inf: expected balanced"),
        (["ill=1", "ill=2"], "--class-weight ill=2: 'ill' has one already"),
        (["balanced", "ill=2"], "--class-weight balanced says it of all classes"),
        (["sick=2"], "no row has the label 'sick' (--class-weight); the labels are 'ill', 'well'"),
        (["ill=0", "well=0"], "all rows weigh 0"),
    ],
)
def test_what_is_no_weight_of_a_class(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    data, target = write_rows(tmp_path / "rows.csv"), tmp_path / "m"
    code, _, error = run(capsys, "train", data, "-m", target, *(w for o in options for w in ("--class-weight", o)))
    assert code == 2
    assert said in error
    assert not target.exists()


def test_predicting_needs_no_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, target = write_rows(tmp_path / "rows.csv"), tmp_path / "m"
    answer(capsys, "train", data, "-m", target, "--weight", "w")
    found = [answer(capsys, "predict", target, write_rows(tmp_path / "new.csv", there)) for there in (True, False)]
    assert (
        found[0]["predictions"]
        == found[1]["predictions"]
        == load(target).predict(pd.DataFrame(X, columns=["a", "b", "c"])).tolist()
    )


def test_a_balanced_model_finds_more_of_a_rare_class(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    rare = rng.normal(size=(600, 2)) + np.where(np.arange(600) < 30, 1.0, 0.0)[:, None]
    data = tmp_path / "rare.csv"
    rows = (f"{a!r},{b!r},{int(i < 30)}\n" for i, (a, b) in enumerate(rare.tolist()))
    data.write_text("a,b,class\n" + "".join(rows))
    found = []
    for options in ((), ("--class-weight", "balanced")):
        answer(capsys, "train", data, "-m", tmp_path / "m", *options)
        found.append(sum(answer(capsys, "predict", tmp_path / "m", data)["predictions"][:30]))
    assert found[0] < 10 < 20 < found[1]


def test_rows_held_out_are_judged_by_what_learns_with_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = write_rows(tmp_path / "rows.csv")
    for judged in (("--holdout", 0.3), ("--folds", 3)):
        recalls = []
        for options in (("--class-weight", "ill=0.01"), ("--class-weight", "balanced")):
            report = answer(capsys, "train", data, "-m", tmp_path / "m", "--weight", "w", *judged, *options)
            found = {one["label"]: one["recall"] for one in report["evaluation"]["classes"]}
            recalls.append(found["ill"])
        assert recalls[0] < 0.2 < 0.5 < recalls[1]


def test_a_proof_keeps_which_column_was_words_and_which_the_weights(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, proof = tmp_path / "t.csv", tmp_path / "p.json"
    data.write_text("w,text,class\n1,free call now,spam\n0,see you,spam\n2,see you,ham\n1,call me,ham\n")
    report = answer(capsys, "check", data, "--words", "text", "--weight", "w", "--proof", proof)
    assert report["data"]["rows"] == 3
    assert report["data"]["reading"]["words"] == ["text"]
    read = json.loads(proof.read_text())["read"]
    assert (read["words"], read["weight"]) == ('["text"]', "w")
    for options in ((), ("--slow-reader",)):
        assert run(capsys, "verify", proof, data, *options)[0] == 0


# --- Words and names. ---


def test_messages_need_no_other_tool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, target = tmp_path / "sms.tsv", tmp_path / "sms.model"
    spam, ham = "Win a FREE prize, call now", "I'll see you at home"
    data.write_text("kind\ttext\n" + f'spam\t{spam}!\nham\t{ham}.\nspam\tfree "call"\nham\tnot now, home\n' * 6)
    answer(capsys, "train", data, "-m", target, "--label", "0", "--words", "1")
    new = tmp_path / "new.tsv"
    new.write_text("id\ttext\n7\ta prize for new customers\n8\tat home\n")
    report = answer(capsys, "predict", target, new)
    assert report["predictions"] == ["spam", "ham"]
    assert "3 of 7 words that the model does not know, left out" in report["notes"]
    _, out, _ = run(capsys, "show", target)
    assert "text:home" in out
    for command in ("check", "margin", "suspects", "clinic"):
        assert run(capsys, command, data, "--label", "kind", "--words", "text", "-q")[0] in (0, 1)
    code, _, error = run(capsys, "check", data, "--label", "kind", "--words", "body")
    assert code == 2
    assert "no column 'body'" in error


def test_names_of_columns_are_kept_in_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, names, target = tmp_path / "a.svm", tmp_path / "names.txt", tmp_path / "m"
    data.write_text("1 1:1 3:2\n-1 2:1\n1 3:1\n-1 2:2\n")
    names.write_text("free\nhome\nprize\n")
    report = answer(capsys, "train", data, "-m", target, "--names", names)
    assert "names" not in report["data"]["reading"]
    assert tuple(load(target).feature_names_in_) == ("free", "home", "prize")
    new = tmp_path / "b.svm"
    new.write_text("1 1:1\n-1 2:1\n")
    report = answer(capsys, "predict", target, new)
    assert (report["predictions"], report["notes"]) == ([1, -1], [])
    _, out, _ = run(capsys, "check", data, "--names", names)
    assert f"--names {names}" in " ".join(out.replace("\\", " ").split())
    code, _, error = run(capsys, "train", data, "-m", target, "--names", tmp_path / "none.txt")
    assert (code, "none.txt" in error) == (2, True)
