"""Processes that take no notice of Ctrl-C: a terminal sends it to all, and whoever started them ends them."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Start them within: they inherit that it is blocked. One that comes meanwhile waits, and interrupts at the end."""
    if not hasattr(signal, "pthread_sigmask"):  # not on Windows
        yield
        return
    resource_tracker.ensure_running()  # which unblocks it, the first time that a process is started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
