"""Arrays from NumPy's and SciPy's files: what they wrote is read, bit for bit; what is damaged or forged never is."""

import gzip
import io
import random
import struct
import subprocess
import sys
import tracemalloc
import warnings
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

import rosenblatt
from rosenblatt import InputError
from rosenblatt.data.rows import matrix_of
from rosenblatt.files.arrays.in_memory import read_array
from rosenblatt.files.arrays.npy import read_npy
from rosenblatt.files.arrays.npz import read_npz
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import options_of
from rosenblatt.files.sheet import Sheet

NAN, INF = float("nan"), float("inf")
EYE = sparse.csr_array(np.eye(2))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arrays") / "rows"


def read(path: Path, data: bytes, **options: Any) -> Sheet:
    path.write_bytes(data)
    with InputFile(path) as opened:
        reader = read_npz if opened.peek(2)[:2] == b"PK" or options.get("format") == "npz" else read_npy
        return reader(opened, options_of(**options))


def refusal(path: Path, data: bytes, **options: Any) -> str:
    """Why it is not read: one line that begins with the path."""
    with pytest.raises(InputError) as refused:
        read(path, data, **options)
    message = str(refused.value)
    assert message.startswith(f"{path}: ")
    assert len(message.splitlines()) == 1
    assert len(message) < len(str(path)) + 250
    return message.removeprefix(f"{path}: ")


def npy(array: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a version 3.0
        np.lib.format.write_array(file, np.asanyarray(array), **options)
    return file.getvalue()


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def scipys(matrix: Any, compressed: bool = False, **beside: Any) -> bytes:
    """As SciPy writes it, with more arrays beside."""
    file = io.BytesIO()
    sparse.save_npz(file, matrix, compressed=compressed)
    with zipfile.ZipFile(file, "a") as archive:
        for key, array in beside.items():
            archive.writestr(f"{key}.npy", npy(array))
    return file.getvalue()


def dense(sheet: Sheet) -> np.ndarray:
    matrix = matrix_of(sheet.rows)
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


# --- .npy. ---


@st.composite
def tables(draw: Any) -> np.ndarray:
    """Numbers of any type, in any byte and memory order, which float64 holds."""
    dtype = np.dtype(draw(st.sampled_from(["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u8", "?"])))
    dtype = dtype.newbyteorder(draw(st.sampled_from("<>")))
    shape = draw(st.tuples(st.integers(1, 5), st.integers(2, 4)))
    elements = None if dtype.kind == "b" else {"allow_nan": False, "allow_infinity": False}
    if dtype.kind in "iu":
        elements = {"min_value": max(-(2**53), int(np.iinfo(dtype).min)), "max_value": min(2**53, np.iinfo(dtype).max)}
    table = draw(hnp.arrays(dtype, shape, elements=hnp.from_dtype(dtype, **elements) if elements else None))
    return np.asfortranarray(table) if draw(st.booleans()) else table


@settings(max_examples=examples(100), deadline=None)
@given(tables(), st.sampled_from([(1, 0), (2, 0)]), st.integers(-2, 1))
def test_a_table_is_read_as_numpy_wrote_it(path: Path, table: np.ndarray, version: Any, label: int) -> None:
    sheet = read(path, npy(table, version=version), label=label)
    features = np.delete(table, label, axis=1)
    kept = table.dtype.kind == "f" and table.dtype.itemsize in (4, 8)
    assert dense(sheet).dtype == (table.dtype.newbyteorder("=") if kept else np.float64)
    assert dense(sheet).tobytes() == np.ascontiguousarray(features, dense(sheet).dtype).tobytes()
    assert sheet.labels is not None
    assert sheet.labels.tolist() == table[:, label].tolist()
    assert sheet.reading.to_dict() == {"format": "npy", "label": label, "missing": "refuse"}
    assert sheet.lines is None
    assert sheet.feature_names is None


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (np.array([1.0, -2.0]), np.int64),
        (np.array([1.0, 0.5], np.float32), np.float64),
        (np.array([1, 200], np.uint8), np.int64),
        (np.array([True, False]), np.bool_),
        (np.array([1e300, 1.0]), np.float64),
        (np.array(["b", "ä"]), np.object_),
        (np.array([b"b", b"\xc3\xa4"]), np.object_),
        (np.array([2**62 + 1, 0]), np.int64),
    ],
)
def test_labels_are_whole_numbers_if_all_are_else_numbers_truth_values_or_text(
    path: Path, labels: np.ndarray, kind: Any
) -> None:
    found = read(path, npz(X=np.eye(2), y=labels)).labels
    assert read(path, npz(X=np.eye(2), y=np.asarray(labels)[:, None])).labels.tolist() == found.tolist()
    assert found is not None
    assert found.dtype == kind
    assert found.tolist() == [label.decode() if isinstance(label, bytes) else label for label in labels.tolist()]


