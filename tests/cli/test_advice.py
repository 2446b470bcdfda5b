"""What the commands recommend to type next: it runs as it is printed, and asks the same question of the same data."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Model
from rosenblatt.cli import main

TABLE = (
    "id\tcode\tage\till\tclass\n1\t7\t20\t0\tq\n2\t7\t30\t0\tr\n3\t8\t40\t1\tq\n4\t8\tNA\t1\tr\n5\t7\t50\t1\tq\n"
    "6\t8\t25\t0\tr\n7\t9\t20\t1\tr\n"
)
"""Read in the usual way it is refused, or means something else: every option of reading is needed."""

READ = ["--format", "tsv", "--label", "ill", "--missing", "mean", "--leave-out", "id", "--leave-out", "class",
        "--text", "code"]  # fmt: skip
FILES = {
    "it's a table.csv": TABLE,
    "-dashed.csv": "x,y\n-2,0\n-1,0\n1,1\n3,1\n",
    "line.csv": "x,class\n1,no\n2,no\n3,yes\n5,yes\n",  # separable, but not through the origin
    "both.csv": "x,z,class\n-1,1,no\n-2,1,no\n3,1,yes\n5,2,yes\n",  # through the origin, too
    "xor.csv": "a,b,class\n1,1,yes\n1,-1,no\n-1,1,no\n-1,-1,yes\n",
    "quasi.csv": "a,b,class\n0,1,no\n0,-1,yes\n0,1,yes\n0,-1,no\n1,0,yes\n",
    "three.csv": "x,kind\n1,a\n2,b\n3,c\n4,b\n",
    "zero.svm": "1 1:1\n-1 2:1\n1 1:2 2:3\n-1 2:2\n-1 1:1 2:5\n",
}

CASES = [
    (["it's a table.csv"], READ),
    (["line.csv"], []),
    (["line.csv"], ["ORIGIN"]),
    (["both.csv"], ["ORIGIN"]),
    (["xor.csv"], ["ORIGIN"]),
    (["quasi.csv"], ["ORIGIN"]),
    (["three.csv"], ["--label", "kind", "--positive", "b"]),
    (["three.csv"], ["--label", "-1", "--positive", "a", "ORIGIN"]),
    (["zero.svm"], ["--base", "0"]),
    (["zero.svm"], ["--hash-bits", "3", "ORIGIN"]),
    (["--", "-dashed.csv"], ["--label", "y"]),
    (["rows.npy"], ["--label", "1", "--positive", "3", "ORIGIN"]),
]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    np.save("rows.npy", [[1.0, 2.0], [2, 3], [-1, 3], [5, 3]])

    def ran(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        written = capfd.readouterr()
        return code, written.out, written.err

    return ran


def printed_advice(text: str) -> list[list[str]]:
    """The commands below "Next:" and "Also:", as a shell would take them."""
    lines = text.partition("\nNext:")[2].replace("\\\n", "").splitlines()
    return [shlex.split(line) for line in lines if re.match(" {4,6}rosenblatt ", line)]


def advised(run: Run, *words: str) -> tuple[dict[str, Any], list[list[str]]]:
    """What a command found, and the commands it recommends: the same in words and in JSON."""
    code, out, _ = run(words[0], "--json", *words[1:])
    envelope = json.loads(out)
    assert code in (0, 1), (words, envelope)
    steps = [step["command"] for step in envelope["result"]["next"] if step["command"]]
    assert printed_advice(run(*words)[1]) == steps, words
    return envelope["result"], steps


def question(result: dict[str, Any]) -> tuple[Any, ...]:
    """Which rows, read how, which class against which; and whether through the origin."""
    data = result["data"]
    origin = None
    for part in ("verdict", "mistakes", "clinic"):
        if result.get(part):
            origin = result[part]["through_origin"]
    if origin is None and result.get("margin"):
        origin = result["margin"]["offset"] == 0
    kept = {name: value for name, value in data["reading"].items() if name != "fill"}
    return data["name"], data["rows"], data["columns"], data["classes"], data["positive"], kept, origin


@pytest.mark.parametrize("proof", [False, True])
@pytest.mark.parametrize(("data", "options"), CASES)
@pytest.mark.parametrize("command", ["check", "margin", "suspects", "clinic"])
def test_what_is_advised_asks_the_same_question_of_the_same_data(
    run: Run, command: str, data: list[str], options: list[str], proof: bool
) -> None:
    through = ["--offset", "0"] if command == "margin" else ["--origin"]
    options = [one for option in options for one in (through if option == "ORIGIN" else [option])]
    words = [command, *options, *(["--proof", "a proof.json"] if proof else []), *data]
    result, steps = advised(run, *words)
    assert steps or command in ("suspects", "clinic", "margin")
    for step in steps:
        assert step[0] == "rosenblatt"
        code, out, _ = run(step[1], "--json", *step[2:])
        told = json.loads(out)
        assert code in (0, 1), (step, told)
        assert question(told["result"])[:-1] == question(result)[:-1], step
        if step[1] == "verify":
            assert code == 0
        else:
            assert question(told["result"])[-1] == question(result)[-1], step


@pytest.mark.parametrize(("data", "options"), CASES)
def test_after_training_it_is_advised_to_ask_about_the_same_data(run: Run, data: list[str], options: list[str]) -> None:
    if "--positive" in options:
        options = [*options[: options.index("--positive")], *options[options.index("--positive") + 2 :]]
    origin = "ORIGIN" in options
    options = [one for option in options for one in (["--offset", "0"] if option == "ORIGIN" else [option])]
    words = ["train", *options, "-m", "-m o d e l", "--epochs", "1", "--readout", "last", "--order", "cyclic", *data]
    result, steps = advised(run, *words)
    wrong = result["predicted_wrong"]
    assert any(step[1] == "predict" for step in steps) == (wrong["training"] < wrong["most_common"])
    for step in steps:
        assert run(*step[1:])[0] in (0, 1), step  # as it is printed
    asking = [step for step in steps if step[1] == "check"]
    assert len(asking) == (result["status"] != "clean" and result["data"]["classes"]["count"] == 2)
    for step in asking:
        told = json.loads(run(step[1], "--json", *step[2:])[1])["result"]
        assert told["verdict"]["through_origin"] == origin
        for name in ("name", "rows", "classes"):
            assert told["data"][name] == result["data"][name]
        # Of text a level is left out there, which spans the same with an offset.
        assert told["data"].get("levels") == result["data"].get("levels")
        assert "levels" in told["data"] or told["data"]["columns"] == result["data"]["columns"]


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (["--epochs", "2"], "--resume m --epochs 20 --model m"),
        (["--patience", "2", "--tol", "0.5", "--epochs", "90"], "--resume m --patience 20 --model m"),
        (["--tol", "0.5", "--patience", "2", "--readout", "last"], "--readout averaged"),
    ],
)
def test_a_run_that_ended_early_is_advised_to_go_on_with_options_that_do(
    run: Run, options: list[str], wanted: str
) -> None:
    rows = np.random.default_rng(3).normal(size=(60, 3))
    Path("noisy.csv").write_text("a,b,c,y\n" + "".join(f"{a},{b},{c},{int(a + c > 0.3 * b * b)}\n" for a, b, c in rows))
    _, steps = advised(run, "train", "noisy.csv", "-m", "m", "--rule", "perceptron", *options)
    step = next(step for step in steps if wanted in " ".join(step))
    before = Model.load("m")
    assert run(*step[1:])[0] == 0
    after = Model.load("m")
    assert after.n_iter_ > before.n_iter_ or after.parameters["readout"] != before.parameters["readout"]


@pytest.mark.parametrize(("data", "options"), CASES)
def test_after_a_proof_that_does_not_hold_it_is_advised_to_ask_anew(
    run: Run, data: list[str], options: list[str]
) -> None:
    options = ["--origin" if option == "ORIGIN" else option for option in options]
    run("check", *options, "--proof", "-p.json", *data)
    asked = question(json.loads(run("check", "--json", *options, *data)[1])["result"])
    file = Path(data[-1])
    if file.suffix == ".npy":  # the same rows in another order
        np.save(file, np.load(file)[::-1])
    else:
        *others, last = file.read_text().splitlines()
        file.write_text("\n".join([*others[:-1], last, others[-1]]) + "\n")
    # The proof knows how its data were read, but for a format that is not the one of the file's name.
    named = READ if "--format" in options else []
    code, out, _ = run("verify", *named, "--json", "--", "-p.json", data[-1])
    assert code == 1, out
    show, check = (step["command"] for step in json.loads(out)["result"]["next"])
    assert run(*show[1:])[0] == 0
    assert printed_advice(run("verify", *named, "--", "-p.json", data[-1])[1]) == [show, check]
    code, out, _ = run(check[1], "--json", *check[2:])
    assert code in (0, 1), check
    assert question(json.loads(out)["result"]) == asked


def test_what_is_shown_is_advised_to_be_used(run: Run) -> None:
    run("train", "line.csv", "-m", "-m", "-q")
    run("check", "line.csv", "--proof", "-p")
    for file in ("-m", "-p"):
        _, ((*words, last),) = advised(run, "show", "--", file)
        assert last == "DATA"
        assert run(*words[1:], "line.csv")[0] == 0


@pytest.mark.serial
def test_an_interrupted_run_goes_on_as_it_is_advised_by_the_shell(tmp_path: Path) -> None:
    rows = "".join(f"{i},{i % 7},{i % 3},{'yes' if (i * i) % 5 > 1 else 'no'}\n" for i in range(5000))
    (tmp_path / "it's.csv").write_text("row,a,b,answer\n" + rows)
    plan = ["train", "it's.csv", "--label", "answer", "--leave-out", "row", "-m", "a b.checkpoint", "--tol", "never"]
    bin = os.path.dirname(sys.executable)
    setting = {**os.environ, "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}"}
    process = subprocess.Popen(
        ["rosenblatt", *plan, "--epochs", "10000000", "--require-clean", "--progress"],
        cwd=tmp_path, env=setting, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    while not process.stderr.readline().startswith("epoch 2"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    epochs = Model.load(tmp_path / "a b.checkpoint.checkpoint").n_iter_
    (command,) = printed_advice(out)
    assert "--require-clean" in command
    line = out.partition("options it had:\n")[2].partition("\n\n")[0] + f" --epochs {epochs + 2}"
    subprocess.run(["bash", "-c", line], cwd=tmp_path, env=setting, stdout=subprocess.DEVNULL, check=False)
    assert sorted(os.listdir(tmp_path)) == ["a b.checkpoint", "it's.csv"]
    assert Model.load(tmp_path / "a b.checkpoint").n_iter_ == epochs + 2
