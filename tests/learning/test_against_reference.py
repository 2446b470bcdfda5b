"""The package against the exact oracle of reference.py: every rule, order, batch, offset scale and start.

Small integers and dyadic steps make float64 arithmetic exact, so there the two must agree bit for bit (==).
Where a step itself must round (passive-aggressive, delta, eta/k) they agree to 1e-9 and in every decision;
data on which an exact margin sits on its threshold are not drawn, since rounding may then decide either way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
import reference
import scipy.sparse
from reference import Trace

import rosenblatt
from rosenblatt import Run
from rosenblatt.runs.visits import row_order

TIME_BUDGET = 60

SEEDS = range(3)
ORDERS = ["cyclic", "shuffled"]
OFFSETS: list[Any] = [0, 1, 2, "radius"]
BATCHES: list[Any] = [1, 3, "all"]
ETAS = [1.0, 0.5, 2.0, 0.25]
PARAMETERS = {
    "margin": {"beta": 0.5},
    "fixed-margin": {"beta": 3.0},
    "relative-margin": {"beta": 0.75},
    "dynamic-margin": {"beta": 0.625},
    "pa-1": {"C": 0.0625},
    "pa-2": {"C": 0.25},
}
NAMES = [name for name in rosenblatt.rules.names() if rosenblatt.rules.get(name).additive]  # the others: test_bets.py


def exact(name: str) -> bool:
    """Is the step a constant?  Then integers stay integers, and nothing is ever rounded."""
    update = reference.rule(name)
    return update.g == 0 and update.p == 0


EXACT = [name for name in NAMES if name in reference.RULES and exact(name)]
ROUNDED = [name for name in NAMES if name in reference.RULES and not exact(name)]
SCALED = [name for name in NAMES if name in reference.RULES and reference.rule(name).scaled]
UNSCALED = [name for name in ROUNDED if name not in SCALED]


@dataclass(frozen=True)
class Sample:
    rows: list[tuple[int, ...]]
    y: list[int]
    weight: list[float]
    start: tuple[list[float], float]

    def rho2(self, offset: Any) -> int:
        return max(sum(v * v for v in x) for x in self.rows) if offset == "radius" else offset**2


def draw(seed: int) -> Sample:
    """Seven to ten integer rows: half of the seeds label them by a line, half at random."""
    random = Random(seed)
    d, n = random.choice([2, 3]), random.randint(7, 10)
    rows = [tuple(random.randint(-3, 3) for _ in range(d)) for _ in range(n)]
    line = [random.randint(-2, 2) for _ in range(d + 1)]
    side = [sum(a * v for a, v in zip(line, (*x, 1), strict=True)) > 0 for x in rows]
    y = [1 if (s if seed % 2 else random.random() < 0.5) else -1 for s in side]
    y[:2] = [1, -1]  # both classes occur
    weight = [random.choice([0.0, 0.5, 1.0, 2.0]) for _ in rows]
    start = ([float(random.randint(-2, 2)) for _ in range(d)], float(random.randint(-3, 3)))
    return Sample(rows, y, weight, start)


def visits(order: str, seed: int, n: int) -> Callable[[int], list[int]]:
    return lambda epoch: [int(i) for i in row_order(order, seed, epoch, n)]


@dataclass(frozen=True)
class Case:
    """One way to learn, said once and given to both sides."""

    name: str
    order: str = "cyclic"
    batch_size: int | str = 1
    offset: Any = 1
    start: str = "zero"
    eta: float = 1.0
    schedule: str | Callable[[int], float] = "constant"
    weighted: bool = False
    max_epochs: int = 8
    seed: int = 0

    def start_of(self, sample: Sample) -> tuple[list[float], float] | None:
        if self.start == "zero" or rosenblatt.rules.get(self.name).from_zero:
            return None
        return sample.start if self.offset else (sample.start[0], 0.0)  # through the origin there is no b

    def by_package(self, sample: Sample, X: Any = None, **more: Any) -> Run:
        return rosenblatt.learn(
            np.array(sample.rows, dtype=float) if X is None else X,
            np.array(sample.y),
            rule=self.name,
            order=self.order,
            batch_size=self.batch_size,
            offset=self.offset,
            start=self.start_of(sample),
            max_epochs=self.max_epochs,
            sample_weight=np.array(sample.weight) if self.weighted else None,
            seed=self.seed,
            **({"eta": self.eta, "schedule": self.schedule} if reference.rule(self.name).scaled else {}),
            **PARAMETERS.get(self.name, {}),
            **more,
        )

    def by_reference(self, sample: Sample, max_epochs: int | None = None) -> Trace:
        return reference.learn(
            sample.rows,
            sample.y,
            update=reference.rule(self.name, **PARAMETERS.get(self.name, {})),
            visits=visits(self.order, self.seed, len(sample.rows)),
            batch_size=self.batch_size,
            rho2=sample.rho2(self.offset),
            start=self.start_of(sample),
            eta=self.eta,
            schedule=self.schedule,
            sample_weight=sample.weight if self.weighted else None,
            max_epochs=max_epochs or self.max_epochs,
        )

    def clear_sample(self) -> Sample:
        """The first sample on which no exact margin comes near its threshold, so rounding cannot decide."""
        for attempt in count():
            sample = draw(self.seed + 1000 * attempt)
            if self.by_reference(sample).nearest > 1e-9:
                return sample
        raise AssertionError


def floats(values: Any) -> list[float]:
    return [float(v) for v in values]


def check_same(actual: Any, wanted: Any, exactly: bool) -> None:
    if exactly:
        assert np.asarray(actual).tolist() == floats(wanted)
    else:
        np.testing.assert_allclose(np.asarray(actual, dtype=float), floats(wanted), rtol=1e-9, atol=1e-9)


def check_run(run: Run, trace: Trace, exactly: bool) -> None:
    """Weights, counts, losses and log of a run are the oracle's."""
    assert run.epochs == len(trace.epochs)
    assert (run.status.name == "clean") == trace.clean
    assert run.history.mistakes.tolist() == [epoch.mistakes for epoch in trace.epochs]
    assert run.history.updates.tolist() == [epoch.updates for epoch in trace.epochs]
    check_same(run.history.perceptron_loss, [epoch.perceptron_loss for epoch in trace.epochs], exactly)
    check_same(run.history.squared_loss, [epoch.squared_loss for epoch in trace.epochs], exactly)
    check_same(run.hyperplane.w, trace.w, exactly)
    check_same([run.hyperplane.b], [trace.b], exactly)
    assert run.log.row.tolist() == [entry.row for entry in trace.log]
    assert run.log.visit.tolist() == [entry.visit for entry in trace.log]
    assert run.log.change.tolist() == [entry.change for entry in trace.log]
    check_same(run.log.step, [entry.tau for entry in trace.log], exactly)


