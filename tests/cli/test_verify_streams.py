"""`verify` on data that stay on the disk: the same answer, and whether they did."""

import json
from pathlib import Path

import numpy as np
import pytest

from rosenblatt.cli import main


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, (500, 3))
    y = np.where(X.sum(axis=1) > 0, "yes", "no")
    y[[3, 400]] = ["no", "yes"]
    lines = [f"{1 if label == 'yes' else 2} 1:{a} 2:{b} 3:{c}" for (a, b, c), label in zip(X, y, strict=True)]
    Path("a.svm").write_text("\n".join(lines) + "\n")
    Path("a.csv").write_text("a,b,c,label\n" + "".join(f"{a},{b},{c},{v}\n" for (a, b, c), v in zip(X, y, strict=True)))


@pytest.mark.parametrize("data", ["a.svm", "a.csv"])
@pytest.mark.parametrize("command", ["check", "margin"])
def test_the_answer_is_the_same_wherever_rows_are(capsys: pytest.CaptureFixture[str], data: str, command: str) -> None:
    for more in ([], ["--stream"]):
        main([command, data, "--proof", "p.json", *more])
        capsys.readouterr()
        answers = []
        for how, streamed in (([], False), (["--stream"], True), (["--slow-reader"], data == "a.svm")):
            assert main(["verify", "p.json", data, "--json", *how]) == 0
            answer = json.loads(capsys.readouterr().out)["result"]
            assert answer["streamed"] is streamed
            answers.append((answer["check"], answer["data"]["rows"], answer["data"]["classes"]))
        assert answers[0] == answers[1] == answers[2]


def test_both_ways_at_once_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "a.svm", "--proof", "p.json"])
    capsys.readouterr()
    assert main(["verify", "p.json", "a.svm", "--stream", "--slow-reader"]) == 2
    assert "--stream is for the fast reader" in capsys.readouterr().err
