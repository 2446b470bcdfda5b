"""`rosenblatt train` with rules that bet: they learn, go on and predict; what has no meaning is refused in one line."""

import json
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rosenblatt import load
from rosenblatt.cli import main

SCHEMA = Draft202012Validator(json.loads((files("rosenblatt.cli") / "schema.json").read_text()))
every_rule = pytest.mark.parametrize("rule", ["coin", "scinol"])


@every_rule
def test_it_learns_goes_on_and_predicts(
    rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    common = ["train", "example:iris", "--rule", rule, "--tol", "never", "--json"]
    assert main([*common, "-m", "whole", "--epochs", "60"]) == 0
    told = json.loads(capsys.readouterr().out)
    SCHEMA.validate(told)
    assert main([*common, "-m", "half", "--epochs", "30"]) == 0
    assert main([*common, "-m", "rest", "--epochs", "60", "--resume", "half"]) == 0
    assert load("whole").coef_.tobytes() == load("rest").coef_.tobytes()
    capsys.readouterr()
    assert main(["predict", "whole", "example:iris", "--json"]) == 0
    assert main(["show", "whole"]) == 0
    assert rule in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--readout", "voted"], "has no vote: its weights are no sum of rows; use --readout averaged"),
        (["--batch-size", "5"], "steps row by row: --batch-size must be 1, not 5"),
        (["--eta", "0.5"], "sets its own step: leave out --eta and --schedule"),
        (["--schedule", "1/k"], "sets its own step: leave out --eta and --schedule"),
        (["--start", "random"], "must begin at zero: leave out --start"),
        (["--beta", "1"], "takes no --beta; leave it out"),
        (["--trace"], "has no rounds to tell: its weights are no sum of rows; leave out --trace"),
        (["--trace-file", "t.csv"], "has no rounds to tell: its weights are no sum of rows; leave out --trace"),
    ],
)
@every_rule
def test_what_has_no_meaning_is_refused_in_one_line(
    rule: str,
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", "example:iris", "--rule", rule, "-m", "m", *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines()[-1] == f"rule {rule!r} {message}"
    assert not list(tmp_path.iterdir())
