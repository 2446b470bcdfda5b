"""Interrupts: Ctrl-C and SIGTERM end a run in order, so that what was learnt is kept."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def interruptible() -> Iterator[list[int]]:
    """A list that the number of the signal is put into, where Ctrl-C or SIGTERM comes: the run then ends in order.

    The second one ends the program at once.
    """
    received: list[int] = []
    before: dict[signal.Signals, Any] = {}

    def receive(number: int, frame: Any) -> None:
        received.append(number)
        for one, handler in before.items():
            signal.signal(one, handler)

    try:
        for one in (signal.SIGINT, signal.SIGTERM):
            before[one] = signal.signal(one, receive)
    except ValueError:  # not the main thread: nobody to be interrupted by
        pass
    try:
        yield received
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
