"""The slow reader: what it makes of text, held against other readers; where it finds faults; that it stands alone."""

import bz2
import csv
import gzip
import io
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from rosenblatt import InputError
from rosenblatt.data.rows import matrix_of
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import options_of
from rosenblatt.files.slow.tables import csv_sheet
from rosenblatt.files.slow.text import SlowSheet, slow_sheet
from rosenblatt.files.tables.delimited import read_csv
from rosenblatt.files.text.svmlight import read_svmlight


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("slow") / "rows"


def outcome(reader: Any, path: Path, **options: Any) -> tuple[Any, str]:
    """What was read, or why not: one line that begins with the path, which is left out."""
    with InputFile(path) as opened:
        try:
            return reader(opened, options_of(**options)), ""
        except InputError as error:
            why = str(error)
    assert why.startswith(f"{path}:")
    assert len(why.splitlines()) == 1
    return None, why.removeprefix(f"{path}:")


def svmlight(path: Path, text: str | bytes, **options: Any) -> SlowSheet:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    sheet, why = outcome(slow_sheet, path, format="svmlight", **options)
    assert sheet is not None, why
    return sheet


def table(path: Path, lines: str, format: str = "csv", **options: Any) -> SlowSheet:
    path.write_text(lines, encoding="utf-8", newline="")
    sheet, why = outcome(slow_sheet, path, format=format, **options)
    assert sheet is not None, why
    return sheet


def dense(sheet: SlowSheet) -> list[list[float]]:
    return sheet.matrix().toarray().tolist()


# --- svmlight. ---


def test_the_grammar_by_example(path: Path) -> None:
    lines = b"# head\r\n\r\n+1 qid:7 1:.5\t3:-2.E1 # 9:9\r\n \t-1\n  1 2:1e-2#\0\r\x7f\xff\n0001 0002:0\n\n"
    sheet = svmlight(path, b"\xef\xbb\xbf" + lines)
    assert dense(sheet) == [[0.5, 0, -20], [0, 0, 0], [0, 0.01, 0], [0, 0, 0]]
    assert sheet.starts.tolist() == [0, 2, 2, 3, 4]
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [1, -1, 1, 1]
    assert sheet.lines.tolist() == [3, 4, 5, 6]


@pytest.mark.parametrize(
    ("text", "base", "d", "columns"),
    [
        ("1 1:1\n1 3:1", None, 3, [0, 2]),
        ("1 1:1\n1 0:1", None, 2, [1, 0]),
        ("1 1:1\n1 3:1", 0, 4, [1, 3]),
        ("1 2147483647:1", None, 2**31 - 1, [2**31 - 2]),
        ("1 0:1 2147483647:1", None, 2**31, [0, 2**31 - 1]),
        ("1 2:0", 1, 2, [1]),
    ],
)
def test_columns_count_from_the_base_which_is_found_out_or_given(
    path: Path, text: str, base: int | None, d: int, columns: list[int]
) -> None:
    sheet = svmlight(path, text, base=base)
    assert sheet.d == d
    assert sheet.columns.tolist() == columns


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (["1", "-1.0", "+2e1", "-0.0"], np.int64),
        (["1", "0.5"], np.float64),
        (["1e300", "1"], np.float64),
        (["9007199254740992", "1"], np.int64),
        (["9007199254740994", "1"], np.float64),
    ],
)
def test_labels_are_whole_numbers_if_all_of_them_are(path: Path, labels: list[str], kind: Any) -> None:
    found = svmlight(path, "\n".join(f"{label} 1:1" for label in labels)).labels
    assert found is not None
    assert found.dtype == kind
    assert found.tolist() == [float(label) for label in labels]


