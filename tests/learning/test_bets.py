"""Rules that bet against the exact oracle of bets.py, and the laws that both obey: scale, threads, chunks, resuming.

Weights are rounded here and exact there, so they agree to 1e-9, and in every decision: data on which an exact margin
comes within 1e-9 of its threshold are not drawn.
"""

import itertools
from fractions import Fraction
from random import Random
from typing import Any

import laws
import numpy as np
import pytest
import scipy.sparse as sp
from bets import WEALTH, Bets, Gambler, learn_bets, root
from gathered_source import GatheredSource

from rosenblatt import Examples, InputError, Perceptron, Run, learn, rules
from rosenblatt.runs.visits import row_order

RULES = [name for name in rules.names() if not rules.get(name).additive]
FORMS: list[Any] = [np.asarray, sp.csr_array]
every_rule = pytest.mark.parametrize("rule", RULES)
every_form = pytest.mark.parametrize("form", FORMS)


def test_there_are_two_and_each_says_what_it_is() -> None:
    assert RULES == ["coin", "scinol"]
    assert [rules.get(name).surveyed for name in RULES] == [True, False]
    assert [rules.get(name).update().squares for name in RULES] == [False, True]
    for rule in map(rules.get, RULES):
        assert (rule.batches, rule.uses_eta, rule.parameters) == (False, False, ())
        assert rule.update()[:3] == (1.0, 0.0, True)  # m < 1, whatever the weights


def test_the_oracle_on_coins_worked_by_hand() -> None:
    """Heads, heads, tails: of ε = 1/10 the bettor of Krichevsky and Trofimov has 1, 3/2 and 1/2 times as much."""
    gambler = Gambler(squares=False, largest=Fraction(1))
    seen = []
    for g in (1, 1, -1):
        gambler.tell(Fraction(g))
        seen.append((gambler.wealth / WEALTH, gambler.w / gambler.wealth))
    assert seen == [(1, Fraction(1, 2)), (Fraction(3, 2), Fraction(2, 3)), (Fraction(1, 2), Fraction(1, 4))]
    squares = Gambler(squares=True)
    squares.tell(Fraction(3))  # S² = 9, M² = 9: w = 3·ε/36
    assert squares.w == 3 * WEALTH / 36
    for _ in range(9):  # θ = 30, S² = 90: θ is clipped to √99
        squares.tell(Fraction(3))
    assert float(squares.w / squares.wealth) == pytest.approx(0.5 / 99**0.5, rel=1e-15)
    assert abs(root(Fraction(2)) ** 2 - 2) < Fraction(1, 2**200)


def draw(seed: int, outputs: int) -> tuple[list[tuple[int, ...]], list[int], list[float]]:
    random = Random(seed)
    n, d = random.randint(6, 9), random.choice([2, 3])
    rows = [tuple(random.choice([0, 0, 1, -1, 2, -3, 5]) * 4**j for j in range(d)) for _ in range(n)]
    codes = [random.randrange(outputs) for _ in rows]
    codes[:outputs] = range(outputs)
    return rows, [2 * c - 1 for c in codes] if outputs == 2 else codes, [random.choice([0.0, 0.5, 1, 3]) for _ in rows]


def clear(seed: int, outputs: int, weighted: bool, **how: Any) -> tuple[Any, Any, Any, Bets]:
    for attempt in itertools.count(seed, 100):
        rows, codes, weight = draw(attempt, outputs)
        bets = learn_bets(rows, codes, weight=weight if weighted else None, **how)
        if bets.nearest > 1e-9:
            return np.array(rows, dtype=float), np.array(codes), np.array(weight) if weighted else None, bets
    raise AssertionError


def check(W: np.ndarray, b: np.ndarray, wanted: list[list[Any]]) -> None:
    """The weights (d, K) and the offsets (K,) are those of the oracle."""
    for k, output in enumerate(wanted):
        np.testing.assert_allclose([*W[:, k], b[k]], [float(w) for w in output], rtol=1e-9, atol=1e-13)


