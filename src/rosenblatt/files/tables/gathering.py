"""Gathering: the columns of a table, its labels and its lines become a sheet."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, plural, shown
from ..options import Options
from ..reading import FORMATS, Reading
from ..sheet import Sheet
from .coding import rows_of_columns
from .columns import MOST_CATEGORIES, Column, Source
from .exactness import too_many
from .missing import Labels, without_missing

LABELS = ("label", "class", "target", "y")
"""The names by which a label's column is found, whatever their case."""

_FEW = 20
_LISTED = 12  # names of columns in an error
_SAID = 5  # notes of one kind


def check_names(source: Source, hint: str = "") -> None:
    """Raises `InputError` for a name that two columns have, or that a column lacks."""
    seen: dict[str, int] = {}
    for j, name in enumerate(source.columns):
        if name in seen:
            raise InputError(
                f"{source.name}: columns {seen[name]} and {j} are both named {shown(name)}; expected names that"
                f" differ{hint}"
            )
        if not name:
            raise InputError(f"{source.name}: column {j} has no name; expected a name for each column{hint}")
        seen[name] = j


def label_place(source: Source, options: Options, usual: int | None = None) -> int | None:
    """The position of the label's column. `usual` is where a format has it; None: only its name tells."""
    names, label = source.columns, options.reading.label
    if label is None:
        found = [j for j, name in enumerate(names) if name.strip().lower() in LABELS]
        if len(found) == 1:
            return found[0]
        if found and usual not in found:
            listed = " and ".join(shown(names[j]) for j in found[:2])
            raise InputError(f"{source.name}: columns {listed} may both be the label; say which: --label NAME (label=)")
        if usual is not None or options.labels == "wanted":
            return usual
        raise InputError(
            f"{source.name}: no column is named label, class, target or y; say which one the label is, by name or"
            f" position: --label (label=); columns are {_listed(names)}"
        )
    if isinstance(label, str) and label in names:
        return names.index(label)
    if isinstance(label, str) and not re.fullmatch("[+-]?[0-9]{1,9}", label):
        if options.labels == "wanted":
            return None
        raise InputError(f"{source.name}: no column {shown(label)}; columns are {_listed(names)}")
    if not -len(names) <= (place := int(label)) < len(names):
        raise InputError(f"{source.name}: no column {place}, where the label is said to be; there are {len(names)}")
    return place % len(names)


def _listed(names: Sequence[str]) -> str:
    if len(names) <= _LISTED:
        return ", ".join(map(shown, names))
    return f"{', '.join(map(shown, names[: _LISTED - 1]))}, …, {shown(names[-1])} ({len(names)} in all)"


def sheet_of_columns(
    source: Source,
    format: str,
    columns: Sequence[Column],
    labels: Labels | None,
    n: int,
    options: Options,
    notes: Sequence[str] = (),
) -> Sheet:
    """The sheet of n rows, without what is missing in them."""
    unknown = sorted(options.text - set(source.columns)) if options.labels == "needed" else []
    if unknown:
        raise InputError(
            f"{source.name}: no column {shown(unknown[0])} to take as text; columns are {_listed(source.columns)}"
        )
    unknown = sorted(options.leave_out - set(source.columns)) if options.labels == "needed" else []
    if unknown:
        raise InputError(
            f"{source.name}: no column {shown(unknown[0])} to leave out; columns are {_listed(source.columns)}"
        )
    if n == 0:
        raise InputError(f"{source.name}: no rows; expected at least one")
    if not columns:
        raise InputError(f"{source.name}: no features; expected a column beside the label")
    said, lines = list(notes), source.lines(n)
    label = None if labels is None or labels.place is None else source.columns[labels.place]
    if labels is not None and label is not None and options.labels == "wanted" and labels.missing.size == n:
        said.append(f"column {shown(label)} is empty: no labels")
        labels = None
    columns, keep, fill = without_missing(source, columns, labels, n, options)
    if keep is not None:
        said.append(f"{plural(n - int(keep.sum()), 'row')} of {n} dropped for want of a value")
        n, lines = int(keep.sum()), None if lines is None else lines[keep]
    columns = [column.used() for column in columns]
    kinds = [column for column in columns if column.categories is not None]
    said += _odd_columns(columns, n)
    total = sum(len(column.categories or ()) for column in kinds)
    hash_bits = options.reading.hash_bits
    if not hash_bits and total > MOST_CATEGORIES:
        raise too_many(source, f"{total} in all")
    names = [name for column in columns for name in column.names()]
    if not names and not hash_bits:
        raise InputError(f"{source.name}: no features; all columns of text are empty")
    if kinds and not hash_bits and (twice := Counter(names).most_common(1)[0])[1] > 1:
        raise InputError(
            f"{source.name}: two features are named {shown(twice[0])}; expected names that differ: rename a column"
        )
    values = None if labels is None else labels.values if keep is None else labels.values[keep]
    return Sheet(
        source.name,
        format,
        rows_of_columns(columns, n, names, hash_bits),
        values,
        feature_names=None if hash_bits else tuple(names),
        lines=lines,
        reading=Reading(
            missing=options.missing,
            format=format if format in FORMATS else None,
            leave_out=tuple(sorted(options.leave_out)),
            label=label,
            fill=fill if options.missing == "mean" else None,
            text=tuple([column.name for column in kinds] + [name for name in (label,) if name in options.text]),
            hash_bits=hash_bits,
            columns=tuple(column.name for column in columns) if hash_bits else None,
        ),
        notes=tuple(said),
        hashed=tuple(names) if hash_bits and options.keep_names else (),
    )


def _odd_columns(columns: Sequence[Column], n: int) -> list[str]:
    """What to say of columns that hardly tell one class from another, but may well tell rows apart."""
    notes = []
    for column in columns:
        size = len(column.categories or ())
        if size > _FEW and 2 * size > n and not column.declared:
            notes.append(f"column {shown(column.name)} has {size} different values in {n} rows")
        elif column.categories is None and column.rows is None and n > _FEW and _counts(column.values):
            notes.append(f"column {shown(column.name)} counts the rows; leave it out unless that is meant")
    more = len(notes) - _SAID
    return notes if more <= 1 else [*notes[:_SAID], f"{more} more columns tell nearly every row from all others"]


def _counts(values: NDArray[Any]) -> bool:
    """Whether each is one more than the one before."""
    return bool((np.diff(values[:9]) == 1).all() and (np.diff(values) == 1).all())
