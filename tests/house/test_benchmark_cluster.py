"""The benchmark of clusters: the rows that it makes, its guard, the model that it fits, and what it says of numbers."""

import json
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from benchmarks.cluster import (
    accuracy,
    asked,
    command,
    cost_model,
    guarded,
    made,
    on_paper,
    overhead,
    part,
    per_row,
    scale_table,
    sizes,
)
from benchmarks.cluster.page import costs_of, page
from rosenblatt import cluster
from rosenblatt.cluster.engine import Here, groups

TIME_BUDGET = 90  # nearly all of it one test, which starts five processes and their workers

pytestmark = pytest.mark.slow  # processes are started

COSTS = cost_model.Costs(
    row=2e-8, entry=1e-9, sparse_row=5e-8, sparse_entry=3e-9, round=0.01, task=0.001, client=2e-8, shard=3e-8,
    sent=16.0, received=16.0,
)  # fmt: skip
FACTS = {"date": "a day", "machine": "a machine"}


# --- Rows. ---


def test_rows_are_made_of_a_seed_for_each_shard():
    for make, given in ((made.gaussian, (100, 5)), (made.words, (100, 50, 7)), (made.tiny, (50,))):
        first, again, other = make(0, *given), make(0, *given), make(1, *given)
        dense = [x if isinstance(x, np.ndarray) else x.toarray() for x, _ in (first, again, other)]
        assert np.array_equal(dense[0], dense[1])
        assert not np.array_equal(dense[0], dense[2])
        assert np.array_equal(first[1], again[1])
        assert set(first[1].tolist()) == {-1, 1}


def test_a_gap_is_kept_and_labels_are_flipped():
    direction = np.random.default_rng(0).standard_normal(4)
    direction /= np.linalg.norm(direction)
    x, y = made.gaussian(3, 1000, 4, 0.5, 0.0)
    assert (y * (x @ direction)).min() >= 0.5 - 1e-12
    x, y = made.gaussian(3, 1000, 4, 0.5, 0.1)
    assert 50 < (y * (x @ direction) < 0).sum() < 150


def test_no_epoch_over_tiny_shards_is_clean():
    rows, labels = zip(*(made.tiny(place, 30) for place in range(2)), strict=True)
    run = cluster.learn(Here(), rows, labels, max_epochs=5, **overhead.PLAN)
    assert (run.epochs, run.status.name) == (5, "budget")


# --- The guard, and what is measured in this process. ---


def test_a_large_result_is_refused():
    engine = guarded.Guarded.__new__(guarded.Guarded)
    engine.limit, engine.most = 1000, 0
    assert engine._weighed(len, b"x" * 900) == b"x" * 900
    assert 900 < engine.most < 1000
    with pytest.raises(RuntimeError, match=r"len: 1,0.. bytes came to the client; expected 1,000 at most"):
        engine._weighed(len, b"x" * 1000)


def test_a_shard_is_given_sixteen_bytes_a_column_and_gives_as_many():
    few, many = (overhead.alone(columns, 2) for columns in (1000, 3000))
    assert few["seconds"] > 0
    for way in ("sent", "received"):
        assert (many[way] - few[way]) / 2000 == pytest.approx(16, abs=0.1)


def test_the_cost_of_a_row_is_measured():
    found = per_row.measure([3], [4], 4000, 2)["cells"]
    assert [(cell["sparse"], cell["rows"]) for cell in found] == [(False, 1333), (True, 1000)]
    assert found[0]["entries"] == 3
    assert 3 < found[1]["entries"] <= 4
    assert all(cell["seconds"] > 0 for cell in found)


@pytest.mark.parametrize("sparse", [False, True])
def test_runs_are_compared_on_rows_held_out(sparse, tmp_path):
    x, y = made.gaussian(0, 3000, 6, 0.5, 0.0)
    x = np.rint(4 * x)
    x[x[:, 5] < 0, 5] = 0  # so that a sparse file does not have every column in every row
    rows = csr_array(x) if sparse else x
    order = np.argsort(y, kind="stable")
    parts = accuracy.in_order(rows[order], y[order])
    assert parts[0].shape[0] + parts[2].shape[0] == 3000
    assert (np.diff(parts[1]) >= 0).all()  # in the order of the file
    found = accuracy.compared(Here(), parts, [1, 3], 4, tmp_path)
    assert [run["epochs"] for run in found["runs"]] == [1, 3]
    for run in found["runs"]:
        assert run["one"] > 90
        assert run["dealt"] > 90
    assert list(tmp_path.iterdir()) == []


# --- The model. ---


