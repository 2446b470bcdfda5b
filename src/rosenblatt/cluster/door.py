"""The door of a cluster: collections or files come in, a `ShardedSource` goes out."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.labels import check_few, missing_labels
from ..errors import InputError, shown
from .cut import Ranges, ShardFacts
from .engine import Engine, Kept
from .failures import named
from .shard import Agreement, Block, block_of, block_of_pair, shard_of
from .sharded import ShardedSource, counted_classes


def of_blocks(engine: Engine, X: Any, y: Any = None, sample_weight: Any = None, known: Any = None) -> ShardedSource:
    """Rows of a collection, a shard for each of its blocks.

    X, y
        A Dask array and one of labels; a Dask frame, and a series or the name of its column of labels; lists of delayed
        blocks of rows and of labels; or one list of delayed pairs (rows, labels), and no y.
    known
        All labels there are, if not all need occur.
    """
    X, y = labelled_by(X, y)
    if y is None and sample_weight is None and _are_pairs(X):
        X, y, sample_weight = [*map(list, zip(*X, strict=True)), None][:3]
    if isinstance(sample_weight, str):
        raise InputError("sample_weight: expected weights, not a name")
    if y is None and not isinstance(X, (list, tuple)):
        raise InputError("labels are missing: give y, or a list of delayed blocks (rows, labels)")
    if y is None:
        (pairs,) = engine.blocks(X)
        return _settled(engine, _blocks(engine, block_of_pair, pairs), known)
    columns = engine.blocks(X, y, sample_weight)
    return _settled(engine, _blocks(engine, block_of, *columns), known)


def _are_pairs(X: Any) -> bool:
    """Whether it is a list of (rows, labels), or with weights, each of them delayed by itself."""
    if not isinstance(X, (list, tuple)) or not all(isinstance(one, tuple) for one in X):
        return False
    return {len(one) for one in X} in ({2}, {3}) and all(hasattr(part, "key") for one in X for part in one)


def labelled_by(X: Any, y: Any) -> tuple[Any, Any]:
    """Rows and labels, where those may be a column of a frame, by its name."""
    if not isinstance(y, str):
        return X, y
    if not hasattr(X, "columns"):
        raise InputError(f"y is {shown(y)}, the name of a column, and X is no frame")
    if list(X.columns).count(y) > 1:
        raise InputError(f"y is {shown(y)}, and the frame has several such columns")
    if y not in list(X.columns):
        raise InputError(f"y is {shown(y)}, and the frame has no such column")
    return X.drop(columns=[y]), X[y]


def _blocks(engine: Engine, function: Any, *columns: Sequence[Any]) -> list[Kept]:
    if not columns[0]:
        raise InputError("no blocks of rows; expected at least one")
    made: list[Kept] = named([f"shard {i}" for i in range(len(columns[0]))], engine.keep, function, *columns)
    return made


def _facts_of(block: Block, _: Any) -> dict[str, Any]:
    return block.facts()


def _settled(engine: Engine, blocks: list[Kept], labels: Any = None) -> ShardedSource:
    """Blocks as shards, once it is known what all of them hold."""
    names = [f"shard {i}" for i in range(len(blocks))]
    known: list[dict[str, Any]] = named(names, engine.each, _facts_of, blocks)
    full = [i for i, one in enumerate(known) if one["rows"]]
    if not full:
        raise InputError("all shards are empty: at least one row is needed")
    first = known[full[0]]
    for i in full:
        _check_alike(i, known[i], full[0], first)
    classes, counts = joined_classes([(f"shard {i}", known[i]["values"], known[i]["counts"]) for i in full], labels)
    shards = [ShardFacts(i, "", known[i]["rows"]) for i in full]
    cut = Ranges.of([one.rows for one in shards])
    weighs = any(known[i]["weighted"] for i in full)
    agreed = Agreement(classes, first["names"], weighs, cut)
    places = list(range(len(full)))
    kept = named(
        [names[i] for i in full], engine.keep, shard_of, [blocks[i] for i in full], full, places, shared=agreed
    )
    counted = counted_classes(list(zip(classes, counts.tolist(), strict=True)))
    return ShardedSource(
        engine, kept, shards, cut, columns=first["columns"], sparse=first["sparse"], classes=classes, counted=counted,
        names=first["names"], weighted=weighs,
    )  # fmt: skip


def _check_alike(i: int, one: dict[str, Any], j: int, first: dict[str, Any]) -> None:
    """Raises `InputError` where shards are no parts of one table."""
    if one["columns"] != first["columns"]:
        raise InputError(
            f"shard {i}: {one['columns']} columns, where shard {j} has {first['columns']}; expected as many"
        )
    if one["sparse"] != first["sparse"]:
        kinds = {True: "sparse", False: "dense"}
        raise InputError(f"shard {i}: {kinds[one['sparse']]}, where shard {j} is {kinds[first['sparse']]}")
    if one["names"] != first["names"]:
        raise InputError(f"shard {i}: columns of other names than those of shard {j}")


def _kind(labels: NDArray[Any]) -> str:
    return "number" if labels.dtype.kind in "fiub" else labels.dtype.kind


def _text_of(labels: NDArray[Any]) -> NDArray[Any]:
    """Labels that are objects, as text if they are: the same text comes as either."""
    listed = labels.tolist()
    return np.array(listed) if labels.dtype.kind == "O" and all(isinstance(one, str) for one in listed) else labels


def _all_labels(given: Any, some: NDArray[Any]) -> NDArray[Any]:
    """Labels that are said to be all there are, sorted, as those that occur are."""
    try:
        found = np.asarray([] if isinstance(given, (str, bytes)) else list(given))
        known = np.unique(found)
    except (TypeError, ValueError):
        found = known = np.empty(0)
    if found.ndim != 1 or not known.size or missing_labels(known).any():
        raise InputError(f"classes: expected a list of all labels, not {shown(given)}")
    if _kind(known) == "O" and _kind(some) == "U":
        known = _text_of(known)
    if _kind(known) != _kind(some):
        raise InputError(
            f"classes: {shown(known.tolist())}, labels of another kind than {shown(some.tolist()[0])}, which occurs"
        )
    if known.dtype.kind not in "fiub":
        return known
    with np.errstate(invalid="ignore"):
        same = known.astype(some.dtype)
    return same if np.array_equal(same, known) else known  # which the type of those that occur cannot hold


def joined_classes(
    parts: Sequence[tuple[str, NDArray[Any], Any]], known: Any = None
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The labels of all shards, sorted, and how many rows have each. ±1 are two classes though one may not occur."""
    if len({own.dtype.kind for _, own, _ in parts}) > 1:
        parts = [(name, _text_of(own), counts) for name, own, counts in parts]
    first = parts[0]
    if (other := next((name for name, own, _ in parts if _kind(own) != _kind(first[1])), None)) is not None:
        raise InputError(f"{other}: labels of another kind than those of {first[0]}: make all numbers, or all text")
    try:
        values = np.unique(np.concatenate([values for _, values, _ in parts]))
    except TypeError:
        raise InputError("labels of mixed types cannot be sorted: make them all numbers or all strings") from None
    for name, own, _ in parts:
        if own.dtype != values.dtype and not np.array_equal(own.astype(values.dtype).astype(own.dtype), own):
            raise InputError(
                f"{name}: labels of type {own.dtype}, others than as {values.dtype}, the type of all: make them of one"
            )
    if known is not None:
        all_ = _all_labels(known, first[1])
        for name, own, _ in parts:
            if (strange := own[~np.isin(own, all_)]).size:
                raise InputError(f"{name}: the label {shown(strange.tolist()[0])} is none of {shown(all_.tolist())}")
        values = all_
    if values.size == 1 and values.dtype.kind in "fi" and abs(float(values[0])) == 1:
        values = np.array([-1, 1], dtype=values.dtype)
    check_few(values)
    if values.size < 2:
        raise InputError(f"one class only: all rows carry the label {values.tolist()[0]!r}, and two are needed")
    counts = np.zeros(values.size, np.int64)
    for _, own, count in parts:
        counts[np.searchsorted(values, own)] += count
    return values, counts
