"""Learning from a stream: one example at a time is the same as many, and as all of them from the start."""

import copy
import pickle
import threading
import time

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import Examples, InputError, OnlinePerceptron, from_json, learn, load, rules

RULES = {name: dict.fromkeys(rules.get(name).required, 0.1) for name in rules.names() if rules.get(name).unit == "one"}


def stream(n, d, K, seed, names=None):
    """Examples of a few features each, of which more and more appear."""
    rng = np.random.default_rng(seed)
    names = names or [f"f{j}" for j in range(d)]
    X, y = [], rng.integers(0, K, n).tolist()
    for i in range(n):
        known = max(3, d * i // n)
        columns = rng.choice(known, size=min(known, 4), replace=False)
        X.append({names[j]: float(v) for j, v in zip(columns, rng.standard_normal(4), strict=False)})
    return X, y


def matrix(X, names):
    place = {name: j for j, name in enumerate(names)}
    rows = [sorted((place[name], v) for name, v in x.items()) for x in X]
    starts = np.cumsum([0, *map(len, rows)])
    columns, values = (np.array([pair[k] for row in rows for pair in row]) for k in (0, 1))
    return sp.csr_array((values, columns.astype(np.int64), starts), shape=(len(X), len(names)))


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("K", "kind"), [(2, "ovr"), (4, "ovr"), (4, "direct")])
@pytest.mark.parametrize("readout", ["last", "averaged"])
def test_one_by_one_is_many_and_is_one_pass_over_all(rule, K, kind, readout):
    if kind == "direct" and not rules.get(rule).direct:
        return
    eta = {"eta0": 0.05} if rules.get(rule).diverges else {}
    X, y = stream(300, 200, K, 1)
    made = [
        OnlinePerceptron(classes=range(K), rule=rule, readout=readout, multiclass=kind, **RULES[rule], **eta)
        for _ in range(3)
    ]
    for x, label in zip(X, y, strict=True):
        made[0].learn_one(x, label)
    for part in np.array_split(np.arange(300), [1, 2, 90, 250]):
        made[1].learn_many([X[i] for i in part], [y[i] for i in part])
    made[2].learn_many(X, y)
    names = made[0].feature_names_in_.tolist()
    if rules.get(rule).surveyed:  # `learn` asks for the largest entries first; of a stream they grow: test_bets.py
        W, b, updates = made[2].to_model().weights, made[2].to_model().offsets, made[2].n_updates_
    else:
        run = learn(
            Examples.of(matrix(X, names), np.array(y)), rule=rule, multiclass=kind, max_epochs=1, readout=readout,
            eta=eta.get("eta0", 1.0), **RULES[rule],
        )  # fmt: skip
        (W, b), updates = run.state.read(readout), run.updates
    for model in made:
        assert (model.to_model().weights == W).all()
        assert (model.to_model().offsets == b).all()
        assert model.n_updates_ == updates
        assert model.predict_many(X) == [model.predict_one(x) for x in X]


def test_chunks_do_not_show():
    # 4,096 rows make a chunk; a stream goes on across them.
    X, y = stream(9000, 50, 2, 2)
    one, many = OnlinePerceptron(classes=[0, 1]), OnlinePerceptron(classes=[0, 1])
    many.learn_many(X, y)
    for part in np.array_split(np.arange(9000), [4000, 4096, 4097, 8191, 8192]):
        one.learn_many([X[i] for i in part], [y[i] for i in part])
    assert (one.to_model().weights == many.to_model().weights).all()


@pytest.mark.parametrize("name", ["pandas", "polars", "pyarrow"])
def test_frames_are_their_rows(name):
    library = pytest.importorskip(name)
    rng = np.random.default_rng(0)
    table, y = rng.integers(-2, 3, (80, 5)).astype(float), rng.integers(0, 3, 80)
    make = library.table if name == "pyarrow" else library.DataFrame
    names = [f"x{j}" for j in range(5)]
    frame = make({name: table[:, j] for j, name in enumerate(names)})
    many, one = OnlinePerceptron(classes=[0, 1, 2]), OnlinePerceptron(classes=[0, 1, 2])
    many.learn_many(frame, y)
    for row, label in zip(table.tolist(), y, strict=True):
        one.learn_one({f"x{j}": v for j, v in enumerate(row)}, label)
    assert (one.to_model().weights == many.to_model().weights).all()
    assert many.predict_many(frame) == [many.predict_one(dict(zip(names, row, strict=True))) for row in table.tolist()]


