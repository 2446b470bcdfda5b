"""What the slow readers have in common: a sheet in plain arrays, numbers, faults, hashes. Nothing of the fast ones."""

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

Row = list[tuple[int, float]]


@dataclass(frozen=True, eq=False)
class SlowSheet:
    """What a file holds: its rows in CSR form, labels if it has any, the names of columns, and the line of each row."""

    name: str
    format: str
    values: NDArray[np.float64]
    columns: NDArray[np.int64]
    starts: NDArray[np.int64]
    d: int
    labels: NDArray[Any] | None
    feature_names: tuple[str, ...] | None
    lines: NDArray[np.int64]
    weights: NDArray[np.float64] | None = None

    def matrix(self) -> "SlowMatrix":
        """The rows, as the checker takes them."""
        return SlowMatrix(self.values, self.columns, self.starts, (self.lines.size, self.d))


@dataclass(frozen=True, eq=False)
class SlowMatrix:
    """Rows in CSR form, by SciPy's names."""

    data: NDArray[np.float64]
    indices: NDArray[np.int64]
    indptr: NDArray[np.int64]
    shape: tuple[int, int]
    format = "csr"

    def tocsr(self) -> "SlowMatrix":
        """It is."""
        return self

    def toarray(self) -> NDArray[np.float64]:
        """The same numbers in a table."""
        table = np.zeros(self.shape)
        for i in range(self.shape[0]):
            part = slice(self.indptr[i], self.indptr[i + 1])
            table[i, self.indices[part]] = self.data[part]
        return table


class WrongError(Exception):
    """What is wrong, and its place: a column, or `line:column`."""

    def __init__(self, place: int | str, what: str) -> None:
        super().__init__(what)
        self.place = place


def number_of(text: str, place: int | str, what: str) -> float:
    """The number in a text, by the grammar, or the fault at its place."""
    if NUMBER.fullmatch(text) is None:
        raise WrongError(place, f"{what} {shown(text)}; expected a number")
    if math.isinf(number := float(text)):
        raise WrongError(place, f"{what} {shown(text)} is beyond float64; expected a finite number")
    return number


def hashed(row: list[tuple[str, float]], columns: int) -> Row:
    """Features in the columns that the hashes of their names say, 64-bit FNV-1a mixed as in MurmurHash3's last step."""
    sums: dict[int, float] = {}
    for name, value in row:
        h = 0xCBF29CE484222325
        for byte in name.encode():
            h = ((h ^ byte) * 0x100000001B3) % 2**64
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            h = ((h ^ h >> 33) * factor) % 2**64
        column = (h ^ h >> 33) % columns
        sums[column] = sums[column] + value if column in sums else value
    return sorted(sums.items())


def whole_numbers(labels: list[float]) -> NDArray[Any]:
    """Numbers as int64, if all are whole and within 2**53, else as float64."""
    if all(label.is_integer() and abs(label) <= 2**53 for label in labels):
        return np.array([int(label) for label in labels], dtype=np.int64)
    return np.array(labels, dtype=np.float64)


def sheet_of_rows(
    name: str,
    format: str,
    rows: list[Row],
    d: int,
    labels: NDArray[Any] | None,
    names: tuple[str, ...] | None,
    lines: list[int],
    weights: NDArray[np.float64] | None = None,
) -> SlowSheet:
    """The sheet of these rows. Raises `InputError` if there are none, or no features."""
    if not rows:
        raise InputError(f"{name}: no rows; expected at least one")
    if d <= 0:
        raise InputError(f"{name}: no features; expected some beside the label")
    values = np.array([value for row in rows for _, value in row], dtype=np.float64)
    columns = np.array([column for row in rows for column, _ in row], dtype=np.int64)
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    return SlowSheet(name, format, values, columns, starts, d, labels, names, np.array(lines, dtype=np.int64), weights)
