"""A search in sight: what it is at, how long it has taken, what is known so far; and Ctrl-C ends it with that.

A thread of its own shows it, so that the clock goes on while a step takes long. On a terminal there is one line, gone
at the end; elsewhere a line when something new is known, ever less often.
"""

import shutil
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..report.text import clean
from .interrupts import interruptible
from .progress import write_error

if TYPE_CHECKING:
    from ..separation.watch import Known, SearchProgress, Watch

_PATIENCE = 0.3  # seconds before anything is shown
_PAUSE = 0.1  # seconds between two looks
_COLUMNS = 80  # of a line, at most
_GROWTH = 1.5  # by how much the time since the beginning grows from one line to the next, where there is no terminal
_ENDING = "ending with what is known so far; Ctrl-C ends it at once"


class Onlooker:
    """What the searches of a command call: it keeps what they tell, and ends them once there was a signal."""

    def __init__(self, doing: str, received: Sequence[int] = (), seconds: float | None = None) -> None:
        self.begin, self.doing = time.monotonic(), doing
        self.known: Mapping[str, Known] = {}
        self.deadline = None if seconds is None else self.begin + seconds
        self.received = received
        self.interrupted: int | None = None
        """The number of the signal that ended a search."""

    def __call__(self, told: "SearchProgress") -> bool:
        """Whether to end the search."""
        self.doing, self.known = told.doing, told.known
        if self.received:
            self.interrupted = self.received[0]
        return bool(self.received)

    def tell(self, doing: str) -> None:
        """What the command itself is at."""
        self.doing, self.known = doing, {}

    def watch(self, most: float) -> "Watch":
        """For what follows a search: so many seconds at most, and no more than are left of all."""
        from ..separation.watch import Watch

        left = most if self.deadline is None else min(most, self.deadline - time.monotonic())
        return Watch(left, self)

    @property
    def line(self) -> str:
        """How long it has taken, what it is at and what is known."""
        seconds = f"{time.monotonic() - self.begin:.0f} s"
        return f"{seconds}: {_ENDING if self.received else clean(self.news)}"

    @property
    def news(self) -> str:
        """What it is at, and what is known."""
        known = ", ".join(_said(name, value) for name, value in self.known.items() if value is not None)
        known = known.replace(", of ", " of ")  # rows 10 of 20
        return f"{self.doing} ({known})" if known else self.doing


def _said(name: str, value: "Known") -> str:
    """A value and its name, as a reader would put it.

    >>> _said("rows_left", 12_345), _said("gap", 0.0012345), _said("by", "sweep")
    ('rows left 12,345', 'gap 0.00123', 'by sweep')
    """
    shown = f"{value:,}" if isinstance(value, int) else f"{value:.3g}" if isinstance(value, float) else str(value)
    return f"{name.replace('_', ' ')} {shown}"


@contextmanager
def searching(shown: bool, doing: str, seconds: float | None) -> Iterator[Onlooker]:
    """Somebody for the searches of a command to tell, within so many seconds; `shown` to the user or not."""
    with interruptible() as received, watching(shown, Onlooker(doing, received, seconds)) as onlooker:
        yield onlooker


@contextmanager
def watching(shown: bool, onlooker: Onlooker) -> Iterator[Onlooker]:
    """The same, but that a signal ends the program as ever."""
    if not shown:
        yield onlooker
        return
    over = threading.Event()
    thread = threading.Thread(target=_show, args=(onlooker, over), daemon=True)
    thread.start()
    try:
        yield onlooker
    finally:
        over.set()
        thread.join()


def _show(onlooker: Onlooker, over: threading.Event) -> None:
    terminal = sys.stderr.isatty()
    width = min(_COLUMNS, shutil.get_terminal_size().columns) - 1 if terminal else _COLUMNS
    before, due, pause = "", 0.0, _PATIENCE
    while not over.wait(pause):
        pause, line = _PAUSE, onlooker.line
        if terminal:
            if line != before:
                write_error(f"\r{_cut(line, width)}\x1b[K")
                before = line
        elif onlooker.news != before and (now := time.monotonic()) >= due:
            write_error(f"{_cut(line, width)}\n")
            before, due = (
                onlooker.news,
                onlooker.begin + max(now - onlooker.begin + 1, _GROWTH * (now - onlooker.begin)),
            )
    if terminal and before:
        write_error("\r\x1b[K")


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else f"{line[: width - 1]}…"
