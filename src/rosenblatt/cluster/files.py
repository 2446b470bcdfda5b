"""Files as shards: every worker opens what it needs by itself, through a cache on its own disk.

Each file of a list, or of a folder, is a shard: workers look at their own files, and agree on what all of them are
(files/agreement.py). One file alone, or files that are to be so many shards, are shared out by rows instead: then every
worker opens all of it, and reads its portion.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple
from uuid import uuid4

from numpy.typing import NDArray

from ..errors import ClusterError, InputError
from ..files.agreement import Agreed, LookAgain, Looked, agreed, look_at
from ..files.cache.key import file_facts
from ..files.options import Options
from ..files.parts.door import input_of
from ..files.parts.table_seen import Known
from ..files.shard import all_values
from ..files.streamed import Coded
from .cut import Cut, Dealt, Ranges, ShardFacts
from .engine import Engine, Kept
from .failures import named
from .portion import Portion
from .reopened import Facts, Recipe, Reopened, check_there
from .shard import LARGE, Shard
from .sharded import FileFacts, ShardedSource

SHARDS = 8
"""Of one file, unless somebody says otherwise: whatever the number of workers, so that they do not change the model."""


def of_files(
    engine: Engine,
    source: Any,
    options: Options,
    *,
    shards: int | None = None,
    memory: int | None = None,
    dealt: bool = True,
) -> ShardedSource:
    """Files that all workers can open, as shards.

    shards
        How many; None: one for each file, or SHARDS of one file.
    dealt
        Of rows that are shared out: block by block, so that shards are alike; else in order, which verdicts and full
        batches take.
    """
    check_files(source)
    given = input_of(source, options)
    if not given.again or not given.paths:
        raise InputError(f"{given.name}: it can be read once alone, and workers read it again; expected files")
    files = Files(given.name, given.paths, tuple(map(os.path.abspath, given.paths)), _on_workers(options), memory)
    try:
        if len(files.paths) > 1 and shards is None:
            (found, facts), count = _each_a_shard(engine, files), len(files.paths)
        else:
            count = SHARDS if shards is None else shards
            found, facts = _shared_out(engine, files, count, dealt)
    except InputError as error:
        kind = type(error) if isinstance(error, ClusterError) else InputError
        raise kind(files.as_called(str(error))) from error.__cause__
    if not found.aligned:
        found.ranges = lambda: _shared_out(engine, files, count, False, facts)[0]
    return found


def check_files(source: Any) -> None:
    """Raises `InputError` for a pipe or the like: it can be read once, and whoever opens one may wait for ever."""
    for one in source if isinstance(source, (list, tuple)) else [source]:
        if os.path.exists(one) and not os.path.isfile(one) and not os.path.isdir(one):
            raise InputError(f"{os.fspath(one)}: it can be read once alone, and workers read it again; expected files")


def _on_workers(options: Options) -> Options:
    """What is asked of tasks: they read with one thread each, and have working folders of their own.

    How many threads there are on this machine says nothing of a worker, which has as many tasks at a time as threads.
    """
    names = options.names
    return replace(options, threads=1, names=os.path.abspath(names) if isinstance(names, (str, os.PathLike)) else names)


class Files(NamedTuple):
    """Files as they were called, and where they are: workers have working folders of their own."""

    name: str
    called: tuple[str, ...]
    paths: tuple[str, ...]
    options: Options
    memory: int | None

    def as_called(self, said: str) -> str:
        """What a worker says of them, in the words of whoever named them here."""
        for path, called in sorted(zip(self.paths, self.called, strict=True), reverse=True):
            said = said.replace(path, called)
        return said


def _opened_first(recipe: Recipe, _: Any) -> Reopened:
    facts = recipe.facts or {path: file_facts(path) for path in recipe.paths}
    return Reopened(replace(recipe, facts=facts))


def _facts(files: Reopened, _: Any) -> tuple[FileFacts, NDArray[Any], list[int], Facts]:
    """What files hold: their labels, too, with how many rows have each; and what they are known by."""
    found = files.streamed
    facts = FileFacts(
        found.name, found.format, found.reading, found.notes, found.details, dict(found.levels), found.hashed,
        tuple((str(path), int(rows)) for path, rows in found.blocks.facts["files"]), found.n_columns, found.is_sparse,
        found.feature_names, found.has_weights,
    )  # fmt: skip
    return facts, found.values, list(found.counted.values()), files.recipe.facts


def _shared_out(
    engine: Engine, files: Files, count: int, dealt: bool, known_by: Facts | None = None
) -> tuple[ShardedSource, Facts]:
    """Shards of all files together, and what these are known by, or were when they were first opened."""
    recipe = Recipe(uuid4().hex, files.paths, files.options, files.memory, known_by or {})
    name = files.paths if len(files.paths) == 1 else [files.name]
    # Kept until all shards are there: those of its worker share what it has opened.
    first = named(name, engine.keep, _opened_first, [recipe])
    facts, values, counts, known_by = named(name, engine.each, _facts, first)[0]
    sizes = [rows for _, rows in facts.files]
    facts = replace(facts, name=files.name, files=tuple(zip(files.called, sizes, strict=True)))
    cut: Cut = Dealt(sum(sizes), count) if dealt else Ranges.even(sum(sizes), count)
    parts = [ShardFacts(i, "", size) for i, size in enumerate(cut.sizes())]
    shared = replace(recipe, facts=known_by), cut
    kept = named([one.called for one in parts], engine.keep, _portion, list(range(len(parts))), shared=shared)
    counted = _counted(facts, values, dict(zip(values.tolist(), counts, strict=True)))
    return _source(engine, kept, parts, cut, facts, *counted), known_by


def _counted(facts: FileFacts, values: NDArray[Any], counts: Mapping[Any, int]) -> tuple[NDArray[Any], dict[Any, int]]:
    """The classes, and how many rows have each label, in their order. Raises `InputError` if there is one alone."""
    columns: Any = facts.reading.counts or ()  # of two columns of counts, the second is the negative class
    classes = Coded.of(values, facts.name, (columns[1], columns[0]) if len(columns) == 2 else ()).classes
    return classes, {label: counts[label] for label in classes.tolist()}


def _source(
    engine: Engine, kept: Sequence[Kept], parts: Sequence[ShardFacts], cut: Cut, facts: FileFacts,
    classes: NDArray[Any], counted: dict[Any, int],
) -> ShardedSource:  # fmt: skip
    return ShardedSource(
        engine, kept, parts, cut, columns=facts.columns, sparse=facts.sparse, classes=classes, counted=counted,
        names=facts.names, weighted=facts.weighted, sheet=facts,
    )  # fmt: skip


def _portion(place: int, shared: tuple[Recipe, Cut]) -> Shard:
    recipe, cut = shared
    return Shard(place, cut, place, Portion(Reopened(recipe), cut, place))


def _each_a_shard(engine: Engine, files: Files) -> tuple[ShardedSource, Facts]:
    """A shard of each file that has rows, and what all files are known by."""
    paths, called = files.paths, files.called
    recipes = [Recipe(uuid4().hex, (path,), files.options, files.memory, place=i) for i, path in enumerate(paths)]
    looks = named(paths, engine.keep, _look, recipes)
    found = _agreement(engine, paths, looks)
    layout, rows = found.layout, found.rows
    parts = [ShardFacts(i, called[i], rows[path]) for i, path in enumerate(paths) if rows.get(path)]
    if not parts:
        raise InputError(f"{files.name}: no rows; expected at least one")
    names, places = [one.called for one in parts], [one.place for one in parts]
    cut = Ranges.of([one.rows for one in parts])
    opened = named(names, engine.keep, _file_shard, [looks[i] for i in places], shared=(cut, places, found))
    seen: list[_Seen] = named(names, engine.each, _seen, opened)
    values, weighted = all_values([one.values for one in seen], found), any(one.weighted for one in seen)
    counts = dict.fromkeys(values.tolist(), 0)
    for one in seen:
        for label, count in zip(one.values.tolist(), one.counts, strict=True):
            counts[label] += count
    facts = FileFacts(
        files.name, found.format, layout.reading, tuple(layout.notes), tuple(layout.details), dict(layout.levels),
        tuple(layout.hashed), tuple((one.name, one.rows) for one in parts), layout.n_columns, seen[0].sparse,
        layout.feature_names, weighted,
    )  # fmt: skip
    counted = _counted(facts, values, counts)
    kept = named(names, engine.keep, _with_classes, opened, shared=(values, weighted))
    return _source(engine, kept, parts, cut, facts, *counted), found.facts


@dataclass(frozen=True, eq=False)
class _Look:
    """A look at a file, on a worker. The file is opened where this is: it has been read there, and may have a cache."""

    recipe: Recipe
    looked: Looked

    def __sizeof__(self) -> int:
        """For Dask, which weighs whether to move it."""
        return min(LARGE, sum(int(one["size"]) for one in self.looked.facts.values()))


def _look(recipe: Recipe, _: Any) -> _Look:
    check_there(recipe.paths)
    return _Look(recipe, look_at(recipe.paths[0], recipe.options))


def _looked(look: _Look, _: Any) -> Looked:
    return look.looked


def _looked_again(look: _Look, known: Mapping[int, Known]) -> Looked:
    return look_at(look.recipe.paths[0], look.recipe.options, known[look.recipe.place])


def _agreement(engine: Engine, paths: Sequence[str], looks: Sequence[Kept]) -> Agreed:
    """What the files are together, each being looked at where there is a worker for it."""
    looked: list[Looked] = named(paths, engine.each, _looked, looks)
    while isinstance(found := agreed(looked), LookAgain):
        again = list(found.known)
        names, kept = [paths[i] for i in again], [looks[i] for i in again]
        for i, one in zip(again, named(names, engine.each, _looked_again, kept, found.known), strict=True):
            looked[i] = one
    return found


def _file_shard(look: _Look, whole: tuple[Cut, Sequence[int], Agreed]) -> Shard:
    """A file as a shard, whose classes are those that occur in it, as long as nobody knows the others."""
    cut, places, agreed = whole
    recipe = replace(look.recipe, agreed=agreed.of(look.recipe.paths))
    return Shard(recipe.place, cut, places.index(recipe.place), Reopened(recipe))


class _Seen(NamedTuple):
    """What one file holds that is not known of the whole: its labels, and how many rows have each."""

    sparse: bool
    weighted: bool
    values: NDArray[Any]
    counts: list[int]


def _seen(shard: Any, _: Any) -> _Seen:
    found = shard.source.streamed
    return _Seen(found.is_sparse, found.has_weights, found.values, list(found.counted.values()))


def _with_classes(shard: Any, whole: tuple[NDArray[Any], bool]) -> Shard:
    made: Shard = replace(shard, source=shard.source.with_classes(*whole))
    return made
