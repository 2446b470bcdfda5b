"""Matching: the columns of a sheet put in a model's order, by name where both have names, else by position.

What a model does not know is left out, and what it lacks is an error, except where its absence means 0: a value of a
text column that does not occur (`colour=red` in a file without red), a word that no row has, and in svmlight and VW
text a feature that no row has. A value that the model does not know sets none of its features. Where one level of the
column had none to begin with, the reference, the model cannot tell the two apart, and a note says so. Features of
svmlight text go by their index, though a model may have names for them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..errors import InputError, plural, shown
from ..report.coded_names import WORD, column_of
from .names import first_names
from .reading import Reading
from .sheet import Sheet


def matched(
    sheet: Sheet, feature_names: Sequence[str] | None, d: int, reading: Reading
) -> tuple[_core.Rows, tuple[str, ...]]:
    """Rows with the d columns of a model, and notes on what was left out.

    `feature_names` are the model's, if it has any, and `reading` says how the file it has learnt from was read.
    """
    bits = [how.hash_bits for how in (reading, sheet.reading)]
    if bits[0] != bits[1]:
        said = ["no hash" if one is None else f"{one} bits" for one in bits]
        raise InputError(
            f"{sheet.name}: features by {said[1]}; expected {said[0]}, as the model has learnt (--hash-bits)"
        )
    if not bits[0] and (reading.format == "vw") != (sheet.format == "vw"):
        raise InputError(
            f"{sheet.name}: VW's features go by name, svmlight's by number; expected data like the model's"
        )
    if reading.columns is not None and sheet.reading.columns is not None:
        _check_hashed(sheet, reading)
    if feature_names is None or sheet.feature_names is None:
        by_index = "svmlight" in (reading.format, sheet.format) and sheet.feature_names is None
        return _by_position(sheet, None if by_index else feature_names, d)
    if len(feature_names) != d:
        raise InputError(f"{plural(len(feature_names), 'feature name')} for a model of {plural(d, 'column')}")
    if tuple(feature_names) == sheet.feature_names:
        return sheet.rows, ()
    return _by_name(sheet, feature_names, SplitColumns.of(reading), reading.reference or {})


class SplitColumns(NamedTuple):
    """The columns of a table that became several features each: those of text, and those of words."""

    text: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, reading: Reading) -> "SplitColumns":
        """Those of a reading."""
        return cls(frozenset(reading.text or ()), frozenset(reading.words or ()))

    def both(self, other: "SplitColumns") -> "SplitColumns":
        """Those that are in both."""
        return SplitColumns(self.text & other.text, self.words & other.words)

    def column(self, name: str) -> str | None:
        """The column that a feature comes from, if it is one of several."""
        return self.column_of_word(name) or column_of(name, self.text)

    def column_of_word(self, name: str) -> str | None:
        """The column that a word is of."""
        return column_of(name, self.words, WORD)


def _check_hashed(sheet: Sheet, reading: Reading) -> None:
    """Hashed columns have no names any more, so those of the tables are compared: numbers and text alike."""
    there, wanted = (
        {
            name: "words" if name in (how.words or ()) else "text" if name in (how.text or ()) else "numbers"
            for name in how.columns or ()
        }
        for how in (sheet.reading, reading)
    )
    if absent := [name for name in wanted if name not in there]:
        count = plural(len(absent), "column")
        known = first_names([*there])
        raise InputError(f"{sheet.name}: {count} of the model not in it: {first_names(absent)}; there are {known}")
    for name, kind in wanted.items():
        if there[name] != kind:
            raise InputError(f"{sheet.name}: column {shown(name)} holds {there[name]}; expected {kind}, as the model")


def _by_name(
    sheet: Sheet, wanted: Sequence[str], coded: SplitColumns, reference: Mapping[str, str]
) -> tuple[_core.Rows, tuple[str, ...]]:
    there = sheet.feature_names or ()
    place = {name: j for j, name in enumerate(wanted)}
    for names, whose in ((wanted, "the model"), (there, sheet.name)):
        if len(set(names)) < len(names):
            seen: set[str] = set()
            twice = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
            raise InputError(f"{whose}: the column {shown(twice)} is there twice; expected each name once")
    # A text column that is there may lack values; one that is not there lacks everything.
    coded_there = SplitColumns.of(sheet.reading)
    present, in_both = set(there), coded.both(coded_there)
    lacking = [name for name in wanted if name not in present and not in_both.column(name)]
    if lacking and sheet.format != "vw":
        absent = list(dict.fromkeys(coded.column(name) or name for name in lacking))
        holding = [name for name in absent if name in coded_there.text]
        hint = f" ({shown(holding[0])} is text here)" if holding else ""
        raise InputError(
            f"{sheet.name}: {plural(len(absent), 'column')} of the model not in it: {first_names(absent)}{hint};"
            f" there are {first_names(list(dict.fromkeys(coded_there.column(name) or name for name in there)))}"
        )
    to = np.array([place.get(name, -1) for name in there], dtype=np.int64)
    unknown = [name for name in there if name not in place]
    words = [name for name in unknown if coded.column_of_word(name)]
    values = [name for name in unknown if not coded.column_of_word(name) and coded.column(name)]
    others = [name for name in unknown if not coded.column(name)]
    notes = []
    if words:
        total = sum(1 for name in there if coded.column_of_word(name))
        notes.append(f"{len(words)} of {plural(total, 'word')} that the model does not know, left out")
    if others:
        notes.append(f"left out {plural(len(others), 'column')} that the model does not know: {first_names(others)}")
    # Where all features of a column are 0, a model with a reference level sees that level: it has no word for none.
    as_reference = [name for name in values if coded.column(name) in reference]
    for some, taken in (
        ([name for name in values if name not in set(as_reference)], "none"),
        (as_reference, "the column's reference level"),
    ):
        if some:
            count = plural(len(some), "value")
            notes.append(f"{count} that the model does not know, taken for {taken}: {first_names(some)}")
    return rearranged(sheet.rows, to, len(wanted)), tuple(notes)


def _by_position(sheet: Sheet, names: Sequence[str] | None, d: int) -> tuple[_core.Rows, tuple[str, ...]]:
    rows = sheet.rows
    if (names is None) != (sheet.feature_names is None):
        has, lacks = ("the model", sheet.name) if names is not None else (sheet.name, "the model")
        if rows.d != d:
            raise InputError(
                f"{sheet.name}: {plural(rows.d, 'column')}; expected {d}, as the model has: only {has} names its"
                " columns, so that they go by position"
            )
        return rows, (f"columns go by position: {has} names them, {lacks} does not",)
    if rows.d == d:
        return rows, ()
    if rows.d < d:
        if not rows.is_sparse:
            raise InputError(f"{sheet.name}: {plural(rows.d, 'column')}; expected {d}, as the model has")
        return rearranged(rows, np.arange(rows.d), d), ()
    beyond = int(np.count_nonzero(_beyond(rows, d)))
    note = f"left out {plural(rows.d - d, 'column')} beyond the {d} of the model: {plural(beyond, 'value')} not 0"
    return rearranged(rows, np.where(np.arange(rows.d) < d, np.arange(rows.d), -1), d), (note,)


def _beyond(rows: _core.Rows, d: int) -> NDArray[Any]:
    """The values in columns from d onwards."""
    if not rows.is_sparse:
        return np.asarray(rows.arrays[0])[:, d:]
    values, columns, starts = (np.asarray(part) for part in rows.arrays)
    used = int(starts[-1])
    return values[:used][columns[:used] >= d]


def rearranged(rows: _core.Rows, to: NDArray[np.int64], d: int) -> _core.Rows:
    """Rows of d columns: column j goes to column to[j], or nowhere if that is −1."""
    if not rows.is_sparse:
        table = np.asarray(rows.arrays[0])
        from_ = np.flatnonzero(to >= 0)
        if d <= 2 * table.shape[1]:
            if from_.size == d:
                order = np.empty(d, dtype=np.int64)
                order[to[from_]] = from_
                return _core.Rows.dense(np.ascontiguousarray(np.take(table, order, axis=1)))
            wide = np.zeros((rows.n, d), dtype=table.dtype)
            wide[:, to[from_]] = table[:, from_]
            return _core.Rows.dense(wide)
        # Mostly zeros: better in CSR form.
        row, column = np.nonzero(table)
        values, starts = table[row, column], np.searchsorted(row, np.arange(rows.n + 1))
    else:
        values, column, starts = (np.asarray(part) for part in rows.arrays)
        used = int(starts[-1])  # the values may go on
        values, column = values[:used], column[:used]
    goal = to.astype(np.int32)[column]
    keep = goal >= 0
    if not keep.all():
        values, goal = values[keep], goal[keep]
        starts = np.concatenate([[0], np.cumsum(keep)])[starts]
    kept = to[to >= 0]
    if (kept[1:] < kept[:-1]).any():
        row = np.repeat(np.arange(rows.n), np.diff(starts))
        order = np.argsort(row * d + goal) if rows.n * d < 2**63 else np.lexsort((goal, row))
        values, goal = values[order], goal[order]
    made, flaw, at, value = _core.Rows.sparse(
        np.ascontiguousarray(values), np.ascontiguousarray(goal), np.ascontiguousarray(starts), rows.n, d
    )
    if made is None:
        raise AssertionError(f"{flaw} at row {at}: {value}")
    return made
