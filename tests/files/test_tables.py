"""Tables: what CSV, TSV, Parquet, Arrow and data frames hold is read exactly, or refused by its place.

The oracles are Python's csv and float, pandas.get_dummies, and polars.
"""

import csv
import datetime
import io
import math
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import InputError
from rosenblatt.data.rows import matrix_of
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import options_of
from rosenblatt.files.read import sheet_of
from rosenblatt.files.sheet import Sheet
from rosenblatt.files.slow.text import slow_sheet
from rosenblatt.files.tables.delimited import read_csv
from rosenblatt.files.tables.frames import read_frame
from rosenblatt.files.tables.parquet import read_arrow, read_parquet
from rosenblatt.files.text.hashing import columns_of_names

FEW = settings(max_examples=30, deadline=None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.csv"


def read(path: Path, reader: Callable[..., Sheet] = read_csv, **options: Any) -> Sheet:
    options.setdefault("label", "y")
    with InputFile(path) as opened:
        return reader(opened, options_of(**options))


def read_text(path: Path, content: str | bytes, /, **options: Any) -> Sheet:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read(path, **{"format": "csv"} | options)


def refusal(path: Path, content: str | bytes, /, **options: Any) -> str:
    """What is said of a file, in one line, without its name."""
    with pytest.raises(InputError) as refused:
        read_text(path, content, **options)
    message = str(refused.value)
    assert message.startswith(f"{path}:")
    assert len(message.splitlines()) == 1
    assert len(message) - len(str(path)) < 320
    return message.removeprefix(f"{path}:").removeprefix(" ")


def frame_refusal(frame: Any, **options: Any) -> str:
    with pytest.raises(InputError) as refused:
        read_frame(frame, None, options_of(**{"label": "y"} | options))
    message = str(refused.value)
    assert len(message.splitlines()) == 1
    return message


def dense(sheet: Sheet) -> np.ndarray:
    matrix = matrix_of(sheet.rows)
    return np.asarray(matrix if isinstance(matrix, np.ndarray) else matrix.toarray())


def same(left: Sheet, right: Sheet) -> bool:
    return (
        left.feature_names == right.feature_names
        and np.array_equal(dense(left), dense(right))
        and left.labels is not None
        and right.labels is not None
        and left.labels.dtype == right.labels.dtype
        and left.labels.tolist() == right.labels.tolist()
    )


def written(rows: Any, **form: Any) -> str:
    text = io.StringIO()
    csv.writer(text, **form).writerows(rows)
    return text.getvalue()


# --- Numbers. ---


def decimals(count: int, seed: int) -> list[str]:
    """Numbers of every form: short and long, large and subnormal, with and without sign, point and exponent."""
    pick = random.Random(seed)
    digits, lengths = f"{pick.getrandbits(4000):d}", [0, 1, 1, 2, 3, 7, 17, 19, 20, 40] * 5 + [800]
    exponents = [0, 5, 22, 23, 290, 307, 308, 309, 323, 324, 345, 400, 99999, 10**20]

    def some() -> str:
        first = pick.randrange(300)
        return digits[first : first + pick.choice(lengths)]

    found = []
    while len(found) < count:
        whole, part = some(), some()
        text = pick.choice(["", "-", "+"]) + whole + (f".{part}" if pick.random() < 0.7 else "")
        if pick.random() < 0.6:
            text += pick.choice("eE") + pick.choice(["", "+", "-"]) + str(pick.choice(exponents))
        if (whole or (part and "." in text)) and math.isfinite(float(text)) and ("." in text or len(text) < 16):
            found.append(text)
    return found


@pytest.mark.slow
def test_decimal_text_becomes_the_nearest_float64(path: Path) -> None:
    texts = decimals(100_000, seed=7)
    sheet = read_text(path, "x,y\n" + "".join(f"{text},{i % 2}\n" for i, text in enumerate(texts)))
    assert dense(sheet)[:, 0].tolist() == [float(text) for text in texts]


@FEW
@given(st.lists(st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 3), min_size=1, max_size=20))
def test_numbers_come_back_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, rows: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "numbers.csv"
    table = [["a", "b", "c", "y"], *([*map(repr, row), i % 2] for i, row in enumerate(rows))]
    sheet = read_text(path, written(table))
    assert np.array_equal(dense(sheet), np.array(rows))
    assert sheet.lines is not None
    assert sheet.lines.tolist() == list(range(2, 2 + len(rows)))


@pytest.mark.parametrize(
    "text",
    ["1_0", "0x10", '"1,5"', "１２", "١", "inf", "-Infinity", "-nan", "NAN", "12%", "$3", "1d5", '"1,234.5"', "−5"],
)
def test_a_number_of_another_custom_is_no_number(path: Path, text: str) -> None:
    bare = text.strip('"')
    for rows in (f"1,0\n{text},1\n2,0\n", f"{text},1\n1,0\n", f"{text},1\n{text},0\n"):
        line = rows.split("\n").index(f"{text},1") + 2
        assert refusal(path, "x,y\n" + rows).startswith(f"{line}:1: column 'x': {bare!r} is not a number; expected")
    assert read_text(path, f"x,y\n1,0\n{text},1\n", text=["x"]).feature_names == tuple(sorted(["x=1", f"x={bare}"]))


def test_numbers_beyond_float64_are_refused_and_below_it_are_zero(path: Path) -> None:
    for text in ("1e400", "-1e309", "4e492493924924", "9" * 400):
        assert refusal(path, f"x,y\n1,0\n{text},1\n").startswith("3:1: column 'x': '")
        assert "is beyond the range of float64" in refusal(path, f"x,y\n1,0\n{text},1\n")
        assert "beyond" in refusal(path, f"x,y\n1,0\n2,{text}\n")
    assert dense(read_text(path, "x,y\n1e-400,0\n-5e-324,1\n")).tolist() == [[0.0], [-5e-324]]


