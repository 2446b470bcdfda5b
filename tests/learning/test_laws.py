"""Every rule × every law."""

from typing import Any

import laws
import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Examples, _core, learn, rules
from rosenblatt.rules import delta

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
def test_a_weight_scales_the_step(rule: str) -> None:
    X, y = laws.reals(3)
    laws.check_a_weight_scales_the_step(laws.Case(X, y, {"rule": rule, **laws.parameters(rule)}))


@every_rule
def test_one_vs_rest_is_many_binary_runs(rule: str) -> None:
    laws.check_one_vs_rest_is_many_binary_runs(rule, seed=5)


@pytest.mark.parametrize("batch_size", [1, 3, 5000])
@every_rule
def test_one_chunk_is_many(rule: str, batch_size: int) -> None:
    X, y = laws.reals(4, n=9000, d=5)
    if batch_size > 1 and not rules.get(rule).batches:
        batch_size = 1
    laws.check_chunks(laws.Case(X, y, {"rule": rule, "batch_size": batch_size}), cuts=[1, 100, 4096, 5000, 8500])


def quiet(n: int = 20_000) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows far from a separator, but for a few just beyond it; and the separator, so long that it hardly turns."""
    rng = np.random.default_rng(8)
    X, w = rng.normal(size=(n, 40)), rng.normal(size=40)
    X = X[np.abs(X @ w) > 1.5]
    y = np.where(X @ w > 0, 1, -1)
    near = X[::1500]
    X[::1500] = 5 * (near - np.outer(near @ w + 1e-3 * y[::1500], w) / (w @ w))
    return X, y, 1000 * w


@pytest.mark.parametrize("plan", [{}, {"order": "shuffled"}, {"readout": "averaged"}, {"batch_size": 3000}], ids=str)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("rule", [name for name in rules.names() if rules.get(name).update is not delta.update])
def test_threads_that_look_ahead_together_change_nothing(
    rule: str, form: Any, plan: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = watch_sharing(monkeypatch)
    X, y, w = quiet()
    if "batch_size" in plan and not rules.get(rule).batches:
        plan = {}
    numbers = dict.fromkeys(rules.get(rule).parameters, 0.01)
    # From zero it takes some epochs until updates are few.
    long = 12 if rules.get(rule).additive else 60
    begin = {"max_epochs": long} if rules.get(rule).from_zero else {"start": (w, 0.0), "max_epochs": 2}
    plan = {"rule": rule, "log": True, **begin, **numbers, **plan}
    case = laws.Case(form(X), y, plan)
    one = case.run(threads=1)
    assert one.updates > 5
    assert sum(core.parallel_scans for core in shared) == 0
    for threads in (2, 3, 8):
        laws.assert_same_run(one, case.run(threads=threads))
        assert shared[-1].parallel_scans > 0


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_threads_change_nothing_with_many_classes(multiclass: str, form: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = watch_sharing(monkeypatch)
    rng = np.random.default_rng(2)
    labels = rng.integers(0, 3, size=10_000)
    X = rng.normal(size=(10_000, 30)) + 20 * np.eye(30)[labels]
    labels[::3000] = (labels[::3000] + 1) % 3
    examples = Examples.of(form(X), labels)
    runs = [learn(examples, multiclass=multiclass, max_epochs=4, threads=threads, log=True) for threads in (1, 2, 4)]
    assert shared[0].parallel_scans == 0 < min(shared[1].parallel_scans, shared[2].parallel_scans)
    for run in runs[1:]:
        laws.assert_same_run(runs[0], run)


def watch_sharing(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The core learners made from now on: each counts how often its threads looked ahead together."""
    made: list[Any] = []
    real = _core.Learner

    def learner(*arguments: Any) -> Any:
        made.append(real(*arguments))
        return made[-1]

    monkeypatch.setattr(_core, "Learner", learner)
    return made


@pytest.mark.parametrize("readout", ["last", "averaged"])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
@every_rule
def test_one_thread_is_many(rule: str, order: str, readout: str) -> None:
    X, y, _ = quiet()
    eta = {"eta": 1e-3} if rule == "delta" else {}
    plan = {"rule": rule, "order": order, "readout": readout, "max_epochs": 3, "log": True}
    laws.check_threads(laws.Case(X, y, {**plan, **laws.parameters(rule), **eta}))
