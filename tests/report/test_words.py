"""Words: a status is a key and values, and every caller is told of the parameters by the names they have there."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rosenblatt
from rosenblatt import InputError, Perceptron, learn
from rosenblatt.errors import ParameterError, phrase
from rosenblatt.report import words
from rosenblatt.runs.status import Advice, Status

SOURCES = [path.read_text() for path in Path(rosenblatt.__file__).parent.rglob("*.py") if path.name != "words.py"]
X, Y = [[4, 0], [1, 1], [0, 1], [-2, -2]], [1, -1, -1, 1]


def quoted() -> set[str]:
    """Every short string of the package: keys are written out where they are used."""
    return {one for text in SOURCES for one in re.findall(r'"([a-z][a-z.-]*)"', text)}


def test_every_reason_and_every_advice_is_given_somewhere() -> None:
    ends = {f"{name}.overshooting" for name in ("plateau", "budget")}  # made of a name
    assert set(words.REASONS) - quoted() - ends == {"old"}  # the end of a key of an old file
    assert set(words.ADVICE) - quoted() == set()


def test_every_key_that_is_given_has_its_words() -> None:
    for text in SOURCES:
        given = re.findall(r'(?:ended|Status)\((?:\s*)f?"([a-z.-]+)"', text)
        assert set(given) <= set(words.REASONS), given
        advised = re.findall(r'(?:advising|Advice|without)\("([a-z-]+)"', text)
        assert set(advised) <= set(words.ADVICE), advised


@pytest.mark.parametrize("face", words.FACES)
def test_each_face_has_its_own_names_for_the_parameters(face: str) -> None:
    own = {"learn": "max_epochs", "estimator": "max_iter", "command": "--epochs"}
    assert words.name_of(face, "max_epochs") == own[face]
    said = words.advice([("smaller-eta", {"batches": False, "safe": 0.25}), ("average", {})], face)
    named = {"learn": "eta", "estimator": "eta0", "command": "--eta"}[face]
    assert said.startswith(f"take a smaller {named}: below 2/R'^2 = 0.25 ")
    assert said.endswith(
        "--readout averaged often predicts better" if face == "command" else "readout='averaged' often predicts better"
    )


def test_a_status_says_the_same_to_everyone_in_their_own_words() -> None:
    end = learn([[1.0], [2.0]], [1, -1], max_epochs=1, offset=0).status
    assert (end.name, end.key, dict(end.values)) == ("budget", "budget", {"epoch": 1})
    assert [end.facing(face).advice.rpartition("; ")[2] for face in words.FACES] == [
        "a larger max_epochs with start=run goes on",
        "a larger max_iter goes on",
        "more --epochs go on",
    ]
    assert end.without("more-epochs").steps == end.steps[:-1]
    assert end.facing("command") == replace(end, face="command")
    assert end.advising("average").steps[-1] == Advice("average")


def test_a_column_is_never_taken_for_a_parameter() -> None:
    """A column that is called like a parameter keeps its name; a parameter gets the estimator's."""
    frame = pd.DataFrame({"eta": [1.0, np.nan, 3.0, 4.0], "patience": [1.0, 2.0, 3.0, 5.0]})
    with pytest.raises(InputError, match=r"row 1, column 0 \(eta\): not a finite number"):
        Perceptron().fit(frame, [0, 1, 0, 1])
    with pytest.raises(InputError, match=r"^eta0 must be a finite number > 0, not -1$"):
        Perceptron(eta0=-1).fit(frame.fillna(2), [0, 1, 0, 1])
    with pytest.raises(InputError, match=r"^eta must be a finite number > 0, not -1$"):
        learn(X, Y, eta=-1)
    with pytest.raises(InputError, match=r"^unknown readout '\{eta\}'; expected one of"):
        learn(X, Y, readout="{eta}")


def test_phrases_fill_in_values_and_name_parameters() -> None:
    assert phrase("{n:row} of {n}, {x:.2g}; {eta}, {eta:half}", {"n": 1, "x": 0.125, "half": 0.5}) == (
        "1 row of 1, 0.12; eta, eta=0.5"
    )
    error = ParameterError("{seed} must be {what}", what="{eta}")
    assert str(error) == "seed must be {eta}"
    assert str(words.in_words_of("estimator", error)) == "random_state must be {eta}"
    plain = InputError("column eta")
    assert words.in_words_of("estimator", plain) is plain


def test_a_status_without_advice_ends_with_its_reason() -> None:
    assert str(Status("clean.old", {"epoch": 3})) == "clean: 3 epochs; its model file, of version 1, does not say why"
