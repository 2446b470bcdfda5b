"""The door for data frames: one of pandas, polars or pyarrow comes in, and a `Sheet` goes out, as of a file.

Everything that takes rows in memory asks here first. An array or a sparse matrix passes as it is; so do the numbers
of a frame that holds nothing else. Any other frame goes the way of a table in a file: text becomes features, and what
is missing, or a date, is refused by its place.

>>> framed([[1.0, 2.0]])
[[1.0, 2.0]]
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..data.examples import Examples as Examples
from ..data.frames import columns_at, is_frame, names_of, numbers_of, reads_frames
from ..data.labels import calls_from_outside
from ..data.rows import rows_of
from ..data.two_classes import aligned
from ..errors import InputError, plural
from ..report.coded_names import LEVEL, WORD, column_of
from .matching import matched
from .names import first_names
from .options import Options
from .reading import Reading
from .sheet import Sheet


@reads_frames
def framed(
    X: Any, y: Any = None, coding: str | None = None, origin: bool = False, reference: Mapping[str, str] | None = None
) -> Any:
    """The sheet of a frame, without labels; anything else as it is. `coding` is what becomes of text.

    `origin` is that of `Options`, and `reference` the levels to leave out. Raises `InputError` for what can be no
    feature, and where the frame and y have indexes that differ.
    """
    if not is_frame(X):
        if reference is not None:
            how = "read(…, reference=) is where examples are coded" if isinstance(X, Examples) else "give a data frame"
            raise InputError(f"reference= names levels of a frame's text columns, and there is no frame: {how}")
        return X
    aligned(X, y)
    try:
        reading = Reading(missing="refuse", text=(), coding=coding, reference=reference)
        return _sheet(X, Options(reading, labels="none", origin=origin, checks_reference=True))
    except InputError as error:
        options = "missing=" in str(error) or "text=" in str(error) or "hash_bits=" in str(error)
        raise InputError(f"{error}; rosenblatt.read(frame, y, …) takes these" if options else str(error)) from None


def rows_like(X: Any, feature_names: Sequence[str] | None, d: int, reading: Reading | None) -> Any:
    """The rows of a frame with the d columns that were learnt from: by name if these had names, in whatever order.

    `reading` says how the rows that were learnt from were read. Columns that were not learnt from, and values of text
    that did not occur, are left out, with a `UserWarning`. Anything but a frame is given back as it is.
    """
    if not is_frame(X):
        return X
    known = reading or Reading()
    learnt = known.columns if feature_names is None else feature_names
    if learnt is None:
        return _to_judge(X, Options(Reading(missing="refuse", text=()), labels="none")).rows
    names = tuple(map(str, names_of(X)))
    needed = {*learnt, *(known.text or ()), *(known.words or ())}
    places = [j for j, name in enumerate(names) if name in needed]
    unnamed = not any(isinstance(name, str) for name in names_of(X))
    if not places and unnamed and len(names) == d and not (known.text or known.words or known.hash_bits):
        # Numbers are no names: they are the places of columns, as of an array.
        return _to_judge(X, Options(Reading(missing="refuse", text=()), labels="none")).rows
    aside = {*known.leave_out, *(known.counts or ())}
    for one in (str(known.label), str(known.weight)):
        aside |= {one, one.removeprefix("name:")}
    extra = [name for name in names if name not in needed and name not in aside]
    if not places:
        there = first_names(names)
        raise InputError(f"frame: no column of the model in it, {first_names(learnt)}; there are {there}")
    coded = {*(known.text or ()), *(known.words or ())}
    columns = dict.fromkeys(column_of(name, coded, LEVEL + WORD) or name for name in learnt)
    if absent := [name for name in columns if name not in names]:
        count, there = plural(len(absent), "column"), first_names(names)
        raise InputError(f"frame: {count} of the model not in it: {first_names(absent)}; there are {there}")
    # Nothing is left out for what is missing: a prediction belongs to each row.
    missing = "refuse" if known.missing in (None, "drop") else known.missing
    asked = replace(known.alike("frame"), label=None, weight=None, counts=None, leave_out=(), missing=missing)
    sheet = _to_judge(X if len(places) == len(names) else columns_at(X, places), Options(asked, labels="none"))
    rows, notes = matched(sheet, feature_names, d, known)
    if extra:
        count = plural(len(extra), "column")
        notes = (f"left out {count} that the model does not know: {first_names(extra)}", *notes)
    for note in notes:
        warnings.warn(f"frame: {note}", stacklevel=calls_from_outside())
    return rows


def _to_judge(frame: Any, options: Options) -> Sheet:
    """The same of rows that a model is to judge: there is nobody to ask for another way to read them."""
    try:
        return _sheet(frame, options)
    except InputError as error:
        what, found, _ = str(error).partition("; expected one, or --missing")
        raise InputError(f"{what}; expected one: fill it, or drop the row, first" if found else what) from None


def _sheet(frame: Any, options: Options) -> Sheet:
    """Its numbers if there is nothing else, else what the reader of frames makes of it; without labels."""
    reading = options.reading
    plain = not (reading.text or reading.words or reading.hash_bits or reading.reference)
    if plain and (numbers := numbers_of(frame)) is not None:
        return Sheet("frame", "frame", rows_of(numbers), None, tuple(map(str, names_of(frame))), reading=reading)
    from .tables.frames import read_frame

    return read_frame(frame, None, options)