def check_case(case: Case, sample: Sample, exactly: bool) -> Run:
    run = case.by_package(sample, log=True)
    # A loop may end a run early; the oracle does not stop there, so it gets the epochs that were run.
    trace = case.by_reference(sample, max_epochs=run.epochs)
    check_run(run, trace, exactly)
    averaged = case.by_package(sample, readout="averaged").hyperplane
    w, b = trace.average  # an average divides, so it rounds
    np.testing.assert_allclose(averaged.w, floats(w), rtol=1e-9, atol=1e-12)
    assert averaged.b == pytest.approx(float(b), rel=1e-9, abs=1e-12)
    if run.status.name == "loop" and exactly:
        assert trace.repeated is not None
    if run.status.name == "budget":
        assert run.epochs == case.max_epochs
    return run


def test_the_reference_knows_every_rule() -> None:
    assert set(NAMES) <= set(reference.RULES)
    assert set(EXACT) | set(ROUNDED) == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_rule_is_the_numbers_of_the_notes(name: str) -> None:
    mine = reference.rule(name, **PARAMETERS.get(name, {}))
    rule = rosenblatt.rules.get(name)
    assert set(rule.parameters) == set(PARAMETERS.get(name, {}))
    update = rule.update(**PARAMETERS.get(name, {}))
    for field in ("beta", "share", "strict", "e", "g", "p", "q"):
        assert float(getattr(update, field)) == float(getattr(mine, field)), field
    assert float(update.theta0) == (float("inf") if mine.theta0 is None else mine.theta0)
    assert float(update.cap) == (float("inf") if mine.cap is None else mine.cap)
    assert rule.uses_eta == mine.scaled
    assert (rule.unit == "median") == mine.relative


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("start", ["zero", "given"])
@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("batch_size", BATCHES)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", EXACT)
def test_exact_rules_agree_bit_for_bit(
    name: str, order: str, batch_size: Any, offset: Any, start: str, seed: int
) -> None:
    case = Case(name, order, batch_size, offset, start, eta=ETAS[seed % len(ETAS)], seed=seed)
    # b/R is irrational unless b is a multiple of R^2, so a given b makes the margin rule's threshold round.
    rounds = name == "margin" and offset == "radius" and start == "given"
    check_case(case, case.clear_sample() if rounds else draw(seed), exactly=True)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("start", ["zero", "given"])
