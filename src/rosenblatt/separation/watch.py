"""Watch: how long a search may take, and who looks on.

Every step of a search asks the watch how many seconds are left before it does something long, and tells it what it is
at and what is known so far. The deadline, and somebody who wants it to end (Ctrl-C, or a callback that says so), end it
the same way: by `OutOfTimeError`, at the next look; whoever catches that keeps what is known.

A step may take long and have nothing new to tell. So every look asks the callback again, ten times a second at most:
whoever wants the search to end need not wait for news.
"""

import math
import time
from collections.abc import Callable
from dataclasses import replace

from ..errors import InputError, shown
from ..proof.telling import Known, SearchProgress

_PULSE = 0.1  # seconds between two calls that tell nothing new

__all__ = ["Known", "OutOfTimeError", "SearchProgress", "Watch", "watch_for"]


class OutOfTimeError(Exception):
    """The time limit ran out, or somebody stopped the search."""


class Watch:
    """A deadline, and the callback of somebody who looks on.

    >>> watch = Watch(60, lambda progress: progress.doing == "enough")
    >>> watch.tell("looking", rows=3), watch.seconds_left() > 59
    (None, True)
    >>> watch.tell("enough"); watch.stopped
    True
    """

    def __init__(self, seconds: float = math.inf, progress: Callable[[SearchProgress], object] | None = None) -> None:
        if progress is not None and not callable(progress):
            raise InputError(f"progress must be a function of one argument, or None, not {shown(progress)}")
        self.began, self.progress, self.stopped = time.monotonic(), progress, False
        self.deadline = self.began + seconds
        self.last = SearchProgress("beginning", 0.0)
        """What was told last."""
        self.called = self.began

    def seconds_left(self) -> float:
        """Seconds until the deadline, more than 0. Raises `OutOfTimeError` when there are none, or when stopped."""
        now = time.monotonic()
        if self.progress is not None and now - self.called >= _PULSE and not self.stopped:
            self._call(replace(self.last, seconds=now - self.began))
        seconds = self.deadline - now
        if seconds <= 0 or self.stopped:
            raise OutOfTimeError
        return seconds

    def over(self) -> bool:
        """The same as a question, for the compiled core to ask."""
        try:
            self.seconds_left()
        except OutOfTimeError:
            return True
        return False

    @property
    def why(self) -> str:
        """Why a search ended before it was done."""
        return "it was stopped" if self.stopped else "the time limit ran out"

    def tell(self, doing: str, **known: Known) -> None:
        """Say what is being done, and what is known so far: values told before stay until they are told anew."""
        self._call(SearchProgress(doing, time.monotonic() - self.began, {**self.last.known, **known}))

    def forget(self) -> None:
        """What was told so far is of another question: only what is told from now on is known."""
        self.last = replace(self.last, known={})

    def _call(self, told: SearchProgress) -> None:
        self.last, self.called = told, time.monotonic()
        if self.progress is not None and self.progress(told):
            self.stop()

    def stop(self) -> None:
        """End the search at its next look."""
        self.stopped = True

    def part(self, seconds: float, name: str = "") -> "Watch":
        """A watch for a step of the search that may take so long: it ends with this one, and tells it.

        What it tells begins with its `name`, if it has one.
        """
        return _Part(self, seconds, name)

    def aside(self, seconds: float, name: str) -> "Watch":
        """The same for a question about some of the rows: what is known of those is not told."""
        return _Part(self, seconds, name, aside=True)


class _Part(Watch):
    def __init__(self, whole: Watch, seconds: float, name: str, aside: bool = False) -> None:
        super().__init__(seconds)
        self.whole, self.name, self.aside_only = whole, f"{name}: " if name else "", aside
        self.deadline = min(self.deadline, whole.deadline)

    def seconds_left(self) -> float:
        return min(super().seconds_left(), self.whole.seconds_left())

    @property
    def why(self) -> str:
        return self.whole.why if self.whole.stopped else super().why

    def tell(self, doing: str, **known: Known) -> None:
        self.whole.tell(f"{self.name}{doing}", **({} if self.aside_only else known))


def watch_for(seconds: "float | Watch") -> Watch:
    """A watch of so many seconds; or the one that is given."""
    return seconds if isinstance(seconds, Watch) else Watch(seconds)
