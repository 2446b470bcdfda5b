"""The small sets that come with scikit-learn, whole or two classes at a time, and others like them that do not."""

from importlib import import_module
from typing import Any

import numpy as np

from benchmarks.contest import AbsentError, Data


def two(name: str, first: int, second: int | None = None) -> Data:
    """Two classes of a set; or one of them against the rest."""
    X, t = _loaded(name)
    keep = np.ones(t.size, dtype=bool) if second is None else np.isin(t, (first, second))
    against = "rest" if second is None else str(second)
    return _data(f"{name}, {first} against {against}", X[keep], t[keep] == first)


def all_of(name: str) -> Data:
    """A set with all its classes."""
    X, t = _loaded(name)
    return Data(f"{name}, {X.shape[0]:,} × {X.shape[1]}, {t.max() + 1} classes", X, t.astype(np.int64))


def like_sonar() -> Data:
    """As many rows and columns as the sonar set has, labelled by a random hyperplane."""
    rng = np.random.default_rng(0)
    X = rng.random((208, 60))
    s = X @ rng.standard_normal(60)
    return _data("random numbers", X, s > np.median(s))


def apart(rows: int, columns: int, gap: float) -> Data:
    """Gaussian rows on both sides of a gap."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((rows, columns))
    w = rng.standard_normal(columns)
    w /= np.linalg.norm(w)
    s = X @ w
    return _data(f"a gap of {2 * gap:g}", X + np.outer(gap * np.sign(s), w), s > 0)


def _loaded(name: str) -> tuple[Any, Any]:
    try:
        X, t = getattr(import_module("sklearn.datasets"), f"load_{name}")(return_X_y=True)
    except ImportError as error:
        raise AbsentError(f"scikit-learn cannot be imported: {error}") from error
    return X, t


def _data(title: str, X: Any, positive: Any) -> Data:
    rows = np.ascontiguousarray(X, dtype=np.float64)
    return Data(f"{title}, {rows.shape[0]:,} × {rows.shape[1]}", rows, np.where(positive, 1, -1).astype(np.int64))
