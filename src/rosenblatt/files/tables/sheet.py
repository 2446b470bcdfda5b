"""The rows of a table and what is known of all of them become sheets: one, or one for each part."""

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import InputError, plural, shown
from ..column_place import clear_name
from ..filled import Lacking, filled_note
from ..names import all_names
from ..options import Options
from ..reading import FORMATS, Reading
from ..sheet import Sheet
from .category_checks import too_many
from .coding import is_sparse, rows_of_columns
from .columns import MOST_CATEGORIES, Column, LabelColumn, NumberedTable, TableOrigin
from .missing import nothing_left
from .narrowing import Narrowed, narrowed
from .part import Assumed, RefutedError, TablePart
from .places import weight_place
from .references import CodedColumn, coded
from .row_numbers import check_enough
from .tally import ColumnTally, Tally
from .weights import weighing_notes
from .words import WordColumn

_FEW = 20


def sheet_of_columns(
    origin: TableOrigin,
    format: str,
    columns: Sequence[Column],
    labels: LabelColumn | None,
    n: int,
    options: Options,
    notes: Sequence[str] = (),
    may_count: bool = False,
) -> Sheet:
    """The sheet of n rows, without what is missing in them."""
    return sheet_of_part(TablePart(origin, columns, labels, n, may_count), format, options, notes)


def sheet_of_part(part: TablePart, format: str, options: Options, notes: Sequence[str] = ()) -> Sheet:
    """The sheet of a part that is the whole."""
    check_asked(part.origin.name, part.origin.columns, options)
    if part.n == 0:
        raise InputError(f"{part.origin.name}: no rows; expected at least one")
    assumed = Assumed()
    while True:
        try:
            rows = narrowed(part, options, assumed)
            return settled(Tally.of(rows, options), format, options, notes).sheet(rows)
        except RefutedError as error:
            assumed = error.known


def check_asked(table: str, names: tuple[str, ...], options: Options) -> None:
    """Raises `InputError` if a column is asked for that is not there."""
    for asked, purpose in ((options.text, "to take as text"), (options.leave_out, "to leave out")):
        unknown = sorted(asked - set(names)) if options.labels == "needed" else []
        if unknown:
            raise InputError(f"{table}: no column {shown(unknown[0])} {purpose}; columns are {all_names(names)}")


@dataclass(frozen=True, eq=False)
class Settled:
    """All that it takes to make sheets of the rows of a table, some of them at a time.

    whole
        The sheet of the whole, but for its rows: names, reading, notes.
    fill
        What stands for missing numbers, by column; 0 where nothing else does.
    """

    whole: Sheet
    columns: list[CodedColumn]
    names: list[str]
    fill: dict[str, float]
    sparse: bool
    dtype: np.dtype[Any]
    whole_labels: bool

    def sheet(self, rows: Narrowed) -> Sheet:
        """The sheet of these rows."""
        by_place = {column.place: column for column in rows.columns}
        bits = self.whole.reading.hash_bits
        columns = [self._coded(by_place[one.tally.place], one, bits is not None) for one in self.columns]
        names = self.names if bits is None else [name for column in columns for name in column.names()]
        labels = rows.labels
        if labels is not None and labels.dtype.kind == "f" and self.whole_labels:
            labels = labels.astype(np.int64)
        made = rows_of_columns(columns, rows.n, names, bits, self.sparse, self.dtype)
        return replace(
            self.whole, name=rows.origin.name, rows=made, labels=labels, lines=rows.lines, weights=rows.weights
        )

    def _coded(self, column: Column, how: CodedColumn, hashed: bool) -> Column:
        """The column with nothing missing but categories, and the numbers of these as they are of the whole.

        Hashed features go by their names: there the categories are those of the column, whichever others there are.
        """
        if column.categories is None:
            return column.filled(self.fill.get(column.name, 0.0)) if column.missing().size else column
        wanted = how.categories or []
        if hashed:
            reference = None if how.tally.kind == "words" else (self.whole.reading.reference or {}).get(column.name)
            wanted = [value for value in column.categories if value != reference]
        if column.categories == wanted:
            return column
        place = {value: k for k, value in enumerate(wanted)}
        to = np.array([*(place.get(value, -1) for value in column.categories), -1], dtype=np.int32)
        if isinstance(column, WordColumn):
            return replace(column, numbers=to[column.numbers], categories=wanted)
        return replace(column, values=to[column.values], categories=wanted)


