"""Files that are replaced: where they are, whose they are, and what is left when a call fails or a process dies."""

import contextlib
import errno
import os
import random
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import InputError
from rosenblatt.atomic import replace_file
from rosenblatt.store import read, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a model"


# --- Where files are, and whose they are. ---


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Without the rights of root, who may do everything."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everyone may look into."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)
        os.chmod(name, 0o755)


def test_only_regular_files_are_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "link", "folder"):
        with pytest.raises(InputError, match="not a regular file; nothing may take its place"):
            replace_file(tmp_path / name, b"new")
    assert sorted(os.listdir(tmp_path)) == ["folder", "link", "pipe"]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "none" / "model"
    with pytest.raises(FileNotFoundError) as refused:
        read(missing, "model", 1)
    assert refused.value.filename == str(missing)
    with pytest.raises(FileNotFoundError) as refused:
        write(missing, "model", 1, {}, {})
    assert refused.value.filename == str(missing)
    assert str(refused.value).endswith(f"No such file or directory: '{missing}'")


def test_what_is_forbidden_is_named(open_folder: Path) -> None:
    path = open_folder / "model"
    write(path, "model", 1, {}, {})
    path.chmod(0)
    open_folder.chmod(0o555)
    with as_nobody():
        with pytest.raises(PermissionError) as refused:
            read(path, "model", 1)
        assert refused.value.filename == str(path)
        with pytest.raises(PermissionError) as refused:
            write(path, "model", 1, {"new": True}, {})
        assert refused.value.filename == str(path)
    open_folder.chmod(0o755)
    path.chmod(0o600)
    assert os.listdir(open_folder) == ["model"]
    assert read(path, "model", 1) == (1, {}, {})


def test_a_folder_that_may_be_written_but_not_read_will_do(open_folder: Path) -> None:
    open_folder.chmod(0o333)
    with as_nobody():
        write(open_folder / "model", "model", 1, {"new": True}, {})
        assert read(open_folder / "model", "model", 1) == (1, {"new": True}, {})


def test_links_stay_and_their_targets_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    target = tmp_path / "there" / "model"
    (tmp_path / "link").symlink_to("there/model")
    (tmp_path / "chain").symlink_to(tmp_path / "link")
    for number, name in enumerate(("link", "chain", "link")):  # at first the target is missing
        write(tmp_path / name, "model", 1, {"number": number}, {})
        assert (tmp_path / name).is_symlink()
        assert not target.is_symlink()
        assert read(target, "model", 1) == read(tmp_path / "chain", "model", 1) == (1, {"number": number}, {})
    assert os.listdir(target.parent) == ["model"]
    assert sorted(os.listdir(tmp_path)) == ["chain", "link", "there"]
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="loop"):
        replace_file(tmp_path / "loop", b"new")
    with pytest.raises(OSError, match="loop"):
        read(tmp_path / "loop", "model", 1)


def test_a_name_may_be_text_relative_and_as_long_as_the_disk_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("model", "./model", "x" * 255, "-", "名 名"):
        write(name, "model", 1, {}, {})
        assert read(name, "model", 1) == (1, {}, {})
    with pytest.raises(OSError, match=r"File name too long: 'x{256}'"):
        write("x" * 256, "model", 1, {}, {})


