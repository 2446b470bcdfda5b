"""How a file is read: one value, in a model's text, in a proof's words, and asked again of another file."""

import json
from dataclasses import replace
from typing import Any

import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import InputError
from rosenblatt.files.reading import FORMATS, MISSING, Reading

names = st.lists(st.text(max_size=5), max_size=3).map(tuple)
readings = st.builds(
    Reading,
    missing=st.none() | st.sampled_from(MISSING),
    format=st.none() | st.sampled_from(FORMATS),
    leave_out=names,
    label=st.none() | st.text(max_size=5) | st.integers(-9, 9),
    fill=st.none() | st.dictionaries(st.text(max_size=5), st.floats(allow_nan=False, allow_infinity=False), max_size=3),
    text=st.none() | names,
    base=st.sampled_from([None, 0, 1]),
    hash_bits=st.none() | st.integers(1, 30),
    columns=st.none() | names,
)


@settings(max_examples=examples(200), deadline=None)
@given(readings, readings)
def test_it_comes_back_from_a_dictionary_and_words(one: Reading, other: Reading) -> None:
    assert Reading.of_dict(json.loads(json.dumps(one.to_dict()))) == one
    assert all(type(text) is str for pair in one.in_words().items() for text in pair)
    said = replace(one, fill=None, columns=None, missing=None if one.missing == "refuse" else one.missing)
    said = replace(said, text=one.text or None, label=None if one.label is None else str(one.label))
    assert Reading.of_words(one.in_words()) == said
    assert one.updated(Reading()) == one
    assert Reading().updated(other) == other
    assert all(value == one.updated(other).to_dict()[name] for name, value in other.to_dict().items())


@settings(max_examples=examples(200), deadline=None)
@given(readings, st.sampled_from(FORMATS))
def test_what_is_alike_means_something_in_the_format(one: Reading, format: str) -> None:
    alike = one.alike(format)
    assert one.alike(None) == one
    assert alike.format is alike.columns is None  # the one is known, and the others are found out
    assert alike.to_dict().items() <= one.to_dict().items()
    assert alike.alike(format) == alike
    assert alike.base is None or format == "svmlight"
    assert alike.label is None or format not in ("svmlight", "vw")
    assert alike.hash_bits is None or format not in ("npy", "npz")


def test_numbers_are_whole_ones() -> None:
    assert repr(Reading.of_dict({"base": 1.0}).base) == "1"


def test_where_a_table_had_its_labels_means_nothing_in_arrays() -> None:
    assert Reading(format="csv", label="ill").alike("npz") == Reading()
    assert Reading(format="npy", label=-1).alike("npz") == Reading(label=-1)
    assert Reading(format="npy", label=-1).alike("csv") == Reading(label=-1)


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ({"missing": "guess"}, "unknown missing 'guess'; expected one of refuse, drop, zero, mean"),
        ({"format": "excel"}, "unknown format 'excel'; expected one of svmlight"),
        ({"label": [0]}, "label must be a column's name or its position, not [0]"),
        ({"label": True}, "label must be a column's name or its position, not True"),
        ({"base": 2}, "base must be 0 or 1, the index of the first feature, not 2"),
        ({"base": True}, "base must be 0 or 1, the index of the first feature, not True"),
        ({"hash_bits": 31}, "hash_bits must be a whole number from 1 to 30, not 31"),
        ({"hash_bits": "18"}, "hash_bits must be a whole number from 1 to 30, not '18'"),
        ({"text": [1]}, "text must be names of columns, not [1]"),
        ({"text": 1}, "text must be names of columns, not 1"),
        ({"leave_out": {"a": 1, "b": 2}, "columns": [None]}, "columns must be names of columns, not [None]"),
        ({"fill": [1.0]}, "fill must be a finite number for each of some columns, not [1.0]"),
        ({"fill": {"a": "1"}}, "fill must be a finite number for each of some columns, not {'a': '1'}"),
        ({"fill": {"a": 10**400}}, "fill must be a finite number for each of some columns, not {'a': 1000"),
        ({"fill": {"a": float("nan")}}, "fill must be a finite number for each of some columns, not {'a': nan}"),
    ],
)
def test_what_a_file_says_of_it_is_a_claim(claim: dict[str, Any], reason: str) -> None:
    with pytest.raises(InputError) as refused:
        Reading.of_dict(json.loads(json.dumps(claim)))
    assert str(refused.value).startswith(f"how its data were read: {reason}")


def test_what_it_does_not_know_is_passed_over() -> None:
    assert Reading.of_dict({"more": 1, "label": None}) == Reading()
