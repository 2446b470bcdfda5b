"""Power that fails: what the system has not flushed may be lost, in any order; a sound checkpoint is left all the same.

A run of `train` is recorded call by call. A disk is then made of every beginning of that record: the data of a file
that was not flushed may be there, or half of it, or zeros, or nothing; and of the changes of names since the folder was
last flushed any part may have reached the disk. On every such disk is what a run goes on from.
"""

import os
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from rosenblatt import Model
from rosenblatt.cli import main
from rosenblatt.models.checkpoint import newest_checkpoint


class Call(NamedTuple):
    """A call that changed something: a file by its number, or the names in the folder."""

    kind: str  # create, write, flush, rename, unlink or flush-names
    file: int = -1
    name: str = ""
    other: str = ""
    data: bytes = b""


class Recorder:
    """The calls of the system that write below a folder, as they are made."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.calls: list[Call] = []
        self.folder, self.open_files = str(folder), dict[int, int]()
        self.files = 0
        for name in ("open", "write", "fsync", "close", "replace", "unlink"):
            patch.setattr(os, name, self._wrapped(name, getattr(os, name)))

    def _wrapped(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            result = real(*arguments, **options)
            getattr(self, f"_{name}")(result, *arguments)
            return result

        return call

    def _open(self, handle: int, path: Any, flags: int, *mode: int) -> None:
        if os.path.isdir(path):
            self.open_files[handle] = -1
        elif flags & os.O_CREAT and os.path.dirname(path) == self.folder:
            self.open_files[handle] = self.files
            self.calls.append(Call("create", self.files, os.path.basename(path)))
            self.files += 1

    def _write(self, written: int, handle: int, data: Any) -> None:
        if handle in self.open_files:
            self.calls.append(Call("write", self.open_files[handle], data=bytes(data[:written])))

    def _fsync(self, _: None, handle: int) -> None:
        if handle in self.open_files:
            file = self.open_files[handle]
            self.calls.append(Call("flush-names") if file < 0 else Call("flush", file))

    def _close(self, _: None, handle: int) -> None:
        self.open_files.pop(handle, None)

    def _replace(self, _: None, name: str, other: str) -> None:
        self.calls.append(Call("rename", name=os.path.basename(name), other=os.path.basename(other)))

    def _unlink(self, _: None, name: str) -> None:
        self.calls.append(Call("unlink", name=os.path.basename(name)))


def disks(calls: list[Call]) -> Iterator[dict[str, bytes]]:
    """What may be on the disk after these calls, by name."""
    contents, flushed, live = dict[int, bytes](), set[int](), dict[str, int]()
    safe, pending = dict[str, int](), list[tuple[str, str, int]]()  # names that go, names that come, and their files
    for call in calls:
        if call.kind == "create":
            contents[call.file] = b""
            live[call.name] = call.file
            pending.append(("", call.name, call.file))
        elif call.kind == "write":
            contents[call.file] += call.data
            flushed.discard(call.file)
        elif call.kind == "flush":
            flushed.add(call.file)
        elif call.kind == "rename":
            live[call.other] = live.pop(call.name)
            pending.append((call.name, call.other, live[call.other]))
        elif call.kind == "unlink":
            del live[call.name]
            pending.append((call.name, "", -1))
        else:
            safe, pending = dict(live), []
    for size in range(len(pending) + 1):
        for part in combinations(pending, size):
            names = dict(safe)
            for old, new, file in part:
                names.pop(old, None)
                if new:
                    names[new] = file
            for spoilt in (lambda b: b, lambda b: b[: len(b) // 2], lambda b: bytes(len(b)), lambda b: b""):
                yield {name: contents[f] if f in flushed else spoilt(contents[f]) for name, f in names.items()}


def record(folder: Path, monkeypatch: pytest.MonkeyPatch, *plan: str) -> list[Call]:
    chance = np.random.default_rng(3)
    X = chance.standard_normal((50, 2))
    np.save(folder / "x.npy", np.column_stack([X, X[:, 0] + chance.standard_normal(50) > 0]))
    monkeypatch.chdir(folder)
    with monkeypatch.context() as patch:
        recorder = Recorder(folder, patch)
        words = "train x.npy --label -1 -m m --rule perceptron --tol never --epochs 4 --checkpoint-every 1e-9 -q"
        assert main([*words.split(), *plan]) == 0
    assert sorted(os.listdir(folder)) == ["m", "x.npy"]
    return recorder.calls


def test_what_is_not_flushed_may_be_lost_and_a_sound_checkpoint_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = record(tmp_path, monkeypatch)
    written = [b"".join(c.data for c in calls if c.kind == "write" and c.file == file) for file in range(4)]
    epochs = {data: epoch for epoch, data in enumerate(written, 1)}  # three checkpoints and the model
    assert Path("m").read_bytes() == written[3]
    assert [call.kind for call in calls].count("flush-names") == 4
    tried = set[tuple[tuple[tuple[str, bytes], ...], int]]()
    done = 0  # checkpoints, and the model, that are promised
    for end in range(len(calls) + 1):
        done += end > 0 and calls[end - 1].kind == "flush-names"
        for disk in disks(calls[:end]):
            left = {name: data for name, data in disk.items() if not name.startswith(".")}
            key = tuple(sorted(left.items()))
            if (key, done) in tried:
                continue
            tried.add((key, done))
            folder = tmp_path / f"disk {len(tried)}"
            folder.mkdir()
            for name, data in left.items():
                (folder / name).write_bytes(data)
            if "m" in left:  # the model is there when it is whole, and never before
                assert left["m"] == written[3]
                continue
            assert done < 4
            found = newest_checkpoint(folder / "m.checkpoint")
            assert found.damaged == ()  # nothing is ever in place that is not whole
            if found.path is None:
                assert done == 0
                continue
            data = Path(found.path).read_bytes()
            assert done <= epochs[data]
            assert Model.load(found.path).n_iter_ == epochs[data] <= 3
    assert len(tried) > 12
    assert done == 4


def test_the_disks_find_a_protocol_that_does_not_flush(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = [call for call in record(tmp_path, monkeypatch) if call.kind != "flush"]
    whole = {b"".join(c.data for c in calls if c.kind == "write" and c.file == file) for file in range(4)}
    assert any(disk["m"] not in whole for end in range(len(calls)) for disk in disks(calls[:end]) if "m" in disk)
