"""DistributedPerceptron: scikit-learn's manners on a Dask cluster; what it has learnt is an ordinary model."""

import copy
import pickle
import warnings
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from distributed import Client
from in_shards import cut, even, learn_here, three_classes, two_classes
from on_dask import arrays
from sklearn.base import clone, is_classifier
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.utils.class_weight import compute_sample_weight

from rosenblatt import DistributedPerceptron, InputError, Model, Perceptron, cluster, load
from rosenblatt.cluster.engine import Here

pytestmark = [pytest.mark.serial, pytest.mark.slow]
TIME_BUDGET = 90

N, SIZES = 240, even(240, 4)
X, Y = two_classes(1, N, noise=0.1)
X3, Y3 = three_classes(2, N)
NAMES = list("abcde")
WEIGHT = np.linspace(0.1, 1, N)
METHODS = ("predict", "decision_function", "geometric_margin")


def fit(model: Any, *given: Any, **more: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of epochs that are spent
        return model.fit(*given, **more)


def fitted(client: Any, rows: np.ndarray = X, labels: np.ndarray = Y, **parameters: Any) -> DistributedPerceptron:
    model = DistributedPerceptron(client, **{"max_iter": 4, "tol": None, **parameters})
    found: DistributedPerceptron = fit(model, *arrays(rows, labels, SIZES))
    return found


def frame_of(columns: list[str], **more: Any) -> Any:
    """A Dask frame of some columns of X."""
    return dd.from_pandas(pd.DataFrame(X, columns=NAMES)[columns].assign(**more), npartitions=4)


def in_blocks(*columns: np.ndarray) -> list[Any]:
    """Rows, labels, weights as lists of blocks, for `Here`: the engine without a cluster."""
    return [cut(column, SIZES) for column in columns]


def here(**parameters: Any) -> DistributedPerceptron:
    return DistributedPerceptron(Here(), **{"max_iter": 4, "tol": None, **parameters})


def shards_of(rows: Any, labels: np.ndarray, weight: np.ndarray | None = None) -> Any:
    """What `cluster.sharded` gives: a source whose classes are its own."""
    weights = None if weight is None else cut(weight, SIZES)
    return cluster.sharded(Here(), *in_blocks(rows, labels), sample_weight=weights)


def written(folder: Path) -> list[Path]:
    """The shards as files: columns of names, a label, a weight."""
    frame = pd.DataFrame(X, columns=NAMES).assign(label=Y, weight=WEIGHT)
    paths = [folder / f"{i}.csv" for i in range(len(SIZES))]
    for path, part in zip(paths, cut(frame, SIZES), strict=True):
        part.to_csv(path, index=False)
    return paths


def assert_same_model(a: Any, b: Any) -> None:
    np.testing.assert_array_equal(a.coef_, b.coef_)
    np.testing.assert_array_equal(a.intercept_, b.intercept_)
    np.testing.assert_array_equal(a.classes_, b.classes_)


@pytest.mark.parametrize(("rows", "labels"), [(X, Y), (X3, Y3)], ids=["two", "three"])
def test_it_learns_what_learn_learns_and_answers_with_lazy_collections(client: Client, rows: Any, labels: Any) -> None:
    model = fitted(client, rows, labels, random_state=3)
    run = learn_here(rows, labels, SIZES, max_epochs=4, seed=3)
    np.testing.assert_array_equal(model.coef_.T, run.state.folded("averaged")[0])
    given, known = arrays(rows, labels, SIZES)
    for method in METHODS:
        answer = getattr(model, method)(given)
        local = getattr(model, method)(rows)
        assert isinstance(answer, da.Array)
        assert (answer.shape, answer.dtype, answer.chunks[0]) == (local.shape, local.dtype, given.chunks[0])
        np.testing.assert_array_equal(answer.compute(scheduler=client), local)
    assert model.score(given, known) == model.score(rows, labels) == np.mean(model.predict(rows) == labels)
    assert model.score(given, known, da.from_array(WEIGHT, chunks=60)) == pytest.approx(
        model.score(rows, labels, WEIGHT), rel=1e-12
    )


def test_answers_of_columns_that_are_cut_of_sparse_blocks_and_of_frames(client: Client) -> None:
    model = fitted(client, X3, Y3)
    frame = dd.from_pandas(pd.DataFrame(X3, columns=NAMES), npartitions=3)
    sparse = arrays(X3, Y3, SIZES, sparse=True)[0]
    for given in (da.from_array(X3, chunks=(50, 2)), sparse, frame, frame.to_dask_array()):
        for method in METHODS:
            found = getattr(model, method)(given).compute(scheduler=client)
            local = getattr(model, method)(sp.csr_array(X3) if given is sparse else X3)
            np.testing.assert_array_equal(found, local)


def test_frames_with_a_series_or_the_name_of_a_column_and_lists_of_blocks(client: Client) -> None:
    plain = fitted(client)
    frame = frame_of(NAMES, label=Y)
    blocks = [dask.delayed(pair) for pair in zip(cut(X, SIZES), cut(Y, SIZES), strict=True)]
    for given in ((frame, "label"), (frame[NAMES], frame["label"]), (blocks,)):
        model = fit(DistributedPerceptron(client, max_iter=4, tol=None), *given)
        assert_same_model(model, plain)
        if len(given) == 2:
            assert model.feature_names_in_.tolist() == NAMES
            found = model.predict(frame[NAMES]).compute(scheduler=client)
            np.testing.assert_array_equal(found, plain.predict(X))
            assert model.score(frame[NAMES], frame["label"]) == plain.score(X, Y)


def test_a_full_batch_is_that_of_a_perceptron_on_one_machine(client: Client) -> None:
    model = fitted(client, batch_size="all")
    local = fit(Perceptron(batch_size="all", max_iter=4, tol=None, scale="standard", order="cyclic"), X, Y)
    assert_same_model(model, local)
    np.testing.assert_array_equal(model.history_.mistakes, local.history_.mistakes)
    assert model.margin_upper_bound_ == local.margin_upper_bound_


@pytest.mark.parametrize("class_weight", ["balanced", {1: 2.5}, {-1: 0.5, 1: 3}])
def test_a_class_weight_is_a_weight_of_its_rows(class_weight: Any) -> None:
    model = fit(here(class_weight=class_weight), *in_blocks(X, Y))
    weight = compute_sample_weight(class_weight, Y)
    run = learn_here(X, Y, SIZES, max_epochs=4, sample_weight=weight)
    np.testing.assert_allclose(model.coef_.T, run.state.folded("averaged")[0], rtol=1e-12)
    own = np.linspace(0.5, 2, N)
    both = fit(here(class_weight=class_weight), *in_blocks(X, Y), sample_weight=cut(own, SIZES))
    run = learn_here(X, Y, SIZES, max_epochs=4, sample_weight=weight * own)
    np.testing.assert_allclose(both.coef_.T, run.state.folded("averaged")[0], rtol=1e-12)


@pytest.mark.parametrize("class_weight", ["heavy", 5, {5: 2.0}, {1: -1.0}, {1: float("nan")}])
def test_a_class_weight_that_cannot_be_taken_is_refused(class_weight: Any) -> None:
    with pytest.raises(InputError, match="class_weight"):
        here(class_weight=class_weight).fit(*in_blocks(X, Y))


def test_partial_fit_is_an_epoch_that_goes_on_from_where_the_model_is(client: Client) -> None:
    model = DistributedPerceptron(client, shuffle=False)
    rows, labels = arrays(X, Y, SIZES)
    for epochs in (1, 2, 3):
        assert model.partial_fit(rows, labels) is model
        assert model.n_iter_ == epochs
    run = learn_here(X, Y, SIZES, max_epochs=3, order="cyclic")
    np.testing.assert_array_equal(model.coef_.T, run.state.folded("averaged")[0])
    assert len(model.history_) == 3
    model.partial_fit(*arrays(X + 1, Y, [100, 140]))  # other rows, in other shards
    assert (model.n_iter_, len(model.history_)) == (4, 4)
    before = model.coef_.copy()
    with pytest.raises(InputError, match="the label 5 is none of"):
        model.partial_fit(rows, np.where(Y > 0, 5, -1))
    with pytest.raises(InputError, match="rows of 3 columns, and the model has 5"):
        model.partial_fit(rows[:, :3], labels)
    np.testing.assert_array_equal(model.coef_, before)


def test_partial_fit_takes_rows_in_which_not_all_classes_occur() -> None:
    only = Y3 != "oak"
    model = here().partial_fit(*in_blocks(X3[only], Y3[only]), classes=["ash", "elm", "oak"])
    model.partial_fit(*in_blocks(X3, Y3))
    assert model.classes_.tolist() == ["ash", "elm", "oak"]
    assert model.coef_.shape == (3, 5)


def test_later_calls_bring_the_classes_of_the_first_or_are_refused(tmp_path: Path) -> None:
    names = np.array(["a", "b", "c"])[np.searchsorted(np.unique(Y3), Y3)]
    two = names != "c"
    model = here().partial_fit(*in_blocks(X3[two], names[two]))
    before = model.coef_.copy()
    with pytest.raises(InputError, match=r"label 'c' is not among the classes \['a', 'b'\]: give them all"):
        model.partial_fit(shards_of(X3[names != "a"], names[names != "a"]))
    with pytest.raises(InputError, match=r"classes=\['a', 'c'\]: the first call said \['a', 'b'\]"):
        model.partial_fit(*in_blocks(X3[two], names[two]), classes=["c", "a"])
    assert model.classes_.tolist() == ["a", "b"]
    np.testing.assert_array_equal(model.coef_, before)
    assert model.partial_fit(shards_of(X3[two], names[two]), classes=["b", "a"]).n_iter_ == 2
    of_three = here().partial_fit(shards_of(X3, names))
    for model, classes in ((of_three, None), (here(), ["a", "b", "c"])):
        with pytest.raises(InputError, match=r"rows of the classes \['a', 'b'\]; expected all that are known"):
            model.partial_fit(shards_of(X3[two], names[two]), classes=classes)


def test_classes_in_an_order_of_their_own_are_not_turned_round(tmp_path: Path) -> None:
    # Of two columns of counts the first is the positive class, whatever it is called.
    frame = pd.DataFrame(X, columns=NAMES).assign(can=1 * (Y > 0), cannot=1 * (Y < 0))
    frame.to_csv(tmp_path / "counts.csv", index=False)
    source = cluster.sharded(Here(), tmp_path / "counts.csv", counts=("can", "cannot"))
    model = fit(here(), source)
    assert model.classes_.tolist() == ["cannot", "can"]
    names = np.where(Y > 0, "can", "cannot")
    assert model.score(source) == model.score(shards_of(X, names)) == model.score(frame[NAMES], names) > 0.7
    with pytest.raises(InputError, match=r"in this order: \['cannot', 'can'\]"):
        model.partial_fit(*in_blocks(X, names))
    assert model.partial_fit(source, classes=["can", "cannot"]).classes_.tolist() == ["cannot", "can"]


def test_partial_fit_goes_on_from_weights_that_others_have_learnt(tmp_path: Path) -> None:
    Perceptron(readout="last").fit(X, Y).to_liblinear(tmp_path / "their.model")
    model = DistributedPerceptron._of(Model.from_liblinear(tmp_path / "their.model")).set_params(client=Here())
    start = model.coef_.T.copy(), model.intercept_.copy()
    model.set_params(shuffle=False).partial_fit(*in_blocks(X, Y))
    run = learn_here(X, Y, SIZES, max_epochs=1, order="cyclic", start=start)
    np.testing.assert_array_equal(model.coef_.T, run.state.folded("averaged")[0])


def test_partial_fit_refuses_what_that_of_a_perceptron_refuses() -> None:
    for model, given in ((here(), in_blocks(X, Y)), (Perceptron(), (X, Y))):
        model.set_params(class_weight="balanced")
        with pytest.raises(InputError, match="class_weight='balanced' needs all labels beforehand: give partial_fit a"):
            model.partial_fit(*given, classes=[-1, 1])
        assert not hasattr(model.set_params(readout="pocket"), "partial_fit")


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_labels_that_are_measurements_and_weights_of_zero_are_refused_as_in_a_perceptron(method: str) -> None:
    learn = getattr(here(), method)
    for given in (in_blocks(X, X[:, 0]), (shards_of(X, X[:, 0]),)):
        with pytest.raises(ValueError, match="Unknown label type: continuous"):
            learn(*given)
    numbered = here(max_iter=1).partial_fit(*in_blocks(X, np.arange(N) % 120 * 1.0))  # whole numbers, of two rows each
    assert numbered.classes_.size == 120
    for refused in (
        lambda: learn(*in_blocks(X, Y), sample_weight=cut(0 * WEIGHT, SIZES)),
        lambda: learn(shards_of(X, Y, 0 * WEIGHT)),
        lambda: getattr(here(class_weight={-1: 0, 1: 0}), method)(*in_blocks(X, Y)),
        lambda: getattr(here(class_weight={1: 0}), method)(*in_blocks(X, Y), sample_weight=cut(Y > 0, SIZES)),
    ):
        with pytest.raises(InputError, match="all sample weights are 0: no row would be learnt from"):
            refused()


def test_names_of_columns_are_those_of_the_first_rows() -> None:
    frames = [pd.DataFrame(part, columns=NAMES) for part in cut(X, SIZES)]
    rows, labels = in_blocks(X, Y)
    named = here().partial_fit(frames, labels).partial_fit(rows, labels)
    assert named.feature_names_in_.tolist() == list(named._model.feature_names) == NAMES
    plain = here().partial_fit(rows, labels).partial_fit(frames, labels)
    assert plain._model.feature_names is None
    assert not hasattr(plain, "feature_names_in_")


def test_warm_start_begins_at_the_last_weights_of_the_fit_before() -> None:
    model = fit(here(scale="none", warm_start=True, shuffle=False, max_iter=2), *in_blocks(X, Y))
    start = model._model.state.folded("last")
    fit(model, *in_blocks(X, Y))
    run = learn_here(X, Y, SIZES, max_epochs=2, order="cyclic", scale="none", start=start)
    np.testing.assert_array_equal(model.coef_.T, run.state.folded("averaged")[0])
    with pytest.raises(InputError, match="warm_start: there were 5 features, and now 3"):
        model.fit(*in_blocks(X[:, :3], Y))
    with pytest.raises(InputError, match=r"warm_start: the labels were \[-1, 1\], and now are others"):
        model.fit(*in_blocks(X3, Y3))


@pytest.mark.parametrize("kind", ["standard", "max"])
def test_a_warm_start_keeps_the_scale_of_the_fit_before(kind: str) -> None:
    model = fit(here(scale=kind, warm_start=True, readout="last"), *in_blocks(X, Y))
    scaling, coef = model._model.state.scaling, model.coef_.copy()
    fit(model, *in_blocks(3 * X + 1, Y))
    assert model._model.state.scaling is scaling
    np.testing.assert_allclose(scaling.fold(*model._model.state.first_weights)[0].T, coef, rtol=1e-12)
    fit(model.set_params(warm_start=False), *in_blocks(3 * X + 1, Y))
    assert model._model.state.scaling is not scaling


def test_it_begins_at_given_weights() -> None:
    first = fit(here(max_iter=3, readout="last"), *in_blocks(X, Y))
    weights, offset = first.coef_.copy(), first.intercept_.copy()
    model = fit(here(max_iter=1), *in_blocks(X, Y), coef_init=weights, intercept_init=offset)
    run = learn_here(X, Y, SIZES, max_epochs=1, start=(weights.T, offset))
    np.testing.assert_array_equal(model.coef_.T, run.state.folded("averaged")[0])
    with pytest.raises(InputError, match="coef_init must have shape"):
        model.fit(*in_blocks(X, Y), coef_init=weights[:, :2])


def test_it_saves_itself_as_a_perceptron(tmp_path: Path) -> None:
    model = fit(here(random_state=5, mixing="mistakes"), *in_blocks(X3, Y3))
    model.save(tmp_path / "some.model")
    found = load(tmp_path / "some.model")
    assert type(found) is Perceptron
    assert_same_model(found, model)
    np.testing.assert_array_equal(found.predict(X3), model.predict(X3))
    assert (found.random_state, found.max_iter, found.scale) == (5, 4, "standard")
    assert found.status_ == model.status_


def test_a_copy_and_a_pickle_keep_what_was_learnt_and_no_connection(client: Client) -> None:
    model = fitted(client)
    copied = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert copied.client is None
    assert_same_model(copied, model)
    np.testing.assert_array_equal(copied.predict(X), model.predict(X))
    given, known = arrays(X, Y, SIZES)
    with client.as_current():
        assert copied.score(given, known) == model.score(X, Y)
    np.testing.assert_array_equal(copied.predict(given).compute(scheduler=client), model.predict(X))


def test_answers_are_lazy_and_need_no_client_before_they_are_computed(client: Client) -> None:
    model = pickle.loads(pickle.dumps(fitted(client)))  # noqa: S301
    np.testing.assert_array_equal(model.predict(arrays(X, Y, SIZES)[0]).compute(scheduler="sync"), model.predict(X))


def test_a_clone_has_the_parameters_and_the_client(client: Client) -> None:
    for given in (None, client):
        model = clone(DistributedPerceptron(given, mixing="mistakes", max_iter=7, class_weight={1: 2.0}))
        assert (model.client, model.mixing, model.max_iter, model.class_weight) == (given, "mistakes", 7, {1: 2.0})
    assert set(Perceptron().get_params()) < set(model.get_params())
    assert model.set_params(mixing="uniform", eta0=0.5).get_params()["mixing"] == "uniform"
    with pytest.raises(ValueError, match="Invalid parameter 'mix'"):
        model.set_params(mix="uniform")
    assert is_classifier(model)


def test_rows_in_memory_are_answered_as_ever() -> None:
    model = fit(here(), *in_blocks(X, Y))
    for rows in (X, X.tolist(), sp.csr_array(X)):
        assert isinstance(model.predict(rows), np.ndarray)
        np.testing.assert_array_equal(model.predict(rows), model.predict(X))
    assert model.score(X, Y) == np.mean(model.predict(X) == Y)


@pytest.mark.parametrize("method", [*METHODS, "score"])
def test_before_fit_nothing_is_answered(client: Client, method: str) -> None:
    model = DistributedPerceptron(client)
    given, known = arrays(X, Y, SIZES)
    more = [known] if method == "score" else []
    for rows in (X, given):
        with pytest.raises(NotFittedError):
            getattr(model, method)(rows, *more)
    assert not hasattr(model, "coef_")


def test_before_fit_nothing_is_saved_and_no_shards_are_judged() -> None:
    with pytest.raises(NotFittedError):
        here().save("nowhere")
    with pytest.raises(NotFittedError):
        here().score(shards_of(X, Y))


def test_rows_of_another_width_are_refused(client: Client) -> None:
    model = fitted(client)
    for method in METHODS:
        with pytest.raises(InputError, match="rows of 3 columns, and the model has 5"):
            getattr(model, method)(arrays(X, Y, SIZES)[0][:, :3])


def test_columns_of_other_names_or_in_another_order_are_refused(client: Client) -> None:
    labels = dd.from_pandas(pd.Series(Y), npartitions=4)
    model = fit(DistributedPerceptron(client, max_iter=2, warm_start=True), frame_of(NAMES), labels)
    turned, other = frame_of(NAMES[::-1]), frame_of(NAMES).rename(columns={"e": "x"})
    for given, named in ((turned, "column 'e' where the model knows 'a'"), (other, "column 'x' where the model knows")):
        for ask in (
            *(getattr(model, method) for method in METHODS),
            lambda rows: model.score(rows, labels),
            lambda rows: model.partial_fit(rows, labels),
            lambda rows: model.fit(rows, labels),  # warm_start
        ):
            with pytest.raises(InputError, match=named):
                ask(given)
    assert model.feature_names_in_.tolist() == NAMES
    fit(model, *arrays(X, Y, SIZES))
    assert not hasattr(model, "feature_names_in_")


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"early_stopping": True}, "early_stopping keeps rows apart"),
        ({"grow_classes": True}, "grow_classes is not offered on a cluster"),
        ({"rule": "coin"}, "rule 'coin' is not offered on a cluster"),
        ({"readout": "voted"}, "a vote is made of the rows of one run"),
        ({"readout": "pocket"}, "a pocket counts rows in a row"),
        ({"order": list(range(N))}, "an order of your own"),
        ({"mixing": "median"}, "mixing"),
        ({"penalty": "l2"}, "there is no penalty"),
        ({"client": "tcp://nowhere"}, "client must be a distributed.Client"),
    ],
)
def test_what_is_not_offered_is_refused_by_name_and_nothing_is_lost(parameters: dict[str, Any], named: str) -> None:
    model = fit(here(), *in_blocks(X, Y))
    before = model.coef_.copy()
    model.set_params(**parameters)
    with pytest.raises(InputError, match=named):
        model.fit(*in_blocks(X, Y))
    np.testing.assert_array_equal(model.coef_, before)


