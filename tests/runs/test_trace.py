"""The trace: every round as the notes print it, as the oracle has it in fractions, and as the run's own bits."""

import csv
import io
import json
import re
from fractions import Fraction
from typing import Any

import laws
import numpy as np
import pytest
import reference
import scipy.sparse as sp
from gathered_source import GatheredSource

from rosenblatt import Examples, InputError, datasets, learn, rules
from rosenblatt.runs.trace import Trace
from rosenblatt.runs.visits import row_order, rows_met


def traced(name: str, **more: Any) -> Trace:
    sample = datasets.get(name)
    return learn(*sample, **{**sample.plan, **more}, log=True).trace()


def seen(trace: Trace, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(value.tolist() if name == "w" else value for name, value in zip(names, picked, strict=True))
            for picked in ([getattr(one, name) for name in names] for one in trace)]  # fmt: skip


# --- As the notes have it. ---


def test_s002_example_1_comes_out_as_it_is_printed() -> None:
    """Rounds 1 to 4: (0,0) → (4,0) → (3,−1) → (3,−1) → (1,−3), and c = 1, 1, 2, 1 as the voted perceptron counts."""
    trace = traced("four-in-the-plane", max_epochs=1)
    assert seen(trace, "round", "margin", "mistake", "w", "count") == [
        (1, 0, True, [4, 0], 1),
        (2, -4, True, [3, -1], 1),
        (3, 1, False, [3, -1], 2),
        (4, -4, True, [1, -3], 1),
    ]
    assert trace.to_dict()["before"] == {"w": [0.0, 0.0], "b": 0.0, "count": 1}


def test_s002_example_2_is_back_at_zero_after_four_mistakes() -> None:
    assert seen(traced("xor"), "mistake", "updated", "w", "count") == [
        (True, True, [1, 1], 1),
        (True, True, [0, 2], 1),
        (True, True, [1, 1], 1),
        (True, True, [0, 0], 1),
    ]


def test_s001_one_example_moves_the_weights_once() -> None:
    """w = (1, −1), b = 1 has the margin −1 on x = (1, 3); afterwards w = (2, 2), b = 2, and the margin is 10."""
    trace = traced("one-example")
    assert seen(trace, "score", "margin", "step", "w", "b") == [(-1, -1, 1, [2, 2], 2), (10, 10, 0, [2, 2], 2)]
    assert trace.to_dict()["before"]["w"] == [1, -1]


def test_s003_other_steps_end_at_other_separators() -> None:
    """From (−1, 0) with steps of ½: two mistakes, to (−½, ½) and (½, 1); the rest is right."""
    trace = traced("eight-in-the-plane", start=([-1, 0], 0), eta=0.5, max_epochs=1)
    learnt = [one for one in seen(trace, "updated", "row", "margin", "w") if one[0]]
    assert learnt == [(True, 0, -1, [-0.5, 0.5]), (True, 2, -0.5, [0.5, 1])]


# --- As the oracle has it. ---


@pytest.mark.parametrize("batch_size", [1, 3, "all"])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
@pytest.mark.parametrize("rule", ["perceptron", "fixed-margin", "target-output"])
def test_every_round_is_the_oracles(rule: str, order: str, batch_size: Any) -> None:
    chance = np.random.default_rng(3)
    X, y = chance.integers(-4, 5, (11, 3)).astype(float), chance.choice([-1, 1], 11)
    beta = {"beta": 2.0} if rule == "fixed-margin" else {}
    how: dict[str, Any] = {"batch_size": batch_size, "max_epochs": 4}
    run = learn(X, y, rule=rule, order=order, seed=5, log=True, offset=2, **how, **beta)
    exact = reference.learn(
        X.tolist(), y.tolist(), update=reference.rule(rule, beta=2), rho2=4,
        visits=lambda epoch: row_order(order, 5, epoch, 11).tolist(), **how,
    )  # fmt: skip
    trace, moments = run.trace(), np.repeat(np.arange(len(exact.survival)), exact.survival).tolist()
    steps = {one.visit: one for one in exact.log}
    assert len(trace) == 11 * len(exact.epochs) == len(moments) - 1
    for one in trace:
        (before, b), (w, after) = exact.weights[moments[one.round - 1]], exact.weights[moments[one.round]]
        met = reference.dot(before, reference.vector(X[one.row])) + b
        assert (one.score, one.margin) == (met, met * int(y[one.row]))
        assert one.mistake == (one.margin <= 0)
        assert ([Fraction(v) for v in one.w], Fraction(one.b)) == (list(w), after)
        assert one.updated == (one.round in steps)
        assert one.step == (steps[one.round].tau if one.updated else 0)
        assert one.label == y[one.row]
        assert one.count == one.round + 1 - moments.index(moments[one.round])


