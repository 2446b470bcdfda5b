"""Line 1 of a table: names, a row, or a question; and what is read after a model."""

import io
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from rosenblatt import InputError, read
from rosenblatt.files.column_place import clear_name, column_place
from rosenblatt.files.expected import Expected
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import Options, options_of
from rosenblatt.files.reading import Reading
from rosenblatt.files.sheet import Sheet
from rosenblatt.files.slow.header import holds_names
from rosenblatt.files.slow.text import slow_sheet
from rosenblatt.files.tables.delimited import read_csv
from rosenblatt.files.tables.header_evidence import judged

NAMES, ROW, ASK = "names", "row", "ask"
TIMES = 20  # rows enough to tell


def lines(first: str, *below: str, times: int = 1) -> str:
    return "\n".join([first, *below * times, ""])


TABLES = {
    # Names over numbers.
    "plain": (lines("age,dose,ill", "30,1.5,no", "41,2.5,yes"), NAMES),
    "one-row": (lines("a,b", "1,2"), NAMES),
    "one-column": (lines("height", "1.5", "1.7"), NAMES),
    "one-name-over-numbers": (lines("name,city,age", "anna,rome,31", "bert,oslo,25"), NAMES),
    "quoted": (lines('"age","dose"', "30,1.5"), NAMES),
    "blanks": (lines(" age , dose ", "30 , 1.5"), NAMES),
    "missing-below": (lines("a,b,c", "NA,2,", "1,?,3"), NAMES),
    "all-missing-below": (lines("a,b", ",2", ",3"), NAMES),
    "names-twice": (lines("a,a", "1,2", "3,4"), NAMES),
    "r-row-names": (lines("rownames,Sepal.Length,Species", "1,5.1,setosa", "2,4.9,setosa"), NAMES),
    "pandas-index": (lines(",a,b", "0,1.5,x", "1,2.5,y"), NAMES),
    "pandas-index-of-text": (lines(",name,city", "0,anna,rome", "1,bert,oslo"), NAMES),
    "pandas-series": (lines(",0", "0,1.5", "1,2.5", "2,7"), NAMES),
    "pandas-array": (lines("0,1,2,3", "5.1,3.5,1.4,0", "4.9,3.0,1.4,1"), NAMES),
    "pandas-array-with-index": (lines(",0,1,2", "0,5.1,3.5,1.4", "1,4.9,3.0,1.4"), NAMES),
    "label-and-pixels": (lines("label,0,1,2,3", "5,0,0,7,0", "3,0,9,0,0"), NAMES),
    "years-beside-a-label": (lines("class,2019,2020,2021", "x,5,6.5,7", "y,4,8,9"), NAMES),
    "years-beside-a-number": (lines("id,2019,2020,2021", "7,5,6.5,7", "9,4,8,9"), NAMES),
    "value-that-is-a-name": (lines("age,height,male", "30,1.8,male", "31,1.7,female"), NAMES),
    # Names over text.
    "weather": (lines("outlook,windy,play", "sunny,no,no", "rain,yes,yes", times=8), NAMES),
    "named-class": (lines("colour,Class", "red,a", "blue,b"), NAMES),
    "sms": (lines("label\ttext", "ham\tOk lar", "spam\tFree entry"), NAMES),
    "sms-version": (lines("v1\tv2", "ham\tOk lar", "spam\tFree entry", times=30), NAMES),
    "truth": (lines("smoker,drinker", "TRUE,FALSE", "FALSE,TRUE", times=TIMES), NAMES),
    # Rows.
    "numbers": (lines("3.6,8.6,-2.8,0", "4.5,8.1,-2.4,0"), ROW),
    "label-last": (lines("5.1,3.5,setosa", "4.9,3.0,setosa", "6.2,2.9,virginica"), ROW),
    "label-last-and-new": (lines("5.1,3.5,setosa", "6.2,2.9,virginica", "6.2,3.0,virginica", times=TIMES), ROW),
    "label-first": (lines("ALL,-342,-200", "AML,-87,-248"), ROW),
    "german": (lines("A11,6,A34,1169,1", "A12,48,A32,5951,2", "A14,12,A34,2096,1"), ROW),
    "german-unlike": (lines("A11,6,A34,1169,1", "A12,48,A32,5951,2"), ROW),
    "integers": (lines("5,1,9", "2,8,3"), ROW),
    "counting-like-all": (lines("1,2,3", "4,5,6", "7,8,9"), ROW),
    "zeros": (lines("0,0,1", "0,1,0"), ROW),
    "one-column-of-numbers": (lines("3", "5"), ROW),
    "text-again": (lines("sunny,no,no", "rain,yes,yes", "sunny,no,yes"), ROW),
    "text-again-once": (lines("red,anna", "red,bert", "blue,carl"), ROW),
    "sms-row": (lines("ham\tGo until", "ham\tOk lar", "spam\tFree entry"), ROW),
    "missing-mark": (lines("?,red,x", "5,green,z"), ROW),
    "missing-first": (lines(",5.1,a", "3,4.9,b"), ROW),
    "missing-among-numbers": (lines("1.5,NA,3", "2,7,4"), ROW),
    "one-line-of-numbers": ("5.1,3.5,1.4\n", ROW),
    "one-line-and-a-class": ("5.1,3.5,setosa\n", ROW),
    "no-more-years": (lines("1999,1", "2003,0", "1990,1"), ROW),
    "dates": (lines("2020-01-01,3.4", "2020-01-02,3.9"), ROW),
    # Not clear.
    "years": (lines("2019,2020,2021", "5,6.5,7", "3,2,1"), ASK),
    "years-of-countries": (lines("country,2019,2020,2021", "FR,5,6.5,7", "DE,3,2,1"), ASK),
    "a-year": (lines("country,2019", "FR,5", "DE,3"), ASK),
    "counting": (lines("1,2,3", "5,5,7", "9,2,2"), ASK),
    "counting-from-0-like-all": (lines("0,1,2,3", "4,5,6,7"), ASK),
    "few-texts": (lines("name,city", "anna,rome", "bert,oslo"), ASK),
    "words": (lines("alpha", "beta", "gamma"), ASK),
    "junk-among-numbers": (lines("5.1,-,1.4", "4.9,3.0,1.4"), ASK),
    "number-among-names": (lines("age,7,dose", "30,1,2", "40,9,9"), ASK),
    "label-over-decimals": (lines("label,900.5,901.5", "a,1,2", "b,3,5"), ASK),
    "names-again-below": (lines("a,b", "1,2", "a,b", "3,4"), ASK),
    "na-among-names": (lines("a,NA,b", "1,2,3"), ASK),
    "half-of-it-new": (lines("red,u,v", "red,a,b", "blue,c,d", times=TIMES), ASK),
}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "t.csv"


