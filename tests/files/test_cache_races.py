"""Several that open one file at the same moment: one parses it, all get its rows, and nobody finds its cache gone."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest

from rosenblatt import stream
from rosenblatt.errors import InputError
from rosenblatt.files import stream as stream_module
from rosenblatt.files.cache import folder as cache_folders
from rosenblatt.files.options import Options
from rosenblatt.files.read import read

THREADS = PROCESSES = 4

ASKING = """
import sys, time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from rosenblatt import stream
from rosenblatt.files import stream as stream_module

data, folder, threads = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
real = stream_module.write_cache

def slowly(*arguments):
    with open(folder / "parses", "a") as log:
        log.write("parse\\n")
    time.sleep(0.3)
    real(*arguments)

stream_module.write_cache = slowly
print("ready", flush=True)
sys.stdin.readline()
with ThreadPoolExecutor(threads) as pool:
    print(*pool.map(lambda _: stream(data).digest(every_row=True), range(threads)), flush=True)
"""

HOLDING = """
import os, sys, time
from rosenblatt import stream
from rosenblatt.files import stream as stream_module

def forever(*_):
    child = os.fork() if sys.argv[2] == "forks" else 0
    if child or sys.argv[2] != "forks":
        print(child, flush=True)
    time.sleep(100)

stream_module.write_cache = forever
stream(sys.argv[1])
"""

WAITING = """
import sys
from rosenblatt import stream
print("ready", flush=True)
try:
    stream(sys.argv[1])
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.fixture(autouse=True)
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROSENBLATT_CACHE_DIR", str(tmp_path / "caches"))
    return tmp_path / "caches"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    random = np.random.default_rng(0)
    rows = [f"{label} 1:{x:.4f} {2 + label}:1" for label, x in zip([0, 1] * 400, random.normal(size=800), strict=True)]
    path = tmp_path / "a.svm"
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The caches that were written here, slowly."""
    real, written = stream_module.write_cache, list[str]()

    def slowly(path: str, *arguments: Any) -> None:
        written.append(path)
        time.sleep(0.2)
        real(path, *arguments)

    monkeypatch.setattr(stream_module, "write_cache", slowly)
    return written


@contextmanager
def started(program: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@contextmanager
def another_turn(cache_dir: Path, data: Path) -> Iterator[Path]:
    """The lock file of a cache, held as by another process."""
    stream(data)
    (cache,) = cache_dir.glob("*.rows")
    path = cache_dir / f".rosenblatt-{cache.stem}.tmp"
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield path
    finally:
        os.close(file)


@pytest.mark.serial
def test_threads_at_once_parse_once(data: Path, cache_dir: Path, parses: list[str]) -> None:
    gate = Barrier(THREADS)

    def ask(_: int) -> int:
        gate.wait()
        return stream(data).digest(every_row=True)

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(ask, range(THREADS)))
    assert found == [read(data).digest(every_row=True)] * THREADS
    assert len(parses) == 1
    assert [str(path) for path in cache_dir.iterdir()] == parses  # and no lock file


@pytest.mark.serial
def test_processes_of_threads_at_once_parse_once(data: Path, tmp_path: Path, cache_dir: Path) -> None:
    asking = [started(ASKING, data, tmp_path, THREADS) for _ in range(PROCESSES)]
    processes = [one.__enter__() for one in asking]
    try:
        assert [said(process) for process in processes] == ["ready"] * PROCESSES
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        found = [said(process).split() for process in processes]
    finally:
        for one in asking:
            one.__exit__(None, None, None)
    assert found == [[str(read(data).digest(every_row=True))] * THREADS] * PROCESSES
    assert (tmp_path / "parses").read_text() == "parse\n"
    assert len(list(cache_dir.iterdir())) == 1


@pytest.mark.serial
@pytest.mark.parametrize("how", ["alone", "forks"])
def test_who_is_killed_holds_nobody_up(data: Path, cache_dir: Path, parses: list[str], how: str) -> None:
    with started(HOLDING, data, how) as holder, ThreadPoolExecutor(1) as pool:
        child = int(said(holder))
        try:
            (lock,) = cache_dir.iterdir()
            assert lock.stat().st_mode & 0o777 == 0o600
            waiting = pool.submit(lambda: stream(data).n_rows)
            time.sleep(0.3)
            assert not waiting.done()
            assert not parses
            holder.send_signal(signal.SIGKILL)
            assert waiting.result(20) == 800
        finally:
            if child:
                os.kill(child, signal.SIGKILL)
            holder.kill()
    assert [str(path) for path in cache_dir.iterdir()] == parses


@pytest.mark.serial
def test_waiting_can_be_interrupted(data: Path, cache_dir: Path) -> None:
    with another_turn(cache_dir, data):
        (cache,) = cache_dir.glob("*.rows")
        cache.unlink()
        with started(WAITING, data) as process:
            assert said(process) == "ready"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            assert said(process) == "interrupted"


@pytest.mark.serial
def test_a_sound_cache_is_read_while_another_holds_the_lock(data: Path, cache_dir: Path, parses: list[str]) -> None:
    with another_turn(cache_dir, data) as lock:
        assert stream(data).n_rows == 800
        assert len(cache_folders.entries()) == 1
        assert cache_folders.clear()[0] == 1
        assert lock.exists()  # it is held
    assert cache_folders.clear() == (0, 0)
    assert not list(cache_dir.iterdir())
    assert len(parses) == 1


@pytest.mark.serial
def test_a_cache_that_is_removed_before_it_is_open_is_written_again(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, removals = stream_module.write_cache, [True, False]

    def removed(path: str, *arguments: Any) -> None:
        real(path, *arguments)
        if removals.pop(0):
            os.unlink(path)

    monkeypatch.setattr(stream_module, "write_cache", removed)
    met = list[int]()
    source = stream_module.streamed(data, Options(), met=lambda sheet: met.append(sheet.rows.n))
    assert (source.n_rows, sum(met), removals) == (800, 800, [])
    cache_folders.clear()
    removals += [True, True]
    with pytest.raises(InputError, match=r"a\.svm: its cache .* was removed twice"):
        stream(data)


@pytest.mark.serial
def test_who_begins_to_write_takes_nothing_from_who_has_written(
    data: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One has put its cache in place and not opened it, when another begins: without locks, as they may be missing."""
    monkeypatch.setattr(fcntl, "flock", _no_locks)
    wanted = stream(data).digest(every_row=True)
    (cache,) = cache_dir.iterdir()
    sound, real = cache.read_bytes(), stream_module.write_cache
    there = list[bool]()

    def beginning(path: str, *arguments: Any) -> None:
        there.append(cache.exists())
        real(path, *arguments)

    monkeypatch.setattr(stream_module, "write_cache", beginning)
    cache.write_bytes(sound[:-1])
    assert stream(data).digest(every_row=True) == wanted
    assert (there, cache.read_bytes() == sound) == ([True], True)
    assert list(cache_dir.iterdir()) == [cache]


