"""Real data, from the folder in the environment variable ROSENBLATT_DATA. There is no default.

Each set comes with rows held out: those of its own test file, or else 30 % of its rows, drawn once and for all.
"""

import gzip
import lzma
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.contest import AbsentError, Data

OPEN = {".gz": gzip.open, ".xz": lzma.open}


def folder() -> Path:
    """The folder, or the reason why there is none."""
    name = os.environ.get("ROSENBLATT_DATA")
    if not name:
        raise AbsentError("ROSENBLATT_DATA is not set")
    return Path(name)


def opened(name: str) -> IO[bytes]:
    """A file of the folder, decompressed if need be."""
    path = folder() / name
    if not path.is_file():
        raise AbsentError(f"{name} is not in the folder ROSENBLATT_DATA")
    return OPEN.get(path.suffix, lambda plain: open(plain, "rb"))(path)  # type: ignore[operator, no-any-return]


def mnist(rows: int) -> Data:
    """The first `rows` training digits, as numbers between 0 and 1."""
    parts: list[Any] = []
    for kind, n in (("train", rows), ("t10k", None)):
        images = idx(f"mnist-{kind}-images-idx3-ubyte.gz", 3)[:n]
        parts += [images.reshape(len(images), -1) / 255, idx(f"mnist-{kind}-labels-idx1-ubyte.gz", 1)[:n]]
    return data("MNIST", *parts)


def idx(name: str, dimensions: int) -> NDArray[np.uint8]:
    """An IDX file of bytes: 0, 0, 8, dimensions, then a 32-bit size for each, then the bytes."""
    with opened(name) as file:
        content = file.read()
    if content[:4] != bytes((0, 0, 8, dimensions)):
        raise AbsentError(f"{name} is not an IDX file of bytes with {dimensions} dimensions")
    sizes = np.frombuffer(content, dtype=">u4", count=dimensions, offset=4)
    return np.frombuffer(content, dtype=np.uint8, offset=4 + 4 * dimensions).reshape(sizes)


def svmlight(title: str, *names: str) -> Data:
    """One file, or one to learn from and one held out; CSR with 32-bit indices, since LinearSVC takes no others."""
    from sklearn.datasets import load_svmlight_files

    parts = load_svmlight_files([opened(name) for name in names])
    for rows in parts[::2]:
        rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    return data(title, *parts)


def columns(title: str, name: str, heads: int = 0) -> Data:
    """Numbers between commas, the label last, below `heads` lines of text (or those of ARFF)."""
    with opened(name) as file:
        numbers = np.loadtxt(file, delimiter=",", comments=["%", "@"], skiprows=heads)
    return data(title, numbers[:, :-1], numbers[:, -1])


def mixed(load: Callable[[], Data]) -> Data:
    """A set whose file is sorted by class, with its rows in one random order."""
    found = load()
    order = np.random.default_rng(0).permutation(len(found.labels))
    return replace(found, title=f"{found.title}, mixed", rows=found.rows[order], labels=found.labels[order])


def data(title: str, X: Any, y: Any, X_held: Any = None, y_held: Any = None) -> Data:
    """Rows to learn from and rows held out, drawn from the former if there are none; labels in our manner."""
    if X_held is None:
        from sklearn.model_selection import train_test_split

        X, X_held, y, y_held = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
    classes, codes = np.unique(np.concatenate([y, y_held]), return_inverse=True)
    labels = codes.astype(np.int64) if len(classes) > 2 else np.where(codes, 1, -1).astype(np.int64)
    known, held = labels[: len(y)], labels[len(y) :]
    full = f"{title}, {X.shape[0]:,} × {X.shape[1]:,}, {len(classes)} classes"
    return Data(full, X, known, held_out=Data(f"{title}, {len(held):,} rows held out", X_held, held))
