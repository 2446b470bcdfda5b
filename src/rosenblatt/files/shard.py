"""A shard: some of many files as a source of rows, in the columns of the whole that was agreed on (agreement.py).

Its rows come out of a cache of its own, as `stream` makes one. That of svmlight text holds indices as they stand in the
file, so that where they begin, and how many there are, can be said of the whole afterwards; so do hashed features and
arrays. All others are written in the columns of the whole, and belong to that agreement.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from ..errors import InputError
from .agreement import Agreed, digest_of, without_names
from .cache.key import file_facts
from .cache.labels import LabelCodes
from .options import Options
from .parts.door import input_of
from .parts.input import Input
from .parts.npy import NpyInput
from .parts.table import TableInput
from .parts.table_seen import TableAgreed
from .parts.text import TextInput
from .stream import blocks_of
from .streamed import Coded, StreamedSource, label_values


def stream_as(
    source: Any,
    options: Options,
    agreed: Agreed,
    memory: int | None = None,
    keep: bool = True,
    values: NDArray[Any] | None = None,
) -> StreamedSource:
    """The rows of some of the files, as they are in the whole.

    source, options
        Those of the look at them.
    memory, keep
        As for `stream`: bytes, and whether the cache is kept for the next time.
    values
        All labels of the whole (`all_values`), which say what the classes are; None: not known yet, and classes are
        those that occur here, be it one. `in_classes` tells later.

    Raises `InputError` for a file that was not looked at, that has changed since, and one without rows.
    """
    given = _taken(source, options, agreed)
    check_unchanged(given.paths, agreed.facts)

    def make(how: Options) -> Input:
        return _taken(list(given.paths), how, agreed)

    blocks = blocks_of(given, without_names(options), keep, None, None, make)
    check_unchanged(given.paths, agreed.facts)
    blocks.within(lambda facts: _facts(facts, agreed))
    found = StreamedSource(blocks, memory, Coded.alone(label_values(blocks.facts)))
    return found if values is None else in_classes(found, values, agreed)


def all_values(values: Iterable[NDArray[Any]], agreed: Agreed) -> NDArray[Any]:
    """All labels of the whole, of the type that they have together: `values` are those of each part of it."""
    codes = LabelCodes(agreed.name)
    for some in values:
        codes.of(some, 0)
    return codes.array()


def in_classes(source: StreamedSource, values: NDArray[Any], agreed: Agreed, weighted: bool = False) -> StreamedSource:
    """The same rows with the classes of the whole, whose labels are `values`.

    `weighted`: whether some row of the whole has a weight that is not 1. Raises `InputError` if all have one label.
    """
    counts = source.reading.counts or ()
    order = (counts[1], counts[0]) if len(counts) == 2 else ()
    found = StreamedSource(source.blocks, source.memory, Coded.within(source.values, values, agreed.name, order))
    found.has_weights = found.has_weights or (weighted and bool(source.blocks.facts["form"]["weights"]))
    return found


def _taken(source: Any, options: Options, agreed: Agreed) -> Input:
    """The input of some of the files, which knows what the whole is, where that makes other rows of them."""
    if isinstance(agreed.how, TableAgreed):
        options = replace(options, reading=replace(options.reading, header=agreed.how.header))
    given = input_of(source, without_names(options))
    strange = next((path for path in given.paths if path not in agreed.facts), None)
    if strange is not None or not given.paths:
        raise InputError(f"{strange or given.name}: not among the files that were looked at; expected {agreed.name}")
    if not any(agreed.rows[path] for path in given.paths):
        raise InputError(f"{given.name}: no rows to learn from; expected it to be left out")
    if isinstance(given, TableInput) and isinstance(agreed.how, TableAgreed):
        given.take_over(agreed.layout, agreed.how)
        given.told = agreed.told
    elif isinstance(given, NpyInput) and agreed.told:
        given.take_over(agreed.layout, bool(agreed.how))
        given.told = agreed.told
    elif isinstance(given, TextInput) and (agreed.told or agreed.bare.issuperset(given.paths)):
        given.take_over(agreed.layout)
        given.told = agreed.told or digest_of([agreed.layout.n_columns, agreed.layout.reading.base])
    return given


def check_unchanged(paths: Iterable[str], facts: Mapping[str, Mapping[str, Any]]) -> None:
    """Raises `InputError` for a file that is not what these facts tell of it.

    On another machine it may be a copy, of another time: there its size and samples of its bytes have to do.
    """
    for path in paths:
        now, then = file_facts(path), facts[path]
        same = [name for name in ("size", "sample") if now[name] != then[name]] == []
        if not same or (now["number"] == list(then["number"]) and now["changed"] != then["changed"]):
            raise InputError(f"{path}: it has changed since it was looked at; expected a file that stays as it is")


def _facts(facts: Mapping[str, Any], agreed: Agreed) -> dict[str, Any]:
    """What the facts of a cache are in the whole."""
    layout = agreed.layout
    return {
        "columns": layout.n_columns,
        # Indices that were read from 0 on begin where those of the whole do.
        "first_column": layout.reading.base or 0 if facts["first_column"] else 0,
        "reading": layout.reading.to_dict(),
        "feature_names": None if layout.feature_names is None else list(layout.feature_names),
        "notes": list(layout.notes),
        "details": list(layout.details),
        "levels": dict(layout.levels),
        "hashed": list(layout.hashed),
    }
