"""The benchmark of streams: the file that it makes, a process seen from outside, and what it says of numbers."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.contest import AbsentError
from benchmarks.files import in_vw
from benchmarks.peers.fresh_process import environment
from benchmarks.streams import asked, command, costs, disk, made, session, trains, vowpal_wabbit, watched
from rosenblatt import read

pytestmark = pytest.mark.slow  # processes are started


def test_a_part_is_written_with_other_digits_and_labels_each_time(tmp_path):
    ours, theirs = made.parts(40 * 1640 * 30)
    assert (ours.rows, theirs.rows) == (30, 30)
    assert ours.entries == theirs.entries
    for part, name in ((ours, "a.svm"), (theirs, "a.vw")):
        part.write(tmp_path / name, range(2))
        part.write(tmp_path / name, range(2, 3))
    svmlight, vw = (tmp_path / "a.svm").read_text(), (tmp_path / "a.vw").read_text()
    assert in_vw(svmlight) == vw
    assert len(set(svmlight.splitlines())) == 90
    rows = read(tmp_path / "a.svm")
    assert rows.n_rows == 90
    assert set(rows.classes.tolist()) == {-1, 1}
    first, second = (numbers_of(svmlight.splitlines()[begin : begin + 30]) for begin in (0, 30))
    assert np.array_equal(first[1], second[1])
    assert 0 < np.abs(first[2] - second[2]).max() < 0.01
    assert 0 < (first[0] != second[0]).sum() < 15


def numbers_of(lines: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, columns and values."""
    labels, *entries = zip(*([line.split()[0], line.split()[1:]] for line in lines), strict=True)
    pairs = [pair.split(":") for row in entries[0] for pair in row]
    return np.array(labels, dtype=int), np.array([int(c) for c, _ in pairs]), np.array([float(v) for _, v in pairs])


def test_a_process_is_seen_from_outside():
    code = "x = bytearray(64_000_000)\nprint(len(x))"
    told = watched.watch([sys.executable, "-S", "-c", code], environment())
    assert told.printed == "64000000\n"
    assert told.seconds > 0
    assert told.cpu > 0
    assert told.peak is None or 64e6 < told.peak < 164e6
    with pytest.raises(RuntimeError, match="ended with 3: no such luck"):
        watched.watch([sys.executable, "-S", "-c", "import sys; print('no such luck'); sys.exit(3)"], environment())


def test_a_size_is_what_there_is_room_for(tmp_path):
    free = disk.shutil.disk_usage(tmp_path).free
    assert disk.largest_size(1000, tmp_path, 3.5, 0) == 1000
    assert 0 < disk.largest_size(100 * free, tmp_path, 3.5, 0) < free / 3
    assert disk.largest_size(1000, tmp_path, 3.5, 100 * free) < 0


def test_a_file_is_read_to_its_end_from_the_disk(tmp_path):
    (tmp_path / "x").write_bytes(bytes(3_000_001))
    assert disk.sequential_read(tmp_path / "x") > 0
    assert (tmp_path / "x").read_bytes() == bytes(3_000_001)


def test_a_rival_that_is_not_there_says_so():
    assert vowpal_wabbit.command("python3 -m vowpalwabbit") == ["python3", "-m", "vowpalwabbit"]
    with pytest.raises(AbsentError, match="does not start"):
        vowpal_wabbit.version(["/no/such/program"])


def run_of(seconds: float, peak: int | None = 100_000_000, count: int = 0, inside: float = 0.0) -> trains.Trained:
    told = {"checkpoints": {"count": count, "seconds": inside, "failed": 0}}
    return trains.Trained(watched.Watched(seconds, seconds, peak, 0, json.dumps({"result": told})), told)


def measured(**others: object) -> session.Session:
    """Numbers that meet all that is asked: passes of 1 s out of the cache of the whole, and of 6 s over the text."""
    half = session.OnSize(2 * 10**9, run_of(4), run_of(1.5), run_of(6.5))
    whole = session.OnSize(4 * 10**9, run_of(8), run_of(3), run_of(13, count=2, inside=0.1))
    made = session.Session(
        rows=10, entries=1000, half=half, whole=whole, shuffled=(run_of(3), run_of(14)),
        often=run_of(5, count=4, inside=0.4), predict=run_of(5).watched, cache_size=3 * 10**9, sequential=2.0,
        from_disk={"seconds": 3.0, "read": 2.9e9}, vw_text=run_of(8).watched, vw_cached=run_of(36).watched,
    )  # fmt: skip
    return replace(made, **others)  # type: ignore[arg-type]