def test_whole_numbers_that_float64_does_not_hold_are_refused(path: Path) -> None:
    message = refusal(path, "a,b,y\n1,2,0\n3,9007199254740993,1\n")
    assert message.startswith(
        "3:3: column 'b': '9007199254740993' is not exact as float64; expected numbers up to 2**53"
    )
    exact = read_text(path, "a,y\n9007199254740992,0\n100000000000000000000,1\n" + "0" * 5000 + "7,1\n")
    assert dense(exact)[:, 0].tolist() == [2.0**53, 1e20, 7.0]
    for type_, value in ((pa.int64(), -(2**53) - 1), (pa.uint64(), 2**64 - 1)):
        frame = pa.table({"a": pa.array([1, None, value], type_), "y": [0, 1, 0]})
        assert frame_refusal(frame).startswith(f"frame: row 2, column 'a': {value} is beyond 2**53")
    frame = pa.table({"a": pa.array([2**53, -(2**53)]), "y": [0, 1]})
    assert dense(read_frame(frame, None, options_of(label="y")))[:, 0].tolist() == [2.0**53, -(2.0**53)]


@FEW
@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=20, min_value=-(10**15), max_value=10**15)))
def test_fixed_point_numbers_are_rounded_once(values: list[Decimal]) -> None:
    values = [*values, Decimal("0.1")]
    frame = pa.table({"a": pa.array(values, pa.decimal128(38, 20)), "y": [0] * len(values)})
    sheet = read_frame(frame, None, options_of(label="y"))
    assert dense(sheet)[:, 0].tolist() == [float(value) for value in values]


def test_types_of_numbers_are_taken_as_they_are() -> None:
    arrays = {
        "f16": pa.array(np.array([1.5, -0.0, 65504], np.float16)),
        "f32": pa.array([0.1, 2, 3], pa.float32()),
        "u8": pa.array([0, 1, 255], pa.uint8()),
        "bool": pa.array([True, False, True]),
        "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array([1.5, 2.5])),
    }
    sheet = read_frame(pa.table(arrays), [0, 1, 1], options_of())
    assert dense(sheet).tolist() == [
        [1.5, float(np.float32(0.1)), 0, 1, 1.5],
        [0, 2, 1, 0, 1.5],
        [65504, 3, 255, 1, 2.5],
    ]
    assert dense(read_frame(pa.table({"a": arrays["f32"]}), [0, 1, 1], options_of())).dtype == np.float32


@pytest.mark.parametrize("type_", [pa.int64(), pa.uint64(), pa.int32(), pa.float64(), pa.bool_(), pa.decimal128(5, 2)])
def test_a_column_of_nothing_but_nulls_is_one_of_missing_numbers(type_: Any) -> None:
    table = pa.table({"x": pa.array([None, None], type_), "z": [1.0, 2.0], "y": [0, 1]})
    for missing, expected in (("zero", [[0, 1], [0, 2]]), ("drop", None), ("mean", None)):
        if expected is None:
            with pytest.raises(InputError):
                read_frame(table, None, options_of(label="y", missing=missing))
        else:
            assert dense(read_frame(table, None, options_of(label="y", missing=missing))).tolist() == expected


@pytest.mark.parametrize("type_", [pa.int64(), pa.uint64()])
def test_whole_numbers_are_taken_up_to_2_to_the_53(type_: Any) -> None:
    limits = [2**53, 0 if type_ == pa.uint64() else -(2**53)]
    table = pa.table({"x": pa.array(limits, type_), "y": [0, 1]})
    assert dense(read_frame(table, None, options_of(label="y"))).ravel().tolist() == limits
    beyond = pa.table({"x": pa.array([0, 2**53 + 1], type_), "y": [0, 1]})
    assert "row 1, column 'x': 9007199254740993 is beyond 2**53" in frame_refusal(beyond)


def test_infinities_are_refused_by_row_and_column() -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0], "b": [0.0, -math.inf], "y": [0, 1]})
    assert frame_refusal(frame) == "frame: row 1, column 'b': infinity; expected a finite number"


# --- Text. ---

categories = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=1, max_size=6).filter(
    lambda text: text.strip(" \t") not in ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
)


@FEW
@given(st.lists(st.tuples(categories, st.sampled_from(["a", "b", 'c "d"', "e,f", "g\nh"])), min_size=1, max_size=25))
def test_text_becomes_a_feature_for_each_value(tmp_path_factory: pytest.TempPathFactory, rows: Any) -> None:
    path = tmp_path_factory.getbasetemp() / "texts.csv"
    sheet = read_text(path, written([["u", "v", "y"], *([*row, 1] for row in rows)]), text=["u", "v"])
    expected = pd.get_dummies(pd.DataFrame(rows, columns=["u", "v"]), prefix_sep="=")
    assert sheet.feature_names == tuple(
        f"{name}={value}" for j, name in enumerate("uv") for value in sorted({row[j] for row in rows})
    )
    assert np.array_equal(dense(sheet), expected[list(sheet.feature_names)].to_numpy(dtype=float))
    assert sheet.reading.to_dict()["text"] == ["u", "v"]
    # Quoted newlines: Python's reader counts lines, too, but names the last one of a record.
    lines = [2]
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        next(reader)
        lines += [reader.line_num + 1 for _ in reader]
    # It ends lines at more characters than LF alone, so only where it does not are both asked.
    if not any(set("".join(row)) & set("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029") for row in rows):
        assert sheet.lines is not None
        assert sheet.lines.tolist() == lines[:-1]


def test_true_and_false_are_one_and_zero(path: Path) -> None:
    sheet = read_text(path, "x,y\ntrue,true\nFALSE,false\n True ,true\n")
    assert dense(sheet)[:, 0].tolist() == [1, 0, 1]
    assert sheet.labels is not None
    assert sheet.labels.tolist() == ["true", "false", "true"]
    assert read_text(path, "x,y\ntrue,1\nfalse,0\nmaybe,1\n").feature_names == ("x=false", "x=maybe", "x=true")


def test_columns_said_to_be_text_are(path: Path) -> None:
    table = "zip,n,y\n01,1,07\n1,2,7\n01,3,07\n"
    sheet = read_text(path, table, text=["zip", "y"])
    assert sheet.feature_names == ("zip=01", "zip=1", "n")
    assert sheet.labels is not None
    assert sheet.labels.tolist() == ["07", "7", "07"]
    assert sheet.reading.to_dict()["text"] == ["zip", "y"]
    assert read_text(path, table).feature_names == ("zip", "n")
    assert "no column 'zap' to take as text" in refusal(path, table, text=["zap"])


