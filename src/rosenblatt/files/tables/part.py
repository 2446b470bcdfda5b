"""Some rows of a table, or all of them, as a reader made them; and what is taken for true of the whole meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import InputError
from .columns import Column, LabelColumn, TableOrigin


@dataclass(frozen=True, eq=False)
class TablePart:
    """Rows of a table: its columns but for the label's, the labels, and how many rows there are.

    may_count
        Whether a first column that only counts the rows is to be left out.
    begins
        Whether they are the first of their file: such a column may count from the beginning again.
    """

    origin: TableOrigin
    columns: Sequence[Column]
    labels: LabelColumn | None
    n: int
    may_count: bool = False
    begins: bool = True


@dataclass(frozen=True)
class Assumed:
    """What is taken for true of all rows, though some of them have not been seen. None: as the first part has it.

    labels, weights
        Whether some row has one, where they may lack.
    row_numbers
        Whether the first column only counts the rows.
    kinds
        What columns of CSV text hold that hold no numbers further down, by their positions: "text" or "truth".
    quotes
        Whether quotes in TSV text are around whole fields.
    """

    labels: bool | None = None
    weights: bool | None = None
    row_numbers: bool | None = None
    kinds: Mapping[int, str] = field(default_factory=dict)
    quotes: bool = True

    def but(self, why: InputError, **known: Any) -> "RefutedError":
        """The error for a part that knows better. `why` is what to say to those who cannot begin again."""
        return RefutedError(replace(self, **known), why)


class RefutedError(Exception):
    """A part of the table shows that what was assumed is not so: with what is known now, begin again."""

    def __init__(self, known: Assumed, why: InputError) -> None:
        super().__init__(str(why))
        self.known, self.why = known, why
