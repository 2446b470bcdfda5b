"""The theorem audited along whole runs, and the margin bracketed by a run alone."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import laws
import numpy as np
import pytest
import reference
import scipy.sparse as sp

from rosenblatt import Examples, Hyperplane, InputError, LawBrokenError, Run, datasets, learn, rules
from rosenblatt.runs.audit import Audit

LINE = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([1, 1, -1, -1])
BEST = Hyperplane([-1.0], 2.5)


def separable(seed: int, n: int = 120, d: int = 4, gap: float = 0.3) -> tuple[np.ndarray, np.ndarray, Hyperplane]:
    rng = np.random.default_rng(seed)
    u = rng.normal(size=d)
    u /= np.linalg.norm(u)
    X = rng.normal(size=(n, d))
    scores = X @ u + 0.1
    y = np.where(scores > 0, 1, -1)
    return X + np.outer(gap * y, u), y, Hyperplane(u, 0.1)


def standing(found: Audit, law: str) -> Any:
    return next(s for s in found.checks if s.law == law)


PLANS: list[dict[str, Any]] = [
    {},
    {"order": "shuffled"},
    {"batch_size": 5},
    {"batch_size": "all"},
    {"offset": 0.5},
    {"offset": "radius"},
    {"start": "random"},
    {"weighted": True},
    {"eta": 0.125},
    {"schedule": "1/sqrt(k)"},
]


@pytest.mark.slow
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("rule", [name for name in rules.names() if rules.get(name).additive])
def test_every_rule_obeys_every_law_on_the_whole_way(rule: str, form: Any) -> None:
    made = rules.get(rule)
    for seed, plan in enumerate(PLANS):
        how = {k: v for k, v in plan.items() if k != "weighted"}
        if ("batch_size" in how and not made.batches) or ({"eta", "schedule"} & set(how) and not made.uses_eta):
            continue
        if made.from_zero:
            how.pop("start", None)
        if rule == "delta":
            how["eta"] = 0.01
        X, y, plane = separable(seed)
        if plan.get("weighted"):
            how["sample_weight"] = np.random.default_rng(seed).uniform(0.5, 2, size=len(y))
        beta = {"beta": 0.05} if "beta" in made.parameters else {}
        run = learn(form(X), y, rule=rule, max_epochs=40, log=True, **how, **beta)
        found = run.audit(plane)  # raises if a law is broken
        assert found.margin > 0.1
        assert found.updates[-1] == run.updates
        bound = found.checks[0].bound
        if bound is not None:
            assert found.checks[0].value <= bound
        elif rule != "delta":
            assert found.checks[0].why
        if rule not in ("delta",):
            assert (found.progress >= found.progress_floor - 1e-9).all()
            assert (found.norm2 <= found.norm2_ceiling * (1 + 1e-9) + 1e-9).all()
        # Against any other direction too: nothing but the sign of the margin may change.
        run.audit(Hyperplane(np.random.default_rng(seed).normal(size=4), 0.3))


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_many_classes_obey_them_too(multiclass: str) -> None:
    rng = np.random.default_rng(3)
    centres = 4 * np.eye(3, 5)
    labels = rng.integers(0, 3, size=150)
    X = centres[labels] + rng.normal(scale=0.3, size=(150, 5))
    planes = [Hyperplane(c, -6.0) for c in centres]
    for rule in ("perceptron", "passive-aggressive", "fixed-margin"):
        run = learn(Examples.of(X, labels), multiclass=multiclass, rule=rule, log=True, max_epochs=50)
        if multiclass == "direct":
            found = run.audit(planes)
            assert found.margin > 0
            assert found.checks[0].value <= found.checks[0].bound  # type: ignore[operator]
            continue
        for k in range(3):
            found = run.audit(planes[k], output=k)
            assert found.margin > 0
            assert found.checks[0].value <= found.checks[0].bound  # type: ignore[operator]


@pytest.mark.parametrize("batch_size", [1, 3])
def test_the_curves_are_the_oracles(batch_size: int) -> None:
    X, y = LINE
    run = learn(X, y, batch_size=batch_size, log=True)
    found = run.audit(BEST)
    trace = reference.learn(X.tolist(), y.tolist(), update=reference.rule("perceptron"), batch_size=batch_size)
    length = math.sqrt(7.25)
    assert found.margin == pytest.approx(0.5 / length)
    assert found.radius == pytest.approx(math.sqrt(17))
    assert found.norm2.tolist() == [float(reference.norm2(w, b, reference.ONE)) for w, b in trace.weights]
    along = [float(-w[0] + Fraction(5, 2) * b) / length for w, b in trace.weights]
    assert found.progress == pytest.approx(along)
    counts = [sum(entry.change <= c for entry in trace.log) for c in range(len(trace.weights))]
    assert found.updates.tolist() == counts
    assert found.progress_floor == pytest.approx([0.5 / length * k for k in counts])
    # ‖w′‖² ≤ Σ |I|·‖x′‖² over the changes, |I| the updates of each.
    sizes = [sum(entry.change == c for entry in trace.log) for c in range(len(trace.weights))]
    terms = [sizes[entry.change] * (X[entry.row, 0] ** 2 + 1) for entry in trace.log]
    assert found.norm2_ceiling == pytest.approx([sum(terms[:k]) for k in counts])
    if batch_size == 1:
        assert found.cosine_floor == pytest.approx([math.sqrt(k) * 0.5 / length / math.sqrt(17) for k in counts])
    cosines = [a / math.sqrt(n) for a, n in zip(along[1:], found.norm2[1:], strict=True)]
    assert found.cosine[1:] == pytest.approx(cosines)


@pytest.mark.parametrize(("rule", "beta"), [("fixed-margin", 3.0), ("margin", 0.125)])
def test_the_ceiling_has_the_threshold_in_it(rule: str, beta: float) -> None:
    X, y = LINE
    found = learn(X, y, rule=rule, beta=beta, log=True, max_epochs=30).audit(BEST)
    how = {"update": reference.rule(rule, beta=beta), "max_epochs": 30}
    trace = reference.learn(X.tolist(), y.tolist(), **how)
    norms = [math.sqrt(reference.norm2(w, b, reference.ONE)) for w, b in trace.weights]
    thetas = [beta if rule == "fixed-margin" else beta * norms[entry.change - 1] for entry in trace.log]
    terms = [2 * theta + X[entry.row, 0] ** 2 + 1 for theta, entry in zip(thetas, trace.log, strict=True)]
    assert found.norm2_ceiling == pytest.approx(np.append(0, np.cumsum(terms)))


def test_the_bounds_are_those_of_the_laws_by_hand() -> None:
    gamma, R2 = 0.5 / math.sqrt(7.25), 17.0
    bounds = {
        (): R2 / gamma**2,
        (("start", ((3.0,), 4.0)),): R2 / gamma**2 + 2 * 5 / gamma,
        (("start", ((3.0,), 4.0)), ("eta", 0.5)): R2 / gamma**2 + 2 * 5 / (0.5 * gamma),
        (("batch_size", 3),): 3 * R2 / gamma**2,
        (("batch_size", "all"),): 4 * R2 / gamma**2,
        (("rule", "fixed-margin"), ("beta", 2.0), ("eta", 0.5)): (R2 + 2 * 2 / 0.5) / gamma**2,
        (("rule", "margin"), ("beta", 0.1)): 2 * R2 / (gamma - 0.1) ** 2 + 2 * (math.sqrt(R2) + 0.1) / (gamma - 0.1),
        (("rule", "pa-1"), ("C", 0.01)): 100 / gamma**2,
    }
    for plan, bound in bounds.items():
        run = learn(*LINE, log=True, max_epochs=50, **dict(plan))  # type: ignore[arg-type]
        assert run.audit(BEST).checks[0].bound == pytest.approx(bound), plan
    for plan in ({"schedule": "1/k"}, {"sample_weight": [1, 2, 1, 1]}, {"rule": "margin", "beta": 0.2}):
        first = learn(*LINE, log=True, max_epochs=50, **plan).audit(BEST).checks[0]  # type: ignore[arg-type]
        assert (first.bound, bool(first.why)) == (None, True)
    three = Examples.of(np.eye(3), [0, 1, 2])
    found = learn(three, multiclass="direct", offset=0, log=True).audit([Hyperplane(e) for e in np.eye(3)])
    assert found.radius == pytest.approx(math.sqrt(2))
    assert found.margin == pytest.approx(1 / math.sqrt(3))  # 1, over the length of all three together
    assert found.checks[0].bound == pytest.approx(6)


@pytest.mark.slow
@pytest.mark.parametrize("x", [1.1])
def test_equality_in_law_nine_survives_fifty_thousand_roundings(x: float) -> None:
    run = learn([[x]], [1], rule="fixed-margin", beta=50_000 * x * x, offset=0, max_epochs=60_000, log=True)
    assert run.updates > 49_000
    assert standing(run.audit(Hyperplane([1.0])), "9").value == pytest.approx(x)


def test_law_six_takes_the_best_gamma_there_is() -> None:
    for seed in range(5):
        X, y = laws.reals(seed, n=100, noise=0.3)
        w = np.random.default_rng(seed).normal(size=14)
        found = learn(X, y, max_epochs=1, log=True).audit(Hyperplane(w[:-1], w[-1]))
        margins = y * (np.column_stack([X, np.ones(100)]) @ w) / np.linalg.norm(w)
        fine = np.geomspace(1e-4, 1e6, 4000)
        short = np.sqrt([(np.maximum(0, gamma - margins) ** 2).sum() for gamma in fine])
        assert standing(found, "6").bound <= ((found.radius + short) / fine).min() ** 2 * (1 + 1e-9)
        assert standing(found, "6").bound <= 100 * (1 + 1e-9)


@pytest.mark.parametrize("n", [1, 2, 7, 50])
def test_where_the_bound_is_reached_the_audit_says_so(n: int) -> None:
    run = learn(np.eye(n), np.ones(n), offset=0, log=True)
    found = run.audit(Hyperplane(np.ones(n)))
    assert standing(found, "1").value == n
    assert standing(found, "1").bound == pytest.approx(n)
    assert found.cosine[-1] == pytest.approx(1)


def test_the_radius_offset_has_a_law_of_its_own() -> None:
    found = learn(*LINE, offset="radius", log=True).audit(BEST)
    assert standing(found, "2").bound == pytest.approx((2 * 4 / 0.5) ** 2)
    assert standing(found, "2").value == 9


def test_with_one_class_alone_the_radius_offset_has_no_bound() -> None:
    found = learn([[1.0]], [1], offset="radius", log=True).audit(Hyperplane([1.0], 100.0))
    assert standing(found, "2").why == "only one class occurs"


@pytest.mark.parametrize("kind", ["ovr", "direct"])
def test_the_law_of_the_radius_offset_is_one_of_a_single_hyperplane(kind: str) -> None:
    """2R/γ speaks of one w and one b: of K outputs that move together nothing is said, of each by itself it is."""
    three = Examples.of(np.eye(3), [0, 1, 2])
    planes = [Hyperplane(2 * e - 1, 0.0) for e in np.eye(3)]
    run = learn(three, multiclass=kind, offset="radius", log=True, max_epochs=50)
    found = run.audit(planes) if kind == "direct" else run.audit(planes[1], output=1)
    laws_named = [s.law for s in found.checks]
    assert ("2" in laws_named) == (kind == "ovr")
    if kind == "ovr":  # R = 1 and γ = 1/√3, the un-augmented margin
        assert standing(found, "2").bound == pytest.approx(4 * 3)
        assert standing(found, "2").value == run.log.output.tolist().count(1)  # type: ignore[union-attr]


def test_a_hyperplane_through_a_row_has_no_margin_and_bounds_nothing_but_the_first_epoch() -> None:
    X, y = LINE
    run = learn(X, y, log=True)
    found = run.against(Hyperplane([-1.0], 2.0))  # the row 2 lies on it
    assert (found.margin, found.difficulty) == (0.0, math.inf)
    said = {s.law: (s.bound, s.why) for s in found.checks}
    for law in ("1", "3"):
        assert said[law] == (None, "it does not separate the rows")
    assert said["6"][0] is not None
    assert "against a difficulty R′/γ′ of inf" in repr(found)
    assert run.audit(Hyperplane([-1.0], 2.0)).checks[0].why == "it does not separate the rows"


def test_a_hyperplane_that_separates_nothing_still_bounds_the_first_epoch() -> None:
    """Law 6, against the best of many gammas."""
    X, y = laws.reals(9, n=300, noise=0.1)
    run = learn(X, y, max_epochs=4, log=True)
    w = np.linalg.lstsq(np.column_stack([X, np.ones(300)]), y, rcond=None)[0]
    found = run.audit(Hyperplane(w[:-1], w[-1]))
    assert found.margin < 0
    assert "does not separate" in standing(found, "1").why
    sixth = standing(found, "6")
    assert sixth.value == run.history.updates[0] <= sixth.bound
    margins = y * (np.column_stack([X, np.ones(300)]) @ w) / np.linalg.norm(w)
    for gamma in (0.01, 0.1, 0.5, 1.0, 3.0):
        short = math.sqrt((np.maximum(0, gamma - margins) ** 2).sum())
        assert sixth.bound <= ((found.radius + short) / gamma) ** 2 * 1.05


def test_a_clean_run_of_a_margin_rule_has_reached_its_margin() -> None:
    X, y, plane = separable(1)
    for rule, beta in (("margin", 0.1), ("fixed-margin", 5.0)):
        run = learn(X, y, rule=rule, beta=beta, log=True, max_epochs=5000)
        assert run.status.name == "clean"
        reached = next(s for s in run.audit(plane).checks if s.quantity == "margin reached")
        assert reached.at_least
        assert reached.value >= reached.bound > 0


def tampered(run: Run, **changes: Any) -> Run:
    assert run.log is not None
    return replace(run, log=replace(run.log, **changes))


def test_a_run_that_breaks_a_law_is_found_out() -> None:
    """What the library must never do, done to its log by hand."""
    X, y, plane = separable(2)
    run = learn(X, y, log=True)
    assert run.log is not None
    run.audit(plane)
    good = int(np.argmax(y * run.hyperplane.scores(X)))  # a row on which the last weights make no mistake
    row = run.log.row.copy()
    row[-1] = good
    with pytest.raises(LawBrokenError, match=r"law .* is broken .*please report"):
        tampered(run, row=row).audit(plane)
    step = run.log.step.copy()
    step[len(step) // 2] = 1e3
    with pytest.raises(LawBrokenError, match="is broken"):
        tampered(run, step=step).audit(plane)
    # A bound that does not hold is a broken law as well.
    low = replace(run, rule=replace(run.rule, bound=lambda s: 1.0))
    with pytest.raises(LawBrokenError, match=r"law 1 is broken: .*updates"):
        low.audit(plane)


def test_the_end_of_the_log_must_be_the_weights_of_the_run() -> None:
    X, y, plane = separable(2)
    run = learn(X, y, log=True)
    assert run.log is not None
    step = run.log.step.copy()
    step[-1] *= 1 + 1e-6
    with pytest.raises(LawBrokenError, match=r"law \(a\) is broken: u·\(w′ − w′₀\) is"):
        tampered(run, step=step).audit(plane)
    # So little that it cannot be seen along u is seen in the bits.
    step[-1] = np.nextafter(run.log.step[-1], 2)
    with pytest.raises(LawBrokenError, match="the log does not lead to the weights"):
        tampered(run, step=step).audit(plane)


def test_what_cannot_be_audited_says_why() -> None:
    X, y, plane = separable(2)
    run = learn(X, y, log=True)
    with pytest.raises(InputError, match=r"kept no log: learn\(\.\.\., log=True\)"):
        learn(X, y).audit(plane)
    with pytest.raises(InputError, match=r"1 hyperplane\(s\) of 3 weight\(s\); the run has 1 output\(s\) of 4"):
        run.audit(Hyperplane([1.0, 0, 0]))
    with pytest.raises(InputError, match="is no hyperplane"):
        run.audit(Hyperplane(np.zeros(4)))
    with pytest.raises(InputError, match="audit takes a Hyperplane"):
        run.audit(X)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="through the origin"):
        learn(X, y, offset=0, log=True, max_epochs=3).audit(plane)


def test_a_hyperplane_that_names_its_classes_is_turned_to_the_runs() -> None:
    X, y, plane = separable(2)
    run = learn(Examples.of(X, np.where(y > 0, "yes", "no")), log=True)
    straight, turned = Hyperplane(plane.w, plane.b, ("no", "yes")), Hyperplane(-plane.w, -plane.b, ("yes", "no"))
    assert run.audit(straight).margin == run.audit(turned).margin == run.audit(plane).margin > 0
    with pytest.raises(InputError, match=r"of the classes \['a', 'b'\], the run of \['no', 'yes'\]"):
        run.audit(Hyperplane(plane.w, plane.b, ("a", "b")))


def test_any_hyperplane_may_be_audited_even_the_worst() -> None:
    """With a margin below 0 law 3 turns round, and says nothing."""
    run = learn(*LINE, log=True)
    for w, b in ((-1.0, 0.0), (1.0, -2.5), (1.0, 0.0)):
        found = run.audit(Hyperplane([w], b))
        assert found.margin < 0
        assert np.isnan(found.cosine_floor).all()
    X, y, _ = separable(7)
    rng = np.random.default_rng(0)
    for _ in range(50):
        learn(X, y, log=True, eta=float(rng.uniform(0.1, 3))).audit(Hyperplane(rng.normal(size=4), rng.normal()))


def test_a_start_far_away_leaves_room_for_its_rounding() -> None:
    x = [0.1257302210933933, -0.1321048632913019]
    run = learn([x], [1], start=(-1e6 * np.array(x), 0.0), sample_weight=[1e-6], offset=0, max_epochs=3, log=True)
    assert run.audit(Hyperplane(x)).margin > 0


@pytest.mark.parametrize(("scale", "offset"), [(1e-155, 1.0), (1e-165, 0), (1e-320, 0)])
def test_what_is_too_small_to_square_is_not_audited(scale: float, offset: float) -> None:
    X = np.array([[1, 0.3], [0.4, -1.2], [-0.7, 0.9], [-1.1, -0.2]]) * scale
    run = learn(X, [1, 1, -1, -1], offset=offset, log=True, max_epochs=9)
    with pytest.raises(InputError, match="leave the range of float64"):
        run.audit(Hyperplane([1.0, -0.2]))


def test_numbers_beyond_float64_are_not_audited() -> None:
    X, y, plane = separable(2)
    run = learn(X, y, rule="delta", eta=10.0, log=True)
    assert run.hyperplane.norm > 1e160
    with pytest.raises(InputError, match="leave the range of float64"):
        run.audit(plane)


def exact_margin(X: np.ndarray, y: np.ndarray, w: np.ndarray, b: float, rho2: Fraction) -> tuple[Fraction, Fraction]:
    """The smallest m and ||w'||², exactly."""
    W = reference.vector(w.tolist())
    scores = [reference.dot(W, reference.vector(x)) + Fraction(b) for x in X.tolist()]
    return min(int(s) * m for s, m in zip(y, scores, strict=True)), reference.norm2(W, Fraction(b), rho2)


