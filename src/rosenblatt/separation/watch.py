"""Watch: how long a search may take, and who looks on.

Every step of a search asks the watch how many seconds are left before it does something long, and tells it what it is
at and what is known so far. The deadline, and somebody who wants it to end (Ctrl-C, or a callback that says so), end it
the same way: by `OutOfTimeError`, at the next look; whoever catches that keeps what is known.
"""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Known = int | float | str | None


class OutOfTimeError(Exception):
    """The time limit ran out, or somebody stopped the search."""


@dataclass(frozen=True)
class SearchProgress:
    """Where a search is, for a callback: if that returns True, the search ends with what it knows."""

    doing: str
    """What it is at, in words: "sorting out the boundary"."""
    seconds: float
    """Since it began."""
    known: Mapping[str, Known] = field(default_factory=dict)
    """What is known so far, by name: rows left, bounds, a gap."""


class Watch:
    """A deadline, and the callback of somebody who looks on.

    >>> watch = Watch(60, lambda progress: progress.doing == "enough")
    >>> watch.tell("looking", rows=3), watch.seconds_left() > 59
    (None, True)
    >>> watch.tell("enough"); watch.stopped
    True
    """

    def __init__(self, seconds: float = math.inf, progress: Callable[[SearchProgress], object] | None = None) -> None:
        self.began, self.progress, self.stopped = time.monotonic(), progress, False
        self.deadline = self.began + seconds
        self.last = SearchProgress("", 0.0)
        """What was told last."""

    def seconds_left(self) -> float:
        """Seconds until the deadline, more than 0. Raises `OutOfTimeError` when there are none, or when stopped."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0 or self.stopped:
            raise OutOfTimeError
        return seconds

    def tell(self, doing: str, **known: Known) -> None:
        """Say what is being done, and what is known so far: values told before stay until they are told anew."""
        told = SearchProgress(doing, time.monotonic() - self.began, {**self.last.known, **known})
        self.last = told
        if self.progress is not None and self.progress(told) is True:
            self.stop()

    def stop(self) -> None:
        """End the search at its next look."""
        self.stopped = True

    def part(self, seconds: float) -> "Watch":
        """A watch for a step of the search that may take so long: it ends with this one, and tells it."""
        return _Part(self, seconds)


class _Part(Watch):
    def __init__(self, whole: Watch, seconds: float) -> None:
        super().__init__(seconds)
        self.whole = whole
        self.deadline = min(self.deadline, whole.deadline)

    def seconds_left(self) -> float:
        return min(super().seconds_left(), self.whole.seconds_left())

    def tell(self, doing: str, **known: Known) -> None:
        self.whole.tell(doing, **known)


def watch_for(seconds: "float | Watch") -> Watch:
    """A watch of so many seconds; or the one that is given."""
    return seconds if isinstance(seconds, Watch) else Watch(seconds)
