"""Log: one entry per row update. From it every weight vector of a run can be had again, so none is stored."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.columns import Columns
from ..data.source import CHUNK
from ..errors import plural

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LIMIT = 2**30
"""Bytes of a log at which a run ends, unless another number is given."""
ENTRY = 40
"""Bytes of an update."""

_COLUMNS = ("row", "output", "step", "visit", "change")


@dataclass(frozen=True, eq=False, kw_only=True)
class Log(Columns):
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
    rows_from: int = 0
    """Rows met before these rows were first met: 0, unless the run went on from other rows."""

    def after(self, earlier: "Log | None") -> "Log":
        """Behind the log of the run that this one goes on from; alone, if there is none."""
        if earlier is None or earlier.last != self.first:
            return self
        joined: dict[str, Any] = {
            name: np.concatenate([getattr(earlier, name), getattr(self, name)]) for name in _COLUMNS
        }
        return replace(self, first=earlier.first, **joined)

    def table(self) -> dict[str, Any]:
        """The columns by name."""
        return {name: getattr(self, name) for name in _COLUMNS}

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
            raise ValueError(
                f"the log begins after {plural(self.first, 'row')}, but the start is needed: keep a log from the start,"
                " and go on with start=run (not run.state), which keeps it whole"
            )
        if output is not None and output not in range(self.n_outputs):
            raise ValueError(f"no output {output!r}: expected 0 to {self.n_outputs - 1}")
        births = self.births(output)
        return np.diff(np.concatenate([[0], births[births <= self.last], [self.last + 1]]))

    def chunks(self) -> Ints:
        """The number of the chunk in which the row of each update was met, over all epochs."""
        epoch, place = np.divmod(self.visit - 1 - self.rows_from, self.n_rows)
        return np.asarray(epoch * -(-self.n_rows // CHUNK) + place // CHUNK)

    def births(self, output: int | None) -> Ints:
        """For each weight change, the rows met when it was made."""
        met = self.visit if output is None else self.visit[self.output == output]
        # A batch moves the weights at its end, which comes at the latest with its epoch's.
        epoch, place = np.divmod(met - 1 - self.rows_from, self.n_rows)
        end = np.minimum((place // self.batch_size + 1) * self.batch_size, self.n_rows)
        return np.unique(self.rows_from + epoch * self.n_rows + end)
