"""Tallies: rows that are counted in parts give the evaluation of the whole; and what a bounded one does not count."""

from dataclasses import fields
from typing import Any

import effort
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import InputError
from rosenblatt.data import tally as module
from rosenblatt.data.evaluation import Evaluation
from rosenblatt.data.tally import Tally, evaluate

CLASSES: dict[str, Any] = {
    "two": np.array([-1, 1]),
    "truth": np.array([False, True]),
    "text": np.array(["a", "b", "c"], dtype=object),
    "many": np.arange(40),
}


def same(found: Evaluation, other: Evaluation) -> bool:
    return all(
        np.array_equal(a, b) if isinstance(a, np.ndarray) else a == b and repr(a) == repr(b)
        for a, b in ((getattr(found, one.name), getattr(other, one.name)) for one in fields(Evaluation))
    )


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("others", [False, True], ids=["known labels", "and others"])
@settings(max_examples=effort.examples(25), deadline=None)
@given(seed=st.integers(0, 2**32 - 1), cuts=st.lists(st.integers(0, 60), max_size=5).map(sorted))
def test_however_rows_are_cut_the_evaluation_is_the_same(kind: str, others: bool, seed: int, cuts: list[int]) -> None:
    chance, classes = np.random.default_rng(seed), CLASSES[kind]
    labels = classes[chance.integers(0, classes.size, 60)]
    if others and kind != "truth":
        labels[chance.random(60) < 0.3] = "z" if kind == "text" else 77
    predicted = classes[chance.integers(0, classes.size, 60)]
    scores = np.round(chance.normal(size=60), 1) if classes.size == 2 else None
    folds, training = chance.integers(0, 3, 60), {classes.tolist()[0]: 3.0}
    for own in (None, folds):
        whole, parts = (
            evaluate(labels, predicted, classes, scores=scores, training=training, folds=own),
            Tally(classes, training),
        )
        for some in np.split(np.arange(60), cuts):
            part = None if scores is None else scores[some]
            codes = parts.add(labels[some], predicted[some], part, None if own is None else own[some])
            assert [classes[code] for code in codes if code < classes.size] == [
                label for label in labels[some] if label in classes
            ]
        assert same(parts.evaluation(), whole)


def test_parts_of_another_type_are_as_the_whole_would_be() -> None:
    # Whole numbers, until a label is not one: then all are.
    parts = Tally(np.array([0, 1]))
    parts.add(np.array([0, 1, 2]), np.array([0, 1, 1]))
    parts.add(np.array([0.5, 1.0]), np.array([0, 1]))
    whole = evaluate(np.array([0, 1, 2, 0.5, 1.0]), np.array([0, 1, 1, 0, 1]), np.array([0, 1]))
    assert same(parts.evaluation(), whole)
    assert repr(whole.names) == "[0.0, 0.5, 1.0, 2.0]"
    # Numbers, until one is text: then all are compared as text.
    parts = Tally(np.array([0, 1]))
    parts.add(np.array([0, 1, 2]), np.array([0, 1, 1]), np.array([-1.0, 1.0, 2.0]))
    parts.add(np.array(["0", "x"], dtype=object), np.array([0, 1]), np.array([-1.0, 1.0]))
    whole = evaluate(
        np.array(["0", "1", "2", "0", "x"], dtype=object), np.array([0, 1, 1, 0, 1]), np.array([0, 1]),
        scores=np.array([-1.0, 1.0, 2.0, -1.0, 1.0]),
    )  # fmt: skip
    assert same(parts.evaluation(), whole)
    assert whole.names == ["0", "1", "2", "x"]


def test_missing_labels_are_one_label() -> None:
    parts = Tally(np.array([0.0, 1.0]))
    for _ in range(3):
        parts.add(np.array([np.nan, 1.0, np.nan]), np.array([0.0, 1.0, 1.0]))
    assert parts.evaluation().rows.sum() == 9
    assert len(parts.evaluation().names) == 3


def test_labels_without_end_are_counted_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LABELS", 50)
    bounded, labels = Tally(np.array([0, 1])), np.arange(2, 54)
    for first in range(0, 50, 10):
        bounded.add(labels[first : first + 10], np.zeros(10, np.int64))
    assert not bounded.too_many
    assert bounded.evaluation().unknown == labels[:50].tolist()
    bounded.add(labels[50:51], np.zeros(1, np.int64))
    assert bounded.too_many
    with pytest.raises(InputError, match="labels without end"):
        bounded.evaluation()
    assert len(evaluate(labels, np.zeros(52, np.int64), np.array([0, 1])).unknown) == 52


def test_so_are_the_kinds_of_confusion(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_KINDS", 30)
    bounded, classes = Tally(np.arange(6)), np.arange(6)
    for _ in range(4):
        for label in range(5):
            bounded.add(np.full(6, label), classes)
    assert not bounded.too_many
    assert len(bounded.evaluation().pairs) == 30
    bounded.add(np.array([5]), np.array([5]))
    assert bounded.too_many