def test_rows_say_what_was_measured_and_what_is_asked():
    found = {row.what: row for row in asked.rows(measured())}
    assert [row.met for row in found.values()] == [True] * 12 + [None]
    assert found["peak memory: predict"].cells == (
        "peak memory: predict", "100 MB", "≤ 256 MB + 0.8 MB of weights", "met",
    )  # fmt: skip
    assert found["twice the file: first pass"].measured == "2.00 × (4.00 s, 8.00 s)"
    assert found["text pass / cached pass, cyclic"].measured == "6.00 (6.00 s, 1.00 s)"
    assert found["text pass / cached pass, shuffled"].measured == "5.45 (6.00 s, 1.10 s)"
    assert found["Vowpal Wabbit's one pass / ours"].measured == "1.00 (8.00 s, 8.00 s)"
    assert found["Vowpal Wabbit's 10 cached passes / ours"].measured == "3.00 (36.00 s, 12.00 s)"
    assert found["a checkpoint every 600 s"].measured == "0.0167% (100 ms each, of 4)"
    assert found["checkpoints of 11 epochs, as it comes"].measured == "0.77% (2 in 13.0 s)"
    disk_row = found["shuffled pass from the disk / plain read of the cache"]
    assert disk_row.measured == "1.50 × (3.00 s, 2.00 s; 2900 MB of 3000 came from the disk)"


@pytest.mark.parametrize(
    ("others", "missed"),
    [
        ({"predict": run_of(5, 256_800_001).watched}, "peak memory: predict"),
        ({"half": session.OnSize(1, run_of(3.6), run_of(1.5), run_of(6.5))}, "twice the file: first pass"),
        ({"half": session.OnSize(1, run_of(4), run_of(1.5), run_of(7.1))}, "twice the file: pass out of the cache"),
        ({"shuffled": (run_of(3), run_of(15.1))}, "text pass / cached pass, shuffled"),
        ({"vw_text": run_of(7.9).watched}, "Vowpal Wabbit's one pass / ours"),
        ({"vw_cached": run_of(35.9).watched}, "Vowpal Wabbit's 10 cached passes / ours"),
        ({"often": run_of(5, count=1, inside=6.0)}, "a checkpoint every 600 s"),
    ],
)
def test_what_is_not_met_is_said(others, missed):
    assert [row.what for row in asked.rows(measured(**others)) if row.met is False] == [missed]


def test_what_was_not_measured_is_neither_met_nor_missed():
    absent = measured(vw_text=None, vw_cached=None, vw_absent="it is not here", often=run_of(5))
    absent.whole = replace(absent.whole, more=run_of(13))
    unknown = {row.what: row for row in asked.rows(replace(absent, predict=run_of(5, None).watched))}
    for what, why in (
        ("Vowpal Wabbit's one pass / ours", "it is not here"),
        ("Vowpal Wabbit's 10 cached passes / ours", "it is not here"),
        ("a checkpoint every 600 s", "none was written: the file is too small"),
        ("checkpoints of 11 epochs, as it comes", "0.00% (0 in 13.0 s)"),
        ("peak memory: predict", "the system does not tell"),
    ):
        assert (unknown[what].measured, unknown[what].met) == (why, None)


def test_what_each_process_took_stands_behind():
    found = {row[0]: row[1:] for row in costs.costs(measured())}
    assert len(found) == 12
    assert found["train, half the file, first pass"] == ("4.00 s", "4.00 s", "100 MB", "0 MB")
    assert found["Vowpal Wabbit, 10 passes over its cache"][0] == "36.00 s"
    assert costs.cells(watched.Watched(1, 2, None, None, "")) == ("1.00 s", "2.00 s", "–", "–")


@pytest.mark.serial
def test_everything_is_run_on_a_small_file_and_cleaned_up(tmp_path, monkeypatch, capsys):
    """One part in forty of a megabyte has 15 rows."""
    monkeypatch.setattr(command, "RESULTS", tmp_path / "STREAMS.md")
    folder = tmp_path / "files"
    folder.mkdir()
    assert command.main(["--size", "1MB", "--folder", str(folder), "--vw", "/no/such/program"]) == 0
    printed, written = capsys.readouterr().out, Path(command.RESULTS).read_text()
    assert list(folder.iterdir()) == []
    assert "- Vowpal Wabbit: absent: /no/such/program does not start" in written
    assert "1 MB of svmlight text, 600 rows × " in written
    table = [line for line in written.splitlines() if line.startswith("| ")]
    assert len(table) == 2 + 13 + 2 + 10
    assert all(line in printed for line in table)
    assert [line.count(" met |") for line in table if "peak memory:" in line] == [1] * 4