def _no_locks(*_: object) -> None:
    raise OSError(95, "no locks here")


@pytest.mark.serial
def test_links_are_not_followed(data: Path, cache_dir: Path, tmp_path: Path) -> None:
    stream(data)
    (cache,) = cache_dir.iterdir()
    other = tmp_path / "other"
    other.write_text("mine")
    cache.unlink()
    cache.symlink_to(other)
    lock = cache_dir / f".rosenblatt-{cache.stem}.tmp"
    lock.symlink_to(tmp_path / "made")
    assert stream(data).n_rows == 800
    assert other.read_text() == "mine"
    assert not (tmp_path / "made").exists()
    assert not cache.is_symlink()


@pytest.mark.serial
def test_a_damaged_cache_is_mended_by_one(data: Path, cache_dir: Path, parses: list[str]) -> None:
    sources = [stream(data) for _ in range(THREADS)]
    (cache,) = cache_dir.iterdir()
    os.truncate(cache, 1000)
    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(lambda source: source.gather(np.arange(800)).labels.tolist(), sources))
    assert found == [[-1, 1] * 400] * THREADS
    assert len(parses) == 2  # the first, and one for all


@pytest.mark.serial
def test_room_is_made_of_what_is_replaced(data: Path, cache_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = data.with_name("b.svm")
    other.write_bytes(data.read_bytes())
    stream(data), stream(other)
    caches = {entry.name: entry for entry in cache_folders.entries()}
    os.utime(caches[str(other)].path, (1, 1))  # not used for long
    monkeypatch.setenv("ROSENBLATT_CACHE_SIZE", str(int(2.5 * caches[str(data)].size)))
    damaged = caches[str(data)].path
    damaged.write_bytes(damaged.read_bytes()[:-1])
    assert stream(data).n_rows == 800
    assert {entry.name for entry in cache_folders.entries()} == {str(data), str(other)}
