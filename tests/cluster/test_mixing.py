"""Iterative parameter mixing is what the paper says it is: against an oracle in fractions, and against one machine."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import laws
import mixture
import numpy as np
import pytest
import scipy.sparse as sp
from in_shards import PLAIN, assert_same_run, assert_same_weights, cut, even, learn_here, three_classes, two_classes

from rosenblatt import Run, learn, rules
from rosenblatt.cluster.mixing import shard_seed

ADDITIVE = [name for name in rules.names() if rules.get(name).additive]


def vector(run: Run, readout: str, output: int = 0) -> np.ndarray:
    W, b = run.state.read(readout)
    return np.append(W[:, output], b[output])


def pairs(X: np.ndarray, y: np.ndarray, sizes: list[int]) -> list[Any]:
    return list(zip(cut(X, sizes), cut(y, sizes), strict=True))


@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
@pytest.mark.parametrize("sizes", [[60], [30, 30], [7, 41, 12], [1, 2, 3, 4, 5, 45], [5] * 12])
def test_weights_average_and_history_are_those_of_the_paper(sizes: list[int], mixing: str) -> None:
    X, y = two_classes(len(sizes), noise=0.1)
    X = X.round(3)
    run = learn_here(X, y, sizes, max_epochs=4, mixing=mixing, **PLAIN)
    paper = mixture.mix(pairs(X, y, sizes), 4, mixing)
    np.testing.assert_allclose(vector(run, "last"), np.array(paper.weights, float), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(vector(run, "averaged"), np.array(paper.average, float), rtol=1e-11, atol=1e-12)
    assert run.history.mistakes.tolist() == run.history.updates.tolist() == paper.mistakes
    np.testing.assert_allclose(run.history.perceptron_loss, np.array(paper.losses, float), rtol=1e-11, atol=1e-12)
    assert run.state.sum_tau[0] == pytest.approx(float(paper.updates), rel=1e-12)
    assert Fraction(run.state.sum_tau[0]) <= paper.updates  # rounded so that a bound made of it stays one


@pytest.mark.parametrize("shards", [1, 2, 4, 8])
@pytest.mark.parametrize("seed", range(3))
def test_whole_numbers_in_two_four_or_eight_shards_give_the_very_weights(seed: int, shards: int) -> None:
    """Sums and halves of small whole numbers are floats, so nothing is rounded."""
    X, y = laws.integers(seed, n=64)
    run = learn_here(X, y, even(64, shards), max_epochs=5, **PLAIN)
    paper = mixture.mix(pairs(X, y, even(64, shards)), 5)
    assert [Fraction(v) for v in vector(run, "last")] == paper.weights
    assert run.history.mistakes.tolist() == paper.mistakes


@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
def test_each_output_of_one_vs_rest_is_mixed_by_itself(mixing: str) -> None:
    X, y = three_classes(3)
    sizes = [11, 30, 19]
    run = learn_here(X, y, sizes, max_epochs=3, mixing=mixing, **PLAIN)
    for k, name in enumerate(run.classes):
        paper = mixture.mix(pairs(X, np.where(y == name, 1, -1), sizes), 3, mixing)
        np.testing.assert_allclose(vector(run, "last", k), np.array(paper.weights, float), rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(vector(run, "averaged", k), np.array(paper.average, float), rtol=1e-10, atol=1e-11)


@pytest.mark.parametrize(
    ("order", "mixing"), [("cyclic", "mistakes"), ("shuffled", "mistakes"), ("shuffled", "uniform")]
)
@pytest.mark.parametrize(
    ("rule", "multiclass"),
    [(rule, form) for rule in ADDITIVE for form in ("ovr", "direct") if form == "ovr" or rules.get(rule).direct],
)
def test_one_shard_is_one_machine(rule: str, multiclass: str, order: str, mixing: str) -> None:
    direct = multiclass == "direct"
    X, y = three_classes(5, n=90) if direct else two_classes(5, n=90)
    plan = {
        "rule": rule, "order": order, "multiclass": multiclass, "seed": 11, "max_epochs": 6, "eta": 0.125,
        "scale": "standard", "readout": ("last", "averaged"), **laws.parameters(rule),
    }  # fmt: skip
    if not rules.get(rule).uses_eta:
        plan["eta"] = 1.0
    whole, sharded = learn(X, y, **plan), learn_here(X, y, [90], mixing=mixing, **plan)
    assert_same_weights(whole, sharded)
    # The bound on the margin is rounded outward once more.
    np.testing.assert_allclose(sharded.history.margin_upper, whole.history.margin_upper, rtol=1e-11)
    assert (sharded.history.margin_upper >= whole.history.margin_upper).all()
    np.testing.assert_allclose(vector(sharded, "averaged"), vector(whole, "averaged"), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("schedule", ["constant", "1/k", "1/sqrt(k)"])
@pytest.mark.parametrize("batch_size", [1, 7, 500])
@pytest.mark.parametrize("sparse", [False, True])
def test_one_shard_is_one_machine_in_batches_with_steps_that_shrink(
    sparse: bool, batch_size: int, schedule: str
) -> None:
    X, y = three_classes(6, n=80)
    X = sp.csr_array(X) if sparse else X
    plan: dict[str, Any] = {
        "schedule": schedule, "batch_size": batch_size, "order": "shuffled", "seed": 3, "max_epochs": 4,
        "readout": "averaged", "sample_weight": np.linspace(0, 2, 80), "offset": "radius", "tol": 1e-3, "patience": 2,
    }  # fmt: skip
    assert_same_weights(learn(X, y, **plan), learn_here(X, y, [80], scale="none", **plan))


@pytest.mark.parametrize("plan", [{"step_tol": 30.0}, {"start": "random"}, {"start": (np.ones(5), 0.5)}], ids=str)
def test_one_shard_is_one_machine_from_other_weights_and_until_steps_are_small(plan: dict[str, Any]) -> None:
    X, y = two_classes(6, n=80, noise=0.2)
    plan = {"max_epochs": 9, "seed": 3, "readout": "averaged", "scale": "standard", "order": "shuffled", **plan}
    assert_same_weights(learn(X, y, **plan), learn_here(X, y, [80], **plan))


@pytest.mark.parametrize("shards", [2, 4])
def test_sparse_shards_learn_what_dense_ones_learn(shards: int) -> None:
    X, y = laws.integers(4, n=80)
    plan = {"max_epochs": 5, "order": "shuffled", "scale": "none"}
    sizes = even(80, shards)
    assert_same_run(learn_here(X, y, sizes, **plan), learn_here(sp.csr_matrix(X), y, sizes, **plan))


@pytest.mark.parametrize(("mixing", "mixed"), [("uniform", [-0.5, 2.5]), ("mistakes", [0.0, 2.0])])
def test_a_shard_that_makes_no_mistake_has_no_say_by_mistakes(mixing: str, mixed: list[float]) -> None:
    X, y = np.array([[1.0, 2.0], [-1.0, 1.0]]), np.array([1, -1])
    plan = {"max_epochs": 1, "start": ([-1.0, 3.0], 0.0), "offset": 0, "readout": "last", **PLAIN}
    run = learn_here(X, y, [1, 1], mixing=mixing, **plan)
    assert run.hyperplane.w.tolist() == mixed


def test_every_shard_shuffles_by_a_seed_of_its_own_and_the_first_by_that_of_the_run() -> None:
    assert shard_seed(5, 0) == 5
    seeds = {shard_seed(seed, place) for seed in range(20) for place in range(50)}
    assert len(seeds) == 20 + 20 * 49
    assert all(0 <= seed < 2**64 for seed in seeds)
    X, y = two_classes(8)
    runs = [learn_here(X, y, even(60, 3), max_epochs=3, seed=seed) for seed in (0, 0, 1)]
    assert_same_run(runs[0], runs[1])
    assert not np.array_equal(runs[0].state.weights, runs[2].state.weights)


def test_weights_that_leave_float64_end_the_run_with_the_row_by_its_number_among_all() -> None:
    X, y = two_classes(9)
    X[47] = 1e200
    run = learn_here(X, y, even(60, 3), max_epochs=3, **PLAIN)
    assert run.status.name == "non-finite"
    assert "row 47" in str(run.status)


@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
def test_a_clean_epoch_changes_no_bit_though_a_mean_of_equal_numbers_may(mixing: str) -> None:
    """(w + w + w)/3 need not be w in floats: here it would be a plane with the rows on it."""
    X, y = np.ones((3, 2)), np.ones(3, int)
    start = np.array([0.10000000000000002, -0.1])
    assert (start + start + start)[0] / 3 + (start + start + start)[1] / 3 == 0.0
    plan = {"start": (start, 0.0), "offset": 0, "readout": "last", "mixing": mixing, **PLAIN}
    run = learn_here(X, y, [1, 1, 1], **plan)
    assert (run.status.name, run.epochs, run.updates) == ("clean", 1, 0)
    assert run.hyperplane.w.tolist() == start.tolist()
    assert (run.hyperplane.scores(X) > 0).all()


def test_outputs_that_have_nothing_left_to_learn_stay_as_they_are() -> None:
    X, y = three_classes(3)
    X[:, 0] = np.where(y == "ash", 40.1, -40.1)  # which is learnt soon, and the others are not
    sizes, plan = even(60, 7), {"order": "cyclic", "scale": "none", "readout": "last"}
    runs = [learn_here(X, y, sizes, max_epochs=epochs, **plan) for epochs in range(1, 9)]
    still = 0
    for one, later in pairwise(runs):
        made = [b.updates - a.updates for a, b in zip(one.state.outputs, later.state.outputs, strict=True)]
        for k in np.flatnonzero(np.array(made) == 0):
            still += 1
            np.testing.assert_array_equal(vector(one, "last", k), vector(later, "last", k))
    assert still


def test_advice_on_steps_that_overshoot_is_of_the_rows_of_all_shards() -> None:
    X = np.vstack([np.full((20, 2), 2.0), np.full((20, 2), 50.0)])  # the first shard has the short rows
    y = np.tile([1, -1], 20)
    plan = {"rule": "delta", "eta": 1e3, "max_epochs": 200, **PLAIN}
    run, one = learn_here(X, y, [20, 20], **plan), learn(X, y, rule="delta", eta=1e3, max_epochs=200)
    assert run.status.name == one.status.name == "non-finite"
    said = [step.values["safe"] for end in (run.status, one.status) for step in end.steps if step.key == "smaller-eta"]
    assert said == [2 / 5001, 2 / 5001]


def test_weights_whose_length_is_no_number_end_the_run_and_leave_what_was_learnt() -> None:
    X, y = np.array([[1.0], [1.0]]), np.array([1, 1])
    run = learn_here(X, y, [1, 1], start=([1.5e160], 0.0), readout="last", **PLAIN)  # whose square is none
    said = "epoch 1: the mixed weights leave float64; the weights are those before this epoch; rescale the data"
    assert str(run.status) == f"non-finite: {said}"
    assert (run.epochs, run.hyperplane.w.tolist()) == (0, [1.5e160])
