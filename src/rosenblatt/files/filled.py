"""What is said of missing values that were filled: how many, in which columns, and by what."""

from collections.abc import Sequence
from typing import NamedTuple

from ..errors import plural, shown

MEAN, ZERO = "the mean of their column", "0"


class Lacking(NamedTuple):
    """A column with values missing: how many, whether it holds text, and the level they were taken for, if one."""

    name: str
    many: int
    is_text: bool = False
    level: str | None = None


def filled_note(columns: Sequence[Lacking], n: int, missing: str) -> list[str]:
    """One sentence, if anything was filled; n rows are there, and `missing` is "zero" or "mean".

    >>> filled_note([Lacking("age", 3), Lacking("arm", 1, True)], 20, "mean")[0][:41]
    '4 missing values filled in 2 columns: num'
    >>> filled_note([Lacking("age", 1)], 20, "zero")
    ["1 missing value of 20 filled in column 'age': by 0"]
    """
    if not columns:
        return []
    most = max(columns, key=lambda column: column.many)
    total = sum(column.many for column in columns)
    values = plural(total, "missing value").replace(str(total), f"{total:,}", 1)
    if len(columns) == 1:
        by = "by 0" if missing == "zero" else "by its mean"
        if most.is_text:
            by = "as none of its levels" if most.level is None else f"as {shown(most.level)}, its reference level"
        return [f"{values} of {n:,} filled in column {shown(most.name)}: {by}"]
    said = []
    if any(not column.is_text for column in columns):
        said.append(f"numbers by {ZERO if missing == 'zero' else MEAN}")
    if any(column.level is not None for column in columns):
        said.append("text as its reference level")
    if any(column.is_text and column.level is None for column in columns):
        said.append("text as none of its levels")
    where = f"({shown(most.name)} lacks most: {most.many:,} of {n:,})"
    return [f"{values} filled in {len(columns):,} columns: {', '.join(said)} {where}"]
