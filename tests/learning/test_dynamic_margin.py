"""The margin that sets itself: a known share of the best one, after no more updates than its file proves."""

import math
from typing import Any

import laws
import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Examples, InputError, Perceptron, Run, datasets, learn, max_margin, rules
from rosenblatt.rules import Setting, dynamic_margin


def hard(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float]:
    """Separable rows of a random length each, some of them all but on the hyperplane; and the margin of that."""
    n, d = int(rng.integers(2, 9)), int(rng.integers(1, 5))
    u = rng.normal(size=d)
    u /= np.linalg.norm(u)
    X = rng.normal(size=(n, d)) * rng.uniform(0.1, 2, size=(n, 1))
    y = np.where(X @ u > 0, 1, -1)
    X += np.outer(y * (rng.choice([0.01, 0.05, 0.3]) - np.minimum(np.abs(X @ u), 0.3 * rng.random(n))), u)
    return X, y, float((y * (X @ u)).min())


def bound_of(X: np.ndarray, margin: float, beta: float) -> float:
    found = dynamic_margin.bound(Setting(radius=float(np.linalg.norm(X, axis=1).max()), margin=margin, beta=beta))
    assert found is not None
    return found


def test_no_run_on_two_thousand_sets_makes_more_updates_than_the_bound() -> None:
    rng = np.random.default_rng(0)
    tried, tight = 0, 0.0
    while tried < 2000:
        X, y, margin = hard(rng)
        if margin <= 0:
            continue
        tried += 1
        beta = float(rng.choice([0.0, 0.1, 0.25, 0.4, 0.49, 0.5, 0.51, 0.6, 0.75, 0.9]))
        run = learn(
            X, y, rule="dynamic-margin", beta=beta, offset=0, order="shuffled", seed=tried, max_epochs=300, threads=1
        )
        bound = bound_of(X, margin, beta)
        assert run.updates <= bound
        tight = max(tight, run.updates / bound)
        if run.status.name == "clean":
            assert run.hyperplane.margin(X, y) > beta * margin * (1 - 1e-12)
    assert tight > 0.4  # the sets are hard enough to come near it


@pytest.mark.parametrize("beta", [0.0, 0.25, 0.5, 0.75])
def test_the_most_malicious_order_stays_below_the_bound(beta: float) -> None:
    """Of all rows that trigger, always the one that adds most to ‖w‖²: until none triggers."""
    rng, worst = np.random.default_rng(1), 0.0
    for _ in range(40):
        X, y, margin = hard(rng)
        if margin <= 0.02:
            continue
        Z, w, t = X * y[:, None], np.zeros(X.shape[1]), 0
        bound = bound_of(X, margin, beta)
        while t <= min(bound, 20_000):
            m = Z @ w
            gain = np.where(m <= (beta * (w @ w) / t if t else 0), 2 * m + np.square(Z).sum(axis=1), -np.inf)
            if not np.isfinite(gain).any():
                break
            w, t = w + Z[gain.argmax()], t + 1
        assert t <= bound
        worst = max(worst, t / bound)
    assert worst > 0.02


@pytest.mark.parametrize("beta", [0.0, 0.2, 0.499, 0.5, 0.501, 0.7, 0.95])
@pytest.mark.parametrize("D", [1.0, 7.0, 400.0])
def test_the_recursion_itself_ends_before_the_bound(beta: float, D: float) -> None:
    """f_1 = 1, f_{t+1} = f_t·(1 + 2β/t) + 1 is the most that f can be: the last t with t² ≤ D·f_t."""
    bound = dynamic_margin.bound(Setting(radius=math.sqrt(D), margin=1.0, beta=beta))
    assert bound is not None
    t, f, last = 1, 1.0, 0
    while t <= min(1.01 * bound + 2, 50_000):
        last = t if t * t <= D * f else last
        t, f = t + 1, f * (1 + 2 * beta / t) + 1
    assert 1 <= last <= bound


def test_the_bound_is_the_formula_of_its_file() -> None:
    def bound(beta: float, **more: Any) -> float | None:
        return dynamic_margin.bound(Setting(radius=5.0, margin=0.5, beta=beta, **more))

    assert bound(0.0) == pytest.approx(100.0)  # the perceptron's
    assert bound(0.25) == pytest.approx(200.0)
    half = bound(0.5)
    assert half is not None
    assert half == pytest.approx(100 * (1 + math.log(half)))
    more = bound(0.75)
    assert more is not None
    assert math.sqrt(more) == pytest.approx(100 * (3 - 2 / math.sqrt(more)))  # 1 + (1 − t^{−1/2})/(1/2)
    assert more <= (100 * 3) ** 2
    assert bound(0.4999999) == pytest.approx(half, rel=1e-3)  # not D/(1 − 2β), which is without end
    assert bound(0.25, batch_size=2) is None
    assert bound(0.25, start_norm=1.0) is None


