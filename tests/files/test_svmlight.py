"""svmlight text: the core's reader against the slow one, against scikit-learn's, and against hand-made rows."""

import gzip
import io
import re
from pathlib import Path

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from rosenblatt import InputError, _core, read
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import options_of
from rosenblatt.files.read import sheet_of
from rosenblatt.files.sheet import Sheet
from rosenblatt.files.slow.text import SlowSheet, slow_sheet


def fast(path: Path, **asked: object) -> Sheet:
    return sheet_of(path, options_of(format="svmlight", **asked))  # type: ignore[arg-type]


def slow(path: Path, **asked: object) -> SlowSheet:
    with InputFile(path) as opened:
        return slow_sheet(opened, options_of(format="svmlight", **asked))  # type: ignore[arg-type]


def same_bits(a: object, b: object) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def agree(path: Path, **asked: object) -> None:
    """Both readers give the same rows, bit for bit; or both refuse, at the same place."""
    found: list[Sheet | SlowSheet | str] = []
    for reader in (fast, slow):
        try:
            found.append(reader(path, **asked))
        except InputError as error:
            found.append(re.match(r".*?(:\d+:\d+)?: ", str(error).removeprefix(str(path))).group())  # type: ignore[union-attr]
    one, other = found
    if isinstance(one, str) or isinstance(other, str):
        assert one == other
        return
    assert isinstance(one, Sheet)
    assert isinstance(other, SlowSheet)
    values, columns, starts = one.rows.arrays
    assert same_bits(values, other.values)
    assert columns.tolist() == other.columns.tolist()
    assert starts.tolist() == other.starts.tolist()
    assert (one.rows.n, one.rows.d) == (other.lines.size, other.d)
    assert same_bits(one.labels, other.labels)
    assert one.lines is not None
    assert one.lines.tolist() == other.lines.tolist()


# --- Laws. ---

NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**25), 10**25).map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=9).map(str),
    st.sampled_from(
        ["1.", ".5", "+1", "-0", "0e5", "1E+2", "00012.50", "4.9e-324", "1e-400", "2.4703282292062327e-324"]
    ),
)
BAD_NUMBERS = st.sampled_from(
    ["", "nan", "inf", "1e400", "1_0", "0x10", "1,5", "٣", "e5", ".", "1e", "--1", "+", "1e+", "-"]
)
ITEMS = st.one_of(
    st.tuples(st.integers(0, 12), NUMBERS).map(lambda p: f"{p[0]}:{p[1]}"),
    st.tuples(
        st.sampled_from(["3", "2147483647", "2147483648", "-1", "x", "", "01"]), st.one_of(NUMBERS, BAD_NUMBERS)
    ).map(":".join),
    st.sampled_from(["qid:3", "qid:", "qid:x", "3", "#", "a#b", "1:2#c", "\0", "1:\x002", "\x7f", "é", "\r", "1:2\r"]),
)
LINES = st.one_of(
    st.tuples(
        st.one_of(NUMBERS, NUMBERS, BAD_NUMBERS, st.just("1,2")),
        st.lists(ITEMS, max_size=4),
        st.sampled_from([" ", "\t", "  "]),
    ).map(lambda p: p[2].join([p[0], *p[1]])),
    st.tuples(NUMBERS, st.lists(st.tuples(st.integers(0, 30), NUMBERS), max_size=6, unique_by=lambda p: p[0])).map(
        lambda p: " ".join([p[0], *(f"{i}:{v}" for i, v in sorted(p[1]))])
    ),
    st.sampled_from(["", " ", "# comment", "\t#", "1", "-1  ", " 1 1:1"]),
)


@given(
    lines=st.lists(LINES, max_size=6),
    ends=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
    bom=st.booleans(),
    base=st.sampled_from([None, 0, 1]),
    hash_bits=st.sampled_from([None, None, 3]),
)
@settings(max_examples=examples(400), deadline=None)
def test_the_fast_and_the_slow_reader_agree_on_every_text(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], ends: str, last: bool, bom: bool,
    base: int | None, hash_bits: int | None,
) -> None:  # fmt: skip
    path = tmp_path_factory.getbasetemp() / "any.svm"
    text = ends.join(lines) + (ends if last else "")
    path.write_bytes((b"\xef\xbb\xbf" if bom else b"") + text.encode())
    agree(path, base=base, hash_bits=hash_bits)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=50))
def test_what_repr_writes_is_read_bit_for_bit(numbers: list[float]) -> None:
    reader = _core.Svmlight(True, 0, 1)
    assert reader.feed(("".join(f"1 1:{x!r}\n" for x in numbers)).encode()) is None
    assert same_bits(reader.take(False)[0], np.array(numbers))


