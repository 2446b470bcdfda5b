"""A full batch over shards gives the very weights, averages, history and bounds of one machine, not a bit apart."""

from typing import Any

import laws
import numpy as np
import pytest
import scipy.sparse as sp
from in_shards import assert_same_run, cut, even, learn_here, three_classes, two_classes

from rosenblatt import InputError, learn
from rosenblatt.cluster.door import of_blocks
from rosenblatt.cluster.engine import Here
from rosenblatt.cluster.sharded import ShardedSource
from rosenblatt.data.source import CHUNK

RULES: dict[str, dict[str, float]] = {
    "perceptron": {},
    "margin": {"beta": 0.02},
    "fixed-margin": {"beta": 0.5},
    "delta": {"eta": 1e-5},
}
UNEVEN = [1, 4095, 4097, 900]  # and what is left of 10,000 rows: one alone begins where a chunk does
N = 10_000


def assert_exact(X: Any, y: Any, sizes: list[int], **plan: Any) -> None:
    plan = {"batch_size": "all", "max_epochs": 6, "readout": "averaged", "scale": "none", **plan}
    whole = learn(X, y, order="cyclic", **plan)
    sharded = learn_here(X, y, sizes, **plan)
    assert_same_run(whole, sharded)
    assert whole.status == sharded.status
    laws.assert_same_state(whole.state, sharded.state)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("schedule", ["constant", "1/k", "1/sqrt(k)"])
def test_every_rule_and_schedule(schedule: str, rule: str) -> None:
    X, y = two_classes(1, N, noise=0.1)
    assert_exact(X, y, UNEVEN, rule=rule, schedule=schedule, **RULES[rule])


@pytest.mark.parametrize("scale", ["none", "standard", "max", "power-of-two"])
@pytest.mark.parametrize("sparse", [False, True])
def test_every_scale_dense_and_sparse(sparse: bool, scale: str) -> None:
    X, y = two_classes(2, N, noise=0.1)
    X = np.where(np.abs(X) > 0.7, X, 0.0) * [1, 10, 1e-3, 5, 1]
    assert_exact(sp.csr_array(X) if sparse else X, y, UNEVEN, scale=scale)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("rule", "multiclass"), [("perceptron", "ovr"), ("perceptron", "direct"), ("delta", "ovr")])
def test_several_classes_and_sample_weights(rule: str, multiclass: str, weighted: bool) -> None:
    X, y = three_classes(3, N)
    more = {"sample_weight": np.random.default_rng(0).uniform(0, 3, N).round(2)} if weighted else {}
    assert_exact(X, y, UNEVEN, rule=rule, multiclass=multiclass, scale="standard", **RULES[rule], **more)


@pytest.mark.parametrize("offset", [0.0, 2.5, "radius"])
def test_every_offset(offset: Any) -> None:
    X, y = two_classes(4, N, noise=0.1)
    assert_exact(X, y, UNEVEN, offset=offset)


@pytest.mark.parametrize("sizes", [[N], [CHUNK, CHUNK], [5000], even(N, 30), [*even(4000, 20), 4096]])
def test_however_the_rows_are_cut(sizes: list[int]) -> None:
    X, y = two_classes(5, N, noise=0.1)
    assert_exact(X, y, sizes, tol=1e-4, patience=2, max_epochs=12)
    assert_exact(X, y, sizes, start=(np.arange(5.0), 0.5), max_epochs=2)


def test_a_clean_end_a_plateau_and_a_loop_are_found_in_the_same_epoch() -> None:
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    assert_exact(X, np.array([1, 1, -1, -1]), [3], max_epochs=200)
    xor = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    assert_exact(xor, np.array([1, -1, -1, 1]), [1, 1, 2], max_epochs=200)
    X, y = two_classes(6, 300, noise=0.2)
    assert_exact(X, y, even(300, 7), max_epochs=200, tol=1e-2, patience=3)


def test_shards_are_recut_at_multiples_of_4096_rows_and_hold_the_same_rows() -> None:
    X, y = two_classes(7, N)
    before = of_blocks(Here(), cut(X, UNEVEN), cut(y, UNEVEN))
    after = before.cut_at_chunks
    assert not before.aligned
    assert after.aligned
    assert [one.rows for one in after.shards] == [CHUNK, N - CHUNK]
    assert after.cut_at_chunks is after
    numbers = np.random.default_rng(0).permutation(N)[:500]
    taken = after.gather(numbers)
    np.testing.assert_array_equal(taken.labels, y[numbers])
    blocks = list(after.each_block(lambda first, rows, labels: (first, rows)))
    assert [first for first, _ in blocks] == [0, CHUNK]
    np.testing.assert_array_equal(np.concatenate([rows for _, rows in blocks]), X)
    assert after.counted == before.counted


