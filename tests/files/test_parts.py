"""Tables and arrays in parts: put together they are the whole, bit for bit, or they are refused as the whole is."""

import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import made_tables
import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from bad_files import Bad, bad_files
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from in_parts import assert_same, check_like_whole, joined, outcome, surveyed

from rosenblatt import InputError
from rosenblatt.data.rows import matrix_of
from rosenblatt.files.exact_sum import ExactSum
from rosenblatt.files.expected import Expected
from rosenblatt.files.matching import matched
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import options_of
from rosenblatt.files.parts.door import input_of
from rosenblatt.files.parts.records import Records, blocks_of, head_of
from rosenblatt.files.read import sheet_of

SEEDS = st.integers(0, 2**32 - 1)
PARTS = [4, 100, 400, 2000, 10**6]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("parts")


# --- Parts are the whole. ---


@settings(max_examples=examples(120))
@given(SEEDS)
def test_csv_in_parts_is_the_whole(folder: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    names, rows = made_tables.table(rng, missing=bool(rng.integers(2)))
    path = folder / "table.csv"
    path.write_bytes(made_tables.written(rng, names, rows))
    check_like_whole(path, options_of(**made_tables.options(rng)), int(rng.choice(PARTS)))


@settings(max_examples=examples(100))
@given(SEEDS)
def test_tables_with_types_in_parts_are_the_whole(folder: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table, asked = made_tables.typed(rng), made_tables.options(rng)
    del asked["header"]
    how, rows = str(rng.choice(["parquet", "file", "stream", "feather"])), int(rng.integers(1, 20))
    packed = rng.choice([None, "zstd", "lz4"])
    path = folder / ("table.parquet" if how == "parquet" else "table.arrow")
    if how == "parquet":
        pq.write_table(
            table,
            path,
            row_group_size=rows,
            compression=packed or "none",
            use_dictionary=bool(rng.integers(2)),
            data_page_size=64,
        )
    elif how == "feather":
        feather.write_feather(table, path, compression=packed or "uncompressed", chunksize=rows)
    else:
        kind = pa.ipc.new_file if how == "file" else pa.ipc.new_stream
        with kind(path, table.schema, options=pa.ipc.IpcWriteOptions(compression=packed)) as sink:
            sink.write_table(table.unify_dictionaries(), rows)
    check_like_whole(path, options_of(**asked), int(rng.choice([4, 400, 4000, 40000, 10**6])))


@settings(max_examples=examples(100))
@given(SEEDS)
def test_arrays_in_parts_are_the_whole(folder: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 40)), int(rng.integers(2, 6))
    table: Any = rng.standard_normal((n, d))
    table[:, -1] = rng.choice([0, 1, -0.0, 2] if rng.integers(2) else [0.5, 1, 2], n)
    if rng.integers(2):
        table[rng.random((n, d)) < 0.1] = np.nan
    if rng.random() < 0.05:
        table[int(rng.integers(n)), 0] = np.inf
    table = table.astype(rng.choice(["f8", "f4", ">f8"])) if rng.random() < 0.8 else rng.integers(-9, 9, (n, d))
    if rng.random() < 0.2:
        table = np.asfortranarray(table)
    if rng.random() < 0.2:
        table = np.array([tuple(row) for row in table.tolist()], dtype=[(f"c{j}", "f8") for j in range(d)])
    np.save(folder / "table.npy", table)
    asked = {"missing": str(rng.choice(["refuse", "drop", "zero", "mean"])), "label": rng.choice([None, 0])}
    check_like_whole(folder / "table.npy", options_of(**asked), int(rng.choice([2, 100, 1000, 10**6])))


TEXT = (
    b'\xef\xbb\xbf\na,colour,note,y\r\n1,red,"one\ntwo",0\r\n\n2.5,"dark, green","said ""so""\t",1\n'
    b'NA,red,,0\n 4 ,blue,"",1\n\n1e3,"",x,0'
)


@pytest.mark.parametrize("missing", ["drop", "zero", "mean"])
@pytest.mark.parametrize("coding", ["levels", "reference"])
def test_a_table_may_be_cut_anywhere(tmp_path: Path, missing: str, coding: str) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(TEXT)
    options = options_of(missing=missing, coding=coding, words=["note"])
    many = set()
    for part in range(4, 4 * len(TEXT) + 4, 20):
        found, sheets = surveyed(path, options, part)
        assert_same(sheet_of(path, options), found, sheets)
        many.add(len(sheets))
    assert len(many) > 1


def test_what_a_column_is_may_show_in_the_last_row(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    rows = [f"{i % 3},{i % 2},{'' if i < 250 else 'true'},{i % 2}" for i in range(300)]
    path.write_text("\n".join(["a,b,c,y", *rows, "red,1,false,1.5", ""]))
    assert check_like_whole(path, options_of(missing="zero", text=["b"]), 400) == ""
    found = input_of(path, options_of(missing="zero", text=["b"]), 400)
    found.survey()
    assert found.layout.feature_names == ("a=0", "a=1", "a=2", "a=red", "b=0", "b=1", "c")
    assert found.layout.files == ((str(path), 301),)


def test_hashed_values_may_be_more_than_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["a,b,y", *(f"k{i % 90},{i % 3},{i % 2}" for i in range(300)), ""]))
    options = options_of(hash_bits=6)
    whole = sheet_of(path, options)
    monkeypatch.setattr("rosenblatt.files.tables.tally.MOST_CATEGORIES", 40)
    found, sheets = surveyed(path, options, 400)
    rows, labels, *_ = joined(sheets)
    for mine, theirs in zip(rows.arrays, whole.rows.arrays, strict=True):
        assert np.asarray(mine).tobytes() == np.asarray(theirs).tobytes()
    assert labels.tolist() == whole.labels.tolist()
    assert (found.layout.n_columns, found.layout.levels, whole.levels) == (64, {}, {"a": 90})
    with pytest.raises(InputError, match="'a': too many values to have a reference level"):
        surveyed(path, options_of(hash_bits=6, coding="reference"), 400)
    with pytest.raises(InputError, match="'a': too many values to keep their names"):
        surveyed(path, options_of(hash_bits=6, keep_names=True), 400)
    with pytest.raises(InputError, match=r"more than .* different values in columns of text"):
        surveyed(path, options_of(), 400)


