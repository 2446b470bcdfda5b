"""The laws that every rule obeys, whatever its numbers: each check_… takes the arguments of a run and asserts one.

A rule file that is put into rules/ is put before these laws by test_laws.py without being registered anywhere.
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from rosenblatt import Examples, Run, _core, learn, rules
from rosenblatt.runs.state import State


@dataclass(frozen=True)
class Case:
    """Rows, labels and a plan for them."""

    X: np.ndarray
    y: np.ndarray
    plan: dict[str, Any] = field(default_factory=dict)

    def run(self, X: Any = None, **changes: Any) -> Run:
        return learn(self.X if X is None else X, self.y, **{**self.plan, **changes})


def parameters(rule: str) -> dict[str, float]:
    """Sound parameters for any rule."""
    return {name: {"beta": 0.25, "C": 0.5}[name] for name in rules.get(rule).parameters}


def integers(seed: int, n: int = 60, d: int = 7, noise: float = 0.05) -> tuple[np.ndarray, np.ndarray]:
    """Small whole numbers, nearly separable: sums of them are exact, so no order of summation can matter."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-5, 6, size=(n, d)).astype(float)
    y = np.where(X @ rng.integers(-3, 4, size=d) + rng.integers(-2, 3) > 0, 1, -1)
    return X, np.where(rng.random(n) < noise, -y, y)


def reals(seed: int, n: int = 400, d: int = 13, noise: float = 0.03) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X @ rng.normal(size=d) + 0.2 > 0, 1, -1)
    return X, np.where(rng.random(n) < noise, -y, y)


def arrays(state: State) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in state.to_core().items():
        if isinstance(value, tuple):
            flat[name + ".w"], flat[name + ".b"] = value
        elif name == "outputs":
            flat |= {f"{i}.{part}": entry for i, output in enumerate(value) for part, entry in output.items()}
        elif isinstance(value, dict):
            flat |= {f"{name}.{part}": entry for part, entry in value.items()}
        else:
            flat[name] = value
    return flat


def assert_same_state(a: State, b: State) -> None:
    left, right = arrays(a), arrays(b)
    assert left.keys() == right.keys()
    for name, value in left.items():
        assert np.array_equal(value, right[name]), name


def assert_same_run(a: Run, b: Run) -> None:
    """Not a bit of the outcome differs."""
    assert a.status == b.status
    assert_same_state(a.state, b.state)
    for name, column in vars(a.history).items():
        assert np.array_equal(column, getattr(b.history, name)), name
    if a.log is not None and b.log is not None:
        for name, column in vars(a.log).items():
            assert np.array_equal(column, getattr(b.log, name)), name


def assert_same_outcome(a: Run, b: Run) -> None:
    """The same weights and mistakes, where sums are exact but other numbers may be rounded in another order."""
    assert np.array_equal(a.state.weights, b.state.weights)
    assert np.array_equal(a.state.offsets, b.state.offsets)
    assert np.array_equal(a.history.mistakes, b.history.mistakes)
    assert np.array_equal(a.history.updates, b.history.updates)


def check_dense_is_sparse(case: Case) -> None:
    """On whole numbers, exactly; on reals, in the mistakes made and up to rounding."""
    sparse = case.run(sp.csr_array(case.X))
    dense = case.run()
    if np.array_equal(case.X, np.round(case.X)) and dense.rule.uses_eta and dense.rule.name != "delta":
        assert_same_outcome(dense, sparse)
    assert np.array_equal(dense.history.mistakes, sparse.history.mistakes)
    np.testing.assert_allclose(dense.state.weights, sparse.state.weights, rtol=1e-9, atol=1e-9)


def check_index_widths(case: Case) -> None:
    expected = case.run(sp.csr_array(case.X))
    for columns in (np.int32, np.int64):
        for starts in (np.int32, np.int64):
            X = sp.csr_array(case.X)
            X.indices, X.indptr = X.indices.astype(columns), X.indptr.astype(starts)
            assert_same_run(expected, case.run(X))


def check_value_types(case: Case) -> None:
    """float32 holds these numbers exactly, and sums are in float64 whatever the storage."""
    X = case.X.astype(np.float32)
    assert_same_run(case.run(X.astype(np.float64)), case.run(X))
    assert_same_run(case.run(sp.csr_array(X.astype(np.float64))), case.run(sp.csr_array(X)))


