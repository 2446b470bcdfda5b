"""The estimators: scikit-learn's own checks, and the laws of this library seen through its face."""

import copy
import itertools
import os
import pickle
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import Perceptron as Peer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from rosenblatt import Examples, InputError, InseparableError, MaxMarginClassifier, Perceptron, learn, max_margin, rules
from rosenblatt.estimators.translation import split_of

TIME_BUDGET = 60
LONG = os.environ.get("ROSENBLATT_LONG") == "1"
IRIS = load_iris(return_X_y=True)
READOUTS = ("last", "averaged", "voted", "pocket")

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def rule_settings(rule: str) -> dict[str, float | None]:
    settings = {name: {"beta": 0.01, "C": 1.0}[name] for name in rules.get(rule).required}
    # With class weights of 1000 and 0.0001 a plateau comes long before a margin that sets itself is reached.
    patient = {"tol": None, "max_iter": 40} if rules.get(rule).from_zero else {}
    return settings | patient | ({"eta0": 1e-4} if rules.get(rule).diverges else {})


# What scikit-learn declares of its own Perceptron: a weight of 2 is not the same as meeting a row twice.
WEIGHTS_ARE_NOT_COPIES = dict.fromkeys(
    ("check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"),
    "a row of weight 2 makes one step of twice the length; a row met twice makes two, or one",
)

CONFIGURATIONS = [
    *(Perceptron(random_state=seed) for seed in range(20 if LONG else 2)),
    *(Perceptron(readout=readout, multiclass=kind) for readout in READOUTS for kind in ("ovr", "direct")),
    *(Perceptron(rule=rule, **rule_settings(rule)) for rule in rules.names()),
    Perceptron(batch_size=8, n_jobs=2),
    Perceptron(offset="radius", schedule="1/sqrt(k)"),
    Perceptron(grow_classes=True),
]


@parametrize_with_checks(CONFIGURATIONS, expected_failed_checks=lambda _: WEIGHTS_ARE_NOT_COPIES)
def test_perceptron_passes_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def inseparable(error: BaseException | None) -> InseparableError | None:
    """The verdict behind a failed check."""
    while error is not None and not isinstance(error, InseparableError):
        error = error.__cause__ or error.__context__
    return error


# These checks make up labels at random, and want a model of them.
RANDOM_LABELS = {
    "check_fit_score_takes_y", "check_n_features_in_after_fitting", "check_estimators_dtypes", "check_dtype_object",
    "check_estimators_nan_inf", "check_estimator_sparse_tag", "check_estimator_sparse_array",
    "check_estimator_sparse_matrix", "check_classifier_data_not_an_array", "check_classifiers_train",
    "check_supervised_y_2d", "check_fit_idempotent", "check_fit_check_is_fitted", "check_n_features_in",
    # and these of scikit-learn 1.6
    "check_dont_overwrite_parameters", "check_f_contiguous_array_estimator", "check_dict_unchanged",
    "check_methods_subset_invariance", "check_fit2d_predict1d",
}  # fmt: skip


def test_max_margin_passes_every_check_whose_rows_are_separable_and_proves_that_the_others_are_not():
    refused, n = {}, 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for estimator, check in estimator_checks_generator(MaxMarginClassifier()):
            n += 1
            name = check.func.__name__ if hasattr(check, "func") else check.__name__
            try:
                check(estimator)
            except Exception as error:
                refused.setdefault(name, []).append((error, inseparable(error)))
    assert n > 40
    assert set(refused) <= RANDOM_LABELS
    for error, found in (pair for pairs in refused.values() for pair in pairs):
        assert found is not None, error
        assert found.verdict.check()
        assert found.rows.size <= found.verdict.examples.n_columns + 2


# Rows in every form.

FORMS = [
    *(("dense", dtype, None) for dtype in (np.float32, np.float64)),
    *(("csr", dtype, index) for dtype in (np.float32, np.float64) for index in (np.int32, np.int64)),
]


def in_form(X, form):
    kind, dtype, index = form
    if kind == "dense":
        return X.astype(dtype)
    made = sp.csr_array(X.astype(dtype))
    made.indices, made.indptr = made.indices.astype(index), made.indptr.astype(index)
    return made


@pytest.mark.parametrize("seed", range(20))
def test_the_form_of_the_rows_changes_nothing(seed):
    # Whole numbers: every sum is exact, so that all forms agree to the last bit.
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-4, 5, (60, 6)).astype(float), rng.integers(0, 2 + seed % 3, 60)
    y[:4] = np.arange(4) % (2 + seed % 3)
    readout = ("last", "averaged", "pocket")[seed % 3]
    kept = {"random_state": seed, "readout": readout, "max_iter": 30, "multiclass": ("ovr", "direct")[seed % 2]}
    models = [Perceptron(**kept).fit(in_form(X, form), y) for form in FORMS]
    for model in models[1:]:
        assert (model.coef_ == models[0].coef_).all()
        assert (model.intercept_ == models[0].intercept_).all()
        assert model.n_updates_ == models[0].n_updates_
    for form in FORMS:
        assert (models[0].predict(in_form(X, form)) == models[0].predict(X)).all()