def test_the_label_is_the_last_column_unless_said_otherwise(path: Path) -> None:
    data = npy(np.arange(6.0).reshape(2, 3))
    sheet = read(path, data)
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [2, 5]
    assert sheet.notes == ("the last column is the label; label= (--label) says otherwise",)
    assert sheet.reading.to_dict()["label"] == -1
    for label in (0, "0", -3, "-3"):
        sheet = read(path, data, label=label)
        assert sheet.labels is not None
        assert sheet.labels.tolist() == [0, 3]
        assert sheet.notes == ()
    sheet = read(path, data, labels="wanted")
    assert sheet.labels is None
    assert sheet.rows.d == 3
    assert sheet.notes == ("every column is a feature; label= (--label) says otherwise",)
    assert refusal(path, data, label=3) == (
        "no column 3, where the label is said to be; expected 0 to 2, or -1 for the last one"
    )
    assert refusal(path, data, label="age") == "no column 'age'; columns have no names here: give a position"
    assert refusal(path, data, label="٣").startswith("no column '٣'")


def test_the_fields_of_a_structured_array_are_columns_with_names(path: Path) -> None:
    table = np.array([(1, 2.5, True), (3, -4.5, False)], dtype=[("age", ">i4"), ("size", "f8"), ("ill", "?")])
    sheet = read(path, npy(table))
    assert sheet.feature_names == ("age", "size")
    assert dense(sheet).tolist() == [[1, 2.5], [3, -4.5]]
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [1, 0]
    assert sheet.reading.to_dict()["label"] == "ill"
    assert read(path, npy(table), label="age").feature_names == ("size", "ill")
    assert refusal(path, npy(table), label="x") == "no column 'x'; columns are 'age', 'size', 'ill'"
    text = np.array([("a", 1.0)], dtype=[("name", "U1"), ("size", "f8")])
    assert refusal(path, npy(text)) == "field 'name' of type '<U1'; expected numbers"


def test_a_file_packed_or_not_is_read_the_same(path: Path) -> None:
    for data in (npy(np.arange(6.0).reshape(2, 3)), npz(X=np.eye(2), y=[1, 2]), scipys(EYE, y=[1, 2])):
        form = "npz" if data[:2] == b"PK" else "npy"
        plain, packed = read(path, data), read(path, gzip.compress(data), format=form)
        assert dense(plain).tobytes() == dense(packed).tobytes()


def claim(shape: str, descr: str = "'<f8'", data: bytes = bytes(48), rest: str = "") -> bytes:
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, {rest}}}".encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + data


