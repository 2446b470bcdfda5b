"""Files that are replaced: where they are, whose they are, and what is left when a call fails or a process dies."""

import contextlib
import errno
import fcntl
import io
import mmap
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Examples, InputError, Model, learn, separability
from rosenblatt.atomic import output, replace_file, replacing, write_output
from rosenblatt.files.options import options_of
from rosenblatt.files.read import sheet_of
from rosenblatt.files.write import write as write_rows
from rosenblatt.models.build import model_of_run
from rosenblatt.models.checkpoint import Checkpoints
from rosenblatt.models.store import read, write


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


# --- In pieces: what is large need not be in memory. ---


def test_pieces_become_a_file_at_the_end_of_the_block(path: Path) -> None:
    path.write_bytes(b"old")
    with replacing(path) as draft:
        assert draft.write(b"head....") == 8
        assert draft.write(np.arange(3, dtype="<u2").data) == 6
        assert draft.write(np.empty((0, 3)).data) == 0
        assert draft.tell() == 14
        draft.write_at(4, bytearray(b"BODY"))
        assert draft.tell() == 14
        assert draft.write(memoryview(b"!")) == 1
        assert os.fstat(draft.fileno()).st_size == 15
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"headBODY" + bytes([0, 0, 1, 0, 2, 0]) + b"!"
    assert os.listdir(path.parent) == [path.name]


def test_a_buffer_or_a_library_may_write_into_a_draft(path: Path) -> None:
    with replacing(path) as draft, io.BufferedWriter(draft, 10) as buffer:
        for number in range(100):
            buffer.write(b"%d\n" % number)
    assert path.read_bytes() == b"".join(b"%d\n" % number for number in range(100))
    with replacing(path) as draft, zipfile.ZipFile(io.BufferedWriter(draft), "w") as archive:
        archive.writestr("name", b"text")
    assert zipfile.ZipFile(path).read("name") == b"text"


def test_a_draft_can_be_mapped(path: Path) -> None:
    with replacing(path) as draft:
        os.truncate(draft.fileno(), 5000)
        with mmap.mmap(draft.fileno(), 5000) as mapped:
            mapped[4990:5000] = b"mapped, ok"
    assert path.read_bytes() == bytes(4990) + b"mapped, ok"


@pytest.mark.parametrize("fault", [KeyboardInterrupt, GeneratorExit, OSError(errno.EIO, "elsewhere", "another file")])
@pytest.mark.parametrize("old", [b"old bytes", None])
def test_a_block_that_raises_leaves_the_old_file_and_its_error_as_it_was(
    path: Path, old: bytes | None, fault: BaseException | type[BaseException]
) -> None:
    if old is not None:
        path.write_bytes(old)
    handles = os.listdir("/dev/fd")

    def write() -> None:
        with replacing(path) as draft:
            draft.write(b"new")
            raise fault

    with pytest.raises(BaseException) as raised:
        write()
    assert raised.value is fault or raised.type is fault
    assert getattr(raised.value, "filename", "another file") == "another file"
    assert os.listdir(path.parent) == ([path.name] if old is not None else [])
    assert old is None or path.read_bytes() == old
    assert len(os.listdir("/dev/fd")) == len(handles)


def test_a_draft_that_has_ended_writes_into_no_other_file(path: Path) -> None:
    with replacing(path) as draft:
        draft.write(b"new")
        number = draft.fileno()
    with path.with_name("other").open("wb") as other:
        assert other.fileno() == number
        with pytest.raises(OSError, match="Bad file descriptor") as refused:
            draft.write(b"late")
        assert refused.value.filename == str(path)
    assert path.with_name("other").read_bytes() == b""
    assert path.read_bytes() == b"new"


def test_output_goes_in_pieces_through_a_pipe_too(path: Path) -> None:
    write_output(path, b"a file")
    assert path.read_bytes() == b"a file"
    write_output(os.devnull, b"nothing")
    path.unlink()
    os.mkfifo(path)
    copy = path.with_name("copy")
    with copy.open("wb") as file, subprocess.Popen(["cat", str(path)], stdout=file), output(path) as draft:
        assert draft.write(b"one ") == 4
        assert draft.write(bytes(200_000)) == 200_000  # more than a pipe holds
        assert draft.tell() == 200_004
        with pytest.raises(OSError, match="Illegal seek") as refused:
            draft.write_at(0, b"ONE")
        assert refused.value.filename == str(path)
    assert copy.read_bytes() == b"one " + bytes(200_000)
    assert sorted(os.listdir(path.parent)) == [path.name, "copy"]


