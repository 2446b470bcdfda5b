"""Numbers at both ends of float64: no warning comes out (they are errors here), and the answers stay the right ones.

Columns times powers of two are the same question: what is said of the extreme rows is said of the small whole numbers
they come from, too.
"""

import math
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from rosenblatt import (
    Hyperplane,
    InputError,
    MaxMarginClassifier,
    OnlinePerceptron,
    Perceptron,
    compare_decimals,
    from_json,
    learn,
    least_mistakes,
    logistic_clinic,
    max_margin,
    separability,
    verify,
)
from rosenblatt.cli import main
from rosenblatt.data.two_classes import two_classes
from rosenblatt.rules import get, names
from rosenblatt.separation.labelings import dichotomies
from rosenblatt.separation.signed_rows import SignedRows

TIME_BUDGET = 90

ENDS = {"large": 1021, "small": -1074, "both": None, "squares overflow": 520}
"""The power of two, or several: the largest number is 2^1023, the smallest the least there is above 0."""


REFUSED = ("overflow", "underflow", "leave", "rescale", "w = 0", "no hyperplane separates", "too many digits")


def base(seed: int, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers from −4 to 4 and labels: half of them separable, one in four with one point under both labels."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, (n, d)).astype(float)
    y = rng.choice([-1, 1], n) if seed % 2 else np.where(X @ rng.standard_normal(d) > 0.3, 1, -1)
    if seed % 4 == 1:
        X[-1], y[-1] = X[0], -y[0]
    y[:2] = (y[0], -y[0]) if (y == y[0]).all() else y[:2]
    return X, y


def extreme(X: np.ndarray, end: str) -> np.ndarray:
    """The same question in other numbers."""
    powers = np.resize([-1074, 1021, 0], X.shape[1]) if ENDS[end] is None else np.full(X.shape[1], ENDS[end])
    return np.ldexp(X, powers.astype(int))


def tried(ask: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """The answer; None where it is refused by a name that has to do with the scale."""
    try:
        return ask(*arguments, **options)
    except ValueError as error:  # of which `InputError` is one
        if not any(word in str(error) for word in REFUSED):
            raise
    return None


SIZES = [(2, 1), (5, 2), (9, 3), (40, 2), (70, 6)]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("origin", [False, True])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_verdict_does_not_depend_on_the_scale(end: str, origin: bool, form: Any) -> None:
    for seed, (n, d) in enumerate(SIZES * 2):
        plain, y = base(seed, n, d)
        X = form(extreme(plain, end))
        expected = separability(plain, y, through_origin=origin)
        verdict = separability(X, y, through_origin=origin)
        assert verdict.kind == expected.kind
        assert verdict.coefficients == expected.coefficients
        assert verdict.aliased == expected.aliased
        assert verify(verdict.proof, X, y)
        assert verdict.summary()


@pytest.mark.parametrize("origin", [False, True])
def test_rows_of_the_largest_numbers_there_are_settle_as_smaller_ones_do(origin: bool) -> None:
    most = np.finfo(float).max
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, d = rng.integers(3, 60), rng.integers(1, 9)
        X = rng.choice([most, -most, 0.0, 1e300, -1e300, 1e200], (n, d))
        y = rng.choice([-1, 1], n) if seed % 2 else np.where(X[:, 0] > np.sort(X[:, 0])[n // 2 - 1], 1, -1)
        y[:2] = (y[0], -y[0]) if (y == y[0]).all() else y[:2]
        verdict, expected = (
            separability(table, y, through_origin=origin, time_limit=20) for table in (X, np.ldexp(X, -600))
        )
        assert verdict.kind == expected.kind
        assert verdict.coefficients == expected.coefficients
        assert verify(verdict.proof, X, y)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("origin", [False, True])
def test_the_fewest_mistakes_do_not_depend_on_the_scale(end: str, origin: bool) -> None:
    for seed, (n, d) in enumerate(SIZES[:-1]):
        plain, y = base(seed, n, d)
        X = extreme(plain, end)
        expected = least_mistakes(plain, y, through_origin=origin, time_limit=5)
        found = least_mistakes(X, y, through_origin=origin, time_limit=5)
        assert found.lower <= expected.upper
        assert expected.lower <= found.upper
        assert not (found.exact and expected.exact) or found.upper == expected.upper
        assert verify(found.proof, X, y)
        assert found.summary()
        assert len(found.suspects) >= bool(found.upper)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("origin", [False, True])
def test_the_clinic_does_not_depend_on_the_scale(end: str, origin: bool) -> None:
    for seed, (n, d) in enumerate(SIZES[:-1]):
        plain, y = base(seed, n, d)
        X = extreme(plain, end)
        expected = logistic_clinic(plain, y, through_origin=origin, time_limit=5)
        found = logistic_clinic(X, y, through_origin=origin, time_limit=5)
        assert found.kind == expected.kind
        assert {k: c.status for k, c in found.coefficients.items()} == {
            k: c.status for k, c in expected.coefficients.items()
        }
        assert found.check()
        assert found.summary()
        if expected.log_likelihood is not None and found.log_likelihood is not None:
            assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("offset", ["free", 0, 1, "radius"])
def test_a_margin_is_right_or_refused_by_name(end: str, offset: Any) -> None:
    for seed, (n, d) in enumerate(SIZES):
        plain, y = base(seed, n, d)
        X = extreme(plain, end)
        best = tried(max_margin, X, y, offset=offset, time_limit=5)
        if best is None:
            continue
        assert best.separable == separability(X, y, through_origin=offset == 0).separable
        if best.separable is not None:
            assert verify(best.proof, X, y)
        assert best.summary()


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("rule", names())
def test_learning_ends_with_a_status_or_is_refused_by_name(end: str, rule: str) -> None:
    parameters = {name: 0.5 for name in ("beta", "C") if name in get(rule).parameters}
    for seed, (n, d) in enumerate(SIZES[:4]):
        plain, y = base(seed, n, d)
        X = extreme(plain, end)
        for plan in PLANS:
            if not get(rule).additive and plan.get("readout") == "voted":  # it has no vote
                continue
            if get(rule).batches or "batch_size" not in plan:
                tried(_learned, X, y, {"rule": rule, "max_epochs": 4, **plan, **parameters})


PLANS: list[dict[str, Any]] = [
    {"readout": "last", "log": True}, {"readout": "averaged"}, {"readout": "pocket"}, {"readout": "voted"},
    {"offset": "radius"}, {"offset": 0}, {"batch_size": "all"},
]  # fmt: skip


def _learned(X: np.ndarray, y: np.ndarray, plan: dict[str, Any]) -> None:
    run = learn(X, y, **plan)
    assert repr(run)
    other = Hyperplane(np.ones(X.shape[1]), 0.0)
    tried(run.predict, X)
    if run.rule.additive:
        tried(run.margin_bracket)
        tried(run.against, other)
    if plan.get("log") and run.rule.additive:
        path = run.trajectory()
        tried(run.audit, other)
        tried(lambda: (path.lengths, path.turns, path.swings, path.losses(0)))
    for plane in (other,) if plan.get("readout") == "voted" else (other, run.hyperplane):
        tried(plane.margin, X, y)
        tried(plane.unsigned_margin, X)
        tried(plane.project, X)


@pytest.mark.parametrize("end", ENDS)
def test_estimators_answer_or_refuse_by_name(end: str) -> None:
    def fitted(model: Any, X: np.ndarray, y: np.ndarray) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # how it ended, which is not asked here
            model.fit(X, y)
        again = from_json(model.to_json())
        assert again.coef_.tobytes() == model.coef_.tobytes()
        model.predict(X)
        model.geometric_margin(X)

    for seed, (n, d) in enumerate(SIZES):
        plain, y = base(seed, n, d)
        X = extreme(plain, end)
        tried(fitted, Perceptron(max_iter=4), X, y)
        tried(fitted, Perceptron(max_iter=4, readout="last", fit_intercept=False), X, y)
        tried(fitted, MaxMarginClassifier(), X, y)
        online, examples = OnlinePerceptron(classes=[-1, 1]), [dict(enumerate(x)) for x in X.tolist()]
        tried(online.learn_many, examples, y)
        tried(online.predict_many, examples)


@pytest.mark.parametrize("end", ENDS)
def test_labelings_and_readings_do_not_depend_on_the_scale(end: str) -> None:
    plain, y = base(0, 6, 2)
    X = extreme(plain, end)
    assert repr(dichotomies(X)) == repr(dichotomies(plain))
    tried(compare_decimals, [[repr(x) for x in row] for row in X.tolist()], y)


def test_distances_that_overflow_are_infinite_on_their_own_side() -> None:
    plane = Hyperplane([5e-324, 0], 1.0)
    X = [[1.0, 1.0], [-3.0, 2.0]]
    assert plane.geometric_margins(X, [1, -1]).tolist() == [np.inf, -np.inf]
    assert plane.unsigned_margin(X) == np.inf
    with pytest.raises(InputError, match="row 0: its nearest point leaves the range of float64"):
        plane.project(X)


def test_margins_that_overflow_are_infinite_and_no_row_after_them_is_left_out() -> None:
    """The rows behind the first one whose score overflows are scored too, whatever was in memory before."""
    rng = np.random.default_rng(0)
    X = rng.choice([1.0, -1.0, 2.0], (6000, 3)) * rng.choice([1.0, 2.0**1021, 2.0**-300], (6000, 1))
    y = rng.choice([-1, 1], 6000)
    for threads in (1, 2):
        s = SignedRows(two_classes(X, y, "separability"), True, 60, threads)
        for v in ([1.0, 0.75, 0.5], [1.0, -1.0, 0.5], [4.0, 4.0, 4.0]):
            exact = [label * sum((Fraction(a) * Fraction(b) for a, b in zip(x, v, strict=True)), Fraction(0))
                     for x, label in zip(X.tolist(), y.tolist(), strict=True)]  # fmt: skip
            assert s.margins(np.array(v)).tolist() == [
                float(m) if abs(m) < Fraction(2) ** 1024 else math.inf * (1 if m > 0 else -1) for m in exact
            ]
        assert np.isfinite(s.random_scores()).all()
        assert np.isnan(s.margins(np.array([np.inf, 0, 0]))).all()


@pytest.mark.parametrize("end", ENDS)
def test_many_rows_are_settled_too(end: str) -> None:
    plain, y = base(2, 3000, 3)
    X = extreme(plain, end)
    assert separability(X, y, time_limit=20).separable == separability(plain, y).separable
    y[::100] *= -1
    found = least_mistakes(X, y, time_limit=2)
    assert verify(found.proof, X, y)
    assert found.upper <= 1500


@pytest.mark.parametrize("end", ENDS)
def test_the_command_line_says_it_in_words_and_in_json(
    end: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed, (n, d) in enumerate(SIZES[1:4]):
        plain, y = base(seed, n, d)
        lines = [
            ",".join([*map(repr, x), str(label)]) for x, label in zip(extreme(plain, end).tolist(), y, strict=True)
        ]
        data = tmp_path / "x.csv"
        data.write_text("\n".join([",".join([*(f"x{j}" for j in range(d)), "class"]), *lines]) + "\n")
        for command in ("check", "margin", "suspects", "clinic", "show", "train", "predict"):
            for more in ([], ["--json"]):
                words = [command, *([str(tmp_path / "m")] if command == "predict" else []), str(data), *more]
                if command == "train":
                    words += ["-m", str(tmp_path / "m"), "--epochs", "4"]
                if command == "predict" and not (tmp_path / "m").exists():
                    continue  # numbers left float64, and no model was written
                code = main(words)
                told = capsys.readouterr()
                assert code in (0, 1, 2, 3), (words, told)
                assert code != 2 or any(word in told.out + told.err for word in ("range of float64", "rescale")), told