def sheet_of(path: Path, content: str, expected: Expected | None = None, **asked: object) -> Sheet:
    path.write_text(content)
    format = "tsv" if "\t" in content else "csv"
    options = Options(Reading(format=format, **asked), labels="wanted", expected=expected)  # type: ignore[arg-type]
    with InputFile(path) as opened:
        return read_csv(opened, options)


def test_there_are_enough_of_them() -> None:
    assert len(TABLES) >= 50


@pytest.mark.parametrize("name", TABLES)
def test_line_1_is_judged_as_a_reader_would_judge_it(path: Path, name: str) -> None:
    text, what = TABLES[name]
    records = [line.replace('"', "").split("\t" if "\t" in text else ",") for line in text.splitlines()]
    found = judged(records[0], records[1:])
    assert {True: NAMES, False: ROW, None: ASK}[found.header] == what, found.why
    assert holds_names(records[0], records[1:]) is found.header
    path.write_text(text)
    if what == ASK:
        with pytest.raises(InputError) as refused:
            sheet_of(path, text)
        message = str(refused.value).removeprefix(f"{path}")
        assert message.startswith(":1: names or a row? ")
        assert message.endswith("--header if line 1 holds names, --no-header if it is a row (header=)")
        assert "\n" not in message
    elif name not in ("names-twice", "dates"):  # which are refused for another reason
        sheet = sheet_of(path, text, missing="zero")
        assert sheet.reading.header is (what == NAMES)
        assert sheet.rows.n == len(records) - (what == NAMES)
        assert any(note.startswith("no header: line 1 is taken for a row, since ") for note in sheet.notes) is (
            what == ROW
        )
        assert sheet.details[0].startswith("line 1 holds names: " if what == NAMES else "line 1 is a row: ")