BAD_NPY: list[tuple[bytes, str]] = [
    (b"", "not a .npy array"),
    (b"\x93NUM", "not a .npy array"),
    (b"\x93NUMPY\1", "not a .npy array"),
    (b"hello, world\n", "not a .npy array"),
    (b"\x93NUMPY\1\0", "its header cannot be read"),
    (b"\x93NUMPY\1\0\x10\0{", "its header cannot be read"),
    (b"\x93NUMPY\4\0" + bytes(100), "a .npy of version 4.0; expected 1.0 or 2.0"),
    (b"\x93NUMPY\2\0\xff\xff\xff\xff", "a header of 4294967295 bytes; expected at most 10000"),
    (npy(np.array([(1.0,)], dtype=[("é€", "f8")])), "a .npy of version 3.0"),
    (npy(np.array([[1, "a"]], dtype=object)), "it holds Python objects, which are never opened"),
    (npy(np.array([(1.0, None)], dtype=[("a", "f8"), ("b", "O")])), "it holds Python objects, which are never"),
    (npy(np.eye(2))[:-1], "31 bytes of numbers; expected 32 for the shape (2, 2)"),
    (npy(np.eye(2)) + b"\0", "more than 32 bytes of numbers; expected 32 for the shape (2, 2)"),
    (claim("(2, 3)", data=b""), "0 bytes of numbers; expected 48"),
    (claim("(2**60, 3)"), "its header cannot be read"),
    (claim(f"({2**60}, 3)"), f"48 bytes of numbers; expected {2**63 * 3}"),
    (claim(f"({10**4000}, 3)"), "shape (1000000"),
    (claim(f"(0, {2**63})", data=b""), "shape (0, 9223372036854775808) of 'float64'; expected numbers"),
    (claim(f"(0, {2**62})", data=b""), "shape (0, 4611686018427387904)"),
    (claim("(-2, -3)"), "shape (-2, -3) of 'float64'; expected numbers"),
    (claim("(2, -3)"), "shape (2, -3) of 'float64'; expected numbers"),
    (claim("[2, 3]"), "its header cannot be read"),
    (claim("(2.0, 3)"), "its header cannot be read"),
    (claim("(6,)"), "shape (6,); expected a table of rows and columns"),
    (claim("()", data=bytes(8)), "shape (); expected a table"),
    (claim("(1, 2, 3)"), "shape (1, 2, 3); expected a table"),
    (claim("(6, 1)"), "one column only; expected features beside the label"),
    (claim("(6, 0)", data=b""), "shape (6, 0); expected a table"),
    (claim("(0, 3)", data=b""), "shape (0, 3); expected a table"),
    (claim("(2, 3)", "'<U0'", b""), "shape (2, 3) of '<U0'; expected numbers"),
    (claim("(2, 3)", "'<U2'"), "values of type <U2: expected real numbers"),
    (claim("(1, 3)", "'<c16'"), "values of type complex128: expected real numbers"),
    (claim("(2, 3)", "'<M8[s]'"), "values of type datetime64[s]: expected real numbers"),
    (claim("(2, 3)", "'|V8'"), "values of type '|V8'; expected numbers"),
    (claim("(2, 3)", "[('" + "a" * 1000 + "', '<f8')]"), "values of type \"[('aaaa"),
    (claim("(2,)", "[('a', '<f8', (3,))]"), "field 'a' of type \"('<f8', (3,))\"; expected numbers"),
    (claim("(2, 3)", "'nonsense'"), "its header cannot be read"),
    (claim("(2, 3)", "('<f8', (10**9,))"), "its header cannot be read"),
    (claim("(2, 3)", rest="'more': 1"), "its header cannot be read"),
    (claim("(2, 3)", rest="__import__('os')"), "its header cannot be read"),
    (claim("(" * 3000), "its header cannot be read"),
    (claim("-" * 9000 + "1"), "its header cannot be read"),
    (npy(np.array([[2**53 + 2, 1]])), "integers beyond 2**53 are not exact as float64"),
    (npy([[1.0, NAN, 2.0]]), "row 0, column 1: missing (NaN); expected a finite number (missing=, --missing says"),
    (npy([[1.0, 2.0, 0.0], [3.0, -INF, 1.0]]), "row 1, column 1: infinite; expected a finite number"),
    (npy([[1.0, 2.0], [3.0, NAN]]), "row 1: its label is missing; expected one for each row"),
    (npy([[1.0, 2.0], [3.0, INF]]), "row 1: its label is infinite; expected a finite number"),
]


@pytest.mark.parametrize(("data", "reason"), BAD_NPY, ids=[reason for _, reason in BAD_NPY])
def test_a_bad_npy_is_refused_in_one_line(path: Path, data: bytes, reason: str) -> None:
    assert refusal(path, data).startswith(reason)


def test_a_header_of_python_2_is_fine(path: Path) -> None:
    assert dense(read(path, claim("(2L, 3L)", data=np.arange(6.0).tobytes()))).tolist() == [[0, 1], [3, 4]]


def test_claims_are_refused_before_memory_is_taken_for_them(path: Path) -> None:
    for data in (
        claim(f"({10**9}, 3)"),
        npz(X=np.eye(2), y=[1, 2]).replace(b"'shape': (2, 2), }" + b" " * 15, f"'shape': ({10**9}, 3), }}".encode()),
        gzip.compress(claim(f"({10**9}, 3)", data=bytes(10**5))),
        scipys(sparse.csc_array(([1.0], [0], [0, 1]), shape=(2**40, 1))),
        scipys(sparse.coo_array(([1.0], ([0], [0])), shape=(2**40, 1))),
    ):
        tracemalloc.start()
        refusal(path, data, labels="wanted", format="npz" if data[:2] == b"PK" else None)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2 * 10**7


# --- Missing values. ---

GAPS = np.array([[1.0, NAN, 0], [3.0, 4.0, 1], [NAN, 9.0, 1], [5.0, -4.0, 0]])


