"""Rows that a model is to judge, in parts: nothing is found out of the whole that the model knows already."""

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from ...errors import InputError
from ..opening import BytesReadCallback
from ..rearranging import rearranged
from ..sheet import Sheet
from .input import Input
from .text import TextInput


def sheets_to_judge(given: Input, progress: BytesReadCallback | None = None) -> Generator[Sheet]:
    """The rows from the first on, some at a time, in columns that can be matched to the model's.

    Raises `InputError` where that takes a pass over all rows before, and the input can be read once alone.
    """
    unknown_base = (
        isinstance(given, TextInput)
        and given.format == "svmlight"
        and given.base is None
        and not given.options.reading.hash_bits
    )
    if unknown_base and given.again:
        given.survey(progress)
    elif unknown_base:
        yield _only_part(given, progress)
        return
    yield from given.sheets(progress)


def _only_part(given: Input, progress: BytesReadCallback | None) -> Sheet:
    """All rows of text that comes once, if they are a single part: then it is known where its indices begin."""
    sheets = given.sheets(progress)
    sheet = next(sheets)
    if next(sheets, None) is not None:
        raise InputError(
            f"{given.name}: where its indices begin is known at its end, and it can be read once alone; expected --base"
            " 0 or 1, or a file"
        )
    rows, first = sheet.rows, given.layout.first_column
    if first:
        rows = rearranged(rows, np.arange(rows.d) - first, max(1, rows.d - first))
    return replace(sheet, rows=rows, reading=given.layout.reading)
