"""Columns in a model's order: held against a dictionary for each row, dense and sparse alike."""

import time
from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rosenblatt import InputError
from rosenblatt.data.rows import matrix_of, rows_of
from rosenblatt.files.matching import Matching, matched
from rosenblatt.files.reading import Reading
from rosenblatt.files.sheet import Sheet


def sheet(X: Any, names: Any = None, format: str = "csv", text: Any = (), words: Any = ()) -> Sheet:
    reading = Reading(text=tuple(text), words=tuple(words))
    return Sheet("new.csv", format, rows_of(X), None, names and tuple(names), None, reading)


def dense(rows: Any) -> list[list[float]]:
    matrix = matrix_of(rows)
    return (matrix if isinstance(matrix, np.ndarray) else matrix.toarray()).tolist()


def refusal(*arguments: Any) -> str:
    with pytest.raises(InputError) as refused:
        matched(*arguments)
    message = str(refused.value)
    assert message.startswith("new.csv: ")
    assert len(message.splitlines()) == 1
    return message.removeprefix("new.csv: ")


# --- Hashed. ---


def test_hashed_tables_are_compared_by_the_columns_they_had() -> None:
    def hashed(columns: list[str], text: list[str]) -> Sheet:
        reading = Reading(hash_bits=2, columns=tuple(columns), text=tuple(text))
        return Sheet("new.csv", "csv", rows_of(np.eye(4)), None, None, None, reading)

    known = hashed(["age", "job"], ["job"]).reading
    assert dense(matched(hashed(["job", "age", "more"], ["job"]), None, 4, known)[0]) == np.eye(4).tolist()
    assert refusal(hashed(["job"], ["job"]), None, 4, known) == (
        "1 column of the model not in it: 'age'; there are 'job'"
    )
    assert refusal(hashed([], []), None, 4, known) == "2 columns of the model not in it: 'age', 'job'; there are none"
    assert refusal(hashed(["age", "job"], []), None, 4, known) == (
        "column 'job' holds numbers; expected text, as the model"
    )
    assert refusal(hashed(["age", "job"], ["age", "job"]), None, 4, known) == (
        "column 'age' holds text; expected numbers, as the model"
    )


# --- By name. ---

columns = st.permutations(list("abcdefg"))


@settings(max_examples=examples(200), deadline=None)
@given(st.data(), columns, columns, st.integers(0, 5), st.booleans())
def test_each_value_goes_to_the_column_of_its_name(
    data: st.DataObject, there: list[str], wanted: list[str], more: int, as_csr: bool
) -> None:
    wanted = wanted[: len(wanted) - more]  # so that some columns are left out
    values = st.sampled_from([0.0, 0.0, 1.0, -2.5, -0.0])
    X = np.array(data.draw(st.lists(st.tuples(*[values] * 7), min_size=1, max_size=5)))
    if data.draw(st.booleans()):
        X = X.astype(np.float32)
    rows, notes = matched(sheet(sparse.csr_array(X) if as_csr else X, there), wanted, len(wanted), Reading())
    assert dense(rows) == [[dict(zip(there, row, strict=True))[name] for name in wanted] for row in X.tolist()]
    assert rows.is_sparse == as_csr
    assert np.asarray(rows.arrays[0]).dtype == X.dtype
    assert rows.sound()
    left = [name for name in there if name not in wanted]
    assert len(notes) == bool(left)
    if left:
        assert notes[0].startswith(f"left out {len(left)} column")
        assert notes[0].endswith(": " + ", ".join(map(repr, left)))


def test_the_same_columns_are_the_same_rows() -> None:
    new = sheet([[1.0, 2.0]], "ab")
    assert matched(new, ("a", "b"), 2, Reading()) == (new.rows, ())


def test_a_text_column_may_lack_values_or_have_new_ones() -> None:
    names = ("size", "colour=blue", "colour=red", "a=b=c")
    reading = Reading(text=("colour", "a=b"))
    new = sheet([[1.0, 1.0, 0.0, 5.0]], ["colour=green", "a=b=d", "colour=red", "size"], text=["colour", "a=b"])
    rows, notes = matched(new, names, 4, reading)
    assert dense(rows) == [[5, 0, 0, 0]]
    assert notes == ("2 values that the model does not know, taken for none: 'colour=green', 'a=b=d'",)
    for form in (np.asarray, sparse.csr_array):
        rows, notes = matched(
            sheet(form([[1.0, 2.0]]), ["colour=red", "size"], text=["colour", "a=b"]), names, 4, reading
        )
        assert dense(rows) == [[2, 0, 1, 0]]
        assert notes == ()


