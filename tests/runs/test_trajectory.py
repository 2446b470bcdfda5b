"""The path of a run, rebuilt from its log: every weight vector, its losses, its lengths and angles."""

import itertools
import math
from typing import Any

import laws
import numpy as np
import pytest
import reference
import scipy.sparse as sp

from rosenblatt import Examples, InputError, Run, learn, rules
from rosenblatt.runs.trajectory import Trajectory

RULES = [name for name in rules.names() if rules.get(name).additive]


def steps_of(path: Trajectory) -> np.ndarray:
    """The changes of w′ as a table, from the weight vectors themselves."""
    points = []
    for change in range(path.n_changes + 1):
        W, b = path.weights(change)
        points.append(np.append(W.reshape(-1), b / math.sqrt(path.rho2) if path.rho2 else []))
    return np.array(points)


def angle(a: np.ndarray, b: np.ndarray) -> float:
    """Kahan's formula: accurate for any angle."""
    if not a.any() or not b.any():
        return 0.0
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    return float(2 * np.arctan2(np.linalg.norm(a - b), np.linalg.norm(a + b)))


def plan_of(rule: str) -> dict[str, Any]:
    return {"rule": rule, "eta": 0.01 if rule == "delta" else 1.0, **laws.parameters(rule)}


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
@pytest.mark.parametrize("rule", RULES)
def test_the_end_of_the_path_is_the_runs_to_the_last_bit(rule: str, order: str, form: Any) -> None:
    X, y = laws.reals(4, n=150, d=21)
    start = (np.linspace(-1, 1, 21), 0.5)
    for given in (None,) if rules.get(rule).from_zero else (None, start):
        run = learn(form(X), y, order=order, max_epochs=3, start=given, log=True, **plan_of(rule))
        path = run.trajectory()
        W, b = path.weights(path.n_changes)
        assert np.array_equal(W, run.state.weights)
        assert np.array_equal(b, run.state.offsets)
        assert path.n_changes == run.state.changes


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_of_many_classes_too(multiclass: str, form: Any) -> None:
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(150, 6)), rng.integers(0, 4, size=150)
    run = learn(Examples.of(form(X), labels), multiclass=multiclass, max_epochs=3, log=True)
    if multiclass == "direct":
        W, b = run.trajectory().weights(run.trajectory().n_changes)
        assert np.array_equal(W, run.state.weights)
        assert np.array_equal(b, run.state.offsets)
        return
    for k in range(4):
        W, b = run.trajectory(k).weights(run.trajectory(k).n_changes)
        assert np.array_equal(W[:, 0], run.state.weights[:, k])
        assert b[0] == run.state.offsets[k]


@pytest.mark.parametrize("batch_size", [1, 4, "all"])
def test_every_weight_vector_is_the_oracles(batch_size: Any) -> None:
    for seed in range(5):
        X, y = laws.integers(seed, n=20, d=3, noise=0.1)
        run = learn(X, y, batch_size=batch_size, max_epochs=5, log=True)
        how: dict[str, Any] = {"update": reference.rule("perceptron"), "batch_size": batch_size}
        trace = reference.learn(X.tolist(), y.tolist(), max_epochs=run.epochs, **how)
        path = run.trajectory()
        assert path.n_changes == len(trace.weights) - 1
        assert path.survival.tolist() == trace.survival
        for change, (w, b) in enumerate(trace.weights):
            W, c = path.weights(change)
            assert (W[:, 0].tolist(), c[0]) == ([float(v) for v in w], float(b))
        norms = [float(reference.norm2(w, b, reference.ONE)) for w, b in trace.weights]
        assert path.replay.norm2.tolist() == norms


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(
    "plan", [{}, {"batch_size": 7}, {"batch_size": 64}, {"batch_size": "all"}, {"offset": 0}], ids=str
)
def test_lengths_and_angles_are_those_of_the_weight_vectors(plan: dict[str, Any], form: Any) -> None:
    X, y = laws.reals(5, n=400, d=9, noise=0.1)
    run = learn(form(X), y, max_epochs=12, start="random", log=True, **plan)
    path = run.trajectory()
    points = steps_of(path)
    steps = np.diff(points, axis=0)
    np.testing.assert_allclose(path.lengths, np.linalg.norm(steps, axis=1), rtol=1e-12)
    np.testing.assert_allclose(path.replay.norm2, (points**2).sum(axis=1), rtol=1e-11, atol=1e-11)
    turns = [angle(a, b) for a, b in itertools.pairwise(steps)]
    np.testing.assert_allclose(path.turns, turns, atol=1e-7)
    swings = [angle(a, b) for a, b in itertools.pairwise(points)]
    np.testing.assert_allclose(path.swings, swings, atol=1e-7)
    assert path.length == pytest.approx(np.linalg.norm(steps, axis=1).sum())
    assert path.turning == pytest.approx(sum(turns))
    # Each update's margin, under the weights that it met.
    before = points[path.change - 1]
    rows = np.column_stack([X, np.full(len(y), math.sqrt(path.rho2))]) if path.rho2 else X
    margins = y[path.row] * (before * rows[path.row]).sum(axis=1)
    np.testing.assert_allclose(path.replay.margin, margins, rtol=1e-9, atol=1e-10)


