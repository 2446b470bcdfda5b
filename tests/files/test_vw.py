"""Vowpal Wabbit's text, against a reader of its own in a few lines of Python."""

import math
import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import InputError, _core, read
from rosenblatt.files.options import options_of
from rosenblatt.files.read import sheet_of
from rosenblatt.files.sheet import Sheet
from rosenblatt.files.text.hashing import columns_of_names


def sheet_in(tmp_path: Path, lines: str, **asked: object) -> Sheet:
    (tmp_path / "x.vw").write_bytes(lines.encode())
    return sheet_of(tmp_path / "x.vw", options_of(**asked))  # type: ignore[arg-type]


def rows_of(sheet: Sheet) -> list[dict[str, float]]:
    values, columns, starts = (part.tolist() for part in sheet.rows.arrays)
    names = sheet.feature_names or range(sheet.rows.d)
    return [
        {names[columns[p]]: values[p] for p in range(a, b)}  # type: ignore[misc]
        for a, b in pairwise(starts)
    ]


def test_names_namespaces_values_and_tags(tmp_path: Path) -> None:
    text = (
        "1 |a x:2 y |b x:0.5\n-1 1.0 'tag|a y:3 z\n\n1 | plain:-1e-3 x^2 | plain:1\n-1 last| plain\r\n1 |ns:2 f:3 g\n"
    )
    sheet = sheet_in(tmp_path, text)
    assert rows_of(sheet) == [
        {"a^x": 2, "a^y": 1, "b^x": 0.5},
        {"a^y": 3, "a^z": 1},
        {"plain": 0.999, "x^2": 1},
        {"plain": 1},
        {"ns^f": 6, "ns^g": 2},
    ]
    assert sheet.labels is not None
    assert sheet.labels.tolist() == [1, -1, 1, -1, 1]
    assert sheet.lines is not None
    assert sheet.lines.tolist() == [1, 2, 4, 5, 6]
    assert sheet.feature_names == ("a^x", "a^y", "b^x", "a^z", "plain", "x^2", "ns^f", "ns^g")


Features = list[tuple[str, str | None]]
NAMES = st.text(alphabet="abcé^#'=,.\"", min_size=1, max_size=3)
VALUES = st.floats(-1e6, 1e6).map(repr)
FEATURES = st.lists(st.tuples(NAMES, st.none() | VALUES), max_size=5)
SPACES = st.lists(st.tuples(st.sampled_from(["", "a", "b:2", "long"]), FEATURES), min_size=1, max_size=3)


@given(st.lists(st.tuples(st.sampled_from(["1", "-1", "3"]), SPACES), min_size=1, max_size=6), st.booleans())
@settings(max_examples=examples(200), deadline=None)
def test_every_line_means_what_it_says(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, list[tuple[str, Features]]]], hashed: bool
) -> None:
    text, expected, labels = "", [], []
    for label, spaces in lines:
        text += label
        row: dict[str, float] = {}
        for space, features in spaces:
            text += f" |{space}" + "".join(f" {n}" if v is None else f" {n}:{v}" for n, v in features)
            name, _, scale = space.partition(":")
            for n, v in features:
                full = f"{name}^{n}" if name else n
                x = (1.0 if v is None else float(v)) * float(scale or 1)
                row[full] = row[full] + x if full in row else x
        text += "\n"
        expected.append(row)
        labels.append(int(label))
    tmp_path = tmp_path_factory.getbasetemp()
    names = list(dict.fromkeys(name for row in expected for name in row))
    if not names:
        with pytest.raises(InputError, match="no features"):
            sheet_in(tmp_path, text)
        return
    sheet = sheet_in(tmp_path, text, hash_bits=12) if hashed else sheet_in(tmp_path, text)
    assert sheet.labels is not None
    assert sheet.labels.tolist() == labels
    if not hashed:
        assert sheet.feature_names == tuple(names)
        assert rows_of(sheet) == expected
        return
    place = dict(zip(names, columns_of_names(names, 12).tolist(), strict=True))
    for found, row in zip(rows_of(sheet), expected, strict=True):
        sums: dict[int, float] = {}
        for name, x in row.items():
            sums[place[name]] = sums.get(place[name], 0.0) + x
        assert found.keys() == sums.keys()
        assert all(math.isclose(found[k], sums[k], abs_tol=1e-9) for k in found)  # type: ignore[index, call-overload]


