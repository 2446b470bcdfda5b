"""Names of columns, as errors and notes list them."""

from collections.abc import Sequence

from ..errors import shown

_FIRST = 8
_ALL = 12


def first_names(names: Sequence[str]) -> str:
    """The first of them.

    >>> first_names(["a", "b"]), first_names([])
    ("'a', 'b'", 'none')
    """
    return (", ".join(map(shown, names[:_FIRST])) + (", …" if len(names) > _FIRST else "")) or "none"


def all_names(names: Sequence[str]) -> str:
    """All of them, or the first and the last, and how many there are."""
    if len(names) <= _ALL:
        return ", ".join(map(shown, names))
    return f"{', '.join(map(shown, names[: _ALL - 1]))}, …, {shown(names[-1])} ({len(names)} in all)"
