"""The fuzzing target of the text readers, built with sanitizers and run on its seeds and on mutations of them."""

import os
import subprocess
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parents[2] / "fuzz"
SANITIZED = ["-std=c++17", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-pthread"]


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("fuzz") / "replay"
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, *SANITIZED, FUZZ / "lines.cpp", FUZZ / "replay.cpp", "-o", made], check=True, timeout=110)
    return made


@pytest.mark.slow
@pytest.mark.needs("g++")
def test_no_text_breaks_a_law_of_the_readers(replay: Path) -> None:
    seeds = sorted(FUZZ.joinpath("seeds").iterdir())
    assert len(seeds) >= 10
    runs = 1_000_000 if os.environ.get("ROSENBLATT_LONG") else 20_000
    done = subprocess.run([replay, str(runs), *seeds], capture_output=True, text=True, timeout=3000, check=False)
    assert (done.returncode, done.stdout) == (0, f"{runs} runs\n"), done.stderr[-2000:]


@pytest.mark.long
@pytest.mark.needs("g++")
def test_a_broken_law_would_be_seen(tmp_path: Path) -> None:
    """The target with a reader that drops a digit: the law about numbers must catch it."""
    source = (FUZZ / "lines.cpp").read_text().replace("../src/core/", f"{tmp_path}/")
    core = FUZZ.parent / "src" / "core"
    for header in core.glob("*.hpp"):
        text = header.read_text(encoding="utf-8")
        if header.name == "decimal.hpp":
            assert "m * powers[count] + some" in text
            text = text.replace("m * powers[count] + some", "m * powers[count] + some / 2 * 2", 1)
        (tmp_path / header.name).write_text(text, encoding="utf-8")
    (tmp_path / "lines.cpp").write_text(source)
    made = tmp_path / "replay"
    compiler = os.environ.get("CXX", "g++")
    command = [compiler, "-std=c++17", "-O0", "-pthread", tmp_path / "lines.cpp", FUZZ / "replay.cpp", "-o", made]
    subprocess.run(command, check=True, timeout=110)
    (tmp_path / "seed").write_bytes(b"\x0313.5 and some more")
    done = subprocess.run([made, "0", tmp_path / "seed"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "law broken: strtod's double" in done.stderr
