"""LinearClassifier: scikit-learn's manners, and better with nothing set than a perceptron is."""

import copy
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from rosenblatt import Examples, InputError, LinearClassifier, Perceptron, learn, load
from rosenblatt.learning.choose import choose

IRIS, WINE, CANCER = (load(return_X_y=True) for load in (load_iris, load_wine, load_breast_cancer))

EXPECTED = {
    **dict.fromkeys(
        ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"),
        "a row of weight 2 makes one step of twice the length; a row met twice makes two, or one",
    ),
    "check_n_features_in_after_fitting": "partial_fit goes on with what fit has chosen; the check calls it before fit",
}


@parametrize_with_checks(
    [LinearClassifier(), LinearClassifier(random_state=1, n_jobs=2)],
    expected_failed_checks=lambda _: EXPECTED,
)
def test_it_passes_the_checks_of_scikit_learn(estimator: Any, check: Any) -> None:
    check(estimator)


# What fit does: choose, and learn.


@pytest.mark.parametrize(("X", "y"), [IRIS, WINE, CANCER], ids=["iris", "wine", "cancer"])
def test_fit_is_choose_and_the_weights_are_of_the_columns_as_they_are(X: np.ndarray, y: np.ndarray) -> None:
    """Warnings are errors here: neither the fit nor a candidate within it gives one."""
    model = LinearClassifier(random_state=3).fit(X, y)
    run, choice = choose(Examples.of(X, y), seed=3)
    W, b = run.state.folded("averaged")
    assert np.array_equal(model.coef_, W.T)
    assert np.array_equal(model.intercept_, b)
    assert model.choice_.to_dict() == choice.to_dict()
    assert model.status_.name == "chosen"
    assert model.n_iter_ == run.epochs == choice.best.epochs
    scores = X @ model.coef_.T + model.intercept_
    found = scores.argmax(axis=1) if len(model.classes_) > 2 else (scores[:, 0] > 0).astype(int)
    assert (model.predict(X) == found).all()
    assert model.score(X, y) > 0.95
    with pytest.raises(AttributeError, match="has no choice_ before fit"):
        _ = LinearClassifier().choice_
    with pytest.raises(NotFittedError):
        LinearClassifier().predict(X)


def test_the_chosen_one_alone_is_a_perceptron_with_its_parameters() -> None:
    X, y = WINE
    model = LinearClassifier().fit(X, y)
    plan = model.choice_.plan()
    alone = Perceptron(
        rule=plan["rule"], beta=plan["beta"], scale=plan["scale"], multiclass=plan["multiclass"], tol=None,
        max_iter=plan["max_epochs"], random_state=plan["seed"],
    )  # fmt: skip
    alone.fit(X, y)
    assert np.array_equal(alone.coef_, model.coef_)
    assert np.array_equal(alone.intercept_, model.intercept_)
    run = learn(Examples.of(X, y), **plan)
    assert np.array_equal(run.state.weights, model._model.state.weights)


def test_class_weights_are_sample_weights() -> None:
    X, y = CANCER
    by_class = LinearClassifier(class_weight={0: 3.0, 1: 1.0}).fit(X, y)
    by_row = LinearClassifier().fit(X, y, sample_weight=np.where(y == 0, 3.0, 1.0))
    assert np.array_equal(by_class.coef_, by_row.coef_)
    assert by_class.choice_.to_dict() == by_row.choice_.to_dict()
    counts = np.bincount(y)
    balanced = LinearClassifier(class_weight="balanced").fit(X, y)
    even = LinearClassifier().fit(X, y, sample_weight=len(y) / (2 * counts[y]))
    assert np.array_equal(balanced.coef_, even.coef_)
    assert balanced.choice_.most_common == pytest.approx(0.5)


def test_no_intercept() -> None:
    model = LinearClassifier(fit_intercept=False).fit(*CANCER)
    assert (model.intercept_ == 0).all()
    assert model.score(*CANCER) > 0.9


