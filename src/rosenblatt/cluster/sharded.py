"""ShardedSource: rows that lie in shards on the workers of a cluster. Nobody gathers them.

A question goes to every shard, and what it found comes back joined, in the order of the rows: never more than the
question keeps. Some rows can be had by their numbers. What needs all rows one after the other is refused by name.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.classes import AgainstRest
from ..data.csr import stacked
from ..data.rows import rows_of
from ..data.source import CHUNK, Answer, Asked, Ints, Labels, Source, TakenRows, Visit
from ..errors import InputError
from ..report.plain import plain
from . import shard as on_shard
from .cut import Cut, ShardFacts
from .engine import Engine, Kept
from .failures import named
from .left_behind import LeftBehind
from .shard import OnShard

_MOST = 2**25  # numbers that rows asked for together may have, or as many as a chunk has; of sparse ones, rows
_SUMS = 2**17  # columns of all shards that a checker asks together: of each it may be told a sum of a kilobyte


@dataclass(frozen=True)
class FileFacts:
    """What files hold, as a sheet says it; and which they are, with the rows of each."""

    name: str
    format: str
    reading: Any
    notes: tuple[str, ...]
    details: tuple[str, ...]
    levels: dict[str, int]
    hashed: tuple[str, ...]
    files: tuple[tuple[str, int], ...]
    columns: int
    sparse: bool
    names: tuple[str, ...] | None
    weighted: bool


class ShardedSource(Source):
    """Rows in shards.

    engine, kept, shards
        The cluster, the shards as it keeps them, and what is known of each.
    counted
        Each label, and how many rows have it.
    """

    def __init__(
        self,
        engine: Engine,
        kept: Sequence[Kept],
        shards: Sequence[ShardFacts],
        cut: Cut,
        *,
        columns: int,
        sparse: bool,
        classes: NDArray[Any],
        counted: dict[Any, int],
        names: tuple[str, ...] | None,
        weighted: bool,
        sheet: Any = None,
    ) -> None:
        from .driver import ShardDriver

        self.engine, self.shards = engine, tuple(shards)
        self.kept: list[list[Kept]] = [one if isinstance(one, list) else [one] for one in kept]
        """Of each shard what tasks are given: itself, and the views of its rows (`OnShard`)."""
        self.columns, self.sparse, self.sheet = columns, sparse, sheet
        self.classes, self.counted, self.feature_names, self.has_weights = classes, counted, names, weighted
        self.cut = cut
        self.driver = ShardDriver
        self.mixing = "uniform"
        """How a run mixes what shards have learnt: mixing.py."""
        self.in_order = False
        """Whether questions go from shard to shard, and make the very sums that one machine makes: for full batches."""
        self.ranges: Callable[[], ShardedSource] | None = None
        """Opens the same rows in shards that begin at multiples of 4,096 rows, if these do not and that can be done."""
        self._before: ShardedSource | None = None
        self._steps: tuple[Callable[[ShardedSource], ShardedSource], ...] = ()
        """The views, in order, that make this source of the shards as they were opened."""
        self._digests = dict[bool, int]()

    @property
    def name(self) -> str:
        """What errors call it."""
        return "rows on a cluster" if self.sheet is None else str(self.sheet.name)

    @property
    def format(self) -> str:
        """What the files are read as."""
        return "" if self.sheet is None else str(self.sheet.format)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say of the files."""
        return () if self.sheet is None else tuple(self.sheet.notes)

    @property
    def details(self) -> tuple[str, ...]:
        """What else there is to say."""
        return () if self.sheet is None else tuple(self.sheet.details)

    @property
    def levels(self) -> dict[str, int]:
        """Of columns of text, how many values they have."""
        return {} if self.sheet is None else dict(self.sheet.levels)

    @property
    def hashed(self) -> tuple[str, ...]:
        """The names of hashed features, if they are kept."""
        return () if self.sheet is None else tuple(self.sheet.hashed)

    @property
    def reading(self) -> Any:
        """How the files were read."""
        return None if self.sheet is None else self.sheet.reading

    @property
    def n_rows(self) -> int:
        """How many rows."""
        return self.cut.n_rows

    @property
    def n_columns(self) -> int:
        """How many features."""
        return self.columns

    @property
    def is_sparse(self) -> bool:
        """Whether rows come in CSR form."""
        return self.sparse

    @property
    def aligned(self) -> bool:
        """Whether every shard begins with a chunk of all rows."""
        return self.cut.aligned

    @property
    def original(self) -> "ShardedSource":
        """The rows as they were given."""
        return self if self._before is None else self._before.original

    def _changed(self, **changes: Any) -> "ShardedSource":
        """The same but for these attributes."""
        made = object.__new__(type(self))
        vars(made).update(vars(self), **changes)
        vars(made).pop("cut_at_chunks", None)  # which is of the rows as they are here
        return made

    def set(self, *, mixing: str, in_order: bool = False) -> "ShardedSource":
        """The same rows; how runs mix, and whether sums are made in the order of all rows."""
        return self._changed(mixing=mixing, in_order=in_order)

    def viewed(self, view: Callable[[Source], Source]) -> "ShardedSource":
        """The rows as a view shows them, on the workers."""
        shown = view(self)  # which says what it makes of them
        return self._changed(
            kept=self._beside(view), _steps=(*self._steps, lambda source: source.viewed(view)),
            _before=self, scaling=shown.scaling, has_weights=shown.has_weights,
        )  # fmt: skip

    def against_rest(self, one: AgainstRest, names: tuple[str, ...] | None) -> "ShardedSource":
        """The same rows, of two classes: one label against all others; and with these names of their columns."""
        return self._changed(
            kept=self._beside(_AgainstRest(one, names)),
            _steps=(*self._steps, lambda source: source.against_rest(one, names)),
            _before=None, _digests={}, classes=one.classes, feature_names=names,
        )  # fmt: skip

    def _beside(self, view: Callable[[Any], Source]) -> list[list[Kept]]:
        """What is kept, and a view beside it."""
        (kept,) = self.engine.keep(itself, [view])
        return [[*one, kept] for one in self.kept]

    def in_shards(self, kept: Sequence[Kept], shards: Sequence[ShardFacts], cut: Cut) -> "ShardedSource":
        """The same rows in other shards, which have no views on yet; this source's are put on them."""
        beside = self.kept[0][1:]
        return self._changed(kept=[[one, *beside] for one in kept], shards=tuple(shards), cut=cut, _digests={})

    def named(self, call: Callable[..., Any], *given: Any, **more: Any) -> Any:
        """What the engine is asked for, of all shards; an error names the shard."""
        return named([one.called for one in self.shards], call, *given, **more)

    def ask(self, question: Asked) -> Asked:
        """The question once it has seen all rows, where they are."""
        engine, kept, before = self.engine, self.kept, self.engine.waiting
        if (pause := getattr(question, "pause", None)) is not None:
            engine.waiting = lambda done, of: pause()  # which raises where time is up, or somebody said so
        asked = OnShard(on_shard.asked)
        try:
            if self.in_order and question.in_order:
                found: Asked = self.named(engine.chained, asked, kept, question)
            else:
                found = self.named(engine.joined, asked, on_shard.joined, kept, question)
        finally:
            engine.waiting = before
        return found

    def _by_shard(self, numbers: Ints) -> Iterator[tuple[int, Ints, Ints]]:
        """Of each shard that has some of these rows, the places in `numbers`, and their numbers in the shard."""
        which, own = self.cut.places(numbers)
        for i in np.unique(which).tolist():
            places = np.flatnonzero(which == i)
            yield i, places, own[places]

    def _of_shards(self, function: Callable[..., Any], numbers: Ints) -> tuple[list[Any], list[Ints]]:
        """What a function finds of these rows in each shard that has some, all at once; and their places."""
        if not numbers.size:
            return [], []
        which, places, own = zip(*self._by_shard(numbers), strict=True)
        names, kept = [self.shards[i].called for i in which], [self.kept[i] for i in which]
        asked = OnShard(_Picked(function)), kept, dict(zip(which, own, strict=True))
        return named(names, self.engine.each, *asked), list(places)

    def gather(self, numbers: Ints) -> TakenRows:
        """A few rows by their numbers, in this order."""
        if numbers.size * (1 if self.sparse else self.columns) > _MOST and numbers.size > CHUNK:
            raise InputError(f"{numbers.size} rows at once, of rows that lie on a cluster; expected a few")
        if not numbers.size:
            raise InputError("no rows to gather; expected some")
        parts, places = self._of_shards(on_shard.gathered, numbers)
        back = np.argsort(np.concatenate(places), kind="stable")
        matrices = [matrix for matrix, _, _ in parts]
        rows = (stacked(matrices) if self.sparse else np.concatenate(matrices))[back]
        labels = np.concatenate([labels for _, labels, _ in parts])[back]
        weight = np.concatenate([weight for _, _, weight in parts])[back] if self.has_weights else None
        return TakenRows(rows_of(rows), labels, weight, numbers=numbers)

    def labels_of(self, numbers: Ints) -> Labels:
        """The labels of the rows of these numbers."""
        found: Any = np.empty(numbers.size, np.int8 if self.classes.size == 2 else np.int32)
        for part, places in zip(*self._of_shards(on_shard.labels_of, numbers), strict=True):
            found[places] = part
        labels: Labels = found
        return labels

    def lines_of(self, numbers: Ints) -> Ints | None:
        """The line of each of these rows in its file, from 1; None if rows have no lines."""
        found = np.zeros(numbers.size, np.int64)
        for lines, places in zip(*self._of_shards(on_shard.lines_of, numbers), strict=True):
            if lines is None:
                return None
            found[places] = lines
        return found

    def file_of(self, row: int) -> str:
        """The file that a row is in; of rows from elsewhere, its shard."""
        if self.sheet is None:
            return self.shards[int(self.cut.places(np.array([row]))[0][0])].called
        for path, count in self.sheet.files:
            if row < count:
                return str(path)
            row -= count
        return str(self.sheet.name)

    def files_of(self, numbers: Ints) -> list[str] | None:
        """The file that each of these rows is in; None if all are in one."""
        if self.sheet is None or len(self.sheet.files) < 2:
            return None
        return [self.file_of(row) for row in numbers.tolist()]

    def place_of(self, row: int) -> str:
        """The file and the line of a row, as errors name it."""
        lines = self.lines_of(np.array([row]))
        return f"{self.file_of(row)}: row {row}" if lines is None else f"{self.file_of(row)}:{lines[0]}"

    @property
    def each_block(self) -> Callable[[Callable[..., Any]], Iterator[Any]] | None:
        """What the checker asks, where it can be asked of the shards: proof/blocks.py."""
        return self._each_block

    def _each_block(self, function: Callable[..., Any]) -> Iterator[Any]:
        source = self.cut_at_chunks
        if not source.aligned:
            raise self._refusal()
        together = max(1, _SUMS // max(1, self.columns))
        for first in range(0, len(source.shards), together):
            some, asked = slice(first, first + together), OnShard(on_shard.each_block)
            names = [one.called for one in source.shards[some]]
            for found in named(names, self.engine.each, asked, source.kept[some], function):
                yield from found

    @cached_property
    def cut_at_chunks(self) -> "ShardedSource":
        """The same rows in shards that begin at multiples of 4,096 rows; itself, where rows were dealt for good.

        Files are opened so; of rows elsewhere, those before such a row go to the shard before.
        """
        from .recut import cut_anew

        if self.aligned:
            return self
        if self.ranges is None:
            return cut_anew(self)
        found = self.ranges()
        for step in self._steps:
            found = step(found)
        return found.set(mixing=self.mixing, in_order=self.in_order)

    def label_parts(self) -> Iterator[Labels]:
        """Refused: there are as many as rows."""
        raise self._refusal()

    def take(self, visit: Visit) -> TakenRows:
        """Refused: learning goes to the shards."""
        raise self._refusal()

    def scan(self, question: Callable[[TakenRows], Answer]) -> Iterator[Answer]:
        """Refused: see `ask`."""
        raise self._refusal()

    def _refusal(self) -> InputError:
        return InputError("this takes all rows one after the other, and they lie on a cluster: not offered there")

    def digest(self, *, every_row: bool = False) -> int:
        """A number that tells data apart, and how they are cut into shards. Asked for once."""
        if every_row not in self._digests:
            found = self.named(self.engine.each, OnShard(on_shard.digest_of), self.kept, every_row)
            text = repr([(one.place, one.rows, digest) for one, digest in zip(self.shards, found, strict=True)])
            self._digests[every_row] = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
        return self._digests[every_row]

    @property
    def gone(self) -> bool:
        """Whether nobody can be asked any more: the cluster was left."""
        return self.engine.is_closed

    def __reduce__(self) -> Any:
        """What goes elsewhere, in a run that is saved or sent, is what is known of the rows."""
        shape = self.n_rows, self.n_columns
        return LeftBehind, (self.name, shape, self.sparse, self.classes, self.feature_names, self.has_weights)

    def __repr__(self) -> str:
        kind = "sparse" if self.is_sparse else "dense"
        shape = f"{self.n_rows} × {self.n_columns}, {kind}, {self.classes.size} classes"
        return f"<ShardedSource: {shape}, in {len(self.shards)} shards>"


@dataclass(frozen=True, eq=False)
class _AgainstRest:
    """A view of files, in a worker: one label against all others."""

    one: AgainstRest
    names: tuple[str, ...] | None

    def __call__(self, source: Any) -> Source:
        made: Source = source.against_rest(self.one, self.names)
        return made


@dataclass(frozen=True)
class _Picked:
    """A function of a shard and some of its rows, whose numbers are among those of all shards."""

    function: Callable[..., Any]

    def __call__(self, shard: Any, numbers: dict[int, Ints]) -> Any:
        return self.function(shard, numbers[shard.index])


def itself(value: Any, _: Any) -> Any:
    """A value as it is: to be kept, or to come back."""
    return value


def counted_classes(values: Sequence[Any]) -> dict[Any, int]:
    """Labels in plain values, and how many rows have each."""
    return {plain(label): count for label, count in values}