def test_it_learns_from_files_and_counts_in_them_by_weight(client: Client, tmp_path: Path) -> None:
    source = cluster.sharded(client, written(tmp_path), label="label", weight="weight")
    model = fit(DistributedPerceptron(client, max_iter=4, tol=None, class_weight={1: 2.0}), source)
    weighted = in_blocks(X, Y, WEIGHT)
    plain = fit(here(class_weight={1: 2.0}), *weighted[:2], sample_weight=weighted[2])
    assert_same_model(model, plain)
    assert model.feature_names_in_.tolist() == NAMES
    frame = pd.DataFrame(X, columns=NAMES)
    assert model.score(source) == pytest.approx(model.score(frame, Y, WEIGHT), rel=1e-12)
    assert model.score(source) != model.score(frame, Y)
    assert_same_model(model.partial_fit(source), plain.partial_fit(*weighted[:2], sample_weight=weighted[2]))
    with pytest.raises(InputError, match="shards have their labels"):
        model.score(source, Y)
    with pytest.raises(InputError, match="predict gives an answer for each row of a collection"):
        model.predict(source)


def test_shards_are_judged_as_rows_in_memory_are() -> None:
    model = fit(here(), *in_blocks(X3, Y3))
    unknown = np.where(Y3 == "oak", "yew", Y3)
    for rows, labels in ((X3, Y3), (X3[Y3 != "ash"], Y3[Y3 != "ash"]), (sp.csr_array(X3), Y3), (X3, unknown)):
        weight = WEIGHT[: rows.shape[0]]
        assert model.score(shards_of(rows, labels)) == model.score(rows, labels)
        found = model.score(shards_of(rows, labels, weight))
        assert found == pytest.approx(model.score(rows, labels, weight), rel=1e-12)
    with pytest.raises(InputError, match=r"shard 0: labels such as -?1, and the model has \['ash', 'elm', 'oak'\]"):
        model.score(shards_of(X3, Y))
    with pytest.raises(InputError, match="none that weighs anything"):
        model.score(shards_of(X3, Y3, 0 * WEIGHT))
    with pytest.raises(InputError, match="rows of 3 columns, and the model has 5"):
        model.score(shards_of(X3[:, :3], Y3))
    with pytest.raises(InputError, match="labels are missing: give y"):
        model.score(arrays(X3, Y3, SIZES)[0])
    turned = [pd.DataFrame(part, columns=NAMES[::-1]) for part in cut(X, SIZES)]
    named = fit(here(), [part[NAMES] for part in turned], cut(Y, SIZES))
    with pytest.raises(InputError, match="column 'e' where the model knows 'a'"):
        named.score(cluster.sharded(Here(), turned, cut(Y, SIZES)))


