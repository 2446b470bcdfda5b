"""Looks at the files of a table become one table: what a pass over all of them would have found, in their order.

Where the first rows take no survey (all columns are numbers, and no means are asked for), such a pass holds all others
to them: a column that is no longer numbers is an error. Else columns are what all rows together say: numbers in one
file and text in another are text. Row numbers count on from file to file, or begin again.

Looks were made without knowing of each other. Whoever took for true what the others refute looks again, told what is
so; columns turn into text, and row numbers into a feature, and never back: so this comes to an end.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from ..errors import InputError
from .options import Options
from .parts.delimited import check_alike as check_columns
from .parts.input import Layout
from .parts.table_seen import FirstFile, Known, TableAgreed, TableSeen
from .parts.typed import check_alike as check_schema
from .tables.csv_table import CsvTable
from .tables.part import Assumed, RefutedError
from .tables.sheet import check_asked, settled
from .tables.tally import Tally

Again = dict[int, Known]
"""Who has to look again, by the number of the look, and what to tell."""


def agreed_table(
    name: str, format: str, options: Options, looks: Sequence[TableSeen]
) -> tuple[Layout, TableAgreed] | Again:
    """What the whole is, or who has to look again. Raises `InputError` as a pass over all files would."""
    first = looks[0]
    if first.fault is not None:
        raise _judged(first.columns, first.fault)
    assert first.beginning is not None
    if again := _unlike(first.beginning, looks, first.beginning.path if format == "parquet" else name):
        return again
    start = next((one for one in looks if one.tally is not None), first)
    steady = bool(start.is_steady)
    if steady and start.refuted is not None:
        raise InputError(start.refuted)
    whole = _assumed(start, looks, steady)
    faulty = next((i for i, one in enumerate(looks) if one.fault is not None), len(looks))
    if again := _mistaken(whole, first.beginning, looks[:faulty], steady):
        return again
    try:
        return _joined(name, format, options, looks, steady)
    except RefutedError as error:  # row numbers that do not go on
        if steady:
            raise error.why from None
        return _mistaken(replace(whole, row_numbers=False), first.beginning, looks, steady)


def _judged(columns: Any, why: str) -> InputError:
    """The error for a file; what a column is, is judged before what its rows lack."""
    if columns is not None:
        columns.check()
    return InputError(why)


def _unlike(first: FirstFile, looks: Sequence[TableSeen], called: str) -> Again:
    """Those who took line 1 for something else than it is in the first file, or could not say what their file is.

    Raises `InputError` for a file with other columns than the first, which is `called` so.
    """
    again: Again = {}
    for i, one in enumerate(looks[1:], 1):
        if one.told.first is not None:
            continue
        own = one.beginning
        if one.fault is not None or own is None or _header(own) != _header(first):
            again[i] = replace(one.told, first=first)
        elif first.schema is not None and own.schema.equals(first.schema) and own.columns != first.columns:
            again[i] = replace(one.told, first=first)  # one of them says that it has an index
        elif again:
            continue  # what is wrong with a file before comes first
        elif first.schema is not None:
            check_schema(own.path, first.schema, own.schema, called)
        else:
            check_columns(first.path, first.columns, own.path, own.columns)
    return again


def _header(file: FirstFile) -> bool | None:
    return None if file.line_1 is None else file.line_1.header


def _assumed(start: TableSeen, looks: Sequence[TableSeen], steady: bool) -> Assumed:
    """What is so of all rows."""
    if steady:
        return replace(start.assumed, kinds=_kinds(start))
    kinds: dict[int, set[str]] = {}
    for one in looks:
        for j, kind in one.columns.kinds_of_values().items() if isinstance(one.columns, CsvTable) else ():
            kinds.setdefault(j, set()).add(kind)
    numbered = start.assumed.row_numbers
    if any(one.told.assumed.row_numbers and one.assumed.row_numbers is False for one in looks):
        numbered = False
    return replace(
        start.assumed,
        row_numbers=numbered,
        kinds={**_kinds(start), **{j: some.pop() if len(some) == 1 else "text" for j, some in kinds.items()}},
        quotes=all(one.assumed.quotes for one in looks),
    )


def _kinds(one: TableSeen) -> dict[int, str]:
    """What the columns of CSV text are."""
    found = one.columns.kinds if isinstance(one.columns, CsvTable) else []
    return {j: kind for j, kind in enumerate(found) if kind is not None}


def _mistaken(whole: Assumed, first: FirstFile, looks: Sequence[TableSeen], steady: bool) -> Again:
    """Those who took something else for true."""
    again: Again = {}
    for i, one in enumerate(looks):
        own = _kinds(one)
        other = {j: kind for j, kind in whole.kinds.items() if own.get(j, kind) != kind}
        same = (one.assumed.row_numbers, one.assumed.quotes) == (whole.row_numbers, whole.quotes)
        if one.tally is not None and (other or not same):
            told = {j: kind for j, kind in {**one.told.assumed.kinds, **other}.items() if steady or kind != "numbers"}
            again[i] = Known(replace(whole, kinds=told), steady, first if i else None)
    return again


def _joined(
    name: str, format: str, options: Options, looks: Sequence[TableSeen], steady: bool
) -> tuple[Layout, TableAgreed]:
    """The table that all looks together are. Raises `RefutedError` for row numbers that do not go on."""
    tally: Tally | None = None
    columns: Any = None
    hashed, files, notes = options.reading.hash_bits is not None, dict[str, int](), list(looks[0].notes)
    for one in looks:
        if columns is None:
            columns = deepcopy(one.columns)  # which is added to
        elif one.columns is not None:
            columns.join(one.columns, name)
        if steady and columns is not None:
            columns.check_values()
        if one.fault is not None:
            raise _judged(columns, one.fault)
        if one.tally is not None:
            tally = _first(one.tally, name) if tally is None else tally.followed_by(one.tally, hashed)
        files |= dict(one.files)
        notes += [note for note in one.notes_behind if one is not looks[0] and note not in notes]
    if tally is None or columns is None:
        raise InputError(f"{name}: no rows; expected at least one")
    columns.check()
    check_asked(name, tally.names, options)
    found = settled(tally, format, options, notes)
    if steady:  # a pass without a survey goes by the first rows
        found = replace(found, sparse=next((one.sparse for one in looks if one.sparse is not None), found.sparse))
    header = None if looks[0].beginning is None else _header(looks[0].beginning)
    whole, bits = found.whole, found.whole.reading.hash_bits
    layout = Layout(
        2**bits if bits else len(found.names),
        whole.reading if header is None else replace(whole.reading, header=header),
        whole.feature_names,
        files=tuple(files.items()),
        notes=whole.notes,
        details=looks[0].details,
        levels=whole.levels,
        hashed=whole.hashed,
    )
    columns.is_known, columns.checks = True, {}
    slim = [replace(one, tally=replace(one.tally, levels={}, often=None, order=None)) for one in found.columns]
    return layout, TableAgreed(replace(found, columns=slim), tally.assumed, columns, header)


def _first(tally: Tally, name: str) -> Tally:
    """A copy, to be added to."""

    def copied(levels: Mapping[str, Any] | None) -> Any:
        return None if levels is None else dict(levels)

    columns = tuple(replace(one, levels=copied(one.levels), often=copied(one.often)) for one in tally.columns)
    return replace(tally, table=name, columns=columns)
