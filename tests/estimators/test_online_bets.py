"""Estimators with rules that bet: a stream against the oracle, features and classes that grow, files, refusals."""

import pickle
from fractions import Fraction
from itertools import count

import numpy as np
import pytest
import scipy.sparse as sp
from bets import learn_bets
from sklearn.datasets import load_iris

from rosenblatt import InputError, OnlinePerceptron, Perceptron, from_json, load

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
IRIS = load_iris(return_X_y=True)
every_rule = pytest.mark.parametrize("rule", ["coin", "scinol"])
COINS = ("coin_sum", "coin_spread", "coin_gain", "coin_largest")


@pytest.mark.parametrize("readout", ["last", "averaged"])
@pytest.mark.parametrize(("K", "kind"), [(2, "ovr"), (3, "ovr"), (3, "direct")])
@every_rule
def test_a_stream_is_the_oracles(rule, K, kind, readout):
    for seed in count():
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-3, 4, (12, 3)) * [1, 16, 256], rng.integers(0, K, 12)
        weight = rng.choice([0.5, 1.0, 2.0], 12)
        codes = 2 * y - 1 if K == 2 else np.append(y[:-1], K - 1)
        bets = learn_bets(
            X.tolist(), codes.tolist(), squares=rule == "scinol", surveyed=False, multiclass=kind, weight=weight,
            max_epochs=1,
        )  # fmt: skip
        if bets.nearest > 1e-9:
            break
    model = OnlinePerceptron(classes=range(K), rule=rule, multiclass=kind, readout=readout)
    labels = (codes > 0).astype(int) if K == 2 else codes
    for x, label, h in zip(X.tolist(), labels.tolist(), weight, strict=True):
        model.learn_one({f"x{j}": float(v) for j, v in enumerate(x) if v}, label, sample_weight=h)
    names = model.feature_names_in_.tolist()
    wanted = bets.average if readout == "averaged" else bets.weights[-1]
    for k, output in enumerate(wanted):
        found = dict(zip(names, model.to_model().weights[:, k], strict=True))
        expected = [float(w) for w in output]
        np.testing.assert_allclose([found.get(f"x{j}", 0) for j in range(3)], expected[:-1], rtol=1e-9, atol=1e-13)
        assert model.to_model().offsets[k] == pytest.approx(expected[-1], rel=1e-9, abs=1e-13)
    assert model.n_updates_ == sum(bets.updates)


@pytest.mark.parametrize("kind", ["ovr", "direct"])
@every_rule
def test_two_classes_become_three_as_the_two_sides_of_one_hyperplane(rule, kind):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
    model = OnlinePerceptron(classes=[0, 1], grow_classes=True, rule=rule, multiclass=kind, readout="last")
    rows = [dict(zip("abc", row, strict=True)) for row in X.tolist()]
    model.learn_many(rows, y.tolist())
    before = model._state()
    # A row without features, of a new class: of the weights only offsets are told anything.
    model.learn_one({}, 2)
    after = model._state()
    assert after.weights.shape[1] == 3
    w = before.weights[: len(before.weights), 0]
    assert np.array_equal(after.weights[: len(w)], np.stack([-w, w, 0 * w], axis=1))
    for name in COINS:
        one, three = getattr(before, name)[0][:, 0], getattr(after, name)[0]
        sign = -1 if name == "coin_sum" else 1
        assert np.array_equal(three[: len(one)], np.stack([sign * one, one, 0 * one], axis=1)), name
    one_by_one = OnlinePerceptron(classes=[0, 1], grow_classes=True, rule=rule, multiclass=kind, readout="last")
    labels = [*y.tolist(), 2, *rng.integers(0, 3, 40).tolist()]
    more = [*rows, {}, *rows]
    model.learn_many(more[41:], labels[41:])
    for x, label in zip(more, labels, strict=True):
        one_by_one.learn_one(x, label)
    assert (model.to_model().weights == one_by_one.to_model().weights).all()
    assert np.isfinite(model.to_model().weights).all()