@pytest.mark.parametrize("form", ["npy", "npz", "csr"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_missing_values_are_dropped_filled_or_refused(path: Path, form: str, dtype: Any) -> None:
    table = GAPS.astype(dtype)
    data = {
        "npy": npy(table),
        "npz": npz(X=table[:, :2], y=table[:, 2]),
        "csr": scipys(sparse.csr_array(table[:, :2]), y=table[:, 2]),
    }[form]
    sheet = read(path, data, missing="drop")
    assert dense(sheet).tolist() == [[3, 4], [5, -4]]
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [1, 0]
    assert sheet.notes[-1] == "2 rows with missing values dropped: 0, 2"
    assert dense(read(path, data, missing="zero")).tolist() == [[1, 0], [3, 4], [0, 9], [5, -4]]
    sheet = read(path, data, missing="mean")
    assert dense(sheet).tolist() == [[1, 3], [3, 4], [3, 9], [5, -4]]
    assert sheet.reading.to_dict()["fill"] == {"0": 3.0, "1": 3.0}
    assert dense(sheet).dtype == dtype
    sheet = read(path, data, missing="mean", fill={"0": 7.0, "1": 8.0, "2": 9.0})
    assert dense(sheet).tolist() == [[1, 8], [3, 4], [7, 9], [5, -4]]
    assert sheet.reading.to_dict()["fill"] == {"0": 7.0, "1": 8.0, "2": 9.0}
    assert refusal(path, data, missing="mean", fill={"0": 7.0}).startswith("column '1': values are missing and it has")
    assert refusal(path, data).startswith("row 0, column 1: missing (NaN)")


def test_the_mean_of_a_sparse_column_counts_its_zeros(path: Path) -> None:
    matrix = sparse.csr_array(np.array([[0.0, 1.0], [NAN, 1.0], [4.0, 0.0]]))
    sheet = read(path, scipys(matrix, y=[0, 1, 1]), missing="mean")
    assert dense(sheet).tolist() == [[0, 1], [2, 1], [4, 0]]
    assert sheet.reading.to_dict()["fill"] == {"0": 2.0}  # of the columns that lack values alone


@settings(max_examples=examples(60), deadline=None)
@given(hnp.arrays(np.float64, (4, 3), elements=st.sampled_from([0.0, 1.0, -2.5, NAN])), st.booleans())
def test_dense_and_sparse_rows_are_filled_alike(path: Path, table: np.ndarray, drop: bool) -> None:
    outcomes = []
    for data in (npz(X=table, y=range(4)), scipys(sparse.csr_array(table), y=range(4))):
        try:
            sheet = read(path, data, missing="drop" if drop else "mean")
            outcomes.append((dense(sheet).tolist(), None if sheet.labels is None else sheet.labels.tolist()))
        except InputError as error:
            outcomes.append((str(error), None))
    assert outcomes[0] == outcomes[1]
    if not drop and isinstance(outcomes[0][0], list):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            means = np.nanmean(table, axis=0)
        np.testing.assert_allclose(outcomes[0][0], np.where(np.isnan(table), means, table))


def test_what_cannot_be_filled_is_refused(path: Path) -> None:
    every = npy(np.array([[NAN, 1.0], [NAN, 0.0]]))
    assert refusal(path, every, missing="mean") == (
        "column '0': values are missing and it has no mean; expected missing=zero or drop"
    )
    assert refusal(path, every, missing="drop") == "every row has a missing value; expected some rows that have none"
    infinite = npy(np.array([[NAN, 1.0], [INF, 0.0]]))
    for missing in ("drop", "zero", "mean"):
        assert refusal(path, infinite, missing=missing) == "row 1, column 0: infinite; expected a finite number"
    names = npz(X=[[1.0, NAN]], y=[1], feature_names=["a", "b"])
    assert refusal(path, names).startswith("row 0, column 'b': missing")
    assert read(path, names, missing="zero").feature_names == ("a", "b")


# --- .npz. ---


@pytest.mark.parametrize(
    ("rows", "labels"), [("X", "y"), ("data", "target"), ("features", "labels"), ("data", "label")]
)
def test_rows_and_labels_have_one_of_their_usual_names(path: Path, rows: str, labels: str) -> None:
    sheet = read(path, npz(**{rows: np.eye(2, dtype=np.float32), labels: ["no", "yes"]}, other=np.zeros(7)))
    assert dense(sheet).tolist() == [[1, 0], [0, 1]]
    assert dense(sheet).dtype == np.float32
    assert sheet.labels is not None
    assert sheet.labels.tolist() == ["no", "yes"]
    assert sheet.reading.to_dict() == {"format": "npz", "missing": "refuse"}


def test_labels_may_be_any_array_by_its_name_or_a_column_by_its_position(path: Path) -> None:
    sheet = read(path, npz(X=np.eye(2), y=[1, 2], z=[3, 4]), label="z")
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [3, 4]
    assert sheet.reading.to_dict()["label"] == "z"
    sheet = read(path, npz(X=[[1.0, 2], [3, 4]], feature_names=["a", "b"]), label="a")
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [1, 3]
    assert sheet.feature_names == ("b",)
    assert sheet.reading.to_dict()["label"] == "a"
    assert read(path, npz(X=np.eye(2)), labels="wanted").labels is None
    assert read(path, npz(X=[[1.0, 2]]), label=0).rows.d == 1


forms = st.sampled_from(["csr", "csc", "coo"])


@settings(max_examples=examples(120), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.sampled_from([1.0, -2.5, 0.0, 1e-300])), max_size=12),
    forms,
    st.sampled_from([np.float64, np.float32, np.int8]),
    st.sampled_from([np.int32, np.int64]),
    st.booleans(),
)
def test_what_scipy_saved_is_what_scipy_loads(
    path: Path, entries: list[tuple[int, int, float]], form: str, dtype: Any, index: Any, compressed: bool
) -> None:
    """In any order, with repetitions, in any of its forms: SciPy's own reader says what it is."""
    row, column = (np.array([entry[k] for entry in entries], dtype=index) for k in (0, 1))
    values = np.array([entry[2] for entry in entries]).astype(dtype)
    if form == "coo":
        matrix = sparse.coo_array((values, (row, column)), shape=(4, 5))
    else:
        major, minor, size = (row, column, 4) if form == "csr" else (column, row, 5)
        order = np.argsort(major, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(major, minlength=size))]).astype(index)
        kind = sparse.csr_array if form == "csr" else sparse.csc_array
        matrix = kind((values[order], minor[order], starts), shape=(4, 5))
    data = scipys(matrix, compressed, y=np.arange(4), feature_names=list("abcde"))
    sheet = read(path, data)
    path.write_bytes(data)
    known = sparse.load_npz(path).astype(np.float64 if dtype is np.int8 else dtype).toarray()
    assert sheet.rows.is_sparse
    assert dense(sheet).tolist() == known.tolist()
    assert sheet.feature_names == tuple("abcde")
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [0, 1, 2, 3]
    columns, starts = np.asarray(sheet.rows.arrays[1]), np.asarray(sheet.rows.arrays[2])
    assert all((np.diff(columns[a:b]) > 0).all() for a, b in pairwise(starts))