def cells(costs: cost_model.Costs) -> tuple[dict[str, Any], dict[str, Any]]:
    """What would be measured if the model were true."""
    whole: dict[str, Any] = {"cores": 2, "cells": [], "alone": []}
    for d in (10, 10**4, 10**6):
        whole["alone"].append({"columns": d, "seconds": 1e-4, "sent": 16 * d, "received": 16 * d})
        for s in (2, 8, 32):
            for w in (1, 2, 4):
                cell = {"columns": d, "shards": s, "workers": w}
                whole["cells"].append(cell | {"seconds": cost_model.modelled(costs, whole, cell), "empty": 0.01})
    kinds = [(sparse, z) for sparse in (False, True) for z in (10, 100)]
    rows = [{"sparse": s, "entries": z, "rows": 1000, "seconds": costs.of_row(z, s)} for s, z in kinds]
    return whole, {"cells": rows}


def test_the_model_is_found_again():
    found = cost_model.fit(*cells(COSTS)).as_dict()
    for name, value in COSTS.as_dict().items():
        assert found[name] == pytest.approx(value, rel=1e-6), name


def test_tasks_of_a_round():
    assert [cost_model.tasks(s) for s in (1, 2, 8, 9, 64)] == [1, 3, 9, 12, 73]
    for shards in (1, 2, 8, 9, 64, 65, 1000):
        assert cost_model.levels(shards) == list(map(len, groups(shards)))


