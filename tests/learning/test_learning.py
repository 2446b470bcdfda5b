"""How a run ends, what it says, and what it leaves behind."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

import laws
import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Examples, Hyperplane, InputError, Run, _core, datasets, learn, rules
from rosenblatt.data.rows import rows_of
from rosenblatt.learning import driver, resume
from rosenblatt.learning.progress import Progress
from rosenblatt.runs.state import State, Tally
from rosenblatt.runs.visits import row_order

XOR = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]), np.array([1, -1, -1, 1])
LINE = np.array([[1], [2], [3], [4]]), np.array([1, 1, -1, -1])


def said(run: Run) -> str:
    """Every status is one sentence of reason and one of advice."""
    assert run.status.reason
    assert run.status.advice
    return str(run.status)


def test_a_clean_epoch_ends_the_run_and_only_that_is_called_clean() -> None:
    run = learn(*LINE)
    assert run.status.name == "clean"
    assert run.history.updates[-1] == 0
    assert (run.history.updates[:-1] > 0).all()
    assert run.hyperplane.margin(*LINE) > 0
    assert "epoch 11 made no update" in said(run)


def test_the_budget_says_how_many_mistakes_are_left_and_bounds_the_margin() -> None:
    run = learn(*LINE, max_epochs=5)
    assert run.status.name == "budget"
    assert run.epochs == 5
    assert re.search(r"5 epochs spent; 3 mistakes in the last epoch; if the data are separable", said(run))
    # The bound in the advice is the history's, and above the best augmented margin, which is 0.5/√7.25 = 0.1857 here.
    assert 0.1857 <= run.history.margin_upper[-1] <= 1.5


def test_a_slow_schedule_is_named_in_the_advice() -> None:
    rows = np.array([[1.0, 0.0]] * 20 + [[-1.0, 1.0]])
    run = learn(rows, np.ones(21), schedule="1/k", batch_size="all", offset=0, max_epochs=50)
    assert "astronomically" in said(run)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("copies", "changes"), [(10, 83), (20, 12_367), pytest.param(25, 150_661, marks=pytest.mark.long)]
)
def test_how_slow_can_steps_of_one_over_k_be(copies: int, changes: int) -> None:
    rows = np.array([[1.0, 0.0]] * copies + [[-1.0, 1.0]])
    run = learn(rows, np.ones(copies + 1), schedule="1/k", batch_size="all", offset=0, max_epochs=200_000)
    assert run.status.name == "clean"
    assert run.state.changes == changes


@pytest.mark.parametrize("offset", [0, 1, "radius"])
def test_xor_is_seen_to_loop(offset: Any) -> None:
    run = learn(*XOR, offset=offset)
    assert run.status.name == "loop"
    assert run.epochs < 20
    assert "repeats for ever" in said(run)


def test_a_loop_found_is_a_loop() -> None:
    rng = np.random.default_rng(0)
    loops = 0
    for seed in range(20):
        X, y = laws.integers(seed, n=8, d=2, noise=0.3)
        run = learn(X, y, max_epochs=3000, eta=float(rng.choice([0.5, 1.0, 2.0])))
        if run.status.name != "loop":
            continue
        period = run.epochs - int(re.search(r"after epoch (\d+)|start", said(run).split("those")[1])[1] or 0)  # type: ignore[index]
        again = learn(X, y, max_epochs=period, start=(run.hyperplane.w, run.hyperplane.b), eta=run.plan.eta)
        assert np.array_equal(again.state.weights, run.state.weights)
        loops += 1
    assert loops > 5


def test_no_loop_is_claimed_where_the_order_or_the_step_changes() -> None:
    assert learn(*XOR, order="shuffled", max_epochs=50).status.name == "budget"
    assert learn(*XOR, schedule="1/k", max_epochs=50).status.name == "budget"


def test_a_plateau_stops_after_patience_epochs_without_gain() -> None:
    X, y = laws.reals(1, noise=0.2)
    run = learn(X, y, tol=1e-3, patience=3)
    assert run.status.name == "plateau"
    loss = run.history.perceptron_loss / len(y)
    best = np.minimum.accumulate(loss)
    assert (loss[-3:] > np.append(np.inf, best)[run.epochs - 3 : run.epochs] - 1e-3).all()
    assert "mistakes in the last epoch" in said(run)


@pytest.mark.parametrize("rule", ["perceptron", "delta"])
@pytest.mark.parametrize("tol", [0.0, 1e-3, 0.05])
def test_a_plateau_is_one_of_the_mean_loss(rule: str, tol: float) -> None:
    """The epoch it ends with, by what the same run without a tolerance recorded: of a row, however many there are."""
    X, y = laws.reals(1, noise=0.2)
    eta = {"eta": 0.001} if rule == "delta" else {}
    for times in (1, 7):
        rows, labels = np.tile(X, (times, 1)), np.tile(y, times)
        free = learn(rows, labels, rule=rule, max_epochs=40, **eta).history
        loss = (free.squared_loss if rule == "delta" else free.perceptron_loss) / len(labels)
        best, stale, expected = np.inf, 0, 40
        for epoch, one in enumerate(loss.tolist(), 1):
            stale = stale + 1 if one >= best - tol else 0
            best = min(best, one)
            if stale == 4:
                expected = epoch
                break
        run = learn(rows, labels, rule=rule, max_epochs=40, tol=tol, patience=4, **eta)
        assert (run.epochs, run.status.name) == (expected, "plateau" if expected < 40 else "budget")


def test_a_plateau_of_the_average_is_of_the_share_of_weight_that_it_gets_wrong() -> None:
    X, y = laws.reals(1, noise=0.2)
    weight = np.where(np.arange(len(y)) % 3 == 0, 5, 1)
    for more, share in (({}, np.ones(len(y))), ({"sample_weight": weight}, weight)):
        plan: dict[str, Any] = {"readout": "averaged", **more}
        wrong = []
        for epochs in range(1, 16):
            plane = learn(X, y, max_epochs=epochs, **plan).hyperplane
            wrong.append(float(share[y * plane.scores(X) <= 0].sum() / share.sum()))
        for tol in (0.0, 0.02):
            best, stale = np.inf, 0
            for expected, one in enumerate(wrong, 1):  # noqa: B007
                stale = stale + 1 if one >= best - tol else 0
                best = min(best, one)
                if stale == 3:
                    break
            run = learn(X, y, max_epochs=15, tol=tol, patience=3, **plan)
            assert run.epochs == expected
            assert (run.status.name == "plateau") == (stale == 3)


def test_small_steps_stop_the_run() -> None:
    X, y = laws.reals(2)
    run = learn(X, y, rule="delta", eta=0.001, step_tol=1e-3)
    assert run.status.name == "step"
    before = learn(X, y, rule="delta", eta=0.001, max_epochs=run.epochs - 1)
    moved = np.hypot(
        np.linalg.norm(run.state.weights - before.state.weights), run.state.offsets[0] - before.state.offsets[0]
    )
    assert moved < 1e-3
    assert f"{moved:.3g}" in said(run)


@pytest.mark.parametrize("scale", [0.0, 1e-11])
def test_a_cycle_beside_a_large_weight_is_no_rest(scale: float) -> None:
    """The first weight goes from 1/4 to 5/12 and back for ever: small beside the second, and yet no rounding."""
    X = np.array([[1, scale], [1, 0], [1, 0]])
    start = np.array([0.25, 1e12 if scale == 0 else 0.0]), 0.0
    run = learn(X, [1, -1, 1], rule="delta", eta=2 / 3, offset=0, batch_size="all", start=start, max_epochs=100)
    assert run.status.name != "rest"


def test_the_delta_rule_says_when_a_smaller_step_is_needed() -> None:
    X, y = laws.reals(2)
    run = learn(X, y, rule="delta", eta=10.0)
    assert run.status.name == "non-finite"
    safe = 2 / ((X * X).sum(axis=1).max() + 1)
    assert f"take a smaller eta: below 2/R'^2 = {safe:.3g} no step overshoots its row;" in said(run)
    # A plateau of weights that grow is no reason to be patient.
    flat = learn(X, y, rule="delta", eta=0.15, tol=1e-3, patience=2, readout="averaged")
    assert flat.status.name == "plateau"
    assert f"take a smaller eta: below 2/R'^2 = {safe:.3g}" in said(flat)
    assert "patience" not in said(flat)
    # Nor is a step that is small enough to be blamed for a loss above 1.
    safely = learn([[30.0], [41], [52], [60], [47]], [-1, 1, -1, 1, -1], rule="delta", eta=1e-4, tol=1e-3, patience=2)
    assert safely.history.squared_loss[-1] > 5
    assert safely.status.name == "plateau"
    assert "smaller eta" not in said(safely)
    # Before it leaves float64 as well: the weights have grown to 1e69, and more epochs are no advice.
    slowly = learn(
        *datasets.separable(200, 5, radius=4, margin=0.5), rule="delta", eta=0.01, batch_size="all", max_epochs=100
    )
    assert slowly.hyperplane.norm > 1e60
    assert slowly.status.name == "budget"
    assert "with a mean squared loss of" in said(slowly)
    assert "take a smaller eta: above 2/λ, λ the largest eigenvalue of a batch's" in said(slowly)
    settled = learn(X, y, rule="delta", eta=1e-3, max_epochs=30)
    assert "steps on every row that does not fit exactly" in said(settled)
    assert np.isfinite(run.state.weights).all()


@pytest.mark.parametrize("eta", [0.3, 0.49, 0.51, 0.75, 1.0])
def test_a_step_beyond_the_safe_one_need_not_diverge(eta: float) -> None:
    """Rows 1 (+) and −2 (−) through the origin: 2/R² = 0.5, and yet every eta up to 1 stays bounded."""
    for order in ("cyclic", "shuffled"):
        run = learn([[1.0], [-2.0]], [1, -1], rule="delta", eta=eta, offset=0, order=order, max_epochs=2000)
        assert abs(run.hyperplane.w[0]) < 10
        assert "diverges" not in said(run)


def test_the_delta_rule_comes_to_rest_at_least_squares() -> None:
    """A run of all rows in one batch ends at numpy's least squares, or turns around it within rounding: its rest."""
    rng = np.random.default_rng(0)
    periods = set()
    for _ in range(20):
        X = rng.standard_normal((20, 3))
        y = np.where(X[:, 0] + rng.standard_normal(20) > 0, 1, -1)
        run = learn(X, y, rule="delta", eta=0.02, batch_size="all", max_epochs=20_000)
        assert run.status.name == "rest", said(run)
        found = np.append(run.hyperplane.w, run.hyperplane.b)
        best = np.linalg.lstsq(np.c_[X, np.ones(20)], y.astype(float), rcond=None)[0]
        assert np.abs(found - best).max() < 1e-12
        assert "more epochs change nothing" in said(run)
        again = learn(X, y, rule="delta", eta=0.02, batch_size="all", max_epochs=1, start=run.hyperplane)
        periods.add("ended with the weights it began with" in said(run))
        assert np.abs(np.append(again.hyperplane.w, again.hyperplane.b) - found).max() < 1e-12
    assert periods == {True, False}


