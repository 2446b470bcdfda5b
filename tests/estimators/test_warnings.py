"""A warning is for what can be acted on: one for a fit, with an action that helps; and silence where none does.

The cases are those of the table in docs/runs.md. What an action brings is measured, not believed: where a warning is
expected, its advice is followed.
"""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron as Peer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler

from rosenblatt import Perceptron

LOADERS = [load_iris, load_wine, load_breast_cancer, load_digits]
CANCER = load_breast_cancer(return_X_y=True)
SCALED = StandardScaler().fit_transform(CANCER[0]), CANCER[1]


def fitted(model, X, y, **options):
    """The model, and what it warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X, y, **options)
    assert all(issubclass(one.category, ConvergenceWarning) and one.filename == __file__ for one in caught)
    return model, [str(one.message) for one in caught]


def standardised(X):
    """What scale='standard' learns from."""
    return (X - X.mean(axis=0)) / X.std(axis=0)


def like_spambase(rng, factors):
    """Two noisy classes in columns of one size, but for these factors."""
    X = rng.standard_normal((600, len(factors)))
    return X * factors, (X @ rng.standard_normal(len(factors)) > 0) ^ (rng.random(600) < 0.05)


def test_a_grid_search_over_standardised_columns_is_silent():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), Perceptron()), {"perceptron__rule": ["perceptron", "pa-1"],
        "perceptron__class_weight": [None, "balanced"]}, cv=5, error_score="raise",
    )  # fmt: skip
    _, caught = fitted(search, *CANCER)
    assert caught == []  # of 21 fits
    assert search.best_score_ > 0.95
    assert search.best_estimator_[-1].status_.name == "plateau"  # the whole truth is still told


@pytest.mark.parametrize("seed", range(5))
def test_columns_far_apart_are_warned_of_once_and_scaling_them_helps(seed):
    X, y = like_spambase(np.random.default_rng(seed), np.array([1e-2, 1, 1, 1, 1e4]))
    raw, caught = fitted(Perceptron(), X, y)
    assert len(caught) == 1
    assert "the columns' sizes differ by a factor of" in caught[0]
    assert "scale='standard' may do much better" in caught[0]
    assert caught[0] == str(raw.status_)
    scaled, caught = fitted(Perceptron(), standardised(X), y)
    assert caught == []
    assert scaled.score(standardised(X), y) > raw.score(X, y) + 0.1
    same, sparse_caught = fitted(Perceptron(offset=1), sparse.csr_array(X), y)
    assert len(sparse_caught) == 1
    assert str(same.status_) == str(raw.status_)


@pytest.mark.parametrize("seed", range(5))
def test_rows_far_off_zero_are_warned_of_and_centring_them_helps(seed):
    X, y = like_spambase(np.random.default_rng(seed), np.ones(3))
    X += [2000, 300, 20]  # years, kelvins, degrees
    raw, caught = fitted(Perceptron(), X, y)
    assert len(caught) == 1
    assert "times as far from 0 as from their mean; scale='standard' may do much better" in caught[0]
    scaled, caught = fitted(Perceptron(), standardised(X), y)
    assert caught == []
    assert scaled.score(standardised(X), y) > raw.score(X, y) + 0.1


@pytest.mark.parametrize("load", LOADERS)
@pytest.mark.parametrize("scaler", [StandardScaler(), MinMaxScaler(), MaxAbsScaler()])
def test_scaled_columns_are_never_told_to_be_scaled(load, scaler):
    X, y = load(return_X_y=True)
    for labels in (y, y == 1):
        for readout in ("averaged", "last", "voted"):
            model, caught = fitted(Perceptron(readout=readout), scaler.fit_transform(X), labels)
            assert caught == []
            assert "scale" not in str(model.status_)


@pytest.mark.parametrize(("load", "expected"), [*zip(LOADERS, [0, 1, 1, 0], strict=True)])
def test_raw_columns_are_told_to_be_scaled_where_that_gains(load, expected):
    X, y = load(return_X_y=True)
    raw, caught = fitted(Perceptron(), X, y)
    assert len(caught) == expected
    if expected:
        Z = standardised(X)
        assert Perceptron().fit(Z, y).score(Z, y) > raw.score(X, y) + 0.05


def test_word_counts_are_not_badly_scaled():
    rng = np.random.default_rng(0)
    rates = np.minimum(3.0, 30 / np.arange(1, 2001))  # Zipf's law
    X = rng.poisson(rates, (500, 2000)).astype(float)
    X[0, 1500] = 5000  # a word that one text repeats
    y = X @ rng.standard_normal(2000) + 20 * rng.standard_normal(500) > 0
    for rows in (X, sparse.csr_array(X)):
        model, caught = fitted(Perceptron(max_iter=4, tol=None), rows, y)
        assert model.score(rows, y) < 1
        assert caught == []


def test_nothing_is_said_of_columns_where_no_mistake_is_left():
    X, y = like_spambase(np.random.default_rng(0), np.array([1e-2, 1e4]))
    y = X[:, 1] > 0
    X[:, 1] += np.where(y, 1e3, -1e3)
    model, caught = fitted(Perceptron(rule="margin", beta=1e9, max_iter=4), X, y)
    assert model.score(X, y) == 1
    assert model.status_.name == "budget"
    assert "scale" not in str(model.status_)
    assert caught == []


# The epochs are spent.


@pytest.mark.parametrize("early_stopping", [False, True])
def test_one_epoch_is_warned_of_where_the_peer_warns_and_more_help(early_stopping):
    X, y = StandardScaler().fit_transform(load_digits().data), load_digits().target
    with pytest.warns(ConvergenceWarning, match="Maximum number of iteration reached"):
        Peer(max_iter=1).fit(X, y)
    one, caught = fitted(Perceptron(max_iter=1, early_stopping=early_stopping), X, y)
    assert len(caught) == 1
    assert "one epoch is seldom enough: a larger max_iter goes on" in caught[0]
    more, caught = fitted(Perceptron(early_stopping=early_stopping), X, y)
    assert caught == []
    assert more.score(X, y) > one.score(X, y) + 0.01


@pytest.mark.parametrize("early_stopping", [False, True])
def test_the_epochs_are_warned_of_only_while_they_gain(early_stopping):
    X, y = StandardScaler().fit_transform(load_digits().data), load_digits().target
    end = Perceptron(early_stopping=early_stopping).fit(X, y)
    said = []
    for epochs in range(1, end.status_.values["epoch"]):
        model, caught = fitted(Perceptron(max_iter=epochs, early_stopping=early_stopping), X, y)
        assert model.status_.name == "budget"
        said.append(len(caught))
        assert any("gained more than tol: a larger max_iter goes on" in one for one in caught) == (
            epochs > 1 and len(caught) == 1
        )
    assert said[:2] == [1, 1]
    assert said[-1] == 0  # the plateau had begun
    assert 0 in said
    assert end.score(X, y) > 0.97


@pytest.mark.parametrize("epochs", [1, 3])
def test_epochs_that_were_counted_out_on_purpose_are_not_warned_of(epochs):
    """tol=None asks for so many epochs, and no judgement; so it is in scikit-learn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Peer(max_iter=epochs, tol=None).fit(*SCALED)
    model, caught = fitted(Perceptron(max_iter=epochs, tol=None), *SCALED)
    assert caught == []
    assert str(model.status_).endswith("a larger max_iter goes on")


