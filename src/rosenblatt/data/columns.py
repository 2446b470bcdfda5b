"""Tables that are results themselves: rows with names, to go through, to print, or to take as a data frame."""

from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, overload

from ..errors import install
from ..report.columns import flat, plain_cell, table_text


class Tabular(ABC):
    """What can be printed as a table, and taken as a data frame."""

    __slots__ = ()

    @abstractmethod
    def table(self) -> Mapping[str, Sequence[Any]]:
        """The columns by name; one of two dimensions stands for several."""

    def to_frame(self) -> Any:
        """The table as a pandas `DataFrame`; pandas is not among what rosenblatt installs."""
        try:
            import pandas as pd
        except ModuleNotFoundError:
            raise ModuleNotFoundError(f"to_frame() needs pandas: {install('pandas')}", name="pandas") from None
        return pd.DataFrame(flat(self.table()))

    def __str__(self) -> str:
        return "\n".join(table_text(self.table()))


class Columns(Tabular):
    """Columns of one length: its rows are named tuples."""

    def __len__(self) -> int:
        return len(next(iter(self.table().values())))

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    @overload
    def __getitem__(self, at: int) -> Any: ...
    @overload
    def __getitem__(self, at: slice) -> list[Any]: ...
    def __getitem__(self, at: Any) -> Any:
        columns = self.table()
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        return _row_of(tuple(columns))(*(plain_cell(column[at]) for column in columns.values()))


@lru_cache
def _row_of(names: tuple[str, ...]) -> Any:
    return namedtuple("Row", names)