def test_the_delta_rule_may_loop_and_only_then_is_said_to() -> None:
    """One row 1 (+) with eta = 2: w = 0, 2, 0, 2, … or w = ½, 3/2, ½, … without mistakes; no margin is asked for."""
    run = learn([[1.0]], [1], rule="delta", eta=2.0, offset=0)
    assert run.status.name == "loop"
    start = learn([[1.0]], [1], rule="delta", eta=2.0, offset=0, start=([0.5], 0.0))
    assert start.status.name == "loop"
    assert "margin" not in said(start)


HUGE = [
    np.array([[1e308, 1e308], [-1e308, 1e308], [1e308, -1e308]]),
    np.array([[1e155, 1.0], [1.0, 1e155], [-1e155, 2.0]]),
    np.array([[1e308, 1e-308], [1e-308, -1e308], [5e-324, 1.0]]),
    np.array([[1e-170, 0.0], [0.0, 1e-170], [1e-170, 1e-170]]),
    np.array([[5e-324, 0.0], [0.0, 5e-324], [1e-320, 0.0]]),
]


@pytest.mark.parametrize("rows", HUGE, ids=range(len(HUGE)))
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("rule", rules.names())
@pytest.mark.parametrize("plan", [{}, {"offset": 0}, {"readout": "averaged", "order": "shuffled"}])
def test_values_at_the_ends_of_float64_never_give_a_weight_that_is_not_finite(
    rows: np.ndarray, form: Any, rule: str, plan: dict[str, Any]
) -> None:
    plan = {"rule": rule, "max_epochs": 30, **laws.parameters(rule), **plan}
    with np.errstate(over="ignore", under="ignore"):
        lengths = np.square(rows).sum(axis=1) + plan.get("offset", 1)
    if rules.get(rule).unit == "median" and not 1e-280 < lengths.min() <= lengths.max() < np.inf:
        with pytest.raises(InputError, match=r"rescale the data$"):  # it asks for lengths before the first row
            learn(form(rows), [1, -1, 1], **plan)
        return
    largest = np.abs(rows).max(axis=0)
    if rules.get(rule).surveyed and not ((largest >= 1e-140) & (largest <= 1e140)).all():
        with pytest.raises(InputError, match=r"^column \d: its largest entry is .*; rescale it to 1e-140 … 1e140$"):
            learn(form(rows), [1, -1, 1], **plan)
        return
    run = learn(form(rows), [1, -1, 1], **plan)
    for name, value in laws.arrays(run.state).items():
        assert value is None or np.isfinite(value).all(), name
    assert np.isfinite(run.hyperplane.w).all()
    if run.status.name == "non-finite":
        assert re.search(r"row \d in epoch \d+: its ", said(run))


