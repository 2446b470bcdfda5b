"""`rosenblatt plot`: what it writes, what it says, and what it refuses."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from jsonschema import Draft202012Validator

from rosenblatt.cli import main

matplotlib.use("Agg")
SCHEMA = Draft202012Validator(json.loads((files("rosenblatt.cli") / "schema.json").read_text()))
STARTS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "gif": b"GIF8"}

LINE = "x,h,class\n1,0,no\n2,1,no\n3,1,yes\n5,0,yes\n"
THREE = "a,b,class\n0,0,x\n1,0,x\n5,0,y\n6,1,y\n0,5,z\n1,6,z\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("line.csv").write_text(LINE)
    Path("three.csv").write_text(THREE)

    def ran(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        written = capfd.readouterr()
        return code, written.out, written.err

    return ran


def result(run: Run, *arguments: str) -> dict[str, Any]:
    code, out, err = run("plot", *arguments, "--json")
    envelope = json.loads(out)
    SCHEMA.validate(envelope)
    assert (code, err) == (0, "")
    found: dict[str, Any] = envelope["result"]
    for part in ("figure", "animation"):
        if found[part] is not None:
            assert Path(found[part]["file"]).read_bytes().startswith(STARTS[found[part]["format"]])
    return found


def test_data_are_settled_and_drawn(run: Run) -> None:
    code, out, err = run("plot", "line.csv")
    assert (code, err) == (0, "")
    assert out == "Separable: the largest margin is 0.5.\nWrote line.csv.png (png).\n"
    assert Path("line.csv.png").read_bytes().startswith(STARTS["png"])
    found = result(run, "example:xor", "-o", "x.svg")
    assert (found["is"], found["kind"]) == ("data", "separation")
    assert found["title"] == "No line separates: 4 rows prove it"
    assert found["figure"] == {"file": "x.svg", "format": "svg"}
    text = Path("x.svg").read_text()
    assert "No line separates</text>" in text
    assert result(run, "example:xor", "-o", "y.svg")["figure"]["file"] == "y.svg"
    assert Path("y.svg").read_text() == text
    assert result(run, "example:low-margin", "--origin", "-o", "o.pdf")["title"].startswith("Separable through the")


def test_several_classes_are_learnt_or_one_is_asked_about(run: Run) -> None:
    assert result(run, "three.csv")["title"].startswith("Separation, of a run: ")
    found = result(run, "three.csv", "--positive", "x")
    assert found["title"].startswith("Separable: the largest margin is ")
    assert found["data"]["positive"] == "x"


@pytest.mark.parametrize("kind", ["margins", "readouts", "mistakes", "theorem", "loss"])
def test_other_kinds_draw_a_run(run: Run, kind: str) -> None:
    found = result(run, "example:four-in-the-plane", "--kind", kind, "-o", "a.svg")
    assert found["kind"] == kind
    assert found["title"] == f"{kind.capitalize()}, of a run: clean, 2 epochs, 3 updates"


def test_a_model_is_drawn_by_itself_and_on_data(run: Run) -> None:
    run("train", "line.csv", "-m", "line.model", "--readout", "last", "--tol", "never")
    found = result(run, "line.model")
    assert (found["is"], found["kind"], found["data"]) == ("model", "weights", None)
    assert found["figure"]["file"] == "line.model.png"
    assert result(run, "line.model", "line.csv", "-o", "a.svg")["title"] == "Model: 0 mistakes on 4 rows"
    assert result(run, "line.model", "line.csv", "-o", "b.svg", "--kind", "margins")["kind"] == "margins"
    assert ">x</text>" in Path("a.svg").read_text()  # the names of the columns


def test_a_proof_is_drawn_on_its_data_alone(run: Run) -> None:
    run("margin", "line.csv", "--proof", "proof.json")
    found = result(run, "proof.json", "line.csv", "-o", "a.svg")
    assert (found["is"], found["title"]) == ("proof", "Proof, largest-margin: a margin of 0.5")
    assert "holds the margin" in Path("a.svg").read_text()
    assert run("plot", "proof.json")[2].startswith("proof.json: a proof is drawn on its data; expected")
    code, _, err = run("plot", "proof.json", "example:low-margin", "-o", "b.svg")
    assert code == 2
    assert err.startswith("proof.json: does not hold for example:low-margin")
    assert not Path("b.svg").exists()


def test_runs_are_animated(run: Run) -> None:
    found = result(run, "example:four-in-the-plane", "--animate", "a.gif")
    assert (found["figure"], found["animation"]) == (None, {"file": "a.gif", "format": "gif"})
    both = result(run, "example:four-on-a-line", "--animate", "b.gif", "-o", "b.png")
    assert both["figure"] is not None
    assert both["animation"] is not None
    assert run("plot", "example:iris", "--animate", "c.gif")[2] == (
        "example:iris: 4 columns; --animate draws runs on one or two\n"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["line.csv", "-o", "a.jpg"], "a.jpg: expected a name that ends in .png, .svg or .pdf"),
        (["line.csv", "--animate", "a.mp4"], "a.mp4: expected a name that ends in .gif"),
        (["line.csv", "three.csv"], "line.csv: data already; expected a model or a proof before three.csv"),
        (["-"], "standard input has no name for the figure: say -o FILE.png"),
        (["nowhere.csv"], "nowhere.csv: No such file or directory"),
        (["line.csv", "-o", "no/where.png"], "no/where.png: nothing can be written to"),
        (["example:four-on-a-line", "--kind", "readouts"], "regions are drawn of two columns"),
        (["example:xor", "--kind", "theorem"], "example:xor: no hyperplane separates the rows, and --kind theorem"),
        (["model.model"], "model.model: No such file"),
    ],
)
def test_what_is_refused_is_said_in_one_line(run: Run, arguments: list[str], said: str) -> None:
    before = set(os.listdir())
    code, out, err = run("plot", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(said)
    assert err.count("\n") == 1
    assert set(os.listdir()) == before


def test_options_that_do_not_fit_are_refused(run: Run) -> None:
    run("train", "line.csv", "-m", "m.model")
    assert "are for DATA" in run("plot", "m.model", "--animate", "a.gif")[2]
    assert "expected DATA, or no --kind" in run("plot", "m.model", "--kind", "margins")[2]
    assert "of a model expected separation or margins" in run("plot", "m.model", "line.csv", "--kind", "loss")[2]


def test_without_matplotlib_one_line_says_what_to_install(run: Run) -> None:
    blocked = str(Path(__file__).parents[1] / "blocked")
    path = os.pathsep.join([blocked, *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "rosenblatt", "plot", "line.csv"],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "figures need matplotlib: pip install '.[plots]' in rosenblatt's folder\n"
    assert not Path("line.csv.png").exists()
