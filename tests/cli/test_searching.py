"""Searches in sight: what is shown while they run, and that a signal ends them with what is known."""

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from rosenblatt.cli.interrupts import interruptible
from rosenblatt.cli.searching import Onlooker
from rosenblatt.proof.proof import Proof
from rosenblatt.proof.verify import verify
from rosenblatt.separation.watch import SearchProgress, Watch

SCHEMA = Draft202012Validator(json.loads((files("rosenblatt.cli") / "schema.json").read_text()))
PROGRAM = [sys.executable, "-m", "rosenblatt"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`noise.npz` takes seconds to settle: labels at random, about as many rows as can just be separated."""
    folder, random = tmp_path_factory.mktemp("searches"), np.random.default_rng(3)
    np.savez(folder / "noise.npz", X=random.normal(size=(1600, 800)), y=random.integers(0, 2, 1600))
    X = random.normal(size=(400, 8)).round(2)
    np.savez(folder / "few.npz", X=X, y=(X[:, 0] + random.normal(size=400) > 0).astype(int))
    return folder


def interrupted(folder: Path, *arguments: str, number: int = signal.SIGINT) -> tuple[int, str, str, float]:
    """Exit code, both outputs and the seconds it took to end: the signal comes with the first line of progress."""
    process = subprocess.Popen(
        [*PROGRAM, *arguments, "--progress"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    while not re.match(r"\d+ s: ", line := process.stderr.readline()):
        assert process.poll() is None
        assert line.startswith(("reading", "note"))
    process.send_signal(number)
    begin = time.monotonic()
    out, err = process.communicate(timeout=60)
    return process.returncode, out, line + err, time.monotonic() - begin


@pytest.mark.serial
@pytest.mark.parametrize(
    ("command", "part", "known"),
    [
        (["check", "noise.npz"], "verdict", lambda found: found["steps"][-1] == "it was stopped"),
        (["clinic", "noise.npz", "--time-limit", "60"], "clinic", lambda found: found["kind"] == "undecided"),
        (["margin", "noise.npz"], "margin", lambda found: found["status"] in ("undecided", "stopped")),
        (
            ["suspects", "few.npz", "--time-limit", "60"],
            "mistakes",
            lambda found: found["status"] == "stopped" and found["lower"] <= found["upper"] < 200,
        ),
    ],
)  # fmt: skip
def test_ctrl_c_gives_what_is_known_so_far(
    folder: Path, command: list[str], part: str, known: Callable[[Any], bool]
) -> None:
    code, out, err, seconds = interrupted(folder, *command, "--json")
    assert (code, "Traceback" in err) == (130, False)
    envelope = json.loads(out)
    SCHEMA.validate(envelope)
    assert (envelope["exit"], envelope["result"]["interrupted"]) == (130, True)
    assert known(envelope["result"][part])
    assert seconds < 5  # about 0.2 where nothing else runs


@pytest.mark.serial
def test_in_words_it_says_so_and_a_proof_of_nothing_is_not_written(folder: Path) -> None:
    code, out, err, _ = interrupted(folder, "check", "noise.npz", "--proof", "none.json", number=signal.SIGTERM)
    assert code == 143
    assert out.startswith("Undecided.\n")
    assert "note: interrupted; this is what was known by then\n" in err
    assert "none.json is not written: there is nothing to prove yet" in " ".join(err.split())
    assert not (folder / "none.json").exists()


@pytest.mark.serial
def test_what_is_proven_so_far_is_written(folder: Path) -> None:
    command = ["suspects", "few.npz", "--time-limit", "60", "--proof", "p.json", "--json"]
    code, out, *_ = interrupted(folder, *command)
    found = json.loads(out)["result"]
    assert code == 130
    proof, few = Proof.read(folder / "p.json"), np.load(folder / "few.npz")
    assert verify(proof, few["X"], few["y"])
    assert proof.mistakes == found["mistakes"]["upper"]


def on_a_terminal(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, and what a terminal of 80 columns gets on standard error."""
    own, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [*PROGRAM, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=its, text=True,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(its)
    written = b""
    with suppress(OSError):  # EIO: nobody has the other end open any more
        while more := os.read(own, 4096):
            written += more
    os.close(own)
    out, _ = process.communicate()
    return process.returncode, out, written.decode()


@pytest.mark.serial
def test_a_terminal_has_one_line_that_is_gone_at_the_end(folder: Path) -> None:
    code, out, err = on_a_terminal(folder, "suspects", "few.npz", "--time-limit", "2", "--json")
    assert (code, json.loads(out)["result"]["interrupted"]) == (0, False)
    assert "\n" not in err
    assert err.endswith("\r\x1b[K")
    lines = [line.removesuffix("\x1b[K") for line in err.split("\r")[1:-1]]
    lines = [line for line in lines if line and not line.startswith("reading")]
    assert {re.match(r"(\d+) s: \S", line)[1] for line in lines} >= {"0", "1"}  # type: ignore[index]
    assert max(map(len, lines)) < 80


@pytest.mark.serial
def test_elsewhere_there_are_lines_for_news_alone_and_ever_fewer(folder: Path) -> None:
    command = [*PROGRAM, "suspects", "few.npz", "--time-limit", "3", "--progress"]
    err = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stderr
    lines = [line for line in err.splitlines() if not line.startswith("reading")]
    assert 1 <= len(lines) <= 4
    assert len({line.partition(": ")[2] for line in lines}) == len(lines)
    assert "\x1b" not in err
    quiet = subprocess.run(command[:-1], cwd=folder, capture_output=True, text=True, check=True).stderr
    assert quiet == ""


@pytest.mark.serial
def test_an_interrupted_check_of_a_proof_knows_nothing(folder: Path) -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(400_000, 6)).astype(np.float32)
    np.savez(folder / "many.npz", X=X, y=(X[:, 0] > 0).astype(int))
    subprocess.run([*PROGRAM, "check", "many.npz", "--proof", "many.json"], cwd=folder, check=True, stdout=-3)
    process = subprocess.Popen(
        [*PROGRAM, "verify", "many.json", "many.npz", "--json", "--progress"],
        cwd=folder, stdout=-1, stderr=-1, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    while (line := process.stderr.readline()) and not re.match(r"\d+ s: checking", line):
        pass
    if line:  # else it was done before anything was shown
        process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    if process.returncode == 130:
        assert json.loads(out)["error"]["message"].endswith("whether it holds is not known")
    else:
        assert (process.returncode, json.loads(out)["result"]["check"]["holds"]) == (0, True)


@pytest.mark.serial
def test_the_onlooker_ends_every_search_after_a_signal() -> None:
    with interruptible() as received:
        onlooker = Onlooker("looking", received, 60)
        assert onlooker(SearchProgress("one", 0.1, {"rows": 3, "of": 12_345, "gap": None})) is False
        assert onlooker.line == "0 s: one (rows 3 of 12,345)"
        assert onlooker.interrupted is None
        os.kill(os.getpid(), signal.SIGTERM)
        assert onlooker(SearchProgress("two", 0.2)) is True
        assert (onlooker.interrupted, "Ctrl-C ends it at once" in onlooker.line) == (signal.SIGTERM, True)
        watch = onlooker.watch(10)
        watch.tell("what follows")
        assert (watch.stopped, watch.over(), watch.why) == (True, True, "it was stopped")


def test_what_follows_a_search_gets_what_is_left_of_its_time() -> None:
    onlooker = Onlooker("looking", (), 5)
    assert 4 < onlooker.watch(10).seconds_left() < 5
    assert 9 < Onlooker("looking").watch(10).seconds_left() < 10
    assert isinstance(onlooker.watch(1), Watch)