def check_memory_orders(case: Case) -> None:
    """Where the numbers lie, and who may write them, is no matter."""
    expected, n, d = case.run(), *case.X.shape
    strided = np.zeros((2 * n, 2 * d))[::2, ::2]
    strided[:] = case.X
    frozen = case.X.copy()
    frozen.flags.writeable = False
    shifted = np.frombuffer(b"\0" + case.X.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(n, d)
    for X in (np.asfortranarray(case.X), strided, frozen, case.X.astype(">f8"), shifted, case.X[::-1][::-1]):
        before = X.tobytes()
        assert_same_run(expected, case.run(X))
        assert X.tobytes() == before


def check_threads(case: Case) -> None:
    one = case.run(threads=1)
    for threads in (2, 3, 8):
        assert_same_run(one, case.run(threads=threads))


def check_chunks(case: Case, cuts: list[int]) -> None:
    """Rows that arrive in blocks cut anywhere leave the core where one block does."""

    def learner() -> tuple[Any, Examples]:
        examples = Examples.signed(case.X, case.y)
        made = rules.get(case.plan["rule"])
        numbers = tuple(made.update(**parameters(made.name)))
        batch = case.plan.get("batch_size", 1)
        options = _core.LearnerOptions(
            rule=numbers, scaled=made.uses_eta, decision="binary", sparse=False, features=examples.n_columns,
            outputs=1, rho2=1.0, batch=batch, eta=2.0**-9, keep_log=True, keep_average=True,
            detect_cycles=made.additive, measure_moves=True,
        )  # fmt: skip
        core = _core.Learner(options)
        core.begin(None)
        return core, examples

    def feed(core: Any, examples: Examples, first: int, last: int) -> None:
        part = Examples.signed(case.X[first:last], case.y[first:last])
        chunks = np.arange(first // _core.CHUNK, (last - 1) // _core.CHUNK + 1)
        done, event, *_ = core.advance(_core.TakenRows(part.rows, part.labels, None, first), _core.Visit(chunks))
        assert (done, event) == (len(chunks), "done")

    n = len(case.y)
    whole, examples = learner()
    feed(whole, examples, 0, n)
    many, examples = learner()
    for first, last in itertools.pairwise([0, *cuts, n]):
        feed(many, examples, first, last)
    for core in (whole, many):
        core.finish_epoch(None)
    for left, right in zip(whole.take_log(), many.take_log(), strict=True):
        assert np.array_equal(left, right)
    left, right = (State.of_core(core.save(), decision="binary", rho2=1.0, conditions={}) for core in (whole, many))
    assert_same_state(left, right)


def check_seed(case: Case) -> None:
    assert_same_run(case.run(seed=7), case.run(seed=7))


def check_resumed(case: Case, stop: Callable[[Any], bool]) -> None:
    """Stopped anywhere, saved, and resumed: equal to never having stopped."""
    whole = case.run()
    first = case.run(callback=stop)
    rest = case.run(start=first.state)
    assert rest.status == whole.status
    assert_same_state(whole.state, rest.state)


def check_a_weight_scales_the_step(case: Case) -> None:
    light = case.run(max_epochs=1, log=True)
    # A rule that aims at a margin is not carried beyond it by a weight above 1.
    aims = rules.get(case.plan["rule"]).update(**parameters(case.plan["rule"])).g != 0
    for weight in (0.5, 1.0 if aims else 2.0):
        other = case.run(sample_weight=np.full(len(case.y), weight), max_epochs=1, log=True)
        assert other.log is not None
        assert light.log is not None
        # The first update is made from the same start, so it is the same row's step, scaled.
        assert other.log.row[0] == light.log.row[0]
        assert other.log.step[0] == weight * light.log.step[0]


def check_one_vs_rest_is_many_binary_runs(rule: str, seed: int) -> None:
    """All classes in one pass, bit for bit what K runs give, for as long as all of them run."""
    rng = np.random.default_rng(seed)
    X, labels = rng.normal(size=(200, 6)), rng.integers(0, 5, size=200)
    plan = {"rule": rule, "max_epochs": 4, "eta": 0.01 if rule == "delta" else 1.0, **parameters(rule)}
    for form in (np.asarray, sp.csr_array):
        together = learn(Examples.of(form(X), labels), **plan)
        assert together.state.weights.shape == (6, 5)
        for k in range(5):
            alone = learn(form(X), np.where(labels == k, 1, -1), **plan)
            assert np.array_equal(alone.state.weights[:, 0], together.state.weights[:, k])
            assert alone.state.offsets[0] == together.state.offsets[k]
            assert np.array_equal(alone.history.margin_upper, together.history.margin_upper[:, k])
