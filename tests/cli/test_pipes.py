"""Standard output that takes less than it is given, later than it is given, or nothing: no result is cut unseen."""

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rosenblatt.cli import main


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model `m`, and rows for it whose predictions are more than a pipe holds."""
    folder = tmp_path_factory.mktemp("many")
    (folder / "few.csv").write_text("x,class\n-1,negative\n1,positive\n")
    (folder / "rows.csv").write_text("x\n" + "-1\n1\n" * 20_000)
    assert main(["train", str(folder / "few.csv"), "-m", str(folder / "m"), "-q"]) == 0
    return folder


PREDICTED = "negative\npositive\n" * 20_000
BUFFERING = ({"PYTHONUNBUFFERED": "1"}, {"PYTHONUNBUFFERED": ""})


def predicting(folder: Path, *more: str, **options: Any) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "rosenblatt", "predict", "m", "rows.csv", "-q", *more]
    return subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, **options)


SHORT = ["predict m rows.csv -q", "predict m rows.csv --json", "rules", "completion bash", "--help", "train --help"]


@pytest.mark.serial
@pytest.mark.parametrize("command", SHORT)
def test_a_file_that_takes_less_than_the_results_is_an_error(many: Path, command: str) -> None:
    limit = 100 * 1024 if "rows" in command else 500
    for setting in BUFFERING[: 2 if "rows" in command else 1]:
        with open(many / "out", "wb") as out:
            done = subprocess.run(
                [sys.executable, "-m", "rosenblatt", *command.split()],
                cwd=many, stdout=out, stderr=subprocess.PIPE, env={**os.environ, **setting}, check=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
            )  # fmt: skip
        assert (done.returncode, done.stderr) == (2, b"standard output: File too large\n")
        assert (many / "out").stat().st_size <= limit


@pytest.mark.parametrize("command", SHORT)
def test_a_full_disk_behind_any_result_is_one_line(many: Path, command: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rosenblatt", *command.split()],
            cwd=many, stdout=full, stderr=subprocess.PIPE, env={**os.environ, **BUFFERING[0]}, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, b"standard output: No space left on device\n")


@pytest.mark.serial
@pytest.mark.parametrize("setting", BUFFERING)
@pytest.mark.parametrize("blocking", [True, False])
def test_a_slow_reader_gets_every_byte_and_one_that_leaves_ends_it(many: Path, setting: Any, blocking: bool) -> None:
    environment = {**os.environ, **setting}
    for enough in (None, 100_000):
        read, write = os.pipe()
        os.set_blocking(write, blocking)
        process = predicting(many, stdout=write, env=environment)
        os.close(write)
        taken = b""
        while (enough is None or len(taken) < enough) and (more := os.read(read, 10_000)):
            taken += more
            time.sleep(0.002)
        os.close(read)
        _, err = process.communicate(timeout=60)
        assert PREDICTED.encode().startswith(taken)
        assert (process.returncode, err) == ((141, b"") if enough else (0, b""))
        assert enough or len(taken) == len(PREDICTED)


@pytest.mark.serial
def test_a_reader_that_never_reads_keeps_nobody_from_ending_it(many: Path) -> None:
    process = predicting(many, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.read(1) == b"n"  # so that it writes already
    process.terminate()
    assert process.wait(timeout=30) == 143
    _, err = process.communicate()
    assert err == b"terminated\n"


def test_a_full_device_that_predictions_go_to_is_named(many: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", str(many / "m"), str(many / "rows.csv"), "-o", "/dev/full"]) == 2
    assert capsys.readouterr().err == "/dev/full: No space left on device\n"
