"""The command line: exit codes, one line for every error, one form of JSON, signals and pipes, shells."""

import ast
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
import numpy as np
import pytest
from jsonschema import Draft202012Validator

import rosenblatt
from rosenblatt import InputError, LawBrokenError, Model, Proof, verify
from rosenblatt.cli import ending, framework, main
from rosenblatt.cli.convert import WRITTEN
from rosenblatt.cli.group import SECTIONS, group
from rosenblatt.cli.proofs import write_proof
from rosenblatt.cli.sides import sides
from rosenblatt.files import write as writing
from rosenblatt.files.read import _READERS
from rosenblatt.files.reading import FORMATS, Reading
from rosenblatt.report.clinic import clinic_text
from rosenblatt.report.data import data_text
from rosenblatt.report.examples import examples_text
from rosenblatt.report.margin import margin_text
from rosenblatt.report.mistakes import mistakes_text
from rosenblatt.report.model import model_text
from rosenblatt.report.proof import check_text, proof_text
from rosenblatt.report.rules import rules_text
from rosenblatt.report.verdict import verdict_text

SCHEMA = Draft202012Validator(json.loads((files("rosenblatt.cli") / "schema.json").read_text()))

LINE = "x,h,class\n1,0,no\n2,1,no\n3,1,yes\n5,0,yes\n"
XOR = "a,b,class\n1,1,yes\n1,-1,no\n-1,1,no\n-1,-1,yes\n"
QUASI = "exposed,dose,ill\n0,1,0\n0,2,1\n0,3,0\n0,4,1\n1,2,1\n1,3,1\n"
IRIS = "length,width,class\n1,1,setosa\n1,2,setosa\n4,1,versicolor\n5,2,virginica\n4.5,1,virginica\n5,1,versicolor\n"
SVM = "+1 1:1 3:2\n# a remark\n-1 1:-1 # another\n+1 2:0.5 3:1\n-1 3:-4\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = {"line.csv": LINE, "xor.csv": XOR, "quasi.csv": QUASI, "iris.csv": IRIS, "some.svm": SVM}
    for name, text in texts.items():
        Path(name).write_text(text)
    return tmp_path


