"""--header and --no-header, --label by position, and files without names after a model with them: from end to end."""

from pathlib import Path

import pytest
from commands import answer, run

ROWS = "".join(f"{i % 7 + 0.5},{i % 5 - 1.5},{'no' if i % 7 < 3 else 'yes'}\n" for i in range(40))
GERMAN = "A11,6,A34,1\nA12,48,A32,2\nA14,12,A34,1\nA11,42,A32,2\nA12,24,A33,1\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("named.csv").write_text("dose,age,ill\n" + ROWS)
    Path("bare.csv").write_text(ROWS)
    Path("features.csv").write_text("".join(line.rpartition(",")[0] + "\n" for line in ROWS.splitlines()))
    Path("years.csv").write_text("2019,2020,2021\n1,2,0\n2,1,1\n5,5,0\n")
    return tmp_path


def trained(capsys: pytest.CaptureFixture[str], data: str, *options: str) -> dict[str, object]:
    return answer(capsys, "train", data, "-m", "m", "--rule", "perceptron", "--epochs", 3, *options)


def test_a_first_row_of_words_and_numbers_is_a_row(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("g.csv").write_text(GERMAN)
    data = answer(capsys, "show", "g.csv", "--label", "3")
    assert (data["rows"], data["classes"]["count"]) == (5, 2)
    assert data["reading"]["header"] is False
    assert data["details"] == ["line 1 is a row: 4 of its 4 cells look like those below"]


def test_what_is_not_clear_is_asked_in_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "check", "years.csv", "--label", "-1")
    assert (code, out) == (2, "")
    assert err == (
        "years.csv:1: names or a row? '2019', '2020', '2021' may be names or numbers; say which: --header if line 1"
        " holds names, --no-header if it is a row (header=)\n"
    )
    assert answer(capsys, "show", "years.csv", "--header")["rows"] == 3
    assert answer(capsys, "show", "years.csv", "--no-header")["rows"] == 4


def test_advice_repeats_the_option(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--header", "--no-header"):
        found = answer(capsys, "check", "years.csv", "--label", "2", option, *(["--positive", "1"]))
        for step in found["next"]:
            if step["command"] is not None and "years.csv" in step["command"] and "verify" not in step["command"]:
                assert option in step["command"]
                break
        else:
            pytest.fail("no advice about the data")


def test_notes_fit_a_terminal(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = run(capsys, "check", "bare.csv", "--label", "-1", "-v")
    lines = err.splitlines()
    assert lines[1] == "line 1 is a row: 3 of its 3 cells look like those below"
    assert lines[2:4] == [
        "note: no header: line 1 is taken for a row, since 3 of its 3 cells look like",
        "  those below; columns are named x0, x1, … (--header if it holds names)",
    ]
    assert max(map(len, lines)) <= 80


def test_a_model_with_names_judges_a_file_without(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, "named.csv", "--label", "ill")
    known = answer(capsys, "predict", "m", "named.csv")
    assert known["labelled"]["rows"] == 40
    bare = answer(capsys, "predict", "m", "features.csv")
    assert bare["predictions"] == known["predictions"]
    assert "columns are taken in the model's order: 'dose', 'age'" in bare["data"]["notes"][0]
    assert answer(capsys, "predict", "m", "bare.csv", "--label", "-1")["predictions"] == known["predictions"]
    code, _, err = run(capsys, "predict", "m", "bare.csv")
    assert code == 2
    assert err.endswith("or the columns 'dose', 'age' and no others; --label N says which one is the label\n")


def test_a_model_without_names_judges_a_file_with_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, "bare.csv", "--label", "-1")
    known = answer(capsys, "predict", "m", "bare.csv")
    assert known["labelled"]["rows"] == len(known["predictions"]) == 40
    assert answer(capsys, "predict", "m", "features.csv")["predictions"] == known["predictions"]
    named = answer(capsys, "predict", "m", "named.csv")
    assert named["predictions"] == known["predictions"]
    assert named["labelled"]["rows"] == 40
    assert named["data"]["notes"] == ["line 1 holds names, but the model's data had none: columns go by position"]
    Path("few.csv").write_text("1.5\n2.5\n")
    assert run(capsys, "predict", "m", "few.csv")[2] == (
        "few.csv: 1 column; expected 3 columns, as the model's data had\n"
    )


def test_a_label_in_front_is_not_mistaken_for_a_feature(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turned = [line.split(",") for line in ROWS.splitlines()]
    Path("turned.csv").write_text("".join(f"{c},{a},{b}\n" for a, b, c in turned))
    trained(capsys, "turned.csv", "--label", "0")
    known = answer(capsys, "predict", "m", "turned.csv")
    bare = answer(capsys, "predict", "m", "features.csv")
    assert bare["labelled"] is None
    assert bare["predictions"] == known["predictions"]
    assert answer(capsys, "predict", "m", "bare.csv", "--label", "-1")["predictions"] == known["predictions"]


def test_a_proof_says_whether_there_was_a_header(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--header", "--no-header"):
        answer(capsys, "check", "years.csv", "--label", "-1", "--positive", "1", option, "--proof", f"p{option}")
        for slow in ([], ["--slow-reader"]):
            assert answer(capsys, "verify", f"p{option}", "years.csv", *slow)["check"]["holds"]


def test_row_numbers_that_were_features_once_are_so_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from rosenblatt.files.tables import row_numbers

    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("id,a,y\n" + "".join(f"{i},{i * i % 7},{i % 2}\n" for i in range(1, 13)))
    plan = ("t.csv", "--label", "y", "--rule", "perceptron")
    with monkeypatch.context() as before:
        before.setattr(row_numbers, "ROW_NAMES", ())
        assert run(capsys, "check", "t.csv", "--label", "y", "--proof", "old.json")[0] == 1
        run(capsys, "train", *plan, "--epochs", 2, "-m", "old.model")
    for more in ((), ("--slow-reader",)):
        assert run(capsys, "verify", "old.json", "t.csv", *more)[0] == 0
    assert answer(capsys, "train", *plan, "--epochs", 4, "--resume", "old.model", "-m", "longer.model")["epochs"] == 4
    assert run(capsys, "predict", "old.model", "t.csv")[0] == 0
    # What was left out then is left out again.
    run(capsys, "check", "t.csv", "--label", "y", "--proof", "new.json")
    run(capsys, "train", *plan, "--epochs", 2, "-m", "new.model")
    for more in ((), ("--slow-reader",)):
        assert run(capsys, "verify", "new.json", "t.csv", *more)[0] == 0
    report = answer(capsys, "train", *plan, "--epochs", 4, "--resume", "new.model", "-m", "longer.model")
    assert (report["epochs"], report["data"]["columns"]) == (4, 1)
