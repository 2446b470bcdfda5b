"""Labels as they come, some at a time, by number: each new one has the next."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.labels import MOST_CLASSES, missing_labels
from ...errors import InputError, shown


class LabelCodes:
    """The labels that have come so far, and how often.

    >>> codes = LabelCodes("a file")
    >>> codes.of(np.array([3, 1, 3]), 0).tolist(), codes.of(np.array([7, 1]), 3).tolist(), codes.values
    ([1, 0, 1], [2, 0], [1, 3, 7])
    """

    def __init__(self, name: str) -> None:
        self.name, self.known, self.kinds = name, dict[Any, int](), set[str]()
        self.counts = np.zeros(MOST_CLASSES, np.int64)

    @property
    def values(self) -> list[Any]:
        """The labels, by number."""
        return list(self.known)

    def of(self, labels: NDArray[Any], first_row: int) -> NDArray[np.uint16]:
        """The numbers of these labels, of the rows from the first on. Raises `InputError` for too many, or missing."""
        if (bad := np.flatnonzero(missing_labels(labels))).size:
            raise InputError(
                f"{self.name}: label of row {first_row + bad[0]}: {labels[bad[0]]}; every row needs a label"
            )
        self.kinds.add("f" if labels.dtype.kind == "f" else "i" if labels.dtype.kind in "iu" else labels.dtype.kind)
        if labels.dtype.kind == "O":  # text, for which a dictionary is quicker than sorting
            codes = np.fromiter((self._code(label) for label in labels.tolist()), np.uint16, labels.size)
        else:
            different, where = np.unique(labels, return_inverse=True)
            codes = np.array([self._code(label) for label in different.tolist()], np.uint16)[where.reshape(-1)]
        found = np.bincount(codes)
        self.counts[: found.size] += found
        return codes

    def _code(self, label: Any) -> int:
        code = self.known.setdefault(label, len(self.known))
        if code >= MOST_CLASSES:
            raise InputError(
                f"{self.name}: more than {MOST_CLASSES} different labels, {shown(label)} is one; expected classes: is"
                " it the right column (--label)?"
            )
        return code

    def array(self) -> NDArray[Any]:
        """The labels by number, of the type that they would have had together."""
        if "f" in self.kinds:
            return np.array([float(value) for value in self.values])
        return np.array(self.values, dtype=object if "O" in self.kinds or "U" in self.kinds else None)
