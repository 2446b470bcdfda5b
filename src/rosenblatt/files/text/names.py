r"""Names for the columns of svmlight text, which has none: a line each, the first for the first index.

>>> import tempfile, pathlib
>>> with tempfile.TemporaryDirectory() as folder:
...     path = pathlib.Path(folder, "words.txt")
...     _ = path.write_text("free\ncall\n")
...     column_names(path)
('free', 'call')
"""

import os
from collections.abc import Sequence
from typing import Any

from ...errors import InputError, plural, shown
from ..opening import InputFile


def column_names(given: Any) -> tuple[str, ...]:
    """The names in a file, plain or packed, or in a sequence. Raises `InputError`: each must be there, and once."""
    if isinstance(given, (str, os.PathLike)):
        with InputFile(given) as opened:
            return _checked(_lines(opened), lambda at: f"{opened.name}:{at + 1}")
    try:
        names = list(given)
    except TypeError:
        names = [given]
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"names must be texts, or the path of a file with one to a line, not {shown(given)}")
    return _checked(names, lambda at: f"name {at}")


def _lines(opened: InputFile) -> list[str]:
    data = opened.all_bytes()
    try:
        text = bytes(data).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = bytes(data).count(b"\n", 0, error.start) + 1
        raise InputError(f"{opened.name}:{line}: not UTF-8; expected a name") from None
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []


def _checked(names: Sequence[str], place: Any) -> tuple[str, ...]:
    if not names:
        raise InputError(f"{place(0)}: no names; expected one for each column, a line each")
    seen: dict[str, int] = {}
    for at, name in enumerate(names):
        if not name.strip():
            raise InputError(f"{place(at)}: no name; expected one for each column, a line each")
        if not name.isprintable():
            raise InputError(f"{place(at)}: {shown(name)}; expected a name without control characters")
        if (first := seen.setdefault(name, at)) != at:
            raise InputError(f"{place(at)}: {shown(name)} again, as in {place(first)}; expected names that differ")
    return tuple(names)


def check_count(name: str, names: Sequence[str], d: int, given: Any, base: int) -> None:
    """Raises `InputError` if there are fewer names than columns."""
    if len(names) >= d:
        return
    where = os.fspath(given) if isinstance(given, (str, os.PathLike)) else "names"
    raise InputError(
        f"{where}: {plural(len(names), 'name')}, but {name} has {plural(d, 'column')}, indices {base} to"
        f" {d - 1 + base}; expected a name for each{' (or --base 1?)' if base == 0 and d == len(names) + 1 else ''}"
    )
