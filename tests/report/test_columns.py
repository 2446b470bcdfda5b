"""Tables that are results: gone through, printed, and as data frames."""

import sys
from fractions import Fraction

import laws
import numpy as np
import pytest

from rosenblatt import datasets, learn, least_mistakes, read, separability
from rosenblatt.data.columns import Columns
from rosenblatt.report.columns import flat, table_text


def test_history_and_log_are_rows_and_columns() -> None:
    run = learn(*datasets.four_on_a_line(), log=True)
    assert len(run.history) == run.epochs == 11
    assert [row.mistakes for row in run.history] == run.history.mistakes.tolist()
    assert run.history[-1].epoch == 11
    assert [row.epoch for row in run.history[1:3]] == [2, 3]
    with pytest.raises(IndexError):
        run.history[11]
    frame = run.history.to_frame()
    assert list(frame.columns) == list(vars(run.history))
    assert frame["squared_loss"].tolist() == run.history.squared_loss.tolist()
    assert run.log is not None
    assert len(run.log) == 25
    assert [(one.row, one.visit) for one in run.log][:3] == [(0, 1), (2, 3), (0, 5)]
    assert run.log.to_frame().shape == (25, 5)
    assert repr(run.log) == "<Log of 25 updates: row, output, step, visit, change, survival>"
    assert len(repr(run.history)) < 130
    assert str(run.log).splitlines()[:2] == ["row  output  step  visit  change", "  0       0     1      1       1"]


def test_an_output_has_a_column_of_its_own() -> None:
    run = learn(datasets.iris().examples(), max_epochs=2)
    assert list(run.history.to_frame().columns)[-3:] == ["margin_upper_0", "margin_upper_1", "margin_upper_2"]
    assert run.history[0].margin_upper == run.history.margin_upper[0].tolist()
    lines = str(run.history).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-1] == "Not shown: margin_upper_2."
    assert not any("…" in line for line in lines)  # a number that is cut is another number


def test_of_a_long_table_the_first_rows_and_the_last_are_printed() -> None:
    X, y = laws.reals(4, n=200, d=2)
    lines = str(learn(X, y, max_epochs=3, log=True, rule="delta", eta=1e-3).log).splitlines()
    assert len(lines) == 1 + 20 + 1 + 5
    assert lines[21] == "… 575 more rows …"
    assert lines[-1].split()[3:] == ["600", "600"]


def test_texts_are_cut_where_there_is_no_room_and_columns_are_named() -> None:
    lines = table_text({"name": ["x" * 100], "yes": [True], "none": [None], "n": [-0.0]})
    assert lines[0].split() == ["name", "yes", "none", "n"]
    assert max(map(len, lines)) == 80
    assert "…" in lines[1]
    assert lines[1].endswith("  0")
    many = table_text({f"column {j}": [1.23456789] for j in range(30)})
    assert many[-1].startswith(("Not shown: column", "column")) or "column 29." in many[-1]
    assert max(map(len, many)) <= 80


def test_a_column_of_two_dimensions_is_several() -> None:
    assert list(flat({"a": [1, 2], "b": np.eye(2)})) == ["a", "b_0", "b_1"]


def test_without_pandas_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ModuleNotFoundError, match=r"^to_frame\(\) needs pandas: pip install pandas$"):
        learn(*datasets.xor()).history.to_frame()


def test_whoever_has_columns_has_the_rest() -> None:
    class Two(Columns):
        def table(self) -> dict[str, list[int]]:
            return {"a": [1, 2], "b": [3, 4]}

    assert [tuple(row) for row in Two()] == [(1, 3), (2, 4)]
    assert str(Two()) == "a  b\n1  3\n2  4"


def test_suspects_are_a_tuple_and_a_table(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "x.svm").write_text("+1 1:1\n+1 1:2\n-1 1:1.5\n-1 1:4\n+1 1:5\n")
    found = least_mistakes(read(tmp_path / "x.svm"))
    suspects = found.suspects
    assert isinstance(suspects, tuple)
    assert suspects[:1] == (suspects[0],)
    assert repr(suspects) == f"<Suspects: {len(suspects)} rows>"
    frame = suspects.to_frame()
    assert list(frame.columns) == ["row", "line", "label", "cost", "distance", "reason"]
    assert frame["line"].tolist() == [one.row + 1 for one in suspects]
    entries = found.to_dict(100)["suspects"]
    for one, entry in zip(suspects, entries, strict=True):
        assert (one.row, one.line, one.label, one.cost) == tuple(
            entry[name] for name in ("row", "line", "label", "cost")
        )
        assert one.distance == entry["distance"]
    assert max(map(len, str(suspects).splitlines())) <= 80
    assert str(suspects).splitlines()[0].split() == list(frame.columns)


def test_the_witness_is_a_table_of_exact_multipliers() -> None:
    sample = datasets.xor()
    verdict = separability(*sample)
    assert verdict.witness is not None
    expected = [(i, None, int(sample.y[i]), Fraction(1, 4), None) for i in range(4)]  # of no file
    assert [tuple(one) for one in verdict.witness] == expected
    total = sum((one.multiplier * one.label * Fraction(sample.X[one.row, 0]) for one in verdict.witness), Fraction(0))
    assert total == 0
    assert verdict.witness.to_frame()["multiplier"].tolist() == [Fraction(1, 4)] * 4
    assert separability(*datasets.four_in_the_plane()).witness is None
    entries = verdict.to_dict()["witness"]
    assert entries is not None
    assert [entry["exact"] for entry in entries] == ["1/4"] * 4
