"""Weights of rows: a column of a table, or the importance in VW text; taken out, checked, and written again."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rosenblatt import InputError, learn, read
from rosenblatt.data.rows import matrix_of
from rosenblatt.files.options import options_of
from rosenblatt.files.read import sheet_of
from rosenblatt.files.write import write
from rosenblatt.learning.choose import choose

TABLE = "w,a,colour,y\n1,2,red,no\n0,3,red,yes\n2.5,4,blue,yes\n3,5,green,no\n"


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def cells(sheet: Any) -> list[list[float]]:
    matrix = matrix_of(sheet.rows)
    return (matrix if isinstance(matrix, np.ndarray) else matrix.toarray()).tolist()


def refusal(source: Any, **options: Any) -> str:
    with pytest.raises(InputError) as refused:
        sheet_of(source, options_of(**options))
    assert len(str(refused.value).splitlines()) == 1
    return str(refused.value)


def test_weights_are_no_feature_and_a_row_of_weight_0_is_not_there(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", TABLE)
    for asked in ("w", 0, "0", -4):
        sheet = sheet_of(path, options_of(weight=asked))
        assert sheet.weights is not None
        assert sheet.weights.tolist() == [1, 2.5, 3]
        assert sheet.feature_names == ("a", "colour=blue", "colour=green", "colour=red")
        assert cells(sheet) == [[2, 0, 0, 1], [4, 1, 0, 0], [5, 0, 1, 0]]
        assert sheet.lines is not None
        assert sheet.lines.tolist() == [2, 4, 5]
        assert sheet.reading.weight == "w"
        assert sheet.notes == (
            "column 'w' holds the weights of rows, and is no feature",
            "left out 1 row of weight 0, of 4",
        )


def test_to_predict_all_rows_count_and_the_column_may_lack(tmp_path: Path) -> None:
    sheet = sheet_of(written(tmp_path / "t.csv", TABLE), options_of(weight="w", labels="wanted"))
    assert sheet.rows.n == 4
    assert "w" not in (sheet.feature_names or ())
    without = written(tmp_path / "u.csv", "a,y\n1,0\n2,1\n")
    assert sheet_of(without, options_of(weight="w", labels="wanted")).weights is None
    empty = written(tmp_path / "v.csv", "w,a,y\n,1,0\n,2,1\n")
    assert sheet_of(empty, options_of(weight="w", labels="wanted")).feature_names == ("a",)


def test_every_format_of_tables_has_weights(tmp_path: Path) -> None:
    frame = pa.table({"w": [1.0, 0.0, 2.5, 3.0], "a": [2, 3, 4, 5], "y": [0, 1, 1, 0]})
    pq.write_table(frame, tmp_path / "t.parquet")
    head = "@relation r\n@attribute w numeric\n@attribute a numeric\n@attribute y {0,1}\n@data\n"
    arff = written(tmp_path / "t.arff", head + "1,2,0\n0,3,1\n2.5,4,1\n3,5,0\n")
    named = written(tmp_path / "s.arff", head + "{0 1,1 2}\n{1 3,2 1}\n{0 2.5,1 4,2 1}\n{0 3,1 5}\n")
    for source in (frame, frame.to_pandas(), tmp_path / "t.parquet", arff, named):
        sheet = sheet_of(source, options_of(weight="w"))
        assert sheet.weights is not None
        assert sheet.weights.tolist() == [1, 2.5, 3]
        assert cells(sheet) == [[2], [4], [5]]
        assert sheet.labels is not None
        assert sheet.labels.tolist() == [0, 1, 0]


WRONG = {
    "w,a,y\n1,2,0\n-1,3,1\n": "3:1: column 'w': weight -1; expected a number that is 0 or more",
    "w,a,y\nx,2,0\n1,3,1\n": "2:1: column 'w': weight 'x'; expected a number",
    "w,a,y\n1,2,0\n,3,1\n": "3:1: column 'w': missing weight; expected a number",
    "w,a,y\n1,2,0\ninf,3,1\n": "3:1: column 'w': weight 'inf'; expected a number",
    "w,a,y\n1,2,0\n1e999,3,1\n": "3:1: column 'w': '1e999' is beyond the range of float64",
    "w,a,y\n0,2,0\n0,3,1\n": " column 'w': all weights are 0 or missing; expected some above 0",
    "w,y\n1,0\n2,1\n": " no features; expected a column beside the label",
    "a,y\n1,0\n2,1\n": " no column 'w'; columns are 'a', 'y'",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_weight_is_said_with_its_place(tmp_path: Path, text: str) -> None:
    path = written(tmp_path / "t.csv", text)
    assert refusal(path, weight="w").startswith(f"{path}:{WRONG[text]}")


def test_a_column_holds_the_weights_and_nothing_else(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", TABLE)
    assert refusal(path, weight="y").endswith("column 'y' is the label; expected another one for the weights")
    assert refusal(path, weight="w", text="w").endswith("expected no --text for it")
    assert refusal(path, weight="w", leave_out="w").endswith("expected no --leave-out for it")
    assert refusal(path, weight="colour", words="colour").endswith("expected no --words for it")
    assert refusal(path, weight=9).endswith(
        "no column 9, where the weight is said to be; expected 0 to 3, or -1 for the last one"
    )
    svm = written(tmp_path / "a.svm", "1 1:1\n-1 1:2\n")
    assert refusal(svm, weight="w").endswith("svmlight has no weight to choose; do without weight=, --weight")


def test_rows_that_are_left_out_do_not_shift_the_places_of_faults(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "w,a,y\n0,,0\n1,1,0\n1,,1\n")
    assert refusal(path, weight="w").startswith(f"{path}:4:3: column 'a': missing value")
    kept = sheet_of(path, options_of(weight="w", missing="mean"))
    assert (kept.reading.fill, cells(kept)) == ({"a": 1.0}, [[1], [1]])  # a row of weight 0 has no part in the mean


def test_rows_without_a_weight_are_dropped_if_that_is_asked(tmp_path: Path) -> None:
    sheet = sheet_of(written(tmp_path / "t.csv", "w,a,y\n2,1,0\n,1,0\n0,1,1\n3,,1\n4,9,1\n"), options_of(
        weight="w", missing="drop"))  # fmt: skip
    assert sheet.weights is not None
    assert (sheet.weights.tolist(), cells(sheet)) == ([2, 4], [[1], [9]])
    assert sheet.lines is not None
    assert sheet.lines.tolist() == [2, 6]
    assert sheet.notes[1:] == (
        "left out 1 row of weight 0 and 1 row of no weight, of 5",
        "1 row of 3 dropped for missing values",
    )


# --- VW's importance, and writing. ---


def test_the_importance_of_vw_text_is_the_weight(tmp_path: Path) -> None:
    path = written(tmp_path / "a.vw", "1 2 |f a b\n-1 0.5 0 'tag |f b:3\n1 0 |f c\n-1 'x |f a\n")
    sheet = sheet_of(path, options_of())
    assert sheet.weights is not None
    assert (sheet.weights.tolist(), cells(sheet)) == ([2, 0.5, 1], [[1, 1, 0], [0, 3, 0], [1, 0, 0]])
    assert sheet.lines is not None
    assert sheet.lines.tolist() == [1, 2, 4]
    assert sheet.notes == (
        "rows have weights, the importance behind their labels",
        "left out 1 row of weight 0, of 4",
    )
    assert sheet_of(written(tmp_path / "b.vw", "1 1 | a\n-1 | b\n"), options_of()).weights is None
    assert refusal(written(tmp_path / "c.vw", "1 0 | a\n-1 0 | b\n")).endswith(
        "all rows have importance 0; expected some above"
    )


def test_weights_do_not_depend_on_how_the_text_is_cut(tmp_path: Path) -> None:
    weights = (np.arange(1, 200_001) / 7).tolist()
    path = written(tmp_path / "a.vw", "".join(f"{1 - 2 * (i % 2)} {w!r} | a\n" for i, w in enumerate(weights)))
    for threads in (1, 3):
        sheet = sheet_of(path, options_of(threads=threads))
        assert sheet.weights is not None
        assert sheet.weights.tolist() == weights


@pytest.mark.parametrize("end", ["vw", "csv", "tsv", "parquet", "arrow"])
def test_weights_are_written_where_a_format_holds_them(tmp_path: Path, end: str) -> None:
    path = written(tmp_path / "t.csv", "w,a,b,y\n1,2,0,-1\n0.25,0,1,1\n3,5,0,-1\n")
    sheet = sheet_of(path, options_of(weight="w"))
    write(sheet, tmp_path / f"out.{end}")
    again = sheet_of(tmp_path / f"out.{end}", options_of(weight=None if end == "vw" else "w"))
    assert sheet.weights is not None
    assert again.weights is not None
    assert again.weights.tolist() == sheet.weights.tolist()
    assert cells(again) == cells(sheet)


def test_sparse_rows_keep_their_weights_too(tmp_path: Path) -> None:
    words = "".join(f"{i / 2 + 1},word{i},{i % 2}\n" for i in range(40))  # so that dense would be much larger
    path = written(tmp_path / "t.csv", f"w,t,y\n{words}")
    sheet = sheet_of(path, options_of(weight="w", words="t"))
    assert sheet.rows.is_sparse
    write(sheet, tmp_path / "out.parquet")
    again = sheet_of(tmp_path / "out.parquet", options_of(weight="w"))
    assert again.weights is not None
    assert (again.weights.tolist(), again.feature_names, cells(again)) == (
        [i / 2 + 1 for i in range(40)],
        sheet.feature_names,
        cells(sheet),
    )


def test_a_format_without_weights_says_so(tmp_path: Path) -> None:
    sheet = sheet_of(written(tmp_path / "t.csv", "w,a,y\n1,2,0\n2,3,1\n"), options_of(weight="w"))
    assert "svmlight holds no weights: they are not written (VW text and tables hold them)" in write(
        sheet, tmp_path / "out.svm"
    )


def test_examples_are_learnt_with_the_weights_they_were_read_with(tmp_path: Path) -> None:
    lines = "".join(f"{1 + i % 3},{(i * 7) % 11},{(i * 5) % 13},{i % 2}\n" for i in range(40))
    path = written(tmp_path / "t.csv", "w,a,b,y\n" + lines)
    examples, plain = read(path, weight="w"), read(path, leave_out="w")
    weights = np.array([1.0 + i % 3 for i in range(40)])
    assert examples.weights is not None
    assert examples.weights.tolist() == weights.tolist()
    plan: dict[str, Any] = {"max_epochs": 3, "tol": None}
    known = learn(plain, sample_weight=weights, **plan).hyperplane.w.tolist()
    assert learn(examples, **plan).hyperplane.w.tolist() == known
    assert known != learn(plain, **plan).hyperplane.w.tolist()
    assert (
        learn(examples, sample_weight=np.ones(40), **plan).hyperplane.w.tolist()
        == learn(plain, **plan).hyperplane.w.tolist()
    )
    assert choose(examples)[0].hyperplane.w.tolist() == choose(plain, sample_weight=weights)[0].hyperplane.w.tolist()
    again, half = copy.deepcopy(examples), examples.subset(np.arange(20))
    assert (again.weights.tolist(), half.weights.tolist()) == (weights.tolist(), weights[:20].tolist())
