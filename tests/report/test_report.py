"""The report: dictionaries that JSON can hold, text that fits into 80 columns and says nothing else."""

import itertools
import json
import re
import shlex
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt import Proof, learn, least_mistakes, logistic_clinic, max_margin, read, separability
from rosenblatt.cli import main
from rosenblatt.data.classes import class_counts
from rosenblatt.data.examples import Examples
from rosenblatt.data.hyperplane import weights_listed
from rosenblatt.data.rows import rows_of
from rosenblatt.files.reading import Reading
from rosenblatt.files.sheet import Sheet
from rosenblatt.proof.numerals import exact
from rosenblatt.report import text
from rosenblatt.report.clinic import clinic_text
from rosenblatt.report.data import data_text, places, sides
from rosenblatt.report.margin import margin_text
from rosenblatt.report.mistakes import mistakes_text
from rosenblatt.report.proof import proof_text
from rosenblatt.report.verdict import verdict_text
from rosenblatt.report.weights import weights_text
from rosenblatt.report.words import next_steps

anything = st.text(max_size=300)
printable = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=12)


def sheet_of(X: Any, y: Any, lines: bool = True, names: Any = None) -> Sheet:
    rows = rows_of(np.asarray(X, dtype=float))
    numbers = np.arange(rows.n, dtype=np.int64) + 2 if lines else None
    return Sheet("some.csv", "csv", rows, np.asarray(y), names, numbers, Reading(format="csv", label="y"))


def spoken(report: dict[str, Any], words: Any) -> list[str]:
    """The text, which must be the same of what JSON makes of the dictionary."""
    lines = list(words(report))
    assert lines == list(words(json.loads(json.dumps(report, allow_nan=False))))
    assert max(map(len, lines)) <= 80
    assert all(line.isprintable() for line in lines)
    return lines


@given(anything, st.integers(0, 20))
def test_a_paragraph_fits_whatever_it_says(said: str, indent: int) -> None:
    lines = text.paragraph(said, indent)
    assert all(len(line) <= 80 and line.isprintable() for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.clean(said).split())


@pytest.mark.slow
@given(st.integers(1, 6), st.data())
def test_a_table_fits_and_keeps_its_rows(width: int, data: st.DataObject) -> None:
    cells = st.lists(anything | st.floats().map(lambda x: f"{x:.4g}"), min_size=width, max_size=width)
    rows = data.draw(st.lists(cells, max_size=6))
    head = data.draw(st.lists(printable, min_size=width, max_size=width))
    lines = text.table(head, rows)
    assert len(lines) == 1 + len(rows)
    assert all(len(line) <= 80 and line.isprintable() for line in lines)


def test_numbers_stand_to_the_right_and_words_to_the_left() -> None:
    assert text.table(["name", "value"], [("a", "1.5"), ("long", "-200")]) == [
        "  name  value",
        "  a       1.5",
        "  long   -200",
    ]


@given(st.lists(st.text(st.characters(exclude_categories=("C",)), max_size=40), min_size=1, max_size=12))
def test_a_command_can_be_copied_to_a_shell(words: list[str]) -> None:
    lines = text.command_line(["rosenblatt", *words], indent=6)
    assert shlex.split("\n".join(lines).replace("\\\n", "")) == ["rosenblatt", *words]
    for line in lines:
        pieces = shlex.split(line.removesuffix("\\"))
        assert len(line) <= 80 or len(pieces) <= 2 or all(piece.startswith("-") for piece in pieces[:-1])


@given(st.lists(st.integers(), max_size=40), st.integers(1, 20))
def test_a_list_says_how_many_it_leaves_out(items: list[int], most: int) -> None:
    said = text.listed(items, most)
    assert len(items) <= most or said.endswith(f" and {len(items) - most} more")
    assert said.split(" and ")[0].split(", ") == [str(item) for item in items[:most]] or not items


def test_numbers_and_words() -> None:
    assert [text.number(x) for x in (None, -0.0, 1234567.0, 1e-9)] == ["–", "0", "1.23457e+06", "1e-09"]
    assert text.word("(offset)") == "(offset)"
    assert text.word("job=night nurse") == "'job=night nurse'"
    assert text.word("a\x1b[2J") == r"'a\x1b[2J'"


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.booleans()), min_size=2, max_size=9))
def test_a_witness_sums_to_zero_exactly_by_the_numbers_of_the_report(points: list[tuple[int, int, bool]]) -> None:
    """An oracle of its own: Σ α·y·(x, 1) = 0 in fractions, over the rows that the dictionary names."""
    X, y = [[a, b] for a, b, _ in points], [1 if positive else -1 for *_, positive in points]
    lines = np.arange(len(y), dtype=np.int64) + 2
    examples = replace(Examples.signed(np.array(X, dtype=float), y), lines=lines)
    report = separability(examples).to_dict()
    json.dumps(report, allow_nan=False)
    assert (report["witness"] is None) == report["separable"]
    if report["witness"] is not None:
        alphas = [exact(row["exact"]) for row in report["witness"]]
        assert all(alpha > 0 for alpha in alphas)
        assert sum(alphas) == 1
        for j in range(3):
            entries = [[*X[row["row"]], 1][j] * y[row["row"]] for row in report["witness"]]
            assert sum((a * x for a, x in zip(alphas, entries, strict=True)), Fraction(0)) == 0
        assert all(row["line"] == row["row"] + 2 and row["label"] == y[row["row"]] for row in report["witness"])


