"""Writing: what is written is read, bit for bit, by our readers, by the slow one, and by those of others."""

import bz2
import csv
import gzip
import io
import lzma
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.feather
import pyarrow.parquet
import pytest
import zstandard
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from rosenblatt import InputError
from rosenblatt.data.rows import matrix_of, rows_of
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import options_of
from rosenblatt.files.read import sheet_of
from rosenblatt.files.reading import Reading
from rosenblatt.files.sheet import Sheet
from rosenblatt.files.slow.text import slow_sheet
from rosenblatt.files.write import as_bytes, write

FORMATS = ("svmlight", "csv", "tsv", "parquet", "arrow", "npy", "npz", "vw")

NUMBERED = (
    "svmlight holds no names: features are numbered as they come in this file, and otherwise in another; --hash-bits"
    " numbers them alike in all"
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("writing") / "rows"


def sheet(X: Any, labels: Any = None, names: Any = None, **reading: Any) -> Sheet:
    if labels is not None:
        labels = np.array(labels, dtype=object if isinstance(labels[0], str) else None)
    return Sheet("old", "csv", rows_of(X), labels, names and tuple(names), None, Reading(**reading))


def dense(rows: Any) -> np.ndarray:
    """All cells. The sign of a zero, of which sparse rows know nothing, is left out."""
    matrix = matrix_of(rows)
    return (matrix if isinstance(matrix, np.ndarray) else matrix.toarray()) + 0


def again(path: Path, data: bytes, format: str, **options: Any) -> Sheet:
    path.write_bytes(data)
    return sheet_of(path, options_of(format=format, **options))


def refusal(old: Sheet, format: str) -> str:
    with pytest.raises(InputError) as refused:
        as_bytes(old, format)
    message = str(refused.value)
    assert len(message.splitlines()) == 1
    return message


# --- What is written is read. ---

numbers = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, 0.0, -0.0, 1.0, 0.1, 5e-324, 1e22])
whole = st.integers(-(2**53), 2**53)
words = st.sampled_from(["no", "yes", "a b", 'say "x"', "x,y", "ä\tö", "1.0,", "1e5x"])


@st.composite
def sheets(draw: Any, labels: Any, narrow: bool = True) -> Sheet:
    n, d, dtype = draw(st.integers(1, 5)), draw(st.integers(1, 4)), np.float64
    if narrow and draw(st.booleans()):
        dtype = np.float32
    width = 64 if dtype == np.float64 else 32
    values = st.floats(width=width, allow_nan=False, allow_infinity=False) | st.sampled_from([0.0, -0.0, 1.0])
    X = np.array(draw(st.lists(st.lists(values, min_size=d, max_size=d), min_size=n, max_size=n)), dtype=dtype)
    names = draw(
        st.none() | st.lists(st.sampled_from(["a", "b c", "q,r", 's"t', "é"]), min_size=d, max_size=d, unique=True)
    )
    made = draw(st.lists(labels, min_size=n, max_size=n))
    return sheet(sparse.csr_array(X) if draw(st.booleans()) else X, made, names)


def check(old: Sheet, new: Any, names: Any = None) -> None:
    """The same numbers, of the same signs, and the same labels of the same type."""
    matrix = dense(new.rows).astype(np.float64)
    known = dense(old.rows).astype(np.float64)
    assert matrix.tobytes() == known.tobytes()
    assert new.feature_names == names
    assert (new.labels is None) == (old.labels is None)
    if old.labels is not None:
        expected = old.labels
        if expected.dtype == np.float64 and all(
            label.is_integer() and abs(label) <= 2**53 for label in expected.tolist()
        ):
            expected = expected.astype(np.int64)  # as labels are wherever they are read
        assert new.labels.dtype == expected.dtype
        assert new.labels.tolist() == expected.tolist()


@settings(max_examples=examples(80), deadline=None)
@given(sheets(whole | numbers.filter(lambda x: x != 0)), st.sampled_from([0, 1]))
def test_svmlight_text_is_read_as_it_was_written(path: Path, old: Sheet, base: int) -> None:
    data, notes = as_bytes(old, "svmlight", base=base)
    new = again(path, data, "svmlight")
    check(old, new)
    assert new.reading.base == base or (old.rows.d == 1 and base == 1)
    with InputFile(path) as opened:
        slow = slow_sheet(opened, options_of(format="svmlight"))
    assert (slow.matrix().toarray() + 0).tobytes() == dense(old.rows).astype(np.float64).tobytes()
    X, y = load_svmlight_file(io.BytesIO(data), zero_based=base == 0)
    assert (X.toarray() + 0).tobytes() == dense(old.rows).astype(np.float64).tobytes()
    assert old.labels is not None
    assert y.tolist() == old.labels.astype(np.float64).tolist()
    assert notes == (() if old.feature_names is None else (NUMBERED,))