BAD = [
    # text, line:column
    ("a 1:1", "1:1"),
    ("1 1:1\n  x 1:1", "2:3"),
    ("nan 1:1", "1:1"),
    ("1e400 1:1", "1:1"),
    ("1,2 1:1", "1:1"),
    ("1:2 1:1", "1:1"),
    ("-", "1:1"),
    ("1e 1:1", "1:1"),
    ("1 a", "1:3"),
    ("1 3", "1:3"),
    ("1 :3", "1:3"),
    ("1 +1:3", "1:3"),
    ("1 1.0:3", "1:3"),
    ("1 1 :3", "1:3"),
    ("1 qid:x", "1:3"),
    ("1 qid:", "1:3"),
    ("1 qid:-1", "1:3"),
    ("1 Qid:1", "1:3"),
    ("1 1:1 1:1", "1:7"),
    ("1 2:1 1:1", "1:7"),
    ("1 2147483648:1", "1:3"),
    ("1 9223372036854775808:1", "1:3"),
    ("1 " + "9" * 5000 + ":1", "1:3"),
    ("1 1:", "1:5"),
    ("1 1:nan", "1:5"),
    ("1 1:inf", "1:5"),
    ("1 12:1e400", "1:6"),
    ("1 1:-1e400", "1:5"),
    ("1 1:1_0", "1:5"),
    ("1 1:0x10", "1:5"),
    ("1 1:1,5", "1:5"),
    ("1 1:1:2", "1:5"),
    ("1 1:.", "1:5"),
    ("1 1:1e+", "1:5"),
    ("1 1:1.5.", "1:5"),
    ("1 1:--1", "1:5"),
    ("1 1:٣", "1:5"),
    ("1 1:1\r2:2", "1:6"),
    ("1\r\r\n", "1:2"),
    ("1 1:1\0", "1:6"),
    ("1 1:\x7f1", "1:5"),
    ("\0", "1:1"),
    ("1 1\0:2", "1:4"),
    ("1 2:1 1:\x1b", "1:9"),
    ("1 1:1\n\ufeff1", "2:1"),
    ("1 1:1\n1 1:1 #\n1\v1:1", "3:2"),
    ("1 1:1\x0c", "1:6"),
]


@pytest.mark.parametrize(("text", "place"), BAD)
def test_a_fault_is_told_with_its_place_by_both_readers(path: Path, text: str, place: str) -> None:
    path.write_bytes(text.encode())
    _, why = outcome(slow_sheet, path, format="svmlight")
    assert why.startswith(f"{place}: ")
    assert "; expected " in why
    assert outcome(read_svmlight, path)[1].startswith(f"{place}: ")


def test_a_stated_base_makes_index_0_a_fault(path: Path) -> None:
    path.write_text("1 1:1\n1 0:1")
    for reader in (slow_sheet, read_svmlight):
        assert outcome(reader, path, format="svmlight", base=1)[1].startswith("2:3: index 0")


