"""Frames that a model is to judge: columns without names, columns that are no features, and what is wrong, in words."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import InputError, Model, learn, logistic_clinic, read, separability
from rosenblatt.files.matching import matched
from rosenblatt.files.options import options_of
from rosenblatt.files.read import sheet_of
from rosenblatt.models.build import model_of_run

pd = pytest.importorskip("pandas")

NUMBERS = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": [0.0, 5.0, 0.0, 2.0]})
ARMS = pd.DataFrame({"arm": ["A", "B", "C", "A"], "age": [30.0, 40.0, 50.0, 60.0]})
Y = [0, 1, 0, 1]


def model_of(run: Any) -> Any:
    """The model of a run, as a file would hold it."""
    return Model.from_json(model_of_run(run, run.state, run.status).to_json())


def test_columns_that_are_numbered_go_by_position() -> None:
    run = learn(NUMBERS, Y, max_epochs=50)
    expected = run.predict(NUMBERS.to_numpy()).tolist()
    assert expected == Y
    for names in (range(2), [7, 9], [0.5, 1.5]):
        frame = NUMBERS.set_axis(names, axis=1)
        for judge in (run, model_of(run)):
            assert judge.predict(frame).tolist() == expected
    for frame in (pd.DataFrame(np.ones((2, 3))), NUMBERS.set_axis(["x", 1], axis=1)):
        with pytest.raises(InputError, match="frame: no column of the model in it, 'a', 'b'; there are"):
            run.predict(frame)


def test_numbered_columns_that_were_learnt_from_go_by_their_numbers() -> None:
    run = learn(NUMBERS.set_axis([0, 1], axis=1), Y, max_epochs=50)
    turned = NUMBERS.set_axis([0, 1], axis=1)[[1, 0]]
    assert run.predict(turned).tolist() == run.predict(NUMBERS.to_numpy()).tolist()


def test_columns_of_text_do_not_go_by_position() -> None:
    run = learn(ARMS, Y, max_epochs=50)
    with pytest.raises(InputError, match="no column of the model in it"):
        run.predict(pd.DataFrame(np.ones((2, 4))))


def test_labels_and_counts_are_no_columns_to_speak_of() -> None:
    frame = pd.DataFrame({"6": [1.0, 2.0, 3.0, 4.0], "0": Y, "n": [1, 2, 1, 3]})
    run = learn(read(frame, label="name:0", counts="n"), max_epochs=50)
    assert model_of(run).reading.label == "name:0"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole = run.predict(frame)
        assert run.predict(frame[["6"]]).tolist() == whole.tolist()
        assert model_of(run).predict(frame[["6"]]).tolist() == whole.tolist()


def test_what_lacks_is_said_beside_the_columns_that_are_there(tmp_path: Path) -> None:
    run = learn(ARMS, Y, max_epochs=50)
    with pytest.raises(InputError) as error:
        run.predict(ARMS.drop(columns="age").assign(sex="f"))
    assert str(error.value) == "frame: 1 column of the model not in it: 'age'; there are 'arm', 'sex'"
    path = tmp_path / "t.csv"
    path.write_text("arm,sex\nA,f\nB,m\n")
    sheet = sheet_of(path, options_of(labels="wanted", header=True))
    with pytest.raises(InputError, match=r"not in it: 'age'; there are 'arm', 'sex'$"):
        matched(sheet, run.source.feature_names, 4, model_of(run).reading)


def test_what_is_missing_is_to_be_filled_or_dropped_first() -> None:
    lacking = ARMS.assign(age=[30.0, None, 50.0, 60.0])
    run = learn(ARMS, Y, max_epochs=50)
    for judge in (run, model_of(run)):
        with pytest.raises(InputError) as error:
            judge.predict(lacking)
        assert str(error.value) == (
            "frame: row 1, column 'age': missing value; expected one: fill it, or drop the row, first"
        )
    for ask in (learn, separability, logistic_clinic):
        with pytest.raises(InputError, match=r"--missing drop, .*\(missing='drop', …\); rosenblatt.read\("):
            ask(lacking, Y)
    counted = ARMS.assign(n=[1.0, None, 2.0, 1.0], y=Y)
    with pytest.raises(InputError, match=r"missing count; expected one, or --missing drop \(missing='drop'\)$"):
        read(counted, label="y", counts="n", missing="zero")


@pytest.mark.parametrize("column", [np.array([1j, 2, 3, 4]), pd.Series([1j, 2.0, None, 1], dtype=object)])
def test_complex_numbers_are_refused_by_that_name(column: Any) -> None:
    frame = NUMBERS.assign(c=column)
    for ask in (learn, separability, read):
        with pytest.raises(InputError, match=r"^frame: column 'c': holds complex numbers; expected real ones$"):
            ask(frame, Y)
