"""Workers that are killed: a run goes on to the same bits, or ends with one clear line, and never waits for ever."""

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any

import dask
import numpy as np
import pytest
from distributed import Client
from in_shards import assert_same_run, two_classes
from on_dask import started

from rosenblatt import InputError, Run, cluster
from rosenblatt.cluster import dask_engine
from rosenblatt.errors import LostClusterError

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
TIME_BUDGET = 120

PLAN: dict[str, Any] = {"max_epochs": 15, "order": "cyclic", "tol": 1e-9, "patience": 100}


def part(place: int) -> tuple[np.ndarray, np.ndarray]:
    return two_classes(place, 2000, 12, noise=0.2)


def parts(count: int = 5) -> list[Any]:
    """Blocks that can be made again."""
    return [dask.delayed(part)(place) for place in range(count)]


def settled(client: Client) -> list[int]:
    """The processes of three workers that are at work."""
    while True:
        client.cluster.scale(3)
        try:
            client.wait_for_workers(3, timeout=20)
        except TimeoutError:
            client.cluster.scale(0)  # a nanny gives up a worker that is killed while it starts
            continue
        found = list(client.run(os.getpid, on_error="return").values())
        if len(found) == 3 and all(isinstance(one, int) for one in found):
            return sorted(found)
        time.sleep(0.1)  # the scheduler has not yet heard of one that was killed


@contextmanager
def after(seconds: float, action: Callable[[], Any]) -> Generator[None, None, None]:
    """Something that happens meanwhile."""
    timer = threading.Timer(seconds, action)
    timer.start()
    try:
        yield
    finally:
        timer.join()


def in_a_minute(action: Callable[[], Any]) -> Any:
    began = time.monotonic()
    try:
        return action()
    finally:
        assert time.monotonic() - began < 60


@pytest.fixture(scope="module")
def three() -> Generator[Client, None, None]:
    with started(3) as client:
        yield client


@pytest.fixture(scope="module")
def whole(three: Client) -> Run:
    return cluster.learn(three, parts(), **PLAN)


def survive(three: Client, whole: Run, kills: int, seed: int, **more: Any) -> Counter[str]:
    """Runs with a kill in each, at a random moment; how they ended."""
    chance, ends = random.Random(seed), Counter[str]()
    for _ in range(kills):
        victim = chance.choice(settled(three))
        with after(chance.uniform(0, 2), partial(os.kill, victim, signal.SIGKILL)):
            try:
                run = in_a_minute(lambda: cluster.learn(three, parts(), **PLAN, **more))
            except InputError as error:
                ends[str(error)] += 1
                continue
        assert_same_run(run, whole)
        ends["the same bits"] += 1
    assert not any("\n" in end for end in ends)
    return ends


@pytest.mark.serial
def test_a_worker_that_is_killed_changes_no_bit(three: Client, whole: Run) -> None:
    assert survive(three, whole, 3, seed=1) == {"the same bits": 3}


@pytest.mark.serial
@pytest.mark.long
@pytest.mark.timeout(3600)
def test_fifty_workers_that_are_killed_change_no_bit(three: Client, whole: Run) -> None:
    assert survive(three, whole, 50, seed=2) == {"the same bits": 50}


@pytest.mark.serial
def test_all_workers_killed_at_once_are_waited_for(three: Client, whole: Run) -> None:
    found = settled(three)
    with after(0.7, lambda: [os.kill(one, signal.SIGKILL) for one in found]):
        assert_same_run(in_a_minute(lambda: cluster.learn(three, parts(), **PLAN)), whole)


@pytest.mark.serial
def test_a_full_batch_survives_a_kill_too(three: Client) -> None:
    plan = {"batch_size": "all", "max_epochs": 8}
    calm = cluster.learn(three, parts(), **plan)
    with after(0.5, partial(os.kill, settled(three)[0], signal.SIGKILL)):
        assert_same_run(in_a_minute(lambda: cluster.learn(three, parts(), **plan)), calm)


