"""Columns of text: a feature for each value, or for each but one; and rows that are counted."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import InputError, read
from rosenblatt.data.rows import matrix_of
from rosenblatt.files.matching import matched
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import Options, options_of
from rosenblatt.files.read import sheet_of
from rosenblatt.files.reading import Reading
from rosenblatt.files.slow.text import slow_sheet

ARMS = "arm,sex,age,y\nB,f,30,0\nA,m,41,1\nC,f,52,0\nB,m,60,1\nC,f,35,0\n"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("coding") / "rows.csv"


def table(path: Path, text: str, **options: Any) -> Any:
    path.write_text(text)
    return sheet_of(path, options_of(**options))


def dense(sheet: Any) -> list[list[float]]:
    matrix = matrix_of(sheet.rows)
    found: list[list[float]] = (matrix if isinstance(matrix, np.ndarray) else matrix.toarray()).tolist()
    return found


def test_all_levels_unless_a_reference_is_asked_for(path: Path) -> None:
    sheet = table(path, ARMS)
    assert sheet.feature_names == ("arm=A", "arm=B", "arm=C", "sex=f", "sex=m", "age")
    assert (sheet.reading.coding, sheet.reading.reference) == ("levels", None)
    assert sheet.levels == {"arm": 3, "sex": 2}
    numbers = table(path, "a,y\n1,0\n2,1\n")
    assert numbers.reading.coding is None


def test_the_most_frequent_level_is_left_out_and_of_several_the_first(path: Path) -> None:
    sheet = table(path, ARMS, coding="reference")
    assert sheet.reading.reference == {"arm": "B", "sex": "f"}  # B and C twice each
    assert sheet.feature_names == ("arm=A", "arm=C", "sex=m", "age")
    assert dense(sheet) == [[0, 0, 0, 30], [1, 0, 1, 41], [0, 1, 0, 52], [0, 0, 1, 60], [0, 1, 0, 35]]


def test_a_reference_that_is_asked_for(path: Path) -> None:
    path.write_text(ARMS)
    examples = read(path, reference={"arm": "A"})
    assert examples.feature_names == ("arm=B", "arm=C", "sex=m", "age")
    assert matrix_of(examples.rows)[0].tolist() == [1, 0, 0, 30]
    with pytest.raises(InputError, match="no value 'X' to be its reference; values are 'A', 'B', 'C'"):
        read(path, reference={"arm": "X"})
    with pytest.raises(InputError, match="coding='levels' leaves out no value"):
        read(path, coding="levels", reference={"arm": "A"})


def test_without_an_offset_the_first_column_of_text_has_all_levels(path: Path) -> None:
    path.write_text(ARMS)
    sheet = sheet_of(path, Options(Reading(), usual_coding="reference", origin=True))
    assert sheet.feature_names == ("arm=A", "arm=B", "arm=C", "sex=m", "age")
    assert sheet.reading.all_levels == ("arm",)
    # Read again as the proof says, whatever the command usually does.
    again = sheet_of(path, Options(Reading.of_words(sheet.reading.in_words())))
    assert again.feature_names == sheet.feature_names
    assert again.reading == sheet.reading
    other = sheet_of(path, Options(Reading(reference={"arm": "A"}), origin=True))
    assert other.feature_names == ("arm=B", "arm=C", "sex=f", "sex=m", "age")


def test_every_kind_of_table_is_coded_alike(path: Path) -> None:
    csv = table(path, ARMS, coding="reference")
    columns = {"arm": [*"BACBC"], "sex": [*"fmfmf"], "age": [30.0, 41, 52, 60, 35], "y": [0, 1, 0, 1, 0]}
    frame = sheet_of(pa.table(columns), options_of(coding="reference"))
    parquet = path.with_suffix(".parquet")
    pq.write_table(pa.table(columns), parquet)
    arff = path.with_suffix(".arff")
    rows = "\n".join(ARMS.splitlines()[1:])
    arff.write_text(
        f"@relation r\n@attribute arm {{C,B,A}}\n@attribute sex {{f,m}}\n@attribute age numeric\n"
        f"@attribute y {{0,1}}\n@data\n{rows}\n"
    )
    for sheet in (frame, sheet_of(parquet, options_of(coding="reference"))):
        assert (sheet.feature_names, dense(sheet)) == (csv.feature_names, dense(csv))
    declared = sheet_of(arff, options_of(coding="reference"))
    assert declared.reading.reference == {"arm": "B", "sex": "f"}
    assert declared.feature_names == ("arm=C", "arm=A", "sex=m", "age")


def test_missing_text_is_the_reference_and_a_note_says_so(path: Path) -> None:
    text = ARMS + "NA,m,50,1\n"
    sheet = table(path, text, coding="reference", missing="zero")
    assert dense(sheet)[-1] == [0, 0, 1, 50]
    assert sheet.notes == ("1 missing value of 6 filled in column 'arm': as 'B', its reference level",)
    assert table(path, text, coding="reference", missing="drop").rows.n == 5


def test_a_column_of_one_value_has_no_feature(path: Path) -> None:
    sheet = table(path, "site,a,y\nx,1,0\nx,2,1\n", coding="reference")
    assert sheet.feature_names == ("a",)
    assert sheet.notes == ("column 'site' has one value only, 'x', and so no feature",)
    with pytest.raises(InputError, match="no features; all columns of text have one value only"):
        table(path, "site,y\nx,0\nx,1\n", coding="reference")


def test_hashed_features_lack_the_reference_too(path: Path) -> None:
    sheet = table(path, ARMS, coding="reference", hash_bits=12)
    assert [sum(value != 0 for value in row) for row in dense(sheet)] == [1, 3, 2, 2, 2]


def test_a_model_reads_other_files_by_its_own_references(path: Path) -> None:
    own = table(path, ARMS, coding="reference")
    path.write_text("age,sex,arm\n20,m,D\n21,f,C\n22,f,C\n")
    new = sheet_of(path, Options(own.reading.alike("csv"), labels="wanted"))
    rows, notes = matched(new, own.feature_names, 4, own.reading)
    assert np.asarray(rows.arrays[0]).tolist() == [[0, 0, 1, 20], [0, 1, 0, 21], [0, 1, 0, 22]]
    said = "1 value that the model does not know, taken for the column's reference level: 'arm=D'"
    assert notes == (said,)


LIZARDS = "few,many,height,y\n3,1,low,a\n0,2,high,b\n5,0,low,a\n"


def test_one_column_of_counts(path: Path) -> None:
    sheet = table(path, LIZARDS, counts="few", leave_out="many")
    assert sheet.feature_names == ("height=low",)  # no row that counts is high
    assert sheet.labels.tolist() == ["a", "a"]
    assert sheet.weights.tolist() == [3, 5]
    assert sheet.lines.tolist() == [2, 4]
    assert sheet.reading.counts == ("few",)


def test_two_columns_of_counts_are_the_labels(path: Path) -> None:
    sheet = table(path, LIZARDS, counts=("few", "many"), leave_out="y")
    assert sheet.feature_names == ("height=high", "height=low")
    assert sheet.labels.tolist() == ["few", "many", "many", "few"]
    assert sheet.weights.tolist() == [3, 1, 2, 5]
    assert sheet.lines.tolist() == [2, 2, 3, 4]
    assert dense(sheet) == [[0, 1], [0, 1], [1, 0], [0, 1]]


CELLS = [["u", "v", "w", "w"], ["1", "2", "0.5"], ["x", "NA", "y"], ["a", "b", "0"]]
COUNTS = ["0", "1", "2", "7", "-1", "1.5"]


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_both_readers_code_and_count_alike(path: Path, data: st.DataObject) -> None:
    kinds = [*data.draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=3)), COUNTS[:4], COUNTS[:4]]
    if data.draw(st.integers(0, 5)) == 0:
        kinds[-1] = COUNTS
    rows = data.draw(st.lists(st.tuples(*map(st.sampled_from, kinds), st.sampled_from("pq")), min_size=2, max_size=7))
    names = [f"c{j}" for j in range(len(kinds))] + ["y"]
    path.write_text("\n".join(map(",".join, [names, *rows])) + "\n")
    counts = data.draw(st.sampled_from([(), (names[-3],), (names[-3], names[-2])]))
    reference = data.draw(st.sampled_from([None, {"c0": "u"}])) if kinds[0] == CELLS[0] else None
    reading = Reading(
        format="csv",
        missing=data.draw(st.sampled_from(["refuse", "drop", "zero", "mean"])),
        coding="reference" if reference else data.draw(st.sampled_from(["levels", "reference"])),
        reference=reference,
        all_levels=data.draw(st.sampled_from([None, ("c0",)])),
        counts=counts or None,
        leave_out=("y",) if len(counts) == 2 else (),
        hash_bits=data.draw(st.sampled_from([None, None, 4])),
    )
    sheets: list[Any] = []
    for reader in (sheet_of, _slowly):
        try:
            sheets.append(reader(path, Options(reading)))
        except InputError as error:
            sheets.append(str(error))
    fast, slow = sheets
    if isinstance(fast, str):
        # It doubts text that may be a slip, and a reference that is not there; the slow one does not.
        assert isinstance(slow, str) or "to be its reference" in fast or "is not a number" in fast, fast
        return
    assert not isinstance(slow, str), slow
    assert dense(fast) == slow.matrix().toarray().tolist()
    assert fast.feature_names == slow.feature_names
    assert fast.labels.tolist() == slow.labels.tolist()
    assert fast.lines.tolist() == slow.lines.tolist()


def _slowly(path: Path, options: Options) -> Any:
    with InputFile(path) as opened:
        return slow_sheet(opened, options)


def test_a_reference_of_a_column_whose_name_has_an_equals_sign(path: Path) -> None:
    """`--reference a=b=u` is taken apart at the first `=`; the columns that are there say what is meant."""
    sheet = table(path, "a=b,x,y\nu,1,0\nv,2,1\nv,3,0\n", reference={"a": "b=u"})
    assert sheet.reading.reference == {"a=b": "u"}
    assert sheet.feature_names == ("a=b=v", "x")


def test_one_note_says_what_was_filled(path: Path) -> None:
    text = "arm,sex,age,y\nA,f,30,0\nB,NA,NA,1\nA,m,44,0\nNA,f,NA,1\nA,m,NA,0\n"
    for missing, by in (("mean", "the mean of their column"), ("zero", "0")):
        for coding, text_as in (("levels", "none of its levels"), ("reference", "its reference level")):
            sheet = table(path, text, coding=coding, missing=missing)
            said = (
                f"5 missing values filled in 3 columns: numbers by {by}, text as {text_as} ('age' lacks most: 3 of 5)"
            )
            assert sheet.notes == (said,)
            assert len(f"note: {said}") <= 160
    alone = table(path, "a,b,y\n1,NA,0\n2,5,1\n", missing="mean")
    assert alone.notes == ("1 missing value of 2 filled in column 'b': by its mean",)
    assert table(path, "a,b,y\n1,4,0\n2,5,1\n", missing="mean").notes == ()


def test_the_same_is_said_of_arrays() -> None:
    X = np.full((1500, 2), np.nan)
    X[0], X[1:200, 1] = 1.0, 4.0
    sheet = sheet_of(X, options_of(missing="zero"), y=[0, 1] * 750)
    said = "2,799 missing values filled in 2 columns: numbers by 0 ('0' lacks most: 1,499 of 1,500)"
    assert sheet.notes == (said,)