@pytest.mark.parametrize(("rows", "labels"), [(X, Y), (X, Y > 0), (X3, Y3)], ids=["two", "truth", "three"])
def test_it_has_the_attributes_of_a_perceptron(rows: Any, labels: Any) -> None:
    local = fit(Perceptron(max_iter=4, tol=None), rows, labels)
    model = here()
    before = model.get_params()
    assert fit(model, *in_blocks(rows, labels)) is model
    assert model.get_params() == before
    for name in ("coef_", "intercept_", "classes_"):
        mine, other = getattr(model, name), getattr(local, name)
        assert (mine.shape, mine.dtype) == (other.shape, other.dtype)
    assert (model.n_features_in_, model.n_iter_, len(model.history_)) == (5, 4, 4)
    assert isinstance(model.n_updates_, int)
    assert np.shape(model.margin_) == np.shape(local.margin_)
    assert (np.asarray(model.margin_) <= model.margin_upper_bound_).all()
    model.partial_fit(*in_blocks(rows, labels))
    with pytest.raises(AttributeError, match="known after fit only"):
        model.margin_  # noqa: B018
    assert repr(DistributedPerceptron(mixing="mistakes")) == "DistributedPerceptron(mixing='mistakes')"
    assert "DistributedPerceptron" in model._repr_html_()


