"""The slow reader of files larger than memory: svmlight text line by line, opened anew for every pass.

The first pass says how many columns there are, from which index they count, and which labels occur; every other gives
blocks of rows in CSR form. What is kept is a block.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..opening import InputFile
from ..options import Options
from .sheet import Row, SlowMatrix, hashed, sheet_of_rows, whole_numbers
from .text import svmlight_rows

_ROWS = 4096  # of a block
_NUMBERS = 2**20  # of a block, about
_LABELS = 10_000  # different ones, at most

Opened = Callable[[], InputFile]


@dataclass(frozen=True, eq=False)
class SlowBlocks:
    """Svmlight text that can be opened again and again."""

    opened: Opened
    options: Options
    name: str
    n: int
    d: int
    base: int
    counts: Mapping[float, int]
    """How many rows have each label, sorted."""
    format = "svmlight"

    @classmethod
    def of(cls, opened: Opened, options: Options) -> "SlowBlocks":
        """The first pass. Raises `InputError` at what is no svmlight text, by its place."""
        counts: Counter[float] = Counter()
        largest, zero = -1, False
        with opened() as file:
            for line, label, items in svmlight_rows(file, options.reading.base):
                counts[label] += 1
                if len(counts) > _LABELS:
                    raise InputError(f"{file.name}:{line}: more than {_LABELS} labels; expected two classes")
                if items:
                    largest, zero = max(largest, items[-1][0]), zero or items[0][0] == 0
            name = file.name
        base = options.reading.base
        base = base if base is not None else 0 if zero else 1
        bits = options.reading.hash_bits
        d = 2**bits if bits else max(largest, base - 1) + 1 - base
        if not counts or d <= 0:
            what = "no features; expected some beside the label" if counts else "no rows; expected at least one"
            raise InputError(f"{name}: {what}")
        return cls(opened, options, name, counts.total(), d, base, dict(sorted(counts.items())))

    @property
    def labels(self) -> NDArray[Any]:
        """Those that occur, each once, of the type that all of them together have."""
        return whole_numbers(list(self.counts))

    def blocks(self, positive: float) -> Iterator[tuple[SlowMatrix, NDArray[np.int8]]]:
        """Some rows after the other, and +1 where they have this label, else −1."""
        rows, signs, numbers = list[Row](), list[int](), 0
        with self.opened() as file:
            for _, label, items in svmlight_rows(file, self.options.reading.base):
                row = [(index - self.base, value) for index, value in items]
                if self.options.reading.hash_bits:
                    row = hashed([(str(index), value) for index, value in items], self.d)
                if row and row[-1][0] >= self.d:
                    raise InputError(f"{self.name}: more columns than before; expected a file that nobody writes to")
                rows.append(row)
                signs.append(1 if label == positive else -1)
                numbers += len(row)
                if len(rows) == _ROWS or numbers >= _NUMBERS:
                    yield self._block(rows), np.array(signs, dtype=np.int8)
                    rows, signs, numbers = [], [], 0
        if rows:
            yield self._block(rows), np.array(signs, dtype=np.int8)

    def _block(self, rows: list[Row]) -> SlowMatrix:
        return sheet_of_rows(self.name, "svmlight", rows, self.d, None, None, [0] * len(rows)).matrix()