@pytest.mark.parametrize("form", FORMS)
def test_max_margin_takes_every_form(form):
    X, y = IRIS[0][:100], IRIS[1][:100]
    model, exact = MaxMarginClassifier().fit(in_form(X, form), y), max_margin(X.astype(form[1]), y)
    assert model.margin_ == exact.margin


@pytest.mark.parametrize("name", ["pandas", "polars", "pyarrow"])
def test_frames_come_in_with_their_names(name):
    X, y = IRIS
    columns = {f"feature {j}": X[:, j] for j in range(4)}
    library = pytest.importorskip(name)
    frame = library.table(columns) if name == "pyarrow" else library.DataFrame(columns)
    model = Perceptron().fit(frame, y)
    plain = Perceptron().fit(X, y)
    assert (model.coef_ == plain.coef_).all()
    if name != "pyarrow":  # scikit-learn's validation takes Arrow's numbers, but not its names
        assert model.feature_names_in_.tolist() == list(columns)
        with pytest.raises(ValueError, match="feature names"):
            model.predict(frame[list(columns)[::-1]])
        assert MaxMarginClassifier().fit(frame, y == 0).feature_names_in_.tolist() == list(columns)
    assert (model.predict(frame) == plain.predict(X)).all()


def test_nullable_columns_of_pandas_are_numbers():
    pd = pytest.importorskip("pandas")
    X, y = IRIS
    frame = pd.DataFrame(X).convert_dtypes()
    frame.columns = [f"x{j}" for j in range(4)]
    assert (Perceptron().fit(frame, pd.Series(y, dtype="Int64")).coef_ == Perceptron().fit(X, y).coef_).all()
    frame.iloc[3, 2] = pd.NA
    with pytest.raises(InputError, match=r"row 3, column 2 \(x2\): not a finite number"):
        Perceptron().fit(frame, y)


# A drop-in: the names, and what they do.


def test_every_parameter_of_the_peer_has_its_name_and_default():
    ours, theirs = Perceptron().get_params(), Peer().get_params()
    assert {name: ours[name] for name in theirs} == theirs
    Perceptron(**theirs).fit(*IRIS)


def test_attributes_have_the_shapes_of_the_peer():
    for y in (IRIS[1], IRIS[1] == 0, np.array(["a", "b", "c"])[IRIS[1]]):
        ours, theirs = Perceptron().fit(IRIS[0], y), Peer().fit(IRIS[0], y)
        for name in ("coef_", "intercept_", "classes_"):
            assert getattr(ours, name).shape == getattr(theirs, name).shape
            assert getattr(ours, name).dtype == getattr(theirs, name).dtype
        assert ours.n_features_in_ == theirs.n_features_in_
        assert isinstance(ours.n_iter_, int)
        assert ours.decision_function(IRIS[0]).shape == theirs.decision_function(IRIS[0]).shape


@pytest.mark.parametrize("d", [3, 40])
def test_the_peer_unshuffled_makes_the_same_steps(d):
    # With no plateau and one order, both are the same algorithm: the same weights after as many epochs.
    rng = np.random.default_rng(d)
    X, y = rng.integers(-5, 6, (80, d)).astype(float), rng.integers(0, 2, 80)
    for sparse, offset in ((False, 1.0), (True, 0.1)):
        rows = sp.csr_matrix(X) if sparse else X
        theirs = Peer(shuffle=False, tol=None, max_iter=7).fit(rows, y)
        ours = Perceptron(readout="last", shuffle=False, tol=None, max_iter=7, offset=offset).fit(rows, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-9)
        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-9)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"penalty": "l2"}, "penalty='l2': there is no penalty"),
        ({"alpha": 0.1}, "alpha=0.1: there is no penalty"),
        ({"l1_ratio": 0.5}, "l1_ratio=0.5"),
        ({"fit_intercept": False, "offset": 1.0}, "fit_intercept=False, but offset=1.0"),
        ({"shuffle": False, "order": "shuffled"}, "shuffle=False, but order='shuffled'"),
        ({"order": "active"}, "unknown order 'active'"),
        ({"readout": "best"}, "unknown readout 'best'"),
        ({"readout": ("last", "averaged")}, "readout must be one word"),
        ({"rule": "svm"}, "unknown rule 'svm'; the rules are"),
        ({"rule": "margin"}, "needs beta"),
        ({"beta": 1.0}, "takes no beta"),
        ({"n_jobs": 0}, "n_jobs must be"),
        ({"n_jobs": "two"}, "n_jobs must be"),
        ({"random_state": -1}, "random_state must be"),
        ({"early_stopping": True, "readout": "voted"}, "early_stopping"),
        ({"max_iter": 0}, "max_iter must be"),
        ({"multiclass": "ovo"}, "unknown multiclass 'ovo'"),
        ({"class_weight": "heavy"}, "class_weight"),
        ({"validation_fraction": 2.0, "early_stopping": True}, "validation_fraction must be below 1"),
    ],
)
def test_what_cannot_be_done_is_refused_by_name(given, words):
    model = Perceptron(**given)
    with pytest.raises(ValueError, match=words.replace("(", r"\(").split(":")[0]):
        model.fit(*IRIS)
    assert not hasattr(model, "_model")


