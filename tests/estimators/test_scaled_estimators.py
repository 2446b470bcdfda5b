"""The scale through the estimator's face: a pipeline with a scaler, but with weights of the rows themselves."""

import copy

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from uneven import separable

from rosenblatt import InputError, Perceptron, load, max_margin

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = load_breast_cancer(return_X_y=True)
KINDS = ("standard", "max", "power-of-two")


@pytest.mark.parametrize(("kind", "scaler"), [("standard", StandardScaler()), ("max", MaxAbsScaler())])
def test_it_is_a_pipeline_with_a_scaler(kind: str, scaler: object) -> None:
    own, peer = Perceptron(scale=kind).fit(X, Y), make_pipeline(clone(scaler), Perceptron()).fit(X, Y)
    assert own.n_updates_ == peer[-1].n_updates_
    assert own.n_iter_ == peer[-1].n_iter_
    assert np.allclose(own.decision_function(X), peer.decision_function(X), rtol=1e-9, atol=1e-9)
    assert np.allclose(X @ own.coef_[0] + own.intercept_[0], own.decision_function(X), rtol=1e-9, atol=1e-9)
    assert own.score(X, Y) > 0.95 > Perceptron().fit(X, Y).score(X, Y)


def test_weights_are_of_columns_with_their_own_units() -> None:
    """Metres or millimetres: the same predictions, and weights a thousand times smaller."""
    in_metres = Perceptron(scale="standard").fit(X, Y)
    in_millimetres = Perceptron(scale="standard").fit(X * 1024, Y)
    assert np.allclose(in_millimetres.coef_ * 1024, in_metres.coef_, rtol=1e-12)
    assert np.allclose(in_millimetres.intercept_, in_metres.intercept_, rtol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("intercept", [True, False])
def test_margins_are_in_the_units_of_the_rows(kind: str, intercept: bool) -> None:
    rows, y = separable()
    rows = rows if intercept else rows - [3, 0, 1]
    model = Perceptron(scale=kind, readout="last", fit_intercept=intercept).fit(rows, y)
    w, b = model.coef_[0], model.intercept_[0]
    assert model.status_.name == "clean"
    assert model.margin_ == pytest.approx((y * (rows @ w + b)).min() / np.linalg.norm(w), rel=1e-9)
    best = max_margin(rows, y, offset="free" if intercept else 0).margin
    assert 0 < model.margin_ <= best <= model.margin_upper_bound_
    assert intercept or b == 0


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_bounds_of_many_classes_hold(multiclass: str) -> None:
    rows, y = load_wine(return_X_y=True)
    model = Perceptron(scale="standard", readout="last", multiclass=multiclass, tol=None).fit(rows, y)
    assert model.status_.name == "clean"
    margins, uppers = np.atleast_1d(model.margin_), np.atleast_1d(model.margin_upper_bound_)
    assert (margins > 0).all()
    assert (margins <= uppers).all()
    if multiclass == "ovr":
        for k in range(3):
            best = max_margin(rows, np.where(y == k, 1, -1)).margin
            assert margins[k] <= best * (1 + 1e-9)
            assert best <= uppers[k]


def test_partial_fit_keeps_the_scale_of_the_first_rows() -> None:
    model = Perceptron(scale="standard", shuffle=False, readout="last")
    model.partial_fit(X[:100], Y[:100], classes=[0, 1]).partial_fit(X[100:], Y[100:])
    centre, factor = X[:100].mean(axis=0), X[:100].std(axis=0)
    peer = Perceptron(shuffle=False, readout="last")
    for some in (slice(None, 100), slice(100, None)):
        peer.partial_fit((X[some] - centre) / factor, Y[some], classes=[0, 1])
    assert model.n_updates_ == peer.n_updates_
    assert np.allclose(model.coef_ * factor, peer.coef_, rtol=1e-7, atol=1e-7)
    with pytest.raises(InputError, match="scale was 'standard', and now is 'max'"):
        clone_of(model, scale="max").partial_fit(X, Y)
    with pytest.raises(InputError, match="these rows are sparse"):
        clone_of(model).partial_fit(sp.csr_array(X), Y)
    broken = X[:3].copy()
    broken[1, 4] = np.inf
    with pytest.raises(InputError, match="row 1, column 4: not a finite number"):
        clone_of(model).partial_fit(broken, Y[:3])


def clone_of(model: Perceptron, **parameters: object) -> Perceptron:
    return copy.deepcopy(model).set_params(**parameters)


def test_classes_grow_under_a_scale() -> None:
    rows, y = load_wine(return_X_y=True)
    model = Perceptron(scale="max", grow_classes=True)
    model.partial_fit(rows[y < 2], y[y < 2])
    scaling = model._model.state.scaling
    model.partial_fit(rows, y)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model._model.state.scaling is scaling
    assert np.allclose(rows @ model.coef_.T + model.intercept_, model.decision_function(rows))


@pytest.mark.parametrize("kind", KINDS)
def test_a_warm_start_keeps_weights_and_scale(kind: str) -> None:
    model = Perceptron(scale=kind, warm_start=True, readout="last", max_iter=2, shuffle=False).fit(X, Y)
    scaling, coef, offset = model._model.state.scaling, model.coef_.copy(), model.intercept_.copy()
    model.set_params(max_iter=1).fit(X[:200], Y[:200])
    assert model._model.state.scaling is scaling
    start = model._model.state.first_weights
    W, b = scaling.fold(*start)
    assert np.allclose(W.T, coef, rtol=1e-12)
    assert np.allclose(b, offset, rtol=1e-9)
    model.set_params(scale="none").fit(X[:200], Y[:200])
    assert model._model.state.scaling is None
    given = Perceptron(scale=kind, max_iter=1).fit(X, Y, coef_init=coef, intercept_init=offset)
    begun = given._model.state.scaling.fold(*given._model.state.first_weights)
    assert np.allclose(begun[0].T, coef, rtol=1e-12)


def test_early_stopping_judges_folded_weights() -> None:
    model = Perceptron(scale="standard", early_stopping=True).fit(X, Y)
    assert model.score(X, Y) > 0.93
    assert model.margin_upper_bound_ > 0


def test_it_is_saved_with_its_scale(tmp_path: pytest.TempPathFactory) -> None:
    model = Perceptron(scale="standard", readout="last", shuffle=False).partial_fit(X[:200], Y[:200], classes=[0, 1])
    path = f"{tmp_path}/scaled.model"
    model.save(path)
    back, twin = load(path), copy.deepcopy(model)
    assert back.get_params()["scale"] == "standard"
    assert np.array_equal(back.coef_, model.coef_)
    for one in (model, back, twin):
        one.partial_fit(X[200:], Y[200:])
    assert np.array_equal(back.coef_, model.coef_)
    assert np.array_equal(twin.intercept_, model.intercept_)


def test_a_plateau_of_scaled_columns_is_not_told_to_scale() -> None:
    scaled, plain = (Perceptron(scale=kind).fit(X, np.arange(len(Y)) % 2) for kind in ("standard", "none"))
    assert scaled.status_.name == "plateau"
    assert "scale" not in str(scaled.status_)
    assert "scale" in str(plain.status_)
    with pytest.raises(InputError, match="a vote is made of rows as they are, and scale='max' changes them"):
        Perceptron(scale="max", readout="voted").fit(X, Y)
    with pytest.raises(InputError, match="unknown scale 'minmax'"):
        Perceptron(scale="minmax").fit(X, Y)
