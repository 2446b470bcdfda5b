"""The largest margin on real data, if they are here (ROSENBLATT_DATA names their folder): gaps, times, the checker."""

import gzip
import io
import lzma
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import least_mistakes, max_margin

pytestmark = pytest.mark.long
FOLDER = Path(os.environ.get("ROSENBLATT_DATA", "nowhere"))


def here(*names: str) -> list[str]:
    return [name for name in names if (FOLDER / name).exists()]


def opened(name: str) -> io.BytesIO:
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(Path(name).suffix, bytes)
    return io.BytesIO(unpack((FOLDER / name).read_bytes()))


@pytest.mark.serial
@pytest.mark.parametrize("offset", [1.0, "free", 0])
@pytest.mark.parametrize("name", here("imdb_bow.train.svm.xz", "20news_bow.train.svm.xz"))
def test_text(name: str, offset: Any) -> None:
    """Within a minute, and far closer than asked."""
    from sklearn.datasets import load_svmlight_file

    X, y = load_svmlight_file(opened(name))
    begin = time.monotonic()
    best = max_margin(X, np.where(y == y.max(), 1, -1), offset=offset)
    assert time.monotonic() - begin < 60
    assert best.status.name == "gap"
    assert best.gap <= 1e-6
    assert best.check()


@pytest.mark.parametrize("digits", [(0, 1), (1, 7)])
@pytest.mark.parametrize("name", here("mnist-train-images-idx3-ubyte.gz"))
def test_digits(name: str, digits: tuple[int, int]) -> None:
    X = np.frombuffer(opened(name).getvalue()[16:], np.uint8).reshape(-1, 784)
    t = np.frombuffer(opened(name.replace("images-idx3", "labels-idx1")).getvalue()[8:], np.uint8)
    keep = np.isin(t, digits)
    best = max_margin(X[keep], t[keep])
    assert best.gap <= 1e-9
    assert best.check()


@pytest.mark.parametrize("name", here("golub_leukemia.csv.xz"))
def test_many_more_columns_than_rows(name: str) -> None:
    table = np.loadtxt(io.TextIOWrapper(opened(name)), delimiter=",", dtype=str)
    best = max_margin(table[:, 1:].astype(float), table[:, 0])
    assert best.gap == 0
    assert best.check()


@pytest.mark.parametrize("name", here("mushroom_agaricus.svm.train.gz"))
def test_categories(name: str) -> None:
    from sklearn.datasets import load_svmlight_file

    X, y = load_svmlight_file(opened(name))
    best = max_margin(X, y)
    assert best.gap == 0
    assert best.check()


@pytest.mark.parametrize("name", here("banknote_authentication.csv"))
def test_the_fewest_mistakes_on_banknotes_are_known(name: str) -> None:
    table = np.loadtxt(io.TextIOWrapper(opened(name)), delimiter=",")
    least = least_mistakes(table[:, :-1], table[:, -1], time_limit=30)
    assert least.lower == least.upper == least.proved
    assert least.check()
