"""Expected: the columns of the data that a model has learnt from, for reading other data that it is to judge.

Without NumPy, as `Reading` is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..report.coded_names import LEVEL, WORD, column_of
from .reading import Reading


@dataclass(frozen=True)
class Expected:
    """What the data of a model were.

    columns
        The columns of its features, in order; those of text once each.
    label
        The name of the label's column, if it is known.
    others
        Columns that were there and are no features.
    header
        Whether they had names of their own; else they are x0, x1, …
    """

    columns: tuple[str, ...]
    label: str | None = None
    others: tuple[str, ...] = ()
    header: bool = True

    @classmethod
    def of(cls, reading: Reading, feature_names: Sequence[str] | None) -> "Expected | None":
        """Those of a model. None: its columns have no names.

        >>> names = ("age", "job=cook", "job=smith", "id=3")
        >>> Expected.of(Reading(label="ill", text=("job",)), names)
        Expected(columns=('age', 'job', 'id=3'), label='ill', others=('ill',), header=True)
        """
        text = frozenset(reading.text or ()) | frozenset(reading.words or ())
        if reading.columns is not None:
            columns = reading.columns
        elif feature_names is not None:
            columns = tuple(dict.fromkeys(column_of(name, text, LEVEL + WORD) or name for name in feature_names))
        else:
            return None
        label = reading.label if isinstance(reading.label, str) else None
        weight = reading.weight if isinstance(reading.weight, str) else None
        others = tuple(name for name in (label, weight, *reading.leave_out) if name is not None)
        return cls(columns, label, others, reading.header is not False)

    def are_named(self, names: Sequence[str]) -> bool:
        """Whether these names are those of the model, most of them."""
        there = sum(name in names for name in self.columns)
        return self.header and 2 * there >= len(self.columns) and there > 0

    def names_for(self, count: int, labelled_at: int | None) -> tuple[str, ...] | None:
        """What so many columns without names are called; None: they are not those of the model.

        `labelled_at` is where somebody says that the label is.
        """
        columns = self.columns
        if not self.header and labelled_at is None:
            every = sorted({*self.columns, *self.others}, key=_number)
            for left_out in ((), (self.label,), self.others):
                names = tuple(name for name in every if name not in left_out)
                if len(names) == count:
                    return names
        if labelled_at is not None:
            columns = (*columns[:labelled_at], self.label or "label", *columns[labelled_at:])
        return columns if len(columns) == count else None


def _number(name: str) -> tuple[int, str]:
    digits = re.fullmatch("x([0-9]{1,9})", name)
    return (int(digits[1]), "") if digits else (2**31, name)
