"""Real data sets, by name, if they are here (ROSENBLATT_DATA names their folder): verdicts known from the literature or
from other tools, and every proof before the checker."""

import csv
import gzip
import io
import lzma
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import separability, verify

pytestmark = pytest.mark.long
FOLDER = Path(os.environ.get("ROSENBLATT_DATA", "nowhere"))

# file: kind, and how labels become two
SVMLIGHT = {
    "a9a.svm.gz": "quasi-separable",
    "w8a.svm.gz": "quasi-separable",
    "mushroom_agaricus.svm.train.gz": "separable",
    "imdb_bow.train.svm.xz": "separable",
    "20news_bow.train.svm.xz": "separable",
}


def opened(path: Path) -> io.BytesIO:
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress}.get(path.suffix, bytes)
    return io.BytesIO(unpack(path.read_bytes()))


@pytest.mark.parametrize("name", [name for name in SVMLIGHT if (FOLDER / name).exists()])
def test_sparse_sets(name: str) -> None:
    from sklearn.datasets import load_svmlight_file

    X, y = load_svmlight_file(opened(FOLDER / name))
    signs = np.where(y == y.max(), 1, -1)
    verdict = separability(X, signs)
    assert verdict.kind == SVMLIGHT[name]
    assert verify(verdict.proof, X, signs)


@pytest.mark.parametrize("name", [name for name in ("covtype.csv.xz",) if (FOLDER / name).exists()])
def test_forest_cover_class_2_against_the_rest(name: str) -> None:
    table = np.loadtxt(opened(FOLDER / name), delimiter=",", skiprows=1)
    X, signs = np.ascontiguousarray(table[:, :-1]), np.where(table[:, -1] == 2, 1, -1)
    verdict = separability(X, signs)
    assert verdict.kind == "quasi-separable"
    assert verify(verdict.proof, X, signs)


@pytest.mark.parametrize("name", [name for name in ("endometrial.csv",) if (FOLDER / name).exists()])
def test_endometrial_cancer_has_one_infinite_coefficient(name: str) -> None:
    """Heinze and Schemper 2002: the estimate of NV does not exist."""
    head, *rows = csv.reader(io.TextIOWrapper(opened(FOLDER / name)))
    table: Any = np.array(rows, dtype=float)
    at = head.index("HG")
    verdict = separability(np.delete(table, at, axis=1), table[:, at])
    names = [*(column for column in head if column != "HG"), "(offset)"]
    assert dict(zip(names, verdict.coefficients.values(), strict=True)) == {
        "NV": "+inf", "PI": "finite", "EH": "finite", "(offset)": "finite",
    }  # fmt: skip