@pytest.mark.parametrize("offset", [0, 1, "radius"])
@pytest.mark.parametrize(("outputs", "kind"), [(2, "ovr"), (3, "ovr"), (3, "direct")])
@pytest.mark.parametrize("weighted", [False, True])
@every_form
@every_rule
def test_a_run_is_the_oracles(rule: str, form: Any, weighted: bool, outputs: int, kind: str, offset: Any) -> None:
    made = rules.get(rule)
    for seed, order in enumerate(("cyclic", "shuffled")):
        how: dict[str, Any] = {
            "squares": rule == "scinol", "surveyed": made.surveyed, "offset": offset != 0, "multiclass": kind,
        }  # fmt: skip
        X, codes, weight, bets = clear(seed, outputs, weighted, **how)
        if order == "shuffled":
            n = len(codes)
            visits = lambda epoch, n=n: row_order("shuffled", 7, epoch, n).tolist()  # noqa: E731
            bets = learn_bets(X.tolist(), codes.tolist(), weight=weight, visits=visits, **how)
            if bets.nearest < 1e-9:
                continue
        run = learn(
            Examples.of(form(X), codes), rule=rule, multiclass=kind, offset=offset, sample_weight=weight, max_epochs=3,
            readout="averaged", order=order, seed=7,
        )  # fmt: skip
        assert run.history.updates.tolist() == bets.updates
        assert run.history.mistakes.tolist() == bets.mistakes
        check(run.state.weights, run.state.offsets, bets.weights[-1])
        check(*run.state.read("averaged"), bets.average)
        for k, output in enumerate(bets.gamblers):
            columns = output if offset else output[:-1]
            for j, one in enumerate(columns):
                at = (1, k) if j == X.shape[1] else (0, (j, k))
                purse = [getattr(run.state, f"coin_{name}")[at[0]][at[1]] for name in ("sum", "spread", "largest")]
                assert purse == pytest.approx([float(v) for v in (one.theta, one.spread, one.largest)], rel=1e-12)
                gain = run.state.coin_gain[at[0]][at[1]]
                assert gain == pytest.approx(float(one.wealth - WEALTH), rel=1e-9, abs=1e-12)


@every_form
@every_rule
def test_rows_that_come_one_after_another_are_the_oracles_growing(rule: str, form: Any) -> None:
    for seed in range(4):
        X, codes, _, bets = clear(seed, 2, False, squares=rule == "scinol", surveyed=False, max_epochs=1)
        model = Perceptron(rule=rule, order="cyclic", readout="last").partial_fit(form(X[:1]), codes[:1], [-1, 1])
        for i in range(1, len(codes)):
            model.partial_fit(form(X[i : i + 1]), codes[i : i + 1])
        check(model.coef_.T, model.intercept_, bets.weights[-1])


@every_form
@every_rule
def test_the_offset_is_a_column_of_ones_whatever_its_scale(rule: str, form: Any) -> None:
    X, y = laws.reals(1)
    runs = [learn(form(X), y, rule=rule, offset=rho, max_epochs=3) for rho in (1, 0.01, 7.0, "radius")]
    with_ones = learn(form(np.hstack([X, np.ones((len(y), 1))])), y, rule=rule, offset=0, max_epochs=3)
    for run in runs[1:]:
        laws.assert_same_outcome(runs[0], run)
    np.testing.assert_allclose(with_ones.hyperplane.w[:-1], runs[0].hyperplane.w, rtol=1e-9)
    assert with_ones.hyperplane.w[-1] == pytest.approx(runs[0].hyperplane.b, rel=1e-9)


@pytest.mark.parametrize("readout", ["last", "averaged", "pocket"])
@pytest.mark.parametrize(("outputs", "kind"), [(2, "ovr"), (4, "ovr"), (4, "direct")])
@every_form
@every_rule
def test_columns_times_powers_of_two_change_no_bit_of_a_score(
    rule: str, form: Any, outputs: int, kind: str, readout: str
) -> None:
    rng = np.random.default_rng(5)
    X = np.where(rng.random((200, 9)) < 0.4, 0, rng.normal(size=(200, 9)) * 10.0 ** rng.integers(-3, 4, 9))
    codes = (X @ rng.normal(size=(9, outputs))).argmax(axis=1)
    powers = rng.integers(-200, 200, 9)
    plan: dict[str, Any] = {"rule": rule, "multiclass": kind, "readout": readout, "max_epochs": 4, "order": "shuffled"}
    one, other = (learn(Examples.of(form(table), codes), **plan) for table in (X, np.ldexp(X, powers)))
    assert one.history.mistakes.tolist() == other.history.mistakes.tolist()
    assert np.array_equal(one.state.read(readout)[0], np.ldexp(other.state.read(readout)[0], powers[:, None]))
    assert np.array_equal(one.state.read(readout)[1], other.state.read(readout)[1])
    assert one.updates > 20


