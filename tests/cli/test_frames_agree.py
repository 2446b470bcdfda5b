"""The same table by a file and the command, and by a frame and the function: the same terms, the same answers."""

import copy
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run

from rosenblatt import Examples, InputError, learn, logistic_clinic, max_margin, read, separability
from rosenblatt.models.build import model_of_run

pd = pytest.importorskip("pandas")

ARMS = """arm,sex,age,died
A,f,30,no
A,m,41,yes
A,f,52,no
A,m,44,no
A,f,61,yes
B,m,60,no
B,f,35,yes
B,m,48,yes
B,f,50,no
C,m,44,yes
C,f,58,yes
C,m,31,yes
"""
FRAME = pd.read_csv(io.StringIO(ARMS))
X, Y = FRAME.drop(columns="died"), FRAME["died"]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arms.csv").write_text(ARMS)


def without_time(found: dict[str, Any]) -> dict[str, Any]:
    """The answer, without how long it took, and rows without their lines, which a frame has not."""
    known = {name: value for name, value in found.items() if name != "seconds"}
    for rows in (known.get("responsible"), (known.get("removal") or {}).get("rows"), known.get("witness")):
        for row in rows or ():
            row["line"] = None
    return known


def told_by(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What a command answers, whether or not there is a hyperplane."""
    code, out, err = run(capsys, *words, "--json")
    assert code in (0, 1), err
    found: dict[str, Any] = json.loads(out)["result"]
    return found


@pytest.mark.parametrize("origin", [False, True])
@pytest.mark.parametrize("reference", [None, {"arm": "C"}, {"arm": "B", "sex": "m"}])
def test_a_frame_is_coded_as_its_file(
    origin: bool, reference: dict[str, str] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [word for pair in (reference or {}).items() for word in ("--reference", "=".join(pair))]
    options = ["arms.csv", "--label", "died", *asked]
    told = ["--origin"] * origin
    clinic = logistic_clinic(X, Y, through_origin=origin, reference=reference)
    assert without_time(clinic.to_dict()) == without_time(told_by(capsys, "clinic", *options, *told)["clinic"])
    verdict = separability(X, Y, through_origin=origin, reference=reference)
    assert without_time(verdict.to_dict()) == without_time(told_by(capsys, "check", *options, *told)["verdict"])
    margin = max_margin(X, Y, offset=0 if origin else "free", reference=reference)
    told = ["--offset", "0"] * origin
    assert margin.verdict is not None
    assert without_time(margin.verdict.to_dict()) == without_time(told_by(capsys, "margin", *options, *told)["verdict"])


def test_without_an_offset_the_first_text_column_alone_is_whole() -> None:
    names = separability(X, Y, through_origin=True).examples.feature_names
    assert names == ("arm=A", "arm=B", "arm=C", "sex=m", "age")
    names = separability(X, Y, through_origin=True, reference={"arm": "A"}).examples.feature_names
    assert names == ("arm=B", "arm=C", "sex=f", "sex=m", "age")


@pytest.mark.parametrize("ask", [separability, max_margin, logistic_clinic])
@pytest.mark.parametrize("reference", [{"leg": "A"}, {"arm": "D"}, {"age": "30"}, {"arm": 1}, "A"])
def test_a_reference_that_is_none_is_refused_as_of_a_file(ask: Any, reference: Any) -> None:
    with pytest.raises(InputError) as of_file:
        read("arms.csv", label="died", reference=reference)
    with pytest.raises(InputError) as of_frame:
        ask(X, Y, reference=reference)
    said = str(of_frame.value).removesuffix("; rosenblatt.read(frame, y, …) takes these")
    assert said.removeprefix("frame: ") == str(of_file.value).removeprefix("arms.csv: ")


@pytest.mark.parametrize("ask", [separability, max_margin, logistic_clinic])
def test_arrays_have_no_reference(ask: Any) -> None:
    rows = np.array([[1.0], [2.0], [3.0]])
    with pytest.raises(InputError, match=r"there is no frame: give a data frame$"):
        ask(rows, [0, 1, 1], reference={"arm": "A"})
    with pytest.raises(InputError, match=r"read\(…, reference=\) is where examples are coded$"):
        ask(Examples.of(rows, [0, 1, 1]), reference={"arm": "A"})


def test_a_clinic_of_a_frame_speaks_as_the_command_does(capsys: pytest.CaptureFixture[str]) -> None:
    clinic = logistic_clinic(X, Y)
    assert repr(clinic) == "<Clinic: quasi-separable; coefficients: armC +inf>"
    _, out, _ = run(capsys, "clinic", "arms.csv", "--label", "died")
    said, printed = clinic.summary().splitlines(), out.splitlines()
    assert said[1] == printed[1].removeprefix("arms.csv: ")
    assert said[2] == printed[2] == "Text columns: arm (3 levels) against A, sex (2 levels) against f."
    assert said[3] == printed[3] == "  +inf  armC"
    card = clinic._repr_html_()
    assert ">armC<" in card
    assert "arm (3 levels) against A" in card
    assert "arm=C" not in card + clinic.summary()


def test_a_verdict_of_a_frame_speaks_so_too() -> None:
    verdict = separability(X, Y)
    assert "+inf  armC" in verdict.summary()
    assert "Text columns: arm (3 levels) against A, sex (2 levels) against f." in verdict.summary()
    assert "armC" in verdict._repr_html_()
    assert "arm=C" not in verdict._repr_html_()
    whole = separability(X, Y, through_origin=True)
    assert "Text columns: arm (3 levels) with all of them, sex (2 levels) against f." in whole.summary()
    file = read("arms.csv", label="died", reference={"arm": "B"})
    assert "Text columns: arm (3 levels) against B, sex (2 levels) against f." in separability(file).summary()
    assert "2 text columns, one feature for each of 5 values." in separability(read("arms.csv", label="died")).summary()


def test_the_repr_names_three() -> None:
    names = ["a", "b", "c", "d"]
    clinic = logistic_clinic(np.vstack([np.eye(4), -np.eye(4)]), [1] * 4 + [0] * 4, names=names, through_origin=True)
    assert repr(clinic) == "<Clinic: separable; coefficients: a +inf, b +inf, c +inf and 1 more>"


def test_coefficients_answer_to_the_names_of_r() -> None:
    found = logistic_clinic(X, Y).coefficients
    assert list(found) == ["arm=B", "arm=C", "sex=m", "age", "(offset)"]
    assert found["armC"] is found["arm=C"]
    assert found["(Intercept)"] is found["(offset)"]
    assert "sexm" in found
    assert "sexf" not in found
    assert found.get("armZ") is None
    with pytest.raises(KeyError, match="armZ"):
        found["armZ"]
    assert copy.deepcopy(found)["armC"] == found["armC"]


def test_a_term_that_two_columns_share_is_nobodys() -> None:
    frame = pd.DataFrame({"a": ["x", "bx", "c", "c"], "ab": ["y", "y", "x", "x"], "(Intercept)": [1.0, 2.0, 3.0, 5.0]})
    found = logistic_clinic(frame, [0, 1, 0, 1], reference={"a": "c", "ab": "y"}).coefficients
    assert list(found) == ["a=bx", "a=x", "ab=x", "(Intercept)", "(offset)"]
    assert "abx" not in found
    assert found["(Intercept)"] is not found["(offset)"]


COUNTED = "n,arm,age,died\n3,A,30,no\n2,A,41,yes\n0,D,52,no\n1,B,60,no\n4,B,35,yes\n2,C,44,yes\n"
PAIRS = "yes,no,arm,age\n2,3,A,30\n4,1,B,35\n2,0,C,44\n0,0,D,50\n1,1,A,70\n"


def test_counts_of_a_table_are_those_of_its_clinic(capsys: pytest.CaptureFixture[str]) -> None:
    Path("counted.csv").write_text(COUNTED)
    for source in ("counted.csv", pd.read_csv("counted.csv")):
        examples = read(source, label="died", counts="n", coding="reference")
        assert examples.n_rows == 5  # that of arm D was never seen
        assert examples.weights is not None
        assert examples.weights.tolist() == [3, 2, 1, 4, 2]
        clinic = logistic_clinic(examples)
        assert clinic.total == 12
        found = told_by(capsys, "clinic", "counted.csv", "--label", "died", "--counts", "n")["clinic"]
        assert without_time(clinic.to_dict()) == without_time(found)
        assert "Counted by n." in clinic.summary()
        assert logistic_clinic(examples, counts=[1] * 5).total == 5
        assert separability(examples).examples.n_rows == 5


def test_of_two_columns_of_counts_the_first_is_asked_about(capsys: pytest.CaptureFixture[str]) -> None:
    Path("pairs.csv").write_text(PAIRS)
    for counts in (("yes", "no"), ("no", "yes")):
        for source in ("pairs.csv", pd.read_csv("pairs.csv")):
            clinic = logistic_clinic(read(source, counts=counts, coding="reference"))
            assert clinic.verdict.examples.classes.tolist() == [counts[1], counts[0]]
            assert (clinic.total, clinic.verdict.examples.n_rows) == (14, 7)
            found = told_by(capsys, "clinic", "pairs.csv", "--counts", ",".join(counts))["clinic"]
            assert without_time(clinic.to_dict()) == without_time(found)


def test_weights_are_no_counts(capsys: pytest.CaptureFixture[str]) -> None:
    Path("counted.csv").write_text(COUNTED)
    examples = read("counted.csv", label="died", weight="n")
    with pytest.raises(InputError, match=r"^the weights of rows are no counts: read\(…, counts=\) or counts= says"):
        logistic_clinic(examples)
    for command in ("clinic", "check", "margin", "suspects"):
        _, _, err = run(capsys, command, "counted.csv", "--label", "died", "--weight", "n")
        assert "note: weights are not used here; --counts COLUMN says how often" in " ".join(err.split()), command
        assert max(map(len, err.splitlines())) <= 80
    _, _, err = run(capsys, "check", "counted.csv", "--label", "died", "--counts", "n")
    assert "weights are not used" not in err


def test_a_model_of_counted_rows_judges_each_row_once(capsys: pytest.CaptureFixture[str]) -> None:
    Path("pairs.csv").write_text(PAIRS.replace("0,0,D,50\n", "0,0,A,50\n"))
    run_ = learn(read("pairs.csv", counts=("yes", "no")), max_epochs=5)
    model_of_run(run_, run_.state, run_.status).save("model.json")
    for names in (["arm", "age"], ["yes", "no", "arm", "age"]):
        pd.read_csv("pairs.csv")[names].to_csv("new.csv", index=False)
        code, out, err = run(capsys, "predict", "model.json", "new.csv")
        assert code == 0, err
        assert out.split() == run_.predict(pd.read_csv("pairs.csv")[["arm", "age"]]).tolist()
