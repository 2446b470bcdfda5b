"""Rows that are cut anew are the same rows under the same views: weights, classes and scales go along."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_shards import assert_same_run, cut, two_classes

from rosenblatt import InputError, cluster, learn
from rosenblatt.cluster.cut import ShardFacts
from rosenblatt.cluster.engine import Engine, Here
from rosenblatt.cluster.sharded import ShardedSource
from rosenblatt.data.classes import against_rest
from rosenblatt.data.rows import matrix_of
from rosenblatt.data.scaled import scaled_rows
from rosenblatt.data.scaling import Scaling
from rosenblatt.data.source import CHUNK, WeightedByClass
from rosenblatt.errors import ClusterError

N, SIZES = 9000, [1, 300, 4200, 30]  # none but the first begins where a chunk does
PLAN: dict[str, Any] = {"batch_size": "all", "max_epochs": 5, "scale": "standard", "readout": "averaged"}


def sources(folder: Path) -> dict[str, ShardedSource]:
    """The same rows as a collection, as files, and as one file that was dealt."""
    X, y = two_classes(1, N, noise=0.2)
    rows, labels = cut(X, SIZES), cut(y, SIZES)
    for i, (own, marks) in enumerate(zip(rows, labels, strict=True)):
        np.save(folder / f"{i}.npy", np.column_stack([own, marks]))
    np.save(folder / "all.npy", np.column_stack([X, y]))
    files = [str(folder / f"{i}.npy") for i in range(len(rows))]
    return {
        "collection": cluster.sharded(Here(), rows, labels),
        "files": cluster.sharded(Here(), files, label=-1),
        "dealt": cluster.sharded(Here(), str(folder / "all.npy"), label=-1),
    }


@pytest.mark.parametrize("kind", ["collection", "files", "dealt"])
def test_views_are_put_on_rows_that_are_cut_anew(kind: str, tmp_path: Path) -> None:
    source = sources(tmp_path)[kind]
    each = np.array([1.0, 20.0])
    scaling = Scaling("max", np.zeros(5), np.full(5, 4.0))
    numbers = np.array([0, 1, 299, 4096, 4500, 8999])
    weighing = partial(WeightedByClass, each=each)
    views = [source, source.viewed(weighing), scaled_rows(source.viewed(weighing), scaling)]
    if kind != "collection":  # the command line asks it of files
        one = against_rest(source.classes, source.classes.tolist(), 0)
        views += [source.against_rest(one, ("a", "b", "c", "d", "e")), source.against_rest(one, None).viewed(weighing)]
    for viewed in views:
        assert isinstance(viewed, ShardedSource)
        again = viewed.cut_at_chunks
        assert again.aligned
        assert not viewed.aligned
        assert (again.has_weights, again.feature_names) == (viewed.has_weights, viewed.feature_names)
        assert (again.classes == viewed.classes).all()
        then, now = viewed.gather(numbers), again.gather(numbers)
        assert np.array_equal(matrix_of(then.rows), matrix_of(now.rows))
        assert np.array_equal(then.labels, now.labels)
        assert np.array_equal(then.weight, now.weight) if viewed.has_weights else now.weight is None


@pytest.mark.parametrize("kind", ["collection", "files", "dealt"])
def test_a_full_batch_learns_with_the_weights_of_classes(kind: str, tmp_path: Path) -> None:
    X, y = two_classes(1, N, noise=0.2)
    each = np.array([1.0, 20.0])
    source = sources(tmp_path)[kind].viewed(partial(WeightedByClass, each=each))
    alone = learn(X, y, sample_weight=each[(y > 0).astype(int)], order="cyclic", **PLAN)
    there = cluster.learn(Here(), source, **PLAN)
    assert_same_run(alone, there)
    assert not np.array_equal(there.hyperplane.w, learn(X, y, order="cyclic", **PLAN).hyperplane.w)


class Weighing(Here):
    """What is asked of several shards, and how many rows of each it takes along."""

    def __init__(self) -> None:
        self.moved: list[int] = []

    def keep(self, function: Any, *columns: Any, shared: Any = None) -> list[Any]:
        if function.__name__ == "joined_rows":
            for shards in columns[0]:
                largest = max(shards, key=lambda shard: int(shard.source.n_rows))
                self.moved += [int(shard.source.n_rows) for shard in shards if shard is not largest]
        return super().keep(function, *columns, shared=shared)


def test_few_rows_move_when_rows_are_cut_anew() -> None:
    X, y = two_classes(1, 40_000)
    engine = Weighing()
    source = cluster.sharded(engine, cut(X, [9_999] * 4), cut(y, [9_999] * 4))
    assert source.cut_at_chunks.aligned
    assert 0 < len(engine.moved) <= 4
    assert max(engine.moved) < CHUNK


class Failing(Here):
    """A cluster on which rows cannot be joined."""

    def keep(self, function: Any, *columns: Any, shared: Any = None) -> list[Any]:
        def fails(*given: Any) -> Any:
            raise MemoryError("no room")

        return super().keep(fails if function.__name__ == "joined_rows" else function, *columns, shared=shared)


def test_a_shard_that_fails_while_rows_are_cut_anew_is_named() -> None:
    X, y = two_classes(1, N)
    engine: Engine = Failing()
    with pytest.raises(ClusterError, match=r"^shard 0 to shard 3: it failed on a worker: MemoryError: no room$"):
        cluster.learn(engine, cut(X, [5000, 10, 3000]), cut(y, [5000, 10, 3000]), **PLAN)


@pytest.mark.parametrize(
    "more",
    [
        {"y": [1]},
        {"sample_weight": [1.0]},
        {"classes": [1, 2]},
        {"shards": 3},
        {"memory": "1 GB"},
        {"deal": False},
        {"label": 0},
    ],
)
def test_shards_that_are_there_take_nothing_along(more: dict[str, Any]) -> None:
    X, y = two_classes(1)
    source = cluster.sharded(Here(), cut(X, [20]), cut(y, [20]))
    (name,) = more
    with pytest.raises(InputError, match=f"^{name}: shards that are there have their labels, weights and cut"):
        cluster.sharded(Here(), source, **more)
    if name not in ("shards", "memory", "deal", "label"):
        return
    with pytest.raises(InputError, match=f"^{name} is for files, and these are list"):
        cluster.learn(Here(), cut(X, [20]), cut(y, [20]), **more)


def test_facts_of_shards_name_them() -> None:
    assert ShardFacts(3, "", 5).called == "shard 3"
    assert ShardFacts(3, "a.svm", 5).called == "shard 3 (a.svm)"
