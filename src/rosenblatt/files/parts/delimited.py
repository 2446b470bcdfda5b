"""CSV and TSV files in parts: blocks of text that end where a record does."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...errors import InputError, plural
from ..names import first_names
from ..opening import BytesReadCallback, InputFile
from ..options import Options
from ..reading import Reading
from ..tables.csv_header import csv_lines_of
from ..tables.csv_lines import CsvLines, check_characters, check_text
from ..tables.csv_table import CsvTable, csv_format
from ..tables.header_evidence import Line1
from ..tables.part import Assumed, TablePart
from .input import PART
from .records import blocks_of, head_of
from .table import TableInput

_TEXT = 4  # bytes of numbers that a byte of text may become


class DelimitedInput(TableInput):
    """One or more files of CSV, or of TSV, which have the same columns. One-shot if it is a pipe (`held`)."""

    def __init__(
        self, paths: Sequence[str], format: str, options: Options, held: InputFile | None = None, part: int = PART
    ) -> None:
        name = "standard input" if paths[0] == "-" else paths[0]
        super().__init__(
            name if len(paths) == 1 else f"{name} and {len(paths) - 1} more", format, options, paths, held is None
        )
        self._held, self._size = held, max(1, part // _TEXT)
        self._line_1: Line1 | None = None
        self._said: list[str] = []

    def _parts(self, assumed: Assumed, progress: BytesReadCallback | None) -> Iterator[tuple[str, TablePart]]:
        for number, path in enumerate(self.paths):
            with self._held or InputFile(path) as opened:
                opened.progress = progress
                yield from ((path, part) for part in self._file(opened, assumed, number == 0))

    def _file(self, opened: InputFile, assumed: Assumed, first: bool) -> Iterator[TablePart]:
        """The parts of one file."""
        options = self.options
        format = csv_format(opened, replace(options, reading=replace(options.reading, format=self.format)))
        check_text(opened)
        if not first and self._line_1 is not None:
            options = replace(options, reading=replace(options.reading, header=self._line_1.header))
        head = head_of(opened, format, assumed.quotes)
        lines, line_1, notes = csv_lines_of(opened.name, head, format, options, assumed.quotes)
        if first:
            self._line_1, self._said = line_1, notes
            if self.columns is None or not self.columns.is_known:
                self.columns = CsvTable(lines, self.options)
        assert isinstance(self.columns, CsvTable)
        _check_alike(self.paths[0], self.columns.names, lines)
        self._said += [note for note in notes if note not in self._said]
        quotes = assumed.quotes and not lines.has_stray_quotes
        start, before, begins = lines.start, 0, True
        for data in blocks_of(opened, self._size, quotes):
            block = CsvLines(
                opened.name,
                data,
                lines.delimiter,
                start=start,
                line=lines.line if begins else before + 1,
                quotes=quotes,
                before=before,
            )
            block.columns = self.columns.names
            check_characters(opened.name, data, before)
            try:
                block.check()
            except InputError as error:
                if format == "csv" or not quotes:
                    raise
                raise assumed.but(error, quotes=False) from None
            if block.head(1):
                yield replace(self.columns.part(block, assumed), begins=begins)
            start, before, begins = 0, before + data.count(b"\n"), False

    def _notes(self) -> list[str]:
        return self._said

    def _reading(self, reading: Reading) -> Reading:
        return replace(reading, header=None if self._line_1 is None else self._line_1.header)

    def _details(self) -> tuple[str, ...]:
        return () if self._line_1 is None else (self._line_1.in_words(),)


def _check_alike(first: str, names: tuple[str, ...], lines: CsvLines) -> None:
    """Raises `InputError` unless a file has the columns of the first, in their order."""
    if len(lines.columns) != len(names):
        found = plural(len(lines.columns), "column")
        raise InputError(f"{lines.name}: {found}; expected {len(names)}, as {first} has")
    if lines.columns != names:
        j = next(j for j, name in enumerate(names) if lines.columns[j] != name)
        raise InputError(
            f"{lines.name}: columns {first_names(lines.columns[j:])} from position {j} on; expected"
            f" {first_names(names[j:])}, in that order, as {first} has"
        )
