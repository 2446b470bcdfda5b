"""Rows that a model is to judge, in parts: nothing is found out of the whole that the model knows already."""

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from ...errors import InputError
from ..opening import BytesReadCallback
from ..rearranging import rearranged
from ..sheet import Sheet
from .input import Input
from .table import TableInput
from .text import TextInput


def sheets_to_judge(given: Input, progress: BytesReadCallback | None = None) -> Generator[Sheet]:
    """The rows from the first on, some at a time, in columns that can be matched to the model's.

    Raises `InputError` where that takes a pass over all rows before, and the input can be read once alone.
    """
    what = _known_at_the_end(given)
    if what is not None and not given.again:
        yield _only_part(given, what, progress)
        return
    if what is not None:
        given.survey(progress)
    yield from given.sheets(progress)


def _known_at_the_end(given: Input) -> str | None:
    """What is known of the whole alone, and neither the model nor an option says; None: nothing."""
    if isinstance(given, TextInput):
        by_index = given.format == "svmlight" and not given.options.reading.hash_bits
        return "where its indices begin (--base 0 or 1)" if by_index and given.base is None else None
    if isinstance(given, TableInput) and given.options.missing == "mean" and given.options.reading.fill is None:
        return "the means of its columns (--missing zero or refuse)"
    return None


def _only_part(given: Input, what: str, progress: BytesReadCallback | None) -> Sheet:
    """All rows of what comes once, if they are a single part: then the end is there."""
    sheets = given.sheets(progress)
    sheet = next(sheets)
    if next(sheets, None) is not None:
        raise InputError(f"{given.name}: {what}: known at its end, and it can be read once alone; expected a file")
    rows, first = sheet.rows, given.layout.first_column
    if first:
        rows = rearranged(rows, np.arange(rows.d) - first, max(1, rows.d - first))
    return replace(sheet, rows=rows, reading=given.layout.reading)