@pytest.mark.parametrize("name", TABLES)
def test_whoever_says_what_line_1_is_is_believed_by_both_readers(path: Path, name: str) -> None:
    text, _ = TABLES[name]
    for header in (True, False):
        sheets, why = [], []
        for reader in (read_csv, slow_sheet):
            path.write_text(text)
            options = options_of(
                format="tsv" if "\t" in text else "csv", header=header, labels="wanted", missing="zero", label=0,
            )  # fmt: skip
            with InputFile(path) as opened:
                try:
                    sheets.append(reader(opened, options))  # type: ignore[operator]
                except InputError as error:
                    sheets.append(None)
                    why.append(str(error))
        if sheets[0] is None:  # the fast one doubts text among numbers, and dates
            assert sheets[1] is None or "expected a number" in why[0] or "holds dates" in why[0], why
            continue
        assert sheets[0].rows.n == len(text.splitlines()) - header
        assert sheets[0].reading.header is header
        assert sheets[0].feature_names == sheets[1].feature_names
        assert sheets[0].lines.tolist() == sheets[1].lines.tolist()


def test_names_that_are_not_plain_are_said(path: Path) -> None:
    sheet = sheet_of(path, TABLES["weather"][0])
    assert sheet.notes[0] == "line 1 is taken for names: its cells do not occur again below (--no-header if not)"
    assert sheet_of(path, TABLES["plain"][0]).notes == ()


@pytest.mark.parametrize("asked", [{"label": "country"}, {"leave_out": ("country",)}, {"text": "country"}])
def test_a_name_that_is_asked_for_tells(path: Path, asked: dict[str, object]) -> None:
    text = TABLES["years-of-countries"][0]
    sheet = sheet_of(path, text, **asked)
    assert sheet.reading.header is True
    assert sheet.details == ("line 1 holds names: column 'country' is asked for by its name",)
    with InputFile(path) as opened:
        slow = slow_sheet(opened, options_of(format="csv", labels="wanted", **asked))
    assert slow.feature_names == sheet.feature_names
    with pytest.raises(InputError, match="names or a row"):
        sheet_of(path, text, label="2019")


def test_read_takes_header(path: Path) -> None:
    path.write_text("2019,2020,2021\n5,6.5,1\n3,2,0\n")
    assert read(path, label=-1, header=True).feature_names == ("2019", "2020")
    assert read(path, label=-1, header=False).n_rows == 3
    with pytest.raises(InputError, match="names or a row"):
        read(path, label=-1)
    with pytest.raises(InputError, match="header must be True or False, not 'yes'"):
        read(path, label=-1, header="yes")  # type: ignore[arg-type]


# --- A column, by name or position. ---


@pytest.mark.parametrize(
    ("asked", "names", "place"),
    [
        (0, "abc", 0),
        (-1, "abc", 2),
        ("c", "abc", 2),
        ("-1", "abc", 2),
        ("+1", "abc", 1),
        ("1", ("0", "1", "2"), 1),
        ("2019", ("2018", "2019"), 1),
        ("name:0", ("a", "0"), 1),
        ("position:0", ("a", "0"), 0),
        ("position:-1", ("a", "0"), 1),
        ("name:0", ("name:0", "0"), 0),
        (1, ("1", "0"), 1),
        ("x y", ("x y",), 0),
    ],
)
def test_a_column_is_found(asked: str | int, names: tuple[str, ...], place: int) -> None:
    assert column_place("t", asked, tuple(names), len(names)) == place


@pytest.mark.parametrize(
    ("asked", "names", "said"),
    [
        ("0", ("a", "0"), "column 1 is named '0', and column 0 'a'; say which: --label name:0 or --label position:0"),
        ("-1", ("-1", "a"), "column 0 is named '-1', and column -1 'a'; say which"),
        ("d", ("a", "b"), "no column 'd'; columns are 'a', 'b'"),
        ("name:d", ("a", "b"), "no column 'name:d'"),
        (2, ("a", "b"), "no column 2, where the label is said to be; expected 0 to 1, or -1 for the last one"),
        ("position:-3", ("a", "b"), "no column -3"),
        ("1.5", ("a", "b"), "no column '1.5'"),
        ("a", None, "no column 'a'; columns have no names here: give a position"),
    ],
)
def test_a_column_that_is_not_there_or_not_clear_is_said(
    asked: str | int, names: tuple[str, ...] | None, said: str
) -> None:
    with pytest.raises(InputError) as refused:
        column_place("t", asked, names, 2)
    assert str(refused.value).startswith(f"t: {said}")


def test_the_name_that_is_kept_finds_its_column_again() -> None:
    for names in (("a", "b"), ("1", "0", "2"), ("0", "1"), ("-1", "x"), ("2019", "5", "-2")):
        for place in range(len(names)):
            assert column_place("t", clear_name(names, place), names, len(names)) == place