@pytest.mark.parametrize("K", [2, 3, 12])
@pytest.mark.parametrize("kind", ["dense", "float32", "csr", "frame"])
def test_every_form_of_rows(K: int, kind: str) -> None:
    rng = np.random.default_rng(0)
    X, centres = np.round(rng.normal(size=(400, 6)), 1), rng.normal(size=(K, 6))
    y = np.array([f"c{k:02}" for k in range(K)])[(X @ centres.T).argmax(axis=1)]
    K = len(set(y))
    forms = {"float32": X.astype(np.float32), "csr": sp.csr_array(X), "frame": pd.DataFrame(X, columns=list("abcdef"))}
    model = LinearClassifier().fit(forms.get(kind, X), y)
    assert model.coef_.shape == (1 if K == 2 else K, 6)
    assert model.score(forms.get(kind, X), y) > 0.85
    assert (kind == "frame") == hasattr(model, "feature_names_in_")


def test_what_cannot_be_learnt_from_is_one_line_and_leaves_the_model_as_it_was() -> None:
    X, y = IRIS
    model = LinearClassifier().fit(X, y)
    before = model.coef_.copy()
    broken = X.copy()
    broken[7, 2] = np.nan
    for rows, labels, why in [
        (X, np.ones(150), "one class only"),
        (broken, y, "row 7, column 2: not a finite number"),
    ]:
        with pytest.raises(InputError, match=why) as refused:
            model.fit(rows, labels)
        assert "\n" not in str(refused.value)
        assert np.array_equal(model.coef_, before)


# It goes on.


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(("X", "y"), [WINE, CANCER], ids=["wine", "cancer"])
def test_partial_fit_goes_on_as_a_perceptron_does(X: np.ndarray, y: np.ndarray, sparse: bool) -> None:
    rows = sp.csr_array(X) if sparse else X
    model = LinearClassifier().fit(rows[::2], y[::2])
    plan = model.choice_.plan()
    peer = Perceptron(
        rule=plan["rule"], beta=plan["beta"], scale=plan["scale"], multiclass=plan["multiclass"], tol=None,
        max_iter=plan["max_epochs"], random_state=plan["seed"],
    ).fit(rows[::2], y[::2])  # fmt: skip
    choice = model.choice_
    for some in (slice(1, None, 2), slice(0, 50)):
        model.partial_fit(rows[some], y[some])
        peer.partial_fit(rows[some], y[some])
        assert np.array_equal(model.coef_, peer.coef_)
        assert np.array_equal(model.intercept_, peer.intercept_)
    assert model.choice_.to_dict() == choice.to_dict()
    assert model.status_.name == peer.status_.name == "pass"
    with pytest.raises(InputError, match="label"):
        model.partial_fit(rows[:3], [97, 98, 99])


def test_there_is_no_partial_fit_before_fit() -> None:
    model = LinearClassifier()
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match="partial_fit") as refused:
        model.partial_fit(*IRIS)
    assert "it goes on with what fit has chosen" in str(refused.value)
    assert hasattr(model.fit(*IRIS), "partial_fit")


def test_partial_fit_refuses_what_is_another_plan() -> None:
    X, y = CANCER
    model = LinearClassifier().fit(X, y)
    with pytest.raises(InputError, match=r"label 7 is not among the classes \[0, 1\]: fit anew"):
        model.partial_fit(X, np.where(y == 1, 7, y))
    with pytest.raises(ValueError, match="X has 3 features, but LinearClassifier is expecting 30"):
        model.partial_fit(X[:, :3], y)
    with pytest.raises(InputError, match="class_weight='balanced' needs all labels beforehand"):
        copy.deepcopy(model).set_params(class_weight="balanced").partial_fit(X, y)
    with pytest.raises(InputError, match="cannot resume with another plan: offset"):
        copy.deepcopy(model).set_params(fit_intercept=False).partial_fit(X, y)
    framed = LinearClassifier().fit(pd.DataFrame(X), y)
    framed.partial_fit(pd.DataFrame(X), y)
    model.partial_fit(X.tolist(), y.tolist())
    assert np.array_equal(framed.coef_, model.coef_)


