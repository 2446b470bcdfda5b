"""The habits of testing: what runs alone, budgets of CPU time, the quick slice, and the totals of both passes.

The last ones are seen at work, on a few tests in a folder of their own with this folder's conftest.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
TIME_BUDGET = 60  # it runs pytest, several times

# What other work on the machine may disturb.
DISTURBED = re.compile(
    r"time\.(monotonic|perf_counter|process_time|sleep)\b|\.seconds <|os\.fork\b|\.kill\(|\.terminate\(|send_signal"
    r"|threading\.|VmHWM|ru_maxrss|RLIMIT"
)


def named(node: ast.stmt) -> list[str]:
    """The names that a statement of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


def unmarked(source: str) -> list[str]:
    """The tests of a file that mind other work, by themselves or by what they use of it, and are not marked serial."""
    lines = source.splitlines()
    nodes = {name: node for node in ast.parse(source).body for name in named(node)}
    used, minding = {}, set()
    for name, node in nodes.items():
        parts = list(ast.walk(node))
        fixtures = {part.arg for part in parts if isinstance(part, ast.arg)}
        used[name] = ({part.id for part in parts if isinstance(part, ast.Name)} | fixtures) & nodes.keys()
        if DISTURBED.search("\n".join(lines[node.lineno - 1 : node.end_lineno])):
            minding.add(name)
    while more := {name for name in nodes.keys() - minding if used[name] & minding}:
        minding |= more
    return [
        name
        for name, node in nodes.items()
        if name in minding and isinstance(node, ast.FunctionDef) and name.startswith("test_")
        and "pytest.mark.serial" not in map(ast.unparse, node.decorator_list)
    ]  # fmt: skip


@pytest.mark.parametrize("file", sorted({*HERE.rglob("test_*.py")} - {Path(__file__)}), ids=lambda file: file.stem)
def test_what_minds_other_work_on_the_machine_is_marked_serial(file: Path) -> None:
    assert unmarked(file.read_text()) == []


def test_a_clock_is_found_behind_a_fixture_and_a_constant() -> None:
    source = "S = 'time.sleep(1)'\ndef run(): return S\ndef test_a(run): pass\ndef test_b(): pass\n"
    assert unmarked(source) == ["test_a"]
    assert unmarked(source.replace("def test_a", "@pytest.mark.serial\ndef test_a")) == []


# --- The conftest at work. ---

FILES = {
    "test_busy.py": """
import subprocess, sys
TIME_BUDGET = 0.2
def test_of_a_child():
    subprocess.run([sys.executable, "-c", "import time\\nwhile time.process_time() < 0.4: pass"], check=True)
""",
    "test_patient.py": """
import time
TIME_BUDGET = 0.2
def test_that_waits():
    time.sleep(0.4)
""",
    "test_many.py": """
import os, pathlib, pytest
@pytest.mark.parametrize("case", range(10))
def test_cases(case):
    pathlib.Path(f"case {case}").touch()
@pytest.mark.serial
def test_alone():
    assert "PYTEST_XDIST_WORKER" not in os.environ
    assert len(list(pathlib.Path().glob("case *"))) == 10
@pytest.mark.slow
def test_slow():
    pass
@pytest.mark.long
def test_long():
    assert False
""",
    "test_absent.py": """
import pytest
@pytest.mark.needs("no-such-program")
def test_of_a_program():
    pass
def test_skipped():
    pytest.skip("for no reason")
@pytest.mark.xfail(strict=True)
def test_expected():
    assert False
""",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("conftest.py", "effort.py", "both_passes.py"):
        shutil.copy(HERE / name, tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def passes(folder: Path, *names: str, **settings: str) -> tuple[int, list[str]]:
    """What `make test` does with some files: its exit code, and what it prints."""
    command = [sys.executable, "both_passes.py", "-c", str(HERE.parent / "pyproject.toml"), "--rootdir", ".", *names]
    own = {name: value for name, value in os.environ.items() if not name.startswith(("ROSENBLATT_", "PYTEST_"))}
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", "--color", "no"],
        cwd=folder, env={**own, "PYTEST_XDIST_AUTO_NUM_WORKERS": "1", **settings}, capture_output=True, text=True,
        timeout=100, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout.splitlines()


@pytest.mark.slow
def test_a_budget_is_of_cpu_time_and_counts_children(folder: Path) -> None:
    code, printed = passes(folder, "test_busy.py", "test_patient.py")
    assert code == 1
    over = sorted({line for line in printed if line.startswith("over its time budget")})  # both passes say it
    assert len(over) == 1
    assert re.fullmatch(r"over its time budget: test_busy.py: \d+\.\d s of CPU, budget 0 s", over[0])
    assert printed[-1].startswith("2 passed in ")


@pytest.mark.slow
def test_serial_tests_run_alone_after_the_others_and_all_are_counted(folder: Path) -> None:
    code, printed = passes(folder, "test_many.py", "test_absent.py", PYTEST_XDIST_AUTO_NUM_WORKERS="2")
    assert code == 0
    assert re.fullmatch(r"12 passed, 2 skipped, 1 xfailed in \d+\.\d\ds", printed[-1])
    assert printed.count("skipped for want of no-such-program:") == 1


@pytest.mark.slow
def test_where_all_is_required_a_skip_fails(folder: Path) -> None:
    code, printed = passes(folder, "test_absent.py", ROSENBLATT_REQUIRE="all")
    assert code == 1
    assert "skipped, but ROSENBLATT_REQUIRE=all: test_absent.py::test_skipped" in printed
    assert "failed for want of no-such-program:" in printed
    assert not any("test_expected" in line for line in printed)
    assert printed[-1].startswith("1 passed, 1 skipped, 1 xfailed in ")


@pytest.mark.slow
def test_a_failure_of_the_first_pass_fails_both(folder: Path) -> None:
    code, printed = passes(folder, "test_many.py", ROSENBLATT_LONG="1")
    assert code == 1
    assert printed[-1].startswith("1 failed, 12 passed in ")


@pytest.mark.slow
def test_quick_takes_two_cases_of_each_test_and_nothing_slow(folder: Path) -> None:
    code, printed = passes(folder, "test_many.py", "--quick", ROSENBLATT_QUICK="1")
    assert code == 0
    assert "quick: 1 tests of 1 files; make test runs the rest" in printed
    assert printed[-1].startswith("2 passed in ")
    assert len(list(folder.glob("case *"))) == 2