def test_what_the_model_needs_and_the_file_lacks_is_named() -> None:
    reading = Reading(text=("colour",))
    assert refusal(sheet([[1.0]], ["b"]), ("a", "b", "c"), 3, Reading()) == (
        "2 columns of the model not in it: 'a', 'c'; there are 'b'"
    )
    # The whole text column, not a value of it, is not there.
    assert refusal(sheet([[1.0]], ["size"]), ("size", "colour=red", "colour=blue"), 3, reading) == (
        "1 column of the model not in it: 'colour'; there are 'size'"
    )
    assert refusal(sheet([[1.0]], ["age=old"], text=["age"]), ("age",), 1, Reading()) == (
        "1 column of the model not in it: 'age' ('age' is text here); there are 'age'"
    )
    many = [f"m{j}" for j in range(30)]
    assert refusal(sheet([[1.0]], ["x"]), many, 30, Reading()) == (
        "30 columns of the model not in it: 'm0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', …; there are 'x'"
    )


def test_in_vw_text_a_feature_that_no_row_has_is_zero() -> None:
    new = sheet(sparse.csr_array([[1.0, 2.0]]), ["new", "b"], "vw")
    rows, notes = matched(new, ("a", "b"), 2, Reading(format="vw"))
    assert dense(rows) == [[0, 2]]
    assert notes == ("left out 1 column that the model does not know: 'new'",)


def test_a_name_that_is_there_twice_is_refused() -> None:
    assert refusal(sheet([[1.0, 2.0]], ["a", "a"]), ("a",), 1, Reading()) == (
        "the column 'a' is there twice; expected each name once"
    )
    with pytest.raises(InputError, match="the model: the column 'a' is there twice; expected each name once"):
        matched(sheet([[1.0]], ["a"]), ("a", "a"), 2, Reading())
    with pytest.raises(InputError, match="1 feature name for a model of 2 columns"):
        matched(sheet([[1.0]], ["a"]), ("a",), 2, Reading())


# --- By position. ---


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, -2.5])] * 4), min_size=1, max_size=4), st.integers(1, 9))
def test_without_names_columns_go_by_position(table: list[tuple[float, ...]], d: int) -> None:
    new = sheet(sparse.csr_array(np.array(table)), None, "svmlight")
    rows, notes = matched(new, None, d, Reading())
    assert dense(rows) == [(list(row) + [0.0] * 9)[:d] for row in table]
    assert rows.d == d
    beyond = sum(value != 0 for row in table for value in row[d:])
    if d < 4:
        expected = f"beyond the {d} of the model: {beyond} value{'s' * (beyond != 1)} not 0"
        assert len(notes) == 1
        assert notes[0].endswith(expected)
    else:
        assert notes == ()


def test_of_an_array_columns_may_be_left_out_but_not_made_up() -> None:
    new = sheet([[1.0, 2.0, 0.0]], None, "npy")
    rows, notes = matched(new, None, 2, Reading())
    assert dense(rows) == [[1, 2]]
    assert notes == ("left out 1 column beyond the 2 of the model: 0 values not 0",)
    assert refusal(new, None, 4, Reading()) == "3 columns; expected 4, as the model has"


def test_names_on_one_side_alone_count_for_nothing() -> None:
    rows, notes = matched(sheet([[1.0, 2.0]], None, "npy"), ("a", "b"), 2, Reading())
    assert dense(rows) == [[1, 2]]
    assert notes == ("columns go by position: the model names them, new.csv does not",)
    rows, notes = matched(sheet([[1.0, 2.0]], ["a", "b"]), None, 2, Reading())
    assert notes == ("columns go by position: new.csv names them, the model does not",)
    assert refusal(sheet([[1.0]], None, "npy"), ("a", "b"), 2, Reading()) == (
        "1 column; expected 2, as the model has: only the model names its columns, so that they go by position"
    )
    assert refusal(sheet([[1.0]], ["a"]), None, 2, Reading()).startswith("1 column; expected 2")


