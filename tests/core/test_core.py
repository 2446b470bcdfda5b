"""The core where things go wrong under it: memory that ends, indices that change, callers that object."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from rosenblatt import InputError, _core
from rosenblatt.data.examples import Examples
from rosenblatt.data.rows import rows_of

PERCEPTRON = (0.0, 0.0, False, np.inf, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, False)
COIN = (1.0, 0.0, True, np.inf, 1.0, 0.0, 0.0, 1.0, 0.0, 0.1, False)

MEMORY = """
import os, resource
import numpy as np
from rosenblatt import learn

rng = np.random.default_rng(0)
X, y = rng.normal(size=(100_000, 2)), np.where(rng.random(100_000) > 0.5, 1, -1)
vote = learn(X, y, readout="voted", max_epochs=1, threads=2).vote
ends = []
for megabytes in (0, 2, 4, 6, 8, 10, 12, 16, 20, 40, 80, 160):
    child = os.fork()
    if child == 0:
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + megabytes * 2**20, -1))
        try:
            vote.scores(X[:64], threads=2)
        except MemoryError:
            os._exit(1)
        os._exit(0)
    ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(*ends)
"""

CHANGES = """
import sys, threading, time
import numpy as np
from scipy.sparse import csr_matrix
from rosenblatt import learn

part, bad = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(0)
n, d, width = 20_000, 1_000, 20
columns = np.sort(rng.integers(0, d, (n, width)), axis=1).ravel().astype(np.int32)
X = csr_matrix((rng.normal(size=n * width), columns, np.arange(0, n * width + 1, width, dtype=np.int32)), shape=(n, d))
X.sum_duplicates()
y = np.where(rng.random(n) > 0.5, 1, -1)
victim = getattr(X, part)
place = victim.size // 2
good, over = victim[place], False

def change():
    while not over:
        victim[place] = bad
        time.sleep(0.0002)
        victim[place] = good
        time.sleep(0.0005)

ends = {"run": 0, "refused": 0}
other = threading.Thread(target=change, daemon=True)
other.start()
until = time.monotonic() + 0.8
while time.monotonic() < until:
    try:
        run = learn(X, y, max_epochs=3, readout=("averaged", "voted", "pocket"), batch_size=ends["run"] % 2 + 1)
        run.hyperplane.scores(X)
        ends["run"] += 1
    except (ValueError, IndexError, MemoryError):  # an InputError, or NumPy's own where it gathers rows
        ends["refused"] += 1
over = True
other.join()
print("ended", flush=True)
"""


def options(decision: str, rows: _core.Rows, outputs: int) -> _core.LearnerOptions:
    """A perceptron that keeps a log, an average and a pocket."""
    return _core.LearnerOptions(
        rule=PERCEPTRON, scaled=True, decision=decision, sparse=rows.is_sparse, features=rows.d, outputs=outputs,
        rho2=1.0, keep_log=True, keep_average=True, keep_pocket=True,
    )  # fmt: skip


def learner(rows: _core.Rows) -> _core.Learner:
    core = _core.Learner(options("binary", rows, 1))
    core.begin(None)
    return core


def in_a_process(program: str, *words: str) -> str:
    run = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=100)
    assert run.returncode == 0, (run.returncode, run.stderr[-2000:])
    return run.stdout


@pytest.mark.serial
def test_memory_that_ends_in_a_thread_is_an_exception_of_the_caller() -> None:
    """At no headroom does the process end; with little the answer is MemoryError, with enough it comes."""
    ends = in_a_process(MEMORY).split()
    assert set(ends) == {"0", "1"}
    assert ends[-1] == "0"


@pytest.mark.serial
@pytest.mark.parametrize("bad", [2**31 - 1, -1])
@pytest.mark.parametrize("part", ["indices", "indptr"])
def test_indices_that_another_thread_changes_end_no_process(part: str, bad: int) -> None:
    """What is read through is compared with its limit at the moment it is read: the run goes on or is refused."""
    assert in_a_process(CHANGES, part, str(bad)) == "ended\n"


@pytest.mark.parametrize("bad", [3, -1, 2**31 - 1])
def test_an_index_that_changes_while_rows_are_met_is_refused_where_it_is_used(bad: int) -> None:
    """The count for the pocket is asked for in the middle of a pass: what it spoils is seen by the same pass."""
    rng = np.random.default_rng(3)
    X = csr_array(rng.normal(size=(4000, 3)))
    rows, signs = rows_of(X), np.where(X.toarray() @ [1.0, 2.0, -1.0] > 0, 1, -1).astype(np.int8)
    core = learner(rows)

    def count(output: int) -> list[int]:
        X.indices[-1] = bad
        return [0] * 8

    with pytest.raises(InputError, match="changed while it was read"):
        core.advance(_core.TakenRows(rows, signs), _core.Visit(np.zeros(1, np.int64)), count)
    assert 0 < core.visited < 4000


def test_a_decision_that_does_not_exist_is_refused() -> None:
    rows = _core.Rows.dense(np.eye(2))
    with pytest.raises(ValueError, match="binary, ovr or direct"):
        options("one-vs-one", rows, 3)


def test_a_row_is_not_met_where_the_count_for_the_pocket_objects() -> None:
    """Counting asks the caller, who may object (Ctrl-C): then nothing of that row is counted, and learning goes on."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(4000, 8))
    examples = Examples.signed(X, np.where(X @ rng.normal(size=8) > 0, 1, -1))

    taken = _core.TakenRows(examples.rows, examples.labels)

    def advance(core: _core.Learner, count: object) -> None:
        core.advance(taken, _core.Visit(np.zeros(1, np.int64)), count)

    core, calls, objections = learner(examples.rows), 0, 0

    def counted(output: int) -> list[int]:
        return core.mistakes(taken, None, output, 1)

    def objects(output: int) -> list[int]:
        nonlocal calls
        calls += 1
        if calls % 2:
            raise KeyboardInterrupt
        return counted(output)

    while core.visited < 4000:
        try:
            advance(core, objects)
        except KeyboardInterrupt:
            objections += 1
    core.settle(counted)
    disturbed, wrong = core.save(), core.wrong
    core = learner(examples.rows)
    advance(core, counted)
    core.settle(counted)
    assert objections > 0
    assert wrong == core.wrong
    undisturbed = core.save()
    for name, value in undisturbed.items():
        np.testing.assert_equal(disturbed[name], value, err_msg=name)


