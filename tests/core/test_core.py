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

PERCEPTRON = (0.0, 0.0, False, np.inf, 1.0, 0.0, 0.0, 1.0)

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
    assert tried == len(saved) + 2 * 4 + 17
    np.testing.assert_equal(core.save(), saved)
