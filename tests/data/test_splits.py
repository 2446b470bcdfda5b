"""Splits: of each class its share, the same rows for the same seed, and every class keeps a row to learn from."""

from typing import Any

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import InputError
from rosenblatt.data.splits import folds_of, held_out_of

CLASSES = np.array(["a", "b", "c"])


@settings(max_examples=examples(100))
@given(st.lists(st.integers(2, 40), min_size=2, max_size=3), st.integers(2, 6), st.integers(0, 2**64 - 1))
def test_each_fold_has_its_share_of_each_class(sizes: list[int], folds: int, seed: int) -> None:
    codes = np.random.default_rng(1).permutation(np.repeat(np.arange(len(sizes)), sizes))
    folds = min(folds, codes.size)
    part = folds_of(codes, CLASSES[: len(sizes)], folds, seed)
    assert np.array_equal(part, folds_of(codes, CLASSES[: len(sizes)], folds, seed))
    assert np.ptp(np.bincount(part, minlength=folds)) <= 1
    for k, size in enumerate(sizes):
        counts = np.bincount(part[codes == k], minlength=folds)
        assert (counts.sum(), np.ptp(counts) <= 1) == (size, True)
        assert counts.max() < size  # so that every fold leaves some of it to learn from


@settings(max_examples=examples(100))
@given(st.lists(st.integers(1, 40), min_size=2, max_size=3), st.floats(0.01, 0.99), st.integers(0, 2**64 - 1))
def test_of_each_class_its_share_is_held_out_and_a_row_is_left(sizes: list[int], share: float, seed: int) -> None:
    codes = np.random.default_rng(1).permutation(np.repeat(np.arange(len(sizes)), sizes))
    wanted, most = round(share * codes.size), sum(sizes) - len(sizes)
    if not 1 <= wanted <= most:
        with pytest.raises(InputError, match=f"expected 1 to {most} of {codes.size}"):
            held_out_of(codes, CLASSES[: len(sizes)], share, seed)
        return
    held = held_out_of(codes, CLASSES[: len(sizes)], share, seed)
    counts = np.bincount(codes[held], minlength=len(sizes))
    assert counts.sum() == wanted
    assert (counts < sizes).all()
    if min(sizes) > 1 and (np.ceil(share * np.array(sizes)) < sizes).all():  # no class is spared
        assert (np.abs(counts - np.array(sizes) * wanted / codes.size) <= 1).all()


def test_another_seed_holds_out_other_rows_and_a_number_means_rows() -> None:
    codes = np.arange(300) % 3
    one, other = (held_out_of(codes, CLASSES, 60, seed) for seed in (0, 1))
    assert (one.sum(), other.sum(), np.bincount(codes[one]).tolist()) == (60, 60, [20, 20, 20])
    assert (one != other).any()
    assert np.array_equal(one, held_out_of(codes, CLASSES, 0.2, 0))


@pytest.mark.parametrize(
    ("codes", "folds", "said"), [([0, 0, 1, 1], 5, "5 folds of 4 rows"), ([0, 0, 1], 2, "class b has one row")]
)
def test_what_cannot_be_split_is_refused(codes: Any, folds: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        folds_of(np.array(codes), CLASSES[:2], folds, 0)
