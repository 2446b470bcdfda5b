"""`train --trace` and its files; examples by name at every door; what votes, in `show`."""

import csv
import io
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rosenblatt import Model, datasets, learn
from rosenblatt.cli import main
from rosenblatt.cli.answers import envelope

SCHEMA = Draft202012Validator(json.loads((files("rosenblatt.cli") / "schema.json").read_text()))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(capsys: pytest.CaptureFixture[str], words: str) -> tuple[int, str, str]:
    code = main(words.split())
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def answer(capsys: pytest.CaptureFixture[str], words: str) -> dict[str, Any]:
    _, out, err = run(capsys, f"{words} --json")
    assert err == ""
    SCHEMA.validate(json.loads(out))
    found: dict[str, Any] = json.loads(out)["result"]
    return found


# --- The trace. ---


def test_the_table_of_s002_is_below_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "train example:four-in-the-plane --trace --epochs 1")
    assert (code, err) == (
        0,
        "note: as the example is meant: --order cyclic, --readout last, --tol never,\n  --offset 0\n",
    )
    table = """
Rounds 1 to 4 of 4: perceptron, cyclic order, through the origin.
round  epoch  row  label  score  margin  mistake  step  w0  w1  c
    0                                                    0   0  1
    1      1    0      1      0       0  yes         1   4   0  1
    2      1    1     -1      4      -4  yes         1   3  -1  1
    3      1    2     -1     -1       1                  3  -1  2
    4      1    3      1     -4      -4  yes         1   1  -3  1
"""
    assert table in out


def test_json_has_the_rounds_and_the_text_is_made_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "train example:xor --trace")["trace"]
    sample = datasets.xor()
    assert found["listed"] == learn(*sample, **sample.plan, log=True).trace().to_dict()["listed"]
    assert (found["rounds"], found["end"], found["file"]) == ("rounds 1 to 4 of 4", [], None)
    assert answer(capsys, "train example:xor")["trace"] is None


def test_of_a_long_run_the_first_and_the_last_rounds_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "train example:breast-cancer --trace --epochs 3 --tol never")
    lines = out.splitlines()
    assert "Rounds 1 to 20 and 1703 to 1707 of 1707: perceptron, shuffled order." in out
    assert "… 1682 more rounds …" in lines
    assert "--trace-file rounds.csv --trace-rounds 1707 writes all 1707 rounds." in lines
    assert max(map(len, lines)) <= 80
    found = answer(capsys, "train example:breast-cancer --trace --epochs 3 --tol never")["trace"]
    assert (len(found["listed"]), found["rounds"]) == (1000, "rounds 1 to 1000 of 1707")
    assert [one["round"] for one in found["end"]] == [1703, 1704, 1705, 1706, 1707]
    shown = answer(capsys, "train example:breast-cancer --trace --epochs 3 --tol never --trace-rounds 2")["trace"]
    assert [one["round"] for one in shown["listed"]] == [1, 2]


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_file_has_the_rounds_asked_for_and_says_so(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = f"train example:four-on-a-line --trace-file t.{form}"
    _, out, _ = run(capsys, f"{words} --trace-rounds 10")
    assert f"Written: t.{form} (rounds 1 to 10 of 44; --trace-rounds 44 writes all)" in out.splitlines()
    assert "round  epoch" not in out
    _, out, _ = run(capsys, words)
    assert f"Written: t.{form} (rounds 1 to 44 of 44)" in out.splitlines()
    text = Path(f"t.{form}").read_text()
    rows = list(csv.DictReader(io.StringIO(text))) if form == "csv" else json.loads(text)["listed"]
    assert len(rows) == 44
    last = rows[-1]
    assert float(last["w_1"] if form == "csv" else last["w"][0]) == -3
    assert (float(last["b"]), int(last["count"])) == (7, 7)


def test_of_more_classes_one_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "train example:iris --trace")
    assert (code, out) == (2, "")
    assert err == "of 3 classes each has its own run: say which by --trace-class setosa\n"
    found = answer(capsys, "train example:iris --trace --trace-class virginica --epochs 2")["trace"]
    assert found["class"] == "virginica"
    assert len(found["listed"]) == 300
    assert answer(capsys, "train example:iris --trace --multiclass direct --epochs 1")["trace"]["class"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("train example:xor --trace-file t.txt", "expected a name that ends in .csv or .json"),
        ("train example:xor --trace-class 1", "it needs --trace or --trace-file"),
        ("train example:xor --trace --trace-class 1", "leave it out"),
        ("train example:iris --trace --trace-class rose", "expected one of setosa, versicolor, virginica"),
        ("train example:iris --trace --trace-class setosa --trace-rounds 0", "--trace-rounds"),
        ("train example:xor --trace --resume xor.model", "leave out --resume"),
        ("train example:xor --trace-file xor.model.checkpoint -m xor.model.checkpoint", "same file"),
        ("train example:xor --trace-file xor.csv -m xor.csv", "same file"),
    ],
)
def test_what_cannot_be_traced_is_said_in_one_line(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "train example:xor -q")
    code, out, err = run(capsys, words)
    assert (code, out, err.count("\n")) == (2, "", 1) or "note: " in err
    assert said in err