@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "# only\n\n", "1\n-1\n"])
def test_no_rows_or_no_features_is_a_fault(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    for reader in (slow_sheet, read_svmlight):
        assert outcome(reader, path, format="svmlight")[1].startswith(" no ")


@pytest.mark.slow
def test_a_line_may_have_64_mib_and_no_more(path: Path) -> None:
    start = b"1 1:1\n1 1:1 #"
    path.write_bytes(start + b"x" * (2**26 - 8) + b"\n")
    assert outcome(slow_sheet, path, format="svmlight")[1] == ""
    path.write_bytes(start + b"x" * (2**26 - 7) + b"\n")
    assert outcome(slow_sheet, path, format="svmlight")[1].startswith(f"2:{2**26 + 1}: ")


def test_packed_files_are_read_like_others(path: Path) -> None:
    text = b"1 1:0.5\n-1 2:1\n"
    known = svmlight(path, text)
    for packed in (gzip.compress(text), bz2.compress(text)):
        assert dense(svmlight(path, packed)) == dense(known)


numbers = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=examples(60), deadline=None)
@given(
    # It writes 16 digits, which is too much for the largest number there is.
    st.lists(st.lists(st.floats(-1e308, 1e308) | st.just(0.0), min_size=3, max_size=3), min_size=1, max_size=6),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_what_scikit_learn_writes_and_reads_is_read_the_same(
    path: Path, rows: list[list[float]], zero_based: bool, rng: random.Random
) -> None:
    X = np.array(rows)
    y = np.array([rng.choice([-1.0, 1.0, 2.5]) for _ in rows])
    X[0] = 1.0  # so that both find the base and the width
    file = io.BytesIO()
    dump_svmlight_file(X, y, file, zero_based=zero_based)
    sheet = svmlight(path, file.getvalue())
    peer, peer_labels = load_svmlight_file(io.BytesIO(file.getvalue()), zero_based="auto")
    assert sheet.labels is not None
    assert sheet.labels.tolist() == peer_labels.tolist()
    assert sheet.matrix().toarray().tobytes() == peer.toarray().tobytes()


PIECES = [
    *["1", "-1", "+1", "0", "0.5", "1e5", "1e400", "-1e-400", ".5", "5.", "1:2", "2:0.1", "3:-0", "qid:3", "qid:x"],
    *["10:1e-320", "0:1", "#c", "\0", "\x7f", "nan", "1_0", "0x10", "1,5", ":", "2147483647:1", "2147483648:1", "7:"],
    *["99999999999999999999999:1", "8:inf", "٣", "a", "\ufeff", "5:1.7976931348623157e308", "00001:1", "4:1#", "e"],
    *[
        "6:1.7976931348623159e308",
        "12:1e",
        "13:+",
        "14:123456789012345678901234567890",
        "15:.",
        "-",
        "\r",
        "\n",
        "\r\n",
    ],
    *["\t", "", "\n", "1 1:1", "-1 2:4\n"],
]


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(st.sampled_from(PIECES) | numbers.map(lambda x: f"3:{x!r}"), max_size=12),
    st.sampled_from([" ", ""]),
    st.sampled_from([None, None, 0, 1]),
    st.sampled_from([None, None, 3]),
)
def test_both_readers_of_svmlight_text_see_the_same(
    path: Path, pieces: list[str], between: str, base: int | None, bits: int | None
) -> None:
    path.write_bytes(between.join(pieces).encode())
    slow, why_slow = outcome(slow_sheet, path, format="svmlight", base=base, hash_bits=bits)
    fast, why_fast = outcome(read_svmlight, path, base=base, hash_bits=bits)
    assert why_slow.split(" ")[0] == why_fast.split(" ")[0]
    if slow is not None:
        values, columns, starts = map(np.asarray, fast.rows.arrays)
        assert values.tobytes() == slow.values.tobytes()
        assert columns.tolist() == slow.columns.tolist()
        assert starts.tolist() == slow.starts.tolist()
        assert fast.rows.d == slow.d
        assert fast.lines.tolist() == slow.lines.tolist()
        assert (fast.labels.dtype, fast.labels.tobytes()) == (slow.labels.dtype, slow.labels.tobytes())


# --- CSV and TSV. ---

