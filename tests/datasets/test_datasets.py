"""The small examples and the generators: every claim of their docstrings, in exact fractions.

A float is a binary fraction, so `Fraction(x)` is the row as stored, and what is proved here is proved of that.
"""

import csv
import math
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from rosenblatt import Examples, InputError, datasets, learn
from rosenblatt.datasets import Sample

HALF = Fraction(1, 2)
Vector = list[Fraction]


def exact(values: Any) -> Vector:
    return [Fraction(float(value)) for value in values]


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def signed_sum(sample: Sample, alpha: dict[int, Fraction]) -> tuple[Vector, Fraction]:
    """Σ α·y·x, and Σ α·y: what multipliers say of the rows, and of the offset."""
    total = [Fraction(0)] * sample.X.shape[1]
    for row, weight in alpha.items():
        total = [t + weight * int(sample.y[row]) * x for t, x in zip(total, exact(sample.X[row]), strict=True)]
    return total, sum((weight * int(sample.y[row]) for row, weight in alpha.items()), Fraction(0))


# By name


def test_the_names_are_those_of_the_functions_and_of_the_samples() -> None:
    assert len(datasets.names()) == 14
    for name in datasets.names():
        sample = datasets.get(name)
        assert sample.name == name
        assert repr(sample).startswith(f"<Sample {name}: ")
        assert getattr(datasets, name.replace("-", "_"))().X.tolist() == sample.X.tolist()
        assert sample.y.dtype == np.int64
        assert sample.flipped.size == 0


@pytest.mark.parametrize("name", ["XOR", "", None, 3, ["xor"], "separable"])
def test_a_name_that_is_not_one_is_refused_with_those_that_are(name: Any) -> None:
    with pytest.raises(InputError, match=r"unknown example .* expected one of one-example, four-on-a-line, "):
        datasets.get(name)


def test_a_star_import_gives_every_maker_of_data() -> None:
    makers = {name for name, value in vars(datasets).items() if callable(value) and name[0] != "_" and name != "one_of"}
    assert {name for name in makers if getattr(datasets, name).__module__.startswith("rosenblatt")} == {
        *datasets.__all__
    }


def test_a_sample_is_anew_each_time() -> None:
    datasets.xor().X[:] = 0
    assert datasets.xor().X.any()


@pytest.mark.parametrize("name", datasets.names())
def test_each_example_can_be_learnt_as_it_is_meant(name: str) -> None:
    sample = datasets.get(name)
    run = learn(sample.examples(), **{**sample.plan, "max_epochs": 100})
    assert run.status.name in ("clean", "loop", "budget")


def test_the_package_and_its_small_examples_need_no_scipy() -> None:
    get = "from rosenblatt import datasets; datasets.get('xor'); datasets.get('breast-cancer')"
    program = f"import sys; {get}; print(any(name in sys.modules for name in ('scipy', 'pyarrow', 'sklearn')))"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout == "False\n"
    )


# The margins of the small examples are the largest there are


FREE: dict[str, dict[int, Fraction]] = {  # multipliers that sum to 1 over each class: two points of the two hulls
    "four-on-a-line": {1: Fraction(1), 2: Fraction(1)},
    "three-margins": {0: Fraction(1), 2: Fraction(1)},
    "low-margin": {1: 1 - 1 / (1 + Fraction("1.01") ** 2), 2: 1 / (1 + Fraction("1.01") ** 2), 3: Fraction(1)},
    "least-squares-trap": {0: HALF, 1: HALF, 2: Fraction(1)},
}
ORIGIN: dict[str, dict[int, Fraction]] = {  # multipliers that sum to 1: a point of the hull of {y·x}
    "four-in-the-plane": {0: Fraction(3, 13), 1: Fraction(10, 13)},
    "eight-in-the-plane": {0: HALF, 4: HALF},
    "slow-steps": {0: Fraction(3, 5), 10: Fraction(2, 5)},
    "tight": {row: Fraction(1, 5) for row in range(5)},
}


