"""Real sets as their files have them, every column on its own scale, and a split of them for every seed.

A set with a test file of its own is tested on that, and the seed is the order of the rows to learn from; of the others
30 % are held out, other ones for every seed, as many of each class. Pixels are bytes, 0 … 255. The three text columns
of kddcup99 become a column for each word that occurs, 0 or 1, since the attacks are hardly told apart without them; the
rows are sparse, as nearly all is 0.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from benchmarks import real
from benchmarks.contest import Data

HELD_OUT = 0.3
Parts = tuple[Any, ...]  # X, y; and X, y held out, where the set has a test file


def svmlight(*names: str) -> Parts:
    """CSR with 32-bit indices, since LinearSVC takes no others."""
    from sklearn.datasets import load_svmlight_files

    parts = load_svmlight_files([real.opened(name) for name in names])
    for rows in parts[::2]:
        rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)
    return tuple(parts)


def columns(*names: str, label: int = -1, heads: int = 0, **how: Any) -> Parts:
    """Numbers in columns, below `heads` lines of text (or those of ARFF); the label is a number or a letter."""
    parts: list[Any] = []
    for name in names:
        with real.opened(name) as file:
            numbers = np.loadtxt(file, comments=["%", "@"], skiprows=heads, **({"delimiter": ","} | how))
        parts += [np.delete(numbers, label, axis=1), numbers[:, label]]
    return tuple(parts)


def digits() -> Parts:
    """The bytes of the images, as numbers."""
    parts: list[Any] = []
    for kind in ("train", "t10k"):
        images = real.idx(f"mnist-{kind}-images-idx3-ubyte.gz", 3)
        parts += [images.reshape(len(images), -1).astype(np.float64), real.idx(f"mnist-{kind}-labels-idx1-ubyte.gz", 1)]
    return tuple(parts)


def connections() -> Parts:
    """The 38 columns of numbers of kddcup99, then its words."""
    import pandas
    from scipy.sparse import csr_array, hstack
    from sklearn.preprocessing import OneHotEncoder

    with real.opened("kddcup99_10_percent.csv.gz") as file:
        table = pandas.read_csv(file, header=None)
    words, kinds = table[[1, 2, 3]].to_numpy(str), table[41].to_numpy(str)
    numbers = csr_array(table.drop(columns=[1, 2, 3, 41]).to_numpy(np.float64))
    X = hstack([numbers, OneHotEncoder().fit_transform(words)], format="csr")
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X, kinds


_letter = {"converters": {34: lambda text: float(text.strip() in (b"g", "g"))}}

# name: title, how to load it
CHOSEN: dict[str, tuple[str, Callable[[], Parts]]] = {
    "spambase": ("spambase", partial(columns, "spambase.arff.gz")),
    "a9a": ("a9a", partial(svmlight, "a9a.svm.gz", "a9a.t.svm.gz")),
    "w8a": ("w8a", partial(svmlight, "w8a.svm.gz")),
    "imdb": ("IMDB", partial(svmlight, "imdb_bow.train.svm.xz", "imdb_bow.test.svm.xz")),
    "20news": ("20 newsgroups", partial(svmlight, "20news_bow.train.svm.xz", "20news_bow.test.svm.xz")),
    "covtype": ("covtype", partial(columns, "covtype.csv.xz", heads=1)),
    "mnist": ("MNIST", digits),
}
BESIDE: dict[str, tuple[str, Callable[[], Parts]]] = {
    "kddcup99": ("kddcup99", connections),
    "higgs": (
        "higgs",
        partial(columns, "higgs_lightgbm_binary.train.gz", "higgs_lightgbm_binary.test.gz", label=0, delimiter=None),
    ),
    "german": ("german", partial(svmlight, "german_scale.svm")),
    "ionosphere": ("ionosphere", partial(columns, "ionosphere.data", **_letter)),
}


@lru_cache(maxsize=1)
def loaded(name: str) -> Parts:
    """The set's parts; one set stays in memory."""
    return (CHOSEN | BESIDE)[name][1]()


@lru_cache(maxsize=2)
def split(name: str, seed: int) -> Data:
    """The set, as this seed divides or orders it."""
    title = (CHOSEN | BESIDE)[name][0]
    X, y, *held = loaded(name)
    if held:
        order = np.random.default_rng(seed).permutation(len(y))
        return real.data(title, X[order], y[order], *held)
    from sklearn.model_selection import train_test_split

    X, X_held, y, y_held = train_test_split(X, y, test_size=HELD_OUT, random_state=seed, stratify=y)
    return real.data(title, X, y, X_held, y_held)


def data(name: str) -> Data:
    """The set for the seed 0, which knows how to be another one for another seed."""
    return replace(split(name, 0), name=name, seeded=partial(split, name))
