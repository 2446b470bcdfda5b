"""Matching: the columns of a sheet put in a model's order, by name where both have names, else by position.

What a model does not know is left out, and what it lacks is an error, except where its absence means 0: a value of a
text column that does not occur (`colour=red` in a file without red), a word that no row has, and in svmlight and VW
text a feature that no row has. A value that the model does not know sets none of its features. Where one level of the
column had none to begin with, the reference, the model cannot tell the two apart, and a note says so. Features of
svmlight text go by their index, though a model may have names for them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..errors import InputError, plural, shown
from ..report.coded_names import WORD, column_of
from .names import first_names
from .reading import Reading
from .rearranging import rearranged, resized
from .sheet import Sheet

_MOST = 100_000  # names that are told apart: a file may have new ones without end


def matched(
    sheet: Sheet, feature_names: Sequence[str] | None, d: int, reading: Reading
) -> tuple[_core.Rows, tuple[str, ...]]:
    """Rows with the d columns of a model, and notes on what was left out.

    `feature_names` are the model's, if it has any, and `reading` says how the file it has learnt from was read.
    """
    matching = Matching(feature_names, d, reading)
    return matching.rows(sheet), matching.notes()


class Matching:
    """The columns of a model, which sheets are matched to one after the other; and what none of them had a place for.

    What the notes count is of all the sheets together: a name that is in several of them is counted once.
    """

    def __init__(self, feature_names: Sequence[str] | None, d: int, reading: Reading) -> None:
        self.wanted = None if feature_names is None else tuple(feature_names)
        self.d, self.reading = d, reading
        self.coded, self.reference = SplitColumns.of(reading), reading.reference or {}
        self._place: dict[str, int] = {}
        self._names: tuple[str, ...] | None = None  # of the last sheet, and where its columns went
        self._to = np.empty(0, np.int64)
        self._known_words: set[str] = set()
        self._words, self._others = _Names(), _Names()
        self._values, self._as_reference = _Names(), _Names()
        self._by_position = ""
        self._most_beyond, self._values_beyond = 0, 0

    def rows(self, sheet: Sheet) -> _core.Rows:
        """The rows of a sheet, with the columns of the model."""
        reading = self.reading
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
        if self.wanted is None or sheet.feature_names is None:
            by_index = "svmlight" in (reading.format, sheet.format) and sheet.feature_names is None
            return self._rows_by_position(sheet, None if by_index else self.wanted)
        if len(self.wanted) != self.d:
            raise InputError(f"{plural(len(self.wanted), 'feature name')} for a model of {plural(self.d, 'column')}")
        if self.wanted == sheet.feature_names:
            self._known_words.update(name for name in self.wanted if self.coded.column_of_word(name))
            return sheet.rows
        if self._names != sheet.feature_names:
            self._to = self._columns_by_name(sheet, self.wanted)
            self._names = sheet.feature_names
        return rearranged(sheet.rows, self._to, self.d)

    def notes(self) -> tuple[str, ...]:
        """What one should know of the sheets so far."""
        notes = [self._by_position] if self._by_position else []
        if self._most_beyond > 0:
            columns, values = plural(self._most_beyond, "column"), plural(self._values_beyond, "value")
            notes.append(f"left out {columns} beyond the {self.d} of the model: {values} not 0")
        if self._words:
            total = len(self._words) + len(self._known_words)
            some = f"{self._words.many}{len(self._words)}"
            notes.append(f"{some} of {plural(total, 'word')} that the model does not know, left out")
        if self._others:
            notes.append(f"left out {self._others.counted('column')} that the model does not know: {self._others}")
        # Where all features of a column are 0, a model with a reference level sees that level: it has no word for none.
        for names, taken in ((self._values, "none"), (self._as_reference, "the column's reference level")):
            if names:
                notes.append(f"{names.counted('value')} that the model does not know, taken for {taken}: {names}")
        return tuple(notes)

    def _columns_by_name(self, sheet: Sheet, wanted: Sequence[str]) -> NDArray[np.int64]:
        """Which column of the model each of the sheet's is, −1 if none; with a record of these."""
        there, coded = sheet.feature_names or (), self.coded
        self._place = self._place or {name: j for j, name in enumerate(wanted)}
        place = self._place
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
        for name in there:
            word = coded.column_of_word(name)
            if name in place:
                if word:
                    self._known_words.add(name)
            elif word:
                self._words.add(name)
            elif (column := coded.column(name)) is None:
                self._others.add(name)
            else:
                (self._as_reference if column in self.reference else self._values).add(name)
        return np.array([place.get(name, -1) for name in there], dtype=np.int64)

    def _rows_by_position(self, sheet: Sheet, names: Sequence[str] | None) -> _core.Rows:
        rows, d = sheet.rows, self.d
        if (names is None) != (sheet.feature_names is None):
            has, lacks = ("the model", sheet.name) if names is not None else (sheet.name, "the model")
            if rows.d != d:
                raise InputError(
                    f"{sheet.name}: {plural(rows.d, 'column')}; expected {d}, as the model has: only {has} names its"
                    " columns, so that they go by position"
                )
            self._by_position = f"columns go by position: {has} names them, {lacks} does not"
            return rows
        if rows.d == d:
            return rows
        if rows.d < d and not rows.is_sparse:
            raise InputError(f"{sheet.name}: {plural(rows.d, 'column')}; expected {d}, as the model has")
        self._most_beyond = max(self._most_beyond, rows.d - d)
        found, beyond = resized(rows, d)
        self._values_beyond += beyond
        return found


class _Names:
    """Names without a place in the model, each once; of very many, the first."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}
        self.many = ""

    def add(self, name: str) -> None:
        if len(self._names) < _MOST or name in self._names:
            self._names[name] = None
        else:
            self.many = "more than "

    def __len__(self) -> int:
        return len(self._names)

    def __str__(self) -> str:
        return first_names([*self._names])

    def counted(self, noun: str) -> str:
        return f"{self.many}{plural(len(self), noun)}"


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
