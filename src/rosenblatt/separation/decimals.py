"""Numbers as they were written in decimals, and as float64 stores them: do they have the same answer?"""

import math
import re
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ..choices import LARGEST_EXACT
from ..errors import InputError, shown
from .separability import separability
from .verdict import Verdict

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


class DecimalComparison(NamedTuple):
    """The verdict on numbers as float64 stores them, and the kind they have as written."""

    stored: Verdict
    written: str
    """separable, quasi-separable or overlapping, of the decimals themselves."""
    witness_rows: tuple[int, ...]
    """If they are not separable as written: rows that show it."""

    @property
    def differ(self) -> bool:
        """Whether rounding to float64 has changed the answer."""
        return self.stored.kind != self.written

    def summary(self) -> str:
        """One line."""
        if not self.differ:
            return f"{self.written}, as stored and as written"
        return f"{self.stored.kind} only by rounding: as float64 stores the numbers; as written they are {self.written}"


def compare_decimals(table: Any, y: Any, *, through_origin: bool = False) -> DecimalComparison:
    """Ask twice: of the float64 nearest to each decimal, and of the decimals themselves.

    The table is of text: rows of strings, or a frame of them. A column of decimals times a power of ten is a column of
    whole numbers, and what is separable stays so; these must not exceed 2^53.

    >>> compare_decimals([["0.1", "1"], ["0.3", "3"], ["0.2", "2"]], [1, 1, -1]).summary()
    'separable only by rounding: as float64 stores the numbers; as written they are overlapping'
    """
    rows = table.to_numpy().tolist() if hasattr(table, "to_numpy") else list(table)
    exact = [[_decimal(text, i, j) for j, text in enumerate(row)] for i, row in enumerate(rows)]
    if not exact or len({len(row) for row in exact}) != 1:
        raise InputError("rows of text, all of one length, are needed")
    whole = np.zeros((len(exact), len(exact[0])))
    for j in range(len(exact[0])):
        scale = math.lcm(*(row[j].denominator for row in exact))
        for i, row in enumerate(exact):
            value = int(row[j] * scale)
            if abs(value) > LARGEST_EXACT:
                text = shown(rows[i][j])
                raise InputError(f"row {i}, column {j}: {text} has too many digits next to the others of its column")
            whole[i, j] = value
    stored = np.array([[float(value) for value in row] for row in exact])
    asked = [separability(X, y, through_origin=through_origin) for X in (stored, whole)]
    witness = asked[1].witness_rows
    return DecimalComparison(asked[0], asked[1].kind, () if witness is None else tuple(witness.tolist()))


def _decimal(text: Any, i: int, j: int) -> Fraction:
    if not isinstance(text, str):
        raise InputError(f"row {i}, column {j}: {shown(text)} is not text: give the numbers as they were written")
    if not _DECIMAL.fullmatch(text.strip()):
        raise InputError(f"row {i}, column {j}: {shown(text)} is not a decimal number")
    return Fraction(text.strip())