def test_frames_go_by_the_same_rule() -> None:
    frame = pd.DataFrame({"a": [1.0, 2, 3], "0": [0, 1, 1], "b": [5.0, 6, 8]})
    with pytest.raises(InputError, match="say which: --label name:0 or --label position:0"):
        read(frame, label="0")
    assert read(frame, label="name:0").feature_names == ("a", "b")
    assert read(frame, label="position:1").feature_names == ("a", "b")


# --- After a model. ---

IRIS = Expected(("length", "width"), "kind", ("kind",))
BARE = Expected(("x1", "x2"), "x0", ("x0",), header=False)


def test_a_file_without_a_header_goes_by_position_if_its_columns_are_as_many(path: Path) -> None:
    sheet = sheet_of(path, "5.1,3.5\n4.9,3.0\n", IRIS)
    assert sheet.feature_names == ("length", "width")
    assert sheet.rows.n == 2
    assert sheet.notes == ("no header: columns are taken in the model's order: 'length', 'width'",)
    labelled = sheet_of(path, "5.1,3.5,u\n4.9,3.0,v\n", IRIS, label="-1")
    assert labelled.feature_names == ("length", "width")
    assert labelled.labels is not None
    assert labelled.labels.tolist() == ["u", "v"]
    with pytest.raises(
        InputError, match=r"a row .*; expected a header .*, or the columns 'length', 'width' and no others"
    ):
        sheet_of(path, "5.1,3.5,u\n4.9,3.0,v\n", IRIS)


def test_names_of_the_model_are_names_whatever_they_look_like(path: Path) -> None:
    wavelengths = Expected(("900.5", "901.5"), "kind", ("kind",))
    sheet = sheet_of(path, "901.5,900.5\n1,2\n", wavelengths)
    assert sheet.feature_names == ("901.5", "900.5")
    assert sheet.rows.n == 1


def test_a_model_without_names_takes_columns_by_position(path: Path) -> None:
    labelled = sheet_of(path, "u,5,6\nv,7,7\n", BARE, label="x0")
    assert labelled.feature_names == ("x1", "x2")
    assert labelled.labels is not None
    unlabelled = sheet_of(path, "5,6\n7,7\n", BARE, label="x0")
    assert unlabelled.feature_names == ("x1", "x2")
    assert unlabelled.labels is None
    assert unlabelled.notes == ()
    named = sheet_of(path, "a,b\n5,6\n7,7\n", BARE, label="x0")
    assert named.feature_names == ("x1", "x2")
    assert named.rows.n == 2
    assert named.notes == ("line 1 holds names, but the model's data had none: columns go by position",)
    not_clear = sheet_of(path, "red,blue\ngreen,black\n", Expected(("x0", "x1"), header=False))
    assert not_clear.rows.n == 2


@pytest.mark.parametrize("mark", [",", "\t"])
def test_one_row_alone_is_a_row_where_the_model_had_no_names(path: Path, mark: str) -> None:
    credit = Expected(("x0", "x1", "x2"), "x3", ("x3",), header=False)
    rows = ["A11,6,A34,1", "A12,48,A32,2"]
    for many in (1, 2):
        text = "".join(f"{row.replace(',', mark)}\n" for row in rows[:many])
        sheet = sheet_of(path, text, credit, label="x3", text=("x0", "x2"))
        assert sheet.rows.n == many
        assert sheet.labels is not None
        assert sheet.labels.tolist() == [1, 2][:many]
        assert sheet.reading.header is False
    asked = sheet_of(path, "red,blue\n", Expected(("x0", "x1"), header=False))
    assert asked.feature_names == ("x0=red", "x1=blue")


# --- Files of others. ---


@pytest.mark.parametrize("ending", [".xlsx", ".xls", ".ods", ".sav", ".rds", ".json", ".jsonl", ".pkl", ".json.gz"])
def test_files_of_other_programs_are_refused_by_name(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"table{ending}"
    path.write_bytes(b"x,y\n1,2\n")
    with pytest.raises(InputError, match="save it as CSV"):
        read(path)


def test_a_zip_is_looked_into(tmp_path: Path) -> None:
    for member, said in (("[Content_Types].xml", "a spreadsheet; save it as CSV"), ("t.csv", "begins with 't.csv'")):
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            archive.writestr(member, "x")
        path = tmp_path / "unnamed"
        path.write_bytes(content.getvalue())
        with pytest.raises(InputError, match=said):
            read(path)