def test_what_lies_behind_the_last_row_is_passed_over_as_scipy_does(path: Path) -> None:
    data = npz(**{**CSR, "data": [5.0, 6.0, NAN], "indices": [2, 0, 9]})
    path.write_bytes(data)
    assert dense(read(path, data)).tolist() == sparse.load_npz(path).toarray().tolist() == [[0, 0, 5], [6, 0, 0]]


def test_coordinates_may_be_one_array(path: Path) -> None:
    parts = {"format": b"coo", "shape": (2, 3), "data": [5.0, 6.0], "coords": [[1, 0], [2, 0]]}
    assert dense(read(path, npz(**parts, y=[1, 2]))).tolist() == [[6, 0, 0], [0, 0, 5]]


CSR = {"format": b"csr", "shape": (2, 3), "data": [5.0, 6.0], "indices": [2, 0], "indptr": [0, 1, 2], "y": [0, 1]}
COO = {"format": "coo", "shape": (2, 3), "data": [5.0, 6.0], "row": [1, 0], "col": [2, 0], "y": [0, 1]}
CSC = {**CSR, "format": b"csc", "indices": [1, 0], "indptr": [0, 1, 1, 2]}


def without(parts: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: part for name, part in parts.items() if name != key}


BAD_NPZ: list[tuple[dict[str, Any], str]] = [
    ({}, "its arrays are none; expected rows X and labels y"),
    ({"a": [1], "b": [2]}, "its arrays are 'a', 'b'; expected rows X and labels y"),
    ({"X": [[1.0]], "data": [[1.0]], "y": [1]}, "its arrays are 'X', 'data', 'y'; expected rows X"),
    ({"X": [[1.0]], "y": [1], "labels": [1]}, "its arrays are 'X', 'y', 'labels'; expected rows X"),
    ({"X": [[1.0]]}, "no labels: its arrays are 'X'; expected an array y, or say which column of X they are"),
    ({"X": [[1.0]], "y": [1, 2]}, "1 rows but 2 labels"),
    ({"X": [[1.0]], "y": [[1, 1]]}, "labels of shape (1, 2)"),
    ({"X": [1.0], "y": [1]}, "rows must form a table (n, d), not an array of 1 dimension(s)"),
    ({"X": np.zeros((0, 2)), "y": []}, "no rows"),
    ({"X": [["a"]], "y": [1]}, "values of type <U1: expected real numbers"),
    ({"X": [[1.0]], "y": np.array(["2020-01-01"], "M8[D]")}, "labels of type datetime64[D]; expected numbers, text"),
    ({"X": [[1.0]], "y": [1j]}, "labels of type complex128; expected numbers, text or booleans"),
    ({"X": [[1.0]], "y": [b"\xff"]}, "labels: bytes that are not UTF-8; expected text"),
    ({"X": [[1.0]], "y": np.array([2**63], np.uint64)}, "label 9223372036854775808; expected whole numbers below"),
    ({"X": np.array([[None]]), "y": [1]}, "array 'X': it holds Python objects, which are never opened"),
    ({"X": [[1.0]], "y": np.array([None])}, "array 'y': it holds Python objects, which are never opened"),
    ({"X": [[1.0]], "y": [1], "feature_names": ["a", "b"]}, "2 feature names for 1 column"),
    ({"X": [[1.0, 2]], "y": [1], "feature_names": ["a", "a"]}, "array 'feature_names': some name is in it twice"),
    ({"X": [[1.0]], "y": [1], "feature_names": [1]}, "array 'feature_names': int64 of shape (1,); expected a list"),
    (without(CSR, "y"), "no labels: its arrays are 'format', 'shape', 'data', 'indices', 'indptr'; expected an array"),
    (without(CSR, "indptr"), "no array 'indptr' in it; there are 'format', 'shape', 'data', 'indices', 'y'"),
    (without(CSR, "data"), "no array 'data' in it"),
    (without(COO, "col"), "no array 'col' in it"),
    ({**CSR, "format": b"bsr"}, "a sparse matrix of format 'bsr'; expected csr, csc or coo: use tocsr()"),
    ({**CSR, "format": "dia"}, "a sparse matrix of format 'dia'; expected csr, csc or coo"),
    ({**CSR, "format": 7}, "a sparse matrix of format ''; expected csr, csc or coo"),
    ({**CSR, "shape": (2, 3, 4)}, "a sparse matrix of shape [2, 3, 4]; expected rows, and 1 to 2147483647 columns"),
    ({**CSR, "shape": (2, 2**31)}, "a sparse matrix of shape [2, 2147483648]; expected rows"),
    ({**CSR, "shape": (-2, 3)}, "a sparse matrix of shape [-2, 3]; expected rows"),
    ({**CSR, "shape": (2.0, 3.0)}, "a sparse matrix of shape [2.0, 3.0]; expected rows"),
    ({**CSR, "shape": (0, 3), "indptr": [0], "y": []}, "a sparse matrix of shape [0, 3]; expected rows"),
    ({**CSR, "shape": (3, 3)}, "sparse matrix: indptr has shape (3,); expected 4 whole numbers"),
    ({**CSR, "indptr": [0.0, 1.0, 2.0]}, "sparse matrix: indptr has shape (3,); expected 3 whole numbers"),
    ({**CSR, "indptr": [1, 1, 2]}, "sparse matrix: indptr; expected numbers that rise from 0 to 2"),
    ({**CSR, "indptr": [0, 3, 2]}, "sparse matrix: indptr; expected numbers that rise from 0 to 2"),
    ({**CSR, "indptr": [0, -1, 2]}, "sparse matrix: indptr; expected numbers that rise from 0 to 2"),
    ({**CSR, "indptr": [0, 1, 3]}, "sparse matrix: indptr; expected numbers that rise from 0 to 2"),
    ({**CSR, "indptr": np.array([0, 2**64 - 1, 2], np.uint64)}, "sparse matrix: indptr; expected numbers that rise"),
    ({**CSR, "indices": [3, 0]}, "sparse matrix: a column is not within 0 to 2"),
    ({**CSR, "indices": [-1, 0]}, "sparse matrix: a column is not within 0 to 2"),
    ({**CSR, "indices": [0.0, 1.0]}, "sparse matrix: columns of shape (2,); expected a whole number for each value"),
    ({**CSR, "indices": [0, 1, 2], "indptr": [0, 1, 3]}, "sparse matrix: rows of shape (3,); expected a whole number"),
    ({**CSR, "indices": [[2, 0]]}, "sparse matrix: expected lists of numbers as its parts"),
    ({**CSR, "data": 5.0}, "sparse matrix: expected lists of numbers as its parts"),
    ({**without(COO, "row"), "coords": [1, 2]}, "sparse matrix: expected lists of numbers as its parts"),
    ({**without(COO, "row"), "coords": [[1, 2]] * 3}, "sparse matrix: expected lists of numbers as its parts"),
    ({**CSR, "data": ["a", "b"]}, "values of type <U1: expected real numbers"),
    ({**CSR, "data": [1.0, NAN]}, "row 1, column 0: missing (NaN)"),
    ({**CSR, "data": [1.0, -INF]}, "row 1, column 0: infinite; expected a finite number"),
    ({**CSR, "y": [0, 1, 2]}, "2 rows but 3 labels"),
    ({**CSC, "indices": [2, 0]}, "sparse matrix: a row is not within 0 to 1"),
    ({**CSC, "y": [0, 1, 2]}, "sparse matrix: 2 rows claimed for 3 labels"),
    ({**COO, "row": [1, 2]}, "sparse matrix: a row is not within 0 to 1"),
    ({**COO, "col": [1]}, "sparse matrix: columns of shape (1,); expected a whole number for each value"),
    ({**COO, "data": [[1.0, 2.0]]}, "sparse matrix: expected lists of numbers as its parts"),
]


