"""`--dask`: what a command says and writes on a cluster, and how a run goes on that was killed there."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import SCHEMA, run
from test_files_as_shards import parts

from rosenblatt import Model, stream
from rosenblatt import learn as learn_here

TIME_BUDGET = 90  # processes that import everything


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    parts(noise=3.0)


@pytest.fixture
def dask(client: Any) -> str:
    """The option, for the cluster of this file's tests: its workers are in another folder than the files."""
    return f"--dask {client.scheduler.address}"


def answer(capsys: pytest.CaptureFixture[str], command: str) -> tuple[int, dict[str, Any]]:
    """The exit code, and all that a command says."""
    code, out, err = run(capsys, *shlex.split(command), "--json")
    assert out, err
    found: dict[str, Any] = json.loads(out)
    SCHEMA.validate(found)
    return code, found


def test_train_learns_an_averaged_perceptron_on_standardised_columns(
    capsys: pytest.CaptureFixture[str], dask: str
) -> None:
    code, found = answer(capsys, f"train '?.svm' -m on.model {dask} --epochs 4")
    told = found["result"]
    assert (code, told["rule"], told["readout"], told["scale"]) == (0, "perceptron", "averaged", "standard")
    mixed = told["bound"]["mixed"]
    assert (mixed["shards"], mixed["by"]) == (3, "uniform")
    assert mixed["updates"] == pytest.approx(told["updates"] / 3)
    model = Model.load("on.model")
    assert model.predict(np.zeros((1, model.weights.shape[0]))).size == 1
    assert told["predicted_wrong"]["training"] < told["predicted_wrong"]["most_common"]
    assert answer(capsys, "show on.model")[1]["result"]["mixed"] == {"shards": 3, "by": "uniform"}
    assert "4 epochs on 3 shards, mixed (uniform), " in run(capsys, "show", "on.model")[1]


def test_a_full_batch_writes_the_weights_of_one_machine(capsys: pytest.CaptureFixture[str], dask: str) -> None:
    assert (
        answer(capsys, f"train b.svm -m on.model {dask} --batch-size all --scale none --epochs 6 --tol never")[0] == 0
    )
    one = learn_here(stream("b.svm"), batch_size="all", max_epochs=6, readout="averaged")
    assert np.array_equal(Model.load("on.model").weights, one.hyperplane.w[:, None])


def test_check_and_verify_name_files_and_lines(capsys: pytest.CaptureFixture[str], dask: str) -> None:
    code, found = answer(capsys, f"check '?.svm' {dask} --proof proof.json")
    assert (code, found["result"]["verdict"]["kind"]) == (1, "overlapping")
    rows = found["result"]["verdict"]["witness"]
    assert all(one["file"] in ("a.svm", "b.svm", "c.svm") and one["line"] >= 1 for one in rows)
    for how in (dask, "--stream"):
        assert answer(capsys, f"verify proof.json '?.svm' {how}")[0] == 0
    typed = [step["command"] for step in found["result"]["next"]]
    assert all("--dask" in words for words in typed)


def test_margin_on_a_cluster_is_that_of_one_machine(capsys: pytest.CaptureFixture[str], dask: str) -> None:
    parts()
    (_, there), (_, here) = (answer(capsys, f"margin b.svm {how}") for how in (dask, "--stream"))
    assert there["result"]["margin"]["margin"] == here["result"]["margin"]["margin"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("train b.svm --rule auto", "--rule auto holds rows out"),
        ("train b.svm --rule coin", "'coin' is not offered on a cluster"),
        ("train b.svm --readout voted", "use --readout averaged"),
        ("train b.svm --readout pocket", "use --readout averaged"),
        ("train b.svm --trace", "not on a cluster"),
        ("train b.svm --holdout 0.2", "--dask leaves them on the disk"),
        ("train b.svm --stream", "leave --stream out"),
        ("train b.svm --batch-size all --order shuffled", "--order cyclic"),
        ("train example:iris", "examples are small"),
        ("train - -m on.model", "standard input"),
        ("check nowhere.svm", "nowhere.svm"),
    ],
)
def test_refusals_speak_the_words_of_the_command_line(
    capsys: pytest.CaptureFixture[str], dask: str, command: str, said: str
) -> None:
    code, out, err = run(capsys, *shlex.split(f"{command} {dask}"))
    assert code == 2
    assert said in err
    assert len(err.strip().splitlines()) == 1
    assert not out


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("train b.svm --shards 3", "--dask"),
        ("train b.svm --mixing mistakes", "--dask"),
        ("check b.svm --dask nowhere", "no Dask scheduler answers there"),
    ],
)
def test_options_of_a_cluster_without_one_are_refused(
    capsys: pytest.CaptureFixture[str], command: str, said: str
) -> None:
    code, _, err = run(capsys, *shlex.split(command))
    assert code == 2
    assert said in err


def started(words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "rosenblatt", *shlex.split(words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, start_new_session=True,
    )  # fmt: skip


def wait_for(path: str) -> None:
    for _ in range(600):
        if os.path.exists(path):
            return
        time.sleep(0.1)
    raise AssertionError(f"no {path} within a minute")


@pytest.mark.serial
@pytest.mark.slow
def test_a_client_that_is_killed_goes_on_with_other_workers_to_the_same_bytes(
    capsys: pytest.CaptureFixture[str], dask: str
) -> None:
    plan = "train '?.svm' --epochs 40 --tol never -q"
    assert run(capsys, *shlex.split(f"{plan} -m whole.model {dask}"))[0] == 0
    killed = started(f"{plan} -m cut.model --dask local --checkpoint-every 0.05")
    wait_for("cut.model.checkpoint")
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert not os.path.exists("cut.model")
    assert run(capsys, *shlex.split(f"{plan} -m cut.model {dask} --resume auto"))[0] == 0
    assert Path("cut.model").read_bytes() == Path("whole.model").read_bytes()
    code, _, err = run(capsys, *shlex.split("train '?.svm' --stream --resume whole.model -m other.model"))
    assert code == 2
    assert "--dask" in err


@pytest.mark.serial
@pytest.mark.slow
def test_ctrl_c_in_a_terminal_ends_a_local_cluster_with_a_checkpoint() -> None:
    running = started("train '?.svm' --epochs 100000 --tol never -m cut.model --dask local --checkpoint-every 0.05")
    wait_for("cut.model.checkpoint")
    os.killpg(running.pid, signal.SIGINT)  # a terminal sends it to all, the workers too
    said, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in said
    assert "--resume cut.model.checkpoint" in said


@pytest.mark.serial
@pytest.mark.slow
def test_ctrl_c_while_workers_are_started_is_held_back_and_not_lost() -> None:
    running = started("train '?.svm' --epochs 100000 --tol never -m cut.model --dask local --progress")
    assert running.stdout is not None
    said = ""
    while "starting workers" not in said:
        said += running.stdout.read(1)
        assert running.poll() is None
    time.sleep(0.3)
    os.killpg(running.pid, signal.SIGINT)
    rest, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in rest
    assert not os.path.exists("cut.model")