@settings(max_examples=examples(80), deadline=None)
@given(
    sheets(whole) | sheets(numbers.filter(lambda x: x != 0)) | sheets(words),
    st.sampled_from(["csv", "tsv"]),
)
def test_tables_of_text_are_read_as_they_were_written(path: Path, old: Sheet, format: str) -> None:
    data, notes = as_bytes(old, format)
    names = old.feature_names or tuple(f"x{j}" for j in range(old.rows.d))
    with_python = list(csv.reader(io.StringIO(data.decode(), newline=""), delimiter="\t" if format == "tsv" else ","))
    assert with_python[0] == ["label", *names]
    table = np.array([[float(cell) for cell in row[1:]] for row in with_python[1:]]) + 0
    assert table.tobytes() == dense(old.rows).astype(np.float64).tobytes()
    path.write_bytes(data)
    with InputFile(path) as opened:
        slow = slow_sheet(opened, options_of(format=format))
    assert (slow.matrix().toarray() == table).all()
    assert slow.feature_names == names
    assert notes == ()
    check(old, again(path, data, format), names)


@settings(max_examples=examples(60), deadline=None)
@given(
    sheets(whole) | sheets(numbers) | sheets(words) | sheets(st.booleans()),
    st.sampled_from(["parquet", "arrow", "npz"]),
)
def test_binary_tables_are_read_as_they_were_written(path: Path, old: Sheet, format: str) -> None:
    data, notes = as_bytes(old, format)
    new = again(path, data, format)
    names = old.feature_names if format == "npz" else old.feature_names or tuple(f"x{j}" for j in range(old.rows.d))
    check(old, new, names)
    assert notes == ()
    assert dense(new.rows).dtype == dense(old.rows).dtype


@settings(max_examples=examples(60), deadline=None)
@given(sheets(st.integers(-9, 9) | st.floats(-1e9, 1e9)))
def test_an_npy_is_read_as_it_was_written_by_numpy_too(path: Path, old: Sheet) -> None:
    data, _ = as_bytes(old, "npy")
    check(old, again(path, data, "npy"))
    table = np.load(io.BytesIO(data), allow_pickle=False)
    assert old.labels is not None
    assert table[:, -1].tolist() == old.labels.tolist()
    assert (table[:, :-1] == dense(old.rows)).all()


@settings(max_examples=examples(60), deadline=None)
@given(sheets(st.integers(1, 4), narrow=False))
def test_vw_text_is_read_as_it_was_written(path: Path, old: Sheet) -> None:
    names = tuple(f"f{j}" for j in range(old.rows.d))
    old = Sheet("old", "csv", old.rows, old.labels, names)
    data, notes = as_bytes(old, "vw")
    new = again(path, data, "vw", labels="wanted") if dense(old.rows).any() else None
    if new is not None:
        found = {name: dense(new.rows)[:, j].tolist() for j, name in enumerate(new.feature_names or ())}
        expected = {name: dense(old.rows)[:, j].tolist() for j, name in enumerate(names)}
        assert {name: column for name, column in expected.items() if any(column)} == {
            name: column for name, column in found.items() if any(column)
        }
        assert new.labels is not None
        assert old.labels is not None
        two = len({*old.labels.tolist()}) == 2
        assert len(notes) == two
        assert new.labels.tolist() == (np.where(old.labels == old.labels.max(), 1, -1) if two else old.labels).tolist()


def test_scipy_loads_what_is_written(path: Path) -> None:
    matrix = sparse.random_array((50, 30), density=0.1, rng=np.random.default_rng(0), format="csr")
    data, _ = as_bytes(sheet(matrix, list(range(50)), [f"f{j}" for j in range(30)]), "npz")
    loaded = sparse.load_npz(io.BytesIO(data))
    assert (loaded.toarray() == matrix.toarray()).all()
    assert loaded.format == "csr"
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        assert arrays["y"].tolist() == list(range(50))
        assert arrays["feature_names"].tolist()[:2] == ["f0", "f1"]


def test_unused_values_behind_the_last_row_are_not_written(path: Path) -> None:
    matrix = sparse.csr_array(([1.0, 2.0, 9.0], [0, 1, 0], [0, 1, 2]), shape=(2, 2))
    for format in ("svmlight", "csv", "npz"):
        new = again(path, as_bytes(sheet(matrix, [0, 1]), format)[0], format)
        assert dense(new.rows).tolist() == [[1, 0], [0, 2]]


