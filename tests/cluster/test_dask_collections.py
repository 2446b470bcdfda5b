"""What may be given as rows on a Dask cluster, what is refused, and that errors of workers name the shard."""

import re
import socket
import threading
import time
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from distributed import Client
from in_shards import assert_same_run, cut, even, learn_here, two_classes
from on_dask import arrays, late_blocks

from rosenblatt import DistributedPerceptron, InputError, Perceptron, cluster, learn, separability
from rosenblatt.cluster import dask_engine, failures
from rosenblatt.cluster.dask_engine import DaskEngine
from rosenblatt.cluster.engine import FailedTaskError, StoppedError
from rosenblatt.cluster.failures import check_package

pytestmark = [pytest.mark.serial, pytest.mark.slow]
TIME_BUDGET = 60

X, Y = two_classes(1, 240, noise=0.1)
SIZES = even(240, 4)
PLAN = {"max_epochs": 2, "order": "cyclic"}
NAMES = list("abcde")


def frame(**more: Any) -> Any:
    """A Dask frame of four blocks, whose last column is the label."""
    return dd.from_pandas(pd.DataFrame(X, columns=NAMES).assign(label=Y, **more), npartitions=4)


def refusal(client: Any, rows: Any, labels: Any = None, **choices: Any) -> str:
    with pytest.raises(InputError) as found:
        cluster.learn(client, rows, labels, **{**PLAN, **choices})
    assert "\n" not in str(found.value)
    return str(found.value)


@pytest.fixture(scope="module")
def whole() -> Any:
    return learn_here(X, Y, SIZES, **PLAN)


def test_an_array_whose_columns_are_cut_and_labels_in_other_blocks_or_in_memory(client: Client, whole: Any) -> None:
    rows = da.from_array(X, chunks=(60, 2))
    for labels in (da.from_array(Y, chunks=100), Y, Y.tolist()):
        assert_same_run(cluster.learn(client, rows, labels, **PLAN), whole)


def test_a_frame_with_a_series_or_the_name_of_its_column_of_labels(client: Client, whole: Any) -> None:
    table = frame()
    for rows, labels in ((table, "label"), (table[NAMES], table["label"])):
        run = cluster.learn(client, rows, labels, **PLAN)
        assert run.source.feature_names == tuple(NAMES)
        assert_same_run(run, whole)


def test_a_frame_of_files_whose_column_of_labels_dask_reads_in_fewer_blocks(client: Client, tmp_path: Path) -> None:
    wide = pd.DataFrame(np.hstack([X, np.zeros((240, 25))]), columns=[f"c{i}" for i in range(30)]).assign(y=Y, w=1.0)
    for i, place in enumerate(range(0, 240, 60)):
        wide[place : place + 60].to_parquet(tmp_path / f"{i}.parquet")
    frame = dd.read_parquet(tmp_path)
    rows = frame.drop(columns=["y", "w"])
    assert len(frame["y"].to_delayed()) < len(rows.to_delayed()) == 4  # else this tries nothing
    named = cluster.learn(client, frame.drop(columns="w"), "y", **PLAN)
    beside = cluster.learn(client, rows, frame["y"], **PLAN)
    assert_same_run(named, beside)
    assert_same_run(named, learn_here(wide.drop(columns=["y", "w"]).to_numpy(), Y, SIZES, **PLAN))
    assert cluster.sharded(client, rows, frame["y"], sample_weight=frame["w"]).has_weights


def test_nobody_gathers_a_collection_without_a_word() -> None:
    rows, labels = arrays(X, Y, SIZES)
    for ask in (separability, learn):
        with pytest.raises(InputError, match=r"cluster\.sharded\(client, X, y\) leaves them where they are"):
            ask(rows, labels)
    with pytest.raises(InputError, match=r"DistributedPerceptron\(client\) leaves them where they are"):
        Perceptron().fit(rows, labels)


def test_a_worker_without_the_package_is_named_before_anything_is_sent(client: Client) -> None:
    check_package(client.run(version, "rosenblatt", on_error="return"))
    absent = client.run(version, "no-such-package", on_error="return")
    with pytest.raises(InputError, match=r"^worker tcp://127\.0\.0\.1:\d+ has no rosenblatt \(.*no-such-package\)"):
        check_package(absent)


