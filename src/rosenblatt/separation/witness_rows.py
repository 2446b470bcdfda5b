"""The rows of a witness as a table: few rows that no hyperplane gets all right, with their exact multipliers."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ..data.columns import Tabular


class WitnessRow(NamedTuple):
    """A row of a witness, and how much it weighs there."""

    row: int
    """Its number, from 0."""
    line: int | None
    """Its line in the file, from 1; None if it has none."""
    label: Any
    multiplier: Fraction
    """α > 0; over all rows of the witness they sum to 1."""
    file: str | None = None
    """Of several files, the one it is in."""


class WitnessRows(Tabular, tuple[WitnessRow, ...]):
    """A tuple of `WitnessRow`s that prints as a table.

    >>> from rosenblatt import datasets, separability
    >>> witness = separability(*datasets.xor()).witness
    >>> witness, witness[0].multiplier
    (<Witness of 4 rows>, Fraction(1, 4))
    >>> print(witness)
    row  label  multiplier
      0      1  1/4
      1     -1  1/4
      2     -1  1/4
      3      1  1/4
    """

    __slots__ = ()

    def table(self) -> dict[str, Sequence[Any]]:
        """The columns by name; without lines where there are none, and without files where there is one."""
        columns = {name: [getattr(one, name) for one in self] for name in WitnessRow._fields}
        return {name: column for name, column in columns.items() if name not in ("line", "file") or any(column)}

    def __repr__(self) -> str:
        return f"<Witness of {len(self)} rows>"