@pytest.mark.parametrize("name", [*FREE, *ORIGIN])
def test_the_margin_is_reached_and_multipliers_prove_it_the_largest(name: str) -> None:
    sample = datasets.get(name)
    alpha = {**FREE, **ORIGIN}[name]
    point, offset = signed_sum(sample, alpha)
    # A unit u with margin γ has u·(Σ α·y·x) ≥ γ·Σα, if the offset cancels: γ ≤ ‖Σ α·y·x‖/Σα.
    assert (name in ORIGIN) == (sample.plan.get("offset") == 0)
    assert name in ORIGIN or offset == 0
    largest2 = dot(point, point) / sum(alpha.values()) ** 2
    assert sample.hyperplane is not None
    assert name in FREE or sample.hyperplane.b == 0
    w, b = exact(sample.hyperplane.w), Fraction(sample.hyperplane.b)
    least = min(int(y) * (dot(w, exact(x)) + b) for x, y in zip(sample.X, sample.y, strict=True))
    assert least > 0
    reached2 = least**2 / dot(w, w)
    if name == "low-margin":  # 0.01 and 1.01 are no binary fractions
        assert float(reached2) == pytest.approx(float(largest2), rel=1e-13)
    else:
        assert reached2 == largest2
    assert sample.margin == pytest.approx(math.sqrt(reached2), rel=4e-16)
    assert sample.radius == math.sqrt(max(dot(x, x) for x in map(exact, sample.X)))


def test_the_others_have_no_margin() -> None:
    without = {"one-example", "xor", "never-repeats", "iris", "breast-cancer"}
    assert {name for name in datasets.names() if datasets.get(name).margin is None} == without
    assert without.isdisjoint({*FREE, *ORIGIN})


def test_xor_is_inseparable() -> None:
    assert signed_sum(datasets.xor(), dict.fromkeys(range(4), Fraction(1, 4))) == ([0, 0], 0)


# What docs/theory.md adds


@pytest.mark.parametrize("both_classes", [False, True])
@pytest.mark.parametrize("n", [1, 2, 3, 8, 100])
def test_the_bound_of_law_1_is_reached_exactly(n: int, both_classes: bool) -> None:
    if n == 1 and both_classes:
        with pytest.raises(InputError, match="n must be a whole number from 2 to 20000, not 1"):
            datasets.tight(1, both_classes=True)
        return
    sample = datasets.tight(n, both_classes)
    assert set(sample.y.tolist()) == ({-1, 1} if both_classes else {1})
    for order in ("cyclic", "shuffled"):
        run = learn(*sample, **sample.plan, order=order)
        assert (run.updates, run.status.name) == (n, "clean")
    assert sample.margin == 1 / math.sqrt(n)
    assert sample.hyperplane is not None
    assert sample.hyperplane.functional_margins(*sample).tolist() == [1] * n


LONG = pytest.param(25, 150_661, marks=pytest.mark.long)


@pytest.mark.parametrize(("copies", "changes"), [(1, None), (10, 83), (20, 12_367), LONG])
def test_steps_of_one_over_k_are_slow(copies: int, changes: int | None) -> None:
    sample = datasets.slow_steps(copies)
    run = learn(*sample, **sample.plan)
    assert run.status.name == "clean"
    assert changes is None or run.state.changes == changes


def test_the_weights_never_come_back() -> None:
    sample = datasets.never_repeats()
    run = learn(*sample, **sample.plan, max_epochs=3000)
    assert run.status.name == "budget"
    # The same run with w = i − j·√2 kept as (i, j). Its sign is that of i² − 2j², so nothing is rounded.
    i = j = 0
    met = {(i, j)}
    for _ in range(3000):
        if i * i <= 2 * j * j:
            i += 1
            met.add((i, j))
        if i * i >= 2 * j * j:
            j += 1
            met.add((i, j))
    # 1 and √2 are independent over the fractions: other pairs are other weights.
    assert run.updates == i + j == len(met) - 1
    assert Fraction(run.hyperplane.w[0]) == i - j * Fraction(math.sqrt(2))
    # As stored, √2 is p/2⁵² with p odd, and (p, 2⁵²) the first pair after (0, 0) where w = 0.
    assert Fraction(math.sqrt(2)).denominator == 2**52


