"""Run: what came of learning: a final state, a status with advice, a history per epoch, a log of updates."""

import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .hyperplane import Hyperplane
from .plan import Plan
from .rules import Rule
from .state import State

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Status:
    """Why a run ended, and what to do next.

    `name` is one of clean, budget, plateau, step, loop, non-finite, stopped.
    """

    name: str
    reason: str
    advice: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}; {self.advice}"


@dataclass(frozen=True, eq=False)
class History:
    """One entry per finished epoch. Losses are as met on the way: each row under the weights it was met with."""

    epoch: Ints
    mistakes: Ints
    """Rows with m ≤ 0 (for one-vs-rest, summed over the outputs)."""
    updates: Ints
    error_rate: Floats
    """mistakes per row (and output)."""
    perceptron_loss: Floats
    """Σ −m over the mistakes."""
    squared_loss: Floats
    """Σ (1 − m)² over all rows."""
    norm: Floats
    """‖w‖ at the epoch's end."""
    margin_upper: Floats
    """No hyperplane has an augmented margin above this: ‖w′ − w′₀‖/Στ, rounded outward; inf if nothing is known."""

    def __len__(self) -> int:
        return int(self.epoch.size)


@dataclass(frozen=True, eq=False)
class Log:
    """One entry per row update, in order."""

    row: Ints
    output: Ints
    step: Floats
    """τ, with the sample weight in it; the row moved by τ·y·x′."""
    visit: Ints
    """How many rows had been met, this one included."""
    change: Ints
    """The number, from 1, of the weight change that the update went into."""
    visited: int
    """T, the rows met in the whole run."""

    def __len__(self) -> int:
        return int(self.row.size)

    def survival(self, output: int | None = None) -> Ints:
        """How long each weight vector lived, the start first: 1 when created, and 1 more for each row it stood.

        Of one output, for one-vs-rest. The counts sum to T + 1. Needs a log from the first row on, batch size 1.
        """
        mine = slice(None) if output is None else self.output == output
        born = np.concatenate([[0], np.unique(self.visit[mine]), [self.visited + 1]])
        return np.diff(born)


@dataclass(frozen=True, eq=False)
class Run:
    """The result of `learn`."""

    status: Status
    state: State
    history: History
    log: Log | None
    rule: Rule
    plan: Plan
    classes: NDArray[Any]

    @property
    def epochs(self) -> int:
        """Finished epochs, the last, clean one included."""
        return self.state.epoch

    @property
    def updates(self) -> int:
        """Rows that moved the weights."""
        return self.state.updates

    @property
    def hyperplanes(self) -> tuple[Hyperplane, ...]:
        """One hyperplane for two classes; for K > 2 one for each class."""
        w, b = self.state.read(self.plan.readout)
        sides = tuple(self.classes.tolist()) if self.state.n_outputs == 1 else None
        return tuple(Hyperplane(w[:, k], float(b[k]), sides) for k in range(b.size))

    @property
    def hyperplane(self) -> Hyperplane:
        """The hyperplane of a two-class run."""
        planes = self.hyperplanes
        if len(planes) > 1:
            raise ValueError(f"this run has {len(planes)} classes, so {len(planes)} hyperplanes: see run.hyperplanes")
        return planes[0]

    def __repr__(self) -> str:
        head = f"<Run {self.rule.name}, {self.plan.order}: {self.epochs} epochs, {self.updates} updates"
        return head + "\n" + textwrap.fill(str(self.status), 78, initial_indent="  ", subsequent_indent="  ") + ">"