@pytest.mark.parametrize("estimator", [Perceptron(readout="last"), MaxMarginClassifier()])
def test_what_is_refused_leaves_a_fitted_estimator_as_it_was(estimator):
    pd = pytest.importorskip("pandas")
    frame, y = pd.DataFrame(IRIS[0], columns=list("abcd")), IRIS[1] == 0
    model = clone(estimator).fit(frame, y)
    w = model.coef_.copy()
    for X, labels in ((IRIS[0][:, :3], IRIS[1] == 1), (frame * np.nan, y), (frame[["d", "c", "b", "a"]], y[:5])):
        with pytest.raises(ValueError):
            model.set_params(n_jobs=1).fit(X, labels if isinstance(model, MaxMarginClassifier) else labels[:7])
        assert (model.coef_ == w).all()
        assert model.feature_names_in_.tolist() == list("abcd")
        assert (model.predict(frame) == y).all()


@pytest.mark.parametrize("state", [None, 3, np.random.RandomState(5)])
def test_partial_fit_goes_on_with_any_random_state(state):
    model = Perceptron(random_state=state)
    for _ in range(3):
        model.partial_fit(*IRIS, classes=[0, 1, 2])
    assert model.n_iter_ == 3


def test_partial_fit_refuses_numbers_that_leave_float64_and_stays_as_it_was():
    X, y = IRIS
    model = Perceptron(rule="delta", eta0=0.001).partial_fit(X, y, classes=[0, 1, 2])
    before = model.to_json()
    with pytest.raises(InputError, match=r"non-finite: row .*take a smaller eta0: .*the model is as before"):
        model.partial_fit(X * 1e100, y)
    assert model.to_json() == before
    with pytest.warns(ConvergenceWarning, match="non-finite"):
        assert Perceptron(rule="delta").fit(X * 1e100, y).n_iter_ == 0
    fitted = Perceptron().fit(X, y == 0)
    before = fitted.to_json()
    for model in (Perceptron(), fitted):
        with pytest.raises(InputError, match=r"non-finite: row \d+ in epoch 1: .*; nothing was learnt before this row"):
            model.fit(X * 1e200, y == 0)
    assert fitted.to_json() == before


def test_an_order_of_ones_own():
    X, y = IRIS
    rng = np.random.default_rng(0)
    orders = [rng.permutation(len(y)) for _ in range(3)]
    model = clone(Perceptron(order=orders, max_iter=5, tol=None, readout="last")).fit(X, y)
    run = learn(Examples.of(X, y), order=orders, max_epochs=5)
    assert model.coef_.T.tobytes() == run.state.weights.tobytes()
    # One call of partial_fit is one epoch, with the order whose turn it is.
    passes = Perceptron(order=orders, readout="last")
    for _ in range(5):
        passes.partial_fit(X, y, classes=[0, 1, 2])
    assert passes.coef_.tobytes() == model.coef_.tobytes()
    with pytest.raises(InputError, match="order has 150 places for 100 rows"):
        Perceptron(order=orders).fit(X[:100], y[:100])
    with pytest.raises(InputError, match="early_stopping keeps rows apart, and your own order is of all of them"):
        Perceptron(order=orders, early_stopping=True).fit(X, y)
    with pytest.raises(InputError, match="unknown order 'random'"):
        Perceptron(order="random").fit(X, y)


def test_class_weights_of_classes_that_a_batch_lacks():
    X, y = IRIS
    model = Perceptron(class_weight={1: 5.0}).partial_fit(X[:50], y[:50], classes=[0, 1, 2])
    model.partial_fit(X, y)
    with pytest.raises(InputError, match="class_weight must hold finite numbers >= 0"):
        Perceptron(class_weight={0: -1.0}).fit(X, y)


def test_rows_without_weight_may_be_wrong_after_a_clean_epoch():
    X, y = IRIS[0], IRIS[1] == 0
    weight = np.ones(150)
    weight[[3, 140]] = 0
    y = y ^ (weight == 0)  # two labels are wrong, and of no weight
    model = Perceptron().fit(X, y, sample_weight=weight)
    assert (Perceptron(readout="last").fit(X, y, sample_weight=weight).predict(X) != y).sum() == 2
    assert model.status_.name == "clean"
    assert "readout='last' none" not in str(model.status_)