def test_quotes_in_tsv_may_turn_out_to_mean_nothing(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("a\tb\ty\n" + '1\t"x"\t0\n' * 200 + '2\t5" pipe\t1\n')
    assert check_like_whole(path, options_of(), 400) == ""


@pytest.mark.parametrize("bad", [bad for bad in bad_files() if not bad.options], ids=lambda bad: bad.name)
def test_a_bad_file_is_refused_as_the_whole_is(bad: Bad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path(bad.name).write_bytes(bad.content)
    whole = outcome(lambda: sheet_of(bad.name, options_of()).examples())
    parts = outcome(surveyed, bad.name, options_of(), 2**20)
    if isinstance(parts, tuple):  # what is wrong with its labels is seen by those who ask for them
        parts = outcome(lambda: replace(parts[1][0], labels=joined(parts[1])[1]).examples())
    if not isinstance(whole, str):  # it is no bad file but for the command
        assert not isinstance(parts, str)
    elif bad.name.endswith(".arrow"):  # how it is damaged shows in another way
        assert parts.partition(" (")[0] == whole.partition(" (")[0]
    else:
        assert parts == whole


# --- Several files. ---


def test_files_are_read_one_after_the_other(tmp_path: Path) -> None:
    lines = [f"{i},{'red' if i % 3 else 'blue'},{i % 2}\n" for i in range(50)]
    (tmp_path / "whole.csv").write_text("id,colour,y\n" + "".join(lines))
    for k in range(3):
        (tmp_path / f"part-{k}.csv").write_text("id,colour,y\n" + "".join(lines[20 * k : 20 * k + 20]))
    whole = sheet_of(tmp_path / "whole.csv", options_of())
    names = [str(tmp_path / f"part-{k}.csv") for k in range(3)]
    for source in (names, str(tmp_path / "part-*.csv"), [names[0], str(tmp_path / "part-[12].csv")]):
        found, sheets = surveyed(source, options_of(), 100)
        rows, labels, found_lines, _ = joined(sheets)
        assert np.asarray(rows.arrays[0]).tobytes() == np.asarray(whole.rows.arrays[0]).tobytes()
        assert labels.tolist() == whole.labels.tolist()
        assert found_lines.tolist() == [2 + i % 20 for i in range(50)]
        assert found.layout.files == tuple(zip(names, [20, 20, 10], strict=True))
        assert found.paths == tuple(names)
        assert {sheet.name for sheet in sheets} == set(names)


def test_files_must_be_alike(tmp_path: Path) -> None:
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_text("a,b,y\n1,2,0\n3,4,1\n")
    for text, said in {
        "b,a,y\n1,2,0\n": "columns 'b', 'a', 'y' from position 0 on; expected 'a', 'b', 'y', in that order, as ",
        "a,y\n1,0\n": "2 columns; expected 3, as ",
    }.items():
        second.write_text(text)
        with pytest.raises(InputError, match=f"{second}: {said}"):
            surveyed([first, second], options_of(), 100)
    (tmp_path / "c.svm").write_text("1 1:2\n")
    with pytest.raises(InputError, match=r"c.svm: svmlight, where .*a.csv is csv; expected files of one format"):
        input_of([first, tmp_path / "c.svm"], options_of())
    with pytest.raises(InputError, match="no file is like that"):
        input_of(str(tmp_path / "*.parquet"), options_of())
    with pytest.raises(InputError, match="no files to read"):
        input_of([], options_of())
    with pytest.raises(InputError, match="standard input in a list of files"):
        input_of([first, "-"], options_of())
    with pytest.raises(InputError, match=r"^int to read; expected a path"):
        input_of(3, options_of())


def test_a_folder_of_parquet_files_is_a_table(tmp_path: Path) -> None:
    table = pa.table({"x": np.arange(30) % 7.0, "s": [["u", "v"][i % 2] for i in range(30)], "y": np.arange(30) % 2})
    for k in range(3):
        pq.write_table(table.slice(10 * k, 10), tmp_path / f"{k}.parquet", row_group_size=4)
    for name in (".hidden.parquet", "_metadata.parquet", "notes.txt"):
        (tmp_path / name).write_text("no table")
    pq.write_table(table, tmp_path.with_suffix(".parquet"))
    whole = sheet_of(tmp_path.with_suffix(".parquet"), options_of())
    found, sheets = surveyed(tmp_path, options_of(), 2000)
    assert_same(whole, found, sheets)
    assert [many for _, many in found.layout.files] == [10, 10, 10]
    pq.write_table(table.set_column(0, "x", pa.array(np.arange(30))), tmp_path / "3.parquet")
    with pytest.raises(InputError, match=r"3.parquet: column 'x' of type int64; expected double"):
        surveyed(tmp_path, options_of(), 2000)
    pq.write_table(table.rename_columns(["x", "t", "y"]), tmp_path / "3.parquet")
    with pytest.raises(InputError, match=r"3.parquet: column 't'; expected the columns of"):
        surveyed(tmp_path, options_of(), 2000)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="a folder without Parquet files"):
        input_of(tmp_path / "empty", options_of())


# --- Batches. ---


def _batches(table: pa.Table) -> dict[str, Any]:
    """The same table, in the ways that somebody may hand it over."""
    polars = pytest.importorskip("polars")
    return {
        "batches": lambda: table.to_batches(7),
        "tables": lambda: (table.slice(i, 7) for i in range(0, len(table), 7)),
        "reader": lambda: table.to_reader(7),
        "table": lambda: table,
        "frames": lambda: polars.from_arrow(table).iter_slices(7),
        "a table": table,
        "a frame": polars.from_arrow(table),
    }


def test_whatever_speaks_arrow_is_read() -> None:
    table = pa.table({"x": np.arange(40) % 7.0, "s": [["u", "v"][i % 2] for i in range(40)], "y": np.arange(40) % 2})
    whole = sheet_of(table, options_of())
    for source in _batches(table).values():
        found, sheets = surveyed(source, options_of(), 2000)
        rows, labels, *_ = joined(sheets)
        assert np.asarray(rows.arrays[0]).tobytes() == np.asarray(whole.rows.arrays[0]).tobytes()
        assert labels.tolist() == whole.labels.tolist()
        assert (found.layout.feature_names, found.again, found.paths) == (whole.feature_names, True, ())
        assert found.layout.reading == whole.reading


def test_an_iterator_is_read_once() -> None:
    table = pa.table({"x": np.arange(40) % 7.0, "y": np.arange(40) % 2})
    for source in (iter(table.to_batches(7)), table.to_reader(7)):
        found = input_of(source, options_of(), 2000)
        assert not found.again
        found.survey()
        rows, labels, *_ = joined(found.sheets())
        assert np.asarray(rows.arrays[0]).ravel().tolist() == table["x"].to_pylist()
        assert labels.tolist() == table["y"].to_pylist()
        assert found.layout.n_columns == 1
    with pytest.raises(InputError, match=r"the values of column 's' .* would take a pass of its own"):
        input_of(iter(pa.table({"s": ["u", "v"], "y": [0, 1]}).to_batches()), options_of()).survey()
    with pytest.raises(InputError, match="batches: int; expected Arrow's record batches"):
        input_of(lambda: [1, 2], options_of()).survey()
    with pytest.raises(InputError, match="batches: int; expected an iterable of Arrow's"):
        input_of(lambda: 1, options_of()).survey()


# --- What can be read once alone. ---


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Any]:
    """A function that gives the path of a pipe which somebody writes these bytes into."""
    threads: list[threading.Thread] = []

    def made(content: bytes) -> str:
        path = str(tmp_path / f"pipe{len(threads)}")
        os.mkfifo(path)

        def write() -> None:
            try:
                with open(path, "wb") as file:
                    file.write(content)
            except BrokenPipeError:  # it was refused before its end
                pass

        threads.append(threading.Thread(target=write, daemon=True))
        threads[-1].start()
        return path

    yield made
    for thread in threads:
        thread.join(10)


