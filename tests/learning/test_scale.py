"""A run under a scale is the run on rows scaled beforehand, and its hyperplane is one of the rows as given."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gathered_source import GatheredSource
from sklearn.preprocessing import MaxAbsScaler, StandardScaler
from uneven import separable

from rosenblatt import Examples, Hyperplane, InputError, Run, learn, max_margin
from rosenblatt.data.source import CHUNK
from rosenblatt.separation.loop import loop_proof

KINDS = ("standard", "max", "power-of-two")
N = CHUNK + 300
SIZES = np.array([1, 1e3, 1e-3, 40, 1])


def data(form: str = "dense", classes: int = 2, n: int = N) -> tuple[Any, np.ndarray]:
    rng = np.random.default_rng(3)
    Z = np.where(rng.random((n, 5)) < 0.7, rng.normal(size=(n, 5)), 0)
    y = np.argmax(Z[:, :classes] + 0.1 * rng.normal(size=(n, classes)), axis=1)
    X = Z * SIZES + (0 if form == "csr" else SIZES)
    X[:, 4] = 0.1 if form != "csr" else 0
    return {"dense": np.asarray, "float32": np.float32, "csr": sp.csr_array}[form](X), y


def both(X: Any, y: np.ndarray, kind: str, **plan: Any) -> tuple[Run, Run, Examples]:
    """The run under the scale, and the one on rows scaled by plain NumPy; and these rows."""
    run = learn(Examples.of(X, y), scale=kind, **plan)
    assert run.state.scaling is not None
    centre, factor = run.state.scaling.centre, run.state.scaling.factor
    plain = X.toarray() if sp.issparse(X) else X
    Z = (plain.astype(np.float64) - centre) / factor
    examples = Examples.of(sp.csr_array(Z) if sp.issparse(X) else Z, y)
    return run, learn(examples, **plan), examples


def assert_same_weights(a: Run, b: Run) -> None:
    for readout in dict.fromkeys(("last", *b.plan.kept)):
        for one, other in zip(a.state.read(readout), b.state.read(readout), strict=True):
            assert np.array_equal(one, other), readout
    assert (a.updates, a.epochs, a.status.name) == (b.updates, b.epochs, b.status.name)
    assert np.array_equal(a.history.mistakes, b.history.mistakes)
    assert np.array_equal(a.history.margin_upper, b.history.margin_upper)


PLANS: dict[str, dict[str, Any]] = {
    "plain": {},
    "shuffled": {"order": "shuffled", "seed": 5, "readout": ("last", "averaged", "pocket")},
    "batches": {"batch_size": 100},
    "averaged": {"readout": "averaged", "tol": 1e-3, "patience": 2},
    "radius": {"offset": "radius", "start": "random", "order": "shuffled"},
    "origin": {"offset": 0},
    "margin": {"rule": "margin", "beta": 0.1},
    "delta": {"rule": "delta", "eta": 0.01, "step_tol": 1e-9},
    "steps": {"schedule": "1/k"},
}


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["dense", "csr"])
def test_it_is_the_run_on_scaled_rows_bit_for_bit(form: str, kind: str, plan: str) -> None:
    X, y = data(form)
    run, peer, Z = both(X, y, kind, max_epochs=3, **PLANS[plan])
    assert_same_weights(run, peer)
    own, theirs = run.scores(X), peer.scores(Z)
    assert np.allclose(own, theirs, rtol=0, atol=1e-12 * np.abs(theirs).max())
    if kind == "power-of-two":
        assert np.array_equal(own, theirs)
    assert np.array_equal(own, run.hyperplane.scores(X))
    assert np.array_equal(run.predict(X), peer.predict(Z))
    assert run.source is not run.learnt_rows
    assert run.to_dict()["scale"] == kind


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
@pytest.mark.parametrize("form", ["dense", "float32", "csr"])
def test_many_classes(form: str, multiclass: str) -> None:
    X, y = data(form, classes=4)
    run, peer, Z = both(X, y, "standard", max_epochs=2, multiclass=multiclass, order="shuffled", threads=2)
    assert_same_weights(run, peer)
    assert np.allclose(run.scores(X), peer.scores(Z), rtol=0, atol=1e-11 * np.abs(peer.scores(Z)).max())
    planes = np.stack([plane.w for plane in run.hyperplanes], axis=1)
    assert np.array_equal(planes, run.state.folded("last")[0])
    alone = learn(Examples.of(X, y), scale="standard", max_epochs=2, multiclass=multiclass, order="shuffled", threads=1)
    assert_same_weights(run, alone)


def test_scikit_learns_scalers_make_the_same_updates() -> None:
    X, y = data()
    for kind, scaler in (("standard", StandardScaler()), ("max", MaxAbsScaler())):
        run = learn(Examples.of(X, y), scale=kind, max_epochs=4, order="shuffled")
        peer = learn(Examples.of(scaler.fit_transform(X), y), max_epochs=4, order="shuffled")
        assert (run.updates, run.epochs) == (peer.updates, peer.epochs)
        assert np.allclose(run.state.weights, peer.state.weights, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["dense", "csr"])
def test_rows_in_pieces_and_sample_weights(form: str, kind: str) -> None:
    X, y = data(form)
    weight = np.random.default_rng(0).random(N)
    plan = {"max_epochs": 2, "order": "shuffled", "readout": ("pocket", "averaged"), "sample_weight": weight}
    run, peer, _ = both(X, y, kind, **plan)
    assert_same_weights(run, peer)
    pieces = learn(GatheredSource(X, y), scale=kind, **plan)
    assert_same_weights(run, pieces)
    assert run.state.conditions == pieces.state.conditions


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch_size", [1, 100])
def test_a_resumed_run_ends_with_the_same_bits(kind: str, batch_size: int) -> None:
    X, y = data()
    plan = {"scale": kind, "max_epochs": 3, "order": "shuffled", "readout": "averaged", "batch_size": batch_size}
    whole = learn(Examples.of(X, y), **plan)
    stopped = learn(Examples.of(X, y), **plan, callback=lambda p: p.visited >= N + 1234, marks=iter([N + 1235]))
    assert stopped.status.name == "stopped"
    assert stopped.state.epoch_rows == 1234
    for start in (stopped, stopped.state):
        resumed = learn(Examples.of(X, y), **plan, start=start)
        assert np.array_equal(resumed.state.weights, whole.state.weights)
        assert np.array_equal(resumed.state.averaged()[0], whole.state.averaged()[0])
        assert resumed.updates == whole.updates


def test_another_scale_is_no_resumption() -> None:
    X, y = data(n=50)
    run = learn(Examples.of(X, y), scale="max", max_epochs=1)
    for other in ("none", "standard"):
        with pytest.raises(InputError, match=f"another plan: scale was 'max', and now is '{other}'"):
            learn(Examples.of(X, y), start=run, max_epochs=2, scale=other)
    plain = learn(Examples.of(X, y), max_epochs=1)
    with pytest.raises(InputError, match="scale was 'none', and now is 'max'"):
        learn(Examples.of(X, y), start=plain, max_epochs=2, scale="max")
    with pytest.raises(InputError, match="unknown scale 'unit'; expected one of none, standard, max, power-of-two"):
        learn(Examples.of(X, y), scale="unit")
    with pytest.raises(InputError, match="the state is damaged: its scale"):
        learn(Examples.of(X, y), start=replace(run.state, scaling=None), max_epochs=2, scale="max")


def test_given_weights_are_those_of_the_rows() -> None:
    X, y = data(n=400)
    plane = Hyperplane(np.array([1.0, 2e-3, -3e3, 0.1, 1.0]), -0.5)
    for kind in KINDS:
        for start in (plane, (plane.w, plane.b)):
            run = learn(Examples.of(X, y), scale=kind, start=start, max_epochs=1, log=True)
            begun = run.state.scaling.fold(*run.state.first_weights)  # type: ignore[union-attr]
            assert np.allclose(begun[0][:, 0], plane.w, rtol=1e-15)
            assert begun[1][0] == pytest.approx(-0.5, abs=1e-12)
    with pytest.raises(InputError, match="start must be"):
        learn(Examples.of(X, y), scale="max", start=(np.ones(2), 0.0))


def test_the_scale_of_an_earlier_run_may_be_given() -> None:
    X, y = data(n=400)
    first = learn(Examples.of(X[:100], y[:100]), scale="standard", max_epochs=1)
    run = learn(Examples.of(X, y), scale=first.state.scaling, max_epochs=1)
    assert run.state.scaling is first.state.scaling
    assert run.plan.scale == "standard"
    with pytest.raises(InputError, match="the scale is one of 5 columns, and the rows have 3"):
        learn(Examples.of(X[:, :3], y), scale=first.state.scaling)
    with pytest.raises(InputError, match="offset=0 keeps the hyperplane there"):
        learn(Examples.of(X, y), scale=first.state.scaling, offset=0)
    with pytest.raises(InputError, match="these rows are sparse"):
        learn(Examples.of(sp.csr_array(X), y), scale=first.state.scaling)


def test_no_scale_is_no_wrapper() -> None:
    X, y = data(n=50)
    run = learn(Examples.of(X, y), max_epochs=2)
    assert run.state.scaling is None
    assert run.learnt_rows is run.source
    assert run.state.folded("last")[0] is run.state.weights


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rule", ["perceptron", "coin"])
def test_laws_hold_on_the_scaled_rows_and_say_so(kind: str, rule: str) -> None:
    X, y = separable()
    run, peer, _ = both(X, y, kind, log=True, rule=rule)
    assert run.status.name == "clean"
    best = max_margin(X, y).hyperplane
    assert best is not None
    scaling = run.state.scaling
    assert scaling is not None
    W, b = scaling.unfold(best.w[:, None], np.array([best.b]))
    plane = Hyperplane(W[:, 0], float(b[0]))
    assert "scaled" in str(run.audit(best).summary())
    if rule == "coin":
        assert run.audit(best).to_dict() == {**peer.audit(plane).to_dict(), "scaled": True}
        return
    assert run.audit(best).to_dict() == {**peer.audit(plane).to_dict(), "scaled": True}
    assert run.against(best).to_dict() == {**peer.against(plane).to_dict(), "scaled": True}
    assert run.margin_bracket().to_dict() == {**peer.margin_bracket().to_dict(), "scaled": True}
    assert run.to_dict()["bound"] == {**peer.to_dict()["bound"], "scaled": True}
    for said in (run.audit(best), run.against(best), run.margin_bracket()):
        assert "scaled rows" in repr(said)
        assert "scaled rows" in said.summary()
    assert "of the scaled rows" in " ".join(run.summary().split())
    assert f"scale {kind}" in run.summary()
    path, theirs = run.trajectory(), peer.trajectory()
    assert np.array_equal(path.weights(path.n_changes)[0], run.state.weights)
    assert np.array_equal(path.replay.margin, theirs.replay.margin)
    trace = run.trace(most=5)
    assert np.array_equal(trace.weights, peer.trace(most=5).weights)
    assert f"scale {kind}: the rows and weights are the scaled ones" in " ".join(trace.summary().split())


def test_a_bound_on_the_margin_speaks_of_the_scaled_rows() -> None:
    X, y = data(n=300)
    said = str(learn(Examples.of(X, y), scale="standard", max_epochs=3).status)
    assert "if the data are separable, the augmented margin of the scaled rows is at most" in said
    assert "their augmented margin is at most" in str(learn(Examples.of(X, y), max_epochs=3).status)


def test_what_a_scaled_run_does_not_give() -> None:
    X, y = data(n=60)
    for readout in ("voted", ("last", "voted")):
        with pytest.raises(InputError, match="a vote is made of rows as they are, and scale='max' changes them"):
            learn(Examples.of(X, y), scale="max", readout=readout)
    run = learn([[1.0], [2.0], [3.0], [1.0]], [1, -1, 1, -1], scale="max", log=True)
    assert run.status.name == "loop"
    assert run.readouts == ("last",)
    with pytest.raises(InputError, match="a vote is made of rows as they are"):
        run.read("voted")
    with pytest.raises(InputError, match="a run on scaled rows proves nothing"):
        loop_proof(run)


def test_one_row_and_constant_columns() -> None:
    source = Examples.coded(np.array([[3.0, 0.1]]), np.array([1]), np.array([0, 1]))
    for kind in KINDS:
        run = learn(source, scale=kind)
        assert run.status.name == "clean"
        assert run.predict(np.array([[3.0, 0.1]])).tolist() == [1]
    assert learn(source, scale="standard").hyperplane.w.tolist() == [0.0, 0.0]


def test_columns_of_any_size_are_learnt() -> None:
    rng = np.random.default_rng(8)
    Z = rng.normal(size=(300, 3))
    y = np.where(Z.sum(axis=1) > 0, 1, -1)
    X = Z * [1e200, 1e-200, 1]
    assert learn(X, y).status.name == "non-finite"
    run = learn(X, y, scale="power-of-two", max_epochs=2000)
    assert run.status.name == "clean"
    assert (run.predict(X) == y).all()
    assert run.hyperplane.margin(X, y) > 0