def test_a_huge_row_is_named_and_the_weights_are_those_before_it() -> None:
    rows = np.array([[1.0, 1.0], [-2.0, 1.0], [-1e200, -1e200], [1.0, 2.0]])
    run = learn(rows, [1, 1, 1, 1], max_epochs=3)
    assert run.status.name == "non-finite"
    assert "row 2 in epoch 1" in said(run)
    assert "the weights are those before this row" in said(run)
    assert "nothing was learnt before this row" in said(learn(rows[2:], [1, 1]))
    assert run.hyperplane.w.tolist() == learn(rows[:2], [1, 1], max_epochs=1).hyperplane.w.tolist()


def test_history_has_one_entry_for_each_epoch() -> None:
    run = learn(*LINE, log=True)
    history, log = run.history, run.log
    assert log is not None
    assert len(history) == run.epochs == len(history.mistakes) == len(history.margin_upper)
    assert history.epoch.tolist() == list(range(1, 12))
    assert history.updates.sum() == run.updates == len(log)
    assert history.error_rate.tolist() == (history.mistakes / 4).tolist()
    assert history.norm[-1] == np.linalg.norm(run.hyperplane.w)
    assert learn(*LINE).log is None


def test_margin_upper_shrinks_to_say_how_long_to_wait() -> None:
    X, y = laws.reals(6, noise=0.2)
    upper = learn(X, y, max_epochs=200).history.margin_upper
    assert upper[-1] < upper[0] / 5


def test_zero_weight_rows_are_never_learnt_from_and_a_clean_end_says_so() -> None:
    run = learn(*XOR, sample_weight=[1, 1, 1, 0])
    assert run.status.name == "clean"
    assert run.hyperplane.margin(XOR[0][:3], XOR[1][:3]) > 0
    assert "on rows whose step is zero" in said(run)


def test_different_starts_and_orders_find_different_separators() -> None:
    X, y = laws.integers(11, n=40, d=2, noise=0)
    found = [learn(X, y), learn(X, y, start="random"), learn(X, y, order="shuffled"), learn(X, y, start=([5, 5], 1))]
    assert all(run.status.name == "clean" and run.hyperplane.margin(X, y) > 0 for run in found)
    directions = {tuple(np.round(run.hyperplane.w / run.hyperplane.norm, 9)) for run in found}
    assert len(directions) >= 3


def test_a_random_start_is_a_start_like_any_other() -> None:
    X, y = laws.reals(5)
    seen: list[State] = []
    learn(X, y, start="random", seed=3, callback=lambda p: bool(seen.append(p.state())) or True)
    start = seen[0].start
    assert 0 < np.abs(start[0]).max() < 1
    given = learn(X, y, start=start, max_epochs=9)
    laws.assert_same_run(given, learn(X, y, start="random", seed=3, max_epochs=9))


def test_direct_multiclass_learns_what_one_vs_rest_cannot() -> None:
    # Three classes on a line: the middle one is not separable from the rest, but argmax of three scores is right.
    X, labels = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]), np.array([0, 0, 1, 1, 2, 2])
    direct = learn(Examples.of(X, labels), multiclass="direct")
    assert direct.status.name == "clean"
    scores = X @ direct.state.weights + direct.state.offsets
    assert scores.argmax(axis=1).tolist() == labels.tolist()
    assert learn(Examples.of(X, labels), multiclass="ovr", max_epochs=500).status.name != "clean"
    with pytest.raises(InputError, match="no direct multiclass form"):
        learn(Examples.of(X, labels), multiclass="direct", rule="delta")


