"""`cluster.learn`: the engine of `learn` on a cluster. Iterative parameter mixing, or a full batch to the same bits."""

import os
from typing import TYPE_CHECKING, Any

from ..choices import MIXINGS, one_of
from ..choices import count as count_of
from ..errors import InputError, ParameterError, install, package_of
from ..learning.learn import learn as learn_from
from ..runs.run import Run
from .door import of_blocks
from .engine import Engine
from .sharded import ShardedSource

if TYPE_CHECKING:
    from .dask_engine import DaskEngine

_READING = (
    "shards", "memory", "deal", "format", "label", "missing", "base", "hash_bits", "text", "leave_out", "header",
    "coding", "reference", "words", "weight", "counts", "names",
)  # fmt: skip
"""What `sharded` takes of files."""
DEFAULTS = {"order": "shuffled", "readout": "averaged", "scale": "standard", "threads": 1}
"""Of a run over shards, where they are not those of `learn`."""


def learn(
    client: Any,
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    mixing: str = "uniform",
    **choices: Any,
) -> Run:
    """Learn a linear classifier from rows that lie on a cluster, and say how it went. What comes back is a local run.

    client
        A `distributed.Client`; None: the one there is.
    X, y
        A Dask array (dense or sparse blocks) and one of labels; a Dask frame of numbers, and a series, or the name of
        its column of labels; lists of delayed blocks, or one of delayed pairs (rows, labels): each block is a shard.
        Or files, with what `sharded` takes of them (label, missing, shards, …), or what that made.
    mixing
        How the weights that shards have learnt in an epoch are mixed: "uniform", or by their "mistakes".
    choices
        Those of `learn`. By default order="shuffled" within each shard, readout="averaged", scale="standard", and
        threads=1, of a task on a worker. batch_size="all" gives the very weights of one machine (order="cyclic").

    The same shards and seed give the same bits, whatever the number of workers.
    """
    reading = {name: choices.pop(name) for name in _READING if name in choices}
    _check(mixing, choices)  # before files are opened
    source = sharded(client, X, y, sample_weight=sample_weight, **reading)
    return learn_sharded(source, mixing=mixing, **choices)


def learn_sharded(source: ShardedSource, *, mixing: str = "uniform", **choices: Any) -> Run:
    """The same of shards that are there."""
    _check(mixing, choices)
    exact = isinstance(choices.get("batch_size"), str) and choices["batch_size"] == "all"
    usual = {**DEFAULTS, "order": "cyclic"} if exact else DEFAULTS
    return learn_from(source.set(mixing=mixing), **{**usual, **choices})


def _check(mixing: Any, choices: dict[str, Any]) -> None:
    """Raises `InputError` for what no run over shards takes, as it was given; driver.py asks the plan that it makes."""
    one_of("mixing", mixing, MIXINGS)
    if choices.get("rule") == "auto":
        raise ParameterError(
            "choosing a rule holds rows out, and is not offered on a cluster: name one, {rule:perceptron}"
        )
    if choices.get("marks"):
        raise ParameterError("marks are counts of the rows of one run, and shards run side by side: leave them out")
    kept = choices.get("readout", ())
    if "voted" in ([kept] if isinstance(kept, str) else kept):
        raise ParameterError("a vote is made of the rows of one run, and shards have many: use {readout:averaged}")


def sharded(
    client: Any,
    X: Any,
    y: Any = None,
    *,
    sample_weight: Any = None,
    classes: Any = None,
    shards: int | None = None,
    memory: int | str | None = None,
    deal: bool = True,
    **reading: Any,
) -> ShardedSource:
    """Rows on a cluster as a source: for `learn`, `separability`, `max_margin`, `least_mistakes` and `verify`.

    X, y, sample_weight
        Collections, as for `learn`; or files that every worker can open, a path, a pattern, a list, or a folder of
        Parquet files, and no y. Then `reading` are the arguments of `rosenblatt.read`: label, missing, …
    classes
        All labels there are, of collections in which not all need occur.
    shards
        Of files: how many. None: each file is a shard; one file is cut into 8. Every worker opens all files where they
        are not one for each shard.
    memory
        Of files: bytes that each shard may take on a worker, as for `stream`.
    deal
        Of files that are cut: whether blocks of rows are dealt to the shards in turn, so that shards are alike. Else a
        shard has rows that follow each other.
    """
    of_files_alone = {"shards": shards, "memory": memory, "deal": None if deal else deal, **reading}
    if isinstance(X, ShardedSource):
        given = {"y": y, "sample_weight": sample_weight, "classes": classes, **of_files_alone}
        if (what := _given(given)) is not None:
            raise InputError(f"{what}: shards that are there have their labels, weights and cut: leave it out")
        return X
    engine = engine_of(client)
    if not _are_files(X):
        if (what := _given(of_files_alone)) is not None:
            instead = "give the labels as y, a series or the name of a column" if what == "label" else "leave it out"
            raise InputError(f"{what} is for files, and these are {type(X).__name__}: {instead}")
        return of_blocks(engine, X, y, sample_weight, classes)
    if y is not None or sample_weight is not None:
        raise InputError("files have their labels and weights with them: say which columns, label= and weight=")
    if "threads" in reading:
        raise InputError("threads: workers read with one in each task; leave it out")
    if classes is not None:
        raise InputError(
            "classes are for collections: all labels of files are found when they are opened; leave it out"
        )
    from ..files.options import options_of
    from ..files.stream import memory_of
    from .files import of_files

    most = None if memory is None else memory_of(memory)
    count = None if shards is None else count_of("shards", shards)
    return of_files(engine, X, options_of(**reading), shards=count, memory=most, dealt=deal)


def _given(choices: dict[str, Any]) -> str | None:
    """The first of these that somebody has chosen."""
    return next((name for name, value in choices.items() if value is not None), None)


def _are_files(X: Any) -> bool:
    some = X if isinstance(X, (list, tuple)) else [X]
    return bool(some) and all(isinstance(one, (str, os.PathLike)) for one in some)


def engine_of(client: Any) -> Engine:
    """The cluster of a client."""
    return client if isinstance(client, Engine) else dask_engine()(client)


def dask_engine() -> "type[DaskEngine]":
    """The engine that knows Dask. Raises `ModuleNotFoundError`, which says how to install it."""
    try:
        from .dask_engine import DaskEngine
    except ModuleNotFoundError as error:
        missing = (error.name or "dask").partition(".")[0]
        said = f"a cluster needs {package_of(missing)}: {install(missing)}"
        raise ModuleNotFoundError(said, name=error.name) from None
    return DaskEngine
