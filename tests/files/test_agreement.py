"""Files that processes look at, each at its own: together they are what one stream of all files is, bit for bit."""

import os
import pickle
import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import made_tables
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import InputError, stream
from rosenblatt.files import agreement, shard
from rosenblatt.files import stream as stream_module
from rosenblatt.files.agreement import Agreed, LookAgain, Looked, agreed, look_at
from rosenblatt.files.options import Options, options_of
from rosenblatt.files.parts.door import input_of
from rosenblatt.files.shard import all_values, in_classes, stream_as
from rosenblatt.files.stream import streamed
from rosenblatt.files.streamed import StreamedSource

SEEDS = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("agreement")


@pytest.fixture
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROSENBLATT_CACHE_DIR", str(tmp_path / "caches"))
    return tmp_path / "caches"


def _sent(value: Any) -> Any:
    """What arrives in another process."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301  # our own


def _look(file: str, options: Options, *known: Any) -> Looked:
    found: Looked = _sent(look_at(_sent(file), _sent(options), *_sent(known)))
    return found


def _agreed(files: Sequence[str], options: Options) -> Agreed:
    looked = [_look(file, options) for file in files]
    for _ in range(9):
        if isinstance(found := _sent(agreed(looked)), Agreed):
            return found
        assert isinstance(found, LookAgain)
        assert found.known
        for i, known in found.known.items():
            looked[i] = _look(files[i], options, known)
    raise AssertionError("no end of it")


def _shards(files: Sequence[str], options: Options, keep: bool = True) -> tuple[Agreed, list[StreamedSource]]:
    found = _agreed(files, options)
    shards = [stream_as(file, options, found, keep=keep) for file in files if found.rows[file]]
    values = all_values([one.values for one in shards], found)
    weighted = any(one.has_weights for one in shards)
    return found, [in_classes(one, values, found, weighted) for one in shards]


def _arrays(source: StreamedSource) -> tuple[list[Any], list[Any]]:
    taken = source.gather(np.arange(source.n_rows))
    beside = [taken.labels, source.lines_of(np.arange(source.n_rows)), taken.weight]
    return [np.asarray(part) for part in taken.rows.arrays], beside


def _assert_same(whole: StreamedSource, found: Agreed, shards: list[StreamedSource]) -> None:
    assert found.layout.reading == whole.reading
    assert list(found.rows.items()) == [tuple(one) for one in whole.blocks.facts["files"]]
    assert sum(one.n_rows for one in shards) == whole.n_rows
    names = ("n_columns", "is_sparse", "feature_names", "reading", "notes", "details", "levels", "hashed", "has_lines")
    for part in shards:
        for name in (*names, "has_weights"):
            assert getattr(part, name) == getattr(whole, name), name
        assert part.classes.dtype == whole.classes.dtype
        assert part.classes.tolist() == whole.classes.tolist()
    mine: list[Any]
    rows, beside = _arrays(whole)
    parts = [_arrays(one) for one in shards]
    if whole.is_sparse:
        ends = np.cumsum([0, *(part[0][2][-1] for part in parts)])
        starts = [np.array([0]), *(part[0][2][1:] + end for part, end in zip(parts, ends[:-1], strict=True))]
        values, columns = (np.concatenate([part[0][k][: part[0][2][-1]] for part in parts]) for k in (0, 1))
        mine, theirs = (
            [values, columns, np.concatenate(starts)],
            [rows[0][: rows[2][-1]], rows[1][: rows[2][-1]], rows[2]],
        )
    else:
        mine, theirs = [np.concatenate([part[0][0] for part in parts])], rows
    mine += [None if beside[k] is None else np.concatenate([part[1][k] for part in parts]) for k in range(3)]
    for one, two in zip(mine, [*theirs, *beside], strict=True):
        if two is not None:
            assert one.dtype == two.dtype
            assert one.tobytes() == two.tobytes()


def _outcome(read: Any, *args: Any) -> Any:
    try:
        return read(*args)
    except InputError as error:
        return str(error)


def _check(files: Sequence[Path], options: Options) -> str:
    """That shards are the stream, or both are refused; the sentence, if they are."""
    paths = [str(file) for file in files]
    whole = _outcome(streamed, paths, options)
    found = _outcome(_shards, paths, options)
    if isinstance(whole, str) or isinstance(found, str):
        assert isinstance(whole, str), found
        assert isinstance(found, str), whole
        return whole if whole == found else f"{whole} | {found}"
    _assert_same(whole, *found)
    for one in (whole, *found[1]):
        one.close()
    return ""


def _written(folder: Path, ending: str, *texts: str) -> list[Path]:
    files = [folder / f"{chr(97 + i)}{ending}" for i in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    return files


# --- svmlight and VW text. ---

SVMLIGHT = {
    "from 1": ("1 1:2 3:4\n-1 2:1\n", "1 5:1.5\n-1 1:-2\n", "1 2:3\n"),
    "from 0": ("1 0:2 3:4\n-1 2:1\n", "1 0:1.5\n-1 1:-2\n"),
    "0 in the first": ("1 0:2\n-1 2:1\n", "1 1:1.5 7:1\n-1 1:-2\n"),
    "0 in the last": ("1 1:2\n-1 2:1\n", "-1 1:1\n", "1 0:1.5 1:1\n-1 1:-2\n"),
    "one class each": ("1 1:2\n1 3:1\n", "-1 1:1\n-1 2:2\n"),
    "other labels": ("1 1:2\n2 3:1\n", "1.5 1:1\n", "2 1:1\n0 4:1\n"),
    "no rows": ("", "1 1:2\n-1 3:1\n", "# nothing\n"),
    "no features": ("1 1:2\n-1 3:1\n", "1\n-1\n", "-1 2:1\n"),
}


@pytest.mark.parametrize("what", SVMLIGHT)
@pytest.mark.parametrize("asked", [{}, {"base": 0}, {"base": 1}, {"hash_bits": 3}, {"names": list("abcdefghi")}])
def test_svmlight(tmp_path: Path, what: str, asked: dict[str, Any]) -> None:
    files = _written(tmp_path, ".svm", *SVMLIGHT[what])
    said = _check(files, options_of(**asked))
    assert bool(said) == (asked.get("base") == 1 and "0" in what)
    assert " | " not in said


def test_svmlight_is_parsed_once_though_the_whole_is_wider(
    tmp_path: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [str(file) for file in _written(tmp_path, ".svm", *SVMLIGHT["0 in the last"])]
    alone = stream(files[0])
    assert (alone.n_columns, alone.reading.base) == (2, 1)
    found = _agreed(files, options_of())
    assert len(list(cache_dir.iterdir())) == 3
    monkeypatch.setattr(stream_module, "write_cache", None)
    source = stream_as(files[0], options_of(), found)
    assert (source.n_columns, source.reading.base) == (3, 0)
    assert np.asarray(source.gather(np.arange(2)).rows.arrays[1]).tolist() == [1, 2]
    assert (stream(files[0]).n_columns, stream(files[0]).reading.base) == (2, 1)


VW = {
    "names": ("1 | a:2 b\n-1 | c\n", "1 2 | c d b:3\n-1 | a:1\n", "1 | e\n"),
    "weights in one": ("1 | a\n-1 | b\n", "1 0.5 | z a\n-1 0 | new b\n"),
    "no rows": ("1 | a\n-1 | b\n", "", "1 0 | q\n", "1 | y b a\n"),
    "no features": ("1 |\n-1 |\n", "1 | b a\n-1 | a\n"),
}


@pytest.mark.parametrize("what", VW)
@pytest.mark.parametrize("asked", [{}, {"hash_bits": 4}, {"hash_bits": 4, "keep_names": True}])
def test_vw(tmp_path: Path, what: str, asked: dict[str, Any]) -> None:
    assert _check(_written(tmp_path, ".vw", *VW[what]), options_of(**asked)) == ""


# --- Tables. ---

TABLES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "numbers": ({}, ("a,b,y\n1,2,0\n3,4.5,1\n", "a,b,y\n5,0,1\n", "a,b,y\n1e3,2,0\n")),
    "few numbers": ({}, ("a,b,c,d,y\n0,0,0,1,0\n0,0,0,0,1\n", "a,b,c,d,y\n1,2,3,4,0\n5,6,7,8,1\n")),
    "levels": ({}, ("a,c,y\n1,red,0\n2,red,1\n", "a,c,y\n3,blue,0\n4,green,1\n")),
    "reference": ({"coding": "reference"}, ("a,c,y\n1,red,0\n2,blue,1\n", "a,c,y\n3,blue,0\n4,green,1\n")),
    "late text": ({}, ("a,c,y\n1,red,0\n2,red,1\n", "a,c,y\nx,blue,0\n2,blue,1\n", "a,c,y\n7,red,0\n")),
    "late truth": (
        {"missing": "zero"},
        ("a,c,y\n,red,0\n,red,1\n", "a,c,y\ntrue,r,0\nfalse,b,1\n", "a,c,y\n,r,1\n"),
    ),
    "blanks around nothing": (
        {"missing": "zero"},
        ("a,c,y\n NaN ,r,0\n NaN ,r,1\n", "a,c,y\ntrue,r,0\nfalse,b,1\n"),
    ),
    "truth, then text": ({}, ("a,c,y\ntrue,r,0\nfalse,r,1\n", "a,c,y\n1,r,0\n2,blue,1\n")),
    "means": ({"missing": "mean"}, ("a,b,y\n0.1,NA,0\n0.2,2,1\n", "a,b,y\n0.3,7,0\nNA,1,1\n", "a,b,y\n,,1\n")),
    "dropped": ({"missing": "drop"}, ("a,b,y\n1,NA,0\n2,2,1\n", "a,b,y\nNA,7,0\n,1,1\n", "a,b,y\n3,1,0\n")),
    "words": ({"words": "s"}, ("s,y\nthe dog,0\na cat,1\n", "s,y\nthe bird the cat,0\nDogs bark,1\n")),
    "weights": ({"weight": "w"}, ("a,w,y\n1,1,0\n2,1,1\n", "a,w,y\n1,0,0\n2,2.5,1\n")),
    "counts": ({"counts": ["n"]}, ("a,n,y\n1,1,0\n2,0,1\n", "a,n,y\n1,3,0\n2,1,1\n")),
    "two counts": ({"counts": ["ill", "well"]}, ("a,ill,well\n1,3,0\n2,1,0\n", "a,ill,well\n1,0,2\n")),
    "hashed": ({"hash_bits": 4}, ("a,c,y\n1,red,0\n2,red,1\n", "a,c,y\n3,blue,0\n4,green,1\n")),
    "row numbers go on": ({}, ("id,a,y\n1,5,0\n2,7,1\n", "id,a,y\n3,5,0\n4,6,1\n")),
    "row numbers begin again": ({}, ("id,a,c,y\n1,5,r,0\n2,7,r,1\n", "id,a,c,y\n1,5,b,0\n2,6,r,1\n")),
    "row numbers stop": ({}, ("id,a,c,y\n1,5,r,0\n2,7,r,1\n", "id,a,c,y\n9,5,b,0\n7,6,r,1\n")),
    "text labels": ({}, ("a,c,y\n1,r,yes\n2,r,yes\n", "a,c,y\n3,r,no\n4,b,no\n")),
    "labels late": ({}, ("a,c,y\n1,r,1\n2,r,2\n", "a,c,y\n3,r,1.0\n4,b,no\n")),
    "float labels": ({}, ("a,y\n1,1\n2,2\n", "a,y\n3,1.5\n4,2.0\n")),
    "no rows": ({}, ("a,c,y\n1,red,0\n2,red,1\n", "a,c,y\n", "a,c,y\n3,blue,1\n")),
    "no header": ({"label": -1}, ("1,2,0\n3,4,1\n1,1,1\n", "5,6,0\n7,8,1\n")),
    "other separators": ({}, ("a,b,y\n1,2,0\n3,4,1\n", "a;b;y\n5;6;0\n7;8;1\n")),
    "a header that is hard to see": ({"label": "y"}, ("a,b,y\nu,v,0\nv,u,1\nu,u,1\n", "a,b,y\nx,z,0\n")),
}


@pytest.mark.parametrize("what", TABLES)
def test_tables(tmp_path: Path, what: str) -> None:
    asked, texts = TABLES[what]
    assert _check(_written(tmp_path, ".csv", *texts), options_of(**asked)) == ""


REFUSED: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "text after numbers": ({}, ("a,b,y\n1,2,0\n3,4,1\n", "a,b,y\nx,2,0\n3,4,1\n")),
    "truth after nothing": ({"missing": "zero"}, ("a,b,y\n,2,0\n,4,1\n", "a,b,y\ntrue,2,0\nfalse,4,1\n")),
    "labels that are text later": ({}, ("a,y\n1,0\n2,1\n", "a,y\n3,no\n4,yes\n")),
    "row numbers that stop": ({}, ("id,a,y\n1,5,0\n2,7,1\n", "id,a,y\n9,5,0\n7,6,1\n")),
    "other columns": ({}, ("a,b,y\n1,2,0\n3,4,1\n", "a,c,y\n1,2,0\n3,4,1\n")),
    "fewer columns": ({}, ("a,b,y\n1,2,0\n3,4,1\n", "a,y\n1,0\n3,1\n")),
    "another label": ({"label": "y"}, ("a,b,y\n1,2,0\n3,4,1\n", "a,b,z\n1,2,0\n3,4,1\n")),
    "no header in one": ({}, ("a,b,y\n1,2,0\n3,4,1\n", "1,2,0\n3,4,1\n5,6,0\n")),
    "a number with a slip": ({}, ("a,c,y\n1.5,r,0\n2.5,r,1\n", "a,c,y\n1.25,r,0\nl.5,r,1\n")),
    "dates": ({}, ("a,d,y\n1,2020-01-01,0\n", "a,d,y\n2,2020-01-02,1\n")),
    "empty": ({}, ("a,b,y\n1,2,0\n3,4,1\n", "")),
    "no rows in the first": ({}, ("a,b,y\n", "a,b,y\n1,2,0\n3,4,1\n")),
    "missing": ({}, ("a,b,y\n1,2,0\n3,4,1\n", "a,b,y\n1,2,0\n3,,1\n")),
    "no mean": ({"missing": "mean"}, ("a,b,y\n,2,0\n,4,1\n", "a,b,y\n,2,0\n,3,1\n")),
    "one class": ({}, ("a,b,y\n1,2,1\n3,4,1\n", "a,b,y\n1,2,1\n")),
    "no such column": ({"leave_out": "z"}, ("a,b,y\n1,2,0\n3,4,1\n", "a,b,y\n1,2,1\n")),
    "no such level": ({"reference": {"c": "x"}}, ("c,y\nr,0\nb,1\n", "c,y\nr,1\n")),
    "a bad weight": ({"weight": "w"}, ("a,w,y\n1,2,0\n3,4,1\n", "a,w,y\n1,-2,1\n")),
    "a short row": ({}, ("a,b,y\n1,2,0\n3,4,1\n", "a,b,y\n1,2\n")),
}


@pytest.mark.parametrize("what", REFUSED)
def test_tables_are_refused_in_the_same_words(tmp_path: Path, what: str) -> None:
    asked, texts = REFUSED[what]
    said = _check(_written(tmp_path, ".csv", *texts), options_of(**asked))
    assert said
    assert " | " not in said


def _tsv(cell: str, last: str = "") -> str:
    """More rows than are looked at to see what the columns are."""
    return "\n".join(["a\tc\ty", *(f"{i % 7}.5\t{cell}\t{i % 2}" for i in range(9000)), last])


QUOTES = {
    "later, in the second": (_tsv('"r"'), _tsv("b", '1\tsay "so" now\t1\n')),
    "later, in the first": (_tsv('"r"', '1\tsay "so" now\t1\n'), _tsv('"b"')),
    "at once, in the second": (_tsv('"r"'), 'a\tc\ty\n1\tsay "so" now\t1\n'),
    "numbers": (_tsv("1"), _tsv("2", '1\t5"\t1\n')),
}


@pytest.mark.parametrize("what", QUOTES)
def test_quotes_within_fields(tmp_path: Path, what: str) -> None:
    said = _check(_written(tmp_path, ".tsv", *QUOTES[what]), options_of())
    assert " | " not in said
    assert bool(said) == (what in ("later, in the first", "numbers"))


# --- Columns with types, and arrays. ---


def _parquet(folder: Path, *tables: Any) -> list[Path]:
    files = [folder / f"{chr(97 + i)}.parquet" for i in range(len(tables))]
    for file, table in zip(files, tables, strict=True):
        pq.write_table(table, file)
    return files


def test_parquet_and_its_folders(tmp_path: Path) -> None:
    one = pa.table({"a": [1.0, None], "c": ["red", "blue"], "y": [0, 0]})
    two = pa.table({"a": [0.1, 0.2], "c": ["green", None], "y": [1, 1]})
    folder = tmp_path / "table"
    folder.mkdir()
    files = _parquet(folder, one.slice(0, 0), one, one.slice(0, 0), two)
    assert _check(files, options_of(missing="mean")) == ""
    whole = streamed(folder, options_of(missing="mean"))
    _assert_same(whole, *_shards([str(file) for file in files], options_of(missing="mean")))


def test_schemas_that_differ_name_the_file(tmp_path: Path) -> None:
    one = pa.table({"a": [1.0, 2.0], "c": ["red", "blue"], "y": [0, 1]})
    others = [one.rename_columns(["b", "c", "y"]), one.rename_columns(["a", "c", "z"]), one.select(["c", "a", "y"])]
    for other in [*others, one.set_column(0, "a", [[1, 2]])]:
        said = _check(_parquet(tmp_path, one, one, other), options_of())
        assert said.startswith(str(tmp_path / "c.parquet"))
        assert " | " not in said


def test_an_index_is_what_the_first_file_says(tmp_path: Path) -> None:
    plain = pa.table({"at": [3, 7], "a": [1.0, 2.0], "y": [0, 1]})
    pandas = plain.replace_schema_metadata({"pandas": '{"index_columns": ["at"]}'})
    assert _check(_parquet(tmp_path, pandas, plain), options_of()) == ""
    assert _check(_parquet(tmp_path, plain, pandas), options_of()) == ""


ARRAYS: dict[str, tuple[dict[str, Any], tuple[Any, ...]]] = {
    "numbers": ({}, ([[1, 2, 0], [3, 4, 1]], [[5, 6, 0]])),
    "means": ({"missing": "mean"}, ([[0.1, 2, 0], [np.nan, 4, 1]], [[0.2, 6, 0], [0.4, np.nan, 1]])),
    "dropped": ({"missing": "drop"}, ([[np.nan, 4, 1]], [[0.2, 6, 0], [0.4, np.nan, 1], [1, 1, 1]])),
    "labels": ({"label": 0}, ([[1.0, 2, 0], [2, 4, 1]], [[1.5, 6, 0]])),
    "one class each": ({}, ([[1, 2, 0], [3, 4, 0]], [[5, 6, 1]])),
}


@pytest.mark.parametrize("what", ARRAYS)
def test_arrays(tmp_path: Path, what: str) -> None:
    asked, tables = ARRAYS[what]
    files = [tmp_path / f"{i}.npy" for i in range(len(tables))]
    for file, table in zip(files, tables, strict=True):
        np.save(file, np.array(table, dtype=float))
    assert _check(files, options_of(**asked)) == ""


def test_arrays_that_differ_name_the_file(tmp_path: Path) -> None:
    one, two = tmp_path / "one.npy", tmp_path / "two.npy"
    np.save(one, np.array([[1.0, 2, 0], [3, 4, 1]]))
    np.save(two, np.array([[1.0, 0], [3, 1]]))
    assert _check([one, two], options_of()) == f"{two}: 2 columns; expected those of {one}, which has 3"
    np.save(two, np.array([[1.0, 2, 0], [3, 4, 1]], dtype=np.float32))
    with pytest.raises(
        InputError, match=r"two.npy: numbers of float32, where .*one.npy has float64; expected the same"
    ):
        _agreed([str(one), str(two)], options_of())


# --- Whatever the tables, and wherever they are cut. ---

PARTS = [40, 400, 4000, 10**6]


def _check_in_parts(files: Sequence[Path], options: Options, part: int) -> str:
    """The same, where no more than so many bytes of a file are read at a time."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (stream_module, agreement, shard):
            patch.setattr(module, "input_of", lambda source, how: input_of(source, how, part))
        return _check(files, options)


