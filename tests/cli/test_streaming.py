"""What commands with --stream advise can be typed as it is printed; files to judge by are read in parts; and every rule
learns while a file is read for the first time as it does in memory."""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import SCHEMA, run

from rosenblatt import rules
from rosenblatt.cli import main


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows of two classes, by a hyperplane and beyond it, in a folder to work in."""
    monkeypatch.chdir(tmp_path)
    for name, turned in (("rows.svm", False), ("mixed.svm", True)):
        rows = [((k * 37) % 101 - 50, (k * 53) % 89 - 44) for k in range(300)]
        signs = [1 if (x + y > 3) != (turned and x % 7 == 0) else -1 for x, y in rows]
        Path(name).write_text("".join(f"{s:+d} 1:{x} 2:{y}\n" for s, (x, y) in zip(signs, rows, strict=True)))


def answer(capsys: pytest.CaptureFixture[str], command: str) -> dict[str, Any]:
    """All that a command says."""
    found: dict[str, Any] = json.loads(run(capsys, *shlex.split(command), "--json")[1])
    SCHEMA.validate(found)
    return found


def from_a_pipe(options: str) -> dict[str, Any]:
    """All that `train` says of rows that come by a pipe."""
    words = [sys.executable, "-m", "rosenblatt", "train", "-", "--stream", "-m", "pipe.model", "--json"]
    data = Path("mixed.svm").read_bytes()
    done = subprocess.run([*words, *options.split()], input=data, capture_output=True, check=False)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    "command",
    ["train rows.svm --stream", "train mixed.svm --stream", "check '*ed.svm' --stream", "check 'r*.svm' --stream",
     "margin rows.svm --stream"],
)  # fmt: skip
def test_what_is_advised_can_be_done(capsys: pytest.CaptureFixture[str], command: str) -> None:
    steps = answer(capsys, command)["result"]["next"]
    assert steps
    for step in steps:
        assert main(step["command"][1:]) in (0, 1), step


def test_rows_of_several_files_are_named_by_file_and_line(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.svm").write_text("+1 1:1\n+1 1:2\n-1 1:3\n")
    Path("b.svm").write_text("-1 1:4\n+1 1:5\n")
    witness = answer(capsys, "check '[ab].svm' --stream")["result"]["verdict"]["witness"]
    assert {(row["file"], row["line"]) for row in witness} >= {("b.svm", 2)}
    assert all("file" not in row for row in answer(capsys, "check mixed.svm --stream")["result"]["verdict"]["witness"])
    assert "  b.svm:2" in run(capsys, "check", "[ab].svm", "--stream")[1]


def test_of_a_pipe_nothing_goes_on() -> None:
    found = from_a_pipe("--rule perceptron --order cyclic --epochs 1")
    assert found["exit"] == 0
    steps = [step["command"][:2] for step in found["result"]["next"]]
    assert steps == [["rosenblatt", "predict"], ["rosenblatt", "check"]]


def test_a_refusal_names_options() -> None:
    said = from_a_pipe("--rule perceptron")["error"]["message"]
    assert "rows arrive in their own order: --order cyclic;" in said


def test_a_test_file_judges_a_streamed_model_as_one_in_memory(capsys: pytest.CaptureFixture[str]) -> None:
    plan = "train rows.svm --rule perceptron --epochs 3 -m a.model --test mixed.svm"
    streamed, known = answer(capsys, f"{plan} --stream"), answer(capsys, plan)
    assert streamed["result"]["evaluation"] == known["result"]["evaluation"] is not None


OPTIONS = {"margin": "--beta 1", "fixed-margin": "--beta 1", "delta": "--eta 1e-4", "target-output": "--eta 1e-4"}


@pytest.mark.parametrize("rule", rules.names())
def test_the_first_pass_gives_the_bytes_of_a_run_in_memory(capsys: pytest.CaptureFixture[str], rule: str) -> None:
    plan = f"train rows.svm --rule {rule} {OPTIONS.get(rule, '')} --order cyclic --epochs 2 --tol never"
    for command in (f"{plan} -m a.model --stream", f"{plan} -m b.model"):
        assert answer(capsys, command)["exit"] == 0
    assert Path("a.model").read_bytes() == Path("b.model").read_bytes()


def test_a_first_pass_is_refused_in_the_words_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    said = answer(capsys, "train rows.svm --stream --rule margin --order cyclic")["error"]["message"]
    assert said.startswith("rule 'margin' needs --beta,")