@pytest.mark.parametrize(("offset", "scale"), [(0, 1.0), (1.0, 1.0), (0, 1e-170), (1.0, 1e-130), (1.0, 1e120)])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_both_ends_of_the_bracket_hold_exactly(offset: float, form: Any, scale: float) -> None:
    for seed in range(6):
        X, y, plane = separable(seed, n=40, gap=0.05 if seed % 2 else 0.5)
        if offset == 0:
            X = X + np.outer(0.1 * np.ones(40), plane.w)
        X = X * scale
        run = learn(form(X), y, offset=offset * scale, max_epochs=30, log=True)
        found = run.margin_bracket()
        rho2 = Fraction(run.state.rho2)
        least, norm2 = exact_margin(X, y, run.hyperplane.w, run.hyperplane.b, rho2)
        low, high = Fraction(found.lower), Fraction(found.upper)
        # lower ≤ least/√norm2, squared with its sign.
        assert (low * abs(low)) * norm2 <= least * abs(least)
        # ‖Σ α y x'‖ ≤ upper·Σα.
        assert found.rows is not None
        assert found.multipliers is not None
        alpha = [Fraction(a) for a in found.multipliers.tolist()]
        point = [
            sum((a * int(y[i]) * Fraction(X[i, j]) for a, i in zip(alpha, found.rows, strict=True)), Fraction(0))
            for j in range(X.shape[1])
        ]
        shift = sum((a * int(y[i]) for a, i in zip(alpha, found.rows, strict=True)), Fraction(0))
        assert reference.dot(point, point) + shift * shift * rho2 <= high * high * sum(alpha) ** 2
        # And neither is far off: rounding outward costs next to nothing.
        if least > 0 and scale > 1e-150:  # below, the products of a score vanish
            assert (low * abs(low)) * norm2 >= least * abs(least) * (1 - Fraction(1, 10**9))
        assert found.upper <= run.history.margin_upper.min() * (1 + 1e-9)