@pytest.mark.parametrize("umask", [0o022, 0o077, 0o027, 0o000])
def test_permissions_are_those_of_a_new_file_or_of_the_old_one(path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        replace_file(path, b"new")
        assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
        for mode in (0o600, 0o644, 0o666, 0o640, 0o400):
            path.chmod(mode)
            replace_file(path, b"newer")
            assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(before)


def test_the_draft_is_hidden_beside_the_file_and_cannot_be_foretold(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts, replace = [], os.replace

    def watched(draft: str, target: str) -> None:
        drafts.append(Path(draft))
        assert drafts[-1].read_bytes() == b"new"
        replace(draft, target)

    monkeypatch.setattr(os, "replace", watched)
    path.write_bytes(b"secret")
    path.chmod(0o600)
    for _ in range(5):
        replace_file(path, b"new")
    assert len(set(drafts)) == 5
    assert {draft.parent for draft in drafts} == {path.parent}
    assert all(draft.name.startswith(".") for draft in drafts)


# --- What fails half way leaves the old file, and nothing else. ---

CALLS = ("stat", "open", "fchmod", "write", "fsync", "close", "replace")


@contextlib.contextmanager
def failing(at: int, error: Callable[[], BaseException]) -> Iterator[list[str]]:
    """The operating system, which fails at one call, and writes a hundred bytes at a time."""
    made: list[str] = []

    def wrapped(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            made.append(name)
            if name == "close":  # a file is closed even if that fails
                real(*arguments)
            if len(made) - 1 == at:
                raise error()
            if name == "write":
                arguments = (arguments[0], arguments[1][:100])
            return None if name == "close" else real(*arguments, **options)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, wrapped(name, getattr(os, name)))
        yield made


@pytest.mark.parametrize(
    "fault", [lambda: OSError(errno.EIO, "broken"), lambda: OSError(errno.ENOSPC, "full"), KeyboardInterrupt]
)
@pytest.mark.parametrize("old", [b"old bytes", None])
def test_whatever_call_fails_the_old_file_stays_or_the_new_one_is_whole(
    path: Path, old: bytes | None, fault: Callable[[], BaseException]
) -> None:
    new = bytes(range(256)) + b"!"
    failed = []
    for at in range(100):
        path.unlink(missing_ok=True)
        if old is not None:
            path.write_bytes(old)
        handles = os.listdir("/dev/fd")
        raised: BaseException | None = None
        with failing(at, fault) as made:
            try:
                replace_file(path, new)
            except (OSError, KeyboardInterrupt) as error:
                raised = error
        if raised is None:
            break
        assert type(raised) is type(fault())
        assert not isinstance(raised, OSError) or raised.filename == str(path)
        failed.append(made[at])
        renamed = "replace" in made[:at]
        assert os.listdir(path.parent) == ([path.name] if renamed or old is not None else [])
        if os.listdir(path.parent):
            assert path.read_bytes() == (new if renamed else old)
        assert len(os.listdir("/dev/fd")) == len(handles)
    assert path.read_bytes() == new
    assert failed == made
    steps = ["fchmod"] * (old is not None) + ["write", "write", "write", "fsync", "close", "replace"]
    assert made == ["stat", "open", *steps, "open", "fsync", "close"]


def test_a_share_that_cannot_flush_folders_will_do(path: Path) -> None:
    for last in range(8, 10):
        with failing(last, lambda: OSError(errno.EINVAL, "not for folders")):
            replace_file(path, b"new")
        assert path.read_bytes() == b"new"
        path.unlink()


def test_an_empty_file_can_be_written(path: Path) -> None:
    replace_file(path, b"")
    assert path.read_bytes() == b""


WRITER = """
import sys
import numpy as np
from rosenblatt.store import write
tensors = [np.full(100_000, 1.0), np.full(120_000, 2.0)]
while True:
    for letter, tensor in zip("AB", tensors):
        write(sys.argv[1], "model", 1, {"letter": letter}, {"w": tensor})
        print(letter, flush=True)
"""


@pytest.mark.serial
def test_a_writer_killed_at_any_moment_leaves_a_whole_file(tmp_path: Path) -> None:
    rng = random.Random(2)
    for batch in range(5):
        folders = [tmp_path / f"{batch} {number}" for number in range(4)]
        for folder in folders:
            folder.mkdir()
        writers = [
            subprocess.Popen([sys.executable, "-c", WRITER, str(folder / "model")], stdout=subprocess.PIPE)
            for folder in folders
        ]
        for writer, folder in zip(writers, folders, strict=True):
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"A\n"
            time.sleep(rng.uniform(0, 0.03))
            writer.kill()
            writer.stdout.close()
            writer.wait()
            _, header, tensors = read(folder / "model", "model", 1)
            value, size = {"A": (1.0, 100_000), "B": (2.0, 120_000)}[header["letter"]]
            assert tensors["w"].shape == (size,)
            assert (tensors["w"] == value).all()
            left = [name for name in os.listdir(folder) if name != "model"]
            assert len(left) <= 1
            assert all(name.startswith(".rosenblatt-") for name in left)


SUICIDE = """
import os, signal, sys
from rosenblatt.store import replace_file
def fatal(name, real, at, made):
    def call(*arguments, **options):
        made.append(name)
        if len(made) - 1 == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments[:1], arguments[1][:100]) if name == "write" else real(*arguments, **options)
    return call
for at in range(100):
    os.mkdir(f"{at}")
    with open(f"{at}/model", "w") as file:
        file.write("old")
    child = os.fork()
    if not child:
        made = []
        for name in sys.argv[1:]:
            setattr(os, name, fatal(name, getattr(os, name), at, made))
        replace_file(f"{at}/model", bytes(250))
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        break
"""


@pytest.mark.serial
def test_a_writer_killed_before_any_call_leaves_the_old_file_or_the_new(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", SUICIDE, *CALLS], cwd=tmp_path, check=True)
    folders = sorted(tmp_path.iterdir(), key=lambda folder: int(folder.name))
    states = [(folder / "model").read_bytes() for folder in folders]
    renamed = states.index(bytes(250))
    assert renamed > 8
    assert states == [b"old"] * renamed + [bytes(250)] * (len(states) - renamed)
    assert [len(os.listdir(folder)) for folder in folders] == [1, 1] + [2] * (renamed - 2) + [1] * (
        len(states) - renamed
    )
