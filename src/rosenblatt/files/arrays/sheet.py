"""Numbers and labels in arrays become a sheet: checked, missing ones dealt with, labels made what labels are."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...data.csr import Csr
from ...data.labels import column_of
from ...data.rows import rows_of
from ...errors import InputError, plural, shown
from ..exact_sum import ExactSum
from ..filled import Lacking, filled_note
from ..numbers import whole_numbers
from ..options import Options
from ..reading import Reading
from ..sheet import Sheet

Names = tuple[str, ...] | None


def array_sheet(
    where: str,
    format: str | None,
    X: Any,
    y: Any,
    names: Names,
    label: Any,
    notes: list[str],
    options: Options,
    before: int | None = None,
) -> Sheet:
    """The numbers checked, missing ones dealt with, labels made what labels are.

    `before`: of rows that are a part of others, how many come before them; their float labels are left as they are.
    """
    if options.reading.hash_bits is not None:
        raise InputError(f"{where}: the columns of an array are not hashed; expected no hash_bits (--hash-bits)")
    if isinstance(X, np.ndarray) and X.dtype.kind == "V":
        raise InputError(f"{where}: values of type {shown(str(X.dtype))}; expected numbers")
    try:
        rows = rows_of(X)
        one_column = isinstance(y, np.ndarray) and y.shape == (rows.n, 1)  # as files often have it
        y = None if y is None else column_of(y.reshape(-1) if one_column else y, rows.n)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    if names is not None and len(names) != rows.d:
        raise InputError(f"{where}: {plural(len(names), 'feature name')} for {plural(rows.d, 'column')}")
    keep = np.ones(rows.n, dtype=bool)
    parts: list[Any] = list(rows.arrays)
    parts[0], means, said = _filled(parts, rows.n, keep, names, options, where, before or 0)
    notes = [*notes, *said]
    labels = None if y is None else _labels(y, keep, options, where, before)
    if not keep.all():
        dropped = np.flatnonzero(~keep)
        notes = [*notes, dropped_note(dropped.size, dropped[:9].tolist())]
        if dropped.size == keep.size:
            raise all_dropped(where)
        parts = _kept(parts, keep)
    if parts[0] is not rows.arrays[0]:
        shape = int(keep.sum()), rows.d
        rows = rows_of(Csr(parts[0], parts[1], parts[2], shape) if rows.is_sparse else parts[0])
    reading = Reading(format=format, label=label, missing=options.missing, fill=means)
    return Sheet(where, format or "array", rows, labels, names, None, reading, tuple(notes))


def dropped_note(many: int, first: list[int]) -> str:
    """What to say of rows that were dropped; the first nine of them, if there are so many."""
    listed = ", ".join(map(str, first[:8])) + (", …" if many > 8 else "")
    return f"{plural(many, 'row')} with missing values dropped: {listed}"


def all_dropped(where: str) -> InputError:
    """The error where no row is left."""
    return InputError(f"{where}: every row has a missing value; expected some rows that have none")


def _filled(
    parts: list[Any], n: int, keep: NDArray[np.bool_], names: Names, options: Options, where: str, before: int
) -> tuple[NDArray[Any], dict[str, float] | None, list[str]]:
    """The values, each finite or in a row that is not kept; the means that stand for missing ones; what to say."""
    flat = parts[0].reshape(-1) if len(parts) == 1 else parts[0][: int(parts[2][-1])]  # it may end before the values do
    bad = np.concatenate(  # in blocks, so that asking takes no memory to speak of
        [np.zeros(0, np.int64)]
        + [
            first + np.flatnonzero(~finite)
            for first in range(0, flat.size, 2**20)
            if not (finite := np.isfinite(flat[first : first + 2**20])).all()
        ]
    )
    if len(parts) == 1:
        row, column = np.divmod(bad, parts[0].shape[1])
    else:
        row, column = np.searchsorted(parts[2], bad, side="right") - 1, parts[1][bad].astype(np.int64)
    missing = np.isnan(flat[bad])
    for first in np.flatnonzero(~missing if options.missing != "refuse" else missing | True)[:1]:
        name = column[first] if names is None else shown(names[column[first]])
        what = "missing (NaN)" if missing[first] else "infinite"
        how = " (missing=, --missing says what to do)" if missing[first] else ""
        at = before + row[first]
        raise InputError(f"{where}: row {at}, column {name}: {what}; expected a finite number{how}")
    if options.missing == "drop":
        keep[row] = False
    if options.missing not in ("zero", "mean"):
        return parts[0], None, []
    means, stand_ins = None, 0.0
    if options.missing == "mean":
        means, stand_ins = _means(parts, n, bad, column, names, options, where)
    if not bad.size:
        return parts[0], means, []
    filled = parts[0].copy()
    filled.reshape(-1)[bad] = stand_ins
    which, counts = np.unique(column, return_counts=True)
    called = [str(j) if names is None else names[j] for j in which.tolist()]
    lacking = [Lacking(name, count) for name, count in zip(called, counts.tolist(), strict=True)]
    return filled, means, filled_note(lacking, n, options.missing)


def _means(
    parts: list[Any], n: int, bad: NDArray[Any], column: NDArray[Any], names: Names, options: Options, where: str
) -> tuple[dict[str, float], Any]:
    """By column, its mean over the rows that have a value, or the one given; and what stands for each bad value.

    Of a sparse matrix, means are kept of the columns that lack values only: there may be very many others.
    """
    lacking, place, counts = np.unique(column, return_inverse=True, return_counts=True)
    if len(parts) == 1:
        has = np.full(parts[0].shape[1], n)
        has[lacking] -= counts
        some, place = np.arange(has.size), column
    else:
        some, has = lacking, n - counts
        if not some.size:
            return dict(options.reading.fill or {}), 0.0
        entry = np.minimum(np.searchsorted(some, parts[1]), some.size - 1)
        known = some[entry] == parts[1]
        known[bad] = False
        sums = np.bincount(entry[known], parts[0][known], some.size)
    keys = [str(j) if names is None else names[j] for j in some.tolist()]
    if options.reading.fill is not None:
        means = np.array([options.reading.fill.get(key, math.nan) for key in keys])
    elif len(parts) == 1:
        means = np.array([mean_of(one, many) for one, many in zip(column_sums(parts[0]), has.tolist(), strict=True)])
    else:
        with np.errstate(invalid="ignore", divide="ignore"):
            means = sums / has
    lost = ~np.isfinite(means)
    if lost[place].any():
        key = shown(keys[int(place[lost[place]][0])])
        raise InputError(f"{where}: column {key}: values are missing and it has no mean; expected missing=zero or drop")
    found = {key: mean for key, mean in zip(keys, means.tolist(), strict=True) if math.isfinite(mean)}
    return dict(options.reading.fill or found), means[place]


def column_sums(table: NDArray[Any]) -> list[ExactSum]:
    """Of each column, the sum of its numbers that are there."""
    found = (column.astype(np.float64) for column in table.T)
    return [ExactSum().plus(column[~np.isnan(column)]) for column in found]


def mean_of(total: ExactSum, count: int) -> float:
    """The mean; NaN of no numbers."""
    return total.over(count) if count else math.nan


def _kept(parts: list[Any], keep: NDArray[np.bool_]) -> list[Any]:
    """Those rows alone."""
    if len(parts) == 1:
        return [parts[0][keep]]
    values, columns, starts = parts
    lengths = np.diff(starts)
    entries = np.repeat(keep, lengths)
    used = slice(0, entries.size)  # indptr may end before the values do
    return [values[used][entries], columns[used][entries], np.concatenate([[0], np.cumsum(lengths[keep])])]


def _labels(y: NDArray[Any], keep: NDArray[np.bool_], options: Options, where: str, before: int | None) -> NDArray[Any]:
    """int64 where all are whole numbers, else float64; bool; or text. Those of rows that are dropped are left out."""
    if y.dtype.kind not in "fiubUSO":
        raise InputError(f"{where}: labels of type {y.dtype}; expected numbers, text or booleans")
    lacking = np.flatnonzero(np.isnan(y)) if y.dtype.kind == "f" else np.zeros(0, np.int64)
    if lacking.size and options.missing != "drop":
        row = (before or 0) + lacking[0]
        raise InputError(f"{where}: row {row}: its label is missing; expected one for each row, or missing=drop")
    keep[lacking] = False
    if y.dtype.kind == "f" and (infinite := np.flatnonzero(np.isinf(y))).size:
        row = (before or 0) + infinite[0]
        raise InputError(f"{where}: row {row}: its label is infinite; expected a finite number")
    y = y[keep]
    if y.dtype.kind in "US":
        return texts_of(y, f"{where}: labels")
    if y.dtype.kind == "u" and y.size and int(y.max()) >= 2**63:
        raise InputError(f"{where}: label {int(y.max())}; expected whole numbers below 2**63")
    if y.dtype.kind in "iu":
        return y.astype(np.int64)
    if y.dtype.kind == "f":
        return whole_numbers(y.astype(np.float64)) if before is None else y.astype(np.float64)
    return y


def texts_of(values: NDArray[Any], where: str) -> NDArray[Any]:
    """Texts as Python has them."""
    texts = np.empty(values.size, dtype=object)
    try:
        texts[:] = [value.decode() if isinstance(value, bytes) else str(value) for value in values.tolist()]
    except UnicodeDecodeError:
        raise InputError(f"{where}: bytes that are not UTF-8; expected text") from None
    return texts
