"""The scale of the columns against scikit-learn's and NumPy's, and what must not become noise or leave float64."""

import math
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from gathered_source import GatheredSource
from sklearn.preprocessing import MaxAbsScaler, StandardScaler

from rosenblatt import Examples, InputError
from rosenblatt.data.rows import matrix_of
from rosenblatt.data.scaled import Scaled
from rosenblatt.data.scaling import Scaling
from rosenblatt.data.source import CHUNK, Visit, Weighted

KINDS = ("standard", "max", "power-of-two")
N = 2 * CHUNK + 77


def table(form: str = "dense") -> Any:
    rng = np.random.default_rng(5)
    X = np.where(rng.random((N, 5)) < 0.6, rng.normal(size=(N, 5)) * [1, 1e4, 1e-5, 3, 2], 0)
    X = X + ([0, 0, 0, 0, 0] if form == "csr" else [0, 1e6, 1e-3, -5, 0])
    X[:, 4] = 0 if form == "csr" else 0.1
    return {"dense": np.asarray, "float32": np.float32, "csr": sp.csr_array}[form](X)


def scaling_of(X: Any, kind: str, **more: Any) -> Scaling:
    n = X.shape[0]
    return Scaling.of(Examples.of(X, np.arange(n) % 2), kind, **more)


@pytest.mark.parametrize("form", ["dense", "float32", "csr"])
def test_the_scale_is_scikit_learns(form: str) -> None:
    X, sparse = table(form), form == "csr"
    found, theirs = scaling_of(X, "standard"), StandardScaler(with_mean=not sparse).fit(X.astype(np.float64))
    assert np.allclose(found.factor, theirs.scale_, rtol=1e-12, atol=0)
    assert not found.centre.any() if sparse else np.allclose(found.centre, theirs.mean_, rtol=1e-12, atol=0)
    assert np.array_equal(scaling_of(X, "max").factor, MaxAbsScaler().fit(X.astype(np.float64)).scale_)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", ["dense", "float32", "csr"])
def test_rows_are_scaled_in_float64_wherever_they_are(form: str, kind: str) -> None:
    X, y = table(form), np.arange(N) % 2
    found = scaling_of(X, kind)
    plain = X.toarray() if form == "csr" else X
    wanted = (plain.astype(np.float64) - found.centre) / found.factor
    made = found.apply(X)
    assert made.dtype == np.float64 if form != "csr" else made.data.dtype == np.float64
    assert np.array_equal(made.toarray() if form == "csr" else made, wanted)
    pieces = GatheredSource(X, y)
    elsewhere = Scaling.of(pieces, kind)
    assert np.array_equal(elsewhere.factor, found.factor)
    assert np.array_equal(elsewhere.centre, found.centre)
    weight = np.arange(N) / N
    numbers = np.random.default_rng(0).permutation(N)[:CHUNK]
    for source in (Examples.of(X, y), pieces, Weighted(Examples.of(X, y), weight)):
        rows = Scaled(source, found)
        assert not rows.in_memory
        for taken in (rows.gather(numbers), rows.take(Visit(np.array([1]), numbers))):
            block = matrix_of(taken.rows)
            assert np.array_equal(block.toarray() if form == "csr" else block, wanted[numbers])
            assert np.array_equal(taken.labels, source.labels_of(numbers))
            assert taken.weight is None or np.array_equal(taken.weight, weight[numbers])
        parts = [(t.first_row, t.rows.n, matrix_of(t.rows), t.weight) for t in rows.scan(lambda taken: taken)]
        blocks = [block.toarray() if form == "csr" else block for *_, block, _ in parts]
        assert np.array_equal(np.concatenate(blocks), wanted)
        assert [first for first, *_ in parts] == np.cumsum([0, *(n for _, n, *_ in parts)])[:-1].tolist()
        assert rows.digest(every_row=True) == source.digest(every_row=True)
        assert rows.original in (source, source.unweighted)


def test_many_rows_are_never_copied_at_once() -> None:
    rows = Scaled(Examples.of(np.ones((40 * CHUNK, 40)) * np.arange(40), np.arange(40 * CHUNK) % 2), identity(40))
    sizes = [*rows.scan(lambda taken: taken.rows.n)]
    assert sum(sizes) == 40 * CHUNK
    assert max(sizes) == CHUNK * rows.chunks_together < 4 * CHUNK
    short = Scaled(Examples.of(np.ones((40 * CHUNK, 1)), np.arange(40 * CHUNK) % 2), identity(1))
    assert 1 < short.chunks_together <= 64


def identity(d: int) -> Scaling:
    return Scaling("max", np.zeros(d), np.ones(d))


@pytest.mark.parametrize("value", [0.1, 0.0, -1e300, 1e-300, 123456.789, 5e-324])
@pytest.mark.parametrize("n", [1, 3, CHUNK + 5])
def test_a_constant_column_is_no_noise(value: float, n: int) -> None:
    X = np.full((n, 1), value)
    source = GatheredSource(X, np.arange(n) % 2) if n > 3 else Examples.coded(X, np.zeros(n), np.array([0, 1]))
    found = Scaling.of(source, "standard")
    assert found.factor.tolist() == [1.0]
    assert not found.apply(X).any()
    for kind in ("max", "power-of-two"):
        assert Scaling.of(source, kind).factor[0] > 0
        assert np.isfinite(Scaling.of(source, kind).apply(X)).all()


