"""The working set: few rows of a source, in memory, that stand for all of them until a scan says otherwise."""

from typing import Any

import numpy as np

from ...data.csr import stacked
from ...data.examples import Examples
from ...data.rows import matrix_of, rows_of
from ...data.source import CHUNK, Ints
from ...errors import InputError
from ..exact import rounded
from ..signed_rows import SignedRows, Vector
from ..watch import OutOfTimeError
from .source_rows import SourceRows

NUMBERS = 2**22
"""That the rows of a working set may have in all: 32 MB of them; or those of eight rows a column, if that is more."""
_LEAST = 16  # rows that are added at a time, at least
_PATIENCE = 200  # times that rows are left out to make room for others


class WorkingSet:
    """Rows of a source, by number, gathered into examples."""

    examples: Examples

    def __init__(self, rows: SourceRows) -> None:
        self.all, self.numbers, self.left_out = rows, np.empty(0, dtype=np.int64), 0
        self.step = max(_LEAST, NUMBERS // 8 // rows.width)
        """How many rows are added at a time, at most."""
        self.most = max(NUMBERS // rows.width, 8 * (rows.d + 1))
        some = min(self.step, max(1, rows.n // 2))
        spread = np.linspace(0, rows.n - 1, some).astype(np.int64)
        self.add(np.unique([*spread, *rows.firsts.values()]))

    def add(self, numbers: Ints) -> None:
        """These rows, too."""
        source, parts, signs = self.all.source, list[Any](), list[Any]()
        new = np.setdiff1d(numbers, self.numbers)
        if self.numbers.size:
            parts, signs = [matrix_of(self.examples.rows)], [self.examples.labels]
        piece = min(CHUNK, max(1, source.n_rows - 1))
        for first in range(0, new.size, piece):
            self.all.watch.seconds_left()
            some = np.ascontiguousarray(new[first : first + piece])
            taken = source.gather(some)
            if taken.rows.n != some.size or taken.labels.shape != some.shape:
                name = type(source.original).__name__
                raise InputError(f"{name}.gather gave {taken.rows.n} rows; expected the {some.size} asked for")
            parts.append(matrix_of(taken.rows))
            signs.append(taken.labels)
        if new.size:
            matrix = stacked(parts) if source.is_sparse else np.concatenate(parts)
            self.examples = Examples(rows_of(matrix), np.concatenate(signs), source.classes)
            self.numbers = np.concatenate([self.numbers, new])

    def keep(self, which: Ints) -> None:
        """Only those at these places."""
        self.examples, self.numbers = self.examples.subset(which), self.numbers[which]

    def make_room(self, v: Vector, needed: Ints | None = None) -> None:
        """Leave out the rows farthest from a hyperplane where there are too many; but none of those needed."""
        if self.numbers.size + self.step <= self.most:
            return
        if self.left_out == _PATIENCE:
            raise OutOfTimeError
        self.left_out += 1
        m = self.signed().margins(rounded(v))
        if needed is not None:
            m[np.isin(self.numbers, needed)] = -np.inf
        self.keep(np.sort(np.argsort(m, kind="stable")[: max(1, self.most // 2)]))

    def signed(self) -> SignedRows:
        """Its rows z."""
        return SignedRows(self.examples, self.all.origin, self.all.watch, self.all.threads)

    def named(self, places: Ints, values: Vector) -> tuple[Ints, Vector]:
        """The numbers in the source of rows of the working set, in order, each with its value."""
        rows = self.numbers[places]
        order = np.argsort(rows)
        return rows[order], [values[i] for i in order.tolist()]

    def places(self, numbers: Ints) -> Ints:
        """Where rows of the source are in the working set."""
        order = np.argsort(self.numbers)
        return order[np.searchsorted(self.numbers, numbers, sorter=order)]