# --- To the bit. ---


def bits(trace: Trace, run: Any, output: int | None) -> None:
    """The weights of the last round are the state's, those of each change the trajectory's."""
    path, one = run.trajectory(output), output if output is not None else slice(None)
    last = trace[-1]
    assert np.array_equal(last.w, run.state.weights[:, one].reshape(last.w.shape))
    assert np.array_equal(np.asarray(last.b), run.state.offsets[one].reshape(np.shape(last.b)))
    births = path.births.tolist()
    for change, born in enumerate(births[1:], 1):
        W, b = path.weights(change)
        assert np.array_equal(trace[born - 1].w.reshape(W.shape), W)
        assert np.array_equal(np.ravel(trace[born - 1].b), b)
        assert trace[born - 1].count == 1


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("batch_size", [1, 7])
@pytest.mark.parametrize("rule", [name for name in rules.names() if rules.get(name).additive])
def test_the_weights_are_the_runs_own(rule: str, batch_size: int, form: Any) -> None:
    batch_size = batch_size if rules.get(rule).batches else 1
    X, y = laws.reals(4, n=60, d=5)
    eta = 0.01 if rule == "delta" else 1.0
    weight = np.random.default_rng(1).uniform(0.5, 2, 60)
    run = learn(
        form(X), y, rule=rule, eta=eta, order="shuffled", batch_size=batch_size, max_epochs=3, log=True,
        sample_weight=weight, **laws.parameters(rule),
    )  # fmt: skip
    trace = run.trace()
    bits(trace, run, None)
    ends = [trace[60 * k : 60 * (k + 1)] for k in range(run.epochs)]
    assert [sum(one.mistake for one in some) for some in ends] == run.history.mistakes.tolist()
    assert [sum(one.updated for one in some) for some in ends] == run.history.updates.tolist()
    assert trace.step[trace.updated].tolist() == run.log.step.tolist()


def test_batches_that_span_chunks_are_the_runs_own_too() -> None:
    X, y = laws.reals(2, n=9000, d=3)
    run = learn(X, y, batch_size=5000, max_epochs=2, log=True)
    trace = run.trace(first=9000, most=9001)
    assert np.array_equal(trace[-1].w, run.state.weights[:, 0])
    assert trace[-1].b == run.state.offsets[0]


@pytest.mark.parametrize("multiclass", ["ovr", "direct"])
def test_of_more_classes_each_output_or_all_together(multiclass: str) -> None:
    sample = datasets.iris()
    run = learn(sample.examples(), multiclass=multiclass, order="shuffled", max_epochs=2, log=True)
    for output in range(3) if multiclass == "ovr" else [None]:
        trace = run.trace(output=output)
        bits(trace, run, output)
        assert trace[0].label in sample.class_names
        wrong = [one for one in trace if one.mistake != (one.margin <= 0)]
        assert wrong == []
    if multiclass == "direct":
        assert sum(one.mistake for one in trace) == run.history.mistakes.sum()
        with pytest.raises(InputError, match="leave it out"):
            run.trace(output=1)
    else:
        mistakes = sum(run.trace(output=k).mistake.sum() for k in range(3))
        assert mistakes == run.history.mistakes.sum()
        with pytest.raises(InputError, match="each class of one-vs-rest goes its own way"):
            run.trace()


