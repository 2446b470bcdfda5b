"""Limits are where they are said to be: what lies on one is taken, the next beyond it is refused."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Examples, InputError, Perceptron, logistic_clinic, separability, verify
from rosenblatt.choices import count, thread_count
from rosenblatt.errors import shown
from rosenblatt.files.opening import InputFile
from rosenblatt.files.options import options_of
from rosenblatt.files.read import sheet_of
from rosenblatt.files.slow.text import slow_sheet
from rosenblatt.models import liblinear, store
from rosenblatt.network import from_truth_table
from rosenblatt.proof.numerals import exact, exact_text
from rosenblatt.proof.parts import Combination
from rosenblatt.report.text import listed
from rosenblatt.separation.labelings import dichotomies

EXACT = 2**53  # the whole numbers that float64 has all of
BEYOND = [EXACT + 1, -EXACT - 1]


def slow(path: Path) -> Any:
    with InputFile(path) as opened:
        return slow_sheet(opened, options_of(format="svmlight", base=1))


def whole(value: int) -> Any:
    return np.array([[value, 1], [0, 2], [3, 1]], dtype=np.int64)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_whole_numbers_as_far_as_float64_has_them(form: Any) -> None:
    y = [1, -1, 1]
    for value in (EXACT, -EXACT):
        assert Examples.of(form(whole(value)), y).n_rows == 3
        verdict = separability(form(whole(value)), y)
        assert verify(verdict.proof, form(whole(value)), y)
        with pytest.warns(UserWarning, match="1 epoch spent"):
            Perceptron(max_iter=1, tol=None).fit(form(whole(value)), y)
    for value in BEYOND:
        with pytest.raises(InputError, match="beyond 2"):
            Examples.of(form(whole(value)), y)
        with pytest.raises(InputError, match="beyond 2"):
            Perceptron().fit(form(whole(value)), y)
        with pytest.raises(InputError, match="beyond 2"):
            verify(separability(form(whole(0)), y).proof, form(whole(value)), y)


@pytest.mark.parametrize("suffix", ["svm", "vw"])
def test_labels_are_whole_as_far_as_float64_has_whole_numbers(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    for label, kind in ((EXACT, "i"), (-EXACT, "i"), (EXACT + 2, "f"), (-EXACT - 2, "f")):
        path.write_text(f"{label} 1:1\n1 1:2\n" if suffix == "svm" else f"{label} |a x\n1 |a y\n")
        for sheet in [sheet_of(path, options_of()), *([slow(path)] if suffix == "svm" else [])]:
            assert (sheet.labels.dtype.kind, sheet.labels.tolist()) == (kind, [label, 1])


def test_the_largest_index_of_a_feature(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    for index, fits in ((2**31 - 1, True), (2**31, False)):
        path.write_text(f"1 {index}:1\n-1 1:1\n")
        for read in (lambda: sheet_of(path, options_of(base=1)), lambda: slow(path)):
            if fits:
                assert read() is not None
            else:
                with pytest.raises(InputError, match=r"index '?2147483648'?; expected at most 2147483647"):
                    read()


def test_classes_of_liblinear_are_ints_of_c() -> None:
    W, b = np.ones((1, 1)), np.zeros(1)
    for low, high, fits in ((-(2**31), 2**31 - 1, True), (-(2**31) - 1, 0, False), (0, 2**31, False)):
        classes = np.array([low, high])
        if fits:
            text = liblinear.to_text(classes, W, b)
            assert liblinear.from_text(text, "m")[0].tolist() == [low, high]
        else:
            with pytest.raises(InputError, match="from -2147483648 to 2147483647"):
                liblinear.to_text(classes, W, b)


def test_threads_are_from_1_to_1024(monkeypatch: pytest.MonkeyPatch) -> None:
    for wish, fits in (("1", True), ("1024", True), ("0", False), ("1025", False)):
        monkeypatch.setenv("ROSENBLATT_NUM_THREADS", wish)
        for ask in (lambda: thread_count(None), lambda wish=wish: thread_count(int(wish))):  # type: ignore[misc]
            if fits:
                assert ask() == int(wish)
            else:
                with pytest.raises(InputError, match="from 1 to 1024"):
                    ask()
    monkeypatch.delenv("ROSENBLATT_NUM_THREADS")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert thread_count(None) == 1
    for nothing in ("0", "", "some", "-1"):
        monkeypatch.setenv("OMP_NUM_THREADS", nothing)
        assert thread_count(None) >= 1


def test_a_count_is_within_its_bounds() -> None:
    assert [count("n", value, least=2, most=4) for value in (2, 3, 4)] == [2, 3, 4]
    for value in (1, 5):
        with pytest.raises(InputError, match=f"n must be a whole number from 2 to 4, not {value}"):
            count("n", value, least=2, most=4)
    with pytest.raises(InputError, match="n must be a whole number >= 1, not 0"):
        count("n", 0)


def test_counts_of_observations_are_below_2_to_the_40() -> None:
    X, y = [[0.0], [1], [1], [2]], [0, 0, 1, 1]
    assert logistic_clinic(X, y, counts=[2**40 - 1, 1, 0, 1]).total == 2**40 + 1
    for bad in (2**40, -1, 0.5):
        with pytest.raises(InputError, match=r"count of row 0: .*; expected a whole number >= 0"):
            logistic_clinic(X, y, counts=[bad, 1, 1, 1])


def test_labelings_are_asked_of_16_points() -> None:
    with pytest.raises(InputError, match=r"17 points have 2\^17 labelings: up to 16 points"):
        dichotomies(np.zeros((17, 1)))


def test_tables_of_up_to_ten_inputs_have_a_network() -> None:
    assert from_truth_table([0] * 1023 + [1]).n_inputs == 10
    with pytest.raises(InputError, match="table of 2048 outputs, for 11 inputs; expected up to 10"):
        from_truth_table([0] * 2048)


def test_what_a_file_of_tensors_holds(tmp_path: Path) -> None:
    path = tmp_path / "t"
    one = np.zeros(1)
    for name, fits in (("n", True), ("n" * 64, True), ("", False), ("n" * 65, False)):
        if fits:
            store.write(path, "model", 1, {}, {name: one})
        else:
            with pytest.raises(InputError, match="a name of 1 to 64 printable characters"):
                store.write(path, "model", 1, {}, {name: one})
    store.write(path, "model", 1, {}, {f"t{i}": one for i in range(64)})
    with pytest.raises(InputError, match="65 tensors; expected at most 64"):
        store.write(path, "model", 1, {}, {f"t{i}": one for i in range(65)})
    digits = 10**39
    store.write(path, "model", 1, {"n": digits}, {"t": one})
    assert store.read(path, "model", 1)[1] == {"n": digits}
    with pytest.raises(InputError, match="at most 40 digits"):
        store.write(path, "model", 1, {"n": 10 * digits}, {"t": one})


def test_exact_numbers_are_written_in_decimals_up_to_4000_digits() -> None:
    below, at = Fraction(10**4000 - 1), Fraction(10**4000)
    assert (len(exact_text(below)), exact_text(at)[:2]) == (4000, "0x")
    assert exact(exact_text(below)) == below
    assert exact(exact_text(at)) == at
    for text in ("1" + "0" * 4000, hex(10**4000 - 1)):
        with pytest.raises(InputError, match="canonical"):
            exact(text)
    # A float's own form is taken where it is shorter.
    assert exact_text(Fraction(2**53 - 1, 2**13)) == "9007199254740991/8192"
    assert exact_text(Fraction(2**53 - 1, 2**14)) == "0x1.fffffffffffffp+38"
    big = Fraction(1, 2 ** (2**19 - 1))
    assert Combination((0,), (big,)).multipliers == (big,)
    with pytest.raises(InputError, match="of more than 524288 bits"):
        Combination((0,), (big / 2,))


def test_what_is_shown_of_a_value_is_60_characters() -> None:
    assert shown("x" * 58) == repr("x" * 58)
    assert shown("x" * 59) == "'" + "x" * 57 + "…"


def test_what_is_listed_are_twelve_unless_more_are_wanted() -> None:
    assert listed(range(12)) == ", ".join(map(str, range(12)))
    assert listed(range(13)) == ", ".join(map(str, range(12))) + " and 1 more"
