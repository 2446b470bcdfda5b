"""Theorems that survive mixing: Novikoff's bound on the mixed updates, and the running bound on the margin."""

import math

import numpy as np
import pytest
from effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from in_shards import PLAIN, even, learn_here, separable, three_classes, two_classes

from rosenblatt import learn, max_margin

MIXINGS = ["uniform", "mistakes"]


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(
    seed=st.integers(0, 2**32 - 1),
    shards=st.integers(1, 12),
    mixing=st.sampled_from(MIXINGS),
    order=st.sampled_from(["cyclic", "shuffled"]),
    eta=st.sampled_from([1.0, 0.3]),
)
def test_mixed_updates_are_at_most_the_squared_radius_over_the_margin(
    seed: int, shards: int, mixing: str, order: str, eta: float
) -> None:
    """McDonald, Hall and Mann 2010, theorem 3: Σ μ·k ≤ (R′/γ′)²; and so all updates are at most S times that."""
    X, y = separable(seed, n=40, d=3)
    best = max_margin(X, y, offset=1.0)
    plan = {"mixing": mixing, "order": order, "scale": "none", "eta": eta, "seed": seed}
    run = learn_here(X, y, even(40, shards), **plan)
    R2 = float((X * X).sum(axis=1).max()) + 1
    most = R2 / best.margin**2 * (1 + 1e-9)
    assert run.status.name == "clean"
    assert run.state.sum_tau[0] / eta <= most
    assert run.updates <= shards * most  # Σ μ·k ≥ Σ k/S: by mistakes, for Σ k² ≥ (Σ k)²/S
    # Every entry is a bound on every margin, whatever was mixed before it.
    assert (run.history.margin_upper >= best.margin).all()
    bound = run.to_dict()["bound"]
    assert bound["mixed"] == {"shards": shards, "by": mixing, "updates": float(f"{run.state.sum_tau[0] / eta:.10g}")}
    assert bound["mixed"]["updates"] <= bound["most_updates"] + 1
    assert bound["margin"] <= best.margin * (1 + 1e-9)
    assert bound["margin_upper"] >= best.margin
    assert bound["least_bound"] <= most


@pytest.mark.slow
@settings(max_examples=examples(40))
@given(
    seed=st.integers(0, 2**32 - 1),
    shards=st.integers(2, 9),
    mixing=st.sampled_from(MIXINGS),
    rule=st.sampled_from(["margin", "fixed-margin", "pa-1", "passive-aggressive", "perceptron"]),
    batch_size=st.sampled_from([1, 4]),
    schedule=st.sampled_from(["constant", "1/sqrt(k)"]),
)
def test_no_margin_is_above_the_bound_of_any_epoch_whatever_the_rule(
    seed: int, shards: int, mixing: str, rule: str, batch_size: int, schedule: str
) -> None:
    X, y = separable(seed, n=36, d=2)
    passive = rule in ("pa-1", "passive-aggressive")
    plan = {"rule": rule, "batch_size": 1 if passive else batch_size, "schedule": "constant" if passive else schedule}
    plan |= {"margin": {"beta": 0.05}, "fixed-margin": {"beta": 0.5}, "pa-1": {"C": 0.7}}.get(rule, {})
    run = learn_here(X, y, even(36, shards), mixing=mixing, max_epochs=30, **plan, **PLAIN)
    assert (run.history.margin_upper >= max_margin(X, y, offset=1.0).margin).all()


@pytest.mark.slow
@pytest.mark.parametrize("mixing", MIXINGS)
def test_the_bound_comes_down_to_the_margin_as_the_rule_that_seeks_it_goes_on(mixing: str) -> None:
    """A bound that is true and useless would be infinity; this one is within a few per cent."""
    X, y = separable(3, n=60, d=2, gap=0.5)
    best = max_margin(X, y, offset=1.0).margin
    run = learn_here(X, y, even(60, 4), mixing=mixing, rule="margin", beta=0.99 * best, max_epochs=300, **PLAIN)
    assert best <= run.state.margin_upper < 1.2 * best


@pytest.mark.parametrize("mixing", MIXINGS)
def test_a_margin_is_bounded_per_output_of_one_vs_rest(mixing: str) -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(20, 2)) / 4 + centre for centre in ([0, 3], [3, -2], [-3, -2])])
    y = np.repeat([0, 1, 2], 20)
    shuffled = rng.permutation(60)
    X, y = X[shuffled], y[shuffled]
    run = learn_here(X, y, [13, 17, 30], mixing=mixing, **PLAIN)
    for k in range(3):
        best = max_margin(X, np.where(y == k, 1, -1), offset=1.0).margin
        assert (run.history.margin_upper[:, k] >= best).all()
        assert run.history.margin_upper[-1, k] < math.inf
    assert run.status.name == "clean"


def test_a_run_on_one_machine_and_one_of_a_full_batch_say_nothing_of_mixing() -> None:
    X, y = separable(4)
    assert "mixed" not in learn(X, y).to_dict()["bound"]
    whole = learn_here(X, y, even(60, 3), batch_size="all", scale="none")
    assert whole.to_dict()["bound"] is None  # it speaks of rows one by one


def test_the_bound_of_scaled_rows_speaks_of_the_scaled_rows() -> None:
    X, y = separable(5, d=3)
    run = learn_here(X * [1, 100, 0.01], y, even(60, 3), order="cyclic", scale="standard")
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    best = max_margin(scaled, y, offset=1.0).margin
    bound = run.to_dict()["bound"]
    assert bound["scaled"] is True
    assert bound["radius"] == pytest.approx(math.sqrt(1 + float((scaled**2).sum(axis=1).max())), rel=1e-9)
    assert bound["margin_upper"] >= best * (1 - 1e-9)
    assert bound["mixed"]["updates"] <= (bound["radius"] / best) ** 2 * (1 + 1e-9)


def test_no_bound_is_claimed_for_several_classes_or_weighted_rows() -> None:
    X, y = three_classes(1)
    assert learn_here(X, y, even(60, 3), max_epochs=3).to_dict()["bound"] is None
    X, y = two_classes(1)
    weighted = learn_here(X, y, even(60, 3), max_epochs=3, sample_weight=np.linspace(1, 2, 60))
    assert weighted.to_dict()["bound"] is None
