"""Classes: how many rows have each label, and one class against all the others. Needs no compiled code."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

REST = "the rest"


def class_counts(labels: Any) -> dict[Any, int] | None:
    """The labels, sorted, with how many rows have each; None without labels.

    >>> class_counts(np.array([2, 1, 1]))
    {1: 2, 2: 1}
    """
    if labels is None:
        return None
    if labels.dtype.kind == "O":  # text: counting it is much quicker than sorting it
        counted = Counter(labels.tolist())
        return {label: counted[label] for label in sorted(counted)}
    values, counts = np.unique(labels, return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


class ClassCounts:
    """The same of labels that come in parts; numbers that are not all whole are floats, as of the whole.

    >>> counts = ClassCounts()
    >>> counts.add(np.array([2, 1]))
    >>> counts.add(np.array([2.0, 0.5]))
    >>> counts.all()
    {0.5: 1, 1.0: 1, 2.0: 2}
    """

    def __init__(self) -> None:
        self._counts: Counter[Any] = Counter()
        self._kinds: set[str] = set()

    def add(self, labels: NDArray[Any]) -> None:
        """Count some more."""
        self._kinds.add(labels.dtype.kind)
        self._counts.update(class_counts(labels))

    def all(self) -> dict[Any, int]:
        """Of all that came; where some are text and others are not, all are."""
        if len(self._kinds) > 1:
            kind = float if self._kinds <= set("iuf") else str
            as_one: Counter[Any] = Counter()
            for label, count in self._counts.items():
                as_one[kind(label)] += count
            self._counts, self._kinds = as_one, {"f" if kind is float else "O"}
        return {label: self._counts[label] for label in sorted(self._counts)}


class AgainstRest(NamedTuple):
    """±1 for each row; the label that is −1 ("the rest" of more than two classes), and the one that is +1."""

    signs: NDArray[np.int8]
    negative: Any
    positive: Any

    @property
    def classes(self) -> NDArray[Any]:
        """The two, as `Examples` have them; an array of objects, since they may be of two kinds."""
        both = np.empty(2, dtype=object)
        both[:] = [self.negative, self.positive]
        return both


def one_against_rest(labels: Any, one: Any) -> NDArray[np.int8]:
    """+1 where the label is this one, else −1.

    >>> one_against_rest(np.array([0, 2, 1, 2]), 2).tolist()
    [-1, 1, -1, 1]
    """
    return np.where(np.asarray(labels) == one, np.int8(1), np.int8(-1))


def against_rest(labels: Any, classes: Sequence[Any], at: int) -> AgainstRest:
    """The class at this place in the sorted `classes` against all others; against the other by name if there are two.

    >>> against_rest(np.array(["a", "b", "c"]), ["a", "b", "c"], 1)[1:]
    ('the rest', 'b')
    """
    negative = classes[1 - at] if len(classes) == 2 else REST
    return AgainstRest(one_against_rest(labels, classes[at]), negative, classes[at])
