"""Workers on this machine, each a process with one thread; and a clock that goes with a run."""

import logging
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

from distributed import Client, LocalCluster

from benchmarks.pins import cores


@contextmanager
def workers(count: int) -> Iterator[Client]:
    """So many; without a limit of memory, so that nothing is spilled to the disk. Gone at the end."""
    with (
        LocalCluster(
            n_workers=count, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0",
            memory_limit=0, silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster) as client,
    ):  # fmt: skip
        client.wait_for_workers(count)
        yield client


def at_once(count: int) -> int:
    """How many workers can work at the same time here."""
    return min(count, cores())


@contextmanager
def one_core() -> Iterator[None]:
    """Have this thread, and those that it starts, share one core, where the system can see to it."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def resident() -> int:
    """Bytes of memory that this process takes now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Clock:
    """A callback of `learn` that notes when each epoch ended."""

    def __init__(self) -> None:
        self.ends: list[float] = []

    def __call__(self, progress: Any) -> None:
        if progress.finished:
            self.ends.append(time.perf_counter())

    @property
    def seconds(self) -> list[float]:
        """Of each epoch but the first, before which a run is set up."""
        return [after - before for before, after in zip(self.ends, self.ends[1:], strict=False)]

    @property
    def median(self) -> float:
        """Seconds of an epoch."""
        return median(self.seconds)
