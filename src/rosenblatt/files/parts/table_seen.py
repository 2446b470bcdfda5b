"""What a look at some files of a table tells, where others look at its other files; and what such a look is told.

A look settles nothing: which columns are text, and with which levels, is known when all have been heard. It may have
to be made again, if what it took for true of all rows is not so in the files of others.
"""

from dataclasses import dataclass, field
from typing import Any

from ..tables.header_evidence import Line1
from ..tables.part import Assumed
from ..tables.sheet import Settled
from ..tables.tally import Tally


@dataclass(frozen=True)
class FirstFile:
    """The first of all files, to which others are held: its columns, what line 1 of its text is, or its schema."""

    path: str
    columns: tuple[str, ...]
    line_1: Line1 | None = None
    schema: Any = None


@dataclass(frozen=True)
class Known:
    """What a look is told of the whole.

    assumed
        What is taken for true of all rows.
    steady
        Whether rows that refute it are an error: where all columns of the first rows are numbers, they stay numbers.
    first
        The first file; None: this is the first, or there is no other.
    """

    assumed: Assumed = field(default_factory=Assumed)
    steady: bool = False
    first: FirstFile | None = None


@dataclass(frozen=True, eq=False)
class TableSeen:
    """What a look tells.

    tally, columns
        Of all rows; None where there are none.
    is_steady
        Whether the first rows hold nothing that takes a survey; None without rows.
    sparse
        Whether the first rows would be sparse, by themselves.
    refuted
        Why it was begun again, the first time; None: it was not.
    notes, notes_behind
        What to say of the files, if they are the first ones; and if others are.
    fault
        Why the look ended before the last row.
    """

    files: tuple[tuple[str, int], ...]
    told: Known
    beginning: FirstFile | None
    tally: Tally | None
    columns: Any
    assumed: Assumed
    is_steady: bool | None
    sparse: bool | None
    refuted: str | None
    notes: tuple[str, ...]
    notes_behind: tuple[str, ...]
    details: tuple[str, ...]
    fault: str | None


@dataclass(frozen=True, eq=False)
class TableAgreed:
    """What it takes to make the rows of any of the files: what was settled, and the columns as readers know them."""

    settled: Settled
    assumed: Assumed
    columns: Any
    header: bool | None