CSV = [
    # text, options, names, rows, labels
    ("a,b,y\n1,2,0\n3, 4 ,1\n", {}, ("a", "b"), [[1, 2], [3, 4]], [0, 1]),
    ("a;b;y\r\n1;2;0\r\n\r\n3;4.5;1", {}, ("a", "b"), [[1, 2], [3, 4.5]], [0, 1]),
    ("y,a\nno,1\nyes,2\n", {}, ("a",), [[1], [2]], ["no", "yes"]),
    ("1,2,0\n3,4,1\n", {"label": -1}, ("x0", "x1"), [[1, 2], [3, 4]], [0, 1]),
    ("a,b,y\n1,red,0\n2,blue,1\n", {}, ("a", "b=blue", "b=red"), [[1, 0, 1], [2, 1, 0]], [0, 1]),
    ('y,"a ""b"", c"\n1,x\n2,"y\nz"\n', {}, ('a "b", c=x', 'a "b", c=y\nz'), [[1, 0], [0, 1]], [1, 2]),
    ("a,y\ntrue,1\nFALSE,2\n", {}, ("a",), [[1], [0]], [1, 2]),
    ("a,y\n1,0.5\n2,1\n", {}, ("a",), [[1], [2]], [0.5, 1]),
    ("a,y\n1,x\n,z\n3,x\n", {"missing": "drop"}, ("a",), [[1], [3]], ["x", "x"]),
    ("a,y\n1,x\nNA,z\n3,x\n", {"missing": "zero"}, ("a",), [[1], [0], [3]], ["x", "z", "x"]),
    ("a,y\n1,x\n ? ,z\n4,x\n", {"missing": "mean"}, ("a",), [[1], [2.5], [4]], ["x", "z", "x"]),
    ("a,y\n,1\n", {"missing": "mean", "fill": {"a": 7.5}}, ("a",), [[7.5]], [1]),
    ("a,b,y\nu,1,1\nv,,2\nw,3,\n", {"missing": "drop"}, ("a=u", "b"), [[1, 1]], [1]),
    ("a,b,y\nu,1,1\nNA,2,2\n", {"missing": "zero"}, ("a=u", "b"), [[1, 1], [0, 2]], [1, 2]),
    ("a,y\n1,2\n01,3\n", {"text": frozenset("a")}, ("a=01", "a=1"), [[0, 1], [1, 0]], [2, 3]),
    ("a,y\n1,2\n3,4\n", {"label": "a"}, ("y",), [[2], [4]], [1, 3]),
    ("a,1\n5,2\n", {"label": "1", "header": True}, ("a",), [[5]], [2]),
    ("a,b\n5,2\n", {"label": "1"}, ("a",), [[5]], [2]),
    ("a,b\n5,2\n", {"labels": "wanted"}, ("a", "b"), [[5, 2]], None),
    (",a,y\n0,5,1\n1,6,2\n", {}, ("a",), [[5], [6]], [1, 2]),
    (
        "t,y\nIt’s a test,1\na 'A' b,2\n",
        {"words": "t"},
        ("t:a", "t:b", "t:it's", "t:test"),
        [[1, 0, 1, 1], [2, 1, 0, 0]],
        [1, 2],
    ),
    ("t,y\none,1\n,2\n", {"words": 0, "missing": "zero"}, ("t:one",), [[1], [0]], [1, 2]),
    ("t,y\none,1\n,2\n", {"words": "t", "missing": "drop"}, ("t:one",), [[1]], [1]),
    ("w,a,y\n2,3,1\n0,4,2\n", {"weight": "w"}, ("a",), [[3]], [1]),
    ("a,w,y\n,0,1\n4,1,2\n5,,2\n", {"weight": 1, "missing": "drop"}, ("a",), [[4]], [2]),
    ("w,a,y\n2,3,1\n0,4,2\n", {"weight": "w", "labels": "wanted"}, ("a",), [[3], [4]], [1, 2]),
    ("k,t\na,one\nb,two\n", {"label": "k", "words": "t"}, ("t:one", "t:two"), [[1, 0], [0, 1]], ["a", "b"]),
    ("0,1,2,3\n1,1,1,1\n", {"label": 3}, ("0", "1", "2"), [[1, 1, 1]], [1]),
]


@pytest.mark.parametrize(("text", "options", "names", "rows", "labels"), CSV)
def test_tables_by_example_as_both_readers_see_them(
    path: Path, text: str, options: Any, names: Any, rows: Any, labels: Any
) -> None:
    sheet = table(path, text, **options)
    assert sheet.feature_names == names
    assert dense(sheet) == rows
    assert (None if sheet.labels is None else sheet.labels.tolist()) == labels
    check_same(path, {"format": "csv", **options})


def check_same(path: Path, options: dict[str, Any]) -> None:
    """Whatever the fast reader takes, the slow one takes for the same."""
    fast, why_fast = outcome(read_csv, path, **options)
    slow, why_slow = outcome(slow_sheet, path, **options)
    if fast is None:
        # It doubts text that may be a slip, or that is not there; the slow one does not.
        assert slow is None or "number" in why_fast or "take as text" in why_fast, why_fast
        return
    assert slow is not None, why_slow
    matrix = matrix_of(fast.rows)
    matrix = matrix if isinstance(matrix, np.ndarray) else matrix.toarray()
    assert matrix.tolist() == dense(slow)
    assert fast.feature_names == slow.feature_names
    assert fast.lines.tolist() == slow.lines.tolist()
    weights = [None if sheet.weights is None else sheet.weights.tobytes() for sheet in (fast, slow)]
    assert weights[0] == weights[1]
    assert (fast.labels is None) == (slow.labels is None)
    if fast.labels is not None:
        assert fast.labels.dtype == slow.labels.dtype
        assert fast.labels.tolist() == slow.labels.tolist()


NAMES = ["a", "b", "y", "Class", "0", "1", " c ", '"d=1"', "", "id", "2019", "red"]
KINDS = [
    ["1", "2", "0.5", "-3e2", " 4", "-0.0", "1e300", "7."],
    ["red", "blue", "x y", '"q,""z"""'],
    ["true", "False"],
    ["1", "NA", "2", "3.25", "0.1", ""],
    ["red", "NA", "b lue", '"l\nm"', "é"],
    ["1", "red", "true", "?", "0", '"1"', "1e-320", "e"],
]


