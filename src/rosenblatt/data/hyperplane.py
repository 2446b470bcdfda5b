"""Hyperplane: w and b, and what they say of rows.

Scores and margins are different things. s(x) = w·x + b is the score; y·s(x) the functional margin of an example;
y·s(x)/‖w‖ its geometric margin, the signed distance to the hyperplane. The margin of a data set is the smallest
geometric margin: positive exactly if every example is on its side.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from ..choices import thread_count
from ..errors import InputError
from .classes import one_against_rest
from .labels import column_of, predicted_codes, signs_of
from .losses import Losses, losses_of
from .rows import not_finite, rows_of

MOST_WEIGHTS = 1000  # that a dictionary holds


@dataclass(frozen=True, eq=False)
class Hyperplane:
    """The set of x with w·x + b = 0. `classes` are the labels of its negative and positive side, ±1 if not given.

    >>> plane = Hyperplane([1, -1], 1)
    >>> plane.scores([[1, 3]]).tolist(), round(plane.margin([[1, 3]], [1]), 6)
    ([-1.0], -0.707107)
    """

    w: NDArray[np.float64]
    b: float = 0.0
    classes: tuple[Any, Any] | None = None

    def __post_init__(self) -> None:
        try:
            # scikit-learn's coef_ has shape (1, d) and its intercept_ (1,).
            w, b = np.array(self.w, dtype=np.float64), float(np.array(self.b, dtype=np.float64).reshape(()))
            w = w[0] if w.ndim == 2 and w.shape[0] == 1 else w
        except (TypeError, ValueError, OverflowError):
            w, b = np.empty(0), 0.0
        if w.ndim != 1 or w.size == 0 or not np.isfinite(w).all() or not np.isfinite(b):
            raise InputError("a hyperplane needs one finite weight for each feature, and a finite offset")
        w, b = w + 0.0, b + 0.0  # no −0
        w.flags.writeable = False
        object.__setattr__(self, "w", w)
        object.__setattr__(self, "b", b)

    @property
    def norm(self) -> float:
        """‖w‖."""
        return length_of(self.w)

    def scores(self, X: Any) -> NDArray[np.float64]:
        """s(x) = w·x + b for each row."""
        return scores(X, self.w[:, None], np.array([self.b]))[:, 0]

    def functional_margins(self, X: Any, y: ArrayLike) -> NDArray[np.float64]:
        """y·s(x) for each example; at most 0 is a mistake."""
        rows = rows_of(X)
        return self._signs(y, rows.n) * self.scores(rows)

    def losses(self, X: Any, y: ArrayLike) -> Losses:
        """Mistakes, the perceptron loss Σ −m over them, and the squared loss Σ (1 − m)²; of w = 0, too.

        >>> Hyperplane([0, 0]).losses([[1, 3], [2, 1]], [1, -1])
        Losses(mistakes=2, error_rate=1.0, perceptron_loss=0.0, squared_loss=2.0)
        """
        return losses_of(self.functional_margins(X, y))

    def geometric_margins(self, X: Any, y: ArrayLike) -> NDArray[np.float64]:
        """y·s(x)/‖w‖ for each example: its signed distance to the hyperplane."""
        return distances(self.functional_margins(X, y), self._length())

    def margin(self, X: Any, y: ArrayLike) -> float:
        """The smallest geometric margin: positive iff the hyperplane separates the data."""
        return float(self.geometric_margins(X, y).min())

    def unsigned_margin(self, X: Any) -> float:
        """The smallest distance of a row to the hyperplane, whichever side it is on."""
        return float(distances(np.abs(self.scores(X)), self._length()).min())

    def project(self, X: Any) -> NDArray[np.float64]:
        """The point of the hyperplane nearest to each row: x − s(x)/‖w‖² · w."""
        length = self._length()
        unit = self.w / length
        away = distances(self.scores(X), length)  # checks X, so it comes first
        table = X.toarray() if hasattr(X, "toarray") else np.asarray(X, dtype=np.float64)
        with np.errstate(over="ignore", invalid="ignore"):  # asked for below
            points = np.asarray(table - np.outer(away, unit))
        if (far := np.flatnonzero(~np.isfinite(points).all(axis=1))).size:
            raise InputError(f"row {far[0]}: its nearest point leaves the range of float64; rescale the data")
        return points

    def predict(self, X: Any) -> NDArray[Any]:
        """The positive label where s(x) > 0, else the negative one."""
        sides = np.array((-1, 1) if self.classes is None else self.classes)
        return np.asarray(sides[predicted_codes(self.scores(X))])

    def _signs(self, y: ArrayLike, n: int) -> NDArray[np.int8]:
        if self.classes is None:
            return signs_of(y, n)
        labels = column_of(y, n)
        if (bad := np.flatnonzero(~np.isin(labels, self.classes))).size:
            raise InputError(
                f"label of row {bad[0]}: {labels.tolist()[bad[0]]!r}; expected one of {np.array(self.classes).tolist()}"
            )
        return one_against_rest(labels, self.classes[1])

    def _length(self) -> float:
        length = self.norm
        if length == 0:
            raise ValueError("w = 0 is no hyperplane: distances to it do not exist")
        if not np.isfinite(length):
            raise ValueError("‖w‖ overflows float64: scale w and b down")
        return length


def length_of(w: NDArray[np.float64]) -> float:
    """‖w‖, whose square may leave float64; infinite where it does so itself."""
    big = float(np.abs(w).max())
    return big * float(np.linalg.norm(w / big)) if big > 0 else 0.0


def lengths_of(W: NDArray[np.float64]) -> NDArray[np.float64]:
    """‖w‖ of each column."""
    return np.array([length_of(w) for w in W.T])


def distances(scores: NDArray[np.float64], length: Any) -> NDArray[np.float64]:
    """s/‖w‖: how far from the hyperplane points of these scores are."""
    with np.errstate(over="ignore"):  # what is farther away than float64 can say is infinitely far, on its own side
        return np.asarray(scores / length)


def scores(
    X: Any, W: NDArray[np.float64], b: NDArray[np.float64], threads: int | None = None, first_row: int = 0
) -> NDArray[np.float64]:
    """X·W + b for the (d, K) weights of K outputs, on all cores. Raises `InputError` at a row that is not finite.

    `first_row` is the number of the first of the rows, where these are some of many.
    """
    rows = rows_of(X)
    if rows.d != W.shape[0]:
        raise InputError(f"rows have {rows.d} features, the weights {W.shape[0]}")
    found, row, column = _core.scores(rows, np.ascontiguousarray(W), np.ascontiguousarray(b), thread_count(threads))
    if row >= 0:
        row += first_row
        raise (
            not_finite(row, column) if column >= 0 else InputError(f"row {row}: its score overflows; rescale the data")
        )
    return found


def weights_listed(
    w: Any, b: float, names: Sequence[str] | None, most: int = MOST_WEIGHTS, first: int = 0
) -> dict[str, Any]:
    """A hyperplane in plain values: its weights by |w|, ties in column order, at most so many, by name.

    Features without names are numbered from `first`.

    >>> weights_listed([0.5, -2.0], 1.0, None)["largest"]
    [{'name': 'x1', 'weight': -2.0}, {'name': 'x0', 'weight': 0.5}]
    """
    values = np.asarray(w, dtype=np.float64)
    order = np.argsort(-np.abs(values), kind="stable")[:most].tolist()
    return {
        "columns": int(values.size),
        "nonzero": int(np.count_nonzero(values)),
        "largest": [
            {"name": f"x{j + first}" if names is None else names[j], "weight": float(values[j]) + 0.0} for j in order
        ],
        "offset": float(b) + 0.0,
    }
