"""Does everything that needs no extra work without any? Run by a Python that has the core's dependencies and no others:

python tests/without_extras.py            in a virtual environment of its own (make test-core)
PYTHONPATH=tests/blocked python tests/…   with the extras blocked (tests/house/test_without_extras.py)
"""

import io
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from pages import Reading, pages, plain

import rosenblatt
from rosenblatt import InputError, cli, datasets, learn
from rosenblatt.data.csr import Csr

EXTRAS = {
    "matplotlib": "plots", "sklearn": "sklearn", "scipy": "sklearn", "pyarrow": "tables", "narwhals": "tables",
    "zstandard": "zstd", "dask": "cluster", "distributed": "cluster",
}  # fmt: skip
NEEDS_ONE = re.compile(
    r"sklearn|\bPerceptron\(|MaxMarginClassifier\(|LinearClassifier\(|pandas|polars|to_frame|plots|matplotlib|Display"
    r"|dask|distributed|Distributed|pyarrow|\.[ct]sv|\.parquet|\.zst"
    r"|rosenblatt (study|plot)"  # a study without figures says so
)


def program(*arguments: str) -> tuple[int, str, str]:
    """The command line: its exit code, what it prints and what it says."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = cli.main(list(arguments))
    return code, out.getvalue(), err.getvalue()


def facts(folder: Path) -> dict[str, Any]:
    """Answers of every kind, about sparse rows; the same whether or not extras are there."""
    rng = np.random.default_rng(0)
    table = np.where(rng.random((60, 8)) < 0.4, rng.integers(-9, 10, (60, 8)), 0).astype(float)
    y = np.where(table @ rng.integers(-9, 10, 8) + rng.normal(0, 60, 60) > 0, 1, -1)
    clean = np.where(table @ np.arange(1, 9) > 3, 1, -1)
    train, other = folder / "train.svm", folder / "noisy.svm"
    for file, labels in ((train, clean), (other, y)):
        rows = (" ".join(f"{j + 1}:{x:g}" for j, x in enumerate(row) if x) for row in table)
        file.write_text("".join(f"{label} {row}\n" for label, row in zip(labels, rows, strict=True)))
    examples, noisy = rosenblatt.read(train), rosenblatt.read(other)
    assert examples.rows.is_sparse

    run = learn(examples, log=True, max_epochs=500, readout=("averaged", "last", "voted", "pocket"))
    best = rosenblatt.max_margin(examples)
    assert best.check()
    verdict = rosenblatt.separability(noisy)
    assert verdict.check()
    narrow = Csr.of(table[:, :2])  # two columns are swept, and the answer does not hang on the time it takes
    least = rosenblatt.least_mistakes(narrow, y, time_limit=60)
    assert least.check()
    clinic = rosenblatt.logistic_clinic(noisy, time_limit=60)
    backwards = Csr(np.array([2.0, 1.0, 3.0]), np.array([1, 0, 0]), np.array([0, 2, 3]), (2, 2))
    online = rosenblatt.OnlinePerceptron(classes=["a", "b"])
    for row, label in zip(table[:20], clean[:20], strict=True):
        online.learn_one({str(j): x for j, x in enumerate(row.tolist()) if x}, "b" if label > 0 else "a")
    return {
        "status": str(run.status),
        "weights": run.hyperplane.w.tolist(),
        "predictions": {name: run.read(name).predict(examples.rows).tolist() for name in run.readouts},
        "audit": run.audit(best.hyperplane).norm2.tolist(),
        "bracket": repr(run.margin_bracket()),
        "against": [str(line) for line in run.against(best).checks],
        "path": [run.trajectory().length, run.trajectory().turning],
        "margin": [best.margin, str(best.margin2)],
        "verdict": [verdict.kind, verdict.witness_rows.tolist(), list(map(str, verdict.multipliers))],
        "least": [least.lower, least.upper],
        "clinic": [clinic.kind, clinic.removal.lower, clinic.removal.upper],
        "estimates": [clinic.coefficients[name].estimate for name in clinic.coefficients],
        "unsorted": learn(backwards, [1, -1]).hyperplane.w.tolist(),
        "online": online.n_updates_,
        "network": str(rosenblatt.network.from_truth_table([0, 1, 1, 0])),
    }


def commands(folder: Path) -> None:
    """Every command, on svmlight, VW and NumPy's files, in the folder that `facts` left."""
    os.chdir(folder)
    for code, *arguments in (
        (1, "check", "noisy.svm", "--proof", "p"), (0, "verify", "p", "noisy.svm"), (0, "show", "p"),
        (0, "verify", "p", "noisy.svm", "--slow-reader"), (0, "check", "train.svm"), (0, "margin", "train.svm"),
        (0, "suspects", "noisy.svm", "--time-limit", "1"), (0, "clinic", "noisy.svm", "--time-limit", "2"),
        (0, "train", "train.svm", "-m", "voted.model", "--readout", "voted"),
        (0, "train", "train.svm", "-m", "last.model", "--readout", "last"),
        (0, "predict", "voted.model", "train.svm"), (0, "predict", "last.model", "noisy.svm", "--scores", "-o", "o"),
        (0, "show", "voted.model"), (0, "show", "train.svm"), (0, "convert", "last.model", "last.json"),
        (0, "convert", "train.svm", "train.npz"), (0, "convert", "train.svm", "train.vw"),
        (0, "convert", "train.svm", "train.csv.gz"), (0, "train", "train.npz", "-m", "n.model"),
        (0, "train", "train.vw", "-m", "v.model"), (0, "examples"),
        (0, "check", "example:iris", "--positive", "setosa"),
        (0, "rules"), (0, "completion", "bash"), (0, "versions", "--json"),
    ):  # fmt: skip
        found, out, err = program(*arguments)
        assert found == code, (arguments, found, out, err)
    versions = json.loads(out)["result"]["versions"]
    assert [versions[name] for name in ("numpy", "highspy")].count("not installed") == 0
    voted = rosenblatt.load("voted.model")
    assert voted.vote.rows.shape[1] == 8, "its rows are sparse, and come back as they were"