def test_by_hand() -> None:
    """Through the origin: (3, 4) gives w = (3, 4), ‖w‖²/Στ = 25. (1, 0) has m = 3, at most 25β from β = 0.12 on."""
    X, y = np.array([[3.0, 4.0], [1.0, 0.0]]), [1, 1]
    for beta, updates in ((0.11, 1), (0.12, 2), (0.13, 2)):
        run = learn(X, y, rule="dynamic-margin", beta=beta, offset=0, max_epochs=1)
        assert run.updates == updates


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("batch_size", [1, 7, "all"])
@pytest.mark.parametrize("beta", [0.3, 0.9])
def test_a_clean_run_has_its_share_of_the_largest_margin(beta: float, batch_size: Any, form: Any) -> None:
    X, y = datasets.separable(150, 4, margin=0.1)
    run = learn(form(X), y, rule="dynamic-margin", beta=beta, batch_size=batch_size, max_epochs=100_000, log=True)
    assert run.status.name == "clean"
    best = max_margin(X, y, offset=1)
    assert best.margin is not None
    bracket = run.margin_bracket()
    assert beta * best.margin < bracket.lower <= best.margin <= bracket.upper
    found = {(check.law, check.quantity): check for check in run.audit(best.hyperplane).checks}
    assert found["5", "margin reached"].bound == pytest.approx(beta * best.margin)
    assert (found["5", "updates"].bound is None) == (batch_size != 1)
    assert {check.quantity for check in run.against(best).checks} == {quantity for _, quantity in found}


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_of_many_classes_each_output_has_its_own_sum_or_all_have_one(multiclass: str) -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 3, size=90)
    X = rng.normal(size=(90, 3)) + 4 * np.eye(3)[labels]
    keep = (X.argmax(axis=1) == labels) & (np.sort(X, axis=1)[:, 2] - np.sort(X, axis=1)[:, 1] > 1)
    keep &= X[np.arange(90), labels] > 3
    run = learn(
        Examples.of(X[keep], labels[keep]), rule="dynamic-margin", beta=0.6, multiclass=multiclass, log=True,
        max_epochs=20_000,
    )  # fmt: skip
    assert run.status.name == "clean"
    for k in range(3) if multiclass == "ovr" else [None]:
        planes = run.hyperplanes if k is None else run.hyperplanes[k]
        assert run.audit(planes, output=k).margin > 0
        bracket = run.margin_bracket(k)
        assert bracket.lower > 0.6 * bracket.upper * (1 - 1e-9)  # m/‖w′‖ > β·‖w′‖/Στ


@pytest.mark.parametrize("batch_size", [1, 5, 64, "all"])
@pytest.mark.parametrize("stop", [3, 17, 130, 333])
def test_a_run_taken_up_within_a_batch_has_the_threshold_it_began_with(stop: int, batch_size: Any) -> None:
    X, y = laws.reals(6, n=100)
    case = laws.Case(X, y, {"rule": "dynamic-margin", "beta": 0.7, "batch_size": batch_size, "max_epochs": 8})
    whole = case.run()
    first = case.run(callback=lambda progress: progress.next is not None, marks=[stop])
    assert first.state.visited == stop - 1
    laws.assert_same_state(whole.state, case.run(start=first.state).state)


def test_a_share_of_none_is_the_perceptron() -> None:
    X, y = laws.reals(2)
    ours, theirs = (learn(X, y, max_epochs=9, **how) for how in ({"rule": "dynamic-margin", "beta": 0.0}, {}))
    assert np.array_equal(ours.state.weights, theirs.state.weights)


def test_without_a_separator_it_ends_with_its_budget_and_claims_no_loop() -> None:
    """The perceptron loops on XOR through the origin; here Στ grows, and with it what comes next."""
    X, y = datasets.xor()
    assert learn(X, y, offset=0).status.name == "loop"
    run = learn(X, y, offset=0, rule="dynamic-margin", max_epochs=50)
    assert run.status.name == "budget"
    assert "smaller beta" not in str(run.status)


@pytest.mark.parametrize("beta", [1.0, 1.5, 1e300])
def test_a_share_of_all_or_more_is_refused(beta: float) -> None:
    with pytest.raises(InputError, match=r"'dynamic-margin': beta is the share of the best margin.*below 1, not"):
        learn([[1.0], [-1.0]], [1, -1], rule="dynamic-margin", beta=beta)


@pytest.mark.parametrize("start", ["random", ([1.0], 0.0)])
def test_another_start_than_zero_is_refused(start: Any) -> None:
    with pytest.raises(InputError, match="'dynamic-margin' must begin at zero: leave out start"):
        learn([[1.0], [-1.0]], [1, -1], rule="dynamic-margin", start=start)


def test_partial_fit_goes_on_with_the_sum_of_all_steps() -> None:
    X, y = laws.integers(5, n=80)
    parts = Perceptron(rule="dynamic-margin", beta=0.5, readout="last", shuffle=False)
    for half in (slice(0, 40), slice(40, 80)):
        parts.partial_fit(X[half], y[half], classes=[-1, 1])
    whole: Run = learn(X, y, rule="dynamic-margin", beta=0.5, max_epochs=1)
    assert parts.coef_[0].tolist() == whole.hyperplane.w.tolist()
    assert rules.get("dynamic-margin").from_zero
