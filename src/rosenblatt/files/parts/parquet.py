"""Parquet files in parts, and folders of them.

Rows are read in order, by batches: of each column one page is in memory, and what pages unpack to is known beforehand.
Text is read by numbers into its different values, so that a value which is there once and is meant a million times
stays one. (A data set of pyarrow's would do the same, but it reads ahead without bound: arrow #39808.)
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...errors import InputError
from ..opening import BytesReadCallback, InputFile
from ..options import Options
from ..tables.arrow import pyarrow_for, undamaged
from ..tables.parquet_pages import check_pages
from .input import PART
from .table_seen import FirstFile
from .typed import TypedInput, check_alike

_BUFFER = 2**16  # bytes of a column that are read at a time


class ParquetInput(TypedInput):
    """One or more Parquet files whose columns are the same."""

    what = "Parquet"

    def __init__(self, paths: Sequence[str], options: Options, part: int = PART) -> None:
        pyarrow_for(paths[0])
        options.refuse(paths[0], "Parquet", "parquet")
        name = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
        super().__init__(name, "parquet", options, paths, True, part)
        self._checked: set[str] = set()
        self._stored: Any = None

    def _check_first(self, name: str, schema: Any) -> None:
        """It is what is stored that is held to the first file: text is read as something else."""

    def _beginning(self) -> FirstFile | None:
        found = super()._beginning()
        return None if found is None else replace(found, schema=self._stored)

    def _batches(self, progress: BytesReadCallback | None) -> Iterator[tuple[str, Any]]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        total, taken = 0, 0
        for path in self.paths:
            with InputFile(path) as opened:
                if not opened.peek(4).startswith(b"PAR1"):
                    raise InputError(f"{path}: no Parquet file; expected one that begins with PAR1")
                total = opened.size or 0
            with undamaged(path, "Parquet"):
                stored = pq.read_schema(path)
                if path == self.paths[0]:
                    self._stored = stored
                    is_ = pa.types  # what is a dictionary there was declared as one
                    self.plain = frozenset(
                        one.name for one in stored if is_.is_string(one.type) or is_.is_large_string(one.type)
                    )
                    if self._first_file is not None:
                        check_alike(path, self._first_file.schema, stored, self._first_file.path)
                check_alike(path, self._stored, stored, self.paths[0])
                with pq.ParquetFile(
                    path, read_dictionary=sorted(self.plain), buffer_size=_BUFFER, pre_buffer=False
                ) as file:
                    if path not in self._checked:
                        check_pages(path, path, file.metadata)
                        self._checked.add(path)
                    table = self._begin(path, file.schema_arrow)
                    wanted, rows = table.wanted(), max(1, file.metadata.num_rows)
                    taken = 0
                    for batch in file.iter_batches(self.rows_at_once(len(wanted)), columns=wanted, use_threads=False):
                        taken += batch.num_rows
                        if progress is not None:
                            progress(total * taken // rows, total)
                        yield path, batch