@pytest.mark.parametrize(("arrays", "reason"), BAD_NPZ, ids=[reason for _, reason in BAD_NPZ])
def test_arrays_that_make_no_sense_are_refused_in_one_line(path: Path, arrays: Any, reason: str) -> None:
    assert refusal(path, npz(**arrays), format="npz").startswith(reason)


def test_conflicting_labels_are_refused(path: Path) -> None:
    data = npz(X=np.eye(2), y=[1, 2])
    assert refusal(path, data, label=0) == "the labels are its array 'y'; expected no column for them (--label)"
    assert refusal(path, npz(X=np.eye(2)), label="b").startswith("no column 'b'; columns have no names here")
    assert refusal(path, data, hash_bits=4).startswith("an array has no hash_bits to choose")


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w", method) as archive:
        warnings.simplefilter("ignore")  # of names that come twice
        for name, data in members:
            archive.writestr(name, data)
    return file.getvalue()


X, Y = ("X.npy", npy(np.eye(2))), ("y.npy", npy([1, 2]))


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_every_compression_that_zips_have_is_read(path: Path, method: int) -> None:
    assert dense(read(path, zipped(X, Y, method=method))).tolist() == [[1, 0], [0, 1]]


def test_a_bad_zip_is_refused_in_one_line(path: Path) -> None:
    sound = zipped(X, Y, method=zipfile.ZIP_DEFLATED)
    for data, reason in [
        (b"", "not a sound zip (File is not a zip file); expected arrays as numpy.savez writes them"),
        (b"PK\3\4 and no more", "not a sound zip (File is not a zip file)"),
        (sound[:-30], "not a sound zip (File is not a zip file)"),
        (zipped(X, Y, X), "'X' is in it twice; expected each array once"),
        (zipped(X, Y, ("a/z.npy", b"")), "'a/z.npy' is in it; expected arrays (.npy) only, and no folders"),
        (zipped(X, Y, ("readme.txt", b"")), "'readme.txt' is in it; expected arrays (.npy) only, and no folders"),
        (zipped(X, ("y.npy", b"")), "array 'y': not a .npy array"),
        (zipped(X, ("y.npy", npy([1, 2])[:-1])), "array 'y': 143 bytes; expected 144 for the shape (2,)"),
        (zipped(X, ("y.npy", npy([1, 2]) + b"\0")), "array 'y': 145 bytes; expected 144 for the shape (2,)"),
        (sound.replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\1\0"), "'X' is encrypted"),
        (sound.replace(b"\x14\0\0\0\x08\0", b"\x14\0\0\0\x63\0"), "not a sound zip (That compression method is not"),
    ]:
        assert refusal(path, data, format="npz").startswith(reason)


def test_a_wrong_checksum_is_noticed(path: Path) -> None:
    sound = zipped(X, Y)
    at = sound.index(npy(np.eye(2))) + 130
    changed = sound[:at] + bytes([sound[at] ^ 1]) + sound[at + 1 :]
    assert refusal(path, changed).startswith("not a sound zip (Bad CRC-32 for file 'X.npy'); expected")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_changed_file_is_refused_in_one_line_or_makes_sense(path: Path, method: int) -> None:
    rng = random.Random(method)
    parts = {**CSR, "y": np.array(["a", "b"])}
    data = zipped(*((f"{key}.npy", npy(part)) for key, part in parts.items()), method=method)
    accepted = 0
    for _ in range(400):
        changed = bytearray(data)
        for _ in range(rng.choice([1, 1, 2, 5])):
            place = rng.randrange(len(changed))
            changed[place : place + rng.choice([0, 1, 1, 8])] = rng.choice([b"", b"\0", b"\xff", rng.randbytes(1)])
        path.write_bytes(changed)
        with InputFile(path) as opened:
            try:
                sheet = read_npz(opened, options_of())
            except InputError as error:
                sheet, message = None, str(error)
        if sheet is None:
            assert len(message.splitlines()) == 1
            continue
        accepted += 1
        assert dense(sheet).shape == (2, 3)
    assert accepted < 300


def test_progress_ends_at_the_size(path: Path) -> None:
    path.write_bytes(zipped(X, Y))
    seen: list[Any] = []
    with InputFile(path, lambda taken, size: seen.append((taken, size))) as opened:
        read_npz(opened, options_of())
    assert seen[-1] == (path.stat().st_size,) * 2


# --- In memory. ---


def test_arrays_in_memory_are_sheets_too() -> None:
    table = np.arange(6.0).reshape(2, 3)
    sheet = read_array(table, ["a", "b"], options_of())
    assert sheet.rows.arrays[0] is table or np.shares_memory(sheet.rows.arrays[0], table)
    assert (sheet.name, sheet.format) == ("array", "array")
    assert sheet.labels is not None
    assert sheet.labels.tolist() == ["a", "b"]
    assert sheet.reading.to_dict() == {"missing": "refuse"}
    sheet = read_array(table.tolist(), None, options_of(label=0))
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [0, 3]
    labels = np.array(["x", None], dtype=object)
    assert read_array(table, labels, options_of()).labels is not None
    matrix = sparse.csr_array(table)
    assert dense(read_array(matrix, [0, 1], options_of())).tolist() == table.tolist()
    assert read_array(matrix, None, options_of(labels="wanted")).labels is None


@pytest.mark.parametrize(
    ("rows", "labels", "options", "reason"),
    [
        ([[1.0], [2.0, 3.0]], None, options_of(), "array: rows must form a table of numbers"),
        ([[1.0]], [1], options_of(label=0), "array: the labels are given as y; expected no column for them (label=)"),
        (sparse.eye_array(2), None, options_of(), "array: a sparse matrix without labels; expected them as y"),
        ([[NAN]], [1], options_of(), "array: row 0, column 0: missing (NaN)"),
        ([[1.0]], [1, 2], options_of(), "array: 1 rows but 2 labels"),
        ([["a"]], [1], options_of(), "array: values of type <U1"),
    ],
)
def test_what_is_wrong_with_an_array_in_memory_is_said_in_one_line(
    rows: Any, labels: Any, options: Any, reason: str
) -> None:
    with pytest.raises(InputError) as refused:
        read_array(rows, labels, options)
    assert str(refused.value).startswith(reason)
    assert len(str(refused.value).splitlines()) == 1


def test_unused_values_behind_the_last_row_are_not_looked_at() -> None:
    matrix = sparse.csr_array(([1.0, 2.0, NAN], [0, 1, 0], [0, 1, 2]), shape=(2, 2))
    assert dense(read_array(matrix, [0, 1], options_of())).tolist() == [[1, 0], [0, 2]]


def test_scipy_is_not_imported_to_read_what_it_saved(tmp_path: Path) -> None:
    for form in ("csr", "csc", "coo"):
        unsorted = sparse.csr_array(([1.0, 2.0], [1, 0], [0, 2]), shape=(1, 2)).asformat(form)
        (tmp_path / f"{form}.npz").write_bytes(scipys(unsorted, y=[1]))
    script = f"""
import sys
from rosenblatt.files.arrays.npz import read_npz
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import options_of
for form in ("csr", "csc", "coo"):
    with InputFile({str(tmp_path)!r} + "/" + form + ".npz") as opened:
        assert read_npz(opened, options_of()).rows.n == 1
print("scipy" in sys.modules, "sklearn" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout == "False False\n"


def test_names_of_another_number_than_columns_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", X=np.ones((3, 2)), feature_names=np.array(["a"]))
    with pytest.raises(InputError, match=r"x.npz: 1 feature name for an array of shape \(3, 2\)"):
        rosenblatt.read(tmp_path / "x.npz", label=1)