@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", UNSCALED)
def test_passive_aggressive_rules_agree_closely(name: str, order: str, offset: Any, start: str, seed: int) -> None:
    case = Case(name, order, 1, offset, start, max_epochs=4, seed=seed)
    check_case(case, case.clear_sample(), exactly=False)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("start", ["zero", "given"])
@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("batch_size", BATCHES)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", [name for name in ROUNDED if name in SCALED])
def test_rules_whose_step_depends_on_the_margin_agree_closely(
    name: str, order: str, batch_size: Any, offset: Any, start: str, seed: int
) -> None:
    # eta = 1/64 is well below 2/R'^2, so the delta rule does not blow rounding up.
    case = Case(name, order, batch_size, offset, start, eta=1 / 64, max_epochs=4, seed=seed)
    check_case(case, case.clear_sample(), exactly=False)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("offset", [0, 1])
@pytest.mark.parametrize("batch_size", BATCHES)
@pytest.mark.parametrize("schedule", ["1/k", "1/sqrt(k)"])
@pytest.mark.parametrize("name", SCALED)
def test_falling_steps_agree_closely(name: str, schedule: str, batch_size: Any, offset: Any, seed: int) -> None:
    eta = 1 / 64 if name in ROUNDED else 0.5
    case = Case(name, "shuffled", batch_size, offset, "given", eta, schedule, max_epochs=4, seed=seed)
    check_case(case, case.clear_sample(), exactly=False)


@pytest.mark.slow
@pytest.mark.parametrize("start", ["zero", "given"])
@pytest.mark.parametrize("batch_size", BATCHES)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", EXACT)
def test_survival_counts_the_moments_of_each_weight_vector(name: str, order: str, batch_size: Any, start: str) -> None:
    """One count for the weights before each change and one for the last; every moment 0..T is counted once."""
    case, sample = Case(name, order, batch_size, start=start), draw(0)
    run = case.by_package(sample, log=True)
    trace = case.by_reference(sample, max_epochs=run.epochs)
    assert len(run.log.survival) == run.state.changes + 1
    assert run.log.survival.sum() == run.state.visited + 1
    assert run.log.survival.tolist() == trace.survival


@pytest.mark.parametrize("batch_size", BATCHES)
@pytest.mark.parametrize("name", EXACT)
def test_a_schedule_of_ones_own_scales_change_k(name: str, batch_size: Any) -> None:
    case = Case(name, batch_size=batch_size, schedule=lambda k: 2.0 ** -min(k, 9), eta=2.0, seed=1)
    check_case(case, draw(1), exactly=True)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("batch_size", BATCHES)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", EXACT)
def test_sample_weights_multiply_exact_steps(name: str, order: str, batch_size: Any, seed: int) -> None:
    case = Case(name, order, batch_size, weighted=True, seed=seed)
    check_case(case, draw(seed), exactly=True)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", ROUNDED)
def test_sample_weights_multiply_rounded_steps(name: str, seed: int) -> None:
    case = Case(name, "shuffled", weighted=True, eta=1 / 64, max_epochs=4, seed=seed)
    check_case(case, case.clear_sample(), exactly=False)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("container", ["float32", "csr", "int"])