@pytest.mark.serial
def test_a_run_goes_on_from_its_state_with_another_number_of_workers(three: Client, whole: Run) -> None:
    stopped = cluster.learn(three, parts(), callback=lambda now: now.finished and now.epoch == 4, **PLAN)
    assert (stopped.status.name, stopped.epochs) == ("stopped", 4)
    with started(1) as other:
        assert_same_run(cluster.learn(other, parts(), start=stopped, **PLAN), whole)


@pytest.mark.serial
def test_a_shard_that_cannot_be_made_again_is_named(three: Client) -> None:
    """Rows that were sent to workers are nowhere else."""
    settled(three)
    doomed, other = sorted(three.ncores())[:2]
    places = [other, doomed, other]
    rows = [three.scatter(part(i)[0], workers=[place], hash=False) for i, place in enumerate(places)]
    labels = [three.scatter(part(i)[1], workers=[place], hash=False) for i, place in enumerate(places)]
    source = cluster.sharded(three, rows, labels)
    pid = three.run(os.getpid, workers=[doomed])[doomed]
    named = "^shard 1: Dask has lost it with a worker, and cannot make it again$"
    with after(0.4, lambda: os.kill(pid, signal.SIGKILL)), pytest.raises(InputError, match=named):
        in_a_minute(lambda: cluster.learn(three, source, **{**PLAN, "max_epochs": 500}))
    with pytest.raises(InputError, match=named):
        in_a_minute(lambda: cluster.learn(three, rows, labels, **PLAN))


def fatal(place: int) -> tuple[np.ndarray, np.ndarray]:
    if place == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return part(place)


@pytest.mark.serial
def test_a_block_that_kills_its_worker_is_given_up(three: Client) -> None:
    settled(three)
    blocks = [dask.delayed(fatal)(place) for place in range(3)]
    with pytest.raises(InputError, match=r"^shard \d: the workers that held it died again and again"):
        in_a_minute(lambda: cluster.learn(three, blocks, **PLAN))
    settled(three)
    assert cluster.learn(three, parts(2), max_epochs=2).epochs == 2


@pytest.mark.serial
def test_a_cluster_without_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "_PATIENCE", 3.0)  # half a minute, for users
    with started(2) as client:
        with after(1.0, lambda: client.cluster.scale(0)), pytest.raises(LostClusterError, match="has no workers"):
            in_a_minute(lambda: cluster.learn(client, parts(), **{**PLAN, "max_epochs": 500}))
        with pytest.raises(LostClusterError, match="has no workers"):
            in_a_minute(lambda: cluster.learn(client, parts(), **PLAN))
        client.cluster.scale(1)
        assert cluster.learn(client, parts(), max_epochs=2).epochs == 2


@pytest.mark.serial
def test_a_cluster_whose_workers_are_all_paused_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask pauses workers that have no memory left; here, as soon as they have any."""
    monkeypatch.setattr(dask_engine, "_PATIENCE", 3.0)
    memory = {f"distributed.worker.memory.{what}": False for what in ("target", "spill", "terminate")}
    with (
        dask.config.set({**memory, "distributed.worker.memory.pause": 1e-6}),
        started(2) as client,
        pytest.raises(LostClusterError, match="no workers but such as are paused, for want of memory"),
    ):
        in_a_minute(lambda: cluster.learn(client, parts(), **PLAN))


@pytest.mark.serial
def test_a_cluster_that_is_closed_is_given_up() -> None:
    with started(2) as client:
        source = cluster.sharded(client, parts())
        with after(1.0, client.cluster.close), pytest.raises(LostClusterError, match="the Dask client is closed"):
            in_a_minute(lambda: cluster.learn(client, source, **{**PLAN, "max_epochs": 500}))
        for rows in (source, parts()):
            with pytest.raises(LostClusterError, match="the Dask client is closed"):
                cluster.learn(client, rows, **PLAN)