def test_rows_that_cannot_be_learnt_from_are_named_and_nothing_is_lost() -> None:
    model = fit(here(), *in_blocks(X, Y))
    before, broken = model.to_json(), X.copy()
    broken[77, 2] = np.nan
    for learn in (model.fit, model.partial_fit):
        with pytest.raises(InputError, match=r"row 77, column 2: not a finite number"):
            learn(*in_blocks(broken, Y))
        with pytest.raises(InputError, match="60 rows but 50 labels"):
            learn(*in_blocks(X, Y[:-10]))
        with pytest.raises(InputError, match="sample_weight must hold one number for each of the 60 rows, not 50"):
            learn(*in_blocks(X, Y), sample_weight=cut(WEIGHT[:-10], SIZES))
    with pytest.raises(InputError, match=r"its update would leave the range of float64.*; the model is as before"):
        fit(here(rule="delta", scale="none", eta0=1e-3), *in_blocks(X, Y)).partial_fit(*in_blocks(X * 1e100, Y))
    assert model.to_json() == before


def test_it_tells_of_its_epochs_as_a_perceptron_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.warns(ConvergenceWarning, match="budget: 2 epochs spent") as caught:
        model = here(max_iter=2, tol=1e-3, verbose=1).fit(*in_blocks(X, Y))
    assert caught[0].filename == __file__
    updates = model.history_.updates.tolist()
    assert capsys.readouterr().out == f"epoch 1: {updates[0]} updates\nepoch 2: {updates[1]} updates\n"


