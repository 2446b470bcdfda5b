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
from .table_seen import FirstFile

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
        self._said_behind: list[str] = []

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
        known = self._first_file
        if known is not None:
            self._line_1 = known.line_1
        if (not first or known is not None) and self._line_1 is not None:
            options = _with_header(options, self._line_1.header)
        head = head_of(opened, format, assumed.quotes)
        lines, line_1, notes = csv_lines_of(opened.name, head, format, options, assumed.quotes)
        if known is not None:
            check_alike(known.path, known.columns, lines.name, lines.columns)
        if first:
            self._line_1 = line_1 if known is None else self._line_1
            self._said, self._said_behind = notes, []
        if first or self.columns is None:
            if known is not None and not lines.head(1):
                return
            if self.columns is None or not self.columns.is_known:
                self.columns = CsvTable(lines, self.options)
        assert isinstance(self.columns, CsvTable)
        check_alike(self.paths[0], self.columns.names, lines.name, lines.columns)
        self._said += [note for note in notes if note not in self._said]
        if first and notes:
            _, _, notes = csv_lines_of(
                opened.name, head, format, _with_header(options, line_1.header), assumed.quotes
            )  # what is said of line 1 is said of the first file alone
        self._said_behind += [note for note in notes if note not in self._said_behind]
        quotes = assumed.quotes and not lines.has_stray_quotes
        offset = before = 0
        begins = True
        for data in blocks_of(opened, self._size, quotes):
            start = max(0, lines.start - offset)
            if start < len(data):
                line = lines.line if offset <= lines.start else before + 1
                block = CsvLines(
                    opened.name, data, lines.delimiter, start=start, line=line, quotes=quotes, before=before
                )
                block.columns = self.columns.names
                self._check_block(block, assumed, format)
                if block.head(1):
                    yield replace(self.columns.part(block, assumed), begins=begins)
                    begins = False
            offset, before = offset + len(data), before + data.count(b"\n")

    def _check_block(self, block: CsvLines, assumed: Assumed, format: str) -> None:
        """Raises `InputError` for what is no text, or has quotes where none may be."""
        check_characters(block.name, block.data, block.before)
        try:
            block.check()
        except InputError as error:
            if format == "csv" or not block.quotes:
                raise
            raise assumed.but(error, quotes=False) from None

    def _notes(self) -> list[str]:
        return self._said

    def _notes_behind(self) -> list[str]:
        return self._said_behind

    def _beginning(self) -> FirstFile | None:
        found = super()._beginning()
        return None if found is None else replace(found, line_1=self._line_1)

    def _reading(self, reading: Reading) -> Reading:
        return replace(reading, header=None if self._line_1 is None else self._line_1.header)

    def _details(self) -> tuple[str, ...]:
        return () if self._line_1 is None else (self._line_1.in_words(),)


def _with_header(options: Options, header: bool | None) -> Options:
    return replace(options, reading=replace(options.reading, header=header))


def check_alike(first: str, names: tuple[str, ...], file: str, columns: tuple[str, ...]) -> None:
    """Raises `InputError` unless a file has the columns of the first, in their order."""
    if len(columns) != len(names):
        raise InputError(f"{file}: {plural(len(columns), 'column')}; expected {len(names)}, as {first} has")
    if columns != names:
        j = next(j for j, name in enumerate(names) if columns[j] != name)
        raise InputError(
            f"{file}: columns {first_names(columns[j:])} from position {j} on; expected"
            f" {first_names(names[j:])}, in that order, as {first} has"
        )
