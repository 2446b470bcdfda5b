"""Progress: what a callback is told of a run under way."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..runs.run import Run
from ..runs.state import State


@dataclass(frozen=True)
class Progress:
    """Where a run is, for a callback. `state()` takes a snapshot to resume from, while the callback runs.

    `run()` is the run that would end now: that state, with the history and the log so far.
    """

    epoch: int
    """The epoch under way, from 1."""
    finished: bool
    """Whether it has just ended: so it is once for each epoch; False for the calls in between."""
    visited: int
    updates: int
    wrong: int
    """Rows that `predict` would have got wrong before they were learnt, since `learn` was called: an honest estimate in
    the first epoch. (Not the mistakes, m ≤ 0: a row that scores 0 is one, but has the negative class predicted.)"""
    state: Callable[[], State] = field(repr=False)
    run: Callable[[], Run] = field(repr=False)
    next: "Next | None" = None
    """At a mark: the row about to be met, and what is predicted for it."""
    last: bool = field(default=False, repr=False)
    """Whether the run ends with this epoch: going on from here would add another."""


@dataclass(frozen=True)
class Next:
    """A row about to be met: its number, label and features that are not 0; and what `predict` would say of it."""

    row: int
    label: Any
    predicted: Any
    features: int
    wrong: bool