def test_angles_of_known_paths() -> None:
    # e1, then e2, then e3: every change at a right angle to the one before, and w turns 45 then about 35.26 degrees.
    path = learn(np.eye(3), [1, 1, 1], offset=0, log=True).trajectory()
    assert path.lengths.tolist() == [1, 1, 1]
    assert path.turns == pytest.approx([math.pi / 2] * 2)
    assert path.swings == pytest.approx([0, math.pi / 4, math.acos(2 / math.sqrt(6))])
    # There and back again.
    loop = learn([[1.0], [1.0]], [1, -1], offset=0, max_epochs=1, log=True).trajectory()
    assert loop.turning == pytest.approx(math.pi)
    assert loop.length == 2


def test_a_whole_batch_meets_every_row_under_one_weight_vector_so_its_losses_are_the_historys() -> None:
    X, y = laws.reals(6, n=200, d=5, noise=0.1)
    run = learn(X, y, batch_size="all", max_epochs=15, log=True)
    path = run.trajectory()
    assert path.n_changes >= 10
    for epoch in range(len(run.history)):
        losses = path.losses(min(epoch, path.n_changes))
        assert losses.mistakes == run.history.mistakes[epoch]
        assert losses.error_rate == pytest.approx(run.history.error_rate[epoch])
        assert losses.perceptron_loss == pytest.approx(run.history.perceptron_loss[epoch])
        assert losses.squared_loss == pytest.approx(run.history.squared_loss[epoch])


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_the_losses_of_many_classes(multiclass: str) -> None:
    rng = np.random.default_rng(1)
    X, labels = rng.normal(size=(100, 6)), rng.integers(0, 3, size=100)
    run = learn(Examples.of(X, labels), multiclass=multiclass, max_epochs=3, log=True, readout=("last", "pocket"))
    scores = run.scores(X)
    if multiclass == "ovr":
        for k in range(3):
            wrong = (np.where(labels == k, 1, -1) * scores[:, k] <= 0).sum()
            assert run.trajectory(k).losses(run.trajectory(k).n_changes).mistakes == wrong
    else:
        own = scores[np.arange(100), labels].copy()
        scores[np.arange(100), labels] = -np.inf
        assert run.trajectory().losses(run.trajectory().n_changes).mistakes == (own <= scores.max(axis=1)).sum()


def test_a_run_that_went_on_has_one_path() -> None:
    X, y = laws.reals(8, n=200)
    whole = learn(X, y, max_epochs=6, log=True)
    parts = learn(X, y, max_epochs=6, log=True, start=learn(X, y, max_epochs=2, log=True))
    assert np.array_equal(whole.trajectory().replay.norm2, parts.trajectory().replay.norm2)
    assert np.array_equal(whole.log.survival, parts.log.survival)  # type: ignore[union-attr]


def test_what_has_no_path_says_why() -> None:
    X, y = laws.reals(8, n=200)
    run = learn(X, y, max_epochs=2)
    with pytest.raises(InputError, match=r"kept no log: learn\(\.\.\., log=True\)"):
        run.trajectory()
    resumed = learn(X, y, max_epochs=3, start=run.state, log=True)
    with pytest.raises(InputError, match=r"log begins after 400 rows.*start=run \(not run\.state\)"):
        resumed.trajectory()
    logged = learn(X, y, max_epochs=2, log=True)
    with pytest.raises(InputError, match="leave it out"):
        logged.trajectory(0)
    for change in (-1, logged.trajectory().n_changes + 1):
        with pytest.raises(InputError, match=f"change {change}: expected 0 to {logged.trajectory().n_changes}"):
            logged.trajectory().weights(change)
    many: Run = learn(Examples.of(X, np.arange(200) % 3), max_epochs=2, log=True)
    for output in (None, 3, -1, "a"):
        with pytest.raises(InputError, match=r"its index in run\.classes, 0 to 2"):
            many.trajectory(output)  # type: ignore[arg-type]


def test_a_run_without_updates_has_a_path_of_no_length() -> None:
    path = learn([[1.0], [-1.0]], [1, -1], start=([1.0], 0.0), log=True).trajectory()
    assert (path.n_changes, path.length, path.turning) == (0, 0.0, 0.0)
    assert path.weights(0)[0].tolist() == [[1.0]]
    assert path.losses(0).mistakes == 0
