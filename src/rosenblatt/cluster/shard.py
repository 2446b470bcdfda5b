"""Shard: some of the rows, in a worker. Its rows are a source of their own; here they have numbers among all rows."""

import copy
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..data.examples import Examples, weighted
from ..data.labels import column_of, missing_labels, weights_of
from ..data.rows import check_exact, matrix_of, rows_of
from ..data.source import CHUNK, Question, Source, TakenRows, spread_chunks
from ..data.two_classes import aligned
from ..errors import InputError
from .cut import Cut, Ranges

VERSION = f"{__version__} ({sys.byteorder}-endian)"
"""What client and workers must have in common."""
_TOGETHER, _ENTRIES = 16, 2**22  # chunks that are looked at together, and numbers in them
LARGE = 2**26
"""Bytes that rows on the disk count as, at most: enough for Dask to leave them where they have been opened."""


@dataclass(frozen=True, eq=False)
class Shard:
    """Rows of a shard: a source in a worker, whose classes and columns are those of all rows."""

    place: int
    """Among all shards that were given: its seed."""
    cut: Cut
    index: int
    """Among those that have rows: its place in the cut."""
    source: Source

    def numbered(self, taken: TakenRows) -> TakenRows:
        """Rows of the source with their numbers among all rows."""
        if taken.numbers is None and isinstance(self.cut, Ranges):
            return replace(taken, first_row=self.number(taken.first_row))
        return replace(taken, numbers=self.cut.numbers(self.index, taken.row_numbers()))

    def number(self, own: int) -> int:
        """The number of one of its rows among all."""
        return int(self.cut.numbers(self.index, np.array([own]))[0])

    def __sizeof__(self) -> int:
        """For Dask, which weighs whether to move it."""
        source = self.source.original
        if isinstance(source, Examples):
            return sum(int(np.asarray(part).nbytes) for part in source.rows.arrays) + source.labels.nbytes
        return min(LARGE, source.n_rows * 8 * (16 if source.is_sparse else source.n_columns))


def own_weights(weight: Any, n: int) -> NDArray[np.float64]:
    """The sample weights of a block of n rows. Raises `InputError` for what is none."""
    found = weights_of(np.asarray(weight).reshape(-1), n) if n else None
    return np.empty(0) if found is None else found


class Block:
    """Rows and labels as they were given to a worker, before anybody knows all classes."""

    def __init__(self, given: Any) -> None:
        X, y, weight = given
        aligned(X, y)
        aligned(X, weight, "sample_weight")
        names = getattr(X, "columns", None)
        self.names = None if names is None else tuple(map(str, names))
        self.matrix = matrix_of_block(X)
        n = int(self.matrix.shape[0])
        self.n, self.d = n, int(self.matrix.shape[1])
        self.labels = np.empty(0) if not n else column_of(np.asarray(y) if hasattr(y, "to_numpy") else y, n)
        self.weight = None if weight is None else own_weights(weight, n)
        if self.labels.dtype.kind == "T":
            self.labels = np.array(self.labels.tolist())  # text of any length: as others have it
        if n and (bad := np.flatnonzero(missing_labels(self.labels))).size:
            raise InputError(f"label of row {bad[0]}: {self.labels[bad[0]]}; every row needs a label")

    def facts(self) -> dict[str, Any]:
        """What the caller asks of it."""
        try:
            values, counts = np.unique(self.labels, return_counts=True)
        except TypeError:
            said = "labels of mixed types cannot be sorted: make them all numbers or all strings"
            raise InputError(said) from None
        return {
            "rows": self.n,
            "columns": self.d,
            "sparse": not isinstance(self.matrix, np.ndarray),
            "values": values,
            "counts": counts,
            "names": self.names,
            "weighted": self.weight is not None,
        }

    def __sizeof__(self) -> int:
        return int(self.matrix.nbytes if isinstance(self.matrix, np.ndarray) else self.matrix.data.nbytes)


def matrix_of_block(X: Any) -> Any:
    """Rows of a block as an array or a sparse matrix."""
    if hasattr(X, "dtypes") and hasattr(X, "to_numpy"):  # a frame
        kinds = [(str(name), dtype) for name, dtype in zip(X.columns, X.dtypes, strict=True)]
        bad = [name for name, dtype in kinds if getattr(dtype, "kind", "O") not in "fiub"]
        if bad:
            raise InputError(
                f"column {bad[0]!r} is no column of numbers: make it one (dask.dataframe.get_dummies), leave it out, or"
                " give the files themselves, whose text is coded"
            )
        if len(set(names := [name for name, _ in kinds])) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"two columns are called {twice!r}: give each a name of its own")
        for (_, dtype), at in zip(kinds, range(len(kinds)), strict=True):
            if dtype.kind in "iu":
                check_exact(np.asarray(X.iloc[:, at]))
        X = X.to_numpy(dtype=np.float64)
    shape: tuple[int, ...] = getattr(X, "shape", ())
    return np.empty(shape) if len(shape) == 2 and not shape[0] else matrix_of(rows_of(X))


