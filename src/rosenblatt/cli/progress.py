"""Where long work is: a bar for bytes read, and a table of how learning goes. On standard error, never in the way."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ..report.text import clean

if TYPE_CHECKING:
    from ..learning.progress import Progress

_PAUSE = 0.1  # seconds between two looks of the bar
_PATIENCE = 0.3  # seconds before there is a bar at all
_WIDTH = 30

Bar = Callable[[int, int | None], None]


def write_error(text: str) -> None:
    """To standard error, at once."""
    with suppress(OSError, ValueError):  # nobody is there to look: the work goes on
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def reading_bar(enabled: bool) -> Iterator[Bar | None]:
    """A function to be told the bytes read, and the size of the file if it is known; None if nobody looks.

    On a terminal the bar stays on its line and is gone at the end; elsewhere there is a line a second.
    """
    if not enabled:
        yield None
        return
    terminal = sys.stderr.isatty()
    begin = time.monotonic()
    last, shown, before, again = begin + _PATIENCE - _PAUSE, False, 0, ""
    known: int | None = None

    def tell(done: int, size: int | None) -> None:
        nonlocal last, shown, begin, before, known, again
        now = time.monotonic()
        if done < before:  # from the beginning, once what the columns are is known; or the next file
            begin, again = now, "again " if size and before >= size == known else ""
        before, known = done, size
        if now - last < (_PAUSE if terminal else 1.0):
            return
        last, shown = now, True
        line = _bar(done, size, now - begin).replace("reading ", f"reading {again}", 1)
        write_error(f"\r{line[: shutil.get_terminal_size().columns - 1]}\x1b[K" if terminal else f"{line}\n")

    try:
        yield tell
    finally:
        if shown and terminal:
            write_error("\r\x1b[K")


@contextmanager
def working_line(enabled: bool) -> Iterator[Callable[[str], None]]:
    """A function to be told what is being worked on. On a terminal that stays on one line, and is gone at the end."""
    terminal = enabled and sys.stderr.isatty()

    def tell(doing: str) -> None:
        if enabled:
            line = f"{clean(doing)} …"
            write_error(f"\r{line[: shutil.get_terminal_size().columns - 1]}\x1b[K" if terminal else f"{line}\n")

    try:
        yield tell
    finally:
        if terminal:
            write_error("\r\x1b[K")


def _bar(done: int, size: int | None, seconds: float) -> str:
    """How far it is, and how fast.

    >>> _bar(50_000_000, 100_000_000, 0.5)
    'reading [###############               ]  50%  50.0 of 100.0 MB, 100 MB/s'
    """
    rate = f", {done / 1e6 / seconds:.0f} MB/s" if seconds > 0.1 else ""  # of the first moment it says nothing
    if not size:
        return f"reading {done / 1e6:.1f} MB{rate}"
    share = min(1.0, done / size)
    filled = "#" * int(share * _WIDTH)
    return f"reading [{filled:<{_WIDTH}}] {share:4.0%}  {done / 1e6:.1f} of {size / 1e6:.1f} MB{rate}"


def doubling() -> Iterator[int]:
    """1, 2, 4, 8, …"""
    at = 1
    while True:
        yield at
        at *= 2


class ProgressTable:
    """How learning goes: on a terminal one line, gone at the end, so that the answer is what stays.

    Where it is asked for, Vowpal Wabbit's progressive table over the first epoch, then a line for epochs 2, 4, 8, …

    Each example of the first epoch is predicted before it is learnt, so the average loss (the share predicted wrong) is
    an honest estimate for examples to come. Afterwards all of them have been seen, and mistakes are no estimate.
    """

    HEAD = (
        "average  since         example        example  current  current  current",
        "loss     last          counter         weight    label  predict features",
    )

    def __init__(self, enabled: bool, rows: int, asked: bool = True) -> None:
        self.enabled, self.rows = enabled, rows
        self.live, self.line = enabled and not asked and sys.stderr.isatty(), False
        self.before, self.wrong_before = 0, 0
        self.begun, self.next_epoch = False, 2
        self.epoch_wrong = 0
        self.first_wrong: int | None = None

    def tell(self, progress: "Progress") -> None:
        """A line, if there is something to say. `first_wrong` is what the first epoch predicted wrong."""
        if progress.finished and progress.epoch == 1:
            self.first_wrong = progress.wrong
        if not self.enabled:
            return
        if self.live:
            self.line = True
            met = progress.visited - (progress.epoch - 1) * self.rows
            share = f" ({met / self.rows:.0%})" if 0 < met <= self.rows else ""
            wrong, updates = f"{progress.wrong:,} predicted wrong", f"{progress.updates:,} updates"
            line = f"learning: epoch {progress.epoch}{share}, {wrong}, {updates} …"
            write_error(f"\r{line[: shutil.get_terminal_size().columns - 1]}\x1b[K")
        elif progress.next is not None and progress.epoch == 1:
            one = progress.next
            self._line(progress.visited + 1, progress.wrong + one.wrong, one.label, one.predicted, one.features)
        elif progress.finished:
            self._epoch(progress)

    def __enter__(self) -> "ProgressTable":
        return self

    def __exit__(self, *_: object) -> None:
        if self.line:
            write_error("\r\x1b[K")

    def _line(self, counter: int, wrong: int, label: object, predicted: object, features: int) -> None:
        if not self.begun:
            self.begun = True
            write_error("".join(f"{line}\n" for line in self.HEAD))
        since = (wrong - self.wrong_before) / max(1, counter - self.before)
        self.before, self.wrong_before = counter, wrong
        loss, said = f"{wrong / counter:.6f} {since:.6f}", f"{clean(label)[:8]:>8} {clean(predicted)[:8]:>8}"
        write_error(f"{loss} {counter:12d} {counter:14.1f} {said} {features:8d}\n")

    def _epoch(self, progress: "Progress") -> None:
        wrong, self.epoch_wrong = progress.wrong - self.epoch_wrong, progress.wrong
        if progress.epoch == 1 and self.begun:
            share = f"{wrong / self.rows:.6f} of {self.rows} examples"
            write_error(f"epoch 1: {share} predicted wrong before they were learnt\n")
        elif progress.epoch >= self.next_epoch:
            self.next_epoch = 2 * progress.epoch
            write_error(
                f"epoch {progress.epoch}: {wrong} predicted wrong, all seen before; {progress.updates} updates\n"
            )