# --- Size. ---


def test_few_columns_of_a_wide_model_are_kept_sparse() -> None:
    wide = ("size", *(f"colour={j}" for j in range(10**5)))
    new = sheet(np.array([[1.0, 5.0], [0.0, -0.0]] * 500), ["colour=77", "size"], text=["colour"])
    rows, _ = matched(new, wide, len(wide), Reading(text=("colour",)))
    assert rows.is_sparse
    assert rows.sound()
    values, columns, starts = map(np.asarray, rows.arrays)
    assert (rows.n, rows.d, values[:2].tolist(), columns[:2].tolist()) == (1000, 10**5 + 1, [5, 1], [0, 78])
    assert starts[:4].tolist() == [0, 2, 2, 4]


def test_unused_values_behind_the_last_row_stay_behind() -> None:
    matrix = sparse.csr_array(([1.0, 2.0, 9.0], [0, 1, 2], [0, 1, 2]), shape=(2, 3))
    rows, notes = matched(sheet(matrix, None, "svmlight"), None, 2, Reading())
    assert dense(rows) == [[1, 0], [0, 2]]
    assert notes[0].endswith("0 values not 0")


@pytest.mark.serial
def test_a_million_values_are_put_in_order_in_a_moment() -> None:
    rng = np.random.default_rng(0)
    d = 20_000
    matrix = sparse.random_array((20_000, d), density=0.0025, rng=rng, format="csr")
    names = [f"w{j}" for j in range(d)]
    order = rng.permutation(d)
    new = sheet(matrix, [names[j] for j in order])
    start = time.perf_counter()
    rows, _ = matched(new, names, d, Reading())
    assert time.perf_counter() - start < 5
    expected = np.asarray(matrix.tocsc()[:, np.argsort(order)].sum(axis=0))
    np.testing.assert_allclose(matrix_of(rows).T @ np.ones(rows.n), expected, rtol=1e-12)


# --- Sheets one after the other. ---


def test_what_has_no_place_is_counted_over_all_sheets_each_name_once() -> None:
    names, reading = ("size", "colour=blue", "colour=red", "note:a"), Reading(text=("colour",), words=("note",))
    parts = [["size", "colour=blue"], ["size", "colour=green", "note:b"], ["size", "colour=green", "colour=pink"]]
    matching = Matching(names, 4, reading)
    for there in [*parts, ["size", "colour=red", "note:a", "note:c"], list(names)]:
        new = sheet([[1.0] * len(there)], there, text=["colour"], words=["note"])
        assert dense(matching.rows(new)) == [[float(name in there) for name in names]]
        assert dense(matching.rows(new)) == [[float(name in there) for name in names]]
    assert matching.notes() == (
        "2 of 3 words that the model does not know, left out",
        "2 values that the model does not know, taken for none: 'colour=green', 'colour=pink'",
    )


def test_columns_beyond_those_of_the_model_are_counted_over_all_sheets() -> None:
    matching = Matching(None, 2, Reading(format="svmlight", base=1))
    for row in ([1.0], [1.0, 2.0, 3.0], [0.0, 1.0], [1.0, 0.0, 0.0, 5.0, 6.0], [1.0, 2.0, 4.0]):
        rows = matching.rows(sheet(sparse.csr_array([row]), None, "svmlight"))
        assert dense(rows) == [[*row, 0.0][:2]]
    assert matching.notes() == ("left out 3 columns beyond the 2 of the model: 4 values not 0",)


def test_names_without_end_are_told_apart_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rosenblatt.files.matching._MOST", 3)
    matching = Matching(("a",), 1, Reading(format="vw"))
    for new in ("b", "c", "b", "d"):
        matching.rows(sheet(sparse.csr_array([[1.0, 2.0]]), ["a", new], "vw"))
    assert matching.notes() == ("left out 3 columns that the model does not know: 'b', 'c', 'd'",)
    matching.rows(sheet(sparse.csr_array([[1.0, 2.0]]), ["a", "e"], "vw"))
    assert matching.notes() == ("left out more than 3 columns that the model does not know: 'b', 'c', 'd'",)
