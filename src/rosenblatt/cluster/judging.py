"""A model on a cluster: predictions stay where the rows are, and what is counted of them comes back."""

from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..data.labels import missing_labels
from ..data.rows import matrix_of
from ..data.scans import answer_of
from ..data.source import TakenRows
from ..data.two_classes import aligned
from ..errors import InputError, shown
from .door import labelled_by
from .engine import Engine
from .failures import named
from .learning import dask_engine, engine_of
from .shard import matrix_of_block, own_weights
from .sharded import ShardedSource, itself

METHODS = {"predict": None, "decision_function": np.float64, "geometric_margin": np.float64}
"""What a model can be asked of every row: the type of the answers; None: that of the labels."""


class Asked:
    """One question to a model, for a block of rows."""

    def __init__(self, model: Any, method: str) -> None:
        self.model, self.method = model, method
        self.__name__ = method  # what its tasks are called

    def __call__(self, block: Any) -> Any:
        """The answer for each row of a block."""
        if not len(block) if hasattr(block, "columns") else not block.shape[0]:
            return self.none()
        check_names(self.model, getattr(block, "columns", None))
        return getattr(self.model, self.method)(matrix_of_block(block), 1)

    @property
    def dtype(self) -> Any:
        """Of the answers."""
        return METHODS[self.method] or self.model.classes.dtype

    def none(self) -> Any:
        """The answers for no rows."""
        outputs = () if self.method == "predict" or self.model.classes.size == 2 else (int(self.model.classes.size),)
        return np.empty((0, *outputs), dtype=self.dtype)


def is_distributed(X: Any) -> bool:
    """Whether it is a collection of a cluster."""
    # By its manners, though they are Dask's: rows in memory are asked, too, where no Dask is installed.
    return hasattr(X, "to_delayed") or hasattr(X, "__dask_graph__")


def check_columns(model: Any, count: int, names: Any) -> None:
    """Raises `InputError` for rows of another number of columns than the model's, of other names or in another order.

    Where the rows or the model have no names, as many columns will do.
    """
    if count != model.weights.shape[0]:
        raise InputError(f"rows of {count} columns, and the model has {model.weights.shape[0]}")
    check_names(model, names)


def check_names(model: Any, names: Any) -> None:
    """Raises `InputError` for columns of other names than those the model was learnt from, or in another order."""
    if names is None or model.feature_names is None:
        return
    for own, known in zip(map(str, names), model.feature_names, strict=True):
        if own != known:
            raise InputError(f"column {shown(own)} where the model knows {shown(known)}: give its columns in its order")


def asked_of(client: Any, model: Any, X: Any, method: str) -> Any:
    """What a model says of the rows of a collection, as a collection: nothing is computed before it is asked for."""
    _check_table(model, X)
    asked = Asked(_bare(model), method)
    if isinstance(client, Engine):
        return client.mapped(asked, X)
    return dask_engine().mapped(asked, X)  # for which no client is needed: nothing is computed here


def _bare(model: Any) -> Any:
    """What predicts, to be sent: the state that learning goes on from is several times as large."""
    return replace(model, state=None, history=None)


def _check_table(model: Any, X: Any) -> None:
    """Raises `InputError` for a collection that is no table of the model's columns."""
    if X.ndim != 2:
        raise InputError(f"rows must form a table (n, d), not an array of {X.ndim} dimension(s)")
    check_columns(model, X.shape[1], getattr(X, "columns", None))


def _right(X: Any, y: Any, weight: Any, model: Any) -> tuple[float, float]:
    """Of a block: the weight of rows that are predicted right, and of all."""
    aligned(X, y)
    aligned(X, weight, "sample_weight")
    guess = Asked(model, "predict")(X)
    labels = np.asarray(y).reshape(-1)
    if labels.size != guess.size:
        raise InputError(f"{labels.size} labels for {guess.size} rows")
    if (bad := np.flatnonzero(missing_labels(labels))).size:
        raise InputError(f"label of row {bad[0]} of the block: {labels[bad[0]]}; every row needs a label")
    if labels.size and (labels.dtype.kind in "fiub") != (guess.dtype.kind in "fiub"):
        raise InputError(
            f"labels such as {shown(labels.tolist()[0])}, and the model has {shown(model.classes.tolist())}"
        )
    own = np.ones(guess.size) if weight is None else own_weights(weight, guess.size)
    return float(own[guess == labels].sum()), float(own.sum())


def accuracy(client: Any, model: Any, X: Any, y: Any = None, sample_weight: Any = None) -> float:
    """The share of the rows that a model predicts right, by weight. A label that it does not know is never right."""
    model = _bare(model)
    if isinstance(X, ShardedSource):
        if y is not None or sample_weight is not None:
            raise InputError("shards have their labels and weights with them: leave out y and sample_weight")
        check_columns(model, X.n_columns, X.feature_names)
        right, whole = answer_of(X, _question(model, X.classes), _added)
    else:
        right, whole = reduce(_added, _of_blocks(client, model, *labelled_by(X, y), sample_weight), (0.0, 0.0))
    if not whole:
        raise InputError("no rows to judge by, or none that weighs anything")
    return right / whole


def _question(model: Any, classes: NDArray[Any]) -> Callable[[TakenRows], tuple[float, float]]:
    """What `_right` says, as a question to rows whose labels stand for these classes."""

    def question(taken: TakenRows) -> tuple[float, float]:
        codes = taken.labels > 0 if classes.size == 2 else taken.labels
        return _right(matrix_of(taken.rows), classes[codes.astype(np.int64)], taken.weight, model)

    return question


def _added(one: tuple[float, float], later: tuple[float, float]) -> tuple[float, float]:
    return one[0] + later[0], one[1] + later[1]


def _of_blocks(client: Any, model: Any, X: Any, y: Any, sample_weight: Any) -> list[tuple[float, float]]:
    """Of each block of a collection what `_right` says."""
    if y is None:
        raise InputError("labels are missing: give y")
    _check_table(model, X)
    engine = engine_of(client)
    columns = engine.blocks(X, y, sample_weight)
    names = [f"shard {i}" for i in range(len(columns[0]))]
    found: list[Any] = named(names, lambda: engine.each(itself, engine.keep(_right, *columns, shared=model)))
    return found