def test_the_container_of_the_rows_does_not_matter(container: str, name: str, seed: int) -> None:
    case, sample = Case(name, "shuffled", 3, "radius", seed=seed), draw(seed)
    dense = np.array(sample.rows, dtype="int64" if container == "int" else "float32")
    X = scipy.sparse.csr_matrix(dense.astype(float)) if container == "csr" else dense
    run = case.by_package(sample, X=X, log=True)
    check_run(run, case.by_reference(sample, max_epochs=run.epochs), exactly=True)


@pytest.mark.parametrize("name", NAMES)
def test_a_row_of_zeros_through_the_origin(name: str) -> None:
    """It has ||x'|| = 0: a passive-aggressive step has a zero denominator, so there is no update."""
    sample = Sample([(0, 0), (2, 1), (-1, 1)], [1, 1, -1], [1.0] * 3, ([0.0, 0.0], 0.0))
    case = Case(name, offset=0, eta=1 / 64, max_epochs=2)
    check_case(case, sample, exactly=exact(name))


@pytest.mark.parametrize("name", [name for name in EXACT if not reference.rule(name).share])
@pytest.mark.parametrize("seed", range(6))
def test_whatever_repeats_is_found_to_loop(name: str, seed: int) -> None:
    """Brent's search needs at most a few times as many epochs as the first repeat took."""
    case = Case(name, seed=seed)
    sample = draw(2 * seed)
    trace = case.by_reference(sample, max_epochs=60)
    run = Case(name, seed=seed, max_epochs=300).by_package(sample)
    assert trace.clean or trace.repeated is not None or run.epochs > 60
    if trace.clean:
        assert run.status.name == "clean"
    elif trace.repeated is not None:
        assert run.status.name == "loop"
        assert trace.repeated <= run.epochs <= 4 * trace.repeated + 4


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("offset", OFFSETS)
def test_history_and_state_carry_the_same_counts(order: str, offset: Any) -> None:
    sample, case = draw(4), Case("perceptron", order, 3, offset, "given")
    run = case.by_package(sample)
    trace = case.by_reference(sample, max_epochs=run.epochs)
    n = len(sample.rows)
    assert run.history.epoch.tolist() == list(range(1, run.epochs + 1))
    assert run.history.error_rate.tolist() == [epoch.mistakes / n for epoch in trace.epochs]
    assert run.updates == run.state.updates == len(trace.log)
    assert run.state.changes == len(trace.weights) - 1
    assert run.state.visited == n * run.epochs
    assert run.state.weights.tolist() == [[float(v)] for v in trace.w]
    assert run.state.offsets.tolist() == [float(trace.b)]
    squared = reference.dot(trace.w, trace.w)
    assert run.history.norm[-1] == pytest.approx(sqrt(squared), rel=1e-15)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("n", [1, 5, 4097])
def test_the_order_visits_every_row_once(order: str, n: int) -> None:
    for epoch in (1, 2):
        rows = visits(order, 7, n)(epoch)
        assert sorted(rows) == list(range(n))
        assert order == "shuffled" or rows == list(range(n))


@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_start_is_a_given_start(seed: int, offset: Any) -> None:
    """Rows of weight zero leave the start as it is, which makes it observable."""
    sample = draw(seed)
    X, y, n = np.array(sample.rows, dtype=float), np.array(sample.y), len(sample.rows)
    still = rosenblatt.learn(X, y, start="random", seed=seed, offset=offset, sample_weight=np.zeros(n))
    w, b = still.hyperplane.w, still.hyperplane.b
    assert w.any()
    assert offset or b == 0
    random = rosenblatt.learn(X, y, start="random", seed=seed, offset=offset, max_epochs=12)
    given = rosenblatt.learn(X, y, start=(w, b), seed=seed, offset=offset, max_epochs=12)
    assert random.hyperplane.w.tolist() == given.hyperplane.w.tolist()
    assert random.hyperplane.b == given.hyperplane.b
    assert random.history.updates.tolist() == given.history.updates.tolist()


# More than two classes


def three_classes(seed: int) -> tuple[list[tuple[int, ...]], list[int]]:
    random = Random(seed)
    rows = [(random.randint(-3, 3), random.randint(-3, 3)) for _ in range(9)]
    codes = [0, 1, 2, *(random.randrange(3) for _ in rows[3:])]
    if seed % 2:  # three pulled corners, which are separable
        corners = [(9, 0), (-6, 8), (-6, -8)]
        rows = [(x[0] + corners[c][0], x[1] + corners[c][1]) for x, c in zip(rows, codes, strict=True)]
    return rows, codes