def test_of_rows_that_are_not_in_memory_the_same() -> None:
    X, y = laws.reals(4, n=5000, d=4)
    here, there = (learn(source, order="shuffled", max_epochs=2, log=True)
                   for source in (Examples.signed(X, y), GatheredSource(X, y)))  # fmt: skip
    assert here.trace(4900, 500).to_csv() == there.trace(4900, 500).to_csv()


def test_a_given_order_is_followed() -> None:
    X, y = laws.reals(1, n=5, d=2)
    orders = [[4, 3, 2, 1, 0], [0, 2, 4, 1, 3]]
    trace = learn(X, y, order=orders, max_epochs=3, log=True, rule="delta", eta=0.01).trace()
    assert trace.row.tolist() == [*orders[0], *orders[1], *orders[0]]
    assert trace.epoch.tolist() == [1] * 5 + [2] * 5 + [3] * 5


@pytest.mark.parametrize("n", [1, 5, 4096, 9001])
def test_the_rows_met_are_those_of_the_orders_of_the_epochs(n: int) -> None:
    whole = np.concatenate([row_order("shuffled", 7, epoch, n) for epoch in (1, 2, 3)])
    for first, last in ((1, 3 * n), (n, n + 1), (n + 1, 2 * n), (2 * n, 3 * n), (3 * n, 3 * n), (1, 1)):
        assert rows_met("shuffled", 7, n, first, last).tolist() == whole[first - 1 : last].tolist()
    middle = n + n // 2 + 1
    assert rows_met("shuffled", 7, n, middle, middle).tolist() == [whole[middle - 1]]
    assert rows_met("cyclic", 7, n, 1, n + 1).tolist() == [*range(n), 0]


# --- Pages, and forms. ---


def test_a_page_is_a_part_of_the_whole_and_says_of_how_much() -> None:
    X, y = laws.reals(4, n=60, d=5)
    run = learn(X, y, max_epochs=3, log=True, batch_size=4)
    whole, page = run.trace(), run.trace(first=31, most=20)
    assert repr(page) == "<Trace: rounds 31 to 50 of 180>"
    assert page.to_dict()["rounds"] == "rounds 31 to 50 of 180"
    assert (page.to_dict()["first"], page.to_dict()["last"], page.to_dict()["total"]) == (31, 50, 180)
    assert str(page).startswith("Rounds 31 to 50 of 180: perceptron, cyclic order, batches of 4.")
    assert page.to_dict()["listed"] == whole.to_dict()["listed"][30:50]
    before = whole.to_dict()["listed"][29]
    assert page.to_dict()["before"] == {name: before[name] for name in ("w", "b", "count")}
    assert run.trace(first=180).round.tolist() == [180]
    assert [one.round for one in whole[2:4]] == [3, 4]
    assert whole[-1].round == 180


def test_a_thousand_rounds_unless_more_are_asked_for() -> None:
    X, y = laws.reals(4, n=600, d=2)
    run = learn(X, y, max_epochs=2, log=True, rule="delta", eta=1e-3)
    assert repr(run.trace()) == "<Trace: rounds 1 to 1000 of 1200>"
    assert len(run.trace(most=10**6)) == 1200