@pytest.mark.slow
def test_probabilities_are_not_offered_but_calibration_is():
    model = Perceptron()
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match="CalibratedClassifierCV"):
        model.predict_proba  # noqa: B018
    proba = CalibratedClassifierCV(model).fit(*IRIS).predict_proba(IRIS[0])
    np.testing.assert_allclose(proba.sum(axis=1), 1)


def test_a_vote_has_no_weights_and_says_what_has():
    model = Perceptron(readout="voted").fit(*IRIS)
    for name in ("coef_", "intercept_", "margin_"):
        with pytest.raises(AttributeError, match="use readout='averaged' or 'last'"):
            getattr(model, name)
    with pytest.raises(InputError, match="no hyperplane"):
        model.geometric_margin(IRIS[0])
    run = learn(Examples.of(*IRIS), order="shuffled", tol=1e-3, readout="voted")
    assert (model.decision_function(IRIS[0]) == run.scores(IRIS[0])).all()


def test_before_fit_nothing_is_known():
    for model in (Perceptron(), MaxMarginClassifier()):
        assert not hasattr(model, "coef_")
        with pytest.raises(NotFittedError):
            model.predict(IRIS[0])
        with pytest.raises(NotFittedError):
            model.save("nowhere")


# Silent where nothing can be gained: see test_warnings.py.


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine])
def test_columns_far_apart_warn_with_advice_where_the_peer_says_nothing(load):
    X, y = load(return_X_y=True)
    y = y == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Peer().fit(X, y).score(X, y) < 1  # separable, and not a word
    with pytest.warns(ConvergenceWarning, match=r"plateau: .*; a larger n_iter_no_change goes on") as caught:
        model = Perceptron().fit(X, y)
    wrong = int((model.predict(X) != y).sum())
    assert f"{wrong} of {len(y)} training rows are predicted wrong" in str(model.status_)
    assert caught[0].filename == __file__
    assert str(caught[0].message) == str(model.status_)
    with pytest.warns(ConvergenceWarning, match=r"budget: 3 epochs spent; .* a larger max_iter goes on"):
        Perceptron(max_iter=3).fit(X, y)


def test_a_clean_end_is_silent_and_its_last_weights_make_no_mistake():
    X, y = IRIS[0], IRIS[1] == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Perceptron(readout="last").fit(X, y)
    assert model.status_.name == "clean"
    assert model.score(X, y) == 1
    assert model.margin_ > 0
    assert len(model.history_) == model.n_iter_
    assert model.history_.updates.sum() == model.n_updates_


def test_after_a_clean_end_the_status_says_if_the_average_makes_mistakes():
    found, rng = [], np.random.default_rng(0)
    for _ in range(30):
        Z = rng.standard_normal((20, 2))
        found.append(Perceptron(order="cyclic", tol=None).fit(Z, Z[:, 0] + 0.1 * Z[:, 1] > 0.3))
        mistakes = int((found[-1].predict(Z) != (Z[:, 0] + 0.1 * Z[:, 1] > 0.3)).sum())
        said = f"the averaged weights make {mistakes} mistake" in found[-1].status_.advice
        assert said == (mistakes > 0)
    assert any("readout='last' none" in model.status_.advice for model in found)


@pytest.mark.parametrize("fit_intercept", [True, False])
def test_the_margin_is_exact_and_the_bound_holds(fit_intercept):
    rng = np.random.default_rng(5)
    for _ in range(20):
        X = rng.standard_normal((30, 3))
        y = X @ [1.0, 2.0, -1.0] > 0
        model = Perceptron(readout="last", fit_intercept=fit_intercept).fit(X, y)
        w, b = ([Fraction(v) for v in part.ravel().tolist()] for part in (model.coef_, model.intercept_))
        signs = np.where(y, 1, -1).tolist()
        scores = [
            s * (sum(a * Fraction(v) for a, v in zip(w, row, strict=True)) + b[0])
            for s, row in zip(signs, X.tolist(), strict=True)
        ]
        exact = float(min(scores)) / float(np.sqrt(float(sum(a * a for a in w))))
        assert model.margin_ == pytest.approx(exact, rel=1e-12)
        best = max_margin(X, y, offset="free" if fit_intercept else 0)
        assert best.margin <= model.margin_upper_bound_
        assert model.margin_ <= model.margin_upper_bound_
        np.testing.assert_allclose(
            np.where(y, 1, -1) * model.geometric_margin(X), np.array(scores, float) / np.linalg.norm(model.coef_)
        )


@pytest.mark.parametrize("offset", [0.1, 1.0, 10.0, "radius"])
def test_the_bound_holds_far_from_the_origin(offset):
    # There the margin in the augmented space is much smaller than the plain one, which the bound speaks of.
    rng = np.random.default_rng(3)
    for _ in range(10):
        X = rng.standard_normal((25, 2)) + 5 * rng.standard_normal(2)
        y = np.median(X @ [1.0, -2.0]) < X @ [1.0, -2.0]
        model = Perceptron(readout="last", offset=offset, tol=None, max_iter=300).fit(X, y)
        assert max_margin(X, y).margin <= model.margin_upper_bound_