@pytest.fixture
def run(folder: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process: its exit code, and what it wrote to standard output and error."""

    def ran(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        written = capfd.readouterr()
        return code, written.out, written.err

    return ran


def started(*arguments: str, **more: Any) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "rosenblatt", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def of_json(printed: str) -> dict[str, Any]:
    """One line, of the form that the schema states."""
    assert printed.count("\n") == 1
    assert printed.isascii()
    envelope: dict[str, Any] = json.loads(printed, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    SCHEMA.validate(envelope)
    return envelope


# --- Starting. ---


@pytest.mark.serial
def test_help_is_quick_and_imports_no_numpy() -> None:
    program = (
        "import sys, time; from rosenblatt.cli import main; code = main(['--help'])\n"
        "heavy = [name for name in ('numpy', 'scipy', 'pyarrow', 'rosenblatt._core', 'rich') if name in sys.modules]\n"
        "print(code, heavy, time.process_time())"  # from the interpreter's own start; others may be busy meanwhile
    )
    seconds = []
    for _ in range(3):
        printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
        code, heavy, took = re.fullmatch(r"(\d+) (\[.*\]) (\S+)", printed.splitlines()[-1]).groups()  # type: ignore[union-attr]
        assert (code, heavy) == ("0", "[]")
        seconds.append(float(took))
    assert min(seconds) < 0.25  # 0.12 on a quiet machine; NumPy alone would take as much again


def test_help_lists_every_command_under_its_heading(run: Run) -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    for title, names in SECTIONS.items():
        assert f"{title}:\n" in out
        assert all(re.search(rf"^  {name} +\S", out, re.MULTILINE) for name in names)
    assert run() == (0, out, "")


def test_every_command_has_a_file_and_a_help_page(run: Run) -> None:
    for name in [name for names in SECTIONS.values() for name in names]:
        code, out, err = run(name, "--help")
        assert (code, err) == (0, "")
        assert out.startswith(f"Usage: rosenblatt {name} ")


def test_the_version(run: Run) -> None:
    assert run("--version") == (0, f"rosenblatt {rosenblatt.__version__}\n", "")
    envelope = of_json(run("versions", "--json")[1])
    assert envelope["result"]["versions"]["rosenblatt"] == rosenblatt.__version__


def test_the_options_are_those_of_the_readers_and_writers() -> None:
    assert set(_READERS) == set(FORMATS)
    assert set(WRITTEN) == set(writing._WRITERS)


# --- Ends. ---

ENDS = {
    "check line.csv": 0,
    "check xor.csv": 1,
    "check quasi.csv --label ill": 1,
    "check some.svm --origin": 0,
    "margin line.csv": 0,
    "margin line.csv --offset 0": 1,
    "margin line.csv --offset radius": 0,
    "margin xor.csv": 1,
    "suspects xor.csv": 0,
    "clinic quasi.csv --label ill": 0,
    "show xor.csv": 0,
    "rules": 0,
    "examples": 0,
    "check example:xor": 1,
    "check example:four-in-the-plane": 0,
    "check example:four_on_a_line --origin": 1,
    "check example:iris --positive setosa": 0,
    "check example:nothing-like-it": 2,
    "check example:tight": 2,
    "check example:xor --label 0": 2,
    "suspects example:xor": 0,
    "clinic example:four-on-a-line": 0,
    "show example:iris": 0,
    "convert example:iris out.npz": 0,
    "train example:breast-cancer --epochs 2": 0,
    "check": 2,
    "check line.csv more": 2,
    "check nowhere.csv": 2,
    "check .": 2,
    "check quasi.csv": 2,
    "check quasi.csv --label sick": 2,
    "check iris.csv": 2,
    "check iris.csv --positive rose": 2,
    "check line.csv --format excel": 2,
    "check line.csv --time-limit 0": 2,
    "margin line.csv --offset -1": 2,
    "margin line.csv --offset often": 2,
    "suspects xor.csv -n many": 2,
    "verify nowhere.json line.csv": 2,
    "verify line.csv line.csv": 2,
    "convert line.csv line.csv": 2,
    "convert line.csv line.xyz": 2,
    "convert line.csv line.svm": 2,
    "completion tcsh": 2,
    "chekc line.csv": 2,
    "--nonsense": 2,
}


@pytest.mark.parametrize("command", ENDS)
def test_every_end_has_its_exit_code_and_an_error_is_one_line(run: Run, command: str) -> None:
    code, out, err = run(*command.split())
    assert code == ENDS[command]
    if code == 2:
        assert out == ""
        assert err.count("\n") == 1
        assert "Traceback" not in err
    else:
        assert out
        assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("command", ENDS)
def test_json_is_one_line_of_one_form_errors_too(run: Run, command: str) -> None:
    code, out, err = run(*command.split(), "--json")
    envelope = of_json(out)
    assert envelope["exit"] == code == ENDS[command]
    assert err == ""
    known = [name for names in SECTIONS.values() for name in names]
    assert envelope["command"] == (command.split()[0] if command.split()[0] in known else None)
    if code == 2:
        plain = run(*command.split())[2].rstrip("\n")
        assert envelope["error"]["message"] == plain


TEXTS: dict[str, Any] = {
    "check xor.csv": verdict_text,
    "check line.csv --proof p.json": verdict_text,
    "margin line.csv --offset 1 --proof p.json": margin_text,
    "margin xor.csv": margin_text,
    "suspects xor.csv -n 2": mistakes_text,
    "clinic quasi.csv --label ill": clinic_text,
    "show quasi.csv": data_text,
    "rules": rules_text,
    "examples": examples_text,
    "show example:iris": data_text,
}


@pytest.mark.parametrize("command", TEXTS)
def test_the_text_is_the_same_dictionary_in_words(run: Run, command: str) -> None:
    result = of_json(run(*command.split(), "--json")[1])["result"]
    assert run(*command.split())[1].splitlines() == list(TEXTS[command](result))


def test_an_error_names_the_place_in_json_too(run: Run, folder: Path) -> None:
    (folder / "bad.svm").write_text("+1 1:1\n-1 1:2 2:x\n")
    code, out, err = run("check", "bad.svm")
    assert (code, out) == (2, "")
    assert re.match(r"bad\.svm:2:\d+: .*; expected", err)
    error = of_json(run("check", "bad.svm", "--json")[1])["error"]
    assert error["file"] == "bad.svm"
    assert f"bad.svm:{error['line']}:{error['column']}: " in error["message"]


def test_more_than_two_classes_need_a_positive_one(run: Run) -> None:
    code, _, err = run("check", "iris.csv")
    assert (code, err) == (
        2,
        "iris.csv: 3 classes (setosa, versicolor, virginica), expected two;"
        " --positive LABEL asks about one against the rest\n",
    )
    assert run("check", "iris.csv", "--positive", "setosa")[0] == 0
    assert run("check", "iris.csv", "--positive", "virginica")[0] == 1


def test_one_class_is_not_enough(run: Run, folder: Path) -> None:
    (folder / "one.csv").write_text("x,class\n1,a\n2,a\n")
    assert run("check", "one.csv")[2] == ("one.csv: one class only: all rows carry the label a; expected two classes\n")


@pytest.mark.parametrize(
    ("labels", "asked", "positive", "signs"),
    [
        ([1, 2, 1], None, 2, [-1, 1, -1]),
        ([1, 2, 1], "1", 1, [1, -1, 1]),
        ([1, 2, 1], "1.0", 1, [1, -1, 1]),
        ([0.5, 2.0, 3.0], "2", 2.0, [-1, 1, -1]),
        ([True, False], None, True, [1, -1]),
        ([True, False], "false", False, [-1, 1]),
        (["1", "x", "y"], "1", "1", [1, -1, -1]),
    ],
)
def test_a_class_is_asked_for_by_its_text(labels: list[Any], asked: str | None, positive: Any, signs: Any) -> None:
    kept = np.array(labels, dtype=object) if isinstance(labels[0], str) else np.array(labels)
    found = sides(kept, asked, "file")
    assert (found.positive, found.signs.tolist()) == (positive, signs)
    assert type(found.positive) is type(positive)


def test_a_number_is_not_asked_for_as_a_truth_value() -> None:
    with pytest.raises(InputError, match="no row has the label true"):
        sides(np.array([1, 2]), "true", "file")
    with pytest.raises(InputError, match=r"no labels; .*--label"):
        sides(None, None, "file")


def test_data_come_from_standard_input_too(folder: Path) -> None:
    with open("some.svm") as file:
        process = started("show", "-", stdin=file)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert out.startswith("standard input: data, 4 rows × 3 columns, read as svmlight.\n")
    process = started("show", "-", "--json", "--format", "svmlight", stdin=subprocess.PIPE)
    out, _ = process.communicate("+1 1:1\n-1 1:2 2:x\n", timeout=60)
    assert process.returncode == 2
    error = of_json(out)["error"]
    assert (error["file"], error["line"]) == ("standard input", 2)


def test_a_time_limit_leaves_it_undecided(run: Run, folder: Path) -> None:
    random = np.random.default_rng(0)
    np.savez(folder / "noise.npz", X=random.normal(size=(400, 60)), y=random.integers(0, 2, 400))
    code, out, err = run("check", "noise.npz", "--time-limit", "1e-9", "--proof", "p.json")
    assert code == 3
    assert out.startswith("Undecided.\n")
    assert err == "note: p.json is not written: there is nothing to prove yet\n"
    assert not Path("p.json").exists()
    assert run("margin", "noise.npz", "--time-limit", "1e-9")[0] == 3
    assert run("clinic", "noise.npz", "--time-limit", "1e-9")[0] == 3
    assert (
        of_json(run("check", "noise.npz", "--time-limit", "1e-9", "--json")[1])["result"]["verdict"]["separable"]
        is None
    )


def test_rows_without_lines_are_counted_from_0(run: Run, folder: Path) -> None:
    np.savez(folder / "xor.npz", X=[[1.0, 1], [1, -1], [-1, 1], [-1, -1]], y=[1, -1, -1, 1])
    _, out, _ = run("check", "xor.npz")
    assert "  row (from 0)  label  multiplier  exactly\n             0      1        0.25  1/4\n" in out
    assert of_json(run("check", "xor.npz", "--json")[1])["result"]["verdict"]["witness"][0]["line"] is None


def test_features_of_svmlight_text_are_called_by_their_index(run: Run, folder: Path) -> None:
    (folder / "one.svm").write_text("+1 7:1\n-1 7:2\n")
    (folder / "zero.svm").write_text("+1 0:1\n-1 0:2\n")
    assert "  x7" in run("margin", "one.svm")[1]
    assert "  x0" in run("margin", "zero.svm")[1]


def test_quiet_drops_notes_and_verbose_adds_timings(run: Run, folder: Path) -> None:
    (folder / "bare.csv").write_text("1,2,0\n2,3,0\n5,3,1\n")
    _, _, noted = run("check", "bare.csv", "--label", "2")
    assert noted.startswith("note: ")
    assert run("check", "bare.csv", "--label", "2", "-q")[2] == ""
    told = run("check", "bare.csv", "--label", "2", "-q", "-v")[2]
    assert "read bare.csv: 3 × 2 in" in told
    assert of_json(run("check", "bare.csv", "--label", "2", "--json")[1])["result"]["data"]["notes"]


# --- Proofs. ---


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("check line.csv", "separable"),
        ("check xor.csv", "overlapping"),
        ("check xor.csv --positive no", "overlapping"),
        ("check quasi.csv --label ill", "quasi-separable"),
        ("check iris.csv --positive setosa", "separable"),
        ("margin line.csv --offset 1", "largest-margin"),
        ("suspects xor.csv", "fewest-mistakes"),
        ("clinic quasi.csv --label ill", "quasi-separable"),
        ("check some.svm --origin", "separable"),
        ("check quasi.csv --label 2 --text exposed", "quasi-separable"),
    ],
)
def test_a_proof_is_written_and_verified_without_being_told_how_to_read(run: Run, command: str, kind: str) -> None:
    data = command.split()[1]
    result = of_json(run(*command.split(), "--proof", "p.json", "--json")[1])["result"]
    assert result["proof"]["file"] == "p.json"
    assert Proof.read("p.json").kind == kind
    code, out, _ = run("verify", "p.json", data)
    assert (code, out.splitlines()[0]) == (0, "The proof holds for these data.")
    envelope = of_json(run("verify", "p.json", data, "--json")[1])
    assert envelope["result"]["check"]["holds"] is True
    assert list(check_text(envelope["result"])) == out.splitlines()
    shown = of_json(run("show", "p.json", "--json")[1])["result"]
    assert shown["kind"] == kind
    assert run("show", "p.json")[1].splitlines() == list(proof_text(shown))


def test_a_proof_that_does_not_hold_says_why(run: Run, folder: Path) -> None:
    run("check", "line.csv", "--proof", "p.json")
    (folder / "line.csv").write_text(LINE.replace("5,0", "5,1"))
    code, out, _ = run("verify", "p.json", "line.csv")
    assert code == 1
    assert out.startswith("The proof does not hold for these data.\nThe proof is for other data")
    code, out, _ = run("verify", "p.json", "xor.csv", "--json")
    assert code == 1
    assert of_json(out)["result"]["check"]["holds"] is False
    assert run("verify", "p.json", "quasi.csv", "--label", "ill")[0] == 1


def test_a_proof_that_was_changed_cannot_be_read(run: Run, folder: Path) -> None:
    run("check", "line.csv", "--proof", "p.json")
    text = (folder / "p.json").read_text()
    (folder / "p.json").write_text(text.replace('"rows": 4', '"rows": 5'))
    code, _, err = run("verify", "p.json", "line.csv")
    assert code == 2
    assert err.startswith("p.json: the checksum does not fit")


def test_what_a_proof_says_of_reading_is_taken_only_where_it_makes_sense() -> None:
    def options_in(words: dict[str, str], format: str | None) -> dict[str, Any]:
        return Reading.of_words(words).alike(format).to_dict()

    words = {"label": "ill", "format": "excel", "missing": "mean", "base": "2", "hash_bits": "99", "text": "[1]"}
    assert options_in(words, None) == {"label": "ill", "missing": "mean"}
    words = {"format": "svmlight", "base": "0", "hash_bits": "18", "numbers": "as stored"}
    assert options_in(words, None) == {"format": "svmlight", "base": 0, "hash_bits": 18}
    assert options_in(words, "svmlight") == {"base": 0, "hash_bits": 18}
    assert options_in(words, "csv") == {"hash_bits": 18}
    words = {"format": "csv", "label": "ill", "text": '["a"]', "missing": "drop"}
    assert (
        options_in(words, "csv") == options_in(words, "parquet") == {"label": "ill", "text": ["a"], "missing": "drop"}
    )
    assert options_in(words, "svmlight") == {}
    assert options_in({"text": "no JSON"}, None) == {}


def test_a_model_and_a_proof_know_how_to_read_the_same_numbers_in_arrays(run: Run, folder: Path) -> None:
    (folder / "numbers.csv").write_text("a,b,ill\n1,2,0\n2,1,0\n3,4,1\n5,1,1\n")
    run("train", "numbers.csv", "--label", "ill", "--readout", "last", "-m", "m.model")
    run("check", "numbers.csv", "--label", "ill", "--proof", "p.json")
    for name in ("numbers.npz", "numbers.npy"):
        assert run("convert", "numbers.csv", name, "--label", "ill")[0] == 0
        assert run("verify", "p.json", name)[0] == 0
    np.save(folder / "features.npy", np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 4.0], [5.0, 1.0]]))
    expected = run("predict", "m.model", "numbers.csv")[1]
    assert expected == run("predict", "m.model", "numbers.npz")[1] == run("predict", "m.model", "features.npy")[1]


def test_a_proof_holds_for_the_same_numbers_in_another_format(run: Run, folder: Path) -> None:
    (folder / "numbers.csv").write_text("a,b,ill\n1,2,0\n2,1,0\n3,4,1\n5,1,1\n")
    run("check", "numbers.csv", "--label", "ill", "--proof", "p.json")
    for other in ("other.parquet", "other.svm", "other.npz", "other.tsv.gz"):
        assert run("convert", "numbers.csv", other, "--label", "ill")[0] == 0
        assert run("verify", "p.json", other)[0] == 0, other


@pytest.mark.slow
@pytest.mark.parametrize("data", ["some.svm", "xor.csv"])
def test_the_slow_reader_verifies_without_the_compiled_core(run: Run, data: str) -> None:
    run("check", data, "--proof", "p.json")
    program = (
        "import sys; from rosenblatt.cli import main\n"
        f"code = main(['verify', 'p.json', '{data}', '--slow-reader', '--json'])\n"
        "print(code, 'rosenblatt._core' in sys.modules)"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    envelope, end = printed.splitlines()
    assert of_json(envelope + "\n")["result"]["reader"] == "slow"
    assert end == "0 False"


def test_a_proof_that_does_not_hold_is_never_written(run: Run, folder: Path) -> None:
    run("check", "line.csv", "--proof", "p.json")
    proof = Proof.read("p.json")
    check = verify(proof, [[1.0, 0], [2, 1], [3, 1], [5, 1]], [-1, -1, 1, 1])
    with pytest.raises(LawBrokenError, match="does not hold"):
        write_proof("q.json", proof, check, None)  # type: ignore[arg-type]
    assert not Path("q.json").exists()


# --- Files. ---


def test_a_model_is_shown_and_converted_in_all_three_forms(run: Run, folder: Path) -> None:
    assert run("train", "line.csv", "-m", "one.model", "-q")[0] == 0
    assert run("convert", "one.model", "two.json")[0] == 0
    assert run("convert", "two.json", "three.model")[0] == 0
    assert Path("one.model").read_bytes() == Path("three.model").read_bytes()
    shown = of_json(run("show", "two.json", "--json")[1])["result"]
    assert (shown["form"], shown["classes"], shown["named"]) == ("json", ["no", "yes"], True)
    assert {entry["name"] for entry in shown["outputs"][0]["largest"]} == {"x", "h"}
    assert run("show", "two.json")[1].splitlines() == list(model_text(shown))
    code, _, err = run("convert", "one.model", "four.liblinear")
    assert code == 2  # LIBLINEAR's labels are whole numbers
    assert err.count("\n") == 1
    (folder / "numbers.csv").write_text(LINE.replace("no", "0").replace("yes", "1"))
    assert run("train", "numbers.csv", "-m", "one.model", "-q")[0] == 0
    assert run("convert", "one.model", "out", "--to", "liblinear")[0] == 0
    shown = of_json(run("show", "out", "--json", "-n", "1")[1])["result"]
    assert (shown["form"], len(shown["outputs"][0]["largest"])) == ("liblinear", 1)
    a, b = Model.load("one.model"), Model.from_liblinear("out")
    assert a.predict([[1.0, 2], [5, 0]]).tolist() == b.predict([[1.0, 2], [5, 0]]).tolist()


def test_models_of_many_classes_and_votes_are_shown(run: Run) -> None:
    run("train", "iris.csv", "-m", "many.model", "-q")
    shown = of_json(run("show", "many.model", "--json")[1])["result"]
    assert [output["class"] for output in shown["outputs"]] == ["setosa", "versicolor", "virginica"]
    assert run("show", "many.model")[1].splitlines() == list(model_text(shown))
    run("train", "line.csv", "-m", "vote.model", "--readout", "voted", "-q")
    code, out, _ = run("show", "vote.model")
    assert code == 0
    assert "by a vote" in out


@pytest.mark.parametrize("form", WRITTEN)
def test_data_keep_their_numbers_in_every_format(run: Run, folder: Path, form: str) -> None:
    (folder / "numbers.csv").write_text("a,b,label\n1,0.1,0\n2.5,-3,1\n0,1e-3,1\n")
    code, out, err = run("convert", "numbers.csv", f"out.{form}", *(["--to", form] if form == "svmlight" else []))
    assert (code, err) == (0, "")
    assert out.startswith(f"Wrote out.{form} ({form}, ")
    last = ["--label", "-1"] if form == "npy" else []  # an array does not say whether it has labels
    back = of_json(run("convert", f"out.{form}", "back.csv", "--json", "--format", form, *last)[1])["result"]
    assert (back["rows"], back["columns"]) == (3, 2)
    assert [float(x) for x in Path("back.csv").read_text().splitlines()[2].split(",")] == [1, 2.5, -3]


def test_converting_refuses_to_overwrite_what_it_reads(run: Run, folder: Path) -> None:
    os.link("line.csv", "link.csv")
    for target in ("line.csv", "./line.csv", "link.csv"):
        code, _, err = run("convert", "line.csv", target)
        assert (code, err) == (2, f"{target}: the same file is to be read (line.csv); expected another one to write\n")
    assert Path("line.csv").read_text() == LINE


def test_other_json_is_not_taken_for_data(run: Run, folder: Path) -> None:
    (folder / "other.json").write_text('{"a": 1}')
    for command in (["show"], ["check"], ["convert"]):
        code, _, err = run(*command, "other.json", *(["out.csv"] if command == ["convert"] else []))
        assert (code, err.count("\n")) == (2, 1)


def test_an_output_that_cannot_be_written_is_one_line(run: Run) -> None:
    for command in ("check", "margin", "suspects", "clinic"):
        code, out, err = run(command, "line.csv", "--proof", "no/folder/p.json")
        assert (code, out) == (2, "")
        assert re.fullmatch(r"no/folder/p\.json: nothing can be written to \S+; expected a folder .*\n", err)
        assert run(command, "line.csv", "--proof", ".")[0] == 2
    code, _, err = run("convert", "line.csv", ".", "--to", "csv")
    assert (code, err.count("\n")) == (2, 1)


def test_names_and_labels_with_control_characters_do_no_harm(run: Run, folder: Path) -> None:
    (folder / "evil.csv").write_text('"a\x1b[2J","b\nc",class\n1,1,"x\x1b[31m"\n1,-1,y\n-1,1,y\n-1,-1,"x\x1b[31m"\n')
    for command in ("check", "suspects", "clinic", "show"):
        code, out, err = run(command, "evil.csv")
        assert "\x1b" not in out + err
        if code != 2:
            assert max(map(len, out.splitlines())) <= 80


# --- What to do next. ---


@pytest.mark.parametrize(
    "command", ["check line.csv", "check xor.csv --proof p.json", "margin line.csv", "check quasi.csv --label ill"]
)
def test_the_commands_it_recommends_work(run: Run, command: str) -> None:
    steps = of_json(run(*command.split(), "--json")[1])["result"]["next"]
    assert steps
    for step in steps:
        assert step["command"][0] == "rosenblatt"
        assert run(*step["command"][1:])[0] in (0, 1), step


# --- Signals, pipes and terminals. ---


@contextmanager
def waiting(*more: str) -> Iterator["subprocess.Popen[str]"]:
    """A command that waits for standard input, or will soon: it catches signals already."""
    process = started("check", "-", "--format", "csv", *more, stdin=subprocess.PIPE)
    deadline = time.monotonic() + 30
    while not _catches(process.pid, signal.SIGTERM):  # the last one that it makes ready for
        assert time.monotonic() < deadline
        time.sleep(0.001)
    yield process
    process.kill()
    process.communicate()


def _catches(pid: int, number: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    caught = int(re.search(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE)[1], 16)  # type: ignore[index]
    return bool(caught >> (number - 1) & 1)


@pytest.mark.serial
@pytest.mark.parametrize("later", [0.0, 0.03, 0.5])
@pytest.mark.parametrize("json", [False, True])
@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGTERM, 143, "terminated"), (signal.SIGINT, 130, "interrupted")]
)
def test_a_signal_ends_it_with_its_code_and_one_word_however_early(
    folder: Path, number: int, code: int, said: str, json: bool, later: float
) -> None:
    with waiting(*(["--json"] if json else [])) as process:
        time.sleep(later)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    if json:
        assert (process.returncode, err) == (code, "")
        assert of_json(out)["error"]["message"] == said
    else:
        assert (process.returncode, out, err) == (code, "", f"{said}\n")


def test_a_closed_pipe_ends_it_quietly(folder: Path) -> None:
    for command in ("rules", "--help"):
        shell = f'"{sys.executable}" -m rosenblatt {command} | head -c 1 > /dev/null; echo "${{PIPESTATUS[0]}}"'
        done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, timeout=60)
        assert done.stderr == ""
        assert done.stdout.strip() in ("141", "0")  # 0 where all was written before head had enough
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run([sys.executable, "-m", "rosenblatt", "rules"], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (process.returncode, process.stderr) == (141, b"")


def test_a_full_disk_behind_standard_output_is_one_line(folder: Path) -> None:
    for more in ([], ["--json"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "rosenblatt", "rules", *more], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert (done.returncode, done.stderr) == (2, "standard output: No space left on device\n")


@pytest.mark.slow
def test_without_standard_output_the_exit_code_is_the_answer(run: Run) -> None:
    run("check", "line.csv", "--proof", "p.json")
    shell = f'"{sys.executable}" -m rosenblatt verify p.json some.svm >&-'
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What a command writes to a terminal."""
    own, its = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    process = subprocess.Popen(
        [sys.executable, "-m", "rosenblatt", *arguments],
        stdout=its,
        stderr=subprocess.DEVNULL,
        env={**clean, "TERM": "xterm", **environment},
    )
    os.close(its)
    written = b""
    with suppress(OSError):  # EIO: nobody has the other end open any more
        while more := os.read(own, 4096):
            written += more
    os.close(own)
    process.wait()
    return written.decode().replace("\r\n", "\n")


@pytest.mark.slow
def test_the_first_line_is_bold_on_a_terminal_that_may_be_styled(folder: Path) -> None:
    said = "some.svm: data, 4 rows × 3 columns, read as svmlight."
    assert on_a_terminal("show", "some.svm").startswith(f"\x1b[1m{said}\x1b[0m\n")
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert on_a_terminal("show", "some.svm", **environment).startswith(f"{said}\n")


def test_a_terminal_that_has_no_greek_gets_the_rest(folder: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = subprocess.run([sys.executable, "-m", "rosenblatt", "rules"], capture_output=True, env=environment)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"if m ? 0: w? += " in done.stdout


# --- Faults. ---


def test_a_fault_is_one_line_and_its_traceback_is_for_the_asking(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("rosenblatt.separation.separability.separability", broken)
    code, out, err = run("check", "xor.csv")
    assert (code, out, err.count("\n")) == (70, "", 1)
    assert err.startswith("ZeroDivisionError: by zero (a fault of rosenblatt")
    code, _, err = run("check", "xor.csv", "-v")
    assert code == 70
    assert "Traceback (most recent call last)" in err
    assert of_json(run("check", "xor.csv", "--json")[1])["exit"] == 70


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (MemoryError(), 2, "not enough memory; expected data that fit, with room to work"),
        (
            MemoryError("std::bad_alloc"),
            2,
            "not enough memory (std::bad_alloc); expected data that fit, with room to work",
        ),
        (MemoryError("a.csv: its rows do not fit into memory"), 2, "a.csv: its rows do not fit into memory"),
        (ModuleNotFoundError("x", name="a.b"), 2, "a is not installed, and this needs it: pip install a"),
        (
            ModuleNotFoundError("x", name="flint"),
            2,
            "python-flint is not installed, and this needs it: pip install python-flint",
        ),
        (PermissionError(13, "Permission denied", "p.json"), 2, "p.json: Permission denied"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), 2, None),
        (InputError("a.csv:3: two\nlines"), 2, "a.csv:3: two lines"),
        (click.Abort(), 130, "interrupted"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (ending.TerminatedError(), 143, "terminated"),
        (LawBrokenError("w"), 70, None),
        (ModuleNotFoundError("x", name="rosenblatt.nothing"), 70, None),
    ],
)  # fmt: skip
def test_each_kind_of_error_is_one_line(
    error: BaseException, code: int, line: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ending.ended(error, ["check", "a.csv"], "check", False) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert line is None or printed.err == f"{line}\n"
    assert ending.ended(error, ["check", "a.csv", "--json"], "check", False) == code
    assert of_json(capsys.readouterr().out)["exit"] == code


def test_leaving_the_interpreter_is_left_to_it() -> None:
    with pytest.raises(SystemExit):
        ending.ended(SystemExit(5), [], None, False)


def test_json_behind_two_dashes_is_a_file(run: Run) -> None:
    code, out, err = run("check", "--", "--json")
    assert (code, out) == (2, "")
    assert err.startswith("--json: No such file")


# --- Shells. ---


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(run: Run, shell: str) -> None:
    code, out, _ = run("completion", shell)
    assert code == 0
    assert f"_ROSENBLATT_COMPLETE={shell}_complete" in out
    assert of_json(run("completion", shell, "--json")[1])["result"]["script"] == out
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=out, text=True, check=True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("tr", "train"), ("check --pro", "--proof"), ("check --missing m", "mean"), ("completion z", "zsh")],
)
def test_a_shell_completes_commands_options_and_values(
    words: str, expected: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_ROSENBLATT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"rosenblatt {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    assert main([]) == 0
    assert f"plain,{expected}" in capsys.readouterr().out.splitlines()


def test_a_mistyped_command_is_guessed(run: Run) -> None:
    assert run("chekc")[2] == "no such command 'chekc', did you mean check or cache? (see rosenblatt --help)\n"


def test_the_commands_are_those_of_the_files() -> None:
    folder = Path(framework.__file__).parent
    for name in group.list_commands(click.Context(group)):
        assert (folder / f"{name}.py").exists()


def test_no_command_imports_another() -> None:
    folder, commands = Path(framework.__file__).parent, set(group.list_commands(click.Context(group)))
    for name in commands:
        tree = ast.parse((folder / f"{name}.py").read_text())
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 1}
        assert not imported & commands
