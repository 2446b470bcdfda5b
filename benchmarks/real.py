"""Real data, from the folder in the environment variable ROSENBLATT_DATA. There is no default."""

import gzip
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.contest import AbsentError, Data


def folder() -> Path:
    """The folder, or the reason why there is none."""
    name = os.environ.get("ROSENBLATT_DATA")
    if not name:
        raise AbsentError("ROSENBLATT_DATA is not set")
    return Path(name)


def idx(name: str, dimensions: int) -> NDArray[np.uint8]:
    """A gzipped IDX file of bytes: 0, 0, 8, dimensions, then a 32-bit size for each, then the bytes."""
    path = folder() / name
    if not path.is_file():
        raise AbsentError(f"{name} is not in the folder ROSENBLATT_DATA")
    content = gzip.decompress(path.read_bytes())
    if content[:4] != bytes((0, 0, 8, dimensions)):
        raise AbsentError(f"{name} is not an IDX file of bytes with {dimensions} dimensions")
    sizes = np.frombuffer(content, dtype=">u4", count=dimensions, offset=4)
    return np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * dimensions).reshape(sizes)


def mnist(rows: int) -> Data:
    """The first `rows` training digits, as numbers between 0 and 1."""
    images = idx("mnist-train-images-idx3-ubyte.gz", 3)[:rows]
    labels = idx("mnist-train-labels-idx1-ubyte.gz", 1)[:rows]
    x = images.reshape(len(images), -1) / 255
    return Data(f"MNIST, {len(x):,} × {x.shape[1]}, ten classes", x, labels.astype(np.int64))
