"""Coded names: a column of text becomes features `column=level`, one of sentences `column:word`. And back again."""

import re
from collections.abc import Collection

LEVEL, WORD = "=", ":"


def column_of(name: str, columns: Collection[str], marks: str = LEVEL) -> str | None:
    """The one of these columns that a feature is a value of; None if it is of none. A column may hold the mark too.

    >>> column_of("arm=C", ["arm"]), column_of("a=b=c", {"a=b"}), column_of("note:a=b", {"note"}, WORD)
    ('arm', 'a=b', 'note')
    >>> column_of("arm=C", []), column_of("age", ["age"])
    (None, None)
    """
    if not columns:
        return None
    places = (found.start() for found in re.finditer(f"[{marks}]", name))
    return next((name[:at] for at in places if name[:at] in columns), None)