def test_sample_weights_scale_steps():
    X, y = stream(100, 30, 2, 3)
    weight = np.random.default_rng(0).uniform(0, 2, 100)
    one, many = OnlinePerceptron(classes=[0, 1]), OnlinePerceptron(classes=[0, 1])
    for x, label, h in zip(X, y, weight, strict=True):
        one.learn_one(x, label, sample_weight=h)
    many.learn_many(X, y, sample_weight=weight)
    assert (one.to_model().weights == many.to_model().weights).all()


def test_unknown_features_and_no_features_count_for_nothing():
    model = OnlinePerceptron()
    assert model.predict_one({"never": 1.0}) is False
    model.learn_one({"a": 1.0}, True)
    assert model.predict_one({"a": 1.0, "never": 1e9}) is True
    assert model.score_one({}) == model.score_one({"never": 3})
    model.learn_one({}, False)
    assert model.n_seen_ == 2
    assert model.feature_names_in_.tolist() == ["a"]


def test_classes_are_declared_or_grow():
    with pytest.raises(InputError, match=r"label 'spam' is of another kind than the classes \[False, True\]"):
        OnlinePerceptron(grow_classes=True).learn_one({"x": 1.0}, "spam")
    for label in (float("nan"), None, [1], 3):
        with pytest.raises(InputError, match="label"):
            OnlinePerceptron(classes=["b", "c"], grow_classes=True).learn_one({"x": 1.0}, label)
    model = OnlinePerceptron(classes=["b", "c"])
    model.learn_one({"x": 1.0}, "c")
    with pytest.raises(InputError, match=r"label 'a' is not among the classes \['b', 'c'\]: .*grow_classes=True"):
        model.learn_one({"x": 1.0}, "a")
    assert model.n_seen_ == 1
    grown = OnlinePerceptron(classes=["b", "c"], grow_classes=True, readout="last")
    grown.learn_one({"x": 1.0}, "c")
    grown.learn_many([{"x": -1.0, "y": 1.0}, {"z": 1.0}], ["a", "d"])
    assert grown.classes_.tolist() == ["a", "b", "c", "d"]
    assert set(grown.score_one({"x": 1.0})) == {"a", "b", "c", "d"}
    for _ in range(20):
        grown.learn_many([{"x": 1.0}, {"x": -1.0, "y": 1.0}, {"z": 1.0}], ["c", "a", "d"])
    assert grown.predict_many([{"x": 1.0}, {"x": -1.0, "y": 1.0}, {"z": 1.0}]) == ["c", "a", "d"]


@pytest.mark.parametrize("kind", ["ovr", "direct"])
def test_classes_that_grow_within_a_batch_grow_as_one_by_one(kind):
    X, y = stream(5000, 40, 7, 9)
    y = [label + (label > 1 and i > 4090 and 10) for i, label in enumerate(y)]
    made = [OnlinePerceptron(classes=[0, 1], grow_classes=True, multiclass=kind) for _ in range(2)]
    made[0].learn_many(X, y)
    for x, label in zip(X, y, strict=True):
        made[1].learn_one(x, label)
    assert made[0].classes_.tolist() == made[1].classes_.tolist()
    assert (made[0].to_model().weights == made[1].to_model().weights).all()


def test_copies_are_of_their_own():
    X, y = stream(60, 30, 2, 4)
    model = OnlinePerceptron(classes=[0, 1])
    model.learn_many(X[:30], y[:30])
    before = model.to_json()
    for twin in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):  # noqa: S301 - our own
        twin.learn_many(X[30:], y[30:])
        assert twin.n_seen_ == 60
        assert model.to_json() == before