@pytest.mark.parametrize(
    ("array", "names"),
    [
        (pd.Categorical([10, 9, 10], categories=[9, 10, 11]), ("a=9", "a=10")),
        (pd.Categorical(["lo", "hi", "lo"], categories=["lo", "mid", "hi"], ordered=True), ("a=hi", "a=lo")),
        (pa.array(["v", "u", "v"], pa.string_view()), ("a=u", "a=v")),
        (pa.array(["v", "u", "v"], pa.large_string()), ("a=u", "a=v")),
        (pa.DictionaryArray.from_arrays([0, 2, 1], ["v", "v", "u"]), ("a=u", "a=v")),
        (pa.DictionaryArray.from_arrays([0, 1, 0], [True, False]), ("a=false", "a=true")),
        (pa.DictionaryArray.from_arrays([1, 0, 1], [2.5, 10.0]), ("a=2.5", "a=10.0")),
        (pl.Series(["q", "p", "q"], dtype=pl.Enum(["q", "p", "z"])), ("a=p", "a=q")),
        (pl.Series(["q", "p", "q"], dtype=pl.Categorical), ("a=p", "a=q")),
    ],
)
def test_categories_of_any_kind_are_sorted_and_those_that_occur(array: Any, names: tuple[str, ...]) -> None:
    frame: Any = pl.DataFrame({"a": array}) if isinstance(array, pl.Series) else None
    if frame is None:
        frame = pa.table({"a": array}) if isinstance(array, pa.Array) else pd.DataFrame({"a": array})
    sheet = read_frame(frame, [0, 1, 1], options_of())
    assert sheet.feature_names == names
    assert np.array_equal(dense(sheet).sum(axis=1), np.ones(3))
    assert dense(sheet)[0].tolist() != dense(sheet)[1].tolist()


def test_dictionaries_that_differ_from_chunk_to_chunk_are_one() -> None:
    chunks = [
        pa.DictionaryArray.from_arrays(
            pa.array([i % 100 for i in range(100)], pa.int8()), [f"{k}-{i}" for i in range(100)]
        )
        for k in range(3)
    ]
    frame = pa.table({"a": pa.chunked_array(chunks)})
    sheet = read_frame(frame, [0, 1] * 150, options_of(text=["a"]))
    assert sheet.feature_names == tuple(sorted(f"a={k}-{i}" for k in range(3) for i in range(100)))
    assert np.array_equal(
        dense(sheet), pd.get_dummies(frame.to_pandas(), prefix_sep="=")[list(sheet.feature_names)].to_numpy(dtype=float)
    )


# --- The same table in every form. ---


@st.composite
def tables(draw: Any) -> pd.DataFrame:
    """Columns of each kind. Text has a letter in it, so that nobody takes it for anything else."""
    n = draw(st.integers(1, 12))

    def column(values: Any) -> Any:
        return draw(st.lists(values, min_size=n, max_size=n))

    return pd.DataFrame(
        {
            "real": column(st.floats(allow_nan=False, allow_infinity=False)),
            "rare": column(st.sampled_from([0.0, 0.0, 0.0, 1.5])),
            "whole": column(st.integers(-(2**53), 2**53)),
            "truth": column(st.booleans()),
            "word": column(st.sampled_from(["ä", "b c", 'd"e', "f,g", "h\ni"])),
            "y": column(st.sampled_from(["k", "l m"])),
        }
    )


@pytest.mark.slow
@FEW
@given(tables())
def test_a_table_is_the_same_in_every_form(tmp_path_factory: pytest.TempPathFactory, frame: pd.DataFrame) -> None:
    folder = tmp_path_factory.getbasetemp()
    first = read_frame(frame, None, options_of(label="y"))
    assert np.array_equal(
        dense(first),
        pd.get_dummies(frame.drop(columns="y"), prefix_sep="=")[list(first.feature_names or ())].to_numpy(dtype=float),
    )
    assert same(first, read_frame(pl.from_pandas(frame), None, options_of(label="y")))
    table = pa.Table.from_pandas(frame)
    assert same(first, read_frame(table, None, options_of(label=-1)))
    assert same(first, read_frame(frame.drop(columns="y"), frame["y"].to_numpy(dtype=object), options_of()))
    pq.write_table(table, folder / "t.parquet", row_group_size=5, compression="zstd")
    pyarrow.feather.write_feather(table, folder / "t.feather", compression="lz4")
    with pa.ipc.new_file(folder / "t.arrow", table.schema) as file:
        file.write_table(table, max_chunksize=3)
    with pa.ipc.new_stream(folder / "t.arrows", table.schema) as file:
        file.write_table(table, max_chunksize=3)
    frame.to_csv(folder / "t.csv", index=False)
    frame.to_csv(folder / "t.tsv", index=False, sep="\t")
    assert same(first, read(folder / "t.parquet", read_parquet))
    for name in ("t.feather", "t.arrow", "t.arrows"):
        assert same(first, read(folder / name, read_arrow))
    # pandas leaves the quotes out where the last field of a line is all that needs them.
    assert same(first, read(folder / "t.csv"))
    assert same(first, read(folder / "t.tsv", format="tsv"))


@pytest.mark.slow
def test_threads_change_nothing(path: Path) -> None:
    pick = np.random.default_rng(5)
    numbers, words = pick.normal(size=60_000).tolist(), pick.integers(90, size=60_000).tolist()
    rows = [[repr(x), f"w{k}", k % 3] for x, k in zip(numbers, words, strict=True)]
    path.write_text(written([["x", "w", "y"], *rows]))
    assert path.stat().st_size > 2**20
    one, two = read(path, threads=1), read(path, threads=2)
    assert same(one, two)
    assert [part.tobytes() for part in one.rows.arrays] == [part.tobytes() for part in two.rows.arrays]
    assert one.lines is not None
    assert one.lines[[0, -1]].tolist() == [2, 60_001]