def settled(tally: Tally, format: str, options: Options, notes: Sequence[str] = ()) -> Settled:
    """What the features are, once all rows have been seen. Raises `InputError` where there are none to learn from."""
    table, origin = tally.table, NumberedTable(tally.table, tally.names)
    leave_out, said = options.leave_out, list(notes)
    if tally.numbers is not None:
        check_enough(table, tally.numbers, tally.assumed)
        said.append(tally.numbers.note())
        leave_out |= {tally.numbers.name} if tally.numbers.name else set()
    at = tally.weight_place
    if at is not None:
        said += weighing_notes(tally.names[at], tally.rows, tally.of_none, tally.lacking)
        if not tally.weighed:
            raise InputError(
                f"{table}: column {shown(tally.names[at])}: all weights are 0 or missing; expected some above 0"
            )
    label = None if tally.label_place is None else tally.names[tally.label_place]
    if label is not None and not tally.has_labels:
        said.append(f"column {shown(label)} is empty: no labels")
    if not tally.kept:
        raise nothing_left(origin, tally.missing, tally.weighed)
    if tally.kept < tally.weighed:
        said.append(f"{plural(tally.weighed - tally.kept, 'row')} of {tally.weighed} dropped for missing values")
    if not tally.n:
        raise InputError(f"{table}: every count is 0; expected a row that was counted")
    fill = _fill(tally, options)
    said += _odd_columns(tally.columns, tally.n)
    coding = coded(table, tally.columns, options)
    if options.missing in ("zero", "mean"):
        said += filled_note(_lacking(tally, coding.reference or {}), tally.kept, options.missing)
    said += coding.notes
    if options.keep_names and (full := [column.name for column in tally.columns if column.is_full]):
        raise InputError(f"{table}: column {shown(full[0])}: too many values to keep their names, hashed as they are")
    split = [column for column in coding.columns if column.categories is not None]
    text = [column.name for column in split if column.tally.is_text]
    total, hash_bits = sum(len(column.categories or ()) for column in split), options.reading.hash_bits
    if not hash_bits and total > MOST_CATEGORIES:
        raise too_many(table, f"{total} in all")
    names = [name for column in coding.columns for name in column.names()]
    if not names and not hash_bits:
        raise InputError(
            f"{table}: no features; all columns of text"
            f" {'have one value only' if any(coding.levels.values()) else 'are empty'}"
        )
    if split and not hash_bits and (twice := Counter(names).most_common(1)[0])[1] > 1:
        raise InputError(
            f"{table}: two features are named {shown(twice[0])}; expected names that differ: rename a column"
        )
    dtype = np.dtype(np.float32 if all(column.single for column in tally.columns) else np.float64)
    stored = sum(column.stored(dtype.type(fill.get(column.name, 0.0))) for column in coding.columns)
    reading = Reading(
        missing=options.missing,
        format=format if format in FORMATS else None,
        leave_out=tuple(sorted(leave_out)),
        label=None if tally.label_place is None else clear_name(tally.names, tally.label_place),
        fill=fill if options.missing == "mean" else None,
        text=tuple(text + [name for name in (label,) if name in options.text]),
        hash_bits=hash_bits,
        columns=tuple(column.name for column in coding.columns) if hash_bits else None,
        coding=coding.coding,
        reference=coding.reference,
        all_levels=coding.all_levels,
        counts=options.reading.counts,
        words=tuple(column.name for column in split if not column.tally.is_text) or None,
        weight=None if (at := weight_place(origin, options, None)) is None else clear_name(tally.names, at),
    )
    nothing: Any = None  # the rows are put in by those who have them
    whole = Sheet(
        table,
        format,
        nothing,
        None,
        feature_names=None if hash_bits else tuple(names),
        reading=reading,
        notes=tuple(said),
        hashed=tuple(names) if hash_bits and options.keep_names else (),
        levels=coding.levels,
    )
    sparse = is_sparse(stored, tally.n, len(names), dtype.itemsize)
    return Settled(whole, coding.columns, names, fill, sparse, dtype, tally.whole_labels)


def _fill(tally: Tally, options: Options) -> dict[str, float]:
    """What stands for missing numbers, by column: the means that were given, or those of the columns."""
    found: dict[str, float] = {}
    given = options.reading.fill
    for column in tally.columns if options.missing == "mean" else ():
        if column.kind != "numbers":
            continue
        if given is not None:
            if column.name in given:
                found[column.name] = float(given[column.name])
        elif column.lacking == tally.weighed:
            raise InputError(f"{tally.table}: column {shown(column.name)}: no value at all, so no mean; leave it out")
        else:
            found[column.name] = column.total.over(tally.weighed - column.lacking)
    return found


def _lacking(tally: Tally, reference: dict[str, str]) -> list[Lacking]:
    return [
        Lacking(column.name, column.lacking, column.kind != "numbers", reference.get(column.name))
        for column in tally.columns
        if column.lacking
    ]


def _odd_columns(columns: Sequence[ColumnTally], n: int) -> list[str]:
    """What to say of columns that hardly tell one class from another, but may well tell rows apart."""
    many, counting = [], []
    for column in columns:
        size = sum(1 for rows in column.levels.values() if rows)
        if column.is_text and size > _FEW and 2 * size > n and not column.declared:
            many.append(f"column {shown(column.name)} has {size} different values in {n} rows")
        elif column.kind == "numbers" and column.ends is not None and n > _FEW:
            option = f"--leave-out {shlex.quote(column.name)}"
            counting.append(f"column {shown(column.name)} counts the rows: {option} (leave_out=), unless that is meant")
    # One line of each kind: the first speaks for all.
    return [f"{one[0]}{_and_others(len(one) - 1)}" for one in (counting, many) if one]


def _and_others(more: int) -> str:
    return "" if not more else f"; {more} more column{' is' if more == 1 else 's are'} like it"
