"""Reference levels: of each column of text one value that has no feature.

All values of a column and an offset are dependent: their features add up to 1. A model whose coefficients are to mean
something has one feature less: that of the reference, against which all others of the column are measured. It is the
value asked for, else the most frequent one. Where there is no offset, the first column of text has all of its values,
as in R's `~ 0 + arm + sex`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...errors import InputError, shown
from ..names import all_names
from ..options import Options
from .tally import ColumnTally


@dataclass(frozen=True)
class CodedColumn:
    """A column and its features: of text a feature for each of `categories`, the values that have one."""

    tally: ColumnTally
    categories: list[str] | None

    @property
    def name(self) -> str:
        """The column's."""
        return self.tally.name

    def names(self) -> list[str]:
        """Those of its features."""
        mark = ":" if self.tally.kind == "words" else "="
        return [self.name] if self.categories is None else [f"{self.name}{mark}{value}" for value in self.categories]

    def stored(self, fill: float) -> int:
        """How many values are not 0, if that stands for numbers that are missing."""
        if self.tally.kind == "text":
            return sum(self.tally.levels[value] for value in self.categories or ())
        return self.tally.stored + (self.tally.gone if self.tally.kind == "numbers" and fill else 0)


@dataclass(frozen=True)
class Coded:
    """Columns with the categories that have a feature, and how that came about."""

    columns: list[CodedColumn]
    coding: str | None = None
    """None: there is no column of text."""
    reference: dict[str, str] | None = None
    all_levels: tuple[str, ...] | None = None
    levels: dict[str, int] = field(default_factory=dict)
    """Of each column of text, how many values it has."""
    notes: tuple[str, ...] = ()


def coded(table: str, tallies: Sequence[ColumnTally], options: Options) -> Coded:
    """Leave out the reference levels, if that is the coding."""
    columns = [CodedColumn(tally, tally.categories) for tally in tallies]
    asked = _resolved(options.reading.reference or {}, columns)
    _check(table, columns, asked, options)
    levels = {one.name: len(one.categories or ()) for one in columns if one.tally.is_text and not one.tally.is_full}
    if not any(column.tally.is_text for column in columns) or options.coding == "levels":
        has_text = any(column.tally.is_text for column in columns)
        return Coded(columns, "levels" if has_text else None, levels=levels)
    if full := [column.name for column in columns if column.tally.is_full]:
        raise InputError(
            f"{table}: column {shown(full[0])}: too many values to have a reference level; --coding levels"
        )
    whole = set(options.reading.all_levels or ()) & set(levels)
    if options.origin and not whole:
        whole = {name for name in levels if name not in asked}
        whole = {next(name for name in levels if name in whole)} if whole else set()
    made, reference, notes = [], {}, []
    for column in columns:
        level = asked.get(column.name, column.tally.most_frequent()) if column.tally.is_text else None
        if level is None or column.name in whole:
            made.append(column)
            continue
        reference[column.name] = level
        left = [one for one in column.categories or () if one != level]
        made.append(replace(column, categories=left))
        if not left and (options.labels == "needed" or column.name not in asked):
            notes.append(f"column {shown(column.name)} has one value only, {shown(level)}, and so no feature")
    return Coded(made, "reference", reference, tuple(sorted(whole)) or None, levels, tuple(notes))


def _resolved(asked: Mapping[str, str], columns: Sequence[CodedColumn]) -> Mapping[str, str]:
    """The same, where `a=b=u` was meant as the level u of a column `a=b`: an option cannot tell."""
    names = sorted((column.name for column in columns), key=len, reverse=True)
    found = {}
    for name, level in asked.items():
        whole = f"{name}={level}"
        meant = [one for one in names if whole.startswith(f"{one}=")] if name not in names else []
        found[meant[0] if meant else name] = whole[len(meant[0]) + 1 :] if meant else level
    return found


def _check(table: str, columns: Sequence[CodedColumn], asked: Mapping[str, str], options: Options) -> None:
    """Raises `InputError` for a reference that is no value of a column of text; a model's may lack here."""
    by_name = {column.name: column for column in columns}
    for name, level in asked.items():
        if options.labels != "needed" and not options.checks_reference:
            continue
        if (column := by_name.get(name)) is None:
            known = [one.name for one in columns if one.tally.is_text]
            there = f"columns of text are {all_names(known)}" if known else "no column is text"
            raise InputError(f"{table}: no feature column {shown(name)} to have a reference level; {there}")
        where = f"{table}: column {shown(name)}:"
        if column.tally.kind == "words":
            raise InputError(f"{where} words have no reference level; expected a column of text")
        if column.tally.kind == "numbers":
            raise InputError(f"{where} numbers have no reference level; --text {name} (text=) takes them as text")
        if level not in (column.categories or ()):
            there = all_names(column.categories or ())
            raise InputError(f"{where} no value {shown(level)} to be its reference; values are {there}")
