"""Where long work is, as a value: what a search or a check is at, for how long, and what is known so far.

The searches tell it through their watch (separation/watch.py), the checker through a `Teller` of its own: the two share
this value and nothing else.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

_PAUSE = 0.1  # seconds between two calls

Known = int | float | str | None


@dataclass(frozen=True)
class SearchProgress:
    """Where a search is, for a callback: if that returns True, the search ends with what it knows."""

    doing: str
    """What it is at, in words: "sorting out the boundary"."""
    seconds: float
    """Since it began."""
    known: Mapping[str, Known] = field(default_factory=dict)
    """What is known so far, by name: rows left, bounds, a gap."""


class Teller:
    """Tells a callback what is being checked, and how many rows of how many are done: ten times a second at most.

    >>> heard = []
    >>> teller = Teller(heard.append)
    >>> teller.begin("checking the hyperplane")
    >>> [(one.doing, one.known) for one in heard]
    [('checking the hyperplane', {})]
    """

    def __init__(self, progress: Callable[[SearchProgress], object] | None = None) -> None:
        self.progress, self.doing, self.told = progress, "", False
        self.began = self.called = time.monotonic()

    def begin(self, doing: str) -> None:
        """The next part of the proof."""
        self.doing = doing
        self._call({})

    def at(self, row: int, of: int) -> None:
        """Rows up to this one are done."""
        self._call({"rows": row, "of": of})

    def _call(self, known: Mapping[str, Known]) -> None:
        if self.progress is None or (self.told and time.monotonic() - self.called < _PAUSE):
            return
        self.called, self.told = time.monotonic(), True
        self.progress(SearchProgress(self.doing, self.called - self.began, known))