def block_of(X: Any, y: Any, weight: Any, _: Any) -> Block:
    """A block of a collection, with its labels and weights."""
    return Block((X, y, weight))


def block_of_pair(given: Any, _: Any) -> Block:
    """A block that comes with its labels: (rows, labels), or (rows, labels, weights)."""
    if not isinstance(given, (tuple, list)) or len(given) not in (2, 3):
        raise InputError(
            f"a delayed block is a {type(given).__name__}; expected (rows, labels) or (rows, labels, weights)"
        )
    return Block((*given, None)[:3])


class Agreement(NamedTuple):
    """What holds of all rows, whichever shard they are in."""

    classes: NDArray[Any]
    names: tuple[str, ...] | None
    weighted: bool
    cut: Cut


def shard_of(block: Block, place: int, index: int, agreed: Agreement) -> Shard:
    """A block as a shard."""
    examples = Examples.coded(block.matrix, block.labels, agreed.classes, agreed.names)
    weight = block.weight if block.weight is not None or not agreed.weighted else np.ones(block.n)
    source = examples if weight is None else replace(examples, weights=weight)
    return Shard(place, agreed.cut, index, weighted(source, None))


@dataclass(frozen=True)
class OnShard:
    """A function of a shard as a task calls it: with what is kept, the shard and the views of its rows.

    Views are kept beside shards, once on each worker, and put on in every task: so no rows are counted twice by Dask,
    nor moved for the sake of a view.
    """

    function: Callable[..., Any]
    version: str = VERSION
    """Of the caller."""

    def __call__(self, kept: Sequence[Any], *given: Any) -> Any:
        """The function of the shard as the views show it. Raises `InputError` on a worker that may give other bits."""
        if self.version != VERSION:
            raise InputError(f"its worker has rosenblatt {VERSION}, and the client {self.version}; expected the same")
        shard, *views = kept
        for view in views:
            shard = replace(shard, source=view(shard.source))
        return self.function(shard, *given)


def asked(shard: Shard, question: Question) -> Question:
    """A question that has seen the rows of a shard. A copy: others on the same worker are given the same one."""
    mine = copy.deepcopy(question)
    for taken in _some(shard.source, question.chunks) if question.chunks else shard.source.scan(lambda taken: taken):
        mine.see(shard.numbered(taken))
    return mine


def _some(source: Source, chunks: int) -> Iterator[TakenRows]:
    n = source.n_rows
    for chunk in spread_chunks(n, chunks).tolist():
        yield source.gather(np.arange(chunk * CHUNK, min(n, (chunk + 1) * CHUNK)))


def joined(questions: Sequence[Question]) -> Question:
    """What several questions found, in the order of their rows."""
    found = copy.deepcopy(questions[0])
    for later in questions[1:]:
        found.join(later)
    return found


def digest_of(shard: Shard, every_row: bool) -> int:
    """A number that tells the rows of a shard from others."""
    return shard.source.digest(every_row=every_row)


def gathered(shard: Shard, numbers: NDArray[np.int64]) -> tuple[Any, Any, Any]:
    """Some rows of a shard by their numbers in it: rows, labels and weights."""
    taken = shard.source.gather(np.ascontiguousarray(numbers))
    return matrix_of(taken.rows), taken.labels, taken.weight


def lines_of(shard: Shard, numbers: NDArray[np.int64]) -> Any:
    """The lines of some rows of a shard in their file; None if they have none."""
    found = getattr(shard.source.original, "lines_of", None)
    return None if found is None else found(np.ascontiguousarray(numbers))


def each_block(shard: Shard, function: Callable[..., Any]) -> list[Any]:
    """`function(first, rows, labels)` of blocks of chunks, from the first on: what a checker asks."""
    source, found = shard.source, list[Any]()
    step = max(1, min(_TOGETHER, _ENTRIES // (CHUNK * max(1, 16 if source.is_sparse else source.n_columns)))) * CHUNK
    for first in range(0, source.n_rows, step):
        numbers = np.arange(first, min(source.n_rows, first + step))
        taken = source.gather(numbers)
        found.append(function(shard.number(first), matrix_of(taken.rows), taken.labels))
    return found


def labels_of(shard: Shard, numbers: NDArray[np.int64]) -> Any:
    """The labels of some rows of a shard."""
    return shard.source.labels_of(np.ascontiguousarray(numbers))
