"""`train --checkpoint-every` and `--resume auto`: what is kept, what is gone on from, and what is refused."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import answer, run

from rosenblatt import Model
from rosenblatt.models import checkpoint
from rosenblatt.models.store import write

PLAN = ("train", "x.csv", "-m", "m", "--rule", "perceptron", "--tol", "never", "--epochs", "5")
OFTEN = ("--checkpoint-every", "1e-9")
AUTO = ("--resume", "auto")


def rows(change: Callable[[list[list[str]]], Any] = lambda cells: None) -> None:
    """The file to learn from, perhaps changed."""
    chance = np.random.default_rng(4)
    X = chance.standard_normal((60, 2)).round(2)
    label = np.where(X[:, 0] + chance.standard_normal(60) > 0, "yes", "no")
    cells = [["a", "b", "label"], *([str(x[0]), str(x[1]), y] for x, y in zip(X, label, strict=True))]
    change(cells)
    Path("x.csv").write_text("".join(",".join(line) + "\n" for line in cells))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows()
    return tmp_path


def unfinished(capsys: pytest.CaptureFixture[str], *plan: str) -> None:
    """A run whose model could not be written: its checkpoints are there, of the third epoch and the fourth."""
    save = Model.save

    def full(self: Model, path: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Model, "save", full)
        code, _, err = run(capsys, *(plan or PLAN), *OFTEN)
    assert (code, "No space left on device" in err) == (2, True)
    assert Model.save is save


def whole(capsys: pytest.CaptureFixture[str], *plan: str) -> bytes:
    """The model of a run that nothing happened to."""
    answer(capsys, *(plan or PLAN), "--checkpoint-every", "never")
    data = Path("m").read_bytes()
    os.unlink("m")
    return data


def test_a_run_keeps_two_checkpoints_and_removes_them_at_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    expected = whole(capsys)
    unfinished(capsys)
    assert sorted(os.listdir()) == ["m.checkpoint", "m.checkpoint.1", "x.csv"]
    assert [Model.load(name).n_iter_ for name in ("m.checkpoint", "m.checkpoint.1")] == [4, 3]
    found = answer(capsys, *PLAN, *OFTEN, *AUTO)["checkpoints"]
    assert (found["count"], found["failed"]) == (0, 0)
    assert Path("m").read_bytes() == expected
    assert sorted(os.listdir()) == ["m", "x.csv"]
    found = answer(capsys, *PLAN, *OFTEN)["checkpoints"]
    assert (found["count"], found["failed"]) == (4, 0)
    assert found["seconds"] > 0
    assert Path("m").read_bytes() == expected
    assert "4 checkpoints took 0." in run(capsys, *PLAN, *OFTEN, "-v")[2]


def test_by_default_a_short_run_keeps_none(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for option in ((), ("--checkpoint-every", "never"), ("--checkpoint-every", "0")):
        assert answer(capsys, *PLAN, *option)["checkpoints"] == {"count": 0, "seconds": 0, "failed": 0}
    for bad in ("-1", "nan", "inf", "often"):
        code, _, err = run(capsys, *PLAN, "--checkpoint-every", bad)
        assert (code, "never" in err) == (2, True)


def test_what_is_gone_on_from_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    expected = whole(capsys)
    assert "note: no checkpoint m.checkpoint: from the beginning\n" in run(capsys, *PLAN, *AUTO)[2]
    unfinished(capsys)
    assert "note: going on from m.checkpoint\n" in run(capsys, *PLAN, *AUTO)[2]
    assert Path("m").read_bytes() == expected
    assert "kept in epoch 4, while the run went on" not in run(capsys, "show", "m")[1]


def spoil(name: str) -> None:
    data = bytearray(Path(name).read_bytes())
    data[len(data) // 2] ^= 1
    Path(name).write_bytes(data)


def test_of_a_damaged_checkpoint_the_one_before_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    expected = whole(capsys)
    unfinished(capsys)
    shutil.copytree(".", "../copy")
    spoil("m.checkpoint")
    code, _, err = run(capsys, *PLAN, *AUTO, *OFTEN)
    said = " ".join(err.split())
    assert code == 0
    assert "m.checkpoint: damaged: the checksum does not match" in said
    assert "note: going on from m.checkpoint.1" in said.replace("/ ", "/").replace(str(Path.cwd()) + "/", "")
    assert Path("m").read_bytes() == expected
    assert sorted(os.listdir()) == ["m", "x.csv"]
    shutil.rmtree("../copy")


def test_a_damaged_checkpoint_never_takes_the_place_of_the_sound_one_before(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = (*PLAN[:-1], "7")
    unfinished(capsys, *plan)
    spoil("m.checkpoint")
    replace, seen = os.replace, []

    def watched(draft: str, target: str) -> None:
        replace(draft, target)
        seen.append(checkpoint.newest_checkpoint("m.checkpoint").path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", watched)
        unfinished(capsys, *plan, *AUTO)
    assert len(seen) > 0
    assert None not in seen
    assert [Model.load(name).n_iter_ for name in ("m.checkpoint", "m.checkpoint.1")] == [6, 5]


def test_where_none_is_sound_it_begins_anew(capsys: pytest.CaptureFixture[str]) -> None:
    expected = whole(capsys)
    for content in (b"", bytes(3000), b"text"):
        for name in ("m.checkpoint", "m.checkpoint.1"):
            Path(name).write_bytes(content)
        code, _, err = run(capsys, *PLAN, *AUTO)
        assert (code, "no sound checkpoint m.checkpoint: from the beginning" in " ".join(err.split())) == (0, True)
        assert Path("m").read_bytes() == expected


def test_a_checkpoint_of_a_later_version_is_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    write("m.checkpoint", "model", 99, {}, {})
    code, _, err = run(capsys, *PLAN, *AUTO)
    assert (code, "written by a newer rosenblatt" in err) == (2, True)
    assert sorted(os.listdir()) == ["m.checkpoint", "x.csv"]


def widen(cells: list[list[str]]) -> None:
    for number, line in enumerate(cells):
        line.insert(0, str(number) if number else "z")


CHANGES: dict[str, tuple[Callable[[list[list[str]]], Any], str]] = {
    "rows": (lambda cells: cells.pop(), "the data have 59 rows, and had 60"),
    "columns": (widen, "the data have 3 columns, and had 2"),
    "names": (lambda cells: cells[0].__setitem__(1, "c"), "column 2 is 'c', and was 'b'"),
    "classes": (
        lambda cells: cells[5].__setitem__(2, "perhaps"), "the classes have changed: 'perhaps' is new"
    ),
    "counts": (lambda cells: cells[1].__setitem__(2, other(cells[1][2])), "label 'no' is that of "),
    "labels": (lambda cells: swap(cells), "the labels of some rows have changed"),
    "values": (lambda cells: cells[60].__setitem__(0, "0.123"), "the values of some rows have changed"),
}  # fmt: skip


def other(label: str) -> str:
    return {"yes": "no", "no": "yes"}[label]


def swap(cells: list[list[str]]) -> None:
    """One of each label: the counts stay."""
    for label in ("yes", "no"):
        line = next(line for line in cells[1:] if line[2] == label and len(line) == 3)
        line[2] = other(label) + "!"
    for line in cells:
        line[2] = line[2].removesuffix("!")


@pytest.mark.parametrize("what", CHANGES)
def test_other_data_are_refused_and_it_says_what_changed(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    unfinished(capsys)
    change, said = CHANGES[what]
    rows(change)
    code, _, err = run(capsys, *PLAN, *AUTO)
    message = " ".join(err.split())
    assert code == 2
    assert f"x.csv: cannot resume from m.checkpoint: {said}" in message
    assert "the file has " in message or "the file was written on " in message
    assert sorted(os.listdir()) == ["m.checkpoint", "m.checkpoint.1", "x.csv"]


def test_other_weights_and_another_plan_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    unfinished(capsys)
    for more, said in (
        (("--class-weight", "balanced"), "the sample weights are not those the state was learnt on"),
        (("--seed", "3"), "--seed was 0, and now is 3"),
        (("--start", "random"), "--start begins anew"),
        (("--holdout", "0.5"), "--resume auto goes on with one run"),
        (("--trace",), "leave out --resume"),
    ):
        code, _, err = run(capsys, *PLAN, *AUTO, *more)
        assert (code, said in " ".join(err.split())) == (2, True), err


@pytest.mark.parametrize(
    "plan",
    [
        ("--start", "random", "--rule", "perceptron", "--tol", "never", "--epochs", "4"),
        ("--class-weight", "balanced", "--rule", "margin", "--beta", "0.1", "--batch-size", "7", "--epochs", "5"),
        ("--rule", "coin", "--epochs", "5"),
        ("--readout", "pocket", "--order", "cyclic", "--scale", "standard", "--epochs", "5"),
    ],
)
def test_the_same_command_again_goes_on_to_the_same_bits(
    plan: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("train", "x.csv", "-m", "m", *plan)
    expected = whole(capsys, *words)
    unfinished(capsys, *words)
    assert Path("m.checkpoint").exists()
    answer(capsys, *words, *AUTO, "--threads", "3")
    assert Path("m").read_bytes() == expected


@pytest.mark.parametrize("rule", [(), ("--rule", "auto")])
def test_a_choice_goes_on_with_what_was_chosen(rule: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    words = ("train", "x.csv", "-m", "m", *rule)
    expected = whole(capsys, *words)
    unfinished(capsys, *words)
    assert Model.load("m.checkpoint").choice is not None
    assert answer(capsys, *words, *AUTO, "--test", "x.csv")["status"] == "chosen"
    assert Path("m").read_bytes() == expected
    unfinished(capsys, *PLAN)
    code, _, err = run(capsys, *words[:4], "--rule", "auto", *AUTO)
    assert (code, "--rule auto chooses anew" in " ".join(err.split())) == (2, True)


def test_checkpoints_of_another_run_stay_until_this_one_has_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    unfinished(capsys)
    answer(capsys, *PLAN)  # too short for any
    assert sorted(os.listdir()) == ["m", "m.checkpoint", "m.checkpoint.1", "x.csv"]
    os.unlink("m")
    unfinished(capsys, *PLAN[:-1], "2")
    assert sorted(os.listdir()) == ["m.checkpoint", "x.csv"]  # the one before was of the other run
    assert Model.load("m.checkpoint").n_iter_ == 1


def test_a_checkpoint_that_cannot_be_written_does_not_end_the_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, real = whole(capsys), os.fsync
    failures = iter([True, False, True, False, False, False, False, False])

    def fsync(file: int) -> None:
        real(file)
        if not os.path.isdir(f"/dev/fd/{file}") and next(failures):
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fsync)
    code, out, _ = run(capsys, *PLAN, *OFTEN, "--json")
    assert (code, '"failed": 2' in out, '"count": 2' in out) == (0, True, True)
    assert Path("m").read_bytes() == expected
    assert sorted(os.listdir()) == ["m", "x.csv"]