# --- Examples. ---


def test_a_file_of_that_name_loses_unless_it_has_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("example:xor").write_text("+1 1:1\n-1 1:2\n")
    assert answer(capsys, "show example:xor")["rows"] == 4
    assert answer(capsys, "show ./example:xor")["rows"] == 2


@pytest.mark.parametrize("name", datasets.names())
def test_every_example_is_learnt_shown_and_written(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    sample = datasets.get(name)
    shown = answer(capsys, f"show example:{name}")
    assert (shown["rows"], shown["columns"]) == sample.X.shape
    assert shown["names"] == (None if sample.feature_names is None else list(sample.feature_names))
    answer(capsys, f"train example:{name} --epochs 30")
    made = Model.load(f"{name}.model")
    assert made.provenance["data"] == f"example:{name}"
    answer(capsys, f"predict {name}.model example:{name}")
    answer(capsys, f"convert example:{name} out.svm" if not sample.class_names else f"convert example:{name} out.csv")


def test_a_worked_example_is_learnt_by_its_plan_unless_options_say_otherwise(
    capsys: pytest.CaptureFixture[str],
) -> None:
    sample = datasets.least_squares_trap()
    answer(capsys, "train example:least-squares-trap")
    plane = learn(*sample, **sample.plan).hyperplane
    made = Model.load("least-squares-trap.model")
    assert (made.weights[:, 0].tolist(), made.offsets.tolist()) == (plane.w.tolist(), [plane.b])
    note = answer(capsys, "train example:least-squares-trap --eta 0.1 --order shuffled")["data"]["notes"]
    assert note == [
        "as the example is meant: --readout last, --tol never, --rule delta, --batch-size all, --epochs 2000"
    ]
    found = answer(capsys, "train example:low-margin")
    assert found["start"] == "example"
    assert found["data"]["notes"][0].endswith("from w = (1, 0), b = 0")
    assert answer(capsys, "train example:low-margin --start zero")["start"] == "zero"
    assert answer(capsys, "train example:iris")["data"]["notes"] == []


def test_the_list_says_what_each_is(capsys: pytest.CaptureFixture[str]) -> None:
    listed = answer(capsys, "examples")["examples"]
    assert [one["name"] for one in listed] == datasets.names()
    assert {one["name"]: (one["rows"], one["columns"], one["classes"]) for one in listed}["iris"] == (150, 4, 3)
    _, out, _ = run(capsys, "examples")
    assert "…" not in out
    assert all(f"example:{name} " in out for name in datasets.names())


def test_a_proof_holds_for_the_example_it_was_made_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "check example:xor --proof p.json")[0] == 1
    assert run(capsys, "verify p.json example:xor")[0] == 0
    assert run(capsys, "verify p.json example:four-in-the-plane")[0] == 1
    assert run(capsys, "convert example:xor xor.svm")[0] == 0
    assert run(capsys, "verify p.json xor.svm")[0] == 0
    code, _, err = run(capsys, "verify p.json example:xor --slow-reader")
    assert (code, err) == (2, "example:xor: an example is not read from a file; expected one, or no --slow-reader\n")


def test_a_model_of_a_file_predicts_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "convert example:iris iris.csv")
    run(capsys, "train iris.csv --label label -m a.model -q")
    there = run(capsys, "predict a.model iris.csv -q")
    assert run(capsys, "predict a.model example:iris -q") == there
    assert there[0] == 0


# --- What votes. ---


def test_show_lists_the_weight_vectors_of_a_vote(capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "train example:four-in-the-plane --readout voted --epochs 1 -q")
    found = answer(capsys, "show four-in-the-plane.model")["vote"]
    assert found == [
        {
            "class": None,
            "total": 4,
            "listed": [
                {"w": [0, 0], "b": 0, "c": 1},
                {"w": [4, 0], "b": 0, "c": 1},
                {"w": [3, -1], "b": 0, "c": 2},
                {"w": [1, -3], "b": 0, "c": 1},
            ],
        }
    ]
    out = run(capsys, "show four-in-the-plane.model -n 2")[1]
    assert "It predicts by a vote of 4 weight vectors, each with its count c; the first 2" in out
    assert run(capsys, "show four-in-the-plane.model -n 0")[0] == 0
    run(capsys, "train example:iris --readout voted --epochs 2 -q")
    assert [one["class"] for one in answer(capsys, "show iris.model")["vote"]] == ["setosa", "versicolor", "virginica"]
    run(capsys, "train example:xor -q")
    assert answer(capsys, "show xor.model")["vote"] is None


def test_json_has_no_negative_zero_and_every_other_number_as_it_was() -> None:
    numbers = [-0.0, -0.05, 0.1, 1e300, -1, 2**60, "-0.0"]
    assert json.loads(envelope("x", 0, result={"a": numbers}))["result"]["a"] == numbers
    assert '"a": [0.0, -0.05, 0.1, 1e+300, -1, 1152921504606846976, "-0.0"]' in envelope("x", 0, result={"a": numbers})