# Other ends.


def test_ends_that_nothing_helps_are_silent():
    xor = [[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1]
    for readout in ("averaged", "last"):
        model, caught = fitted(Perceptron(shuffle=False, tol=None, readout=readout), *xor)
        assert (model.status_.name, caught) == ("loop", [])
    model, caught = fitted(Perceptron(rule="delta", eta0=0.01, shuffle=False, tol=None, max_iter=10**5), *xor)
    assert (model.status_.name, caught) == ("rest", [])


def test_a_validation_score_at_rest_is_silent_unless_the_columns_call_for_scaling():
    model, caught = fitted(Perceptron(early_stopping=True), *SCALED)
    assert (model.status_.name, caught) == ("validation", [])
    model, caught = fitted(Perceptron(early_stopping=True), *CANCER)
    assert model.status_.name == "validation"
    assert len(caught) == 1
    assert "scale='standard'" in caught[0]


def test_steps_that_overshoot_are_warned_of_and_smaller_ones_help():
    model, caught = fitted(Perceptron(rule="delta", eta0=0.05), *SCALED)
    assert len(caught) == 1
    assert "take a smaller eta0: below 2/R'^2" in caught[0]
    assert "scale=" not in caught[0]
    smaller, caught = fitted(Perceptron(rule="delta", eta0=1e-3), *SCALED)
    assert caught == []
    assert smaller.score(*SCALED) > model.score(*SCALED)


def test_to_coins_every_size_is_the_same_but_not_every_centre():
    X, y = like_spambase(np.random.default_rng(0), np.array([1e-2, 1, 1e4]))
    model, caught = fitted(Perceptron(rule="coin"), X, y)
    assert caught == []
    assert model.score(X, y) > 0.9
    far = X / X.std(axis=0) + 100
    model, caught = fitted(Perceptron(rule="coin"), far, y)
    assert len(caught) == 1
    assert "times as far from 0 as from their mean" in caught[0]
    assert Perceptron(rule="coin").fit(standardised(far), y).score(standardised(far), y) > model.score(far, y) + 0.1


def test_a_vote_is_told_to_scale_beforehand():
    model, caught = fitted(Perceptron(readout="voted"), *CANCER)
    assert len(caught) == 1
    assert "columns scaled beforehand may do much better" in caught[0]
    assert Perceptron(readout="voted").fit(*SCALED).score(*SCALED) > model.score(*CANCER) + 0.05


def test_partial_fit_is_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Perceptron().partial_fit(*CANCER, classes=[0, 1]).status_.name == "pass"
