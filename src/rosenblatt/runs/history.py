"""History: what each epoch of a run came to."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import plural

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class History:
    """One entry per finished epoch (of this call, where a run was resumed from its state alone).

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

    def __len__(self) -> int:
        return int(self.epoch.size)

    def __repr__(self) -> str:
        return f"<History of {plural(len(self), 'epoch')}: {', '.join(vars(self))}>"