def test_it_goes_on_to_the_same_bits_from_blocks_that_are_recut_to_the_same_shards() -> None:
    X, y = two_classes(8, N, noise=0.1)
    plan = {"batch_size": "all", "order": "cyclic", "scale": "standard", "readout": "averaged"}
    whole = learn(X, y, max_epochs=8, **plan)
    first = learn_here(X, y, UNEVEN, max_epochs=3, **plan)
    assert_same_run(whole, learn_here(X, y, [10, 3000], max_epochs=8, start=first, **plan))


@pytest.mark.parametrize("order", ["shuffled", np.arange(60)[::-1].tolist()])
def test_another_order_is_refused_by_name(order: Any) -> None:
    X, y = two_classes(9)
    with pytest.raises(InputError, match="order"):
        learn_here(X, y, [30], batch_size="all", order=order)


@pytest.mark.parametrize("scale", ["none", "standard"])
def test_whoever_learns_from_shards_gets_the_bits_of_one_machine(scale: str) -> None:
    X, y = two_classes(9, N)
    source = of_blocks(Here(), cut(X, UNEVEN), cut(y, UNEVEN))
    plan = {"batch_size": "all", "scale": scale, "max_epochs": 5}
    assert_same_run(learn(source, readout="averaged", **plan), learn(X, y, readout="averaged", **plan))


def test_a_full_batch_mixes_nothing_and_says_so_before_rows_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = two_classes(9)
    for choice in ({"mixing": "mistakes"}, {"order": "shuffled"}, {"readout": "pocket"}, {"rule": "coin"}):
        with monkeypatch.context() as patch:
            patch.setattr(ShardedSource, "cut_at_chunks", property(lambda source: pytest.fail("it was cut anew")))
            with pytest.raises(InputError):
                learn_here(X, y, [30], batch_size="all", **choice)
    with pytest.raises(InputError, match=r"^a full batch mixes nothing, it adds up all rows: leave out mixing$"):
        learn_here(X, y, [30], batch_size="all", mixing="mistakes")


@pytest.mark.parametrize("batch_size", ["all", 2 * CHUNK])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_chunk_whose_mistakes_are_rows_of_zeros_moves_the_offset(sparse: bool, batch_size: Any) -> None:
    """Such rows touch no feature: of sparse ones, nothing but the offset says that the batch has begun."""
    X, y = np.zeros((N, 2)), np.ones(N, int)
    X[:, 0] = 1
    X[5], y[5] = 0, -1
    X[N - 1], y[N - 1] = [0, 1], -1
    rows: Any = sp.csr_array(X) if sparse else X
    plan = {"batch_size": batch_size, "scale": "none", "readout": "last", "start": (np.array([1.0, 0]), 1.0)}
    run = learn(rows, y, max_epochs=1, **plan)
    assert (run.hyperplane.w.tolist(), run.hyperplane.b) == ([1, -1], -1)
    if batch_size == "all":
        there = learn_here(rows, y, UNEVEN, max_epochs=1, **plan)
        assert (there.hyperplane.w.tolist(), there.hyperplane.b) == ([1, -1], -1)
    many = learn(rows, y, max_epochs=9, **plan), learn(X, y, max_epochs=9, **plan)
    assert many[0].hyperplane.b == many[1].hyperplane.b


def test_what_was_learnt_before_numbers_leave_float64_is_said_as_on_one_machine() -> None:
    X, y = np.array([[1.0, 0], [1e-300, 0]]), np.array([1, -1])
    plan = {"rule": "margin", "beta": 0.02, "offset": 0, "batch_size": "all", "max_epochs": 1}
    one, there = learn(X, y, **plan), learn_here(X, y, [1], scale="none", **plan)
    assert there.status == one.status
    assert [step.key for step in one.status.steps] == ["weights-kept", "rescale"]


def test_numbers_that_leave_float64_end_it_as_on_one_machine_with_the_row_among_all() -> None:
    X, y = two_classes(10, N)
    X[7000] = 1e200
    run = learn_here(X, y, UNEVEN, batch_size="all", scale="none")
    one = learn(X, y, order="cyclic", readout="averaged", batch_size="all")
    assert run.status == one.status
    assert (run.status.name, run.status.values["row"]) == ("non-finite", 7000)
