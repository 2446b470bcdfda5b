"""`predict` in parts: the same as of the whole, in memory that does not grow, and nothing half written."""

import errno
import gzip
import io
import os
import resource
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from commands import answer, run
from scipy import sparse

from rosenblatt import Model, Perceptron
from rosenblatt.data import tally
from rosenblatt.files.parts.door import input_of
from rosenblatt.models import predictions, recognition

TIME_BUDGET = 60  # children that are watched from outside
N, D = 2400, 5  # more text than is read at once to see what it is
CHANCE = np.random.default_rng(5)
X = np.round(CHANCE.normal(size=(N, D)), 3)
X[X == 0] = 0.5
NAMES = [f"x{j}" for j in range(D)]
LABELS = {
    2: np.where(X @ np.arange(1.0, D + 1) + CHANCE.normal(size=N) > 0, 1, 0),
    3: np.argmax(X[:, :3] + 0.3 * CHANCE.normal(size=(N, 3)), axis=1),
}

MODELS: dict[str, tuple[Any, ...]] = {
    "averaged": (2, "--readout", "averaged"),
    "voted": (2, "--readout", "voted"),
    "scaled": (2, "--scale", "standard"),
    "one against the rest": (3, "--multiclass", "ovr"),
    "direct": (3, "--multiclass", "direct"),
    "voted, of three": (3, "--readout", "voted", "--multiclass", "direct"),
}


def written(path: str, rows: Any, labels: Any) -> str:
    """The rows in a file of the format that its ending says; the label last where columns go by place."""
    ending = path.partition(".")[2].removesuffix(".gz")
    table = pa.table({**{name: rows[:, j] for j, name in enumerate(NAMES)}, "class": labels})
    if ending == "parquet":
        pq.write_table(table, path, row_group_size=50)
    elif ending == "arrow":
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table, max_chunksize=50)
    elif ending == "npy":
        np.save(path, np.column_stack([rows, labels]))
    elif ending == "npz":
        np.savez(path, X=rows, y=labels)
    else:
        mark, head = (",", [",".join([*NAMES, "class"])]) if ending == "csv" else ("\t", ["\t".join([*NAMES, "class"])])
        lines = {
            "svm": lambda x, y: f"{y} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x) if v),
            "vw": lambda x, y: f"{y} | " + " ".join(f"{NAMES[j]}:{v}" for j, v in enumerate(x)),
        }.get(ending, lambda x, y: mark.join(map(str, [*x, y])))
        head = [] if ending in ("svm", "vw") else head
        text = "\n".join([*head, *(lines(x, y) for x, y in zip(rows.tolist(), labels.tolist(), strict=True))]) + "\n"
        with gzip.open(path, "wb") if path.endswith(".gz") else open(path, "wb") as packed:
            packed.write(text.encode())
    return path