def test_a_saved_state_that_lacks_a_field_is_refused_and_changes_nothing() -> None:
    """Of the state, of a tally and of an output, each field in turn."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 4))
    examples = Examples.signed(X, np.where(X @ rng.normal(size=4) > 0, 1, -1))
    taken, core = _core.TakenRows(examples.rows, examples.labels), learner(examples.rows)

    def count(output: int) -> list[int]:
        return core.mistakes(taken, None, output, 1)

    core.advance(taken, _core.Visit(np.zeros(1, np.int64)), count)
    core.settle(count)
    saved = core.save()

    def lacking() -> Iterator[dict[str, Any]]:
        for name in saved:
            yield {key: value for key, value in saved.items() if key != name}
        for name in ("chunk_tally", "epoch_tally"):
            for field in saved[name]:
                yield saved | {name: {key: value for key, value in saved[name].items() if key != field}}
        for field in saved["outputs"][0]:
            yield saved | {"outputs": [{key: value for key, value in saved["outputs"][0].items() if key != field}]}

    tried = 0
    for state in lacking():
        with pytest.raises(KeyError):
            core.restore(state)
        tried += 1
    assert tried == len(saved) + 2 * 4 + 18
    np.testing.assert_equal(core.save(), saved)


# --- A wrong call is refused: it neither reads nor writes outside, nor hangs. ---


def small_options(**given: Any) -> Any:
    usual = {"rule": PERCEPTRON, "scaled": True, "decision": "binary", "sparse": False, "features": 2}
    return _core.LearnerOptions(**{**usual, "outputs": 1, "rho2": 1.0, **given})


@pytest.mark.parametrize(
    "wrong", [{"decision": "direct"}, {"decision": "ovr"}, {"outputs": 3}, {"features": -1}, {"batch": 0}]
)
def test_options_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="options that cannot be"):
        small_options(**wrong)
    with pytest.raises((ValueError, MemoryError)):
        small_options(decision="ovr", outputs=2**62, features=0)


@pytest.mark.parametrize("wrong", [{"batch": 2}, {"detect_cycles": True}, {"rule": (*COIN[:9], -1.0, False)}])
def test_bets_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="options that cannot be"):
        small_options(**{"rule": COIN, **wrong})


def test_the_largest_entries_are_taken_for_bets_of_the_right_size_alone() -> None:
    core = _core.Learner(small_options(rule=COIN, surveyed=True))
    core.begin(None)
    core.set_largest(np.array([3.0, 0.0]), 1.0)
    assert core.save()["coin_largest"][0].tolist() == [[3.0], [0.0]]
    assert core.save()["coin_largest"][1].tolist() == [1.0]
    for columns, ones in (([1.0], 1.0), ([1.0, 1.0, 1.0], 1.0)):
        with pytest.raises(ValueError, match="columns of another learner"):
            core.set_largest(np.array(columns), ones)
    for columns, ones in (([1.0, 1e141], 1.0), ([-1.0, 1.0], 1.0), ([1.0, np.nan], 1.0), ([1.0, 1.0], 1e-141)):
        with pytest.raises(ValueError, match="a column out of range"):
            core.set_largest(np.array(columns), ones)
    assert core.save()["coin_largest"][0].tolist() == [[3.0], [0.0]]
    with pytest.raises(ValueError, match="columns of another learner"):
        _core.Learner(small_options()).set_largest(np.array([1.0, 1.0]), 1.0)


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_the_largest_entry_of_every_column_times_the_weights(form: str) -> None:
    X, weight = np.array([[1.0, -5.0, 0.0], [-2.0, 3.0, 0.0]]), np.array([4.0, 0.5])
    rows = _core.Rows.dense(X)
    if form == "sparse":
        rows, *_ = _core.Rows.sparse(X.reshape(-1), np.tile(np.arange(3), 2), np.array([0, 3, 6]), 2, 3)
    labels = np.array([1, -1], dtype=np.int8)
    assert _core.column_largest(_core.TakenRows(rows, labels, None, 0)).tolist() == [2.0, 5.0, 0.0]
    assert _core.column_largest(_core.TakenRows(rows, labels, weight, 0)).tolist() == [4.0, 20.0, 0.0]


def test_labels_that_change_under_way_are_seen_before_they_are_an_index() -> None:
    """The pocket asks for counts in the middle of a call, and whoever answers may change the labels."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((3000, 2))
    labels = (X[:, 0] > 0.3).astype(np.int32) + (X[:, 1] > 1).astype(np.int32)
    learner = _core.Learner(small_options(decision="direct", outputs=3, keep_pocket=True))
    learner.begin(None)

    def count(output: int) -> list[int]:
        found = learner.mistakes(taken, None, output, 1)
        labels[:] = 2**30
        return found

    taken = _core.TakenRows(_core.Rows.dense(X), labels, None, 0, None)
    with pytest.raises(InputError, match="the labels were changed while they were read"):
        learner.advance(taken, _core.Visit(np.zeros(200, dtype=np.int64)), count)