@pytest.mark.serial
@pytest.mark.parametrize("said", [b"", b"\0" * 4096, b"HTTP/1.1 200 OK\r\n\r\nhello", b"\xff" * 1000])
def test_whoever_answers_and_is_no_scheduler_is_not_waited_for(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "_CONNECT", 3.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        held = list[Any]()

        def answer() -> None:
            with suppress(OSError):
                while True:
                    held.append(server.accept()[0])
                    held[-1].sendall(said)

        threading.Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        began = time.monotonic()
        with pytest.raises(InputError, match=f"^{address}: no Dask scheduler answers there"):
            DaskEngine.at(address)
        assert time.monotonic() - began < 60
        for one in held:
            one.close()


def test_a_worker_with_another_version_is_named(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    installed = client.run(version, "rosenblatt", on_error="return")
    check_package(installed)
    own = f"has rosenblatt {version('rosenblatt')}, and the client 9.9: install the same on both"
    monkeypatch.setattr(failures, "installed", lambda: "9.9")
    with pytest.raises(InputError, match=rf"^worker tcp://127\.0\.0\.1:\d+ {own}"):
        check_package(installed)
    assert own in refusal(client, *arrays(X, Y, SIZES))
    with pytest.raises(InputError, match=own):  # and not that nobody answers
        DaskEngine.at(client.scheduler.address)


def test_rows_and_labels_of_other_indexes_are_not_paired_by_their_place(client: Client) -> None:
    table = frame()
    turned = table[NAMES].map_partitions(reversed_)
    said = "shard 0: X and y have different indexes: align them, or give y.to_numpy()"
    assert refusal(client, turned, table["label"]) == said
    weighed = refusal(client, table[NAMES], table["label"], sample_weight=table["label"].map_partitions(reversed_))
    assert weighed.startswith("shard 0: X and sample_weight have different indexes")
    model = DistributedPerceptron(client, max_iter=2, tol=None).fit(table[NAMES], table["label"])
    with pytest.raises(InputError, match=said[9:40]):
        model.score(turned, table["label"])


def reversed_(part: Any) -> Any:
    return part[::-1]


@pytest.mark.parametrize("bad", [5, {"a": 1}, 2.0])
def test_labels_and_weights_that_are_no_column_are_refused(client: Client, bad: Any) -> None:
    rows, labels = arrays(X, Y, SIZES)
    assert refusal(client, rows, bad) == "1 labels or weights for 240 rows"
    assert refusal(client, rows, labels, sample_weight=bad) == "1 labels or weights for 240 rows"
    assert "not an array of 0 dimension" in refusal(client, da.from_array(np.array(3.0)), labels)


def test_arrays_of_blocks_of_unknown_length(client: Client, whole: Any) -> None:
    table, (rows, labels) = frame(), arrays(X, Y, SIZES)
    unknown = table[NAMES].to_dask_array(), table["label"].to_dask_array()
    for given in (unknown, (rows, unknown[1]), (unknown[0], labels)):
        assert_same_run(cluster.learn(client, *given, **PLAN), whole)


def test_lists_of_delayed_blocks_of_pairs_and_of_futures(client: Client, whole: Any) -> None:
    rows, labels = cut(X, SIZES), cut(Y, SIZES)
    delayed = [list(map(dask.delayed, rows)), list(map(dask.delayed, labels))]
    futures = [client.scatter(rows), client.scatter(labels)]
    apart = [list(zip(*one, strict=True)) for one in (delayed, futures)]
    for given in (delayed, futures, [late_blocks(rows, labels, [0.0] * 4)], apart[:1], apart[1:]):
        assert_same_run(cluster.learn(client, *given, **PLAN), whole)


def test_sample_weights_as_an_array_of_dask_or_in_memory(client: Client) -> None:
    weight = np.linspace(0.5, 2, 240)
    expected = learn_here(X, Y, SIZES, sample_weight=weight, **PLAN)
    for given in (da.from_array(weight, chunks=60), weight):
        assert_same_run(cluster.learn(client, *arrays(X, Y, SIZES), sample_weight=given, **PLAN), expected)


def test_the_client_there_is_serves_if_none_is_given(client: Client, whole: Any) -> None:
    with client.as_current():
        assert_same_run(cluster.learn(None, *arrays(X, Y, SIZES), **PLAN), whole)


def test_blocks_that_are_filtered_to_nothing_are_skipped(client: Client) -> None:
    rows, labels = arrays(X, Y, SIZES)
    kept = np.ones(240, bool)
    kept[60:120] = False
    run = cluster.learn(client, rows[da.from_array(kept, chunks=60)], labels[da.from_array(kept, chunks=60)], **PLAN)
    expected = learn_here(X[kept], Y[kept], [60, 60, 60], **PLAN)
    assert_same_run(run, expected)
    assert [one.place for one in run.source.shards] == [0, 2, 3]


# --- Refusals. ---


@pytest.mark.parametrize("bad", ["tcp://127.0.0.1:1", 5, object()])
def test_a_client_that_is_none_is_refused(bad: Any) -> None:
    assert refusal(bad, *arrays(X, Y, SIZES)).startswith("client must be a distributed.Client, not ")


def test_without_a_client_one_is_asked_for() -> None:
    assert refusal(None, *arrays(X, Y, SIZES)).startswith("no Dask client: make one")


def test_what_is_no_collection_is_refused_by_its_kind(client: Client) -> None:
    assert refusal(client, X, Y).startswith("ndarray where a Dask array, frame or series is needed")
    assert refusal(client, pd.DataFrame(X), Y).startswith("DataFrame where a Dask array")
    assert refusal(client, sp.csr_array(X), Y).startswith("csr_array where a Dask array")
    assert refusal(client, cut(X, SIZES), cut(Y, SIZES)).startswith("list where a Dask array")
    assert "Series" in refusal(client, frame()[NAMES], pd.Series(Y))


def test_labels_that_are_missing_or_do_not_fit_are_refused(client: Client) -> None:
    rows, labels = arrays(X, Y, SIZES)
    assert refusal(client, rows).startswith("labels are missing: give y")
    assert refusal(client, frame()).startswith("labels are missing: give y")
    assert refusal(client, frame(), "ill") == "y is 'ill', and the frame has no such column"
    assert refusal(client, rows, "label") == "y is 'label', the name of a column, and X is no frame"
    assert refusal(client, rows, Y[:-1]) == "239 labels or weights for 240 rows"
    assert refusal(client, rows, labels[:-1]) == "239 labels or weights for 240 rows"
    blocks = list(map(dask.delayed, cut(X, SIZES)))
    assert refusal(client, blocks, list(map(dask.delayed, cut(Y, [120])))).startswith("4 blocks of rows, and 2 of")


def test_a_column_of_text_in_a_frame_is_refused_by_name(client: Client) -> None:
    text = refusal(client, frame(town=["Ulm", "Bern"] * 120), "label")
    assert re.match(r"shard \d: column 'town' is no column of numbers", text)


def test_labels_of_one_class_or_of_several_kinds_are_refused(client: Client) -> None:
    rows, _ = arrays(X, Y, SIZES)
    assert refusal(client, rows, np.full(240, 3)).startswith("one class only: all rows carry the label 3")
    mixed = [*cut(Y, SIZES)[:3], np.full(60, "x")]
    text = refusal(client, list(map(dask.delayed, cut(X, SIZES))), list(map(dask.delayed, mixed)))
    assert text == "shard 3: labels of another kind than those of shard 0: make all numbers, or all text"


def test_a_block_that_raises_is_named(client: Client) -> None:
    def broken(part: int) -> tuple[np.ndarray, np.ndarray]:
        if part == 3:
            raise RuntimeError("the disk is gone")
        return X, Y

    blocks = [dask.delayed(broken)(part) for part in range(5)]
    assert refusal(client, blocks) == "shard 3: it failed on a worker: RuntimeError: the disk is gone"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ((X, Y, Y, Y), "shard 1: a delayed block is a tuple; expected (rows, labels)"),
        (X, "shard 1: a delayed block is a ndarray; expected (rows, labels)"),
        ((X[:, :3], Y), "shard 1: 3 columns, where shard 0 has 5; expected as many"),
        ((sp.csr_array(X), Y), "shard 1: sparse, where shard 0 is dense"),
        ((X, Y[:7]), "shard 1: 240 rows but 7 labels"),
        ((pd.DataFrame(X, columns=NAMES), Y), "shard 1: columns of other names than those of shard 0"),
    ],
)
def test_a_block_that_cannot_be_taken_is_named(client: Client, bad: Any, said: str) -> None:
    assert refusal(client, [dask.delayed((X, Y)), dask.delayed(bad, nout=1, traverse=False)]).startswith(said)


