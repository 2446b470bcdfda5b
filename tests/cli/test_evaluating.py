"""`train --test`, `--holdout`, `--folds` and `predict`: what is said of rows that a model has not seen."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import answer, run
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_iris

from rosenblatt import LinearClassifier, Model, Perceptron, load
from rosenblatt.data.splits import folds_of, held_out_of

X, Y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])


def write(path: str, rows: Any, labels: Any, columns: str = "abcd") -> str:
    lines = [",".join([*map(repr, x), str(y)]) for x, y in zip(rows.tolist(), labels, strict=True)]
    Path(path).write_text("\n".join([",".join([*columns, "class"]), *lines]) + "\n")
    return path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write("iris.csv", X, NAMES[Y])
    return tmp_path


def counts(known: dict[str, Any]) -> dict[tuple[Any, Any], int]:
    return {(one["label"], one["predicted"]): one["rows"] for one in known["confusion"]}


def pairs(labels: Any, predicted: Any) -> dict[tuple[Any, Any], int]:
    values, number = np.unique(np.stack([labels, predicted]), axis=1, return_counts=True)
    return {(str(a), str(b)): int(n) for (a, b), n in zip(values.T, number, strict=True)}


def test_what_is_held_out_is_not_seen_by_the_model_that_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    known = answer(capsys, "train", "iris.csv", "--holdout", 0.2, "--seed", 3)["evaluation"]
    held = held_out_of(Y, NAMES, 0.2, 3)
    assert np.bincount(Y[held]).tolist() == [10, 10, 10]
    peer = LinearClassifier(random_state=3).fit(X[~held], NAMES[Y[~held]])
    predicted = peer.predict(X[held])
    assert counts(known) == pairs(NAMES[Y[held]], predicted)
    assert (known["by"], known["rows"], known["accuracy"]) == ("holdout", 30, (predicted == NAMES[Y[held]]).mean())
    # The model that is written is the same as without.
    whole = load("iris.csv.model").coef_
    answer(capsys, "train", "iris.csv", "--seed", 3)
    assert load("iris.csv.model").coef_.tobytes() == whole.tobytes()
    assert LinearClassifier(random_state=3).fit(X, Y).coef_.tobytes() == whole.tobytes()


def test_in_folds_every_row_is_predicted_once_by_a_model_of_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    more = ("--rule", "perceptron", "--epochs", 5, "--tol", "never")
    known = answer(capsys, "train", "iris.csv", "--folds", 4, "--seed", 1, *more)["evaluation"]
    part, predicted = folds_of(Y, NAMES, 4, 1), np.empty(150, dtype=object)
    for fold in range(4):
        peer = Perceptron(max_iter=5, tol=None, random_state=1).fit(X[part != fold], NAMES[Y[part != fold]])
        predicted[part == fold] = peer.predict(X[part == fold])
    assert counts(known) == pairs(NAMES[Y], predicted.astype(str))
    each = [(predicted == NAMES[Y])[part == fold].mean() for fold in range(4)]
    assert known["folds"]["accuracies"] == pytest.approx(each)
    assert (known["folds"]["mean"], known["folds"]["spread"]) == pytest.approx((np.mean(each), np.std(each, ddof=1)))
    assert sorted(np.bincount(part).tolist()) == [37, 37, 38, 38]


@pytest.mark.parametrize("balanced", [False, True])
def test_weights_go_with_their_rows_and_classes_are_balanced_anew(
    balanced: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, labels = X[:115], NAMES[Y[:115]]
    weight = np.random.default_rng(0).integers(1, 4, 115).astype(float)
    write("heavy.csv", np.column_stack([rows, weight]), labels, "abcdw")
    more = ("--weight", "w", "--rule", "perceptron", "--epochs", 4, "--tol", "never", "--offset", 1)
    more += ("--class-weight", "balanced") if balanced else ()
    known = answer(capsys, "train", "heavy.csv", "--folds", 3, *more)["evaluation"]
    part, predicted = folds_of(Y[:115], NAMES, 3, 0), np.empty(115, dtype=object)
    for fold in range(3):
        peer = Perceptron(max_iter=4, tol=None, random_state=0, class_weight="balanced" if balanced else None)
        peer.fit(rows[part != fold], labels[part != fold], sample_weight=weight[part != fold])
        predicted[part == fold] = peer.predict(rows[part == fold])
    assert counts(known) == pairs(labels, predicted.astype(str))
    assert known["rows"] == sum(counts(known).values()) == 115  # each row counts once, whatever it taught


@pytest.mark.parametrize("how", [(), ("--holdout", 0.2), ("--folds", 5), ("--test", "rare.csv")], ids=str)
def test_every_row_counts_once_whatever_its_class_weighs(
    how: tuple[Any, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    chance = np.random.default_rng(7)
    labels = np.array(["no"] * 558 + ["yes"] * 42)
    write("rare.csv", chance.normal(size=(600, 2)) + 0.8 * (labels == "yes")[:, None], labels, "ab")
    words = ("train", "rare.csv", *how, "--class-weight", "balanced")
    report = answer(capsys, *words)
    known, rows = report["evaluation"], 120 if "--holdout" in how else 600
    assert (known["rows"], known["baseline"]["label"], known["baseline"]["accuracy"]) == (
        rows,
        "no",
        0.93 if rows == 600 else 112 / 120,
    )
    assert sum(counts(known).values()) == rows
    assert all(type(one["rows"]) is int for one in (*known["confusion"], *known["classes"]))
    assert known["right"] == round(known["accuracy"] * rows) == sum(n for (a, b), n in counts(known).items() if a == b)
    out = " ".join(run(capsys, *words)[1].split())
    assert f"than always answering no ({known['baseline']['accuracy']:.2%})" in out.partition("Next:")[0]
    assert f"{known['right']} of {rows};" in out
    # What the candidates were chosen by is by weight, and says so.
    assert report["choice"]["weighted"]
    assert report["choice"]["most_common"] == pytest.approx(0.5, abs=0.02)
    assert "Accuracy by 5 folds of 600 rows, by weight" in out


def test_a_test_file_may_have_other_columns_and_labels(capsys: pytest.CaptureFixture[str]) -> None:
    order = [2, 0, 3, 1]
    labels = np.where(np.arange(60) < 3, "unheard of", NAMES[Y[::2][:60]])
    write("test.csv", X[::2][:60][:, order], labels, "cadb")
    learnt = np.arange(150) % 2 == 1
    write("odd.csv", X[learnt], NAMES[Y[learnt]])
    known = answer(capsys, "train", "odd.csv", "--test", "test.csv", "-m", "m")["evaluation"]
    predicted = Model.load("m").predict(X[::2][:60])
    assert (known["by"], known["name"], known["unknown"]) == ("test", "test.csv", ["unheard of"])
    assert known["right"] == int((predicted == labels).sum())
    code, out, err = run(capsys, "train", "odd.csv", "--test", "test.csv", "-m", "m")
    assert (code, err) == (0, "note: the model has no class 'unheard of': 3 rows count as wrong\n")
    assert f"{known['accuracy']:.2%} right (60 rows of test.csv); always answering" in out
    assert known["baseline"]["of"] == "training"


def test_missing_values_take_the_means_of_all_rows_but_none_of_a_test_files(capsys: pytest.CaptureFixture[str]) -> None:
    gaps = np.random.default_rng(1).random(X.shape) < 0.3
    holed = np.where(gaps, np.nan, X)
    lines = [
        ",".join("" if v != v else repr(v) for v in x) + f",{y}" for x, y in zip(holed.tolist(), NAMES[Y], strict=True)
    ]
    Path("gaps.csv").write_text("\n".join(["a,b,c,d,class", *lines]) + "\n")
    Path("odd.csv").write_text("\n".join(["a,b,c,d,class", *lines[1::2]]) + "\n")
    write("filled.csv", np.where(gaps, np.nanmean(holed, axis=0), X), NAMES[Y])
    for option in (("--holdout", 0.3), ("--folds", 4)):
        known = answer(capsys, "train", "gaps.csv", "--missing", "mean", *option)["evaluation"]
        assert known == answer(capsys, "train", "filled.csv", *option)["evaluation"]
    known = answer(capsys, "train", "odd.csv", "--missing", "mean", "--test", "gaps.csv", "-m", "m")["evaluation"]
    own = np.nanmean(holed[1::2], axis=0)
    assert counts(known) == pairs(NAMES[Y], Model.load("m").predict(np.where(gaps, own, X)).astype(str))


def test_train_and_predict_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    cells, kinds = load_breast_cancer(return_X_y=True)
    write("learn.csv", cells[:400, :6], kinds[:400], "abcdef")
    write("test.csv", cells[400:, :6], kinds[400:], "abcdef")
    trained = answer(capsys, "train", "learn.csv", "--test", "test.csv", "-m", "m")["evaluation"]
    found = answer(capsys, "predict", "m", "test.csv", "--scores")
    told = found["evaluation"]
    assert {**told, "by": "test", "name": "test.csv"} == trained
    scores = [one["scores"] for one in found["predictions"]]
    assert told["auc"] == pytest.approx(metrics.roc_auc_score(kinds[400:], scores), rel=1e-12)
    assert (told["baseline"]["label"], told["baseline"]["of"]) == (int(np.bincount(kinds[:400]).argmax()), "training")
    assert found["labelled"] == {name: told[name] for name in ("rows", "right", "accuracy", "confusion")}
    _, out, _ = run(capsys, "predict", "m", "test.csv", "-o", "labels")
    assert out.splitlines()[0].startswith(f"{told['accuracy']:.2%} right (169 rows); always answering")
    assert out.index("baseline") < out.index("accuracy") < out.index("ROC AUC") < out.index("precision")
    assert max(map(len, out.splitlines())) <= 80


def test_rows_that_the_model_learnt_from_are_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "train", "iris.csv")
    assert answer(capsys, "predict", "iris.csv.model", "iris.csv")["evaluation"]["by"] == "training"
    _, out, _ = run(capsys, "predict", "iris.csv.model", "iris.csv", "-o", "labels")
    assert "(150 rows, those it learnt from)" in out.splitlines()[0]


def test_labels_that_are_no_class_of_the_model_are_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "train", "iris.csv")
    write("other.csv", X, Y)
    code, out, err = run(capsys, "predict", "iris.csv.model", "other.csv", "-o", "labels")
    assert (code, err) == (0, "")
    assert " ".join(out.split()).startswith("The labels here (0, 1, 2) are none of the model's classes")
    assert "baseline" not in out
    assert "across" not in out
    assert answer(capsys, "predict", "iris.csv.model", "other.csv")["evaluation"]["disjoint"]


def test_what_nothing_can_be_learnt_from_is_no_better_than_the_baseline(capsys: pytest.CaptureFixture[str]) -> None:
    chance = np.random.default_rng(0)
    write("noise.csv", chance.normal(size=(300, 4)), np.where(chance.random(300) < 0.8, "usual", "rare"))
    code, out, _ = run(capsys, "train", "noise.csv", "--folds", 5)
    known = answer(capsys, "train", "noise.csv", "--folds", 5)["evaluation"]
    assert (code, known["beside_baseline"]) == (0, "no-better")
    guess = f"{known['baseline']['accuracy']:.2%}"
    said = f"{known['accuracy']:.2%} right (300 rows, each held out once in 5 folds), no better than always answering"
    assert f"{said} usual ({guess})." in " ".join(out.split())


@pytest.mark.parametrize("how", [(), ("--folds", 5), ("--rule", "perceptron", "--scale", "standard")], ids=str)
def test_of_a_model_no_better_than_one_answer_the_first_step_is_to_weigh_the_classes(
    how: tuple[Any, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    chance = np.random.default_rng(0)
    write("noise.csv", chance.normal(size=(300, 4)), np.where(chance.random(300) < 0.8, "usual", "rare"))
    report = answer(capsys, "train", "noise.csv", *how)
    first = report["next"][0]
    assert first["why"] == "Find the rarer class more often, at the cost of the common one"
    assert first["command"][:3] == ["rosenblatt", "train", "noise.csv"]
    assert sorted(first["command"][3:]) == sorted([*map(str, how), "--class-weight", "balanced"])
    again = answer(capsys, *first["command"][1:])
    assert again["class_weight"] is not None
    # It is noise, so that did not help; and no command does, unless a rule may go on.
    if "--rule" in how:
        assert again["next"][0]["why"] == "Go on with more patience"
        return
    assert again["next"][0] == {"why": "These columns tell a line little: try others, or more rows", "command": None}


def test_a_rarer_class_that_weights_have_found_is_predicted(capsys: pytest.CaptureFixture[str]) -> None:
    chance = np.random.default_rng(7)
    labels = np.array(["no"] * 558 + ["yes"] * 42)
    write("rare.csv", chance.normal(size=(600, 2)) + 0.8 * (labels == "yes")[:, None], labels, "ab")
    plain = answer(capsys, "train", "rare.csv")
    assert plain["evaluation"]["beside_baseline"] != "better"
    found = answer(capsys, *plain["next"][0]["command"][1:])
    assert found["evaluation"]["beside_baseline"] == "worse"  # at the cost of the common one
    assert found["evaluation"]["balanced_accuracy"] > plain["evaluation"]["balanced_accuracy"] + 0.1
    assert found["next"][0]["command"][:2] == ["rosenblatt", "predict"]


def test_even_classes_that_no_line_tells_apart_are_said_to_be_so(capsys: pytest.CaptureFixture[str]) -> None:
    chance = np.random.default_rng(0)
    write("noise.csv", chance.normal(size=(300, 4)), np.where(np.arange(300) % 2, "odd", "even"))
    report = answer(capsys, "train", "noise.csv", "--folds", 5)
    assert report["evaluation"]["beside_baseline"] != "better"
    assert report["next"][0] == {"why": "These columns tell a line little: try others, or more rows", "command": None}
    assert "Next: these columns tell a line little: try others, or more rows." in run(capsys, "train", "noise.csv")[1]


def test_the_step_to_predict_names_the_file_it_was_judged_by(capsys: pytest.CaptureFixture[str]) -> None:
    write("test.csv", X[::2], NAMES[Y[::2]])
    step = answer(capsys, "train", "iris.csv", "--test", "test.csv", "-m", "m")["next"][0]
    assert step["why"] == "Predict the rows of a file; those it was judged by, for example"
    assert step["command"] == ["rosenblatt", "predict", "m", "test.csv"]
    assert answer(capsys, *step["command"][1:])["evaluation"]["rows"] == 75
    assert answer(capsys, "train", "iris.csv")["next"][0]["command"][-1] == "iris.csv"


def test_without_them_the_rows_speak_that_the_choice_was_made_by(capsys: pytest.CaptureFixture[str]) -> None:
    report = answer(capsys, "train", "iris.csv")
    known, choice = report["evaluation"], report["choice"]
    (chosen,) = (one for one in choice["candidates"] if one["chosen"])
    assert (known["by"], known["rows"]) == ("choosing", choice["held_out"])
    assert known["accuracy"] == pytest.approx(chosen["accuracy"], abs=1e-11)
    assert known["baseline"]["accuracy"] == pytest.approx(choice["most_common"])
    (step,) = (one for one in report["next"] if "choose nothing" in one["why"])
    assert answer(capsys, *step["command"][1:])["evaluation"]["by"] == "holdout"
    _, out, _ = run(capsys, "train", "iris.csv")
    assert "These rows chose the model as well" in out
    assert answer(capsys, "train", "iris.csv", "--rule", "perceptron")["evaluation"] is None


@pytest.mark.parametrize(
    "more",
    [
        ("--rule", "perceptron", "--readout", "voted", "--epochs", 3),
        ("--rule", "pa-1", "--multiclass", "direct"),
        ("--rule", "coin", "--scale", "standard"),
        ("--readout", "pocket", "--epochs", 3),
        ("--start", "random", "--trace", "--trace-class", "setosa"),
    ],
)
def test_every_way_of_learning_can_be_judged(more: tuple[Any, ...], capsys: pytest.CaptureFixture[str]) -> None:
    for option in (("--folds", 3), ("--holdout", 30), ("--test", "iris.csv")):
        known = answer(capsys, "train", "iris.csv", *option, *more)["evaluation"]
        assert known["rows"] == (30 if option[0] == "--holdout" else 150)
        assert known["accuracy"] > 0.5


def test_examples_and_progress(capsys: pytest.CaptureFixture[str]) -> None:
    known = answer(capsys, "train", "example:iris", "--folds", 3)["evaluation"]
    assert (known["by"], known["rows"]) == ("folds", 150)
    assert answer(capsys, "train", "iris.csv", "--test", "iris.csv")["evaluation"]["by"] == "training"
    _, _, err = run(capsys, "train", "iris.csv", "--folds", 3, "--progress")
    assert err.splitlines()[:3] == [f"judging {fold} of 3: learning from 100 rows …" for fold in (1, 2, 3)]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--holdout", 0.2, "--folds", 5), "--holdout and --folds both say which rows judge: expected one of them"),
        (("--test", "iris.csv", "--folds", 5), "--test and --folds both say which rows judge: expected one of them"),
        (("--holdout", 0), "--holdout 0: expected a share between 0 and 1, such as 0.2, or a number of rows above 1"),
        (("--holdout", 1), "--holdout 1: expected a share between 0 and 1"),
        (("--holdout", "nan"), "--holdout nan: expected a share between 0 and 1"),
        (("--holdout", "inf"), "--holdout inf: expected a share between 0 and 1"),
        (("--holdout", 2.5), "--holdout 2.5: expected a share between 0 and 1"),
        (("--holdout", 148), "to hold out 148 rows; expected 1 to 147 of 150, so that every class keeps a row"),
        (("--holdout", 0.001), "to hold out 0.001 of 150 rows is 0; expected 1 to 147 of 150"),
        (("--folds", 1), "--folds 1: expected 2 or more"),
        (("--folds", 151), "151 folds of 150 rows; expected at most as many folds as rows"),
        (("--test", "none.csv"), "none.csv: No such file"),
        (("--holdout", 0.2, "--start", "m"), "--start MODEL may have learnt from the rows held out"),
        (("--holdout", 0.2, "--resume", "m"), "--resume goes on from a model"),
    ],
)
def test_what_cannot_be_judged_is_one_line(
    options: tuple[Any, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "train", "iris.csv", "-m", "m", "--rule", "perceptron", "--epochs", 2)
    code, out, err = run(capsys, "train", "iris.csv", "-m", "n", *options)
    assert (code, out, err.count("\n"), said in err) == (2, "", 1, True), err
    assert sorted(os.listdir()) == ["iris.csv", "m"]


def test_a_class_of_one_row_is_learnt_from_and_not_held_out(capsys: pytest.CaptureFixture[str]) -> None:
    write("single.csv", X[:101], NAMES[Y[:101]])
    code, _, err = run(capsys, "train", "single.csv", "--folds", 5)
    assert (code, err.count("\n"), err.startswith("class virginica has one row")) == (2, 1, True)
    known = answer(capsys, "train", "single.csv", "--holdout", 0.2)["evaluation"]
    assert (known["rows"], {one["label"] for one in known["classes"]}) == (20, {"setosa", "versicolor"})
    write("few.csv", X[:103], NAMES[Y[:103]])
    code, _, err = run(capsys, "train", "few.csv", "--folds", 5)
    assert (code, err) == (0, "note: class virginica has 3 rows, fewer than folds: not every fold judges it\n")


@contextmanager
def interrupted(patch: pytest.MonkeyPatch, number: int) -> Iterator[None]:
    @contextmanager
    def received() -> Iterator[list[int]]:
        yield [number]

    with patch.context() as patched:
        patched.setattr("rosenblatt.cli.train.interruptible", received)
        yield


@pytest.mark.parametrize(("number", "code", "word"), [(2, 130, "interrupted"), (15, 143, "terminated")])
@pytest.mark.parametrize("rule", ["auto", "perceptron"])
def test_interrupted_while_judging_nothing_is_written(
    rule: str, number: int, code: int, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = f"{word} while judging: nothing is written"
    words = ("train", "iris.csv", "--rule", rule, "--folds", 3)
    with interrupted(monkeypatch, number):
        assert run(capsys, *words) == (code, "", f"{said}\n")
        found, out, _ = run(capsys, *words, "--json")
    assert (found, json.loads(out)["error"]["message"], os.listdir()) == (code, said, ["iris.csv"])