def test_the_bound_of_classes_that_move_together_holds_far_from_the_origin():
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(4)
    for _ in range(5):
        centres = 4 * rng.standard_normal((3, 2)) + 20
        X = np.concatenate([centre + 0.1 * rng.standard_normal((8, 2)) for centre in centres])
        y = np.repeat([0, 1, 2], 8)
        svm = LinearSVC(multi_class="crammer_singer", C=1e4, max_iter=200_000, intercept_scaling=30.0).fit(X, y)
        scores = X @ svm.coef_.T + svm.intercept_
        lead = scores[np.arange(24), y] - np.where(np.eye(3)[y] == 1, -np.inf, scores).max(axis=1)
        reached = lead.min() / np.linalg.norm(svm.coef_)
        model = Perceptron(multiclass="direct", readout="last", tol=None, max_iter=3000).fit(X, y)
        assert 0 < reached <= model.margin_upper_bound_
        assert model.margin_ <= model.margin_upper_bound_


def test_margins_hold_where_squares_leave_float64():
    model = Perceptron(readout="last", eta0=1e-170).fit(IRIS[0], IRIS[1] == 0)
    assert model.margin_ == pytest.approx(Perceptron(readout="last").fit(IRIS[0], IRIS[1] == 0).margin_)


def test_margins_of_many_classes_are_bounded_too():
    X, y = IRIS
    ovr, direct = (Perceptron(multiclass=kind, readout="last").fit(X, y) for kind in ("ovr", "direct"))
    assert ovr.margin_.shape == ovr.margin_upper_bound_.shape == (3,)
    assert (ovr.margin_ <= ovr.margin_upper_bound_).all()
    for k in range(3):
        signs = np.where(y == k, 1, -1)
        assert ovr.margin_[k] == pytest.approx((signs * ovr.geometric_margin(X)[:, k]).min())
    assert max_margin(X, y == 0).margin <= ovr.margin_upper_bound_[0]
    assert isinstance(direct.margin_, float)
    assert direct.margin_ <= direct.margin_upper_bound_


# Going on.


@pytest.mark.parametrize(("readout", "kind"), [*itertools.product(("last", "averaged", "voted"), ("ovr", "direct"))])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_fit_predict_partial_fit_is_the_uninterrupted_run(readout, kind, order):
    X, y = IRIS
    kept = {"readout": readout, "multiclass": kind, "order": order, "tol": None}
    whole = Perceptron(max_iter=7, **kept).fit(X, y)
    parts = Perceptron(max_iter=4, **kept).fit(X, y)
    parts.predict(X)
    for _ in range(3):
        parts.partial_fit(X, y)
        parts.predict(X)
    assert (parts.decision_function(X) == whole.decision_function(X)).all()
    assert (parts.n_iter_, parts.n_updates_) == (7, whole.n_updates_)
    assert parts.history_.mistakes.tolist() == whole.history_.mistakes.tolist()


@pytest.mark.parametrize(("readout", "kind"), [*itertools.product(("last", "averaged", "voted"), ("ovr", "direct"))])
def test_partial_fit_of_parts_is_one_pass_over_the_whole(readout, kind):
    X, y = (part[np.random.default_rng(0).permutation(150)] for part in IRIS)
    kept = {"readout": readout, "multiclass": kind, "order": "cyclic"}
    whole = Perceptron(**kept).partial_fit(X, y, classes=[0, 1, 2])
    parts = Perceptron(**kept)
    for rows in np.array_split(np.arange(150), [1, 40, 41, 100]):
        parts.partial_fit(sp.csr_array(X[rows]) if rows.size % 2 else X[rows], y[rows], classes=[0, 1, 2])
    np.testing.assert_allclose(parts.decision_function(X), whole.decision_function(X), rtol=1e-12)
    assert parts.n_updates_ == whole.n_updates_
    run = learn(Examples.of(X, y), max_epochs=1, readout=readout, multiclass=kind)
    assert (whole.decision_function(X) == run.scores(X)).all()


