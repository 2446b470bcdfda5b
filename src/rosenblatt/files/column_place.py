"""Which column is meant, by its name or its position: the one rule for labels and weights, in tables and arrays.

A whole number is a position, from 0, or from the end if it is negative; any other text is a name. Text that is a number
is a position too; where another column has that name, and both are there, it is asked which: `name:6`, `position:6`.
"""

import re
from collections.abc import Sequence

from ..errors import InputError, shown
from .names import all_names

_POSITION = re.compile("[+-]?[0-9]{1,9}")


def column_place(where: str, asked: str | int, names: Sequence[str] | None, count: int, option: str = "label") -> int:
    """The position of the column that is asked for, among so many; `names` are theirs, if they have any.

    Raises `InputError` if there is none, or if it is not clear which.

    >>> column_place("t.csv", "dose", ("age", "dose", "ill"), 3), column_place("t.csv", "-1", ("age", "dose", "ill"), 3)
    (1, 2)
    >>> column_place("t.csv", "name:2", ("id", "0", "1", "2"), 4)
    3
    """
    known = tuple(names or ())
    if isinstance(asked, int):
        return _in_range(where, asked, count, option)
    kind, _, rest = asked.partition(":")
    if asked not in known and kind == "name" and rest in known:
        return known.index(rest)
    if asked not in known and kind == "position" and _POSITION.fullmatch(rest):
        return _in_range(where, int(rest), count, option)
    if not _POSITION.fullmatch(asked):
        if asked in known:
            return known.index(asked)
        there = f"columns are {all_names(known)}" if known else "columns have no names here: give a position"
        raise InputError(f"{where}: no column {shown(asked)}; {there}")
    if asked not in known:
        return _in_range(where, int(asked), count, option)
    named, place = known.index(asked), int(asked)
    if -count <= place < count and place % count != named:
        raise InputError(
            f"{where}: column {named} is named {shown(asked)}, and column {place} {shown(known[place])}; say which:"
            f" --{option} name:{asked} or --{option} position:{asked} ({option}=)"
        )
    return named


def clear_name(names: Sequence[str], place: int) -> str:
    """The name of a column as `column_place` finds it again: `name:6` where 6 would mean another one, too.

    >>> clear_name(("id", "6"), 1), clear_name(("a", "b", "0"), 2)
    ('6', 'name:0')
    """
    name = names[place]
    at = int(name) if _POSITION.fullmatch(name) else place
    return f"name:{name}" if -len(names) <= at < len(names) and at % len(names) != place else name


def _in_range(where: str, place: int, count: int, option: str) -> int:
    if not -count <= place < count:
        said = f"where the {option} {'are' if option == 'words' else 'is'} said to be"
        raise InputError(f"{where}: no column {place}, {said}; expected 0 to {count - 1}, or -1 for the last one")
    return place % count
