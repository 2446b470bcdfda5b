"""The working set: few rows of a source, in memory, that stand for all of them until a scan says otherwise."""

import numpy as np

from ...data.csr import stacked
from ...data.examples import Examples
from ...data.rows import matrix_of, rows_of
from ...data.source import CHUNK, Ints, Source
from ...errors import InputError
from ..exact import rounded
from ..signed_rows import SignedRows, Vector
from ..watch import OutOfTimeError, Watch
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
        self.most = most_rows(rows)
        some = min(self.step, max(1, rows.n // 2))
        spread = np.linspace(0, rows.n - 1, some).astype(np.int64)
        self.add(np.unique([*spread, *rows.firsts.values()]))

    def add(self, numbers: Ints) -> None:
        """These rows, too."""
        new = np.setdiff1d(numbers, self.numbers)
        if not new.size:
            return
        some = gathered(self.all.source, new, self.all.watch)
        if self.numbers.size:
            some = _joined([self.examples, some])
        self.examples, self.numbers = some, np.concatenate([self.numbers, new])

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


def most_rows(rows: SourceRows) -> int:
    """How many rows of a source may be in memory at a time."""
    return max(NUMBERS // rows.width, 8 * (rows.d + 1))


def gathered(source: Source, numbers: Ints, watch: Watch) -> Examples:
    """The rows of these numbers, in memory: some at a time, with looks at the watch between."""
    parts, piece = list[Examples](), min(CHUNK, max(1, source.n_rows - 1))
    for first in range(0, numbers.size, piece):
        watch.seconds_left()
        some = np.ascontiguousarray(numbers[first : first + piece])
        taken = source.gather(some)
        if taken.rows.n != some.size or taken.labels.shape != some.shape:
            name = type(source.original).__name__
            raise InputError(f"{name}.gather gave {taken.rows.n} rows; expected the {some.size} asked for")
        parts.append(Examples(taken.rows, taken.labels, source.classes))
    return _joined(parts)


def _joined(parts: list[Examples]) -> Examples:
    if len(parts) == 1:
        return parts[0]
    matrices, labels = [matrix_of(part.rows) for part in parts], np.concatenate([part.labels for part in parts])
    matrix = stacked(matrices) if parts[0].is_sparse else np.concatenate(matrices)
    return Examples(rows_of(matrix), labels, parts[0].classes)
