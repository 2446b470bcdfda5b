"""Rows cut into shards, runs over them in this process, and whether two runs are the same to the last bit."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rosenblatt import Run, cluster
from rosenblatt.cluster.engine import Here

PLAIN = {"order": "cyclic", "scale": "none"}


def cut(rows: Any, sizes: Sequence[int]) -> list[Any]:
    """Blocks of these sizes, one behind the other; what is left over is the last."""
    ends = np.cumsum([0, *sizes]).tolist()
    blocks = [rows[first:last] for first, last in pairwise(ends)]
    return blocks + ([rows[ends[-1] :]] if ends[-1] < rows.shape[0] else [])


def even(n: int, shards: int) -> list[int]:
    """The sizes of so many shards of n rows, about as large as each other."""
    return [len(part) for part in np.array_split(np.arange(n), shards)]


def learn_here(X: Any, y: Any, sizes: Sequence[int], **choices: Any) -> Run:
    """A run over shards without a cluster."""
    weight = choices.pop("sample_weight", None)
    weights = None if weight is None else cut(weight, sizes)
    return cluster.learn(Here(), cut(X, sizes), cut(y, sizes), sample_weight=weights, **choices)


def two_classes(seed: int, n: int = 60, d: int = 5, noise: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    """Real numbers, nearly separable."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X @ rng.normal(size=d) + 0.2 > 0, 1, -1)
    return X, np.where(rng.random(n) < noise, -y, y)


def three_classes(seed: int, n: int = 60, d: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """The same of three classes with names."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.array(["ash", "elm", "oak"])[np.argmax(X @ rng.normal(size=(d, 3)) + rng.normal(size=(n, 3)) / 4, 1)]


def separable(seed: int, n: int = 60, d: int = 4, gap: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """Two classes on both sides of a band."""
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(n, d)), rng.normal(size=d)
    w /= np.linalg.norm(w)
    score = X @ w
    y = np.where(score > 0, 1, -1)
    return X + np.outer(gap * y, w), y


def assert_same_run(a: Run, b: Run) -> None:
    """Weights, averages, history and how it ended: not a bit differs."""
    assert_same_weights(a, b, "averaged")
    np.testing.assert_array_equal(a.history.margin_upper, b.history.margin_upper)
    assert a.state.margin_upper == b.state.margin_upper
    np.testing.assert_array_equal(a.state.sum_tau, b.state.sum_tau)


def assert_same_weights(a: Run, b: Run, *more: str) -> None:
    """The last weights and the history to the last bit, and these readouts; not the bounds on the margin."""
    assert a.status.name == b.status.name
    assert (a.updates, a.epochs, a.state.visited) == (b.updates, b.epochs, b.state.visited)
    for name in ("last", *more):
        for mine, other in zip(a.state.read(name), b.state.read(name), strict=True):
            np.testing.assert_array_equal(mine, other, strict=True, err_msg=name)
    for name, column in vars(a.history).items():
        if name != "margin_upper":
            np.testing.assert_array_equal(column, getattr(b.history, name), err_msg=name)