@pytest.mark.parametrize("state", [None, np.random.RandomState(3)])
def test_a_seed_that_is_drawn_is_kept(state: Any, tmp_path: Any) -> None:
    model = LinearClassifier(random_state=state).fit(*WINE)
    again = LinearClassifier(random_state=model.choice_.seed).fit(*WINE)
    assert np.array_equal(again.coef_, model.coef_)
    model.save(tmp_path / "a.model")
    assert load(tmp_path / "a.model").choice_.to_dict() == model.choice_.to_dict()


# Among scikit-learn's tools.


def test_parameters_clones_and_pickles() -> None:
    model = LinearClassifier(random_state=2, class_weight="balanced").fit(*WINE)
    assert set(model.get_params()) == {"fit_intercept", "class_weight", "random_state", "n_jobs"}
    assert repr(model) == "LinearClassifier(class_weight='balanced', random_state=2)"
    fresh = clone(model)
    assert fresh.get_params() == model.get_params()
    assert not hasattr(fresh, "coef_")
    assert model.set_params(n_jobs=1) is model
    pickled = pickle.loads(pickle.dumps(model))  # noqa: S301
    for twin in (pickled, copy.deepcopy(model), fresh.fit(*WINE)):
        assert np.array_equal(twin.coef_, model.coef_)
        assert twin.choice_.to_dict() == model.choice_.to_dict()
    assert LinearClassifier.__doc__
    with pytest.raises(AttributeError, match="CalibratedClassifierCV"):
        model.predict_proba(WINE[0])


def test_in_pipelines_searches_and_cross_validation() -> None:
    X, y = WINE
    assert cross_val_score(LinearClassifier(), X, y).mean() > 0.95
    assert cross_val_score(make_pipeline(StandardScaler(), LinearClassifier()), X, y).mean() > 0.95
    search = GridSearchCV(LinearClassifier(), {"fit_intercept": [True, False], "class_weight": [None, "balanced"]})
    assert search.fit(X, y).best_score_ > 0.95
    shares = CalibratedClassifierCV(LinearClassifier(), ensemble=False).fit(X, y).predict_proba(X)
    assert shares.sum(axis=1) == pytest.approx(1)


def test_it_is_saved_with_its_choice(tmp_path: Any) -> None:
    X, y = CANCER
    model = LinearClassifier(class_weight={0: 2.0, 1: 1.0}).fit(X[:400], y[:400])
    model.save(tmp_path / "a.model")
    back = load(tmp_path / "a.model")
    assert type(back) is LinearClassifier
    assert back.get_params() == model.get_params()
    assert back.choice_.to_dict() == model.choice_.to_dict()
    assert str(back.status_) == str(model.status_)
    for one in (model, back):
        one.partial_fit(X[400:], y[400:])
    assert np.array_equal(back.coef_, model.coef_)


# How good it is.


def raw(K: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns of sizes 0.001 … 10,000 around other middles, planted hyperplanes, and noise."""
    rng = np.random.default_rng(seed)
    sizes = 10.0 ** rng.permutation(np.linspace(-3, 4, 12))
    Z = rng.normal(size=(6000, 12))
    scores = Z @ rng.normal(size=(12, K)) + rng.gumbel(size=(6000, K))
    return (Z + rng.normal(size=12)) * sizes, scores.argmax(axis=1)


@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_raw_columns_are_learnt_as_by_a_standardised_logistic_regression(K: int, seed: int) -> None:
    X, y = raw(K, seed)
    seen, new = slice(None, 3000), slice(3000, None)
    model = LinearClassifier().fit(X[seen], y[seen])
    score = model.score(X[new], y[new])
    peer = make_pipeline(StandardScaler(), LogisticRegression()).fit(X[seen], y[seen])
    assert score > peer.score(X[new], y[new]) - 0.02
    assert score > Perceptron().fit(X[seen], y[seen]).score(X[new], y[new]) + 0.05
    assert abs(model.choice_.best.accuracy - score) < 0.04  # what it was chosen by was not far from the truth