CASES = {
    "separable": ([[1.0, 0], [2, 1], [3, 0], [4, 2]], [-1, -1, 1, 1]),
    "quasi-separable": ([[0.0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3]], [-1, 1, -1, 1, 1, 1]),
    "overlapping": ([[1.0, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]),
    "with dependent columns": ([[1.0, 2], [2, 4], [3, 6], [4, 8]], [1, -1, 1, -1]),
    "the zero row": ([[0.0, 0], [1, 2]], [1, -1]),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("origin", [True, False])
def test_every_report_is_json_and_its_text_is_made_from_it_alone(name: str, lines: bool, origin: bool) -> None:
    X, y = CASES[name]
    names = ("alpha", "a name\nthat is\tfar too long" * 8)
    sheet = sheet_of(X, y, lines, names)
    examples = sheet.examples()
    step = {"why": "Do this", "command": ["rosenblatt", "check", "a file"]}
    for data in (sheet.to_dict(1), examples.to_dict()):
        common = {"data": data, "proof": None, "next": [step]}
        verdict = separability(examples, through_origin=origin)
        said = spoken({**common, "verdict": verdict.to_dict()}, verdict_text)
        assert said[0].startswith("Separable" if verdict.separable else "Not separable")
        best = max_margin(examples, offset=0 if origin else 1)
        evidence = None if best.verdict is None else best.verdict.to_dict()
        said = spoken({**common, "margin": best.to_dict(), "verdict": evidence}, margin_text)
        assert said[0].startswith("Largest" if best.separable else "No margin")
        few = least_mistakes(examples, through_origin=origin, time_limit=1)
        said = spoken({**common, "mistakes": few.to_dict(3)}, mistakes_text)
        assert str(few.upper) in said[0] or said[0].startswith("No mistakes")
        clinic = logistic_clinic(examples, through_origin=origin)
        said = spoken({**common, "clinic": clinic.to_dict(), "next": next_steps(clinic.advice)}, clinic_text)
        assert said[0].startswith("Finite" if verdict.kind == "overlapping" else "No finite")
        for proof in (verdict.proof, best.proof, few.proof):
            claims = Proof.loads(proof.dumps()).to_dict()
            assert claims["rows"] == len(y)
            spoken({"name": "p.json", **claims, "next": []}, proof_text)


QUESTIONS = {
    "check": separability,
    "margin": max_margin,
    "suspects": least_mistakes,
    "clinic": logistic_clinic,
}


def without_advice(text: str) -> str:
    """All paragraphs but those that say what to do next."""
    return "\n\n".join(part for part in text.rstrip().split("\n\n") if not part.startswith(("Next:", "Also:")))


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("command", QUESTIONS)
def test_a_summary_is_what_the_command_prints_of_the_same_file(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """But for the file's name, and for what to do next, which is a command there."""
    monkeypatch.chdir(tmp_path)
    rows = [",".join(map(str, (*x, label))) for x, label in zip(*CASES[name], strict=True)]
    Path("some.csv").write_text("\n".join(["a,b,class", *rows, ""]))
    assert main([command, "some.csv"]) in (0, 1)
    printed = capsys.readouterr().out
    assert printed.count("some.csv: ") == 1
    summary = QUESTIONS[command](read("some.csv")).summary()
    evidence = [without_advice(said) for said in (summary, printed)]
    assert evidence[0] == evidence[1].replace("some.csv: ", "")
    assert "--" not in summary
    assert "rosenblatt" not in summary


def test_rows_are_called_by_their_lines_and_else_counted_from_0() -> None:
    X, y = CASES["overlapping"]
    with_lines, without = (sheet_of(X, y, lines).examples() for lines in (True, False))
    assert places(with_lines.listed([0, 2])) == "lines 2, 4"
    assert places(without.listed([0, 2])) == "rows 0, 2 (counted from 0)"
    assert places(with_lines.listed([3])) == "line 5"
    assert places(with_lines.subset(np.array([1, 3])).listed([1])) == "line 5"


def test_rows_keep_the_label_they_were_given_where_one_class_stands_against_the_rest() -> None:
    X, y = [[0.0], [1.0], [2.0], [3.0]], ["a", "b", "c", "b"]
    verdict = separability(X, y, multiclass="rest")["b"]
    assert verdict.examples.classes.tolist() == ["the rest", "b"]
    witness = verdict.to_dict()["witness"]
    assert witness is not None
    assert [row["label"] for row in witness] == [y[row["row"]] for row in witness]
    assert "class b (2 rows) against the other 2 classes (2)" in verdict.summary()


def test_rows_that_do_not_count_keep_the_others_numbers_and_lines() -> None:
    X, y = CASES["quasi-separable"]
    clinic = logistic_clinic(sheet_of([[9.0, 9], *X], [-1, *y]).examples(), counts=[0, 1, 2, 1, 1, 1, 1])
    known = clinic.to_dict()
    assert known["observations"] == 7
    assert [(row["row"], row["line"], row["label"]) for row in known["responsible"]] == [(5, 7, 1), (6, 8, 1)]
    text = clinic.summary()
    assert "7 observations, each row as often as it was counted." in text
    assert "Fewest observations to remove" in text


def test_a_dictionary_is_plain_whatever_the_labels() -> None:
    X, when = [[0.0], [1.0], [2.0]], np.array(["2026-01-01", "2026-01-01", "2026-01-02"], dtype="datetime64[D]")
    for y in (when, [b"a", b"a", b"b"], [0.5, 0.5, np.inf], [False, False, True]):
        verdict = separability(X, y)
        for known in (
            verdict.to_dict(),
            verdict.examples.to_dict(),
            verdict.proof.to_dict(),
            verdict.check().to_dict(),
        ):
            json.dumps(known, allow_nan=False)
        assert verdict.summary().startswith("Separable")


def test_labels_of_every_kind_are_plain_and_counted() -> None:
    for labels, expected in [
        (np.array([2, 1, 1]), {1: 2, 2: 1}),
        (np.array([0.5, 1.5, 0.5]), {0.5: 2, 1.5: 1}),
        (np.array([True, False, False]), {False: 2, True: 1}),
        (np.array(["b", "a", "a"], dtype=object), {"a": 2, "b": 1}),
    ]:
        found = class_counts(labels)
        assert found == expected
        assert json.loads(json.dumps(list(found))) == sorted(expected)
    assert class_counts(None) is None


def test_the_class_asked_about_is_named_against_one_or_many() -> None:
    X = [[0.0], [1], [2], [3]]
    assert sides(sheet_of(X, [1, 1, 1, 2]).to_dict(2)) == "class 2 (1 row) against 1 (3)"
    assert sides(sheet_of(X, [1, 1, 3, 2]).to_dict(1)) == "class 1 (2 rows) against the other 2 classes (2)"


def test_data_with_a_thousand_classes_and_columns_take_a_few_lines() -> None:
    X = np.arange(1_000_000.0).reshape(1000, 1000)
    sheet = sheet_of(X, np.arange(1000), names=tuple(f"column {j}" for j in range(1000)))
    report = {**sheet.to_dict(), "nonzeros": 999_999, "names": list(sheet.feature_names or ())}
    said = spoken(report, data_text)
    assert len(said) < 20
    assert any("and 980 more" in line for line in said)
    assert "11 (1 row) and 988 more." in " ".join(said)


def test_a_bound_that_is_a_whole_number_is_that_number() -> None:
    """Of n unit vectors the difficulty² is n, and its float may lie below; of n mistakes the last may be the n-th."""
    for n in range(2, 40):
        sheet = sheet_of(np.eye(n) * np.where(np.arange(n) % 2, 1, -1), np.arange(n) % 2)
        run = learn(sheet.examples(), offset=0)
        assert run.updates == n
        assert max_margin(sheet.examples(), offset=0).to_dict()["most_updates"] == n
        assert run.to_dict()["bound"]["most_updates"] == n


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=30), st.integers(0, 12))
def test_weights_come_by_size_and_none_is_lost(w: list[float], most: int) -> None:
    report = weights_listed(np.array(w), 0.5, None, most)
    sizes = [abs(entry["weight"]) for entry in report["largest"]]
    assert sizes == sorted(map(abs, w), reverse=True)[:most]
    assert all(a >= b for a, b in itertools.pairwise(sizes))
    spoken(report, weights_text)


def test_shares_are_worded_in_one_place() -> None:
    folder = Path(text.__file__).parent
    own = [
        path.name for path in sorted(folder.rglob("*.py")) if re.search(r":\.\w+%}|digits}%}", path.read_text("utf-8"))
    ]
    assert own == ["text.py"]
