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
    first: int
    """Rows met before the log began: 0, unless the run was resumed."""
    last: int
    """T, the rows met in the whole run."""
    n_rows: int
    batch_size: int
    """Rows per weight change (at most n_rows)."""

    def __len__(self) -> int:
        return int(self.row.size)

    @property
    def survival(self) -> Ints:
        """How long each weight vector lived, the start first: 1 when created, and 1 more for each row it stood.

        One count for each weight change and one for the start; they sum to T + 1.
        """
        return self.survival_of(None)

    def survival_of(self, output: int | None) -> Ints:
        """The survival counts of one output of one-vs-rest."""
        if self.first:
            raise ValueError(f"the log begins after {self.first} rows: survival counts need one kept from the start")
        met = self.visit if output is None else self.visit[self.output == output]
        # A batch moves the weights at its end, which comes at the latest with its epoch's.
        epoch, place = np.divmod(met - 1, self.n_rows)
        moved = epoch * self.n_rows + np.minimum((place // self.batch_size + 1) * self.batch_size, self.n_rows)
        born = np.concatenate([[0], np.unique(moved[moved <= self.last]), [self.last + 1]])
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
