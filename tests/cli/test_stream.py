"""`--stream`: the same answers as in memory, from files that need not fit; and what a pipe can and cannot do."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from rosenblatt.data.source import CHUNK
from rosenblatt.files.parts import text
from tests.commands import answer, run

TIME_BUDGET = 60
ONE_PASS = ("--rule", "perceptron", "--order", "cyclic", "--epochs", "1")


@pytest.fixture(autouse=True)
def cache_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROSENBLATT_CACHE_DIR", str(tmp_path / "caches"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "caches"


def _made(n: int = CHUNK + 900, classes: tuple[str, ...] = ("-1", "+1"), base: int = 1, seed: int = 0) -> list[str]:
    """Lines whose columns grow on the way, so that a reader of parts meets wider rows."""
    random = np.random.default_rng(seed)
    lines = []
    for i in range(n):
        width = 20 + 80 * i // n
        columns = np.sort(random.choice(width, 8, replace=False)) + base
        at = int(random.integers(len(classes)))
        lines.append(f"{classes[at]} " + " ".join(f"{j}:{random.normal() + at * (j % 3):.4f}" for j in columns))
    return lines


def _bytes(capsys: pytest.CaptureFixture[str], *words: object) -> bytes:
    answer(capsys, "train", *words, "-m", "a.model")
    return Path("a.model").read_bytes()


PLANS = [
    (),
    ("--rule", "perceptron", "--epochs", "3"),
    ("--rule", "perceptron", "--order", "cyclic", "--epochs", "3", "--batch-size", "50"),
    ("--rule", "passive-aggressive", "--order", "cyclic", "--epochs", "1", "--readout", "last"),
    ("--rule", "perceptron", "--order", "cyclic", "--epochs", "2", "--multiclass", "direct"),
    ("--rule", "perceptron", "--epochs", "2", "--class-weight", "balanced"),
    ("--rule", "coin", "--epochs", "2", "--scale", "max"),
]


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: " ".join(plan) or "chosen")
@pytest.mark.parametrize("classes", [("-1", "+1"), ("a", "b"), ("1", "2", "3")], ids=len)
def test_a_model_has_the_bytes_of_one_learnt_in_memory(
    capsys: pytest.CaptureFixture[str], plan: tuple[str, ...], classes: tuple[str, ...]
) -> None:
    if classes == ("a", "b"):  # a table, in other words
        random = np.random.default_rng(1)
        rows = [f"{random.normal():.4f},{random.normal():.4f},{random.choice(classes)}" for _ in range(5000)]
        path = Path("some.csv")
        path.write_text("x,y,kind\n" + "\n".join(rows) + "\n")
        how: tuple[str, ...] = ("--label", "kind")
    else:
        path, how = Path("some.svm"), ()
        path.write_text("\n".join(_made(classes=classes)) + "\n")
    here = _bytes(capsys, path, *how, *plan)
    assert _bytes(capsys, path, *how, *plan, "--stream") == here
    assert _bytes(capsys, path, *how, *plan, "--stream", "--memory", "100MB", "--threads", "1") == here


@pytest.mark.parametrize("part", [500, 9_000, 2**24])
def test_parts_do_not_matter_to_the_first_pass(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    Path("some.svm").write_text("\n".join(_made()) + "\n")
    here = _bytes(capsys, "some.svm", *ONE_PASS)
    monkeypatch.setattr(text, "PART", part)
    assert _bytes(capsys, "some.svm", *ONE_PASS, "--stream") == here


@pytest.mark.parametrize("late", ["3 1:1", "-1 0:1 1:1"], ids=["a third class at the end", "an index 0 at the end"])
def test_a_surprise_in_the_first_pass_is_learnt_from_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    Path("some.svm").write_text("\n".join([*_made(), late]) + "\n")
    here = _bytes(capsys, "some.svm", *ONE_PASS)
    monkeypatch.setattr(text, "PART", 5000)
    assert _bytes(capsys, "some.svm", *ONE_PASS, "--stream") == here


def test_rows_sorted_by_class_wait_for_the_second(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("some.svm").write_text("\n".join(sorted(_made(2000), key=lambda line: line[:2])) + "\n")
    here = _bytes(capsys, "some.svm", *ONE_PASS)
    monkeypatch.setattr(text, "PART", 2000)
    assert _bytes(capsys, "some.svm", *ONE_PASS, "--stream") == here


def test_importance_of_vw_is_learnt_with_in_the_first_pass(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(3)
    rows = [
        f"{random.choice([-1, 1])} {'1' if i < 3000 else random.choice(['0.5', '3'])} | w{random.integers(9 + i // 99)}"
        for i in range(5000)
    ]
    Path("some.vw").write_text("\n".join(rows) + "\n")
    here = _bytes(capsys, "some.vw", *ONE_PASS)
    monkeypatch.setattr(text, "PART", 9000)
    assert _bytes(capsys, "some.vw", *ONE_PASS, "--stream") == here


def _piped(lines: list[str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rosenblatt", *words]
    return subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=120)


def test_a_pipe_is_learnt_from_in_one_pass(capsys: pytest.CaptureFixture[str]) -> None:
    lines = _made()
    Path("some.svm").write_text("\n".join(lines) + "\n")
    done = _piped(lines, "train", "-", "--stream", *ONE_PASS, "-m", "piped.model", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["result"]
    assert found["data"]["rows"] == len(lines)
    assert found["predicted_wrong"]["training"] is None
    assert [step["command"][1] for step in found["next"]] == ["predict", "check"]
    wrong = answer(capsys, "train", "some.svm", *ONE_PASS, "-m", "b.model")["predicted_wrong"]["first_epoch"]
    assert found["predicted_wrong"]["first_epoch"] == wrong
    for model in ("piped.model", "b.model"):
        answer(capsys, "predict", model, "some.svm", "--scores", "-o", f"{model}.txt")
    assert Path("piped.model.txt").read_text() == Path("b.model.txt").read_text()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ((), "choosing a rule reads rows again and again"),
        (("--rule", "perceptron"), "--order cyclic"),
        ((*ONE_PASS, "--scale", "standard"), "--scale none"),
        (("--rule", "perceptron", "--order", "cyclic"), "more than one pass"),
        (("--rule", "coin", "--order", "cyclic", "--epochs", "1"), "another --rule"),
        ((*ONE_PASS, "--readout", "pocket"), "--readout averaged"),
        ((*ONE_PASS, "--offset", "radius"), "--offset a number"),
        ((*ONE_PASS, "--start", "random"), "leave --start out"),
    ],
)
def test_what_a_pipe_cannot_do_is_said_in_a_line(options: tuple[str, ...], reason: str) -> None:
    done = _piped(_made(50), "train", "-", "--stream", *options, "-m", "a.model")
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("standard input: it can be read once alone")
    assert not os.path.exists("a.model")


def test_classes_can_be_given() -> None:
    lines = ["-1 1:1"] * 400_000 + ["1 1:2", "3 1:3"]  # parts of the first class alone
    done = _piped(lines, "train", "-", "--stream", *ONE_PASS, "--classes", "-1,1,3", "-m", "a.model", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["result"]["data"]["rows"] == len(lines)
    done = _piped(lines, "train", "-", "--stream", *ONE_PASS, "--classes", "-1,1", "-m", "b.model")
    assert done.returncode == 2
    assert "standard input:400002: the label is 3; expected one of -1, 1" in done.stderr


@pytest.mark.parametrize("late", ["7 1:1", "-1 0:1"])
def test_a_surprise_in_a_pipe_is_an_error(late: str) -> None:
    """Its parts are large, so that it takes many rows for a surprise to come late."""
    lines = ["-1 1:1", "1 1:2"] * 300_000
    done = _piped([*lines, late], "train", "-", "--stream", *ONE_PASS, "-m", "a.model")
    assert (done.returncode, "a file, which can be read again" in done.stderr) == (2, True), done.stderr
    assert not os.path.exists("a.model")


def test_questions_have_the_answers_of_memory(capsys: pytest.CaptureFixture[str]) -> None:
    Path("some.svm").write_text("\n".join(_made(3000)) + "\n")
    Path("apart.svm").write_text(
        "\n".join(f"{'+1' if i % 2 else '-1'} 1:{i % 2 + i / 9e3} 2:{i % 7}" for i in range(5000))
    )
    for path in ("some.svm", "apart.svm"):
        found = []
        for more in ((), ("--stream",)):
            code, out, _ = run(capsys, "check", path, *more, "--json", "--proof", "proof.json")
            found.append((code, json.loads(out)["result"]["verdict"]["kind"]))
            assert run(capsys, "verify", "proof.json", path)[0] == 0
        assert found[0] == found[1]
    margins = [answer(capsys, "margin", "apart.svm", *more) for more in ((), ("--stream",))]
    assert margins[0]["margin"]["margin"] == margins[1]["margin"]["margin"]


def test_one_class_against_the_rest_of_a_stream(capsys: pytest.CaptureFixture[str]) -> None:
    Path("three.svm").write_text("\n".join(_made(600, classes=("1", "2", "3"))) + "\n")
    codes = [run(capsys, "check", "three.svm", "--positive", "2", *more)[0] for more in ((), ("--stream",))]
    assert codes[0] == codes[1]
    code, _, err = run(capsys, "check", "three.svm", "--stream")
    assert code == 2
    assert "--positive LABEL" in err


def test_caches_are_listed_and_cleared(capsys: pytest.CaptureFixture[str], cache_dir: Path) -> None:
    assert answer(capsys, "cache")["caches"] == []
    Path("some.svm").write_text("\n".join(_made(100)) + "\n")
    answer(capsys, "train", "some.svm", "--stream", *ONE_PASS)
    (cache,) = answer(capsys, "cache", "list")["caches"]
    assert (cache["data"], cache["rows"]) == ("some.svm", 100)
    (cache_dir / "broken.rows").write_bytes(b"nothing")
    code, out, _ = run(capsys, "cache")
    assert code == 0
    assert "2 caches" in out
    assert "damaged" in out
    assert "some.svm" in out
    removed = answer(capsys, "cache", "clear")["removed"]
    assert removed["count"] == 2
    assert removed["bytes"] > 0
    assert not list(cache_dir.glob("*.rows"))
    assert "Nothing in" in run(capsys, "cache")[1]
    assert run(capsys, "cache", "burn")[0] == 2


def test_what_a_stream_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    Path("some.svm").write_text("\n".join(_made(100)) + "\n")
    for words, said in (
        (("train", "some.svm", "--stream", "--holdout", "0.2"), "expected --test"),
        (("train", "some.svm", "--stream", "--memory", "1MB"), "64MB or more"),
        (("train", "some.svm", "--stream", "--memory", "much"), "such as 256MB"),
        (("train", "none-*.svm", "--stream"), "no file is like that"),
        (("check", "none.svm", "--stream"), "No such file"),
    ):
        code, _, err = run(capsys, *words)
        assert (code, said in err) == (2, True), err


def test_a_pipe_is_no_place_to_ask_questions() -> None:
    done = _piped(_made(50), "check", "-", "--stream")
    assert done.returncode == 2
    assert "once alone" in done.stderr


@pytest.mark.serial
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_silent_pipe_can_be_interrupted(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "rosenblatt", "train", "-", "--stream", *ONE_PASS, "-m", "a.model"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdin is not None
        child.stdin.write(b"-1 1:1\n1 1:2\n" * 400_000)  # a part, and then nothing
        child.stdin.flush()
        time.sleep(1)
        child.send_signal(number)
        try:
            assert child.wait(timeout=20) == 128 + number
        finally:
            child.kill()
    assert not os.path.exists("a.model")