def test_workers_pay_up_to_a_number_of_them():
    best = on_paper.quickest(COSTS, on_paper.LARGE)
    few, many = (on_paper.epoch(COSTS, on_paper.LARGE, count) for count in (best.workers // 4, 4 * best.workers))
    assert min(few.seconds, many.seconds) > best.seconds
    worth = on_paper.worthwhile(COSTS, on_paper.LARGE)
    assert 0.5 <= worth.share < 0.6
    assert 1 < worth.workers < best.workers
    one = on_paper.epoch(COSTS, on_paper.LARGE, 1)
    assert one.rows == pytest.approx(1e9 * (5e-8 + 100 * 3e-9))
    assert one.network == pytest.approx(32e6 / 1.25e9)  # to the worker, and back


# --- What is said of numbers. ---


def findings() -> asked.Findings:
    """Numbers that meet all that is asked."""
    run = {
        "workers": 1, "making": 10.0, "seconds": [3.0, 3.0], "median": 3.0, "digest": "abc", "mistakes": 7,
        "resident": 9 * 10**9, "shards": [16], "received": 2000,
    }  # fmt: skip
    held = {"rows": 2 * 10**7, "columns": 50, "shards": 16, "epochs": 3,
            "runs": [run, run | {"workers": 2, "median": 2.0, "shards": [8, 8]}]}  # fmt: skip
    whole, rows = cells(COSTS)
    right = {"epochs": 1, "one": 90.0, "dealt": 89.6, "ranges": 80.0}
    sets = [{"title": "a set", "rows": 10, "columns": 2, "held": 3, "runs": [right]}, {"title": "b", "absent": "no"}]
    kind = {"made": "separable", "there": "separable", "here": "separable", "holds": True, "seconds": 1.0,
            "checking": 0.5, "in memory": 0.2}  # fmt: skip
    found = {
        "held": held, "overhead": whole, "per_row": rows,
        "accuracy": {"sets": sets, "shards": 8, "workers": 2},
        "verdict": {"rows": 10**6, "columns": 20, "shards": 8, "workers": 2, "kinds": [kind]},
    }  # fmt: skip
    return {name: {"found": one, "seconds": 1.0, "peak": 2 * 10**8} for name, one in found.items()}


def test_rows_say_what_was_measured_and_what_is_asked():
    found = {row.what: row for row in asked.rows(findings())}
    assert found["rows on the workers"].cells == ("rows on the workers", "8.0 GB (9.0 GB resident)", "≥ 8 GB", "met")
    assert found["one worker / two workers"].measured == "1.50 (3.00 s, 2.00 s an epoch)"
    assert found["peak memory of the client and scheduler"].measured == "200 MB"
    assert found["an epoch beyond the shards' own work, 10 columns"].measured == (
        "19 ms (1.86 × Dask's own of as many empty tasks)"
    )
    assert found["accuracy against one machine: a set, 1 epochs"].measured == "-0.40 points"
    assert [row.what for row in found.values() if row.met is False] == []
    assert found["accuracy: b"].met is None


def test_what_is_not_met_is_said():
    def missed(name: str, change: Any) -> list[str]:
        parts = json.loads(json.dumps(findings()))
        change(parts[name])
        return [row.what for row in asked.rows(parts) if row.met is False]

    assert missed("held", lambda p: p.update(peak=5 * 10**8)) == ["peak memory of the client and scheduler"]
    assert missed("held", lambda p: p["found"]["runs"][1].update(median=2.2)) == ["one worker / two workers"]
    bits = "the same bits with one worker and with two"
    assert missed("held", lambda p: p["found"]["runs"][1].update(digest="abd")) == [bits]
    assert missed("accuracy", lambda p: p["found"]["sets"][0]["runs"][0].update(dealt=89.4)) == [
        "accuracy against one machine: a set, 1 epochs"
    ]
    unlike = "verdict on rows that are separable"
    assert missed("verdict", lambda p: p["found"]["kinds"][0].update(there="overlapping")) == [unlike]


def test_the_page_has_what_there_is():
    parts = findings()
    whole = page(parts, FACTS)
    assert [line[3:] for line in whole.splitlines() if line.startswith("## ")] == [
        *sizes.TITLES.values(), "The model", "On paper",
    ]  # fmt: skip
    for row in (
        "| 2 | 8 + 8 | 10.0 s | 2.000 s |",
        "| 10 | 8 | 2 | 19.0 ms | 18.6 ms | 10.0 ms | 19.0 ms | 1.00 |",
        "| sparse | 100 | 1,000 | 350 ns | 350 ns | 1.00 |",
        "| a set, 10 × 2 | 1 | 90.00 | 89.60 | 80.00 | -0.40 | -10.00 |",
        "| separable | 1.00 s | 0.50 s | 0.20 s |",
        "| task | 1.00 ms |",
        "| 1,000 | 1,000,000 | 0.35 s |",
    ):
        assert row in whole
    parts["overhead"] = {"failed": "no luck"}
    del parts["verdict"]
    less = page(parts, FACTS)
    assert "| overhead | it failed: no luck | – | **not met** |" in less
    assert "Not measured: no luck." in less
    assert "Not measured: it was not run." in less
    assert "## The model" not in less


def test_the_table_of_the_docs_is_written_between_its_comments(tmp_path):
    copy, costs = tmp_path / "scale.md", costs_of(findings())
    assert costs is not None
    copy.write_text(scale_table.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    for _ in range(2):
        scale_table.write(costs, FACTS, copy)
        text = copy.read_text(encoding="utf-8")
        assert text.count("| task | 1.00 ms |") == 1
    (before, after), (was, then) = (
        (text[: found.start()], text[found.end() :])
        for text in (copy.read_text(encoding="utf-8"), scale_table.PAGE.read_text(encoding="utf-8"))
        if (found := scale_table.BETWEEN.search(text))
    )
    assert (before, after) == (was, then)
    copy.write_text("no comments", encoding="utf-8")
    with pytest.raises(ValueError, match="no place"):
        scale_table.write(costs, FACTS, copy)


# --- All of it. ---


def test_a_part_that_fails_says_why():
    assert "no_such" in part.measured("no_such", {}, {})["failed"]


@pytest.mark.serial
@pytest.mark.timeout(300)
def test_everything_is_run_with_few_rows(tmp_path, monkeypatch, capsys):
    tiny: sizes.Sizes = {
        "held": {"rows": 2000, "columns": 5, "shards": 4, "epochs": 3, "workers": [1, 2]},
        "overhead": {"columns": [10, 200], "shards": [2, 8], "workers": [2], "epochs": 2, "few": 1},
        "per_row": {"dense": [3, 6], "sparse": [2, 4], "entries": 3000, "epochs": 2},
        "accuracy": {"sets": ["mnist"], "epochs": [1], "shards": 2, "workers": 1},
        "verdict": {"rows": 2 * 4096, "columns": 3, "shards": 2, "workers": 2},
    }
    monkeypatch.setattr(sizes, "FULL", tiny)
    for name in ("RESULTS", "KEPT"):
        monkeypatch.setattr(command, name, tmp_path / name)
    copy = tmp_path / "scale.md"
    copy.write_text(scale_table.PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(scale_table, "PAGE", copy)
    assert command.main(["--data", str(tmp_path)]) == 0, capsys.readouterr().out
    written = command.RESULTS.read_text(encoding="utf-8")
    assert "Not measured" not in written
    assert "| the same bits with one worker and with two | yes | yes | met |" in written
    assert written.count("the same, and it holds | met |") == 2
    assert "Absent: MNIST, odd against even" in written
    assert "| 2 | 2 + 2 |" in written
    assert set(json.loads(command.KEPT.read_text())) == set(tiny)
    assert "| task |" in copy.read_text(encoding="utf-8")
    assert f"written: {command.RESULTS}" in capsys.readouterr().out
