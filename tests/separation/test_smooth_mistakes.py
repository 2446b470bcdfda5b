"""The smooth count of mistakes, against numbers known by hand."""

import math
import time

import numpy as np
import pytest

from rosenblatt.separation.mistakes.smooth import Slide, metric_of, slide


def signed(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.column_stack([x, np.ones(len(x))]) * y[:, None]


def test_far_rows_do_not_pull() -> None:
    # Two clean groups, and three wrong labels so far out that least squares and the hinge follow them.
    x = np.array([-1.0, -0.9, -0.8, -0.7, 0.7, 0.8, 0.9, 1.0, 40.0, 41.0, 42.0])
    y = np.array([-1.0] * 4 + [1.0] * 4 + [-1.0] * 3)
    Z = signed(x, y)
    start = np.array([-1.0, 0.1])
    assert int((Z @ start <= 0).sum()) == 8
    metric = metric_of(Z, start, 1.0)
    assert metric is not None
    v, mistakes = slide(np.ascontiguousarray(Z.T), np.array([0.1, 1.0]), metric, Slide(), math.inf)
    assert mistakes == 3 == int((Z @ v <= 0).sum())


def test_a_metric_measures_what_it_makes() -> None:
    Z = np.random.default_rng(0).standard_normal((50, 4))
    metric = metric_of(Z, np.zeros(4), 1.0)
    assert metric is not None
    assert math.isclose(metric.mass, 50 / 4)  # at v = 0 every row counts one half: 1/2 · 1/2
    np.testing.assert_allclose(metric.of @ metric.inverse, np.eye(4), atol=1e-9)
    np.testing.assert_allclose(metric.root @ metric.root.T, metric.of, atol=1e-9)
    v = metric.unit(np.array([3.0, -1, 2, 5]))
    assert math.isclose(float(v @ metric.inverse @ v), 1.0)


def test_numbers_out_of_range_end_it_quietly() -> None:
    Z = np.array([[1.0, 1.0], [-1.0, 1.0]])
    metric = metric_of(Z, np.zeros(2), 1.0)
    assert metric is not None
    v, mistakes = slide(np.ascontiguousarray(Z.T), np.array([math.inf, 1.0]), metric, Slide(), math.inf)
    assert mistakes == 3
    assert v[0] == math.inf
    assert metric_of(Z, np.array([math.nan, 0.0]), 1.0) is None


@pytest.mark.serial
def test_it_ends_in_time() -> None:
    Z = np.random.default_rng(1).standard_normal((20_000, 40))
    metric = metric_of(Z, np.zeros(40), 1.0)
    assert metric is not None
    began = time.monotonic()
    _, mistakes = slide(np.ascontiguousarray(Z.T), np.ones(40), metric, Slide(), began)  # already over: one step
    assert mistakes == int((Z @ np.ones(40) <= 0).sum())