def test_many_classes_have_many_hyperplanes() -> None:
    X, labels = np.eye(3), ["a", "b", "c"]
    run = learn(Examples.of(X, labels))
    assert len(run.hyperplanes) == 3
    assert run.predict(X).tolist() == labels
    assert run.scores(X).shape == (3, 3)
    with pytest.raises(ValueError, match="3 hyperplanes: see run"):
        _ = run.hyperplane


def test_the_callback_hears_of_every_epoch_and_can_stop_the_run() -> None:
    heard: list[tuple[int, int, int]] = []

    def listen(progress: Progress) -> bool:
        heard.append((progress.epoch, progress.visited, progress.updates))
        return progress.epoch == 4

    run = learn(*LINE, callback=listen)
    assert [epoch for epoch, _, _ in heard] == [1, 2, 3, 4]
    assert [visited for _, visited, _ in heard] == [4, 8, 12, 16]
    assert run.status.name == "stopped"
    assert "start=run" in said(run)
    assert learn(*LINE, callback=lambda progress: None).status.name == "clean"
    # Anything true stops: a comparison in NumPy gives its own kind of True.
    assert learn(*LINE, callback=lambda progress: np.float64(progress.updates) > 3).status.name == "stopped"
    with pytest.raises(InputError, match="callback must be a function"):
        learn(*LINE, callback=3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "plan",
    [
        {},
        {"order": "shuffled", "readout": "averaged"},
        {"batch_size": 5000},
        {"batch_size": "all"},
        {"batch_size": 37, "step_tol": 1e-9},
        {"schedule": "1/sqrt(k)"},
        {"rule": "margin", "beta": 0.1, "batch_size": 51},
    ],
)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_run_stopped_within_an_epoch_and_resumed_is_the_uninterrupted_run(
    form: Any, plan: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver, "SLICE", 0.0)  # the core comes back as often as it can
    X, y = laws.reals(7, n=9_000, d=150)
    rows = form(X)
    whole = learn(rows, y, max_epochs=3, **plan)
    inside = 0
    for stop in (0, 1, 2, 3, 4):
        calls = iter(range(100))
        first = learn(rows, y, max_epochs=3, callback=lambda _, c=calls, s=stop: next(c) == s, **plan)
        inside += 0 < first.state.epoch_rows < 9_000
        rest = learn(rows, y, max_epochs=3, start=first.state, **plan)
        assert rest.status == whole.status
        laws.assert_same_state(rest.state, whole.state)
    assert inside >= 2, "the run was never stopped within an epoch"


def test_resuming_with_another_plan_or_other_data_is_refused() -> None:
    X, y = laws.reals(3)
    state = learn(X, y, max_epochs=2).state
    for changes, message in (
        ({"offset": 2.0}, "offset² was 1.0, and now is 4.0"),
        ({"readout": "averaged"}, "the run kept 'last'; give the same readout again"),
        ({"batch_size": 5}, "batch_size was 1, and now is 5"),
        ({"order": "shuffled"}, "order was 'cyclic'"),
        ({"eta": 0.5}, "eta was 1.0, and now is 0.5"),
        ({"rule": "pa-1"}, "rule was 'perceptron'"),
        ({"step_tol": 0.1}, "step_tol was False"),
        ({"schedule": lambda k: 1.0}, "a schedule of your own cannot be resumed"),
    ):
        with pytest.raises(InputError, match=message):
            learn(X, y, start=state, **changes)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"the state has 13 feature\(s\)"):
        learn(X[:, :5], y, start=state)


def test_what_can_be_a_start_and_what_cannot() -> None:
    run = learn(*LINE, max_epochs=3)
    from_plane = learn(*LINE, start=run.hyperplane)
    laws.assert_same_run(from_plane, learn(*LINE, start=(run.hyperplane.w, run.hyperplane.b)))
    laws.assert_same_run(learn(*LINE, start=run), learn(*LINE))


def test_a_run_goes_on_with_its_log_or_says_why_not() -> None:
    logged, bare = learn(*LINE, max_epochs=3, log=True), learn(*LINE, max_epochs=3)
    assert len(learn(*LINE, start=logged).log) == 25  # type: ignore[arg-type]
    assert learn(*LINE, start=bare).log is None
    assert learn(*LINE, start=logged, readout="voted").read("voted").predict(LINE[0]).tolist() == [1, -1, -1, -1]
    with pytest.raises(InputError, match="a vote needs the log from the start"):
        learn(*LINE, start=bare, readout="voted")
    again = learn(*LINE, start=logged, max_epochs=2)
    assert "3 epochs spent already, and max_epochs=2 counts from the beginning" in said(again)


def test_a_margin_beyond_reach_is_said_to_be_so() -> None:
    run = learn(*LINE, rule="margin", beta=0.3, max_epochs=200)
    assert run.history.margin_upper.min() < 0.3
    assert "beta = 0.3 asks for more than that, so no epoch will ever be clean" in said(run)


def test_the_advice_of_many_outputs_speaks_of_the_hardest() -> None:
    X, labels = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]), np.array([0, 0, 1, 1, 2, 2])
    run = learn(Examples.of(X, labels), order="shuffled", max_epochs=40)
    assert f"at most {run.history.margin_upper.min():.3g}" in said(run)


def test_everything_introduces_itself_in_a_line() -> None:
    run = learn(*LINE, log=True)
    assert repr(run).startswith("<Run perceptron, cyclic: 11 epochs, 25 updates")
    assert repr(run.history).startswith("<History of 11 epochs: epoch, mistakes")
    assert repr(run.log) == "<Log of 25 updates: row, output, step, visit, change, survival>"
    assert repr(run.state) == "<State: 1 × 1 weights, 11 epochs and 0 rows>"
    assert repr(Examples.of(*LINE)) == "<Examples: 4 × 1, dense, 2 classes>"


def test_a_state_is_frozen() -> None:
    state = learn(*LINE).state
    with pytest.raises(ValueError, match="read-only"):
        state.weights[0] = 1
    with pytest.raises(AttributeError):
        state.rho2 = 3  # type: ignore[misc]


