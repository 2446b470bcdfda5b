"""Which shard a row is in: numbers and places are each other's inverse; and what a sharded source gives by number."""

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from in_shards import cut as blocks
from in_shards import three_classes, two_classes

from rosenblatt import Examples, InputError, cluster
from rosenblatt.cluster.cut import BLOCK, Cut, Dealt, Ranges, ShardFacts
from rosenblatt.cluster.engine import Here
from rosenblatt.cluster.portion import Portion
from rosenblatt.cluster.shard import Shard
from rosenblatt.cluster.sharded import ShardedSource
from rosenblatt.data.examples import weighted
from rosenblatt.data.rows import matrix_of
from rosenblatt.data.source import CHUNK, Source, Visit


def assert_inverse(cut: Cut, n: int) -> None:
    sizes = cut.sizes()
    assert (cut.n_rows, min(sizes) > 0) == (n, True)
    numbers = [cut.numbers(shard, np.arange(size)) for shard, size in enumerate(sizes)]
    assert sorted(np.concatenate(numbers).tolist()) == list(range(n))
    for shard, own in enumerate(numbers):
        assert (np.diff(own) > 0).all()  # rows of a shard lie in the order of all rows
        which, places = cut.places(own)
        assert (which == shard).all()
        assert places.tolist() == list(range(own.size))


@settings(max_examples=examples(200))
@given(n=st.integers(1, 3000), shards=st.integers(1, 200))
def test_every_row_that_is_dealt_lies_in_one_place(n: int, shards: int) -> None:
    cut = Dealt(n, shards)
    assert_inverse(cut, n)
    assert max(cut.sizes()) - min(cut.sizes()) <= BLOCK
    assert len(cut.sizes()) == min(shards, -(-n // BLOCK))


@settings(max_examples=examples(200))
@given(sizes=st.lists(st.integers(1, 50), min_size=1, max_size=40))
def test_every_row_of_ranges_lies_in_one_place(sizes: list[int]) -> None:
    cut = Ranges.of(sizes)
    assert cut.sizes() == sizes
    assert_inverse(cut, sum(sizes))
    assert cut.aligned == (len(sizes) == 1)


@settings(max_examples=examples(60))
@given(n=st.integers(1, 20 * CHUNK), shards=st.integers(1, 30))
def test_even_ranges_begin_with_chunks(n: int, shards: int) -> None:
    cut = Ranges.even(n, shards)
    assert cut.aligned
    assert (cut.n_rows, len(cut.sizes())) == (n, min(shards, -(-n // CHUNK)))
    sizes = cut.sizes()
    assert max(sizes) - min(sizes[:-1], default=max(sizes)) <= CHUNK


def sharded(source: Source, cut: Cut) -> ShardedSource:
    """Rows in memory as shards of a cut."""
    counted = dict.fromkeys(source.classes.tolist(), 1)
    kept = [Shard(i, cut, i, Portion(source, cut, i)) for i in range(len(cut.sizes()))]
    facts = [ShardFacts(i, "", size) for i, size in enumerate(cut.sizes())]
    return ShardedSource(
        Here(), kept, facts, cut, columns=source.n_columns, sparse=source.is_sparse, classes=source.classes,
        counted=counted, names=None, weighted=source.has_weights,
    )  # fmt: skip


@pytest.mark.parametrize("cut", [Ranges.of([100, 1, 250, 9000, 649]), Dealt(10_000, 7), Dealt(10_000, 1)],
    ids=["ranges", "seven", "one"])  # fmt: skip
@pytest.mark.parametrize("kind", ["dense", "sparse", "weighted"])
def test_rows_and_labels_by_number_are_those_of_the_arrays(kind: str, cut: Cut) -> None:
    X, y = three_classes(2, 10_000)
    rows = sp.csr_array(X) if kind == "sparse" else X
    weight = np.linspace(0, 1, 10_000) if kind == "weighted" else None
    examples_ = Examples.of(rows, y)
    source = sharded(weighted(examples_, weight), cut)
    rng = np.random.default_rng(0)
    for numbers in (rng.integers(0, 10_000, 300), np.array([9999, 0, 9999]), np.arange(4000, 4200)):
        taken = source.gather(numbers)
        found: Any = matrix_of(taken.rows)
        np.testing.assert_array_equal(found.toarray() if kind == "sparse" else found, X[numbers])
        np.testing.assert_array_equal(taken.labels, examples_.labels[numbers])
        np.testing.assert_array_equal(source.labels_of(numbers), examples_.labels[numbers])
        np.testing.assert_array_equal(taken.row_numbers(), numbers)
        if weight is not None:
            np.testing.assert_array_equal(taken.weight, weight[numbers])


def test_a_row_is_placed_by_its_shard() -> None:
    X, y = two_classes(3, 500)
    source = cluster.sharded(Here(), blocks(X, [100, 7, 300]), blocks(y, [100, 7, 300]))
    with pytest.raises(InputError, match="lie on a cluster"):
        source.label_parts()  # as many as rows
    assert source.file_of(106) == "shard 1"
    assert source.place_of(107) == "shard 2: row 107"


@pytest.mark.parametrize("verb", ["scan", "take"])
def test_nobody_gathers_all_rows(verb: str) -> None:
    X, y = two_classes(3, 500)
    source = cluster.sharded(Here(), blocks(X, [100]), blocks(y, [100]))
    call = {
        "scan": lambda: list(source.scan(lambda taken: taken)),
        "take": lambda: source.take(Visit(np.array([0]), None)),
    }[verb]
    with pytest.raises(InputError, match="cluster"):
        call()


def test_a_digest_tells_rows_labels_and_shards_apart() -> None:
    X, y = two_classes(3, 500)

    def digest(X: np.ndarray, y: np.ndarray, sizes: list[int]) -> int:
        return cluster.sharded(Here(), blocks(X, sizes), blocks(y, sizes)).digest()

    assert digest(X, y, [100]) == digest(X.copy(), y.copy(), [100])
    others = [digest(X + 1, y, [100]), digest(X, -y, [100]), digest(X, y, [101]), digest(X, y, [100, 1])]
    assert len({digest(X, y, [100]), *others}) == 5