def test_partial_fit_says_what_it_needs():
    X, y = IRIS
    with pytest.raises(InputError, match="the first partial_fit needs classes="):
        Perceptron().partial_fit(X, y)
    model = Perceptron().partial_fit(X[:100], y[:100], classes=[0, 1])
    before = model.coef_.copy()
    with pytest.raises(InputError, match=r"label 2 is not among the classes \[0, 1\]: .*grow_classes=True"):
        model.partial_fit(X, y)
    with pytest.raises(InputError, match="the first call said"):
        model.partial_fit(X[:100], y[:100], classes=[0, 1, 2])
    assert (model.coef_ == before).all()
    assert model.status_.name == "pass"
    assert "partial_fit goes on" in str(model.status_)
    with pytest.raises(AttributeError, match="known after fit only"):
        model.margin_  # noqa: B018
    with pytest.raises(InputError, match="needs all labels beforehand"):
        Perceptron(class_weight="balanced").partial_fit(X, y, classes=[0, 1, 2])
    assert not hasattr(Perceptron(readout="pocket"), "partial_fit")
    with pytest.raises(InputError, match="cannot resume with another plan: eta0 was 1"):
        model.set_params(eta0=0.5).partial_fit(X[:100], y[:100])


def test_a_refused_fit_leaves_no_names_behind():
    X, y = IRIS
    model = Perceptron(max_iter=1000).fit(X[:100], y[:100])
    with pytest.raises(InputError, match="not a finite number"):
        model.fit(pd.DataFrame({"a": [1.0, np.nan], "b": [1.0, 2.0]}), [0, 1])
    assert not hasattr(model, "feature_names_in_")
    assert model.n_features_in_ == 4
    assert model.predict(X[:1]).shape == (1,)


@pytest.mark.parametrize("last", [100, 150])
def test_what_was_known_of_the_margin_stays_where_no_class_is_new(last):
    X, y = IRIS
    model = Perceptron(order="cyclic").partial_fit(X[:last], y[:last], classes=np.unique(y[:last]))
    first = model.history_.margin_upper.copy()
    model.partial_fit(X[:last], y[:last])
    assert np.isfinite(first).all()
    assert model.history_.margin_upper[:1].tolist() == first.tolist()
    assert len(model.history_) == 2


@pytest.mark.parametrize("kind", ["ovr", "direct"])
def test_classes_grow_when_asked_to(kind):
    X, y = IRIS
    names = np.array(["b", "c", "a"])[y]  # the new one sorts first
    model = Perceptron(grow_classes=True, multiclass=kind, order="cyclic", readout="last")
    model.partial_fit(X[:100], names[:100])
    w, b = model.coef_[0], model.intercept_[0]
    grown = copy.deepcopy(model).partial_fit(X[:1], ["a"])
    # Before the new row: the two sides of the hyperplane, and zero. One row moves what it must.
    W, B = np.stack([0 * w, -w, w]), np.array([0, -b, b])
    scores = W @ X[0] + B
    if kind == "ovr":
        step = np.where(np.array([1, -1, -1]) * scores <= 0, np.array([1.0, -1.0, -1.0]), 0.0)
    else:
        rival = 1 + int(scores[2] > scores[1])
        step = np.where(np.arange(3) == rival, -1.0, np.arange(3) == 0) * (scores[0] <= scores[rival])
    np.testing.assert_allclose(grown.coef_, W + np.outer(step, X[0]))
    assert grown.classes_.tolist() == ["a", "b", "c"]
    assert grown.history_.margin_upper.shape == ((2, 3) if kind == "ovr" else (2,))
    grown = copy.deepcopy(model).set_params(order=None)
    with pytest.raises(InputError, match="cannot resume with another plan: order was 'cyclic'"):
        grown.partial_fit(X, names)
    grown = Perceptron(grow_classes=True, multiclass=kind).partial_fit(X[:100], names[:100])
    for _ in range(50):
        grown.partial_fit(X, names)
    assert grown.score(X, names) > 0.85
    with pytest.raises(InputError, match=r"label 7 is of another kind than the classes \['a', 'b', 'c'\]"):
        grown.partial_fit(X[:2], [7, 8])
    grown.partial_fit(X[:2], ["d", "a"], classes=["a", "b"])
    assert grown.classes_.tolist() == ["a", "b", "c", "d"]
    other = {"ovr": "direct", "direct": "ovr"}[kind]
    with pytest.raises(InputError, match=f"cannot go on with multiclass='{other}'"):
        grown.set_params(multiclass=other).partial_fit(X[:2], ["e", "a"])
    with pytest.raises(InputError, match="a vote needs every weight vector from the start"):
        Perceptron().partial_fit(X, y, classes=[0, 1, 2]).set_params(readout="voted").partial_fit(X, y)
    with pytest.raises(InputError, match="a vote cannot grow classes"):
        Perceptron(grow_classes=True, readout="voted").partial_fit(X[:100], y[:100]).partial_fit(X, y)


