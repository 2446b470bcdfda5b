"""`rosenblatt study`: from a name or a file to a folder, and text, HTML and JSON that say the same."""

import html
import json
import re
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rosenblatt.cli import main
from rosenblatt.report.text import number

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((files("rosenblatt.cli") / "schema.json").read_text())
TIME_BUDGET = 90  # each study draws half a dozen figures, twice


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def text_of(page: str) -> str:
    """What a reader of the page sees."""
    page = re.sub(r"<(style|svg)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())


def ran(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


@pytest.mark.slow
def test_text_page_and_json_agree(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ran(capsys, "study", "example:four-on-a-line", "--json")
    printed = json.loads(out)
    jsonschema.Draft202012Validator(SCHEMA).validate(printed)
    assert code == printed["exit"] == 0
    report = printed["result"]
    folder = Path("four-on-a-line-study")
    assert {**json.loads((folder / "report.json").read_text()), "next": report["next"]} == report
    code, text, note = ran(capsys, "study", "example:four-on-a-line")
    text, page = " ".join(text.split()), text_of((folder / "report.html").read_text())
    assert code == 0
    assert note == "note: as the example is meant: --order cyclic\n"
    for where in (text, page):
        assert report["sentence"] in where
        assert number(report["margin"]["margin"]) in where
        assert number(report["augmented"]["difficulty"], 4) in where
        assert f"{report['training']['updates']}" in where
        assert f"{report['training']['reason']}" in where
        assert str(report["augmented"]["most_updates"]) in where
    # Every number of the tables on the page is one of the report's, or made of one by rounding.
    for law in report["theorem"]["laws"]:
        assert number(law["value"]) in page
        assert number(law["bound"]) in page
    for one in report["training"]["readouts"]:
        assert f"{one['readout']} {one['wrong']} {one['share']:.2%}" in page
    for quantile in report["margins"]["after"]["quantiles"].values():
        assert number(quantile) in page
    for coefficient in report["clinic"]["coefficients"]:
        assert f"{coefficient['term']} {coefficient['status']}" in page


@pytest.mark.slow
def test_the_demo_is_two_studies(capsys: pytest.CaptureFixture[str]) -> None:
    """The commands of `make demo`, run here."""
    recipe = re.search(r"^demo: build\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe
    commands = [shlex.split(line)[1:] for line in recipe[1].splitlines() if "rosenblatt study" in line]
    assert [command[:2] for command in commands] == [["study", "--folder"], ["study", "example:xor"]]
    for command in commands:
        code, out, _ = ran(capsys, *command)
        assert code == 0
        assert max(map(len, out.splitlines())) <= 80
        assert (Path(command[command.index("--folder") + 1]) / "report.html").is_file()


@pytest.mark.slow
def test_a_file_is_studied_and_its_proof_verified(capsys: pytest.CaptureFixture[str]) -> None:
    Path("my table.csv").write_text("dose,age,cured\n1,30,no\n2,41,yes\n3,52,no\n4,60,yes\n5,35,yes\n")
    code, out, _ = ran(capsys, "study", "my table.csv", "--label", "cured", "-q")
    assert code == 0
    assert out.startswith("No hyperplane separates the classes: 3 rows alone rule it out")
    folder = Path("my table-study")
    report = json.loads((folder / "report.json").read_text())
    words: Any = report["how"]["command"]
    assert words == ["rosenblatt", "study", "my table.csv", "--label", "cured"]
    assert [row["line"] for row in report["verdict"]["witness"]] == [2, 3, 4]
    assert ran(capsys, "verify", str(folder / "proof.json"), "my table.csv")[0] == 0
    assert ran(capsys, "predict", str(folder / "study.model"), "my table.csv", "-q")[0] == 0
    assert main(words[1:]) == 0  # how to repeat it


def test_a_folder_of_ones_own_is_refused_before_anything_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine").mkdir()
    Path("mine/thesis.tex").write_text("precious")
    code, out, error = ran(capsys, "study", "no such file.csv", "-o", "mine")
    assert (code, out) == (2, "")
    assert error.startswith("mine: holds files, but no earlier study; expected")
    code, _, error = ran(capsys, "study", "no such file.csv")
    assert code == 2
    assert "no such file.csv" in error
    assert [path.name for path in Path().iterdir()] == ["mine"]


@pytest.mark.slow
def test_another_study_of_the_same_data_gets_a_folder_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.csv").write_text("x,y,a\n1,0,p\n2,1,q\n3,0,p\n")
    for arguments, folder in (
        (["--label", "a"], "t-study"), (["--label", "y"], "t-study-2"), (["--label", "a"], "t-study"),
    ):  # fmt: skip
        assert ran(capsys, "study", "t.csv", *arguments, "-q")[0] == 0
        assert json.loads((Path(folder) / "report.json").read_text())["data"]["reading"]["label"] == arguments[1]
    assert {path.name for path in Path().iterdir()} == {"t.csv", "t-study", "t-study-2"}


def test_names_that_are_no_folder_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for name, why in (("-", "standard output is no place"), ("", "an empty name for a folder")):
        code, _, error = ran(capsys, "study", "example:xor", "-o", name)
        assert code == 2
        assert why in error
    assert not list(Path().iterdir())


def test_a_class_is_asked_for_by_its_label(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, error = ran(capsys, "study", "example:iris", "--positive", "rose")
    assert code == 2
    assert "no row has the label rose (--positive); the labels are setosa, versicolor, virginica" in error
    assert not list(Path().iterdir())


TRIAL = ["A,f,30,0", "A,m,41,1", "A,f,52,0", "A,m,44,0", "A,f,61,1", "B,m,60,0", "B,f,35,1", "B,m,48,1", "B,f,50,0",
         "C,m,44,1", "C,f,58,1", "C,m,31,1"]  # fmt: skip


@pytest.mark.slow
def test_a_study_asks_as_the_clinic_does(capsys: pytest.CaptureFixture[str]) -> None:
    Path("trial.csv").write_text("\n".join(["arm,sex,age,event", *TRIAL, ""]))
    code, out, _ = ran(capsys, "study", "trial.csv", "--label", "event", "--json")
    printed = json.loads(out)
    jsonschema.Draft202012Validator(SCHEMA).validate(printed)
    report = printed["result"]
    clinic = json.loads(ran(capsys, "clinic", "trial.csv", "--label", "event", "--json")[1])["result"]["clinic"]
    assert code == 0
    assert [one["status"] for one in clinic["coefficients"]] == ["finite", "+inf", "finite", "finite", "finite"]
    for found, known in zip(report["clinic"]["coefficients"], clinic["coefficients"], strict=True):
        assert {**found, "estimate": None, "error": None} == {**known, "estimate": None, "error": None}
    assert report["verdict"]["logistic_regression"]["terms"] == {"arm=C": "armC"}
    assert report["data"]["columns"] == len(report["weights"]["largest"]) == 6  # what learns has all levels
    assert {one["part"]: one["text"] for one in report["notes"]}["coding"].endswith(
        "its reference (arm: A, sex: f); what learns has all levels"
    )
    text = " ".join(ran(capsys, "study", "trial.csv", "--label", "event")[1].split())
    page = text_of(Path("trial-study/report.html").read_text())
    for where in (text, page):
        assert "armC" in where
        assert "its reference (arm: A, sex: f)" in where
    assert "the coefficient of armC diverges" in text
    for command in (one["command"] for one in report["next"]):
        if command is not None and command[1] == "verify":
            assert ran(capsys, *command[1:])[0] == 0
            assert ran(capsys, *command[1:], "--slow-reader")[0] == 0
            break
    else:
        pytest.fail("no command that verifies the proof")
    assert ran(capsys, "predict", "trial-study/best.model", "trial.csv")[0] == 0
