"""From a file to a model and from a model to predictions, on the command line."""

import json
import os
import signal
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import laws
import numpy as np
import pytest
from commands import SCHEMA, answer, run
from sklearn.datasets import load_iris

from rosenblatt import Model, Perceptron, learn, load
from rosenblatt.cli import main
from rosenblatt.cli.framework import Settings
from rosenblatt.cli.next_steps import resumption
from rosenblatt.cli.train import MEANWHILE
from rosenblatt.data.examples import Examples

IRIS_X, IRIS_Y = load_iris(return_X_y=True)
NAMES = ("sepal length", "sepal width", "petal length", "petal width")


def write_iris(path: Path, order: tuple[int, ...] = (0, 1, 2, 3), label: bool = True, more: str = "") -> Path:
    species = np.array(["setosa", "versicolor", "virginica"])[IRIS_Y]
    head = [*(NAMES[j] for j in order), *(["class"] if label else []), *([more] if more else [])]
    lines = [",".join(head)]
    for x, y in zip(IRIS_X.tolist(), species, strict=True):
        lines.append(",".join([*(repr(x[j]) for j in order), *([y] if label else []), *(["7"] if more else [])]))
    path.write_text("\n".join(lines) + "\n")
    return path


def test_the_model_is_the_estimators_bit_for_bit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, target = write_iris(tmp_path / "iris.csv"), tmp_path / "iris.model"
    report = answer(capsys, "train", data, "-m", target, "--rule", "perceptron")
    peer = Perceptron().fit(IRIS_X, IRIS_Y)
    model = load(target)
    assert model.coef_.tobytes() == peer.coef_.tobytes()
    assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert tuple(model.feature_names_in_) == NAMES
    assert {k: v for k, v in model.get_params().items() if k not in ("order", "offset")} == {
        k: v for k, v in peer.get_params().items() if k not in ("order", "offset")
    }
    assert (report["status"], report["epochs"], report["updates"]) == ("plateau", peer.n_iter_, peer.n_updates_)
    assert report["model"] == str(target)


def test_by_default_the_model_is_named_after_the_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    data = write_iris(tmp_path / "elsewhere" / "iris.csv")
    monkeypatch.chdir(tmp_path)
    code, out, _ = run(capsys, "train", data, "--epochs", 2)
    assert code == 0
    assert "Written: iris.csv.model" in out
    assert sorted(os.listdir(tmp_path)) == ["elsewhere", "iris.csv.model"]
    assert Model.load("iris.csv.model").n_iter_ == 2


def test_columns_are_found_by_name_in_whatever_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "iris.model"
    run(capsys, "train", write_iris(tmp_path / "iris.csv"), "-m", target)
    expected = Model.load(target).predict(IRIS_X).tolist()
    mixed = write_iris(tmp_path / "mixed.csv", order=(3, 0, 2, 1), label=False, more="weight")
    code, out, err = run(capsys, "predict", target, mixed)
    assert (code, out.splitlines()) == (0, expected)
    assert "left out" in err
    assert "weight" in err
    few = write_iris(tmp_path / "few.csv", order=(0, 2))
    code, out, err = run(capsys, "predict", target, few)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "'sepal width', 'petal width'" in err


def test_accuracy_and_confusion_where_there_are_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, target = write_iris(tmp_path / "iris.csv"), tmp_path / "iris.model"
    run(capsys, "train", data, "-m", target)
    predicted = Model.load(target).predict(IRIS_X)
    species = np.array(["setosa", "versicolor", "virginica"])[IRIS_Y]
    right = int((predicted == species).sum())
    report = answer(capsys, "predict", target, data)
    assert report["labelled"]["right"] == right
    assert report["predictions"] == predicted.tolist()
    counts = {(one["label"], one["predicted"]): one["rows"] for one in report["labelled"]["confusion"]}
    for a in np.unique(species):
        for b in np.unique(species):
            assert counts.get((a, b), 0) == int(((species == a) & (predicted == b)).sum())
    code, out, err = run(capsys, "predict", target, data)
    assert out.splitlines() == predicted.tolist()
    assert f"{right / 150:.2%} right (150 rows, those it learnt from); always answering setosa gets\n33.33%." in err
    assert f"accuracy           {right / 150:.2%}, {right} of 150; " in err
    code, out, err = run(capsys, "predict", target, data, "-o", tmp_path / "labels.txt")
    assert (tmp_path / "labels.txt").read_text().splitlines() == predicted.tolist()
    assert out.startswith(f"{right / 150:.2%} right (150 rows")
    code, out, err = run(capsys, "predict", target, data, "-q")
    assert (code, err) == (0, "")