@every_form
@every_rule
def test_threads_and_where_the_rows_are_change_nothing(rule: str, form: Any) -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(9000, 6))
    codes = (X @ rng.normal(size=(6, 3))).argmax(axis=1)
    for order in ("cyclic", "shuffled"):
        plan: dict[str, Any] = {"rule": rule, "max_epochs": 2, "order": order, "readout": "averaged", "log": True}
        one = learn(Examples.of(form(X), codes), threads=1, **plan)
        for threads in (2, 4):
            laws.assert_same_run(one, learn(Examples.of(form(X), codes), threads=threads, **plan))
        laws.assert_same_run(one, learn(GatheredSource(form(X), codes), **plan))


@pytest.mark.parametrize("readout", ["averaged", "pocket"])
@every_rule
def test_stopped_within_an_epoch_and_resumed_is_the_uninterrupted_run(rule: str, readout: str) -> None:
    X, y = laws.reals(3, n=9000)
    plan: dict[str, Any] = {"rule": rule, "max_epochs": 3, "readout": readout, "order": "shuffled"}
    whole = learn(X, y, **plan)
    half = learn(X, y, callback=lambda now: now.next is not None, marks=[12_345], **plan)
    assert half.state.epoch_rows == 3344
    for start in (half, half.state):
        rest = learn(X, y, start=start, **plan)
        assert rest.status == whole.status
        laws.assert_same_state(whole.state, rest.state)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@every_form
@every_rule
def test_what_is_no_number_is_named_by_its_row_and_column(rule: str, form: Any, bad: float) -> None:
    X, y = laws.reals(0, n=30, d=4)
    X[17, 2] = bad
    with pytest.raises(InputError, match=r"row 17, column 2"):
        learn(form(X), y, rule=rule)


def finite(run: Run) -> bool:
    return all(value is None or np.isfinite(value).all() for value in laws.arrays(run.state).values())


@every_form
@every_rule
def test_sizes_out_of_range_end_a_run_by_name_and_nothing_leaves_float64(rule: str, form: Any) -> None:
    X, y = laws.reals(0, n=30, d=4)
    for scale in (1e-130, 1e135):
        run = learn(form(X * scale), y, rule=rule, max_epochs=50)
        assert run.status.name != "non-finite"
        assert finite(run)
    huge = X.copy()
    huge[17] *= 1e150
    if rule == "coin":
        with pytest.raises(InputError, match=r"^column 0: its largest entry is .*; rescale it to 1e-140 … 1e140$"):
            learn(form(huge), y, rule=rule)
    else:
        before = learn(form(X[:17]), y[:17], rule=rule, max_epochs=1)
        y[17] = -before.hyperplane.predict(huge)[17]
        run = learn(form(huge), y, rule=rule)
        assert run.status.name == "non-finite"
        assert "row 17 in epoch 1" in str(run.status)
        for name in ("weights", "offsets"):
            assert np.array_equal(getattr(before.state, name), getattr(run.state, name))
        assert finite(run)
    with pytest.raises(InputError, match="weight"):
        learn(form(X * 1e100), y, rule="coin", sample_weight=np.full(30, 1e300))


@every_form
@every_rule
def test_weights_that_would_take_the_offset_out_of_range_are_refused_by_name(rule: str, form: Any) -> None:
    X, y = laws.reals(0, n=30, d=4)
    for size in (1e200, 1e-200):
        rows, weight = form(X / size), np.full(30, size)
        if rule == "coin":
            with pytest.raises(
                InputError, match=r"^the largest sample weight is 1e[+-]200; rescale the weights to 1e-140"
            ):
                learn(rows, y, rule=rule, sample_weight=weight)
        else:
            run = learn(rows, y, rule=rule, sample_weight=weight)
            assert run.status.name == "non-finite"
            assert finite(run)
        assert finite(learn(rows, y, rule=rule, sample_weight=weight, offset=0, max_epochs=5))