@pytest.mark.slow
def test_decimals_become_the_nearest_double() -> None:
    """Python's float is the oracle: correctly rounded, whatever the number of digits."""
    rng = np.random.default_rng(0)
    texts = []
    for _ in range(20_000):
        digits = "".join(map(str, rng.integers(0, 10, rng.integers(1, 26))))
        point = int(rng.integers(0, len(digits) + 1))
        exponent = "" if rng.random() < 0.5 else f"e{rng.integers(-340, 300)}"
        texts.append(f"{digits[:point]}.{digits[point:]}{exponent}")
    # Halfway between two doubles, and a digit beyond.
    for bits in rng.integers(0, 2**62, 500).tolist():
        low = float(np.int64(bits).view(np.float64))
        if np.isfinite(low) and 1e-300 < low < 1e300:
            from fractions import Fraction

            half = (Fraction(low) + Fraction(float(np.nextafter(low, np.inf)))) / 2
            from decimal import Decimal, localcontext

            with localcontext() as context:
                context.prec = 1200
                exact = Decimal(half.numerator) / Decimal(half.denominator)
                texts += [f"{exact:e}", f"{exact:e}".replace("e", "0000001e")]
    kept = [text for text in texts if np.isfinite(float(text))]
    assert len(kept) > 19_000
    reader = _core.Svmlight(True, 0, 2)
    assert reader.feed("".join(f"1 1:{text}\n" for text in kept).encode()) is None
    assert same_bits(reader.take(False)[0], np.array([float(text) for text in kept]))


def big(rows: int, seed: int = 0) -> bytes:
    rng = np.random.default_rng(seed)
    from scipy.sparse import random as random_matrix

    X = random_matrix(rows, 300, density=0.05, format="csr", random_state=rng)
    y = rng.integers(0, 3, rows)
    file = io.BytesIO()
    dump_svmlight_file(X, y, file, zero_based=False)
    return file.getvalue()


def test_rows_are_scikit_learns(tmp_path: Path) -> None:
    text = big(2000)
    (tmp_path / "x.svm").write_bytes(text)
    examples = read(tmp_path / "x.svm")
    expected, labels = load_svmlight_file(io.BytesIO(text), zero_based=False)
    values, columns, starts = examples.rows.arrays
    assert same_bits(values, expected.data)
    assert columns.tolist() == expected.indices.tolist()
    assert starts.tolist() == expected.indptr.tolist()
    assert examples.classes[examples.labels].tolist() == labels.astype(int).tolist()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_blocks_and_threads_never_change_what_is_read(threads: int) -> None:
    text = big(8000)  # several pieces
    assert len(text) > 2**20
    reader = _core.Svmlight(True, 0, 1)
    assert reader.feed(text) is None
    assert reader.finish() is None
    expected = [part.tobytes() for part in reader.take(False)]
    for size in (1013, 70_001, 2**18, 2**20 + 3):
        reader = _core.Svmlight(True, 0, threads)
        for first in range(0, len(text), size):
            assert reader.feed(text[first : first + size]) is None
        assert reader.finish() is None
        assert [part.tobytes() for part in reader.take(False)] == expected


def test_a_fault_far_down_is_found_at_its_line_whatever_the_threads(tmp_path: Path) -> None:
    text = big(8000)
    lines = text.split(b"\n")
    for at in (0, 4321, 7999):
        broken = [*lines[:at], b"1 5:1 7:x", *lines[at + 1 :], b"nonsense"]
        (tmp_path / "x.svm").write_bytes(b"\n".join(broken))
        for threads in (1, 2, 4):
            with pytest.raises(InputError, match=rf"x\.svm:{at + 1}:"):
                fast(tmp_path / "x.svm", threads=threads)


# --- Conventions. ---


def rows_in(tmp_path: Path, text: str, **asked: object) -> tuple[list[list[float]], list[float], Sheet]:
    (tmp_path / "x.svm").write_bytes(text.encode())
    sheet = fast(tmp_path / "x.svm", **asked)
    from rosenblatt.data.rows import matrix_of

    assert sheet.labels is not None
    return matrix_of(sheet.rows).toarray().tolist(), sheet.labels.tolist(), sheet


def test_indices_count_from_where_the_whole_file_says(tmp_path: Path) -> None:
    rows, _, sheet = rows_in(tmp_path, "1 1:5\n-1 2:6\n")
    assert (rows, sheet.reading.to_dict()) == ([[5, 0], [0, 6]], {"format": "svmlight", "base": 1})
    late = "1 1:5\n" * 50_000 + "-1 0:6\n"  # far from the first block
    (tmp_path / "x.svm").write_text(late)
    sheet = fast(tmp_path / "x.svm")
    assert (sheet.rows.d, sheet.reading.to_dict()["base"]) == (2, 0)
    assert sheet.rows.arrays[1].tolist() == [1] * 50_000 + [0]
    assert rows_in(tmp_path, "1 1:5\n-1 2:6\n", base=0)[0] == [[0, 5, 0], [0, 0, 6]]
    with pytest.raises(InputError, match=r"x\.svm:2:4: index 0, though indices count from 1"):
        rows_in(tmp_path, "1 1:5\n-1 0:6\n", base=1)