def test_a_learner_is_changed_by_one_call_at_a_time() -> None:
    rng = np.random.default_rng(0)
    X, labels = rng.standard_normal((3000, 2)), rng.choice([-1, 1], 3000).astype(np.int8)
    learner = _core.Learner(small_options(keep_pocket=True))
    learner.begin(None)
    saved = _core.Learner(small_options()).save()
    taken = _core.TakenRows(_core.Rows.dense(X), labels, None, 0, None)

    def restoring(output: int) -> list[int]:
        learner.restore(saved)
        return []

    learner.advance(taken, _core.Visit(np.array([0])), restoring)
    with pytest.raises(ValueError, match="the learner is in use"):
        learner.settle(restoring)
    with pytest.raises(ValueError, match="a count for each candidate is needed"):
        learner.settle(lambda output: [])


def test_a_chunk_that_comes_twice_begins_anew() -> None:
    """The open chunk is gone on with the first time; the second time its first rows must be there, too."""
    X, labels = np.ones((96, 2)), np.ones(96, dtype=np.int8)
    learner = _core.Learner(small_options())
    learner.begin(None)
    whole = _core.TakenRows(_core.Rows.dense(np.ones((4096, 2))), np.ones(4096, dtype=np.int8), None, 0, None)
    learner.pause_at = 4000
    learner.advance(whole, _core.Visit(np.array([0])))
    learner.pause_at = 2**62
    rest = _core.TakenRows(_core.Rows.dense(X), labels, None, 4000, None)
    with pytest.raises(ValueError, match="a chunk outside the rows"):
        learner.advance(rest, _core.Visit(np.array([0, 0])))
    assert learner.advance(rest, _core.Visit(np.array([0])))[:2] == (1, "done")


def test_a_table_of_steps_does_not_outlive_a_restore() -> None:
    learner = _core.Learner(small_options())
    learner.begin(None)
    fresh = learner.save()
    later = dict(fresh, visited=2**60, outputs=[{**fresh["outputs"][0], "updates": 2**59, "changes": 2**59}])
    learner.restore(later)
    learner.set_etas(2**59, np.ones(4))
    learner.restore(fresh)
    taken = _core.TakenRows(_core.Rows.dense(np.ones((3, 2))), np.ones(3, dtype=np.int8), None, 0, None)
    assert learner.advance(taken, _core.Visit(np.array([0])))[1] == "done"


def test_sizes_that_cannot_be_are_refused() -> None:
    rows = _core.Rows.dense(np.ones((3, 2)))
    with pytest.raises(ValueError, match="no outputs"):
        _core.survey(rows, np.zeros(3, dtype=np.int32), np.zeros((2, 0)), np.zeros(0), True, 1)
    for columns in (0, -4):
        with pytest.raises(ValueError, match="columns that cannot be"):
            _core.rows_by_name({}, [{"a": 1.0}], True, columns)
    with pytest.raises(ValueError, match="a chunk outside the rows"):
        _core.row_orders(0, 1, np.array([2**63 - 1]), _core.block_order(0, 1, 12288), 12288)


def test_examples_that_change_while_they_are_read_end_the_reading() -> None:
    class Clearing:
        def __float__(self) -> float:
            examples.clear()
            return 1.0

    examples: list[Any] = [{"a": Clearing(), "b": 2.0}, {"a": 1.0}, {"b": 1.0}]
    assert _core.rows_by_name({}, examples, True, 4).n == 1
