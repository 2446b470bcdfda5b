"""Clusters of processes on this machine, and rows on them."""

import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import dask
import dask.array as da
import numpy as np
import scipy.sparse as sp
from distributed import Client, LocalCluster


@contextmanager
def started(workers: int) -> Generator[Client, None, None]:
    """The client of so many workers, each a process with one thread."""
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", host="127.0.0.1",
            silence_logs=50,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):  # fmt: skip
        yield client


def arrays(X: np.ndarray, y: np.ndarray, sizes: Sequence[int], sparse: bool = False) -> tuple[Any, Any]:
    """Dask arrays in blocks of these sizes."""
    rows = da.from_array(X, chunks=(tuple(sizes), (X.shape[1],)))
    return rows.map_blocks(sp.csr_matrix) if sparse else rows, da.from_array(y, chunks=(tuple(sizes),))


def late(X: Any, y: Any, seconds: float) -> tuple[Any, Any]:
    """A block, after a while."""
    time.sleep(seconds)
    return X, y


def late_blocks(rows: Sequence[Any], labels: Sequence[Any], seconds: Sequence[float]) -> list[Any]:
    """Delayed pairs of rows and labels, each of which takes a while."""
    given = zip(rows, labels, seconds, strict=True)
    return [dask.delayed(late, pure=False)(X, y, wait) for X, y, wait in given]