def joint(X: np.ndarray, rows: Any, signs: Any, alpha: list[Fraction]) -> Fraction:
    """‖Σ α·s·(x, 1)‖², exactly; s a sign, or one for each class."""
    total: dict[tuple[int, int], Fraction] = {}
    for i, sign, a in zip(rows, signs, alpha, strict=True):
        for k, s in sign.items():
            for j, value in enumerate([*X[i].tolist(), 1.0]):
                total[k, j] = total.get((k, j), Fraction(0)) + a * s * Fraction(value)
    return sum((t * t for t in total.values()), Fraction(0))


def test_the_multipliers_are_a_witness_of_the_upper_bound_itself() -> None:
    for seed in range(20):
        X, y = laws.reals(seed, n=30, d=3, noise=0.3)
        found = learn(X, y, max_epochs=25, log=True).margin_bracket()
        alpha = [Fraction(a) for a in found.multipliers.tolist()]  # type: ignore[union-attr]
        signs = [{0: int(y[i])} for i in found.rows]  # type: ignore[union-attr]
        assert joint(X, found.rows, signs, alpha) <= (Fraction(found.upper) * sum(alpha)) ** 2
    rng = np.random.default_rng(0)
    for seed in range(10):
        X, labels = rng.normal(size=(30, 3)), rng.integers(0, 3, size=30)
        found = learn(Examples.of(X, labels), multiclass="direct", max_epochs=5 + seed, log=True).margin_bracket()
        alpha = [Fraction(a) for a in found.multipliers.tolist()]  # type: ignore[union-attr]
        signs = [{int(labels[i]): 1, int(r): -1} for i, r in zip(found.rows, found.rivals, strict=True)]  # type: ignore[arg-type]
        assert joint(X, found.rows, signs, alpha) <= (Fraction(found.upper) * sum(alpha)) ** 2


