"""Every worked number of the lecture notes, through the public API, with exact equality.

The data are small integers, so every sum is exact in floating point and `==` is the right question.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest

import rosenblatt
from rosenblatt import Hyperplane, Run

Data = tuple[np.ndarray, np.ndarray]


def data(rows: list[tuple[float, ...]], labels: list[int]) -> Data:
    return np.array(rows, dtype=float), np.array(labels)


LINE = data([(1,), (2,), (3,), (4,)], [1, 1, -1, -1])
FIRST = data([(4, 0), (1, 1), (0, 1), (-2, -2)], [1, -1, -1, 1])
XOR = data([(1, 1), (1, -1), (-1, 1), (-1, -1)], [1, -1, -1, 1])
TWO_SIDES = data(
    [(1, 1), (1, 3), (2, 1), (2, 2), (-1, -1), (-1, -3), (-2, -1), (-2, -2)],
    [1, 1, 1, 1, -1, -1, -1, -1],
)


def plane(w: list[float], b: float) -> Hyperplane:
    return Hyperplane(np.array(w, dtype=float), b)


def learned(run: Run) -> tuple[list[float], float]:
    return run.hyperplane.w.tolist(), run.hyperplane.b


def path(X: np.ndarray, y: np.ndarray, run: Run) -> list[list[float]]:
    """The weights after each logged change (batch 1, zero start): prefix sums of the logged steps."""
    rows = run.log.row
    steps = run.log.step[:, None] * y[rows, None] * X[rows]
    return [[0.0] * X.shape[1], *np.cumsum(steps, axis=0).tolist()]


# S001, section 1


def test_s001_one_example_with_margin_minus_one_makes_one_update() -> None:
    X, y = data([(1, 3)], [1])
    start = plane([1, -1], 1)
    assert start.functional_margins(X, y).tolist() == [-1]
    run = rosenblatt.learn(X, y, start=(start.w, start.b), max_epochs=1)
    assert learned(run) == ([2, 2], 2)
    assert run.updates == 1


# S001, section 3.2


def test_s001_its_geometric_margin_is_minus_half_root_two() -> None:
    X, y = data([(1, 3)], [1])
    # Irrational, so the last place is all a float can promise.
    assert plane([1, -1], 1).geometric_margins(X, y)[0] == pytest.approx(-sqrt(2) / 2, rel=3e-16)


def test_s001_the_margin_of_a_data_set_is_its_smallest() -> None:
    # (2,1) and (0,3) lie root two from the line x1 - x2 + 1 = 0, on the sides their labels name.
    X, y = data([(1, 3), (2, 1), (0, 3)], [1, 1, -1])
    hyperplane = plane([1, -1], 1)
    assert hyperplane.functional_margins(X, y).tolist() == [-1, 2, 2]
    distances = hyperplane.geometric_margins(X, y)
    assert distances.tolist() == pytest.approx([-sqrt(2) / 2, sqrt(2), sqrt(2)], rel=3e-16)
    assert hyperplane.margin(X, y) == distances[0]


# S001, section 2


def test_s001_the_line_is_separated_by_two_and_a_half_minus_x() -> None:
    assert plane([-1], 2.5).margin(*LINE) == 0.5
    assert plane([-1], 2.5).predict(LINE[0]).tolist() == [1, 1, -1, -1]


def test_s001_the_line_with_unit_offset_takes_25_updates() -> None:
    run = rosenblatt.learn(*LINE)
    assert learned(run) == ([-3], 7)
    assert (run.updates, run.epochs, run.status.name) == (25, 11, "clean")
    assert run.hyperplane.margin(*LINE) > 0


def test_s001_the_line_with_radius_offset_takes_9_updates() -> None:
    run = rosenblatt.learn(*LINE, offset="radius")
    assert learned(run) == ([-7], 16)
    assert (run.updates, run.epochs, run.status.name) == (9, 6, "clean")


def test_s001_the_line_with_offset_four_is_the_radius_run() -> None:
    assert learned(rosenblatt.learn(*LINE, offset=4)) == ([-7], 16)


def test_s001_the_line_through_the_origin_loops() -> None:
    run = rosenblatt.learn(*LINE, offset=0, log=True)
    assert run.status.name == "loop"
    assert {w for (w,) in path(*LINE, run)[1:]} == {-1, 1, -2}
    assert path(*LINE, run)[:5] == [[0], [1], [-2], [-1], [1]]


# S002, example 1


def test_s002_example_1_makes_three_mistakes_and_then_none() -> None:
    run = rosenblatt.learn(*FIRST, offset=0, log=True)
    assert path(*FIRST, run) == [[0, 0], [4, 0], [3, -1], [1, -3]]
    assert run.log.row.tolist() == [0, 1, 3]
    assert run.log.visit.tolist() == [1, 2, 4]
    assert run.history.mistakes.tolist() == [3, 0]
    assert learned(run) == ([1, -3], 0)
    assert (run.status.name, run.epochs, run.updates) == ("clean", 2, 3)


def test_s002_the_weight_vectors_survive_1_1_2_1_moments() -> None:
    run = rosenblatt.learn(*FIRST, offset=0, max_epochs=1, log=True)
    assert run.log.survival.tolist() == [1, 1, 2, 1]


def test_s002_the_average_points_along_11_minus_5() -> None:
    run = rosenblatt.learn(*FIRST, offset=0, max_epochs=1, readout="averaged")
    assert learned(run) == ([11 / 5, -5 / 5], 0)


def test_s002_example_1_as_one_batch_changes_once() -> None:
    run = rosenblatt.learn(*FIRST, offset=0, batch_size="all")
    assert learned(run) == ([1, -4], 0)
    assert (run.state.changes, run.status.name) == (1, "clean")


# S002, example 2


def test_s002_example_2_returns_to_zero_after_every_epoch() -> None:
    run = rosenblatt.learn(*XOR, offset=0, max_epochs=1, log=True)
    assert path(*XOR, run) == [[0, 0], [1, 1], [0, 2], [1, 1], [0, 0]]
    assert learned(run) == ([0, 0], 0)


@pytest.mark.parametrize("offset", [0, 1, "radius"])
def test_s002_example_2_is_reported_as_a_loop(offset: Any) -> None:
    run = rosenblatt.learn(*XOR, offset=offset)
    assert run.status.name == "loop"
    assert learned(run) == ([0, 0], 0)


@pytest.mark.parametrize("offset", [0, 1, "radius"])
def test_s002_example_2_equal_multipliers_prove_inseparability(offset: Any) -> None:
    """One epoch steps equally on all four rows (alpha = 1/4 each), and these steps sum to zero."""
    X, y = XOR
    run = rosenblatt.learn(X, y, offset=offset, max_epochs=1, log=True)
    assert sorted(run.log.row.tolist()) == [0, 1, 2, 3]
    alpha = run.log.step / run.log.step.sum()
    assert alpha.tolist() == [0.25] * 4
    augmented = np.column_stack([X, np.ones(4)])
    assert (alpha * y[run.log.row] @ augmented[run.log.row]).tolist() == [0, 0, 0]


# S002, margins


def test_s002_the_unsigned_margin_hides_a_mistake() -> None:
    X, y = data([(1, -1), (-1, -1), (0.01, 0), (-1, 0)], [1, 1, 1, -1])
    hyperplane = plane([1, 0], 0)
    assert hyperplane.unsigned_margin(X) == 0.01
    assert hyperplane.margin(X, y) == -1


# S003, section 11.65


def test_s003_from_zero_one_mistake_is_enough() -> None:
    run = rosenblatt.learn(*TWO_SIDES, offset=0)
    assert learned(run) == ([1, 1], 0)
    assert (run.updates, run.status.name) == (1, "clean")


@pytest.mark.parametrize(("eta", "w", "updates"), [(1.0, [0, 1], 1), (0.5, [0.5, 1], 2)])
def test_s003_different_etas_give_different_separators(eta: float, w: list[float], updates: int) -> None:
    run = rosenblatt.learn(*TWO_SIDES, offset=0, eta=eta, start=([-1.0, 0.0], 0.0))
    assert learned(run) == (w, 0)
    assert (run.updates, run.status.name) == (updates, "clean")
    assert run.hyperplane.margin(*TWO_SIDES) > 0


def test_s003_as_one_batch_changes_once() -> None:
    run = rosenblatt.learn(*TWO_SIDES, offset=0, batch_size="all")
    assert learned(run) == ([12, 14], 0)
    assert (run.state.changes, run.status.name) == (1, "clean")


@pytest.mark.parametrize("x", [3.0, -3.0])
@pytest.mark.parametrize("t", [1, -1])
@pytest.mark.parametrize("wrong", [True, False])
def test_s003_target_minus_output_in_all_sign_cases(x: float, t: int, wrong: bool) -> None:
    """The output is sign(w*x) = o, and the step is exactly (t - o)*x: 2*t*x if o = -t, nothing if o = t."""
    o = -t if wrong else t
    start = o * x
    X, y = data([(x,)], [t])
    run = rosenblatt.learn(X, y, rule="target-output", offset=0, start=([start], 0.0), max_epochs=1)
    assert learned(run) == ([start + (t - o) * x], 0)


# Theory section 2: numbers given with the algorithms


@pytest.mark.parametrize(("copies", "changes"), [(10, 83), (20, 12_367)])
def test_one_over_k_can_be_astronomically_slow(copies: int, changes: int) -> None:
    X, y = data([(1, 0)] * copies + [(-1, 1)], [1] * (copies + 1))
    run = rosenblatt.learn(X, y, offset=0, batch_size="all", schedule="1/k", max_epochs=changes + 1)
    assert (run.state.changes, run.status.name) == (changes, "clean")


def test_least_squares_gets_a_separable_example_wrong() -> None:
    """x = -1, -1, 0, 3: the delta rule tends to 20x/43 - 5/43, which is negative at the positive x = 0."""
    X, y = data([(-1,), (-1,), (0,), (3,)], [-1, -1, 1, 1])
    assert rosenblatt.learn(X, y).status.name == "clean"
    run = rosenblatt.learn(X, y, rule="delta", eta=0.05, batch_size="all", max_epochs=2000)
    assert run.hyperplane.w[0] == pytest.approx(20 / 43)
    assert run.hyperplane.b == pytest.approx(-5 / 43)
    assert run.hyperplane.predict(X).tolist() == [-1, -1, -1, 1]
