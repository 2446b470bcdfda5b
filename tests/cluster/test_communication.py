"""What travels: in an epoch the client is sent weights and a few numbers, whatever the number of rows."""

import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import cloudpickle
import numpy as np
import pytest
import scipy.sparse as sp
from in_shards import assert_same_run, cut, even, learn_here, two_classes

from rosenblatt import cluster
from rosenblatt.cluster.engine import FAN_IN, Engine, FailedTaskError, Here, StoppedError, groups
from rosenblatt.data.source import TakenRows


class Counting(Here):
    """Counts the bytes of all that is sent to the client, and of what the shards are sent, by what is asked."""

    def __init__(self) -> None:
        self.received: Counter[str] = Counter()
        self.sent: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.inside = False

    def _counted(self, name: str, sent: Any, call: Callable[..., Any], *given: Any) -> Any:
        if self.inside:
            return call(*given)
        self.inside = True
        try:
            found = call(*given)
        finally:
            self.inside = False
        self.received[name] += len(cloudpickle.dumps(found))
        self.sent[name] += len(cloudpickle.dumps(sent))
        self.calls[name] += 1
        return found

    def each(self, function: Callable[..., Any], kept: Sequence[Any], shared: Any = None) -> list[Any]:
        return self._counted(_name(function), shared, super().each, function, kept, shared)  # type: ignore[no-any-return]

    def joined(self, function: Any, join: Any, kept: Sequence[Any], shared: Any) -> Any:
        return self._counted(_name(function), shared, super().joined, function, join, kept, shared)

    def chained(self, function: Any, kept: Sequence[Any], first: Any) -> Any:
        return self._counted(_name(function), first, super().chained, function, kept, first)


def _name(function: Any) -> str:
    """Of a function as a task calls it: `OnShard`, around what asks the shard."""
    while hasattr(function, "function"):
        function = function.function
    return str(function.__name__)


def traffic(n: int, shards: int = 4, d: int = 20, sparse: bool = False, **choices: Any) -> Counting:
    X, y = two_classes(1, n, d, noise=0.2)
    rows: Any = sp.csr_array(X) if sparse else X
    engine = Counting()
    run = cluster.learn(engine, cut(rows, even(n, shards)), cut(y, even(n, shards)), **{"max_epochs": 5, **choices})
    assert run.epochs == 5
    return engine


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("plan", [{}, {"tol": 1e-9}, {"mixing": "mistakes"}, {"rule": "margin", "beta": 0.1}], ids=str)
def test_an_epoch_brings_as_many_bytes_whatever_the_number_of_rows(plan: dict[str, Any], sparse: bool) -> None:
    few, many = traffic(500, sparse=sparse, **plan), traffic(2000, sparse=sparse, **plan)
    assert few.calls == many.calls
    assert few.calls["run_epoch"] == 5
    for name in few.calls:
        assert abs(few.received[name] - many.received[name]) <= 40 * few.calls[name], name
        assert abs(few.sent[name] - many.sent[name]) <= 40 * few.calls[name], name


def test_an_epoch_brings_one_mixture_whatever_the_number_of_shards() -> None:
    few, many = traffic(2000, shards=2), traffic(2000, shards=40)
    assert abs(few.received["run_epoch"] - many.received["run_epoch"]) <= 200
    # Weights and averages of 20 columns, and what is known beside them.
    assert few.received["run_epoch"] / 5 < 2 * 20 * 8 + 2000


def test_a_plateau_brings_a_number_and_sends_the_average() -> None:
    found = traffic(400, d=2000, tol=1e-9, scale="none")
    assert found.calls["asked"] == 5
    assert found.received["asked"] / 5 < 1000 < 8 * 2000 < found.sent["asked"] / 5


def test_a_full_batch_brings_the_pending_sum_alone() -> None:
    few, many = traffic(5000, batch_size="all"), traffic(20_000, batch_size="all")
    assert few.calls["add_parts"] == 5
    assert abs(few.received["add_parts"] - many.received["add_parts"]) <= 200


def test_rows_that_are_asked_for_are_all_that_comes() -> None:
    X, y = two_classes(2, 3000)
    engine = Counting()
    source = cluster.sharded(engine, cut(X, even(3000, 5)), cut(y, even(3000, 5)))
    engine.received.clear()
    source.gather(np.array([3, 700, 2999]))
    assert sum(engine.received.values()) < 3 * 5 * 8 + 3 * 600


class Backwards(Here):
    """Joins what is asked as another cluster might: what was kept last first, and then in order."""

    def each(self, function: Callable[..., Any], kept: Sequence[Any], shared: Any = None) -> list[Any]:
        found: dict[int, Any] = {}
        for i in reversed(range(len(kept))):
            # What a worker is given comes over the wire, and so is its own.
            found[i] = pickle.loads(cloudpickle.dumps(function(*pickle.loads(cloudpickle.dumps((kept[i], shared))))))  # noqa: S301
        return [found[i] for i in range(len(kept))]


@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
@pytest.mark.parametrize("shards", [3, 9, 20])
def test_in_whatever_order_shards_are_done_the_bits_are_the_same(shards: int, mixing: str) -> None:
    X, y = two_classes(3, 700, noise=0.2)
    sizes = even(700, shards)
    plan = {"max_epochs": 4, "mixing": mixing, "tol": 1e-9}
    other = cluster.learn(Backwards(), cut(X, sizes), cut(y, sizes), **plan)
    assert_same_run(other, learn_here(X, y, sizes, **plan))


@pytest.mark.parametrize("count", [1, 2, FAN_IN, FAN_IN + 1, 64, 65, 1000])
def test_a_tree_joins_every_leaf_once_and_in_order(count: int) -> None:
    level: list[list[int]] = [[leaf] for leaf in range(count)]
    for groups_ in groups(count):
        assert all(1 <= len(group) <= FAN_IN for group in groups_)
        level = [[leaf for i in group for leaf in level[i]] for group in groups_]
    assert level == [list(range(count))]


def test_an_engine_without_a_cluster_says_which_call_failed_and_ends_when_it_is_told_to() -> None:
    engine: Engine = Here()

    def inverse(value: int, shared: int) -> float:
        return shared / value

    assert engine.keep(inverse, [1, 2, 4], shared=4) == [4.0, 2.0, 1.0]
    assert engine.chained(lambda value, carry: [*carry, value], [1, 2], []) == [1, 2]
    with pytest.raises(FailedTaskError) as failed:
        engine.each(inverse, [1, 0, 2], 1)
    assert failed.value.index == 1
    assert isinstance(failed.value.cause, ZeroDivisionError)
    engine.waiting = lambda done, of: done == 2
    with pytest.raises(StoppedError):
        engine.each(inverse, [1, 1, 1, 1], 1)


def test_a_question_is_asked_where_the_rows_are_and_gives_what_one_machine_gives() -> None:
    from rosenblatt.data.scans import answer_of, radius2

    X, y = two_classes(4, 900)
    source = cluster.sharded(Here(), cut(X, [1, 400, 99]), cut(y, [1, 400, 99]))

    def rows(taken: TakenRows) -> int:
        return len(taken.labels)

    assert answer_of(source, rows, int.__add__) == 900
    assert radius2(source, 1) == pytest.approx(float((X * X).sum(axis=1).max()), rel=1e-15)