def test_what_a_column_is_goes_by_all_of_its_rows(path: Path) -> None:
    """The first blocks hold whole numbers only; a fraction, a word, a truth value and a blank come in the last line."""
    rows = "".join(f"{i},{i % 5},1,1,{i % 2}\n" for i in range(150_000))
    sheet = read_text(path, f"a,b,c,d,y\n{rows}0.5,x, NA,NA,1\n", missing="zero")
    assert sheet.feature_names == ("a", *(f"b={k}" for k in range(5)), "b=x", "c", "d")
    assert dense(sheet)[-1].tolist() == [0.5, *[0] * 5, 1, 0, 0]
    assert "'l5', where other rows hold numbers" in refusal(path, f"a,b,c,d,y\n{rows}l5,1,1,1,1\n")
    message = refusal(path, f"a,b,c,d,y\n{rows}1,1,1,1,1,1\n")
    assert message == "150002:11: 6 fields; expected 5, as many as there are columns"


@pytest.mark.parametrize(("columns", "worth"), [(8, 4), (1000, 4), (1001, 1)])
def test_rows_are_sparse_where_that_is_smaller_and_much_so_of_few_columns(columns: int, worth: int) -> None:
    pick = np.random.default_rng(3)
    kinds = set()
    for share in (0, 0.05, 0.1, 0.2, 0.3, 0.6, 0.7, 1):
        values = np.where(pick.random((50, columns)) < share, 1.5, 0)
        table = pa.table({f"c{j}": values[:, j] for j in range(columns)})
        sheet = read_frame(table, [0, 1] * 25, options_of())
        assert np.array_equal(dense(sheet), values)
        assert sheet.rows.is_sparse == (worth * (12 * np.count_nonzero(values) + 8 * 50) < 8 * values.size)
        kinds.add(sheet.rows.is_sparse)
    assert kinds == {True, False}


@pytest.mark.slow
def test_thousands_of_columns_are_read(path: Path) -> None:
    values = np.random.default_rng(4).normal(size=(5, 7000)).round(3)
    table = [
        [f"g{j}" for j in range(7000)] + ["y"],
        *([*map(repr, row.tolist()), i % 2] for i, row in enumerate(values)),
    ]
    assert np.array_equal(dense(read_text(path, written(table))), values)


# --- Hashed features. ---


def test_hashed_features_are_added_up_where_they_meet(path: Path) -> None:
    pick = random.Random(8)
    rows = [[pick.choice([0, 1.5, -2]), pick.choice("pqrstu"), pick.choice("vwx"), i % 2] for i in range(80)]
    text = written([["n", "t", "u", "y"], *rows])
    sheet = read_text(path, text, hash_bits=3, keep_names=True)
    expected = np.zeros((80, 8))
    for i, (number, first, second, _) in enumerate(rows):
        for name, value in (("n", number), (f"t={first}", 1), (f"u={second}", 1)):
            expected[i, columns_of_names([name], 3)[0]] += value
    assert np.array_equal(dense(sheet), expected)
    assert sheet.feature_names is None
    assert sheet.hashed == read_text(path, text).feature_names
    assert sheet.reading.to_dict()["hash_bits"] == 3
    assert read_text(path, text, hash_bits=3).hashed == ()


def test_more_values_than_columns_may_be_are_for_hashing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("category_checks", "sheet"):
        monkeypatch.setattr(f"rosenblatt.files.tables.{module}.MOST_CATEGORIES", 100)
    rows = [[f"id{i}", f"k{i % 60}", i % 2] for i in range(90)]
    text = written([["id", "k", "y"], *rows])
    assert "more than 100 different values in columns of text (150 in all)" in refusal(path, text)
    assert "--hash-bits" in refusal(path, text)
    assert "(column 'id' has 101)" in refusal(path, written([["id", "y"], *([f"i{i}", i % 2] for i in range(101))]))
    assert dense(read_text(path, text, hash_bits=5)).sum() == 180
    assert (
        "column 'id' has 90 different values in 90 rows; 1 more column is like it"
        in read_text(path, text, hash_bits=5).notes
    )


# --- Missing values. ---

HOLES = "n,t,y\n1,a,0\n,b,1\nNA,?,1\n4,,0\n6,a,1\n"


def test_missing_values_are_refused_by_their_place(path: Path) -> None:
    for text in ("", '""', "NA", "N/A", "NaN", "nan", "null", "NULL", "?", " ? ", '" NA"'):
        assert refusal(path, f"n,t,y\n1,a,0\n2.5,{text},1\n{text},b,1\n").startswith(
            "3:5: column 't': missing value; expected one, or --missing drop, zero or mean"
        )
        assert refusal(path, f"n,t,y\n1,a,0\n2.5,b,1\n{text},b,1\n").startswith("4:1: column 'n': missing value")
        assert refusal(path, f"n,y\n1,0\n2,{text}\n", missing="zero").startswith("3:3: column 'y': missing label")
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": ["x", None], "y": [0, 1]})
    assert frame_refusal(frame).startswith("frame: row 1, column 'b': missing value")
    assert frame_refusal(pl.DataFrame({"a": [1.0, math.nan], "y": [0, 1]})).startswith("frame: row 1, column 'a'")
    assert frame_refusal(pl.DataFrame({"a": [1, 2], "y": [None, 1]})).startswith("frame: row 0, column 'y': missing")


def test_missing_values_are_dealt_with_as_asked(path: Path) -> None:
    dropped = read_text(path, HOLES, missing="drop")
    assert dense(dropped).tolist() == [[1, 1], [6, 1]]
    assert dropped.feature_names == ("n", "t=a")
    assert dropped.lines is not None
    assert dropped.lines.tolist() == [2, 6]
    assert dropped.notes == ("3 rows of 5 dropped for missing values",)
    zero = read_text(path, HOLES, missing="zero")
    assert zero.feature_names == ("n", "t=a", "t=b")
    assert dense(zero).tolist() == [[1, 1, 0], [0, 0, 1], [0, 0, 0], [4, 0, 0], [6, 1, 0]]
    mean = read_text(path, HOLES, missing="mean")
    assert mean.reading.to_dict() == {
        "format": "csv", "label": "y", "text": ["t"], "missing": "mean", "header": True,
        "fill": {"n": 11 / 3}, "coding": "levels",
    }  # fmt: skip
    assert dense(mean)[:, 0].tolist() == [1, 11 / 3, 11 / 3, 4, 6]
    known = read_text(path, HOLES, missing="mean", fill={"n": -5.0})
    assert dense(known)[:, 0].tolist() == [1, -5, -5, 4, 6]
    assert known.reading.to_dict()["fill"] == {"n": -5.0}
    assert "its mean is not known" in refusal(path, HOLES, missing="mean", fill={"m": 1.0})
    labels = read_text(path, "n,y\n1,0\n2,\n3,1\n", missing="drop").labels
    assert labels is not None
    assert labels.tolist() == [0, 1]


