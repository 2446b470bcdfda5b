"""A command run within the test: its exit code, what it prints, and its answer in JSON, by the schema."""

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rosenblatt.cli import main

SCHEMA = Draft202012Validator(json.loads((files("rosenblatt.cli") / "schema.json").read_text()))


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """The exit code, standard output and standard error."""
    code = main([str(word) for word in words])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def answer(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    """The result of a command that succeeds."""
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, (out, err)
    SCHEMA.validate(json.loads(out))
    found: dict[str, Any] = json.loads(out)["result"]
    return found