def test_pyarrow_reads_what_is_written(path: Path) -> None:
    old = sheet([[1.5, 0.0], [0.0, -2.0]], ["no", "yes"], ["a", "b"])
    for format, read in (("parquet", pyarrow.parquet.read_table), ("arrow", pyarrow.feather.read_table)):
        table = read(io.BytesIO(as_bytes(old, format)[0]))
        assert table.to_pydict() == {"label": ["no", "yes"], "a": [1.5, 0.0], "b": [0.0, -2.0]}


def test_what_it_looks_like() -> None:
    old = sheet(sparse.csr_array([[0.5, 0.0, 2.0], [0.0, 0.0, 0.0]]), [1, -1], ["a", "b c", "d"])
    assert as_bytes(old, "svmlight")[0] == b"1 1:0.5 3:2\n-1\n"
    assert as_bytes(old, "svmlight", base=0)[0] == b"1 0:0.5 2:2\n-1\n"
    assert as_bytes(old, "csv")[0] == b"label,a,b c,d\n1,0.5,0,2\n-1,0,0,0\n"
    assert as_bytes(sheet([[1.0, 0.0]], [0.5], ["a", "b"]), "vw")[0] == b"0.5 | a:1\n"
    assert as_bytes(sheet([[1.0, 0.0]], None, ["a", "b"]), "vw")[0] == b"| a:1\n"
    # The last column, and the first one if indices count from 0, are there for a reader to find.
    empty = sheet(sparse.csr_array(([2.0], [1], [0, 1]), shape=(1, 4)), [1])
    assert as_bytes(empty, "svmlight")[0] == b"1 2:2 4:0\n"
    assert as_bytes(empty, "svmlight", base=0)[0] == b"1 0:0 1:2 3:0\n"


# --- Labels, and names. ---


@pytest.mark.parametrize("format", FORMATS)
def test_rows_without_labels_can_be_written(path: Path, format: str) -> None:
    data, notes = as_bytes(sheet([[1.0, 2.0]], None, ["a", "b"]), format)
    new = again(path, data, format, labels="wanted")
    assert dense(new.rows).tolist() == [[1, 2]]
    if format == "svmlight":
        assert new.labels is not None
        assert new.labels.tolist() == [0]
        assert notes[0] == "no labels: svmlight has 0 for each"
    else:
        assert new.labels is None


def test_truth_values_are_kept_where_they_can_be_and_told_where_not() -> None:
    old = sheet([[1.0], [2.0]], [False, True])
    told = ("the labels False and True are written as 0 and 1",)
    assert as_bytes(old, "svmlight") == (b"0 1:1\n1 1:2\n", told)
    assert as_bytes(old, "npy")[1] == told
    assert as_bytes(old, "csv") == (
        b"label,x0\nfalse,1\ntrue,2\n",
        ("the labels False and True are written as text, false and true",),
    )
    assert as_bytes(old, "vw") == (
        b"-1 | 0:1\n1 | 0:2\n",
        ("VW has two classes as -1 and 1: False is written as -1, True as 1",),
    )


def test_labels_that_a_format_cannot_hold_are_refused_with_advice() -> None:
    for format in ("svmlight", "npy", "vw"):
        assert refusal(sheet([[1.0], [2.0]], ["no", "yes"]), format).endswith(
            "holds no labels such as 'no'; expected numbers: csv, parquet and npz hold text"
        )
    assert refusal(sheet([[1.0], [2.0]], ["1", "2"]), "csv") == (
        "labels are text that looks like numbers, such as '1'; parquet keeps it text"
    )
    for format in ("svmlight", "npy", "vw"):
        assert refusal(sheet([[1.0]], [2**53 + 1]), format).endswith("no labels beyond 2**53; csv, parquet and npz do")
    assert refusal(sheet([[1.0]], ["a\0"]), "npz").startswith("npz cannot hold the text 'a\\x00'")
    for label in ("", " ", "NA", " ? ", "a\0"):
        assert refusal(sheet([[1.0], [1.0]], ["b", label]), "csv").startswith("the label ")
    for name in ("", " a", "a\t", "a\nb", "a\0"):
        assert refusal(sheet([[1.0]], [1], [name]), "csv").startswith("CSV cannot hold the name")
    assert refusal(sheet([[1.0, 2.0]], None, ["0", "b"]), "csv").startswith(
        "a column named '0' would make CSV's header"
    )
    for name in ("a b", "a:b", "a|b", "", "a\n"):
        assert refusal(sheet([[1.0]], [1], [name]), "vw").startswith("VW text cannot hold the name")


