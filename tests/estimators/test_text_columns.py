"""Text and dates in a frame given to an estimator: refused by their column, with the code that does it."""

import datetime
import re
from typing import Any

import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from rosenblatt import InputError, LinearClassifier, MaxMarginClassifier, Perceptron

ESTIMATORS = {kind.__name__: kind for kind in (Perceptron, LinearClassifier, MaxMarginClassifier)}
NAMES = {**ESTIMATORS, **{f.__name__: f for f in (make_pipeline, make_column_transformer, OneHotEncoder)}}
COLUMNS = {"age": [31, 45, 52, 28] * 10, "arm": ["A", "B", "C", "A"] * 10}
Y = [0, 1, 1, 0] * 10


def frame_of(library: str, columns: dict[str, list[Any]]) -> Any:
    module = pytest.importorskip(library)
    return module.table(columns) if library == "pyarrow" else module.DataFrame(columns)


@pytest.mark.parametrize("kind", ESTIMATORS)
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_text_is_refused_with_the_pipeline_that_takes_it(library: str, kind: str) -> None:
    frame, estimator = frame_of(library, COLUMNS), ESTIMATORS[kind]()
    with pytest.raises(InputError, match=f"^column 'arm' holds text, and {kind} takes numbers: make_pipeline") as said:
        estimator.fit(frame, Y)
    assert "\n" not in str(said.value)
    code = re.search(r"make_pipeline\(.*\(\)\)", str(said.value))
    assert code is not None
    if library == "pandas":  # what the line says, as it is printed
        assert eval(code[0], NAMES).fit(frame, Y).predict(frame).size == 40  # noqa: S307
    with pytest.raises(InputError, match="column 'arm' holds text"):
        clone(estimator).fit(frame_of(library, {**COLUMNS, "arm": Y}), Y).predict(frame)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_dates_do_not_pass_for_numbers(library: str) -> None:
    frame = frame_of(library, {"seen": [datetime.datetime(2020, 1, day % 28 + 1) for day in range(40)]})
    with pytest.raises(InputError, match=r"^column 'seen' holds .*; turn it into numbers first, or leave it out"):
        Perceptron().fit(frame, Y)


def test_several_columns_are_counted() -> None:
    frame = frame_of("pandas", {"a": ["x", "y"] * 20, "b": ["p", "q"] * 20, "c": [0, 1] * 20})
    with pytest.raises(InputError, match=r"^2 columns hold text, and Perceptron .*\['a', 'b'\]"):
        Perceptron().fit(frame, Y)
