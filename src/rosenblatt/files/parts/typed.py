"""Tables whose columns have types, in parts: batches of Arrow's, from wherever they come, cut after some rows."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...errors import InputError, shown
from ..opening import BytesReadCallback
from ..options import Options
from ..tables.arrow import undamaged
from ..tables.part import Assumed, TablePart
from ..tables.typed import TypedTable
from .input import PART
from .table import TableInput
from .table_seen import FirstFile

_CODED = 4  # times the memory of its batch that a part may take, at least


class TypedInput(TableInput):
    """Batches of rows that have one schema, by `_batches`."""

    what: str = "Arrow"
    plain: frozenset[str] = frozenset()

    def __init__(
        self, name: str, format: str, options: Options, paths: Sequence[str], again: bool, part: int = PART
    ) -> None:
        super().__init__(name, format, options, paths, again)
        self._size = max(1, part // _CODED)
        self._schema: Any = None

    @abstractmethod
    def _batches(self, progress: BytesReadCallback | None) -> Iterator[tuple[str, Any]]:
        """Record batches, each with the name of its file; `_begin` has been told their schema."""

    def _begin(self, name: str, schema: Any) -> TypedTable:
        """See what the columns of a file are. Raises `InputError` for one that can be no feature, or another schema."""
        if not isinstance(self.columns, TypedTable):
            like = schema if self._first_file is None else self._first_file.schema
            self._check_first(name, schema)
            self.columns, self._schema = TypedTable(self.name, like, self.options, plain=self.plain), schema
            self.columns.check_types(schema)
        self._schema = self._schema or schema
        check_alike(name, self._schema, schema, self.name)
        return self.columns

    def _check_first(self, name: str, schema: Any) -> None:
        """Raises `InputError` for another schema than that of the first file, if that is known."""
        if self._first_file is not None:
            check_alike(name, self._first_file.schema, schema, self._first_file.path)

    def _beginning(self) -> FirstFile | None:
        found = super()._beginning()
        return None if found is None else replace(found, schema=self._schema)

    def rows_at_once(self, columns: int) -> int:
        """How many rows a part has, of so many columns."""
        return max(1, self._size // (8 * max(1, columns)))

    def _parts(self, assumed: Assumed, progress: BytesReadCallback | None) -> Iterator[tuple[str, TablePart]]:
        import pyarrow as pa

        if self.columns is not None and not self.columns.is_known:
            self.columns = None
        last, before = None, 0
        for name, batch in self._batches(progress):
            table = self.columns
            assert isinstance(table, TypedTable)
            if name != last:
                last, before = name, 0
            step = self.rows_at_once(batch.num_columns)
            for first in range(0, batch.num_rows, step):
                with undamaged(name, self.what):
                    some = pa.Table.from_batches([batch.slice(first, step)])
                    some.validate(full=True)  # what was read is not looked at before, and a wrong offset crashes
                yield name, replace(table.part(some, name, before), begins=before == 0)
                before += some.num_rows

    def _notes(self) -> list[str]:
        return self.columns.notes if isinstance(self.columns, TypedTable) else []


def check_alike(name: str, first: Any, other: Any, of: str) -> None:
    """Raises `InputError` unless two schemas have the same columns, of the same types."""
    if other.equals(first):
        return
    if other.names != first.names:
        there = next((one for one in other.names if one not in first.names), None)
        lacks = next((one for one in first.names if one not in other.names), None)
        what = f"column {shown(there)}" if there is not None else f"no column {shown(lacks)}"
        if there is None and lacks is None:
            what = "its columns in another order"
        raise InputError(f"{name}: {what}; expected the columns of {of}, in their order")
    for one, two in zip(other, first, strict=True):
        if one.type != two.type:
            raise InputError(f"{name}: column {shown(one.name)} of type {one.type}; expected {two.type}, as in {of}")