def way_to_segment(p: Vector, a: Vector, b: Vector) -> Vector:
    """From p to the nearest point of the line through a and b, which is between them."""
    along, back = [y - x for x, y in zip(a, b, strict=True)], [y - x for x, y in zip(a, p, strict=True)]
    t = dot(along, back) / dot(along, along)
    assert 0 < t < 1
    return [t * s - r for s, r in zip(along, back, strict=True)]


def test_three_rows_are_separable_as_doubles_and_not_as_decimals() -> None:
    sample = datasets.only_by_rounding()

    # As decimals: α = (½, ½, 1) gives Σ α·y·x′ = 0, so the hulls of the classes meet.
    decimals = [[Fraction(str(value)) for value in row] + [Fraction(1)] for row in sample.X.tolist()]
    assert decimals[0] == [Fraction(1, 10), 1, 1]
    assert [HALF * p + HALF * q - r for p, q, r in zip(*decimals, strict=True)] == [0, 0, 0]

    # As doubles: a line along the two positive rows, moved half the way to the negative one.
    rows = [exact(x) for x in sample.X]
    w = [Fraction(-1), (rows[1][0] - rows[0][0]) / (rows[1][1] - rows[0][1])]
    b = -(dot(w, rows[0]) + dot(w, rows[2])) / 2
    margins = [int(y) * (dot(w, x) + b) for x, y in zip(rows, sample.y, strict=True)]
    assert min(margins) == max(margins) == Fraction(1, 2**57)
    # And no line has more: the negative row is only twice that away from a point between the positive ones.
    way = way_to_segment(rows[2], rows[0], rows[1])
    assert dot(way, way) == 4 * margins[0] ** 2 / dot(w, w)
    assert sample.margin is not None
    assert Fraction(sample.margin) ** 2 / (margins[0] ** 2 / dot(w, w)) == pytest.approx(1, rel=1e-15)

    # Through the origin they are inseparable either way: 0.2 is twice 0.1 as stored too.
    assert rows[2] == [2 * value for value in rows[0]]


@pytest.mark.parametrize("size", [0, -1, 2.0, "3", None, True, 20_001, 2**70, math.nan])
def test_the_small_examples_refuse_other_sizes(size: Any) -> None:
    for make in (datasets.tight, datasets.slow_steps):
        with pytest.raises(InputError, match="must be a whole number from 1 to 20000, not"):
            make(size)


# separable


SIZES = [(2, 2), (2, 4), (2, 17), (3, 1), (3, 3), (4, 1), (5, 2), (7, 4), (12, 5), (30, 16), (41, 20), (25, 70)]
KNOWN = [(0.125, 1.0), (0.1, 0.7), (3.0, 1000.0), (1.0, 1.0), (1e-5, 2.0), (2.5e-21, 1e-20)]


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
@pytest.mark.parametrize(("margin", "radius"), KNOWN)
@pytest.mark.parametrize(("n", "d"), SIZES)
def test_margin_radius_and_normal_are_exact(n: int, d: int, margin: float, radius: float, seed: int) -> None:
    sample = datasets.separable(n, d, margin=margin, radius=radius, seed=seed)
    assert sample.X.shape == (n, d)
    assert abs(int(sample.y.sum())) == n % 2
    assert sample.margin is not None
    assert sample.radius is not None
    assert sample.hyperplane is not None
    step = 2.0 ** math.ceil(math.log2(radius)) / 2**18
    assert abs(sample.margin - margin) <= step / 2
    assert abs(sample.radius - radius) <= (step if n == 2 else step / 2)

    rows, w, gamma = [exact(x) for x in sample.X], exact(sample.hyperplane.w), Fraction(sample.margin)
    assert dot(w, w) == 1
    assert sample.hyperplane.b == 0
    margins = [int(y) * dot(w, x) for x, y in zip(rows, sample.y, strict=True)]
    assert min(margins) == gamma
    # Two rows 2γ·w* apart, one of each class: no margin is larger than γ. Nor in the augmented space, whatever ρ:
    # ½·(x₊, ρ) − ½·(x₋, ρ) = (γ·w*, 0) is a point of the hull of {y·x′}.
    support = [i for i in range(n) if margins[i] == gamma]
    pairs = [(rows[i], rows[j]) for i in support for j in support if sample.y[i] > sample.y[j]]
    assert any([p - q for p, q in zip(*pair, strict=True)] == [2 * gamma * value for value in w] for pair in pairs)
    longest2 = max(dot(x, x) for x in rows)
    if n > 2:
        assert longest2 == Fraction(sample.radius) ** 2
    else:  # an irrational length: the nearest double
        assert sample.radius == pytest.approx(math.sqrt(longest2), rel=3e-16)
        assert longest2 <= Fraction(radius) ** 2 * (1 + Fraction(1, 2**17))