def test_numbers_that_are_none_are_named_with_their_shard(client: Client) -> None:
    wrong = X.copy()
    wrong[200, 2] = np.nan
    text = refusal(client, *arrays(wrong, Y, SIZES))
    assert text.startswith("shard 3: row 200, column 2: not a finite number")


# --- The engine. ---


def test_the_engine_gives_what_the_one_without_a_cluster_gives(client: Client) -> None:
    engine = DaskEngine(client)
    kept = engine.keep(lambda a, b, shared: a * b + shared, [1, 2, 3], [10, 20, 30], shared=5)
    assert engine.each(lambda value, more: value + more, kept, 1) == [16, 46, 96]
    assert engine.joined(lambda value, _: [value], lambda parts: sum(parts, []), kept, None) == [15, 45, 95]  # noqa: RUF017
    assert engine.chained(lambda value, carry: [*carry, value], kept, []) == [15, 45, 95]


def test_a_failure_says_which_it_was_and_a_failed_join_that_it_was_no_shard(client: Client) -> None:
    engine = DaskEngine(client)
    kept = engine.keep(lambda a, _: a, [1, 0, 2])
    for ask in (engine.each, lambda f, k, s: engine.joined(f, sum, k, s)):
        with pytest.raises(FailedTaskError) as failed:
            ask(lambda value, _: 1 / value, kept, None)
        assert failed.value.index == 1
    with pytest.raises(FailedTaskError) as failed:
        engine.joined(lambda value, _: value, lambda parts: 1 / 0, kept, None)
    assert failed.value.index == -1
    with pytest.raises(FailedTaskError) as failed:
        engine.chained(lambda value, carry: carry / value, kept, 1)
    assert failed.value.index == 1


