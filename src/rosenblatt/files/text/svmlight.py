"""svmlight and LIBSVM text. The grammar and the work are in src/core/svmlight.hpp."""

import os
from collections.abc import Iterator
from typing import Any

from ... import _core
from ...errors import InputError
from ..numbers import whole_numbers
from ..opening import InputFile
from ..options import Options
from ..reading import Reading
from ..sheet import Sheet
from .faults import fault
from .names import check_count, column_names

_AT_ONCE = 2**27  # bytes, between looks for Ctrl-C: some tenths of a second


def read_svmlight(opened: InputFile, options: Options) -> Sheet:
    """Rows and labels; features have the names that are given, or none.

    Where they count from is found out over the whole file, or given.
    """
    options.refuse(opened.name, "svmlight", "svmlight")
    bits = options.reading.hash_bits
    reader = feed_all(_core.Svmlight(options.reading.base != 1, bits or 0, options.threads), opened)
    base = options.reading.base if options.reading.base is not None else 0 if reader.least == 0 else 1
    d = 2**bits if bits else int(reader.most) + 1 - base
    names = _names(opened.name, options, d, base)
    values, columns, starts, labels, lines = reader.take(base == 0 and not bits)
    reading = Reading(format="svmlight", base=base, hash_bits=bits)
    rows = rows_of_parts(opened.name, values, columns, starts, d if names is None or d <= 0 else len(names))
    return Sheet(opened.name, "svmlight", rows, whole_numbers(labels), names, lines, reading)


def _names(name: str, options: Options, d: int, base: int) -> tuple[str, ...] | None:
    """Names for the columns, if some are given: as many as there are, or more."""
    if options.names is None:
        return None
    if options.reading.hash_bits:
        raise InputError(f"{name}: hashed features have no names; expected --names (names=) or --hash-bits, not both")
    names = column_names(options.names)
    check_count(name, names, d, options.names, base)
    return names


def feed_all(reader: Any, opened: InputFile) -> Any:
    """The reader, after all of the file."""
    for wrong in (
        _feed_plain_file(reader, opened) if opened.plain_path is not None else map(reader.feed, opened.blocks())
    ):
        if wrong is not None:
            raise fault(opened.name, *wrong)
    if (wrong := reader.finish()) is not None:
        raise fault(opened.name, *wrong)
    return reader


def _feed_plain_file(reader: Any, opened: InputFile) -> Iterator[Any]:
    """Hand the file itself to the core, some of it at a time: what is wrong, or None, after each."""
    yield reader.feed(opened.take_peeked())
    while True:
        taken, error, wrong = reader.feed_from(opened.descriptor, _AT_ONCE)
        if error:
            raise InputError(f"{opened.name}: {os.strerror(error)}; expected a file that can be read")
        opened.count_read(taken, _AT_ONCE)
        yield wrong
        if taken < _AT_ONCE:
            opened.count_read(0, 1)
            return


def rows_of_parts(name: str, values: Any, columns: Any, starts: Any, d: int) -> _core.Rows:
    """The rows of parts that the core made, which are sorted already."""
    n = starts.size - 1
    if n == 0:
        raise InputError(f"{name}: no rows; expected at least one")
    if d <= 0:
        raise InputError(f"{name}: no features; every row is a label alone")
    rows, flaw, row, value = _core.Rows.sparse(values, columns, starts, n, d, owned=True)
    if rows is None:
        raise AssertionError(f"{name}: {flaw} at row {row}: {value}")
    return rows
