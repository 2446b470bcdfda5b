"""Run: what came of learning: a final state, a status with advice, a history per epoch, a log of updates."""

import textwrap
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import plural
from .hyperplane import Hyperplane, scores
from .plan import Plan
from .rules import Rule
from .state import State
from .status import Status

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class History:
    """One entry per finished epoch (of this call, where a run was resumed).

    Losses are sums over the rows as met on the way, each under the weights it was met with, and take no account of
    sample weights. For one-vs-rest, mistakes, updates and losses are summed over the outputs.
    """

    epoch: Ints
    mistakes: Ints
    """Rows with m ≤ 0."""
    updates: Ints
    error_rate: Floats
    """Mistakes per row met (and output)."""
    perceptron_loss: Floats
    """Σ −m over the mistakes."""
    squared_loss: Floats
    """Σ (1 − m)² over all rows."""
    norm: Floats
    """‖w‖ at the epoch's end."""
    margin_upper: Floats
    """No hyperplane has an augmented margin above this on the rows the run has met, before a resume too.

    ‖w′ − w′₀‖/Στ, rounded outward; inf if nothing is known. Each entry is a bound, so their minimum is one. Of shape
    (epochs,), or (epochs, K) for one-vs-rest with K > 2 classes.
    """

    def __len__(self) -> int:
        return int(self.epoch.size)

    def __repr__(self) -> str:
        return f"<History of {plural(len(self), 'epoch')}: {', '.join(vars(self))}>"


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
    n_outputs: int
    batch_size: int
    """Rows per weight change (at most n_rows)."""

    def __len__(self) -> int:
        return int(self.row.size)

    def __repr__(self) -> str:
        return f"<Log of {plural(len(self), 'update')}: row, output, step, visit, change, survival>"

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
        if output is not None and output not in range(self.n_outputs):
            raise ValueError(f"no output {output!r}: expected 0 to {self.n_outputs - 1}")
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
        sides = (self.classes[0], self.classes[1]) if self.state.n_outputs == 1 else None
        return tuple(Hyperplane(w[:, k], float(b[k]), sides) for k in range(b.size))

    @property
    def hyperplane(self) -> Hyperplane:
        """The hyperplane of a two-class run."""
        planes = self.hyperplanes
        if len(planes) > 1:
            raise ValueError(f"this run has {len(planes)} classes, so {len(planes)} hyperplanes: see run.hyperplanes")
        return planes[0]

    def scores(self, X: Any) -> Floats:
        """The scores of the readout: (n,) for two classes, (n, K) for K > 2."""
        found = scores(X, *self.state.read(self.plan.readout))
        return found[:, 0] if self.state.n_outputs == 1 else found

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row: the positive one where the score is > 0; of K > 2, the class of the largest score."""
        found = self.scores(X)
        chosen = (found > 0).astype(int) if found.ndim == 1 else found.argmax(axis=1)
        return np.asarray(self.classes[chosen])

    def __repr__(self) -> str:
        epochs, updates = plural(self.epochs, "epoch"), plural(self.updates, "update")
        head = f"<Run {self.rule.name}, {self.plan.order}: {epochs}, {updates}"
        return head + "\n" + textwrap.fill(str(self.status), 78, initial_indent="  ", subsequent_indent="  ") + ">"
