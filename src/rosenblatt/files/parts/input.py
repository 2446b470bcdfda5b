"""Input: something to read rows from, some at a time; and Layout, what is known of the whole once it was read.

A part is a `Sheet` of some rows, one part after the other. What a reader of the whole finds out by looking at all rows
(where indices begin, which columns are text, and with which levels) is known only after a pass over them: `survey`
makes that pass beforehand, where it is needed; an input that can be read once alone (a pipe, a generator) refuses it.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ..opening import BytesReadCallback
from ..reading import Reading
from ..sheet import Sheet

PART = 2**22
"""Bytes of a part, about: of text as it stands in the file, of rows as they are in memory."""


@dataclass(frozen=True)
class Layout:
    """What the whole is.

    n_columns
        How many features; their names, if they have any.
    first_column
        The columns of the parts before this one hold nothing, and are none of the whole: 1 where indices were read from
        0 on, and turned out to count from 1.
    files
        Each file, and how many rows it has.

    The others are those of `Sheet`.
    """

    n_columns: int
    reading: Reading
    feature_names: tuple[str, ...] | None = None
    first_column: int = 0
    files: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    levels: Mapping[str, int] = field(default_factory=dict)
    hashed: tuple[str, ...] = ()


class Input(ABC):
    """Rows that can be read in parts.

    name, format
        What errors call it, and what it is read as.
    paths
        The files that it is made of; none, where it is something else.
    again
        Whether it can be read more than once.
    told
        A digest of what it was told of a whole that it is a part of, if its rows are others than they were without.
    """

    name: str
    format: str
    paths: tuple[str, ...] = ()
    again: bool = True
    told: str = ""

    @property
    @abstractmethod
    def layout(self) -> Layout:
        """What the whole is; known after `survey`, or when all of `sheets` has come."""

    @abstractmethod
    def survey(self, progress: BytesReadCallback | None = None) -> None:
        """Find out what the whole is, by a pass over it if need be. Then parts come in its columns.

        Raises `InputError` where that takes a pass, and the input can be read once alone.
        """

    @abstractmethod
    def sheets(self, progress: BytesReadCallback | None = None) -> Iterator[Sheet]:
        """The rows from the first on, some at a time.

        All parts have the same kind of rows (dense or sparse), but those of text may have fewer columns than the whole.
        Raises `InputError`, which names the file and the line.
        """
