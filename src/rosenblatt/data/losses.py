"""Losses: what one weight vector loses on rows, in the three ways the notes know."""

from typing import Any, NamedTuple

from numpy.typing import NDArray


class Losses(NamedTuple):
    """What one weight vector loses on all rows, in float64; without sample weights."""

    mistakes: int
    """Rows with m ≤ 0."""
    error_rate: float
    perceptron_loss: float
    """Σ −m over the mistakes."""
    squared_loss: float
    """Σ (1 − m)²."""


def losses_of(margins: NDArray[Any]) -> Losses:
    """The losses of rows with these functional margins.

    >>> import numpy as np
    >>> losses_of(np.array([-1.0, 0.0, 2.0]))
    Losses(mistakes=2, error_rate=0.6666666666666666, perceptron_loss=1.0, squared_loss=6.0)
    """
    wrong = margins <= 0
    criterion = 0.0 - float(margins[wrong].sum())  # and not −0.0 where there is nothing to sum
    return Losses(int(wrong.sum()), float(wrong.mean()), criterion, float(((1 - margins) ** 2).sum()))