@pytest.mark.parametrize("seed", range(3))
def test_two_rows_of_one_column_are_plus_and_minus_the_margin(seed: int) -> None:
    sample = datasets.separable(2, 1, margin=0.3, radius=0.3, seed=seed)
    assert sample.margin == sample.radius
    assert sorted(sample.X[:, 0].tolist()) == [-sample.margin, sample.margin]
    with pytest.raises(InputError, match="give radius = margin, or a third row"):
        datasets.separable(2, 1, margin=0.3)


def test_what_the_grid_holds_is_not_rounded() -> None:
    for margin, radius in ((0.25, 1.0), (0.5, 3.0), (1.0, 1024.0), (2.0**-18, 1.0), (0.75, 0.75)):
        sample = datasets.separable(10, 6, margin=margin, radius=radius)
        assert (sample.margin, sample.radius) == (margin, radius)


@pytest.mark.parametrize(
    ("d", "entries", "size"), [(1, 1, 1), (3, 1, 1), (4, 4, 0.5), (63, 16, 0.25), (5000, 4096, 2**-6)]
)
def test_the_normal_is_spread_over_many_columns(d: int, entries: int, size: float) -> None:
    normal = datasets.separable(5, d).normal
    assert normal is not None
    assert np.abs(normal[normal != 0]).tolist() == [size] * entries


@pytest.mark.parametrize(("n", "d"), [(5000, 300), (200, 5000)])
def test_large_samples_are_exact_in_floats_too(n: int, d: int) -> None:
    for dtype in (np.float64, np.float32):
        sample = datasets.separable(n, d, margin=0.01, seed=4, dtype=dtype)
        assert sample.X.dtype == dtype
        assert sample.hyperplane is not None
        assert sample.hyperplane.margin(*sample) == sample.margin
        X = sample.X.astype(np.float64)
        assert math.sqrt((X * X).sum(axis=1).max()) == sample.radius
        assert (X == datasets.separable(n, d, margin=0.01, seed=4).X).all()


@pytest.mark.parametrize("offset", [0, 1, 0.25, "radius"])
@pytest.mark.parametrize("d", [1, 4, 40])
def test_no_run_makes_more_updates_than_the_known_numbers_allow(d: int, offset: Any) -> None:
    for margin, order in ((0.02, "cyclic"), (0.25, "shuffled")):
        sample = datasets.separable(300, d, margin=margin, seed=d)
        assert sample.margin is not None
        assert sample.radius is not None
        run = learn(*sample, offset=offset, order=order)
        rho = sample.radius if offset == "radius" else offset
        assert run.updates <= (sample.radius**2 + rho**2) / sample.margin**2
        assert run.history.margin_upper.min() >= sample.margin


# noisy


@pytest.mark.parametrize(("n", "noise"), [(100, 0.05), (100, 0.0), (7, 0.5), (50, 1.0), (999, 0.001)])
def test_exactly_the_listed_labels_are_turned_over(n: int, noise: float) -> None:
    sample, clean = (make(n, 9, seed=3, **more) for make, more in _pair(noise))
    assert (sample.X == clean.X).all()
    assert np.flatnonzero(sample.y != clean.y).tolist() == sample.flipped.tolist()
    assert sample.flipped.size == round(noise * n)
    assert sample.flipped.dtype == np.int64
    assert sample.margin == (None if sample.flipped.size else clean.margin)
    assert sample.radius == clean.radius


