"""Suspects: rows to look at for a wrong label, those first that stand most in the way."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...data.columns import Tabular
from ...errors import plural


@dataclass(frozen=True)
class Suspect:
    """A row to look at for a wrong label.

    cost
        Its share in the fractional cover of all witnesses known: every witness has shares of at least 1 among its rows,
        and all shares together are as small as can be. So this is about how many mistakes the row alone accounts for, 1
        at most.
    reason
        How many witnesses it is in, and where it lies.
    witnesses
        Which of `LeastMistakes.witnesses`, those of the proof, it is in.
    line
        Its line in the file, from 1; None if it has none.
    distance
        From the best hyperplane found; below 0 on the wrong side. None if it is not known.
    """

    row: int
    cost: float
    reason: str
    witnesses: tuple[int, ...] = ()
    line: int | None = None
    label: Any = None
    distance: float | None = None


class Suspects(Tabular, tuple[Suspect, ...]):
    """A tuple of `Suspect`s that prints as a table."""

    __slots__ = ()

    def table(self) -> dict[str, Sequence[Any]]:
        """The columns by name; without lines where there are none."""
        names = ("row", "line", "label", "cost", "distance", "reason")
        columns = {name: [getattr(one, name) for one in self] for name in names}
        return {name: column for name, column in columns.items() if name != "line" or any(column)}

    def __repr__(self) -> str:
        return f"<Suspects: {plural(len(self), 'row')}>"