def missing(folder: Path) -> None:
    """What needs an extra says so in one line, with a command that works in a checkout; on the command line, exit 2."""
    os.chdir(folder)
    for name in ("t.csv", "t.parquet", "t.arrow", "t.arff"):
        (folder / name).write_bytes(b"@data" if name == "t.arff" else b"a,y\n1,0\n")
    (folder / "t.svm.zst").write_bytes(b"\x28\xb5\x2f\xfd" + bytes(20))
    for extra, *arguments in (
        ("tables", "check", "t.csv", "--label", "y"), ("tables", "check", "t.parquet", "--label", "y"),
        ("tables", "train", "t.arff", "-m", "m", "--label", "y"), ("zstd", "check", "t.svm.zst"),
        ("cluster", "check", "train.svm", "--dask", "local"),
        ("tables", "convert", "train.svm", "x.parquet"), ("zstd", "convert", "train.svm", "x.svm.zst"),
    ):  # fmt: skip
        code, out, err = program(*arguments)
        assert code == 2, arguments
        assert not out, out
        assert err.count("\n") == 1, err
        assert f"pip install '.[{extra}]' in rosenblatt's folder" in err, err
    for extra, ask in (
        ("sklearn", lambda: rosenblatt.Perceptron), ("sklearn", lambda: rosenblatt.MaxMarginClassifier),
        ("sklearn", lambda: datasets.text(20, 30)), ("tables", lambda: rosenblatt.read("t.csv")),
        ("tables", lambda: rosenblatt.read(Frame())), ("cluster", lambda: rosenblatt.cluster.sharded(None, [])),
    ):  # fmt: skip
        said = refusal(ask)
        assert f"pip install '.[{extra}]' in rosenblatt's folder" in said, said
        assert "\n" not in said


class Frame:
    """What every data frame has."""

    columns = ("a", "y")

    def __arrow_c_stream__(self) -> None:
        """Never asked for."""


def refusal(ask: Callable[[], object]) -> str:
    """How it is refused."""
    try:
        ask()
    except (InputError, ImportError) as error:
        return str(error)
    raise AssertionError("it is not refused")


def documents(folder: Path) -> None:
    """Every block of every page that names no extra, and that needs no name or file of a block that does."""
    ran = 0
    for page in pages():
        (inside := folder / f"{page.parent.name}-{page.stem}").mkdir()
        reading, left_out = Reading(page, inside), False
        for block in reading.blocks:
            stands_alone = block.kind == "python" or block.text.startswith("$ printf")
            if NEEDS_ONE.search(block.text) or (left_out and not stands_alone):
                left_out = True
                continue
            try:
                found = reading.run(block)
            except (NameError, FileNotFoundError):
                assert left_out, (page, block)  # it is made in a block that was left out
                continue
            assert plain(found) == block.expected, (page, block, found)
            ran += 1
    assert ran >= 40, ran


def main() -> None:
    """Everything; or with --facts, the answers alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = facts(folder)
        if sys.argv[1:] == ["--facts"]:
            print(json.dumps(found))
            return
        for module in EXTRAS:
            try:
                import_module(module)
            except ModuleNotFoundError:
                continue
            raise SystemExit(f"{module} is installed here: nothing would be shown")
        commands(folder)
        missing(folder)
        documents(folder)
        os.chdir("/")
    print(f"{Path(rosenblatt.__file__).parent}: works without {', '.join(EXTRAS)}")


if __name__ == "__main__":
    main()