def _pair(noise: float) -> list[tuple[Any, dict[str, float]]]:
    return [(datasets.noisy, {"noise": noise}), (datasets.separable, {})]


@pytest.mark.parametrize("seed", range(5))
def test_one_pass_over_noisy_rows_obeys_law_6(seed: int) -> None:
    gamma = 0.25
    sample = datasets.noisy(400, 20, noise=0.05, margin=gamma, seed=seed)
    assert sample.hyperplane is not None
    assert sample.radius is not None
    margins = sample.hyperplane.functional_margins(*sample)
    D = math.sqrt((np.maximum(0, gamma - margins) ** 2).sum())
    assert math.sqrt(((gamma + np.abs(margins[sample.flipped])) ** 2).sum()) == pytest.approx(D, rel=1e-14)
    assert learn(*sample, offset=0, max_epochs=1).updates <= ((sample.radius + D) / gamma) ** 2


# classes


@pytest.mark.parametrize(("n", "d", "K"), [(3, 3, 3), (10, 4, 3), (40, 20, 7), (101, 70, 5)])
@pytest.mark.parametrize("seed", range(2))
def test_every_class_is_a_margin_away_from_the_rest(n: int, d: int, K: int, seed: int) -> None:
    asked = 0.1
    sample = datasets.classes(n, d, K, margin=asked, radius=0.9, seed=seed)
    assert np.ptp(np.bincount(sample.y, minlength=K)) <= 1
    assert sample.margin is None
    assert sample.hyperplane is None
    assert sample.normal is None
    rows = [exact(x) for x in sample.X]
    scores = [[dot(exact(plane.w), x) for plane in sample.hyperplanes] for x in rows]
    assert all(dot(exact(plane.w), exact(plane.w)) == 1 and plane.b == 0 for plane in sample.hyperplanes)
    for label, found in zip(sample.y.tolist(), scores, strict=True):
        assert all((value if k == label else -value) >= Fraction(asked) for k, value in enumerate(found))
    longest2 = max(dot(x, x) for x in rows)
    assert sample.radius == pytest.approx(math.sqrt(longest2), rel=3e-16)
    assert sample.radius <= 0.9 + 2**-18


@pytest.mark.parametrize("seed", range(3))
def test_both_ways_of_many_classes_obey_their_bounds(seed: int) -> None:
    K, margin = 6, 0.05
    sample = datasets.classes(300, 30, K, margin=margin, seed=seed)
    assert sample.radius is not None
    examples = Examples.of(*sample)
    bound = (sample.radius / margin) ** 2
    ovr = learn(examples, offset=0)
    assert (ovr.status.name, ovr.updates <= K * bound) == ("clean", True)
    direct = learn(examples, offset=0, multiclass="direct")
    assert (direct.status.name, direct.updates <= K * bound / 2) == ("clean", True)
    assert direct.history.margin_upper.min() >= 2 * margin / math.sqrt(K)