def _cut(rng: np.random.Generator, n: int) -> list[slice]:
    """The rows of some files."""
    ends = [0, *np.sort(rng.integers(0, n + 1, int(rng.integers(0, 4)))).tolist(), n]
    return [slice(one, two) for one, two in pairwise(ends)]


@settings(max_examples=examples(60))
@given(SEEDS)
def test_csv_in_files_is_the_stream(folder: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    names, rows = made_tables.table(rng, missing=bool(rng.integers(2)))
    asked = made_tables.options(rng)
    files = [folder / f"{i}.csv" for i in range(4)]
    cuts = _cut(rng, len(rows))
    for file, cut in zip(files, cuts, strict=False):
        file.write_bytes(made_tables.written(rng, names, rows[cut]))
    _check_in_parts(files[: len(cuts)], options_of(**asked), int(rng.choice(PARTS)))


@settings(max_examples=examples(50))
@given(SEEDS)
def test_tables_with_types_in_files_are_the_stream(folder: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    table, asked = made_tables.typed(rng), made_tables.options(rng)
    table = table.drop([name for name in table.column_names if name.startswith("numbers")])  # codes of nothing
    del asked["header"]
    is_parquet, cuts = bool(rng.integers(2)), _cut(rng, len(table))
    files = [folder / f"{i}.{'parquet' if is_parquet else 'arrow'}" for i in range(len(cuts))]
    for file, cut in zip(files, cuts, strict=True):
        some = table.slice(cut.start, cut.stop - cut.start)
        if is_parquet:
            pq.write_table(some, file, row_group_size=int(rng.integers(1, 20)))
        else:
            with pa.ipc.new_stream(file, some.schema) as sink:
                sink.write_table(some.unify_dictionaries(), int(rng.integers(1, 20)))
    _check_in_parts(files, options_of(**asked), int(rng.choice([400, 4000, 10**6])))


@settings(max_examples=examples(50))
@given(SEEDS)
def test_text_in_files_is_the_stream(folder: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    form = str(rng.choice(["svm", "vw"]))
    files = [folder / f"{i}.{form}" for i in range(int(rng.integers(1, 5)))]
    for file in files:
        d, least = int(rng.integers(2, 9)), int(rng.integers(0, 2) if rng.random() < 0.3 else 1)
        lines = []
        for label in rng.choice([0, 1] if rng.random() < 0.7 else [1, 1.5, 7], int(rng.integers(0, 9))).tolist():
            columns = np.sort(rng.choice(d, int(rng.integers(0, d)), replace=False)) + least
            told = " ".join(f"{'' if form == 'svm' else 'f'}{j}:{rng.normal():.3g}" for j in rng.permutation(columns))
            if form == "svm":
                told = " ".join(f"{j}:{rng.normal():.3g}" for j in columns)
            lines.append(f"{label} {told}" if form == "svm" else f"{label} {rng.choice([1, 1, 2, 0])} | {told}")
        file.write_text("".join(f"{line}\n" for line in lines))
    bits = int(rng.integers(1, 6)) if rng.random() < 0.3 else None
    said = _check(files, options_of(hash_bits=bits))
    assert " | " not in said


# --- What may happen meanwhile. ---


@pytest.fixture(params=["svm", "vw", "csv", "npy"])
def files(request: pytest.FixtureRequest, tmp_path: Path, cache_dir: Path) -> list[str]:
    """Two files of a format."""
    paths = [str(tmp_path / f"{name}.{request.param}") for name in ("one", "two")]
    for path in paths:
        if request.param == "npy":
            np.save(path, np.array([[1.0, np.nan, 0], [3, 4, 1]]))
        else:
            some = {"svm": "0 1:2\n1 2:3\n", "vw": "0 | a\n1 | b\n", "csv": "a,c,y\n1,r,0\n,b,1\n"}
            Path(path).write_text(some[request.param])
    return paths


def _options(file: str) -> Options:
    return options_of(missing="mean") if file.endswith(("csv", "npy")) else options_of()


def test_a_file_that_vanishes_is_named(files: list[str]) -> None:
    found = _agreed(files, _options(files[0]))
    os.unlink(files[1])
    with pytest.raises(InputError, match=r"two\.\w+: No such file"):
        stream_as(files[1], _options(files[1]), found)
    with pytest.raises(InputError, match=r"two\.\w+: No such file"):
        _agreed(files, _options(files[1]))


def test_a_file_that_changes_is_named(files: list[str]) -> None:
    found = _agreed(files, _options(files[0]))
    with open(files[1], "ab") as file:
        file.write(b"1 | z\n")
    with pytest.raises(InputError, match=r"two\.\w+: .*(has changed since it was looked at|; expected)"):
        stream_as(files[1], _options(files[1]), found)


def test_a_file_that_was_touched_is_another(files: list[str]) -> None:
    found = _agreed(files, _options(files[0]))
    os.utime(files[1], ns=(1, 1))
    with pytest.raises(InputError, match=r"two\.\w+: it has changed since it was looked at"):
        stream_as(files[1], _options(files[1]), found)


def test_a_copy_on_another_disk_is_the_file(files: list[str]) -> None:
    found = _agreed(files, _options(files[0]))
    copy = files[1] + ".copy"
    shutil.copyfile(files[1], copy)
    os.replace(copy, files[1])
    assert stream_as(files[1], _options(files[1]), found).n_rows == 2


def test_a_cache_that_is_damaged_is_written_again(files: list[str], cache_dir: Path) -> None:
    options = _options(files[0])
    found = _agreed(files, options)
    source = stream_as(files[1], options, found)
    before = _arrays(source)[0][0].tobytes()
    (cache,) = (path for path in cache_dir.iterdir() if os.path.samestat(path.stat(), os.fstat(source.blocks.files[0])))
    with open(cache, "r+b") as file:
        file.seek(40)
        file.write(b"\xff" * 40)
    assert _arrays(source)[0][0].tobytes() == before
    assert source.n_columns == found.layout.n_columns


def test_nothing_is_kept_unless_asked(files: list[str], cache_dir: Path) -> None:
    options = _options(files[0])
    found = agreed([look_at(file, options, keep=False) for file in files])
    assert isinstance(found, Agreed)
    assert stream_as(files[1], options, found, keep=False).n_rows == 2
    assert not [path for path in cache_dir.glob("*") if path.is_file()]


def test_some_files_may_be_one_shard(tmp_path: Path) -> None:
    files = [str(file) for file in _written(tmp_path, ".csv", *TABLES["late text"][1])]
    options = options_of()
    shares: list[Any] = [files[:1], files[1:]]
    looked = [look_at(share, options) for share in shares]
    while isinstance(found := agreed(looked), LookAgain):
        for i, known in found.known.items():
            looked[i] = look_at(shares[i], options, known)
    shards = [stream_as(share, options, found) for share in shares]
    values = all_values([one.values for one in shards], found)
    _assert_same(streamed(files, options), found, [in_classes(one, values, found) for one in shards])


def test_who_opens_some_files_need_not_be_told_of_the_others(tmp_path: Path) -> None:
    files = [str(file) for file in _written(tmp_path, ".csv", *TABLES["late text"][1])]
    options = options_of()
    found = _agreed(files, options)
    own = found.of(files[1:2])
    assert (list(own.facts), list(own.rows)) == (files[1:2], files[1:2])
    mine, other = (_arrays(stream_as(files[1], options, whole)) for whole in (own, found))
    for one, two in zip(mine[0], other[0], strict=True):
        assert one.tobytes() == two.tobytes()
    with pytest.raises(InputError, match=r"a.csv: not among the files that were looked at"):
        stream_as(files[0], options, own)


def test_one_class_is_an_error_of_the_whole_alone(tmp_path: Path) -> None:
    files = [str(file) for file in _written(tmp_path, ".svm", "1 1:2\n1 2:1\n", "1 1:1\n")]
    found = _agreed(files, options_of())
    source = stream_as(files[0], options_of(), found)
    assert (source.classes.tolist(), source.values.tolist()) == ([1], [1])
    with pytest.raises(InputError, match=r"a.svm and 1 more: one class only: all rows carry the label 1"):
        in_classes(source, source.values, found)


def test_a_file_without_rows_is_not_opened(tmp_path: Path) -> None:
    files = [str(file) for file in _written(tmp_path, ".csv", *TABLES["no rows"][1])]
    found = _agreed(files, options_of())
    assert list(found.rows.values()) == [2, 0, 1]
    with pytest.raises(InputError, match=r"b.csv: no rows to learn from; expected it to be left out"):
        stream_as(files[1], options_of(), found)


def test_what_cannot_be_shared_out_is_refused_by_name(tmp_path: Path) -> None:
    one, two = tmp_path / "one.npz", tmp_path / "two.svm"
    np.savez(one, X=np.eye(2), y=np.arange(2))
    two.write_text("1 1:2\n")
    with pytest.raises(InputError, match=r"one.npz: npz is read whole, and by one process; expected files of svmlight"):
        agreed([look_at(one, options_of())])
    with pytest.raises(InputError, match=r"two.svm: svmlight, where .*one.npz is npz; expected files of one format"):
        agreed([look_at(one, options_of()), look_at(two, options_of())])
    with pytest.raises(InputError, match="batches: it can be read once alone, and by one process; expected files"):
        agreed([look_at(lambda: iter(()), options_of())])
    with pytest.raises(InputError, match="no files to read"):
        agreed([])
    found = _agreed([str(two)], options_of())
    with pytest.raises(InputError, match=r"one.npz: not among the files that were looked at; expected .*two.svm"):
        stream_as(one, options_of(), found)
