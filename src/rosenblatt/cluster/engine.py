"""Engine: what a cluster is asked to do. It keeps things on workers, and calls functions where they are.

Nothing here knows of rows, and nothing else of the package knows which cluster it is: dask_engine.py is one engine, and
whoever writes another one for Ray or Spark writes these methods. Functions are called with values that must not be
changed in place, for an engine may call one again with the same values where a worker was lost.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ..errors import InputError

FAN_IN = 8
"""How many results are joined at a time. Fixed, so that the shape of a tree depends on its number of leaves alone."""

Kept = Any
"""What is kept on a worker, as the caller holds it: an engine's own."""


class StoppedError(Exception):
    """Whoever waits for workers said that it should end."""


class FailedTaskError(Exception):
    """A function failed for one of the things it was called for: which, and why."""

    def __init__(self, index: int, cause: BaseException) -> None:
        super().__init__(index, cause)
        self.index, self.cause = index, cause


class Engine(ABC):
    """A cluster. `waiting(done, of)` is called about ten times a second while it works; if it returns True, it ends."""

    @property
    def is_closed(self) -> bool:
        """Whether the cluster was left, so that nothing can be asked any more."""
        return False

    @cached_property
    def _hooks(self) -> threading.local:
        """Each thread that shares an engine waits for its own."""
        return threading.local()

    @property
    def waiting(self) -> Callable[[int, int], object] | None:
        """Who is called while it works, of this thread."""
        hook: Callable[[int, int], object] | None = getattr(self._hooks, "waiting", None)
        return hook

    @waiting.setter
    def waiting(self, hook: Callable[[int, int], object] | None) -> None:
        self._hooks.waiting = hook

    def stops(self, done: int, of: int) -> bool:
        """Ask whoever waits whether to end. What that asks the engine in its turn, nobody is told of."""
        hook, self.waiting = self.waiting, None
        try:
            return hook is not None and bool(hook(done, of))
        finally:
            self.waiting = hook

    @abstractmethod
    def keep(self, function: Callable[..., Any], *columns: Sequence[Any], shared: Any = None) -> list[Kept]:
        """`function(a[i], b[i], …, shared)` for every i, kept where it was made. Columns hold values, or what is kept.

        Raises `FailedTaskError`.
        """

    @abstractmethod
    def each(self, function: Callable[..., Any], kept: Sequence[Kept], shared: Any = None) -> list[Any]:
        """`function(kept[i], shared)` for every i, in order; the results come to the caller."""

    @abstractmethod
    def joined(
        self, function: Callable[..., Any], join: Callable[[Sequence[Any]], Any], kept: Sequence[Kept], shared: Any
    ) -> Any:
        """The same results joined on the workers: neighbours first, FAN_IN at a time, in order. One comes back."""

    @abstractmethod
    def chained(self, function: Callable[..., Any], kept: Sequence[Kept], first: Any) -> Any:
        """`carry = function(kept[i], carry)` for one after the other, from `first` on; the last comes back."""

    @abstractmethod
    def blocks(self, *collections: Any) -> list[list[Kept]]:
        """The rows of a collection of its own kind, and what goes with them, block by block: a list for each.

        A collection may be None, and then so are its blocks. Raises `InputError` for what is no such collection.
        """

    @abstractmethod
    def mapped(self, function: Any, collection: Any) -> Any:
        """`function(block)` of every block of rows as a collection of its own kind; `function.dtype` is its type."""


def groups(count: int) -> list[list[range]]:
    """The levels of a tree over so many leaves: which results of the level below each of its results joins.

    >>> groups(3), groups(1)
    ([[range(0, 3)]], [])
    >>> [len(level) for level in groups(100)]
    [13, 2, 1]
    """
    levels = []
    while count > 1:
        level = [range(first, min(count, first + FAN_IN)) for first in range(0, count, FAN_IN)]
        levels.append(level)
        count = len(level)
    return levels


def alike(blocks: Sequence[list[Kept] | None]) -> list[list[Kept]]:
    """The blocks of several collections, as many of each; for None so many times None."""
    count = len(blocks[0] or ())
    for one in blocks:
        if one is not None and len(one) != count:
            raise InputError(f"{count} blocks of rows, and {len(one)} of labels or weights; expected as many")
    return [[None] * count if one is None else one for one in blocks]


class Here(Engine):
    """No cluster at all: everything in this process, one thing after the other. What an engine gives, this gives."""

    def keep(self, function: Callable[..., Any], *columns: Sequence[Any], shared: Any = None) -> list[Kept]:
        """At once."""
        return [self._call(i, function, *row, shared) for i, row in enumerate(zip(*columns, strict=True))]

    def each(self, function: Callable[..., Any], kept: Sequence[Kept], shared: Any = None) -> list[Any]:
        """One after the other."""
        return self.keep(function, kept, shared=shared)

    def joined(
        self, function: Callable[..., Any], join: Callable[[Sequence[Any]], Any], kept: Sequence[Kept], shared: Any
    ) -> Any:
        """Level after level."""
        found = self.each(function, kept, shared)
        for level in groups(len(found)):
            found = [join([found[i] for i in group]) for group in level]
        return found[0]

    def chained(self, function: Callable[..., Any], kept: Sequence[Kept], first: Any) -> Any:
        """One after the other."""
        for i, one in enumerate(kept):
            first = self._call(i, function, one, first)
        return first

    def blocks(self, *collections: Any) -> list[list[Kept]]:
        """Lists of blocks."""
        return alike([None if one is None else list(one) for one in collections])

    def mapped(self, function: Any, collection: Any) -> Any:
        """A list."""
        return [function(block) for block in collection]

    def _call(self, index: int, function: Callable[..., Any], *values: Any) -> Any:
        if self.stops(index, index + 1):
            raise StoppedError
        try:
            return function(*values)
        except Exception as error:
            raise FailedTaskError(index, error) from error