def test_a_column_without_a_value_is_zero_or_refused(path: Path) -> None:
    text = "a,b,y\n1,,0\n2,,1\n"
    assert refusal(path, text).startswith("2:3: column 'b': missing value")
    assert refusal(path, text, missing="mean") == "column 'b': no value at all, so no mean; leave it out"
    assert refusal(path, text, missing="drop").startswith("column 'b': all 2 rows lack a value")
    assert dense(read_text(path, text, missing="zero")).tolist() == [[1, 0], [2, 0]]
    assert dense(read_text(path, text, missing="mean", fill={"a": 0, "b": 7})).tolist() == [[1, 7], [2, 7]]
    assert "no value" in frame_refusal(pa.table({"a": pa.nulls(2), "y": [0, 1]}), missing="mean")


def test_the_mean_of_huge_numbers_is_finite(path: Path) -> None:
    sheet = read_text(path, "a,y\n1.7e308,0\n,1\n1.7e308,1\n", missing="mean")
    assert dense(sheet)[1, 0] == 1.7e308


# --- Labels. ---


def test_the_label_is_found_by_name_or_position(path: Path) -> None:
    text = "a,Class,b\n1,2,3\n4,5,6\n"
    for label in (None, "Class", 1, -2, "1", "-2"):
        sheet = read_text(path, text, label=label)
        assert sheet.feature_names == ("a", "b")
        assert sheet.labels is not None
        assert sheet.labels.tolist() == [2, 5]
        assert sheet.reading.to_dict()["label"] == "Class"
    named = "a,0,1\nu,0,2\nu,1,4\n"  # 1 is the name of the last, and the position of the second
    assert refusal(path, named, label="1", header=True) == (
        "column 2 is named '1', and column 1 '0'; say which: --label name:1 or --label position:1 (label=)"
    )
    assert read_text(path, named, label="name:1", header=True).feature_names == ("a=u", "0")
    assert read_text(path, named, label="name:1", header=True).reading.label == "name:1"
    assert read_text(path, named, label="position:1", header=True).feature_names == ("a=u", "1")
    assert read_text(path, named, label=1, header=True).feature_names == ("a=u", "1")
    assert read_text(path, "a,b,2019\n1,2,0\n1,3,1\n", label="2019", header=True).reading.label == "2019"
    message = refusal(path, "a,b\n1,0\n", label=None)
    assert message.startswith("no column is named label, class, target or y; say which")
    assert message.endswith("columns are 'a', 'b'")
    assert refusal(path, "y,label,b\n1,0,1\n", label=None).startswith("columns 'y' and 'label' may both be the label")
    assert refusal(path, text, label="c") == "no column 'c'; columns are 'a', 'Class', 'b'"
    assert refusal(path, text, label=3).startswith("no column 3")
    assert refusal(path, text, label="1_0").startswith("no column '1_0'")


def test_labels_need_not_be_there_if_they_are_only_wanted(path: Path) -> None:
    for label in (None, "y"):
        sheet = read_text(path, "a,b\n1,0\n2,1\n", label=label, labels="wanted")
        assert sheet.labels is None
        assert sheet.feature_names == ("a", "b")
    empty = read_text(path, "a,y\n1,\n2,\n", labels="wanted")
    assert empty.labels is None
    assert empty.notes == ("column 'y' is empty: no labels",)
    assert "missing label" in refusal(path, "a,y\n1,\n2,1\n", labels="wanted")


@pytest.mark.parametrize(
    ("texts", "labels", "kind"),
    [
        ("1 0 -1", [1, 0, -1], "i"),
        ("1.0 0 -1e2", [1, 0, -100], "i"),
        ("9223372036854775807 -9223372036854775807 007", [2**63 - 1, -(2**63) + 1, 7], "i"),
        ("0.5 1 2", [0.5, 1, 2], "f"),
        ("a 1 2.50", ["a", "1", "2.50"], "O"),
        ("true false true", ["true", "false", "true"], "O"),
    ],
)
def test_labels_are_whole_numbers_or_numbers_or_text(path: Path, texts: str, labels: Any, kind: str) -> None:
    found = read_text(path, "x,y\n" + "".join(f"1,{text}\n" for text in texts.split())).labels
    assert found is not None
    assert found.tolist() == labels
    assert found.dtype.kind == kind


def test_labels_of_a_frame_keep_their_type() -> None:
    for values, kind in (([True, False], "b"), (["01", "1"], "O"), ([2, 1], "i"), ([2.0, 1.0], "i"), ([2.5, 1.0], "f")):
        for frame in (pd.DataFrame({"a": [1, 2], "y": values}), pl.DataFrame({"a": [1, 2], "y": values})):
            labels = read_frame(frame, None, options_of()).labels
            assert labels is not None
            assert labels.tolist() == values
            assert labels.dtype.kind == kind
        beside = read_frame(pd.DataFrame({"a": [1, 2]}), values, options_of()).labels
        assert beside is not None
        assert beside.tolist() == values
        assert beside.dtype.kind == kind
    labels = read_frame(pd.DataFrame({"a": [1, 2], "y": pd.Categorical([20, 3])}), None, options_of()).labels
    assert labels is not None
    assert labels.tolist() == [20, 3]
    with pytest.raises(InputError, match="both as y and as label="):
        read_frame(pd.DataFrame({"a": [1, 2]}), [0, 1], options_of(label="a"))
    for gone in (math.nan, None, pd.NA):
        with pytest.raises(InputError, match="row 1: missing label"):
            read_frame(pd.DataFrame({"a": [1, 2]}), np.array(["u", gone], dtype=object), options_of())


# --- The first line. ---