def _numbers(n: int, text: str = "", header: str = "a,b,y") -> bytes:
    return "\n".join([header, *(f"{i},{i % 3}.5,{i % 2}" for i in range(n)), text]).encode()


@pytest.mark.serial
def test_numbers_come_through_a_pipe(pipe: Any, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_bytes(_numbers(500))
    whole = sheet_of(tmp_path / "table.csv", options_of(format="csv"))
    found = input_of(pipe(_numbers(500)), options_of(format="csv"), 400)
    assert not found.again
    found.survey()
    sheets = list(found.sheets())
    assert len(sheets) > 5
    rows, labels, lines, _ = joined(sheets)
    assert np.asarray(rows.arrays[0]).tobytes() == np.asarray(whole.rows.arrays[0]).tobytes()
    assert (labels.tolist(), lines.tolist()) == (whole.labels.tolist(), whole.lines.tolist())
    assert (found.layout.feature_names, found.layout.reading) == (whole.feature_names, whole.reading)


@pytest.mark.serial
@pytest.mark.parametrize(
    ("content", "asked", "said"),
    [
        (_numbers(200, "red,1,0"), {}, "202:1: column 'a': 'red', where the rows before hold numbers; .* --text a"),
        (_numbers(200, "1,1,yes"), {}, "202:5: column 'y': 'yes' is not a number"),
        (b"a,y\nred,0\nblue,1\n", {}, " the values of column 'a' .*--hash-bits.* would take a pass"),
        (b"a,y\n1,0\n,1\n", {"missing": "mean"}, " the means of its columns .* would take a pass"),
        (b"a,y\nthe dog,0\na cat,1\n", {"words": ["a"]}, " the words of column 'a' .* would take a pass"),
        (_numbers(99, "5,1,1", "id,b,y"), {}, " column 'id' counts the rows at first, and then does not"),
    ],
)  # fmt: skip
def test_what_takes_two_passes_is_refused_by_name(pipe: Any, content: bytes, asked: Any, said: str) -> None:
    path = pipe(content)
    with pytest.raises(InputError, match=f"{path}:{said}"):
        surveyed(path, options_of(format="csv", **asked), 100)


def test_rows_to_be_judged_take_no_survey(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    colours = [*["red"] * 30, *["blue"] * 30, *["green"] * 30]
    rows = [f"{rng.standard_normal():.3f},{colour},{i % 2}" for i, colour in enumerate(colours)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["a,colour,y", *rows, ""]))
    names = ("a", "colour=blue", "colour=red")
    reading = sheet_of(path, options_of()).reading
    options = replace(options_of(), reading=reading, labels="wanted", expected=Expected.of(reading, names))
    whole, _ = matched(sheet_of(path, options), names, 3, reading)
    found = input_of(path, options, 400)
    sheets = list(found.sheets())
    assert len(sheets) > 3
    assert len({sheet.feature_names for sheet in sheets}) > 1
    some = [matrix_of(matched(sheet, names, 3, reading)[0]) for sheet in sheets]
    assert np.concatenate(some).tobytes() == np.asarray(whole.arrays[0]).tobytes()
    assert found.layout.n_columns == 4
    assert found.layout.files == ((str(path), 90),)


def test_a_file_that_changes_between_passes_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes(_numbers(100))
    found = input_of(path, options_of(), 400)
    found.survey()
    path.write_bytes(_numbers(99))
    with pytest.raises(InputError, match="other rows than when it was read before"):
        list(found.sheets())
    path.write_bytes(_numbers(99, "red,1,1"))
    with pytest.raises(InputError, match="other rows than when it was read before"):
        list(found.sheets())


def test_what_is_read_whole_is_small(tmp_path: Path) -> None:
    (tmp_path / "t.arff").write_text("@relation r\n@attribute a numeric\n@attribute y {0,1}\n@data\n1,0\n2,1\n3,1\n")
    assert check_like_whole(tmp_path / "t.arff", options_of(), 8) == ""
    np.savez_compressed(tmp_path / "t.npz", X=np.zeros((2**17, 40)), y=np.arange(2**17) % 2)
    with pytest.raises(InputError, match=r"arrays of [0-9]+ bytes, and npz is read whole"):
        input_of(tmp_path / "t.npz", options_of()).survey()
    with pytest.raises(InputError, match="arff is read whole; expected one file of it"):
        input_of([tmp_path / "t.arff", tmp_path / "t.arff"], options_of())


# --- The pieces. ---


@settings(max_examples=examples(100))
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1), st.integers(0, 50))
def test_an_exact_sum_does_not_depend_on_the_cut(numbers: list[float], cut: int) -> None:
    values = np.array(numbers)
    whole = ExactSum().plus(values)
    assert ExactSum().plus(values[:cut]) + ExactSum().plus(values[cut:]) == whole
    assert whole.over(len(numbers)) == float(sum(map(Fraction, numbers)) / len(numbers))


@settings(max_examples=examples(100))
@given(st.text('a",\n\r', max_size=60), st.integers(1, 70), st.booleans())
def test_blocks_end_where_records_do(folder: Path, text: str, size: int, quotes: bool) -> None:
    path = folder / "text"
    path.write_bytes(text.encode())
    with InputFile(path) as opened:
        head = head_of(opened, "csv", quotes)
        blocks = list(blocks_of(opened, size, quotes))
    assert head == text.encode() == b"".join(blocks)
    inside = 0
    for block in blocks[:-1]:
        assert block.endswith(b"\n")
        inside += block.count(b'"')
        assert not quotes or inside % 2 == 0
    ends = [i + 1 for i, mark in enumerate(text) if mark == "\n" and not (quotes and text[:i].count('"') % 2)]
    records = Records(quotes)
    for i in range(0, len(text), size):
        records.see(text[i : i + size].encode())
    assert (records.ends, records.last) == (len(ends), ends[-1] if ends else 0)
    assert records.line == 1 + text[: records.last].count("\n")