def test_of_many_tasks_few_are_watched_and_one_that_fails_is_named_all_the_same(client: Client) -> None:
    engine, many = DaskEngine(client), list(range(1, 101))
    kept = engine.keep(lambda value, _: value, many)
    told = list[int]()
    engine.waiting = lambda done, of: told.append(of)
    assert engine.joined(lambda value, shared: shared * value, sum, kept, 2) == 10_100
    assert engine.chained(lambda value, carry: [*carry, value], kept, []) == many
    assert max(told, default=0) <= 65
    large = np.ones(100_000)  # which is not sent with every task
    assert engine.joined(lambda value, shared: value * shared.sum(), sum, kept, large) == 5050 * 100_000
    for call in (
        lambda: engine.joined(lambda value, shared: shared / (value - 71), sum, kept, 2.0),
        lambda: engine.chained(lambda value, carry: carry / (value - 71), kept, 2.0),
    ):
        with pytest.raises(FailedTaskError) as failed:
            call()
        assert failed.value.index == 70
        assert isinstance(failed.value.cause, ZeroDivisionError)


def test_an_engine_that_is_told_to_end_ends_while_workers_are_at_work(client: Client) -> None:
    engine = DaskEngine(client)
    blocks = late_blocks(cut(X, SIZES), cut(Y, SIZES), [0.6] * 4)
    engine.waiting = lambda done, of: True
    with pytest.raises(StoppedError):
        engine.keep(lambda block, _: block, engine.blocks(blocks)[0])


def large(part: int) -> tuple[np.ndarray, np.ndarray]:
    return two_classes(part, 150_000, 40, noise=0.3)


def test_a_run_is_stopped_within_an_epoch_and_goes_on_to_the_same_bits(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_engine, "_LOOK", 0.005)  # an epoch takes longer
    source = cluster.sharded(client, [dask.delayed(large)(part) for part in range(4)])
    plan = {"scale": "none", "order": "cyclic", "max_epochs": 3}
    run = cluster.learn(client, source, callback=lambda now: now.epoch == 2 and not now.finished, **plan)
    assert (run.status.name, run.epochs, source.engine.waiting) == ("stopped", 1, None)
    assert_same_run(cluster.learn(client, source, start=run, **plan), cluster.learn(client, source, **plan))