def test_csv_json_and_frame_say_the_same() -> None:
    sample = datasets.iris()
    trace = learn(sample.examples(), order="shuffled", max_epochs=1, log=True).trace(most=40, output=1)
    head, *rows = list(csv.reader(io.StringIO(trace.to_csv())))
    assert head == ["round", "epoch", "row", "label", "score", "margin", "mistake", "updated", "step",
                    *(f"w_{name}" for name in sample.feature_names or ()), "b", "count"]  # fmt: skip
    assert [[float(x) for x in row[9:13]] for row in rows] == [one.w.tolist() for one in trace]
    assert [row[3] for row in rows] == sample.labels[trace.row].tolist()
    listed = json.loads(json.dumps(trace.to_dict(), allow_nan=False))["listed"]
    assert [entry["w"] for entry in listed] == [one.w.tolist() for one in trace]
    frame = trace.to_frame()
    assert list(frame.columns) == head
    assert frame["w_petal width (cm)"].tolist() == [one.w[3] for one in trace]
    assert frame["mistake"].tolist() == [one.mistake for one in trace]


def test_nobody_sees_a_negative_zero() -> None:
    run = learn([[-1.0, 0.0], [1.0, 0.0]], [1, -1], log=True, offset=0, start=([-0.0, -0.0], 0), max_epochs=2)
    trace = run.trace()
    said = [str(trace), trace.to_csv(), json.dumps(trace.to_dict()), repr(trace[0].w), trace.to_frame().to_string()]
    said += [repr(run.hyperplane), str(run.history), json.dumps(run.to_dict()), repr(run.trajectory().losses(1))]
    assert [text for text in said if re.search(r"-0(\.0*)?(?![\d.])", text)] == []


def test_the_table_fits_and_says_which_weights_it_leaves_out() -> None:
    sample = datasets.breast_cancer()
    run = learn(sample.examples(), max_epochs=1, log=True, order="shuffled")
    lines = str(run.trace(most=30)).splitlines()
    assert max(map(len, lines)) <= 80
    assert "Weights: none of 30; CSV and JSON have all." in " ".join(lines[:2])
    assert "CSV and JSON have all" in " ".join(lines[:3])
    wide = learn(np.full((2, 3), 1e200) * [[1], [-1.0]], [1, -1], log=True, max_epochs=1, eta=1e-5)
    assert max(map(len, str(wide.trace()).splitlines())) <= 80


# --- What cannot be had. ---


def test_what_cannot_be_told_is_refused_by_name() -> None:
    X, y = laws.reals(4, n=20, d=2)
    with pytest.raises(InputError, match=r"a trace needs the log of the run: learn\(\.\.\., log=True\)"):
        learn(X, y, max_epochs=2).trace()
    run = learn(X, y, max_epochs=2, log=True)
    for first in (0, -1, 1.5, "one"):
        with pytest.raises(InputError, match="first must be a whole number >= 1"):
            run.trace(first=first)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="first=41: the run has 40 rounds; expected one of them"):
        run.trace(first=41)
    with pytest.raises(InputError, match="most must be a whole number >= 1"):
        run.trace(most=0)
    with pytest.raises(InputError, match="the log begins after 40 rows"):
        learn(X, y, max_epochs=3, log=True, start=run.state).trace()
    with pytest.raises(InputError, match="leave it out"):
        run.trace(output=0)


def test_a_run_that_went_on_is_told_from_its_start() -> None:
    X, y = laws.reals(4, n=20, d=2)
    whole = learn(X, y, max_epochs=4, log=True, order="shuffled")
    half = learn(X, y, max_epochs=2, log=True, order="shuffled")
    assert learn(X, y, max_epochs=4, log=True, order="shuffled", start=half).trace().to_csv() == whole.trace().to_csv()


def test_rows_that_changed_are_noticed() -> None:
    X, y = laws.reals(4, n=20, d=2)
    run = learn(X, y, max_epochs=2, log=True)
    X[3] += 1
    with pytest.raises(InputError, match="changed since"):
        run.trace()


def test_weights_that_do_not_fit_are_refused_with_how_many_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rosenblatt.runs.trace._MOST_NUMBERS", 20)
    X, y = laws.reals(4, n=60, d=5)
    run = learn(X, y, max_epochs=1, log=True)
    with pytest.raises(InputError, match=r"do not fit into memory at once; expected fewer rounds: most=4"):
        run.trace()
    assert len(run.trace(most=3)) == 3