def test_reading_the_average_out_does_not_disturb_the_run() -> None:
    X, y = laws.reals(9)
    plan = {"readout": "averaged", "max_epochs": 6}
    run = learn(X, y, callback=lambda p: p.state().averaged() is None, **plan)  # type: ignore[arg-type]
    laws.assert_same_run(run, learn(X, y, **plan))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="readout='averaged'"):
        learn(X, y, max_epochs=2).state.averaged()


def test_a_log_that_begins_late_gives_no_survival_counts() -> None:
    X, y = laws.reals(9)
    state = learn(X, y, max_epochs=2).state
    log = learn(X, y, max_epochs=4, start=state, log=True).log
    assert log is not None
    assert log.visit.min() > 2 * len(y)
    with pytest.raises(ValueError, match="begins after 800 rows"):
        _ = log.survival


@pytest.mark.serial
def test_ctrl_c_is_answered_within_a_second() -> None:
    program = (
        "import signal; import numpy as np; from rosenblatt import learn\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin without\n"
        "X = np.random.default_rng(0).normal(size=(2000, 20_000)); y = np.where(X[:, 0] + X[:, 1] ** 2 > 1, 1, -1)\n"
        "print('ready', flush=True); learn(X, y, rule='delta', eta=1e-9, max_epochs=10**6, threads=2)"
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    began = time.monotonic()
    try:
        _, errors = child.communicate(timeout=30)
    finally:
        child.kill()
    assert time.monotonic() - began < 1.0
    assert errors.endswith(b"KeyboardInterrupt\n")


@pytest.mark.serial
def test_a_fork_after_learning_is_safe() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 50))
    y = np.where(X[:, 0] > 0, 1, -1)
    expected = learn(X, y, threads=4, max_epochs=2).hyperplane.w
    child = os.fork()
    if child == 0:
        os._exit(0 if np.array_equal(learn(X, y, threads=4, max_epochs=2).hyperplane.w, expected) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.serial
def test_learning_does_not_grow_memory_by_a_copy_of_the_rows() -> None:
    program = (
        "import numpy as np, re; from rosenblatt import learn\n"
        "def peak(): return int(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1]) * 1024\n"
        "learn([[1.0]], [1])\n"
        "import sys; d, offset = int(sys.argv[1]), sys.argv[2]; n = 12_500_000 // d\n"
        "X = np.ones((n, d)); X[::2] = -1; y = np.ones(n); y[::2] = -1\n"
        "before = peak(); learn(X, y, max_epochs=3, threads=2, offset=offset if offset == 'radius' else 1)\n"
        "print((peak() - before) / X.nbytes)"
    )
    for d, offset in ((50, "one"), (4, "one"), (4, "radius")):
        command = [sys.executable, "-c", program, str(d), offset]
        assert float(subprocess.run(command, capture_output=True, check=True, text=True).stdout) < 0.05


def test_labels_that_name_no_class_never_reach_the_core() -> None:
    rows = rows_of(np.eye(3))
    for labels, classes in (
        (np.full(3, 50_000_000, np.int32), np.array([0, 1, 2])),
        (np.array([0, 1, -1], np.int32), np.array([0, 1, 2])),
        (np.array([1, 7, -1], np.int8), np.array([0, 1])),
        (np.array([1, 0, -1], np.int8), np.array([0, 1])),
        (np.array([1, 1], np.int8), np.array([0, 1])),
    ):
        with pytest.raises(InputError, match="labels must be"):
            Examples(rows, labels, classes)
    # And if they are changed afterwards, the core looks again.
    examples = Examples.of(np.eye(3), [0, 1, 2])
    examples.labels[1] = 99
    with pytest.raises(ValueError, match="a label out of range"):
        learn(examples)


def test_a_sparse_matrix_changed_behind_our_back_is_noticed() -> None:
    matrix = sp.csr_array(np.eye(3))
    examples = Examples.of(matrix, [0, 1, 1])
    matrix.indices[:] = 2_000_000_000
    with pytest.raises(InputError, match="changed since its Examples were made"):
        learn(examples)


@pytest.mark.parametrize("data", ["rows", "labels", "weights"])
def test_a_state_goes_on_only_with_the_data_it_was_learnt_on(data: str) -> None:
    X, y = laws.reals(3)
    state = learn(X, y, max_epochs=2).state
    others = {"rows": (X + 1, y, None), "labels": (X, np.roll(y, 1), None), "weights": (X, y, np.full(len(y), 2.0))}
    rows, labels, weight = others[data]
    what = "sample weights" if data == "weights" else "rows or labels"
    with pytest.raises(InputError, match=f"the {what} are not those the state was learnt on"):
        learn(rows, labels, start=state, sample_weight=weight)


DAMAGES: dict[str, Any] = {
    "chunk_place": -5,
    "batch_rows": 10**9,
    "visited": -1,
    "weights": None,
    "outputs.updates": "many",
    "epoch_tally.rows": None,
    "chunk_place, with no chunk open": 4,
    "outputs.sum_tau": np.inf,
    "outputs.rounding_bound": -1.0,
    "outputs.norm": np.nan,
    "outputs.changes": 2**63 - 1,
    "outputs.epoch_updates": 5,
    "outputs.chunk_path_length": -1.0,
    "outputs": (),
    "cycle_power": 2**63 - 1,
    "offsets, not finite": np.array([np.nan]),
    "offsets, a number": 1.0,
    "cycle_weights": "x",
    "epoch_rows": "x",
    "conditions": None,
    "outputs, of another kind": (3,),
    "outputs, tallies": (Tally(0, 0, 0.0, (0.0, 0.0, 0.0, 0.0)),),
    "chunk_tally": {},
}


@pytest.mark.parametrize("field", DAMAGES)
def test_a_damaged_state_is_refused(field: str) -> None:
    X, y = laws.reals(3)
    state = learn(X, y, max_epochs=2, batch_size=7).state
    value, field = DAMAGES[field], field.split(",")[0]
    whole, _, inner = field.partition(".")
    if inner:
        part = getattr(state, whole)
        value = (replace(part[0], **{inner: value}),) if whole == "outputs" else replace(part, **{inner: value})
    with pytest.raises(InputError, match="the state is damaged"):
        learn(X, y, batch_size=7, start=replace(state, **{whole: value}))


def test_a_state_that_does_not_say_its_terms_is_damaged() -> None:
    X, y = laws.reals(3)
    state = learn(X, y, max_epochs=2).state
    conditions = {name: value for name, value in state.conditions.items() if name != "eta"}
    with pytest.raises(InputError, match="the state is damaged: it does not say the eta it was learnt with"):
        learn(X, y, start=replace(state, conditions=conditions))


def test_a_plateau_says_what_may_do_better() -> None:
    X, y = laws.reals(3)
    flat = learn(X, np.where(np.arange(len(y)) % 2, 1, -1), tol=1.0, patience=2)
    assert flat.status.name == "plateau"
    assert said(flat).endswith("a larger patience goes on; readout='averaged' often predicts better")


def test_a_snapshot_is_of_its_moment() -> None:
    kept: list[Progress] = []
    learn(*LINE, callback=lambda progress: kept.append(progress))
    with pytest.raises(RuntimeError, match="while the callback runs"):
        kept[0].state()


@pytest.mark.serial
def test_the_callback_is_called_in_time_whatever_the_visits() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1_500_000, 2))
    y = np.where(rng.random(1_500_000) < 0.5, 1, -1)
    calls: list[float] = []
    learn(X, y, schedule="1/sqrt(k)", max_epochs=2, callback=lambda p: calls.append(time.monotonic()))
    assert len(calls) >= 2
    assert np.diff(calls).max() < 0.5


