"""The same shards and seed give the same bits on one, two or four workers of Dask, and without any."""

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from distributed import Client
from in_shards import assert_same_run, cut, learn_here, three_classes, two_classes
from on_dask import arrays, late_blocks, started

from rosenblatt import cluster, learn

pytestmark = [pytest.mark.serial, pytest.mark.slow]
TIME_BUDGET = 90  # three clusters

SIZES = [5, 300, 1, 94, 150, 50]  # some are done long before others
CASES: dict[str, dict[str, Any]] = {
    "binary": {},
    "binary by mistakes": {"mixing": "mistakes", "tol": 1e-6, "readout": ("averaged", "last")},
    "ovr": {"multiclass": "ovr"},
    "ovr by mistakes": {"multiclass": "ovr", "mixing": "mistakes", "scale": "none"},
    "direct": {"multiclass": "direct", "rule": "margin", "beta": 0.05, "order": "cyclic"},
    "full batch": {"batch_size": "all", "scale": "max"},
}


def data(case: str) -> tuple[np.ndarray, np.ndarray]:
    return two_classes(1, 600, noise=0.1) if case.startswith(("binary", "full")) else three_classes(1, 600)


@pytest.fixture(scope="module", params=[1, 2, 4])
def workers(request: pytest.FixtureRequest) -> Generator[Client, None, None]:
    with started(request.param) as client:
        yield client


@pytest.mark.parametrize("case", CASES)
def test_dense_blocks(workers: Client, case: str) -> None:
    X, y = data(case)
    plan = {"max_epochs": 3, "seed": 7, **CASES[case]}
    assert_same_run(cluster.learn(workers, *arrays(X, y, SIZES), **plan), learn_here(X, y, SIZES, **plan))


@pytest.mark.parametrize("case", ["binary by mistakes", "direct"])
def test_sparse_blocks(workers: Client, case: str) -> None:
    X, y = data(case)
    X = np.where(np.abs(X) > 0.5, X, 0.0)
    plan = {"max_epochs": 3, **CASES[case]}
    run = cluster.learn(workers, *arrays(X, y, SIZES, sparse=True), **plan)
    assert run.source.is_sparse
    assert_same_run(run, learn_here(sp.csr_matrix(X), y, SIZES, **plan))


@pytest.mark.parametrize("seed", [0, 1])
def test_blocks_that_come_at_random_times(workers: Client, seed: int) -> None:
    X, y = data("ovr")
    seconds = np.random.default_rng(seed).uniform(0, 0.3, len(SIZES)).tolist()
    blocks = late_blocks(cut(X, SIZES), cut(y, SIZES), seconds)
    assert_same_run(cluster.learn(workers, blocks, max_epochs=3), learn_here(X, y, SIZES, max_epochs=3))


def test_a_full_batch_of_many_chunks_gives_the_bits_of_one_machine(workers: Client) -> None:
    X, y = two_classes(2, 20_000, noise=0.1)
    plan = {"batch_size": "all", "max_epochs": 3, "readout": "averaged", "scale": "standard"}
    run = cluster.learn(workers, *arrays(X, y, [5000, 1, 9999, 5000]), **plan)
    assert_same_run(run, learn(X, y, order="cyclic", **plan))


def test_more_shards_than_a_join_takes_at_a_time(workers: Client) -> None:
    X, y = data("binary")
    sizes = [30] * 20
    plan = {"max_epochs": 2, "mixing": "mistakes"}
    assert_same_run(cluster.learn(workers, *arrays(X, y, sizes), **plan), learn_here(X, y, sizes, **plan))