def test_the_bracket_holds_the_best_margin_and_closes_as_the_run_goes_on() -> None:
    best = 0.5 / math.sqrt(7.25)
    widths = []
    for epochs in (1, 10, 100, 1000):  # a margin just beyond reach: the run goes on for ever, and ever nearer
        found = learn(*LINE, rule="margin", beta=0.19, log=True, max_epochs=epochs).margin_bracket()
        assert found.lower <= best <= found.upper
        widths.append(found.upper - found.lower)
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.03 < widths[0]


def test_without_a_log_the_history_bounds_from_above() -> None:
    run = learn(*LINE)
    found = run.margin_bracket()
    assert found.upper == run.history.margin_upper.min()
    assert found.multipliers is None
    assert learn(*LINE, log=True).margin_bracket().upper <= found.upper


def test_a_bracket_claims_nothing_where_numbers_leave_float64() -> None:
    none = learn(np.array([[1e150, 1e150], [1e200, -1e200]]), [1, 1], offset=0, log=True)
    assert len(none.history) == 0
    assert none.margin_bracket().lower == -math.inf
    X = np.zeros((2, 4))
    X[0, :2], X[1, :2] = [1e200, -1e200], 1e150
    strange = learn(X, [1, -1], offset=0, start=([1e-100, 0, 0, 0], 0.0), log=True).margin_bracket()
    assert strange.lower == -math.inf
    for log in (False, True):
        large = learn(np.diag([1e-200] * 2), [1, 1], offset=0, eta=1e308, log=log).margin_bracket()
        assert large.lower <= 7.1e-201 <= large.upper