def test_some_ulps_are_no_deviation() -> None:
    X = np.array([[0.3, 1e9], [0.1 + 0.2, 1e9 + 1e-5], [0.3, 1e9]])
    found = scaling_of(X, "standard")
    assert found.factor[0] == 1
    assert found.factor[1] == pytest.approx(X[:, 1].std())
    assert np.abs(found.apply(X)[:, 0]).max() < 1e-15


def test_huge_and_tiny_columns() -> None:
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(500, 4))
    X = Z * [1e300, 1e-200, 1e-280, 1]
    found = scaling_of(X, "standard")
    assert np.allclose(found.factor / [1e300, 1e-200, 1e-280, 1], Z.std(axis=0), rtol=1e-12)
    assert np.allclose(found.apply(X), (Z - Z.mean(axis=0)) / Z.std(axis=0), rtol=1e-9)
    assert np.array_equal(scaling_of(X, "max").factor, np.abs(X).max(axis=0))
    powers = scaling_of(X, "power-of-two")
    assert np.array_equal(np.frexp(powers.factor)[0], np.full(4, 0.5))
    assert ((np.abs(X) / powers.factor).max(axis=0) <= 1).all()
    assert ((np.abs(X) / powers.factor).max(axis=0) > 0.5).all()
    top = scaling_of(np.array([[1.7e308], [1e308]]), "power-of-two")
    assert top.factor.tolist() == [2.0**1023]
    with pytest.raises(InputError, match="column 0: its values are too far apart to be centred; use the scale 'max'"):
        scaling_of(np.array([[1.7e308], [-1.7e308]]), "standard")
    assert scaling_of(sp.csr_array([[1.7e308], [-1.7e308]]), "standard").factor[0] == pytest.approx(1.7e308)


def test_sums_keep_their_digits() -> None:
    """A column far from 0, of which a naive sum of squares would keep nothing."""
    X = 1e8 + np.random.default_rng(2).normal(size=(3 * CHUNK, 1))
    exact = [float(x) - 1e8 for x in X[:, 0]]  # without rounding
    mean = math.fsum(exact) / len(exact)
    deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in exact) / len(exact))
    found = scaling_of(X, "standard")
    assert found.centre[0] == pytest.approx(1e8 + mean, rel=4e-16)
    assert found.factor[0] == pytest.approx(deviation, rel=1e-13)


def test_columns_that_are_scaled_already_stay_as_they_are() -> None:
    X = np.array([[1.0, 0.75, -0.6], [0.0, 0.25, 0.6], [1.0, 0.5, 0.1]])
    assert scaling_of(X, "power-of-two").factor.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_is_named(kind: str, value: float) -> None:
    X = np.ones((CHUNK + 9, 3))
    X[CHUNK + 2, 1] = X[CHUNK + 3, 0] = value
    for source in (Examples.of(X, np.arange(len(X)) % 2, ["a", "b", "c"]), GatheredSource(X, np.arange(len(X)) % 2)):
        with pytest.raises(InputError, match=rf"row {CHUNK + 2}, column 1.*: not a finite number"):
            Scaling.of(source, kind)


def test_folded_weights_give_the_scores_of_scaled_rows() -> None:
    X, rng = table(), np.random.default_rng(3)
    W, b = rng.normal(size=(5, 3)), rng.normal(size=3)
    for kind in KINDS:
        found = scaling_of(X, kind)
        own = found.fold(W, b)
        terms = np.abs(X) @ np.abs(own[0]) + np.abs(found.centre) @ np.abs(own[0])  # what is rounded
        assert (np.abs((X @ own[0] + own[1]) - (found.apply(X) @ W + b)) <= 1e-14 * terms).all()
        back = found.unfold(*own)
        assert np.allclose(back[0], W, rtol=1e-15)
        assert np.allclose(back[1], b, rtol=0, atol=1e-14 * float(terms.max()))
    assert np.array_equal(found.unfold(*own)[0], W)  # powers of two round nothing
    assert own[1] is b


def test_a_hyperplane_through_the_origin_stays_there() -> None:
    found = scaling_of(table(), "standard", centred=False)
    assert not found.centres
    assert np.array_equal(found.factor, scaling_of(table(), "standard").factor)


def test_weights_that_leave_float64_are_refused() -> None:
    with pytest.raises(InputError, match="leave the range of float64"):
        Scaling("max", np.zeros(1), np.array([1e-250])).fold(np.array([[1e100]]), np.zeros(1))
    with pytest.raises(InputError, match="leave the range of float64"):
        Scaling("standard", np.array([1e200]), np.ones(1)).fold(np.array([[1e200]]), np.zeros(1))


@pytest.mark.parametrize(
    ("centre", "factor", "why"),
    [
        (np.zeros(2), np.ones(3), "above 0, as many as there are centres"),
        (np.zeros(2), np.array([1.0, 0.0]), "above 0"),
        (np.array([0.0, np.nan]), np.ones(2), "centre of a scale must be finite"),
        (np.zeros(2), np.ones(2, dtype=np.float32), "one float64 for each column"),
    ],
)
def test_a_scale_is_checked(centre: np.ndarray, factor: np.ndarray, why: str) -> None:
    with pytest.raises(InputError, match=why):
        Scaling("max", centre, factor)


def test_rows_must_fit_the_scale() -> None:
    centred = scaling_of(table(), "standard")
    with pytest.raises(InputError, match="rows have 2 columns, the scale 5"):
        centred.apply(np.ones((3, 2)))
    with pytest.raises(InputError, match="these rows are sparse"):
        centred.apply(table("csr"))