def test_a_schedule_of_ones_own_is_asked_once_for_each_k() -> None:
    asked: list[int] = []
    X, labels = np.random.default_rng(0).normal(size=(300, 3)), np.arange(300) % 3
    labels[:] = np.where(np.arange(300) < 5, 2, labels % 2)  # one output changes far less often than the others
    learn(Examples.of(X, labels), schedule=lambda k: asked.append(k) or 1.0, max_epochs=100)  # type: ignore[func-returns-value]
    assert len(asked) > 5000
    assert asked == list(range(1, len(asked) + 1))


@pytest.mark.parametrize(
    ("X", "plan", "margin"),
    [
        ([[1e-135]], {"offset": 1e-100}, 1e-100),
        ([[0.0], [0.0]], {"offset": 1e-139, "eta": 1e-60}, 1e-139),
        ([[1e-81]], {"offset": "radius"}, 1.414e-81),
        ([[1e-170]], {"offset": 0}, 1e-170),
    ],
)
def test_the_bound_on_the_margin_is_a_bound_where_squares_vanish(X: Any, plan: dict[str, Any], margin: float) -> None:
    assert learn(X, np.ones(len(X)), **plan).history.margin_upper.min() >= margin


def test_the_bound_of_a_short_output_is_not_lost_beside_a_long_one() -> None:
    examples = Examples.of([[1e-170], [1.0], [-1.0]], [0, 1, 2])
    assert learn(examples, offset=0, max_epochs=1).history.margin_upper[0, 2] >= 1e-170


def test_an_offset_of_huge_scale_cannot_overflow_unseen() -> None:
    for plan in ({"eta": 1e31, "batch_size": 2}, {"eta": 1e28, "readout": "averaged"}):
        run = learn([[0.9], [1.0]], [1, -1], offset=1e139, max_epochs=400, **plan)  # type: ignore[arg-type]
        assert run.status.name == "non-finite"
        assert np.isfinite(run.state.read(run.plan.readout)[1]).all()


def test_weights_that_no_memory_holds_are_refused() -> None:
    X = sp.csr_array((np.ones(3), np.arange(3), np.arange(4)), shape=(3, 2**62))
    for y in ([0, 1, 2], [0, 1, 1]):
        with pytest.raises(MemoryError, match="weights"):
            learn(Examples.of(X, y))


def test_a_schedule_may_end_where_no_run_goes() -> None:
    run = learn(*LINE, schedule=lambda k: 1.0 if k < 100 else 0.0)
    laws.assert_same_outcome(run, learn(*LINE))
    with pytest.raises(InputError, match=r"schedule\(3\) must give a number > 0, but failed: list index"):
        learn(*LINE, schedule=lambda k: [1.0, 1.0][k - 1])


@pytest.mark.parametrize("start", [(np.ones((3, 6)), np.zeros(3)), (np.ones((6, 3)) * 1j, np.zeros(3)), ("abc", "d")])
def test_a_start_of_another_shape_or_kind_is_refused(start: Any) -> None:
    X, labels = np.random.default_rng(0).normal(size=(30, 6)), np.arange(30) % 3
    with pytest.raises(InputError, match="start must be"):
        learn(Examples.of(X, labels), start=start)


def test_a_joint_separator_bounds_direct_multiclass_too() -> None:
    # Law 9 in the joint space: U with unit Frobenius norm and y's score ahead of every rival's by at least the margin.
    rng = np.random.default_rng(5)
    for seed in range(20):
        labels = rng.integers(0, 3, size=40)
        X = rng.normal(size=(40, 4)) + 6 * np.eye(4)[labels]
        U = np.vstack([np.eye(3), np.zeros((1, 3))]) / np.sqrt(3)
        scores = X @ U
        true = scores[np.arange(40), labels]
        scores[np.arange(40), labels] = -np.inf
        margin = (true - scores.max(axis=1)).min()
        run = learn(Examples.of(X, labels), multiclass="direct", offset=0, order="shuffled", seed=seed, max_epochs=20)
        assert (run.history.margin_upper >= margin).all()


