"""Reference levels: of each column of text one value that has no feature.

All values of a column and an offset are dependent: their features add up to 1. A model whose coefficients are to mean
something has one feature less: that of the reference, against which all others of the column are measured. It is the
value asked for, else the most frequent one. Where there is no offset, the first column of text has all of its values,
as in R's `~ 0 + arm + sex`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import InputError, shown
from ..names import all_names
from ..options import Options
from .columns import Column, TableOrigin, column_error


@dataclass(frozen=True)
class Coded:
    """Columns with the categories that have a feature, and how that came about."""

    columns: list[Column]
    coding: str | None = None
    """None: there is no column of text."""
    reference: dict[str, str] | None = None
    all_levels: tuple[str, ...] | None = None
    levels: dict[str, int] = field(default_factory=dict)
    """Of each column of text, how many values it has."""
    notes: tuple[str, ...] = ()


def coded(origin: TableOrigin, columns: Sequence[Column], options: Options, often: Any = None) -> Coded:
    """Leave out the reference levels, if that is the coding. `often` says how often each row was counted."""
    asked = _resolved(options.reading.reference or {}, columns)
    _check(origin, columns, asked, options)
    levels = {column.name: len(column.categories or ()) for column in columns if column.is_text}
    if not levels or options.coding == "levels":
        return Coded(list(columns), "levels" if levels else None, levels=levels)
    whole = set(options.reading.all_levels or ()) & set(levels)
    if options.origin and not whole:
        whole = {name for name in levels if name not in asked}
        whole = {next(name for name in levels if name in whole)} if whole else set()
    made, reference, notes = [], {}, []
    for column in columns:
        level = asked.get(column.name, column.most_frequent(often)) if column.is_text else None
        if level is None or column.name in whole:
            made.append(column)
            continue
        reference[column.name] = level
        made.append(column.without(level) if level in (column.categories or ()) else column)
        if not made[-1].categories and (options.labels == "needed" or column.name not in asked):
            notes.append(f"column {shown(column.name)} has one value only, {shown(level)}, and so no feature")
    return Coded(made, "reference", reference, tuple(sorted(whole)) or None, levels, tuple(notes))


def _resolved(asked: Mapping[str, str], columns: Sequence[Column]) -> Mapping[str, str]:
    """The same, where `a=b=u` was meant as the level u of a column `a=b`: an option cannot tell."""
    names = sorted((column.name for column in columns), key=len, reverse=True)
    found = {}
    for name, level in asked.items():
        whole = f"{name}={level}"
        meant = [one for one in names if whole.startswith(f"{one}=")] if name not in names else []
        found[meant[0] if meant else name] = whole[len(meant[0]) + 1 :] if meant else level
    return found


def _check(origin: TableOrigin, columns: Sequence[Column], asked: Mapping[str, str], options: Options) -> None:
    """Raises `InputError` for a reference that is no value of a column of text; a model's may lack here."""
    by_name = {column.name: column for column in columns}
    for name, level in asked.items():
        if options.labels != "needed" and not options.checks_reference:
            continue
        if (column := by_name.get(name)) is None:
            known = [one.name for one in columns if one.is_text]
            there = f"columns of text are {all_names(known)}" if known else "no column is text"
            raise InputError(f"{origin.name}: no feature column {shown(name)} to have a reference level; {there}")
        if not column.is_text and column.categories is not None:
            raise column_error(origin, column.place, "words have no reference level; expected a column of text")
        if not column.is_text:
            raise column_error(
                origin, column.place, f"numbers have no reference level; --text {name} (text=) takes them as text"
            )
        if level not in (column.categories or ()):
            there = all_names(column.categories or ())
            raise column_error(origin, column.place, f"no value {shown(level)} to be its reference; values are {there}")