@pytest.mark.parametrize("size", [1, 250])
def test_a_system_that_writes_nothing_is_not_asked_for_ever(
    path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(os, "write", lambda file, data: 0)
    with pytest.raises(OSError, match="wrote nothing") as refused:
        replace_file(path, bytes(size))
    assert refused.value.filename == str(path)
    assert os.listdir(path.parent) == []


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


FAULTS: dict[str, Callable[[], BaseException]] = {
    "full": lambda: OSError(errno.ENOSPC, "full"),
    "broken": lambda: OSError(errno.EIO, "broken"),
    "interrupted": lambda: InterruptedError(errno.EINTR, "interrupted"),
    "Ctrl-C": KeyboardInterrupt,
}


def model(number: int) -> Model:
    X, y = np.array([[1.0, 2.0], [2.0, 0.5], [-1.0, 1.0], [0.5, -2.0]]), np.array([1, 1, 0, 0])
    run = learn(Examples.of(X * number, y), readout="averaged", max_epochs=3)
    return model_of_run(run, run.state, run.status)


def kept(path: Path, number: int) -> None:
    checkpoints = Checkpoints(path, lambda progress: model(1), resumed=path if path.exists() else None)
    checkpoints.write(model(number))


def proved(path: Path, number: int) -> None:
    separability([[float(number)], [-1.0]], [1, 0]).proof.write(path)


def rows_in(path: Path, number: int, form: str) -> None:
    rows = sheet_of(np.arange(90.0).reshape(30, 3), options_of(), y=np.arange(30) % (number + 1))
    write_rows(rows, path, form)


def in_pieces(path: Path, number: int) -> None:
    with replacing(path) as draft:
        draft.write(b"........")
        draft.write(bytes(100 * number))
        draft.write_at(0, b"%8d" % number)


WRITERS: dict[str, Callable[[Path, int], None]] = {
    "pieces": in_pieces,
    "model": lambda path, number: model(number).save(path),
    "model for LIBLINEAR": lambda path, number: model(number).to_liblinear(path),
    "checkpoint": kept,
    "proof": proved,
    "predictions": lambda path, number: write_output(path, b"1\n" * 100 * number),
    **{f"rows as {form}": partial(rows_in, form=form) for form in ("svmlight", "csv", "npy")},
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("writer", WRITERS)
def test_whatever_is_written_the_old_file_stays_or_the_new_one_is_whole(
    tmp_path: Path, writer: str, fault: str
) -> None:
    """And a name by which the old one is kept stands for it, or for nothing."""
    path, older, write_file = tmp_path / "file", tmp_path / "file.1", WRITERS[writer]
    write_file(path, 1)
    old = path.read_bytes()
    write_file(path, 2)
    new, faults = path.read_bytes(), 0
    for at in range(200):
        older.unlink(missing_ok=True)
        path.write_bytes(old)
        raised: BaseException | None = None
        with failing(at, FAULTS[fault]) as made:
            try:
                write_file(path, 2)
            except (OSError, KeyboardInterrupt) as error:
                raised = error
        if len(made) <= at:
            break
        assert raised is None or type(raised) is type(FAULTS[fault]())
        assert raised is not None or path.read_bytes() == new
        faults += raised is not None
        whole = [file.read_bytes() for file in (path, older) if file.exists()]
        assert whole in ([old], [new], [new, old])
        assert older.exists() or path.exists()
        assert drafts(tmp_path) == []
    assert path.read_bytes() == new
    assert len(made) > 7
    assert faults > (4 if fault == "interrupted" else 6)  # an interrupted write goes on


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
from rosenblatt.models.store import write
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
from rosenblatt.atomic import replace_file
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


# --- What a killed writer leaves is removed by the next one; what a living one works on is not. ---

STOPPING = """
import os, sys
from rosenblatt.atomic import replace_file
flush = os.fsync
def stop(file):  # when all is written but nothing renamed
    print("written", flush=True)
    sys.stdin.readline()
    flush(file)
os.fsync = stop
replace_file(sys.argv[1], b"of another process")
"""


@contextlib.contextmanager
def writing(path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Another process in the middle of writing the same file."""
    command = [sys.executable, "-c", STOPPING, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"written\n"
        yield writer
        writer.kill()


def drafts(folder: Path) -> list[str]:
    return sorted(name for name in os.listdir(folder) if name.startswith(".rosenblatt-"))


@pytest.mark.serial
@pytest.mark.parametrize("mode", [None, 0o600, 0o444])
@pytest.mark.parametrize("name", ["model", "x" * 255, "名 -*?[a]"])
def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path, name: str, mode: int | None) -> None:
    path = tmp_path / name
    if mode is not None:
        path.write_bytes(b"old")
        path.chmod(mode)
    for _ in range(2):
        with writing(path) as writer:
            writer.kill()
            writer.wait()
    assert len(drafts(tmp_path)) >= 1
    replace_file(tmp_path / "other", b"new")
    assert len(drafts(tmp_path)) >= 1  # they may be of use to whoever wrote them
    (tmp_path / "link").symlink_to(name)
    replace_file(tmp_path / "link", b"new")
    assert drafts(tmp_path) == []
    assert path.read_bytes() == b"new"


@pytest.mark.serial
def test_a_living_writer_is_not_disturbed(path: Path) -> None:
    with writing(path) as living:
        (its,) = drafts(path.parent)
        with writing(path) as dead:
            dead.kill()
            dead.wait()
        assert len(drafts(path.parent)) == 2
        for _ in range(3):
            replace_file(path, b"ours")
            assert drafts(path.parent) == [its]
            assert path.read_bytes() == b"ours"
        _, err = living.communicate(b"go on\n", timeout=60)
        assert (living.returncode, err) == (0, b"")
    assert drafts(path.parent) == []
    assert path.read_bytes() == b"of another process"


@pytest.mark.serial
def test_a_stopped_writer_is_alive(path: Path) -> None:
    with writing(path) as living:
        living.send_signal(signal.SIGSTOP)
        replace_file(path, b"ours")
        assert len(drafts(path.parent)) == 1
        living.send_signal(signal.SIGCONT)
        living.communicate(b"go on\n", timeout=60)
        assert living.returncode == 0


BUSY = """
import sys
from rosenblatt.atomic import replace_file
for _ in range(200):
    replace_file(sys.argv[1], sys.argv[2].encode() * 100)
"""


def test_many_writers_of_one_file_all_succeed(path: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", BUSY, str(path), letter]) for letter in "abcdef"]
    assert [writer.wait(timeout=100) for writer in writers] == [0] * 6
    assert path.read_bytes() in [letter.encode() * 100 for letter in "abcdef"]
    assert drafts(path.parent) == []


def test_a_draft_that_is_taken_for_an_abandoned_one_before_it_is_locked_is_written_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, locked = fcntl.flock, []

    def slow(file: int, kind: int) -> None:
        locked.append(kind)
        if len(locked) == 1:
            replace_file(path, b"of somebody else")  # who finds the draft, and no lock on it
        lock(file, kind)

    monkeypatch.setattr(fcntl, "flock", slow)
    replace_file(path, b"new")
    assert len(locked) == 4  # ours; the other's of our draft, and of its own; ours of the second draft
    assert path.read_bytes() == b"new"
    assert drafts(path.parent) == []


@pytest.mark.serial
def test_only_what_is_surely_ours_and_abandoned_is_removed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with writing(path) as writer:
        writer.kill()
        writer.wait()
    (left,) = drafts(path.parent)
    prefix = left[: -len("0" * 32 + ".tmp")]
    victim = path.parent / "victim"
    victim.write_bytes(b"dear")
    (path.parent / f"{prefix}link.tmp").symlink_to(victim)
    (path.parent / f"{prefix}folder.tmp").mkdir()
    os.mkfifo(path.parent / f"{prefix}pipe.tmp")
    (path.parent / f"{prefix}note").write_bytes(b"dear")
    others = sorted(os.listdir(path.parent))
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        replace_file(path, b"of another user")
    assert sorted(os.listdir(path.parent)) == sorted([*others, path.name])

    def unsupported(file: int, kind: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", unsupported)
        replace_file(path, b"without locks")
    assert path.read_bytes() == b"without locks"
    assert sorted(os.listdir(path.parent)) == sorted([*others, path.name])
    replace_file(path, b"new")
    assert sorted(os.listdir(path.parent)) == sorted({*others, path.name} - {left})
    assert victim.read_bytes() == b"dear"