@settings(max_examples=examples(120), deadline=None)
@given(st.data())
def test_both_readers_of_tables_see_the_same(path: Path, data: st.DataObject) -> None:
    kinds = data.draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4))
    rows = data.draw(st.lists(st.tuples(*map(st.sampled_from, kinds)), min_size=1, max_size=6))
    names = data.draw(
        st.lists(
            st.sampled_from(["a", "b", "y", "Class", "0", "1", " c ", '"d=1"', "", "id", "2019", "red"]), unique=True
        )
    )
    separator, end = data.draw(st.sampled_from(",,;\t")), data.draw(st.sampled_from(["\n", "\r\n"]))
    lines = [names[: len(kinds)]] * (len(names) >= len(kinds)) + [list(row) for row in rows]
    text = end.join(separator.join(line) for line in lines) + data.draw(st.sampled_from(["", end, end * 2]))
    if data.draw(st.integers(0, 4)) == 0:
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.sampled_from(['"', ",", "\n", "\r", "\0", "\n\n"])) + text[at:]
    path.write_text(text, encoding="utf-8", newline="")
    options = {
        "format": "tsv" if separator == "\t" else "csv",
        "label": data.draw(st.sampled_from([None, "a", 0, -1, "1", "name:1", "position:0", "-1"])),
        "header": data.draw(st.sampled_from([None, None, True, False])),
        "labels": data.draw(st.sampled_from(["needed", "wanted"])),
        "missing": data.draw(st.sampled_from(["refuse", "drop", "zero", "mean"])),
        "text": data.draw(st.sampled_from([None, frozenset("a")])),
        "hash_bits": data.draw(st.sampled_from([None, None, 3])),
    }
    check_same(path, options)


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)  # whatever it is, quotes hold it


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(cells, cells, numbers), min_size=1, max_size=5))
def test_quoted_fields_are_those_of_pythons_own_csv(path: Path, rows: list[tuple[str, str, float]]) -> None:
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n")
    # The marks make text of every column, none of it missing.
    writer.writerows([("first", "second", "y"), *((f"<{a}", f"{b}>", repr(y)) for a, b, y in rows)])
    sheet = table(path, file.getvalue())
    names = sheet.feature_names or ()
    matrix = sheet.matrix().toarray()
    found = [sorted(name.partition("=")[2] for name, value in zip(names, row, strict=True) if value) for row in matrix]
    assert found == [sorted([f"<{a}", f"{b}>"]) for a, b, _ in rows]
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [y for _, _, y in rows]


BAD_TABLES = [
    ("", "1:1: empty"),
    ("a,y\n", " no rows"),
    ("a,y\n1,2\n3\n", "3:1: 1 fields"),
    ("a,y\n1,2,3\n", "2:1: 3 fields"),
    ('a,y\n1,"2\n', "2:3: a quote"),
    ('a,y\n1,"2"x\n', "2:6: 'x'"),
    ('a,y\n1,2"\n', "2:3: "),
    ("a,y\n1\r,2\n", "2:2: '\\r'"),
    ("a,y\n1,2\n,3\n", "3:1: column 'a': missing"),
    ("a,y\n1,2\n3, NA\n", "3:3: column 'y': missing"),
    ("a,y\n1,2\n1e400,3\n", "3:1: value '1e400'"),
    ("a,y\n1,2\n9007199254740995,3\n", "3:1: '9007199254740995'"),
    ("a,y\n1,9223372036854775808\n", "2:3: label"),
    ("a,b\n1,2\n", "1:1: 0 columns"),
    ("label,class\n1,2\n", "1:1: 2 columns"),
    ("a,a,y\n1,2,3\n", "1:3: column 1"),
    ("a,,y\n1,2,3\n", "1:3: column 1"),
    ("y\n1\n", "1:1: no features"),
    ("a,y\n\0,2\n", "2:1: "),
]


@pytest.mark.parametrize(("text", "start"), BAD_TABLES)
def test_a_bad_table_is_refused_in_one_line_by_both_readers(path: Path, text: str, start: str) -> None:
    path.write_text(text, encoding="utf-8", newline="")
    assert outcome(slow_sheet, path, format="csv")[1].startswith(start)
    assert outcome(read_csv, path, format="csv")[0] is None