@pytest.mark.parametrize(
    "text",
    [
        "3.5,1,0\n1,2,1\n",
        "1,0\n2,1\n",
        "1,0,0.5,g\n1,0,0.25,b\n",
        "0,tcp,0,x\n1,udp,1,y\n",
        "ALL,-3,2\nAML,4,5\n",
        "p,x,x\ne,x,s\np,x,x\n",
    ],
)
def test_a_first_line_of_numbers_is_a_row(path: Path, text: str) -> None:
    sheet = read_text(path, text, label=-1)
    assert sheet.rows.n == text.count("\n")
    assert all(name.startswith("x") for name in sheet.feature_names or ())
    assert sheet.notes[0].startswith("no header")
    assert sheet.lines is not None
    assert sheet.lines[0] == 1
    assert sheet.reading.to_dict()["label"] == f"x{text.partition(chr(10))[0].count(',')}"


@pytest.mark.parametrize(
    "text",
    [
        "class,2019,2020\nFR,1,2\nDE,3,4\n",
        "0,1,2,3,4\n5,6,5,8,9\n",
        "label,900,901\na,1,5\n",
        "n,m\n1,2\n3,4\n",
    ],
)
def test_a_first_line_of_names_is_a_header(path: Path, text: str) -> None:
    sheet = read_text(path, text, label=0)
    assert sheet.feature_names == tuple(text.partition("\n")[0].split(",")[1:])
    assert sheet.rows.n == text.count("\n") - 1


def test_other_separators_are_found(path: Path) -> None:
    for mark, note in ((";", "semicolons"), ("\t", "tabs")):
        sheet = read_text(path, f'a{mark}"b,c"{mark}y\n1{mark}2{mark}0\n3{mark}4{mark}1\n')
        assert sheet.feature_names == ("a", "b,c")
        assert sheet.notes == (f"fields are separated by {note}",)
    assert "'1,5' is not a number" in refusal(path, "a;y\n1,5;0\n2,5;1\n")


def test_blanks_count_for_nothing_but_in_text(path: Path) -> None:
    sheet = read_text(path, "n , t, y\n 1, a,0\n2 ,a ,1\n\t3 ,a,1\n")
    assert sheet.feature_names == ("n", "t= a", "t=a", "t=a ")
    assert dense(sheet)[:, 0].tolist() == [1, 2, 3]


def test_a_first_column_without_a_name_may_count_the_rows_only(path: Path) -> None:
    frame = pd.DataFrame({"a": [1.5, 2.5], "y": [0, 1]})
    sheet = read_text(path, frame.to_csv())
    assert sheet.feature_names == ("a",)
    assert sheet.notes == ("column 0, which has no name and counts the rows, is left out",)
    message = refusal(path, frame.set_axis(["u", "v"]).to_csv())
    assert message.startswith("column 0 has no name; expected one")
    assert "index=False" in message
    assert refusal(path, ",a,y\n0,2,0\n0,3,1\n0,4,1\n").startswith("column 0 has no name")
    assert refusal(path, "a,,y\n1,2,0\n").startswith("1:3: column 1 has no name")
    counted = read_text(path, written([["a day", "y"], *([i, i % 2] for i in range(30))]))
    assert counted.notes == ("column 'a day' counts the rows: --leave-out 'a day' (leave_out=), unless that is meant",)


@pytest.mark.parametrize("name", ["rownames", "Unnamed: 0", "ID", "row.names"])
def test_a_first_column_that_counts_the_rows_by_its_name_is_left_out(path: Path, name: str) -> None:
    for first in (0, 1):
        sheet = read_text(path, f"{name},a,y\n{first},5,0\n{first + 1},7,1\n")
        assert sheet.feature_names == ("a",)
        assert sheet.reading.leave_out == (name,)
        said = f"column {name!r} counts the rows and is left out (to keep it, give it another name)"
        assert sheet.notes == (said,)
    for values in ((2, 3), (0, 2), (1, 1)):  # it counts, but not the rows; or it does not count
        text = f"{name},a,y\n{values[0]},5,0\n{values[1]},7,1\n"
        assert read_text(path, text).feature_names == (name, "a")
    assert read_text(path, f"{name},a,y\n0,5,0\n1,7,1\n", text=(name,)).feature_names == (f"{name}=0", f"{name}=1", "a")


def test_row_numbers_are_kept_where_an_earlier_reading_is_repeated(path: Path, tmp_path: Path) -> None:
    text = "id,a,y\n1,5,0\n2,7,1\n"
    path.write_text(text)
    replayed = replace(options_of(format="csv", label="y"), replayed=True)
    with InputFile(path) as opened:
        assert read_csv(opened, replayed).feature_names == ("id", "a")
    with InputFile(path) as opened:
        assert slow_sheet(opened, replayed).feature_names == ("id", "a")
    assert read_text(path, text, weight="id").feature_names == ("a",)
    frame = pd.DataFrame({"id": [1, 2], "a": [5, 7], "y": [0, 1]})
    frame.to_parquet(tmp_path / "t.parquet")
    for sheet in (read_frame(frame, None, options_of()), read(tmp_path / "t.parquet", read_parquet)):
        assert sheet.feature_names == ("a",)
        assert sheet.reading.leave_out == ("id",)
        assert sheet.notes == ("column 'id' counts the rows and is left out (to keep it, give it another name)",)
    assert read_frame(frame, None, replace(options_of(), replayed=True)).feature_names == ("id", "a")
    assert read_frame(frame[["a", "id", "y"]], None, options_of()).feature_names == ("a", "id")


def test_the_index_of_a_frame_is_not_read(tmp_path: Path) -> None:
    for index in (pd.Index([7, 5], name="id"), pd.Index(["u", "v"])):
        frame = pd.DataFrame({"a": [1.5, 2.5], "y": [0, 1]}, index=index)
        frame.to_parquet(tmp_path / "t.parquet")
        sheet = read(tmp_path / "t.parquet", read_parquet)
        assert sheet.feature_names == ("a",) == read_frame(frame, None, options_of()).feature_names
        assert "the index of the frame" in sheet.notes[0]


# --- What is refused. ---