def test_callbacks_of_scikit_learn_see_every_epoch_and_may_stop_the_run() -> None:
    pytest.importorskip("sklearn.callback")

    class Stops:
        scores: list[float] = []  # noqa: RUF012

        def setup(self, estimator: Any, context: Any) -> None: ...

        def on_fit_task_begin(self, estimator: Any, context: Any) -> None: ...

        def on_fit_task_end(self, estimator: Any, context: Any, *, fitted_estimator: Any = None) -> bool:
            self.scores.append(fitted_estimator.score(shards_of(X, Y)))
            return len(self.scores) == 2

        def teardown(self, estimator: Any, context: Any) -> None: ...

    model = here(max_iter=9).set_callbacks(stops := Stops()).fit(*in_blocks(X, Y))
    assert model.n_iter_ == 2
    assert len(stops.scores) == 3  # the last of the whole fit
    assert stops.scores[1] == stops.scores[2] == model.score(X, Y)
    assert str(model.status_) == "stopped: the callback ended the run in epoch 2; partial_fit goes on"


def test_a_shallow_copy_has_the_client() -> None:
    model = here()
    assert copy.copy(model).client is model.client
    assert copy.deepcopy(model).client is None


def test_rows_in_memory_are_not_learnt_from_here(client: Client) -> None:
    with pytest.raises(InputError, match="ndarray where a Dask array"):
        DistributedPerceptron(client).fit(X, Y)
