"""Every rule × every law."""

from typing import Any

import laws
import numpy as np
import pytest

from rosenblatt import rules

TIME_BUDGET = 60

PLANS: list[dict[str, Any]] = [
    {},
    {"order": "shuffled", "readout": "averaged"},
    {"order": "shuffled", "schedule": "1/sqrt(k)", "offset": "radius"},
    {"batch_size": 7, "offset": 2.0, "readout": "averaged"},
    {"batch_size": "all", "offset": 0},
]


def plans(rule: str) -> list[dict[str, Any]]:
    """The plans that make sense for a rule."""
    made = rules.get(rule)
    kept = [p for p in PLANS if (made.batches or "batch_size" not in p) and (made.uses_eta or "schedule" not in p)]
    eta = {"eta": 2.0**-9} if rule == "delta" else {}
    return [{"rule": rule, "max_epochs": 6, **laws.parameters(rule), **eta, **p} for p in kept]


CASES = [
    pytest.param(laws.Case(*data(seed), plan), id=f"{rule}-{data.__name__}-{i}")
    for rule in rules.names()
    for i, plan in enumerate(plans(rule))
    for seed, data in enumerate((laws.integers, laws.reals))
]

every_case = pytest.mark.parametrize("case", CASES)
every_rule = pytest.mark.parametrize("rule", rules.names())


@every_case
def test_dense_is_sparse(case: laws.Case) -> None:
    laws.check_dense_is_sparse(case)


@every_case
def test_every_index_width_is_the_same(case: laws.Case) -> None:
    laws.check_index_widths(case)


@every_case
def test_every_value_type_is_the_same(case: laws.Case) -> None:
    laws.check_value_types(case)


@every_case
def test_every_memory_order_is_the_same(case: laws.Case) -> None:
    laws.check_memory_orders(case)


@every_case
def test_the_same_seed_gives_the_same_bytes(case: laws.Case) -> None:
    laws.check_seed(case)


@every_case
def test_a_run_stopped_at_an_epoch_and_resumed_is_the_uninterrupted_run(case: laws.Case) -> None:
    laws.check_resumed(case, lambda progress: progress.epoch == 2)


@every_rule
def test_weight_two_doubles_the_step(rule: str) -> None:
    X, y = laws.reals(3)
    laws.check_weight_two_doubles_the_step(laws.Case(X, y, {"rule": rule, **laws.parameters(rule)}))


@every_rule
def test_one_vs_rest_is_many_binary_runs(rule: str) -> None:
    laws.check_one_vs_rest_is_many_binary_runs(rule, seed=5)


@pytest.mark.parametrize("readout", ["last", "averaged"])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
@every_rule
def test_one_thread_is_many(rule: str, order: str, readout: str) -> None:
    # Long quiet stretches over several chunks, so that threads really look ahead, with triggers here and there.
    rng = np.random.default_rng(8)
    X = rng.normal(size=(20_000, 40))
    score = X @ rng.normal(size=40)
    keep = np.abs(score) > 1.5
    X, y = X[keep], np.where(score[keep] > 0, 1, -1)
    y[::2000] *= -1
    eta = {"eta": 1e-3} if rule == "delta" else {}
    plan = {"rule": rule, "order": order, "readout": readout, "max_epochs": 3, "log": True}
    laws.check_threads(laws.Case(X, y, {**plan, **laws.parameters(rule), **eta}))