def test_scores_and_margins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1 2:2\n+1 1:2\n-1 2:-3\n-1 1:-1\n")
    run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "m")
    model = load(tmp_path / "m")
    X = np.array([[1, 2], [2, 0], [0, -3], [-1, 0]], dtype=float)
    for option, expected in (("--scores", model.decision_function(X)), ("--margins", model.geometric_margin(X))):
        _, out, _ = run(capsys, "predict", tmp_path / "m", tmp_path / "x.svm", option)
        head, *lines = out.splitlines()
        assert head == f"label\t{option[2:-1]}"
        assert [float(line.split("\t")[1]) for line in lines] == expected.tolist()
        assert [int(line.split("\t")[0]) for line in lines] == [1, 1, -1, -1]
        told = answer(capsys, "predict", tmp_path / "m", tmp_path / "x.svm", option)["predictions"]
        assert [one[option[2:]] for one in told] == expected.tolist()


def test_indices_mean_the_same_when_predicting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that counts from 0 stays one, though the rows to predict do not show it."""
    (tmp_path / "train.svm").write_text("1 0:1 1:-1\n-1 0:-1 1:2\n1 0:2\n-1 1:1 2:1\n")
    run(capsys, "train", tmp_path / "train.svm", "-m", tmp_path / "m")
    (tmp_path / "test.svm").write_text("0 1:1\n0 2:1 7:3\n")
    _, out, err = run(capsys, "predict", tmp_path / "m", tmp_path / "test.svm", "--scores")
    model = load(tmp_path / "m")
    expected = model.decision_function([[0, 1, 0], [0, 0, 1]])
    assert [float(line.split("\t")[1]) for line in out.splitlines()[1:]] == expected.tolist()
    assert "note: " in err


def test_a_model_of_liblinear_predicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1 2:2\n+1 1:2\n-1 2:-3\n-1 1:-1\n")
    run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "m")
    load(tmp_path / "m").to_liblinear(tmp_path / "l")
    (tmp_path / "j").write_text(load(tmp_path / "m").to_json())
    outs = {run(capsys, "predict", tmp_path / name, tmp_path / "x.svm", "-q")[1] for name in "mlj"}
    assert outs == {"1\n1\n-1\n-1\n"}


def test_hashed_features_keep_their_names_beside_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.vw").write_text("1 | good fine:2\n-1 | bad\n1 | good\n-1 | bad worse\n")
    hashed = ("--hash-bits", 10, "--hash-names", tmp_path / "names.tsv")
    code, _, _ = run(capsys, "train", tmp_path / "x.vw", "-m", tmp_path / "m", *hashed)
    assert code == 0
    pairs = [line.split("\t") for line in (tmp_path / "names.tsv").read_text().splitlines()]
    assert {name for _, name in pairs} == {"good", "fine", "bad", "worse"}
    model = load(tmp_path / "m")
    assert model.n_features_in_ == 1024
    used = {int(column) for column, _ in pairs}
    assert set(np.flatnonzero(model.coef_[0]).tolist()) <= used
    (tmp_path / "new.vw").write_text("| good unseen\n| worse\n")
    assert run(capsys, "predict", tmp_path / "m", tmp_path / "new.vw", "-q")[1] == "1\n-1\n"
    code, _, err = run(capsys, "train", tmp_path / "x.vw", "-m", tmp_path / "m", "--hash-names", tmp_path / "n")
    assert code == 2
    assert "--hash-bits" in err


def test_the_table_counts_what_was_predicted_wrong_before_it_was_learnt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((100, 3)), rng.choice([-1, 1], 100)
    rows = [
        f"{label} " + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(x))
        for x, label in zip(X.tolist(), y, strict=True)
    ]
    (tmp_path / "x.svm").write_text("\n".join(rows))
    plan = ("--rule", "perceptron", "--order", "cyclic", "--readout", "last", "--epochs", 2, "--tol", "never")
    _, _, err = run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "m", *plan, "--progress")
    w, wrong, expected = np.zeros(4), 0, {}
    for t, (x, label) in enumerate(zip(np.c_[X, np.ones(100)], y, strict=True), 1):
        predicted = 1 if w @ x > 0 else -1
        wrong += predicted != label
        if label * (w @ x) <= 0:
            w = w + label * x
        expected[t] = (wrong / t, label, predicted)
    lines = [line.split() for line in err.splitlines() if line[:1].isdigit()]
    assert [int(line[2]) for line in lines] == [1, 2, 4, 8, 16, 32, 64]
    for line in lines:
        loss, label, predicted = expected[int(line[2])]
        assert line == [f"{loss:.6f}", line[1], line[2], f"{int(line[2])}.0", str(label), str(predicted), "3"]
    assert f"epoch 1: {wrong / 100:.6f} of 100 examples" in err
    assert all(len(line) <= 80 for line in err.splitlines())
    assert run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "m", *plan)[2] == ""  # not a terminal


@pytest.mark.slow
def test_training_imports_neither_scikit_learn_nor_scipy(tmp_path: Path) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1\n-1 2:1\n")
    (tmp_path / "x.csv").write_text("a,y\n1,0\n2,1\n")
    code = (
        "import sys\nfrom rosenblatt.cli import main\n"
        "for data in sys.argv[1:]:\n"
        "    assert main(['train', data, '-m', data + '.model']) == 0\n"
        "    assert main(['predict', data + '.model', data]) == 0\n"
        "slow = [m for m in ('sklearn', 'scipy', 'flint', 'highspy', 'pandas', 'rich') if m in sys.modules]\n"
        "sys.exit(f'imported {slow}' if slow else 0)"
    )
    words = [sys.executable, "-c", code, tmp_path / "x.svm", tmp_path / "x.csv"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_a_clean_end_may_be_required(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1\n-1 1:1\n")
    words = ("train", tmp_path / "x.svm", "-m", tmp_path / "m", "--epochs", 3)
    assert run(capsys, *words)[0] == 0
    assert run(capsys, *words, "--require-clean")[0] == 3
    (tmp_path / "x.svm").write_text("+1 1:1\n-1 1:-1\n")
    assert run(capsys, *words, "--require-clean")[0] == 0


def test_mistakes_stand_beside_the_theorems_bound(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1\n+1 1:2\n-1 1:3\n-1 1:4\n")
    words = (
        "train",
        tmp_path / "x.svm",
        "-m",
        tmp_path / "m",
        "--order",
        "cyclic",
        "--readout",
        "last",
        "--tol",
        "never",
    )
    bound = answer(capsys, *words)["bound"]
    # w = -3, b = 7: the nearest rows have m = 1 and the length of (w, b) is √58; R'² is 17.
    assert bound["updates"] == 25
    assert bound["most_updates"] == 17 * 58
    assert abs(bound["margin"] - 58**-0.5) < 1e-12
    assert "25 updates; at most (R'/margin)^2 = 986 were possible" in " ".join(run(capsys, *words)[1].split())


@pytest.mark.serial
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_goes_on_to_the_same_bits(tmp_path: Path, number: signal.Signals, code: int) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((4000, 20))
    y = np.where(X[:, 0] + rng.standard_normal(4000) > 0, 1, -1)
    rows = [f"{label} " + " ".join(f"{j + 1}:{v:.4f}" for j, v in enumerate(x)) for x, label in zip(X, y, strict=True)]
    (tmp_path / "x.svm").write_text("\n".join(rows))
    plan = ["train", "x.svm", "-m", "m", "--tol", "never", "--seed", "5"]
    program = [sys.executable, "-m", "rosenblatt"]
    started = subprocess.Popen(
        [*program, *plan, "--epochs", "10000000", "--progress"], cwd=tmp_path, stderr=subprocess.PIPE, text=True,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert started.stderr is not None
    while not started.stderr.readline().startswith("epoch 2"):
        assert started.poll() is None
    time.sleep(0.2)
    started.send_signal(number)
    out, err = started.communicate(timeout=30)
    assert (started.returncode, "Traceback" in err) == (code, False), err
    assert sorted(os.listdir(tmp_path)) == ["m.checkpoint", "x.svm"]
    assert "Stopped" in out
    assert "--resume m.checkpoint" in " ".join(out.replace("\\", "").split())
    done = Model.load(tmp_path / "m.checkpoint")
    epochs = str(done.n_iter_ + 3)
    subprocess.run(
        [*program, *plan, "--epochs", epochs, "--resume", "m.checkpoint"], cwd=tmp_path, check=True, stdout=-3
    )
    resumed = Model.load(tmp_path / "m")
    subprocess.run([*program, *plan, "--epochs", epochs], cwd=tmp_path, check=True, stdout=-3)
    whole = Model.load(tmp_path / "m")
    assert resumed.coef_.tobytes() == whole.coef_.tobytes()
    assert resumed.n_updates_ == whole.n_updates_


def test_what_cannot_be_written_is_said_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "none.svm"  # which is not there: it would be the next thing to be missed
    for target, words in ((tmp_path, "a folder"), (tmp_path / "no" / "m", "nothing can be written")):
        code, out, err = run(capsys, "train", data, "-m", target)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert words in err
    code, _, err = run(capsys, "train", "-")
    assert (code, "-m MODEL" in err) == (2, True)


def test_a_large_index_asks_for_no_memory_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 2147483647:1\n-1 1:1\n")
    code, _, err = run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "m")
    assert (code, err.count("\n")) == (2, 1)
    assert "GB of weights; expected what fits into memory: hash_bits=20 (--hash-bits 20)" in err
    assert run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "m", "--hash-bits", 10)[0] == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rule", "nonsense"), "unknown rule 'nonsense'"),
        (("--rule", "perceptron", "--epochs", "0"), "--epochs must be a whole number >= 1"),
        (("--epochs", "many"), "'many' is not a valid integer"),
        (("--tol", "x"), "'x' is not a number or 'never'"),
        (("--batch-size", "1.5"), "'1.5' is not a whole number or 'all'"),
        (("--rule", "perceptron", "--eta", "nan"), "eta"),
        (("--rule", "auto", "--eta", "2"), "leave one of them out, or name the rule, as in --rule perceptron"),
        (("--rule", "auto", "--offset", "radius"), "--offset is an option of one rule"),
        (("--rule", "auto", "--require-clean"), "--require-clean is an option of one rule"),
        (("--rule", "margin"), "needs --beta"),
        (("--resume", "x.svm"), "not a model"),
        (("--readout", "mean"), "not one of"),
    ],
)
def test_bad_choices_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.svm").write_text("+1 1:1\n-1 2:1\n")
    code, out, err = run(capsys, "train", "x.svm", "-m", "m", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert os.listdir() == ["x.svm"]


def test_predict_says_what_is_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1\n-1 2:1\n")
    for name in ("x.svm", "none"):
        code, out, err = run(capsys, "predict", tmp_path / name, tmp_path / "x.svm")
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert name in err


def test_no_output_takes_the_place_of_an_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "+1 1:1\n-1 2:1\n"
    Path("x.svm").write_text(text)
    os.link("x.svm", "y.svm")
    run(capsys, "train", "x.svm", "-m", "m")
    model = Path("m").read_bytes()
    for words in (
        ("train", "x.svm", "-m", "x.svm"), ("train", "x.svm", "-m", "./y.svm"), ("check", "x.svm", "--proof", "y.svm"),
        ("predict", "m", "x.svm", "-o", "m"), ("predict", "m", "x.svm", "-o", "x.svm"), ("convert", "x.svm", "y.svm"),
        ("train", "x.svm", "-m", "n", "--hash-bits", "4", "--hash-names", "n"), ("train", "x.svm", "-m", "-"),
        ("convert", "x.svm", "-"), ("check", "x.svm", "--proof", "-"), ("predict", "m", "x.svm", "-o", "-"),
    ):  # fmt: skip
        code, out, err = run(capsys, *words)
        assert (code, out, err.count("\n")) == (2, "", 1), words
        assert "expected another one to write" in err or "expected the name of a file to write" in err
    assert sorted(os.listdir()) == ["m", "x.svm", "y.svm"]
    assert (Path("x.svm").read_text(), Path("m").read_bytes()) == (text, model)


def test_predictions_may_go_to_a_device(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1\n-1 2:1\n")
    run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "m")
    code, out, _ = run(capsys, "predict", tmp_path / "m", tmp_path / "x.svm", "-o", "/dev/null")
    assert (code, out.startswith("100.00% right (2 rows")) == (0, True)


@pytest.mark.slow
def test_labels_that_the_output_cannot_show_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("a,class\n1,γ\n2,δ\n")
    program = [sys.executable, "-m", "rosenblatt"]
    subprocess.run([*program, "train", "x.csv", "-m", "m", "-q"], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    setting = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    words = [*program, "predict", "m", "x.csv", "-q"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, env=setting, check=False)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert subprocess.run(words, cwd=tmp_path, capture_output=True, check=True).stdout.decode().split() == ["γ", "δ"]


def test_labels_the_model_does_not_know_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1\n-1 2:1\n")
    run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "m")
    (tmp_path / "new.svm").write_text("0 1:1\n0 2:1\n7 1:2\n1 1:1\n")
    _, _, err = run(capsys, "predict", tmp_path / "m", tmp_path / "new.svm")
    assert "the model has no class 0, 7: 3 rows count as wrong" in err


@pytest.mark.parametrize("command", ["check", "margin", "suspects", "clinic", "train"])
def test_no_command_is_killed_by_one_large_index(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (tmp_path / "x.svm").write_text("+1 2147483647:1\n-1 1:1\n")
    more = ("-m", tmp_path / "m") if command == "train" else ()
    code, _, err = run(capsys, command, tmp_path / "x.svm", *more)
    assert (code, err.count("\n"), "GB of weights" in err) == (2, 1, True)


def test_a_resumed_run_keeps_the_options_it_had(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1\n-1 1:1\n-1 2:1\n")
    plan = ("--rule", "pa-1", "--C", 0.5, "--tol", "never", "--seed", 3, "--readout", "last")
    run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "a", "--epochs", 3, *plan)
    run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "b", "--epochs", 7, *plan)
    resumed = ("train", tmp_path / "x.svm", "-m", tmp_path / "c", "--resume", tmp_path / "a", "--epochs", 7)
    report = answer(capsys, *resumed)
    assert (report["rule"], report["epochs"], report["status"]) == ("pa-1", 7, "budget")
    assert load(tmp_path / "c").coef_.tobytes() == load(tmp_path / "b").coef_.tobytes()
    in_place = ("train", tmp_path / "x.svm", "-m", tmp_path / "a", "--resume", tmp_path / "a", "--epochs", 7)
    assert answer(capsys, *in_place)["epochs"] == 7
    model = load(tmp_path / "a")
    assert model.coef_.tobytes() == load(tmp_path / "b").coef_.tobytes()
    assert model.history_.epoch.tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_an_array_may_come_with_or_without_its_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    X = np.random.default_rng(0).standard_normal((50, 3))
    y = (X[:, 0] > 0).astype(float)
    np.save(tmp_path / "train.npy", np.c_[y, X])
    np.save(tmp_path / "test.npy", X)
    run(capsys, "train", tmp_path / "train.npy", "--label", 0, "-m", tmp_path / "m", "-q")
    expected = [str(label) for label in load(tmp_path / "m").predict(X).tolist()]
    for name in ("train.npy", "test.npy"):
        code, out, err = run(capsys, "predict", tmp_path / "m", tmp_path / name, "-q")
        assert (code, out.split(), err) == (0, expected, "")


def test_a_row_on_the_boundary_is_predicted_as_predict_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """XOR through the origin: every row is met with m <= 0, but the first, a negative one, scores 0."""
    (tmp_path / "x.svm").write_text("-1 1:1 2:1\n1 1:1 2:-1\n1 1:-1 2:1\n-1 1:-1 2:-1\n")
    words = ("train", tmp_path / "x.svm", "-m", tmp_path / "m", "--order", "cyclic", "--offset", 0, "--readout", "last")
    report = answer(capsys, *words)
    assert report["mistakes"]["first_epoch"] == 4
    assert report["predicted_wrong"]["first_epoch"] == 3
    _, out, err = run(capsys, *words, "--progress", "-v")
    assert "3 of 4 rows were predicted wrong before they were learnt (75.00%)." in " ".join(out.split())
    assert "epoch 1: 0.750000 of 4 examples predicted wrong before they were learnt" in err


@pytest.mark.parametrize(("n", "enough"), [(100, False), (2000, True)])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_what_to_expect_of_new_rows_is_said_where_there_are_many(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], n: int, enough: bool, order: str
) -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 3))
    np.save(tmp_path / "x.npy", np.c_[X, X[:, 0] + rng.standard_normal(n) > 0])
    words = ("train", tmp_path / "x.npy", "-m", tmp_path / "m", "--order", order, "--epochs", 1, "-v")
    out = " ".join(run(capsys, *words)[1].split())
    assert "were predicted wrong before they were learnt" in out
    assert ("about what to expect of new rows" in out) == enough
    assert ("if those of the file come in no particular order" in out) == (enough and order == "cyclic")


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        (
            "+1 1:1e308\n-1 1:1\n",
            ("--rule", "perceptron"),
            "x.svm:1: row 0 in epoch 1: its squared length overflows float64; nothing was",
        ),
        (
            "+1 1:1\n-1 1:1e200\n",
            ("--rule", "perceptron"),
            "x.svm:2: row 1 in epoch 1: its squared length overflows float64; the weights",
        ),
        (
            "+1 1:1\n-1 1:-1e-200\n",
            ("--rule", "pa-1", "--offset", 0),
            "x.svm:2: row 1 in epoch 1: its squared length u",
        ),
        (
            "+1 1:1\n-1 1:-3\n",
            ("--rule", "delta", "--eta", 9, "--tol", "never"),
            "take a smaller --eta: below 2/R'^2 = 0.2 no step",
        ),
    ],
)
def test_numbers_that_leave_float64_make_no_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, text: str, more: Any, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.svm").write_text(text)
    Path("m").write_bytes(b"an earlier one")
    code, out, err = run(capsys, "train", "x.svm", "-m", "m", "--order", "cyclic", *more)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert err.endswith("no model is written\n")
    assert Path("m").read_bytes() == b"an earlier one"
    code, out, _ = run(capsys, "train", "x.svm", "-m", "m", "--order", "cyclic", *more, "--json")
    SCHEMA.validate(json.loads(out))
    assert json.loads(out)["error"]["file"] == "x.svm"


def test_a_model_that_is_no_better_than_a_guess_is_not_advised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """XOR, read out where its loop begins: all weights are 0, and one class is predicted for every row."""
    (tmp_path / "x.svm").write_text("+1 1:1 2:1\n-1 1:1 2:-1\n-1 1:-1 2:1\n+1 1:-1 2:-1\n")
    words = ("train", tmp_path / "x.svm", "-m", tmp_path / "m", "--order", "cyclic", "--readout")
    _, out, _ = run(capsys, *words, "last")
    assert not load(tmp_path / "m").coef_.any()
    assert "50.00% of the 4 training rows right, no better than always answering -1 (50.00%)." in " ".join(out.split())
    assert "redict the rows of a file" not in out
    (tmp_path / "x.svm").write_text("+1 1:1 2:1\n-1 1:1 2:-1\n-1 1:-1 2:1\n-1 1:-1 2:-1\n+1 1:2 2:2\n")
    report = answer(capsys, *words, "last")
    assert report["predicted_wrong"] == {
        "first_epoch": 3, "tells_of_new_rows": False, "training": 0, "most_common": 2, "beats_most_common": True,
    }  # fmt: skip
    assert [step["why"] for step in report["next"]] == ["Predict the rows of a file; those of this one, for example"]
    # A vote is not counted again.
    assert answer(capsys, *words, "voted")["predicted_wrong"]["training"] is None


def test_training_starts_where_it_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1\n+1 1:2\n-1 1:3\n-1 1:4\n")
    X, y = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([1, 1, -1, -1])
    plan = ("--order", "cyclic", "--readout", "last", "--tol", "never")
    words = ("train", tmp_path / "x.svm", "-m", tmp_path / "m", *plan)
    report = answer(capsys, *words, "--start", "random", "--seed", 3)
    peer = learn(X, y, start="random", seed=3)
    assert (report["start"], report["seed"], report["updates"]) == ("random", 3, peer.updates)
    assert load(tmp_path / "m").coef_[0].tolist() == peer.hyperplane.w.tolist()
    answer(capsys, *words, "--epochs", 4)
    first = learn(X, y, max_epochs=4)
    more = answer(capsys, *words, "--start", tmp_path / "m")  # from its weights, not where its run was
    rest = learn(X, y, start=first.hyperplane)
    assert (more["start"], more["epochs"], more["updates"]) == (str(tmp_path / "m"), rest.epochs, rest.updates)
    assert load(tmp_path / "m").coef_[0].tolist() == rest.hyperplane.w.tolist()
    assert more["predicted_wrong"]["first_epoch"] is None  # the rows were seen before
    assert answer(capsys, *words)["start"] == "zero"


def test_what_training_cannot_start_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.svm").write_text("+1 1:1\n-1 2:1\n")
    (tmp_path / "three.svm").write_text("+1 1:1\n-1 3:1\n")
    (tmp_path / "words.svm").write_text("5 1:1\n7 2:1\n")
    (tmp_path / "a.csv").write_text("a,b,class\n1,0,1\n0,1,-1\n")
    (tmp_path / "b.csv").write_text("a,c,class\n1,0,1\n0,1,-1\n")
    run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "m")
    run(capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "v", "--readout", "voted")
    run(capsys, "train", tmp_path / "a.csv", "-m", tmp_path / "c")
    for data, start, said in (
        ("x.svm", "none", "--start none: no such file; expected zero, random, or the file of a model"),
        ("x.svm", tmp_path / "x.svm", "not a model"),
        ("x.svm", tmp_path / "v", "a vote has no weights to start from"),
        ("three.svm", tmp_path / "m", "a model of 2 columns; expected the 3 of the data"),
        ("words.svm", tmp_path / "m", "a model of the classes [-1, 1]; expected those of the data, [5, 7]"),
        ("b.csv", tmp_path / "c", "the first that differs 'b'"),
    ):
        words = ("--rule", "perceptron", "--start", start)
        code, out, err = run(capsys, "train", tmp_path / data, "-m", tmp_path / "n", *words)
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert said in err
    code, _, err = run(
        capsys, "train", tmp_path / "x.svm", "-m", tmp_path / "n", "--resume", tmp_path / "m", "--start", "zero"
    )
    assert (code, "--start begins anew" in err) == (2, True)
    assert not (tmp_path / "n").exists()


def test_small_steps_end_training_and_a_resumed_run_keeps_that(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    X, y = laws.reals(2)
    np.save(tmp_path / "x.npy", np.c_[X, y])
    plan = ("--rule", "delta", "--eta", 0.001, "--order", "cyclic", "--readout", "last", "--tol", "never")
    words = ("train", tmp_path / "x.npy", "-m", tmp_path / "m", *plan, "--step-tol", 1e-3)
    report = answer(capsys, *words)
    peer = learn(X, y, rule="delta", eta=0.001, step_tol=1e-3)
    assert (report["status"], report["epochs"]) == ("step", peer.epochs)
    assert "less than --step-tol" in report["reason"]
    whole = load(tmp_path / "m").coef_.tobytes()
    answer(capsys, *words, "--epochs", 3)
    again = answer(
        capsys, "train", tmp_path / "x.npy", "-m", tmp_path / "m", "--resume", tmp_path / "m", "--epochs", 1000
    )
    assert (again["status"], again["epochs"]) == ("step", peer.epochs)
    assert load(tmp_path / "m").coef_.tobytes() == whole
    code, _, err = run(capsys, *words[:-1], 0)
    assert (code, err.splitlines()[-1]) == (2, "--step-tol must be a finite number > 0, not 0.0")


def test_an_interrupted_vote_is_told_to_train_again() -> None:
    run = learn([[1.0], [2.0]], [1, -1], readout="voted", max_epochs=1)
    step = resumption(Settings(), "x.svm", run)
    assert step == {"why": "A vote does not go on from a checkpoint: train again, with fewer --epochs", "command": None}


def test_what_is_imported_while_data_are_read_is_there() -> None:
    for name in MEANWHILE:  # nothing else would tell: what fails there is tried again where it is used
        assert import_module(f"rosenblatt.{name}")


def test_examples_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "four.svm").write_text("+1 1:1\n+1 1:2\n-1 1:3\n-1 1:4\n")
    made, check = [], Examples.__post_init__
    monkeypatch.setattr(Examples, "__post_init__", lambda self: (made.append(self), check(self))[1])
    assert main(["train", str(tmp_path / "four.svm"), "-m", str(tmp_path / "four.model")]) == 0
    assert len(made) == 1
    assert made[0].lines.tolist() == [1, 2, 3, 4]