BAD = {
    "": "empty; expected a header line and rows",
    "\n\r\n": "empty; expected",
    "a,y\n": "no rows; expected",
    "a,y\n\n\n": "no rows; expected",
    "y\n0\n1\n": "no features; expected",
    "a,y\n1,0\n2\n": "3:2: 1 field; expected 2",
    "a,y\n1,0\n\n2,1,3\n": "4:5: 3 fields; expected 2",
    'é,y\n1,0\n"é,",1,3\n': "3:8: 3 fields; expected 2",
    'a,y\nb,0\n"x\n,1\n': "3:1: a quote that is never closed",
    'a,y\n"x,0\n"z",1\n': "3:2: text behind the quote that closes a field begun at 2:1; expected a comma",
    'a,y\n"x"z,0\n': "2:4: text behind the quote",
    'a,y\né"z,1\n': "2:2: a quote within a field",
    "a,y\n1,0\n1\x00,1\n": "3:2: a NUL byte",
    b"a,y\n\xc3\xa9,0\n\xc3\xa9\xff,1\n": "3:2: byte 0xff is not UTF-8",
    b"a,y\n1,0\n\xc3": "3:1: byte 0xc3 is not UTF-8",
    "a,y\n1,0\n".encode("utf-16"): "UTF-16 text; expected UTF-8",
    "a,y\r1,0\r": "1:4: a carriage return alone",
    "a,y\r\n1,0\r2,1\r\n": "2:4: a carriage return alone",
    "a,a,y\n1,2,0\n": "1:3: columns 0 and 1 are both named 'a'",
    '"new\nline","new\nline",y\n1,2,0\n': "2:7: columns 0 and 1 are both named",
    "a=b,a,y\n1,b,0\n2,c,1\n": "two features are named 'a=b'",
    "a,y\n2020-01-01,0\n2020-01-02T10:00:00Z,1\n": "column 'a': holds dates; turn it into numbers first, e.g. days",
    "a,y\n1/2/2020,0\n31.12.99,1\n": "column 'a': holds dates",
    "a,y\n12:30,0\n13:15:30.5,1\n": "column 'a': holds times",
    "a,y\n1.5,0\nl2.5,1\n": "3:1: column 'a': 'l2.5', where other rows hold numbers; expected a number, or --text a",
    "a,y\n" + "".join(f"{i},0\n" for i in range(30)) + "unknown,1\n": "32:1: column 'a': 'unknown', where other rows",
    "a,y\n1,0\n2,1_0\n": "3:3: column 'y': '1_0' is not a number",
    "a,y\n1,0\n2,9223372036854775808\n": "3:3: column 'y': label '9223372036854775808' is beyond 2**63",
    "a,y\n" + "x" * 5000 + ",0\n": "2:1: column 'a': a value of 5000 characters",
    "a,y\n" + "".join(f"the {i}th of many a word,{i % 2}\n" for i in range(40)): (
        "column 'a': holds sentences (40 different values in 40 rows, 6 words each); expected numbers or categories:"
        " --words a (words=['a']) makes a feature of each word, or leave it out"
    ),
    "1," * 2**20 + "1\n": "1048577 columns; expected at most 1048576",
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_a_bad_file_is_refused_by_its_place(path: Path, text: str | bytes) -> None:
    assert refusal(path, text, label=-1).startswith(BAD[text])


@pytest.mark.slow
def test_a_line_without_end_is_refused(path: Path) -> None:
    assert refusal(path, b"a,y\n1,0\n" + b"x" * (2**26 + 9)).startswith("3:1: the line is longer than 64 MiB")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", ["", "end"])
def test_ends_of_lines_and_marks_change_nothing(path: Path, end: str, mark: str, last: str) -> None:
    text = mark + end.join(["a,t,y", "1,u,0", "", "2,v,1", "", ""]) + (end if last else "")
    sheet = read_text(path, text)
    assert sheet.feature_names == ("a", "t=u", "t=v")
    assert dense(sheet).tolist() == [[1, 1, 0], [2, 0, 1]]
    assert sheet.lines is not None
    assert sheet.lines.tolist() == [2, 4]


def test_quotes_in_tsv_may_be_characters(path: Path) -> None:
    sheet = read_text(path, 't\ty\n5" pipe\t0\n"x" and z\t1\n', format="tsv")
    assert sheet.feature_names == ('t="x" and z', 't=5" pipe')
    assert "quotes are part of the fields" in sheet.notes[0]
    assert read_text(path, 't\ty\n"a\tb"\t0\nc\t1\n', format="tsv").feature_names == ("t=a\tb", "t=c")


@pytest.mark.parametrize(
    ("array", "what"),
    [
        (pa.array([datetime.date(2020, 1, 1)] * 2), "dates"),
        (pa.array([datetime.datetime(2020, 1, 1)] * 2), "dates"),
        (pa.array([datetime.time(1, 2)] * 2), "times"),
        (pa.array([1, 2], pa.duration("s")), "durations"),
        (pa.array([[1], [2]]), "lists"),
        (pa.array([[1], [2]], pa.list_(pa.int8(), 1)), "lists"),
        (pa.array([{"u": 1}] * 2), "structs"),
        (pa.array([[("a", 1)]] * 2, pa.map_(pa.string(), pa.int8())), "structs"),
        (pa.array([b"1", b"2"]), "bytes"),
        (pa.DictionaryArray.from_arrays([0, 0], [datetime.date(2020, 1, 1)]), "dates"),
        (pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"1" * 16] * 2, pa.binary(16))), "values of extension"),
    ],
)
def test_what_is_neither_number_nor_category_is_refused_with_advice(array: Any, what: str) -> None:
    message = frame_refusal(pa.table({"when": array, "y": [0, 1]}))
    assert message.startswith(f"frame: column 'when': holds {what}")
    assert "turn it into numbers first" in message
    assert "leave it out" in message
    assert f"column 'y': holds {what}" in frame_refusal(pa.table({"a": [1, 2], "y": array}))


def test_numbers_as_text_are_refused_unless_that_is_meant() -> None:
    frame = pl.DataFrame({"a": [str(i / 4) for i in range(30)], "y": [0, 1] * 15})
    assert frame_refusal(frame).startswith("frame: column 'a': holds numbers as text")
    assert read_frame(frame, None, options_of(text=["a"])).rows.d == 30
    assert read_frame(pl.DataFrame({"a": ["0", "1"], "y": [0, 1]}), None, options_of()).feature_names == ("a=0", "a=1")