@pytest.mark.slow
def test_pieces_and_threads_never_change_names_or_rows() -> None:
    rng = np.random.default_rng(0)
    text = b""
    for label in rng.choice([-1, 1], 4000):
        words = zip(rng.integers(0, 5000, 30), rng.random(30), strict=True)
        text += f"{label} | {' '.join(f'w{k}:{v:.3f}' for k, v in words)}\n".encode()
    assert len(text) > 2**20
    seen = []
    for threads, size in ((1, len(text)), (2, len(text)), (3, 70_001)):
        reader = _core.Vw(0, True, threads)
        for first in range(0, len(text), size):
            assert reader.feed(text[first : first + size]) is None
        assert reader.finish() is None
        seen.append((reader.names, [part.tobytes() for part in reader.take()]))
    assert seen[0] == seen[1] == seen[2]


def test_names_of_hashed_features_are_kept_when_asked(tmp_path: Path) -> None:
    text = "1 | apple:2 pear\n-1 | plum\n"
    assert sheet_in(tmp_path, text, hash_bits=8).hashed == ()
    sheet = sheet_in(tmp_path, text, hash_bits=8, keep_names=True)
    assert sheet.hashed == ("apple", "pear", "plum")
    assert sheet.feature_names is None
    assert set(sheet.rows.arrays[1].tolist()) == set(columns_of_names(sheet.hashed, 8).tolist())


def test_a_file_without_labels_is_fine_where_none_are_needed(tmp_path: Path) -> None:
    sheet = sheet_in(tmp_path, "| a b\n'x | c\n", labels="wanted")
    assert sheet.labels is None
    assert rows_of(sheet) == [{"a": 1, "b": 1}, {"c": 1}]
    with pytest.raises(InputError, match=r"x\.vw:1:1: no label"):
        sheet_in(tmp_path, "| a b\n| c\n")
    with pytest.raises(InputError, match=r"x\.vw:2:1: no label"):
        sheet_in(tmp_path, "1 | a b\n| c\n", labels="wanted")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("1 a b\n", "1:3", "a; expected label"),
        ("1\n", "1:2", "no '|'"),
        ("1 -2 | a\n", "1:3", "importance '-2'; expected a finite number that is 0 or more"),
        ("1 1 3 | a\n", "1:5", "3; expected label"),
        ("x y | a\n", "1:1", "label x; expected a number"),
        ("1:0.5 2:1 | a\n", "1:1", "label '1:0.5'; expected a number"),
        ("1 | a:\n", "1:7", "value ''; expected a number"),
        ("1 | a:nan\n", "1:7", "value nan; expected"),
        ("1 | a:1e400\n", "1:7", "value 1e400"),
        ("1 |n:x a\n", "1:4", "namespace 'n:x'; its scale"),
        ("1 | :3\n", "1:5", "a feature without a name"),
        ("1 |n:1e300 a:1e300\n", "1:12", "value .*beyond the range of float64"),
        ("1 | a\0b\n", "1:6", "a control character"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, text: str, place: str, words: str) -> None:
    with pytest.raises(InputError, match=rf"x\.vw:{place}: {words}"):
        sheet_in(tmp_path, text)


def test_names_must_be_text(tmp_path: Path) -> None:
    for bad in (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xc0\xaf"):
        (tmp_path / "x.vw").write_bytes(b"1 | ok\n-1 | a" + bad + b"\n")
        with pytest.raises(InputError, match=r"x\.vw:2:6: feature .* is not UTF-8 text"):
            read(tmp_path / "x.vw")
    for good in ("é", "日本", "\U0001f600", "\u07ff", "\uffff", "\U0010ffff"):
        (tmp_path / "x.vw").write_bytes(f"1 | {good}\n-1 | b\n".encode())
        assert read(tmp_path / "x.vw").feature_names == (good, "b")


def test_options_that_mean_nothing_here_are_refused(tmp_path: Path) -> None:
    for asked in ({"label": "y"}, {"base": 1}, {"text": ["a"]}):
        with pytest.raises(InputError, match=re.escape(f"VW text has no {next(iter(asked))} to choose")):
            sheet_in(tmp_path, "1 | a\n", **asked)
