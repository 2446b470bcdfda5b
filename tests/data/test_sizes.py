"""The sizes of columns, against numpy on the whole matrix: dense and sparse, in memory and in pieces."""

import numpy as np
import pytest
from gathered_source import GatheredSource
from scipy import sparse

from rosenblatt import Examples
from rosenblatt.data.sizes import FAR_APART, sizes
from rosenblatt.data.source import CHUNK


def by_numpy(X):
    """Both numbers from their definitions, of rows that are all there."""
    columns = [column[column != 0] for column in X.T if np.count_nonzero(column) >= 0.1 * len(X)]
    ratios = []
    for size in (lambda values: np.sqrt(np.mean(values**2)), lambda values: np.abs(values).max()):
        found = [size(values) for values in columns]
        ratios.append(max(found) / min(found))
    around = np.linalg.norm(X - X.mean(axis=0))
    return ratios[0] if ratios[0] < FAR_APART else min(ratios), np.linalg.norm(X) / around


@pytest.mark.parametrize("number", [np.float64, np.float32])
@pytest.mark.parametrize("spread", [1.0, 3.0])
def test_sizes_are_those_of_the_definition_wherever_the_rows_are(number, spread):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2 * CHUNK + 7, 6)) * 10.0 ** (spread * np.arange(6)) + 2
    X[rng.random(X.shape) < 0.5] = 0
    X[:, 2] *= rng.random(len(X)) < 0.05  # filled by too few rows to count
    X, y = X.astype(number), rng.random(len(X)) < 0.5
    ratio, off_centre = by_numpy(X.astype(np.float64))
    for source in (Examples.of(X, y), GatheredSource(X, y)):
        assert sizes(source) == pytest.approx((ratio, off_centre), rel=1e-5)
    for source in (Examples.of(sparse.csr_array(X), y), GatheredSource(sparse.csr_array(X), y)):
        assert sizes(source) == pytest.approx((ratio, 1.0), rel=1e-5)


def test_scaled_columns_are_never_far_apart():
    rng = np.random.default_rng(1)
    X = np.exp(3 * rng.standard_normal((300, 5)))  # a few values are far larger than all others
    X[:, 0] = np.arange(300) == 7
    y = rng.random(300) < 0.5
    standard, largest = (X - X.mean(axis=0)) / X.std(axis=0), X / X.max(axis=0)
    assert sizes(Examples.of(standard, y)) == pytest.approx((1, 1))
    assert sizes(Examples.of(largest, y)).ratio < FAR_APART


@pytest.mark.parametrize("X", [np.zeros((4, 2)), np.ones((4, 1)), np.full((4, 2), 1e200), np.full((4, 2), 1e-200)])
def test_rows_without_a_size_call_for_nothing(X):
    assert sizes(Examples.of(X, [0, 1, 0, 1])) == (1, 1)


def test_a_column_of_another_size_and_rows_far_off_zero():
    """√((1 + 4)/2) and √((10⁶ + 4·10⁶)/2) by hand; 1000 and 1002 are 1001 from 0 and 1 from their mean."""
    assert sizes(Examples.of([[1, 1000], [-2, -2000]], [0, 1])) == pytest.approx((1000, np.sqrt(10 / 9)))
    assert sizes(Examples.of([[1000], [1002]], [0, 1])) == pytest.approx((1, np.sqrt(1001**2 + 1)))
