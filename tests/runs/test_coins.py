"""The laws of rules that bet: the wealth beside its floor, the regret, and what is refused because w is no sum of rows.

F is computed here by other means than in the package: for coins of ±1 as products of whole numbers (Krichevsky and
Trofimov), else by scipy's betaln.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import laws
import numpy as np
import pytest
import scipy.sparse as sp
from bets import WEALTH, Gambler
from scipy.special import betaln

from rosenblatt import Examples, Hyperplane, InputError, LawBrokenError, Perceptron, Run, learn, rules
from rosenblatt.learning.transfer import with_other_rows
from rosenblatt.runs.coins import log_potential

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

FORMS: list[Any] = [np.asarray, sp.csr_array]
every_form = pytest.mark.parametrize("form", FORMS)
every_rule = pytest.mark.parametrize("rule", ["coin", "scinol"])


def potential(G: Any, theta: Any) -> Any:
    """F(G, θ) = 2ᴳ·B((G + 1 + θ)/2, (G + 1 − θ)/2)/π."""
    return np.exp(log_of_potential(G, theta))


def log_of_potential(G: Any, theta: Any) -> Any:
    return G * math.log(2) + betaln((G + 1 + theta) / 2, (G + 1 - theta) / 2) - math.log(math.pi)


def whole_potential(heads: int, tails: int) -> Fraction:
    """The same for coins of ±1: B(a + ½, b + ½)/π is C(2a, a)·C(2b, b)/(C(a + b, a)·4^(a + b))."""
    n = heads + tails
    coins = math.comb(2 * heads, heads) * math.comb(2 * tails, tails)
    return Fraction(2**n * coins, math.comb(n, heads) * 4**n)


def test_the_potential_is_that_of_whole_coins_and_of_scipy() -> None:
    for heads in range(25):
        for tails in range(25):
            G, theta = np.array([heads + tails]), np.array([heads - tails])
            assert float(np.exp(log_potential(G, theta))[0]) == pytest.approx(float(whole_potential(heads, tails)))
    rng = np.random.default_rng(0)
    G = rng.uniform(0, 1e4, 500)
    theta = G * rng.uniform(-1, 1, 500)
    np.testing.assert_allclose(log_potential(G, theta), log_of_potential(G, theta), rtol=1e-9, atol=1e-9)


def test_whole_coins_have_the_wealth_of_the_potential_exactly() -> None:
    rng = np.random.default_rng(1)
    gambler, heads, tails = Gambler(squares=False, largest=Fraction(3)), 0, 0
    for g in rng.choice([-3, 3], 120):
        before = gambler.wealth
        assert abs(int(g) * gambler.w) < before  # no purse is ever empty
        gambler.tell(Fraction(int(g)))
        heads, tails = heads + int(g > 0), tails + int(g < 0)
        assert gambler.wealth == WEALTH * whole_potential(heads, tails)


@every_form
def test_the_wealth_keeps_its_floor_at_every_update_of_a_run(form: Any) -> None:
    X, y = laws.reals(7, n=120, d=5, noise=0.1)
    X *= 10.0 ** np.arange(-2, 3)
    weight = np.random.default_rng(0).uniform(0.1, 3, len(y))
    seen: list[int] = []

    def look(now: Any) -> bool:
        state = now.state()
        total, spread, gain, largest = (np.append(*pair) for pair in (
            state.coin_sum, state.coin_spread, state.coin_gain, state.coin_largest))  # fmt: skip
        wealth, epsilon = float(WEALTH) + gain, float(WEALTH)
        assert (wealth >= epsilon * potential(spread / largest, total / largest) * (1 - 1e-9)).all()
        w = np.append(state.weights, state.offsets)
        assert (np.abs(largest * w) < wealth).all()
        assert gain.sum() <= (weight.max() * state.updates) * (1 + 1e-9)  # Σ g·w = h·m < h
        seen.append(state.updates)
        return False

    run = learn(form(X), y, rule="coin", sample_weight=weight, max_epochs=3, callback=look, marks=range(1, 360))
    assert len(set(seen)) > 60
    assert run.audit(Hyperplane(np.ones(5))).least_room >= 1 - 1e-9


@pytest.mark.parametrize(("outputs", "kind"), [(2, "ovr"), (3, "direct")])
@every_form
def test_the_hinge_loss_exceeds_no_others_by_more_than_the_bound(form: Any, outputs: int, kind: str) -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(80, 4)) * [1, 10, 0.1, 3]
    codes = (X @ rng.normal(size=(4, outputs)) + rng.normal(size=(80, outputs))).argmax(axis=1)
    run = learn(Examples.of(form(X), codes), rule="coin", multiclass=kind, max_epochs=3, log=True)
    # What the run met, row by row: the scores of the moment.
    lost, epsilon = 0.0, float(WEALTH)

    def met(now: Any) -> bool:
        nonlocal lost
        if now.next is not None:
            state, i = now.state(), now.next.row
            s = X[i] @ state.weights + state.offsets
            rest = np.delete(s, codes[i]).max() if outputs > 2 else 0
            m = s[codes[i]] - rest if outputs > 2 else (2 * codes[i] - 1) * s[0]
            lost += max(0.0, 1 - m)
        return False

    plan: dict[str, Any] = {"rule": "coin", "multiclass": kind, "max_epochs": 3}
    learn(Examples.of(form(X), codes), callback=met, marks=range(1, 241), **plan)
    K = 1 if outputs == 2 else outputs
    assert run.audit([Hyperplane(np.ones(4))] * K).hinge_loss > 0
    for seed in range(40):
        U = np.random.default_rng(seed).normal(size=(5, K)) * 10.0 ** (seed % 5 - 3)
        s = X @ U[:-1] + U[-1]
        if K == 1:
            margins = s[:, 0] * (2 * codes - 1)
        else:
            margins = np.array([row[c] - np.delete(row, c).max() for row, c in zip(s, codes, strict=True)])
        rival = run.epochs * np.maximum(0, 1 - margins).sum()
        total, spread, largest = (
            np.append(pair[0], pair[1][None, :], axis=0)
            for pair in (run.state.coin_sum, run.state.coin_spread, run.state.coin_largest)
        )
        bound = (U * total + epsilon - epsilon * potential(spread / largest, total / largest)).sum()
        found = run.audit([Hyperplane(U[:-1, k], U[-1, k]) for k in range(K)])
        assert found.rival_loss == pytest.approx(rival)
        assert found.regret_bound == pytest.approx(bound, rel=1e-6, abs=1e-6)
        assert found.regret == pytest.approx(found.hinge_loss - rival)
        assert found.regret <= bound + 1e-6
    assert found.checked == len(run.log.row)
    # The last of the marks is behind the last row that is asked for: what was met at the others is below the whole.
    assert found.hinge_loss * 0.9 < lost <= found.hinge_loss * (1 + 1e-9)
    assert found.to_dict()["regret"] == found.regret
    assert "regret" in found.summary()
    assert max(map(len, repr(found).splitlines())) <= 80


def test_what_a_run_cannot_have_won_is_found_out() -> None:
    """On whole coins the law is an equality, so that any wealth less is less than there must be."""
    X, y = np.ones((9, 1)), np.array([1, -1, 1, 1, 1, -1, 1, 1, 1])
    plane = Hyperplane([1.0], 0.0)
    run = learn(X, y, rule="coin", max_epochs=5)
    assert run.audit(plane).least_room == pytest.approx(1)
    W, b = run.state.coin_gain
    forged = replace(run, state=replace(run.state, coin_gain=(W - 1e-6, b)))
    with pytest.raises(LawBrokenError, match="of the purses is broken"):
        forged.audit(plane)
    logged = learn(X, y, rule="coin", max_epochs=5, log=True)
    assert logged.audit(plane).checked == logged.updates
    step = logged.log.step.copy()
    step[3] *= 0.5
    for log, state in (
        (replace(logged.log, step=step), logged.state),
        (logged.log, replace(logged.state, weights=logged.state.weights + 1e-6)),
    ):
        with pytest.raises(LawBrokenError, match="broken"):
            replace(logged, log=log, state=state).audit(plane)


@pytest.mark.parametrize(("outputs", "kind"), [(2, "ovr"), (3, "ovr"), (3, "direct")])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("offset", [0, 1, "radius"])
@every_form
def test_a_log_is_played_again_to_the_runs_own_end(
    form: Any, offset: Any, weighted: bool, outputs: int, kind: str
) -> None:
    rng = np.random.default_rng(8)
    X = np.where(rng.random((90, 5)) < 0.5, 0, rng.normal(size=(90, 5)))
    X[:, 4] = 0  # a column of nothing: a coordinate that is never told anything
    codes = rng.integers(0, outputs, 90)
    weight = rng.choice([0.0, 0.5, 2.0], 90) if weighted else None
    run = learn(
        Examples.of(form(X), codes), rule="coin", multiclass=kind, max_epochs=3, log=True, order="shuffled",
        offset=offset, sample_weight=weight,
    )  # fmt: skip
    K = 1 if outputs == 2 else outputs
    found = run.audit([Hyperplane(np.ones(5), 0.0)] * K)
    assert found.checked == len(run.log.row) > 50
    assert 1 - 1e-9 < found.least_room < 1.1
    assert found.coordinates == (4 + (offset != 0)) * K
    assert (found.regret is None) == (weighted or (outputs > 2 and kind == "ovr"))


@every_rule
def test_where_the_largest_entries_were_not_known_no_law_is_claimed(rule: str) -> None:
    X, y = laws.reals(1)
    plane, run = Hyperplane(np.ones(13)), learn(X, y, rule=rule, max_epochs=3)
    assert run.audit(plane).claimed == (rule == "coin")
    run = learn(100 * X[::-1], y[::-1], rule=rule, start=with_other_rows(run.state), max_epochs=4)
    state = run.state
    model = Perceptron(rule=rule, order="cyclic", readout="last", max_iter=3, tol=None).fit(X, y)
    model.partial_fit(100 * X[::-1], y[::-1])
    assert np.array_equal(model.coef_[0], state.weights[:, 0])
    assert state.conditions["largest"] == "growing"
    assert (state.coin_largest[0][:, 0] >= 10 * np.abs(X).max(axis=0)).all()
    found = run.audit(plane)
    assert (found.claimed, found.least_room, found.regret) == (False, None, None)
    assert "no law is claimed" in found.summary()
    assert all(value is None or np.isfinite(value).all() for value in laws.arrays(state).values())


def refused(ask: Callable[[], Any]) -> str:
    with pytest.raises(InputError) as caught:
        ask()
    assert "\n" not in str(caught.value)
    return str(caught.value)


@every_rule
def test_what_needs_a_sum_of_rows_is_refused_by_name(rule: str) -> None:
    X, y = laws.reals(2)
    run: Run = learn(X, y, rule=rule, log=True, max_epochs=3)
    plane = Hyperplane(np.ones(13))
    why = f"rule {rule!r} has no {{}}: its weights are no sum of rows; see run.audit"
    assert refused(run.trajectory) == why.format("trajectory")
    assert refused(run.trace) == why.format("trajectory")
    assert refused(run.margin_bracket) == why.format("bracket of the margin")
    assert refused(lambda: run.against(Hyperplane(np.ones(13), 0.0))).startswith(f"rule {rule!r} has no bound on")
    assert refused(lambda: run.vote) == why.format("vote")
    assert "voted" not in run.readouts
    assert f"rule {rule!r} has no vote" in refused(lambda: learn(X, y, rule=rule, readout="voted"))
    assert f"rule {rule!r} steps row by row: batch_size must be 1" in refused(
        lambda: learn(X, y, rule=rule, batch_size=7)
    )
    for start in (plane, (np.ones(13), 0.0), "random"):
        assert refused(lambda start=start: learn(X, y, rule=rule, start=start)) == (
            f"rule {rule!r} must begin at zero: leave out start"
        )
    for more in ({"eta": 0.5}, {"schedule": "1/k"}):
        assert f"rule {rule!r} sets its own step" in refused(lambda more=more: learn(X, y, rule=rule, **more))
    assert refused(lambda: learn(X, y, rule=rule, beta=1.0)).startswith(f"rule {rule!r} ")
    assert np.isinf(run.history.margin_upper).all()
    assert rules.get(rule).bound(rules.Setting(radius=2.0, margin=0.5)) is None
