"""Writing svmlight and Vowpal Wabbit text: the values that are not 0."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, shown
from ..cells import Notes, blocks, entries, numerals, numeric_labels
from ..sheet import Sheet


def svmlight_bytes(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    """Svmlight text, its features numbered from `base`."""
    if base not in (0, 1):
        raise InputError(f"base must be 0 or 1, the index of the first feature, not {base!r}")
    labels = numerals(numeric_labels(sheet, "svmlight", notes))
    if sheet.feature_names is not None:
        notes.append(
            "svmlight holds no names: features are numbered as they come in this file, and otherwise in another;"
            " --hash-bits numbers them alike in all"
        )
    extra = _zeros_to_write(sheet, base)
    lines: list[str] = []
    for first, last in blocks(sheet):
        counts, columns, values = entries(sheet, first, last)
        if first == 0:
            counts, columns, values = _with_zeros(counts, columns, values, extra)
        items = [f" {j}:{x!r}" for j, x in zip((columns + base).tolist(), values.tolist(), strict=True)]
        lines.append(_lines(labels[first:last], counts, items))
    return "".join(lines).encode()


def _zeros_to_write(sheet: Sheet, base: int) -> list[int]:
    """Columns to be written as 0 in the first row, so that a reader finds out how many there are, and the base."""
    wanted = {sheet.rows.d - 1} if base else {0, sheet.rows.d - 1}
    for begin, end in blocks(sheet):
        columns = entries(sheet, begin, end)[1]
        wanted = {column for column in wanted if not (columns == column).any()}
    return sorted(wanted)


def _with_zeros(
    counts: NDArray[np.int64], columns: NDArray[np.int64], values: NDArray[np.float64], extra: list[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The same with zeros in these columns of the first row, where nothing is."""
    counts = counts.copy()
    for column in extra:
        at = int(np.searchsorted(columns[: counts[0]], column))
        columns, values = np.insert(columns, at, column), np.insert(values, at, 0.0)
        counts[0] += 1
    return counts, columns, values


def vw_bytes(sheet: Sheet, format: str, base: int, notes: Notes) -> bytes:
    """Vowpal Wabbit text."""
    names = sheet.feature_names or tuple(map(str, range(sheet.rows.d)))
    for name in names:
        if not name or not name.isprintable() or any(character in " :|" for character in name):
            raise InputError(f"VW text cannot hold the name {shown(name)}; expected no blanks, ':' and '|' in names")
    labels = _vw_labels(sheet, notes)
    if sheet.weights is not None and sheet.labels is not None:  # the importance is behind the label
        labels = [
            label if weight == 1 else f"{label[:-1]}{weight!r} |"
            for label, weight in zip(labels, sheet.weights.tolist(), strict=True)
        ]
    lines: list[str] = []
    for first, last in blocks(sheet):
        counts, columns, values = entries(sheet, first, last)
        items = [f" {names[j]}:{x!r}" for j, x in zip(columns.tolist(), values.tolist(), strict=True)]
        lines.append(_lines(labels[first:last], counts, items))
    return "".join(lines).encode()


def _vw_labels(sheet: Sheet, notes: Notes) -> list[str]:
    if sheet.labels is None:
        return ["|"] * sheet.rows.n
    classes = np.unique(sheet.labels)
    if classes.size == 2 and sheet.labels.dtype.kind in "fib":
        if classes.tolist() != [-1, 1]:
            notes.append(f"VW has two classes as -1 and 1: {classes[0]} is written as -1, {classes[1]} as 1")
        return [("1 |" if positive else "-1 |") for positive in (sheet.labels == classes[1]).tolist()]
    return [f"{label} |" for label in numerals(numeric_labels(sheet, "VW text", notes))]


def _lines(labels: Sequence[str], counts: NDArray[np.int64], items: list[str]) -> str:
    ends = np.cumsum(counts).tolist()
    text = "\n".join(
        label + "".join(items[begin:end]) for label, begin, end in zip(labels, [0, *ends], ends, strict=False)
    )
    return (text + "\n").replace(".0 ", " ").replace(".0\n", "\n")  # whole numbers need no point