def test_comments_queries_blank_lines_and_ends_of_lines(tmp_path: Path) -> None:
    text = "\ufeff# head\r\n\r\n+1 qid:7 2:3 # two\r\n   \n-1\t1:1\t3:2#x\n2"
    rows, labels, sheet = rows_in(tmp_path, text)
    assert rows == [[0, 3, 0], [1, 0, 2], [0, 0, 0]]
    assert labels == [1, -1, 2]
    assert sheet.lines is not None
    assert sheet.lines.tolist() == [3, 5, 6]


def test_labels_are_whole_numbers_if_they_all_are(tmp_path: Path) -> None:
    assert rows_in(tmp_path, "1 1:1\n-1 1:1\n")[2].labels.dtype == np.int64  # type: ignore[union-attr]
    assert rows_in(tmp_path, "1.0 1:1\n2e1 1:1\n")[1] == [1, 20]
    assert rows_in(tmp_path, "1.5 1:1\n2 1:1\n")[1] == [1.5, 2.0]


def test_hashed_columns_are_those_of_the_decimal_index(tmp_path: Path) -> None:
    from rosenblatt.files.text.hashing import columns_of_names

    _, _, sheet = rows_in(tmp_path, "1 12:2 2147483647:3\n-1 007:1\n", hash_bits=10)
    expected = columns_of_names(["12", "2147483647", "7"], 10).tolist()
    found = dict(zip(sheet.rows.arrays[1].tolist(), sheet.rows.arrays[0].tolist(), strict=True))
    assert found == dict(zip(expected, [2.0, 3.0, 1.0], strict=True))
    assert (sheet.rows.d, sheet.reading.to_dict()["hash_bits"]) == (1024, 10)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("1 3:4\n1 3 4:2\n", "2:3", "3; expected index:value"),
        ("1 3:4\n1 3:4 3:5\n", "2:7", "index 3 does not come after"),
        ("1 3:4\nspam 1:1\n", "2:1", "label spam; expected a number"),
        ("1 3:nan\n", "1:5", "value nan; expected a number"),
        ("1 3:1e400\n", "1:5", r"value 1e400 is beyond the range of float64; expected a finite number"),
        ("1 3:1,5\n", "1:5", r"value '1,5'; expected a number"),
        ("1 3:1_0\n", "1:5", r"value '1_0'; expected"),
        ("1 3:0x10\n", "1:5", r"value 0x10; expected"),
        ("1 3:٣\n", "1:5", r"value '٣'; expected"),
        ("1 2147483648:1\n", "1:3", "index 2147483648; expected at most 2147483647"),
        ("1 9223372036854775808:1\n", "1:3", "index 9223372036854775808; expected at most"),
        ("1 -3:1\n", "1:3", r"'-3:1'; expected index:value"),
        ("1,2 3:1\n", "1:1", r"label '1,2'; expected a number"),
        ("1 3:1\0\n", "1:6", r"a control character, '\\x00'; expected text"),
        ("1 1:1\r1 1:1\n", "1:6", r"a control character, '\\r'"),
        ("1 qid:a 1:1\n", "1:3", r"'qid:a'; expected index:value"),
        ("1 1:1\n\x1b[31m\n", "2:1", r"a control character, '\\x1b'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, place: str, words: str) -> None:
    (tmp_path / "x.svm").write_bytes(text.encode())
    with pytest.raises(InputError, match=rf"x\.svm:{place}: {words}"):
        fast(tmp_path / "x.svm")


def test_files_without_rows_or_features_are_refused(tmp_path: Path) -> None:
    for text, words in [("", "no rows"), ("# nothing\n\n", "no rows"), ("1\n-1\n", "no features")]:
        (tmp_path / "x.svm").write_text(text)
        with pytest.raises(InputError, match=rf"x\.svm: {words}"):
            fast(tmp_path / "x.svm")
    (tmp_path / "x.svm").write_text("1 1:1\n1 1:2\n")
    with pytest.raises(InputError, match=r"x\.svm: one class only"):
        read(tmp_path / "x.svm")


@pytest.mark.parametrize("kind", ["comment", "items", "word"])
def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path: Path, kind: str) -> None:
    head, more = {"comment": (b"1 1:1 #", b"x"), "items": (b"1 ", b"        "), "word": (b"1 1:", b"1")}[kind]
    (tmp_path / "x.svm").write_bytes(b"1 1:1\n" + head + more * (2**26 // len(more) + 10) + b"\n1 1:1\n")
    with pytest.raises(InputError, match=rf"x\.svm:2:{2**26 + 1}: the line is longer than 64 MiB"):
        fast(tmp_path / "x.svm")


def test_a_packed_file_is_read_the_same(tmp_path: Path) -> None:
    text = big(2000)
    (tmp_path / "x.svm").write_bytes(text)
    (tmp_path / "y").write_bytes(gzip.compress(text))
    a, b = fast(tmp_path / "x.svm"), fast(tmp_path / "y")
    assert all(same_bits(p, q) for p, q in zip(a.rows.arrays, b.rows.arrays, strict=True))