def test_warm_start_and_coef_init_begin_where_they_are_told():
    X, y = IRIS[0], IRIS[1] == 1
    kept = {"order": "cyclic", "readout": "last", "tol": None}
    first = Perceptron(max_iter=3, **kept).fit(X, y)
    W, b = first.coef_.copy(), first.intercept_.copy()
    again = Perceptron(max_iter=2, **kept).fit(X, y, coef_init=W, intercept_init=b)
    warm = clone(first).set_params(warm_start=True).fit(X, y).set_params(max_iter=2).fit(X, y)
    whole = Perceptron(max_iter=5, **kept).fit(X, y)
    assert (again.coef_ == whole.coef_).all()
    assert (warm.coef_ == whole.coef_).all()
    assert warm.n_iter_ == 2
    with pytest.raises(InputError, match="coef_init must have shape"):
        first.fit(X, y, coef_init=W[:, :2])
    with pytest.raises(InputError, match="warm_start: the labels were"):
        warm.fit(X, IRIS[1])
    with pytest.raises(InputError, match="warm_start: there were 4 features, and now 3"):
        warm.fit(X[:, :3], y)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("separable", [False, True])
def test_early_stopping_keeps_the_best_weights(seed, separable):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((120, 8))
    y = (X @ rng.standard_normal(8) + (0 if separable else 2) * rng.standard_normal(120) > 0).astype(int)
    model = Perceptron(early_stopping=True, readout="last", tol=0.0, random_state=seed, validation_fraction=0.3)
    model.fit(X, y)
    rest, apart = split_of(model.validation_fraction, model.random_state, y)
    scores = []
    for epochs in range(1, model.n_iter_ + 8):
        other = Perceptron(readout="last", tol=None, max_iter=epochs, random_state=seed).fit(X[rest], y[rest])
        scores.append(other.score(X[apart], y[apart]))
        if other.status_.name == "clean":
            break
    assert model.score(X[apart], y[apart]) == scores[model.n_iter_ - 1]
    ended = scores[: model.n_iter_ + model.n_iter_no_change]
    assert model.n_iter_ - 1 == int(np.argmax(ended))
    assert len(model.history_) == model.n_iter_
    assert model.status_.name in ("validation", "clean")
    if model.status_.name == "validation":
        assert f"the weights of epoch {model.n_iter_}, the best on the rows kept apart, are kept" in str(model.status_)
    assert model.set_params(early_stopping=False).partial_fit(X, y).n_iter_ == len(model.history_)


def test_early_stopping_names_rows_as_they_were_given():
    X, y = IRIS[0].copy(), IRIS[1]
    X[77, 2] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        Perceptron(early_stopping=True).fit(X, y)
    for share in (0, 1, 5, -0.1, "many"):
        with pytest.raises(InputError, match="validation_fraction must be"):
            Perceptron(early_stopping=True, validation_fraction=share).fit(*IRIS)
    with pytest.raises(InputError, match="early_stopping is for fit"):
        Perceptron(early_stopping=True).partial_fit(*IRIS, classes=[0, 1, 2])


def test_weights_of_zero_leave_rows_out_and_class_weights_are_sample_weights():
    X, y = IRIS
    keep = np.arange(150) % 3 > 0
    kept = {"order": "cyclic", "readout": "last", "tol": None, "max_iter": 5}
    some, without = Perceptron(**kept).fit(X, y, sample_weight=keep), Perceptron(**kept).fit(X[keep], y[keep])
    assert (some.coef_ == without.coef_).all()
    heavy = Perceptron(class_weight={0: 1.0, 1: 3.0, 2: 0.5}, **kept).fit(X, y)
    same = Perceptron(**kept).fit(X, y, sample_weight=np.array([1.0, 3.0, 0.5])[y])
    assert (heavy.coef_ == same.coef_).all()
    with pytest.raises(ValueError, match=r"at least one non-zero number|all sample weights are 0"):
        Perceptron().fit(X, y, sample_weight=np.zeros(150))
    with pytest.raises(InputError, match="all sample weights are 0"):
        Perceptron(class_weight={0: 0, 1: 0, 2: 0}).fit(X, y)


def test_in_one_step_for_all_rows_a_weight_is_a_number_of_copies():
    X, y = IRIS
    copies = np.arange(150) % 4
    kept = {"batch_size": "all", "readout": "last", "order": "cyclic", "tol": None, "max_iter": 40}
    weighted = Perceptron(**kept).fit(X, y, sample_weight=copies)
    copied = Perceptron(**kept).fit(np.repeat(X, copies, axis=0), np.repeat(y, copies))
    np.testing.assert_allclose(weighted.coef_, copied.coef_, rtol=1e-10)


@pytest.mark.parametrize("rule", ["delta", "passive-aggressive", "pa-1", "pa-2"])
def test_a_weight_carries_no_row_beyond_the_margin_it_aims_at(rule):
    X, y = np.array([[3.0, 4.0], [-1.0, 2.0]]), np.array([1, 0])
    for weight in (1, 3, 1e6):
        eta = {"eta0": 0.01} if rule == "delta" else {}
        model = Perceptron(rule=rule, readout="last", order="cyclic", **eta)
        model.partial_fit(X[:1], y[:1], classes=[0, 1], sample_weight=[weight])
        assert 0 < model.decision_function(X[:1])[0] <= 1 + 1e-12


