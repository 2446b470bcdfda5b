"""Several processes agree on what a list of files is, though each of them sees its own files alone.

What `stream` finds out in one pass over all files (where indices begin, which columns are text and with which levels,
means, names) is found out in three steps. Each process looks at its files (`look_at`), and says in a small value what
it saw. One of them puts these together, in the order of the files (`agreed`): then it is known what the whole is, or
who has to look again, and what to tell them. Then each opens its files as a part of that whole (shard.py), whose rows,
one file after the other, are the rows of `stream`, bit for bit.

    looked = [look_at(file, options) for file in files]
    while isinstance(found := agreed(looked), LookAgain):
        for i, known in found.known.items():
            looked[i] = look_at(files[i], options, known)
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import reduce
from typing import Any

from ..errors import InputError
from .agreed_tables import agreed_table
from .cache.key import file_facts
from .options import Options
from .parts.arrays_seen import ArraysSeen, arrays_layout
from .parts.door import input_of
from .parts.input import Input, Layout
from .parts.npy import NpyInput
from .parts.table import TableInput
from .parts.table_seen import Known, TableAgreed, TableSeen
from .parts.text import TextInput, TextSeen, text_layout
from .stream import blocks_of


@dataclass(frozen=True, eq=False)
class Looked:
    """What a look at some files tells. It holds no rows, and can be sent to another process.

    format
        None: not even that could be found out.
    facts
        What each file is known by: one that is changed later is found out.
    fault
        Why they cannot be read; it is `agreed` that raises it, if nothing is wrong with the files before.
    """

    paths: tuple[str, ...]
    options: Options
    format: str | None = None
    facts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seen: TableSeen | TextSeen | ArraysSeen | None = None
    fault: str | None = None


@dataclass(frozen=True)
class LookAgain:
    """Not agreed yet: by the number of a look, what to tell `look_at` when it looks there again."""

    known: Mapping[int, Known]


@dataclass(frozen=True, eq=False)
class Agreed:
    """What the whole is. It can be sent to another process.

    layout
        Columns, names, reading, notes; and how many rows each file has: one may have none, and is not to be opened.
    how
        What it takes to make the rows of a table; of arrays, whether all labels are whole numbers.
    told
        A digest of what makes rows other than they are without the whole; none where they are the same.
    bare
        Files of svmlight text that have rows, and no feature at all.
    """

    name: str
    format: str
    layout: Layout
    facts: Mapping[str, Mapping[str, Any]]
    how: TableAgreed | bool | None = None
    told: str = ""
    bare: frozenset[str] = frozenset()

    @property
    def rows(self) -> dict[str, int]:
        """How many rows each file has, in the order of the files."""
        return dict(self.layout.files)

    def of(self, paths: Collection[str]) -> "Agreed":
        """The same for whoever opens these files alone: of many thousands, it need not take the others along."""
        facts = {path: self.facts[path] for path in paths}
        files = tuple(one for one in self.layout.files if one[0] in facts)
        return replace(self, layout=replace(self.layout, files=files), facts=facts)


def look_at(source: Any, options: Options, known: Known | None = None, keep: bool = True) -> Looked:
    """See all rows of a file, or of some that follow each other in the list.

    source
        A path, a pattern, a folder of Parquet files, or a list of these; as for `stream`.
    known
        What `LookAgain` says; None at first.
    keep
        Whether a cache may be written on the way, where it holds what it takes: that of svmlight text does.

    It raises nothing for files that cannot be read: `fault` says so.
    """
    try:
        given = input_of(source, options)
    except InputError as error:
        return Looked((str(source),), options, fault=str(error))
    looked = Looked(given.paths, options, given.format)
    try:
        _check_shareable(given)
        facts = {path: file_facts(path) for path in given.paths}
        found = _seen(given, known or Known(), keep)
        if facts != {path: file_facts(path) for path in given.paths}:
            raise InputError(f"{given.name}: it was changed while it was read; expected a file that stays as it is")
    except InputError as error:
        return replace(looked, fault=str(error))
    return replace(looked, facts=facts, seen=found)


def _check_shareable(given: Input) -> None:
    if not given.paths or not given.again:
        raise InputError(f"{given.name}: it can be read once alone, and by one process; expected files")
    if not isinstance(given, TextInput | TableInput | NpyInput):
        raise InputError(
            f"{given.name}: {given.format} is read whole, and by one process; expected files of svmlight or VW text,"
            " CSV, Parquet, Arrow or npy: convert it"
        )


def _seen(given: Input, known: Known, keep: bool) -> TableSeen | TextSeen | ArraysSeen:
    if isinstance(given, TableInput):
        return given.look(known)
    if isinstance(given, NpyInput):
        return given.look()
    assert isinstance(given, TextInput)
    alone = TextInput(given.paths, given.format, without_names(given.options))
    try:
        if keep and alone.format == "svmlight":
            blocks = blocks_of(alone, alone.options, True, None, lambda _: None)
            facts = blocks.facts
            blocks.close()
            base = int(facts["reading"]["base"])
            return TextSeen(tuple((path, rows) for path, rows in facts["files"]), base, facts["columns"] - 1 + base)
        for _ in alone.sheets():
            pass
    except InputError:
        if alone.seen is None:  # else all was read: it has no rows, or no features, and that may be well with others
            raise
    assert alone.seen is not None
    return alone.seen


def without_names(options: Options) -> Options:
    """The same for one file of many: names are those of the whole, and it may have fewer columns."""
    return replace(options, names=None)


def agreed(looked: Sequence[Looked]) -> Agreed | LookAgain:
    """What the files are together, in this order; or who has to look again.

    Raises `InputError` as a pass over all files would: for the first file that cannot be read, that is of another
    format, or has other columns.
    """
    if not looked:
        raise InputError("no files to read; expected at least one path")
    first = looked[0]
    for one in looked:
        if one.format is None or not one.paths:
            raise InputError(str(one.fault))
        if one.format != first.format:
            what = f"{one.format}, where {first.paths[0]} is {first.format}"
            raise InputError(f"{one.paths[0]}: {what}; expected files of one format")
    paths, format, options = [path for one in looked for path in one.paths], str(first.format), first.options
    name = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
    facts = {path: fact for one in looked for path, fact in one.facts.items()}
    fault = next((one.fault for one in looked if one.fault is not None), None)
    if fault is not None:
        raise InputError(fault)
    seen: list[Any] = [one.seen for one in looked]
    if isinstance(seen[0], TextSeen):
        whole = reduce(TextSeen.followed_by, seen)
        layout = text_layout(name, format, options, options.reading.base, whole)
        bare = frozenset(path for one in seen for path, _ in one.files if format == "svmlight" and one.most < one.least)
        told = digest_of(layout.feature_names) if format == "vw" and not options.reading.hash_bits else ""
        return Agreed(name, format, layout, facts, None, told, bare)
    if isinstance(seen[0], ArraysSeen):
        arrays = reduce(ArraysSeen.followed_by, seen)
        layout = arrays_layout(name, options, arrays)
        told = digest_of(layout.reading.fill) if options.missing == "mean" else ""
        return Agreed(name, format, layout, facts, arrays.whole_labels, told)
    found = agreed_table(name, format, options, seen)
    if isinstance(found, dict):
        return LookAgain(found)
    layout, how = found
    return Agreed(name, format, layout, facts, how, _told(layout, how))


def _told(layout: Layout, how: TableAgreed) -> str:
    settled, labels = how.settled, getattr(how.columns, "labels", None)
    return digest_of(
        [
            [layout.reading.to_dict(), layout.n_columns, layout.feature_names],
            [settled.sparse, str(settled.dtype), settled.whole_labels, asdict(how.assumed)],
            [getattr(how.columns, "kinds", None), how.columns.names, None if labels is None else labels.kind],
        ]
    )


def digest_of(value: Any) -> str:
    """A digest of plain values."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:40]