@every_rule
def test_a_feature_that_comes_late_is_one_that_was_there_all_along(rule):
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(60, 30)), rng.integers(0, 2, 60).tolist()
    X[:30, 15:] = 0
    named = [f"f{j:02}" for j in range(30)]
    late, early = (OnlinePerceptron(classes=[0, 1], rule=rule) for _ in range(2))
    early.learn_one({**dict.fromkeys(named, 0.0)}, y[0], sample_weight=0.0)
    late.learn_one({}, y[0], sample_weight=0.0)
    for x, label in zip(X.tolist(), y, strict=True):
        late.learn_one({name: v for name, v in zip(named, x, strict=True) if v}, label)
        early.learn_one(dict(zip(named, x, strict=True)), label)
    order = [late.feature_names_in_.tolist().index(name) for name in named]
    np.testing.assert_allclose(late.to_model().weights[order], early.to_model().weights, rtol=1e-9)


@pytest.mark.parametrize("readout", ["last", "averaged", "pocket"])
@pytest.mark.parametrize("kind", ["ovr", "direct"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@every_rule
def test_what_is_saved_goes_on_bit_for_bit(rule, form, kind, readout, tmp_path):
    X, y = IRIS
    model = Perceptron(rule=rule, multiclass=kind, readout=readout, max_iter=100, tol=None).fit(form(X), y)
    assert model.score(form(X), y) > 0.8
    model.save(tmp_path / "m")
    for again in (load(tmp_path / "m"), from_json(model.to_json()), pickle.loads(pickle.dumps(model))):  # noqa: S301
        assert (again.decision_function(X) == model.decision_function(X)).all()
        for name in COINS:
            for a, b in zip(getattr(again._model.state, name), getattr(model._model.state, name), strict=True):
                assert np.array_equal(a, b)
        if readout != "pocket":
            onward = load(tmp_path / "m").partial_fit(form(X[::-1]), y[::-1])
            assert (again.partial_fit(form(X[::-1]), y[::-1]).coef_ == onward.coef_).all()
            assert again._model.state.conditions["largest"] == "growing"


@every_rule
def test_a_stream_is_saved_too(rule, tmp_path):
    rows = [dict(zip("abcd", row, strict=True)) for row in IRIS[0].tolist()]
    model = OnlinePerceptron(classes=[0, 1, 2], rule=rule)
    model.learn_many(rows, IRIS[1].tolist())
    model.save(tmp_path / "m")
    for again in (load(tmp_path / "m"), from_json(model.to_json())):
        for one in (model, again):
            assert one.predict_many(rows) == model.predict_many(rows)
        again.learn_many(rows, IRIS[1].tolist())
        onward = load(tmp_path / "m")
        onward.learn_many(rows, IRIS[1].tolist())
        assert (onward.to_model().weights == again.to_model().weights).all()


@every_rule
def test_what_has_no_meaning_is_refused_by_name_in_one_line(rule):
    X, y = IRIS
    bad = [
        (lambda: Perceptron(rule=rule, readout="voted").fit(X, y), f"rule '{rule}' has no vote"),
        (
            lambda: Perceptron(rule=rule, batch_size=8).fit(X, y),
            f"rule '{rule}' steps row by row: batch_size must be 1",
        ),
        (lambda: Perceptron(rule=rule, eta0=0.5).fit(X, y), f"rule '{rule}' sets its own step: leave out eta0"),
        (
            lambda: Perceptron(rule=rule).fit(X, y, coef_init=np.ones((3, 4)), intercept_init=np.ones(3)),
            f"rule '{rule}' must begin at zero",
        ),
        (lambda: OnlinePerceptron(rule=rule, eta0=0.5), f"rule '{rule}' sets its own step"),
        (lambda: OnlinePerceptron(rule=rule, readout="voted"), "voted"),
    ]
    for ask, message in bad:
        with pytest.raises(InputError, match=message) as caught:
            ask()
        assert "\n" not in str(caught.value)
    model = OnlinePerceptron(rule=rule, classes=[0, 1])
    model.learn_one({"a": 1.0}, 1)
    with pytest.raises(InputError, match=r"^example 0: .*float64; the weights are those before it$"):
        model.learn_one({"a": -1.0, "b": 1e150}, 1)
    assert model.score_one({"a": 1.0}) > 0
    assert Fraction(model.to_model().weights[0, 0]) > 0