# text


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "d", "words"), [(1, 2, 1), (5, 2, 40), (50, 39, 3), (300, 1000, 1), (400, 3000, 60)])
def test_text_is_canonical_csr_that_its_hyperplane_separates(n: int, d: int, words: int, seed: int) -> None:
    sample = datasets.text(n, d, words=words, seed=seed)
    X = sample.X
    assert X.shape == (n, d)
    assert (X.indices.dtype, X.indptr.dtype, X.dtype) == (np.int32, np.int32, np.float64)
    assert np.diff(X.indptr).min() >= 1
    for row in range(n):
        columns = X.indices[X.indptr[row] : X.indptr[row + 1]]
        assert (np.diff(columns) > 0).all()
    assert X.indices.min() >= 0
    assert X.indices.max() < d
    assert (X.data > 0).all()
    np.testing.assert_allclose(np.sqrt(np.bincount(np.repeat(np.arange(n), np.diff(X.indptr)), X.data**2)), 1, 1e-14)
    assert sample.hyperplane is not None
    assert sample.hyperplane.margin(X, sample.y) > 1e-6
    assert set(np.unique(sample.hyperplane.w)) <= {-1, 0, 1}
    assert np.count_nonzero(sample.hyperplane.w) == 2 * max(1, d // 20)


def test_text_is_as_long_and_as_frequent_as_it_says() -> None:
    sample = datasets.text(20_000, 2000, words=25, noise=0.03, seed=5)
    entries = np.diff(sample.X.indptr)
    assert entries.std() > 0.4 * entries.mean()
    assert 0.4 < (sample.y > 0).mean() < 0.6
    assert sample.flipped.size == 600
    # In rank order, as many words come up between ranks r and 2r as between 2r and 4r: the sums of 1/r are equal.
    ranked = np.sort(np.bincount(sample.X.indices, minlength=2000))[::-1]
    sums = [ranked[first : 2 * first].sum() for first in (100, 200, 400, 800)]
    assert max(sums) < 1.1 * min(sums)


def test_the_rows_of_text_do_not_depend_on_the_noise() -> None:
    clean, noisy = (datasets.text(300, noise=noise, seed=2) for noise in (0.0, 0.1))
    assert (clean.X != noisy.X).nnz == 0
    assert np.flatnonzero(clean.y != noisy.y).tolist() == noisy.flipped.tolist()
    run = learn(*clean, **clean.plan)
    assert run.status.name == "clean"


# What holds of all generators


MAKERS: list[Any] = [
    lambda **more: datasets.separable(40, 8, **more),
    lambda **more: datasets.noisy(40, 8, **more),
    lambda **more: datasets.classes(40, 8, 4, **more),
    lambda **more: datasets.text(40, 80, **more),
]


def table(sample: Sample) -> list[Any]:
    X = sample.X.toarray() if hasattr(sample.X, "toarray") else sample.X
    return [X.tolist(), sample.y.tolist(), sample.flipped.tolist()]


@pytest.mark.parametrize("make", MAKERS)
def test_the_seed_decides_all_and_nothing_else_does(make: Any) -> None:
    state = np.random.get_state(legacy=False)  # noqa: NPY002
    first = table(make(seed=6))
    assert first == table(make(seed=np.int64(6))) == table(make(seed=np.array(6)))
    assert first[0] != table(make(seed=7))[0]
    assert table(make()) == table(make(seed=0))
    after = np.random.get_state(legacy=False)  # noqa: NPY002
    assert str(state) == str(after)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seed", [-1, 1.5, "1", None, 2**64, True, [1]])
def test_seeds_are_whole_numbers(make: Any, seed: Any) -> None:
    with pytest.raises(InputError, match="seed must be a whole number"):
        make(seed=seed)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_rows": 1}, "n_rows must be a whole number >= 2, not 1"),
        ({"n_rows": 10.0}, "n_rows must be a whole number"),
        ({"n_columns": 0}, "n_columns must be a whole number >= 1, not 0"),
        ({"n_columns": "8"}, "n_columns must be a whole number"),
        ({"n_rows": 2**61, "n_columns": 2**61}, "more than any memory holds"),
        ({"margin": 0}, "margin must be a finite number > 0, not 0"),
        ({"margin": -0.5}, "margin must be a finite number > 0"),
        ({"margin": math.nan}, "margin must be a finite number > 0"),
        ({"margin": "wide"}, "margin must be a finite number > 0"),
        ({"margin": 1.5}, "margin 1.5 is more than the radius 1"),
        ({"margin": 1e-9}, "is nothing on a grid of .*; expected at least radius/262144"),
        ({"margin": 1e-320}, "is nothing on a grid"),
        ({"radius": math.inf}, "radius must be a finite number > 0"),
        ({"radius": 1e200}, "its square leaves the range of float64"),
        ({"radius": 1e-150, "margin": 1e-151}, "its square leaves the range of float64"),
        ({"radius": 1e-40, "margin": 1e-41, "dtype": np.float32}, "leaves the range of float32"),
        ({"dtype": np.float16}, "dtype must be float32 or float64"),
        ({"dtype": "number"}, "dtype must be float32 or float64"),
        ({"dtype": {"names": 3}}, "dtype must be float32 or float64"),
        ({"dtype": ">f8"}, "dtype must be float32 or float64"),
    ],
)
def test_separable_and_noisy_refuse_what_makes_no_sense(changes: dict[str, Any], message: str) -> None:
    for make in (datasets.separable, datasets.noisy):
        with pytest.raises(InputError, match=message) as caught:
            make(**{"n_rows": 20, "n_columns": 8, **changes})
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("noise", [-0.1, 1.5, math.nan, "some", None, True])
def test_noise_is_a_fraction(noise: Any) -> None:
    for make in (datasets.noisy, datasets.text):
        with pytest.raises(InputError, match="noise must be a"):
            make(20, 8, noise=noise)


