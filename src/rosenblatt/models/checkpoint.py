"""Checkpoints: files from which a run goes on to the same bits, written while it learns.

A checkpoint is a model file of a run under way. Two are kept: `PATH` is the newest, `PATH.1` the one before. A new one
takes its place when it is safe on the disk (atomic.py), so that at any moment, whatever dies then, one of the two is
whole; and a file that was damaged later is told by its checksum.

One is written every so many seconds, and at the end of every epoch for which it costs less than 1 % of the time: if
one takes c seconds, when 100·c have passed since the last.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from ..atomic import Name, remove_file
from ..errors import InputError
from . import records, store
from .model import Model

if TYPE_CHECKING:
    from ..learning.progress import Progress

EVERY = 600.0
"""Seconds between two of them, where nothing else is said: nobody loses an hour."""
SHARE = 0.01
"""Of the time, that those at the ends of epochs may take."""
OLDER = ".1"
"""The ending of the one before."""
_FIRST = 0.1  # seconds that the first may take, before one has been timed


class Checkpoints:
    """The checkpoints of one run. Called with each `Progress`, it writes one when it is time.

    model
        What makes the model of a `Progress`.
    every
        Seconds; None: none is written but those asked for by `write`.
    resumed
        The file that the run goes on from, if any.
    failed
        Told of an error of the system: the run goes on, and the next one may succeed.
    """

    def __init__(
        self,
        path: Name,
        model: "Callable[[Progress], Model]",
        *,
        every: float | None = EVERY,
        resumed: Name | None = None,
        failed: Callable[[OSError], None] | None = None,
    ) -> None:
        self.path, self.every = os.path.realpath(path), every
        self._model, self._failed = model, failed
        self.count, self.seconds, self.failures = 0, 0.0, 0
        from_file = None if resumed is None else os.path.realpath(resumed)
        self._newest_is_ours = from_file == self.path
        self._older_is_ours = from_file == self.path + OLDER
        self._cost, self._last = _FIRST, time.monotonic()

    def __call__(self, progress: "Progress") -> None:
        """Write one, if it is time."""
        since = time.monotonic() - self._last
        if self.every is None or progress.last:  # the model itself comes next, and nothing goes on from its end
            return
        if since < self.every and not (progress.finished and since * SHARE >= self._cost):
            return
        begin = time.monotonic()
        try:
            self.write(self._model(progress))
            self.count += 1
        except OSError as error:
            if self._failed is None:
                raise
            self.failures += 1
            self._failed(error)
        self._last = time.monotonic()
        self._cost = self._last - begin
        self.seconds += self._cost

    def write(self, model: Model) -> None:
        """Write one now."""
        keep = OLDER if self._newest_is_ours else None  # else it is damaged, or of another run
        store.write(self.path, records.KIND, records.VERSION, *records.record_of(model), keep=keep)
        if not (self._newest_is_ours or self._older_is_ours):
            with suppress(FileNotFoundError):  # of another run: nothing to fall back to
                os.unlink(self.path + OLDER)
        self._newest_is_ours = True

    def remove(self) -> None:
        """Remove those of this run, which are of no use any more."""
        for name, ours in ((self.path + OLDER, self._older_is_ours), (self.path, False)):
            if ours or self._newest_is_ours:
                remove_file(name)


class Found(NamedTuple):
    """The newest sound checkpoint, if there is one, and what is wrong with a newer one."""

    path: str | None
    damaged: tuple[str, ...]


def newest_checkpoint(path: Name) -> Found:
    """The newest sound one of `path` and the one before. Raises `InputError` for one of a later version."""
    damaged: list[str] = []
    for name in (os.fspath(path), os.path.realpath(path) + OLDER):
        try:
            Model.load(name)
        except FileNotFoundError:
            continue
        except store.NewerFormatError:
            raise
        except InputError as error:
            damaged.append(str(error))
        else:
            return Found(name, tuple(damaged))
    return Found(None, tuple(damaged))
