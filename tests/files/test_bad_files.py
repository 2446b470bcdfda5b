"""Two hundred files that are wrong: one line for each, with the place, exit code 2, and nothing written."""

import json
import os
import re
from pathlib import Path

import pytest
from bad_files import Bad, bad_files

from rosenblatt.cli import main

FILES = bad_files()


def test_there_are_three_hundred_of_them_and_each_has_a_name_of_its_own() -> None:
    assert len({bad.name for bad in FILES}) == len(FILES) >= 300


@pytest.mark.parametrize("bad", FILES, ids=lambda bad: bad.name)
def test_a_bad_file_is_one_line_with_its_place(
    bad: Bad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(bad.name).write_bytes(bad.content)
    asked = ["check", bad.name, "--proof", "proof.json", *bad.options]
    assert main(asked) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1, err
    assert re.match(re.escape(bad.name) + bad.said, err), err
    assert err.rstrip("\n").isprintable()
    assert len(err) < 500
    assert os.listdir() == [bad.name]
    assert main([*asked, "--json"]) == 2
    out, err = capfd.readouterr()
    told = json.loads(out)["error"]
    assert (err, told["file"]) == ("", bad.name)
    if place := re.match(r":(\d+)(?::(\d+))?: ", told["message"].removeprefix(bad.name)):
        assert told["line"] == int(place[1])
        assert told["column"] == (int(place[2]) if place[2] else None)


@pytest.mark.parametrize("command", ["check", "train", "margin", "suspects", "clinic", "show"])
def test_every_command_says_what_cannot_be_opened(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("secret.svm").write_bytes(b"1 1:1\n-1 1:2\n")
    Path("secret.svm").chmod(0)
    for name, said in {"folder": "a folder", "none.svm": "No such file", "secret.svm": "Permission denied"}.items():
        root = os.geteuid() == 0
        try:
            if root and name == "secret.svm":
                os.seteuid(65534)  # root may read everything
            code = main([command, name])
        finally:
            if root:
                os.seteuid(0)
        out, err = capfd.readouterr()
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert said in err or (command, name) == ("train", "secret.svm"), err  # which looks at its folder first
    assert sorted(os.listdir()) == ["folder", "secret.svm"]


@pytest.mark.slow
def test_a_line_of_a_hundred_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("long.svm").write_bytes(b"1 1:1\n-1 " + b" " * 100_000_000 + b"1:1\n")
    assert main(["check", "long.svm"]) == 2
    assert re.match(r"long\.svm:2:67108865: the line is longer", capfd.readouterr().err)
