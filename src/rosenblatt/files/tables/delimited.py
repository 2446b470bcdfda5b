"""CSV and TSV files, read whole."""

from dataclasses import replace

from ..opening import InputFile
from ..options import Options
from ..sheet import Sheet
from .csv_header import csv_lines_of
from .csv_lines import check_text
from .csv_table import CsvTable, csv_format
from .part import Assumed
from .sheet import sheet_of_part


def read_csv(opened: InputFile, options: Options) -> Sheet:
    """CSV, or TSV if the options say so."""
    format = csv_format(opened, options)
    check_text(opened)
    lines, line_1, notes = csv_lines_of(opened.name, opened.all_bytes(), format, options)
    table = CsvTable(lines, options)
    part = table.part(lines, Assumed())
    table.check()
    sheet = sheet_of_part(part, format, options, notes)
    return replace(
        sheet, reading=replace(sheet.reading, header=line_1.header), details=(*sheet.details, line_1.in_words())
    )