def test_rows_too_short_for_their_square_are_refused_or_named() -> None:
    X, y = 1e-163 * LINE[0], LINE[1]
    with pytest.raises(InputError, match="R² underflows"):
        learn(X, y, offset="radius")
    for rule in ("passive-aggressive", "margin"):
        run = learn(X, y, rule=rule, offset=0, **laws.parameters(rule))
        assert run.status.name == "non-finite"
        assert "underflows" in said(run)


def test_a_threshold_that_cannot_be_computed_is_no_reason_to_go_on() -> None:
    run = learn([[1e100], [-1e100]], [1, -1], rule="margin", beta=0.1, eta=1e60)
    assert run.status.name == "non-finite"


def test_a_loss_that_stays_where_it_is_is_a_plateau() -> None:
    run = learn([[0.0]], [1], offset=0, order="shuffled", tol=0, patience=3)
    assert run.status.name == "plateau"
    assert run.epochs == 4


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
@pytest.mark.parametrize("multiclass", ["binary", "ovr", "direct"])
@pytest.mark.parametrize("batch_size", [1, 7])
def test_a_mark_shows_the_row_about_to_be_met_and_changes_nothing(order: str, multiclass: str, batch_size: int) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((6000, 4)), rng.integers(0, 2 if multiclass == "binary" else 3, 6000)
    examples = Examples.of(X, y)
    plan = {"order": order, "multiclass": "ovr" if multiclass == "binary" else multiclass, "batch_size": batch_size}
    seen = []

    def watch(progress: Progress) -> None:
        if progress.next is not None:
            seen.append((progress.visited, progress.wrong, progress.next, progress.state()))

    marks = [1, 2, 3, 64, 4096, 4097, 6000, 6001, 9000]
    run = learn(examples, max_epochs=2, callback=watch, marks=marks, **plan)
    plain = learn(examples, max_epochs=2, **plan)
    assert run.state.weights.tobytes() == plain.state.weights.tobytes()
    assert [visited + 1 for visited, *_ in seen] == marks
    met = np.concatenate([row_order(order, 0, epoch, 6000) for epoch in (1, 2)])
    for visited, _, one, state in seen:
        row = int(met[visited])
        scores = X[row] @ state.weights + state.offsets
        expected = int(scores[0] > 0) if scores.size == 1 else int(scores.argmax())
        assert (one.row, one.label, one.features) == (row, y[row], 4)
        assert (one.predicted, one.wrong) == (expected, expected != y[row])
    # The count of what was predicted wrong, row by row.
    wrong = {visited: count for visited, count, *_ in seen}
    assert wrong[0] == 0
    assert wrong[1] == seen[0][2].wrong
    assert wrong[2] - wrong[1] == seen[1][2].wrong


@pytest.mark.parametrize("multiclass", ["binary", "ovr", "direct"])
@pytest.mark.parametrize("rule", ["perceptron", "passive-aggressive"])
def test_predicted_wrong_is_what_predict_says(multiclass: str, rule: str) -> None:
    """Few whole numbers, so that many rows lie on a boundary: those are mistakes, and yet may be predicted right."""
    rng = np.random.default_rng(1)
    X, y = rng.integers(-1, 2, (60, 2)).astype(float), rng.integers(0, 2 if multiclass == "binary" else 3, 60)
    plan: dict[str, Any] = {"rule": rule, "offset": 0, "multiclass": "ovr" if multiclass == "binary" else multiclass}
    seen: list[tuple[State, int]] = []

    def watch(progress: Progress) -> None:
        if progress.next is not None:
            seen.append((progress.state(), progress.wrong))

    learn(Examples.of(X, y), max_epochs=2, callback=watch, marks=range(1, 121), **plan)
    wrong = on_boundary = 0
    for t, (state, counted) in enumerate(seen):
        assert counted == wrong
        scores = X[t % 60] @ state.weights
        predicted = int(scores[0] > 0) if scores.size == 1 else int(scores.argmax())
        wrong += predicted != y[t % 60]
        on_boundary += predicted == y[t % 60] and np.sort(scores)[-1] == (np.sort(scores)[-2] if scores.size > 1 else 0)
    assert on_boundary > 0


def test_a_random_start_is_drawn_until_it_makes_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    """One row: every other start makes none; those that do are kept as they were drawn first."""
    redrawn = 0
    for seed in range(40):
        run = learn([[1.0, 2.0]], [1], start="random", seed=seed, max_epochs=5)
        W, b = run.state.first_weights
        assert W[:, 0] @ [1, 2] + b[0] <= 0
        assert run.updates > 0
        first = _core.uniform(seed, 0, 3)
        redrawn += first.tolist() != [*W[:, 0], b[0]]
        assert (first @ [1, 2, 1] > 0) == (first.tolist() != [*W[:, 0], b[0]])
    assert 10 < redrawn < 30
    # Of several outputs, and of all together.
    X, y = np.array([[0.0], [1.0], [2.0]]), [0, 1, 2]
    for multiclass in ("ovr", "direct"):
        for seed in range(10):
            assert learn(Examples.of(X, y), multiclass=multiclass, start="random", seed=seed, max_epochs=3).updates > 0
    # Were none to be found, the run would say so.
    monkeypatch.setattr(resume, "DRAWS", 1)
    said_so = [
        "the random start makes no mistake" in said(learn([[1.0]], [1], start="random", seed=s)) for s in range(9)
    ]
    assert set(said_so) == {True, False}


PLANS: list[dict[str, Any]] = [
    {},
    {"readout": ("averaged", "pocket"), "batch_size": 37},
    {"rule": "margin", "beta": 0.1, "schedule": "1/sqrt(k)"},
    {"rule": "pa-1", "offset": "radius", "step_tol": 1e-9},
]