@pytest.mark.parametrize(
    ("arguments", "changes", "message"),
    [
        ((20, 8, 2), {}, "n_classes must be a whole number from 3 to"),
        ((3, 8, 4), {}, "n_rows must be a whole number >= 4, not 3"),
        ((20, 3, 4), {}, "4 classes need at least 4 columns, not 3"),
        ((20, 8, 4), {"margin": 0.51}, "margin must be at most radius/√4 for 4 classes"),
        ((20, 8, None), {}, "n_classes must be a whole number"),
    ],
)
def test_classes_refuses_what_makes_no_sense(arguments: Any, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        datasets.classes(*arguments, **changes)
    assert datasets.classes(20, 8, 4, margin=0.5).radius == 1  # all that is allowed


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_rows": 0}, "n_rows must be a whole number"),
        ({"n_columns": 1}, "n_columns must be a whole number from 2 to"),
        ({"n_columns": 2**31}, "n_columns must be a whole number from 2 to"),
        ({"words": 0}, "words must be a whole number"),
        ({"words": 2.5}, "words must be a whole number"),
        ({"n_rows": 2**24, "words": 75}, "words in all, for indices of 32 bits"),
    ],
)
def test_text_refuses_what_makes_no_sense(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        datasets.text(**changes)


# Real data


@pytest.mark.parametrize("name", ["iris", "breast-cancer"])
def test_the_shipped_data_are_those_of_scikit_learn(name: str) -> None:
    from sklearn import datasets as known

    theirs = {"iris": known.load_iris, "breast-cancer": known.load_breast_cancer}[name]()
    sample = datasets.get(name)
    assert sample.X.tolist() == theirs.data.tolist()
    assert sample.labels.tolist() == theirs.target_names[theirs.target].tolist()
    assert sample.feature_names == tuple(map(str, theirs.feature_names))
    assert sample.class_names == tuple(sorted(map(str, theirs.target_names)))
    examples = sample.examples()
    assert examples.feature_names == sample.feature_names
    assert examples.classes.tolist() == list(sample.class_names)
    assert learn(Examples.of(*sample), max_epochs=3).updates == learn(examples, max_epochs=3).updates
    assert sample.radius == pytest.approx(math.sqrt(max(math.fsum(x * x for x in row) for row in sample.X.tolist())))


def test_the_shipped_files_are_csv_that_any_reader_takes() -> None:
    from pathlib import Path

    for name in ("iris", "breast_cancer"):
        with Path(datasets.__file__).with_name(f"{name}.csv").open(newline="") as file:
            head, *rows = list(csv.reader(file))
        sample = datasets.get(name)
        assert tuple(head[:-1]) == sample.feature_names
        assert [[float(x) for x in row[:-1]] for row in rows] == sample.X.tolist()
        assert [row[-1] for row in rows] == sample.labels.tolist()


def test_labels_without_names_are_numbers() -> None:
    sample = datasets.xor()
    assert sample.labels is sample.y
    assert (sample.feature_names, sample.class_names) == (None, None)
    assert sample.examples().classes.tolist() == [-1, 1]
    assert datasets.tight(3).examples().n_rows == 3  # one class alone


def test_the_catalogue_names_every_example_once_and_says_what_it_shows() -> None:
    from rosenblatt.datasets.catalogue import CATALOGUE

    assert list(CATALOGUE) == datasets.names()
    assert len({entry.shows for entry in CATALOGUE.values()}) == len(CATALOGUE)
    assert [name for name, entry in CATALOGUE.items() if not entry.worked] == ["iris", "breast-cancer"]