@pytest.mark.parametrize("kind", ["ovr", "direct"])
def test_it_saves_and_goes_on(kind, tmp_path):
    X, y = stream(400, 300, 3, 5)
    model = OnlinePerceptron(classes=[0, 1, 2], multiclass=kind, rule="pa-1", C=0.3)
    model.learn_many(X[:250], y[:250])
    model.save(tmp_path / "m")
    for again in (load(tmp_path / "m"), from_json(model.to_json())):
        assert again.predict_many(X) == model.predict_many(X)
        again.learn_many(X[250:], y[250:])
        whole = OnlinePerceptron(classes=[0, 1, 2], multiclass=kind, rule="pa-1", C=0.3)
        whole.learn_many(X, y)
        assert (again.to_model().weights == whole.to_model().weights).all()
        assert again.n_seen_ == 400


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: OnlinePerceptron(classes=[1]), "expected two or more labels"),
        (lambda: OnlinePerceptron(classes=None), "classes=None: expected two or more labels"),
        (lambda: OnlinePerceptron(readout="voted"), "unknown readout 'voted'; expected one of averaged, last"),
        (lambda: OnlinePerceptron(rule="nothing"), "unknown rule 'nothing'"),
        (lambda: OnlinePerceptron(rule="pa-1", eta0=2.0), "sets its own step"),
        (lambda: OnlinePerceptron(offset=-1), "offset must be"),
        (lambda: OnlinePerceptron(rule="delta", multiclass="direct", classes=[0, 1, 2]), "no direct multiclass form"),
        (lambda: OnlinePerceptron().learn_one({"a": "b"}, True), "feature 'a' is 'b'; expected a finite number"),
        (lambda: OnlinePerceptron().learn_one({"a": float("nan")}, True), "feature 'a' is nan; expected a finite"),
        (lambda: OnlinePerceptron().learn_one({"a": 10**400}, True), "feature 'a' is 1000"),
        (lambda: OnlinePerceptron().learn_one([1.0], True), r"example 0 is \[1.0\]; expected a dictionary"),
        (lambda: OnlinePerceptron().learn_many([{"a": 1}], [True, False]), "1 examples but 2 labels"),
        (lambda: OnlinePerceptron().learn_one({"a": 1}, True, sample_weight=-1), "sample_weight of row 0: -1.0"),
        (lambda: OnlinePerceptron().to_model(), "nothing was learnt yet"),
        (lambda: _learnt({1: 2.0}).to_model(), "feature 1 is not named by a string"),
    ],
)
def test_what_cannot_be_is_one_clear_line(call, words):
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def _learnt(x):
    model = OnlinePerceptron()
    model.learn_one(x, True)
    return model


def test_a_refused_example_changes_nothing():
    model = OnlinePerceptron()
    model.learn_one({"a": 1.0}, True)
    before = model.to_json()
    for x, label in (({"b": 1.0, "c": "no"}, True), ({"b": 1.0}, "label")):
        with pytest.raises(InputError):
            model.learn_one(x, label)
    with pytest.raises(InputError, match=r"example 0: .*overflow"):
        model.learn_one({"a": 1e200}, False)
    model.learn_many([], [])
    assert model.to_json() == before
    grown = OnlinePerceptron(classes=[0, 1], grow_classes=True)
    grown.learn_one({"a": 1.0}, 1)
    before = grown.to_json()
    with pytest.raises(InputError, match="overflow"):
        grown.learn_one({"a": 1e200, "q": 1.0}, 7)
    assert grown.to_json() == before
    grown.learn_one({"a": 1.0, "q": 1.0}, 7)
    assert grown.classes_.tolist() == [0, 1, 7]
    model.learn_one({"b": 1.0}, False)
    assert model.feature_names_in_.tolist() == ["a", "b"]


def test_frames_of_something_else_are_refused():
    pd = pytest.importorskip("pandas")
    for values in (["1", "2"], [1j, 2], pd.to_datetime(["2020-01-01", "2021-01-01"]), [1.0, None]):
        with pytest.raises(InputError, match="feature 'x'"):
            OnlinePerceptron().learn_many(pd.DataFrame({"x": values}), [True, False])
    with pytest.raises(InputError, match="different names"):
        OnlinePerceptron().learn_many(pd.DataFrame(np.ones((2, 2)), columns=["x", "x"]), [True, False])


@pytest.mark.serial
def test_threads_take_turns():
    X, y = stream(400, 60, 2, 6)
    model, errors = OnlinePerceptron(classes=[0, 1]), []

    def work():
        try:
            for x, label in zip(X, y, strict=True):
                model.predict_one(x)
                model.learn_one(x, label)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert model.n_seen_ == 1600


@pytest.mark.serial
def test_an_example_costs_its_own_features_not_all():
    wide = OnlinePerceptron()
    wide.learn_one({f"f{j}": 1.0 for j in range(300_000)}, True)
    narrow = OnlinePerceptron()
    times = []
    for model in (narrow, wide):
        began = time.perf_counter()
        for i in range(300):
            model.learn_one({"f1": 1.0, "f2": -1.0}, i % 2 == 0)
            model.predict_one({"f1": 1.0})
        times.append(time.perf_counter() - began)
    assert times[1] < 5 * times[0] + 0.05
