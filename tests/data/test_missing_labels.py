"""Labels that stand for nothing are found among text, without asking row by row where there are none."""

import math
from typing import Any

import numpy as np
import pytest

from rosenblatt.data import labels as module
from rosenblatt.data.labels import missing_labels
from rosenblatt.data.two_classes import labelled


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        (["a", "b", "a"], [False, False, False]),
        (["a", None, "b"], [False, True, False]),
        (["a", math.nan], [False, True]),
        ([None, None], [True, True]),
        ([True, "x"], [False, False]),
    ],
)
def test_missing_labels_of_objects(given: list[Any], missing: list[bool]) -> None:
    assert missing_labels(np.array(given, dtype=object)).tolist() == missing


def test_whole_text_is_not_asked_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(module, "_is_missing", lambda value: asked.append(value) or value is None)
    assert not missing_labels(np.array(["a", "b"] * 500, dtype=object)).any()
    assert asked == []
    assert missing_labels(np.array(["a", None], dtype=object)).tolist() == [False, True]
    assert asked == ["a", None]


def test_text_is_no_sign_and_signs_are() -> None:
    rows = [[1.0], [2.0]]
    assert labelled(rows, ["-1", "1"]).classes.tolist() == ["-1", "1"]
    assert labelled(rows, [0, 1]).classes.tolist() == [0, 1]
    assert labelled(rows, [-1, 1]).classes.tolist() == [-1, 1]