def examples(rows: list[tuple[int, ...]], codes: list[int]) -> Any:
    return rosenblatt.Examples.of(np.array(rows, dtype=float), np.array(codes))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("batch_size", BATCHES)
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", EXACT)
def test_one_against_the_rest_is_one_binary_run_a_class(name: str, order: str, batch_size: Any, seed: int) -> None:
    rows, codes = three_classes(seed)
    how = {"rule": name, "order": order, "batch_size": batch_size, "seed": seed, "max_epochs": 8}
    how |= PARAMETERS.get(name, {})
    run = rosenblatt.learn(examples(rows, codes), multiclass="ovr", **how)
    traces = reference.learn_ovr(
        rows,
        codes,
        update=reference.rule(name, **PARAMETERS.get(name, {})),
        visits=visits(order, seed, len(rows)),
        batch_size=batch_size,
        max_epochs=run.epochs,
    )
    assert [len(trace.epochs) for trace in traces] == [run.epochs] * 3
    assert (run.status.name == "clean") == all(trace.clean for trace in traces)
    assert [plane.w.tolist() for plane in run.hyperplanes] == [floats(trace.w) for trace in traces]
    assert [plane.b for plane in run.hyperplanes] == [trace.b for trace in traces]
    assert run.updates == sum(len(trace.log) for trace in traces)
    averaged = rosenblatt.learn(examples(rows, codes), multiclass="ovr", readout="averaged", **how).hyperplanes
    for plane, trace in zip(averaged, traces, strict=True):
        w, b = trace.average
        np.testing.assert_allclose([*plane.w, plane.b], floats([*w, b]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("offset", [0, 1, 2])
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", EXACT)
def test_the_direct_rule_agrees_bit_for_bit(name: str, order: str, offset: int, seed: int) -> None:
    rows, codes = three_classes(seed)
    how = {"rule": name, "order": order, "offset": offset, "seed": seed, "max_epochs": 8}
    run = rosenblatt.learn(examples(rows, codes), multiclass="direct", **how, **PARAMETERS.get(name, {}))
    W, epochs = reference.learn_direct(
        rows,
        codes,
        update=reference.rule(name, **PARAMETERS.get(name, {})),
        visits=visits(order, seed, len(rows)),
        rho2=offset**2,
        max_epochs=run.epochs,
    )
    assert run.epochs == len(epochs)
    assert [[*plane.w, plane.b] for plane in run.hyperplanes] == [floats(v) for v in W]
    assert run.history.mistakes.tolist() == [epoch.mistakes for epoch in epochs]
    assert run.history.updates.tolist() == [epoch.updates for epoch in epochs]


@pytest.mark.parametrize("name", UNSCALED)
def test_the_direct_rule_counts_the_squared_norm_twice(name: str) -> None:
    rows, codes = [(2, 1), (-1, 3), (1, -2)], [2, 0, 1]
    run = rosenblatt.learn(
        examples(rows, codes), rule=name, multiclass="direct", max_epochs=1, **PARAMETERS.get(name, {})
    )
    W, _ = reference.learn_direct(rows, codes, update=reference.rule(name, **PARAMETERS.get(name, {})), max_epochs=1)
    np.testing.assert_allclose([[*p.w, p.b] for p in run.hyperplanes], [floats(v) for v in W], rtol=1e-12)


def test_a_direct_passive_aggressive_step_beats_its_rival_by_one() -> None:
    rows, codes = [(2, 1), (-1, 3), (1, -2)], [0, 1, 2]
    weight = np.array([1.0, 0.0, 0.0])  # only row 0 moves anything; at zero scores its rival is class 1
    run = rosenblatt.learn(
        examples(rows, codes), rule="passive-aggressive", multiclass="direct", sample_weight=weight, max_epochs=1
    )
    own, rival, other = (float(plane.scores(np.array([[2.0, 1.0]]))[0]) for plane in run.hyperplanes)
    assert own - rival == pytest.approx(1.0)
    assert other == 0
