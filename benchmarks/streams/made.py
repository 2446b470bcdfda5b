"""The file: rows like documents, made once and written again and again, each time with other digits and labels.

Formatting numbers takes longer than all that is measured, so one part in forty of the file is formatted. Every time it
is written the third and fourth decimal of each value are drawn anew, and one label in ten is flipped: no two rows of
the file are equal, and no epoch is clean.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.files import in_vw, text_blocks
from benchmarks.synthetic import text

PARTS = 40
"""How often the part is written, for the whole file."""
COLUMNS = 100_000
_DRAWN = 117  # words; about 100 of them are distinct
_BYTES = 1640  # of a row, about
_FLIPPED = 0.1


class Part:
    """The text that is written again and again, and where in it the signs of labels and the digits to change are."""

    def __init__(self, text: str) -> None:
        self.text = np.frombuffer(text.encode(), np.uint8)
        self._changed = self.text.copy()  # written from: pages that are new each time would take longer than the disk
        self.signs: NDArray[np.int64] = np.append(0, np.flatnonzero(self.text == ord("\n"))[:-1] + 1)
        self.digits: NDArray[np.int64] = np.flatnonzero(self.text == ord("."))[:, None] + (3, 4)

    @property
    def rows(self) -> int:
        """How many rows."""
        return int(self.signs.size)

    @property
    def entries(self) -> int:
        """How many numbers, but for labels."""
        return len(self.digits)

    def changed(self, number: int) -> NDArray[np.uint8]:
        """The text with the digits and labels of this time, until the next."""
        rng = np.random.default_rng(number)
        np.copyto(self._changed, self.text)
        self._changed[self.digits] = rng.integers(ord("0"), ord("9") + 1, self.digits.shape, dtype=np.uint8)
        flipped = self.signs[rng.random(self.signs.size) < _FLIPPED]
        self._changed[flipped] = ord("+") + ord("-") - self._changed[flipped]
        return self._changed

    def write(self, path: Path, numbers: range) -> None:
        """Append it to a file once for each of these numbers."""
        with open(path, "ab") as file:
            for number in numbers:
                file.write(self.changed(number).data)


def parts(size: int) -> tuple[Part, Part]:
    """For a file of about so many bytes: what is svmlight text, and the same in Vowpal Wabbit's format."""
    rows = max(4, size // PARTS // _BYTES)
    made = "".join(text_blocks(text(rows, COLUMNS, informative=2000, pairs=rows // 1000, drawn=_DRAWN)))
    return Part(made), Part(in_vw(made))
