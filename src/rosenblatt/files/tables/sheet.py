"""The columns of a table, its labels and its lines become a sheet."""

import shlex
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, plural, shown
from ..column_place import clear_name
from ..filled import filled_note
from ..names import all_names
from ..options import Options
from ..reading import FORMATS, Reading
from ..sheet import Sheet
from .category_checks import too_many
from .coding import rows_of_columns
from .columns import MOST_CATEGORIES, Column, LabelColumn, TableOrigin
from .counts import check_counts, counted
from .missing import without_missing
from .places import weight_place
from .references import coded
from .weights import weighed
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
) -> Sheet:
    """The sheet of n rows, without what is missing in them."""
    for asked, purpose in ((options.text, "to take as text"), (options.leave_out, "to leave out")):
        unknown = sorted(asked - set(origin.columns)) if options.labels == "needed" else []
        if unknown:
            there = all_names(origin.columns)
            raise InputError(f"{origin.name}: no column {shown(unknown[0])} {purpose}; columns are {there}")
    if n == 0:
        raise InputError(f"{origin.name}: no rows; expected at least one")
    origin, columns, labels, weights, weighing = weighed(origin, columns, labels, n, options)
    notes, n = [*notes, *weighing], n if weights is None else weights.size
    if len(columns) <= len(options.reading.counts or ()):
        raise InputError(f"{origin.name}: no features; expected a column beside the label")
    all_notes, lines = list(notes), origin.lines(n)
    place = None if labels is None else labels.place
    label = None if place is None else origin.columns[place]
    if labels is not None and label is not None and options.labels == "wanted" and labels.missing.size == n:
        all_notes.append(f"column {shown(label)} is empty: no labels")
        labels = None
    check_counts(origin, columns, label, options)
    columns, keep, fill, lacking = without_missing(origin, columns, labels, n, options)
    if keep is not None:
        all_notes.append(f"{plural(n - int(keep.sum()), 'row')} of {n} dropped for missing values")
        n, lines = int(keep.sum()), None if lines is None else lines[keep]
        weights = None if weights is None else weights[keep]
    given = n
    values = None if labels is None else labels.values if keep is None else labels.values[keep]
    often = counted(origin, columns, values, n, None if keep is None else np.flatnonzero(keep), options)
    columns, values = often.columns, often.labels
    fill = {name: mean for name, mean in fill.items() if name not in (options.reading.counts or ())}
    if often.twice:
        n, lines = 2 * n, None if lines is None else np.repeat(lines, 2)
    if often.keep is not None:
        n, lines = int(often.keep.sum()), None if lines is None else lines[often.keep]
    columns = [column.used() for column in columns]
    all_notes += _odd_columns(columns, n)
    coding = coded(origin, columns, options, often.counts)
    columns = coding.columns
    levels = coding.reference or {}
    all_notes += filled_note([one._replace(level=levels.get(one.name)) for one in lacking], given, options.missing)
    all_notes += coding.notes
    words = [column for column in columns if isinstance(column, WordColumn)]
    kinds = [column for column in columns if column.is_text]
    total = sum(len(column.categories or ()) for column in (*kinds, *words))
    hash_bits = options.reading.hash_bits
    if not hash_bits and total > MOST_CATEGORIES:
        raise too_many(origin, f"{total} in all")
    names = [name for column in columns for name in column.names()]
    if not names and not hash_bits:
        said = "have one value only" if any(coding.levels.values()) else "are empty"
        raise InputError(f"{origin.name}: no features; all columns of text {said}")
    if (kinds or words) and not hash_bits and (twice := Counter(names).most_common(1)[0])[1] > 1:
        raise InputError(
            f"{origin.name}: two features are named {shown(twice[0])}; expected names that differ: rename a column"
        )
    return Sheet(
        origin.name,
        format,
        rows_of_columns(columns, n, names, hash_bits),
        values,
        feature_names=None if hash_bits else tuple(names),
        lines=lines,
        reading=Reading(
            missing=options.missing,
            format=format if format in FORMATS else None,
            leave_out=tuple(sorted(options.leave_out)),
            label=None if place is None else clear_name(origin.columns, place),
            fill=fill if options.missing == "mean" else None,
            text=tuple([column.name for column in kinds] + [name for name in (label,) if name in options.text]),
            hash_bits=hash_bits,
            columns=tuple(column.name for column in columns) if hash_bits else None,
            coding=coding.coding,
            reference=coding.reference,
            all_levels=coding.all_levels,
            counts=options.reading.counts,
            words=tuple(column.name for column in words) or None,
            weight=None if (at := weight_place(origin, options, None)) is None else clear_name(origin.columns, at),
        ),
        notes=tuple(all_notes),
        hashed=tuple(names) if hash_bits and options.keep_names else (),
        weights=often.counts if often.counts is not None else weights,
        levels=coding.levels,
    )


def _odd_columns(columns: Sequence[Column], n: int) -> list[str]:
    """What to say of columns that hardly tell one class from another, but may well tell rows apart."""
    many, counting = [], []
    for column in columns:
        size = len(column.categories or ())
        if isinstance(column, WordColumn):
            continue
        if size > _FEW and 2 * size > n and not column.declared:
            many.append(f"column {shown(column.name)} has {size} different values in {n} rows")
        elif column.categories is None and column.rows is None and n > _FEW and _counts_up(column.values):
            option = f"--leave-out {shlex.quote(column.name)}"
            counting.append(f"column {shown(column.name)} counts the rows: {option} (leave_out=), unless that is meant")
    # One line of each kind: the first speaks for all.
    return [f"{one[0]}{_and_others(len(one) - 1)}" for one in (counting, many) if one]


def _and_others(more: int) -> str:
    return "" if not more else f"; {more} more column{' is' if more == 1 else 's are'} like it"


def _counts_up(values: NDArray[Any]) -> bool:
    """Whether each is one more than the one before."""
    return bool((np.diff(values[:9]) == 1).all() and (np.diff(values) == 1).all())
