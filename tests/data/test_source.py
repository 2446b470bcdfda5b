"""Where the rows are is no matter: a source in pieces gives the bytes that the rows in memory give."""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import laws
import numpy as np
import pytest
import scipy.sparse as sp
from gathered_source import GatheredSource

from rosenblatt import Examples, InputError, Run, _core, learn, rules
from rosenblatt.data.rows import matrix_of, rows_of
from rosenblatt.data.scans import column_lengths, survey
from rosenblatt.data.source import CHUNK, TakenRows, Visit
from rosenblatt.models import records
from rosenblatt.models.build import model_of_run
from rosenblatt.runs.state import OutputState, State, Tally

N, D = 2 * CHUNK + 901, 5


TIME_BUDGET = 60


def data(form: str, classes: int) -> tuple[Any, np.ndarray]:
    rng = np.random.default_rng(3)
    X = np.where(rng.random((N, D)) < 0.7, rng.normal(size=(N, D)), 0)
    X += 0.3 * (np.arange(N) < N // 2)[:, None] * (X != 0)
    y = np.argmax(X[:, :classes] + 0.1 * rng.normal(size=(N, classes)), axis=1)
    return {"dense": np.asarray, "float32": np.float32, "csr": sp.csr_array}[form](X), y


def assert_same(a: Run, b: Run) -> None:
    laws.assert_same_run(a, b)
    assert a.digest == b.digest
    assert a.state.conditions == b.state.conditions
    assert a.state.plateau_best == b.state.plateau_best
    assert a.state.margin_upper == b.state.margin_upper


PLANS: dict[str, dict[str, Any]] = {
    "plain": {},
    "batches": {"batch_size": 100},
    "one batch": {"batch_size": "all"},
    "averaged": {"readout": "averaged", "tol": 1e-3, "patience": 2, "max_epochs": 6},
    "pocket": {"readout": "pocket"},
    "radius": {"offset": "radius", "start": "random"},
    "margin": {"rule": "margin", "beta": 0.1},
    "weights": {"sample_weight": True, "readout": ("pocket", "averaged"), "tol": 1e-3},
    "steps": {"schedule": "1/k", "step_tol": 1e-9},
    "given": {"order": True},
}


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("multiclass", ["two", "ovr", "direct"])
@pytest.mark.parametrize("form", ["dense", "csr"])
def test_rows_in_pieces_give_the_same_run(form: str, multiclass: str, plan: str) -> None:
    X, y = data(form, 2 if multiclass == "two" else 3)
    asked = {"max_epochs": 2, "log": True, "seed": 5, **PLANS[plan]}
    asked["multiclass"] = "direct" if multiclass == "direct" else "ovr"
    if asked.get("sample_weight"):
        asked["sample_weight"] = np.random.default_rng(2).random(N)
    own = np.random.default_rng(1).permutation(N)
    for order in (own,) if asked.pop("order", False) else ("cyclic", "shuffled"):
        whole, pieces = (learn(kind(X, y), **asked, order=order) for kind in (Examples.of, GatheredSource))
        assert_same(whole, pieces)
        # In the middle of an epoch, of a chunk and of a batch.
        stop = {"marks": [int(1.4 * N)], "callback": lambda now: now.next is not None}
        stopped = learn(GatheredSource(X, y), **asked, **stop, order=order)
        assert stopped.state.epoch_rows % CHUNK
        again = learn(GatheredSource(X, y), **asked | {"start": stopped.state}, order=order)
        laws.assert_same_state(again.state, whole.state)


def test_float32_rows_in_pieces_give_the_same_run() -> None:
    X, y = data("float32", 2)
    assert_same(learn(Examples.of(X, y), max_epochs=2), learn(GatheredSource(X, y), max_epochs=2))


@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_errors_name_the_row_by_its_true_number(form: str, order: str) -> None:
    X, y = data(form, 2)
    at = 2 * CHUNK + 77
    if form == "csr":
        X.data[X.indptr[at]] = np.nan
        column = X.indices[X.indptr[at]]
    else:
        column = 3
        X[at, column] = np.nan
    source = GatheredSource(X, y, tuple("abcde"))
    with pytest.raises(InputError, match=rf"row {at}, column {column} \({'abcde'[column]}\): not a finite number"):
        learn(source, order=order, max_epochs=2)
    with pytest.raises(InputError, match=f"row {at}, column {column}: not a finite number"):
        learn(source, offset="radius")


def test_a_row_that_overflows_is_named_by_its_true_number() -> None:
    X, y = data("dense", 2)
    X[CHUNK + 5] = 1e200
    whole, pieces = (learn(source, order="shuffled") for source in (Examples.of(X, y), GatheredSource(X, y)))
    assert str(whole.status) == str(pieces.status)
    assert str(CHUNK + 5) in str(pieces.status)


@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("classes", [2, 3])
def test_what_asks_all_rows_or_mistaken_ones_works_on_pieces(form: str, classes: int) -> None:
    X, y = data(form, classes)
    plan = {"max_epochs": 2, "readout": ("voted", "last"), "order": "shuffled"}
    whole, pieces = learn(Examples.of(X, y), **plan), learn(GatheredSource(X, y), **plan)
    assert np.array_equal(whole.scores(X[:50]), pieces.scores(X[:50]))
    output = None if classes == 2 else 1
    left, right = (run.margin_bracket(output) for run in (whole, pieces))
    assert (left.lower, left.upper) == (right.lower, right.upper)
    one, other = (run.read("last") for run in (whole, pieces))
    made = [model_of_run(run, run.state, run.status, facts=True) for run in (one, other)]
    assert repr(made[0].facts) == repr(made[1].facts)
    assert made[0].provenance == made[1].provenance
    with pytest.raises(InputError, match="not in memory"):
        pieces.examples  # noqa: B018


@pytest.mark.parametrize("form", ["dense", "csr"])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_scan_gives_what_all_rows_at_once_give(form: str, classes: int) -> None:
    X, y = data(form, classes)
    whole, pieces = Examples.of(X, y), GatheredSource(X, y)
    assert whole.digest() == pieces.digest()
    assert whole.digest(every_row=True) == pieces.digest(every_row=True)
    assert np.array_equal(column_lengths(whole), column_lengths(pieces))
    W, b = np.random.default_rng(0).normal(size=(D, whole.n_outputs)), np.zeros(whole.n_outputs)
    left, right = (survey(source, W, b, False, 2) for source in (whole, pieces))
    assert np.array_equal(left[0], right[0])
    assert left[1:] == right[1:]
    numbers = np.array([N - 1, 0, CHUNK, 17])
    assert np.array_equal(whole.labels_of(numbers), pieces.labels_of(numbers))


def test_a_mark_tells_the_next_row_by_its_number() -> None:
    X, y = data("csr", 3)
    seen: list[list[Any]] = [[], []]
    for told, source in zip(seen, (Examples.of(X, y), GatheredSource(X, y)), strict=True):
        learn(
            source,
            order="shuffled",
            max_epochs=1,
            marks=[1, 2, CHUNK + 3, N],
            callback=lambda p, told=told: told.append(p.next),
        )
    assert [now for now in seen[0] if now] == [now for now in seen[1] if now] != []


def test_pieces_of_a_visit_are_the_visit() -> None:
    chunks, order = np.arange(3), np.random.default_rng(0).permutation(N)
    for visit in (Visit(chunks, None), Visit(chunks, order), Visit(chunks[1:], order[CHUNK:])):
        for most in (None, 1, 2, 5):
            cut = list(visit.pieces(most, N))
            assert np.array_equal(np.concatenate([piece.numbers(N) for piece in cut]), visit.numbers(N))


def test_sample_weights_are_given_once() -> None:
    X, y = data("dense", 2)
    source = GatheredSource(X, y)
    source.has_weights = True
    with pytest.raises(InputError, match="sample weights of its own"):
        learn(source, sample_weight=np.ones(N))


def test_the_core_lists_the_fields_that_the_state_has() -> None:
    options = _core.LearnerOptions(
        rule=rules.get("perceptron").update(),
        scaled=True,
        decision="binary",
        sparse=False,
        features=D,
        outputs=1,
        rho2=1.0,
    )
    saved = _core.Learner(options).save()
    assert [*saved["outputs"][0]] == [field.name for field in fields(OutputState)]
    assert [*saved["epoch_tally"]] == [field.name for field in fields(Tally)]
    added = {field.name for field in fields(State) if field.metadata}
    assert [*saved] == [field.name for field in fields(State) if field.name not in {"offsets", *added}]
    X, y = data("dense", 2)
    state = learn(Examples.of(X, y), max_epochs=1).state
    assert state.to_core().keys() == saved.keys()


class LyingSource(GatheredSource):
    """A source whose `take` gives other rows than it was asked for, of visits in this order."""

    def __init__(self, X: Any, y: Any, order: str, lie: Callable[[TakenRows], TakenRows]) -> None:
        super().__init__(X, y)
        self.order, self.lie = order, lie

    def take(self, visit: Visit) -> TakenRows:
        taken = super().take(visit)
        return self.lie(taken) if (visit.order is None) == (self.order == "cyclic") else taken


def shortened(taken: TakenRows) -> TakenRows:
    numbers = None if taken.numbers is None else taken.numbers[:-1]
    return replace(taken, rows=rows_of(matrix_of(taken.rows)[:-1]), labels=taken.labels[:-1], numbers=numbers)


LIES: dict[str, tuple[str, Callable[[TakenRows], TakenRows]]] = {
    "a row too few": ("shuffled", shortened),
    "rows in another order": ("shuffled", lambda taken: replace(taken, numbers=taken.numbers[::-1])),
    "other rows": ("shuffled", lambda taken: replace(taken, numbers=(taken.numbers + 1) % N)),
    "a number too few": ("shuffled", lambda taken: replace(taken, numbers=taken.numbers[1:])),
    "a label too few": ("shuffled", lambda taken: replace(taken, labels=taken.labels[1:])),
    "a view that ends too early": ("cyclic", shortened),
    "a view that begins too late": ("cyclic", lambda taken: replace(taken, first_row=taken.first_row + 1)),
    "a view of rows that there are not": ("cyclic", lambda taken: replace(taken, first_row=taken.first_row + CHUNK)),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("lie", LIES)
def test_a_source_that_gives_other_rows_than_asked_for_is_named(lie: str, weighted: bool) -> None:
    X, y = data("dense", 2)
    order, told = LIES[lie]
    with pytest.raises(InputError, match=r"^LyingSource\.take gave .*; expected "):
        learn(LyingSource(X, y, order, told), order=order, sample_weight=np.ones(N) if weighted else None)


@pytest.mark.parametrize("rule", ["passive-aggressive", "margin"])
def test_a_state_within_a_chunk_goes_through_a_record_bit_for_bit(rule: str) -> None:
    """Its sums of the open chunk too."""
    X, y = data("dense", 3)
    plan: dict[str, Any] = {"rule": rule, "max_epochs": 2, **laws.parameters(rule)}
    whole = learn(Examples.of(X, y), **plan)
    stop = {"marks": [CHUNK + 1000], "callback": lambda now: now.next is not None}
    stopped = learn(Examples.of(X, y), **plan, **stop)
    header, tensors = records.record_of(model_of_run(stopped, stopped.state, stopped.status))
    state = records.fields_of(records.VERSION, header, tensors)["state"]
    assert any(output.chunk_sum_tau > 0 and output.chunk_path_length > 0 for output in state.outputs)
    assert_same_end(learn(Examples.of(X, y), **plan, start=state), whole)


def assert_same_end(a: Run, b: Run) -> None:
    laws.assert_same_state(a.state, b.state)
    assert np.array_equal(a.history.margin_upper[-1], b.history.margin_upper[-1])
