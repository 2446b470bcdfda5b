"""History: what each epoch of a run came to."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.columns import Columns
from ..errors import plural

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class History(Columns):
    """One entry per finished epoch (of this call, where a run was resumed from its state alone).

    Each column is an array; its rows are named tuples.

    >>> from rosenblatt import learn
    >>> history = learn([[4, 0], [1, 1], [0, 1], [-2, -2]], [1, -1, -1, 1], offset=0).history
    >>> [(row.epoch, row.mistakes) for row in history], history[-1].perceptron_loss
    ([(1, 3), (2, 0)], 0.0)

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

    def after(self, earlier: "History | None") -> "History":
        """Behind the history of the run that this one goes on from."""
        if earlier is None:
            return self
        return History(*(np.concatenate([getattr(earlier, name), column]) for name, column in vars(self).items()))

    def table(self) -> dict[str, Any]:
        """The columns by name."""
        return dict(vars(self))

    def __repr__(self) -> str:
        return f"<History of {plural(len(self), 'epoch')}: {', '.join(vars(self))}>"