def test_the_best_readout_bounds_from_below() -> None:
    X, y, _ = separable(3)
    run = learn(X, y, log=True, readout=("last", "averaged", "pocket", "voted"))
    found = run.margin_bracket()
    margins = {name: run.read(name).hyperplane for name in ("last", "averaged", "pocket")}
    reached = {
        name: float((y * h.scores(X)).min()) / math.sqrt(h.norm**2 + h.b**2 / run.state.rho2)
        for name, h in margins.items()
    }
    assert found.readout == max(reached, key=lambda name: reached[name])
    assert found.lower == pytest.approx(max(reached.values()))


def test_inseparable_rows_have_a_bracket_below_zero_from_below() -> None:
    found = learn([[1, 1], [1, -1], [-1, 1], [-1, -1]], [1, -1, -1, 1], log=True).margin_bracket()
    assert found.lower <= 0
    assert 0 <= found.upper < 1e-14  # the hull holds the origin, as far as rounding outward can tell


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_the_bracket_of_many_classes(multiclass: str) -> None:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 3, size=90)
    X = 4 * np.eye(3, 5)[labels] + rng.normal(scale=0.3, size=(90, 5))
    run = learn(Examples.of(X, labels), multiclass=multiclass, log=True)
    assert run.status.name == "clean"
    for output in [None] if multiclass == "direct" else range(3):
        found = run.margin_bracket(output)
        assert 0 < found.lower < found.upper
        assert found.upper <= run.history.margin_upper.min() * (1 + 1e-12) or multiclass == "ovr"