FORMATS = ["svm", "svm.gz", "vw", "csv", "csv.gz", "tsv", "parquet", "arrow", "npy", "npz"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of a few rows, and blocks of fewer."""
    monkeypatch.setattr("rosenblatt.files.parts.text.PART", 5000)
    monkeypatch.setattr("rosenblatt.files.parts.door.input_of", partial(input_of, part=5000))
    monkeypatch.setattr(predictions, "_ROWS", 50)


def trained(capsys: pytest.CaptureFixture[str], ending: str, kind: str = "averaged") -> tuple[str, Any]:
    """A model of the first eighty rows, and those of all rows in a file."""
    K, *more = MODELS[kind]
    own = written(f"learn.{ending}", X[:80], LABELS[K][:80])
    label = ("--label", "-1") if ending == "npy" else ()
    code, _, err = run(
        capsys, "train", own, "-m", "m", "--rule", "perceptron", "--epochs", 3, "--tol", "never", *label, *more
    )
    assert code == 0, err
    return "m", LABELS[K]


@pytest.mark.parametrize(
    ("ending", "kind"),
    [(one, kind) for one in FORMATS for kind in MODELS if one in ("svm", "csv") or kind in ("averaged", "direct")],
)
def test_predictions_in_parts_are_those_of_the_whole(
    ending: str, kind: str, small_parts: None, capsys: pytest.CaptureFixture[str]
) -> None:
    model, labels = trained(capsys, ending, kind)
    data = written(f"all.{ending}", X, labels)
    loaded, matrix = Model.load(model), sparse.csr_array(X) if ending[:2] in ("sv", "vw") else X
    scores = loaded.decision_function(matrix)
    expected = loaded.labels_for(scores)
    lines = [str(label) for label in expected.tolist()]
    code, out, err = run(capsys, "predict", model, data)
    assert (code, out.splitlines()) == (0, lines)
    right = int((expected == labels).sum())
    assert f"{right / N:.2%} right ({N} rows)" in err
    assert run(capsys, "predict", model, data, "-q", "--threads", 1)[1] == out
    report = answer(capsys, "predict", model, data, "--scores")
    assert [one["label"] for one in report["predictions"]] == expected.tolist()
    assert [one["scores"] for one in report["predictions"]] == (scores + 0.0).tolist()
    assert (report["data"]["rows"], report["data"]["name"], report["evaluation"]["right"]) == (N, data, right)
    counts = dict(zip(*(part.tolist() for part in np.unique(expected, return_counts=True)), strict=True))
    assert {one["label"]: one["rows"] for one in report["predicted"]} == counts
    known = answer(capsys, "show", data, *(("--label", "-1") if ending == "npy" else ()))
    assert report["data"]["classes"] == known["classes"]
    assert (report["data"]["columns"], report["data"]["format"]) == (known["columns"], known["format"])
    run(capsys, "predict", model, data, "-o", "labels.txt", "-q")
    assert Path("labels.txt").read_text() == out
    if "voted" not in kind:
        table = run(capsys, "predict", model, data, "--margins", "-q")[1].splitlines()
        margins = loaded.geometric_margin(matrix) + 0.0
        row = "\t".join([lines[-1], *map(repr, np.atleast_1d(margins[-1]).tolist())])
        assert (len(table), table[-1]) == (N + 1, row)


@pytest.mark.parametrize("kind", ["averaged", "direct"])
@pytest.mark.parametrize("ending", ["svm", "vw", "csv"])
def test_standard_input_is_read_once_and_gives_the_same(
    kind: str, ending: str, small_parts: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, labels = trained(capsys, ending, kind)
    data = written(f"all.{ending}", X, labels)
    expected = run(capsys, "predict", model, data)
    with open(data, "rb") as file:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(file))
        found = run(capsys, "predict", model, "-")
    assert found[:2] == expected[:2]
    assert found[2] == expected[2].replace(data, "standard input")


def test_the_rows_that_it_learnt_from_are_known_in_parts(
    small_parts: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for ending, kind in (("svm", "averaged"), ("svm", "direct"), ("csv", "averaged"), ("vw", "direct")):
        model, labels = trained(capsys, ending, kind)
        own = f"learn.{ending}"
        assert answer(capsys, "predict", model, own)["evaluation"]["by"] == "training"
        for rows, given in (
            (X[:79], labels[:79]),
            (X[:81], labels[:81]),
            (X[1:81], labels[1:81]),
            (np.where(X[:80] == X[0], 9.0, X[:80]), labels[:80]),
            (X[:80], np.roll(labels[:80], 1)),
        ):
            assert answer(capsys, "predict", model, written(f"new.{ending}", rows, given))["evaluation"]["by"] != (
                "training"
            )
    with monkeypatch.context() as patched:  # rows that are kept for it take no more than so much
        patched.setattr(recognition, "_MOST_BYTES", 1000)
        assert answer(capsys, "predict", model, own)["evaluation"]["by"] == "labelled"


def test_many_rows_are_known_by_a_few_of_them(small_parts: None, capsys: pytest.CaptureFixture[str]) -> None:
    many, labels = np.tile(X[:120], (6, 1)), np.tile(LABELS[2][:120], 6)  # 720 rows: every second one is looked at
    own = written("many.svm", many, labels)
    run(capsys, "train", own, "-m", "m", "--rule", "perceptron", "--epochs", 2)
    assert answer(capsys, "predict", "m", own)["evaluation"]["by"] == "training"
    many[400, 0] += 1
    assert answer(capsys, "predict", "m", written("new.svm", many, labels))["evaluation"]["by"] == "labelled"


def test_notes_are_of_the_whole_and_said_once(small_parts: None, capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, "vw")
    lines = [f"{i % 2} | x0:{i} new{i % 3}:1" for i in range(200)]
    Path("new.vw").write_text("\n".join([*lines, "7 | x1:1 last"]) + "\n")
    _, out, err = run(capsys, "predict", "m", "new.vw")
    assert len(out.splitlines()) == 201
    notes = " ".join(err.split("right")[0].split())
    assert notes.startswith(
        "note: left out 4 columns that the model does not know: 'new0', 'new1', 'new2', 'last' note: the model has no"
        " class 7: 1 row count as wrong"
    )
    assert err.count("note:") == 2
    run(capsys, "train", written("learn.svm", X[:80], LABELS[2][:80]), "-m", "n", "--rule", "perceptron")
    Path("wide.svm").write_text("".join(f"{i % 2} 1:1 {6 + i % 5}:{i % 3}\n" for i in range(200)))
    notes = answer(capsys, "predict", "n", "wide.svm")["notes"]
    assert notes == ["left out 5 columns beyond the 5 of the model: 133 values not 0"]


@pytest.mark.serial
def test_a_billion_columns_cost_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, "svm")
    Path("wide.svm").write_text("1 1:1\n0 1999999999:1\n1 2:3\n")
    begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    report = answer(capsys, "predict", "m", "wide.svm")
    assert report["notes"] == ["left out 1999999994 columns beyond the 5 of the model: 1 value not 0"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - begin < 100 * 1024


def test_a_bad_line_ends_it_and_what_was_written_stays_only_on_standard_output(
    small_parts: None, capsys: pytest.CaptureFixture[str]
) -> None:
    model, labels = trained(capsys, "svm")
    written("all.svm", X, labels)
    whole = run(capsys, "predict", model, "all.svm", "-q")[1]
    lines = Path("all.svm").read_text().splitlines()
    Path("bad.svm").write_text("\n".join([*lines[:2300], "1 1:one", *lines[2300:]]) + "\n")
    code, out, err = run(capsys, "predict", model, "bad.svm")
    assert (code, err.count("\n"), err.startswith("bad.svm:2301:5: ")) == (2, 1, True)
    assert out
    assert whole.startswith(out)
    Path("old.txt").write_text("old\n")
    code, out, err = run(capsys, "predict", model, "bad.svm", "-o", "old.txt")
    assert (code, out, err.startswith("bad.svm:2301:5: ")) == (2, "", True)
    assert Path("old.txt").read_text() == "old\n"
    assert run(capsys, "predict", model, "bad.svm", "-o", "new.txt")[0] == 2
    assert sorted(os.listdir()) == ["all.svm", "bad.svm", "learn.svm", "m", "old.txt"]


def test_a_score_that_is_no_number_names_the_row_of_the_whole(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predictions, "_ROWS", 7)
    model, labels = trained(capsys, "npz")
    rows = X.copy()
    rows[101] = 1e308 * np.sign(Model.load(model).coef_[0])
    code, _, err = run(capsys, "predict", model, written("all.npz", rows, labels))
    assert (code, err) == (2, "row 101: its score overflows; rescale the data\n")


BLOCKS = 48  # of fifty rows, and more of those that end a part


@pytest.mark.parametrize("fault", ["full disk", "error", "fsync"])
@pytest.mark.parametrize("at", [0, 1, 5, -1])
def test_a_disk_that_fails_leaves_the_old_file(
    fault: str, at: int, small_parts: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, labels = trained(capsys, "svm")
    written("all.svm", X, labels)
    Path("out.txt").write_text("old\n")
    write, number, seen = os.write, {"full disk": errno.ENOSPC}.get(fault, errno.EIO), 0

    def failing(file: int, data: Any) -> int:
        nonlocal seen
        seen += 1
        if seen - 1 == at % BLOCKS:
            if fault == "full disk":
                write(file, bytes(data)[:3])  # some of it still fits
            raise OSError(number, os.strerror(number))
        return write(file, data)

    with monkeypatch.context() as patched:
        if fault == "fsync":
            patched.setattr(os, "fsync", lambda file: (_ for _ in ()).throw(OSError(number, os.strerror(number))))
        else:
            patched.setattr(os, "write", failing)
        code, out, err = run(capsys, "predict", model, "all.svm", "-o", "out.txt")
    assert (code, out, err) == (2, "", f"out.txt: {os.strerror(number)}\n")
    assert Path("out.txt").read_text() == "old\n"
    assert sorted(os.listdir()) == ["all.svm", "learn.svm", "m", "out.txt"]


def test_short_writes_are_gone_on_with(
    small_parts: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, labels = trained(capsys, "svm")
    written("all.svm", X, labels)
    whole, write = run(capsys, "predict", model, "all.svm", "-q")[1], os.write
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda file, data: write(file, bytes(data)[:5]))
        assert run(capsys, "predict", model, "all.svm", "-q", "-o", "out.txt")[0] == 0
    assert Path("out.txt").read_text() == whole


def test_one_line_of_json_lists_so_many_rows_and_no_more(
    small_parts: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, labels = trained(capsys, "svm")
    written("all.svm", X, labels)
    monkeypatch.setattr("rosenblatt.cli.predict.MOST_LISTED", N)
    assert len(answer(capsys, "predict", model, "all.svm")["predictions"]) == N
    monkeypatch.setattr("rosenblatt.cli.predict.MOST_LISTED", N - 1)
    code, out, _ = run(capsys, "predict", model, "all.svm", "--json")
    said = f"all.svm: more than {N - 1} rows for a line of JSON; expected -o FILE with it"
    assert (code, f'"message": "{said}"' in out) == (2, True)
    report = answer(capsys, "predict", model, "all.svm", "-o", "out.txt")
    assert (report["predictions"], report["evaluation"]["rows"]) == (None, N)


@pytest.mark.parametrize("base", [0, 1])
def test_where_indices_begin_is_seen_where_the_model_does_not_say(
    base: int, small_parts: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = LABELS[2]
    model = Perceptron(max_iter=3, tol=None).fit(X, labels)
    model.save("m")
    lines = [f"{y} " + " ".join(f"{j + base}:{v}" for j, v in enumerate(x)) for x, y in zip(X, labels, strict=True)]
    Path("all.svm").write_text("\n".join(lines) + "\n")
    expected = "".join(f"{label}\n" for label in model.predict(X))
    assert run(capsys, "predict", "m", "all.svm", "-q")[1] == expected  # a survey first

    def piped(*more: object) -> tuple[int, str, str]:
        with open("all.svm", "rb") as file:
            monkeypatch.setattr("sys.stdin", io.TextIOWrapper(file))
            return run(capsys, "predict", "m", "-", "--format", "svmlight", "-q", *more)

    assert piped("--base", base)[1] == expected
    code, out, err = piped()
    assert (code, out) == (2, "")
    assert err == (
        "standard input: where its indices begin (--base 0 or 1): known at its end, and it can be read once alone;"
        " expected a file\n"
    )
    monkeypatch.setattr("rosenblatt.files.parts.text.PART", 2**20)
    assert piped()[1] == expected  # a single part: its end is there


def test_missing_values_take_the_means_of_the_whole(
    small_parts: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    labels, holes = LABELS[2], X.copy()
    holes[1800:, 1], holes[::3, 0] = np.nan, np.nan
    for name, rows in (("learn.csv", X[:80]), ("all.csv", holes)):
        written(name, rows, labels[: len(rows)])
        Path(name).write_text(Path(name).read_text().replace("nan", ""))
    run(capsys, "train", "learn.csv", "-m", "m", "--rule", "perceptron")  # so that the model has no means of its own
    known = Model.load("m")
    expected = known.predict(np.where(np.isnan(holes), np.nanmean(holes, axis=0), holes))
    words = ("predict", "m", "all.csv", "--missing", "mean", "-q")
    assert run(capsys, *words)[1].split() == [str(label) for label in expected]
    with open("all.csv", "rb") as file:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(file))
        code, _, err = run(capsys, "predict", "m", "-", *words[3:])
    assert (code, "standard input: the means of its columns" in err) == (2, True), err


def test_labels_without_end_are_not_compared(
    small_parts: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, _ = trained(capsys, "svm")
    monkeypatch.setattr(tally, "MOST_LABELS", 50)
    data = written("all.svm", X, np.arange(N))
    report = answer(capsys, "predict", model, data)
    assert (len(report["predictions"]), report["evaluation"], report["labelled"]) == (N, None, None)
    assert report["data"]["classes"] is None
    assert report["notes"] == [
        "labels without end, most of them no class of the model: not compared with the predictions"
    ]
    code, out, _ = run(capsys, "predict", model, data, "-o", "out.txt")
    assert (code, out.startswith(f"{N} rows predicted: 0 ")) == (0, True)


def test_rows_without_labels_among_others_are_named(small_parts: None, capsys: pytest.CaptureFixture[str]) -> None:
    trained(capsys, "vw")
    for before, after in (("1 ", ""), ("", "1 ")):
        lines = [f"{before}| x0:{i}" for i in range(100)] + [f"{after}| x0:{i}" for i in range(100)]
        Path("new.vw").write_text("\n".join(lines) + "\n")
        code, _, err = run(capsys, "predict", "m", "new.vw")
        assert (code, err.count("\n"), "label" in err, err.startswith("new.vw:")) == (2, 1, True, True), err


def test_the_area_is_told_with_its_error_beyond_two_million_rows(
    small_parts: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    model, labels = trained(capsys, "svm")
    data = written("all.svm", X, labels)
    exact = answer(capsys, "predict", model, data)["evaluation"]
    monkeypatch.setattr(tally, "EXACT", 50)
    binned = answer(capsys, "predict", model, data)["evaluation"]
    assert exact["auc_error"] == 0
    assert abs(binned["auc"] - exact["auc"]) <= binned["auc_error"] < 0.01
    assert {**binned, "auc": None, "auc_error": None} == {**exact, "auc": None, "auc_error": None}
    out = run(capsys, "predict", model, data, "-o", "out.txt")[1]
    assert max(map(len, out.splitlines())) <= 80
    if binned["auc_error"]:
        assert "±" in next(line for line in out.splitlines() if "ROC AUC" in line)


# --- Processes, seen from outside. ---


def child(*words: str, **options: Any) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "rosenblatt", *words], **options)


@pytest.mark.serial
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_an_interruption_in_the_middle_leaves_the_old_file(
    number: int, code: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, labels = trained(capsys, "svm")
    text = Path(written("all.svm", X, labels)).read_bytes()
    (folder / "out.txt").write_text("old\n")
    with child("predict", model, "-", "-o", "out.txt", stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        for _ in range(2**23 // len(text)):  # some parts
            process.stdin.write(text)
        process.stdin.flush()
        deadline = time.monotonic() + 30
        while not any(path.stat().st_size for path in folder.glob(".rosenblatt-*")) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(number)
        assert process.wait(timeout=30) == code
    assert (folder / "out.txt").read_text() == "old\n"
    drafts = list(folder.glob(".rosenblatt-*"))
    assert len(drafts) == (number == signal.SIGKILL)
    assert run(capsys, "predict", model, "all.svm", "-o", "out.txt", "-q")[0] == 0  # and what was left goes
    assert not list(folder.glob(".rosenblatt-*"))
    assert (folder / "out.txt").read_text().count("\n") == N


CAP = 256 * 2**20

WATCHED = """
import sys
from rosenblatt.cli import main
code = main(sys.argv[1:])
with open("/proc/self/status") as status:  # the most it ever had: wait4 would tell of the process that began it, too
    print(next(line.split()[1] for line in status if line.startswith("VmHWM:")), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.serial
@pytest.mark.parametrize("size", [25 * 10**6, pytest.param(300 * 10**6, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", ["usual", "two bytes a row", "packed", "piped"])
def test_a_file_of_any_size_is_predicted_within_256_mb(
    kind: str, size: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, labels = trained(capsys, "svm")
    text = b"1\n0\n" * 25 if kind == "two bytes a row" else Path(written("all.svm", X, labels)).read_bytes()
    block = text * (10**6 // len(text))
    rows = block.count(b"\n") * (size // len(block))
    with gzip.open("big.svm", "wb", 1) if kind == "packed" else open("big.svm", "wb") as file:
        file.write(b"1 1:1\n")
        for _ in range(size // len(block)):
            file.write(block)
    words = ("predict", model, "-" if kind == "piped" else "big.svm", "-o", "out.txt")
    with open("big.svm", "rb") as file:
        done = subprocess.run([sys.executable, "-c", WATCHED, *words], stdin=file, capture_output=True, check=True)
    assert f"{rows + 1} rows × " in done.stdout.decode()
    assert int(done.stderr) * 1024 < CAP
    with open("out.txt", "rb") as found:
        assert sum(part.count(b"\n") for part in iter(lambda: found.read(2**20), b"")) == rows + 1


def test_a_test_file_is_judged_as_before(small_parts: None, capsys: pytest.CaptureFixture[str]) -> None:
    _, labels = trained(capsys, "csv")
    test = written("test.csv", X[80:], labels[80:])
    known = answer(capsys, "train", "learn.csv", "--test", test, "-m", "m")["evaluation"]
    told = answer(capsys, "predict", "m", test)["evaluation"]
    assert {**told, "by": "test", "name": test} == known