def test_frames_that_are_none_are_refused() -> None:
    frame = pd.DataFrame([[1, 2, 0]], columns=["a", "a", "y"])
    assert frame_refusal(frame) == "frame: columns 0 and 1 are both named 'a'; expected names that differ"
    assert "both named 'a'" in frame_refusal(pa.Table.from_arrays([[1], [2], [0]], ["a", "a", "y"]))
    assert "column 0 has no name" in frame_refusal(pa.table({"": [1], "y": [0]}))
    assert "not a mix" in frame_refusal(pd.DataFrame({"a": [1, "x"], "y": [0, 1]}))
    assert "LazyFrame" in frame_refusal(pl.LazyFrame({"a": [1], "y": [0]}))
    assert frame_refusal(pd.DataFrame({"a": [], "y": []})).startswith("frame: no rows")
    assert "expected a data frame" in frame_refusal([1, 2])
    sparse = pd.DataFrame({"a": pd.arrays.SparseArray([0, 0, 1.5]), "y": [0, 1, 1]})
    assert dense(read_frame(sparse, None, options_of())).tolist() == [[0], [0], [1.5]]


def test_other_things_are_no_tables(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"FEA1" + b"\0" * 100)
    with pytest.raises(InputError, match="Feather of version 1"):
        read(tmp_path / "x", read_arrow)
    for content in (b"", b"PAR1", b"ARROW1\0\0", b"hello, world" * 100, b"\xff\xff\xff\xff" + b"\x7f" * 40):
        (tmp_path / "x").write_bytes(content)
        for reader in (read_parquet, read_arrow):
            with pytest.raises(InputError, match=r"x: (damaged, or no|no)"):
                read(tmp_path / "x", reader)
    with pytest.raises(InputError, match="Parquet has no base to choose"):
        read(tmp_path / "x", read_parquet, base=1)


def outcome(path: Path, reader: Any) -> tuple[Any, str]:
    """What was read, or why not."""
    try:
        return dense(read(path, reader, missing="zero")), ""
    except InputError as error:
        return None, str(error)


@pytest.mark.parametrize("form", ["parquet", "arrow", "stream", "packed"])
def test_a_damaged_file_is_refused_or_harmless(tmp_path: Path, form: str) -> None:
    """Any byte may change: what is read then is a sheet or an error, never a crash."""
    table = pa.table({"a": [1.5, 2.5, 3.5] * 9, "t": ["u", "v", "w"] * 9, "y": [0, 1, 1] * 9})
    table = table.append_column("d", table["t"].dictionary_encode())
    path, reader = tmp_path / "t", read_parquet if form == "parquet" else read_arrow
    if form == "parquet":
        pq.write_table(table, path)
    else:
        options = pa.ipc.IpcWriteOptions(compression="lz4" if form == "packed" else None)
        new = pa.ipc.new_stream if form == "stream" else pa.ipc.new_file
        with new(path, table.schema, options=options) as file:
            file.write_table(table)
    sound, pick = path.read_bytes(), random.Random(6)
    for _ in range(250):
        bad = bytearray(sound)
        for _ in range(pick.choice([1, 1, 3])):
            bad[pick.randrange(len(bad))] ^= 1 << pick.randrange(8)
        path.write_bytes(bad[: pick.randrange(len(bad))] if pick.random() < 0.2 else bad)
        found, said = outcome(path, reader)
        assert found is None or found.ndim == 2
        assert len(said.splitlines()) <= 1


def test_reading_a_table_imports_what_it_needs_and_no_more(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1.5, None], "t": ["u", None], "y": [0, 1]}), tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text("a,t,y\n1.5,u,0\n,NA,1\n")
    code = f"""
import os, sys
import pyarrow
pyarrow.array([1.0])  # old ones then import pandas, whoever asks
own = set(sys.modules)
from pathlib import Path
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import options_of
from rosenblatt.files.tables.delimited import read_csv
from rosenblatt.files.tables.parquet import read_parquet
for reader, name in ((read_csv, "t.csv"), (read_parquet, "t.parquet")):
    assert reader(InputFile({str(tmp_path)!r} + "/" + name), options_of(missing="mean", label="y")).rows.n == 2
print({{"pandas", "scipy", "sklearn", "narwhals"}} & set(sys.modules) - own, flush=True)
os._exit(0)  # the threads of pyarrow 18 now and then abort a process that ends as soon as it has read
"""
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_without_pyarrow_it_says_what_to_install(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_text("a,y\n1,0\n")
    monkeypatch.setattr(pa, "__version__", "14.0.2")
    with pytest.raises(InputError, match=r"needs pyarrow 18 or newer, not 14\.0\.2: pip install '\.\[tables\]' in"):
        read(path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"needs pyarrow: pip install '\.\[tables\]' in rosenblatt's folder"):
        read(path)


@pytest.mark.parametrize("kind", ["csv", "parquet", "arff", "slow"])
def test_columns_may_be_left_out_whatever_they_hold(tmp_path: Path, kind: str) -> None:
    when = ["2024-01-01", "2024-01-02", "2024-02-03", "2024-03-04"]
    if kind == "arff":
        path = tmp_path / "x.arff"
        head = "@relation r\n@attribute a numeric\n@attribute when date\n@attribute class {x,y}\n@data\n"
        path.write_text(head + "".join(f'{i},"{day}",{"xy"[i % 2]}\n' for i, day in enumerate(when)))
    elif kind == "parquet":
        path = tmp_path / "x.parquet"
        days = pa.array([datetime.date.fromisoformat(day) for day in when])
        pq.write_table(pa.table({"a": [0, 1, 2, 3], "when": days, "class": ["x", "y", "x", "y"]}), path)
    else:
        path = tmp_path / "x.csv"
        path.write_text("a,when,class\n" + "".join(f"{i},{day},{'xy'[i % 2]}\n" for i, day in enumerate(when)))
    asked = options_of(format=None if kind != "slow" else "csv", leave_out=["when"])
    if kind == "slow":
        with InputFile(path) as opened:
            assert slow_sheet(opened, asked).feature_names == ("a",)
        return
    sheet = sheet_of(path, asked)
    assert sheet.feature_names == ("a",)
    assert sheet.reading.to_dict()["leave_out"] == ["when"]
    with pytest.raises(InputError, match=r"'when'.*dates"):
        sheet_of(path, options_of())
    with pytest.raises(InputError, match="no column 'nope' to leave out"):
        sheet_of(path, options_of(leave_out=["nope", "when"]))