def test_the_label_keeps_its_name_and_features_theirs() -> None:
    def header(*arguments: Any, **reading: Any) -> tuple[str, tuple[str, ...]]:
        data, notes = as_bytes(sheet(*arguments, **reading), "csv")
        return data.decode().partition("\n")[0], notes

    assert header([[1.0, 2.0]], [1], ["a", "b"], label="Class") == ("Class,a,b", ())
    assert header([[1.0, 2.0]], [1], ["a", "b"], label=-1) == ("label,a,b", ())
    told = "the label's column is {}: say so when reading it (label=, --label)"
    assert header([[1.0]], [1], ["a"], label="ill") == ("ill,a", (told.format("'ill'"),))
    assert header([[1.0]], [1], ["label"]) == ("class,label", (told.format("'class'"),))
    assert header([[1.0]], [1], ["Y"]) == ("label,Y", (told.format("'label'"),))
    names = ["label", "class", "target", "y"]
    assert refusal(sheet([[1.0] * 4], [1], names), "csv").startswith("features have the names label, class, target, y;")


def test_what_is_too_large_or_not_finite_is_refused() -> None:
    wide = sheet(sparse.csr_array(([1.0], [0], [0, 1]), shape=(1, 10**5 + 1)), [1])
    for format in ("csv", "parquet", "npy"):
        assert refusal(wide, format).startswith("a table of 1 × 100001 cells is too large; expected at most 100000 col")
    long = sheet(sparse.csr_array((10**6, 3000)), np.zeros(10**6, dtype=int))
    assert refusal(long, "arrow").startswith("a table of 1000000 × 3000 cells is too large")
    assert refusal(sheet([[1.0, float("inf")]], [1]), "csv") == "row 0, column 1: not a finite number; expected one"
    assert refusal(sheet([[1.0]], [1]), "arff") == (
        "arff is not written; expected one of svmlight, csv, tsv, parquet, arrow, npy, npz, vw"
    )
    with pytest.raises(InputError, match="base must be 0 or 1"):
        as_bytes(sheet([[1.0]], [1]), "svmlight", base=2)


# --- Files. ---


def unpacked_by_zstd(data: bytes) -> bytes:
    return zstandard.ZstdDecompressor().decompress(data)


@pytest.mark.parametrize(
    ("ending", "unpacked"),
    [
        ("", bytes),
        (".gz", gzip.decompress),
        (".bz2", bz2.decompress),
        (".xz", lzma.decompress),
        (".zst", unpacked_by_zstd),
    ],
)
def test_a_name_says_the_format_and_the_packing(
    tmp_path: Path, ending: str, unpacked: Callable[[bytes], bytes]
) -> None:
    old = sheet([[1.0, 2.0], [3.0, 4.0]], [1, 2])
    for name, format in (("a.svm", "svmlight"), ("a.b.CSV", "csv"), ("a.parquet", "parquet"), ("a.npz", "npz")):
        write(old, tmp_path / (name + ending))
        assert unpacked((tmp_path / (name + ending)).read_bytes()) == as_bytes(old, format)[0]
        new = sheet_of(tmp_path / (name + ending), options_of())
        assert dense(new.rows).tolist() == [[1, 2], [3, 4]]
    assert write(old, tmp_path / "named otherwise", "csv") == ()
    assert (tmp_path / "named otherwise").read_bytes() == as_bytes(old, "csv")[0]


@pytest.mark.serial
def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    old = sheet([[1.0, 2.0], [3.0, 4.0]], [1, 2])
    for name in ("a.csv.gz", "a.npz", "a.svm.xz", "a.parquet", "a.arrow"):
        write(old, tmp_path / name)
        first = (tmp_path / name).read_bytes()
        time.sleep(0.01)
        write(old, tmp_path / name)
        assert (tmp_path / name).read_bytes() == first


def test_a_refusal_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("precious")
    with pytest.raises(InputError, match=r"a\.svm: svmlight holds no labels such as 'no'"):
        write(sheet([[1.0]], ["no"]), path)
    with pytest.raises(InputError, match="its name says no format; expected one that ends in"):
        write(sheet([[1.0]], [1]), tmp_path / "what")
    assert path.read_text() == "precious"
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.svm"]


@pytest.mark.slow
def test_blocks_do_not_show(path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 200)) * (rng.random((3000, 200)) < 0.9)
    old = sheet(X, (rng.random(3000) < 0.5).astype(int))
    for format in ("svmlight", "csv", "parquet"):
        new = again(path, as_bytes(old, format)[0], format)
        assert dense(new.rows).tobytes() == (X + 0).tobytes()
        assert new.labels is not None
        assert old.labels is not None
        assert new.labels.tolist() == old.labels.tolist()


@pytest.mark.serial
def test_a_million_values_are_written_in_seconds() -> None:
    matrix = sparse.random_array((20_000, 1000), density=0.05, rng=np.random.default_rng(0), format="csr")
    old = sheet(matrix, [1, -1] * 10_000)
    start = time.perf_counter()
    data, _ = as_bytes(old, "svmlight")
    assert time.perf_counter() - start < 10
    assert data.count(b":") == matrix.nnz
