"""Sample: rows and their labels, and what is known of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.examples import Examples
from ..data.hyperplane import Hyperplane


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows and labels, to be learnt by `learn(*sample)`, or `learn(*sample, **sample.plan)` as they are meant; of more
    than two classes by `learn(sample.examples())`.

    >>> Sample(np.eye(2), np.array([1, -1]), name="two", radius=1.0)
    <Sample two: 2 × 2, R = 1>
    """

    X: Any
    y: NDArray[np.int64]
    """±1; of K > 2 classes 0 … K−1."""
    name: str
    margin: float | None = None
    """γ*, the largest margin of a hyperplane with a free offset, or through the origin where the plan says offset=0.

    None where there is none (inseparable rows; one class alone with a free offset), or where it is not known.
    """
    radius: float | None = None
    """R, the length of the longest row."""
    hyperplanes: tuple[Hyperplane, ...] = ()
    """Where the margin is known, one that reaches it; else those the labels were made with, one for each class."""
    plan: Mapping[str, Any] = field(default_factory=dict)
    """What to give `learn` to see what the sample shows."""
    flipped: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    """The rows whose labels were turned over, in order."""

    feature_names: tuple[str, ...] | None = None
    """What the columns are called, if they have names."""
    class_names: tuple[str, ...] | None = None
    """What the classes are called, if they have names: of two, that of −1 and that of +1."""

    def __iter__(self) -> Iterator[Any]:
        """X and y."""
        return iter((self.X, self.y))

    def __repr__(self) -> str:
        n, d = self.X.shape
        known = [
            f"{sign} = {value:g}" for sign, value in (("γ*", self.margin), ("R", self.radius)) if value is not None
        ]
        return f"<Sample {self.name}: " + ", ".join([f"{n} × {d}", *known]) + ">"

    @property
    def labels(self) -> NDArray[Any]:
        """The name of each row's class; y itself where classes have no names."""
        if self.class_names is None:
            return self.y
        codes = (self.y + 1) // 2 if len(self.class_names) == 2 else self.y
        return np.array(self.class_names, dtype=object)[codes]

    def examples(self) -> Examples:
        """Rows and labels to learn from, with the names there are.

        >>> Sample(np.eye(2), np.array([1, -1]), "two", class_names=("no", "yes")).examples().classes.tolist()
        ['no', 'yes']
        """
        if self.class_names is None and set(self.y.tolist()) <= {-1, 1}:
            return Examples.signed(self.X, self.y)  # where one class alone will do
        return Examples.of(self.X, self.labels, self.feature_names)

    @property
    def hyperplane(self) -> Hyperplane | None:
        """The hyperplane of two classes, if one is known."""
        return self.hyperplanes[0] if len(self.hyperplanes) == 1 else None

    @property
    def normal(self) -> NDArray[np.float64] | None:
        """Its w: of length exactly 1 for `separable` and `noisy`."""
        return None if self.hyperplane is None else self.hyperplane.w