def test_a_pocket_counts_mistakes_by_weight():
    # Three rows say no, one of weight 10 says yes, at the same place.
    X, y = np.ones((4, 1)), np.array([0, 0, 0, 1])
    for weight, label in (([1, 1, 1, 1], 0), ([1, 1, 1, 10], 1)):
        assert Perceptron(readout="pocket", max_iter=20).fit(X, y, sample_weight=weight).predict([[1.0]]) == label


# In scikit-learn's company.


def test_grid_search_pipelines_and_copies():
    X, y = IRIS
    pipe = make_pipeline(StandardScaler(), Perceptron()).set_output(transform="pandas")
    pipe.fit(X, y)
    assert pipe[-1].feature_names_in_.tolist() == ["x0", "x1", "x2", "x3"]
    search = GridSearchCV(pipe, {"perceptron__readout": READOUTS, "perceptron__rule": ["perceptron", "pa-1"]}, n_jobs=2)
    assert search.fit(X, y).best_score_ > 0.9
    assert cross_val_score(OneVsOneClassifier(MaxMarginClassifier()), X[:100], y[:100]).mean() > 0.95
    model = Perceptron(readout="voted").fit(X, y)
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):  # noqa: S301 - our own bytes
        assert (twin.decision_function(X) == model.decision_function(X)).all()
        assert (
            twin.partial_fit(X, y).decision_function(X) == copy.deepcopy(model).partial_fit(X, y).decision_function(X)
        ).all()
    assert clone(model).get_params() == model.get_params()
    assert "Perceptron" in model._repr_html_()
    assert repr(Perceptron(rule="pa-1")) == "Perceptron(rule='pa-1')"


def test_metadata_is_routed():
    from sklearn import config_context

    X, y = IRIS
    weight = np.arange(150) % 3 > 0
    with config_context(enable_metadata_routing=True):
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipe = make_pipeline(scaler, Perceptron(order="cyclic").set_fit_request(sample_weight=True))
        routed = pipe.fit(X, y, sample_weight=weight)[-1]
        scaled = StandardScaler().fit_transform(X)
        assert (routed.coef_ == Perceptron(order="cyclic").fit(scaled, y, sample_weight=weight).coef_).all()
        Perceptron().set_partial_fit_request(classes=True, sample_weight=True).set_score_request(sample_weight=True)


# The hard-margin machine.


def test_what_float64_does_not_hold_is_refused():
    for scale in (1e-309, 5e-324):
        with pytest.raises(InputError, match="leave float64: scale the rows up"):
            MaxMarginClassifier().fit(np.array([[1.0], [2], [3], [4]]) * scale, [0, 0, 1, 1])
    X = np.array([[2**53 + 1], [2**53], [0], [1]])
    for rows in (X, sp.csr_array(X)):
        with pytest.raises(InputError, match=r"integers beyond 2\*\*53"):
            Perceptron().fit(rows, [0, 1, 0, 1])
    assert Perceptron().fit(*IRIS, sample_weight=np.full(150, 1e-312)).n_iter_ > 0
    weight = np.zeros(150)
    weight[split_of(0.1, 0, IRIS[1])[0]] = 1
    assert Perceptron(early_stopping=True).fit(*IRIS, sample_weight=weight).n_iter_ > 0


def test_the_hard_margin_machine_is_certified():
    X, y = IRIS[0][:100], np.array(["setosa", "versicolor"])[IRIS[1][:100]]
    model = MaxMarginClassifier().fit(X, y)
    assert model.margin_ == model.margin_upper_bound_ or model.gap_ < 1e-6
    assert 1 / np.linalg.norm(model.coef_) == pytest.approx(model.margin_)
    scores = np.where(y == "versicolor", 1, -1) * model.decision_function(X)
    np.testing.assert_allclose(scores[model.support_], 1)
    assert scores.min() > 1 - 1e-9
    assert model.score(X, y) == 1
    through = MaxMarginClassifier(fit_intercept=False).fit(X, y)
    assert through.intercept_.tolist() == [0.0]
    assert through.margin_ <= model.margin_


def test_what_cannot_be_separated_is_an_error_with_its_proof():
    X, y = IRIS[0], IRIS[1] == 1
    with pytest.raises(
        InseparableError, match=r"no hyperplane separates the rows \(overlapping\): 6 rows make it"
    ) as caught:
        MaxMarginClassifier().fit(X, y)
    error = caught.value
    assert error.verdict.check()
    assert not max_margin(X[error.rows], y[error.rows]).separable
    twin = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert twin.rows.tolist() == error.rows.tolist()
    assert str(twin) == str(error)
    with pytest.raises(ValueError, match=r"Only binary classification is supported.*OneVsOneClassifier"):
        MaxMarginClassifier().fit(*IRIS)
    with pytest.raises(InputError, match="one class"):
        MaxMarginClassifier().fit(X[:10], np.zeros(10))
