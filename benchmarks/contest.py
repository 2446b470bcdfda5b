"""The nouns of a contest. Small frozen values; the referee is the only one who acts on them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class AbsentError(Exception):
    """A peer or a data set is not here; the message says why. Listed by name, never an abort."""


@dataclass(frozen=True)
class Data:
    """Rows and labels, handed to every contestant as the same objects in memory.

    `labels` are ±1, or 0 … K−1 for K > 2 classes. `separator` is a planted (w, b), if there is one; `held_out`
    are rows that nobody learns from, if there are any.
    """

    title: str
    rows: Any
    labels: NDArray[np.int64]
    separator: tuple[Floats, float] | None = None
    held_out: "Data | None" = None
    files: Mapping[str, str] = field(default_factory=dict)
    """The same as text, by format; and where an output may go."""
    name: str = ""
    seeded: "Callable[[int], Data] | None" = None
    """The same set for another seed, where that is another order of its rows or another part of them held out."""

    @property
    def classes(self) -> int:
        """Number of classes."""
        return 2 if self.labels.min() < 0 else int(self.labels.max()) + 1

    def seed(self, seed: int) -> "Data":
        """The set for a seed."""
        return self.seeded(seed) if self.seeded else self


@dataclass(frozen=True)
class Work:
    """What is to be computed, in nobody's dialect; each peer translates it into its own call."""

    epochs: int
    order: Literal["cyclic", "shuffled"] = "cyclic"
    rule: str = "perceptron"
    offset: float = 1.0
    readout: Literal["last", "averaged", "voted", "pocket"] = "last"
    multiclass: Literal["ovr", "direct"] = "ovr"
    start: Literal["zero", "separator"] = "zero"
    threads: int = 1


@dataclass(frozen=True)
class Script:
    """Work for a fresh process: Python code."""

    code: str


@dataclass(frozen=True)
class Command:
    """A command to run, with the data's files in its words; `makes`: the form of the model that comes of it."""

    words: tuple[str, ...]
    makes: str = ""
    threads: int = 1


@dataclass(frozen=True)
class Reading:
    """Read the data's svmlight file."""

    by: Literal["rosenblatt", "scikit-learn"]
    threads: int = 1


@dataclass(frozen=True)
class Question:
    """Can the rows be separated? The verdict alone, with its proof, or whether a proof made beforehand holds."""

    asks: Literal["verdict", "proof", "verify"] = "verdict"
    threads: int = 1


@dataclass(frozen=True)
class Margin:
    """The largest margin with a free offset; the cost is the time it takes, or the margin that comes of it."""

    measure: Literal["time", "margin"] = "time"
    threads: int = 1


@dataclass(frozen=True)
class Fit:
    """An estimator with its default settings, but for the readout if one is named.

    The cost is the time it takes, with the seed 0; or the accuracy on the rows held out, in percent, with another
    seed in every repetition: 0, 1, 2, …
    """

    measure: Literal["time", "accuracy"] = "time"
    readout: Literal["last", "averaged"] | None = None
    threads: int = 1


@dataclass(frozen=True)
class Defaults:
    """An estimator with no setting but the seed, on the set as that seed divides or orders it.

    The cost is as in `Fit`: the accuracy with the seeds 0, 1, 2, …, or the time it takes with the seed 0.
    """

    of: str = ""
    measure: Literal["time", "accuracy"] = "accuracy"
    threads: int = 1


@dataclass(frozen=True)
class Learned:
    """What came out: weights (K, d), offsets (K,), epochs done; mistakes and updates, where the peer tells."""

    weights: Floats
    offsets: Floats
    epochs: int
    mistakes: int | None = None
    updates: int | None = None


@dataclass(frozen=True)
class Outcome:
    """The cost of one repetition, in the task's unit; the weights, or the answers given for each row, if any."""

    cost: float
    learned: Learned | None = None
    answers: Floats | None = None
    warned: bool = False
    """Whether the contestant warned that it had not converged."""


class Peer(Protocol):
    """What a file in `peers/` defines."""

    NAME: str

    def version(self) -> str:
        """Name and version for the table; raises `AbsentError` if it is not installed."""

    def prepare(self, data: Data | None, work: Any) -> Callable[[], Any]:
        """Everything a user has done before calling; the function returned is what is timed."""

    def read(self, result: Any, seconds: float) -> Outcome:
        """Turn what the timed function returned into an outcome. Not timed."""


@dataclass(frozen=True)
class Entry:
    """A contestant: a peer with its work, under the label the table shows.

    `needs` names a further peer that must be installed, for a script that imports it.
    """

    label: str
    peer: str
    work: Work | Script | Command | Reading | Question | Margin | Fit | Defaults
    needs: str | None = None


@dataclass(frozen=True)
class Claim:
    """The cost of `over` divided by the cost of `under` (or less it), and what is asked of that.

    "A is at least 2 times as fast as B" is over=B, under=A, at_least=2. No target: told for information.
    The figure is the median of the ratios, or of the differences; of points, which are accuracies, the mean.
    If `under` names several, the one with the largest mean is meant. A level is the mean of `over` alone.
    """

    over: str
    under: str | tuple[str, ...] = ()
    at_least: float | None = None
    at_most: float | None = None
    how: Literal["ratio", "difference", "points", "level"] = "ratio"
    above: float | None = None
    """The target is asked only where `over` costs more than this."""
    enough: float | None = None
    """The target is met, too, where `over` costs no more than this."""
    busy: float | None = None
    """The `at_most` instead, where `over` updates at more than half of its visits."""

    @property
    def rivals(self) -> tuple[str, ...]:
        """All that `over` may be compared with."""
        return (self.under,) if isinstance(self.under, str) else self.under


@dataclass(frozen=True)
class Task:
    """A contest: data, contestants, what makes their work the same, and the claims put to the test.

    Where the labels in `same_weights` took part, their weights must be equal up to rounding; the training
    accuracies of all entries must lie within `accuracy_within` of each other; everyone must have done the
    epochs it was asked for; all who give answers must give the same up to rounding; and at most the share
    `mistakes_below` of the visits may be mistakes (the condition some targets speak of). Otherwise the
    task's claims are void. A task `over` others, which come before it, has no contestants of its own: each of
    them is a repetition, and what its contestants cost there on average is what they cost here.
    """

    name: str
    same_work: str
    entries: tuple[Entry, ...]
    claims: tuple[Claim, ...]
    data: Callable[[], Data] | None = None
    same_weights: tuple[str, ...] = ()
    accuracy_within: float | None = None
    mistakes_below: float | None = None
    unit: Literal["s", "MB", "margin", "%"] = "s"
    repeats: int = 9
    over: tuple[str, ...] = ()
    chapter: Literal["held-out", "nothing-to-set"] = "held-out"
    """Where accuracies are told."""