@pytest.mark.parametrize("plan", PLANS, ids=range(len(PLANS)))
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_an_order_of_ones_own_is_the_order_it_names(form: Any, plan: dict[str, Any]) -> None:
    """Bit for bit: the rows as they come, each epoch's shuffle, and rows that lie in that order themselves."""
    n = 5_000
    X, y = laws.reals(7, n=n, d=20, noise=0.1)
    rows = form(X)
    cyclic = learn(rows, y, max_epochs=3, log=True, **plan)
    laws.assert_same_run(cyclic, learn(rows, y, order=np.arange(n), max_epochs=3, log=True, **plan))
    shuffled = learn(rows, y, order="shuffled", seed=5, max_epochs=3, log=True, **plan)
    orders = [row_order("shuffled", 5, epoch, n) for epoch in (1, 2, 3)]
    given = learn(rows, y, order=orders, max_epochs=3, log=True, **plan)
    laws.assert_same_run(shuffled, given)
    assert "given" in repr(given)
    # The list begins again when it is through.
    again = learn(rows, y, order=orders[:2], max_epochs=5, **plan)
    laws.assert_same_run(again, learn(rows, y, order=[*orders[:2], *orders[:2], orders[0]], max_epochs=5, **plan))
    one = learn(rows, y, order=orders[0].tolist(), max_epochs=3, **plan)
    moved = learn(form(X[orders[0]]), y[orders[0]], max_epochs=3, **plan)
    assert one.state.weights.tobytes() == moved.state.weights.tobytes()
    assert one.history.mistakes.tolist() == moved.history.mistakes.tolist()


@pytest.mark.parametrize("kept", [1, 3])
def test_a_run_in_ones_own_order_can_be_stopped_and_resumed(kept: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "SLICE", 0.0)
    n = 9_000
    X, y = laws.reals(7, n=n, d=150)
    orders = [row_order("shuffled", 1, epoch, n) for epoch in range(kept)]
    whole = learn(X, y, order=orders, max_epochs=4, log=True)
    inside = 0
    for stop in (0, 1, 3, 5):
        calls = iter(range(100))
        first = learn(X, y, order=orders, max_epochs=4, log=True, callback=lambda _, c=calls, s=stop: next(c) == s)
        inside += 0 < first.state.epoch_rows < n
        laws.assert_same_run(learn(X, y, order=orders, max_epochs=4, start=first), whole)
    assert inside >= 2
    for other in ("cyclic", [*orders, orders[0][::-1]], orders[0][::-1]):
        with pytest.raises(
            InputError, match=r"cannot resume with another plan: order was 'given [0-9a-f]{16}', and now"
        ):
            learn(X, y, order=other, start=first)


def test_what_is_no_order_is_named() -> None:
    for order, message in (
        ("random", "unknown order 'random'; expected one of cyclic, shuffled"),
        (None, "unknown order None; expected one of cyclic, shuffled, or a permutation of the rows 0 to 3"),
        ([], "unknown order"),
        ([0.0, 1.0, 2.0, 3.0], "unknown order"),
        ([True, False, True, False], "unknown order"),
        ([[0, 1, 2, 3], [0, 1, 2]], "unknown order"),
        ([[[0, 1, 2, 3]]], "unknown order"),
        ([0, 1, 2], "order has 3 places for 4 rows; expected a permutation of the rows 0 to 3"),
        ([0, 1, 2, 4], "order has row 4 at place 3"),
        ([0, -1, 2, 3], "order has row -1 at place 1"),
        ([0, 1, 1, 3], "order has row 1 twice and not row 2"),
        ([[0, 1, 2, 3], [3, 3, 1, 0]], "order of epoch 2 has row 3 twice and not row 2"),
        (np.array([0, 1, 2, 2**64 - 1], dtype=np.uint64), "order has row 18446744073709551615 at place 3"),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            learn(*LINE, order=order)
    mine = np.array([3, 2, 1, 0])
    run = learn(*LINE, order=mine, max_epochs=2)
    mine[:] = 0  # the run has its own
    laws.assert_same_run(learn(*LINE, order=[3, 2, 1, 0], start=run), learn(*LINE, order=[3, 2, 1, 0]))


def test_a_loop_is_claimed_of_one_order_and_not_of_several_in_turn() -> None:
    one = learn(*XOR, order=[2, 0, 3, 1])
    assert one.status == learn(XOR[0][[2, 0, 3, 1]], XOR[1][[2, 0, 3, 1]]).status
    assert one.status.name == "loop"
    assert learn(*XOR, order=[[2, 0, 3, 1]] * 3).status == one.status
    assert learn(*XOR, order=[[2, 0, 3, 1], [0, 1, 2, 3]], max_epochs=50).status.name == "budget"


def test_a_run_in_ones_own_order_can_be_looked_back_at() -> None:
    orders = [[3, 1, 0, 2], [0, 2, 1, 3]]
    run = learn(*LINE, order=orders, log=True, readout=("last", "voted"))
    assert run.status.name == "clean"
    assert run.audit(Hyperplane([-1.0], 2.5)).updates[-1] == run.updates
    W, b = run.trajectory().weights(run.trajectory().n_changes)
    assert (W.tobytes(), b.tobytes()) == (run.state.weights.tobytes(), run.state.offsets.tobytes())
    assert run.log is not None
    met = np.array([orders[epoch % 2] for epoch in range(run.epochs)]).reshape(-1)
    assert run.log.row.tolist() == met[run.log.visit - 1].tolist()
    assert run.read("voted").predict(LINE[0]).tolist() == [1, 1, -1, -1]
    assert run.margin_bracket().lower <= 0.1857


def test_progress_prints_without_a_function() -> None:
    said: list[str] = []
    learn([[1.0], [2.0]], [1, -1], max_epochs=1, callback=lambda progress: said.append(repr(progress)))
    assert said == ["Progress(epoch=1, finished=True, visited=2, updates=2, wrong=2, next=None)"]