def test_text_that_is_not_utf_8_is_refused(path: Path) -> None:
    path.write_bytes(b"a,y\n\xff,1\n")
    assert outcome(slow_sheet, path, format="csv")[1].startswith(" 'utf-8' codec can't decode")


def test_quotes_in_tsv_may_be_characters_like_others(path: Path) -> None:
    assert table(path, 'a\ty\n5" disk\t1\n', "tsv").feature_names == ('a=5" disk',)
    assert table(path, 'a\ty\n"5"\t1\n', "tsv").feature_names == ("a",)


def test_other_formats_are_refused_by_name(path: Path) -> None:
    path.write_text("1 1:1")
    assert outcome(slow_sheet, path, format="vw")[1] == " the slow reader reads svmlight, csv and tsv, not vw"


def test_it_stands_alone() -> None:
    # The package around it may import what it likes; the module itself, and all that it imports, must do without.
    script = """
import importlib, pathlib, sys, types
import rosenblatt
package = types.ModuleType("rosenblatt.files")
package.__path__ = [str(pathlib.Path(rosenblatt.__file__).parent / "files")]
sys.modules["rosenblatt.files"] = package
importlib.import_module("rosenblatt.files.slow.text")
print(*sorted(name for name in sys.modules if name.startswith("rosenblatt.") or name in ("pyarrow", "scipy")))
"""
    loaded = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split()
    assert "rosenblatt.files.slow.text" in loaded
    assert not {
        "rosenblatt._core",
        "rosenblatt.data.examples",
        "rosenblatt.files.text.svmlight",
        "pyarrow",
        "scipy",
    } & {*loaded}


def test_decimals_are_the_nearest_doubles(path: Path) -> None:
    texts = ["0.1", "1e23", "9007199254740993", "2.4703282292062327e-324", "2.4703282292062328e-324", "-1e-400"]
    sheet = svmlight(path, "\n".join(f"1 1:{text}" for text in texts))
    assert sheet.values.tolist() == [0.1, 1e23, 2.0**53, 0.0, 5e-324, 0.0]
    assert math.copysign(1, sheet.values[-1]) == -1


@settings(max_examples=examples(150), deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["1", "0", "2.5", "", "-1", "1e400", "x", "003"]),
            st.text(
                st.sampled_from("aB 'ßÉ\u2019\u0301\u0130_3!न") | st.characters(exclude_categories=["Cs", "Cc"]),
                max_size=9,
            ),
            st.sampled_from(["1", "2"]),
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["refuse", "drop", "zero", "mean"]),
    st.sampled_from([None, "w"]),
    st.sampled_from([None, 3]),
    st.sampled_from(["needed", "wanted"]),
)
def test_both_readers_see_the_same_words_and_weights(
    path: Path, rows: list[tuple[str, str, str]], missing: str, weight: str | None, bits: int | None, labels: str
) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([("w", "text", "a", "y"), *(
        (w, text, "7", y) for w, text, y in rows
    )])  # fmt: skip
    path.write_text(file.getvalue(), encoding="utf-8", newline="")
    leave_out = () if weight else ("w",)
    options = {
        "format": "csv", "missing": missing, "words": "text", "weight": weight, "hash_bits": bits, "labels": labels,
        "leave_out": leave_out,
    }  # fmt: skip
    fast, why_fast = outcome(read_csv, path, **options)
    slow, why_slow = outcome(slow_sheet, path, **options)
    assert (fast is None) == (slow is None), (why_fast, why_slow)
    if fast is None:
        assert why_fast.split(" ")[0] in (why_slow.split(" ")[0], "")
        return
    check_same(path, options)


def test_words_of_rows_counted_zero_times_are_no_features() -> None:
    data = b"x,n,s,y\n1,1,good day,p\n2,2,bad day,q\n3,0,odd night,p\n1,1,good,q\n2,3,bad,p\n"
    options = options_of(format="csv", label="y", counts=("n",), words=("s",))
    assert csv_sheet("t.csv", data, options).feature_names == ("x", "s:bad", "s:day", "s:good")


def test_a_column_of_words_is_kept_though_it_counts_the_rows() -> None:
    data = b"id,a,y\n1,2,p\n2,1,q\n3,3,p\n4,0,q\n"
    found = csv_sheet("t.csv", data, options_of(format="csv", label="y", words=("id",))).feature_names
    assert found == ("id:1", "id:2", "id:3", "id:4", "a")