def test_one_thing_is_audited_at_a_time() -> None:
    """Audits of runs with equal numbers give equal curves, whatever the storage."""
    X, y, plane = separable(4)
    X = np.round(X * 64) / 64
    audits = [learn(form(X), y, log=True).audit(plane) for form in (np.asarray, sp.csr_array, np.float32)]
    for a, b in itertools.pairwise(audits):
        np.testing.assert_allclose(a.progress, b.progress, rtol=1e-12)
        assert np.array_equal(a.norm2, b.norm2)


def test_the_bound_of_a_run_with_sample_weights_is_not_claimed() -> None:
    """Three updates against (R/γ)² = 2.99, with steps of their own weights: Novikoff speaks of equal steps."""
    X, y = [[-4.0, -5.0], [-4.0, 4.0], [-4.0, 4.0]], [-1, -1, -1]
    weighted = learn(X, y, offset=0, sample_weight=[0.1, 0.01, 0.1])
    assert weighted.updates == 3
    assert weighted.to_dict()["bound"] is None
    bound = learn(X, y, offset=0).to_dict()["bound"]
    assert bound["updates"] <= bound["most_updates"]


def test_a_run_stands_against_the_bound_of_its_own_last_weights() -> None:
    for seed in range(20):
        sample = datasets.separable(60, 3, margin=0.1, seed=seed)
        run = learn(sample.X, sample.y, order="shuffled", seed=seed)
        bound = run.to_dict()["bound"]
        assert run.updates == bound["updates"] <= bound["most_updates"]
        assert bound["least_bound"] <= bound["most_updates"] + 1
        R2 = max(float(x @ x) for x in sample.X) + 1
        plane = run.hyperplane
        size = math.sqrt(float(plane.w @ plane.w) + plane.b**2)
        assert bound["margin"] == pytest.approx(min(plane.functional_margins(sample.X, sample.y)) / size)
        assert bound["radius"] == pytest.approx(math.sqrt(R2))
